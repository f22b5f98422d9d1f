// Counting solutions: chooses between enumeration, layers and subproblems by the work that each has
// done.
#include "counting/counting.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "core/components.hpp"
#include "counting/implied_bounds.hpp"
#include "counting/subproblems.hpp"
#include "reduce/reduction.hpp"

namespace dlx {
namespace {

// Work is in units of about a nanosecond.
constexpr std::uint64_t first_nodes = 4000;   // enumerated before the work is first compared
constexpr double warm_up = 1'000'000;         // work of enumeration before anything else, or
constexpr double warm_up_for_entry = 1000;    // this for each entry, if that is more
constexpr double warm_up_simplified = 100;    // this, if it was made simpler after a warm-up
constexpr double more_for_entry = 5000;       // work before an order and a plan are made
constexpr std::size_t many_entries = 20'000;  // entries beyond this count a tenth
constexpr std::uint64_t ordering_for_entry = 50;
constexpr double share_of_layers = 0.02;    // of the estimated work of enumeration
constexpr double narrow = 32;               // bits of the frontier in a good order of declaration,
constexpr double share_of_declared = 0.05;  // whose layers get this of the work of enumeration
constexpr double share_of_ordering = 0.01;  // of the work of enumeration so far
constexpr double share_of_probing = 0.01;
constexpr double share_of_reducing = 0.02;
constexpr double share_of_dividing = 0.02;
constexpr double work_of_try = 30;      // of an option, on a state of a layer
constexpr double share_of_root = 0.15;  // of the estimated work of enumeration, for the first form
constexpr double largest_form = 4'000'000;  // longer forms would not let the caller stop in time
constexpr double longest_listing = 6e10;    // where there is no memory for another method
constexpr double nearly_as_much = 0.8;
constexpr double least_turn = 8;   // of layers that are certain to be finished, for each unit of
constexpr double most_turn = 100;  // work on subproblems; more, the sooner they will be finished
constexpr double clearly_less = 0.35;

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

PartCount::PartCount(std::unique_ptr<Engine> engine, std::size_t entries, std::uint64_t limit,
                     std::size_t memory, CountStrategy strategy, bool shared)
    : engine_(std::move(engine)),
      entries_(entries),
      limit_(limit),
      memory_(memory),
      strategy_(strategy),
      shared_(shared),
      step_(watched() ? Step::warming_up : Step::waiting),
      node_quota_(first_nodes) {}

PartCount::~PartCount() = default;

Outcome PartCount::run(Clock::time_point until) {
    while (step_ != Step::finished) {
        if (step_ == Step::waiting) {
            if (part_ == nullptr) return Outcome::enough;
            step_ = Step::ordering;
            if (strategy_ == CountStrategy::by_subproblems) step_ = Step::dividing;
            if (watched()) prepare();
        }
        if (leaves_listing()) {
            // The engine may have reached its last node just when its quota was used up.
            if (others_.nodes > 0 || engine_->position()) return Outcome::spent;
            step_ = Step::finished;
            continue;
        }
        const bool listing = step_ == Step::warming_up || step_ == Step::enumerating ||
                             step_ == Step::only_enumerating;
        const Outcome outcome = listing ? enumerate(until) : remember(until);
        if (outcome == Outcome::timed_out) return outcome;
        if (step_ != Step::finished && Clock::now() >= until) return Outcome::timed_out;
    }
    return Outcome::finished;
}

// Does a step of counting by layers, or of the preparations for it.
Outcome PartCount::remember(Clock::time_point until) {
    try {
        if (step_ == Step::layering) return pass_layers(until);
        if (step_ == Step::dividing) return divide(until);
        if (step_ == Step::ordering) {
            order();
        } else if (step_ == Step::planning) {
            plan();
        } else {
            return probe(until);
        }
    } catch (const std::bad_alloc&) {
        layers_ = nullptr;
        probes_ = nullptr;
        subproblems_ = nullptr;
        if (std::exchange(short_of_memory_, true)) throw;
        step_ = Step::probing;  // enumeration needs little memory, but perhaps for ever
    }
    return Outcome::enough;
}

Outcome PartCount::enumerate(Clock::time_point until) {
    const std::uint64_t nodes = step_ == Step::only_enumerating ? Quota{}.nodes : node_quota_;
    const Quota quota{limit_ - engine_->stats().solutions, until, nullptr, nodes};
    const Outcome outcome = engine_->run(quota);
    if (outcome == Outcome::timed_out) return outcome;
    if (outcome != Outcome::spent) {
        step_ = Step::finished;
    } else if (step_ == Step::warming_up && part_ == nullptr) {
        warm_up_longer_or(simplified_ ? warm_up_simplified : warm_up_for_entry, Step::waiting);
    } else if (step_ == Step::warming_up) {
        prepare();
    } else {
        reconsider();
    }
    return Outcome::enough;
}

void PartCount::listed(const Stats& stats, bool finished) {
    others_ = stats;
    if (finished || listing_stats().solutions >= limit_) {
        step_ = Step::finished;
    } else if (step_ == Step::enumerating && listing_stats().nodes >= node_quota_) {
        reconsider();
    }
}

std::uint64_t PartCount::nodes_for_others() const {
    if (step_ == Step::only_enumerating) return Quota{}.nodes;
    return node_quota_ - std::min(node_quota_, engine_->stats().nodes);
}

Stats PartCount::listing_stats() const {
    Stats stats = engine_->stats();
    stats.nodes += others_.nodes;
    stats.updates += others_.updates;
    stats.solutions += others_.solutions;
    if (stats.profile.size() < others_.profile.size()) stats.profile.resize(others_.profile.size());
    for (std::size_t depth = 0; depth < others_.profile.size(); ++depth) {
        stats.profile[depth] += others_.profile[depth];
    }
    return stats;
}

// Preparations take far less work for each entry than these factors say. So for a large problem
// they need not be as small a part of the whole.
double PartCount::counted_entries() const {
    const std::size_t few = std::min(entries_, many_entries);
    return static_cast<double>(few) + static_cast<double>(entries_ - few) / 10;
}

void PartCount::warm_up_longer_or(double for_entry, Step next) {
    const double wanted = std::max(warm_up, for_entry * counted_entries());
    step_ = spent() >= wanted ? next : Step::warming_up;
    if (step_ == next) return;
    const std::uint64_t nodes = engine_->stats().nodes;
    node_quota_ = steps(static_cast<double>(nodes) * std::min(wanted / spent(), 4.0)) + 1;
}

// Gives the layers a little work in the order of declaration, if that may be a good order.
bool PartCount::try_declared_order() {
    if (std::exchange(saw_declared_, true)) return false;
    LayerOrder declared = best_order(*part_, 0);
    preparing_ += declared.work;
    if (declared.widest > narrow) return false;
    order_ = std::move(declared);
    plan();
    if (layers_ == nullptr) {
        order_ = {};
        return false;
    }
    layer_quota_ = steps(share_of_declared * spent());
    tries_declared_ = true;
    step_ = Step::layering;
    return true;
}

// They were not finished: a better order is sought when enumeration takes longer.
void PartCount::leave_declared_order() {
    tries_declared_ = false;
    preparing_ += layers_->work();
    layers_ = nullptr;
    plan_ = nullptr;
    order_ = {};
    prepare();
}

// Subproblems need less preparation than layers, so they may come first. They replace the
// enumeration that there would be otherwise, unless they do not pay.
void PartCount::prepare() {
    if (try_declared_order()) return;
    const double before_layers = more_for_entry * counted_entries();
    const double done = subproblems_ == nullptr ? 0 : static_cast<double>(subproblems_->work());
    const bool may_be_first = before_layers > 2 * warm_up && spent() < before_layers;
    if (may_be_first && done < before_layers && may_divide()) {
        if (guess_ == 0) {
            step_ = Step::probing;  // then `prepare` again
            return;
        }
        if (chooses_dividing()) return;
    }
    if (done >= before_layers) {
        step_ = Step::ordering;
    } else {
        warm_up_longer_or(more_for_entry, Step::ordering);
    }
}

void PartCount::order() {
    const double least = static_cast<double>(ordering_for_entry * entries_);
    const double work = watched() ? std::max(least, share_of_ordering * spent()) : 1e8;
    order_ = best_order(*part_, steps(work));
    preparing_ += order_.work;
    step_ = Step::planning;
}

void PartCount::plan() {
    plan_ = std::make_shared<const LayerPlan>(*part_, order_);
    preparing_ += 8 * entries_;
    const bool dividing = may_divide();
    if (!plan_->fits()) {
        step_ = dividing ? Step::probing : Step::only_enumerating;
        return;
    }
    layers_ = std::make_unique<Layers>(plan_, dividing ? memory_ - memory_ / 4 : memory_);
    layer_quota_ = Quota{}.nodes;
    step_ = watched() ? Step::probing : Step::layering;
}

Outcome PartCount::probe(Clock::time_point until) {
    if (probes_ == nullptr) probes_ = std::make_unique<TreeProbes>(part_);
    if (!probes_->run(steps(share_of_probing * spent()), until)) return Outcome::timed_out;
    const TreeSize size = probes_->size();
    preparing_ += probes_->work();
    probes_ = nullptr;
    guess_ = size.nodes * spent() / static_cast<double>(listing_stats().nodes);
    const auto limit = static_cast<double>(limit_);
    if (size.solutions > limit) guess_ *= limit / size.solutions;
    if (short_of_memory_) {
        if (!(to_enumerate() <= longest_listing)) throw std::bad_alloc();  // also if unknown
        step_ = Step::only_enumerating;
        return Outcome::enough;
    }
    if (order_.items.empty()) {  // for subproblems, which may be first
        prepare();
        return Outcome::enough;
    }
    layer_quota_ = steps(share_of_layers * to_enumerate());
    // Layers that are certain to be finished soon come first.
    const double soon = std::min(static_cast<double>(layer_quota_), 10 * spent());
    if (layers_ != nullptr && (work_of_try * order_.cost < soon || !may_divide())) {
        step_ = Step::layering;
    } else {
        reconsider();
    }
    return Outcome::enough;
}

std::uint64_t PartCount::work_for_reducing() const {
    return steps(share_of_reducing * spent());
}

double PartCount::spent() const {
    return work_of(listing_stats());
}

// The estimate is at least twice the work so far: a search that has run for some time is expected
// to run for as long again.
double PartCount::to_enumerate() const {
    return std::max(guess_, 2 * spent());
}

Outcome PartCount::pass_layers(Clock::time_point until) {
    const Outcome outcome = layers_->run(until, layer_quota_);
    if (outcome == Outcome::finished) step_ = Step::finished;
    if (tries_declared_ && (outcome == Outcome::enough || outcome == Outcome::spent)) {
        leave_declared_order();
        return Outcome::enough;
    }
    if (outcome == Outcome::enough) reconsider();
    if (outcome == Outcome::spent) {  // the memory
        layers_ = nullptr;
        if (subproblems_ != nullptr) {
            reconsider();
        } else {
            step_ = Step::only_enumerating;
        }
        return Outcome::enough;
    }
    return outcome;
}

void PartCount::begin_dividing() {
    const bool always = strategy_ == CountStrategy::by_subproblems;
    subproblems_ = std::make_unique<Subproblems>(*part_, always ? memory_ : memory_ / 4, always,
                                                 to_enumerate());
    subproblem_quota_ = Quota{}.nodes;
}

Outcome PartCount::divide(Clock::time_point until) {
    if (subproblems_ == nullptr) {
        if (part_->multiple()) {
            step_ = Step::ordering;
            return Outcome::enough;
        }
        begin_dividing();
    }
    const Outcome outcome = subproblems_->run(until, subproblem_quota_);
    if (outcome == Outcome::finished || reaches(subproblems_->found(), limit_)) {
        step_ = Step::finished;
    } else if (outcome == Outcome::enough) {
        reconsider();
    }
    return outcome;
}

// Decides whether subproblems are next, or the layers because of them. Otherwise the decision is
// between layers and enumeration.
bool PartCount::chooses_dividing() {
    if (subproblems_ == nullptr) {
        const double most = std::min(share_of_root * to_enumerate(), largest_form);
        if (!may_divide() || first_form_work(*part_) > most) return false;
        begin_dividing();
    }
    const auto divided = static_cast<double>(subproblems_->work());
    const double node = spent() / static_cast<double>(listing_stats().nodes);
    const double represented = node * subproblems_->nodes_represented();
    const double all = std::max(to_enumerate(), 1.5 * represented);
    // How much of an enumeration a unit of work represents: in all, or since the last decision.
    const double rate = std::max(represented / std::max(divided, 1.0),
                                 (represented - represented_) / std::max(divided - divided_, 1.0));
    const double left = rate > 0 ? (all - represented) / rate : all;
    divided_ = divided;
    represented_ = represented;
    // Half of what the symmetries of the whole save may be spent before anything is seen.
    const double saved = all * (1 - 1 / subproblems_->symmetry()) - spent();
    const bool promising = divided < saved / 2;
    // Without symmetries, early rates are often too good: they must be much better.
    const double share = subproblems_->symmetry() > 1 ? nearly_as_much : clearly_less;
    if (!promising && left > share * (all - spent())) {
        subproblem_quota_ = steps(share_of_dividing * 2 * spent());
        // The first form shows how much symmetry there is.
        if (subproblems_->lookups() == 0) subproblem_quota_ = steps(divided + 1);
        if (divided >= static_cast<double>(subproblem_quota_)) return false;
        step_ = Step::dividing;
        return true;
    }
    double turn = 0;  // of the layers
    if (layers_ != nullptr) {
        const auto laid = static_cast<double>(layers_->work());
        const bool certain =
            !layers_->was_full() && work_of_try * order_.cost < clearly_less * left;
        if (certain) {
            const double sooner = left / (work_of_try * order_.cost);
            turn = std::clamp(sooner, least_turn, most_turn) * divided;
        } else if (laid == 0) {
            turn = std::min(spent(), divided);
        } else if (layers_->was_full() || layers_->work_left() < clearly_less * left) {
            turn = divided;
        }
        if (laid < turn) {
            layer_quota_ = steps(turn);
            step_ = Step::layering;
            return true;
        }
    }
    subproblem_quota_ = steps(2 * divided + spent() / (subproblems_->symmetry() > 1 ? 4 : 64));
    step_ = Step::dividing;
    return true;
}

// Decides which method continues.
void PartCount::reconsider() {
    if (order_.items.empty()) return prepare();
    if (chooses_dividing()) return;
    if (layers_ == nullptr) return enumerate_on();
    const double left = to_enumerate() - spent();
    const auto laid = static_cast<double>(layers_->work());
    const double share = share_of_layers * to_enumerate();
    if (layers_->was_full()) {
        // The remaining work of the layers is unknown: alternate, unless enumeration seems
        // infeasible.
        layer_quota_ = steps(left > 1000 * laid ? 2 * laid : spent());
    } else if (const double more = layers_->work_left(); more < clearly_less * left) {
        layer_quota_ = steps(std::max(share, 2 * laid));
    } else {
        layer_quota_ = steps(share);
    }
    if (layers_->work() < layer_quota_) {
        step_ = Step::layering;
    } else {
        enumerate_on();
    }
}

void PartCount::enumerate_on() {
    node_quota_ = 2 * listing_stats().nodes;
    step_ = Step::enumerating;
}

// Each method has found at most all solutions, and the one that has finished has found them all.
Natural PartCount::found() const {
    Natural most{listing_stats().solutions};
    const auto compare = [&most](Natural other) {
        while (!other.empty() && other.back() == 0) other.pop_back();
        if (is_less(most, other)) most = std::move(other);
    };
    if (layers_ != nullptr) compare(layers_->total());
    if (subproblems_ != nullptr) compare(subproblems_->found());
    return most;
}

void PartCount::add_stats(Stats& stats) const {
    const Stats own = listing_stats();
    stats.nodes += own.nodes;
    stats.updates += own.updates;
    if (stats.profile.size() < own.profile.size()) stats.profile.resize(own.profile.size(), 0);
    for (std::size_t depth = 0; depth < own.profile.size(); ++depth) {
        stats.profile[depth] += own.profile[depth];
    }
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
    const Stats& own = engine_->stats();
    std::uint64_t work = own.nodes + own.updates + preparing_;
    if (probes_ != nullptr) work += probes_->work();
    if (layers_ != nullptr) work += layers_->work();
    if (subproblems_ != nullptr) work += subproblems_->work();
    return work;
}

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
    part_ = std::make_unique<PartCount>(engines->make(choice_, given),
                                        static_cast<std::size_t>(problem->entries()), limit_,
                                        memory_, strategy_, shared_);
    ++opened_;
    searched_ = {std::move(problem), std::move(engines), std::move(given), {}};
}

std::optional<Counting::Listing> Counting::listing() {
    if (part_ == nullptr) return std::nullopt;
    std::optional<Position> begin = part_->listing();
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
            take_apart();
        } else {
            next_part();
        }
    }
    return Outcome::finished;
}

// A problem with as many solutions that is clearly easier, or nullopt.
std::optional<Problem> Counting::simpler(const Problem& part) const {
    const bool watched =
        strategy_ == CountStrategy::watched || strategy_ == CountStrategy::without_symmetry;
    if (simplified_ || !watched) return std::nullopt;
    std::optional<Problem> bounded = with_implied_bounds(part);
    std::optional<Problem> smaller =
        clearly_smaller(bounded ? *bounded : part, part_->work_for_reducing());
    return smaller ? std::move(smaller) : std::move(bounded);
}

void Counting::take_apart() {
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
    part_->add_stats(stats_);
    part_->add_tally(tally_);
    work_ += part_->work();
    if (!taken_apart_) seen_ = part_->found();
    taken_apart_ = true;
    if (free_options > 0) done_.push_back(power_of_two(free_options));
    for (Problem& part : parts) waiting_.push_back({std::move(part), simplified});
    // Small parts first: if a part has no solution, the number is 0 and the others are skipped.
    std::stable_sort(waiting_.begin(), waiting_.end(), [](const Waiting& one, const Waiting& two) {
        return one.problem.entries() > two.problem.entries();
    });
    part_ = nullptr;
    next_part();
}

void Counting::next_part() {
    if (part_ != nullptr) {
        part_->add_stats(stats_);
        part_->add_tally(tally_);
        work_ += part_->work();
        done_.push_back(part_->found());
        part_ = nullptr;
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
