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
constexpr std::size_t most_segment_padding = 4;        // bits of segments for each option and item
constexpr std::size_t most_cached_removals = 1 << 20;  // bytes; for more, crossings are faster
constexpr std::size_t most_counters = 6;               // vectors that the loops keep in registers
constexpr std::size_t most_multiple_lanes_bytes = 64;
constexpr std::size_t most_multiple_counters = 8;
constexpr std::uint64_t nodes_to_sample = 500;  // to know whether tables of few options pay

std::size_t divided_up(std::size_t number, std::size_t by) {
    return (number + by - 1) / by;
}

std::size_t sum_of(std::span<const Int> lengths) {
    std::size_t sum = 0;
    for (const Int length : lengths) sum += static_cast<std::size_t>(length);
    return sum;
}

// The words of all segments: of each item, its options and the bit of an open item.
std::size_t words_of(std::span<const Int> lengths) {
    std::size_t words = 0;
    for (const Int length : lengths) words += static_cast<std::size_t>(length / 64 + 1);
    return words;
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

BitsPlan BitsPlan::of(const BitsShape& shape, const BitsLoops& loops,
                      std::optional<BitsLayout> forced) {
    const std::size_t options = shape.options;
    const std::span<const Int> lengths = shape.lengths;
    const std::size_t width = loops.vector_bytes;
    const std::size_t items = lengths.size();
    BitsPlan plan{};
    const auto longest = static_cast<std::size_t>(
        lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end()));
    if (shape.multiple) {
        plan.lay_multiple(shape, longest, loops, forced);
        return plan;
    }
    if (longest < 64 && (!forced || *forced <= BitsLayout::slices)) {
        const std::size_t bits = std::bit_ceil(std::max<std::size_t>(8, longest + 1));
        // As with vectors of 32 bytes on any processor, since batches count in slices in a tree
        // of their own (bits/rounds/).
        const std::size_t lanes = vectors_for(items * bits, 32);
        const std::size_t slices = (longest + 1) * vectors_for(items, 32);
        for (const BitsLayout layout :
             {BitsLayout::lanes8, BitsLayout::lanes16, BitsLayout::lanes32, BitsLayout::lanes64}) {
            const auto wide = static_cast<std::size_t>(lane_bits(layout));
            const bool suits = wide == bits && lanes * 32 <= most_lanes_bytes &&
                               lanes * lane_cost <= slices * slice_cost;
            if (forced ? *forced != layout || wide < bits : !suits) continue;
            plan.layout = layout;
            plan.vectors = vectors_for(items * wide, width);
            plan.bytes = (options + 1) * plan.vectors * width;
            return plan;
        }
        if (forced ? *forced == BitsLayout::slices : slices * 32 <= most_slices_bytes) {
            plan.layout = BitsLayout::slices;
            plan.slice_vectors = vectors_for(items, width);
            plan.vectors = (longest + 1) * plan.slice_vectors;
            plan.bytes = (options + 1) * plan.vectors * width;
            return plan;
        }
    }
    const std::size_t words = words_of(lengths);
    const bool cached = options * words * 8 <= most_cached_removals;
    if (shape.crossings && (!forced || *forced == BitsLayout::crossings)) {
        BitsPlan crossings{};
        crossings.layout = BitsLayout::crossings;
        crossings.vectors = vectors_for(64 * words, width);
        crossings.bytes = shape.crossings->bytes;
        crossings.search_bytes = shape.crossings->search_bytes;
        // Many items make states large, even where the tables are small.
        const bool suits = !cached && shape.crossings->is_sparse(words) && crossings.fits();
        if (forced || suits) return crossings;
    }
    const bool partition = sum_of(lengths) <= options + options / 2;  // an item each, mostly
    const bool filled = words * 64 <= most_segment_padding * (options + items);
    if (forced ? *forced == BitsLayout::segments : partition && filled) {
        plan.layout = BitsLayout::segments;
        plan.vectors = vectors_for(64 * words, width);
        plan.bytes = (options + 1) * plan.vectors * width;
        return plan;
    }
    plan.vectors = std::max<std::size_t>(1, divided_up(options, 8 * width));
    plan.counters = std::max<std::size_t>(1, divided_up(items, width));
    const auto many = static_cast<std::size_t>(std::count_if(
        lengths.begin(), lengths.end(), [](Int length) { return length >= bits_saturated; }));
    if (many > 0) plan.saturation_vectors = vectors_for(many, width);
    plan.bytes = (options + 1 + items) * plan.vectors * width;
    const bool scattered = plan.counters > most_counters || forced == BitsLayout::scattered;
    plan.layout = scattered ? BitsLayout::scattered : BitsLayout::counters;
    plan.bytes += scattered ? sum_of(lengths) * sizeof(Int) : (options + 1) * plan.counters * width;
    return plan;
}

void BitsPlan::lay_multiple(const BitsShape& shape, std::size_t longest, const BitsLoops& loops,
                            std::optional<BitsLayout> forced) {
    multiple = true;
    const std::size_t width = loops.vector_bytes;
    const std::size_t items = shape.lengths.size();
    const std::size_t rows = shape.options + 1;
    const std::size_t entries = sum_of(shape.lengths);
    const std::size_t bounded = (rows + entries) * sizeof(Int);
    if (shape.weights) {
        const auto& [totals, distinct] = *shape.weights;
        const Int most = totals.empty() ? 0 : *std::max_element(totals.begin(), totals.end());
        number_bytes = most < bits_saturated ? 1 : most < 0xfffe ? 2 : 4;
        vectors = vectors_for(shape.options, width);
        counters = vectors_for(items * 8 * number_bytes, width);
        layout = BitsLayout::scattered;
        bytes = (rows + items + distinct) * vectors * width + 2 * bounded +
                (2 * entries + items + distinct) * sizeof(Int);
        return;
    }
    number_bytes = 1;
    for (const BitsLayout lanes :
         {BitsLayout::lanes8, BitsLayout::lanes16, BitsLayout::lanes32, BitsLayout::lanes64}) {
        const auto bits = static_cast<std::size_t>(lane_bits(lanes));
        if (longest > bits) continue;
        vectors = vectors_for(items * bits, width);
        if (forced ? *forced != lanes : vectors * width > most_multiple_lanes_bytes) continue;
        layout = lanes;
        bytes = (3 * rows + items) * vectors * width + bounded;
        return;
    }
    const bool wide = longest >= static_cast<std::size_t>(bits_saturated);
    if (wide) number_bytes = 2;
    vectors = vectors_for(shape.options, width);
    counters = vectors_for(items * 8 * number_bytes, width);
    const bool scattered =
        wide || counters > most_multiple_counters || forced == BitsLayout::scattered;
    layout = scattered ? BitsLayout::scattered : BitsLayout::counters;
    bytes = (rows + items) * vectors * width + bounded +
            (scattered ? entries * sizeof(Int) : rows * counters * width);
}

std::optional<BitsWeights> BitsWeights::of(const Problem& problem, std::span<const Int> items,
                                           std::span<const Int> options) {
    if (!problem.weighted()) return std::nullopt;
    std::vector<Int> item_here(static_cast<std::size_t>(problem.items), -1);
    for (std::size_t item = 0; item < items.size(); ++item) {
        item_here[static_cast<std::size_t>(items[item])] = static_cast<Int>(item);
    }
    BitsWeights result{std::vector<Int>(items.size(), 0)};
    std::vector<std::pair<Int, Int>> pairs;
    for (const Int option : options) {
        const auto number = static_cast<std::size_t>(option);
        for (Int entry = problem.start[number]; entry < problem.start[number + 1]; ++entry) {
            const Int item =
                item_here[static_cast<std::size_t>(problem.item[static_cast<std::size_t>(entry)])];
            if (item < 0) continue;
            result.totals[static_cast<std::size_t>(item)] += problem.weight_of(entry);
            pairs.emplace_back(item, problem.weight_of(entry));
        }
    }
    std::ranges::sort(pairs);
    const auto same = std::ranges::unique(pairs);
    result.distinct = pairs.size() - same.size();
    return result;
}

BitsTables::BitsTables(const Problem& problem, const BitsPart& part,
                       std::optional<BitsLayout> forced)
    : loops_(bits_loops()) {
    list_options(problem, part);
    std::vector<Int> lengths(part.items.size());
    for (std::size_t item = 0; item < lengths.size(); ++item) {
        lengths[item] = item_start_[item + 1] - item_start_[item];
    }
    const auto once = [](Int times) { return times == 1; };
    const bool multiple =
        !std::ranges::all_of(part.low, once) || !std::ranges::all_of(part.high, once);
    const BitsPlan plan = BitsPlan::of(
        {part.options.size(), lengths, multiple, BitsWeights::of(problem, part.items, part.options),
         CrossingsShape::of(problem, part.items, part.options, loops_.vector_bytes,
                            forced == BitsLayout::crossings)},
        loops_, forced);
    view_.layout = plan.layout;
    view_.nodes_to_sample = forced == BitsLayout::renumbered ? 0 : nodes_to_sample;
    view_.multiple = plan.multiple;
    view_.number_bytes = static_cast<std::uint32_t>(plan.number_bytes);
    view_.weighted = problem.weighted();
    view_.items = static_cast<Int>(part.items.size());
    view_.options = static_cast<Int>(part.options.size());
    view_.same_lengths = has_same_lengths();
    view_.vectors = static_cast<std::uint32_t>(plan.vectors);
    view_.slice_vectors = static_cast<std::uint32_t>(plan.slice_vectors);
    view_.counters = static_cast<std::uint32_t>(plan.counters);
    const std::size_t numbers = !plan.multiple ? plan.counters
                                : by_item()    ? 2 * plan.vectors
                                               : (view_.weighted ? 4 : 3) * plan.counters;
    view_.state_bytes = (plan.vectors + numbers + plan.saturation_vectors) * loops_.vector_bytes;
    if (crossed()) {
        crossings_ = std::make_unique<const CrossingTables>(problem, part.items, part.options,
                                                            loops_.vector_bytes);
        view_.state_bytes = crossings_->state_bytes();
        root_ = crossings_->root();
        point_to_tables(plan);
        return;
    }
    root_ = AlignedBytes::zeros(view_.state_bytes);
    removal_ = AlignedBytes::zeros((part.options.size() + 1) * set_bytes());
    lay_removals(problem, part);
    if (plan.multiple) {
        lay_bounds(part);
    } else if (by_item()) {
        lay_open_items();
    } else {
        lay_set();
        lay_counters();
    }
    point_to_tables(plan);
}

void BitsTables::point_to_tables(const BitsPlan& plan) {
    view_.root = root_.data();
    const ItemsView by_items{view_.items, view_.vectors, removal_.data(), item_start_.data(),
                             item_option_.data()};
    const SetView set{view_.items,       view_.vectors,
                      view_.counters,    static_cast<std::uint32_t>(plan.saturation_vectors),
                      removal_.data(),   options_of_.data(),
                      decrement_.data(), counter_start_.data(),
                      counter_.data(),   saturable_.data(),
                      loops_.fewest};
    if (crossed()) {
        view_.crossings = &crossings_->view();
    } else if (plan.multiple && by_item()) {
        view_.multiple_lanes = {by_items,          view_.options,      options_of_.data(),
                                decrement_.data(), own_.data(),        bounded_start_.data(),
                                bounded_.data(),   bounded_of_.data(), most_bounded_};
    } else if (plan.multiple) {
        view_.multiple_set = {
            set,
            {bounded_start_.data(), bounded_.data(), is_bounded_.data(), entry_weight_.data(),
             bounded_weight_.data(), misfit_start_.data(), misfit_weight_.data(), misfits_.data()}};
    } else if (view_.layout == BitsLayout::segments) {
        view_.segments = {by_items, item_word_.data()};
    } else if (by_item()) {
        view_.by_item = by_items;
    } else {
        view_.set = set;
    }
}

Int BitsTables::find(Int option) const noexcept {
    const auto same = static_cast<std::size_t>(option);
    if (same < option_.size() && option_[same] == option) return option;  // of the whole problem
    const auto found = std::lower_bound(option_.begin(), option_.end(), option);
    if (found == option_.end() || *found != option) return -1;
    return static_cast<Int>(found - option_.begin());
}

AlignedBytes BitsTables::scratch() const {
    if (crossed()) return crossings_->scratch();
    if (view_.layout == BitsLayout::counters && !view_.multiple) {
        const std::size_t moves = set_bytes() / 8 + FewOptionsTable::most_words;
        return AlignedBytes(few_options_at(set_bytes()) + sizeof(FewOptionsTable) +
                            moves * sizeof(FewOptionsTable::Move) +
                            static_cast<std::size_t>(view_.items));
    }
    const std::size_t lanes_or_slices =  // counts of all lanes, or candidates and digits
        std::max<std::size_t>(view_.vectors, (1 + bits_digits) * view_.slice_vectors);
    std::size_t bounded = 0;  // the most bounded items of an option; a pointer for each
    for (std::size_t option = 0; option + 1 < bounded_start_.size(); ++option) {
        bounded = std::max(
            bounded, static_cast<std::size_t>(bounded_start_[option + 1] - bounded_start_[option]));
    }
    return AlignedBytes(bits_block_bytes + set_bytes() + lanes_or_slices * loops_.vector_bytes +
                        (bounded + 1) * sizeof(const std::byte*));
}

std::size_t BitsTables::deepest() const noexcept {
    const auto items = static_cast<std::size_t>(view_.items);
    const auto options = static_cast<std::size_t>(view_.options);
    return (view_.multiple ? options : std::min(items, options)) + 1;
}

std::size_t BitsTables::branching() const noexcept {
    const auto items = static_cast<std::size_t>(view_.items);
    const auto options = static_cast<std::size_t>(view_.options);
    return view_.multiple ? options : std::min(items, options / 2);  // of two options at least
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
            if (problem.weighted()) entry_weight_.push_back(problem.weight_of(entry));
            entry_place_.push_back(length[static_cast<std::size_t>(item)]++);
        }
        entry_start_.push_back(static_cast<Int>(entry_item_.size()));
    }
    item_start_.assign(1, 0);
    item_word_.assign(1, 0);
    for (const Int many : length) {
        item_start_.push_back(item_start_.back() + many);
        item_word_.push_back(item_word_.back() + many / 64 + 1);
    }
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

bool BitsTables::has_same_lengths() const noexcept {
    for (std::size_t option = 1; option + 1 < entry_start_.size(); ++option) {
        if (entry_start_[option + 1] - entry_start_[option] != entry_start_[1]) return false;
    }
    return true;
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
    const Int length = item_start_[number + 1] - item_start_[number];
    if (view_.layout == BitsLayout::segments) {
        const auto bit = static_cast<std::size_t>(place < 0 ? length : place);
        return set_word_bit(state, 64 * static_cast<std::size_t>(item_word_[number]) + bit);
    }
    const auto bits = static_cast<std::size_t>(lane_bits(view_.layout));
    set_bit(state, number * bits + static_cast<std::size_t>(place < 0 ? length : place));
}

// Computes the removal of each option: the union of the sets of options of its items. For a
// secondary item with colors, only the options with another color; none for an item that may be
// covered several times. O(entries * bytes of a set).
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
    std::vector<std::uint8_t> shared(static_cast<std::size_t>(problem.items), 0);
    for (std::size_t item = 0; item < part.items.size(); ++item) {
        shared[static_cast<std::size_t>(part.items[item])] = !covered_once(part, item);
    }
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
        if (all.size() < 2 || shared[item]) continue;
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

bool BitsTables::covered_once(const BitsPart& part, std::size_t item) const {
    return part.high.empty() || part.high[item] == 1;
}

// Sets what states have in common with multiplicities: live options, needs and bounds of the root;
// rows of ones; which items are bounded.
void BitsTables::lay_bounds(const BitsPart& part) {
    const auto items = static_cast<std::size_t>(view_.items);
    const std::size_t stride = number_bytes();
    options_of_ = AlignedBytes::zeros((items + 1) * set_bytes());
    for (std::size_t item = 0; item < items; ++item) {
        for (Int at = item_start_[item]; at < item_start_[item + 1]; ++at) {
            add_option(options_of_.data() + item * set_bytes(),
                       item_option_[static_cast<std::size_t>(at)]);
        }
    }
    if (by_item()) own_ = AlignedBytes::zeros((option_.size() + 1) * set_bytes());
    decrement_ = AlignedBytes::zeros(
        view_.layout == BitsLayout::scattered ? 0 : (option_.size() + 1) * stride);
    std::byte* scores = root_.data() + set_bytes();
    std::byte* needs = by_item() ? scores : scores + stride;
    if (!by_item()) {  // a place without an item: as if done
        for (std::size_t place = 0; place < stride / view_.number_bytes; ++place) {
            set_number(scores, place, 1);
        }
    }
    std::vector<std::uint8_t> bounded(items, 0);
    std::vector<Int> total(items, 0);
    for (std::size_t entry = 0; entry < entry_item_.size(); ++entry) {
        total[static_cast<std::size_t>(entry_item_[entry])] +=
            entry_weight(static_cast<Int>(entry));
    }
    for (std::size_t item = 0; item < items; ++item) {
        const Int need = std::min(part.low[item], total[item] + 1);
        const bool unbounded = part.high[item] >= total[item] && part.high[item] > 1;
        bounded[item] = !unbounded && part.high[item] > 1;
        set_number(needs, item, need);
        set_number(needs + stride, item, unbounded ? -1 : part.high[item]);
        if (!by_item()) set_number(scores, item, total[item] + 1 - need);
        if (view_.weighted) {
            set_number(needs + 2 * stride, item, item_start_[item + 1] - item_start_[item]);
        }
    }
    bounded_start_.assign(1, 0);
    for (std::size_t option = 0; option < option_.size(); ++option) {
        add_option(root_.data(), static_cast<Int>(option));
        if (by_item()) add_option(own_.data() + option * set_bytes(), static_cast<Int>(option));
        for (Int at = entry_start_[option]; at < entry_start_[option + 1]; ++at) {
            const auto item = static_cast<std::size_t>(entry_item_[static_cast<std::size_t>(at)]);
            if (bounded[item]) {
                bounded_.push_back(static_cast<Int>(item));
                if (view_.weighted) bounded_weight_.push_back(entry_weight(at));
            }
            if (decrement_.size() > 0) set_number(decrement_.data() + option * stride, item, 1);
        }
        bounded_start_.push_back(static_cast<Int>(bounded_.size()));
    }
    bounded_start_.push_back(bounded_start_.back());  // the empty option
    lay_bounded_items(bounded);
    counter_start_ = entry_start_;
    counter_start_.push_back(entry_start_.back());
    counter_ = entry_item_;
    if (view_.weighted) lay_misfits(bounded);
}

void BitsTables::lay_bounded_items(const std::vector<std::uint8_t>& bounded) {
    const auto rows = static_cast<std::size_t>(view_.options) + 1;
    if (by_item()) {
        for (std::size_t option = 0; option < rows; ++option) {
            const Int many = bounded_start_[option + 1] - bounded_start_[option];
            most_bounded_ = std::max(most_bounded_, static_cast<std::size_t>(many));
        }
        bounded_of_.resize(rows * most_bounded_);
        for (std::size_t option = 0; option < rows; ++option) {
            std::copy(bounded_.begin() + bounded_start_[option],
                      bounded_.begin() + bounded_start_[option + 1],
                      bounded_of_.begin() + static_cast<std::ptrdiff_t>(option * most_bounded_));
        }
    } else if (view_.layout == BitsLayout::counters) {
        is_bounded_ = AlignedBytes::zeros(number_bytes());
        for (std::size_t item = 0; item < bounded.size(); ++item) {
            set_number(is_bounded_.data(), item, bounded[item]);
        }
    }
}

// Lists the different weights of each bounded item, and for each of them the options of the item
// whose weight is that or more.
void BitsTables::lay_misfits(const std::vector<std::uint8_t>& bounded) {
    struct Entry {
        Int item;
        Int weight;
        Int option;
    };
    std::vector<Entry> entries;
    for (Int option = 0; option < view_.options; ++option) {
        const auto number = static_cast<std::size_t>(option);
        for (Int at = entry_start_[number]; at < entry_start_[number + 1]; ++at) {
            const Int item = entry_item_[static_cast<std::size_t>(at)];
            if (!bounded[static_cast<std::size_t>(item)]) continue;
            entries.push_back({item, entry_weight(at), option});
        }
    }
    std::ranges::sort(entries, [](const Entry& a, const Entry& b) {
        return a.item != b.item ? a.item < b.item : a.weight < b.weight;
    });
    misfit_start_.assign(bounded.size() + 1, 0);
    for (std::size_t at = 0; at < entries.size(); ++at) {
        const Entry& entry = entries[at];
        if (at > 0 && entries[at - 1].item == entry.item &&
            entries[at - 1].weight == entry.weight) {
            continue;
        }
        misfit_weight_.push_back(entry.weight);
        ++misfit_start_[static_cast<std::size_t>(entry.item) + 1];
    }
    std::partial_sum(misfit_start_.begin(), misfit_start_.end(), misfit_start_.begin());
    misfits_ = AlignedBytes::zeros(misfit_weight_.size() * set_bytes());
    for (const Entry& entry : entries) {
        auto place = static_cast<std::size_t>(misfit_start_[static_cast<std::size_t>(entry.item)]);
        const auto last =
            static_cast<std::size_t>(misfit_start_[static_cast<std::size_t>(entry.item) + 1]);
        for (; place < last && misfit_weight_[place] <= entry.weight; ++place) {
            add_option(misfits_.data() + place * set_bytes(), entry.option);
        }
    }
}

// The bytes of a state's scores, needs or bounds.
std::size_t BitsTables::number_bytes() const noexcept {
    return (by_item() ? view_.vectors : view_.counters) * loops_.vector_bytes;
}

// Sets the score, need, bound or length of an item; -1: the largest number.
void BitsTables::set_number(std::byte* numbers, std::size_t item, Int value) const {
    if (view_.number_bytes == 4) {
        std::memcpy(numbers + 4 * item, &value, 4);
    } else if (view_.number_bytes == 2) {
        const auto pair = static_cast<std::uint16_t>(value);
        std::memcpy(numbers + 2 * item, &pair, 2);
    } else {
        const auto bits = static_cast<std::size_t>(lane_bits(view_.layout));
        numbers[by_item() ? item * bits / 8 : item] = static_cast<std::byte>(value);
    }
}

WholePart::WholePart(const Problem& problem)
    : items(static_cast<std::size_t>(problem.primary)),
      options(static_cast<std::size_t>(problem.options())),
      low(problem.low),
      high(problem.high) {
    std::iota(items.begin(), items.end(), 0);
    std::iota(options.begin(), options.end(), 0);
}

}  // namespace dlx
