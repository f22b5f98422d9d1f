// The cheapest solutions of a problem whose options fall into parts that have nothing in common.
//
// The costs of parts add up, so each part is searched by itself. And the k best solutions of the
// whole consist of solutions that are among the k best of their parts: a part's decisions come in
// the same order whatever the search does in other parts in between, so exchanging one part's
// solution for a better one gives a better whole. (Better: cheaper, or of equal cost and earlier
// in visiting order.)
//
// The lists of the parts are joined one after another. The i-th of one list and the j-th of the
// other are not better than i * j pairs, so pairs with i * j > k are left out.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "minimum/minimum.hpp"

namespace dlx {

// A part of a problem, as a problem of its own.
struct ProblemPart {
    std::shared_ptr<const Problem> problem;
    std::vector<Int> option;  // the number of each of its options in the whole problem
};

// The parts of what the givens leave, with items and options in the old order; residual bounds. At
// most one part means that the problem is best searched as a whole. O(entries + items).
std::vector<ProblemPart> minimum_parts(const Problem& problem, std::span<const Int> given);

using MakeMinimum = std::function<std::unique_ptr<MinimumSearch>(
    std::shared_ptr<const Problem> problem, std::span<const std::int64_t> cost)>;

// The search of the whole. `make` makes the searches of the parts.
std::unique_ptr<MinimumSearch> make_minimum_of_parts(std::shared_ptr<const Problem> problem,
                                                     std::span<const std::int64_t> cost,
                                                     std::span<const Int> given,
                                                     const MinimumOptions& options,
                                                     std::vector<ProblemPart> parts,
                                                     MakeMinimum make);

}  // namespace dlx
