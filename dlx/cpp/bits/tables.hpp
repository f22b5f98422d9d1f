// The tables of the `bits` engine, computed once for a problem or for the rest of one.
//
// The most important table has the *removal* of each option: the set of options that clash with it,
// itself included. Two options clash if they share a primary item, or a secondary item without
// having the same color there. This relation between pairs covers primary items, secondary items
// and colors alike, so the search never reads a color.
//
// A state, and each removal, is laid out in one of these ways (BitsLayout; see bits/loop.hpp):
//
//     lanes      | item 0: live options, open | item 1: live options, open | ...
//     slices     | open items, a bit each | items whose first option is live | ... second ... | ...
//     segments   | item 0: live options, open, padding to 64 bits | item 1: ... | ...
//     counters   | live options, a bit each | a byte for each item: how many live options it has |
//
// Lanes are for items with at most 7, 15, 31 or 63 options (the width of the lane less the open
// bit). An option has a bit in the lane of each of its items.
//
// Slices are those bits transposed, for items with at most 63 options. Segments are for any number.
// bits/layouts/multiple.hpp describes the states of problems with multiplicities;
// bits/layouts/crossings.hpp and bits/layouts/crossing_tables.hpp those of crossings, which have no
// removals.
//
// A counter is a byte: 255 means "covered", and 254 means that the item is *saturated*: it has 254
// options or more. The options of a saturated item are recounted from its set after each step,
// until there are fewer. The last part of a state is the set of saturated items. Only an item with
// at least 254 options at the root can be saturated. Where few options are left, states are laid
// out in another way: see bits/layouts/few_options.hpp.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "bits/aligned_memory.hpp"
#include "bits/layouts/crossing_tables.hpp"
#include "bits/task.hpp"

namespace dlx {

// The loops in use: those named by the environment variable DLX_SIMD, or the best that this
// processor runs. Chosen once. Throws std::invalid_argument if DLX_SIMD names unavailable ones.
const BitsLoops& bits_loops();

// The levels that this processor runs, best first.
std::vector<const BitsLoops*> available_bits_loops();

// A part of a problem: all of it, or the items and options that a search has left.
struct BitsPart {
    std::span<const Int> items;    // primary items not yet covered, ascending
    std::span<const Int> options;  // options not yet removed, ascending
    std::span<const Int> low{};    // how often each of the items must be covered at least, and at
    std::span<const Int> high{};   // most; empty if that is once for all of them
};

// What the layout depends on if options cover items several times.
struct BitsWeights {
    std::vector<Int> totals;   // of the weights of each item's options
    std::size_t distinct = 0;  // weights, added up over all items

    // nullopt if the problem has no weights. O(entries of the options, sorted by weight).
    static std::optional<BitsWeights> of(const Problem& problem, std::span<const Int> items,
                                         std::span<const Int> options);
};

// The numbers that the layout of a state depends on.
struct BitsShape {
    std::size_t options;
    std::span<const Int> lengths;  // how many options each item has
    bool multiple = false;         // may items be covered several times?
    std::optional<BitsWeights> weights{};
    std::optional<CrossingsShape> crossings{};
};

// How a state of a part would be laid out, from the numbers of options that its items have.
struct BitsPlan {
    BitsLayout layout;
    std::size_t vectors;             // of the set of live options
    std::size_t slice_vectors;       // of each slice of it
    std::size_t counters;            // vectors of counters
    std::size_t saturation_vectors;  // of which items are saturated
    bool multiple;                   // see bits/layouts/multiple.hpp
    std::size_t number_bytes;        // of a score, need or bound there
    std::size_t bytes;               // of the tables
    std::size_t search_bytes;        // of a search, if its states may be larger than the tables

    // `forced`: the layout to use if it is possible; without it, the fastest one is chosen.
    static BitsPlan of(const BitsShape& shape, const BitsLoops& loops,
                       std::optional<BitsLayout> forced = std::nullopt);

    static constexpr std::size_t limit = std::size_t{64} << 20;
    bool fits() const noexcept { return bytes + search_bytes <= limit; }

private:
    void lay_multiple(const BitsShape& shape, std::size_t longest, const BitsLoops& loops,
                      std::optional<BitsLayout> forced);
};

class BitsTables {
public:
    BitsTables(const Problem& problem, const BitsPart& part,
               std::optional<BitsLayout> forced = std::nullopt);

    BitsTables(const BitsTables&) = delete;
    BitsTables& operator=(const BitsTables&) = delete;

    const BitsView& view() const noexcept { return view_; }
    const BitsLoops& loops() const noexcept { return loops_; }
    // Memory that a search works in.
    AlignedBytes scratch() const;

    // The problem's number of an option, and the number here of an option of the problem (or -1).
    Int option(Int here) const noexcept { return option_[static_cast<std::size_t>(here)]; }
    Int find(Int option) const noexcept;

    // The largest number of decisions on a path, and of items branched on at the same time.
    std::size_t deepest() const noexcept;
    std::size_t branching() const noexcept;

private:
    void list_options(const Problem& problem, const BitsPart& part);
    bool has_same_lengths() const noexcept;
    void lay_removals(const Problem& problem, const BitsPart& part);
    void lay_open_items();
    void lay_set();
    void point_to_tables(const BitsPlan& plan);
    void lay_counters();
    void lay_bounds(const BitsPart& part);
    void lay_bounded_items(const std::vector<std::uint8_t>& bounded);
    void lay_misfits(const std::vector<std::uint8_t>& bounded);
    Int entry_weight(Int entry) const noexcept {
        return entry_weight_.empty() ? 1 : entry_weight_[static_cast<std::size_t>(entry)];
    }
    bool covered_once(const BitsPart& part, std::size_t item) const;

    std::size_t set_bytes() const noexcept { return view_.vectors * loops_.vector_bytes; }
    std::size_t number_bytes() const noexcept;
    void set_number(std::byte* numbers, std::size_t item, Int value) const;
    bool by_item() const noexcept { return view_.layout <= BitsLayout::segments; }
    bool crossed() const noexcept { return view_.layout == BitsLayout::crossings; }
    void add_option(std::byte* state, Int option) const;
    void set_item_bit(std::byte* state, Int item, Int place) const;

    const BitsLoops& loops_;
    BitsView view_;
    std::vector<Int> option_;
    std::vector<Int> item_start_, item_option_;
    std::vector<Int> item_word_;                 // segments: where they begin
    std::vector<Int> entry_start_, entry_item_;  // the open items of each option
    std::vector<Int> entry_weight_;              // how often it covers them; empty: once
    std::vector<Int> entry_place_;  // the place of the option among the options of that item
    std::vector<Int> counter_start_, counter_;
    std::vector<Int> saturable_;
    std::vector<Int> bounded_start_, bounded_, bounded_of_, bounded_weight_;
    std::vector<Int> misfit_start_, misfit_weight_;
    std::size_t most_bounded_ = 0;
    std::unique_ptr<const CrossingTables> crossings_;
    AlignedBytes root_, removal_, decrement_, options_of_, own_, is_bounded_, misfits_;
};

// All of a problem.
struct WholePart {
    explicit WholePart(const Problem& problem);
    BitsPart part() const noexcept { return {items, options, low, high}; }
    std::vector<Int> items, options;
    std::span<const Int> low, high;
};

}  // namespace dlx
