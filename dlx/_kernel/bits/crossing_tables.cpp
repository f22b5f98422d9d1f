// Lists the slots and clashes of a part, and makes the rows of the layout "crossings".
#include "bits/crossing_tables.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace dlx {
namespace {

// Options of a primary item in a secondary item, from which on a row is faster than pairs.
constexpr std::size_t many = 8;

std::size_t index(Int number) {
    return static_cast<std::size_t>(number);
}

std::size_t rounded_up(std::size_t number, std::size_t to) {
    return (number + to - 1) / to * to;
}

std::size_t words_for(Int options, std::size_t vector_bytes) {
    return rounded_up(index(options), 8 * vector_bytes) / 64;
}

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

// The bytes of the tables, states and nested tables that depend on the words of the items.
struct WordBytes {
    std::size_t tables, search;

    WordBytes(std::span<const Int> length, std::size_t options, std::size_t slots,
              std::size_t row_bytes, std::size_t vector_bytes) {
        std::size_t words = 0;
        for (const Int each : length) words += words_for(each, vector_bytes);
        tables = 64 * sizeof(Int) * words;
        const std::size_t state = 8 * words + 4 * length.size();
        const std::size_t branching = std::min(length.size(), options / 2) + 2;
        const std::size_t nested =
            tables + 8 * length.size() + 4 * slots + sizeof(Int) * options + row_bytes;
        search = branching * state + most_nested_crossings * nested;
    }
};

}  // namespace

std::optional<CrossingsShape> CrossingsShape::of(const Problem& problem, std::span<const Int> items,
                                                 std::span<const Int> options,
                                                 std::size_t vector_bytes, bool wanted) {
    constexpr std::size_t least = 2000;  // options; removals of fewer fit the caches
    const bool large = options.size() >= least && options.size() == index(problem.options());
    if (!wanted && !(large && problem.colored())) return std::nullopt;
    if (options.empty() || problem.multiple()) return std::nullopt;
    const std::vector<Int> only = only_items(problem, items, options);
    if (std::ranges::find(only, -1) != only.end()) return std::nullopt;
    std::vector<Int> length(items.size(), 0);
    for (const Int item : only) ++length[index(item)];
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
    double bytes = 0, cut = 0, pairs = 0, row_bytes = 0;
    std::size_t all_slots = 0;
    std::vector<double> columns(items.size(), 0);
    std::vector<Int> seen(items.size(), -1);
    std::vector<Int> colors;
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
            colors.assign(color.begin() + start[item], color.begin() + start[item + 1]);
            std::ranges::sort(colors);
            const auto repeated = std::ranges::unique(colors);
            const auto rows = static_cast<double>(colors.size() - repeated.size() + 2);
            row_bytes += 8 * rows * words;
            all_slots += slots;
            bytes += 2 * sizeof(Int) * holders * static_cast<double>(slots);
            for (std::size_t at = first; at < last; ++at) {
                if (seen[index(holder[at])] != static_cast<Int>(item)) continue;
                seen[index(holder[at])] = -1;
                ++columns[index(holder[at])];
            }
            if (colors.size() - repeated.size() + 1 >= in_no_row) return std::nullopt;
            cut += holders * words * static_cast<double>(slots - 1) / static_cast<double>(slots);
        } else {
            pairs += holders * (holders - 1);
        }
    }
    for (std::size_t item = 0; item < items.size(); ++item) {
        bytes += sizeof(std::uint16_t) * columns[item] * static_cast<double>(length[item]);
    }
    constexpr double most = 1e15;
    row_bytes = std::min(row_bytes, most);
    const WordBytes more(length, options.size(), all_slots, static_cast<std::size_t>(row_bytes),
                         vector_bytes);
    bytes += row_bytes + static_cast<double>(more.tables);
    bytes += sizeof(Int) * (2 * pairs + 8 * static_cast<double>(options.size()) +
                            4 * static_cast<double>(holder.size()));
    const auto each = static_cast<double>(options.size());
    return CrossingsShape{static_cast<std::size_t>(std::min(bytes, most)), more.search, cut / each,
                          pairs / each};
}

CrossingTables::CrossingTables(const Problem& problem, std::span<const Int> items,
                               std::span<const Int> options, std::size_t vector_bytes)
    : item_(only_items(problem, items, options)) {
    length_.assign(items.size(), 0);
    for (const Int item : item_) ++length_[index(item)];
    list_places(vector_bytes);
    list_slots(problem, options);
    list_own_rows();
    list_changes();
    lay_rows();
    view_.change_start = change_start_.data();
    view_.change = change_.data();
    view_.own_first = own_first_.data();
    view_.own_stride = own_stride_.data();
    view_.own_row = own_row_.data();
    view_.slots = slot_item_.size();
    view_.slot_item = slot_item_.data();
    view_.slot_rows = slot_rows_.data();
    view_.partner_start = partner_start_.data();
    view_.partner = partner_.data();
    view_.first_word = first_word_.data();
    view_.words = words_.data();
    view_.first_row = first_row_.data();
    view_.option_at = option_at_.data();
    view_.place = place_.data();
    view_.rows = rows_.data();
    // A nested table has at most half of the words, and rows that are not longer.
    constexpr std::size_t line = AlignedBytes::alignment;
    view_.nested_row = rounded_up(8 + 8 * items.size(), line);
    view_.nested_option = view_.nested_row + rounded_up(4 * view_.slots, line);
    view_.nested_place = view_.nested_option + rounded_up(32 * sizeof(Int) * view_.all_words, line);
    view_.nested_root_place = view_.nested_place + rounded_up(sizeof(Int) * item_.size(), line);
    view_.nested_rows =
        view_.nested_root_place + rounded_up(32 * sizeof(Int) * view_.all_words, line);
    view_.nested_bytes = view_.nested_rows + rounded_up(rows_.size(), line);
}

// Where the options of each item are in the root: in whole vectors.
void CrossingTables::list_places(std::size_t vector_bytes) {
    view_.header_bytes = rounded_up(8 + 4 * length_.size(), AlignedBytes::alignment);
    std::size_t words = 0;
    for (const Int length : length_) {
        first_word_.push_back(static_cast<std::uint32_t>(words));
        words_.push_back(static_cast<std::uint32_t>(words_for(length, vector_bytes)));
        words += words_.back();
    }
    view_.all_words = words;
    state_bytes_ = view_.header_bytes + rounded_up(8 * words, AlignedBytes::alignment);
    option_at_.assign(64 * words, -1);
    std::vector<Int> filled(length_.size(), 0);
    for (std::size_t option = 0; option < item_.size(); ++option) {
        const auto item = index(item_[option]);
        place_.push_back(filled[item]++);
        option_at_[64 * first_word_[item] + index(place_.back())] = static_cast<Int>(option);
    }
}

// Lists the entries by secondary item, with their colors numbered, and the slots.
void CrossingTables::list_slots(const Problem& problem, std::span<const Int> options) {
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
    slot_start_.assign(1, 0);
    partner_start_.assign(1, 0);
    std::vector<Int> seen(length_.size(), -1);
    std::vector<Int> found, colors;
    for (std::size_t item = 0; item < secondary; ++item) {
        const std::span holders(holder_.data() + holder_start_[item],
                                index(holder_start_[item + 1] - holder_start_[item]));
        found.clear();
        colors.clear();
        for (std::size_t at = 0; at < holders.size(); ++at) {
            const Int of = item_[index(holder_option_[index(holder_start_[item]) + at])];
            colors.push_back(entry_row_[index(holders[at])]);
            if (seen[index(of)] != static_cast<Int>(item)) {
                seen[index(of)] = static_cast<Int>(item);
                found.push_back(of);
            }
        }
        if (found.size() > 1 && is_crossing(holders.size(), found.size())) {
            colors.push_back(0);
            std::ranges::sort(colors);
            const auto repeated = std::ranges::unique(colors);
            colors.erase(repeated.begin(), repeated.end());
            for (const Int holder : holders) {
                Int& color = entry_row_[index(holder)];
                color = static_cast<Int>(std::ranges::lower_bound(colors, color) - colors.begin());
            }
            for (const Int of : found) {
                slot_item_.push_back(of);
                slot_rows_.push_back(static_cast<Int>(colors.size()));
                for (const Int other : found) {
                    if (other != of) partner_.push_back(other);
                }
                partner_start_.push_back(static_cast<Int>(partner_.size()));
            }
        }
        slot_start_.push_back(static_cast<Int>(slot_item_.size()));
    }
}

// The rows that each option is in: a table for each item, with a column for each of its slots.
void CrossingTables::list_own_rows() {
    std::vector<Int> columns(length_.size(), 0);
    std::vector<Int> column;
    for (const Int item : slot_item_) column.push_back(columns[index(item)]++);
    std::vector<Int> first;
    std::size_t size = 0;
    for (std::size_t item = 0; item < length_.size(); ++item) {
        first.push_back(static_cast<Int>(size));
        size += index(columns[item]) * index(length_[item]);
    }
    own_row_.assign(size, in_no_row);
    for (std::size_t slot = 0; slot < slot_item_.size(); ++slot) {
        const auto item = index(slot_item_[slot]);
        own_first_.push_back(first[item] + column[slot]);
        own_stride_.push_back(columns[item]);
    }
    for (std::size_t option = 0; option < item_.size(); ++option) {
        for (Int entry = entry_start_[option]; entry < entry_start_[option + 1]; ++entry) {
            const auto item = index(entry_secondary_[index(entry)]);
            for (Int slot = slot_start_[item]; slot < slot_start_[item + 1]; ++slot) {
                const auto at = index(slot);
                if (slot_item_[at] != item_[option]) continue;
                own_row_[index(own_first_[at]) + index(place_[option]) * index(own_stride_[at])] =
                    static_cast<std::uint16_t>(entry_row_[index(entry)]);
            }
        }
    }
}

// What taking each option changes: rows that it applies to other items, in order of the items; and
// options of other items with which it clashes outside of crossings.
void CrossingTables::list_changes() {
    struct Applied {
        Int item, slot, row;
    };
    std::vector<Applied> applied;
    for (std::size_t option = 0; option < item_.size(); ++option) {
        applied.clear();
        change_start_.push_back(static_cast<Int>(change_.size()));
        for (Int entry = entry_start_[option]; entry < entry_start_[option + 1]; ++entry) {
            const auto item = index(entry_secondary_[index(entry)]);
            for (Int slot = slot_start_[item]; slot < slot_start_[item + 1]; ++slot) {
                if (slot_item_[index(slot)] == item_[option]) continue;
                applied.push_back({slot_item_[index(slot)], slot, entry_row_[index(entry)]});
            }
        }
        std::ranges::stable_sort(applied, {}, &Applied::item);
        change_.push_back(item_[option]);
        change_.push_back(static_cast<Int>(2 * applied.size()));
        for (const Applied& each : applied) {
            change_.push_back(each.slot);
            change_.push_back(each.row);
        }
        const std::size_t clashes = change_.size();
        change_.push_back(0);
        for (Int entry = entry_start_[option]; entry < entry_start_[option + 1]; ++entry) {
            const auto item = index(entry_secondary_[index(entry)]);
            if (slot_start_[item] < slot_start_[item + 1]) continue;
            const Int color = entry_row_[index(entry)];
            for (Int at = holder_start_[item]; at < holder_start_[item + 1]; ++at) {
                const Int other = holder_option_[index(at)];
                const bool agree = color != 0 && entry_row_[index(holder_[index(at)])] == color;
                if (agree || item_[index(other)] == item_[option]) continue;
                change_.push_back(item_[index(other)]);
                change_.push_back(other);
            }
        }
        change_[clashes] = static_cast<Int>(change_.size() - clashes - 1);
    }
}

// A row has the options of the slot's item that agree with its color there, and those that do not
// have the secondary item at all. Row 0 is for "no color", with which none agrees.
void CrossingTables::lay_rows() {
    std::size_t words = 0;
    for (std::size_t slot = 0; slot < slot_item_.size(); ++slot) {
        first_row_.push_back(static_cast<std::uint32_t>(words));
        words += index(slot_rows_[slot]) * words_[index(slot_item_[slot])];
    }
    std::vector<std::uint64_t> rows(words, 0);
    for (std::size_t slot = 0; slot < slot_item_.size(); ++slot) {
        const auto item = index(slot_item_[slot]);
        const std::size_t width = words_[item];
        for (std::size_t place = 0; place < index(length_[item]); ++place) {
            const std::uint16_t row =
                own_row_[index(own_first_[slot]) + place * index(own_stride_[slot])];
            const std::uint64_t bit = std::uint64_t{1} << (place % 64);
            const std::size_t first = first_row_[slot] + place / 64;
            if (row == in_no_row) {
                for (std::size_t each = 0; each < index(slot_rows_[slot]); ++each) {
                    rows[first + each * width] |= bit;
                }
            } else if (row != 0) {
                rows[first + row * width] |= bit;
            }
        }
    }
    rows_ = AlignedBytes(8 * words);
    if (words > 0) std::memcpy(rows_.data(), rows.data(), 8 * words);
}

// The loops read the place of an option before they check that a nested table has the option. So
// places are zeros at first; what else they read, they have written.
AlignedBytes CrossingTables::scratch() const {
    AlignedBytes tables(most_nested_crossings * view_.nested_bytes);
    for (std::size_t table = 0; table < most_nested_crossings; ++table) {
        std::memset(tables.data() + table * view_.nested_bytes + view_.nested_place, 0,
                    sizeof(Int) * item_.size());
    }
    return tables;
}

AlignedBytes CrossingTables::root() const {
    AlignedBytes state = AlignedBytes::zeros(state_bytes_);
    const auto open = static_cast<std::uint32_t>(length_.size());
    std::memcpy(state.data() + 4, &open, 4);
    if (open > 0) std::memcpy(state.data() + 8, length_.data(), 4 * length_.size());
    for (std::size_t option = 0; option < item_.size(); ++option) {
        const std::size_t bit = 64 * first_word_[index(item_[option])] + index(place_[option]);
        std::byte* const at = state.data() + view_.header_bytes + bit / 64 * 8;
        std::uint64_t word;
        std::memcpy(&word, at, 8);
        word |= std::uint64_t{1} << (bit % 64);
        std::memcpy(at, &word, 8);
    }
    return state;
}

}  // namespace dlx
