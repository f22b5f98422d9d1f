// The tables of the layout "crossings": see bits/crossings.hpp.
//
// A part of a problem suits it if each option has exactly one of the part's primary items. Its
// secondary items are of two kinds. A *crossing* has many options of each of its primary items, and
// a *slot* is one of these primary items in a crossing. For each color in the crossing, the slot
// has a row of bits: the options of its primary item that may be taken beside that color. Options
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
    std::size_t search_bytes = 0;  // of the states and nested tables of each search
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
    // Of a state: its table and counts, and then a bit for each option.
    std::size_t state_bytes() const noexcept { return state_bytes_; }
    // A state in which all items are open, and all options are live.
    AlignedBytes root() const;
    // Memory for the nested tables of a search.
    AlignedBytes scratch() const;

private:
    void list_places(std::size_t vector_bytes);
    void list_slots(const Problem& problem, std::span<const Int> options);
    void list_own_rows();
    void list_changes();
    void lay_rows();

    CrossingsView view_;
    std::size_t state_bytes_ = 0;
    std::vector<Int> item_;             // the primary item of each option
    std::vector<Int> length_;           // how many options each primary item has
    std::vector<Int> entry_start_;      // the options' entries of secondary items:
    std::vector<Int> entry_secondary_;  // the item,
    std::vector<Int> entry_row_;        // the number of its color there; 0 is "no color"
    std::vector<Int> holder_start_;     // by secondary item, its entries
    std::vector<Int> holder_;
    std::vector<Int> holder_option_;
    std::vector<Int> slot_start_;  // by secondary item: its slots
    std::vector<Int> slot_item_, slot_rows_;
    std::vector<Int> partner_start_, partner_;
    std::vector<Int> change_start_, change_;
    std::vector<Int> own_first_, own_stride_;
    std::vector<std::uint16_t> own_row_;
    std::vector<std::uint32_t> first_word_, words_, first_row_;
    std::vector<Int> option_at_, place_;
    AlignedBytes rows_;
};

}  // namespace dlx
