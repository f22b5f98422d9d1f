// The toroidal matrix as one array of 16-byte slots.
//
// The same torus as dlx/links.py draws, kept in one array of 16-byte slots and addressed by byte
// offsets into it (a `Ref`), which cost neither a pointer's eight bytes nor a multiplication:
//
//     offset   0      16     32     48     64     80     96     ...
//            +------+------+------+------+------+------+------+--
//            | root        | item 0      | item 1      | ...    | option 0 | option 1 | ...
//            +------+------+------+------+------+------+------+--
//
//   * An entry of an option takes one slot: `up` and `down` in the circular list of its item,
//     `right` in the circular list of its option, and `head`, the slot of its item.
//   * An item takes two. The first is the head of its vertical list: `up`, `down`, then the
//     `length` of the list where an entry has `right`, and the item's number. The second links the
//     *open* primary items - not yet covered - in a circular list of their own through the root.
//
// Left links are missing because nothing needs them: an option never loses an entry, so its list
// can be walked one way only, and within one option the entries may be put back in any order, each
// being in a list of its own. TAOCP saves the right links too and finds the ends of an option by
// spacer nodes between the options; the test for a spacer is the branch that processors mispredict
// most, and with circular right links the same search takes about half the time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "problem.hpp"

namespace dlx {

using Ref = std::uint32_t;  // a byte offset into the array of slots

struct Slot {
    Ref up;
    Ref down;
    Ref right;  // of an entry; in an item's first slot, the length of its list
    Ref head;   // of an entry; in an item's first slot, the number of the item
};
static_assert(sizeof(Slot) == 16);

// The torus of a problem before any search, made once and copied by each search. O(entries).
class Torus {
public:
    static constexpr Ref root = 0;
    static constexpr Ref step = sizeof(Slot);
    static constexpr Ref far = Ref{1} << 30;  // added to lengths that must never reach zero

    static constexpr Ref head_of(Int item) noexcept {
        return 2 * step * (static_cast<Ref>(item) + 1);
    }
    explicit Torus(const Problem& problem) {
        const std::uint64_t slots = 2 * (static_cast<std::uint64_t>(problem.items) + 1) +
                                    static_cast<std::uint64_t>(problem.entries());
        if (slots * step > std::numeric_limits<Ref>::max()) {
            throw std::length_error("the links engine takes at most 268 million items and entries");
        }
        slots_.resize(static_cast<std::size_t>(slots));
        first_entry_ = head_of(problem.items);
        lay_heads(problem);
        lay_options(problem);
    }
    const std::vector<Slot>& slots() const noexcept { return slots_; }
    const std::vector<Int>& option_of() const noexcept { return option_of_; }
    Ref first_entry() const noexcept { return first_entry_; }

private:
    Slot& at(Ref ref) noexcept { return slots_[ref / step]; }

    void lay_heads(const Problem& problem) {
        for (Int item = 0; item < problem.items; ++item) {
            const Ref head = head_of(item);
            const bool primary = item < problem.primary;
            at(head) = {head, head, primary ? 0 : far, static_cast<Ref>(item)};
            // The second slot: up and down serve as left and right neighbours.
            at(head + step) = {head - 2 * step, head + 2 * step, 0, 0};
        }
        const Ref first = problem.primary > 0 ? head_of(0) : root;
        const Ref last = problem.primary > 0 ? head_of(problem.primary - 1) : root;
        at(root) = {root, root, 0, 0};
        at(root + step) = {last, first, 0, 0};
        if (problem.primary > 0) at(last + step).down = root;
    }

    void lay_options(const Problem& problem) {
        option_of_.resize(static_cast<std::size_t>(problem.entries()));
        for (Int option = 0; option < problem.options(); ++option) {
            const Int first = problem.start[static_cast<std::size_t>(option)];
            const Int last = problem.start[static_cast<std::size_t>(option) + 1];
            for (Int entry = first; entry < last; ++entry) {
                const auto index = static_cast<std::size_t>(entry);
                option_of_[index] = option;
                const Ref head = head_of(problem.item[index]);
                const Ref here = first_entry_ + step * static_cast<Ref>(entry);
                const Ref above = at(head).up;
                const Int next = entry + 1 < last ? entry + 1 : first;
                at(here) = {above, head, first_entry_ + step * static_cast<Ref>(next), head};
                at(above).down = here;
                at(head).up = here;
                ++at(head).right;
            }
        }
    }

    std::vector<Slot> slots_;
    std::vector<Int> option_of_;
    Ref first_entry_ = 0;
};

}  // namespace dlx
