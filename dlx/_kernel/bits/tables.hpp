// What the `bits` engine computes once for a problem, or for what is left of one.
//
// The heart is the *removal* of each option: the set of options that cannot stand beside it, itself
// included. Compatibility is a matter of pairs - two options clash if they share a primary item, or
// a secondary item on whose color they do not agree - so this one relation captures primary items,
// secondary items and colors alike, and the search never looks at an item's color again.
//
// A state, and each removal, is laid out in one of three ways (BitsLayout; see bits/loop.hpp):
//
//     lanes      | item 0: live options, open | item 1: live options, open | ...
//     slices     | open items, a bit each | items whose first option is live | ... second ... | ...
//     counters   | live options, a bit each | a byte for each item: how many live options it has |
//
// Lanes are for items with few options: an option has a bit in the lane of each of its items, and
// "few" is at most 7, 15, 31 or 63, as the width of the lane leaves room for the open bit.
//
// Slices are those bits transposed, for items with at most 63 options.
//
// A byte counts to 253: 255 means "covered", and 254 that the item is *crowded*, with 254 options
// or more. A crowded item is counted anew after each step, from its set, until it is crowded no
// more; which ones still are is the last part of a state. Only an item with that many options at
// the root can be crowded.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "bits/aligned_memory.hpp"
#include "bits/task.hpp"

namespace dlx {

// The loops in use: those of the environment variable DLX_SIMD, or the best that this processor
// runs. Decided once. Throws std::invalid_argument if DLX_SIMD names what is not to be had.
const BitsLoops& bits_loops();

// The levels that this processor runs, best first.
std::vector<const BitsLoops*> available_bits_loops();

// Options of a problem with some of its primary items: all, or what a search has left over.
struct BitsPart {
    std::span<const Int> items;    // primary items not yet covered, ascending
    std::span<const Int> options;  // options not yet removed, ascending
};

// How a state of a part would be laid out, from the numbers of options that its items have.
struct BitsPlan {
    BitsLayout layout;
    std::size_t vectors;        // of the set of live options
    std::size_t slice_vectors;  // of each slice of it
    std::size_t counters;       // vectors of counters
    std::size_t crowd_vectors;  // of which items are crowded
    std::size_t bytes;          // of the tables

    // `forced`: the layout to use if it is possible; without it, the one that suits.
    static BitsPlan of(std::size_t options, std::span<const Int> lengths, const BitsLoops& loops,
                       std::optional<BitsLayout> forced = std::nullopt);

    static constexpr std::size_t limit = std::size_t{64} << 20;
    bool fits() const noexcept { return bytes <= limit; }
};

class BitsTables {
public:
    BitsTables(const Problem& problem, const BitsPart& part,
               std::optional<BitsLayout> forced = std::nullopt);

    BitsTables(const BitsTables&) = delete;
    BitsTables& operator=(const BitsTables&) = delete;

    const BitsView& view() const noexcept { return view_; }
    const BitsLoops& loops() const noexcept { return loops_; }
    std::size_t scratch_bytes() const noexcept;

    // The problem's number of an option, and the number here of an option of the problem (or -1).
    Int option(Int here) const noexcept { return option_[static_cast<std::size_t>(here)]; }
    Int find(Int option) const noexcept;

private:
    void list_options(const Problem& problem, const BitsPart& part);
    void lay_removals(const Problem& problem, const BitsPart& part);
    void lay_open_items();
    void lay_set();
    void lay_counters();

    std::size_t set_bytes() const noexcept { return view_.vectors * loops_.vector_bytes; }
    bool by_item() const noexcept { return view_.layout <= BitsLayout::slices; }
    void add_option(std::byte* state, Int option) const;
    void set_item_bit(std::byte* state, Int item, Int place) const;

    const BitsLoops& loops_;
    BitsView view_;
    std::vector<Int> option_;
    std::vector<Int> item_start_, item_option_;
    std::vector<Int> entry_start_, entry_item_;  // the open items of each option
    std::vector<Int> entry_place_;               // and where the option stands among theirs
    std::vector<Int> counter_start_, counter_;
    std::vector<Int> crowd_;
    AlignedBytes root_, removal_, decrement_, options_of_;
};

// All of a problem.
struct WholePart {
    explicit WholePart(const Problem& problem);
    BitsPart part() const noexcept { return {items, options}; }
    std::vector<Int> items, options;
};

}  // namespace dlx
