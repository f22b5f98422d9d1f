// The key of a subproblem with multiplicities.
//
// Without multiplicities, the open items and the colors determine which options are live
// (diagram/builder.hpp). With them, options are also excluded one by one. So the key has more, and
// that depends on how items are chosen:
//
//   * As in a search: a bit for each option, is it live? And the bound of each item of which more
//     than one can be taken.
//   * In a fixed order: only options of one item, the first open one, can be excluded, and these
//     are the ones before its first live option. So the key has the number of that option, the
//     bounds, and the colors of the secondary items as in diagram/builder.hpp.
//
// Let b be the bound of an item, and T what its live options cover together. Bounds that leave the
// same choice are equal in the key: an item that needs nothing, with T <= b, excludes nothing.
// In a fixed order, such an item has another code than one without a live option.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "counting/bounded_items.hpp"

namespace dlx {

class MultipleKey {
public:
    // `order`: the primary items as they are branched on; empty if they are chosen as in a search.
    MultipleKey(const Problem& problem, std::span<const Int> order)
        : problem_(problem),
          ordered_(!order.empty()),
          bound_(index(problem.primary)),
          color_(index(problem.items - problem.primary)),
          heaviest_(index(problem.primary), 0) {
        for (Int entry = 0; entry < problem.entries(); ++entry) {
            const Int item = problem.item[index(entry)];
            if (item >= problem.primary) continue;
            Int& heaviest = heaviest_[index(item)];
            heaviest = std::max(heaviest, problem.weight_of(entry));
        }
        std::uint64_t bit = ordered_ ? 32 : (index(problem.options()) + 63) / 64 * 64;
        const std::vector<BoundedItem> items = bounded_items(problem);
        for (std::size_t item = 0; item < items.size(); ++item) {
            const auto most = static_cast<std::uint32_t>(items[item].high);
            const bool counted = items[item].is_counted();
            if (ordered_) {
                bound_[item] = add_field(bit, counted ? std::bit_width(most + 1) : 1);
            } else if (counted) {
                bound_[item] = add_field(bit, std::bit_width(most));
            }
        }
        if (ordered_) add_colors(bit);
        words_.assign(static_cast<std::size_t>((bit + 63) / 64), 0);
    }

    bool is_ordered() const noexcept { return ordered_; }
    Int heaviest(Int item) const noexcept { return heaviest_[index(item)]; }
    std::size_t size() const noexcept { return words_.size(); }
    const std::vector<std::uint64_t>& words() const noexcept { return words_; }

    struct Bound {
        Int bound;  // at first, the upper bound in `bounded_items`
        Int need;
        std::int64_t total;
    };
    void set_bound(Int item, const Bound& now) noexcept {
        const Field& field = bound_[index(item)];
        if (field.mask == 0) return;
        const auto plain = static_cast<std::uint64_t>(now.bound);
        const bool free = now.need == 0 && now.total <= now.bound;
        std::uint64_t code = free ? 0 : plain;
        if (ordered_) {
            // If an option was removed because its weight exceeds the bound, the bound says so.
            const bool settled = free && now.bound >= heaviest(item);
            code = now.total == 0 ? 0 : field.mask == 1 || settled ? 1 : plain + 1;
        }
        set(field, code);
    }
    void set_live(Int option) noexcept {
        if (!ordered_) words_[index(option) / 64] |= std::uint64_t{1} << (option % 64);
    }
    void flip_live(Int option) noexcept {
        if (!ordered_) words_[index(option) / 64] ^= std::uint64_t{1} << (option % 64);
    }
    // All live options at once, and the removed ones. Only if the items have no fixed order.
    void set_live(std::span<const std::uint64_t> live) noexcept {
        if (!ordered_) std::copy(live.begin(), live.end(), words_.begin());
    }
    // The color that all live options of a secondary item have, 0 if they differ, -1 if there is
    // none.
    void set_color(Int item, Int color) noexcept {
        set(color_[index(item - problem_.primary)], static_cast<std::uint64_t>(color + 1));
    }
    // The first live option of the item that is branched on.
    void set_first(Int option) noexcept {
        if (ordered_) set(first, static_cast<std::uint64_t>(option));
    }

private:
    struct Field {
        std::uint32_t word = 0;
        std::uint32_t shift = 0;
        std::uint64_t mask = 0;
    };
    static constexpr Field first{0, 0, 0xffffffff};

    static Field add_field(std::uint64_t& bit, int width) noexcept {
        const auto bits = static_cast<std::uint64_t>(width);
        if (bit % 64 + bits > 64) bit += 64 - bit % 64;
        const Field field{static_cast<std::uint32_t>(bit / 64),
                          static_cast<std::uint32_t>(bit % 64), ~std::uint64_t{0} >> (64 - bits)};
        bit += bits;
        return field;
    }

    void add_colors(std::uint64_t& bit) {
        std::vector<Int> largest(color_.size(), 0);
        for (Int entry = 0; entry < problem_.entries(); ++entry) {
            const Int item = problem_.item[index(entry)];
            if (item < problem_.primary) continue;
            Int& color = largest[index(item - problem_.primary)];
            color = std::max(color, problem_.color_of(entry));
        }
        for (std::size_t number = 0; number < color_.size(); ++number) {
            color_[number] =
                add_field(bit, std::bit_width(static_cast<std::uint32_t>(largest[number]) + 1));
        }
    }

    void set(const Field& field, std::uint64_t code) noexcept {
        std::uint64_t& word = words_[field.word];
        word = (word & ~(field.mask << field.shift)) | code << field.shift;
    }

    const Problem& problem_;
    bool ordered_;
    std::vector<Field> bound_;   // of each primary item; mask 0: it has none
    std::vector<Field> color_;   // of each secondary item
    std::vector<Int> heaviest_;  // of each primary item: the largest weight of its options
    std::vector<std::uint64_t> words_;
};

}  // namespace dlx
