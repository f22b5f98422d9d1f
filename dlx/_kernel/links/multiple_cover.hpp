// Cover operations with items that may be covered several times.
//
// An item has a *bound*, how many more of its options may be taken, and a *need*, how many must be.
// The length of an item, which in Links is its number of options, is here
//
//     length  =  options + 1 - need,
//
// its number of branches; for an item with need 1 it is the number of options. With that change
// most of CoverOperations can be used unchanged: hiding an option removes a branch from each of its
// items, and an open item without branches is a dead end. The new operations are:
//
//   operation   what it does
//   use         decrements the bound of an item. At 0 the item is closed, and must be covered.
//   Above
//               0 it stays open; if its need was not 0, its need is decremented, so that it has one
//               branch more.
//   exclude     removes the option on top of an item's list from all lists, including that one
//               ("tweaking"). Done to an option before it is taken if its item stays open; the
//               option stays excluded in the later branches.
//   commit      as in CoverOperations, but a primary item is covered only if its bound is now 0.
//
// An item also has a slack, high - low, which never changes. Its need is bound - slack, at least 0.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "links/cover.hpp"

namespace dlx {

template <bool Colored>
class MultipleCoverOperations : public CoverOperations<Colored> {
    using Base = CoverOperations<Colored>;

public:
    MultipleCoverOperations(std::shared_ptr<const Problem> problem,
                            std::shared_ptr<const Torus> torus)
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

    // Returns true if the item had no branch and now has one. (If it lacks two options or more, it
    // is still counted as uncoverable, since its length is below 0.)
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
