// The key of a subproblem: what determines which options are live in it.
//
// Without multiplicities:
//
//   * which primary items are open, a bit each, in the order in which they are branched on;
//   * for each secondary item, a code of its live options: 0: it has none; c + 1: all have color c
//     there, because the item has this color or because no other color is left; 1: anything else.
//
// With them, options are also excluded one by one. So the key has more, and that depends on how
// items are chosen:
//
//   * As in a search: a bit for each option, is it live? And the bound of each item of which more
//     than one can be taken.
//   * In a fixed order: only options of one item, the first open one, can be excluded, and these
//     are the ones before its first live option. So the key has the number of that option, the
//     bounds, and the codes of the secondary items.
//
// Let b be the bound of an item, and T what its live options cover together. Bounds that leave the
// same choice are equal in the key: an item that needs nothing, with T <= b, excludes nothing.
// In a fixed order, such an item has another code than one without a live option.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/problem.hpp"

namespace dlx {

class SubproblemKey {
public:
    // `order`: the primary items as they are branched on; empty if they are chosen as in a search.
    SubproblemKey(const Problem& problem, std::span<const Int> order);

    const std::vector<std::uint64_t>& words() const noexcept { return words_; }
    // Are items branched on in a fixed order?
    bool is_ordered() const noexcept { return ordered_; }
    // The place of a primary item in the order of branching, or in their own; and the other way
    // round.
    std::size_t place_of(Int item) const noexcept { return place_[index(item)]; }
    Int item_at(std::size_t place) const noexcept { return item_at_[place]; }

    // -- without multiplicities ------------------------------------------------------------------

    // Has the key nothing but open items?
    bool is_plain() const noexcept { return color_.empty(); }
    // The open primary items, by place.
    std::span<const std::uint64_t> open() const noexcept {
        return std::span(words_).first((item_at_.size() + 63) / 64);
    }
    // Opens a primary item, or closes it.
    void flip_open(Int item) noexcept { flip(place_[index(item)]); }

    // -- with multiplicities ---------------------------------------------------------------------

    // The largest weight of a primary item's options.
    Int heaviest(Int item) const noexcept { return heaviest_[index(item)]; }
    // `bound`: at first, the upper bound in `bounded_items`. `total`: of the live options.
    void set_bound(Int item, Int bound, Int need, std::int64_t total) noexcept {
        const Field& field = bound_[index(item)];
        if (field.mask == 0) return;
        const auto plain = static_cast<std::uint64_t>(bound);
        const bool free = need == 0 && total <= bound;
        std::uint64_t code = free ? 0 : plain;
        if (ordered_) {
            // If an option was removed because its weight exceeds the bound, the bound says so.
            const bool settled = free && bound >= heaviest(item);
            code = total == 0 ? 0 : field.mask == 1 || settled ? 1 : plain + 1;
        }
        set(field, code);
    }
    void flip_live(Int option) noexcept {
        if (!ordered_) flip(index(option));
    }
    // All live options at once, and the removed ones.
    void set_live(std::span<const std::uint64_t> live) noexcept {
        if (!ordered_) std::copy(live.begin(), live.end(), words_.begin());
    }
    // The first live option of the item that is branched on.
    void set_first(Int option) noexcept {
        if (ordered_) set(first, static_cast<std::uint64_t>(option));
    }

    // -- both, but not with multiplicities without a fixed order ---------------------------------

    // `color_of(item)`: the color that all live options of a secondary item have, 0 if they differ,
    // -1 if there is none.
    template <class ColorOf>
    void set_colors(ColorOf color_of) noexcept {
        if (color_.empty()) return;
        const Field& begin = color_.front();  // the colors are the last fields
        words_[begin.word] &= (std::uint64_t{1} << begin.shift) - 1;
        std::fill(words_.begin() + begin.word + 1, words_.end(), 0);
        auto item = static_cast<Int>(item_at_.size());
        for (const Field& field : color_) {
            const Int color = color_of(item++);
            if (color < 0) continue;
            words_[field.word] |= (static_cast<std::uint64_t>(color) + 1) << field.shift;
        }
    }

private:
    struct Field {
        std::uint32_t word = 0;
        std::uint32_t shift = 0;
        std::uint64_t mask = 0;  // 0: none
    };
    static constexpr Field first{0, 0, 0xffffffff};

    static Field add_field(std::uint64_t& bit, int width) noexcept;
    void add_bounds(const Problem& problem, std::uint64_t& bit);
    void add_colors(const Problem& problem, std::uint64_t& bit);
    void flip(std::size_t bit) noexcept { words_[bit / 64] ^= std::uint64_t{1} << (bit % 64); }
    void set(const Field& field, std::uint64_t code) noexcept {
        std::uint64_t& word = words_[field.word];
        word = (word & ~(field.mask << field.shift)) | code << field.shift;
    }

    bool ordered_;
    std::vector<std::uint32_t> place_;  // of each primary item
    std::vector<Int> item_at_;          // the other way round
    std::vector<Field> color_;          // of each secondary item
    std::vector<Field> bound_;          // of each primary item, with multiplicities
    std::vector<Int> heaviest_;         // likewise
    std::vector<std::uint64_t> words_;
};

}  // namespace dlx
