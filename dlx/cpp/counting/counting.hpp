// Counting solutions: by enumeration, or by layers or by subproblems where that is less work.
//
// Which is less work is not known beforehand, so all are tried, and the work of each is counted:
//
//   1. An engine enumerates. Small problems are finished before anything else begins.
//   2. If the problem splits into independent parts, each part is counted by itself; the numbers
//      multiply. A part is made simpler if much of it can be removed (reduce/reduction.hpp); it
//      may split again. If the frontier in the order of declaration is narrow, the layers get a
//      twentieth of the work so far: in that order they are often finished at once.
//   3. Random probes estimate the size of the search tree (estimate/tree_size.hpp). The layers
//      (counting/layers.hpp) get a fiftieth of the estimated work of enumeration.
//   4. Isomorphic subproblems are counted once (counting/subproblems.hpp). They get as much. If
//      they represent clearly more of the tree than enumeration would visit in the same time, they
//      replace it; they share the time with the layers, unless these are expected to be faster.
//   5. A second enumeration, whose heuristic learns, gets a fiftieth of the work as well. If it has
//      much less of its tree left, by the solutions and the part of the tree that both have done in
//      their last stretches, it gets twice its work so far, and is compared again.
//   6. If all that was not enough, the layers have an estimate of their remaining work now. They
//      continue if it is clearly less than the remaining work of enumeration. Otherwise enumeration
//      continues, and the decision is repeated whenever its nodes have doubled.
//
// The caller may enumerate in parallel (`shared`): then a count stops where it would enumerate for
// long, returns what is to be enumerated, and continues when the caller reports the progress.
//
// If the system has no memory for layers or subproblems, enumeration continues if the probes expect
// that to take a minute at most. Otherwise `run` throws std::bad_alloc.
//
// So a method that does not pay costs a few percent of the whole, and enumeration that does not pay
// costs a few milliseconds. A unit of work takes about a nanosecond, but work is counted, not
// measured: a repeated count makes the same decisions.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "counting/enumeration.hpp"
#include "counting/layers.hpp"
#include "counting/subproblems.hpp"
#include "engines/engines.hpp"

namespace dlx {

// Of counting by subproblems: those looked up, those of them that were known, and options that were
// not taken because another one of their orbit was.
struct SubproblemTally {
    std::uint64_t lookups = 0;
    std::uint64_t hits = 0;
    std::uint64_t skipped = 0;
};

// How to count: as described above; without subproblems; or (for tests and measurements) by one
// method from the beginning.
enum class CountStrategy : std::uint8_t {
    automatic,
    without_symmetry,
    by_layers,
    by_subproblems,
    by_learning
};

inline bool is_automatic(CountStrategy strategy) noexcept {
    return strategy == CountStrategy::automatic || strategy == CountStrategy::without_symmetry;
}

// What is to be enumerated: a problem, the givens, and the position to begin at.
struct Listing {
    std::shared_ptr<const Problem> problem;
    std::shared_ptr<Engines> engines;
    std::vector<Int> given;
    Position begin;
};

// Counts the solutions of a part of a problem, or of all of it: divides the work among the methods.
class PartCount {
public:
    // Counts all that is `listed`. `limit`: counting may stop there. `shared`: the caller
    // enumerates, except for the beginning.
    PartCount(const Listing& listed, const EngineChoice& choice, std::uint64_t limit,
              std::size_t memory, CountStrategy strategy, bool shared);

    // Continues until a time. `enough`: the caller must call `set_problem` before the next `run`.
    Outcome run(Clock::time_point until);

    // Before the first `run`: the part is what enumeration of a larger one was not finished with.
    void set_simplified() noexcept { simplified_ = true; }
    // Sets the problem of the part, for methods other than enumeration.
    void set_problem(std::shared_ptr<const Problem> part) { part_ = std::move(part); }

    // Where the caller's enumeration begins when `run` stops with `spent`, and the number of nodes
    // after which it reports back. Nodes searched here are not counted.
    std::optional<Position> position() { return enumeration_.position(); }
    std::uint64_t nodes_for_others() const;
    // `stats` are those of all the caller's work so far.
    void report(const Stats& stats, bool finished);

    Natural found() const;  // so far, or all
    std::uint64_t work_for_reducing() const;
    void add_stats(Stats& stats) const;
    void add_tally(SubproblemTally& tally) const;
    // Elementary steps of all kinds so far, for tests of how long a call of `run` lasts.
    std::uint64_t work() const;

private:
    enum class Step : std::uint8_t {
        beginning,         // enumeration, before anything else
        problem_needed,    // from the caller
        planning_layers,   // their order and plan
        probing,           // of the tree
        layers,            // for a while
        subproblems,       // for a while
        enumerating,       // for a while
        only_enumerating,  // to the end
        finished
    };

    bool caller_enumerates() const noexcept {
        return shared_ && (step_ == Step::enumerating || step_ == Step::only_enumerating);
    }
    bool may_use_subproblems() const noexcept {
        return strategy_ == CountStrategy::automatic && !part_->multiple();
    }
    // The steps. `enough`: another step is next.
    Outcome enumerate(Clock::time_point until);
    Outcome learn(Clock::time_point until);
    Outcome use_other_method(Clock::time_point until);
    void plan_layers(LayerOrder order);
    Outcome probe(Clock::time_point until);
    Outcome run_layers(Clock::time_point until);
    Outcome run_subproblems(Clock::time_point until);
    // The decisions.
    void enumerate_longer_or(double for_entry, Step next);
    void prepare();
    bool try_declared_order();
    void leave_declared_order();
    void make_subproblems();
    bool choose_subproblems();
    double turn_of_layers(double left) const;
    void choose_method();
    bool learning_is_due();
    void set_learned_quota();
    double part_done(const Enumeration& enumeration) const;
    double counted_entries() const;

    Listing listed_;
    EngineChoice choice_;
    Enumeration enumeration_;
    std::optional<Enumeration> learned_;  // by a heuristic that learns
    Pace pace_, learned_pace_;
    double learned_quota_ = 0;         // of work
    std::uint64_t learned_nodes_ = 0;  // up to which it is running now; 0: it is not
    bool may_learn_;
    bool interrupted_ = false;  // has `enumerate` been, before its quota was used up?
    std::size_t entries_;
    std::uint64_t limit_;
    std::size_t memory_;
    CountStrategy strategy_;
    bool shared_;
    bool simplified_ = false;
    bool short_of_memory_ = false;  // there was none for layers or subproblems
    Step step_;
    std::uint64_t node_quota_;     // of enumeration
    bool saw_declared_ = false;    // has the order of declaration been tried?
    bool tries_declared_ = false;  // is it being tried?
    std::shared_ptr<const Problem> part_;
    LayerOrder order_;
    std::unique_ptr<TreeProbes> probes_;  // while they are being made
    std::unique_ptr<Layers> layers_;
    std::uint64_t layer_quota_ = 0;  // of work
    std::unique_ptr<Subproblems> subproblems_;
    std::uint64_t subproblem_quota_ = 0;  // of work
    std::uint64_t preparing_ = 0;         // work of orders, plans and probes so far
};

class Counting {
public:
    // `given`: options, no two of which clash. `memory`: bytes for remembering.
    Counting(std::shared_ptr<const Problem> problem, std::shared_ptr<Engines> engines,
             const EngineChoice& choice, std::span<const Int> given, std::uint64_t limit,
             std::size_t memory, CountStrategy strategy, bool shared);

    // Continues until a time. `spent` (only if `shared`): the caller must enumerate a part now.
    Outcome run(Clock::time_point until);
    bool finished() const noexcept { return finished_; }

    std::size_t part() const noexcept { return opened_; }  // the number of the current part
    std::optional<Listing> listing();                      // for the caller
    std::uint64_t nodes_for_others() const {
        return part_ == nullptr ? 0 : part_->nodes_for_others();
    }
    void report(const Stats& stats, bool finished) {
        if (part_ != nullptr) part_->report(stats, finished);
    }

    // Numbers whose product is the number of solutions found so far.
    std::vector<Natural> factors() const;
    Stats stats() const;
    SubproblemTally tally() const;
    // Elementary steps of all kinds so far.
    std::uint64_t work() const;

private:
    struct Waiting {
        Problem problem;
        bool simplified;
    };

    void open(std::shared_ptr<const Problem> problem, std::shared_ptr<Engines> engines,
              std::vector<Int> given);
    std::optional<Problem> simpler(const Problem& part) const;
    void split();
    void close_part();
    void next_part();

    std::shared_ptr<const Problem> problem_;
    EngineChoice choice_;
    std::vector<Int> given_;
    std::uint64_t limit_;
    std::size_t memory_;
    CountStrategy strategy_;
    bool shared_;
    Listing searched_;                 // what the engine of the current part searches
    std::unique_ptr<PartCount> part_;  // the current part; at first the whole problem
    std::vector<Waiting> waiting_;     // parts to be counted after it
    std::vector<Natural> done_;        // the numbers of solutions of the parts before it
    Natural seen_;                     // solutions of the whole problem found before it was split
    Stats stats_;                      // of parts that are done
    SubproblemTally tally_;            // of these parts
    std::uint64_t work_ = 0;           // on these parts, and on splitting
    bool was_split_ = false;           // has the problem been split, or made simpler?
    bool simplified_ = false;          // is the current part what `simpler` has made?
    std::size_t opened_ = 0;
    bool finished_ = false;
};

}  // namespace dlx
