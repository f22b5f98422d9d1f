// The live options as bits: for small and dense problems.
//
// The interface is that of diagram/live_cells.hpp, but each level has its own state: the live
// options as a bitset, and the number of live options of each item. Taking an option is
//
//     live' = live & ~conflict[option]
//
// where conflict[option] has the options that clash with it (colors included), and itself. The
// numbers are decremented for the removed options or, if fewer options are left than were removed,
// recounted. To undo, the level is dropped.
//
// The tables have options x options bits, and each step visits all items. `pays` says whether that
// is little memory, and little work compared with the entries that an option removes. On sparse
// problems such as large boards of dominoes the cells are faster by a third.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/problem.hpp"

namespace dlx {

class LiveBits {
public:
    explicit LiveBits(const Problem& problem);

    static bool pays(const Problem& problem, std::uint64_t memory_limit);
    static std::uint64_t bytes(const Problem& problem) noexcept;

    bool dead() const noexcept;
    Int size(Int item) const noexcept { return counts()[index(item)]; }
    bool open(Int) const noexcept { return true; }  // a closed secondary item has no live options
    Int held(Int) const noexcept { return 0; }
    std::uint64_t updates() const noexcept { return updates_; }

    // See diagram/live_cells.hpp. Branching on an item changes nothing here.
    void list(Int item, std::vector<Int>& into) const;
    Int common_color(Int item) const noexcept;
    std::size_t branch(Int) const noexcept { return 0; }
    void unbranch(Int, std::size_t) const noexcept {}
    struct Mark {};
    bool take(Int option, Int branched, Mark& mark) noexcept;
    void retract(Int, Int, const Mark&) noexcept { --level_; }

private:
    using Word = std::uint64_t;
    using Count = std::uint16_t;
    static constexpr Count closed = 0x4000;  // added to the number of a closed item: never zero

    static std::size_t words_for(Int options) noexcept { return (index(options) + 63) / 64; }
    const Word* live() const noexcept { return live_.data() + level_ * words_; }
    const Count* counts() const noexcept { return counts_.data() + level_ * items_; }
    template <class Visit>
    void for_each(const Word* words, Visit&& visit) const;
    void lay_conflicts();
    Int color_in(std::size_t option, Int item) const noexcept;

    const Problem& problem_;
    std::size_t words_;
    std::size_t items_;
    std::vector<Word> conflict_;  // of each option, `words_` words
    std::vector<Word> with_;      // of each item, its options
    std::vector<Word> live_;      // of each level
    std::vector<Count> counts_;   // of each level
    std::vector<Word> gone_;
    std::size_t level_ = 0;
    std::uint64_t updates_ = 0;
};

}  // namespace dlx
