// Puts the cheapest solutions, and the options of each, into the order of an ordinary search.
//
// Branch and bound finds solutions, and the options of each, in another order. To return the same
// as all engines, each solution is replayed: the search chooses the item with the fewest options,
// as always, and takes the option of it that is in the solution. The path of a solution that
// differs from the one before in few options is replayed from there on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <vector>

#include "core/cells.hpp"
#include "core/position.hpp"
#include "minimum/minimum.hpp"

namespace dlx {

// The k best of some solutions, by cost, then as visited.
inline void keep_best(std::vector<Costed>& solutions, std::uint64_t k) {
    std::sort(solutions.begin(), solutions.end(), [](const Costed& one, const Costed& other) {
        if (one.cost != other.cost) return one.cost < other.cost;
        return std::ranges::lexicographical_compare(one.visit, other.visit, branches_before);
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
    // `given`: the options that come first in each solution.
    VisitingOrder(std::span<const Int> given, const Problem& problem)
        : given_(given.begin(), given.end()),
          wanted_(index(problem.options()), 0),
          level_of_(index(problem.items), none) {}

    // Puts the options of a solution into the order in which they are chosen, and sets its `visit`.
    // `cells` must be at the root in the first call, and then as the call before has left them.
    void restore(Costed& solution, Cells& cells) {
        for (const Int option : solution.options) wanted_[index(option)] |= now;
        go_back(std::min(first_change(known_, before, cells),
                         first_change(solution.options, now, cells)),
                cells);
        for (const Int option : known_) wanted_[index(option)] = 0;
        for (const Int option : solution.options) wanted_[index(option)] = before;
        while (!cells.open().empty()) {
            const Int item = cells.fewest();
            const Int option = next_of(item, cells);
            level_of_[index(item)] = std::min(level_of_[index(item)], levels_.size());
            levels_.push_back({cells.mark(), item});
            visit_.push_back(option);
            follow(item, option, cells);
        }
        known_ = given_;
        std::remove_copy(visit_.begin(), visit_.end(), std::back_inserter(known_), no_more);
        solution.options = known_;
        solution.visit = visit_;
    }

    // The same for several solutions, until a time, without repetitions. The options of the others
    // stay in no order, and their `visit` is after that of all whose `visit` is known. The cells
    // must be at the root, and are again.
    void restore_until(Clock::time_point until, std::vector<Costed>& solutions, Cells& cells) {
        const auto by_options = [](const Costed& one) -> const std::vector<Int>& {
            return one.options;
        };
        for (Costed& one : solutions) std::ranges::sort(one.options);
        std::ranges::sort(solutions, {}, by_options);  // so that the paths of neighbors are similar
        const auto same = std::ranges::unique(solutions, {}, by_options);
        solutions.erase(same.begin(), same.end());
        for (Costed& one : solutions) {
            if (Clock::now() < until) {
                restore(one, cells);
                continue;
            }
            one.visit = {no_more};
            one.visit.insert(one.visit.end(), one.options.begin(), one.options.end());
            // The given ones come first, which solutions joined from those of parts do not have.
            std::erase_if(one.options, [&](Int option) {
                return std::ranges::find(given_, option) != given_.end();
            });
            one.options.insert(one.options.begin(), given_.begin(), given_.end());
        }
        return_to_root(cells);
    }

    // Undoes what `restore` has done to the cells.
    void return_to_root(Cells& cells) {
        go_back(0, cells);
        for (const Int option : known_) wanted_[index(option)] = 0;
        known_.clear();
    }

private:
    struct Level {
        Cells::Mark mark;
        Int item;
    };

    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    static constexpr char before = 1;  // in wanted_: an option of the solution before,
    static constexpr char now = 2;     // of this one

    // The first level whose item has an option that is in one of the two solutions only. `options`:
    // those of one of them, `which`. The branches above are the same.
    std::size_t first_change(std::span<const Int> options, char which, const Cells& cells) const {
        std::size_t level = levels_.size();
        for (const Int option : options) {
            if (wanted_[index(option)] != which) continue;
            for (const Int entry : cells.entries_of(option)) {
                level = std::min(level, level_of_[index(cells.item_of(entry))]);
            }
        }
        return level;
    }

    void go_back(std::size_t level, Cells& cells) {
        if (level == levels_.size()) return;
        cells.undo(levels_[level].mark);
        for (std::size_t at = level; at < levels_.size(); ++at) {
            std::size_t& first = level_of_[index(levels_[at].item)];
            if (first >= level) first = none;
        }
        levels_.resize(level);
        visit_.resize(level);
    }

    // Takes the branch of an item that takes this option as the next, or no more of them. Returns
    // whether solutions are left.
    static bool follow(Int item, Int option, Cells& cells) {
        if (option != no_more && cells.bound(item) == 1) return cells.take(option, ignore);
        std::vector<Int> above;
        for (const Int entry : cells.left(item)) {
            const Int other = cells.option_of(entry);
            if (branches_before(other, option)) above.push_back(other);
        }
        for (const Int other : above) {
            if (!cells.remove(other, ignore)) return false;
        }
        return option == no_more || cells.take(option, ignore);
    }

    // The first option of an item that is in the solution, or `no_more`.
    Int next_of(Int item, const Cells& cells) const noexcept {
        Int first = no_more;
        for (const Int entry : cells.left(item)) {
            const Int option = cells.option_of(entry);
            if (wanted_[index(option)] && branches_before(option, first)) first = option;
        }
        return first;
    }

    std::vector<Int> given_;
    std::vector<char> wanted_;           // of each option: the solutions that have it
    std::vector<std::size_t> level_of_;  // of each item: the first level that branches on it
    std::vector<Int> known_;             // the options of the solution before
    std::vector<Level> levels_;          // of its path, where the cells are
    std::vector<Int> visit_;
};

}  // namespace dlx
