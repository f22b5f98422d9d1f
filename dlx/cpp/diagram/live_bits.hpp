// The live options as bits: for small and dense problems.
//
// The interface is that of diagram/live_cells.hpp, but each level has its own state: the live
// options as a bitset, and of each item the number of its live options; with multiplicities, of
// each primary item also its bound and what its live options cover together. Taking an option is
//
//     live' = live & ~clashes(option)
//
// (core/option_bits.hpp); with multiplicities, options that exceed a bound are removed as well. The
// numbers are decremented for the removed options or, if fewer options are left than were removed,
// recounted. To undo, levels are dropped. An option is excluded at the last level, whose other
// branches come without it.
//
// The tables have options x options bits, and each step visits all items. `pays` says whether that
// is little memory, and little work compared with the entries that an option removes. On sparse
// problems such as large boards of dominoes the cells are faster by a third.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/option_bits.hpp"
#include "diagram/key.hpp"

namespace dlx {

template <bool multiple>
class LiveBits {
public:
    // `key` must live as long as this object.
    LiveBits(const Problem& problem, SubproblemKey& key);

    static bool pays(const Problem& problem, std::uint64_t memory_limit);
    static std::uint64_t bytes(const Problem& problem) noexcept;

    bool dead() const noexcept;
    Int size(Int item) const noexcept {
        if constexpr (multiple) {
            return states()[item].size;
        } else {
            return states()[item];
        }
    }
    std::int64_t total(Int item) const noexcept
        requires multiple
    {
        return states()[item].total;
    }
    Int need(Int item) const noexcept
        requires multiple
    {
        return std::max(0, states()[item].bound - slack_[index(item)]);
    }
    std::uint64_t updates() const noexcept { return updates_; }

    // See diagram/live_cells.hpp. Branching on an item changes nothing here.
    void list(Int item, std::vector<Int>& into) const;
    Int common_color(Int item) const noexcept {
        if constexpr (!multiple) {
            if (size(item) == 0) return -1;
            if (!problem_.colored()) return 0;
        }
        return color_of_live(item);
    }
    std::size_t branch(Int) const noexcept { return 0; }
    void unbranch(Int, std::size_t) const noexcept {}
    void exclude(Int option) noexcept;
    using Mark = std::size_t;
    Mark mark() const noexcept { return level_; }
    bool take(Int option, Int branched, Mark& mark);
    void retract(Int, Int, Mark mark) noexcept { level_ = mark; }
    void complete_key() noexcept;

private:
    using Word = std::uint64_t;
    using Count = std::uint16_t;
    struct Bounded {
        Int bound;
        Int size;
        std::int64_t total;
    };
    using State = std::conditional_t<multiple, Bounded, Count>;
    static constexpr Count closed = 0x4000;  // added to the number of a closed item: never zero

    // Items that have a state.
    static std::size_t counted(const Problem& problem) noexcept {
        return index(multiple ? problem.primary : problem.items);
    }
    static std::size_t levels(const Problem& problem) noexcept {
        return index(multiple ? problem.options() : problem.primary) + 1;
    }
    Word* live() noexcept { return live_.data() + level_ * words_; }
    const Word* live() const noexcept { return live_.data() + level_ * words_; }
    State* states() noexcept { return states_.data() + level_ * counted_; }
    const State* states() const noexcept { return states_.data() + level_ * counted_; }
    Int color_of_live(Int item) const noexcept;
    void count(State* state, std::size_t option, Int sign) noexcept;
    void remove_heavier(Int item, Int weight) noexcept;
    void reduce_bounds(Int option) noexcept
        requires multiple;

    const Problem& problem_;
    SubproblemKey& key_;
    OptionBits<> bits_;
    std::size_t words_;
    std::size_t counted_;
    std::vector<Int> slack_;     // of each primary item, with multiplicities
    std::vector<Word> live_;     // of each level
    std::vector<State> states_;  // of each level
    std::vector<Word> gone_;
    std::size_t level_ = 0;
    std::uint64_t updates_ = 0;
};

}  // namespace dlx
