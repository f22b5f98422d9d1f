// The cheapest solutions: branch and bound.
//
// The result is the k cheapest solutions in order of cost; of solutions with the same cost, those
// that an ordinary search visits first. A different search finds them faster: it branches on the
// item with the fewest *affordable* options, the cheapest option first. So the work has stages
// (minimum/stage.hpp), each of which makes the one that follows:
//
//   diving    looks for a first solution by an ordinary search, briefly (minimum/dives.hpp); for a
//             cheap cover by local search (minimum/local_search.hpp).
//   pricing   computes prices of items that give a good lower bound, once, at the root
//             (minimum/pricing.hpp).
//   passes    search for all solutions up to a cutoff a little above the bound
//             (minimum/passes.hpp). With a low cutoff most options are removed at once and the tree
//             is tiny. If there are fewer than k solutions, the cutoff is raised and the search
//             restarts, which costs little because each pass takes a few times as long as the one
//             before. As soon as there are k solutions, the cutoff is below the cost of the k-th.
//             Now and then, the search looks for cheaper solutions by local search, which knows
//             the prices then, and near the cheapest one known, or for a first one by dives if
//             there is none (minimum/improvement.hpp). Such solutions are
//             *incumbents*. Solutions that cost as much as the k-th are kept, too, since one of
//             them may be visited earlier, unless there are more than a few. Then the search is
//             finished.
//   equals    If there were more, the costs of the k cheapest are known, and all solutions cheaper
//             than the k-th, but not all that cost as much. One more pass searches for all
//             solutions of exactly that cost (minimum/ties.hpp). If any order will do, there is no
//             such pass.
//   ties      If there are thousands of these, they are collected in the order of an ordinary
//             search until there are enough (minimum/ties_in_order.hpp). If `equals` takes long,
//             this is done beside it, alternating.
//   ordering  puts the answer into the order of an ordinary search (minimum/ordering.hpp).
//
// Beside the walks of passes and of equals, an ordinary search visits all solutions: alternating
// with them once they have taken the time that it is expected to take, else for a twentieth of the
// time after the first seconds. If it comes to its end first, it has the answer
// (minimum/walking_stage.hpp).
//
// The options of a solution, and solutions of equal cost, are also put in the order of an ordinary
// search (minimum/visiting_order.hpp), which replays the path to a known solution.
//
// Several threads may share the walks of passes and of equals (minimum/threads.hpp). They find the
// same costs: at the end of a pass, all solutions cheaper than the k-th have been found, whichever
// thread was first. Which solutions of the k-th's cost were kept depends on timing; `equals` and
// `ties` correct that, as with one thread.
//
// (For k-best see also Knuth's DLX5, TAOCP 7.2.2.1, Algorithms X$ and C$, which search the tree
// once with a bound from fixed prices.)
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
    // The branches of an ordinary search that lead to the solution: options, or `no_more`.
    std::vector<Int> visit{};
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

    // The cheapest solutions so far, in order; once it has finished, the answer. Before, those
    // whose place in the order is not computed by that time are the last of those that cost as
    // much.
    virtual std::vector<Costed> best(Clock::time_point until) = 0;

    // The cost of the cheapest so far.
    virtual std::optional<std::int64_t> best_cost() const = 0;

    // A lower bound on the cost of every solution that is not among the best; nullopt while there
    // is none.
    virtual std::optional<std::int64_t> bound() const = 0;

    // The state of the search as integers (see minimum/saved_state.hpp): what is known, and what is
    // left. A search of the same problem, costs and options continues from there. Without it: the
    // work, and prices.
    virtual std::vector<std::int64_t> save() = 0;

    // Continues from a state; call it before the first `run`. Throws std::invalid_argument if the
    // state is not valid.
    virtual void restore(std::span<const std::int64_t> state) = 0;

    // Tells a solution that was found elsewhere, with the given options: others need not be
    // searched that are not cheaper. A search may ignore it.
    virtual void offer(std::int64_t, std::vector<Int>) {}

    // Has the search ended without an answer?
    virtual bool given_up() const noexcept { return false; }

    const Stats& stats() const noexcept { return stats_; }

protected:
    Stats stats_;
};

struct MinimumOptions {
    std::uint64_t k = 1;      // how many solutions; at least 1
    bool any_order = false;   // may any of the solutions of equal cost be returned, in any order?
    std::size_t workers = 1;  // how many threads may search during `run`,
    std::uint64_t alone = 200'000;  // and how much work the first does before the others start, in
                                    // units of about 10 ns. With 0, prices are fixed in small
                                    // subtrees, too. The result depends on neither.
};

// `cost`: of each option, in search numbering; the sum of their absolute values fits in 64 bits.
// `given`: options, no two of which clash.
std::unique_ptr<MinimumSearch> make_minimum(std::shared_ptr<const Problem> problem,
                                            std::span<const std::int64_t> cost,
                                            std::span<const Int> given,
                                            const MinimumOptions& options);

}  // namespace dlx
