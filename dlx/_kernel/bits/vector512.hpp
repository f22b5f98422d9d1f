// A vector of 64 bytes, for AVX-512: those operations that bits/rounds_loop.hpp needs.
#pragma once

#include "bits/vector.hpp"

namespace dlx::DLX_BITS_LEVEL {

struct Vec512 {
    static constexpr std::size_t size = 64;
    __m512i bits;

    DLX_INLINE static Vec512 load(const std::byte* from) { return {_mm512_load_si512(from)}; }
    DLX_INLINE void store(std::byte* to) const { _mm512_store_si512(to, bits); }
    DLX_INLINE static Vec512 zeros() { return {_mm512_setzero_si512()}; }
    DLX_INLINE Vec512 operator&(Vec512 other) const { return {_mm512_and_si512(bits, other.bits)}; }
    DLX_INLINE Vec512 operator|(Vec512 other) const { return {_mm512_or_si512(bits, other.bits)}; }
    DLX_INLINE Vec512 operator^(Vec512 other) const { return {_mm512_xor_si512(bits, other.bits)}; }
    DLX_INLINE Vec512 without(Vec512 other) const {
        return {_mm512_andnot_si512(other.bits, bits)};
    }
    DLX_INLINE std::uint64_t nonzero_words() const { return _mm512_test_epi64_mask(bits, bits); }
    // The number of bits in each word.
    DLX_INLINE Vec512 counts() const { return {_mm512_popcnt_epi64(bits)}; }
    DLX_INLINE Vec512 plus_words(Vec512 other) const {
        return {_mm512_add_epi64(bits, other.bits)};
    }
    DLX_INLINE std::uint64_t sum_of_words() const {
        return static_cast<std::uint64_t>(_mm512_reduce_add_epi64(bits));
    }
};

// Three operands in one instruction: a & ~b & ~c, a | (b & c), and a & (b | c).
DLX_INLINE Vec512 without_both(Vec512 a, Vec512 b, Vec512 c) {
    return {_mm512_ternarylogic_epi64(a.bits, b.bits, c.bits, 0x10)};
}
DLX_INLINE Vec512 or_both(Vec512 a, Vec512 b, Vec512 c) {
    return {_mm512_ternarylogic_epi64(a.bits, b.bits, c.bits, 0xF8)};
}
DLX_INLINE Vec512 and_either(Vec512 a, Vec512 b, Vec512 c) {
    return {_mm512_ternarylogic_epi64(a.bits, b.bits, c.bits, 0xE0)};
}

}  // namespace dlx::DLX_BITS_LEVEL
