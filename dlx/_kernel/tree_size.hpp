// How large is the search tree? Knuth's estimate, by random probes.
//
// A probe goes down from the root: the item with the fewest options is branched on, as in a search,
// and one of its options is taken at random. If the branchings on the way are d1, d2, ..., then
// 1 + d1 + d1 d2 + ... has the size of the tree as its mean, and the same product at a solution, or
// 0 at a dead end, the number of solutions. The mean of all probes is wanted, but single probes can
// be far above it; of the means of a few groups the median is taken, which errs on the low side.
//
// Source: D. E. Knuth, "Estimating the efficiency of backtrack programs", Math. Comp. 29 (1975).
#pragma once

#include <cstdint>

#include "problem.hpp"

namespace dlx {

struct TreeSize {
    double nodes = 0;
    double solutions = 0;
    std::uint64_t steps = 0;  // entries looked at
};

// Makes probes, the same ones each time, until so many steps have been spent, but at most 800.
TreeSize estimate_tree(const Problem& problem, std::uint64_t steps);

}  // namespace dlx
