// The dance with items that may be covered several times.
//
// An item has a *bound*, how many more of its options may be taken, and a *need*, how many must be.
// Where Links keeps an item's number of options, here stands
//
//     length  =  options + 1 - need,
//
// which is its number of branches - and for a plain item, whose need is 1, the number of options
// again. That one change makes most of Dance right as it is: hiding an option takes a branch from
// each of its items; an open item without branches is a dead end. What is new:
//
//   operation   what it does
//   use         lowers the bound of an item by one. At 0 the item is closed, and to be covered;
//               before, it stays open, and if it had a need, that is one less, a branch more.
//   exclude     takes the option on top of an item's list out of all lists, its own as well
//               ("tweaking"). Done to an option before it is taken while its item stays open; it
//               stays out in the branches after.
//   commit      as in Dance, but a primary item is covered only if its bound has come to 0.
//
// Besides its bound, an item has its slack, high - low, which never changes: it is in need as long
// as the bound is above that.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "links/cover.hpp"

namespace dlx {

template <bool Colored>
class MultipleDance : public Dance<Colored> {
    using Base = Dance<Colored>;

public:
    MultipleDance(std::shared_ptr<const Problem> problem, std::shared_ptr<const Torus> torus)
        : Base(std::move(problem), std::move(torus)), bounds_(problem_->high) {
        for (std::size_t item = 0; item < bounds_.size(); ++item) {
            lengths_[item] += 1 - problem_->low[item];
        }
    }

protected:
    using Base::at, Base::length, Base::number, Base::is_primary, Base::close, Base::reopen;
    using Base::hide, Base::unhide, Base::lengths_, Base::problem_, Base::stats_;

    Int& bound(Ref head) noexcept { return bounds_[number(head)]; }
    Int slack(Ref head) const noexcept {
        return problem_->high[number(head)] - problem_->low[number(head)];
    }

    // Returns how many other open items this has left without a branch.
    Ref exclude(Ref entry) noexcept {
        const Ref emptied = hide(entry);
        const Slot& slot = at(entry);
        at(slot.up).down = slot.down;
        at(slot.down).up = slot.up;
        --length(slot.head);
        ++stats_.updates;
        return emptied;
    }

    void restore(Ref entry) noexcept {
        const Slot& slot = at(entry);
        at(slot.up).down = entry;
        at(slot.down).up = entry;
        ++length(slot.head);
        unhide(entry);
    }

    // Returns true if the item was without a branch and is so no more. (If it lacks two options or
    // more, it is still counted as starving, its length being below 0.)
    bool use(Ref head) noexcept {
        const bool relieved = length(head) == 0;
        const bool needed = bound(head) > slack(head);
        if (--bound(head) == 0) {
            close(head);
        } else if (needed) {
            ++length(head);
        }
        return relieved;
    }

    void unuse(Ref head) noexcept {
        if (bound(head)++ == 0) {
            reopen(head);
        } else if (bound(head) > slack(head)) {
            --length(head);
        }
    }

    bool is_due(Ref entry) noexcept {
        const Ref head = at(entry).head;
        return !is_primary(head) || bound(head) == 0;
    }

    Ref commit(Ref entry) noexcept { return is_due(entry) ? Base::commit(entry) : at(entry).head; }

    void uncommit(Ref entry, Ref last) noexcept {
        if (is_due(entry)) Base::uncommit(entry, last);
    }

    void commit_given(Ref entry) noexcept {
        if (is_due(entry)) Base::commit_given(entry);
    }

private:
    std::vector<Int> bounds_;  // of each primary item
};

}  // namespace dlx
