// The number of options that each item has left, and the choice of the item with the fewest.
//
// The lengths of the items' lists change at every update and are scanned at every node. So they are
// separate from the lists, four bytes each, in blocks of sixteen that a processor compares a few at
// a time:
//
//     block      0                    1                    2
//     lengths   | 3 5 . 2 . 7 ... 4 | . . . . . . ... . | 6 2 . 9 ... . |      . = closed
//     open      | 11                | 0                 | 8             |
//     live      | 1                 | 0                 | 1             |
//
// A closed item (covered, or secondary) has `far` added to its length, so that it is never the
// shortest and never drops to zero, but can be incremented and decremented like the others. The bit
// in `live` of a block without open items is 0, and the scan skips the block: deep in the search of
// a large problem, where nearly all items are covered, few blocks are scanned. A linked list of the
// open items would read one item at a time, each from another cache line: on 60 000 items that took
// more time than all the covering.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace dlx {

class Lengths {
public:
    using Length = std::int32_t;
    static constexpr Length far = Length{1} << 30;

    // Room for the items numbered below `items`, all closed and empty.
    explicit Lengths(std::size_t items)
        : lengths_((items + wide - 1) / wide * wide, far),
          open_in_(lengths_.size() / wide, 0),
          live_((open_in_.size() + 63) / 64, 0) {}

    Length& operator[](std::size_t item) noexcept { return lengths_[item]; }
    bool is_open(std::size_t item) const noexcept { return lengths_[item] < far; }
    std::size_t open() const noexcept { return open_; }

    void close(std::size_t item) noexcept {
        lengths_[item] += far;
        --open_;
        const std::size_t block = item / wide;
        if (--open_in_[block] == 0) live_[block / 64] &= ~(std::uint64_t{1} << (block % 64));
    }

    void reopen(std::size_t item) noexcept {
        lengths_[item] -= far;
        ++open_;
        const std::size_t block = item / wide;
        if (open_in_[block]++ == 0) live_[block / 64] |= std::uint64_t{1} << (block % 64);
    }

    // The open item with the fewest options left, the first on a tie; the first with at most one
    // option, if there is any. At least one item must be open.
    std::size_t shortest() const noexcept {
        Length fewest = std::numeric_limits<Length>::max();
        std::size_t best = 0;
        each_live_block([&](std::size_t block) {
            const Length least = least_in(block);
            if (least < fewest) {
                fewest = least;
                best = block;
            }
            return fewest > 1;
        });
        std::size_t item = best * wide;
        while (lengths_[item] != fewest) ++item;
        return item;
    }

    bool any_empty() const noexcept { return std::ranges::find(lengths_, 0) != lengths_.end(); }

    // Visits the open items in ascending order until `visit` returns false.
    template <class Visit>
    void each_open(Visit visit) const {
        each_live_block([&](std::size_t block) {
            for (std::size_t item = block * wide; item < (block + 1) * wide; ++item) {
                if (is_open(item) && !visit(item)) return false;
            }
            return true;
        });
    }

    const std::vector<Length>& all() const noexcept { return lengths_; }

private:
    static constexpr std::size_t wide = 16;

    Length least_in(std::size_t block) const noexcept {
        const Length* const lengths = lengths_.data() + block * wide;
        Length least = lengths[0];
        for (std::size_t i = 1; i < wide; ++i) least = std::min(least, lengths[i]);
        return least;
    }

    template <class Visit>
    void each_live_block(Visit visit) const {
        for (std::size_t word = 0; word < live_.size(); ++word) {
            for (std::uint64_t left = live_[word]; left != 0; left &= left - 1) {
                if (!visit(64 * word + static_cast<std::size_t>(std::countr_zero(left)))) return;
            }
        }
    }

    std::vector<Length> lengths_;
    std::vector<Length> open_in_;      // by block
    std::vector<std::uint64_t> live_;  // a bit for each block
    std::size_t open_ = 0;
};

}  // namespace dlx
