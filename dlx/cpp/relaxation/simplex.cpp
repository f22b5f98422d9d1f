// The dual simplex method: see relaxation/simplex.hpp.
#include "relaxation/simplex.hpp"

#include <algorithm>
#include <cmath>

#include "core/random_numbers.hpp"

namespace dlx {
namespace {

constexpr double primal_tolerance = 1e-7;
constexpr double dual_tolerance = 1e-7;
constexpr double zero = 1e-12;  // of entries of the pivot row
constexpr double least_pivot = 1e-7;
constexpr double safe_pivot = 1e-4;
constexpr double least_edge = 1e-4;
constexpr double perturbation = 5e-7;  // of a cost
constexpr std::size_t most_updates = 100;
constexpr std::uint64_t clock_interval = 16;  // iterations
constexpr int most_repairs = 20;              // factorizations because of rounding errors

}  // namespace

Simplex::Simplex(std::vector<double> low, std::vector<double> high)
    : rows_(low.size()),
      lower_(std::move(low)),
      upper_(std::move(high)),
      cost_(rows_, 0.0),
      perturbed_(rows_, 0.0),
      true_cost_(rows_, 0.0),
      reduced_(rows_, 0.0),
      where_(rows_),
      basis_(rows_),
      value_(rows_, 0.0),
      edge_(rows_, 1.0),
      way_(rows_, 0.0),
      pivot_row_(rows_, 0.0),
      rho_(rows_),
      column_(rows_),
      tau_(rows_),
      flips_(rows_) {
    for (std::size_t row = 0; row < rows_; ++row) {
        where_[row] = basis_[row] = static_cast<Int>(row);
    }
}

void Simplex::add_columns(const ProgramColumns& columns) {
    const std::size_t count = columns.cost.size();
    RandomNumbers random(variables());
    for (std::size_t column = 0; column < count; ++column) {
        for (std::size_t at = columns.start[column]; at < columns.start[column + 1]; ++at) {
            row_.push_back(columns.row[at]);
            weight_.push_back(columns.weight.empty() ? 1.0 : columns.weight[at]);
            unit_weights_ = unit_weights_ && weight_.back() == 1;
        }
        start_.push_back(row_.size());
        const double cost = columns.cost[column];
        const double part = 0.5 + static_cast<double>(random.below(1 << 20)) / (1 << 21);
        true_cost_.push_back(cost);
        perturbed_.push_back(cost + part * perturbation * (1 + std::abs(cost)));
        cost_.push_back(perturbed_.back());
        reduced_.push_back(0);
        lower_.push_back(0);
        upper_.push_back(columns.upper[column]);
        where_.push_back(at_lower);
        pivot_row_.push_back(0);
        way_.push_back(0);
    }
    rows_listed_ = false;
    forget_shifts();  // and perturb again: without that, ties may take steps without end
}

void Simplex::set_bounds(std::size_t column, double lower, double upper) {
    const std::size_t variable = rows_ + column;
    if (lower_[variable] == lower && upper_[variable] == upper) return;
    lower_[variable] = lower;
    upper_[variable] = upper;
    settled_ = false;
    rows_listed_ = rows_listed_ && (lower == upper || listed_[column]);
}

void Simplex::list_rows() {
    row_start_.assign(rows_ + 1, 0);
    listed_.resize(columns());
    for (std::size_t column = 0; column < columns(); ++column) {
        listed_[column] = lower_[rows_ + column] < upper_[rows_ + column];
        if (!listed_[column]) continue;
        for (std::size_t at = start_[column]; at < start_[column + 1]; ++at) {
            ++row_start_[index(row_[at]) + 1];
        }
    }
    for (std::size_t row = 0; row < rows_; ++row) row_start_[row + 1] += row_start_[row];
    row_column_.resize(row_start_.back());
    row_weight_.resize(row_start_.back());
    std::vector<std::size_t> next(row_start_.begin(), row_start_.end() - 1);
    for (std::size_t column = 0; column < columns(); ++column) {
        if (!listed_[column]) continue;
        for (std::size_t at = start_[column]; at < start_[column + 1]; ++at) {
            const std::size_t to = next[index(row_[at])]++;
            row_column_[to] = static_cast<Int>(rows_ + column);
            row_weight_[to] = weight_[at];
        }
    }
    rows_listed_ = true;
}

// Factorizes the basis. Returns whether it was changed, since its columns were not independent.
bool Simplex::factorize() {
    std::vector<std::vector<Entry>> columns(rows_);
    for (std::size_t row = 0; row < rows_; ++row) {
        for_entries(index(basis_[row]),
                    [&](Int at, double value) { columns[row].emplace_back(at, value); });
    }
    const std::vector<Int> column_of = factor_.factorize(columns);
    work_ += 20 * factor_.factor_entries();
    std::vector<Int> basis(rows_);
    std::vector<double> edge(rows_);
    bool changed = false;
    for (const Int variable : basis_) where_[index(variable)] = at_lower;
    for (std::size_t row = 0; row < rows_; ++row) {
        const Int from = column_of[row];
        basis[row] = from < 0 ? static_cast<Int>(row) : basis_[index(from)];
        edge[row] = from < 0 ? 1.0 : edge_[index(from)];
        changed = changed || from < 0;
        where_[index(basis[row])] = static_cast<Int>(row);
    }
    basis_ = std::move(basis);
    edge_ = std::move(edge);
    factorized_ = true;
    ++factorizations_;
    return changed;
}

// Computes the reduced costs.
void Simplex::price() {
    std::vector<double>& y = tau_;
    for (std::size_t row = 0; row < rows_; ++row) y[row] = cost_[index(basis_[row])];
    factor_.solve_transposed(y);
    for (std::size_t row = 0; row < rows_; ++row) reduced_[row] = cost_[row] + y[row];
    for (std::size_t variable = rows_; variable < variables(); ++variable) {
        double reduced = cost_[variable];
        const std::size_t column = variable - rows_;
        for (std::size_t at = start_[column]; at < start_[column + 1]; ++at) {
            reduced -= y[index(row_[at])] * weight_[at];
        }
        reduced_[variable] = reduced;
    }
    for (const Int variable : basis_) reduced_[index(variable)] = 0;
    work_ += row_.size() + rows_;
    priced_ = true;
}

// Puts every nonbasic variable at the bound that its reduced cost wants.
void Simplex::settle_nonbasic() {
    for (std::size_t variable = 0; variable < variables(); ++variable) {
        if (basic(variable)) continue;
        double& reduced = reduced_[variable];
        Int& where = where_[variable];
        if (lower_[variable] == upper_[variable]) {
            where = at_lower;
            continue;
        }
        if (reduced > dual_tolerance) where = at_lower;
        if (reduced < -dual_tolerance) where = at_upper;
        if (std::abs(bound_of(variable)) != endless) continue;
        where = where == at_lower ? at_upper : at_lower;
        cost_[variable] -= reduced;  // there is no such bound
        reduced = 0;
    }
    for (std::size_t variable = 0; variable < variables(); ++variable) set_way(variable);
}

// Computes the values of the basic variables, and the objective.
void Simplex::evaluate() {
    std::fill(value_.begin(), value_.end(), 0.0);
    objective_ = 0;
    for (std::size_t variable = 0; variable < variables(); ++variable) {
        if (basic(variable)) continue;
        const double bound = bound_of(variable);
        if (bound == 0) continue;
        objective_ += cost_[variable] * bound;
        for_entries(variable,
                    [&](Int row, double weight) { value_[index(row)] -= weight * bound; });
    }
    factor_.solve(value_);
    for (std::size_t row = 0; row < rows_; ++row) {
        objective_ += cost_[index(basis_[row])] * value_[row];
    }
    work_ += variables() + factor_.entries();
    settled_ = true;
}

bool Simplex::prepare() {
    if (!rows_listed_) list_rows();
    if (!factorized_ && factorize()) {
        priced_ = false;
        if (factorize()) return false;
    }
    if (!priced_) {
        price();
        settled_ = false;
    }
    if (!settled_) {
        settle_nonbasic();
        evaluate();
    }
    return true;
}

Int Simplex::leaving_row() const {
    Int best = -1;
    double most = 0;
    for (std::size_t row = 0; row < rows_; ++row) {
        const std::size_t variable = index(basis_[row]);
        const double excess =
            std::max(lower_[variable] - value_[row], value_[row] - upper_[variable]);
        if (excess <= primal_tolerance) continue;
        const double score = excess * excess / edge_[row];
        if (score > most) {
            most = score;
            best = static_cast<Int>(row);
        }
    }
    return best;
}

// The row of the simplex tableau: rho_ = its row of the inverse, pivot_row_ = rho_ (A, -I).
void Simplex::fill_pivot_row(Int row) {
    std::fill(rho_.begin(), rho_.end(), 0.0);
    rho_[index(row)] = 1;
    factor_.solve_transposed(rho_);
    std::fill(pivot_row_.begin(), pivot_row_.end(), 0.0);
    for (std::size_t at = 0; at < rows_; ++at) {
        const double factor = rho_[at];
        if (std::abs(factor) < zero) continue;
        pivot_row_[at] = -factor;
        const std::size_t first = row_start_[at], last = row_start_[at + 1];
        work_ += last - first;
        for (std::size_t entry = first; entry < last; ++entry) {
            pivot_row_[index(row_column_[entry])] +=
                unit_weights_ ? factor : factor * row_weight_[entry];
        }
    }
    work_ += factor_.entries() + variables() / 2;
}

// The ratio test: the variable that enters the basis, or -1 if there is none. `excess`: how far the
// leaving variable is beyond its bound, which is the slope of the objective. Variables whose
// reduced costs change their signs before are put into `flipped_`. `step`: of the reduced costs.
Int Simplex::entering(double excess, bool below, double& step) {
    flipped_.clear();
    const double sign = below ? -1 : 1;
    const auto range = [this](const Candidate& one) {
        return upper_[index(one.variable)] - lower_[index(one.variable)];  // may be infinite
    };
    // The first ones, before which the slope stays positive, are few in most steps: so those up to
    // some ratio are listed, and more if these are not enough.
    std::size_t passed = 0;
    double slope = excess;
    for (double most = 4 * usual_ratio_;; most = most < 1e3 * usual_ratio_ ? 16 * most : endless) {
        candidates_.clear();
        for (std::size_t at = 0; at < pivot_row_.size(); ++at) {
            const double size = sign * way_[at] * pivot_row_[at];
            const double reduced = way_[at] * reduced_[at];
            if ((size > least_pivot) & (reduced <= most * size)) {
                candidates_.push_back({std::max(0.0, reduced / size), size, static_cast<Int>(at)});
            }
        }
        std::sort(
            candidates_.begin(), candidates_.end(),
            [](const Candidate& one, const Candidate& other) { return one.ratio < other.ratio; });
        work_ += pivot_row_.size() / 2;
        for (passed = 0, slope = excess; passed < candidates_.size(); ++passed) {
            const double rest = slope - candidates_[passed].size * range(candidates_[passed]);
            if (rest <= primal_tolerance) break;
            slope = rest;
        }
        if (passed < candidates_.size()) break;
        if (most < endless) continue;
        ray_slope_ = slope;
        ray_sign_ = sign;
        return -1;
    }
    // Of those that come first within the tolerance, the one with the largest entry.
    std::size_t chosen = passed;
    double most = candidates_[passed].ratio + dual_tolerance / candidates_[passed].size;
    for (std::size_t at = passed + 1; at < candidates_.size(); ++at) {
        const Candidate& one = candidates_[at];
        if (one.ratio > most) break;
        most = std::min(most, one.ratio + dual_tolerance / one.size);
        if (one.size > candidates_[chosen].size) chosen = at;
    }
    if (candidates_[chosen].size < safe_pivot) {  // rather an earlier one, with less progress
        for (std::size_t at = passed; at-- > 0;) {
            if (candidates_[at].size < 100 * candidates_[chosen].size) continue;
            chosen = passed = at;
            break;
        }
    }
    step = candidates_[chosen].ratio;
    rise_ = excess * step;
    for (std::size_t at = 0; at < passed; ++at) {
        const Candidate& one = candidates_[at];
        flipped_.push_back(one.variable);
        rise_ -= one.size * range(one) * (step - one.ratio);
    }
    usual_ratio_ = std::max({step, usual_ratio_ / 4, dual_tolerance});
    return candidates_[chosen].variable;
}

// Replaces the basic variable of a row. Returns false if rounding errors are too large.
bool Simplex::pivot(Int row, Int entering, double step, bool below) {
    const std::size_t place = index(row);
    const std::size_t in = index(entering);
    const std::size_t out = index(basis_[place]);
    std::fill(column_.begin(), column_.end(), 0.0);
    for_entries(in, [&](Int at, double weight) { column_[index(at)] = weight; });
    factor_.solve(column_);
    const double pivot = column_[place];
    const double expected = pivot_row_[in];
    if (std::abs(pivot) < least_pivot ||
        std::abs(pivot - expected) > 1e-6 * (1 + std::abs(expected))) {
        return false;
    }
    // Reduced costs.
    const double theta = below ? -step : step;
    for (std::size_t at = 0; at < pivot_row_.size(); ++at) reduced_[at] -= theta * pivot_row_[at];
    for (const Int variable : basis_) reduced_[index(variable)] = 0;
    reduced_[out] = -theta;
    for (const Int variable : flipped_) {
        const std::size_t at = index(variable);
        where_[at] = where_[at] == at_lower ? at_upper : at_lower;
        way_[at] = -way_[at];
    }
    for (const Candidate& one : candidates_) {  // no reduced cost may have the wrong sign
        const std::size_t at = index(one.variable);
        double& reduced = reduced_[at];
        if (way_[at] * reduced >= 0) continue;
        cost_[at] -= reduced;
        reduced = 0;
    }
    cost_[in] -= reduced_[in];
    reduced_[in] = 0;
    // Values.
    if (!flipped_.empty()) {
        std::fill(flips_.begin(), flips_.end(), 0.0);
        for (const Int variable : flipped_) {
            const std::size_t at = index(variable);
            const double range = upper_[at] - lower_[at];
            const double change = where_[at] == at_upper ? range : -range;
            for_entries(at, [&](Int to, double weight) { flips_[index(to)] += weight * change; });
        }
        factor_.solve(flips_);
        for (std::size_t at = 0; at < rows_; ++at) value_[at] -= flips_[at];
        work_ += factor_.entries();
    }
    const double change = (value_[place] - (below ? lower_[out] : upper_[out])) / pivot;
    const double start = bound_of(in);
    for (std::size_t at = 0; at < rows_; ++at) value_[at] -= change * column_[at];
    value_[place] = start + change;
    objective_ += rise_;
    // Steepest edge.
    double norm = 0;
    for (const double one : rho_) norm += one * one;
    std::copy(rho_.begin(), rho_.end(), tau_.begin());
    factor_.solve(tau_);
    for (std::size_t at = 0; at < rows_; ++at) {
        if (column_[at] == 0) continue;
        const double ratio = column_[at] / pivot;
        edge_[at] = std::max(edge_[at] - 2 * ratio * tau_[at] + ratio * ratio * norm, least_edge);
    }
    edge_[place] = std::max(norm / (pivot * pivot), least_edge);
    work_ += 2 * factor_.entries() + 4 * rows_;
    factor_.replace(row, column_);
    basis_[place] = entering;
    where_[in] = row;
    where_[out] = below ? at_lower : at_upper;
    way_[in] = 0;
    set_way(out);
    return true;
}

Simplex::Status Simplex::solve(const Limits& limits) {
    if (!prepare()) return Status::failed;
    int repairs = 0;
    bool fresh = factor_.updates() == 0;
    std::uint64_t left = limits.iterations;
    for (std::uint64_t round = 1;; ++round) {  // some before the first look, so each call gets on
        if (round % clock_interval == 0 && Clock::now() >= limits.until) return Status::stopped;
        const bool full = factor_.updates() >= most_updates ||
                          factor_.entries() > 3 * factor_.factor_entries() + 4 * rows_;
        if (full || !factorized_) {
            factorized_ = priced_ = settled_ = false;
            if (!prepare()) return Status::failed;
            fresh = true;
        }
        if (objective_ > limits.cutoff) return Status::above;
        const Int row = leaving_row();
        if (row < 0) return Status::optimal;
        if (left-- == 0) return Status::limit;
        const std::size_t out = index(basis_[index(row)]);
        const bool below = value_[index(row)] < lower_[out];
        const double excess =
            below ? lower_[out] - value_[index(row)] : value_[index(row)] - upper_[out];
        fill_pivot_row(row);
        double step = 0;
        const Int in = entering(excess, below, step);
        ++iterations_;
        if (in >= 0 && pivot(row, in, step, below)) {
            fresh = false;
            continue;
        }
        if (fresh && in < 0) return Status::infeasible;
        if (fresh || ++repairs > most_repairs) return Status::failed;
        factorized_ = false;  // rounding errors may be the cause
    }
}

Simplex::Status Simplex::solve_unperturbed(const Limits& limits) {
    cost_ = true_cost_;
    priced_ = settled_ = false;
    return solve(limits);
}

std::vector<double> Simplex::prices() const {
    std::vector<double> prices(rows_);
    for (std::size_t row = 0; row < rows_; ++row) prices[row] = reduced_[row] - cost_[row];
    return prices;
}

double Simplex::value(std::size_t column) const noexcept {
    const std::size_t variable = rows_ + column;
    const Int where = where_[variable];
    return where >= 0 ? value_[index(where)] : bound_of(variable);
}

std::vector<double> Simplex::values() const {
    std::vector<double> values(columns());
    for (std::size_t column = 0; column < values.size(); ++column) values[column] = value(column);
    return values;
}

std::pair<std::vector<double>, double> Simplex::ray() const {
    std::vector<double> ray(rho_);
    for (double& one : ray) one *= ray_sign_;
    return {std::move(ray), ray_slope_};
}

void Simplex::set_basis(std::vector<Int> basis) {
    for (const Int variable : basis_) where_[index(variable)] = at_lower;
    basis_ = std::move(basis);
    for (std::size_t row = 0; row < rows_; ++row) {
        where_[index(basis_[row])] = static_cast<Int>(row);
    }
    std::fill(edge_.begin(), edge_.end(), 1.0);
    factorized_ = priced_ = settled_ = false;
}

Simplex::Snapshot Simplex::snapshot() const {
    return {basis_,          where_,    value_, reduced_, cost_, edge_, factor_.updates(),
            factorizations_, objective_};
}

void Simplex::restore(const Snapshot& from) {
    basis_ = from.basis;
    where_ = from.where;
    value_ = from.value;
    reduced_ = from.reduced;
    cost_ = from.cost;
    edge_ = from.edge;
    objective_ = from.objective;
    if (from.factorizations == factorizations_) {
        factor_.undo_updates(from.updates);
        priced_ = settled_ = true;
        for (std::size_t variable = 0; variable < variables(); ++variable) set_way(variable);
    } else {
        factorized_ = priced_ = settled_ = false;
    }
}

}  // namespace dlx
