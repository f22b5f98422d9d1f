// A vector of 64 bytes: those operations that bits/rounds/loop.hpp needs, for AVX-512 and AVX2.
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
    // The number of bits in each word.
    DLX_INLINE Vec512 counts() const { return {_mm512_popcnt_epi64(bits)}; }
    DLX_INLINE Vec512 plus_words(Vec512 other) const {
        return {_mm512_add_epi64(bits, other.bits)};
    }
    DLX_INLINE std::uint64_t sum_of_words() const {
        return static_cast<std::uint64_t>(_mm512_reduce_add_epi64(bits));
    }
};

// Three operands: a & ~b & ~c, a | (b & c), a | (b & ~c), and a & (b | c).
DLX_INLINE Vec512 without_both(Vec512 a, Vec512 b, Vec512 c) {
    return {_mm512_ternarylogic_epi64(a.bits, b.bits, c.bits, 0x10)};
}
DLX_INLINE Vec512 or_both(Vec512 a, Vec512 b, Vec512 c) {
    return {_mm512_ternarylogic_epi64(a.bits, b.bits, c.bits, 0xF8)};
}
DLX_INLINE Vec512 or_without(Vec512 a, Vec512 b, Vec512 c) {
    return {_mm512_ternarylogic_epi64(a.bits, b.bits, c.bits, 0xF4)};
}
DLX_INLINE Vec512 and_either(Vec512 a, Vec512 b, Vec512 c) {
    return {_mm512_ternarylogic_epi64(a.bits, b.bits, c.bits, 0xE0)};
}

#else

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
    // The number of bits in each word.
    DLX_INLINE Vec512 counts() const { return {counts(low), counts(high)}; }
    DLX_INLINE Vec512 plus_words(Vec512 other) const {
        return {{_mm256_add_epi64(low.bits, other.low.bits)},
                {_mm256_add_epi64(high.bits, other.high.bits)}};
    }
    DLX_INLINE std::uint64_t sum_of_words() const {
        const __m256i four = _mm256_add_epi64(low.bits, high.bits);
        const __m128i two =
            _mm_add_epi64(_mm256_castsi256_si128(four), _mm256_extracti128_si256(four, 1));
        return static_cast<std::uint64_t>(
            _mm_cvtsi128_si64(_mm_add_epi64(two, _mm_unpackhi_epi64(two, two))));
    }

private:
    DLX_INLINE static Vec counts(Vec half) {
        return {_mm256_sad_epu8(half.bits_in_bytes().bits, _mm256_setzero_si256())};
    }
};

// Three operands: a & ~b & ~c, a | (b & c), a | (b & ~c), and a & (b | c).
DLX_INLINE Vec512 without_both(Vec512 a, Vec512 b, Vec512 c) {
    return a.without(b).without(c);
}
DLX_INLINE Vec512 or_both(Vec512 a, Vec512 b, Vec512 c) {
    return a | (b & c);
}
DLX_INLINE Vec512 or_without(Vec512 a, Vec512 b, Vec512 c) {
    return a | b.without(c);
}
DLX_INLINE Vec512 and_either(Vec512 a, Vec512 b, Vec512 c) {
    return a & (b | c);
}

#endif

}  // namespace dlx::DLX_BITS_LEVEL
