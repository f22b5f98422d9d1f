// A vector of 64 bytes for AVX-512 and AVX2, of 16 without them: those operations that
// bits/rounds/loop.hpp needs. With AVX-512, `bits_in_bytes` and `sum_of_bytes` count in words; with
// AVX2 no byte of a sum may be above 127.
#pragma once

#include "bits/vector.hpp"

namespace dlx::DLX_BITS_LEVEL {

#if defined(__AVX512F__)

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
    DLX_INLINE Vec512 bits_in_bytes() const { return {_mm512_popcnt_epi64(bits)}; }
    DLX_INLINE Vec512 plus(Vec512 other) const { return {_mm512_add_epi64(bits, other.bits)}; }
    DLX_INLINE std::int64_t sum_of_bytes() const { return _mm512_reduce_add_epi64(bits); }
};

// Three operands: a & ~b & ~c, a | (b & c), and a | (b & ~c).
DLX_INLINE Vec512 without_both(Vec512 a, Vec512 b, Vec512 c) {
    return {_mm512_ternarylogic_epi64(a.bits, b.bits, c.bits, 0x10)};
}
DLX_INLINE Vec512 or_both(Vec512 a, Vec512 b, Vec512 c) {
    return {_mm512_ternarylogic_epi64(a.bits, b.bits, c.bits, 0xF8)};
}
DLX_INLINE Vec512 or_without(Vec512 a, Vec512 b, Vec512 c) {
    return {_mm512_ternarylogic_epi64(a.bits, b.bits, c.bits, 0xF4)};
}

#else

#if defined(__AVX2__)

struct Vec512 {
    static constexpr std::size_t size = 64;
    Vec low;
    Vec high;

    DLX_INLINE static Vec512 load(const std::byte* from) {
        return {Vec::load(from), Vec::load(from + Vec::size)};
    }
    DLX_INLINE void store(std::byte* to) const {
        low.store(to);
        high.store(to + Vec::size);
    }
    DLX_INLINE static Vec512 zeros() { return {Vec::zeros(), Vec::zeros()}; }
    DLX_INLINE Vec512 operator&(Vec512 other) const { return {low & other.low, high & other.high}; }
    DLX_INLINE Vec512 operator|(Vec512 other) const { return {low | other.low, high | other.high}; }
    DLX_INLINE Vec512 operator^(Vec512 other) const { return {low ^ other.low, high ^ other.high}; }
    DLX_INLINE Vec512 without(Vec512 other) const {
        return {low.without(other.low), high.without(other.high)};
    }
    DLX_INLINE std::uint64_t nonzero_words() const {
        return low.nonzero_words() | high.nonzero_words() << (Vec::size / 8);
    }
    DLX_INLINE Vec512 bits_in_bytes() const { return {low.bits_in_bytes(), high.bits_in_bytes()}; }
    DLX_INLINE Vec512 plus(Vec512 other) const {
        return {low.plus(other.low), high.plus(other.high)};
    }
    DLX_INLINE std::int64_t sum_of_bytes() const { return low.plus(high).sum_of_bytes(); }
};

#else

using Vec512 = Vec;

#endif

// Three operands: a & ~b & ~c, a | (b & c), and a | (b & ~c).
DLX_INLINE Vec512 without_both(Vec512 a, Vec512 b, Vec512 c) {
    return a.without(b).without(c);
}
DLX_INLINE Vec512 or_both(Vec512 a, Vec512 b, Vec512 c) {
    return a | (b & c);
}
DLX_INLINE Vec512 or_without(Vec512 a, Vec512 b, Vec512 c) {
    return a | b.without(c);
}

#endif

}  // namespace dlx::DLX_BITS_LEVEL
