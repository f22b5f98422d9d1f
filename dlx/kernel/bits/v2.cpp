// The loops of the `bits` engine for x86-64-v2 (SSE4); see bits/loop.hpp.
#define DLX_BITS_LEVEL v2
#include "bits/loop.hpp"

namespace dlx {
const BitsLoops bits_v2 = {"v2", v2::Vec::size, v2::run};
}
