// The options that are still possible, as bits: for problems that are small and dense.
//
// The same questions as diagram/live_cells.hpp answers, but each level has a state of its own: the
// live options as a bitset, and how many of them each item has. Taking an option is
//
//     live' = live & ~conflict[option]
//
// where conflict[option] has the options that cannot stand beside it, itself included, and colors
// taken into account. The numbers are brought up to date with the options that went or, where fewer
// are left than went, added up anew. Nothing has to be undone: the level is dropped.
//
// The tables have options x options bits, and each step goes over all items. `pays` says whether
// that is little memory, and little work beside the entries that an option takes with it: on sparse
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

    // See diagram/live_cells.hpp. Nothing happens when an item is branched on.
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

    static std::size_t index(Int number) noexcept { return static_cast<std::size_t>(number); }
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
