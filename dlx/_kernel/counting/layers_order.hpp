// In which order to pass through the primary items, so that few states lie between them.
//
// When the items up to some place in the order are covered, what is left depends only on which of
// the later items that share an option with the earlier ones are covered as well: the *frontier*.
//
//     passed         frontier      untouched
//     o  o  o  o  |  o  *  *  o  |  o  o  o         2^4 states at most
//
// So an order is judged by the sum of 2^(width of the frontier) over all places, each weighted by
// the options tried there. Tried are: the order of declaration, which people choose well; a walk
// by breadth from an item at the rim to its neighbours, those with few neighbours first (E. Cuthill
// and J. McKee 1969); and a greedy one, which passes next the item that brings the fewest new ones
// into the frontier. All counts are of work, not of time, so that the choice repeats.
#pragma once

#include <cstdint>
#include <vector>

#include "core/problem.hpp"

namespace dlx {

struct LayerOrder {
    std::vector<Int> items;  // all primary items, in the order in which they are passed
    double cost = 0;         // options tried, in all states that might be
    double widest = 0;       // bits of the widest frontier
    std::uint64_t work = 0;  // elementary steps that it took to find it
};

// The best order found with about so many steps of work; the order of declaration costs none.
LayerOrder best_order(const Problem& problem, std::uint64_t steps);

}  // namespace dlx
