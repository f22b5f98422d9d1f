// Branch and bound over the linear relaxation: see minimum/relaxation_search.hpp.
#include "minimum/relaxation_search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "minimum/visiting_order.hpp"

namespace dlx {
namespace {

constexpr double integral = 1e-6;
constexpr double margin = 1e-3;    // of a cutoff, in units of the costs
constexpr double undecided = 0.6;  // the value that decides least
constexpr std::size_t most_candidates = 20;
constexpr std::size_t hopeless = 6;  // candidates in a row that are no better
constexpr std::uint64_t probe_iterations = 50;
constexpr std::uint64_t least_local_work = 300'000;
constexpr std::uint64_t local_slice = 500'000;
constexpr std::uint64_t dive_interval = 25;  // nodes
constexpr double nearly_taken = 0.99;
constexpr int most_retreats = 4;        // of a dive
constexpr std::size_t most_cuts = 200;  // added at once
constexpr std::size_t most_cut_rounds = 40;
constexpr std::uint64_t most_cut_work = 5;            // times that of the root,
constexpr std::uint64_t least_cut_work = 10'000'000;  // and this
constexpr std::size_t most_without_gain = 3;          // rounds
constexpr double least_gain = 2e-5;                   // of the objective
constexpr std::size_t most_ties = 30;
constexpr int most_restarts = 20;                 // for numerical reasons
constexpr std::ptrdiff_t most_known = 8;          // candidates that were probed before
constexpr std::size_t most_kept_bases = 1 << 26;  // entries of the bases of open nodes
constexpr std::size_t few_columns = 50;           // fewer are not worth a new linear program

// How good a decision is that raises the objective so much in its two branches.
double score(double one, double other) {
    return (one + 1e-6) * (other + 1e-6);
}

}  // namespace

RelaxationSearch::RelaxationSearch(std::shared_ptr<const Problem> problem,
                                   std::span<const std::int64_t> cost, std::span<const Int> given,
                                   std::uint64_t k, bool any_order)
    : problem_(std::move(problem)),
      k_(k),
      any_order_(any_order),
      given_(given.begin(), given.end()),
      program_(*problem_, cost, given) {
    if (k_ == 1) program_.leave_out_duplicates(!any_order_);
    exact_.emplace(*program_);
    lower_.assign(program_->columns(), 0);
    root_upper_.assign(program_->columns(), 1);
    upper_ = root_upper_;
    gains_.resize(program_->columns());
    make_simplex();
    const bool priced = std::ranges::any_of(cost, [](std::int64_t one) { return one != 0; });
    const bool fits = exact_->fits() && program_.most_cost() < no_cutoff / 4;
    if (!fits || problem_->colored() || !priced) phase_ = Phase::given_up;
    open_.insert({-no_cutoff, 0, nullptr, nullptr});
}

void RelaxationSearch::make_simplex() {
    std::vector<double> low, high;
    for (std::size_t row = 0; row < program_->rows(); ++row) {
        low.push_back(static_cast<double>(program_->low[row]));
        const std::int64_t most = program_->high[row];
        high.push_back(most == IntegerProgram::no_bound ? endless : static_cast<double>(most));
    }
    simplex_ = std::make_unique<Simplex>(std::move(low), std::move(high));
    ProgramColumns columns;
    column_of_.clear();
    place_of_.assign(program_->columns(), -1);
    for (std::size_t column = 0; column < program_->columns(); ++column) {
        if (root_upper_[column] == 0) continue;
        place_of_[column] = static_cast<Int>(column_of_.size());
        column_of_.push_back(static_cast<Int>(column));
        for (std::size_t at = program_->start[column]; at < program_->start[column + 1]; ++at) {
            columns.row.push_back(program_->row[at]);
            columns.weight.push_back(static_cast<double>(program_->weight_at(at)));
        }
        columns.start.push_back(columns.row.size());
        columns.cost.push_back(static_cast<double>(program_->cost[column]));
        columns.upper.push_back(1.0);
    }
    simplex_->add_columns(columns);
    // The columns of each row that are left.
    auto& start = columns_of_.start;
    start.assign(program_->rows() + 1, 0);
    const auto for_columns = [&](auto use) {
        for (const Int column : column_of_) {
            for (const Int row : program_->rows_of(index(column))) use(index(row), column);
        }
    };
    for_columns([&](std::size_t row, Int) { ++start[row + 1]; });
    std::partial_sum(start.begin(), start.end(), start.begin());
    columns_of_.column.resize(start.back());
    std::vector<std::size_t> next(start.begin(), start.end() - 1);
    for_columns([&](std::size_t row, Int column) { columns_of_.column[next[row]++] = column; });
}

// The basis with the program's numbers of columns.
std::vector<Int> RelaxationSearch::portable_basis() const {
    std::vector<Int> basis(simplex_->basis());
    const std::size_t rows = program_->rows();
    for (Int& variable : basis) {
        if (index(variable) < rows) continue;
        variable = static_cast<Int>(rows) + column_of_[index(variable) - rows];
    }
    return basis;
}

// Returns to a basis, unless a column of it is not in the linear program any more.
void RelaxationSearch::use_basis(std::vector<Int> basis) {
    const std::size_t rows = program_->rows();
    for (Int& variable : basis) {
        if (index(variable) < rows) continue;
        const Int place = place_of_[index(variable) - rows];
        if (place < 0) return;
        variable = static_cast<Int>(rows) + place;
    }
    simplex_->set_basis(std::move(basis));
}

// Makes a smaller linear program once many columns are fixed, with the same basis.
bool RelaxationSearch::shrink() {
    const std::size_t rows = program_->rows();
    const std::vector<Int> basis = portable_basis();
    std::vector<std::uint8_t> left(root_upper_);
    for (const Int variable : basis) {
        if (index(variable) >= rows) left[index(variable) - rows] = 1;
    }
    const auto count = static_cast<std::size_t>(std::count(left.begin(), left.end(), 1));
    if (count + few_columns > column_of_.size() / 4 * 3) return false;
    work_ += simplex_->work();
    std::swap(left, root_upper_);
    make_simplex();
    std::swap(left, root_upper_);
    use_basis(basis);
    show_bounds();
    return true;
}

// Adds cuts at the root, unless they have ended. Returns whether it did.
bool RelaxationSearch::add_cuts() {
    if (cuts_ended_) return false;
    if (shrink()) return true;  // the linear program is solved again first
    if (cut_rounds_ == 0) root_work_ = work();
    const double objective = simplex_->objective();
    const bool gains = objective > cut_objective_ + least_gain * std::abs(objective);
    if (cut_rounds_ == 0 || gains) {
        cut_objective_ = objective;
        rounds_without_gain_ = 0;
    } else if (++rounds_without_gain_ == most_without_gain) {
        cuts_ended_ = true;
        return false;
    }
    std::vector<double> values(program_->columns(), 0.0);
    for (std::size_t place = 0; place < column_of_.size(); ++place) {
        values[index(column_of_[place])] = simplex_->value(place);
    }
    std::vector<Cut> found =
        violated_cuts(*program_, columns_of_, program_.exclusive(), values, most_cuts, work_);
    std::size_t entries = 0, fits = 0;  // dense cuts make all steps slower
    for (; fits < found.size(); ++fits) {
        entries += found[fits].size();
        if (entries > program_->row.size()) break;
    }
    found.resize(fits);
    if (found.empty() || ++cut_rounds_ > most_cut_rounds ||
        work() > most_cut_work * root_work_ + least_cut_work) {
        cuts_ended_ = true;
        return false;
    }
    set_cuts(std::move(found));
    return true;
}

// Adds these cuts, and removes those that are not tight. The basis is kept.
void RelaxationSearch::set_cuts(std::vector<Cut> cuts) {
    const std::size_t rows = program_->rows();
    const std::size_t first_cut = program_.first_cut();
    std::vector<std::uint8_t> loose(rows, 0);
    const std::vector<Int> basis = portable_basis();
    for (const Int variable : basis) {
        if (index(variable) < rows) loose[index(variable)] = 1;
    }
    std::vector<Cut> kept;
    std::vector<Int> place(rows, -1);  // of each row that is left
    for (std::size_t row = 0; row < rows; ++row) {
        if (row >= first_cut && loose[row]) continue;
        place[row] = static_cast<Int>(row < first_cut ? row : first_cut + kept.size());
        if (row >= first_cut) kept.push_back(std::move(program_.cuts()[row - first_cut]));
    }
    const std::size_t old = first_cut + kept.size();
    std::move(cuts.begin(), cuts.end(), std::back_inserter(kept));
    work_ += simplex_->work() + program_->row.size();
    program_.set_cuts(std::move(kept));
    const std::size_t size = program_->rows();
    std::vector<Int> next;
    for (const Int variable : basis) {
        if (index(variable) >= rows) {
            next.push_back(variable + static_cast<Int>(size) - static_cast<Int>(rows));
        } else if (place[index(variable)] >= 0) {
            next.push_back(place[index(variable)]);
        }
    }
    for (std::size_t row = old; row < size; ++row) next.push_back(static_cast<Int>(row));
    exact_.emplace(*program_);
    make_simplex();
    use_basis(std::move(next));
    show_bounds();
}

// The cost of the k-th solution known.
std::int64_t RelaxationSearch::last_cost() const {
    auto last = known_.begin();
    std::advance(last, static_cast<std::ptrdiff_t>(k_ - 1));
    return last->first;
}

std::int64_t RelaxationSearch::cutoff() const {
    if (known_.size() < k_) return no_cutoff;
    const std::int64_t cost = program_.in_units(last_cost());
    return any_order_ ? cost - 1 : cost;
}

void RelaxationSearch::keep(std::int64_t cost, std::vector<Int> options) {
    if (!known_.emplace(cost, std::move(options)).second || known_.size() <= k_) return;
    const std::int64_t most = last_cost();
    while (known_.size() > k_ && (any_order_ || known_.rbegin()->first > most)) {
        known_.erase(std::prev(known_.end()));
    }
    if (known_.size() > k_ + most_ties) phase_ = Phase::given_up;
}

void RelaxationSearch::offer(std::int64_t cost, std::vector<Int> options) {
    if (finished() || given_up()) return;
    std::sort(options.begin(), options.end());
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

std::vector<Costed> RelaxationSearch::best(Clock::time_point until) {
    std::vector<Costed> all;
    for (const auto& [cost, options] : known_) all.push_back({cost, options, {}});
    Cells cells(*problem_);
    for (const Int option : given_) cells.take(option, ignore);
    if (finished()) until = Clock::time_point::max();
    VisitingOrder(given_, *problem_).restore_until(until, all, cells);
    keep_best(all, k_);
    return all;
}

std::optional<std::int64_t> RelaxationSearch::best_cost() const {
    if (known_.empty()) return std::nullopt;
    return known_.begin()->first;
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
    return program_.as_cost(least);
}

bool RelaxationSearch::run(Clock::time_point until) {
    while (phase_ != Phase::finished && phase_ != Phase::given_up) {
        switch (phase_) {
            case Phase::next:
                take_next();
                break;
            case Phase::solving:
                solve(until);
                break;
            case Phase::improving:
                improve(until);
                break;
            case Phase::diving:
                dive(until);
                break;
            default:
                probe(until);
                break;
        }
        if (Clock::now() >= until) break;
    }
    stats_.nodes = nodes_;
    stats_.updates = work();
    stats_.solutions = known_.size();
    stats_.profile.assign(1, nodes_);
    return phase_ == Phase::finished;
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
        if (!decide(one->column, one->taken)) return;
    }
    if (!plunges && current_->basis) use_basis(*current_->basis);
    show_bounds();
    begin_solving();
}

// Returns false if the column was decided otherwise.
bool RelaxationSearch::decide(Int column, bool taken) {
    (taken ? lower_ : upper_)[index(column)] = taken;
    return lower_[index(column)] <= upper_[index(column)];
}

void RelaxationSearch::show_bounds() {
    for (std::size_t place = 0; place < column_of_.size(); ++place) {
        const auto column = index(column_of_[place]);
        simplex_->set_bounds(place, lower_[column], upper_[column]);
    }
    simplex_->leave_out_fixed();
    simplex_->forget_shifts();
}

// The bound of the current node that the prices of the simplex method prove.
std::int64_t RelaxationSearch::proved(bool with_ray) {
    std::vector<double> prices = simplex_->prices();
    Int128 bound = exact_->evaluate(prices, lower_, upper_);
    const std::int64_t most = cutoff() == no_cutoff ? program_.most_cost() : cutoff();
    if (with_ray) {
        const auto [ray, slope] = simplex_->ray();
        const auto known = static_cast<double>(exact_->rounded_up(bound, no_cutoff));
        const double missing = std::max(static_cast<double>(most) - known, 0.0) + 1;
        const double step = 1.01 * missing / slope;
        for (std::size_t row = 0; row < prices.size(); ++row) prices[row] += step * ray[row];
        bound = exact_->evaluate(prices, lower_, upper_);
    }
    last_bound_ = bound;
    work_ += program_->row.size();
    const std::int64_t result = exact_->rounded_up(bound, no_cutoff);
    return with_ray && result > most ? no_cutoff + 1 : result;  // more than any solution costs
}

void RelaxationSearch::begin_solving() {
    uncut_ = false;
    solve_until_ = simplex_->iterations() + most_iterations();
    phase_ = Phase::solving;
}

void RelaxationSearch::solve(Clock::time_point until) {
    Simplex::Limits limits;
    limits.until = until;
    const std::int64_t most = cutoff();
    if (most != no_cutoff && !uncut_) limits.cutoff = static_cast<double>(most) + margin;
    limits.iterations = solve_until_ - std::min(solve_until_, simplex_->iterations());
    const Simplex::Status status = simplex_->solve(limits);
    if (status == Simplex::Status::stopped) return;
    if (status == Simplex::Status::failed || status == Simplex::Status::limit) {
        solve_until_ += most_iterations();
        if (++restarts_ > most_restarts) {
            phase_ = Phase::given_up;
            return;
        }
        std::vector<Int> basis(program_->rows());
        std::iota(basis.begin(), basis.end(), 0);
        simplex_->set_basis(std::move(basis));
        return;
    }
    const bool infeasible = status == Simplex::Status::infeasible;
    const std::int64_t bound = proved(infeasible);
    if (current_->path == nullptr && !infeasible && (!root_solved_ || last_bound_ > root_bound_)) {
        root_bound_ = last_bound_;
        root_reduced_ = exact_->reduced();
        root_solved_ = true;
        fix_at_root();
    }
    current_->bound = std::max(current_->bound, bound);
    if (current_->bound > most) return prune();
    if (infeasible || status == Simplex::Status::above) {  // shifted costs may be the cause
        if (uncut_ && infeasible && ++restarts_ > most_restarts) phase_ = Phase::given_up;
        uncut_ = true;
        simplex_->forget_shifts();
        return;
    }
    fix_in_subtree();
    if (use_integral()) return;
    if (start_improving() || start_dive()) return;
    if (current_->path == nullptr && add_cuts()) return;
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
    const Int128 room = exact_->scaled(most) - last_bound_;
    for (std::size_t column = 0; column < upper_.size(); ++column) {
        if (upper_[column] && !lower_[column] && exact_->reduced()[column] > 0 &&
            Int128(exact_->reduced()[column]) > room) {
            upper_[column] = 0;
        }
    }
}

bool RelaxationSearch::is_integral() const {
    for (std::size_t place = 0; place < column_of_.size(); ++place) {
        const double value = simplex_->value(place);
        if (value > integral && value < 1 - integral) return false;
    }
    return true;
}

// Keeps the solution of the linear program, if it is one of the problem.
void RelaxationSearch::keep_integral() {
    std::vector<std::int64_t> covered(program_->rows(), 0);
    std::vector<Int> columns;
    for (std::size_t place = 0; place < column_of_.size(); ++place) {
        if (simplex_->value(place) < 0.5) continue;
        const auto column = index(column_of_[place]);
        for (std::size_t at = program_->start[column]; at < program_->start[column + 1]; ++at) {
            covered[index(program_->row[at])] += program_->weight_at(at);
        }
        columns.push_back(column_of_[place]);
    }
    for (std::size_t row = 0; row < covered.size(); ++row) {
        if (covered[row] < program_->low[row] || covered[row] > program_->high[row]) return;
    }
    offer_columns(columns);
}

void RelaxationSearch::offer_columns(std::span<const Int> columns) {
    auto [cost, options] = program_.solution_of(columns);
    offer(cost, std::move(options));
}

// If the linear program has a solution in integers: keeps it, and decides how to go on.
bool RelaxationSearch::use_integral() {
    if (!is_integral()) return false;
    keep_integral();
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
        branch(chosen);
    }
    return true;
}

// -- local search --------------------------------------------------------------------------------

// At the root, before the first dive.
bool RelaxationSearch::start_improving() {
    if (local_) return false;
    for (std::size_t column = 0; column < program_->columns(); ++column) {
        if (root_upper_[column] != 0) local_column_.push_back(static_cast<Int>(column));
    }
    const std::uint64_t before = work();
    local_.emplace(program_->only(local_column_));
    local_->set_prices(simplex_->prices());
    local_until_ = local_->work() + std::max(least_local_work, 2 * before);
    phase_ = Phase::improving;
    return true;
}

void RelaxationSearch::improve(Clock::time_point until) {
    if (cutoff() != no_cutoff) local_->set_cutoff(cutoff() + 1);
    const std::uint64_t left = local_until_ - std::min(local_until_, local_->work());
    auto found = local_->run(std::min(left, local_slice), until);
    if (found) {
        for (Int& column : found->options) column = local_column_[index(column)];
        offer_columns(found->options);
        local_until_ += left / 2;
    }
    if (phase_ == Phase::improving && local_->work() >= local_until_) phase_ = Phase::solving;
}

// -- dives: solutions by rounding up -------------------------------------------------------------

// At the root, after its cuts, and now and then.
bool RelaxationSearch::start_dive() {
    if (nodes_ < next_dive_) return false;
    next_dive_ = nodes_ + dive_interval;
    node_lower_ = lower_;
    node_upper_ = upper_;
    node_basis_ = portable_basis();
    retreats_ = 0;
    if (!fix_for_dive()) return false;
    solve_until_ = simplex_->iterations() + most_iterations();
    phase_ = Phase::diving;
    return true;
}

// Takes the columns that are nearly taken, or else the one that is most nearly so.
bool RelaxationSearch::fix_for_dive() {
    std::size_t best = 0;
    double most = 0;
    std::size_t taken = 0;
    for (std::size_t place = 0; place < column_of_.size(); ++place) {
        const auto column = index(column_of_[place]);
        const double value = simplex_->value(place);
        if (value < integral || lower_[column] != 0) continue;
        if (value > nearly_taken) {
            lower_[column] = 1;
            simplex_->set_bounds(place, 1, upper_[column]);
            ++taken;
        } else if (value > most) {
            most = value;
            best = place;
        }
    }
    dived_ = -1;
    if (taken > 0) return true;
    if (most == 0) return false;
    dived_ = column_of_[best];
    lower_[index(dived_)] = 1;
    simplex_->set_bounds(best, 1, 1);
    return true;
}

void RelaxationSearch::dive(Clock::time_point until) {
    Simplex::Limits limits;
    limits.until = until;
    const std::int64_t most = cutoff();
    if (most != no_cutoff) limits.cutoff = static_cast<double>(most) + margin;
    limits.iterations = solve_until_ - std::min(solve_until_, simplex_->iterations());
    const Simplex::Status status = simplex_->solve(limits);
    if (status == Simplex::Status::stopped) return;
    if (status != Simplex::Status::optimal) {
        if (dived_ < 0 || status == Simplex::Status::failed || ++retreats_ > most_retreats) {
            return end_dive();
        }
        lower_[index(dived_)] = upper_[index(dived_)] = 0;
        simplex_->set_bounds(index(place_of_[index(dived_)]), 0, 0);
        dived_ = -1;
        return;
    }
    if (is_integral()) {
        keep_integral();
        if (phase_ != Phase::given_up) end_dive();
    } else if (!fix_for_dive()) {
        end_dive();
    }
}

void RelaxationSearch::end_dive() {
    lower_ = node_lower_;
    upper_ = node_upper_;
    use_basis(node_basis_);
    show_bounds();
    begin_solving();
}

// -- branching -----------------------------------------------------------------------------------

// The options that the fractional solution decides least.
void RelaxationSearch::list_candidates() {
    candidates_.clear();
    for (std::size_t place = 0; place < column_of_.size(); ++place) {
        const double value = simplex_->value(place);
        if (value < integral || value > 1 - integral) continue;
        const Gains& gains = gains_[index(column_of_[place])];
        double expected = -1;
        if (gains.probes > 0) {
            const double taken = gains.sum[0] / gains.probes * (1 - value);
            const double left_out = gains.sum[1] / gains.probes * value;
            expected = score(taken, left_out);
        }
        candidates_.push_back({column_of_[place], value, expected});
    }
    const auto more_even = [](const Candidate& one, const Candidate& other) {
        if ((one.expected >= 0) != (other.expected >= 0)) return one.expected >= 0;
        if (one.expected != other.expected) return one.expected > other.expected;
        return std::abs(one.value - undecided) < std::abs(other.value - undecided);
    };
    const auto known = static_cast<std::size_t>(
        std::ranges::count_if(candidates_, [](const Candidate& one) { return one.expected >= 0; }));
    if (known > most_known) {  // the others have a chance, too
        std::sort(candidates_.begin(), candidates_.end(), more_even);
        candidates_.erase(candidates_.begin() + most_known,
                          candidates_.begin() + static_cast<std::ptrdiff_t>(known));
    }
    if (candidates_.size() > most_candidates) {
        const auto last = candidates_.begin() + most_candidates;
        std::partial_sort(candidates_.begin(), last, candidates_.end(), more_even);
        candidates_.resize(most_candidates);
    }
}

void RelaxationSearch::probe(Clock::time_point until) {
    const Int column = candidates_[probe_].column;
    const std::size_t place = index(place_of_[index(column)]);
    const double side = side_ == 0 ? 1 : 0;
    if (!probing_) {
        simplex_->set_bounds(place, side, side);
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
        decide(column, side_ == 0);
        closed = proved(status == Simplex::Status::infeasible) > most;
        lower_[index(column)] = 0;
        upper_[index(column)] = 1;
    }
    const double objective =
        status == Simplex::Status::failed ? node_objective_ : simplex_->objective();
    simplex_->set_bounds(place, 0, 1);
    simplex_->restore(snapshot_);
    probing_ = false;
    finish_probe(objective, closed);
}

void RelaxationSearch::finish_probe(double objective, bool closed) {
    Candidate& candidate = candidates_[probe_];
    if (closed) {  // only the other branch is left: the node itself is changed
        current_->path = std::make_shared<const Decision>(
            Decision{candidate.column, side_ == 1, current_->path});
        decide(candidate.column, side_ == 1);
        show_bounds();
        begin_solving();
        return;
    }
    candidate.gain[side_] = std::max(0.0, objective - node_objective_);
    if (side_ == 0) {
        side_ = 1;
        return;
    }
    side_ = 0;
    Gains& gains = gains_[index(candidate.column)];
    gains.sum[0] += candidate.gain[0] / (1 - candidate.value);
    gains.sum[1] += candidate.gain[1] / candidate.value;
    ++gains.probes;
    const auto& best = candidates_[best_candidate_].gain;
    if (probe_ == 0 || score(candidate.gain[0], candidate.gain[1]) > score(best[0], best[1])) {
        best_candidate_ = probe_;
        since_better_ = 0;
    } else {
        ++since_better_;
    }
    ++probe_;
    if (probe_ == candidates_.size() || since_better_ >= hopeless) {
        branch(candidates_[best_candidate_].column);
    }
}

void RelaxationSearch::branch(Int column) {
    std::shared_ptr<const std::vector<Int>> basis;  // without one, from the basis of then
    if (open_.size() * program_->rows() < most_kept_bases) {
        basis = std::make_shared<const std::vector<Int>>(portable_basis());
    }
    const auto child = [&](bool taken) {
        return Node{current_->bound, ++numbers_,
                    std::make_shared<const Decision>(Decision{column, taken, current_->path}),
                    basis};
    };
    open_.insert(child(false));
    plunge_ = child(true);
    prune();
}

}  // namespace dlx
