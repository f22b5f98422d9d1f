// The cheapest solutions: branch and bound.
//
// What is asked for: the k cheapest solutions in order of cost, and of those that cost the same the
// ones that an ordinary search visits first. What finds them fast is another search: it branches
// where few *affordable* options are left, the cheapest first. So the work has stages:
//
//   pricing   prices of items that make a good lower bound (minimum/subgradient.hpp), once, at the
//   root passes    search for everything up to a cutoff a little above the bound. With a low cutoff
//             most options leave at once and the tree is tiny; if there are fewer than k solutions
//             up to there, the cutoff rises and the search begins anew, which costs little because
//             each pass is a few times the one before. As soon as there are k solutions, nothing
//             is wanted that is not cheaper than the k-th.
//   equals    the costs of the k cheapest are known now, and all solutions cheaper than the k-th
//             are, but perhaps not the right ones of those that cost as much as it does: one that
//             is visited earlier may have been refused. (If nothing of that cost was refused, all
//             is done.) One more pass looks for all that cost exactly so much.
//   ties      unless there are thousands of them. Then they are collected in the order of an
//             ordinary search until there are enough, which needs to know how many options each
//             item has left regardless of cost: plain cells and priced cells are led along the
//             same path.
//
// An ordinary search is also what puts the options of a solution, and solutions of equal cost, in
// order: `replay` walks down the tree to a solution that is known.
//
// The walks of passes and of equals may be shared by several threads (minimum/threads.hpp). They
// find the same costs: at the end of a pass, all that is cheaper than the k-th has been found,
// whoever was first. Which of those that cost as much were kept is chance, and is put right
// afterwards, as it is with one thread.
//
// (k-best as in Knuth's DLX5, TAOCP 7.2.2.1, Algorithms X$ and C$, which go through the tree once
// with a bound from fixed prices.)
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/engine.hpp"
#include "core/problem.hpp"

namespace dlx {

struct Costed {
    std::int64_t cost;
    std::vector<Int> options;  // given ones first; in search numbering
};

class MinimumSearch {
public:
    virtual ~MinimumSearch() = default;
    MinimumSearch() = default;
    MinimumSearch(const MinimumSearch&) = delete;
    MinimumSearch& operator=(const MinimumSearch&) = delete;

    // Searches until that time. Returns whether it has finished.
    virtual bool run(Clock::time_point until) = 0;
    virtual bool finished() const noexcept = 0;

    // The cheapest solutions so far, in order; once it has finished, the answer.
    virtual std::vector<Costed> best() = 0;

    // The cost of the cheapest so far.
    virtual std::optional<std::int64_t> best_cost() const = 0;

    // Every solution that is not among the best costs at least so much. Nothing as long as nothing
    // is known.
    virtual std::optional<std::int64_t> bound() const = 0;

    const Stats& stats() const noexcept { return stats_; }

protected:
    Stats stats_;
};

// How many threads may search while `run` runs, and how much work the first does before the others
// join, in what takes about ten nanoseconds (tests have them join at once). The answer does not
// depend on either.
struct Workers {
    std::size_t count = 1;
    std::uint64_t alone = 200'000;
};

// `cost`: of each option, in search numbering; the sum of their absolute values fits in 64 bits.
// `given`: options, no two of which clash. `k` is at least 1.
std::unique_ptr<MinimumSearch> make_minimum(std::shared_ptr<const Problem> problem,
                                            std::span<const std::int64_t> cost,
                                            std::span<const Int> given, std::uint64_t k,
                                            const Workers& workers);

}  // namespace dlx
