// The data that the loop of the `rounds` engine works on: plain numbers and pointers.
//
// As in bits/task.hpp, nothing here may instantiate functions of the standard library.
#pragma once

#include "bits/task.hpp"

namespace dlx {

// Pairs of items that share two options or more, and the items of each option: see
// bits/rounds/dominance.hpp, which owns what the pointers point to. An item has at most `most`
// partners. With a set of items for each place, one after the other, an item in a place is a bit.
struct DominanceView {
    Int most = 0;  // 0: there are no such pairs
    // For each place and each slice: the items whose option in this slice their partner lacks, and
    // all those without a partner.
    const std::byte* outside = nullptr;
    // By the bit of an item in a place: the bit of the partner, where this item is the partner; and
    // the options that both have.
    const std::uint16_t* partner = nullptr;
    const std::uint64_t* common = nullptr;
    // By item and place of an option: where its row of bits of a state begins in `row`, which has
    // their number in front.
    const std::uint32_t* row_at = nullptr;
    const std::uint16_t* row = nullptr;
};

// An item branched on, and those of its options that have not been tried.
struct RoundsFrame {
    std::uint64_t options;  // 0: those of the state but the first one
    Int item;
    Int depth;  // options taken above this item
};

// Where a search goes on.
enum class RoundsPhase : std::uint8_t {
    start,  // at the root, before the givens are taken
    next,   // with the next option of the current frame
    middle  // with the state in memory, in which items may be forced
};

// One search. Its current state belongs at place `level + 1` of `states`.
struct RoundsTask {
    BitsView tables;  // laid out in slices
    DominanceView dominance;
    std::byte* states = nullptr;   // one for each frame, and one more
    std::byte* scratch = nullptr;  // of scratch_bytes
    RoundsFrame* frames = nullptr;
    std::uint64_t* visits = nullptr;  // by depth: how many more nodes than above, modulo 2^64
    // By item and place: where the removal of an option is, in bytes.
    const std::uint32_t* removal_at = nullptr;
    const std::byte* no_removal = nullptr;  // a state without a bit
    const std::uint32_t* given = nullptr;   // of the options taken above the root
    Int givens = 0;                         // how many
    Int level = -1;                         // the current frame; -1: no option is left to try
    Int depth = 0;                          // options taken on the path to the current state
    Int above = 0;                          // the depth above the nodes not yet added to `visits`
    Int deepest = 0;                        // of all nodes
    RoundsPhase phase = RoundsPhase::start;
    bool stopped = false;
    BitsStop stop = BitsStop::finished;  // if it has stopped: why
    RoundsTask* other = nullptr;         // the search that runs by turns with this one
    std::uint64_t clash = 0;             // not 0: the two options taken last exclude each other
    std::uint64_t wanted = 0;            // how many more solutions to count
    std::int64_t tries_left = 0;  // about how many more options to take before the clock check
    std::uint64_t solutions = 0;
    std::uint64_t updates = 0;
    std::uint64_t branches = 0;  // how many nodes were branched on
    std::uint64_t dead_ends = 0;
    std::int64_t credit = 0;  // of the search for dominance: see bits/rounds/loop.hpp

    // Adds the nodes from `above` to the current depth to those visited. Not for each node, because
    // that would be a tenth of the instructions of a round.
    void add_visits() {
        ++visits[above + 1];
        --visits[depth + 1];
        tries_left -= depth - above;
        if (depth > deepest) deepest = depth;
        above = depth;
    }

    static constexpr std::size_t most_slice_bytes = 512;  // a bit for each word of a slice
    static constexpr std::size_t most_places = 8;
    static constexpr std::size_t most_digits = 6;
    // The scratch begins with what a pass over the slices finds: two sets and digits. Then there is
    // room for two sets of items for each place of a partner, or for a set and digits.
    static constexpr std::size_t found_sets = 6;
    static constexpr std::size_t scratch_bytes = (found_sets + 2 * most_places) * most_slice_bytes;
};

enum class RoundsEntry : std::uint8_t { alone, by_turns };

// The loops, those for AVX2 and AVX-512 only if DLX_BITS_X86 is defined. They run a search alone,
// or by turns with `other`, until one stops: see `stopped`. They return why: `enough`, `tries_used`
// or `finished`.
BitsStop rounds_plain(RoundsTask& task, RoundsEntry entry);
BitsStop rounds_v3(RoundsTask& task, RoundsEntry entry);
BitsStop rounds_v4(RoundsTask& task, RoundsEntry entry);

}  // namespace dlx
