// The entries of each item as a sparse set: those that are left, and those that are removed.
//
// Dancing links keep the options of an item in a linked list. Here they are the front part of an
// array, and `size` is the length of that part:
//
//     item i:   | e3 | e8 | e1 | e5 || e2 | e7 |     size = 4; the entries e2 and e7 are removed
//                                    ^ size
//
// To remove an entry, it is swapped with the last one before the bar, and the bar moves to the
// left. To restore it, only the bar moves to the right. That is correct as long as entries are
// restored in reverse order, since each is then just behind the bar. So undoing writes no links,
// and the options of an item can be read as an array. Their order gets lost; where it matters,
// options are sorted. (P. Briggs and L. Torczon, 1993; for exact cover C. Solnon, and D. E. Knuth's
// "dancing cells", TAOCP 7.2.2.1 and SSXCC.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/entries_by_item.hpp"

namespace dlx {

class SparseSets {
public:
    // All entries of the problem, each option's in the set of its item. O(items + entries).
    explicit SparseSets(const Problem& problem)
        : size_(index(problem.items), 0),
          member_(problem.item.size()),
          place_(problem.item.size()),
          option_of_(problem.item.size()) {
        first_ = entries_by_item(problem, [&](std::size_t place, Int option, std::size_t entry) {
            member_[place] = static_cast<Int>(entry);
            place_[entry] = static_cast<Int>(place);
            option_of_[entry] = option;
            ++size_[index(problem.item[entry])];
        });
    }

    Int size(Int item) const noexcept { return size_[index(item)]; }
    Int option_of(Int entry) const noexcept { return option_of_[index(entry)]; }
    // The entries that are left; removing one of them changes the array.
    std::span<const Int> entries(Int item) const noexcept {
        return {member_.data() + first_[index(item)], index(size_[index(item)])};
    }
    // The entry at this place of an item's array, removed or not.
    Int entry_at(Int item, Int place) const noexcept {
        return member_[index(first_[index(item)] + place)];
    }

    // Removes an entry that is left; returns the new size.
    Int remove(Int entry, Int item) noexcept {
        const Int size = --size_[index(item)];
        const Int from = place_[index(entry)];
        const Int to = first_[index(item)] + size;
        const Int other = member_[index(to)];
        member_[index(from)] = other;
        place_[index(other)] = from;
        member_[index(to)] = entry;
        place_[index(entry)] = to;
        return size;
    }
    // Restores the entry of an item that was removed last; returns the new size.
    Int restore(Int item) noexcept { return ++size_[index(item)]; }

    static std::uint64_t bytes(const Problem& problem) noexcept {
        return 12 * static_cast<std::uint64_t>(problem.entries()) +
               8 * static_cast<std::uint64_t>(problem.items);
    }

private:
    std::vector<Int> first_;  // of each item: where its entries begin in member_
    std::vector<Int> size_;   // of each item: how many of them are left
    std::vector<Int> member_;
    std::vector<Int> place_;      // of each entry: its place in member_
    std::vector<Int> option_of_;  // of each entry
};

}  // namespace dlx
