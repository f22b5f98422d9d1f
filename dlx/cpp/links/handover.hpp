// Decides when a `links` search leaves a subtree to `bits`, and runs `bits` on it.
//
// Making tables takes time, which only a long search recovers. The length of a search is not known
// beforehand, but one that has done some work is expected to do as much again. So a search begins
// with dancing links, and each time its work has grown by half it decides, by estimating the time
// that the work so far would have taken in each of these ways:
//
//   * with the tables of the whole problem, if they fit;
//   * with tables for each subtree at some depth. Its tables are smaller, so that each node takes
//     less time, but they have to be made for every such subtree. The search knows how many nodes
//     there are at each depth, and can estimate the sizes of the subproblems on its path;
//   * with links.
//
// If the whole problem's tables are best, `bits` continues the whole search at the current
// position. If subtrees of some depth are, `bits` continues the one in which the search is, and
// searches the others at that depth when the search comes to them, as long as their sizes promise
// the same. Subtrees of a learning search are not handed over, because weights belong to the items
// of the whole problem.
//
// The decisions depend on nodes and updates, never on the clock, and do not change any result:
// `bits` visits the same nodes in the same order. (Except for a learning search of a part that
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

// About how large a subproblem is: the one below the first `depth` decisions of a path.
struct Extent {
    std::size_t depth;
    double options;
    double items;
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
             std::shared_ptr<SharedTables> shared);

    // Hands the whole rest over once there has been `work` work, whatever it costs. For tests.
    static std::unique_ptr<Handover> of_all(std::shared_ptr<const Problem> problem,
                                            Heuristic heuristic,
                                            std::shared_ptr<SharedTables> shared,
                                            std::uint64_t work);

    // Hands over every subtree at this depth: from the beginning if `work` is `never`, otherwise
    // once there has been that much, beginning with the rest of the one the search is in. For
    // tests.
    static std::unique_ptr<Handover> of_subtrees(std::shared_ptr<const Problem> problem,
                                                 std::size_t depth, std::uint64_t work);

    // Hands over the whole rest or nothing. For benchmarks.
    void keep_subtrees() noexcept { keeps_subtrees_ = true; }

    static constexpr std::uint64_t never = ~std::uint64_t{0};
    static constexpr std::size_t all = 0;  // in place of a depth: the whole rest of the search

    // Must the search decide about a subtree at this depth? Called at every node.
    bool due(std::uint64_t work, std::size_t depth) const noexcept {
        return is_candidate(depth) || is_late(work);
    }
    // The work before which `due` is false at all depths; 0 if there is no such work.
    std::uint64_t next_decision() const noexcept {
        return depth_ == never && deeper_ == never ? next_check_ : 0;
    }
    // Is it time to look for the best depth?
    bool is_late(std::uint64_t work) const noexcept { return work >= next_check_; }
    // Might a subtree at this depth be handed over?
    bool is_candidate(std::size_t depth) const noexcept {
        return depth == depth_ || depth == deeper_;
    }

    // The depth at which `bits` should continue: `all`, one of `path`, or `never`. Of the nodes in
    // `stats`, links searched `small_nodes` in small subtrees, on words of bits.
    std::size_t look(const Stats& stats, std::uint64_t small_nodes, std::span<const Extent> path);

    // Is the subproblem at this node so small, and its subtree probably so large, that tables pay?
    // If not, subtrees one level deeper are considered as well.
    bool may_pay(const Stats& stats, const Extent& here);

    void take_all(std::span<const Int> given, const Position& position,
                  const Bits::Learned& learned);

    // Takes the subtree below `path`, whose subproblem is `left`. `below`: decisions that are taken
    // there already; the search goes on after them. Without them, the subtree is taken only if it
    // is worthwhile.
    void take_subtree(const Stats& stats, const Residue& left, std::span<const Int> given,
                      std::span<const Decision> path, std::span<const Decision> below);

    // Averages of the problem: entries with a primary item, and updates when links hide an option.
    double primary_per_option() const noexcept { return std::max(1.0, primary_per_option_); }
    double updates_per_option() const noexcept { return std::max(1.0, entries_per_option_ - 1); }

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
        next_check_ = first_check_;
        depth_ = first_check_ == never ? target_ : never;
        deeper_ = never;
        handed_over_ = false;
        looked_ = {};
    }

private:
    double links_node(double open_items) const;
    double bits_node(const BitsPlan& plan) const;
    BitsPlan plan_of(const Extent& extent) const;
    double saving(const Stats& stats, const BitsPlan& plan, const Extent& here) const;
    void add_work(Stats& stats);
    void pass_on(Found& found);

    std::shared_ptr<const Problem> problem_;
    Heuristic heuristic_ = Heuristic::mrv;
    std::shared_ptr<SharedTables> shared_;
    double primary_per_option_ = 1;
    double entries_per_option_ = 1;
    std::size_t depth_ = never;   // at which subtrees get their own tables
    std::size_t deeper_ = never;  // and where tables at that depth did not pay
    std::uint64_t first_check_ = 2000;
    std::uint64_t next_check_ = 2000;
    std::size_t target_ = never;  // depth_, in tests
    bool always_ = false;
    bool keeps_subtrees_ = false;
    std::unique_ptr<Bits> bits_;
    bool took_all_ = false;
    std::size_t base_ = 0;     // the depth of the root of bits_
    std::vector<Int> items_;   // numbers of its items in the whole problem; empty: the same
    std::vector<Int> prefix_;  // labels of the options above its root
    Found found_;
    Stats seen_;  // the part of bits_' statistics that has been added already
    // Of links, before anything was handed over, between the last two times that it looked; so the
    // first nodes, which have more updates, do not count for long.
    double updates_per_node_ = 0;
    double small_share_ = 0;  // of the nodes, those in small subtrees
    struct Looked {
        std::uint64_t nodes, updates, small_nodes;
    };
    Looked looked_{};  // the numbers at the last time
    bool handed_over_ = false;
};

}  // namespace dlx
