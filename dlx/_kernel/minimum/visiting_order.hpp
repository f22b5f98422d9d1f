// Puts the cheapest solutions, and the options of each, into the order of an ordinary search.
//
// Branch and bound finds solutions, and the options of each, in another order. To return the same
// as all engines, each solution is replayed: the search chooses the item with the fewest options,
// as always, and takes the option of it that is in the solution.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/cells.hpp"
#include "minimum/minimum.hpp"

namespace dlx {

// The k best of some solutions, by cost, then as visited.
inline void keep_best(std::vector<Costed>& solutions, std::uint64_t k) {
    std::sort(solutions.begin(), solutions.end(), [](const Costed& one, const Costed& other) {
        if (one.cost != other.cost) return one.cost < other.cost;
        return one.options < other.options;
    });
    const auto same = [](const Costed& one, const Costed& other) {
        return one.options == other.options;
    };
    solutions.erase(std::unique(solutions.begin(), solutions.end(), same), solutions.end());
    if (solutions.size() > k) {
        solutions.erase(solutions.begin() + static_cast<std::ptrdiff_t>(k), solutions.end());
    }
}

class VisitingOrder {
public:
    // `given`: the options that come first in each solution. `options`: how many the problem has.
    VisitingOrder(std::span<const Int> given, std::size_t options)
        : given_(given.begin(), given.end()), wanted_(options, 0) {}

    // Puts the options of a solution into the order in which they are chosen. `cells` must be at
    // the root.
    void restore(std::vector<Int>& options, Cells& cells) {
        const Cells::Mark root = cells.mark();
        for (const Int option : options) wanted_[index(option)] = 1;
        std::vector<Int> order(given_);
        while (!cells.open().empty()) {
            for (const Int entry : cells.left(cells.fewest())) {
                const Int option = cells.option_of(entry);
                if (!wanted_[index(option)]) continue;
                order.push_back(option);
                break;
            }
            cells.take(order.back(), [](Int, Int) {});
        }
        cells.undo(root);
        for (const Int option : options) wanted_[index(option)] = 0;
        options = std::move(order);
    }

private:
    static std::size_t index(Int number) noexcept { return static_cast<std::size_t>(number); }

    std::vector<Int> given_;
    std::vector<char> wanted_;  // of each option: is it in the current solution?
};

}  // namespace dlx
