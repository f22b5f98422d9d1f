// The loops for x86-64-v3, which counts the bits of a word by one instruction.
#include "counting/small_search_loop.hpp"

namespace dlx {

template <std::size_t words>
SmallLoops<words> small_loops_v3() {
    return loops_here<words>();
}

template SmallLoops<1> small_loops_v3();
template SmallLoops<2> small_loops_v3();
template SmallLoops<4> small_loops_v3();

}  // namespace dlx
