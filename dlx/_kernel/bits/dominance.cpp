// Lists the pairs of items that share at least two options.
#include "bits/dominance.hpp"

#include <algorithm>
#include <cstring>

namespace dlx {
namespace {

std::size_t index(Int number) {
    return static_cast<std::size_t>(number);
}

void set_word_bit(std::byte* bytes, std::size_t bit) {
    std::uint64_t word;
    std::memcpy(&word, bytes + bit / 64 * 8, 8);
    word |= std::uint64_t{1} << (bit % 64);
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
    view_.entry_start = entry_start_.data();
    view_.entry_item = entry_item_.data();
    view_.entry_place = entry_place_.data();
    if (kept.empty()) return;
    view_.most = *std::max_element(partners.begin(), partners.end());
    const auto places = index(view_.most);
    const std::size_t slices = tables.vectors / tables.slice_vectors - 1;
    partner_.assign(items * places, {});
    common_.assign(items * places, 0);
    paired_ = AlignedBytes::zeros(places * slice_bytes);
    outside_ = AlignedBytes::zeros(places * slices * slice_bytes);
    std::fill(partners.begin(), partners.end(), 0);
    for (const auto& [common, a, b] : kept) {
        const Int at_a = partners[index(a)]++;
        const Int at_b = partners[index(b)]++;
        partner_[index(a) * places + index(at_a)].place = static_cast<std::uint16_t>(at_b);
        partner_[index(b) * places + index(at_b)].place = static_cast<std::uint16_t>(at_a);
        add_partner(tables, a, b, at_a);
        add_partner(tables, b, a, at_b);
    }
    view_.paired = paired_.data();
    view_.outside = outside_.data();
    view_.partner = partner_.data();
    view_.common = common_.data();
}

void Dominance::list_entries(const BitsView& tables) {
    entry_start_.assign(index(tables.options) + 1, 0);
    const Int entries = tables.item_start[tables.items];
    for (Int at = 0; at < entries; ++at) ++entry_start_[index(tables.item_option[at]) + 1];
    for (std::size_t option = 0; option < index(tables.options); ++option) {
        entry_start_[option + 1] += entry_start_[option];
    }
    entry_item_.resize(index(entries));
    entry_place_.resize(index(entries));
    std::vector<Int> filled(entry_start_.begin(), entry_start_.end() - 1);
    for (Int item = 0; item < tables.items; ++item) {
        const Int first = tables.item_start[item];
        for (Int at = first; at < tables.item_start[item + 1]; ++at) {
            const auto entry = index(filled[index(tables.item_option[at])]++);
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
        for (Int at = tables.item_start[item]; at < tables.item_start[item + 1]; ++at) {
            const auto option = index(tables.item_option[at]);
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

void Dominance::add_partner(const BitsView& tables, Int item, Int partner, Int place) {
    const auto number = index(item);
    const std::size_t at = number * index(view_.most) + index(place);
    const std::size_t slices = tables.vectors / tables.slice_vectors - 1;
    partner_[at].item = static_cast<std::uint16_t>(partner);
    set_word_bit(paired_.data() + index(place) * slice_bytes_, number);
    for (Int k = tables.item_start[item]; k < tables.item_start[item + 1]; ++k) {
        const auto option = index(tables.item_option[k]);
        const auto first = entry_item_.begin() + entry_start_[option];
        const auto last = entry_item_.begin() + entry_start_[option + 1];
        const auto slice = index(k - tables.item_start[item]);
        if (std::find(first, last, partner) != last) {
            common_[at] |= std::uint64_t{1} << slice;
        } else {
            set_word_bit(outside_.data() + (index(place) * slices + slice) * slice_bytes_, number);
        }
    }
}

}  // namespace dlx
