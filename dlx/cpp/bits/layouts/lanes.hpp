// States as lanes: for each primary item a lane of 8, 16, 32 or 64 bits.
//
// The lowest bits of a lane are the item's options that are still live; one more bit means that the
// item is not covered yet. Taking an option is one AND with a precomputed complement, and counting
// is one population count. No loop's length depends on the data, so the only branch that can be
// mispredicted is the one on the count.
#pragma once

#include "bits/layouts/item_words.hpp"

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
class Lanes : public ItemWords<Lanes<Bits, Fixed>> {
    using Base = ItemWords<Lanes>;
    using Base::tables_;

public:
    static constexpr bool multiple = false;

    explicit Lanes(const BitsTask& task)
        : Base(task.tables.by_item), counts_(task.scratch), stride_(vectors() * Vec::size) {}

    DLX_INLINE Choice take(const std::byte* from, std::byte* to, Int option) {
        const std::byte* removal = tables_.removal + static_cast<std::size_t>(option) * stride();
        this->updates += vectors();
        Vec least = Vec::ones();
        Vec local[Fixed > 0 ? Fixed : 1];
        for (std::size_t at = 0; at < stride(); at += Vec::size) {
            const Vec state = Vec::load(from + at).without(Vec::load(removal + at));
            state.store(to + at);
            const Vec counts = state.counts_in_lanes<Bits>();
            if constexpr (Fixed > 0) {
                local[at / Vec::size] = counts;
            } else {
                counts.store(counts_ + at);
            }
            least = least.min(counts);
        }
        const std::uint8_t count = least.smallest_byte();
        if (count == 0) return {0, 0};
        if (count == solved) return {solved_for_good, 0};
        const std::size_t place = first_byte_equal(count, vectors(), [&](std::size_t v) {
            return Fixed > 0 ? local[v] : Vec::load(counts_ + v * Vec::size);
        });
        return {count, static_cast<Int>(place / (Bits / 8))};
    }

    DLX_INLINE void remove(const std::byte* from, std::byte* to, Int option) const {
        const std::byte* removal = tables_.removal + static_cast<std::size_t>(option) * stride();
        remove_bits(from, to, removal, stride());
    }

    // The live options of an item, followed by the bit of an open item.
    DLX_INLINE std::uint64_t word_of(const std::byte* state, Int item) const {
        return lane_at<Bits>(state, item);
    }

    // How many live options an item has; 0 if it is covered.
    DLX_INLINE std::uint32_t length(const std::byte* state, Int item) const {
        const int bits = std::popcount(word_of(state, item));
        return bits == 0 ? 0 : static_cast<std::uint32_t>(bits - 1);
    }

private:
    DLX_INLINE std::size_t vectors() const { return Fixed > 0 ? Fixed : tables_.vectors; }
    DLX_INLINE std::size_t stride() const { return Fixed > 0 ? Fixed * Vec::size : stride_; }

    std::byte* counts_;
    std::size_t stride_;
};

}  // namespace dlx::DLX_BITS_LEVEL
