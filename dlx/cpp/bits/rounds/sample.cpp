// Chooses the items of the sample, and copies the samples of all removals.
#include "bits/rounds/sample.hpp"

#include <algorithm>
#include <cstring>

namespace dlx {
namespace {

constexpr std::size_t column_bytes = 16;

}  // namespace

Sample::Sample(const BitsView& tables, std::size_t slice_bytes) {
    const std::vector<std::byte> items = disjoint_items(tables, slice_bytes);
    for (std::size_t at = 0; at < slice_bytes; at += column_bytes) {
        const auto first = items.begin() + static_cast<std::ptrdiff_t>(at);
        const bool used = std::any_of(first, first + column_bytes,
                                      [](std::byte byte) { return byte != std::byte{0}; });
        if (used) column_.push_back(static_cast<Int>(at));
    }
    const auto last = std::find_if(items.rbegin(), items.rend(),
                                   [](std::byte byte) { return byte != std::byte{0}; });
    const auto end = static_cast<std::size_t>(items.rend() - last);
    if (column_.size() == 1) view_.step = end - static_cast<std::size_t>(column_[0]);
    const std::size_t slices = tables.vectors / tables.slice_vectors - 1;
    const std::size_t parts = slices * column_.size();
    const std::size_t used = (parts - 1) * view_.step + column_bytes;
    constexpr std::size_t whole = RoundsTask::vector_bytes;
    view_.bytes = (used + whole - 1) / whole * whole;
    const auto options = static_cast<std::size_t>(tables.options);
    removal_ = AlignedBytes::zeros(options * view_.bytes);
    for (std::size_t option = 0; option < options; ++option) {
        std::byte* to = removal_.data() + option * view_.bytes;
        for (std::size_t slice = 1; slice <= slices; ++slice) {
            const std::byte* from =
                tables.by_item.removal + option * tables.state_bytes + slice * slice_bytes;
            for (const Int column : column_) {
                for (std::size_t k = 0; k < view_.step; ++k) {
                    const std::size_t at = static_cast<std::size_t>(column) + k;
                    *to++ = from[at] & items[at];
                }
            }
        }
    }
    view_.column = column_.data();
    view_.columns = column_.size();
    view_.removal = removal_.data();
}

// A set of items no two of which share an option, as a slice: the items in order, each one that
// has no option in common with those before.
std::vector<std::byte> Sample::disjoint_items(const BitsView& tables,
                                              std::size_t slice_bytes) const {
    std::vector<std::byte> items(slice_bytes, std::byte{0});
    std::vector<bool> counted(static_cast<std::size_t>(tables.options), false);
    for (Int item = 0; item < tables.items; ++item) {
        const Int* first = tables.by_item.item_option + tables.by_item.item_start[item];
        const Int* last = tables.by_item.item_option + tables.by_item.item_start[item + 1];
        const bool shared = std::any_of(
            first, last, [&](Int option) { return counted[static_cast<std::size_t>(option)]; });
        if (shared) continue;
        std::for_each(first, last,
                      [&](Int option) { counted[static_cast<std::size_t>(option)] = true; });
        const auto bit = static_cast<std::size_t>(item);
        items[bit / 8] |= std::byte{1} << (bit % 8);
    }
    return items;
}

}  // namespace dlx
