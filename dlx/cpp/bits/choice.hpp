// The choice of an item after an option was taken: the result that every layout of a state returns
// (bits/layouts/), and helpers to compute it.
#pragma once

#include <bit>
#include <cstring>

#include "bits/task.hpp"
#include "bits/vector.hpp"

namespace dlx::DLX_BITS_LEVEL {

struct Choice {
    std::uint32_t count;  // live options of the item; `solved_for_good` if there is no item
    Int item;
};
constexpr std::uint32_t solved = 255;  // the smallest byte when there is no open item
constexpr std::uint32_t saturated = bits_saturated;
constexpr std::size_t bits_small_set = 64;  // bytes of a set whose options are not counted
constexpr std::uint32_t solved_for_good = 0xffff'ffff;

DLX_INLINE std::uint64_t word_at(const std::byte* from, std::size_t place) {
    std::uint64_t word;
    std::memcpy(&word, from + 8 * place, 8);
    return word;
}

DLX_INLINE int lowest(std::uint64_t bits) {
    return std::countr_zero(bits);
}

// to = from & ~gone; all have this number of bytes, of whole vectors.
DLX_INLINE void remove_bits(const std::byte* from, std::byte* to, const std::byte* gone,
                            std::size_t bytes) {
    for (std::size_t at = 0; at < bytes; at += Vec::size) {
        Vec::load(from + at).without(Vec::load(gone + at)).store(to + at);
    }
}

// The place of the first byte with this value. At least one of the vectors must have one.
template <class Counts>
DLX_INLINE std::size_t first_byte_equal(std::uint8_t value, std::size_t vectors, Counts counts) {
    constexpr std::size_t at_once = 64 / Vec::size;
    for (std::size_t v = 0;; v += at_once) {
        std::uint64_t equal = counts(v).bytes_equal(value);
        if constexpr (at_once > 1) {
            for (std::size_t k = 1; k < at_once && v + k < vectors; ++k) {
                equal |= counts(v + k).bytes_equal(value) << (k * Vec::size);
            }
        }
        if (equal != 0) return v * Vec::size + static_cast<std::size_t>(lowest(equal));
    }
}

}  // namespace dlx::DLX_BITS_LEVEL
