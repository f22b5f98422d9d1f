// States as lanes: for each primary item a lane of 8, 16, 32 or 64 bits.
//
// The lowest bits of a lane are the item's options that are still live; one more bit means that the
// item is not covered yet. Taking an option is one AND with a precomputed complement, and counting
// is one population count. No loop's length depends on the data, so the only branch that can be
// mispredicted is the one on the count.
#pragma once

#include "bits/choice.hpp"

namespace dlx::DLX_BITS_LEVEL {

template <int Bits>
DLX_INLINE std::uint64_t lane_at(const std::byte* state, Int item) {
    const std::byte* from = state + static_cast<std::size_t>(item) * (Bits / 8);
    std::uint64_t bits = 0;
    if constexpr (std::endian::native == std::endian::little) {
        std::memcpy(&bits, from, Bits / 8);
    } else {
        for (int k = 0; k < Bits / 8; ++k) bits |= std::uint64_t(from[k]) << (8 * k);
    }
    return bits;
}

// Fixed > 0: the number of vectors, known at compile time; 0: the number is in the tables.
template <int Bits, int Fixed>
class Lanes {
public:
    static constexpr bool multiple = false;
    static constexpr bool has_weights = false;

    explicit Lanes(const BitsTask& task)
        : tables_(task.tables.by_item),
          counts_(reinterpret_cast<Vec*>(task.scratch)),
          stride_(vectors() * Vec::size) {}

    DLX_INLINE Choice take(const std::byte* from, std::byte* to, Int option) {
        const std::byte* removal = tables_.removal + static_cast<std::size_t>(option) * stride();
        updates += vectors();
        Vec least = Vec::ones();
        Vec local[Fixed > 0 ? Fixed : 1];
        Vec* counts = Fixed > 0 ? local : counts_;
        for (std::size_t v = 0; v < vectors(); ++v) {
            const Vec state =
                Vec::load(from + v * Vec::size).without(Vec::load(removal + v * Vec::size));
            state.store(to + v * Vec::size);
            counts[v] = state.counts_in_lanes<Bits>();
            least = least.min(counts[v]);
        }
        const std::uint8_t count = least.smallest_byte();
        if (count == 0) return {0, 0};
        if (count == solved) return {solved_for_good, 0};
        const std::size_t place =
            first_byte_equal(count, vectors(), [&](std::size_t v) { return counts[v]; });
        return {count, static_cast<Int>(place / (Bits / 8))};
    }

    DLX_INLINE void remove(const std::byte* from, std::byte* to, Int option) const {
        const std::byte* removal = tables_.removal + static_cast<std::size_t>(option) * stride();
        for (std::size_t at = 0; at < stride(); at += Vec::size) {
            Vec::load(from + at).without(Vec::load(removal + at)).store(to + at);
        }
    }

    DLX_INLINE Int only(const std::byte* state, Int item) const {
        return option(item, lowest(lane(state, item)));
    }

    DLX_INLINE void open(BitsFrame& frame, const std::byte* state) const {
        frame.bits = lane(state, frame.item);
    }

    DLX_INLINE Int next(BitsFrame& frame, const std::byte*) const {
        const int place = lowest(frame.bits);
        frame.bits &= frame.bits - 1;
        return option(frame.item, place);
    }

    // How many live options an item has; 0 if it is covered.
    DLX_INLINE std::uint32_t length(const std::byte* state, Int item) const {
        const int bits = std::popcount(lane(state, item));
        return bits == 0 ? 0 : static_cast<std::uint32_t>(bits - 1);
    }

    // Visits the open items in order with their lengths. Valid after `take` returned a choice.
    template <class Visit>
    DLX_INLINE void each_open(const std::byte* state, Visit visit) const {
        for (Int item = 0; item < tables_.items; ++item) {
            if (const std::uint32_t many = length(state, item); many != 0) visit(item, many);
        }
    }

    std::uint64_t updates = 0;

private:
    DLX_INLINE std::size_t vectors() const { return Fixed > 0 ? Fixed : tables_.vectors; }
    DLX_INLINE std::size_t stride() const { return Fixed > 0 ? Fixed * Vec::size : stride_; }

    DLX_INLINE Int option(Int item, int place) const {
        return tables_.item_option[tables_.item_start[item] + place];
    }

    // The live options of an item, followed by the bit of an open item.
    DLX_INLINE std::uint64_t lane(const std::byte* state, Int item) const {
        return lane_at<Bits>(state, item);
    }

    ItemsView tables_;
    Vec* counts_;
    std::size_t stride_;
};

}  // namespace dlx::DLX_BITS_LEVEL
