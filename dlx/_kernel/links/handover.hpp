// Decides when a `links` search leaves a subtree to `bits`, and runs `bits` on it.
//
// Making tables takes time, which only a long search recovers. The length of a search is not known
// beforehand, but one that has done some work is expected to do as much again. So a search begins
// with dancing links, and each time its work has doubled it decides:
//
//   * If the tables of the whole problem fit, and would cost no more than a few times the work so
//     far, it makes them, and `bits` continues the whole search at the current position.
//   * If the problem is too large, or so sparse that links have little work at each node, it
//   chooses
//     a depth at which subtrees are large enough, by the average so far, to pay for their own
//     tables. From then on, `bits` searches the subtrees at that depth whose tables fit. Weighted
//     searches do not do this, because weights belong to the items of the whole problem.
//
// The decisions depend on nodes and updates, never on the clock, and do not change any result:
// `bits` visits the same nodes in the same order. (Except for a weighted search of a part that
// another engine has begun: see core/engine.hpp.)
//
// Problems with multiplicities are handed over in the same way.
#pragma once

#include <algorithm>
#include <memory>
#include <new>
#include <vector>

#include "bits/bits.hpp"

namespace dlx {

// The subproblem that a search has left.
struct Residue {
    std::vector<Int> items;    // open primary items, ascending
    std::vector<Int> lengths;  // how many options each of them has
    std::vector<Int> options;  // live options, ascending
    std::vector<Int> low;      // how often each of the items must still be covered at least,
    std::vector<Int> high;     // and at most; both empty if that is once for all of them
};

// The tables that all searches of a problem share.
class SharedTables {
public:
    virtual ~SharedTables() = default;
    SharedTables() = default;
    SharedTables(const SharedTables&) = delete;
    SharedTables& operator=(const SharedTables&) = delete;

    // The tables of the whole problem, made at the first call, and their plan.
    virtual std::shared_ptr<const BitsTables> tables() = 0;
    virtual const BitsPlan& plan() = 0;
    // The work that searches have done with links because there were no tables yet.
    virtual std::uint64_t credit() const noexcept = 0;
};

// Do options clash with enough others that taking the first few would already hand the search over
// to `bits`? Then links need not be made at all.
bool dense_from_the_start(const Problem& problem, const BitsPlan& plan);

class Handover {
public:
    Handover(std::shared_ptr<const Problem> problem, Heuristic heuristic,
             std::shared_ptr<SharedTables> shared)
        : problem_(std::move(problem)), heuristic_(heuristic), shared_(std::move(shared)) {}

    // Hands the whole rest over once there has been `work` work, whatever it costs. For tests.
    Handover(std::shared_ptr<const Problem> problem, Heuristic heuristic,
             std::shared_ptr<SharedTables> shared, std::uint64_t work)
        : problem_(std::move(problem)),
          heuristic_(heuristic),
          shared_(std::move(shared)),
          next_check_(work),
          always_(true) {}

    // Hands over every subtree at this depth, except in a weighted search. For tests.
    Handover(std::shared_ptr<const Problem> problem, std::size_t depth)
        : problem_(std::move(problem)), depth_(depth), next_check_(never), always_(true) {}

    // Hands over the whole rest or nothing. For benchmarks.
    void keep_subtrees() noexcept { keeps_subtrees_ = true; }

    // Must `hand_over` decide about a subtree at this depth? Called at every node.
    bool due(std::uint64_t work, std::size_t depth) const noexcept {
        return depth == depth_ || work >= next_check_;
    }

    // Decides about the subtree below an option that was just taken. Afterwards, if `busy`, it is
    // being searched here; if `took_all`, all that is left of the search is. `position`, `learned`
    // and `residue` are functions that return the search's position, its weights, and the
    // subproblem at this node.
    template <class MakePosition, class MakeLearned, class MakeResidue>
    void decide(const Stats& stats, std::span<const Int> given, std::size_t depth,
                MakePosition position, MakeLearned learned, MakeResidue residue) {
        if (stats.nodes + stats.updates >= next_check_ && look(stats)) {
            take_all(given, position(), learned());
        } else if (depth == depth_) {
            const Residue left = residue();
            if (worthwhile(left, stats)) take_residue(left, given, position(), depth);
        }
    }

    bool took_all() const noexcept { return took_all_; }
    bool busy() const noexcept { return bits_ != nullptr && !bits_->finished(); }

    // Continues the search, and adds its work to the statistics.
    Outcome run(const Quota& quota, Stats& stats) {
        found_.clear();
        // `bits_` has counted seen_.nodes of all those in `stats`.
        const std::uint64_t nodes = quota.nodes - std::min(quota.nodes, stats.nodes - seen_.nodes);
        const Outcome outcome = bits_->run(
            {quota.solutions, quota.until, quota.found != nullptr ? &found_ : nullptr, nodes});
        add_work(stats);
        if (quota.found != nullptr) pass_on(*quota.found);
        return outcome;
    }

    // What is left of the search if it `took_all`, otherwise what is left of the subtree; then the
    // path begins at the root of the subtree. Call it only if busy.
    std::optional<Position> position();

    // Hands nothing over for the rest of this search, because memory ran out.
    void give_up() noexcept;

    void drop() {
        if (bits_ != nullptr) bits_->rewind();
    }

    // Resets for another search.
    void reset() {
        drop();
        took_all_ = false;
        if (always_) return;
        depth_ = never;
        next_check_ = first_check;
    }

private:
    static constexpr std::uint64_t never = ~std::uint64_t{0};
    static constexpr std::uint64_t first_check = 2000;

    bool look(const Stats& stats);
    bool worthwhile(const Residue& left, const Stats& stats) const;
    void take_all(std::span<const Int> given, const Position& position,
                  const Bits::Learned& learned);
    void take_residue(const Residue& left, std::span<const Int> given, const Position& position,
                      std::size_t depth);
    void add_work(Stats& stats);
    void pass_on(Found& found);

    std::shared_ptr<const Problem> problem_;
    Heuristic heuristic_ = Heuristic::mrv;
    std::shared_ptr<SharedTables> shared_;
    std::size_t depth_ = never;  // at which subtrees get their own tables
    std::uint64_t next_check_ = first_check;
    bool always_ = false;
    bool keeps_subtrees_ = false;
    std::unique_ptr<Bits> bits_;
    bool took_all_ = false;
    std::size_t base_ = 0;     // the depth of the root of bits_
    std::vector<Int> items_;   // numbers of its items in the whole problem; empty: the same
    std::vector<Int> prefix_;  // labels of the options above its root
    Found found_;
    Stats seen_;  // the part of bits_' statistics that has been added already
};

}  // namespace dlx
