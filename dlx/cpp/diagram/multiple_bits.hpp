// The live options as bits, and the residual bounds, of a problem with multiplicities: for small
// and dense problems.
//
// The interface is that of diagram/multiple_cells.hpp, but each level has its own state, as in
// diagram/live_bits.hpp: the live options, and for each primary item its bound, the number of its
// live options and what they cover together. To undo, levels are dropped. An option is excluded at
// the last level, whose other branches come without it.
//
// Which options an option removes depends on the bounds: only what it removes at secondary items is
// in a table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "diagram/multiple_key.hpp"

namespace dlx {

class MultipleBits {
public:
    // `key` must live as long as this object.
    MultipleBits(const Problem& problem, MultipleKey& key);

    static bool pays(const Problem& problem, std::uint64_t memory_limit);
    static std::uint64_t bytes(const Problem& problem) noexcept;

    bool dead() const noexcept;
    Int size(Int item) const noexcept { return state(item).size; }
    std::int64_t total(Int item) const noexcept { return state(item).total; }
    Int bound(Int item) const noexcept { return state(item).bound; }
    Int need(Int item) const noexcept { return std::max(0, bound(item) - slack_[index(item)]); }
    std::uint64_t updates() const noexcept { return updates_; }

    void list(Int item, std::vector<Int>& into) const;

    using Mark = std::size_t;
    Mark mark() const noexcept { return level_; }
    void undo(Mark mark) noexcept { level_ = mark; }
    void exclude(Int option) noexcept;
    bool take(Int option);
    void complete_key() noexcept;

private:
    using Word = std::uint64_t;
    struct State {
        Int bound;
        Int size;
        std::int64_t total;
    };

    static std::size_t words_for(Int options) noexcept { return (index(options) + 63) / 64; }
    Word* live() noexcept { return live_.data() + level_ * words_; }
    const Word* live() const noexcept { return live_.data() + level_ * words_; }
    State& state(Int item) noexcept { return states_[level_ * primary_ + index(item)]; }
    const State& state(Int item) const noexcept { return states_[level_ * primary_ + index(item)]; }
    const Word* with(Int item) const noexcept { return with_.data() + index(item) * words_; }
    template <class Visit>
    void for_each(const Word* words, Visit&& visit) const;
    void fill_tables();
    void add_level();
    void count(Int option, Int sign) noexcept;
    void remove_heavier(Int item, Int weight) noexcept;
    Int entry_of(std::size_t option, Int item) const noexcept;
    Int common_color(Int item) const noexcept;

    const Problem& problem_;
    MultipleKey& key_;
    std::size_t words_;
    std::size_t primary_;
    std::vector<Word> with_;      // of each item, its options
    std::vector<Word> conflict_;  // of each option: those that it removes at secondary items
    std::vector<Int> slack_;
    std::vector<Word> live_;     // of each level
    std::vector<State> states_;  // of each level, of each primary item
    std::vector<Word> gone_;
    std::size_t level_ = 0;
    std::uint64_t updates_ = 0;
};

}  // namespace dlx
