// The heuristics: how a search chooses the item to branch on.
//
//   mrv        the open item with the fewest options ("minimum remaining values")
//   learning   an item with a single option, if there is one; otherwise the item with the least
//              (number of options) x weight, where items that led to dead ends have small weights
//
// All take the first such item on a tie. All depend on the search tree only: how an engine works
// inside a node, and when it detects a dead end, must not change the order of the solutions.
// dlx/links/heuristics.py has the full definition. A heuristic is its value here, its name, and a
// score of items. Engines know no more of it, but that they have faster ways for `mrv`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
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

// By Heuristic: the names that `heuristic=` takes.
inline constexpr std::array heuristic_names{"mrv", "weighted"};

// Calls a function object with the heuristic as its template argument.
template <std::size_t last = heuristic_names.size() - 1, class Function>
DLX_INLINE auto with_heuristic(Heuristic heuristic, Function function) {
    constexpr auto candidate = static_cast<Heuristic>(last);
    if constexpr (last > 0) {
        if (heuristic != candidate) return with_heuristic<last - 1>(heuristic, function);
    }
    return function.template operator()<candidate>();
}

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

// The item that a heuristic chooses has the least score of those that it is offered, which are in
// order of declaration. One with a single branch need not be: a search takes the first at once.
template <Heuristic heuristic>
class LeastScore {
public:
    // `learned`: by item; not read unless the heuristic is `learning`.
    DLX_INLINE explicit LeastScore(const LearnedWeight* learned) noexcept : learned_(learned) {}

    // Returns whether the item is the best so far.
    DLX_INLINE bool offer(auto item, auto branches) noexcept {
        const double score = score_of(item, static_cast<double>(branches));
        if (!(score < least_)) return false;
        least_ = score;
        return true;
    }

private:
    DLX_INLINE double score_of([[maybe_unused]] auto item, double branches) const noexcept {
        if constexpr (heuristic == Heuristic::learning) return branches * learned_[item].value;
        return branches;
    }

    const LearnedWeight* learned_;
    double least_ = std::numeric_limits<double>::infinity();
};

}  // namespace dlx
