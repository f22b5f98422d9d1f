// The data that the loops of the `bits` engine work on: plain numbers and pointers.
//
// The loops (bits/loop.hpp) are compiled several times, for different instruction sets. If they
// instantiated functions of the standard library, the linker could merge these with the same
// functions of other files, which would then run instructions that the processor may not have. So
// the loops use only this file.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/heuristic.hpp"
#include "core/problem.hpp"

namespace dlx {

// How a state is laid out; see bits/tables.hpp.
enum class BitsLayout : std::uint8_t {
    lanes8,
    lanes16,
    lanes32,
    lanes64,
    slices,
    segments,
    crossings,
    counters,
    scattered,
    renumbered  // forced only: counters that do not wait until a table of few options pays
};

// The options of an item in crossings, or a part of them: those that agree with a color there.
// Items that look the same share their tables: options are known by their places in the whole one.
struct CrossingTable {
    const Int* place_at = nullptr;         // by place here, ascending: the place in the whole table
    const std::uint16_t* own = nullptr;    // by place and column: the row that the option is in
    const std::byte* rows = nullptr;       // in a part, behind a segment with all options
    const CrossingTable* whole = nullptr;  // of which this is the part in a row of a column;
    std::uint32_t column = 0;              // null: all options of the item
    std::uint32_t row = 0;
    std::uint32_t options = 0;
    std::uint32_t words = 0;   // of a segment: whole vectors,
    std::uint32_t stride = 0;  // and from a row to the next one
    std::size_t parts = 0;     // where the scratch has the parts of this table; 0: it has none
};

// Where a state has the options of an item, and its table. See `key_of_any`.
struct CrossingPlace {
    const CrossingTable* table;
    std::uint32_t segment;  // bytes behind the first state
    std::uint16_t key_row;
    std::uint16_t key_column;
};

// In a state, the number of options of an item times this, plus the item: the least is the choice.
constexpr std::uint32_t crossing_items = 1 << 12;
constexpr std::uint32_t crossing_options = 1 << 19;  // that an item has at most

// A crossing of an item with another one.
struct CrossingEdge {
    std::uint32_t column;  // of the item
    Int other;             // the other item,
    std::uint32_t other_column;
    std::uint32_t first_row;  // of that column
};

// An option of crossings, and where its clashes are.
struct CrossingOption {
    Int option;
    Int clashes;
};

// The immutable part of crossings: see CrossingTables, which owns what the pointers point to.
struct CrossingsView {
    // Of a state: where the places of its items, their segments of one vector, longer ones, and the
    // options worth trying begin, in bytes.
    std::size_t places = 0;
    std::size_t header_bytes = 0;
    std::size_t long_segments = 0;
    std::size_t worthwhile = 0;
    const CrossingTable* table = nullptr;         // of all options, by item
    const std::uint32_t* first_word = nullptr;    // of an item's long segment
    const std::uint32_t* first_column = nullptr;  // by item, and the end of the last one's columns
    const std::uint32_t* rows_in = nullptr;       // by column
    const std::uint32_t* first_row = nullptr;     // by column: among the rows of the item
    const CrossingEdge* edge = nullptr;
    const Int* edge_start = nullptr;         // by item
    const CrossingOption* option = nullptr;  // by item, at 64 * first_word, and place
    const Int* item = nullptr;               // of each option,
    const Int* place = nullptr;              // and its place in the whole table
    // The clashes of an option outside of crossings: how many there are, and `clash_size` numbers
    // for each: an item of another option plus crossing_items * the place of this option, which is
    // removed, and 16 bits for each column: the row that it is in.
    const Int* clash = nullptr;
    std::size_t clash_size = 0;
    std::size_t scratch_bytes = 0;
    std::size_t first_free = 0;  // byte of the scratch that is not for the parts of whole tables
};

// The key of an item in a state: a column and a row, and only options in that row are live;
// compared with the rows in `CrossingsView::clash`. In a whole table, this is the column behind the
// others.
constexpr std::uint16_t key_of_any = 0xffff;        // the row in that column
constexpr std::uint16_t key_of_covered = 0xfffe;    // no option has this row
constexpr std::uint16_t without_crossing = 0xfffd;  // of options that agree with each row

constexpr std::int64_t check_interval = 4000;  // options tried between two checks of the clock

// The tables of each layout: see BitsTables, which owns what the pointers point to.

// Of lanes and slices.
struct ItemsView {
    Int items;
    std::uint32_t vectors;     // of a state
    const std::byte* removal;  // for each option: what taking it removes from a state
    const Int* item_start;     // the options of each item, ascending
    const Int* item_option;
};

struct SegmentsView : ItemsView {
    const Int* item_word;  // the first word of each item
};

// The table of a subtree with few live options: see bits/layouts/few_options.hpp.
struct FewOptionsTable {
    static constexpr std::size_t most_options = 512;
    static constexpr std::size_t most_words = most_options / 64;
    static constexpr std::size_t most_items = 64;
    static constexpr std::uint8_t no_place = 255;

    // Bits of a set that have numbers in the same word here.
    struct Move {
        std::uint64_t mask;   // in the set's word
        std::uint64_t keep;   // ones if there are bits of other words below them
        std::uint32_t place;  // of the set's word
        std::uint32_t shift;  // of the lowest bit,
        std::uint32_t word;   // and the word here
    };

    // Finds the items that have live options left, a bit each, and if there are as many as `open`,
    // the first of those with the fewest: its place plus 256 * (number of options - 1).
    using Fewest = std::uint32_t (*)(const FewOptionsTable& table, const std::byte* live, Int open,
                                     std::uint64_t& left);

    alignas(64) std::uint64_t columns[most_items * most_words];  // [eight items][word][item]
    std::uint64_t removal[most_options * most_words];            // of each option, if known
    std::uint64_t known[most_words];                             // a bit for each option
    std::size_t words;                                           // of a set of options here
    std::size_t row_bytes;                                       // the same in whole vectors
    std::size_t groups;                                          // of eight items
    std::size_t move_count;
    Int item[most_items];
    Int option[most_options];
    // Behind it: a move for each word of the set that has bits, one more for each but one of the
    // words here; and the place of each item in the table, in a byte, or no_place.
};

// What a search knows of its subtrees with few options. Places are addresses of states.
struct FewOptionsSeen {
    static constexpr std::uintptr_t nowhere = ~std::uintptr_t{0};

    std::uintptr_t root = nowhere;     // of the subtree that the table is for
    std::uintptr_t sampled = nowhere;  // the root of one without a table
    std::uint64_t nodes_to_sample = 0;
    std::uint64_t rows = 0;  // added up at the nodes that were sampled
    std::uint64_t least_rows = 0;
    bool may_pay = true;
};

// Of counters and scattered.
struct SetView {
    Int items;
    std::uint32_t vectors;             // of a state's set of live options
    std::uint32_t counters;            // vectors of counters, behind the set, in a state
    std::uint32_t saturation_vectors;  // and behind them: which items are saturated
    const std::byte* removal;          // for each option: what taking it removes from the set
    const std::byte* options_of;       // for each item: its options as a set
    const std::byte* decrement;        // counters: for each option 1 for each of its items
    const Int* counter_start;          // the items of each option
    const Int* counter;
    const Int* saturable;                   // the items that may be saturated
    const FewOptionsTable::Fewest* fewest;  // by words; null: there are no such tables
};

// With multiplicities; see bits/layouts/multiple.hpp.
struct MultipleLanesView : ItemsView {
    Int options;
    const std::byte* options_of;
    const std::byte* decrement;
    const std::byte* own;      // the bits of each option
    const Int* bounded_start;  // each option's items that may be covered several times,
    const Int* bounded;        // but not as often as they have options
    const Int* bounded_of;     // the same, `most_bounded` numbers an option
    std::size_t most_bounded;
};

struct BoundedView {
    const Int* start;  // as `bounded` of lanes
    const Int* item;
    const std::byte* is_bounded;  // counters: 1 for each of these items
    // With weights, also:
    const Int* counter_weight;  // by place in `SetView::counter`
    const Int* weight;          // by place in `item`
    const Int* misfit_start;    // the different weights of each bounded item, ascending,
    const Int* misfit_weight;
    const std::byte* misfits;  // and by their places the options of that weight or more
};

struct MultipleSetView {
    SetView set;
    BoundedView bounded;
};

struct BitsView {
    BitsLayout layout = BitsLayout::counters;
    bool multiple = false;
    bool weighted = false;
    bool same_lengths = false;  // has each option as many items?
    Int items = 0;
    Int options = 0;
    std::uint32_t vectors = 0;        // of a state without its counters
    std::uint32_t slice_vectors = 0;  // of each slice of it
    std::uint32_t counters = 0;
    std::uint32_t number_bytes = 1;  // of a score, need or bound
    std::size_t state_bytes = 0;
    std::uint64_t nodes_to_sample = 0;  // before there are tables of few options
    const std::byte* root = nullptr;
    union {
        ItemsView by_item{};
        SegmentsView segments;
        SetView set;
        MultipleLanesView multiple_lanes;
        MultipleSetView multiple_set;
        const CrossingsView* crossings;
    };
};

// An item branched on, and those of its options that have not been tried.
struct BitsFrame {
    std::uint64_t bits;  // lanes: these options as bits; sets: those in the current word
    Int item;
    Int depth;               // options chosen above this item
    std::uint32_t left;      // how many options these are
    std::uint32_t place;     // sets: the number of the current word
    std::uint32_t branches;  // how many there were when the item was chosen
    // With multiplicities, where branches may include "no further option":
    Int above;        // the option tried last, if it is to be removed from the state; or -1
    bool cumulative;  // are options tried removed one by one?
    bool optional;    // is the last branch to take no further option?
};

// All nodes of one depth.
struct BitsNode {
    std::uint64_t visits;
    Int item;  // the item branched on to reach the current node
};

// Sizes that the tables provide and the loops rely on.
constexpr std::size_t bits_block_bytes =
    512;                                // of removed options: as many words as a word has bits
constexpr std::size_t bits_digits = 6;  // of the number of options in a column of slices
DLX_INLINE constexpr std::size_t few_options_at(std::size_t set_bytes) noexcept {  // of the scratch
    return (bits_block_bytes + set_bytes + 63) / 64 * 64;
}
constexpr Int bits_saturated = 254;  // the byte of an item with 254 options or more

enum class BitsStop : std::uint8_t { finished, enough, tries_used, full, dead };
enum class BitsEntry : std::uint8_t { given, replay, branch, start, taken_over, attempt, resume };

struct BitsTask {
    BitsView tables;
    std::byte* states = nullptr;   // one for each frame, and one more
    std::byte* scratch = nullptr;  // see BitsTables::scratch
    BitsFrame* frames = nullptr;
    Int* path = nullptr;          // the options chosen, by depth
    BitsNode* nodes = nullptr;    // by depth
    Int level = -1;               // the current frame; -1: no option is left to try
    Int depth = 0;                // of the root in `path`
    std::uint64_t wanted = 0;     // how many more solutions to find
    std::int64_t tries_left = 0;  // about how many more options to try before the clock check
    std::uint64_t solutions = 0;
    std::uint64_t updates = 0;
    Int replay_depth = 0;  // how far the options in `path` go that are to be replayed
    Int floor = 0;         // above this depth, no other options are tried
    Heuristic heuristic = Heuristic::mrv;
    LearnedWeight* learned = nullptr;  // of the items; null unless the search learns
    Int* blamed = nullptr;             // items whose weights change if the next node is a dead end
    Int shared_blame = 0;              // the length of `blamed` when the search of the root begins
    Int* found = nullptr;  // solutions as length, options...; null: they are only counted
    FewOptionsSeen few_options{};
    Int* nearly_full = nullptr;  // from here on there is no room for another solution
};

struct RoundsTask;
enum class RoundsEntry : std::uint8_t;

// The loops of one instruction set.
struct BitsLoops {
    const char* name;
    std::size_t vector_bytes;
    // given:   takes the options in `path` above the root, and stops.
    // replay:  takes the options in `path` below the root, as the search would, and pushes frames
    //          with the options still to be tried. Returns `dead` if it reaches a leaf.
    // branch:  branches on the item at replay_depth; the options after the one there are left.
    //          Returns `dead` if there is no such branch.
    // start:   searches from the root. attempt: from the option at replay_depth.
    // taken_over: searches from the node at the end of the replay, which has been counted.
    // resume:  continues where it stopped, or after `branch`.
    BitsStop (*run)(BitsTask&, BitsEntry);
    BitsStop (*rounds)(RoundsTask&, RoundsEntry);     // see bits/rounds/task.hpp
    const FewOptionsTable::Fewest* fewest = nullptr;  // see bits/layouts/few_options.hpp
};

extern const FewOptionsTable::Fewest fewest_v3[FewOptionsTable::most_words];
extern const FewOptionsTable::Fewest fewest_v4[FewOptionsTable::most_words];
extern const BitsLoops bits_plain;
extern const BitsLoops bits_v3;  // only if DLX_BITS_X86 is defined

}  // namespace dlx
