// The tables of the layout "crossings": see bits/layouts/crossings.hpp.
//
// A part of a problem suits it if each option has exactly one of the part's primary items. Its
// secondary items are of two kinds. A *crossing* has many options of each of its primary items, and
// is a *column* of each of these items. A column has a *row* of bits for each color: the options of
// the item that agree with this color in the crossing. Its first row is for "no color", with which
// none agrees; the last one, for options that do not have the crossing, has all options. Options
// that share another secondary item are listed as pairs that clash, if they do.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "bits/aligned_memory.hpp"
#include "bits/task.hpp"

namespace dlx {

// What it takes to lay out a part as crossings.
struct CrossingsShape {
    std::size_t bytes = 0;         // of the tables
    std::size_t search_bytes = 0;  // of the states and parts of tables of each search
    double words_cut = 0;          // of the state's, by an option on average
    double pairs = 0;              // of options that clash, by option

    // nullopt if the part does not suit this layout, or if it is not `wanted` and the part is not a
    // large problem with colors. O(entries, sorted by color).
    static std::optional<CrossingsShape> of(const Problem& problem, std::span<const Int> items,
                                            std::span<const Int> options, std::size_t vector_bytes,
                                            bool wanted);

    // Does taking an option change only some of the words of a state?
    bool is_sparse(std::size_t words) const noexcept {
        return words_cut + 2 * pairs <= static_cast<double>(words);
    }
};

class CrossingTables {
public:
    CrossingTables(const Problem& problem, std::span<const Int> items, std::span<const Int> options,
                   std::size_t vector_bytes);
    CrossingTables(const CrossingTables&) = delete;
    CrossingTables& operator=(const CrossingTables&) = delete;

    const CrossingsView& view() const noexcept { return view_; }
    // See bits/layouts/crossings.hpp.
    std::size_t state_bytes() const noexcept { return state_bytes_; }
    // A state in which all items are open, and all options are live.
    AlignedBytes root() const;
    // Memory for the parts of tables that a search makes.
    AlignedBytes scratch() const;

private:
    void list_places();
    void list_columns(const Problem& problem, std::span<const Int> options);
    void list_own_rows();
    void list_edges();
    void list_clashes();
    void find_alike();
    bool is_alike(std::size_t item, std::size_t other) const;
    std::vector<Int> common_colors() const;
    bool agree(Int option, Int other) const;
    void add_clash(Int other);
    void lay_rows();
    void lay_tables();
    const std::uint16_t* own_rows(Int option) const noexcept;
    std::size_t columns_of(std::size_t item) const noexcept {
        return first_column_[item + 1] - first_column_[item];
    }

    std::size_t stride_of(std::size_t item) const noexcept {
        return static_cast<std::size_t>(length_[item] + 63) / 64;
    }
    std::size_t segment_at(std::size_t item) const noexcept;

    std::size_t vector_bytes_;
    CrossingsView view_;
    std::size_t state_bytes_ = 0;
    std::size_t words_in_all_ = 0;
    std::vector<Int> item_;             // the primary item of each option
    std::vector<Int> length_;           // how many options each primary item has
    std::vector<Int> entry_start_;      // the options' entries of secondary items:
    std::vector<Int> entry_secondary_;  // the item,
    std::vector<Int> entry_row_;        // the number of its color there; 0 is "no color"
    std::vector<Int> holder_start_;     // by secondary item, its entries
    std::vector<Int> holder_;
    std::vector<Int> holder_option_;
    struct Slot {
        Int item;
        std::uint32_t rows, column;  // the column among those of the item
    };
    std::vector<Int> slot_start_;  // by secondary item: the columns that it is
    std::vector<Slot> slot_;
    std::vector<bool> is_shared_;  // by secondary item: does it have several primary items?
    std::vector<std::uint32_t> first_column_, rows_in_, first_row_;
    std::vector<std::uint32_t> rows_of_;       // by item
    std::vector<std::size_t> first_row_word_;  // by item
    std::vector<CrossingEdge> edge_;
    std::vector<Int> edge_start_, clash_;
    std::vector<std::uint16_t> clash_rows_;  // of the clash that is being added
    std::vector<CrossingOption> option_;
    std::vector<std::size_t> first_own_;  // by item
    std::vector<std::uint16_t> own_;
    std::vector<std::uint32_t> first_word_, words_;
    std::vector<Int> place_, places_;
    std::vector<std::size_t> alike_;  // by item: the first one with the same rows
    std::vector<CrossingTable> tables_;
    AlignedBytes rows_;
};

}  // namespace dlx
