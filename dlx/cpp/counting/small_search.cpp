// Chooses the loops that count small residuals; see counting/small_search.hpp.
#include "counting/small_search.hpp"

#include <string_view>

#include "bits/tables.hpp"
#include "counting/small_search_loop.hpp"

namespace dlx {

template <std::size_t words>
SmallLoops<words> small_loops() {
#if defined(DLX_BITS_X86)
    const std::string_view level = bits_loops().name;
    if (level == "v3" || level == "v4") return small_loops_v3<words>();
#endif
    return loops_here<words>();
}

template SmallLoops<1> small_loops();
template SmallLoops<2> small_loops();
template SmallLoops<4> small_loops();

}  // namespace dlx
