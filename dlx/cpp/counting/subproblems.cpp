// Counts by subproblems: a stack of frames, a cache of counts, and estimates of the work left.
#include "counting/subproblems.hpp"

#include <algorithm>
#include <limits>

#include "counting/natural.hpp"
#include "counting/small_search.hpp"
#include "estimate/tree_size.hpp"
#include "symmetry/search.hpp"

namespace dlx {
namespace {

// Work is in units of about a nanosecond.
constexpr double work_of_edge = 8;         // of a search for a canonical form
constexpr double work_of_entry = 15;       // of a form, besides that
constexpr double form_entry = 250;         // of a form, expected before there was one
constexpr double reducing_for_entry = 3;   // of a step of `Reducer`
constexpr double small_node = 12;          // of `SmallSearch`, and
constexpr double small_item = 0.6;         // for each primary item
constexpr double small_entry = 10;         // before it begins
constexpr std::size_t descents = 6;        // in a small subproblem
constexpr double work_of_probing = 5;      // for each entry
constexpr double share_of_probes = 0.2;    // of the work of a form
constexpr double engine_for_entry = 20;    // before an engine begins
constexpr double engine_node = 100;        // on average
constexpr double most_nodes = 20'000;      // enumerated before the caller can look at the work
constexpr Int most_to_probe = 600;         // items; the work of a descent may be their square
constexpr double clock_interval = 50'000;  // work between two looks at the clock
constexpr std::uint64_t most_form_edges = 1'000'000;  // a form that takes more is given up

double product_of(const std::vector<std::uint64_t>& factors) noexcept {
    double result = 1;
    for (const std::uint64_t factor : factors) result *= static_cast<double>(factor);
    return result;
}

}  // namespace

double first_form_work(const Problem& problem) {
    return form_entry * static_cast<double>(problem.entries());
}

Subproblems::Subproblems(const Problem& problem, std::size_t memory, bool always,
                         double to_enumerate)
    : always_(always), table_(memory) {
    open(reducer_.whole(problem), 1, 0);
    if (stack_.empty()) return;
    Frame& root = stack_.back();
    root.estimate = std::max(root.estimate, to_enumerate);
}

Outcome Subproblems::run(Clock::time_point until, std::uint64_t work) {
    double next_check = work_ + clock_interval;
    while (!stack_.empty()) {
        if (!in_piece_ && work_ >= static_cast<double>(work)) return Outcome::enough;
        if (work_ >= next_check) {
            if (Clock::now() >= until) return Outcome::timed_out;
            next_check = work_ + clock_interval;
        }
        if (!step(until)) return Outcome::timed_out;
    }
    return Outcome::finished;
}

// Returns false if the time was up.
bool Subproblems::step(Clock::time_point until) {
    Frame& top = stack_.back();
    switch (top.stage) {
        case Stage::enumerating:
            return enumerate(until);
        case Stage::deciding:
            decide();
            return true;
        case Stage::adding:
            if (top.next == top.branches.size()) {
                finish(std::move(top.total), top.nodes);
            } else {
                const Branch branch = top.branches[top.next++];
                const auto before = static_cast<double>(reducer_.work());
                const std::size_t depth = top.depth + 1;
                Rest rest = reducer_.after(top.rest, branch.option);
                work_ += reducing_for_entry * (static_cast<double>(reducer_.work()) - before);
                open(std::move(rest), branch.times, depth);
            }
            return true;
        case Stage::multiplying:
            if (top.next == top.parts.size() || (top.next > 0 && is_zero(top.total))) {
                finish(std::move(top.total), top.nodes);
            } else {
                const std::size_t depth = top.depth;
                visit(std::move(top.parts[top.next++]), {}, depth);
            }
            return true;
    }
    return true;
}

// Counts what is left after an option that is taken `times` times.
void Subproblems::open(Rest rest, std::uint64_t times, std::size_t depth) {
    ++nodes_;
    if (times > 1) rest.factors.push_back(times);
    if (rest.dead) return deliver({}, 1, rest.factors);
    if (rest.parts.empty()) return deliver({1}, 1, rest.factors);
    if (rest.parts.size() == 1) {
        return visit(std::move(rest.parts.front()), std::move(rest.factors), depth);
    }
    std::ranges::stable_sort(rest.parts, {}, &Residual::entries);
    Frame frame;
    frame.stage = Stage::multiplying;
    frame.depth = depth;
    frame.factors = std::move(rest.factors);
    frame.parts = std::move(rest.parts);
    frame.total = {1};
    stack_.push_back(std::move(frame));
}

void Subproblems::visit(Residual rest, std::vector<std::uint64_t> factors, std::size_t depth) {
    Frame frame;
    frame.depth = depth;
    frame.rest = std::move(rest);
    frame.factors = std::move(factors);
    if (!always_) {
        if (try_small<1>(frame) || try_small<2>(frame) || try_small<4>(frame)) return;
        if (frame.estimate == 0) estimate(frame);
    }
    stack_.push_back(std::move(frame));
}

// Estimates the work of a small subproblem, unless it has an estimate, and enumerates it if that is
// less than the work of a form. Returns true if it has delivered the number of solutions.
template <std::size_t words>
bool Subproblems::try_small(Frame& frame) {
    using Small = SmallSearch<words>;
    const Residual& rest = frame.rest;
    if (frame.estimate != 0 || !Small::fits(rest) || may_overflow(rest)) return false;
    Small search(rest);
    const double node = small_node + small_item * static_cast<double>(rest.primary);
    frame.estimate = node * search.estimate(descents, random_);
    work_ += small_entry * static_cast<double>(rest.entries()) + descents * 10 * node;
    const double most = 2 * form_work(rest);
    if (frame.estimate > most) return false;
    const auto found = search.run(static_cast<std::uint64_t>(std::min(most / node + 16, 1e6)));
    if (!found) {
        work_ += most;
        frame.estimate = 2 * most;
        return false;
    }
    const auto visited = static_cast<double>(found->nodes);
    nodes_ += found->nodes;
    work_ += node * visited;
    deliver({found->solutions}, visited, frame.factors);
    return true;
}

// Estimates the work of a large subproblem.
void Subproblems::estimate(Frame& frame) {
    if (frame.rest.primary > most_to_probe) {
        frame.estimate = 10 * form_work(frame.rest);
        return;
    }
    TreeProbes probes(std::make_shared<const Problem>(frame.rest.problem()));
    const double most = share_of_probes * form_work(frame.rest);
    probes.run(static_cast<std::uint64_t>(most / work_of_probing), Clock::time_point::max());
    frame.estimate = engine_node * probes.size().nodes;
    work_ += work_of_probing * static_cast<double>(probes.work());
}

// The expected work of a canonical form.
double Subproblems::form_work(const Residual& rest) const noexcept {
    const double rate = (forms_work_ + 1000 * form_entry) / (forms_entries_ + 1000);
    return rate * static_cast<double>(rest.entries());
}

Subproblems::Level& Subproblems::level(std::size_t depth) {
    if (levels_.size() <= depth) levels_.resize(depth + 1);
    return levels_[depth];
}

void Subproblems::make_engine(Frame& frame) {
    auto problem = std::make_shared<const Problem>(frame.rest.problem());
    frame.engine = std::make_shared<Engines>(problem)->make({}, {});
    work_ += engine_for_entry * static_cast<double>(frame.rest.entries());
}

// Enumerates a piece, whose end does not depend on the clock, or a part of it.
bool Subproblems::enumerate(Clock::time_point until) {
    Frame& frame = stack_.back();
    if (frame.engine == nullptr) make_engine(frame);
    if (!in_piece_) {
        const double left = frame.next_decision - work_of(frame.counted);
        if (left <= 0) {
            frame.stage = Stage::deciding;
            return true;
        }
        const double nodes = std::min(left / engine_node, most_nodes) + 1;
        frame.piece_end = frame.engine->stats().nodes + static_cast<std::uint64_t>(nodes);
    }
    const Outcome outcome = frame.engine->run(
        {std::numeric_limits<std::uint64_t>::max(), until, nullptr, frame.piece_end});
    in_piece_ = outcome == Outcome::timed_out;
    if (in_piece_) return false;
    const Stats& stats = frame.engine->stats();
    nodes_ += stats.nodes - frame.counted.nodes;
    updates_ += stats.updates - frame.counted.updates;
    work_ += work_of(stats) - work_of(frame.counted);
    frame.counted = stats;
    if (outcome == Outcome::finished) {
        finish({stats.solutions}, static_cast<double>(stats.nodes));
    }
    return true;
}

void Subproblems::decide() {
    Frame& frame = stack_.back();
    if (frame.engine != nullptr) {
        // A search that has run for some time is expected to run for as long again.
        frame.estimate = std::max(frame.estimate, 2 * work_of(frame.engine->stats()));
    }
    if (frame.looked_up) return divide(frame);
    if (!always_ && level(frame.depth).hit_rate() * frame.estimate < form_work(frame.rest)) {
        return enumerate_on(frame);
    }
    if (!look_up(frame)) divide(frame);
}

void Subproblems::enumerate_on(Frame& frame) {
    frame.stage = Stage::enumerating;
    const double done = frame.engine == nullptr ? 0 : work_of(frame.engine->stats());
    frame.next_decision = std::max(frame.estimate, 2 * done);
}

// Returns true if the subproblem is in the table; otherwise it has branches now.
bool Subproblems::look_up(Frame& frame) {
    frame.looked_up = true;
    const IncidenceGraph graph = frame.rest.graph();
    SymmetryLimits limits;
    limits.work = most_form_edges;
    const CanonicalLabeling labeling = canonical_labeling(graph, limits);
    const auto entries = static_cast<double>(frame.rest.entries());
    const double work = work_of_edge * static_cast<double>(labeling.work) + work_of_entry * entries;
    work_ += work;
    forms_work_ += work;
    forms_entries_ += entries;
    ++lookups_;
    if (!labeling.order.empty()) {
        frame.form = frame.rest.encoded(graph, labeling.order);
        frame.keyed = true;
        Level& here = level(frame.depth);
        ++here.lookups;
        if (const SubproblemCount* known = table_.find(frame.form)) {
            ++hits_;
            ++here.hits;
            SubproblemCount count = *known;
            frame.keyed = false;
            finish(std::move(count.solutions), count.nodes);
            return true;
        }
    }
    // The options of each orbit, in the place of the first.
    std::vector<std::pair<Int, std::size_t>> places;  // an orbit, and its branch
    for (const Int option : frame.rest.options_of(frame.rest.shortest())) {
        const auto copies = static_cast<std::uint64_t>(frame.rest.copies[index(option)]);
        if (!labeling.orbit.empty()) {
            const Int orbit = labeling.orbit[index(frame.rest.items + option)];
            const auto same = std::ranges::find(places, orbit, &std::pair<Int, std::size_t>::first);
            if (same != places.end()) {
                frame.branches[same->second].times += copies;
                ++skipped_;
                continue;
            }
            places.emplace_back(orbit, frame.branches.size());
        }
        frame.branches.push_back({option, copies});
    }
    if (lookups_ == 1) {
        symmetry_ = static_cast<double>(frame.rest.options_of(frame.rest.shortest()).size()) /
                    static_cast<double>(frame.branches.size());
    }
    return false;
}

// Decides whether the branches are counted one by one, or the whole is enumerated.
void Subproblems::divide(Frame& frame) {
    const auto branches = static_cast<double>(frame.branches.size());
    const auto options = static_cast<double>(frame.rest.options_of(frame.rest.shortest()).size());
    const double skipped = 1 - branches / options;
    const double saved = skipped + (1 - skipped) * level(frame.depth + 1).hit_rate();
    const bool worth = saved * frame.estimate > branches * form_work(frame.rest);
    if (!always_ && !worth) return enumerate_on(frame);
    frame.stage = Stage::adding;
    frame.engine = nullptr;
}

// Ends the subproblem at the top of the stack.
void Subproblems::finish(Natural total, double nodes) {
    Frame frame = std::move(stack_.back());
    stack_.pop_back();
    if (frame.keyed) table_.insert(std::move(frame.form), {total, nodes});
    deliver(std::move(total), nodes, frame.factors);
}

// Passes a number, times the factors, to the top of the stack.
void Subproblems::deliver(Natural value, double nodes, const std::vector<std::uint64_t>& factors) {
    if (!is_zero(value)) {
        for (const std::uint64_t factor : factors) multiply(value, factor);
    }
    nodes *= product_of(factors);
    if (stack_.empty()) {
        result_ = std::move(value);
        result_nodes_ = nodes;
        return;
    }
    Frame& top = stack_.back();
    if (top.stage == Stage::multiplying) {
        top.total = product(top.total, value);
        top.nodes *= nodes;
    } else {
        add(top.total, value);
        top.nodes += nodes;
    }
}

Natural Subproblems::found() const {
    if (stack_.empty()) return result_;
    Natural above;
    for (std::size_t place = stack_.size(); place-- > 0;) {
        const Frame& frame = stack_[place];
        if (frame.stage == Stage::multiplying) {
            // The product of all parts is known only when all but the last are.
            above = frame.next == frame.parts.size() ? product(frame.total, above) : Natural{};
        } else {
            add(above, frame.total);
            if (frame.engine != nullptr) add(above, {frame.engine->stats().solutions});
        }
        for (const std::uint64_t factor : frame.factors) multiply(above, factor);
    }
    return above;
}

double Subproblems::work_left(double represented, double all) noexcept {
    const auto done = static_cast<double>(work());
    const double lately = represented - represented_then_;
    const double rate =
        std::max(represented / std::max(done, 1.0), lately / std::max(done - work_then_, 1.0));
    work_then_ = done;
    represented_then_ = represented;
    return rate > 0 ? (all - represented) / rate : all;
}

double Subproblems::nodes_represented() const {
    if (stack_.empty()) return result_nodes_;
    double above = 0;
    for (std::size_t place = stack_.size(); place-- > 0;) {
        const Frame& frame = stack_[place];
        if (frame.stage != Stage::multiplying) {
            above += frame.nodes;
            if (frame.engine != nullptr) above += static_cast<double>(frame.engine->stats().nodes);
        } else if (frame.next == frame.parts.size()) {
            above *= frame.nodes;
        }
        above *= product_of(frame.factors);
    }
    return above;
}

}  // namespace dlx
