// The live options while a diagram is built: dancing cells, for problems of any size.
//
// The live options of an item are a sparse set (core/sparse_sets.hpp). Unlike dancing links, it
// does not keep their order; where it matters they are sorted.
//
// Without multiplicities, an item is closed when an option covers it: its set is then neither
// changed nor read. With them, each item has a bound, how much it may still be covered, and a need,
// how much it must be; their difference is at most its slack, high - low. Taking an option reduces
// the bounds of its primary items, and options that exceed a bound are removed; so is the option
// itself, by `exclude`, before it is taken. (links/multiple_cover.hpp is the same for searches.)
//
// `missing_` counts the primary items that make a dead end: open ones without an option, or those
// that need more than their live options can cover.
//
// Undoing mirrors doing: options are restored in reverse order while the same items are closed as
// when they were removed; then the items are reopened.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/sparse_sets.hpp"
#include "diagram/key.hpp"

namespace dlx {

template <bool multiple>
class LiveCells {
public:
    // `key` must live as long as this object, which keeps up to date what it has of multiplicities.
    LiveCells(const Problem& problem, SubproblemKey& key);

    static std::uint64_t bytes(const Problem& problem) noexcept;

    bool dead() const noexcept { return missing_ > 0; }
    Int size(Int item) const noexcept { return sets_.size(item); }
    std::uint64_t updates() const noexcept { return updates_; }

    // With multiplicities: what the live options of an item cover together, and what it needs.
    std::int64_t total(Int item) const noexcept { return total_[index(item)]; }
    Int need(Int item) const noexcept {
        return std::max(0, bound_[index(item)] - slack_[index(item)]);
    }

    // Appends the live options of an item, in ascending order.
    void list(Int item, std::vector<Int>& into) const;

    // The color that all live options of a secondary item have there: 0 if they differ, -1 if there
    // is none.
    Int common_color(Int item) const noexcept {
        return is_open(item) && size(item) > 0 ? color_of_live(item) : -1;
    }

    // Without multiplicities: closes a primary item to branch on it, and removes its options. Other
    // items may be left without an option; the option taken next has to contain them.
    std::size_t branch(Int item) noexcept;
    void unbranch(Int item, std::size_t mark) noexcept;

    // With multiplicities: removes a live option.
    void exclude(Int option) noexcept { remove(option); }

    struct Mark {
        std::size_t removed = 0;
        std::size_t colored = 0;
    };
    Mark mark() const noexcept { return {removed_.size(), colored_.size()}; }

    // Takes a live option, one that has just been excluded, or one of the item branched on last
    // (`branched`, -1 if there is none): closes its other items or reduces their bounds, gives them
    // its color, and removes the options that clash with it. Returns false at a dead end. In either
    // case `retract` undoes it. Of `no_more`, only what was removed since the mark.
    bool take(Int option, Int branched, Mark& mark) noexcept;
    void retract(Int option, Int branched, const Mark& mark) noexcept;

    // Writes what the key of multiplicities does not have yet.
    void complete_key() noexcept {}

private:
    bool is_open(Int item) const noexcept { return multiple || open_[index(item)] != 0; }
    bool is_missing(Int item) const noexcept {
        if constexpr (multiple) return total(item) < need(item);
        return is_open(item) && size(item) == 0;
    }
    Int color_of_live(Int item) const noexcept;
    void change(Int item, Int bound, Int total) noexcept;
    void set_open(Int item, bool open) noexcept;
    template <bool early>
    bool clear(Int item) noexcept;
    template <class Test>
    bool remove_if(Int item, Test test) noexcept;
    void remove(Int option) noexcept;
    void restore(std::size_t mark) noexcept;

    const Problem& problem_;
    SubproblemKey& key_;
    SparseSets sets_;
    std::vector<std::uint8_t> open_;   // of each item, without multiplicities
    std::vector<std::uint8_t> live_;   // of each option, likewise
    std::vector<std::int64_t> total_;  // of each primary item, with multiplicities
    std::vector<Int> bound_;           // likewise
    std::vector<Int> slack_;
    std::vector<Int> held_;     // of each item: the color that options taken gave it, or 0
    std::vector<Int> removed_;  // options, in order
    std::vector<Int> colored_;  // the items that were given a color, in order
    Int missing_ = 0;
    std::uint64_t updates_ = 0;
};

}  // namespace dlx
