// Covering and uncovering on the torus: the operations of dlx/links/matrix.py, on index arrays.
//
//   operation     here             what it does
//   cover         cover            hides every option of an item from the lists of other items
//   hide          hide             takes one option out of the lists of its other items
//   purify        purify           hides every option that wants another color for an item, and
//                                  marks the others (color -1) so that they are left alone
//   commit        commit           covers an entry without a color, purifies one with a color
//   un-...        un-...           the same steps in reverse order. The order must mirror the order
//                                  of doing, because an unlinked entry stores the neighbours that
//                                  it had at that moment
//
// Failing early. When an option is taken, all its items are first closed (links/lengths.hpp): a
// large number is added to their lengths. From then on, a length that drops to zero belongs to an
// open primary item that no option can cover any more. Covering stops at once, and only the steps
// done are undone. Secondary items are closed from the start.
//
// With `Weighted`, an entry takes its weight from the length of its item instead of 1, and `live_`
// counts the options (links/multiple_cover.hpp).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/engine.hpp"
#include "core/heuristic.hpp"
#include "links/lengths.hpp"
#include "links/torus.hpp"

namespace dlx {

template <bool Colored, bool Weighted = false>
class CoverOperations : public Engine {
public:
    CoverOperations(std::shared_ptr<const Problem> problem, std::shared_ptr<Torus> torus)
        : problem_(std::move(problem)),
          torus_(std::move(torus)),
          slots_(torus_->slots()),
          base_(reinterpret_cast<char*>(slots_.data())),
          first_entry_(torus_->first_entry()),
          lengths_(torus_->lengths()) {
        if constexpr (Colored) color_ = problem_->color;
    }

    std::vector<std::byte> image() const final {
        std::vector<std::byte> bytes;
        const auto append = [&bytes](const auto& values) {
            const auto raw = std::as_bytes(std::span(values));
            bytes.insert(bytes.end(), raw.begin(), raw.end());
        };
        append(slots_);
        append(lengths_.all());
        append(color_);
        append(live_);
        return bytes;
    }

protected:
    static constexpr Ref step = Torus::step;

    Slot& at(Ref ref) noexcept { return *reinterpret_cast<Slot*>(base_ + ref); }
    static Int item_at(Ref head) noexcept { return Torus::item_at(head); }
    Lengths::Length& length(Ref head) noexcept { return lengths_[number(head)]; }
    static std::size_t number(Ref head) noexcept { return static_cast<std::size_t>(item_at(head)); }
    bool is_primary(Ref head) const noexcept { return item_at(head) < problem_->primary; }
    std::size_t entry_of(Ref ref) const noexcept { return (ref - first_entry_) / step; }
    Int& color(Ref ref) noexcept { return color_[entry_of(ref)]; }
    Int option_at(Ref ref) const noexcept { return torus_->option_of(*problem_, entry_of(ref)); }

    // The slots of an option's entries: [first, second).
    DLX_INLINE std::pair<Ref, Ref> slots_of(Ref ref) const noexcept {
        const auto option = static_cast<std::size_t>(option_at(ref));
        return {first_entry_ + step * static_cast<Ref>(problem_->start[option]),
                first_entry_ + step * static_cast<Ref>(problem_->start[option + 1])};
    }

    // An entry of an option by which it can be taken. Every option has a primary item.
    Ref primary_entry(Int option) noexcept {
        Ref entry = first_entry_ +
                    step * static_cast<Ref>(problem_->start[static_cast<std::size_t>(option)]);
        while (!is_primary(at(entry).head)) entry += step;
        return entry;
    }

    void close(Ref head) noexcept { lengths_.close(number(head)); }
    void reopen(Ref head) noexcept { lengths_.reopen(number(head)); }

    Int weight_at(Ref entry) const noexcept {
        if constexpr (Weighted) return problem_->weight[entry_of(entry)];
        return 1;
    }

    // Counts an entry that leaves the list of its item. Returns true if that leaves an open item
    // without an option.
    DLX_INLINE bool shrink(Ref entry, Ref head) noexcept {
        if constexpr (Weighted) {
            --live_[number(head)];
            const Lengths::Length before = length(head);
            length(head) -= weight_at(entry);
            return before > 0 && length(head) <= 0;
        }
        return --length(head) == 0;
    }

    DLX_INLINE void grow(Ref entry, Ref head) noexcept {
        if constexpr (Weighted) ++live_[number(head)];
        length(head) += weight_at(entry);
    }

    // -- an option -------------------------------------------------------------------------------

    // Returns how many open items this has left without an option.
    DLX_INLINE Ref hide(Ref entry) noexcept {
        Ref emptied = 0;
        std::uint64_t updates = 0;
        for (Ref other = at(entry).right; other != entry; other = at(other).right) {
            if constexpr (Colored) {
                if (color(other) < 0) continue;
            }
            const Slot& slot = at(other);
            at(slot.up).down = slot.down;
            at(slot.down).up = slot.up;
            emptied += shrink(other, slot.head);
            ++updates;
        }
        stats_.updates += updates;
        return emptied;
    }

    DLX_INLINE void unhide(Ref entry) noexcept {
        for (Ref other = at(entry).right; other != entry; other = at(other).right) {
            if constexpr (Colored) {
                if (color(other) < 0) continue;
            }
            const Slot& slot = at(other);
            at(slot.up).down = other;
            at(slot.down).up = other;
            grow(other, slot.head);
        }
    }

    // -- an item ---------------------------------------------------------------------------------

    // Covers an item completely; returns how many open items this leaves without an option.
    DLX_INLINE Ref cover(Ref head) noexcept {
        Ref emptied = 0;
        for (Ref entry = at(head).down; entry != head; entry = at(entry).down) {
            emptied += hide(entry);
        }
        return emptied;
    }

    // Covers an item until an open item is left without an option. Returns the entry at which that
    // happened, or `head` if it did not.
    DLX_INLINE Ref cover_while_viable(Ref head) noexcept {
        for (Ref entry = at(head).down; entry != head; entry = at(entry).down) {
            if (hide(entry) != 0) return entry;
        }
        return head;
    }

    // Undoes a cover that stopped at `last` (`head`: a complete one).
    DLX_INLINE void uncover(Ref head, Ref last) noexcept {
        for (Ref entry = last == head ? at(head).up : last; entry != head; entry = at(entry).up) {
            unhide(entry);
        }
    }

    // Like cover_while_viable, but does not hide the options with the color of `chosen`.
    Ref purify_while_viable(Ref chosen) noexcept {
        const Ref head = at(chosen).head;
        const Int wanted = color(chosen);
        for (Ref entry = at(head).down; entry != head; entry = at(entry).down) {
            if (color(entry) == wanted) {
                color(entry) = -1;
            } else if (hide(entry) != 0) {
                return entry;
            }
        }
        return head;
    }

    void unpurify(Ref chosen, Ref last) noexcept {
        const Ref head = at(chosen).head;
        const Int wanted = color(chosen);
        for (Ref entry = last == head ? at(head).up : last; entry != head; entry = at(entry).up) {
            if (color(entry) < 0) {
                color(entry) = wanted;
            } else {
                unhide(entry);
            }
        }
    }

    // -- an entry of an option that is taken
    // -------------------------------------------------------

    DLX_INLINE Ref commit(Ref entry) noexcept {
        const Ref head = at(entry).head;
        if constexpr (Colored) {
            if (color(entry) < 0) return head;  // its item has this color already
            return color(entry) > 0 ? purify_while_viable(entry) : cover_apart(head);
        }
        return cover_while_viable(head);
    }

    // Not inlined, for callers that purify as well: two inlined loops would be too large.
    Ref cover_apart(Ref head) noexcept { return cover_while_viable(head); }

    DLX_INLINE void uncommit(Ref entry, Ref last) noexcept {
        if constexpr (Colored) {
            if (color(entry) < 0) return;
            if (color(entry) > 0) return unpurify(entry, last);
        }
        uncover(at(entry).head, last);
    }

    // Like commit, but never stops early: a given option must be undone completely.
    void commit_given(Ref entry) noexcept {
        const Ref head = at(entry).head;
        if constexpr (Colored) {
            if (color(entry) < 0) return;
            if (const Int wanted = color(entry); wanted > 0) {
                for (Ref row = at(head).down; row != head; row = at(row).down) {
                    if (color(row) == wanted) {
                        color(row) = -1;
                    } else {
                        hide(row);
                    }
                }
                return;
            }
        }
        cover(head);
    }

    std::shared_ptr<const Problem> problem_;
    std::shared_ptr<Torus> torus_;
    std::vector<Slot> slots_;
    std::vector<Int> color_;  // of each entry; -1 once its item has that color
    std::vector<Int> live_;   // with weights: the number of options in each item's list
    char* base_;              // slots_ as bytes
    Ref first_entry_;
    Lengths lengths_;
};

}  // namespace dlx
