// The loops of the `bits` engine for x86-64-v3 (AVX2); see bits/loop.hpp.
#define DLX_BITS_LEVEL v3
#include "bits/loop.hpp"
#include "bits/rounds/task.hpp"

namespace dlx {
const BitsLoops bits_v3 = {"v3", v3::Vec::size, v3::run, rounds_v3};
}
