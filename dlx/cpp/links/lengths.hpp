// The number of options that each item has left, and the choice of the item with the fewest.
//
// The lengths of the items' lists change at every update and are scanned at every node. So they are
// separate from the lists, four bytes each, beside a bit for each open item:
//
//     item       0 1 2 3 ...    63   64       ...    127   128      ...
//     lengths   | 3 5 . 2 . 7 ... 4 | . . . . . . ... . | 6 2 . 9 ... . |      . = closed
//     open      | 110101 ...      1 | 0                 | 1101 ...      |
//     live      | 1                 | 0                 | 1             |
//
// A closed item (covered, or secondary) has `far` added to its length, so that it is never the
// shortest and never drops to zero, but can be incremented and decremented like the others. A word
// without open items has no bit in `live`, and the scan skips it: deep in the search of a large
// problem, where nearly all items are covered, few words are read. A linked list of the open items
// would read one item at a time, each from another cache line: on 60 000 items that took more time
// than all the covering. While many items are open, sixteen lengths at a time are compared; while
// few are, those of open items only.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/heuristic.hpp"

namespace dlx {

class Lengths {
public:
    using Length = std::int32_t;
    static constexpr Length far = Length{1} << 30;

    // Room for the items numbered below `items`, all closed and empty.
    explicit Lengths(std::size_t items)
        : lengths_((items + 63) / 64 * 64, far),
          open_in_((items + 63) / 64, 0),
          live_((open_in_.size() + 63) / 64, 0) {}

    Length& operator[](std::size_t item) noexcept { return lengths_[item]; }
    bool is_open(std::size_t item) const noexcept { return lengths_[item] < far; }
    std::size_t open() const noexcept { return open_; }

    DLX_INLINE void close(std::size_t item) noexcept {
        lengths_[item] += far;
        --open_;
        const std::size_t word = item / 64;
        if ((open_in_[word] &= ~bit(item)) == 0) live_[word / 64] &= ~bit(word);
    }

    DLX_INLINE void reopen(std::size_t item) noexcept {
        lengths_[item] -= far;
        ++open_;
        const std::size_t word = item / 64;
        open_in_[word] |= bit(item);
        live_[word / 64] |= bit(word);
    }

    // The open item with the fewest options left, the first on a tie; the first with at most one
    // option, if there is any. At least one item must be open.
    DLX_INLINE std::size_t shortest() const noexcept {
        Length fewest = std::numeric_limits<Length>::max();
        std::size_t best = 0;
        if (open_ > many) {
            each_live_word([&](std::size_t word) {
                shortest_of_many(word, fewest, best);
                return fewest > 1;
            });
            return best;
        }
        each_open([&](std::size_t item) {
            const bool less = lengths_[item] < fewest;
            best = less ? item : best;
            fewest = less ? lengths_[item] : fewest;
            return fewest > 1;
        });
        return best;
    }

    // Visits the open items in ascending order until `visit` returns false.
    template <class Visit>
    DLX_INLINE void each_open(Visit visit) const {
        each_live_word([&](std::size_t word) {
            for (std::uint64_t left = open_in_[word]; left != 0; left &= left - 1) {
                if (!visit(64 * word + static_cast<std::size_t>(std::countr_zero(left)))) {
                    return false;
                }
            }
            return true;
        });
    }

    bool any_empty() const noexcept { return std::ranges::find(lengths_, 0) != lengths_.end(); }

    const std::vector<Length>& all() const noexcept { return lengths_; }

private:
    static constexpr std::size_t wide = 16;
    static constexpr std::size_t many = 24;  // open items, for which blocks are faster

    static constexpr std::uint64_t bit(std::size_t place) noexcept {
        return std::uint64_t{1} << (place % 64);
    }

    Length least_in(std::size_t block) const noexcept {
        const Length* const lengths = lengths_.data() + block * wide;
        Length least = lengths[0];
        for (std::size_t i = 1; i < wide; ++i) least = std::min(least, lengths[i]);
        return least;
    }

    // `shortest` for a word, sixteen items at a time. Sets `fewest` and `best` if it has a shorter
    // item.
    void shortest_of_many(std::size_t word, Length& fewest, std::size_t& best) const noexcept {
        std::size_t block = 64 / wide * word;
        for (std::uint64_t left = open_in_[word]; left != 0 && fewest > 1; left >>= wide, ++block) {
            if ((left & ((1 << wide) - 1)) == 0) continue;
            const Length least = least_in(block);
            if (least >= fewest) continue;
            fewest = least;
            best = block * wide;
            while (lengths_[best] != fewest) ++best;
        }
    }

    // Visits the words with open items in ascending order until `visit` returns false.
    template <class Visit>
    DLX_INLINE void each_live_word(Visit visit) const {
        for (std::size_t word = 0; word < live_.size(); ++word) {
            for (std::uint64_t left = live_[word]; left != 0; left &= left - 1) {
                if (!visit(64 * word + static_cast<std::size_t>(std::countr_zero(left)))) return;
            }
        }
    }

    std::vector<Length> lengths_;
    std::vector<std::uint64_t> open_in_;  // a bit for each item
    std::vector<std::uint64_t> live_;     // a bit for each word of open_in_
    std::size_t open_ = 0;
};

}  // namespace dlx
