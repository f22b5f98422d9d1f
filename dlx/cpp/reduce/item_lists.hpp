// The options of each item, ascending, with the color each gives it. Lists only get shorter.
//
// Removing an option does not search its lists, but only decrements their counts. A list may have
// gaps until it is read next; `compact` closes them all at once:
//
//     option_   2 5 7 8 | ...        length 4, count 4
//               2 5 7 8 | ...        length 4, count 2: two were removed, lose_one() called twice
//               2 8     | ...        length 2, count 2: after compact()
//
// So an entry is moved at most once for each time that its list is read, and counts are always
// correct.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/entries_by_item.hpp"

namespace dlx {

class ItemLists {
public:
    explicit ItemLists(const Problem& problem)
        : length_(index(problem.items)),
          option_(problem.item.size()),
          color_(problem.color.size()) {
        const auto put = [&](std::size_t to, Int option, std::size_t entry) {
            option_[to] = option;
            if (!color_.empty()) color_[to] = problem.color[entry];
        };
        first_ = entries_by_item(problem, put);
        for (std::size_t item = 0; item < length_.size(); ++item) {
            length_[item] = first_[item + 1] - first_[item];
        }
        count_ = length_;
    }

    Int count(Int item) const noexcept { return count_[index(item)]; }
    void lose_one(Int item) noexcept { --count_[index(item)]; }

    std::span<const Int> options(Int item) const noexcept {
        return {option_.data() + first_[index(item)], index(length_[index(item)])};
    }
    Int color(Int item, std::size_t place) const noexcept {
        return color_.empty() ? 0 : color_[index(first_[index(item)]) + place];
    }

    // Closes the gaps in an item's list. Returns how many entries it read.
    template <class IsLive>
    std::uint64_t compact(Int item, IsLive is_live) {
        const Int length = length_[index(item)];
        if (length == count_[index(item)]) return 0;
        std::size_t to = index(first_[index(item)]);
        const std::size_t end = to + index(length);
        for (std::size_t from = to; from < end; ++from) {
            if (!is_live(option_[from])) continue;
            option_[to] = option_[from];
            if (!color_.empty()) color_[to] = color_[from];
            ++to;
        }
        length_[index(item)] = count_[index(item)];
        return static_cast<std::uint64_t>(length);
    }

private:
    std::vector<Int> first_;
    std::vector<Int> length_;  // of the array; includes removed options until it is compacted
    std::vector<Int> count_;   // of the options that are left
    std::vector<Int> option_;
    std::vector<Int> color_;  // empty if there are no colors
};

}  // namespace dlx
