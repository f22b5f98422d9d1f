// Chooses an order of the primary items for diagrams, in which the frontier stays narrow.
//
// When options are chosen for one item after another in a fixed order, the subproblems met after
// some of the items differ only in the *frontier*: the items that are not yet swept but share an
// option with one that is, and so may be covered already. With f of them there are at most 2^f
// subproblems. On a board of squares, swept row by row, the frontier is a row; swept at random it
// is soon the whole board.
//
// The best order is hard to find (its width is the graph's vertex separation number). A few orders
// are tried, and the one with the least sum of 2^f is chosen:
//
//   * as declared, which is often good;
//   * greedily, from an item with few neighbours: next comes the item of the frontier that brings
//     the fewest new ones into it, the oldest there on a tie;
//   * greedily, from where the first sweep ended.
//
// Secondary items count in the frontier, from the first option with them to the last.
#pragma once

#include <vector>

#include "core/problem.hpp"

namespace dlx {

// O(the sum of the squares of the options' lengths + items x frontier); for problems where that is
// too much, the declared order.
std::vector<Int> narrow_order(const Problem& problem);

}  // namespace dlx
