// The loops of `SmallSearch`. The files that include this differ by the compiler's options only.
#pragma once

#include <bit>

#include "counting/small_search.hpp"

namespace dlx {
namespace {

template <std::size_t words>
using Bits = typename SmallMasks<words>::Bits;

template <std::size_t words>
inline int choose_item(const SmallMasks<words>& masks, const Bits<words>& active,
                       const Bits<words>& open, Bits<words>& choices) {
    int fewest = SmallMasks<words>::solved;
    for (std::size_t word = 0; word < words; ++word) {
        for (std::uint64_t left = open[word]; left != 0; left &= left - 1) {
            const std::size_t item = 64 * word + static_cast<std::size_t>(std::countr_zero(left));
            const std::uint64_t* const members = masks.options.members(static_cast<Int>(item));
            Bits<words> here;
            int count = 0;
            for (std::size_t part = 0; part < words; ++part) {
                here[part] = members[part] & active[part];
                count += std::popcount(here[part]);
            }
            if (count >= fewest) continue;
            if (count == 0) return 0;
            fewest = count;
            choices = here;
        }
    }
    return fewest;
}

template <std::size_t words>
std::uint64_t search_from(SmallMasks<words>& masks, const Bits<words>& active,
                          const Bits<words>& open) {
    if (++masks.nodes > masks.most) return 0;
    Bits<words> choices{};
    const int fewest = choose_item(masks, active, open, choices);
    if (fewest == 0) return 0;
    if (fewest == SmallMasks<words>::solved) return 1;
    std::uint64_t found = 0;
    for (std::size_t word = 0; word < words; ++word) {
        for (std::uint64_t left = choices[word]; left != 0; left &= left - 1) {
            const std::size_t option = 64 * word + static_cast<std::size_t>(std::countr_zero(left));
            const std::uint64_t* const clashes = masks.options.clashes(static_cast<Int>(option));
            Bits<words> fewer, still_open;
            for (std::size_t part = 0; part < words; ++part) {
                fewer[part] = active[part] & ~clashes[part];
                still_open[part] = open[part] & ~masks.covering[option][part];
            }
            found += static_cast<std::uint64_t>(masks.copies[option]) *
                     search_from(masks, fewer, still_open);
        }
    }
    return found;
}

template <std::size_t words>
SmallLoops<words> loops_here() noexcept {
    return {search_from<words>, choose_item<words>};
}

}  // namespace
}  // namespace dlx
