// Lists the columns and clashes of a part, and lays the rows of the layout "crossings".
#include "bits/layouts/crossing_tables.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace dlx {
namespace {

// Options of a primary item in a secondary item, from which on a row is faster than pairs.
constexpr std::size_t many = 8;
constexpr std::size_t most_colors = 0xfff0;  // rows have 16-bit numbers

std::size_t rounded_up(std::size_t number, std::size_t to) {
    return (number + to - 1) / to * to;
}

std::size_t words_for(Int options, std::size_t vector_bytes) {
    return rounded_up(index(options), 8 * vector_bytes) / 64;
}

// The different colors among those added.
class Colors {
public:
    void add(Int color) {
        if (index(color) >= seen_.size()) seen_.resize(index(color) + 1, false);
        if (seen_[index(color)]) return;
        seen_[index(color)] = true;
        colors_.push_back(color);
    }

    std::size_t size() const noexcept { return colors_.size(); }

    // Ascending.
    std::span<const Int> sorted() {
        std::ranges::sort(colors_);
        return colors_;
    }

    void clear() {
        for (const Int color : colors_) seen_[index(color)] = false;
        colors_.clear();
    }

private:
    std::vector<bool> seen_;
    std::vector<Int> colors_;
};

bool is_crossing(std::size_t options, std::size_t items) {
    return options >= many * items;
}

// The number in the part of each primary item.
std::vector<Int> numbers_in(const Problem& problem, std::span<const Int> items) {
    std::vector<Int> number(index(problem.primary), -1);
    for (std::size_t item = 0; item < items.size(); ++item) {
        number[index(items[item])] = static_cast<Int>(item);
    }
    return number;
}

// The only primary item of each option, or -1 if there is not exactly one.
std::vector<Int> only_items(const Problem& problem, std::span<const Int> items,
                            std::span<const Int> options) {
    const std::vector<Int> number = numbers_in(problem, items);
    std::vector<Int> only(options.size(), -1);
    for (std::size_t here = 0; here < options.size(); ++here) {
        Int found = 0;
        for (Int entry = problem.start[index(options[here])];
             entry < problem.start[index(options[here]) + 1]; ++entry) {
            const Int item = problem.item[index(entry)];
            if (item >= problem.primary || number[index(item)] < 0) continue;
            only[here] = number[index(item)];
            ++found;
        }
        if (found != 1) only[here] = -1;
    }
    return only;
}

// Where the parts of a state are; and its size.
struct StateBytes {
    std::size_t places, header, long_segments, worthwhile, all;

    StateBytes(std::size_t items, std::size_t words, std::size_t longest,
               std::size_t vector_bytes) {
        constexpr std::size_t line = AlignedBytes::alignment;
        places = rounded_up(8 + sizeof(Int) * items, line);
        header = places + rounded_up(sizeof(CrossingPlace) * items, line);
        long_segments = header + rounded_up(vector_bytes * items, line);
        worthwhile = long_segments + rounded_up(8 * words, line);
        all = worthwhile + rounded_up(8 * longest, line);
    }
};

// The memory for parts of tables: their places, and the parts themselves.
std::size_t bytes_for_parts(std::size_t places, std::size_t row_bytes, bool several_vectors) {
    constexpr std::size_t most = std::size_t{16} << 20;
    constexpr std::size_t factor = 32;
    if (!several_vectors) return 0;
    return AlignedBytes::alignment + rounded_up(4 * places, AlignedBytes::alignment) +
           std::min(most, factor * row_bytes);
}

}  // namespace

std::optional<CrossingsShape> CrossingsShape::of(const Problem& problem, std::span<const Int> items,
                                                 std::span<const Int> options,
                                                 std::size_t vector_bytes, bool wanted) {
    constexpr std::size_t least = 2000;  // options; removals of fewer fit the caches
    const bool large = options.size() >= least && options.size() == index(problem.options());
    if (!wanted && !(large && problem.colored())) return std::nullopt;
    if (options.empty() || problem.multiple()) return std::nullopt;
    if (items.size() >= crossing_items) return std::nullopt;
    const std::vector<Int> only = only_items(problem, items, options);
    if (std::ranges::find(only, -1) != only.end()) return std::nullopt;
    std::vector<Int> length(items.size(), 0);
    for (const Int item : only) ++length[index(item)];
    if (std::ranges::max(length) >= static_cast<Int>(crossing_options)) return std::nullopt;
    // The options of each secondary item, and its colors.
    const auto secondary = index(problem.items - problem.primary);
    std::vector<Int> start(secondary + 1, 0);
    const auto each_entry = [&](auto visit) {
        for (std::size_t here = 0; here < options.size(); ++here) {
            for (Int entry = problem.start[index(options[here])];
                 entry < problem.start[index(options[here]) + 1]; ++entry) {
                const Int item = problem.item[index(entry)];
                if (item >= problem.primary) visit(index(item - problem.primary), here, entry);
            }
        }
    };
    each_entry([&](std::size_t item, std::size_t, Int) { ++start[item + 1]; });
    std::partial_sum(start.begin(), start.end(), start.begin());
    std::vector<Int> holder(index(start.back())), color(holder.size());
    std::vector<Int> filled(start.begin(), start.end() - 1);
    each_entry([&](std::size_t item, std::size_t here, Int entry) {
        const std::size_t at = index(filled[item]++);
        holder[at] = only[here];
        color[at] = problem.color_of(entry);
    });
    double bytes = 0, cut = 0, pairs = 0, row_bytes = 0, places = 0;
    std::vector<double> columns(items.size(), 0);
    std::vector<Int> seen(items.size(), -1);
    Colors colors;
    for (std::size_t item = 0; item < secondary; ++item) {
        const auto first = index(start[item]), last = index(start[item + 1]);
        std::size_t slots = 0;
        double words = 0;
        for (std::size_t at = first; at < last; ++at) {
            if (seen[index(holder[at])] == static_cast<Int>(item)) continue;
            seen[index(holder[at])] = static_cast<Int>(item);
            words += static_cast<double>(words_for(length[index(holder[at])], vector_bytes));
            ++slots;
        }
        if (slots < 2) continue;
        const auto holders = static_cast<double>(last - first);
        if (is_crossing(last - first, slots)) {
            colors.clear();
            for (std::size_t at = first; at < last; ++at) colors.add(color[at]);
            const auto rows = static_cast<double>(colors.size() + 2);
            row_bytes += 8 * rows * words;
            places += rows * static_cast<double>(slots);
            bytes += sizeof(CrossingEdge) * static_cast<double>(slots * slots);
            for (std::size_t at = first; at < last; ++at) {
                if (seen[index(holder[at])] != static_cast<Int>(item)) continue;
                seen[index(holder[at])] = -1;
                ++columns[index(holder[at])];
            }
            if (colors.size() >= most_colors) return std::nullopt;
            cut += holders * words * static_cast<double>(slots - 1) / static_cast<double>(slots);
        } else {
            pairs += holders * (holders - 1);
        }
    }
    for (std::size_t item = 0; item < items.size(); ++item) {
        bytes += sizeof(std::uint16_t) * columns[item] * static_cast<double>(length[item]);
    }
    constexpr double most = 1e15;
    std::size_t words = 0;
    std::size_t longest = 0;
    for (const Int each : length) {
        words += words_for(each, vector_bytes);
        longest = std::max(longest, words_for(each, vector_bytes));
    }
    const std::size_t branching = std::min(items.size(), options.size() / 2) + 2;
    const std::size_t search =
        branching * StateBytes(items.size(), words, longest, vector_bytes).all +
        bytes_for_parts(static_cast<std::size_t>(std::min(places, most)),
                        static_cast<std::size_t>(std::min(row_bytes, most)),
                        8 * longest > vector_bytes);
    bytes += row_bytes + 64.0 * sizeof(Int) * static_cast<double>(words);
    bytes += sizeof(Int) * (2 * pairs + 8 * static_cast<double>(options.size()) +
                            4 * static_cast<double>(holder.size()));
    const auto each = static_cast<double>(options.size());
    return CrossingsShape{static_cast<std::size_t>(std::min(bytes, most)), search, cut / each,
                          pairs / each};
}

CrossingTables::CrossingTables(const Problem& problem, std::span<const Int> items,
                               std::span<const Int> options, std::size_t vector_bytes)
    : vector_bytes_(vector_bytes), item_(only_items(problem, items, options)) {
    length_.assign(items.size(), 0);
    for (const Int item : item_) ++length_[index(item)];
    list_places();
    list_columns(problem, options);
    list_own_rows();
    list_edges();
    list_clashes();
    find_alike();
    lay_rows();
    lay_tables();
    view_.table = tables_.data();
    view_.first_word = first_word_.data();
    view_.first_column = first_column_.data();
    view_.rows_in = rows_in_.data();
    view_.first_row = first_row_.data();
    view_.edge = edge_.data();
    view_.edge_start = edge_start_.data();
    view_.option = option_.data();
    view_.item = item_.data();
    view_.place = place_.data();
    view_.clash = clash_.data();
}

// Where the options of each item are in the root: in whole vectors.
void CrossingTables::list_places() {
    std::size_t longest = 0;
    for (const Int length : length_) {
        first_word_.push_back(static_cast<std::uint32_t>(words_in_all_));
        words_.push_back(static_cast<std::uint32_t>(words_for(length, vector_bytes_)));
        words_in_all_ += words_.back();
        longest = std::max<std::size_t>(longest, words_.back());
    }
    const StateBytes state(length_.size(), words_in_all_, longest, vector_bytes_);
    view_.places = state.places;
    view_.header_bytes = state.header;
    view_.long_segments = state.long_segments;
    view_.worthwhile = state.worthwhile;
    state_bytes_ = state.all;
    std::vector<Int> filled(length_.size(), 0);
    for (std::size_t option = 0; option < item_.size(); ++option) {
        const auto item = index(item_[option]);
        place_.push_back(filled[item]++);
    }
}

// The colors of all crossings, if each has most of them; then they are numbered alike everywhere,
// and items can share tables. Otherwise empty.
std::vector<Int> CrossingTables::common_colors() const {
    Colors all, colors;
    all.add(0);
    std::size_t most = 0;
    for (std::size_t item = 0; item + 1 < holder_start_.size(); ++item) {
        colors.clear();
        colors.add(0);
        for (Int at = holder_start_[item]; at < holder_start_[item + 1]; ++at) {
            colors.add(entry_row_[index(holder_[index(at)])]);
        }
        if (colors.size() == 1) continue;
        most = most == 0 ? colors.size() : std::min(most, colors.size());
        for (const Int color : colors.sorted()) all.add(color);
    }
    if (all.size() > 2 * most) return {};
    const std::span<const Int> sorted = all.sorted();
    return {sorted.begin(), sorted.end()};
}

// Lists the entries by secondary item, with their colors numbered, and the columns.
void CrossingTables::list_columns(const Problem& problem, std::span<const Int> options) {
    const auto secondary = index(problem.items - problem.primary);
    entry_start_.assign(1, 0);
    holder_start_.assign(secondary + 1, 0);
    for (const Int option : options) {
        for (Int entry = problem.start[index(option)]; entry < problem.start[index(option) + 1];
             ++entry) {
            const Int item = problem.item[index(entry)] - problem.primary;
            if (item < 0) continue;
            entry_secondary_.push_back(item);
            entry_row_.push_back(problem.color_of(entry));
            ++holder_start_[index(item) + 1];
        }
        entry_start_.push_back(static_cast<Int>(entry_secondary_.size()));
    }
    std::partial_sum(holder_start_.begin(), holder_start_.end(), holder_start_.begin());
    holder_.resize(entry_secondary_.size());
    holder_option_.resize(entry_secondary_.size());
    std::vector<Int> filled(holder_start_.begin(), holder_start_.end() - 1);
    for (std::size_t option = 0; option < item_.size(); ++option) {
        for (Int entry = entry_start_[option]; entry < entry_start_[option + 1]; ++entry) {
            const auto at = index(filled[index(entry_secondary_[index(entry)])]++);
            holder_[at] = entry;
            holder_option_[at] = static_cast<Int>(option);
        }
    }
    const std::vector<Int> all = common_colors();
    Colors colors;
    std::vector<Int> row_of;  // by color
    slot_start_.assign(1, 0);
    std::vector<std::uint32_t> columns(length_.size(), 0);
    std::vector<Int> seen(length_.size(), -1);
    std::vector<Int> found;
    for (std::size_t item = 0; item < secondary; ++item) {
        const std::span holders(holder_.data() + holder_start_[item],
                                index(holder_start_[item + 1] - holder_start_[item]));
        found.clear();
        colors.clear();
        for (std::size_t at = 0; at < holders.size(); ++at) {
            const Int of = item_[index(holder_option_[index(holder_start_[item]) + at])];
            colors.add(entry_row_[index(holders[at])]);
            if (seen[index(of)] != static_cast<Int>(item)) {
                seen[index(of)] = static_cast<Int>(item);
                found.push_back(of);
            }
        }
        if (found.size() > 1 && is_crossing(holders.size(), found.size())) {
            colors.add(0);
            const std::span<const Int> numbered = all.empty() ? colors.sorted() : all;
            row_of.resize(std::max(row_of.size(), index(numbered.back()) + 1));
            for (std::size_t row = 0; row < numbered.size(); ++row) {
                row_of[index(numbered[row])] = static_cast<Int>(row);
            }
            for (const Int holder : holders) {
                Int& color = entry_row_[index(holder)];
                color = row_of[index(color)];
            }
            const auto rows = static_cast<std::uint32_t>(numbered.size() + 1);
            for (const Int of : found) slot_.push_back({of, rows, columns[index(of)]++});
        }
        slot_start_.push_back(static_cast<Int>(slot_.size()));
        is_shared_.push_back(found.size() > 1);
    }
    first_column_.assign(1, 0);
    for (const std::uint32_t width : columns) first_column_.push_back(first_column_.back() + width);
    rows_in_.assign(first_column_.back(), 0);
    for (const Slot& slot : slot_) {
        rows_in_[first_column_[index(slot.item)] + slot.column] = slot.rows;
    }
    for (std::size_t item = 0; item < length_.size(); ++item) {
        std::uint32_t row = 0;
        for (std::uint32_t column = first_column_[item]; column < first_column_[item + 1];
             ++column) {
            first_row_.push_back(row);
            row += rows_in_[column];
        }
        rows_of_.push_back(row);
    }
}

const std::uint16_t* CrossingTables::own_rows(Int option) const noexcept {
    const auto item = index(item_[index(option)]);
    return own_.data() + first_own_[item] + columns_of(item) * index(place_[index(option)]);
}

// The row that each option is in, by item, place and column.
void CrossingTables::list_own_rows() {
    for (std::size_t item = 0; item < length_.size(); ++item) {
        first_own_.push_back(own_.size());
        for (Int place = 0; place < length_[item]; ++place) {
            for (std::uint32_t column = first_column_[item]; column < first_column_[item + 1];
                 ++column) {
                own_.push_back(static_cast<std::uint16_t>(rows_in_[column] - 1));
            }
        }
    }
    for (std::size_t option = 0; option < item_.size(); ++option) {
        const auto first =
            static_cast<std::size_t>(own_rows(static_cast<Int>(option)) - own_.data());
        for (Int entry = entry_start_[option]; entry < entry_start_[option + 1]; ++entry) {
            const auto item = index(entry_secondary_[index(entry)]);
            for (Int slot = slot_start_[item]; slot < slot_start_[item + 1]; ++slot) {
                if (slot_[index(slot)].item != item_[option]) continue;
                own_[first + slot_[index(slot)].column] =
                    static_cast<std::uint16_t>(entry_row_[index(entry)]);
            }
        }
    }
}

// The crossings of each item with others, in order of these.
void CrossingTables::list_edges() {
    std::vector<std::vector<CrossingEdge>> edges(length_.size());
    for (std::size_t item = 0; item + 1 < slot_start_.size(); ++item) {
        const std::span<const Slot> slots(slot_.data() + slot_start_[item],
                                          index(slot_start_[item + 1] - slot_start_[item]));
        for (const Slot& slot : slots) {
            for (const Slot& other : slots) {
                if (other.item == slot.item) continue;
                edges[index(slot.item)].push_back(
                    {slot.column, other.item, other.column,
                     first_row_[first_column_[index(other.item)] + other.column]});
            }
        }
    }
    for (auto& each : edges) {
        edge_start_.push_back(static_cast<Int>(edge_.size()));
        std::ranges::stable_sort(each, {}, &CrossingEdge::other);
        edge_.insert(edge_.end(), each.begin(), each.end());
    }
    edge_start_.push_back(static_cast<Int>(edge_.size()));
}

// May both options be taken, as far as crossings of their items tell?
bool CrossingTables::agree(Int option, Int other) const {
    const auto item = index(item_[index(option)]);
    const std::uint16_t* const own = own_rows(option);
    const std::uint16_t* const others = own_rows(other);
    const std::span<const CrossingEdge> edges(edge_.data() + edge_start_[item],
                                              index(edge_start_[item + 1] - edge_start_[item]));
    for (const CrossingEdge& edge :
         std::ranges::equal_range(edges, item_[index(other)], {}, &CrossingEdge::other)) {
        const std::uint32_t none = rows_in_[first_column_[item] + edge.column] - 1;
        const std::uint32_t row = own[edge.column];
        const std::uint32_t theirs = others[edge.other_column];
        if (row != none && theirs != none && (row != theirs || row == 0)) return false;
    }
    return true;
}

// Lists the options of other items with which each option clashes outside of crossings only.
void CrossingTables::list_clashes() {
    std::size_t columns = 0;
    for (std::size_t item = 0; item < length_.size(); ++item) {
        columns = std::max<std::size_t>(columns, first_column_[item + 1] - first_column_[item]);
    }
    view_.clash_size = 1 + (columns + 2) / 2;
    option_.assign(64 * words_in_all_, {-1, 0});
    for (std::size_t option = 0; option < item_.size(); ++option) {
        option_[64 * first_word_[index(item_[option])] + index(place_[option])] = {
            static_cast<Int>(option), static_cast<Int>(clash_.size())};
        const std::size_t first = clash_.size();
        clash_.push_back(0);
        for (Int entry = entry_start_[option]; entry < entry_start_[option + 1]; ++entry) {
            const auto item = index(entry_secondary_[index(entry)]);
            if (!is_shared_[item] || slot_start_[item] < slot_start_[item + 1]) continue;
            const Int color = entry_row_[index(entry)];
            for (Int at = holder_start_[item]; at < holder_start_[item + 1]; ++at) {
                const Int other = holder_option_[index(at)];
                const bool same = color != 0 && entry_row_[index(holder_[index(at)])] == color;
                if (same || item_[index(other)] == item_[option]) continue;
                if (!agree(static_cast<Int>(option), other)) continue;
                add_clash(other);
                ++clash_[first];
            }
        }
    }
}

void CrossingTables::add_clash(Int other) {
    const auto item = index(item_[index(other)]);
    clash_.push_back(item_[index(other)] + static_cast<Int>(crossing_items) * place_[index(other)]);
    clash_rows_.assign(2 * (view_.clash_size - 1), key_of_any);
    const std::uint16_t* own = own_rows(other);
    for (std::uint32_t column = 0; column < columns_of(item); ++column) {
        const bool without = own[column] == rows_in_[first_column_[item] + column] - 1;
        clash_rows_[column] = without ? without_crossing : own[column];
    }
    const std::size_t end = clash_.size();
    clash_.resize(end + clash_rows_.size() / 2);
    std::memcpy(&clash_[end], clash_rows_.data(), 2 * clash_rows_.size());
}

// Finds the items whose options are in the same rows, place by place: the first such item for each.
void CrossingTables::find_alike() {
    for (std::size_t item = 0; item < length_.size(); ++item) {
        std::size_t first = 0;
        while (!is_alike(first, item)) ++first;
        alike_.push_back(first);
    }
}

bool CrossingTables::is_alike(std::size_t item, std::size_t other) const {
    if (length_[item] != length_[other] || columns_of(item) != columns_of(other)) return false;
    const auto rows = rows_in_.begin();
    const std::size_t size = columns_of(item) * index(length_[item]);
    const auto own = own_.begin();
    return std::equal(rows + first_column_[item], rows + first_column_[item + 1],
                      rows + first_column_[other]) &&
           std::equal(own + static_cast<std::ptrdiff_t>(first_own_[item]),
                      own + static_cast<std::ptrdiff_t>(first_own_[item] + size),
                      own + static_cast<std::ptrdiff_t>(first_own_[other]));
}

void CrossingTables::lay_rows() {
    std::size_t words = 0;
    for (std::size_t item = 0; item < length_.size(); ++item) {
        const bool first = alike_[item] == item;
        first_row_word_.push_back(first ? words : first_row_word_[alike_[item]]);
        if (first) words += std::size_t{rows_of_[item]} * stride_of(item);
    }
    std::vector<std::uint64_t> rows(words, 0);
    for (std::size_t option = 0; option < item_.size(); ++option) {
        const auto item = index(item_[option]);
        if (alike_[item] != item) continue;
        const std::size_t width = stride_of(item);
        const std::uint16_t* own = own_rows(static_cast<Int>(option));
        const auto place = index(place_[option]);
        const std::uint64_t bit = std::uint64_t{1} << (place % 64);
        for (std::uint32_t column = first_column_[item]; column < first_column_[item + 1];
             ++column) {
            const std::size_t row = *own++;
            const std::size_t last = rows_in_[column] - 1;
            const std::size_t first =
                first_row_word_[item] + first_row_[column] * width + place / 64;
            for (std::size_t each = row == last ? 0 : last; each <= last; ++each) {
                rows[first + each * width] |= bit;
            }
            if (row != 0) rows[first + row * width] |= bit;
        }
    }
    rows_ = AlignedBytes::zeros(8 * words + AlignedBytes::alignment);  // vectors reach behind rows
    if (words > 0) std::memcpy(rows_.data(), rows.data(), 8 * words);
}

void CrossingTables::lay_tables() {
    std::size_t places = 0;
    std::size_t row_words = 0;
    bool several_vectors = false;
    places_.resize(item_.size());
    std::iota(places_.begin(), places_.end(), 0);
    for (std::size_t item = 0; item < length_.size(); ++item) {
        row_words += std::size_t{rows_of_[item]} * words_[item];
        if (alike_[item] != item) {
            tables_.push_back(tables_[alike_[item]]);
            continue;
        }
        CrossingTable table;
        table.place_at = places_.data();
        table.own = own_.data() + first_own_[item];
        table.rows = rows_.data() + 8 * first_row_word_[item];
        table.options = static_cast<std::uint32_t>(length_[item]);
        table.words = words_[item];
        table.stride = static_cast<std::uint32_t>(stride_of(item));
        table.parts = AlignedBytes::alignment + 4 * places;
        several_vectors |= 8 * std::size_t{table.words} > vector_bytes_;
        places += rows_of_[item];
        tables_.push_back(table);
    }
    view_.scratch_bytes = bytes_for_parts(places, 8 * row_words, several_vectors);
    view_.first_free = AlignedBytes::alignment + rounded_up(4 * places, AlignedBytes::alignment);
}

AlignedBytes CrossingTables::scratch() const {
    AlignedBytes memory(view_.scratch_bytes);
    if (memory.size() == 0) return memory;
    std::memset(memory.data(), 0, view_.first_free);
    std::memcpy(memory.data(), &view_.first_free, sizeof view_.first_free);
    return memory;
}

// Where the root has the segment of an item.
std::size_t CrossingTables::segment_at(std::size_t item) const noexcept {
    return 8 * words_[item] == vector_bytes_
               ? view_.header_bytes + vector_bytes_ * item
               : view_.long_segments + 8 * std::size_t{first_word_[item]};
}

AlignedBytes CrossingTables::root() const {
    AlignedBytes state = AlignedBytes::zeros(state_bytes_);
    const std::size_t items = length_.size();
    const auto open = static_cast<std::uint32_t>(items);
    std::memcpy(state.data() + 4, &open, 4);
    // Behind the counts of the items are those of covered ones.
    std::memset(state.data() + 8, 0xff, view_.places - 8);
    for (std::size_t item = 0; item < items; ++item) {
        const auto number = static_cast<std::uint32_t>(item);
        const std::uint32_t count = tables_[item].options * crossing_items + number;
        std::memcpy(state.data() + 8 + 4 * item, &count, sizeof count);
        const CrossingPlace place{&tables_[alike_[item]],
                                  static_cast<std::uint32_t>(segment_at(item)), key_of_any,
                                  static_cast<std::uint16_t>(columns_of(item))};
        std::memcpy(state.data() + view_.places + sizeof place * item, &place, sizeof place);
    }
    for (std::size_t option = 0; option < item_.size(); ++option) {
        const auto place = index(place_[option]);
        std::byte* const at = state.data() + segment_at(index(item_[option])) + place / 64 * 8;
        std::uint64_t word;
        std::memcpy(&word, at, 8);
        word |= std::uint64_t{1} << (place % 64);
        std::memcpy(at, &word, 8);
    }
    return state;
}

}  // namespace dlx
