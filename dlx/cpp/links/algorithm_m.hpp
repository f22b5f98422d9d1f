// Dancing links with multiplicities: Algorithm M of TAOCP 7.2.2.1, with colors.
//
// dlx/links/multiplicities.py has the rules of the search: it is the same algorithm, written to be
// read. The cover operations are those of links/multiple_cover.hpp, where the length of an item is
// its number of branches; the item with the fewest is chosen. With weights, the item with the least
// score is chosen (dlx/links/weights.py).
//
// An item of bound 1 is covered when it is chosen, as in Links, since each of its branches excludes
// all of its options but the one taken. For other items, the options are excluded one by one, from
// the top of the list, as the search goes from branch to branch. An open item that has no options
// left and needs none is *set aside*: closed, so that the search does not choose it.
//
// Undoing mirrors doing. A level stores how many options were excluded and how many items were set
// aside when it began; the options themselves are in one stack for all levels.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "links/multiple_cover.hpp"
#include "links/search.hpp"

namespace dlx {

// `choice` is `nothing` when no further option is taken; for `branches` see branches_of.
struct MultipleLevel : SearchLevel {
    Ref uncoverable;       // open items that the options hidden by now have left without a branch
    std::size_t excluded;  // from these sizes on, the stacks belong to this level and to
    std::size_t aside;     // levels below
    bool more;             // is there a branch after the current one?
    bool covered;          // was the item's bound 1, so that it was covered when chosen?
};

template <bool Colored, bool Weighted, Heuristic heuristic>
class Multiple final
    : public LinkedSearch<Multiple<Colored, Weighted, heuristic>,
                          MultipleCoverOperations<Colored, Weighted>, MultipleLevel, heuristic> {
    using Base = LinkedSearch<Multiple, MultipleCoverOperations<Colored, Weighted>, MultipleLevel,
                              heuristic>;
    using Level = MultipleLevel;
    friend Base;

    static constexpr bool plain = false;

public:
    // `given`: options (in search numbering) that every solution must contain and that do not clash
    // (`first_multiple_clash`). `handover`: as in
    // LinkedSearch.
    Multiple(std::shared_ptr<const Problem> problem, std::shared_ptr<Torus> torus,
             std::unique_ptr<Handover> handover, std::span<const Int> given)
        : Base(std::move(problem), std::move(torus), std::move(handover)) {
        this->restart(given, {});
    }

    std::vector<Int> untried() override {
        std::vector<Int> options;
        if (busy()) return Engine::untried();
        drop_exhausted();
        if (phase_ != Phase::searching) return options;
        const Level& level = levels_.back();
        Ref entry = at(level.covered ? level.choice : level.head).down;
        // How much weight the options above the last one to try can be without.
        auto spare = level.covered ? level.branches : length(level.head);
        for (; entry != level.head && spare > 0; entry = at(entry).down) {
            options.push_back(option_at(entry));
            spare -= weight_at(entry);
        }
        const bool optional = level.covered ? slack(level.head) > 0 : need(level.head) == 0;
        if (optional) options.push_back(no_more);
        return options;
    }

private:
    using Base::at, Base::length, Base::number, Base::is_primary, Base::option_at, Base::slots_of;
    using Base::bound, Base::slack, Base::need, Base::use, Base::unuse, Base::exclude;
    using Base::commit_all, Base::uncommit_all, Base::restore, Base::weight_at, Base::live_;
    using Base::cover, Base::uncover, Base::commit, Base::uncommit, Base::commit_given;
    using Base::first_entry_, Base::lengths_, Base::problem_, Base::stats_, Base::step;
    using Base::levels_, Base::begin_, Base::phase_, Base::learned_;
    using Base::nothing, Base::drop_exhausted, Base::busy, Base::learns;
    using typename Base::Attempt;
    using typename Base::Phase;

    // -- the items yet to be covered -------------------------------------------------------------

    void set_aside(std::size_t item) {
        aside_.push_back(item);
        lengths_.close(item);
    }

    void take_up_again(std::size_t mark) noexcept {
        for (; aside_.size() > mark; aside_.pop_back()) lengths_.reopen(aside_.back());
    }

    // The item to branch on, or `nothing` if all open items are done. O(open items), less when one
    // is forced.
    Ref choose() {
        Ref best = nothing;
        LeastScore<heuristic> least(learned_.data());
        lengths_.each_open([&](std::size_t item) {
            const Ref head = Torus::head_of(static_cast<Int>(item));
            const Lengths::Length branches = score_of(head);
            if (branches == 1) {
                if (at(head).down == head) {
                    set_aside(item);
                    return true;
                }
                best = head;
                return false;
            }
            if (least.offer(item, branches)) best = head;
            return true;
        });
        return best;
    }

    // The number of branches of an open item; with weights, an upper bound of it, which is 1 only
    // if that is the number.
    Lengths::Length score_of(Ref head) noexcept {
        if constexpr (Weighted) {
            return std::min(live_[number(head)] + (need(head) == 0), length(head));
        }
        return length(head);
    }

    // The number of branches. With weights, an upper bound of it unless the search learns from dead
    // ends, which need it, or the bound is 1: then no option has a weight.
    Lengths::Length branches_of(Ref head) noexcept {
        if constexpr (!Weighted || !learns) return length(head);
        Lengths::Length branches = need(head) == 0;
        Lengths::Length spare = length(head);
        for (Ref entry = at(head).down; entry != head && spare > 0; entry = at(entry).down) {
            ++branches;
            spare -= weight_at(entry);
        }
        return branches;
    }

    // -- taking an option and undoing it ---------------------------------------------------------

    // Goes to the next branch; returns false if there is none. The one before has been undone.
    bool advance(Level& level) {
        if (!level.more) return false;
        const Ref head = level.head;
        if (level.covered) {
            level.choice = at(level.choice).down;
            if (level.choice == head) level.choice = nothing;
        } else {
            const Ref top = at(head).down;
            level.choice = top == head ? nothing : top;
            if (top != head) {
                excluded_.push_back(top);
                level.uncoverable += exclude(top);
            }
        }
        level.more = level.choice != nothing && has_more(level);
        return true;
    }

    // Has the item of the last level a branch after the current one, which is not `nothing`?
    bool has_more(const Level& level) noexcept {
        const Ref head = level.head;
        if (!level.covered) return length(head) > 0;  // enough options, or no need of any
        return at(level.choice).down != head || slack(head) > 0;
    }

    Attempt attempt_top() noexcept { return attempt(levels_.back()); }

    // Takes the option of level.choice. At a dead end, or if it completes a solution, undoes all
    // changes.
    Attempt attempt(Level& level) noexcept {
        level.tried = stats_.updates;
        ++stats_.nodes;
        ++stats_.profile[levels_.size()];
        if constexpr (learns) learned_[number(level.head)].tried();
        const Ref chosen = level.choice;
        if (chosen == nothing) {
            if (level.uncoverable != 0) return Attempt::dead;
            return lengths_.open() == 0 ? Attempt::solved : Attempt::open;
        }
        const auto [first, last] = slots_of(chosen);
        Ref uncoverable = level.uncoverable;
        if (!level.covered) use(level.head, weight_at(chosen));
        for (Ref entry = first; entry != last; entry += step) {
            const Ref head = at(entry).head;
            if (entry != chosen && is_primary(head)) uncoverable -= use(head, weight_at(entry));
        }
        Attempt outcome = Attempt::dead;
        if (uncoverable == 0) {
            if (lengths_.open() == 0) {
                outcome = Attempt::solved;
            } else if (commit_choice(level)) {
                if (commit_all(chosen)) return Attempt::open;
                uncommit_choice(level);
            }
        }
        unuse_all(level, first, last);
        return outcome;
    }

    void unuse_all(const Level& level, Ref first, Ref last) noexcept {
        for (Ref entry = last; entry != first;) {
            entry -= step;
            const Ref head = at(entry).head;
            if (entry != level.choice && is_primary(head)) unuse(head, weight_at(entry));
        }
        if (!level.covered) unuse(level.head, weight_at(level.choice));
    }

    // Commits the chosen entry itself. Without weights there is nothing to do: its item is covered,
    // or its bound is still above 0.
    bool commit_choice(const Level& level) noexcept {
        if constexpr (Weighted) {
            if (level.covered) return true;
            const Ref reached = commit(level.choice);
            if (reached == level.head) return true;
            uncommit(level.choice, reached);
            return false;
        }
        return true;
    }

    void uncommit_choice(const Level& level) noexcept {
        if constexpr (Weighted) {
            if (!level.covered) uncommit(level.choice, level.head);
        }
    }

    void retract(const Level& level) noexcept {
        if (level.choice == nothing) return;
        const auto [first, last] = slots_of(level.choice);
        uncommit_all(level.choice);
        uncommit_choice(level);
        unuse_all(level, first, last);
    }

    // Chooses the next item; returns false if there is none: then this is a solution.
    bool descend() {
        const std::size_t aside = aside_.size();
        const Ref head = choose();
        if (head == nothing) {
            take_up_again(aside);
            return false;
        }
        branch_on(head, aside);
        return true;
    }

    void branch_on(Ref head, std::size_t aside) {
        const bool covered = bound(head) == 1;
        const SearchLevel start{head, head, branches_of(head), stats_.updates, 0};
        Level level{start, 0, excluded_.size(), aside, false, covered};
        if (covered) {
            use(head, 1);
            level.uncoverable = cover(head);
        }
        level.more = has_more(level);
        levels_.push_back(level);
        if (stats_.profile.size() == levels_.size()) stats_.profile.push_back(0);
    }

    void leave(const Level& level) noexcept {
        if (level.covered) {
            uncover(level.head, level.head);
            unuse(level.head, 1);
        }
        for (; excluded_.size() > level.excluded; excluded_.pop_back()) restore(excluded_.back());
        take_up_again(level.aside);
    }

    bool is_exhausted(const Level& level) const noexcept { return !level.more; }

    // -- the root --------------------------------------------------------------------------------

    // As in Links, but also checks the path, since check_path does not handle multiplicities.
    bool replay(std::span<const Decision> path, std::size_t taken) override {
        for (std::size_t place = 0; place < path.size(); ++place) {
            const auto [item, option] = path[place];
            const Ref head = Torus::head_of(item);
            if (!lengths_.is_open(number(head)) || at(head).down == head) {
                if (!levels_.empty()) retract(levels_.back());  // its option was taken
                return false;
            }
            branch_on(head, aside_.size());
            if (option == Decision::none_yet) break;
            const Ref wanted =
                option == no_more
                    ? nothing
                    : first_entry_ + step * static_cast<Ref>(entry_about(*problem_, path[place]));
            Level& level = levels_.back();
            do {
                if (!advance(level)) return false;
            } while (level.choice != wanted);
            if (place < taken && attempt(level) != Attempt::open) return false;
        }
        return true;
    }

    void add_bounds(Ref head, Residue& left) noexcept {
        left.low.push_back(std::max(0, bound(head) - slack(head)));
        left.high.push_back(bound(head));
    }

    void check(std::span<const Int>, const Position& begin) const override {
        check_numbers(*problem_, begin);
    }

    // Like attempt, but does not stop at a dead end.
    void take_given(Ref chosen) override {
        exclude(chosen);
        const auto [first, last] = slots_of(chosen);
        for (Ref entry = first; entry != last; entry += step) {
            if (is_primary(at(entry).head)) use(at(entry).head, weight_at(entry));
        }
        for (Ref entry = first; entry != last; entry += step) commit_given(entry);
    }

    void give_back(Ref chosen) noexcept {
        const auto [first, last] = slots_of(chosen);
        for (Ref entry = last; entry != first;) {
            entry -= step;
            uncommit(entry, at(entry).head);
        }
        for (Ref entry = last; entry != first;) {
            entry -= step;
            if (is_primary(at(entry).head)) unuse(at(entry).head, weight_at(entry));
        }
        restore(chosen);
    }

    bool is_hopeless() const {
        bool hopeless = false;
        lengths_.each_open([&](std::size_t item) {
            hopeless = lengths_.all()[item] <= 0;
            return !hopeless;
        });
        return hopeless;
    }

    std::vector<Ref> excluded_;       // the options excluded at each level, and
    std::vector<std::size_t> aside_;  // the items set aside, level by level
};

}  // namespace dlx
