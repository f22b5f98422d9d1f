// Chooses the order in which to pass through the primary items, so that there are few states.
//
// When the items up to some place in the order are covered, what is left depends only on which of
// the later items that share an option with the earlier ones are covered as well: the *frontier*.
//
//     passed         frontier      untouched
//     o  o  o  o  |  o  *  *  o  |  o  o  o         2^4 states at most
//
// So the cost of an order is the sum of 2^(width of the frontier) over all places, each weighted by
// the options tried there. Three kinds of order are tried: the order of declaration, which is often
// good; breadth-first search from an item at the border, neighbours with few neighbours first (E.
// Cuthill and J. McKee 1969); and a greedy order, whose next item is the one that brings the fewest
// new ones into the frontier. Items that touch more than half of the others come last in these
// orders. If there are such items, the orders are also tried with all items in their places: on a
// small board, the squares in the middle touch more than half of the others, too, and a sweep that
// leaves them out is far from narrow. The limit is on work, not on time, so the choice is
// reproducible.
//
// Diagrams with a fixed order use it as well: a narrow frontier means few subproblems.
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

// The best order found in about `steps` of work; for 0 steps, the order of declaration. That is
// always considered, in O(entries) more.
LayerOrder best_order(const Problem& problem, std::uint64_t steps);

}  // namespace dlx
