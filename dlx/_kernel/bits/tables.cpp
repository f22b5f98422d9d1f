// Makes the tables of the `bits` engine: chooses a layout, then fills root state and removals.
#include "bits/tables.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

namespace dlx {
namespace {

// The largest states in these layouts; for larger ones, counters are faster.
constexpr std::size_t most_lanes_bytes = 1024;
constexpr std::size_t most_slices_bytes = 4096;
// The relative cost of a vector in each step.
constexpr std::size_t lane_cost = 14;
constexpr std::size_t slice_cost = 9;
constexpr std::size_t most_counters = 6;  // vectors that the loops keep in registers

std::size_t divided_up(std::size_t number, std::size_t by) {
    return (number + by - 1) / by;
}

std::size_t vectors_for(std::size_t bits, std::size_t width) {
    return std::max<std::size_t>(1, divided_up(bits, 8 * width));
}

void set_bit(std::byte* bytes, std::size_t bit) {
    bytes[bit / 8] |= static_cast<std::byte>(1U << (bit % 8));
}

// Bits of a set are numbered within 64-bit words, as the loops read them, on any byte order.
void set_word_bit(std::byte* bytes, std::size_t bit) {
    std::uint64_t word;
    std::memcpy(&word, bytes + bit / 64 * 8, 8);
    word |= std::uint64_t{1} << (bit % 64);
    std::memcpy(bytes + bit / 64 * 8, &word, 8);
}

// into |= from & ~without
void unite(std::byte* into, const std::byte* from, const std::byte* without, std::size_t size) {
    for (std::size_t at = 0; at < size; ++at) into[at] |= from[at] & ~without[at];
}

int lane_bits(BitsLayout layout) {
    switch (layout) {
        case BitsLayout::lanes8:
            return 8;
        case BitsLayout::lanes16:
            return 16;
        case BitsLayout::lanes32:
            return 32;
        case BitsLayout::lanes64:
            return 64;
        default:
            return 0;
    }
}

}  // namespace

BitsPlan BitsPlan::of(std::size_t options, std::span<const Int> lengths, const BitsLoops& loops,
                      std::optional<BitsLayout> forced) {
    const std::size_t width = loops.vector_bytes;
    const std::size_t items = lengths.size();
    BitsPlan plan{};
    const auto longest = static_cast<std::size_t>(
        lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end()));
    if (longest < 64 && (!forced || *forced <= BitsLayout::slices)) {
        const std::size_t bits = std::bit_ceil(std::max<std::size_t>(8, longest + 1));
        const std::size_t lanes = vectors_for(items * bits, width);
        const std::size_t slice = vectors_for(items, width);
        const std::size_t slices = (longest + 1) * slice;
        for (const BitsLayout layout :
             {BitsLayout::lanes8, BitsLayout::lanes16, BitsLayout::lanes32, BitsLayout::lanes64}) {
            const auto wide = static_cast<std::size_t>(lane_bits(layout));
            const bool suits = wide == bits && lanes * width <= most_lanes_bytes &&
                               lanes * lane_cost <= slices * slice_cost;
            if (forced ? *forced != layout || wide < bits : !suits) continue;
            plan.layout = layout;
            plan.vectors = vectors_for(items * wide, width);
            plan.bytes = (options + 1) * plan.vectors * width;
            return plan;
        }
        if (forced ? *forced == BitsLayout::slices : slices * width <= most_slices_bytes) {
            plan.layout = BitsLayout::slices;
            plan.vectors = slices;
            plan.slice_vectors = slice;
            plan.bytes = (options + 1) * plan.vectors * width;
            return plan;
        }
    }
    plan.vectors = std::max<std::size_t>(1, divided_up(options, 8 * width));
    plan.counters = std::max<std::size_t>(1, divided_up(items, width));
    const auto many = static_cast<std::size_t>(std::count_if(
        lengths.begin(), lengths.end(), [](Int length) { return length >= bits_saturated; }));
    if (many > 0) plan.saturation_vectors = vectors_for(many, width);
    plan.bytes = (options + 1 + items) * plan.vectors * width;
    const bool scattered = plan.counters > most_counters || forced == BitsLayout::scattered;
    plan.layout = scattered ? BitsLayout::scattered : BitsLayout::counters;
    const auto entries = static_cast<std::size_t>(std::accumulate(
        lengths.begin(), lengths.end(), std::size_t{0},
        [](std::size_t sum, Int length) { return sum + static_cast<std::size_t>(length); }));
    plan.bytes += scattered ? entries * sizeof(Int) : (options + 1) * plan.counters * width;
    return plan;
}

BitsTables::BitsTables(const Problem& problem, const BitsPart& part,
                       std::optional<BitsLayout> forced)
    : loops_(bits_loops()) {
    list_options(problem, part);
    std::vector<Int> lengths(part.items.size());
    for (std::size_t item = 0; item < lengths.size(); ++item) {
        lengths[item] = item_start_[item + 1] - item_start_[item];
    }
    const BitsPlan plan = BitsPlan::of(part.options.size(), lengths, loops_, forced);
    view_.layout = plan.layout;
    view_.items = static_cast<Int>(part.items.size());
    view_.options = static_cast<Int>(part.options.size());
    view_.vectors = static_cast<std::uint32_t>(plan.vectors);
    view_.slice_vectors = static_cast<std::uint32_t>(plan.slice_vectors);
    view_.counters = static_cast<std::uint32_t>(plan.counters);
    view_.saturation_vectors = static_cast<std::uint32_t>(plan.saturation_vectors);
    view_.state_bytes =
        (plan.vectors + plan.counters + plan.saturation_vectors) * loops_.vector_bytes;
    root_ = AlignedBytes::zeros(view_.state_bytes);
    removal_ = AlignedBytes::zeros((part.options.size() + 1) * set_bytes());
    lay_removals(problem, part);
    if (by_item()) {
        lay_open_items();
    } else {
        lay_set();
        lay_counters();
    }
    view_.root = root_.data();
    view_.removal = removal_.data();
    view_.decrement = decrement_.data();
    view_.options_of = options_of_.data();
    view_.saturable = saturable_.data();
    view_.counter_start = counter_start_.data();
    view_.counter = counter_.data();
    view_.item_start = item_start_.data();
    view_.item_option = item_option_.data();
}

Int BitsTables::find(Int option) const noexcept {
    const auto same = static_cast<std::size_t>(option);
    if (same < option_.size() && option_[same] == option) return option;  // of the whole problem
    const auto found = std::lower_bound(option_.begin(), option_.end(), option);
    if (found == option_.end() || *found != option) return -1;
    return static_cast<Int>(found - option_.begin());
}

std::size_t BitsTables::scratch_bytes() const noexcept {
    const std::size_t lanes_or_slices =  // counts of all lanes, or candidates and digits
        std::max<std::size_t>(view_.vectors, (1 + bits_digits) * view_.slice_vectors);
    return bits_block_bytes + lanes_or_slices * loops_.vector_bytes;
}

void BitsTables::list_options(const Problem& problem, const BitsPart& part) {
    option_.assign(part.options.begin(), part.options.end());
    std::vector<Int> item_here(static_cast<std::size_t>(problem.items), -1);
    for (std::size_t item = 0; item < part.items.size(); ++item) {
        item_here[static_cast<std::size_t>(part.items[item])] = static_cast<Int>(item);
    }
    std::vector<Int> length(part.items.size(), 0);
    entry_start_.assign(1, 0);
    for (const Int option : option_) {
        const auto number = static_cast<std::size_t>(option);
        for (Int entry = problem.start[number]; entry < problem.start[number + 1]; ++entry) {
            const Int item =
                item_here[static_cast<std::size_t>(problem.item[static_cast<std::size_t>(entry)])];
            if (item < 0) continue;
            entry_item_.push_back(item);
            entry_place_.push_back(length[static_cast<std::size_t>(item)]++);
        }
        entry_start_.push_back(static_cast<Int>(entry_item_.size()));
    }
    item_start_.assign(1, 0);
    for (const Int many : length) item_start_.push_back(item_start_.back() + many);
    item_option_.resize(entry_item_.size());
    for (std::size_t option = 0; option < option_.size(); ++option) {
        for (Int at = entry_start_[option]; at < entry_start_[option + 1]; ++at) {
            const auto entry = static_cast<std::size_t>(at);
            const auto item = static_cast<std::size_t>(entry_item_[entry]);
            item_option_[static_cast<std::size_t>(item_start_[item] + entry_place_[entry])] =
                static_cast<Int>(option);
        }
    }
}

// Sets the bit of an option in a state: in lanes and slices, one for each of its entries.
void BitsTables::add_option(std::byte* state, Int option) const {
    const auto at = static_cast<std::size_t>(option);
    if (!by_item()) return set_word_bit(state, at);
    for (Int entry = entry_start_[at]; entry < entry_start_[at + 1]; ++entry) {
        const auto index = static_cast<std::size_t>(entry);
        set_item_bit(state, entry_item_[index], entry_place_[index]);
    }
}

// Sets the bit with this place in an item's lane, or in its column of slices. Place -1: the bit of
// an open item.
void BitsTables::set_item_bit(std::byte* state, Int item, Int place) const {
    const auto number = static_cast<std::size_t>(item);
    if (view_.layout == BitsLayout::slices) {
        const std::size_t slice = view_.slice_vectors * loops_.vector_bytes;
        return set_word_bit(state + static_cast<std::size_t>(place + 1) * slice, number);
    }
    const auto bits = static_cast<std::size_t>(lane_bits(view_.layout));
    const Int length = item_start_[number + 1] - item_start_[number];
    set_bit(state, number * bits + static_cast<std::size_t>(place < 0 ? length : place));
}

// Computes the removal of each option: the union of the sets of options of its items. For a
// secondary item with colors, only the options with another color. O(entries * bytes of a set).
void BitsTables::lay_removals(const Problem& problem, const BitsPart& part) {
    const std::size_t size = set_bytes();
    // The options with each item, and their colors there.
    std::vector<Int> holder_start(static_cast<std::size_t>(problem.items) + 1, 0);
    struct Holder {
        Int option;
        Int color;
    };
    const auto each_entry = [&](auto visit) {
        for (std::size_t here = 0; here < option_.size(); ++here) {
            const auto number = static_cast<std::size_t>(option_[here]);
            for (Int entry = problem.start[number]; entry < problem.start[number + 1]; ++entry) {
                visit(static_cast<Int>(here),
                      static_cast<std::size_t>(problem.item[static_cast<std::size_t>(entry)]),
                      problem.color_of(entry));
            }
        }
    };
    each_entry([&](Int, std::size_t item, Int) { ++holder_start[item + 1]; });
    std::partial_sum(holder_start.begin(), holder_start.end(), holder_start.begin());
    std::vector<Holder> holders(static_cast<std::size_t>(holder_start.back()));
    std::vector<Int> filled(holder_start.begin(), holder_start.end() - 1);
    each_entry([&](Int option, std::size_t item, Int color) {
        holders[static_cast<std::size_t>(filled[item]++)] = {option, color};
    });
    AlignedBytes everyone(size);
    AlignedBytes agreeing(size);
    for (std::size_t item = 0; item < static_cast<std::size_t>(problem.items); ++item) {
        const std::span all(holders.data() + holder_start[item],
                            static_cast<std::size_t>(holder_start[item + 1] - holder_start[item]));
        if (all.size() < 2) continue;
        std::stable_sort(all.begin(), all.end(),
                         [](const Holder& a, const Holder& b) { return a.color < b.color; });
        std::memset(everyone.data(), 0, size);
        for (const Holder& holder : all) add_option(everyone.data(), holder.option);
        for (std::size_t first = 0; first < all.size();) {
            std::size_t last = first;
            std::memset(agreeing.data(), 0, size);
            for (; last < all.size() && all[last].color == all[first].color; ++last) {
                if (all[last].color != 0) add_option(agreeing.data(), all[last].option);
            }
            for (; first < last; ++first) {
                unite(removal_.data() + static_cast<std::size_t>(all[first].option) * size,
                      everyone.data(), agreeing.data(), size);
            }
        }
    }
    for (std::size_t option = 0; option < part.options.size(); ++option) {
        add_option(removal_.data() + option * size, static_cast<Int>(option));
    }
}

// Sets the root: all items open, all options live. Adds the open bits of its items to an option's
// removal.
void BitsTables::lay_open_items() {
    for (Int item = 0; item < view_.items; ++item) set_item_bit(root_.data(), item, -1);
    for (Int option = 0; option < view_.options; ++option) {
        add_option(root_.data(), option);
        const auto at = static_cast<std::size_t>(option);
        for (Int entry = entry_start_[at]; entry < entry_start_[at + 1]; ++entry) {
            set_item_bit(removal_.data() + at * set_bytes(),
                         entry_item_[static_cast<std::size_t>(entry)], -1);
        }
    }
}

void BitsTables::lay_set() {
    for (std::size_t option = 0; option < option_.size(); ++option) {
        set_word_bit(root_.data(), option);
    }
    const auto items = static_cast<std::size_t>(view_.items);
    options_of_ = AlignedBytes::zeros(items * set_bytes());
    for (std::size_t item = 0; item < items; ++item) {
        for (Int at = item_start_[item]; at < item_start_[item + 1]; ++at) {
            set_word_bit(options_of_.data() + item * set_bytes(),
                         static_cast<std::size_t>(item_option_[static_cast<std::size_t>(at)]));
        }
    }
}

void BitsTables::lay_counters() {
    const std::size_t stride = view_.counters * loops_.vector_bytes;
    std::byte* counters = root_.data() + set_bytes();
    std::memset(counters, 255, stride);  // no item: as if covered
    for (Int item = 0; item < view_.items; ++item) {
        const auto at = static_cast<std::size_t>(item);
        const Int length = item_start_[at + 1] - item_start_[at];
        counters[at] = static_cast<std::byte>(std::min(length, bits_saturated));
        if (length < bits_saturated) continue;
        set_word_bit(counters + stride, saturable_.size());
        saturable_.push_back(item);
    }
    counter_start_ = entry_start_;
    counter_start_.push_back(entry_start_.back());  // the empty option
    counter_ = entry_item_;
    if (view_.layout == BitsLayout::scattered) return;
    decrement_ = AlignedBytes::zeros((option_.size() + 1) * stride);
    for (std::size_t option = 0; option < option_.size(); ++option) {
        for (Int at = entry_start_[option]; at < entry_start_[option + 1]; ++at) {
            const auto item = static_cast<std::size_t>(entry_item_[static_cast<std::size_t>(at)]);
            decrement_.data()[option * stride + item] = std::byte{1};
        }
    }
}

WholePart::WholePart(const Problem& problem)
    : items(static_cast<std::size_t>(problem.primary)),
      options(static_cast<std::size_t>(problem.options())) {
    std::iota(items.begin(), items.end(), 0);
    std::iota(options.begin(), options.end(), 0);
}

}  // namespace dlx
