// The loop of the `rounds` engine, for x86-64-v3 (AVX2).
#define DLX_BITS_LEVEL v3
#include "bits/rounds/loop.hpp"

namespace dlx {
BitsStop rounds_v3(RoundsTask& task, RoundsEntry entry) {
    return v3::run_rounds(task, entry);
}
}  // namespace dlx
