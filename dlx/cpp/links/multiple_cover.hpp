// Cover operations with items that may be covered several times.
//
// An item has a *bound*, how often it may still be covered, and a *need*, how often it must be. The
// length of an item, which in Links is its number of options, is here
//
//     length  =  options + 1 - need,
//
// its number of branches; for an item with need 1 it is the number of options. With that change
// most of CoverOperations can be used unchanged: hiding an option removes a branch from each of its
// items, and an open item without branches is a dead end. The new operations are:
//
//   operation   what it does
//   use         lowers the bound of an item. At 0 the item is closed, and must be covered. Above 0
//               it stays open; if its need was not 0, its need is lowered, so that it has more
//               branches.
//   exclude     removes an option from all lists, including that of the entry by which it is known
//               ("tweaking"). Done to the option on top of a list before it is taken, if the item
//               stays open; the option stays excluded in the later branches.
//   commit      as in CoverOperations, but a primary item is covered only if its bound is now 0.
//
// An item also has a slack, high - low, which never changes. Its need is bound - slack, at least 0.
//
// With `Weighted`, an option lowers the bound of an item by its weight there, and
//
//     length  =  total weight of the options + 1 - need.
//
// Again a length of 0 or less is a dead end. A commit above bound 0 excludes the *misfits*, options
// that cover the item more often than its bound. They are anywhere in the list, so a stack has
// them. dlx/links/weights.py has the rules of the search.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "links/cover.hpp"

namespace dlx {

template <bool Colored, bool Weighted>
class MultipleCoverOperations : public CoverOperations<Colored, Weighted> {
    using Base = CoverOperations<Colored, Weighted>;

public:
    MultipleCoverOperations(std::shared_ptr<const Problem> problem, std::shared_ptr<Torus> torus)
        : Base(std::move(problem), std::move(torus)), bounds_(problem_->high) {
        for (std::size_t item = 0; item < bounds_.size(); ++item) {
            lengths_[item] += 1 - problem_->low[item];
        }
        if constexpr (Weighted) weigh();
    }

protected:
    using Base::at, Base::length, Base::number, Base::is_primary, Base::close, Base::reopen;
    using Base::hide, Base::unhide, Base::lengths_, Base::problem_, Base::stats_;
    using Base::shrink, Base::grow, Base::weight_at, Base::live_;

    Int& bound(Ref head) noexcept { return bounds_[number(head)]; }
    Int slack(Ref head) const noexcept {
        return problem_->high[number(head)] - problem_->low[number(head)];
    }
    Int need(Ref head) noexcept { return std::max(Int{0}, bound(head) - slack(head)); }

    // Returns how many other open items this has left without a branch.
    Ref exclude(Ref entry) noexcept {
        const Ref emptied = hide(entry);
        const Slot& slot = at(entry);
        at(slot.up).down = slot.down;
        at(slot.down).up = slot.up;
        shrink(entry, slot.head);
        ++stats_.updates;
        return emptied;
    }

    void restore(Ref entry) noexcept {
        const Slot& slot = at(entry);
        at(slot.up).down = entry;
        at(slot.down).up = entry;
        grow(entry, slot.head);
        unhide(entry);
    }

    // Returns true if the item had no branch and now has one. (If it lacks more than the option
    // gives, it is still counted as uncoverable, since its length is not above 0.)
    bool use(Ref head, Int weight) noexcept {
        if constexpr (Weighted) {
            const bool lacking = length(head) <= 0;
            length(head) += need(head);
            bound(head) -= weight;
            length(head) -= need(head);
            const bool relieved = lacking && length(head) > 0;
            if (bound(head) == 0) close(head);
            return relieved;
        }
        const bool relieved = length(head) == 0;
        const bool needed = bound(head) > slack(head);
        if (--bound(head) == 0) {
            close(head);
        } else if (needed) {
            ++length(head);
        }
        return relieved;
    }

    void unuse(Ref head, Int weight) noexcept {
        if constexpr (Weighted) {
            if (bound(head) == 0) reopen(head);
            length(head) += need(head);
            bound(head) += weight;
            length(head) -= need(head);
            return;
        }
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

    Ref commit(Ref entry) noexcept {
        if (is_due(entry)) return Base::commit(entry);
        const Ref head = at(entry).head;
        if constexpr (Weighted) return exclude_misfits(head, true);
        return head;
    }

    void uncommit(Ref entry, Ref last) noexcept {
        if (is_due(entry)) {
            Base::uncommit(entry, last);
        } else if constexpr (Weighted) {
            restore_misfits(at(entry).head);
        }
    }

    void commit_given(Ref entry) noexcept {
        if (is_due(entry)) {
            Base::commit_given(entry);
        } else if constexpr (Weighted) {
            exclude_misfits(at(entry).head, false);
        }
    }

private:
    void weigh() {
        live_.assign(static_cast<std::size_t>(problem_->items), 0);
        heaviest_.assign(bounds_.size(), 1);
        PeriodicCheck periodic;
        for (std::size_t entry = 0; entry < problem_->item.size(); ++entry) {
            const auto item = static_cast<std::size_t>(problem_->item[entry]);
            const Int weight = problem_->weight[entry];
            ++live_[item];
            if (item < bounds_.size()) {
                lengths_[item] += weight - 1;
                heaviest_[item] = std::max(heaviest_[item], weight);
            }
            periodic.add(1);
        }
    }

    bool may_have_misfits(Ref head) noexcept { return bound(head) < heaviest_[number(head)]; }

    // Excludes the options of an open item that cover it more often than its bound. With `stop`,
    // returns the entry after which an open item has no branch; otherwise, and if there is none,
    // returns `head`.
    Ref exclude_misfits(Ref head, bool stop) noexcept {
        if (!may_have_misfits(head)) return head;
        marks_.push_back(misfits_.size());
        for (Ref entry = at(head).down; entry != head; entry = at(entry).down) {
            if (weight_at(entry) <= bound(head)) continue;
            misfits_.push_back(entry);
            const Ref emptied = exclude(entry);
            if (stop && (emptied != 0 || length(head) <= 0)) return entry;
        }
        return head;
    }

    void restore_misfits(Ref head) noexcept {
        if (!may_have_misfits(head)) return;
        for (; misfits_.size() > marks_.back(); misfits_.pop_back()) restore(misfits_.back());
        marks_.pop_back();
    }

    std::vector<Int> bounds_;         // of each primary item
    std::vector<Int> heaviest_;       // the largest weight in the options of each primary item
    std::vector<Ref> misfits_;        // what each commit has excluded,
    std::vector<std::size_t> marks_;  // and how many there were before
};

}  // namespace dlx
