// The loop of the `rounds` engine, for any processor.
#define DLX_BITS_LEVEL plain
#include "bits/rounds/loop.hpp"

namespace dlx {
BitsStop rounds_plain(RoundsTask& task, RoundsEntry entry) {
    return plain::run_rounds(task, entry);
}
}  // namespace dlx
