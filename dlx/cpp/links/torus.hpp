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

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>
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

// The torus of a problem before any search. With `Kept::yes` each search copies it; otherwise the
// only search takes it, and only what no search changes stays here. O(entries).
class Torus {
public:
    enum class Kept : bool { no, yes };

    static constexpr Ref step = sizeof(Slot);
    static constexpr Int large = 1 << 16;  // entries, a megabyte; from here on memory counts

    static constexpr Ref head_of(Int item) noexcept { return step * static_cast<Ref>(item); }
    static constexpr Int item_at(Ref head) noexcept { return static_cast<Int>(head / step); }

    Torus(const Problem& problem, Kept kept)
        : kept_(kept == Kept::yes),
          shift_(problem.entries() < large ? 0 : 3),
          lengths_(static_cast<std::size_t>(problem.items)) {
        const std::uint64_t slots = static_cast<std::uint64_t>(problem.items) +
                                    static_cast<std::uint64_t>(problem.entries());
        if (slots * step > std::numeric_limits<Ref>::max()) {
            throw std::length_error("the links engine takes at most 268 million items and entries");
        }
        slots_.resize(static_cast<std::size_t>(slots));
        first_entry_ = head_of(problem.items);
        const auto poll = [periodic = PeriodicCheck()](std::uint64_t steps) mutable {
            periodic.add(steps);
        };
        lay(problem, slots_, poll);
        count(problem, poll);
    }

    // The slots for a search. To be called once if they are not kept.
    std::vector<Slot> slots() { return kept_ ? checked_copy(slots_) : std::move(slots_); }

    // Makes slots what they were before the search. O(entries): in order if they are kept,
    // otherwise with a jump in memory for each.
    void restore(const Problem& problem, std::vector<Slot>& slots) const noexcept {
        if (kept_) {
            std::ranges::copy(slots_, slots.begin());
        } else {
            lay(problem, slots, [](std::uint64_t) {});
        }
    }

    bool kept() const noexcept { return kept_; }
    const Lengths& lengths() const noexcept { return lengths_; }
    // The option of an entry.
    Int option_of(const Problem& problem, std::size_t entry) const noexcept {
        Int option = option_of_[entry >> shift_];
        while (static_cast<std::size_t>(problem.start[index(option) + 1]) <= entry) ++option;
        return option;
    }
    Ref first_entry() const noexcept { return first_entry_; }

private:
    template <class Poll>
    void lay(const Problem& problem, std::vector<Slot>& slots, Poll poll) const {
        const auto at = [&](Ref ref) -> Slot& { return slots[ref / step]; };
        for (Int item = 0; item < problem.items; ++item) {
            const Ref head = head_of(item);
            at(head) = {head, head, 0, head};
            poll(1);
        }
        for (std::size_t option = 0; option + 1 < problem.start.size(); ++option) {
            const Int first = problem.start[option];
            const Int last = problem.start[option + 1];
            for (Int entry = first; entry < last; ++entry) {
                const Ref head = head_of(problem.item[static_cast<std::size_t>(entry)]);
                const Ref here = first_entry_ + step * static_cast<Ref>(entry);
                const Ref above = at(head).up;
                const Int next = entry + 1 < last ? entry + 1 : first;
                at(here) = {above, head, first_entry_ + step * static_cast<Ref>(next), head};
                at(above).down = here;
                at(head).up = here;
            }
            poll(static_cast<std::uint64_t>(last - first) + 1);
        }
    }

    template <class Poll>
    void count(const Problem& problem, Poll poll) {
        for (std::size_t item = 0; item < static_cast<std::size_t>(problem.primary); ++item) {
            lengths_.reopen(item);
        }
        const auto skipped = (std::size_t{1} << shift_) - 1;
        option_of_.reserve((problem.item.size() >> shift_) + 1);
        for (Int option = 0; option < problem.options(); ++option) {
            for (Int entry = problem.start[index(option)]; entry < problem.start[index(option) + 1];
                 ++entry) {
                if ((index(entry) & skipped) == 0) option_of_.push_back(option);
                ++lengths_[index(problem.item[index(entry)])];
                poll(1);
            }
        }
    }

    bool kept_;
    std::vector<Slot> slots_;
    int shift_;                   // 2 to the power of that is a step in option_of_:
    std::vector<Int> option_of_;  // the options of every entry, or of every eighth
    Ref first_entry_ = 0;
    Lengths lengths_;
};

}  // namespace dlx
