// How often the primary items of a problem may be covered, as counting by layers and diagrams
// need to know it.
//
// An item with an upper bound of 1 needs one bit in a state: is it covered? One with a higher bound
// needs a number: how often it is covered already. Numbers that leave the same choice for the
// options to come are made equal (`settled`), so that there are fewer states. Let r be what these
// options can add at most. Then
//
//     number + r < low                  there is no solution
//     low <= number <= high - r         the item excludes nothing any more: the number becomes low
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/problem.hpp"

namespace dlx {

struct BoundedItem {
    Int low = 1;
    Int high = 1;
    std::int64_t total = 0;  // what all options cover together

    // May several options cover the item? Then it needs a number, and not a bit.
    bool is_counted() const noexcept { return high > 1; }
    // Can all options be taken? Then the number stays at `low` when it gets there.
    bool is_unbounded() const noexcept { return high >= total; }
    bool is_free() const noexcept { return low == 0 && is_unbounded(); }
    // The largest number of a state.
    Int largest() const noexcept { return is_unbounded() ? low : high; }
    int bits() const noexcept {
        if (!is_counted()) return 1;
        return is_free() ? 0 : std::bit_width(static_cast<std::uint32_t>(largest()));
    }
};

// Of each primary item. O(entries).
inline std::vector<BoundedItem> bounded_items(const Problem& problem) {
    std::vector<BoundedItem> items(static_cast<std::size_t>(problem.primary));
    if (!problem.multiple()) return items;
    for (Int entry = 0; entry < problem.entries(); ++entry) {
        const Int item = problem.item[static_cast<std::size_t>(entry)];
        if (item >= problem.primary) continue;
        items[static_cast<std::size_t>(item)].total += problem.weight_of(entry);
    }
    for (std::size_t item = 0; item < items.size(); ++item) {
        BoundedItem& own = items[item];
        own.low = problem.low[item];
        const std::int64_t most = std::max<std::int64_t>({1, own.low, own.total});
        own.high = static_cast<Int>(std::min<std::int64_t>(problem.high[item], most));
    }
    return items;
}

}  // namespace dlx
