// Counting solutions: chooses between enumeration, layers and subproblems by the work that each has
// done.
#include "counting/counting.hpp"

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include "core/components.hpp"
#include "counting/subproblems.hpp"
#include "reduce/reduction.hpp"

namespace dlx {
namespace {

// Work is in units of about a nanosecond. Before anything but enumeration:
constexpr std::uint64_t first_nodes = 4000;       // are visited before the work is first compared
constexpr double work_before_others = 1'000'000;  // then this, or
constexpr double work_before_entry = 1000;        // this for each entry, if that is more
constexpr double work_before_simplified = 100;    // or this, if a larger problem began
constexpr double work_before_layers = 5000;       // for each entry, before the layers are planned
constexpr std::size_t many_entries = 20'000;      // entries beyond this count a tenth
// Shares of the work of enumeration so far:
constexpr double share_of_declared = 0.05;        // for layers in the order of declaration, if
constexpr double narrow = 32;                     // its frontier has no more bits
constexpr double share_of_ordering = 0.01;        // for a better order, or
constexpr std::uint64_t ordering_for_entry = 50;  // this for each entry
constexpr double share_of_probing = 0.01;
constexpr double share_of_reducing = 0.02;
constexpr double share_of_subproblems = 0.02;  // while they do not seem to pay
// For a search that learns, whose units take about twice as long:
constexpr double work_before_learning = 3'000'000;  // or
constexpr double learning_before_entry = 500;       // this for each entry, if that is more
constexpr double share_of_learning = 0.01;          // while it does not seem to pay
constexpr double much_less = 3;     // It does where the other has this multiple of its work left.
constexpr double most_learned = 2;  // Then it doubles its work, up to this multiple of the other's.
// Shares of the estimated work of enumeration:
constexpr double share_of_layers = 0.02;
constexpr double share_of_root = 0.15;  // for the first canonical form
// Comparisons:
constexpr double work_of_try = 30;  // of an option, on a state of a layer
constexpr double nearly_as_much = 0.8;
constexpr double clearly_less = 0.35;
constexpr double least_turn = 8;   // of layers that are certain to be finished, for each unit of
constexpr double most_turn = 100;  // work on subproblems; more, the sooner they will be finished
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double largest_form = 4'000'000;    // longer forms would not let the caller stop in time
constexpr double longest_enumeration = 6e10;  // where there is no memory for another method

std::uint64_t steps(double work) {
    return static_cast<std::uint64_t>(std::min(work, 1e18));
}

// A limit of 2^62 or more is none: the caller compares the count with the limit it has.
bool reaches(const Natural& number, std::uint64_t limit) {
    return limit < std::uint64_t{1} << 62 && !is_less(number, {limit});
}

Natural power_of_two(std::uint64_t exponent) {
    Natural number(exponent / 64 + 1, 0);
    number.back() = std::uint64_t{1} << (exponent % 64);
    return number;
}

}  // namespace

PartCount::PartCount(const Listing& listed, const EngineChoice& choice, std::uint64_t limit,
                     std::size_t memory, CountStrategy strategy, bool shared)
    : listed_(listed),
      choice_(choice),
      enumeration_(listed.engines->make(choice, listed.given), limit),
      may_learn_(strategy == CountStrategy::by_learning ||
                 (is_automatic(strategy) && !shared && choice.heuristic == Heuristic::mrv)),
      entries_(static_cast<std::size_t>(listed.problem->entries())),
      limit_(limit),
      memory_(memory),
      strategy_(strategy),
      shared_(shared),
      step_(is_automatic(strategy) || strategy == CountStrategy::by_learning
                ? Step::beginning
                : Step::problem_needed),
      node_quota_(first_nodes) {}

Outcome PartCount::run(Clock::time_point until) {
    while (step_ != Step::finished) {
        if (step_ == Step::problem_needed) {
            if (part_ == nullptr) return Outcome::enough;
            const bool divided = strategy_ == CountStrategy::by_subproblems && !part_->multiple();
            step_ = divided ? Step::subproblems : Step::planning_layers;
            if (is_automatic(strategy_)) prepare();
        }
        if (caller_enumerates()) {
            // The engine may have reached its last node just when its quota was used up.
            if (enumeration_.has_others() || enumeration_.position()) return Outcome::spent;
            step_ = Step::finished;
            continue;
        }
        const bool enumerating = step_ == Step::beginning || step_ == Step::enumerating ||
                                 step_ == Step::only_enumerating;
        const Outcome outcome = !enumerating        ? use_other_method(until)
                                : learning_is_due() ? learn(until)
                                                    : enumerate(until);
        if (outcome == Outcome::timed_out) return outcome;
        if (step_ != Step::finished && Clock::now() >= until) return Outcome::timed_out;
    }
    return Outcome::finished;
}

// -- enumeration ---------------------------------------------------------------------------------

Outcome PartCount::enumerate(Clock::time_point until) {
    const bool to_end = step_ == Step::only_enumerating;
    if (to_end && !interrupted_) {
        node_quota_ = may_learn_ ? 2 * enumeration_.nodes() : Quota{}.nodes;
    }
    const Outcome outcome = enumeration_.run(until, node_quota_);
    interrupted_ = outcome == Outcome::timed_out;
    if (interrupted_) return outcome;
    if (outcome == Outcome::spent && learned_) {
        pace_.measure(enumeration_, part_done(enumeration_));
        set_learned_quota();
    }
    if (outcome != Outcome::spent) {
        step_ = Step::finished;
    } else if (to_end) {
        return Outcome::enough;
    } else if (step_ == Step::enumerating) {
        choose_method();
    } else if (part_ != nullptr) {
        prepare();
    } else {
        enumerate_longer_or(simplified_ ? work_before_simplified : work_before_entry,
                            Step::problem_needed);
    }
    return Outcome::enough;
}

// Is it the turn of the search that learns? It starts here, and gets a small share of the work
// until it is clearly the faster of the two.
bool PartCount::learning_is_due() {
    const bool always = strategy_ == CountStrategy::by_learning;
    const double before = std::max(work_before_learning, learning_before_entry * counted_entries());
    if (!may_learn_ || interrupted_ || (!always && enumeration_.work() < before)) return false;
    if (!learned_) {
        EngineChoice choice = choice_;
        choice.heuristic = Heuristic::learning;
        try {
            learned_.emplace(listed_.engines->make(choice, listed_.given), limit_);
        } catch (const std::bad_alloc&) {
            may_learn_ = false;
            return false;
        }
        pace_.measure(enumeration_, part_done(enumeration_));
        learned_quota_ = always ? infinite : share_of_learning * enumeration_.work();
    }
    return learned_nodes_ > 0 || learned_->work() < learned_quota_;
}

Outcome PartCount::learn(Clock::time_point until) {
    if (learned_nodes_ == 0) {
        const auto nodes = static_cast<double>(learned_->nodes());
        const double factor = nodes > 0 ? std::min(learned_quota_ / learned_->work(), 4.0) : 0;
        learned_nodes_ = steps(std::max(100.0, nodes * factor)) + 1;
    }
    const Outcome outcome = learned_->run(until, learned_nodes_);
    if (outcome == Outcome::timed_out) return outcome;
    learned_nodes_ = 0;
    if (outcome != Outcome::spent) {
        step_ = Step::finished;
    } else if (learned_->work() >= learned_quota_) {
        learned_pace_.measure(*learned_, part_done(*learned_));
        set_learned_quota();
    }
    return Outcome::enough;
}

void PartCount::set_learned_quota() {
    const double own = enumeration_.work();
    const bool less = pace_.left_for_each(learned_pace_) > much_less;
    learned_quota_ =
        less ? std::min(2 * learned_->work(), most_learned * own) : 2 * share_of_learning * own;
}

// The part of its tree that an enumeration has done.
double PartCount::part_done(const Enumeration& enumeration) const {
    const auto position = enumeration.position();
    return position ? dlx::part_done(listed_.problem, listed_.given, *position) : 1;
}

void PartCount::report(const Stats& stats, bool finished) {
    enumeration_.set_others(stats);
    if (finished || enumeration_.solutions() >= limit_) {
        step_ = Step::finished;
    } else if (step_ == Step::enumerating && enumeration_.nodes() >= node_quota_) {
        choose_method();
    }
}

std::uint64_t PartCount::nodes_for_others() const {
    if (step_ == Step::only_enumerating) return Quota{}.nodes;
    return node_quota_ - std::min(node_quota_, enumeration_.own_stats().nodes);
}

// Preparations take far less work for each entry than these factors say. So for a large problem
// they need not be as small a part of the whole.
double PartCount::counted_entries() const {
    const std::size_t few = std::min(entries_, many_entries);
    return static_cast<double>(few) + static_cast<double>(entries_ - few) / 10;
}

void PartCount::enumerate_longer_or(double for_entry, Step next) {
    const double wanted = std::max(work_before_others, for_entry * counted_entries());
    const double done = enumeration_.work();
    step_ = done >= wanted ? next : Step::beginning;
    if (step_ == next) return;
    const auto nodes = static_cast<double>(enumeration_.own_stats().nodes);
    node_quota_ = steps(nodes * std::min(wanted / done, 4.0)) + 1;
}

// -- other methods -------------------------------------------------------------------------------

// Does a step of another method, or of the preparations for it.
Outcome PartCount::use_other_method(Clock::time_point until) {
    try {
        if (step_ == Step::layers) return run_layers(until);
        if (step_ == Step::subproblems) return run_subproblems(until);
        if (step_ == Step::probing) return probe(until);
        const double least = static_cast<double>(ordering_for_entry * entries_);
        const double work = is_automatic(strategy_)
                                ? std::max(least, share_of_ordering * enumeration_.work())
                                : 1e8;
        plan_layers(best_order(*part_, steps(work)));
    } catch (const std::bad_alloc&) {
        layers_ = nullptr;
        probes_ = nullptr;
        subproblems_ = nullptr;
        if (std::exchange(short_of_memory_, true)) throw;
        step_ = Step::probing;  // enumeration needs little memory, but perhaps for ever
    }
    return Outcome::enough;
}

// Prepares the methods that may follow the beginning. In a large problem, subproblems may be first:
// they replace the enumeration that there would be otherwise, unless they do not pay.
void PartCount::prepare() {
    if (try_declared_order()) return;
    const double before_layers = work_before_layers * counted_entries();
    const double done = subproblems_ == nullptr ? 0 : static_cast<double>(subproblems_->work());
    const bool may_be_first =
        before_layers > 2 * work_before_others && enumeration_.work() < before_layers;
    if (may_be_first && done < before_layers && may_use_subproblems()) {
        if (!enumeration_.has_estimate()) {
            step_ = Step::probing;  // then `prepare` again
            return;
        }
        if (choose_subproblems()) return;
    }
    if (done >= before_layers) {
        step_ = Step::planning_layers;
    } else {
        enumerate_longer_or(work_before_layers, Step::planning_layers);
    }
}

// Gives the layers a little work in the order of declaration, if that may be a good order.
bool PartCount::try_declared_order() {
    if (std::exchange(saw_declared_, true)) return false;
    LayerOrder declared = best_order(*part_, 0);
    if (declared.widest > narrow) {
        preparing_ += declared.work;
        return false;
    }
    plan_layers(std::move(declared));
    if (layers_ == nullptr) {
        order_ = {};
        return false;
    }
    layer_quota_ = steps(share_of_declared * enumeration_.work());
    tries_declared_ = true;
    step_ = Step::layers;
    return true;
}

// They were not finished: a better order is sought when enumeration takes longer.
void PartCount::leave_declared_order() {
    tries_declared_ = false;
    preparing_ += layers_->work();
    layers_ = nullptr;
    order_ = {};
    prepare();
}

void PartCount::plan_layers(LayerOrder order) {
    order_ = std::move(order);
    auto plan = std::make_shared<const LayerPlan>(*part_, order_);
    preparing_ += order_.work + 8 * entries_;
    const bool shares = may_use_subproblems();
    if (!plan->fits()) {
        step_ = shares ? Step::probing : Step::only_enumerating;
        return;
    }
    layers_ = std::make_unique<Layers>(std::move(plan), shares ? memory_ - memory_ / 4 : memory_);
    layer_quota_ = Quota{}.nodes;
    step_ = is_automatic(strategy_) ? Step::probing : Step::layers;
}

Outcome PartCount::probe(Clock::time_point until) {
    if (probes_ == nullptr) probes_ = std::make_unique<TreeProbes>(part_);
    const double done = enumeration_.work();
    if (!probes_->run(steps(share_of_probing * done), until)) return Outcome::timed_out;
    preparing_ += probes_->work();
    enumeration_.set_estimate(probes_->size());
    probes_ = nullptr;
    const double all = enumeration_.estimate();
    if (short_of_memory_) {
        if (!(all <= longest_enumeration)) throw std::bad_alloc();  // also if unknown
        step_ = Step::only_enumerating;
        return Outcome::enough;
    }
    if (order_.items.empty()) {  // for subproblems, which may be first
        prepare();
        return Outcome::enough;
    }
    layer_quota_ = steps(share_of_layers * all);
    // Layers that are certain to be finished soon come first.
    const double soon = std::min(static_cast<double>(layer_quota_), 10 * done);
    if (layers_ != nullptr && (work_of_try * order_.cost < soon || !may_use_subproblems())) {
        step_ = Step::layers;
    } else {
        choose_method();
    }
    return Outcome::enough;
}

Outcome PartCount::run_layers(Clock::time_point until) {
    const Outcome outcome = layers_->run(until, layer_quota_);
    if (outcome == Outcome::finished) step_ = Step::finished;
    if (outcome != Outcome::enough && outcome != Outcome::spent) return outcome;
    if (tries_declared_) {
        leave_declared_order();
        return Outcome::enough;
    }
    if (outcome == Outcome::spent) layers_ = nullptr;  // the memory
    if (outcome == Outcome::enough || subproblems_ != nullptr) {
        choose_method();
    } else {
        step_ = Step::only_enumerating;
    }
    return Outcome::enough;
}

void PartCount::make_subproblems() {
    const bool always = strategy_ == CountStrategy::by_subproblems;
    subproblems_ = std::make_unique<Subproblems>(*part_, always ? memory_ : memory_ / 4, always,
                                                 enumeration_.estimate());
    subproblem_quota_ = Quota{}.nodes;
}

Outcome PartCount::run_subproblems(Clock::time_point until) {
    if (subproblems_ == nullptr) make_subproblems();
    const Outcome outcome = subproblems_->run(until, subproblem_quota_);
    if (outcome == Outcome::finished || reaches(subproblems_->found(), limit_)) {
        step_ = Step::finished;
    } else if (outcome == Outcome::enough) {
        choose_method();
    }
    return outcome;
}

// -- decisions -----------------------------------------------------------------------------------

// Decides whether subproblems are next, or the layers because of them. Otherwise the decision is
// between layers and enumeration.
bool PartCount::choose_subproblems() {
    if (subproblems_ == nullptr) {
        const double most = std::min(share_of_root * enumeration_.estimate(), largest_form);
        if (!may_use_subproblems() || first_form_work(*part_) > most) return false;
        make_subproblems();
    }
    const double enumerated = enumeration_.work();
    const auto done = static_cast<double>(subproblems_->work());
    const double represented = enumeration_.work_of_node() * subproblems_->nodes_represented();
    const double all = std::max(enumeration_.estimate(), 1.5 * represented);
    const double left = subproblems_->work_left(represented, all);
    const double symmetry = subproblems_->symmetry();
    // Half of what the symmetries of the whole save may be spent before anything is seen.
    const bool promising = done < (all * (1 - 1 / symmetry) - enumerated) / 2;
    // Without symmetries, early rates are often too good: they must be much better.
    const double share = symmetry > 1 ? nearly_as_much : clearly_less;
    if (!promising && left > share * (all - enumerated)) {
        subproblem_quota_ = steps(share_of_subproblems * 2 * enumerated);
        // The first form shows how much symmetry there is.
        if (subproblems_->lookups() == 0) subproblem_quota_ = steps(done + 1);
        if (done >= static_cast<double>(subproblem_quota_)) return false;
        step_ = Step::subproblems;
        return true;
    }
    if (const double turn = turn_of_layers(left);
        layers_ != nullptr && static_cast<double>(layers_->work()) < turn) {
        layer_quota_ = steps(turn);
        step_ = Step::layers;
        return true;
    }
    subproblem_quota_ = steps(2 * done + enumerated / (symmetry > 1 ? 4 : 64));
    step_ = Step::subproblems;
    return true;
}

// The work up to which the layers are next, where subproblems have this work left.
double PartCount::turn_of_layers(double left) const {
    if (layers_ == nullptr) return 0;
    const auto done = static_cast<double>(subproblems_->work());
    const double certain = work_of_try * order_.cost;
    if (!layers_->was_full() && certain < clearly_less * left) {
        return std::clamp(left / certain, least_turn, most_turn) * done;
    }
    if (layers_->work() == 0) return std::min(enumeration_.work(), done);
    return layers_->was_full() || layers_->work_left() < clearly_less * left ? done : 0;
}

// Decides which method continues.
void PartCount::choose_method() {
    if (order_.items.empty()) return prepare();
    if (choose_subproblems()) return;
    if (layers_ != nullptr) {
        const double enumerated = enumeration_.work();
        const double left = enumeration_.estimate() - enumerated;
        const auto done = static_cast<double>(layers_->work());
        const double share = share_of_layers * enumeration_.estimate();
        if (layers_->was_full()) {
            // The remaining work of the layers is unknown: alternate, unless enumeration seems
            // infeasible.
            layer_quota_ = steps(left > 1000 * done ? 2 * done : enumerated);
        } else if (layers_->work_left() < clearly_less * left) {
            layer_quota_ = steps(std::max(share, 2 * done));
        } else {
            layer_quota_ = steps(share);
        }
        if (layers_->work() < layer_quota_) {
            step_ = Step::layers;
            return;
        }
    }
    node_quota_ = 2 * enumeration_.nodes();
    step_ = Step::enumerating;
}

// -- results -------------------------------------------------------------------------------------

std::uint64_t PartCount::work_for_reducing() const {
    return steps(share_of_reducing * enumeration_.work());
}

// Each method has found at most all solutions, and the one that has finished has found them all.
Natural PartCount::found() const {
    Natural most{enumeration_.solutions()};
    const auto compare = [&most](Natural other) {
        while (!other.empty() && other.back() == 0) other.pop_back();
        if (is_less(most, other)) most = std::move(other);
    };
    if (learned_) compare({learned_->solutions()});
    if (layers_ != nullptr) compare(layers_->total());
    if (subproblems_ != nullptr) compare(subproblems_->found());
    return most;
}

void PartCount::add_stats(Stats& stats) const {
    Stats own = enumeration_.stats();
    if (learned_) add_to(own, learned_->own_stats());
    own.solutions = 0;  // `found` says how many there are
    add_to(stats, own);
    if (subproblems_ != nullptr) {
        stats.nodes += subproblems_->nodes();
        stats.updates += subproblems_->updates();
    }
    if (layers_ == nullptr) return;
    stats.nodes += layers_->states();
    stats.updates += layers_->updates();
}

void PartCount::add_tally(SubproblemTally& tally) const {
    if (subproblems_ == nullptr) return;
    tally.lookups += subproblems_->lookups();
    tally.hits += subproblems_->hits();
    tally.skipped += subproblems_->skipped();
}

std::uint64_t PartCount::work() const {
    const Stats& own = enumeration_.own_stats();
    std::uint64_t work = own.nodes + own.updates + preparing_;
    if (learned_) work += learned_->own_stats().nodes + learned_->own_stats().updates;
    if (probes_ != nullptr) work += probes_->work();
    if (layers_ != nullptr) work += layers_->work();
    if (subproblems_ != nullptr) work += subproblems_->work();
    return work;
}

// -- parts ---------------------------------------------------------------------------------------

Counting::Counting(std::shared_ptr<const Problem> problem, std::shared_ptr<Engines> engines,
                   const EngineChoice& choice, std::span<const Int> given, std::uint64_t limit,
                   std::size_t memory, CountStrategy strategy, bool shared)
    : problem_(std::move(problem)),
      choice_(choice),
      given_(given.begin(), given.end()),
      limit_(limit),
      memory_(memory),
      strategy_(strategy),
      shared_(shared) {
    open(problem_, std::move(engines), given_);
}

// Starts counting a part.
void Counting::open(std::shared_ptr<const Problem> problem, std::shared_ptr<Engines> engines,
                    std::vector<Int> given) {
    searched_ = {std::move(problem), std::move(engines), std::move(given), {}};
    part_ = std::make_unique<PartCount>(searched_, choice_, limit_, memory_, strategy_, shared_);
    ++opened_;
}

std::optional<Listing> Counting::listing() {
    if (part_ == nullptr) return std::nullopt;
    std::optional<Position> begin = part_->position();
    if (!begin) return std::nullopt;
    Listing listing = searched_;
    listing.begin = std::move(*begin);
    return listing;
}

Outcome Counting::run(Clock::time_point until) {
    while (!finished_) {
        const Outcome outcome = part_->run(until);
        if (outcome == Outcome::timed_out || outcome == Outcome::spent) return outcome;
        if (outcome == Outcome::enough) {
            split();
        } else {
            next_part();
        }
    }
    return Outcome::finished;
}

// A problem with as many solutions that is clearly easier, or nullopt.
std::optional<Problem> Counting::simpler(const Problem& part) const {
    if (simplified_ || !is_automatic(strategy_)) return std::nullopt;
    return clearly_smaller(part, part_->work_for_reducing());
}

void Counting::split() {
    work_ += 8 * problem_->item.size();
    auto [parts, free_options] = parts_of(*problem_, given_, true);
    given_.clear();
    bool simplified = false;
    if (parts.size() == 1 && free_options == 0) {
        Problem& only = parts.front();
        auto less = simpler(only);
        if (!less) {
            problem_ = std::make_shared<const Problem>(std::move(only));
            part_->set_problem(problem_);
            return;
        }
        only = std::move(*less);
        simplified = true;
    }
    if (!was_split_) seen_ = part_->found();
    close_part();
    was_split_ = true;
    if (free_options > 0) done_.push_back(power_of_two(free_options));
    for (Problem& part : parts) waiting_.push_back({std::move(part), simplified});
    // Small parts first: if a part has no solution, the number is 0 and the others are skipped.
    std::stable_sort(waiting_.begin(), waiting_.end(), [](const Waiting& one, const Waiting& two) {
        return one.problem.entries() > two.problem.entries();
    });
    next_part();
}

// Adds up what was done on the current part.
void Counting::close_part() {
    part_->add_stats(stats_);
    part_->add_tally(tally_);
    work_ += part_->work();
    part_ = nullptr;
}

void Counting::next_part() {
    if (part_ != nullptr) {
        done_.push_back(part_->found());
        close_part();
        if (done_.back() == Natural{0} || done_.back().empty()) waiting_.clear();
    }
    if (waiting_.empty()) {
        finished_ = true;
        return;
    }
    Waiting next = std::move(waiting_.back());
    waiting_.pop_back();
    next.problem.label.clear();  // counting does not need the options' indices
    simplified_ = next.simplified;
    problem_ = std::make_shared<const Problem>(std::move(next.problem));
    open(problem_, std::make_shared<Engines>(problem_), {});
    if (simplified_) part_->set_simplified();
}

std::vector<Natural> Counting::factors() const {
    if (finished_) return done_;
    if (!waiting_.empty()) return {seen_};
    std::vector<Natural> factors = done_;
    factors.push_back(part_->found());
    return factors;
}

Stats Counting::stats() const {
    Stats stats = stats_;
    if (part_ != nullptr) part_->add_stats(stats);
    return stats;
}

SubproblemTally Counting::tally() const {
    SubproblemTally tally = tally_;
    if (part_ != nullptr) part_->add_tally(tally);
    return tally;
}

std::uint64_t Counting::work() const {
    return work_ + (part_ == nullptr ? 0 : part_->work());
}

}  // namespace dlx
