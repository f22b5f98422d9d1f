// The live options while a diagram is built: dancing cells.
//
// The live options of an item are a sparse set (core/sparse_sets.hpp). Unlike dancing links, it
// does not keep their order; where it matters they are sorted.
//
//   * `close` an item: it is decided. From then on its array is neither changed nor read.
//   * `remove` options: all that contain the item, or another color of it.
//   * `zeros` counts the open primary items without an option: one of them makes a dead end.
//
// Undoing mirrors doing: options are restored in reverse order while the same items are closed as
// when they were removed; then the items are reopened.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/sparse_sets.hpp"

namespace dlx {

class LiveOptions {
public:
    explicit LiveOptions(const Problem& problem);

    // Is there an open primary item that no live option can cover?
    bool dead() const noexcept { return zeros_ > 0; }
    Int size(Int item) const noexcept { return sets_.size(item); }
    bool open(Int item) const noexcept { return open_[index(item)] != 0; }
    Int held(Int item) const noexcept { return held_[index(item)]; }  // its color, 0 for none
    std::uint64_t updates() const noexcept { return updates_; }

    // Appends the live options of an item, in ascending order.
    void list(Int item, std::vector<Int>& into) const;

    // The color that all live options of a secondary item have there; 0 if they differ.
    Int common_color(Int item) const noexcept;

    // Closes a primary item to branch on it, and removes its options. Other items may be left
    // without an option; the option taken next has to contain them.
    std::size_t branch(Int item) noexcept;
    void unbranch(Int item, std::size_t mark) noexcept;

    // Takes a live option, or one of the item branched on last (`branched`, -1 if there is none):
    // closes its other items, or gives them its color, and removes the options that clash with it.
    // Returns false at a dead end. In either case `retract` undoes it.
    struct Mark {
        std::size_t gone = 0;
        std::size_t purified = 0;
    };
    bool take(Int option, Int branched, Mark& mark) noexcept;
    void retract(Int option, Int branched, const Mark& mark) noexcept;

    static std::uint64_t bytes(const Problem& problem) noexcept;

private:
    void close(Int item) noexcept;
    void reopen(Int item) noexcept;
    template <bool Early>
    bool clear(Int item) noexcept;
    bool purify(Int item) noexcept;
    void remove(Int option) noexcept;
    void restore(std::size_t mark) noexcept;

    const Problem& problem_;
    SparseSets sets_;
    std::vector<std::uint8_t> open_;
    std::vector<std::uint8_t> live_;
    std::vector<Int> held_;
    std::vector<Int> gone_;      // the options removed, in order
    std::vector<Int> purified_;  // the items that were given a color, in order
    Int zeros_ = 0;
    std::uint64_t updates_ = 0;
};

}  // namespace dlx
