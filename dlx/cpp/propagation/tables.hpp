// The tables of the engine `propagation`: which options support which color of a secondary item.
//
// Each primary item has its options as bits; `words` 64-bit words hold them. Of a secondary item,
// each color that occurs is a *value*, and color 0 (an exclusive entry) is one, too:
//
//     options of "1 across"      ton  tea  one  eat  ...      bits 0, 1, 2, 3, ...
//     cell (0, 0), value t         1    1    0    0            a support
//                  value o         0    0    1    0
//                  value e         0    0    0    1
//
// A *support* is the set of the options of a primary item with one value of a secondary item. It is
// an array of words, or, if most of them are zero, a list of the others with their places. A
// primary item has a *column* of supports for a secondary item if at least a quarter of its options
// cover that; the other entries are listed by value in `loose`. A secondary item all of whose
// options share a primary item is left out: only one of them is ever taken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <vector>

#include "core/problem.hpp"

namespace dlx::propagation {

// The tables would take more bytes than `memory_limit`.
struct TooLarge : std::bad_alloc {
    const char* what() const noexcept override { return "the tables of propagation are too large"; }
};

inline constexpr std::size_t memory_limit = std::size_t{256} << 20;

using Word = std::uint64_t;
using Number = std::uint32_t;
inline constexpr Number none = ~Number{0};
constexpr std::size_t word_bits = 64;

// An option as one of those of a primary item.
struct Place {
    Number item;
    Number bit;
};

// Words of a set of options: those from `first` on in `Tables::words`. If `places` is not `none`,
// only `count` of them, whose places within the item's words are in `Tables::places` from there on.
struct Support {
    Number first = 0;
    Number places = none;
    Number count = 0;
    bool listed() const noexcept { return places != none; }
};

// The supports of a primary item for the values of a secondary one, in order of the values.
struct Column {
    Number item;       // primary
    Number secondary;  // by its number among the secondary items
    Number supports;   // the first in `Tables::supports`
    Number without;    // the support of the options that do not cover it; `none` if all do
};

// Lists of numbers, one after another.
struct Lists {
    std::vector<Number> start;
    std::vector<Number> number;
    std::span<const Number> operator[](std::size_t list) const noexcept {
        return std::span(number).subspan(start[list], start[list + 1] - start[list]);
    }
};

struct Tables {
    // Throws `TooLarge`; the problem must not have multiplicities.
    explicit Tables(const Problem& problem);

    Number words_of(Number item) const noexcept { return word_start[item + 1] - word_start[item]; }
    std::span<const Place> places_of(Number option) const noexcept {
        return std::span(place).subspan(place_start[option],
                                        place_start[option + 1] - place_start[option]);
    }
    Number option_at(Number item, Number bit) const noexcept {
        return options.number[options.start[item] + bit];
    }
    // The value of an entry.
    Number value_of(Number secondary, Int color) const noexcept;

    Lists options;                   // of each primary item
    std::vector<Number> word_start;  // the first of the words of each primary item
    std::vector<Number> place_start;
    std::vector<Place> place;         // where each option is
    std::vector<std::uint8_t> alone;  // is the primary item the only one of all its options?

    std::vector<Number> value_start;     // the first value of each secondary item
    std::vector<std::uint8_t> left_out;  // secondary items: see above
    std::vector<Column> columns;         // by primary item
    std::vector<Number> column_start;
    Lists columns_of;  // of each secondary item
    Lists loose;       // of each value: options with it that no column has, and exclusive entries
    std::vector<Support> supports;
    std::vector<Word> words;
    std::vector<Number> places;

private:
    void number_options(const Problem& problem);
    void number_values(const Problem& problem);
    void choose_columns(const Problem& problem);
    void fill_supports(const Problem& problem);
    void list_loose(const Problem& problem);
    const Column* column_at(Number item, Number secondary) const noexcept;
    void take(std::size_t count, std::size_t size);

    std::size_t color_words_ = 0;             // for each secondary item, a bit for each color:
    std::vector<Word> colors_;                // does it occur?
    std::vector<Number> value_before_;        // the values before those of each of these words
    std::vector<std::uint8_t> may_be_loose_;  // may a secondary item have loose entries?
    std::size_t bytes_ = 0;                   // taken so far
};

}  // namespace dlx::propagation
