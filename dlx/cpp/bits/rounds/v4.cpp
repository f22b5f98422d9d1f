// The loop of the `rounds` engine, for x86-64-v4 with VPOPCNTDQ (AVX-512).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // in GCC 12's own header of AVX-512
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
#define DLX_BITS_LEVEL v4
#include "bits/rounds/loop.hpp"

namespace dlx {
BitsStop rounds_v4(RoundsTask& task, RoundsEntry entry) {
    return v4::run_rounds(task, entry);
}
}  // namespace dlx
