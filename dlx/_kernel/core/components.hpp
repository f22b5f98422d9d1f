// Splits what the givens leave of a problem into independent parts.
//
//     givens            what they leave                 its parts
//                       a---b   c---d---x               a---b      c---d---x
//     {e f}      ==>    |   |   |       |        ==>    |   |      |       |
//     {g x:A}           +---+   +-------+               +---+      +-------+
//
// Options that clash with a given are removed, and so are the items that the givens cover. Also
// removed are entries whose secondary item has the same color in a given, and secondary items that
// only one option uses. Items that options connect then form a part. Every combination of solutions
// of the parts is a solution of the whole, so the numbers of solutions multiply.
#pragma once

#include <span>
#include <vector>

#include "core/problem.hpp"

namespace dlx {

// The parts, each a problem of its own with items and options in the old order, without labels. A
// primary item without an option is a part by itself. No two givens may clash. O(entries + items).
std::vector<Problem> parts_of(const Problem& problem, std::span<const Int> given);

}  // namespace dlx
