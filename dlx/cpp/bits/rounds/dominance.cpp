// Lists the pairs of items that share at least two options.
#include "bits/rounds/dominance.hpp"

#include <algorithm>
#include <cstring>

namespace dlx {
namespace {

void clear_bit(std::byte* bytes, std::size_t bit) {
    std::uint64_t word;
    std::memcpy(&word, bytes + bit / 64 * 8, 8);
    word &= ~(std::uint64_t{1} << (bit % 64));
    std::memcpy(bytes + bit / 64 * 8, &word, 8);
}

}  // namespace

Dominance::Dominance(const BitsView& tables, std::size_t slice_bytes) : slice_bytes_(slice_bytes) {
    constexpr std::size_t most = RoundsTask::most_places;
    const auto items = index(tables.items);
    list_entries(tables);
    std::vector<Int> partners(items, 0);
    std::vector<Pair> kept;
    for (const Pair& pair : pairs(tables)) {
        Int& a = partners[index(pair.a)];
        Int& b = partners[index(pair.b)];
        if (index(a) == most || index(b) == most) continue;
        ++a;
        ++b;
        kept.push_back(pair);
    }
    if (kept.empty()) return;
    view_.most = *std::max_element(partners.begin(), partners.end());
    const auto places = index(view_.most);
    const std::size_t slices = tables.vectors / tables.slice_vectors - 1;
    partner_.assign(8 * slice_bytes * places, 0);
    common_.assign(8 * slice_bytes * places, 0);
    outside_ = AlignedBytes(places * slices * slice_bytes);
    std::memset(outside_.data(), 0xff, outside_.size());
    std::fill(partners.begin(), partners.end(), 0);
    for (const auto& [common, a, b] : kept) {
        const Int at_a = partners[index(a)]++;
        const Int at_b = partners[index(b)]++;
        partner_[bit(a, at_a)] = static_cast<std::uint16_t>(bit(b, at_b));
        partner_[bit(b, at_b)] = static_cast<std::uint16_t>(bit(a, at_a));
        add_partner(tables, a, b, at_a);
        add_partner(tables, b, a, at_b);
    }
    list_rows(tables);
    view_.outside = outside_.data();
    view_.partner = partner_.data();
    view_.common = common_.data();
}

void Dominance::list_entries(const BitsView& tables) {
    entry_start_.assign(index(tables.options) + 1, 0);
    const Int entries = tables.by_item.item_start[tables.items];
    for (Int at = 0; at < entries; ++at) ++entry_start_[index(tables.by_item.item_option[at]) + 1];
    for (std::size_t option = 0; option < index(tables.options); ++option) {
        entry_start_[option + 1] += entry_start_[option];
    }
    entry_item_.resize(index(entries));
    entry_place_.resize(index(entries));
    std::vector<Int> filled(entry_start_.begin(), entry_start_.end() - 1);
    for (Int item = 0; item < tables.items; ++item) {
        const Int first = tables.by_item.item_start[item];
        for (Int at = first; at < tables.by_item.item_start[item + 1]; ++at) {
            const auto entry = index(filled[index(tables.by_item.item_option[at])]++);
            entry_item_[entry] = item;
            entry_place_[entry] = at - first;
        }
    }
}

// The pairs, those with the most options in common first.
std::vector<Dominance::Pair> Dominance::pairs(const BitsView& tables) const {
    std::vector<Pair> result;
    std::vector<Int> common(index(tables.items), 0);
    std::vector<Int> met;
    for (Int item = 0; item < tables.items; ++item) {
        met.clear();
        for (Int at = tables.by_item.item_start[item]; at < tables.by_item.item_start[item + 1];
             ++at) {
            const auto option = index(tables.by_item.item_option[at]);
            for (Int entry = entry_start_[option]; entry < entry_start_[option + 1]; ++entry) {
                const Int other = entry_item_[index(entry)];
                if (other > item && common[index(other)]++ == 0) met.push_back(other);
            }
        }
        for (const Int other : met) {
            if (common[index(other)] > 1) result.push_back({common[index(other)], item, other});
            common[index(other)] = 0;
        }
    }
    std::ranges::sort(result, [](const Pair& x, const Pair& y) {
        if (x.common != y.common) return x.common > y.common;
        return x.a != y.a ? x.a < y.a : x.b < y.b;
    });
    return result;
}

void Dominance::list_rows(const BitsView& tables) {
    const auto items = index(tables.items);
    const std::size_t slices = tables.vectors / tables.slice_vectors - 1;
    std::vector<std::uint32_t> start;
    for (std::size_t option = 0; option < index(tables.options); ++option) {
        const auto first = index(entry_start_[option]);
        const auto last = index(entry_start_[option + 1]);
        start.push_back(static_cast<std::uint32_t>(row_.size()));
        row_.push_back(static_cast<std::uint16_t>(last - first));
        for (std::size_t entry = first; entry < last; ++entry) {
            const std::size_t slice = index(entry_place_[entry]) + 1;
            row_.push_back(
                static_cast<std::uint16_t>(8 * slice_bytes_ * slice + index(entry_item_[entry])));
        }
    }
    row_at_.assign(items * slices, 0);
    for (std::size_t item = 0; item < items; ++item) {
        const auto first = index(tables.by_item.item_start[item]);
        const auto last = index(tables.by_item.item_start[item + 1]);
        for (std::size_t at = first; at < last; ++at) {
            row_at_[item * slices + at - first] = start[index(tables.by_item.item_option[at])];
        }
    }
    view_.row_at = row_at_.data();
    view_.row = row_.data();
}

// The number of the bit of an item in the set of a place, where these sets follow each other.
std::size_t Dominance::bit(Int item, Int place) const {
    return 8 * slice_bytes_ * index(place) + index(item);
}

void Dominance::add_partner(const BitsView& tables, Int item, Int partner, Int place) {
    const std::size_t at = bit(item, place);
    const std::size_t slices = tables.vectors / tables.slice_vectors - 1;
    for (Int k = tables.by_item.item_start[item]; k < tables.by_item.item_start[item + 1]; ++k) {
        const auto option = index(tables.by_item.item_option[k]);
        const auto first = entry_item_.begin() + entry_start_[option];
        const auto last = entry_item_.begin() + entry_start_[option + 1];
        const auto slice = index(k - tables.by_item.item_start[item]);
        if (std::find(first, last, partner) == last) continue;
        common_[at] |= std::uint64_t{1} << slice;
        clear_bit(outside_.data() + (index(place) * slices + slice) * slice_bytes_, index(item));
    }
}

}  // namespace dlx
