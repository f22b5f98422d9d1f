// The loops of the `bits` engine for any processor; see bits/loop.hpp.
#define DLX_BITS_LEVEL plain
#include "bits/loop.hpp"
#include "bits/rounds/task.hpp"

namespace dlx {
const BitsLoops bits_plain = {"plain", plain::Vec::size, plain::run, rounds_plain};
}
