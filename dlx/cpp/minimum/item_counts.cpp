// Chooses the function that counts options; see minimum/item_counts.hpp.
#include "minimum/item_counts.hpp"

#include <string_view>

#include "bits/tables.hpp"
#include "minimum/item_counts_by_word.hpp"

namespace dlx {

void item_counts_plain(const ItemCounts& counts, const std::uint64_t* active, std::size_t words) {
    count_by_word(counts, active, words);
}

ItemCounts::Function choose_item_counts() {
#if defined(DLX_BITS_X86)
    const std::string_view level = bits_loops().name;
    if (level == "v4") return item_counts_v4;
    if (level != "plain") return item_counts_v3;
#endif
    return item_counts_plain;
}

}  // namespace dlx
