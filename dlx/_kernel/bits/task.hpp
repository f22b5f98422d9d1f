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
    scattered
};

// The immutable part of crossings: see CrossingTables, which owns what the pointers point to.
struct CrossingsView {
    std::size_t header_bytes = 0;  // of a state: in front of the live options
    // What taking an option changes: its item; how many numbers the next list has; slots and the
    // rows that it applies to them, in order of their items; the numbers of the list after it;
    // items and options of them that it removes.
    const Int* change_start = nullptr;
    const Int* change = nullptr;
    std::size_t slots = 0;
    const Int* slot_item = nullptr;
    const Int* slot_rows = nullptr;
    const Int* partner_start = nullptr;  // by slot: the other items with the crossing
    const Int* partner = nullptr;
    const Int* own_first = nullptr;   // by slot: where its column begins in `own_row`,
    const Int* own_stride = nullptr;  // and how far an option is from the next one there
    const std::uint16_t* own_row =
        nullptr;  // the row that an option is in, by its place in the root
    // The table of the root. Places and words of a state and of rows begin at the item's first.
    std::size_t all_words = 0;
    const std::uint32_t* first_word = nullptr;  // in a state, by item
    const std::uint32_t* words = nullptr;       // by item
    const std::uint32_t* first_row = nullptr;   // by slot, in words
    const Int* option_at = nullptr;             // by bit of a state
    const Int* place = nullptr;                 // of each option, among those of its item
    const std::byte* rows = nullptr;
    // Where the same is in the memory of a nested table.
    std::size_t nested_row = 0;
    std::size_t nested_option = 0;
    std::size_t nested_place = 0;
    std::size_t nested_root_place =
        0;  // by bit of a state: the place that the option has in the root
    std::size_t nested_rows = 0;
    std::size_t nested_bytes = 0;
};
constexpr std::size_t most_nested_crossings = 4;  // tables, one within another
constexpr std::uint16_t in_no_row = 0xffff;       // of an option without the crossing

// The immutable part: see BitsTables, which owns what the pointers point to.
struct BitsView {
    BitsLayout layout = BitsLayout::counters;
    Int items = 0;
    Int options = 0;
    bool same_lengths = false;             // has each option as many items?
    std::uint32_t vectors = 0;             // of a state's set of live options
    std::uint32_t slice_vectors = 0;       // of each slice of it
    std::uint32_t counters = 0;            // vectors of counters, behind the set, in a state
    std::uint32_t saturation_vectors = 0;  // and behind them: which items are saturated
    std::size_t state_bytes = 0;
    const std::byte* root = nullptr;
    const std::byte* removal = nullptr;     // for each option: what taking it removes from the set
    const std::byte* decrement = nullptr;   // for each option: 1 for each of its counters
    const std::byte* options_of = nullptr;  // for each item: its options as a set
    const Int* saturable = nullptr;         // the items that may be saturated
    const Int* counter_start = nullptr;     // each option's counters
    const Int* counter = nullptr;
    const Int* item_start = nullptr;  // the options of each item, ascending
    const Int* item_option = nullptr;
    const Int* item_word = nullptr;  // segments: the first word of each item
    const CrossingsView* crossings = nullptr;
    // With multiplicities; see bits/multiple.hpp.
    bool multiple = false;
    std::uint32_t number_bytes = 1;      // of a score, need or bound
    const std::byte* own = nullptr;      // lanes: the bits of each option
    const Int* bounded_start = nullptr;  // each option's items that may be covered several times,
    const Int* bounded = nullptr;        // but not as often as they have options
    const Int* bounded_of = nullptr;     // lanes: the same, `most_bounded` numbers an option
    std::size_t most_bounded = 0;
    const std::byte* is_bounded = nullptr;  // counters: 1 for each of these items
    // With weights, also:
    bool weighted = false;
    const Int* counter_weight = nullptr;  // by place in `counter`
    const Int* bounded_weight = nullptr;  // by place in `bounded`
    const Int* misfit_start = nullptr;    // the different weights of each bounded item, ascending,
    const Int* misfit_weight = nullptr;
    const std::byte* misfits = nullptr;  // and by their places the options of that weight or more
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
constexpr Int bits_saturated = 254;     // the byte of an item with 254 options or more

enum class BitsStop : std::uint8_t { finished, enough, tries_used, full, dead };
enum class BitsEntry : std::uint8_t { given, replay, branch, start, go_on, attempt, resume };

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
    Int replay_depth = 0;        // how far the options in `path` go that are to be replayed
    Int floor = 0;               // above this depth, no other options are tried
    Weight* weights = nullptr;   // of the items; null: the item with the fewest options is chosen
    Int* blamed = nullptr;       // items whose weights change if the next node is a dead end
    Int shared_blame = 0;        // the length of `blamed` when the search of the root begins
    Int* found = nullptr;        // solutions as length, options...; null: they are only counted
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
    // start:   searches from the root. go_on: from the node at the end of the replay, which has
    //          been counted. attempt: from the option at replay_depth.
    // resume:  continues where it stopped, or after `branch`.
    BitsStop (*run)(BitsTask&, BitsEntry);
    // See bits/rounds_task.hpp; null where `rounds` is not faster than `run`.
    BitsStop (*rounds)(RoundsTask&, RoundsEntry) = nullptr;
};

extern const BitsLoops bits_plain;
extern const BitsLoops bits_v2;  // these two only if DLX_BITS_X86 is defined
extern const BitsLoops bits_v3;

}  // namespace dlx
