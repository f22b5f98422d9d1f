// Chooses the function that counts options; see minimum/item_counts.hpp.
#include "minimum/item_counts.hpp"

#include <bit>
#include <string_view>

#include "bits/tables.hpp"

namespace dlx {

void item_counts_plain(const ItemCounts& counts, const std::uint64_t* active, std::size_t words) {
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

ItemCounts::Function choose_item_counts() {
#if defined(DLX_BITS_X86)
    if (std::string_view(bits_loops().name) == "v4") return item_counts_v4;
#endif
    return item_counts_plain;
}

}  // namespace dlx
