// Covering and uncovering for plain problems: no colors, no multiplicities.
//
// The operations of links/cover.hpp and links/algorithm_x.hpp once more, on pointers and counts
// that a loop has in local variables. The members of an engine have to be read and written again
// after each write to a slot, which takes a third of the time where options have two or three
// items.
//
// The entries that are unlinked are listed on a trail. One loop over its end undoes all that an
// option changed, where links/cover.hpp walks back over each item's list and each option; and its
// length is the number of updates.
#pragma once

#include <cstddef>
#include <cstdint>

#include "links/torus.hpp"

namespace dlx {

class PlainSteps {
public:
    // `trail`: room for all entries of the problem.
    PlainSteps(char* base, const LengthsView& view, Int primary, Ref* trail,
               std::uint64_t updates) noexcept
        : lengths(view),
          base_(base),
          secondary_(Torus::head_of(primary)),
          trail_(trail),
          top_(trail),
          undone_(updates) {}

    LengthsView lengths;

    DLX_INLINE Slot& at(Ref ref) const noexcept { return *reinterpret_cast<Slot*>(base_ + ref); }
    DLX_INLINE Lengths::Length& length(Ref head) const noexcept { return lengths[number(head)]; }
    DLX_INLINE bool is_primary(Ref head) const noexcept { return head < secondary_; }
    DLX_INLINE void close(Ref head) noexcept { lengths.close(number(head)); }
    DLX_INLINE void reopen(Ref head) noexcept { lengths.reopen(number(head)); }

    // All updates so far.
    DLX_INLINE std::uint64_t updates() const noexcept { return undone_ + mark(); }

    // Adds updates that were no changes of links.
    DLX_INLINE void count(std::uint64_t updates) noexcept { undone_ += updates; }

    // -- the trail -------------------------------------------------------------------------------

    // The length of the trail.
    DLX_INLINE Ref mark() const noexcept { return static_cast<Ref>(top_ - trail_); }

    // Links again what was unlinked after the trail had this length.
    DLX_INLINE void undo(Ref mark) noexcept {
        Ref* const end = trail_ + mark;
        undone_ += static_cast<std::uint64_t>(top_ - end);
        while (top_ != end) link(*--top_);
    }

    // -- an item ---------------------------------------------------------------------------------

    // Returns how many open items this has left without an option.
    DLX_INLINE Ref cover(Ref head) noexcept {
        Ref emptied = 0;
        for (Ref entry = at(head).down; entry != head; entry = at(entry).down) {
            emptied += hide(entry);
        }
        return emptied;
    }

    // Returns false, and covers only a part, if that has left an open item without an option.
    DLX_INLINE bool cover_while_viable(Ref head) noexcept {
        for (Ref entry = at(head).down; entry != head; entry = at(entry).down) {
            if (hide(entry) != 0) return false;
        }
        return true;
    }

    // Undoes a cover that is not on the trail.
    void uncover(Ref head) noexcept {
        for (Ref entry = at(head).up; entry != head; entry = at(entry).up) {
            for (Ref other = at(entry).right; other != entry; other = at(other).right) link(other);
        }
    }

    // -- the entries of an option except the chosen one, whose item is covered -------------------

    // Returns how many of their items had no option left.
    DLX_INLINE Ref close_others(Ref chosen) noexcept {
        Ref empty = 0;
        for (Ref entry = at(chosen).right; entry != chosen; entry = at(entry).right) {
            const Ref head = at(entry).head;
            if (!is_primary(head)) continue;
            empty += length(head) == 0;
            close(head);
        }
        return empty;
    }

    DLX_INLINE void reopen_others(Ref chosen) noexcept {
        for (Ref entry = at(chosen).right; entry != chosen; entry = at(entry).right) {
            if (is_primary(at(entry).head)) reopen(at(entry).head);
        }
    }

    // Covers their items. Returns false, and covers only a part, if that has left an open item
    // without an option.
    DLX_INLINE bool commit_others(Ref chosen) noexcept {
        for (Ref entry = at(chosen).right; entry != chosen; entry = at(entry).right) {
            if (!cover_while_viable(at(entry).head)) return false;
        }
        return true;
    }

    // Does this option of an open item cover all other open items?
    DLX_INLINE bool covers_all(Ref chosen) const noexcept {
        std::size_t covered = 1;
        for (Ref entry = at(chosen).right; entry != chosen; entry = at(entry).right) {
            covered += is_primary(at(entry).head);
        }
        return covered == lengths.open();
    }

private:
    static std::size_t number(Ref head) noexcept {
        return static_cast<std::size_t>(Torus::item_at(head));
    }

    // Returns how many open items this has left without an option.
    DLX_INLINE Ref hide(Ref entry) noexcept {
        Ref emptied = 0;
        for (Ref other = at(entry).right; other != entry; other = at(other).right) {
            const Slot& slot = at(other);
            at(slot.up).down = slot.down;
            at(slot.down).up = slot.up;
            emptied += --length(slot.head) == 0;
            *top_++ = other;
        }
        return emptied;
    }

    DLX_INLINE void link(Ref entry) noexcept {
        const Slot& slot = at(entry);
        at(slot.up).down = entry;
        at(slot.down).up = entry;
        ++length(slot.head);
    }

    char* base_;
    Ref secondary_;  // the head of the first secondary item
    Ref* trail_;     // the entries that are unlinked, in the order in which they were
    Ref* top_;       // the end of the trail
    std::uint64_t undone_;
};

}  // namespace dlx
