// Keys of subproblems: where their parts are.
#include "diagram/key.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "counting/bounded_items.hpp"

namespace dlx {

SubproblemKey::SubproblemKey(const Problem& problem, std::span<const Int> order)
    : ordered_(!order.empty()),
      place_(index(problem.primary)),
      item_at_(order.begin(), order.end()) {
    if (!ordered_) {
        item_at_.resize(place_.size());
        std::iota(item_at_.begin(), item_at_.end(), 0);
    }
    for (std::size_t place = 0; place < item_at_.size(); ++place) {
        place_[index(item_at_[place])] = static_cast<std::uint32_t>(place);
    }
    std::uint64_t bit = 64 * ((place_.size() + 63) / 64);  // after the open items
    if (problem.multiple()) {
        bit = ordered_ ? 32 : 64 * ((index(problem.options()) + 63) / 64);
        add_bounds(problem, bit);
    }
    if (!problem.multiple() || ordered_) add_colors(problem, bit);
    words_.assign(static_cast<std::size_t>((bit + 63) / 64), 0);
}

SubproblemKey::Field SubproblemKey::add_field(std::uint64_t& bit, int width) noexcept {
    const auto bits = static_cast<std::uint64_t>(width);
    if (bit % 64 + bits > 64) bit += 64 - bit % 64;
    const Field field{static_cast<std::uint32_t>(bit / 64), static_cast<std::uint32_t>(bit % 64),
                      ~std::uint64_t{0} >> (64 - bits)};
    bit += bits;
    return field;
}

void SubproblemKey::add_bounds(const Problem& problem, std::uint64_t& bit) {
    heaviest_.assign(place_.size(), 0);
    for (Int entry = 0; entry < problem.entries(); ++entry) {
        const Int item = problem.item[index(entry)];
        if (item >= problem.primary) continue;
        Int& heaviest = heaviest_[index(item)];
        heaviest = std::max(heaviest, problem.weight_of(entry));
    }
    for (const BoundedItem& item : bounded_items(problem)) {
        const auto most = static_cast<std::uint32_t>(item.high);
        Field& field = bound_.emplace_back();
        if (ordered_) {
            field = add_field(bit, item.is_counted() ? std::bit_width(most + 1) : 1);
        } else if (item.is_counted()) {
            field = add_field(bit, std::bit_width(most));
        }
    }
}

// Codes 0 and 1, and c + 1 for the colors c that the item has anywhere.
void SubproblemKey::add_colors(const Problem& problem, std::uint64_t& bit) {
    std::vector<std::uint32_t> largest(index(problem.items), 0);
    for (Int entry = 0; entry < problem.entries(); ++entry) {
        std::uint32_t& color = largest[index(problem.item[index(entry)])];
        color = std::max(color, static_cast<std::uint32_t>(problem.color_of(entry)));
    }
    for (std::size_t item = place_.size(); item < largest.size(); ++item) {
        color_.push_back(add_field(bit, std::bit_width(largest[item] + 1)));
    }
}

}  // namespace dlx
