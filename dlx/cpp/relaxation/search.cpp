// Branch and bound over the linear relaxation: see relaxation/search.hpp.
#include "relaxation/search.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace dlx {
namespace {

constexpr double integral = 1e-6;
constexpr double margin = 1e-3;  // of a cutoff, in units of the costs
constexpr std::size_t most_candidates = 10;
constexpr std::size_t hopeless = 4;  // candidates in a row that are no better
constexpr std::uint64_t probe_iterations = 30;
constexpr std::size_t longest_paired = 40;  // rows of a column whose pairs are candidates
constexpr std::size_t few_columns = 50;     // fewer are not worth a new linear program

}  // namespace

RelaxationSearch::RelaxationSearch(const Problem& problem, std::span<const std::int64_t> cost,
                                   std::span<const Int> given, std::uint64_t k, bool any_order,
                                   std::size_t most_kept)
    : k_(k),
      any_order_(any_order),
      most_kept_(most_kept),
      given_(given.begin(), given.end()),
      option_cost_(cost.begin(), cost.end()) {
    make_program(problem, cost, given);
    if (k_ == 1) leave_out_duplicates();
    exact_.emplace(program_);
    lower_.assign(program_.columns(), 0);
    root_upper_.assign(program_.columns(), 1);
    upper_ = root_upper_;
    make_simplex();
    if (!exact_->fits() || problem.colored()) phase_ = Phase::given_up;
    open_.insert({-no_cutoff, 0, nullptr, nullptr});
}

void RelaxationSearch::make_program(const Problem& problem, std::span<const std::int64_t> cost,
                                    std::span<const Int> given) {
    const auto items = static_cast<std::size_t>(problem.items);
    std::vector<std::int64_t> low(items, 0), high(items, 1), most(items, 0);
    for (std::size_t item = 0; item < static_cast<std::size_t>(problem.primary); ++item) {
        low[item] = problem.multiple() ? problem.low[item] : 1;
        high[item] = problem.multiple() ? problem.high[item] : 1;
    }
    std::vector<std::uint8_t> taken(static_cast<std::size_t>(problem.options()), 0);
    const auto for_entries = [&](std::size_t option, auto use) {
        for (Int entry = problem.start[option]; entry < problem.start[option + 1]; ++entry) {
            use(index(problem.item[index(entry)]), problem.weight_of(entry));
        }
    };
    for (const Int option : given) {
        taken[index(option)] = 1;
        given_cost_ += cost[index(option)];
        for_entries(index(option), [&](std::size_t item, Int weight) {
            low[item] = std::max<std::int64_t>(0, low[item] - weight);
            high[item] -= weight;
        });
    }
    std::int64_t unit = 0;
    for (std::size_t option = 0; option < taken.size(); ++option) {
        bool fits = taken[option] == 0;
        for_entries(option,
                    [&](std::size_t item, Int weight) { fits = fits && weight <= high[item]; });
        if (!fits) continue;
        option_.push_back(static_cast<Int>(option));
        for_entries(option, [&](std::size_t item, Int weight) { most[item] += weight; });
        unit = std::gcd(unit, cost[option]);
    }
    unit_ = std::max<std::int64_t>(unit, 1);
    std::vector<Int> row_of(items, -1);
    for (std::size_t item = 0; item < items; ++item) {
        if (low[item] == 0 && most[item] <= high[item]) continue;
        row_of[item] = static_cast<Int>(program_.low.size());
        program_.low.push_back(low[item]);
        program_.high.push_back(most[item] <= high[item] ? IntegerProgram::no_bound : high[item]);
        once_.push_back(low[item] == 1 && high[item] == 1);
    }
    for (const Int option : option_) {
        for_entries(index(option), [&](std::size_t item, Int weight) {
            if (row_of[item] < 0) return;
            program_.row.push_back(row_of[item]);
            if (problem.weighted()) program_.weight.push_back(weight);
        });
        program_.start.push_back(program_.row.size());
        program_.cost.push_back(cost[index(option)] / unit_);
    }
}

// Of options that cover the same items and exclude each other only the cheapest is left; of several
// that cost as little, all of them, unless any one will do.
void RelaxationSearch::leave_out_duplicates() {
    if (!program_.weight.empty()) return;
    std::vector<std::vector<Int>> rows(program_.columns());
    std::vector<std::size_t> order;
    for (std::size_t column = 0; column < rows.size(); ++column) {
        const std::span<const Int> own = program_.rows_of(column);
        rows[column].assign(own.begin(), own.end());
        std::sort(rows[column].begin(), rows[column].end());
        order.push_back(column);
    }
    std::sort(order.begin(), order.end(), [&](std::size_t one, std::size_t other) {
        if (rows[one] != rows[other]) return rows[one] < rows[other];
        if (program_.cost[one] != program_.cost[other]) {
            return program_.cost[one] < program_.cost[other];
        }
        return one < other;
    });
    std::vector<std::uint8_t> left(rows.size(), 1);
    std::size_t first = 0;
    for (std::size_t at = 1; at < order.size(); ++at) {
        const auto& own = rows[order[at]];
        if (own != rows[order[first]]) {
            first = at;
            continue;
        }
        const bool exclusive = std::any_of(own.begin(), own.end(),
                                           [&](Int row) { return program_.high[index(row)] == 1; });
        if (!exclusive) continue;
        left[order[at]] = !any_order_ && program_.cost[order[at]] == program_.cost[order[first]];
    }
    IntegerProgram program;
    program.low = program_.low;
    program.high = program_.high;
    std::vector<Int> option;
    for (std::size_t column = 0; column < left.size(); ++column) {
        if (!left[column]) continue;
        const std::span<const Int> own = program_.rows_of(column);
        program.row.insert(program.row.end(), own.begin(), own.end());
        program.start.push_back(program.row.size());
        program.cost.push_back(program_.cost[column]);
        option.push_back(option_[column]);
    }
    program_ = std::move(program);
    option_ = std::move(option);
}

void RelaxationSearch::make_simplex() {
    std::vector<double> low, high;
    for (std::size_t row = 0; row < program_.rows(); ++row) {
        low.push_back(static_cast<double>(program_.low[row]));
        const std::int64_t most = program_.high[row];
        high.push_back(most == IntegerProgram::no_bound ? endless : static_cast<double>(most));
    }
    simplex_ = std::make_unique<Simplex>(std::move(low), std::move(high));
    ProgramColumns columns;
    column_of_.clear();
    place_of_.assign(program_.columns(), -1);
    for (std::size_t column = 0; column < program_.columns(); ++column) {
        if (root_upper_[column] == 0) continue;
        place_of_[column] = static_cast<Int>(column_of_.size());
        column_of_.push_back(static_cast<Int>(column));
        for (std::size_t at = program_.start[column]; at < program_.start[column + 1]; ++at) {
            columns.row.push_back(program_.row[at]);
            columns.weight.push_back(static_cast<double>(program_.weight_at(at)));
        }
        columns.start.push_back(columns.row.size());
        columns.cost.push_back(static_cast<double>(program_.cost[column]));
        columns.upper.push_back(1.0);
    }
    simplex_->add_columns(columns);
    // The columns of each row that are left.
    row_start_.assign(program_.rows() + 1, 0);
    const auto for_columns = [&](auto use) {
        for (const Int column : column_of_) {
            for (const Int row : program_.rows_of(index(column))) use(index(row), column);
        }
    };
    for_columns([&](std::size_t row, Int) { ++row_start_[row + 1]; });
    std::partial_sum(row_start_.begin(), row_start_.end(), row_start_.begin());
    row_columns_.resize(row_start_.back());
    std::vector<std::size_t> next(row_start_.begin(), row_start_.end() - 1);
    for_columns([&](std::size_t row, Int column) { row_columns_[next[row]++] = column; });
}

// Makes a smaller linear program once many columns are fixed, with the same basis.
void RelaxationSearch::shrink() {
    const std::size_t rows = program_.rows();
    std::vector<std::uint8_t> in_basis(program_.columns(), 0);
    std::vector<Int> basis(simplex_->basis());
    for (Int& variable : basis) {
        if (index(variable) < rows) continue;
        const Int column = column_of_[index(variable) - rows];
        in_basis[index(column)] = 1;
        variable = static_cast<Int>(rows) + column;
    }
    std::size_t left = 0;
    for (const Int column : column_of_) left += root_upper_[index(column)] | in_basis[index(column)];
    if (left + few_columns > column_of_.size() / 4 * 3) return;
    work_ += simplex_->work();
    std::vector<std::uint8_t> fixed(root_upper_);
    for (std::size_t column = 0; column < in_basis.size(); ++column) {
        root_upper_[column] = root_upper_[column] | in_basis[column];
    }
    make_simplex();
    root_upper_ = std::move(fixed);
    for (Int& variable : basis) {
        if (index(variable) < rows) continue;
        variable = static_cast<Int>(rows) + place_of_[index(variable) - rows];
    }
    simplex_->set_basis(basis);
}

// The cost of the k-th solution known.
std::int64_t RelaxationSearch::last_cost() const {
    auto last = known_.begin();
    std::advance(last, static_cast<std::ptrdiff_t>(k_ - 1));
    return last->first;
}

std::int64_t RelaxationSearch::cutoff() const {
    if (known_.size() < k_) return no_cutoff;
    const std::int64_t cost = (last_cost() - given_cost_) / unit_;
    return any_order_ ? cost - 1 : cost;
}

void RelaxationSearch::keep(std::int64_t cost, std::vector<Int> options) {
    if (!known_.emplace(cost, std::move(options)).second || known_.size() <= k_) return;
    const std::int64_t most = last_cost();
    while (known_.size() > k_ && (any_order_ || known_.rbegin()->first > most)) {
        known_.erase(std::prev(known_.end()));
    }
    if (known_.size() > k_ + most_kept_) phase_ = Phase::given_up;
}

void RelaxationSearch::offer(std::int64_t cost, std::vector<Int> options) {
    const std::int64_t before = cutoff();
    keep(cost, std::move(options));
    if (cutoff() < before) tighten();
}

// After the cutoff is lower.
void RelaxationSearch::tighten() {
    const std::int64_t most = cutoff();
    while (!open_.empty() && open_.rbegin()->bound > most) open_.erase(std::prev(open_.end()));
    if (root_solved_) fix_at_root();
}

void RelaxationSearch::fix_at_root() {
    const std::int64_t most = cutoff();
    if (most == no_cutoff) return;
    const Int128 room = exact_->scaled(most) - root_bound_;
    for (std::size_t column = 0; column < root_reduced_.size(); ++column) {
        if (root_reduced_[column] > 0 && Int128(root_reduced_[column]) > room) {
            root_upper_[column] = 0;
        }
    }
}

std::vector<Int> RelaxationSearch::excluded() const {
    std::vector<Int> options;
    for (std::size_t column = 0; column < root_upper_.size(); ++column) {
        if (root_upper_[column] == 0) options.push_back(option_[column]);
    }
    return options;
}

std::optional<std::int64_t> RelaxationSearch::bound() const {
    if (finished()) {
        if (known_.size() < k_) return std::nullopt;
        return last_cost();
    }
    std::int64_t least = cutoff();
    if (any_order_ && least != no_cutoff) ++least;
    if (!open_.empty()) least = std::min(least, open_.begin()->bound);
    if (current_) least = std::min(least, current_->bound);
    if (plunge_) least = std::min(least, plunge_->bound);
    if (least == -no_cutoff || least == no_cutoff) return std::nullopt;
    return least * unit_ + given_cost_;
}

bool RelaxationSearch::run(Clock::time_point until) {
    while (phase_ != Phase::finished && phase_ != Phase::given_up) {
        switch (phase_) {
            case Phase::next: take_next(); break;
            case Phase::solving: solve(until); break;
            default: probe(until); break;
        }
        if (Clock::now() >= until) break;
    }
    return phase_ == Phase::finished || phase_ == Phase::given_up;
}

// -- nodes ---------------------------------------------------------------------------------------

void RelaxationSearch::take_next() {
    current_.reset();
    const bool plunges = plunge_.has_value();
    if (plunges) {
        current_ = std::move(plunge_);
        plunge_.reset();
    } else if (!open_.empty()) {
        current_ = *open_.begin();
        open_.erase(open_.begin());
    } else {
        phase_ = Phase::finished;
        return;
    }
    if (current_->bound > cutoff()) return;
    ++nodes_;
    if (root_solved_ && !plunges) shrink();
    std::fill(lower_.begin(), lower_.end(), std::uint8_t{0});
    upper_ = root_upper_;
    for (const Decision* one = current_->path.get(); one != nullptr; one = one->before.get()) {
        if (!change_bounds(*one)) return;
    }
    if (!plunges && current_->basis) {
        std::vector<Int> basis(*current_->basis);
        const std::size_t rows = program_.rows();
        bool whole = true;
        for (Int& variable : basis) {
            if (index(variable) < rows) continue;
            const Int place = place_of_[index(variable) - rows];
            whole = whole && place >= 0;
            variable = static_cast<Int>(rows) + place;
        }
        if (whole) simplex_->set_basis(basis);
    }
    show_bounds();
    uncut_ = false;
    phase_ = Phase::solving;
}

bool RelaxationSearch::covers(std::size_t column, Int row) const {
    const std::span<const Int> rows = program_.rows_of(column);
    return std::find(rows.begin(), rows.end(), row) != rows.end();
}

void RelaxationSearch::list_changes(const Decision& decision, Changes& changes) const {
    using Kind = Decision::Kind;
    const auto leave_out = [&](Int column) {
        if (upper_[index(column)]) changes.push_back({index(column), {lower_[index(column)], 0}});
    };
    if (decision.kind == Kind::taken) {
        changes.push_back({index(decision.first), {1, upper_[index(decision.first)]}});
        return;
    }
    if (decision.kind == Kind::left_out) return leave_out(decision.first);
    const bool together = decision.kind == Kind::together;
    const auto scan = [&](Int row, Int other) {
        for (std::size_t at = row_start_[index(row)]; at < row_start_[index(row) + 1]; ++at) {
            const Int column = row_columns_[at];
            if (covers(index(column), other) != together) leave_out(column);
        }
    };
    scan(decision.first, decision.second);
    if (together) scan(decision.second, decision.first);
}

// Returns false if nothing can satisfy the decision.
bool RelaxationSearch::change_bounds(const Decision& decision) {
    Changes changes;
    list_changes(decision, changes);
    for (const auto& [column, bounds] : changes) {
        lower_[column] = bounds.first;
        upper_[column] = bounds.second;
        if (bounds.first > bounds.second) return false;
    }
    return true;
}

void RelaxationSearch::show_bounds() {
    for (std::size_t place = 0; place < column_of_.size(); ++place) {
        const auto column = index(column_of_[place]);
        simplex_->set_bounds(place, lower_[column], upper_[column]);
    }
}

// The bound of the current node that the prices of the simplex method prove.
std::int64_t RelaxationSearch::proved(bool with_ray) {
    std::vector<double> prices = simplex_->prices();
    if (with_ray) {
        const auto [ray, slope] = simplex_->ray();
        const std::int64_t most = cutoff();
        const double aim = most == no_cutoff
                               ? std::abs(simplex_->objective()) + 1
                               : static_cast<double>(most) - simplex_->objective() + 1;
        // Without a cutoff the bound must rise beyond the cost of any solution.
        double total = 0;
        if (most == no_cutoff) {
            for (const std::int64_t cost : program_.cost) total += std::abs(static_cast<double>(cost));
        }
        const double step = 1.01 * (std::max(aim, 1.0) + 2 * total) / slope;
        for (std::size_t row = 0; row < prices.size(); ++row) prices[row] += step * ray[row];
    }
    const Int128 bound = exact_->evaluate(prices, lower_, upper_);
    work_ += program_.row.size();
    if (!root_solved_ && current_->path == nullptr && !with_ray) {
        root_bound_ = bound;
        root_reduced_ = exact_->reduced();
        root_solved_ = true;
        fix_at_root();
    }
    const std::int64_t result = exact_->rounded_up(bound, no_cutoff - 1);
    if (with_ray && cutoff() == no_cutoff) {
        double total = 0;
        for (const std::int64_t cost : program_.cost) total += std::abs(static_cast<double>(cost));
        return static_cast<double>(result) > total ? no_cutoff + 1 : result;
    }
    return result;
}

void RelaxationSearch::solve(Clock::time_point until) {
    Simplex::Limits limits;
    limits.until = until;
    const std::int64_t most = cutoff();
    if (most != no_cutoff && !uncut_) limits.cutoff = static_cast<double>(most) + margin;
    const Simplex::Status status = simplex_->solve(limits);
    if (status == Simplex::Status::stopped) return;
    if (status == Simplex::Status::failed) {
        if (++restarts_ > 5) {
            phase_ = Phase::given_up;
            return;
        }
        std::vector<Int> basis(program_.rows());
        std::iota(basis.begin(), basis.end(), 0);
        simplex_->set_basis(basis);
        return;
    }
    const bool infeasible = status == Simplex::Status::infeasible;
    const std::int64_t bound = proved(infeasible);
    current_->bound = std::max(current_->bound, bound);
    if (current_->bound > most) return prune();
    if (infeasible) {  // the proof was too coarse
        phase_ = Phase::given_up;
        return;
    }
    if (status == Simplex::Status::above) {
        uncut_ = true;
        return;
    }
    fix_in_subtree();
    if (use_integral()) return;
    list_candidates();
    if (candidates_.empty()) {
        phase_ = Phase::given_up;
        return;
    }
    node_objective_ = simplex_->objective();
    snapshot_ = simplex_->snapshot();
    probe_ = best_candidate_ = since_better_ = 0;
    side_ = 0;
    probing_ = false;
    phase_ = Phase::probing;
}

// Fixes what the bound of this node excludes.
void RelaxationSearch::fix_in_subtree() {
    const std::int64_t most = cutoff();
    if (most == no_cutoff) return;
    const Int128 room = exact_->scaled(most + 1) - exact_->scaled(current_->bound);
    for (std::size_t column = 0; column < upper_.size(); ++column) {
        if (upper_[column] && !lower_[column] && exact_->reduced()[column] > 0 &&
            Int128(exact_->reduced()[column]) > room) {
            upper_[column] = 0;
        }
    }
}

// If the linear program has a solution in integers: keeps it, and decides how to go on.
bool RelaxationSearch::use_integral() {
    std::vector<std::int64_t> covered(program_.rows(), 0);
    std::vector<Int> options(given_);
    std::int64_t cost = given_cost_;
    for (std::size_t place = 0; place < column_of_.size(); ++place) {
        const double value = simplex_->value(place);
        if (value < integral) continue;
        if (value < 1 - integral) return false;
        const auto column = index(column_of_[place]);
        for (std::size_t at = program_.start[column]; at < program_.start[column + 1]; ++at) {
            covered[index(program_.row[at])] += program_.weight_at(at);
        }
        options.push_back(option_[column]);
        cost += option_cost_[index(option_[column])];
    }
    for (std::size_t row = 0; row < covered.size(); ++row) {
        if (covered[row] < program_.low[row] || covered[row] > program_.high[row]) return false;
    }
    std::sort(options.begin(), options.end());
    offer(cost, std::move(options));
    if (phase_ == Phase::given_up) return true;
    if (current_->bound > cutoff()) {
        prune();
        return true;
    }
    // Another solution may be below: it differs in one of the options that are not fixed.
    Int chosen = -1;
    for (std::size_t place = 0; place < column_of_.size(); ++place) {
        const Int column = column_of_[place];
        if (lower_[index(column)] == upper_[index(column)]) continue;
        if (chosen < 0) chosen = column;
        if (simplex_->value(place) > 0.5) {
            chosen = column;
            break;
        }
    }
    if (chosen < 0) {
        prune();
    } else {
        branch({Decision::Kind::taken, chosen, -1, 0});
    }
    return true;
}

// -- branching -----------------------------------------------------------------------------------

// Pairs of rows, and options, that the fractional solution decides least.
void RelaxationSearch::list_candidates() {
    candidates_.clear();
    std::map<std::pair<Int, Int>, double> together;
    std::vector<Int> rows;
    for (std::size_t place = 0; place < column_of_.size(); ++place) {
        const double value = simplex_->value(place);
        if (value < integral || value > 1 - integral) continue;
        const Int column = column_of_[place];
        candidates_.push_back({Decision::Kind::taken, column, -1, std::abs(value - 0.6)});
        rows.clear();
        for (const Int row : program_.rows_of(index(column))) {
            if (once_[index(row)]) rows.push_back(row);
        }
        if (rows.size() > longest_paired) continue;
        std::sort(rows.begin(), rows.end());
        for (std::size_t one = 0; one < rows.size(); ++one) {
            for (std::size_t other = one + 1; other < rows.size(); ++other) {
                together[{rows[one], rows[other]}] += value;
            }
        }
        work_ += 10 * rows.size() * rows.size();
    }
    for (const auto& [pair, value] : together) {
        if (value < 0.05 || value > 0.95) continue;
        candidates_.push_back(
            {Decision::Kind::together, pair.first, pair.second, std::abs(value - 0.5)});
    }
    const auto more_even = [](const Candidate& one, const Candidate& other) {
        return one.evenness < other.evenness;
    };
    if (candidates_.size() > most_candidates) {
        const auto last = candidates_.begin() + most_candidates;
        std::partial_sort(candidates_.begin(), last, candidates_.end(), more_even);
        candidates_.resize(most_candidates);
    }
}

RelaxationSearch::Decision RelaxationSearch::decision_of(const Candidate& candidate,
                                                         int side) const {
    using Kind = Decision::Kind;
    Kind kind = candidate.kind;
    if (side == 1) kind = kind == Kind::together ? Kind::apart : Kind::left_out;
    return {kind, candidate.first, candidate.second, current_->path};
}

void RelaxationSearch::probe(Clock::time_point until) {
    Candidate& candidate = candidates_[probe_];
    if (!probing_) {
        probed_.clear();
        list_changes(decision_of(candidate, side_), probed_);
        for (const auto& [column, bounds] : probed_) {
            simplex_->set_bounds(index(place_of_[column]), bounds.first, bounds.second);
        }
        probing_ = true;
        probe_until_ = simplex_->iterations() + probe_iterations;
    }
    Simplex::Limits limits;
    limits.until = until;
    const std::int64_t most = cutoff();
    if (most != no_cutoff) limits.cutoff = static_cast<double>(most) + margin;
    limits.iterations = probe_until_ - std::min(probe_until_, simplex_->iterations());
    const Simplex::Status status = simplex_->solve(limits);
    if (status == Simplex::Status::stopped) return;
    bool closed = false;
    if (status == Simplex::Status::above || status == Simplex::Status::infeasible) {
        const std::vector<std::uint8_t> lower(lower_), upper(upper_);
        for (const auto& [column, bounds] : probed_) {
            lower_[column] = bounds.first;
            upper_[column] = bounds.second;
        }
        closed = proved(status == Simplex::Status::infeasible) > most;
        lower_ = lower;
        upper_ = upper;
    }
    const double objective =
        status == Simplex::Status::failed ? node_objective_ : simplex_->objective();
    for (const auto& [column, bounds] : probed_) {
        simplex_->set_bounds(index(place_of_[column]), lower_[column], upper_[column]);
    }
    simplex_->restore(snapshot_);
    probing_ = false;
    finish_probe(objective, closed);
}

void RelaxationSearch::finish_probe(double objective, bool closed) {
    Candidate& candidate = candidates_[probe_];
    if (closed) {  // only the other branch is left: the node itself is changed
        const Decision other = decision_of(candidate, 1 - side_);
        current_->path = std::make_shared<const Decision>(other);
        if (!change_bounds(other)) return prune();
        show_bounds();
        uncut_ = false;
        phase_ = Phase::solving;
        return;
    }
    candidate.gain[side_] = std::max(0.0, objective - node_objective_);
    if (side_ == 0) {
        side_ = 1;
        return;
    }
    side_ = 0;
    const auto score = [](const Candidate& one) {
        const double least = std::min(one.gain[0], one.gain[1]);
        const double most = std::max(one.gain[0], one.gain[1]);
        return (least + 1e-6) * (most + 1e-6);
    };
    if (probe_ == 0 || score(candidate) > score(candidates_[best_candidate_])) {
        best_candidate_ = probe_;
        since_better_ = 0;
    } else {
        ++since_better_;
    }
    ++probe_;
    if (probe_ == candidates_.size() || since_better_ >= hopeless) {
        branch(candidates_[best_candidate_]);
    }
}

void RelaxationSearch::branch(const Candidate& chosen) {
    auto basis = std::make_shared<std::vector<Int>>(simplex_->basis());
    const std::size_t rows = program_.rows();
    for (Int& variable : *basis) {
        if (index(variable) >= rows) {
            variable = static_cast<Int>(rows) + column_of_[index(variable) - rows];
        }
    }
    const auto child = [&](int side) {
        return Node{current_->bound, ++numbers_,
                    std::make_shared<const Decision>(decision_of(chosen, side)), basis};
    };
    open_.insert(child(1));
    plunge_ = child(0);
    prune();
}

}  // namespace dlx
