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
        return one.visit < other.visit;
    });
    const auto same = [](const Costed& one, const Costed& other) {
        return one.visit == other.visit;
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

    // Puts the options of a solution into the order in which they are chosen, and sets its `visit`.
    // `cells` must be at the root.
    void restore(Costed& solution, Cells& cells) {
        const Cells::Mark root = cells.mark();
        for (const Int option : solution.options) wanted_[index(option)] = 1;
        solution.options = given_;
        solution.visit.clear();
        while (!cells.open().empty()) {
            const Int item = cells.fewest();
            const Int option = next_of(item, cells);
            if (option != no_more) solution.options.push_back(option);
            solution.visit.push_back(option);
            follow(item, option, cells);
        }
        cells.undo(root);
        for (const Int option : solution.options) wanted_[index(option)] = 0;
    }

    // Takes the branch of an item that takes this option as the next, or no more of them. Returns
    // whether solutions are left.
    static bool follow(Int item, Int option, Cells& cells) {
        if (option != no_more && cells.bound(item) == 1) return cells.take(option, ignore);
        std::vector<Int> above;
        for (const Int entry : cells.left(item)) {
            const Int other = cells.option_of(entry);
            if (other < option) above.push_back(other);
        }
        for (const Int other : above) {
            if (!cells.remove(other, ignore)) return false;
        }
        return option == no_more || cells.take(option, ignore);
    }

private:


    // The first option of an item that is in the solution, or `no_more`.
    Int next_of(Int item, const Cells& cells) const noexcept {
        Int first = no_more;
        for (const Int entry : cells.left(item)) {
            const Int option = cells.option_of(entry);
            if (wanted_[index(option)]) first = std::min(first, option);
        }
        return first;
    }

    std::vector<Int> given_;
    std::vector<char> wanted_;  // of each option: is it in the current solution?
};

}  // namespace dlx
