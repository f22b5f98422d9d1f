// FewOptionsTable::fewest for x86-64-v3 (AVX2): four items at once.
#include <immintrin.h>

#include <bit>
#include <cstring>

#include "bits/task.hpp"

namespace dlx {
namespace {

inline __m256i load(const std::uint64_t* from) {
    return _mm256_load_si256(reinterpret_cast<const __m256i*>(from));
}

inline std::uint64_t nonzero(__m256i words) {
    const __m256i zero = _mm256_cmpeq_epi64(words, _mm256_setzero_si256());
    return static_cast<std::uint64_t>(_mm256_movemask_pd(_mm256_castsi256_pd(zero))) ^ 15U;
}

inline __m256i bits_in_bytes(__m256i bits) {
    const __m256i low = _mm256_set1_epi8(15);
    const __m256i table =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
    return _mm256_add_epi8(
        _mm256_shuffle_epi8(table, _mm256_and_si256(bits, low)),
        _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(bits, 4), low)));
}

template <std::size_t words>
std::uint32_t fewest(const FewOptionsTable& table, const std::byte* live, Int open,
                     std::uint64_t& left) {
    __m256i word[words];
    for (std::size_t at = 0; at < words; ++at) {
        long long bits;
        std::memcpy(&bits, live + 8 * at, 8);
        word[at] = _mm256_set1_epi64x(bits);
    }
    const std::uint64_t* column = table.columns;
    left = 0;
    for (std::size_t group = 0; group < table.groups; ++group, column += 8 * words) {
        __m256i low = _mm256_setzero_si256();
        __m256i high = _mm256_setzero_si256();
        for (std::size_t at = 0; at < words; ++at) {
            low = _mm256_or_si256(low, _mm256_and_si256(load(column + 8 * at), word[at]));
            high = _mm256_or_si256(high, _mm256_and_si256(load(column + 8 * at + 4), word[at]));
        }
        left |= (nonzero(low) | nonzero(high) << 4) << (8 * group);
    }
    if (std::popcount(left) != open) return 0;
    column = table.columns;
    __m256i least = _mm256_set1_epi8(-1);
    __m256i places = _mm256_set_epi64x(3 - 256, 2 - 256, 1 - 256, -256);
    const auto offer = [&](__m256i counts) {
        const __m256i count = _mm256_sad_epu8(counts, _mm256_setzero_si256());
        const __m256i keys = _mm256_add_epi16(_mm256_slli_epi64(count, 8), places);
        least = _mm256_min_epu16(least, keys);
        places = _mm256_add_epi16(places, _mm256_set1_epi64x(4));
    };
    for (std::size_t group = 0; group < table.groups; ++group, column += 8 * words) {
        __m256i low = _mm256_setzero_si256();
        __m256i high = _mm256_setzero_si256();
        for (std::size_t at = 0; at < words; ++at) {
            const __m256i first = _mm256_and_si256(load(column + 8 * at), word[at]);
            const __m256i second = _mm256_and_si256(load(column + 8 * at + 4), word[at]);
            low = _mm256_add_epi8(low, bits_in_bytes(first));
            high = _mm256_add_epi8(high, bits_in_bytes(second));
        }
        offer(low);
        offer(high);
    }
    const __m128i pairs =
        _mm_min_epu16(_mm256_castsi256_si128(least), _mm256_extracti128_si256(least, 1));
    return static_cast<std::uint16_t>(_mm_cvtsi128_si32(_mm_minpos_epu16(pairs)));
}

}  // namespace

const FewOptionsTable::Fewest fewest_v3[] = {fewest<1>, fewest<2>, fewest<3>, fewest<4>,
                                             fewest<5>, fewest<6>, fewest<7>, fewest<8>};

}  // namespace dlx
