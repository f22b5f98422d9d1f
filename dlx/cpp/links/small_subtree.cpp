// Chooses the loop that searches small subtrees; see links/small_subtree.hpp.
#include "links/small_subtree.hpp"

#include <algorithm>
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

bool have_same_lengths(const Problem& problem) noexcept {
    const auto length = [&](std::size_t option) -> std::ptrdiff_t {
        if (problem.items == problem.primary) {
            return problem.start[option + 1] - problem.start[option];
        }
        const auto first = problem.item.begin() + problem.start[option];
        const auto last = problem.item.begin() + problem.start[option + 1];
        return std::count_if(first, last, [&](Int item) { return item < problem.primary; });
    };
    for (std::size_t option = 1; option + 1 < problem.start.size(); ++option) {
        if (length(option) != length(0)) return false;
    }
    return true;
}

}  // namespace dlx
