// Splits what the givens leave of a problem into independent parts.
//
//     givens            what they leave                 its parts
//                       a---b   c---d---x               a---b      c---d---x
//     {e f}      ==>    |   |   |       |        ==>    |   |      |       |
//     {g x:A}           +---+   +-------+               +---+      +-------+
//
// Options that clash with a given are removed, and so are the items that the givens cover. Also
// removed are entries whose secondary item has the same color in a given, and secondary items that
// only one option uses. A search of the whole goes through each part as a search of the part does.
// Items that options connect then form a part. Every combination of solutions of the parts is a
// solution of the whole, so the numbers of solutions multiply.
//
// With multiplicities, the givens reduce the bounds of the items. For a count (`for_count`), an
// item that all options which are left may cover together is removed: it excludes nothing. An
// option that loses all its primary items that way gets a new one with the bounds 0 and 1. One that
// has no item left is a *free* option: it may be in a solution or not, and doubles the number of
// solutions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/problem.hpp"

namespace dlx {

struct Parts {
    std::vector<Problem> problems;
    std::uint64_t free_options = 0;
};

// The parts, each a problem of its own with items and options in the old order. A primary item
// without an option that needs one is a part by itself. The options keep the labels that they have
// in the whole. No two givens may clash. O(entries + items).
Parts parts_of(const Problem& problem, std::span<const Int> given, bool for_count);

}  // namespace dlx
