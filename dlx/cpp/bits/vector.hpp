// A vector of bytes, as wide as the registers of the current instruction set.
//
// Included only by the files that are compiled once for each SIMD level (bits/loop.hpp), inside the
// namespace of that level. `Vec` has the same operations everywhere. Without a known instruction
// set they are loops over 16 bytes, which compilers vectorize for the machine.
//
// The central operation is `counts_in_lanes<Bits>`. For each lane of 8, 16, 32 or 64 bits it puts
// (number of bits set) - 1 into the lowest byte of the lane, and 255 into all other bytes. So the
// smallest byte of the result belongs to the lane with the fewest bits; the count of an empty lane
// wraps to 255, so it is never the smallest. The lowest byte is the first one. `empty_lanes<Bits>`
// has ones in the lanes without bits.
//
// `less` subtracts and stops at 0. `keys` returns 16-bit numbers, each the smaller
// 256 * byte + place of two bytes: the least key of several vectors is the smallest byte with the
// first of its places. Names that end in 16 operate on pairs of bytes.
#pragma once

#include <cstdint>
#include <cstring>

#include "core/heuristic.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace dlx::DLX_BITS_LEVEL {

#if defined(__AVX2__)

struct Vec {
    static constexpr std::size_t size = 32;
    __m256i bits;

    DLX_INLINE static Vec load(const std::byte* from) {
        return {_mm256_load_si256(reinterpret_cast<const __m256i*>(from))};
    }
    DLX_INLINE static Vec load_unaligned(const std::byte* from) {
        return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))};
    }
    DLX_INLINE void store(std::byte* to) const {
        _mm256_store_si256(reinterpret_cast<__m256i*>(to), bits);
    }
    DLX_INLINE static Vec ones() { return {_mm256_set1_epi8(-1)}; }
    DLX_INLINE Vec without(Vec other) const { return {_mm256_andnot_si256(other.bits, bits)}; }
    DLX_INLINE Vec operator&(Vec other) const { return {_mm256_and_si256(bits, other.bits)}; }
    DLX_INLINE Vec operator|(Vec other) const { return {_mm256_or_si256(bits, other.bits)}; }
    DLX_INLINE Vec operator^(Vec other) const { return {_mm256_xor_si256(bits, other.bits)}; }
    DLX_INLINE static Vec zeros() { return {_mm256_setzero_si256()}; }
    DLX_INLINE Vec minus(Vec other) const { return {_mm256_sub_epi8(bits, other.bits)}; }
    DLX_INLINE Vec min(Vec other) const { return {_mm256_min_epu8(bits, other.bits)}; }
    DLX_INLINE static Vec splat(std::uint8_t byte) {
        return {_mm256_set1_epi8(static_cast<char>(byte))};
    }
    DLX_INLINE Vec plus(Vec other) const { return {_mm256_add_epi8(bits, other.bits)}; }
    DLX_INLINE Vec less(Vec other) const { return {_mm256_subs_epu8(bits, other.bits)}; }
    DLX_INLINE Vec equal(Vec other) const { return {_mm256_cmpeq_epi8(bits, other.bits)}; }
    DLX_INLINE static Vec splat16(std::uint16_t pair) {
        return {_mm256_set1_epi16(static_cast<short>(pair))};
    }
    DLX_INLINE Vec plus16(Vec other) const { return {_mm256_add_epi16(bits, other.bits)}; }
    DLX_INLINE Vec minus16(Vec other) const { return {_mm256_sub_epi16(bits, other.bits)}; }
    DLX_INLINE Vec min16(Vec other) const { return {_mm256_min_epu16(bits, other.bits)}; }
    DLX_INLINE Vec less16(Vec other) const { return {_mm256_subs_epu16(bits, other.bits)}; }
    DLX_INLINE Vec equal16(Vec other) const { return {_mm256_cmpeq_epi16(bits, other.bits)}; }
    DLX_INLINE Vec keys(Vec places) const {
        return {_mm256_min_epu16(_mm256_unpacklo_epi8(places.bits, bits),
                                 _mm256_unpackhi_epi8(places.bits, bits))};
    }
    DLX_INLINE std::uint16_t smallest_pair() const {
        const __m128i least =
            _mm_min_epu16(_mm256_castsi256_si128(bits), _mm256_extracti128_si256(bits, 1));
        return static_cast<std::uint16_t>(_mm_cvtsi128_si32(_mm_minpos_epu16(least)));
    }
    DLX_INLINE std::uint64_t nonzero_words() const {
        const __m256i zero = _mm256_cmpeq_epi64(bits, _mm256_setzero_si256());
        return static_cast<std::uint64_t>(_mm256_movemask_pd(_mm256_castsi256_pd(zero))) ^ 15U;
    }
    DLX_INLINE std::uint64_t bytes_equal(std::uint8_t value) const {
        const __m256i equal = _mm256_cmpeq_epi8(bits, _mm256_set1_epi8(static_cast<char>(value)));
        return static_cast<std::uint32_t>(_mm256_movemask_epi8(equal));
    }
    DLX_INLINE std::uint8_t smallest_byte() const {
        const __m128i least =
            _mm_min_epu8(_mm256_castsi256_si128(bits), _mm256_extracti128_si256(bits, 1));
        const __m128i pairs = _mm_min_epu8(least, _mm_srli_epi16(least, 8));
        return static_cast<std::uint8_t>(_mm_cvtsi128_si32(_mm_minpos_epu16(pairs)));
    }
    DLX_INLINE Vec bits_in_bytes() const { return counts_in_lanes<8>().minus(ones()); }
    DLX_INLINE std::int64_t sum_of_bytes() const {
        const __m256i sums = _mm256_sad_epu8(bits, _mm256_setzero_si256());
        const __m128i two =
            _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
        return _mm_cvtsi128_si64(_mm_add_epi64(two, _mm_unpackhi_epi64(two, two)));
    }
    template <int Bits>
    DLX_INLINE Vec empty_lanes() const {
        const __m256i zero = _mm256_setzero_si256();
        if constexpr (Bits == 8) return {_mm256_cmpeq_epi8(bits, zero)};
        if constexpr (Bits == 16) return {_mm256_cmpeq_epi16(bits, zero)};
        if constexpr (Bits == 32) return {_mm256_cmpeq_epi32(bits, zero)};
        return {_mm256_cmpeq_epi64(bits, zero)};
    }
    template <int Bits>
    DLX_INLINE Vec counts_in_lanes() const {
        const __m256i low = _mm256_set1_epi8(15);
        const __m256i table = _mm256_broadcastsi128_si256(
            _mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
        const __m256i bytes = _mm256_add_epi8(
            _mm256_shuffle_epi8(table, _mm256_and_si256(bits, low)),
            _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(bits, 4), low)));
        if constexpr (Bits == 8) return {_mm256_add_epi8(bytes, _mm256_set1_epi8(-1))};
        if constexpr (Bits == 64) {
            const __m256i sums = _mm256_sad_epu8(bytes, _mm256_setzero_si256());
            return {_mm256_or_si256(_mm256_add_epi64(sums, _mm256_set1_epi64x(-1)),
                                    _mm256_set1_epi64x(~std::int64_t{255}))};
        }
        const __m256i pairs = _mm256_maddubs_epi16(bytes, _mm256_set1_epi8(1));
        if constexpr (Bits == 16) {
            return {_mm256_or_si256(_mm256_add_epi16(pairs, _mm256_set1_epi16(-1)),
                                    _mm256_set1_epi16(~255))};
        }
        const __m256i fours = _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
        return {_mm256_or_si256(_mm256_add_epi32(fours, _mm256_set1_epi32(-1)),
                                _mm256_set1_epi32(~255))};
    }
};

#elif defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

// Vectors as GCC and Clang know them on every processor; NEON on ARM, for one.
struct Vec {
    static constexpr std::size_t size = 16;
    using Bytes [[gnu::vector_size(16)]] = std::uint8_t;
    using Pairs [[gnu::vector_size(16)]] = std::uint16_t;
    using Fours [[gnu::vector_size(16)]] = std::uint32_t;
    using Words [[gnu::vector_size(16)]] = std::uint64_t;
    using Half [[gnu::vector_size(8)]] = std::uint8_t;
    Bytes bits;

    DLX_INLINE static Vec load(const std::byte* from) {
        Vec result;
        std::memcpy(&result.bits, from, size);
        return result;
    }
    DLX_INLINE static Vec load_unaligned(const std::byte* from) { return load(from); }
    DLX_INLINE void store(std::byte* to) const { std::memcpy(to, &bits, size); }
    DLX_INLINE static Vec ones() { return {~Bytes{}}; }
    DLX_INLINE Vec without(Vec other) const { return {bits & ~other.bits}; }
    DLX_INLINE Vec operator&(Vec other) const { return {bits & other.bits}; }
    DLX_INLINE Vec operator|(Vec other) const { return {bits | other.bits}; }
    DLX_INLINE Vec operator^(Vec other) const { return {bits ^ other.bits}; }
    DLX_INLINE static Vec zeros() { return {Bytes{}}; }
    DLX_INLINE Vec minus(Vec other) const { return {bits - other.bits}; }
    DLX_INLINE Vec min(Vec other) const { return {bits < other.bits ? bits : other.bits}; }
    DLX_INLINE static Vec splat(std::uint8_t byte) { return {Bytes{} + byte}; }
    DLX_INLINE Vec plus(Vec other) const { return {bits + other.bits}; }
    DLX_INLINE Vec less(Vec other) const {
        return {bits - (bits < other.bits ? bits : other.bits)};
    }
    DLX_INLINE Vec equal(Vec other) const { return {reinterpret_cast<Bytes>(bits == other.bits)}; }
    DLX_INLINE static Vec splat16(std::uint16_t pair) { return of(Pairs{} + pair); }
    DLX_INLINE Vec plus16(Vec other) const { return of(pairs() + other.pairs()); }
    DLX_INLINE Vec minus16(Vec other) const { return of(pairs() - other.pairs()); }
    DLX_INLINE Vec min16(Vec other) const {
        return of(pairs() < other.pairs() ? pairs() : other.pairs());
    }
    DLX_INLINE Vec less16(Vec other) const { return minus16(min16(other)); }
    DLX_INLINE Vec equal16(Vec other) const {
        return of(reinterpret_cast<Pairs>(pairs() == other.pairs()));
    }
    DLX_INLINE Vec keys(Vec places) const {
        const Pairs low = (pairs() << 8) | (places.pairs() & 255);
        const Pairs high = (pairs() & 0xff00) | (places.pairs() >> 8);
        return of(low < high ? low : high);
    }
    DLX_INLINE std::uint16_t smallest_pair() const {
        const Pairs all = pairs();
        std::uint16_t least = all[0];
        for (std::size_t k = 1; k < size / 2; ++k) least = all[k] < least ? all[k] : least;
        return least;
    }
    DLX_INLINE std::uint64_t nonzero_words() const {
        const Words words = reinterpret_cast<Words>(bits);
        return (words[0] != 0 ? 1U : 0U) | (words[1] != 0 ? 2U : 0U);
    }
    DLX_INLINE std::uint64_t bytes_equal(std::uint8_t value) const {
        const Bytes weights = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
        const Bytes equal = reinterpret_cast<Bytes>(bits == value) & weights;
        const Words words = reinterpret_cast<Words>(equal);
        constexpr std::uint64_t each = 0x0101'0101'0101'0101;  // adds all bytes up in the highest
        return (words[0] * each >> 56) | (words[1] * each >> 56 << 8);
    }
    DLX_INLINE std::uint8_t smallest_byte() const {
        const Words words = reinterpret_cast<Words>(bits);
        std::uint64_t least = smaller(words[0], words[1]);
        least = smaller(least, least >> 32);
        least = smaller(least, least >> 16);
        return static_cast<std::uint8_t>(smaller(least, least >> 8));
    }
    DLX_INLINE Vec bits_in_bytes() const { return counts_in_lanes<8>().minus(ones()); }
    DLX_INLINE std::int64_t sum_of_bytes() const {
        const Pairs sums = (pairs() & 255) + (pairs() >> 8);
        const Words words = reinterpret_cast<Words>(sums);
        constexpr std::uint64_t each = 0x0001'0001'0001'0001;  // adds all pairs up in the highest
        return static_cast<std::int64_t>((words[0] + words[1]) * each >> 48);
    }
    template <int Bits>
    DLX_INLINE Vec empty_lanes() const {
        if constexpr (Bits == 8) return {reinterpret_cast<Bytes>(bits == 0)};
        if constexpr (Bits == 16) return {reinterpret_cast<Bytes>(pairs() == 0)};
        if constexpr (Bits == 32) {
            return {reinterpret_cast<Bytes>(reinterpret_cast<Fours>(bits) == 0)};
        }
        return {reinterpret_cast<Bytes>(reinterpret_cast<Words>(bits) == 0)};
    }
    template <int Bits>
    DLX_INLINE Vec counts_in_lanes() const {
        Bytes count = bits - ((bits >> 1) & 0x55);
        count = (count & 0x33) + ((count >> 2) & 0x33);
        count = (count + (count >> 4)) & 15;
        if constexpr (Bits == 8) return {count - 1};
        Pairs pairs = reinterpret_cast<Pairs>(count);
        pairs = (pairs + (pairs >> 8)) & 255;
        if constexpr (Bits == 16) return {reinterpret_cast<Bytes>((pairs - 1) | 0xff00)};
        Fours fours = reinterpret_cast<Fours>(pairs);
        fours = (fours + (fours >> 16)) & 255;
        if constexpr (Bits == 32) return {reinterpret_cast<Bytes>((fours - 1) | ~255U)};
        Words words = reinterpret_cast<Words>(fours);
        words = (words + (words >> 32)) & 255;
        return {reinterpret_cast<Bytes>((words - 1) | ~std::uint64_t{255})};
    }

private:
    DLX_INLINE Pairs pairs() const { return reinterpret_cast<Pairs>(bits); }
    DLX_INLINE static Vec of(Pairs pairs) { return {reinterpret_cast<Bytes>(pairs)}; }

    // The smaller of each pair of bytes.
    DLX_INLINE static std::uint64_t smaller(std::uint64_t a, std::uint64_t b) {
        Half x;
        Half y;
        std::memcpy(&x, &a, 8);
        std::memcpy(&y, &b, 8);
        const Half less = x < y ? x : y;
        std::uint64_t result;
        std::memcpy(&result, &less, 8);
        return result;
    }
};

#else

// The fallback without vector instructions.
struct Vec {
    static constexpr std::size_t size = 16;
    alignas(16) std::uint8_t byte[size];

    static Vec load(const std::byte* from) {
        Vec result;
        std::memcpy(result.byte, from, size);
        return result;
    }
    static Vec load_unaligned(const std::byte* from) { return load(from); }
    void store(std::byte* to) const { std::memcpy(to, byte, size); }

    template <class Operation>
    DLX_INLINE Vec with(const Vec& other, Operation operation) const {
        Vec result;
        for (std::size_t k = 0; k < size; ++k) {
            result.byte[k] = static_cast<std::uint8_t>(operation(byte[k], other.byte[k]));
        }
        return result;
    }
    static Vec ones() {
        Vec result;
        std::memset(result.byte, 255, size);
        return result;
    }
    Vec without(const Vec& other) const {
        return with(other, [](int a, int b) { return a & ~b; });
    }
    Vec operator&(const Vec& other) const {
        return with(other, [](int a, int b) { return a & b; });
    }
    Vec operator|(const Vec& other) const {
        return with(other, [](int a, int b) { return a | b; });
    }
    Vec operator^(const Vec& other) const {
        return with(other, [](int a, int b) { return a ^ b; });
    }
    static Vec zeros() { return Vec{}; }
    Vec minus(const Vec& other) const {
        return with(other, [](int a, int b) { return a - b; });
    }
    Vec min(const Vec& other) const {
        return with(other, [](int a, int b) { return a < b ? a : b; });
    }
    static Vec splat(std::uint8_t value) {
        Vec result;
        std::memset(result.byte, value, size);
        return result;
    }
    Vec plus(const Vec& other) const {
        return with(other, [](int a, int b) { return a + b; });
    }
    Vec less(const Vec& other) const {
        return with(other, [](int a, int b) { return a > b ? a - b : 0; });
    }
    Vec equal(const Vec& other) const {
        return with(other, [](int a, int b) { return a == b ? 255 : 0; });
    }
    template <class Operation>
    DLX_INLINE Vec with16(const Vec& other, Operation operation) const {
        Vec result;
        for (std::size_t k = 0; k < size; k += 2) {
            std::uint16_t a;
            std::uint16_t b;
            std::memcpy(&a, byte + k, 2);
            std::memcpy(&b, other.byte + k, 2);
            const auto c = static_cast<std::uint16_t>(operation(a, b));
            std::memcpy(result.byte + k, &c, 2);
        }
        return result;
    }
    static Vec splat16(std::uint16_t pair) {
        return Vec{}.with16(Vec{}, [pair](int, int) { return int{pair}; });
    }
    Vec plus16(const Vec& other) const {
        return with16(other, [](int a, int b) { return a + b; });
    }
    Vec minus16(const Vec& other) const {
        return with16(other, [](int a, int b) { return a - b; });
    }
    Vec min16(const Vec& other) const {
        return with16(other, [](int a, int b) { return a < b ? a : b; });
    }
    Vec less16(const Vec& other) const {
        return with16(other, [](int a, int b) { return a > b ? a - b : 0; });
    }
    Vec equal16(const Vec& other) const {
        return with16(other, [](int a, int b) { return a == b ? 0xffff : 0; });
    }
    Vec keys(const Vec& places) const {
        Vec result;
        for (std::size_t k = 0; k < size; k += 2) {
            const int low = byte[k] << 8 | places.byte[k];
            const int high = byte[k + 1] << 8 | places.byte[k + 1];
            const auto least = static_cast<std::uint16_t>(low < high ? low : high);
            std::memcpy(result.byte + k, &least, 2);
        }
        return result;
    }
    std::uint16_t smallest_pair() const {
        std::uint16_t least = 0xffff;
        for (std::size_t k = 0; k < size; k += 2) {
            std::uint16_t pair;
            std::memcpy(&pair, byte + k, 2);
            least = pair < least ? pair : least;
        }
        return least;
    }
    std::uint64_t nonzero_words() const {
        std::uint64_t word[2];
        std::memcpy(word, byte, size);
        return (word[0] != 0 ? 1U : 0U) | (word[1] != 0 ? 2U : 0U);
    }
    std::uint64_t bytes_equal(std::uint8_t value) const {
        std::uint64_t result = 0;
        for (std::size_t k = 0; k < size; ++k) {
            result |= std::uint64_t{byte[k] == value} << k;
        }
        return result;
    }
    std::uint8_t smallest_byte() const {
        std::uint8_t least = 255;
        for (const std::uint8_t value : byte) least = value < least ? value : least;
        return least;
    }
    std::int64_t sum_of_bytes() const {
        std::int64_t sum = 0;
        for (const std::uint8_t value : byte) sum += value;
        return sum;
    }
    Vec bits_in_bytes() const { return counts_in_lanes<8>().minus(ones()); }
    template <int Bits>
    Vec empty_lanes() const {
        Vec result;
        constexpr std::size_t width = Bits / 8;
        for (std::size_t lane = 0; lane < size; lane += width) {
            int any = 0;
            for (std::size_t k = 0; k < width; ++k) any |= byte[lane + k];
            std::memset(result.byte + lane, any == 0 ? 255 : 0, width);
        }
        return result;
    }
    template <int Bits>
    Vec counts_in_lanes() const {
        Vec result;
        for (std::size_t k = 0; k < size; ++k) {
            int count = byte[k];
            count = count - ((count >> 1) & 0x55);
            count = (count & 0x33) + ((count >> 2) & 0x33);
            result.byte[k] = static_cast<std::uint8_t>((count + (count >> 4)) & 15);
        }
        constexpr std::size_t width = Bits / 8;
        for (std::size_t lane = 0; lane < size; lane += width) {
            int sum = -1;
            for (std::size_t k = 0; k < width; ++k) sum += result.byte[lane + k];
            std::memset(result.byte + lane, 255, width);
            result.byte[lane] = static_cast<std::uint8_t>(sum);
        }
        return result;
    }
};

#endif

}  // namespace dlx::DLX_BITS_LEVEL
