// What the givens leave of a problem, taken apart.
//
//     givens            what they leave                 its parts
//                       a---b   c---d---x               a---b      c---d---x
//     {e f}      ==>    |   |   |       |        ==>    |   |      |       |
//     {g x:A}           +---+   +-------+               +---+      +-------+
//
// An option that clashes with a given is gone, and so are the items that the givens cover. An
// entry whose secondary item the givens have in the same color says nothing any more, nor does a
// secondary item that a single option uses. What then hangs together through the options is a part:
// a solution of the whole is a solution of each part, in every combination, so that the numbers of
// solutions multiply.
#pragma once

#include <span>
#include <vector>

#include "core/problem.hpp"

namespace dlx {

// The parts, each a problem of its own with items and options in the old order, without labels. A
// primary item without an option is a part by itself. No two givens may clash. O(entries + items).
std::vector<Problem> parts_of(const Problem& problem, std::span<const Int> given);

}  // namespace dlx
