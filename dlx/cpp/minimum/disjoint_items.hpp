// Groups of primary items no two of which are in one option.
//
// A solution covers the items of such a group by different options, so it costs at least the sum of
// their cheapest options. Examples: the pieces of a puzzle, of which each option places one; the
// rows of a chessboard with queens; the squares of one color, where dominoes are placed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/problem.hpp"

namespace dlx {

class DisjointItems {
public:
    static constexpr std::size_t most_groups = 4;
    static constexpr std::uint8_t none = most_groups;

    // The groups of a problem, those that are in the most options first. O(items^2 / 64 + steps),
    // where an option of n items takes n^2 steps. None if that is too much.
    explicit DisjointItems(const Problem& problem)
        : group_(static_cast<std::size_t>(problem.primary), none) {
        const std::size_t items = group_.size();
        if (items > most_items || problem.multiple()) return;
        const std::size_t words = (items + 63) / 64;
        std::vector<std::uint64_t> together(items * words, 0);  // which items share an option
        std::vector<std::size_t> uses(items, 0);
        std::uint64_t steps = 0;
        for (std::size_t option = 0; option + 1 < problem.start.size(); ++option) {
            std::vector<std::size_t> own;
            for (Int entry = problem.start[option]; entry < problem.start[option + 1]; ++entry) {
                const Int item = problem.item[static_cast<std::size_t>(entry)];
                if (item < problem.primary) own.push_back(static_cast<std::size_t>(item));
            }
            if ((steps += own.size() * own.size()) > most_steps) return;
            for (const std::size_t one : own) {
                ++uses[one];
                for (const std::size_t other : own) {
                    together[one * words + other / 64] |= std::uint64_t{1} << other % 64;
                }
            }
        }
        choose(together, uses, words);
    }

    // The group of a primary item, or `none`.
    std::uint8_t of(Int item) const noexcept { return group_[static_cast<std::size_t>(item)]; }

private:
    static constexpr std::size_t most_items = 2048;
    static constexpr std::uint64_t most_steps = 20'000'000;

    struct Group {
        std::vector<std::size_t> items;
        std::vector<std::uint64_t> excluded;  // items that share an option with one of them
        std::size_t uses = 0;
    };

    // Each item joins the first group that has none of its neighbors. Models name items of one kind
    // one after another, so that this finds their groups.
    void choose(const std::vector<std::uint64_t>& together, const std::vector<std::size_t>& uses,
                std::size_t words) {
        std::vector<Group> groups;
        for (std::size_t item = 0; item < uses.size(); ++item) {
            auto group = std::find_if(groups.begin(), groups.end(), [item](const Group& one) {
                return (one.excluded[item / 64] >> item % 64 & 1) == 0;
            });
            if (group == groups.end()) {
                groups.push_back({{}, std::vector<std::uint64_t>(words, 0)});
                group = groups.end() - 1;
            }
            group->items.push_back(item);
            group->uses += uses[item];
            for (std::size_t word = 0; word < words; ++word) {
                group->excluded[word] |= together[item * words + word];
            }
        }
        std::stable_sort(groups.begin(), groups.end(), [](const Group& one, const Group& other) {
            return one.uses > other.uses;
        });
        groups.resize(std::min(groups.size(), most_groups));
        for (std::size_t number = 0; number < groups.size(); ++number) {
            for (const std::size_t item : groups[number].items) {
                group_[item] = static_cast<std::uint8_t>(number);
            }
        }
    }

    std::vector<std::uint8_t> group_;
};

}  // namespace dlx
