// Counts the options that are left to each item, where options are bits.
//
// Word k of `active` has the options 64 k to 64 k + 63, and `members[k * lanes + i]` has a bit for
// each of them that covers item i. So for each word, the items are side by side, and a processor
// with wide registers counts for several of them at once.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dlx {

struct ItemCounts {
    static constexpr std::size_t lanes_at_once = 8;  // the number of lanes is a multiple of it
    static constexpr std::uint64_t no_option = ~std::uint64_t{0};

    const std::uint64_t* members;
    std::size_t lanes;
    std::uint64_t* count;  // of each item: how many options are left,
    std::uint64_t* first;  // and the first of them, or no_option

    using Function = void (*)(const ItemCounts& counts, const std::uint64_t* active,
                              std::size_t words);
};

// The fastest of the functions that follow, for the processor and $DLX_SIMD.
ItemCounts::Function choose_item_counts();

void item_counts_plain(const ItemCounts& counts, const std::uint64_t* active, std::size_t words);
void item_counts_v4(const ItemCounts& counts, const std::uint64_t* active, std::size_t words);

}  // namespace dlx
