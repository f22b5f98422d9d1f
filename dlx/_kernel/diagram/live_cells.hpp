// The options that are still possible, while a diagram is built: dancing cells.
//
// Each item keeps its live options in the front part of an array of its own. To remove an option is
// to swap it, in the array of each of its open items, with the last one of the front part, and to
// make that part one shorter:
//
//        item's cells   | 4 | 9 | 7 | 12 | 2 |        remove 9        | 4 | 12 | 7 | 9 | 2 |
//                       `----- size 4 ---'                            `- size 3 -'
//
// Putting it back is making the part one longer: which option stands where does not matter, so
// long as the last one removed is the first one put back. (Sparse sets: P. Briggs and L. Torczon,
// 1993; for exact cover C. Solnon and D. E. Knuth, TAOCP 7.2.2.1 and SSXCC.) Unlike dancing links,
// the cells do not remember the order of the options; where it matters they are sorted.
//
//   * `close` an item: it is decided. Its array stays as it is from then on, and is not looked at.
//   * `remove` options: all that contain the item, or another color of it.
//   * `zeros` counts the open primary items without an option: with one, all is lost.
//
// Undo is strict: options come back in reverse order while the same items are closed as were when
// they went, and then the items open again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/problem.hpp"

namespace dlx {

class LiveOptions {
public:
    explicit LiveOptions(const Problem& problem);

    // Is there an open primary item that nothing can cover?
    bool dead() const noexcept { return zeros_ > 0; }
    Int size(Int item) const noexcept { return size_[index(item)]; }
    bool open(Int item) const noexcept { return open_[index(item)] != 0; }
    Int held(Int item) const noexcept { return held_[index(item)]; }  // its color, 0 for none
    std::uint64_t updates() const noexcept { return updates_; }

    // Appends the live options of an item, in ascending order.
    void list(Int item, std::vector<Int>& into) const;

    // The one color (of secondary item) that all its live options want; 0 if there is no such one.
    Int common_color(Int item) const noexcept;

    // Decides a primary item: closes it and removes its options. It may leave other items without
    // an option, which the option that is taken next has to contain.
    std::size_t branch(Int item) noexcept;
    void unbranch(Int item, std::size_t mark) noexcept;

    // Takes a live option, or one of the item branched on last (`branched`, -1 if there is none):
    // closes its other items, or gives them its color, and removes what cannot stand beside it.
    // False: it is a dead end. In either case `retract` undoes it.
    struct Mark {
        std::size_t gone = 0;
        std::size_t purified = 0;
    };
    bool take(Int option, Int branched, Mark& mark) noexcept;
    void retract(Int option, Int branched, const Mark& mark) noexcept;

    static std::uint64_t bytes(const Problem& problem) noexcept;

private:
    static std::size_t index(Int number) noexcept { return static_cast<std::size_t>(number); }
    void close(Int item) noexcept;
    void reopen(Int item) noexcept;
    template <bool Early>
    bool clear(Int item) noexcept;
    bool purify(Int item) noexcept;
    void remove(Int option) noexcept;
    void restore(std::size_t mark) noexcept;

    const Problem& problem_;
    std::vector<Int> first_;      // of each item: where its cells begin
    std::vector<Int> size_;       // of each item: how many of its options are live
    std::vector<Int> cell_;       // the entries in the cells
    std::vector<Int> place_;      // of each entry: its cell
    std::vector<Int> option_of_;  // of each entry
    std::vector<std::uint8_t> open_;
    std::vector<std::uint8_t> live_;
    std::vector<Int> held_;
    std::vector<Int> gone_;      // the options removed, in order
    std::vector<Int> purified_;  // the items that were given a color, in order
    Int zeros_ = 0;
    std::uint64_t updates_ = 0;
};

}  // namespace dlx
