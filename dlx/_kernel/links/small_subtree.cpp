// Chooses the loop that searches small subtrees; see links/small_subtree.hpp.
#include "links/small_subtree.hpp"

#include <string_view>

#include "bits/tables.hpp"
#include "links/small_subtree_loop.hpp"

namespace dlx {

bool search_small_plain(SmallTables& tables, std::uint64_t limit, std::uint64_t wanted) {
    return search_small(tables, limit, wanted);
}

SmallTables::Function choose_small_search() {
#if defined(DLX_BITS_X86)
    const std::string_view level = bits_loops().name;
    if (level == "v3" || level == "v4") return search_small_v3;
#endif
    return search_small_plain;
}

}  // namespace dlx
