// Counts of options for x86-64-v4 with VPOPCNTDQ (AVX-512): eight items at once.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // in GCC 12's own header of AVX-512
#endif
#include <immintrin.h>

#include "minimum/item_counts.hpp"

namespace dlx {

void item_counts_v4(const ItemCounts& counts, const std::uint64_t* active, std::size_t words) {
    const __m512i minus_one = _mm512_set1_epi64(-1);
    for (std::size_t lane = 0; lane < counts.lanes; lane += ItemCounts::lanes_at_once) {
        __m512i count = _mm512_setzero_si512();
        __m512i first = minus_one;
        for (std::size_t word = words; word-- > 0;) {
            const __m512i left = _mm512_set1_epi64(static_cast<long long>(active[word]));
            const __m512i own = _mm512_and_si512(
                left, _mm512_loadu_si512(counts.members + word * counts.lanes + lane));
            count = _mm512_add_epi64(count, _mm512_popcnt_epi64(own));
            // The bits below the lowest one are those of own - 1 that own lacks.
            const __m512i below = _mm512_andnot_si512(own, _mm512_add_epi64(own, minus_one));
            const __m512i place = _mm512_add_epi64(
                _mm512_popcnt_epi64(below), _mm512_set1_epi64(static_cast<long long>(64 * word)));
            first = _mm512_mask_mov_epi64(first, _mm512_test_epi64_mask(own, own), place);
        }
        _mm512_storeu_si512(counts.count + lane, count);
        _mm512_storeu_si512(counts.first + lane, first);
    }
}

}  // namespace dlx
