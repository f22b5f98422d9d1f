// How a search chooses the item to branch on.
//
//   mrv        the open item with the fewest options ("minimum remaining values")
//   weighted   an item with a single option, if there is one; otherwise the item with the least
//              (number of options) x weight, where items that led to dead ends weigh little
//
// Both take the first such item on a tie, and both are functions of the search tree alone: what an
// engine does inside a node, and when it notices a dead end, must not show in the order of the
// solutions. dlx/heuristics.py has the definition in full.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "problem.hpp"

namespace dlx {

enum class Heuristic : std::uint8_t { mrv, weighted };

// The weights of the primary items, and what they come from: (tries + 1) / (failures + 1/2).
//
// The counts are kept as doubles because that is what they are divided as, exact up to 2^53; so is
// each quotient, since it is asked for far more often than it changes.
class Weights {
public:
    void reset(Int primary) {
        counts_.assign(static_cast<std::size_t>(primary), {});
        weight_.assign(counts_.size(), 0);
        for (std::size_t item = 0; item < counts_.size(); ++item) weigh(item);
    }

    double of(std::size_t item) const noexcept { return weight_[item]; }

    // An option of the item was tried, having been chosen to branch on.
    void tried(std::size_t item) noexcept {
        ++counts_[item].tries;
        weigh(item);
    }

    // The item has a share in a dead end.
    void failed(std::size_t item) noexcept {
        ++counts_[item].failures;
        weigh(item);
    }

private:
    struct Counts {
        double tries = 0;
        double failures = 0;
    };

    void weigh(std::size_t item) noexcept {
        weight_[item] = (counts_[item].tries + 1.0) / (counts_[item].failures + 0.5);
    }

    std::vector<Counts> counts_;
    std::vector<double> weight_;
};

}  // namespace dlx
