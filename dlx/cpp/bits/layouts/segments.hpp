// States as segments: lanes as long as their items need, in whole words of 64 bits.
//
// A segment has the live options of an item, and after the last of them the bit of an open item,
// like a lane. Counting is a population count of each word, however many options go, so segments
// are for options that have about one item each: the words of a crossword, values of variables. If
// options have many items, their bits are repeated in as many segments, and counters are faster.
#pragma once

#include "bits/choice.hpp"

namespace dlx::DLX_BITS_LEVEL {

class Segments {
public:
    static constexpr bool multiple = false;
    static constexpr bool has_weights = false;

    explicit Segments(const BitsTask& task)
        : tables_(task.tables.segments), set_bytes_(tables_.vectors * Vec::size) {}

    DLX_INLINE void remove(const std::byte* from, std::byte* to, Int option) const {
        const std::byte* removal = tables_.removal + static_cast<std::size_t>(option) * set_bytes_;
        remove_bits(from, to, removal, set_bytes_);
    }

    DLX_INLINE Choice take(const std::byte* from, std::byte* to, Int option) {
        remove(from, to, option);
        updates += tables_.vectors;
        Choice best{solved_for_good, 0};
        for (Int item = 0; item < tables_.items; ++item) {
            const std::uint32_t count = bits_of(to, item) - 1;  // wraps if the item is covered
            if (count < best.count) best = {count, item};
        }
        return best;
    }

    DLX_INLINE Int only(const std::byte* state, Int item) const {
        std::uint32_t place = 0;
        while (options_word(state, item, place) == 0) ++place;
        return option(item, place, lowest(options_word(state, item, place)));
    }

    DLX_INLINE void open(BitsFrame& frame, const std::byte* state) const {
        frame.place = 0;
        frame.bits = options_word(state, frame.item, 0);
    }

    DLX_INLINE Int next(BitsFrame& frame, const std::byte* state) const {
        while (frame.bits == 0) {
            ++frame.place;
            frame.bits = options_word(state, frame.item, frame.place);
        }
        const int bit = lowest(frame.bits);
        frame.bits &= frame.bits - 1;
        return option(frame.item, frame.place, bit);
    }

    // How many live options an item has; 0 if it is covered.
    DLX_INLINE std::uint32_t length(const std::byte* state, Int item) const {
        const std::uint32_t bits = bits_of(state, item);
        return bits == 0 ? 0 : bits - 1;
    }

    std::uint64_t updates = 0;

private:
    DLX_INLINE std::uint32_t bits_of(const std::byte* state, Int item) const {
        int bits = 0;
        for (Int place = tables_.item_word[item]; place < tables_.item_word[item + 1]; ++place) {
            bits += std::popcount(word_at(state, static_cast<std::size_t>(place)));
        }
        return static_cast<std::uint32_t>(bits);
    }

    // A word of an item's live options, without the bit of an open item.
    DLX_INLINE std::uint64_t options_word(const std::byte* state, Int item,
                                          std::uint32_t place) const {
        const auto first = static_cast<std::size_t>(tables_.item_word[item]);
        const auto after = static_cast<std::size_t>(tables_.item_word[item + 1]);
        const std::uint64_t word = word_at(state, first + place);
        if (first + place + 1 < after) return word;
        const Int length = tables_.item_start[item + 1] - tables_.item_start[item];
        return word & ~(std::uint64_t{1} << (length % 64));
    }

    DLX_INLINE Int option(Int item, std::uint32_t place, int bit) const {
        return tables_.item_option[tables_.item_start[item] + 64 * static_cast<Int>(place) + bit];
    }

    SegmentsView tables_;
    std::size_t set_bytes_;
};

}  // namespace dlx::DLX_BITS_LEVEL
