// The body of search_small_plain and search_small_v3, which only the compiler's options tell apart.
#pragma once

#include <bit>

#include "links/small_subtree.hpp"

namespace dlx {
namespace {

using Word = SmallTables::Word;

// The live options of the open item with the fewest, the first on a tie; 0 if some item has none.
inline Word fewest(const SmallTables& tables, Word open, Word live) {
    std::size_t best = ~std::size_t{0};
    for (Word left = open; left != 0; left &= left - 1) {
        const auto item = static_cast<std::size_t>(std::countr_zero(left));
        const auto count = static_cast<std::size_t>(std::popcount(tables.options_of[item] & live));
        if (count == 0) return 0;
        const std::size_t key = count * SmallTables::most + item;
        best = key < best ? key : best;
    }
    return tables.options_of[best % SmallTables::most] & live;
}

inline Word clashing_with(SmallTables& tables, std::size_t option) {
    Word& known = tables.clashing[option];
    if (known != 0) return known;
    known = tables.rivals[option];
    for (Word left = tables.items_of[option]; left != 0; left &= left - 1) {
        known |= tables.options_of[static_cast<std::size_t>(std::countr_zero(left))];
    }
    return known;
}

inline bool search_small(SmallTables& tables, std::uint64_t limit, std::uint64_t wanted) {
    std::array<Word, SmallTables::most> open, live, untried;
    std::array<std::uint8_t, SmallTables::most> taken;
    tables.nodes = tables.solutions = 0;
    tables.depth.fill(0);
    tables.found.clear();
    open[0] = SmallTables::first(tables.items);
    live[0] = SmallTables::first(tables.options);
    untried[0] = fewest(tables, open[0], live[0]);
    std::size_t level = 0;
    while (true) {
        if (untried[level] == 0) {
            if (level-- == 0) return true;
            continue;
        }
        const auto option = static_cast<std::size_t>(std::countr_zero(untried[level]));
        untried[level] &= untried[level] - 1;
        taken[level] = static_cast<std::uint8_t>(option);
        ++tables.depth[level];
        if (++tables.nodes >= limit) return false;
        const Word items = open[level] & ~tables.items_of[option];
        if (items == 0) {
            if (++tables.solutions >= wanted) return false;
            if (tables.lists) {
                tables.found.push_back(static_cast<std::uint8_t>(level + 1));
                for (std::size_t at = 0; at <= level; ++at) tables.found.push_back(taken[at]);
            } else if (tables.same_lengths) {  // so each sibling is a solution, too
                const auto siblings = static_cast<std::uint64_t>(std::popcount(untried[level]));
                if (tables.nodes + siblings >= limit || tables.solutions + siblings >= wanted) {
                    continue;
                }
                tables.nodes += siblings;
                tables.depth[level] += siblings;
                tables.solutions += siblings;
                untried[level] = 0;
            }
            continue;
        }
        const Word options = live[level] & ~clashing_with(tables, option);
        const Word next = fewest(tables, items, options);
        if (next == 0) continue;
        ++level;
        open[level] = items;
        live[level] = options;
        untried[level] = next;
    }
}

}  // namespace
}  // namespace dlx
