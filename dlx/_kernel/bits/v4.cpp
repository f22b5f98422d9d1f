// The loops of the `bits` engine for x86-64-v4 (AVX-512); see bits/loop.hpp.
#define DLX_BITS_LEVEL v4
#include "bits/loop.hpp"

namespace dlx {
const BitsLoops bits_v4 = {"v4", v4::Vec::size, v4::run};
}
