// Passes over a diagram that make another one.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "diagram/diagram.hpp"

namespace dlx {

// A diagram as its columns, children before parents; nodes 0 and 1 are `empty` and `top`.
struct DiagramView {
    std::span<const Int> option;
    std::span<const NodeId> low;
    std::span<const NodeId> high;
    NodeId root;
};

// Puts the sets that contain an option into an empty table of nodes; returns their root.
//
// Let x(f) be the sets of f that contain x: x(top) = empty, x(node of x) has the same hi and
// lo = empty, and any other node has x(lo) and x(hi). A pass from the root downwards finds out
// which nodes are needed unchanged (below x), as x(node), or both. O(nodes).
inline NodeId keep_sets_with(Int option, const DiagramView& from, Nodes& into) {
    constexpr std::uint8_t whole = 1;
    constexpr std::uint8_t part = 2;
    const std::size_t size = from.option.size();
    std::vector<std::uint8_t> needed(size, 0);
    needed[from.root] = part;
    for (std::size_t id = size; id-- > diagram::inner;) {
        std::uint8_t below = needed[id] & whole;
        if (from.option[id] == option) {
            if (needed[id] != 0) needed[from.high[id]] |= whole;
        } else {
            below = needed[id];
            needed[from.high[id]] |= below;
        }
        needed[from.low[id]] |= below;
    }
    std::vector<NodeId> as_whole(size, diagram::empty);
    std::vector<NodeId> as_part(size, diagram::empty);
    as_whole[diagram::top] = diagram::top;
    for (std::size_t id = diagram::inner; id < size; ++id) {
        const Int here = from.option[id];
        const NodeId low = from.low[id];
        const NodeId high = from.high[id];
        if (needed[id] & whole) as_whole[id] = into.make(here, as_whole[low], as_whole[high]);
        if (needed[id] & part) {
            as_part[id] = here == option ? into.make(here, diagram::empty, as_whole[high])
                                         : into.make(here, as_part[low], as_part[high]);
        }
    }
    return as_part[from.root];
}

}  // namespace dlx
