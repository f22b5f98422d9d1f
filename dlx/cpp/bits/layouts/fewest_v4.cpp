// FewOptionsTable::fewest for x86-64-v4 with VPOPCNTDQ (AVX-512): eight items at once.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // in GCC 12's own header of AVX-512
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#include <immintrin.h>

#include <cstring>

#include "bits/task.hpp"

namespace dlx {
namespace {

template <std::size_t words>
std::uint32_t fewest(const FewOptionsTable& table, const std::byte* live, Int,
                     std::uint64_t& left) {
    __m512i word[words];
    for (std::size_t at = 0; at < words; ++at) {
        long long bits;
        std::memcpy(&bits, live + 8 * at, 8);
        word[at] = _mm512_set1_epi64(bits);
    }
    const std::uint64_t* column = table.columns;
    left = 0;
    __m512i least = _mm512_set1_epi64(-1);
    __m512i places = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    for (std::size_t group = 0; group < table.groups; ++group, column += 8 * words) {
        __m512i count = _mm512_setzero_si512();
        for (std::size_t at = 0; at < words; ++at) {
            const __m512i own = _mm512_and_si512(_mm512_load_si512(column + 8 * at), word[at]);
            count = _mm512_add_epi64(count, _mm512_popcnt_epi64(own));
        }
        const __mmask8 some = _mm512_test_epi64_mask(count, count);
        left |= static_cast<std::uint64_t>(some) << (8 * group);
        const __m512i keys = _mm512_add_epi64(_mm512_slli_epi64(count, 8), places);
        least = _mm512_mask_min_epu64(least, some, least, keys);
        places = _mm512_add_epi64(places, _mm512_set1_epi64(8));
    }
    return static_cast<std::uint32_t>(_mm512_reduce_min_epu64(least)) - 256;
}

}  // namespace

const FewOptionsTable::Fewest fewest_v4[] = {fewest<1>, fewest<2>, fewest<3>, fewest<4>,
                                             fewest<5>, fewest<6>, fewest<7>, fewest<8>};

}  // namespace dlx
