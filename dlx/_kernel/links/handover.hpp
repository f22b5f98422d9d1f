// When a `links` search leaves a subtree to `bits`, and the subtree it has left.
//
// Tables cost time to make, and only a search that goes on for long pays it back. How long a search
// will go on nobody knows; but one that has done some work may be expected to do as much again. So
// a search begins with dancing links, and looks up each time its work has doubled:
//
//   * If the tables of the whole problem fit, and would cost no more than a few times the work done
//     so far, they are made, and `bits` takes the whole search over, there where it is.
//   * If the problem is too large, or so sparse that links do little at each node, the depth is
//     sought at which subtrees are long enough, by the average so far, to be worth tables of their
//     own; from there on, those that fit get them. Not in a weighted search, whose weights go by
//     the items of the whole problem.
//
// All this goes by nodes and updates, never by the clock, and nothing of it can be seen from
// outside: `bits` goes through the same nodes in the same order. (But for a weighted search of a
// part that another engine has begun: see core/engine.hpp.)
#pragma once

#include <algorithm>
#include <memory>
#include <new>
#include <vector>

#include "bits/bits.hpp"

namespace dlx {

// What a search has left to do, and what it has done to get there.
struct Residue {
    std::vector<Int> items;    // open primary items, ascending
    std::vector<Int> lengths;  // how many options each of them has
    std::vector<Int> options;  // live options, ascending
};

// What the searches of a problem have in common.
class SharedTables {
public:
    virtual ~SharedTables() = default;
    SharedTables() = default;
    SharedTables(const SharedTables&) = delete;
    SharedTables& operator=(const SharedTables&) = delete;

    // The tables of the whole problem, made when they are first asked for, and what they would be.
    virtual std::shared_ptr<const BitsTables> tables() = 0;
    virtual const BitsPlan& plan() = 0;
    // Work that searches have done with links, because there were no tables yet.
    virtual std::uint64_t credit() const noexcept = 0;
};

// Are there so many options in each other's way that taking the first few would cost links as much
// work as makes `bits` take over? Then links need not be laid at all.
bool dense_from_the_start(const Problem& problem, const BitsPlan& plan);

class Handover {
public:
    Handover(std::shared_ptr<const Problem> problem, Heuristic heuristic,
             std::shared_ptr<SharedTables> shared)
        : problem_(std::move(problem)), heuristic_(heuristic), shared_(std::move(shared)) {}

    // Hands all that is left over once there has been so much work, whatever it costs. For tests.
    Handover(std::shared_ptr<const Problem> problem, Heuristic heuristic,
             std::shared_ptr<SharedTables> shared, std::uint64_t work)
        : problem_(std::move(problem)),
          heuristic_(heuristic),
          shared_(std::move(shared)),
          next_look_(work),
          always_(true) {}

    // Hands every subtree at this depth over, but none of a weighted search. For tests.
    Handover(std::shared_ptr<const Problem> problem, std::size_t depth)
        : problem_(std::move(problem)), depth_(depth), next_look_(never), always_(true) {}

    // Is there something to decide about a subtree at this depth? Asked at every node.
    bool due(std::uint64_t work, std::size_t depth) const noexcept {
        return depth == depth_ || work >= next_look_;
    }

    // Decides about the subtree below an option that was just taken; afterwards, if `busy`, it is
    // being searched here, or if `took_all`, it and all that is left of the search. `position`: a
    // function that tells where the search is, `learned`: one that tells what it knows, `residue`:
    // and one for what is left there.
    template <class MakePosition, class MakeLearned, class MakeResidue>
    void decide(const Stats& stats, std::span<const Int> given, std::size_t depth,
                MakePosition position, MakeLearned learned, MakeResidue residue) {
        if (stats.nodes + stats.updates >= next_look_ && look(stats)) {
            take_all(given, position(), learned());
        } else if (depth == depth_) {
            const Residue left = residue();
            if (worthwhile(left, stats)) take_residue(left, given, position(), depth);
        }
    }

    bool took_all() const noexcept { return took_all_; }
    bool busy() const noexcept { return bits_ != nullptr && !bits_->finished(); }

    // Searches on, and adds to the statistics what this has done.
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

    // What is left of all, or, if the rest is not here, of the subtree: its path begins at the root
    // of the subtree then. Only if busy.
    std::optional<Position> position();

    // Nothing is handed over any more in this search: there is no memory for it.
    void give_up() noexcept;

    void drop() {
        if (bits_ != nullptr) bits_->rewind();
    }

    // Another search begins.
    void reset() {
        drop();
        took_all_ = false;
        if (always_) return;
        depth_ = never;
        next_look_ = first_look;
    }

private:
    static constexpr std::uint64_t never = ~std::uint64_t{0};
    static constexpr std::uint64_t first_look = 2000;

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
    std::size_t depth_ = never;  // at which subtrees get tables of their own
    std::uint64_t next_look_ = first_look;
    bool always_ = false;
    std::unique_ptr<Bits> bits_;
    bool took_all_ = false;
    std::size_t base_ = 0;     // the depth of the root of bits_
    std::vector<Int> items_;   // what its items are in the whole problem, unless it has them all
    std::vector<Int> prefix_;  // labels of the options above it that it does not know of
    Found found_;
    Stats seen_;  // of bits_, as far as it has been added
};

}  // namespace dlx
