// Counts of options for x86-64-v3, which counts the bits of a word by one instruction.
#include "minimum/item_counts_by_word.hpp"

namespace dlx {

void item_counts_v3(const ItemCounts& counts, const std::uint64_t* active, std::size_t words) {
    count_by_word(counts, active, words);
}

}  // namespace dlx
