// Builds the tables of the engine `propagation`.
#include "propagation/tables.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "core/interrupt_check.hpp"

namespace dlx::propagation {
namespace {

constexpr Number column_share = 4;  // one in `column_share` options must cover the item

std::size_t words_for(std::size_t bits) {
    return (bits + word_bits - 1) / word_bits;
}

// The starts of lists from their lengths, which were counted one place further on.
void add_up(std::vector<Number>& start) {
    std::partial_sum(start.begin(), start.end(), start.begin());
}

}  // namespace

Tables::Tables(const Problem& problem) {
    number_options(problem);
    number_values(problem);
    choose_columns(problem);
    fill_supports(problem);
    list_loose(problem);
}

void Tables::take(std::size_t count, std::size_t size) {
    bytes_ += count * size;
    if (bytes_ > memory_limit) throw TooLarge();
}

void Tables::number_options(const Problem& problem) {
    const auto primary = static_cast<std::size_t>(problem.primary);
    const auto count = static_cast<std::size_t>(problem.options());
    take(problem.item.size(), sizeof(Number));  // at least that
    options.start.assign(primary + 1, 0);
    place_start.assign(count + 1, 0);
    PeriodicCheck periodic;
    for (std::size_t option = 0; option < count; ++option) {
        for (Int entry = problem.start[option]; entry < problem.start[option + 1]; ++entry) {
            periodic.add(1);
            const Int item = problem.item[index(entry)];
            if (item >= problem.primary) continue;
            ++options.start[index(item) + 1];
            ++place_start[option + 1];
        }
    }
    add_up(options.start);
    add_up(place_start);
    options.number.resize(options.start.back());
    place.resize(options.start.back());
    alone.assign(primary, 1);
    std::vector<Number> next(options.start.begin(), options.start.end() - 1);
    std::size_t at = 0;
    for (std::size_t option = 0; option < count; ++option) {
        const bool one = place_start[option + 1] - place_start[option] == 1;
        for (Int entry = problem.start[option]; entry < problem.start[option + 1]; ++entry) {
            periodic.add(1);
            if (problem.item[index(entry)] >= problem.primary) continue;
            const auto item = static_cast<Number>(problem.item[index(entry)]);
            place[at++] = {item, next[item] - options.start[item]};
            options.number[next[item]++] = static_cast<Number>(option);
            if (!one) alone[item] = 0;
        }
    }
    word_start.assign(primary + 1, 0);
    for (std::size_t item = 0; item < primary; ++item) {
        const Number length = options.start[item + 1] - options.start[item];
        word_start[item + 1] = word_start[item] + static_cast<Number>(words_for(length));
    }
}

void Tables::number_values(const Problem& problem) {
    const auto secondary = static_cast<std::size_t>(problem.items - problem.primary);
    Int most = 0;
    for (const Int color : problem.color) most = std::max(most, color);
    color_words_ = words_for(static_cast<std::size_t>(most) + 1);
    take(secondary * color_words_, sizeof(Word) + sizeof(Number));
    colors_.assign(secondary * color_words_, 0);
    PeriodicCheck periodic;
    for (Int entry = 0; entry < problem.entries(); ++entry) {
        periodic.add(1);
        const Int item = problem.item[index(entry)] - problem.primary;
        if (item < 0) continue;
        const auto color = static_cast<std::size_t>(problem.color_of(entry));
        colors_[index(item) * color_words_ + color / word_bits] |= Word{1} << color % word_bits;
    }
    value_before_.resize(colors_.size());
    value_start.assign(secondary + 1, 0);
    Number values = 0;
    for (std::size_t item = 0; item < secondary; ++item) {
        for (std::size_t word = item * color_words_; word < (item + 1) * color_words_; ++word) {
            value_before_[word] = values;
            values += static_cast<Number>(std::popcount(colors_[word]));
        }
        value_start[item + 1] = values;
    }
}

Number Tables::value_of(Number secondary, Int color) const noexcept {
    const auto bit = static_cast<std::size_t>(color);
    const std::size_t word = secondary * color_words_ + bit / word_bits;
    const Word before = colors_[word] & ((Word{1} << bit % word_bits) - 1);
    return value_before_[word] + static_cast<Number>(std::popcount(before));
}

void Tables::choose_columns(const Problem& problem) {
    const std::size_t primary = alone.size();
    const std::size_t secondary = value_start.size() - 1;
    std::vector<Number> uses(secondary, 0);
    for (const Int item : problem.item) {
        if (item >= problem.primary) ++uses[index(item - problem.primary)];
    }
    left_out.assign(secondary, 0);
    may_be_loose_.resize(secondary);
    for (std::size_t item = 0; item < secondary; ++item) {  // exclusive entries are
        may_be_loose_[item] = static_cast<std::uint8_t>(colors_[color_words_ * item] & 1);
    }
    std::vector<Number> here(secondary, 0);
    std::vector<Number> touched;
    std::vector<bool> partial;
    PeriodicCheck periodic;
    for (Number item = 0; item < primary; ++item) {
        for (const Number option : options[item]) {
            for (Int entry = problem.start[option]; entry < problem.start[option + 1]; ++entry) {
                periodic.add(1);
                if (problem.item[index(entry)] < problem.primary) continue;
                const auto other =
                    static_cast<Number>(problem.item[index(entry)] - problem.primary);
                if (here[other]++ == 0) touched.push_back(other);
            }
        }
        std::sort(touched.begin(), touched.end());
        const Number length = options.start[item + 1] - options.start[item];
        for (const Number other : touched) {
            const Number count = std::exchange(here[other], 0);
            if (count == uses[other]) left_out[other] = 1;
            if (count < length / column_share) {
                may_be_loose_[other] = 1;
                continue;
            }
            columns.push_back({item, other, 0, none});
            partial.push_back(count < length);
        }
        take(touched.size(), sizeof(Column));
        touched.clear();
    }
    std::size_t kept = 0;
    Number supported = 0;
    column_start.assign(primary + 1, 0);
    columns_of.start.assign(secondary + 1, 0);
    for (std::size_t old = 0; old < columns.size(); ++old) {
        Column column = columns[old];
        if (left_out[column.secondary]) continue;
        const Number values = value_start[column.secondary + 1] - value_start[column.secondary];
        take(values + 1, sizeof(Support) + sizeof(Number));
        column.supports = supported;
        supported += values;
        if (partial[old]) column.without = supported++;
        columns[kept++] = column;
        ++column_start[column.item + 1];
        ++columns_of.start[column.secondary + 1];
    }
    columns.resize(kept);
    columns.shrink_to_fit();
    supports.resize(supported);
    add_up(column_start);
    add_up(columns_of.start);
    columns_of.number.resize(kept);
    std::vector<Number> next(columns_of.start.begin(), columns_of.start.end() - 1);
    for (Number column = 0; column < kept; ++column) {
        columns_of.number[next[columns[column].secondary]++] = column;
    }
}

void Tables::fill_supports(const Problem& problem) {
    std::vector<Number> column_at_secondary(left_out.size(), none);
    std::vector<Number> seen(columns.size(), none);   // the last bit that has the column
    std::vector<Number> last(supports.size(), none);  // the last word of each support
    PeriodicCheck periodic;
    // Calls `visit(support, bit)` for every bit of every support of an item.
    const auto visit_all = [&](Number item, auto visit) {
        const Number first = column_start[item];
        const Number end = column_start[item + 1];
        for (Number column = first; column < end; ++column) {
            column_at_secondary[columns[column].secondary] = column;
            seen[column] = none;
        }
        const auto listed = options[item];
        for (Number bit = 0; bit < listed.size(); ++bit) {
            const Number option = listed[bit];
            for (Int entry = problem.start[option]; entry < problem.start[option + 1]; ++entry) {
                periodic.add(1);
                if (problem.item[index(entry)] < problem.primary) continue;
                const auto other =
                    static_cast<Number>(problem.item[index(entry)] - problem.primary);
                const Number column = column_at_secondary[other];
                if (column == none) continue;
                seen[column] = bit;
                const Number value = value_of(other, problem.color_of(entry)) - value_start[other];
                visit(columns[column].supports + value, bit);
            }
            for (Number column = first; column < end; ++column) {
                const Number without = columns[column].without;
                if (without != none && seen[column] != bit) visit(without, bit);
            }
        }
        for (Number column = first; column < end; ++column) {
            column_at_secondary[columns[column].secondary] = none;
        }
    };
    const auto primary = static_cast<Number>(alone.size());
    std::size_t word_count = 0;
    std::size_t place_count = 0;
    for (Number item = 0; item < primary; ++item) {
        visit_all(item, [&](Number support, Number bit) {
            const auto word = static_cast<Number>(bit / word_bits);
            if (last[support] != word) ++supports[support].count;
            last[support] = word;
        });
        for (Number column = column_start[item]; column < column_start[item + 1]; ++column) {
            const Column& own = columns[column];
            const Number other = own.secondary;
            const Number values = value_start[other + 1] - value_start[other];
            const Number end = own.supports + values + (own.without != none ? 1 : 0);
            for (Number support = own.supports; support < end; ++support) {
                Support& made = supports[support];
                made.first = static_cast<Number>(word_count);
                if (2 * made.count <= words_of(item)) {
                    made.places = static_cast<Number>(place_count);
                    place_count += made.count;
                } else {
                    made.count = words_of(item);
                }
                word_count += made.count;
            }
        }
        if (word_count * sizeof(Word) > memory_limit) throw TooLarge();
    }
    take(word_count, sizeof(Word));
    take(place_count, sizeof(Number));
    words.assign(word_count, 0);
    places.assign(place_count, 0);
    std::vector<Number> filled(supports.size(), 0);
    std::fill(last.begin(), last.end(), none);
    for (Number item = 0; item < primary; ++item) {
        visit_all(item, [&](Number support, Number bit) {
            const Support& made = supports[support];
            const auto word = static_cast<Number>(bit / word_bits);
            Number at = word;
            if (made.listed()) {
                if (last[support] != word) places[made.places + filled[support]++] = word;
                last[support] = word;
                at = filled[support] - 1;
            }
            words[made.first + at] |= Word{1} << bit % word_bits;
        });
    }
}

const Column* Tables::column_at(Number item, Number secondary) const noexcept {
    const auto begin = columns.begin() + column_start[item];
    const auto end = columns.begin() + column_start[item + 1];
    const auto at = std::lower_bound(
        begin, end, secondary,
        [](const Column& column, Number wanted) { return column.secondary < wanted; });
    return at != end && at->secondary == secondary ? &*at : nullptr;
}

void Tables::list_loose(const Problem& problem) {
    PeriodicCheck periodic;
    const auto visit_all = [&](auto visit) {
        for (Number option = 0; option + 1 < problem.start.size(); ++option) {
            for (Int entry = problem.start[option]; entry < problem.start[option + 1]; ++entry) {
                periodic.add(1);
                if (problem.item[index(entry)] < problem.primary) continue;
                const auto other =
                    static_cast<Number>(problem.item[index(entry)] - problem.primary);
                if (left_out[other] || !may_be_loose_[other]) continue;
                const Int color = problem.color_of(entry);
                const auto own = places_of(option);
                const bool has_column = std::any_of(own.begin(), own.end(), [&](const Place& at) {
                    return column_at(at.item, other) != nullptr;
                });
                if (color == 0 || !has_column) visit(value_of(other, color), option);
            }
        }
    };
    loose.start.assign(std::size_t{value_start.back()} + 1, 0);
    visit_all([&](Number value, Number) { ++loose.start[value + 1]; });
    add_up(loose.start);
    take(loose.start.back(), sizeof(Number));
    loose.number.resize(loose.start.back());
    std::vector<Number> next(loose.start.begin(), loose.start.end() - 1);
    visit_all([&](Number value, Number option) { loose.number[next[value]++] = option; });
}

}  // namespace dlx::propagation
