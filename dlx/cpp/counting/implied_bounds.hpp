// Bounds that follow from the items that are covered exactly once.
//
// Let the options of a few items be disjoint, and together be all options that cover some item that
// must be covered exactly once (a *cell*). If each option of item i covers k_i cells, and c_i is
// how often i is covered, every solution has
//
//     k_1 c_1 + k_2 c_2 + ... = the number of cells
//
// So dominoes on a board of 100 cells are 50 in every tiling, and of five kinds of tetrominoes, the
// number of the last follows from those of the others. From this equation and the bounds of the
// other items follow bounds of each item. An item whose own bounds are no tighter excludes nothing
// and is removed; then a problem may have no multiplicities any more. If the bounds contradict each
// other, there is no solution.
#pragma once

#include <optional>

#include "core/problem.hpp"

namespace dlx {

// A problem with as many solutions and tighter bounds or fewer items, or nullopt if none was found.
// O(entries + items with bounds x options).
std::optional<Problem> with_implied_bounds(const Problem& problem);

}  // namespace dlx
