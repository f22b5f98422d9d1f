// The heuristics: how a search chooses the item to branch on.
//
//   mrv        the open item with the fewest options ("minimum remaining values")
//   learning   an item with a single option, if there is one; otherwise the item with the least
//              (number of options) x weight, where items that led to dead ends have small weights
//
// Both take the first such item on a tie. Both depend on the search tree only: how an engine works
// inside a node, and when it detects a dead end, must not change the order of the solutions.
// dlx/links/heuristics.py has the full definition.
#pragma once

#include <cstdint>
#include <vector>

// DLX_COLD: for functions that run once in a search. If they and the loop of a search call the same
// function, the compiler does not inline it in the loop, which costs 5% more instructions a node.
#if defined(_MSC_VER) && !defined(__clang__)
#define DLX_INLINE __forceinline
#define DLX_COLD
#else
#define DLX_INLINE [[gnu::always_inline]] inline
#define DLX_COLD [[gnu::cold]]
#endif

namespace dlx {

enum class Heuristic : std::uint8_t { mrv, learning };

// The weight of a primary item: (tries + 1) / (failures + 1/2).
//
// The counts are doubles, which are exact up to 2^53 and need no conversion before the division.
// The quotient is stored because it is read far more often than it changes.
struct LearnedWeight {
    double tries = 0;
    double failures = 0;
    double value = 2;

    // An option of the item was tried, having been chosen to branch on.
    DLX_INLINE void tried() noexcept {
        ++tries;
        weigh();
    }

    // The item has a share in a dead end.
    DLX_INLINE void failed() noexcept {
        ++failures;
        weigh();
    }

private:
    DLX_INLINE void weigh() noexcept { value = (tries + 1.0) / (failures + 0.5); }
};

using LearnedWeights = std::vector<LearnedWeight>;  // by item

}  // namespace dlx
