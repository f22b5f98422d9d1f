// The toroidal matrix as one array of 16-byte slots.
//
// The torus that dlx/links/torus.py draws, addressed by byte offsets into the array (`Ref`). An
// offset has four bytes, half of a pointer, and needs no multiplication:
//
//     offset   0        16       32       48       64         80         96     ...
//            +--------+--------+--------+--------+----------+----------+----------+--
//            | item 0 | item 1 |  ...   | item n | option 0 | option 0 | option 1 | ...
//            +--------+--------+--------+--------+----------+----------+----------+--
//
//   * An entry of an option takes one slot: `up` and `down` in the circular list of its item,
//     `right` in the circular list of its option, and `head`, the slot of its item.
//   * An item takes one slot, the head of its list, of which only `up` and `down` are used. The
//     lengths of the lists are in links/lengths.hpp.
//
// There are no left links: an option never loses an entry, so walking its list in one direction is
// enough, and the entries of one option may be restored in any order, since each is in another
// list. TAOCP has no right links either and finds the ends of an option by spacer nodes between the
// options. The test for a spacer is the branch that processors mispredict most; with circular right
// links the same search takes about half the time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "core/problem.hpp"
#include "links/lengths.hpp"

namespace dlx {

using Ref = std::uint32_t;  // a byte offset into the array of slots

struct Slot {
    Ref up;
    Ref down;
    Ref right;
    Ref head;
};
static_assert(sizeof(Slot) == 16);

// The torus of a problem before any search, made once and copied by each search. O(entries).
class Torus {
public:
    static constexpr Ref step = sizeof(Slot);

    static constexpr Ref head_of(Int item) noexcept { return step * static_cast<Ref>(item); }
    static constexpr Int item_at(Ref head) noexcept { return static_cast<Int>(head / step); }

    explicit Torus(const Problem& problem) : lengths_(static_cast<std::size_t>(problem.items)) {
        const std::uint64_t slots = static_cast<std::uint64_t>(problem.items) +
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
    const Lengths& lengths() const noexcept { return lengths_; }
    const std::vector<Int>& option_of() const noexcept { return option_of_; }
    Ref first_entry() const noexcept { return first_entry_; }

private:
    Slot& at(Ref ref) noexcept { return slots_[ref / step]; }

    void lay_heads(const Problem& problem) {
        PeriodicCheck periodic;
        for (Int item = 0; item < problem.items; ++item) {
            periodic.add(1);
            const Ref head = head_of(item);
            at(head) = {head, head, 0, head};
            if (item < problem.primary) lengths_.reopen(static_cast<std::size_t>(item));
        }
    }

    void lay_options(const Problem& problem) {
        PeriodicCheck periodic;
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
                ++lengths_[static_cast<std::size_t>(problem.item[index])];
            }
            periodic.add(static_cast<std::uint64_t>(last - first) + 1);
        }
    }

    std::vector<Slot> slots_;
    std::vector<Int> option_of_;
    Ref first_entry_ = 0;
    Lengths lengths_;
};

}  // namespace dlx
