// Covering and uncovering for plain problems: no colors, no multiplicities.
//
// The operations of links/cover.hpp and links/algorithm_x.hpp once more, on pointers and counts
// that a loop has in local variables. The members of an engine have to be read and written again
// after each write to a slot, which takes a third of the time where options have two or three
// items.
#pragma once

#include <cstddef>
#include <cstdint>

#include "links/torus.hpp"

namespace dlx {

class PlainSteps {
public:
    // `others`: room for the entries of an option.
    PlainSteps(char* base, const LengthsView& view, Int primary, Ref* others) noexcept
        : lengths(view), base_(base), secondary_(Torus::head_of(primary)), others_(others) {}

    LengthsView lengths;
    std::uint64_t updates = 0;

    DLX_INLINE Slot& at(Ref ref) const noexcept { return *reinterpret_cast<Slot*>(base_ + ref); }
    DLX_INLINE Lengths::Length& length(Ref head) const noexcept { return lengths[number(head)]; }
    DLX_INLINE bool is_primary(Ref head) const noexcept { return head < secondary_; }
    DLX_INLINE void close(Ref head) noexcept { lengths.close(number(head)); }
    DLX_INLINE void reopen(Ref head) noexcept { lengths.reopen(number(head)); }

    // -- an item ---------------------------------------------------------------------------------

    DLX_INLINE Ref cover(Ref head) noexcept {
        Ref emptied = 0;
        for (Ref entry = at(head).down; entry != head; entry = at(entry).down) {
            emptied += hide(entry);
        }
        return emptied;
    }

    DLX_INLINE Ref cover_while_viable(Ref head) noexcept {
        for (Ref entry = at(head).down; entry != head; entry = at(entry).down) {
            if (hide(entry) != 0) return entry;
        }
        return head;
    }

    DLX_INLINE void uncover(Ref head, Ref last) noexcept {
        for (Ref entry = last == head ? at(head).up : last; entry != head; entry = at(entry).up) {
            unhide(entry);
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

    // Covers their items. If that leaves an open item without options, undoes it and returns false.
    DLX_INLINE bool commit_others(Ref chosen) noexcept {
        for (Ref entry = at(chosen).right; entry != chosen; entry = at(entry).right) {
            const Ref head = at(entry).head;
            const Ref reached = cover_while_viable(head);
            if (reached == head) continue;
            uncover(head, reached);
            undo(chosen, entry, [&](Ref other) { uncover(other, other); });
            return false;
        }
        return true;
    }

    // Undoes commit_others and close_others.
    DLX_INLINE void give_up(Ref chosen) noexcept {
        undo(chosen, chosen, [&](Ref head) {
            uncover(head, head);
            if (is_primary(head)) reopen(head);
        });
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
        std::uint64_t unlinked = 0;
        for (Ref other = at(entry).right; other != entry; other = at(other).right) {
            const Slot& slot = at(other);
            at(slot.up).down = slot.down;
            at(slot.down).up = slot.up;
            emptied += --length(slot.head) == 0;
            ++unlinked;
        }
        updates += unlinked;
        return emptied;
    }

    DLX_INLINE void unhide(Ref entry) noexcept {
        for (Ref other = at(entry).right; other != entry; other = at(other).right) {
            const Slot& slot = at(other);
            at(slot.up).down = other;
            at(slot.down).up = other;
            ++length(slot.head);
        }
    }

    // Visits the items of the entries that follow the chosen one, up to `last`, in reverse order.
    template <class Visit>
    DLX_INLINE void undo(Ref chosen, Ref last, Visit visit) noexcept {
        Ref* top = others_;
        for (Ref entry = at(chosen).right; entry != last; entry = at(entry).right) {
            *top++ = at(entry).head;
        }
        while (top != others_) visit(*--top);
    }

    char* base_;
    Ref secondary_;  // the head of the first secondary item
    Ref* others_;
};

}  // namespace dlx
