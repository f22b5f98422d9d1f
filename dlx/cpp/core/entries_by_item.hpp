// Sorts the entries of a problem by item: the counting sort behind all lists of an item's options.
//
// A problem has its entries by option (core/problem.hpp). Most questions also need them by item:
//
//     option 0 = {a c}           item          a     b     c
//     option 1 = {b c}    ==>    begins at     0     2     4     6
//     option 2 = {a b}           options       0 2 | 1 2 | 0 1
//
// What each question keeps there differs: options and colors in lists that never change
// (core/active_options.hpp) or that get shorter (reduce/item_lists.hpp). So it fills its own
// arrays.
#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

#include "core/problem.hpp"

namespace dlx {

// Calls `put(place, option, entry)` for each entry, option by option: `place` is its place among
// the entries sorted by item. Returns where the places of each item begin, and at the end the
// number of entries. O(items + entries); polls for interrupts.
template <class Put>
std::vector<Int> entries_by_item(const Problem& problem, Put put) {
    const auto at = [](Int number) { return static_cast<std::size_t>(number); };
    std::vector<Int> next(at(problem.items) + 2, 0);
    PeriodicCheck periodic;
    for (const Int item : problem.item) {
        ++next[at(item) + 2];
        periodic.add(1);
    }
    std::partial_sum(next.begin(), next.end(), next.begin());
    for (Int option = 0; option < problem.options(); ++option) {
        for (Int entry = problem.start[at(option)]; entry < problem.start[at(option) + 1];
             ++entry) {
            // next[item + 1] moves from the item's first place to its end, where the next one
            // begins.
            const Int place = next[at(problem.item[at(entry)]) + 1]++;
            put(at(place), option, at(entry));
            periodic.add(1);
        }
    }
    next.pop_back();
    return next;
}

}  // namespace dlx
