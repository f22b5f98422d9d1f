// When a `links` search leaves a subtree to `bits`, and the subtree it has left.
//
// Tables cost time to make, and only a search that goes on for long pays it back. How long a search
// will go on nobody knows; but one that has done some work may be expected to do as much again. So
// a search begins with dancing links, and looks up each time its work has doubled:
//
//   * If the tables of the whole problem fit, and would cost no more than a few times the work done
//     so far, they are made, and from there on every subtree is searched with them.
//   * If the problem is too large, or so sparse that links do little at each node, the depth is
//     sought at which subtrees are long enough, by the average so far, to be worth tables of their
//     own; from there on, those that fit get them. Not in a weighted search, whose weights go by
//     the items of the whole problem.
//
// All this goes by nodes and updates, never by the clock, and nothing of it can be seen from
// outside: `bits` goes through the same nodes in the same order.
#pragma once

#include <memory>
#include <vector>

#include "bits.hpp"

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

class Handover {
public:
    Handover(std::shared_ptr<const Problem> problem, Heuristic heuristic,
             std::shared_ptr<SharedTables> shared)
        : problem_(std::move(problem)), heuristic_(heuristic), shared_(std::move(shared)) {}

    // Hands every subtree at this depth over, but none of a weighted search. For tests.
    Handover(std::shared_ptr<const Problem> problem, std::size_t depth)
        : problem_(std::move(problem)), depth_(depth), next_look_(never), always_(true) {}

    // Is there something to decide about a subtree at this depth? Asked at every node.
    bool due(std::uint64_t work, std::size_t depth) const noexcept {
        return tables_ != nullptr || depth == depth_ || work >= next_look_;
    }

    // Decides; afterwards, if `busy`, the subtree is being searched here. `path`: the options that
    // lead to it, givens included; `residue`: a function that makes one.
    template <class MakeResidue>
    void decide(const Stats& stats, std::span<const Int> path, std::size_t depth,
                MakeResidue residue) {
        if (tables_ == nullptr && stats.nodes + stats.updates >= next_look_) look(stats);
        if (tables_ != nullptr) return begin(tables_, path, path);
        if (depth != depth_) return;
        const Residue left = residue();
        if (!worthwhile(left, stats)) return;
        begin(std::make_shared<const BitsTables>(*problem_, BitsPart{left.items, left.options}), {},
              path);
    }

    // A weighted search goes on with its weights: see Bits::share.
    void share(Weights& weights, std::span<const Int> blamed) { bits_->share(weights, blamed); }

    bool busy() const noexcept { return bits_ != nullptr && !bits_->finished(); }

    // Searches on, and adds to the statistics what this has done, `depth` levels further down.
    Outcome run(const Quota& quota, Stats& stats, std::size_t depth) {
        found_.clear();
        const Outcome outcome =
            bits_->run({quota.solutions, quota.until, quota.found != nullptr ? &found_ : nullptr});
        add_work(stats, depth);
        if (quota.found != nullptr) pass_on(*quota.found);
        return outcome;
    }

    // Nothing is handed over any more in this search: there is no memory for it.
    void give_up() noexcept;

    void drop() {
        if (bits_ != nullptr) bits_->rewind();
    }

    // Another search begins.
    void reset() {
        drop();
        if (always_) return;
        depth_ = never;
        next_look_ = first_look;
    }

private:
    static constexpr std::uint64_t never = ~std::uint64_t{0};
    static constexpr std::uint64_t first_look = 2000;
    // In units of work, each of which takes links about 3 nanoseconds.
    static constexpr std::uint64_t build_base = 5000;
    static constexpr std::uint64_t build_bytes_per_unit = 2;

    void look(const Stats& stats);
    bool worthwhile(const Residue& left, const Stats& stats) const;
    void begin(std::shared_ptr<const BitsTables> tables, std::span<const Int> given,
               std::span<const Int> path);
    void add_work(Stats& stats, std::size_t depth);
    void pass_on(Found& found);

    std::shared_ptr<const Problem> problem_;
    Heuristic heuristic_ = Heuristic::mrv;
    std::shared_ptr<SharedTables> shared_;
    std::shared_ptr<const BitsTables> tables_;  // of the whole problem, once they are in use
    std::size_t depth_ = never;                 // at which subtrees get tables of their own
    std::uint64_t next_look_ = first_look;
    bool always_ = false;
    std::unique_ptr<Bits> bits_;
    std::shared_ptr<const BitsTables> in_use_;  // by bits_
    std::vector<Int> prefix_;                   // labels of the path that are not givens of bits_
    Found found_;
    Stats seen_;  // of bits_, as far as it has been added
};

}  // namespace dlx
