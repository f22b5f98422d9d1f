// The body of item_counts_plain and item_counts_v3, which only the compiler's options tell apart.
#pragma once

#include <bit>

#include "minimum/item_counts.hpp"

namespace dlx {
namespace {

inline void count_by_word(const ItemCounts& counts, const std::uint64_t* active,
                          std::size_t words) {
    for (std::size_t lane = 0; lane < counts.lanes; ++lane) {
        counts.count[lane] = 0;
        counts.first[lane] = ItemCounts::no_option;
    }
    for (std::size_t word = words; word-- > 0;) {
        const std::uint64_t left = active[word];
        if (left == 0) continue;
        const std::uint64_t* const members = counts.members + word * counts.lanes;
        for (std::size_t lane = 0; lane < counts.lanes; ++lane) {
            const std::uint64_t own = members[lane] & left;
            if (own == 0) continue;
            counts.count[lane] += static_cast<std::uint64_t>(std::popcount(own));
            counts.first[lane] = 64 * word + static_cast<std::uint64_t>(std::countr_zero(own));
        }
    }
}

}  // namespace
}  // namespace dlx
