// The loop for x86-64-v3, which counts the bits of a word by one instruction.
#include "links/small_subtree_loop.hpp"

namespace dlx {

bool search_small_v3(SmallTables& tables, std::uint64_t limit, std::uint64_t wanted) {
    return search_small(tables, limit, wanted);
}

}  // namespace dlx
