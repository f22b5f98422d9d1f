// States as slices: transposed lanes, for many items with few options each.
//
// Slice k has a bit for each item: whether the item's k-th option is live. One more slice, the
// first one, has the open items. The options of all items are counted at once: two vectors, "some"
// and "more", tell items without options and items with a single one. If there are no such items,
// the slices are added up as binary numbers, with a vector for each digit.
#pragma once

#include "bits/layouts/item_words.hpp"

namespace dlx::DLX_BITS_LEVEL {

template <int Fixed>  // vectors of a slice, as for Lanes
class Slices : public ItemWords<Slices<Fixed>> {
    using Base = ItemWords<Slices>;
    using Base::tables_;

public:
    static constexpr bool multiple = false;

    explicit Slices(const BitsTask& task)
        : Base(task.tables.by_item),
          scratch_(task.scratch),
          width_(task.tables.slice_vectors),
          slices_(task.tables.vectors / task.tables.slice_vectors - 1) {}

    DLX_INLINE void remove(const std::byte* from, std::byte* to, Int option) const {
        remove_bits(from, to, removal_of(option), state_bytes());
    }

    DLX_INLINE Choice take(const std::byte* from, std::byte* to, Int option) {
        const std::byte* removal = removal_of(option);
        return choose(to, [=](std::size_t at) {
            const Vec slice = Vec::load(from + at).without(Vec::load(removal + at));
            slice.store(to + at);
            return slice;
        });
    }

    DLX_INLINE std::uint32_t length(const std::byte* state, Int item) const {
        return static_cast<std::uint32_t>(std::popcount(word_of(state, item)));
    }

    // Visits the open items in order with their lengths. Valid after `take` returned a choice.
    template <class Visit>
    DLX_INLINE void each_open(const std::byte* state, Visit visit) const {
        const std::byte* sums = scratch_ + slice_bytes();  // written by choose_fewest
        for (std::size_t place = 0; place < slice_bytes() / 8; ++place) {
            std::uint64_t digit[digits];
            for (std::size_t d = 0; d < digits; ++d) {
                digit[d] = word_at(sums + d * slice_bytes(), place);
            }
            for (std::uint64_t open = word_at(state, place); open != 0; open &= open - 1) {
                const int bit = lowest(open);
                std::uint64_t length = 0;
                for (std::size_t d = digits; d-- > 0;) length = 2 * length + (digit[d] >> bit & 1);
                visit(static_cast<Int>(64 * place) + bit, static_cast<std::uint32_t>(length));
            }
        }
    }

    // The live options of an item, as bits.
    DLX_INLINE std::uint64_t word_of(const std::byte* state, Int item) const {
        const auto at = static_cast<std::size_t>(item);
        const std::byte* slice = state + state_bytes() + at / 64 * 8;
        std::uint64_t bits = 0;
        const std::size_t step = slice_bytes();
        for (std::size_t left = slices_; left != 0; --left) {
            slice -= step;
            bits = 2 * bits + (word_at(slice, 0) >> (at % 64) & 1);
        }
        return bits;
    }

private:
    DLX_INLINE std::size_t width() const { return Fixed > 0 ? Fixed : width_; }
    DLX_INLINE std::size_t slice_bytes() const { return width() * Vec::size; }
    DLX_INLINE std::size_t state_bytes() const { return (slices_ + 1) * slice_bytes(); }

    DLX_INLINE const std::byte* removal_of(Int option) const {
        return tables_.removal + static_cast<std::size_t>(option) * state_bytes();
    }

    // Reads each vector of a state once (`at`: its byte offset). Leaves the set of the forced
    // items in the scratch.
    template <class VectorAt>
    DLX_INLINE Choice choose(const std::byte* state, VectorAt vector) {
        this->updates += (slices_ + 1) * width();
        const std::size_t step = slice_bytes();
        const std::size_t slices = slices_;
        std::byte* const scratch = scratch_;
        Vec dead = Vec::zeros();
        Vec any_open = Vec::zeros();
        Vec any_forced = Vec::zeros();
        for (std::size_t v = 0; v < width(); ++v) {
            std::size_t at = v * Vec::size;
            const Vec open = vector(at);
            Vec some = Vec::zeros();
            Vec more = Vec::zeros();  // than one
            for (std::size_t left = slices; left != 0; --left) {
                at += step;
                const Vec slice = vector(at);
                more = more | (some & slice);
                some = some | slice;
            }
            const Vec forced = some.without(more);
            forced.store(scratch + v * Vec::size);
            dead = dead | open.without(some);
            any_forced = any_forced | forced;
            any_open = any_open | open;
        }
        if (dead.nonzero_words() != 0) return {0, 0};
        if (any_forced.nonzero_words() != 0) return {1, first_item(scratch)};
        if (any_open.nonzero_words() == 0) return {solved_for_good, 0};
        return choose_fewest(state);
    }

    // Adds the slices up: digit d of all the sums is a vector. Then goes down from the highest
    // digit, keeping the items whose digit is 0, if there are any.
    Choice choose_fewest(const std::byte* state) const {
        std::byte* candidates = scratch_;
        std::byte* sums = scratch_ + slice_bytes();
        for (std::size_t v = 0; v < width(); ++v) {
            const std::byte* at = state + v * Vec::size;
            Vec::load(at).store(candidates + v * Vec::size);
            Vec sum[digits];
            for (Vec& digit : sum) digit = Vec::zeros();
            for (std::size_t left = slices_; left != 0; --left) {
                at += slice_bytes();
                Vec carry = Vec::load(at);
                for (Vec& digit : sum) {
                    const Vec next = digit & carry;
                    digit = digit ^ carry;
                    carry = next;
                }
            }
            for (std::size_t d = 0; d < digits; ++d) {
                sum[d].store(sums + (d * width() + v) * Vec::size);
            }
        }
        std::uint32_t count = 0;
        for (std::size_t d = digits; d-- > 0;) {
            const std::byte* sum = sums + d * slice_bytes();
            std::uint64_t small = 0;
            for (std::size_t at = 0; at < slice_bytes(); at += Vec::size) {
                small |= Vec::load(candidates + at).without(Vec::load(sum + at)).nonzero_words();
            }
            if (small == 0) {
                count |= 1U << d;
                continue;
            }
            for (std::size_t at = 0; at < slice_bytes(); at += Vec::size) {
                Vec::load(candidates + at).without(Vec::load(sum + at)).store(candidates + at);
            }
        }
        return {count, first_item(candidates)};
    }

    DLX_INLINE static Int first_item(const std::byte* items) {
        std::size_t place = 0;
        while (word_at(items, place) == 0) ++place;
        return static_cast<Int>(64 * place) + lowest(word_at(items, place));
    }

    static constexpr std::size_t digits = bits_digits;

    std::byte* scratch_;  // a slice, and room for choose_fewest
    std::size_t width_;   // vectors of a slice
    std::size_t slices_;  // not counting the open items
};

}  // namespace dlx::DLX_BITS_LEVEL
