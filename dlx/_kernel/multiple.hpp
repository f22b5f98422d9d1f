// Dancing links with multiplicities: Algorithm M of TAOCP 7.2.2.1, with colors.
//
// dlx/multiple.py has the rules of the search, and is the same algorithm to read. An item has a
// *bound*, how many more of its options may be taken, and a *need*, how many must be. Where Links
// keeps an item's number of options, here stands
//
//     length  =  options + 1 - need,
//
// which is its number of branches - and for a plain item, whose need is 1, the number of options
// again. That one change makes most of Links right as it is: hiding an option takes a branch from
// each of its items; an open item without branches is a dead end; the item with the fewest branches
// is chosen. What is new:
//
//   operation   what it does
//   use         lowers the bound of an item by one. At 0 the item is closed, and to be covered;
//               before, it stays open, and if it had a need, that is one less, a branch more.
//   exclude     takes the option on top of an item's list out of all lists, its own as well
//               ("tweaking"). Done to an option before it is taken while its item stays open; it
//               stays out in the branches after.
//   settle      commit of Links, but of a primary item only if its bound has come to 0.
//   set_aside   closes an open item that has no options left and needs none, so that nobody comes
//               across it any more.
//
// An item of bound 1 is covered when it is chosen, as in Links, since each of its branches excludes
// all of its options but the one taken. Besides its bound, an item has its slack, high - low, which
// never changes: it is in need as long as the bound is above that.
//
// Undoing mirrors doing. A level remembers how many options were excluded and how many items set
// aside when it began; the options themselves wait in one stack for all levels.
#pragma once

#include <optional>
#include <unordered_map>

#include "links.hpp"

namespace dlx {

template <bool Colored, Heuristic heuristic>
class Multiple final : public Links<Colored, heuristic> {
    using Base = Links<Colored, heuristic>;

public:
    // `given`: options (in search numbering) that every solution must contain and that do not clash
    // (`first_multiple_clash`).
    Multiple(std::shared_ptr<const Problem> problem, std::shared_ptr<const Torus> torus,
             std::span<const Int> given)
        : Base(std::move(problem), std::move(torus), nullptr, {}), bounds_(problem_->high) {
        for (std::size_t item = 0; item < bounds_.size(); ++item) {
            lengths_[item] += 1 - problem_->low[item];
        }
        restart(given, {});
    }

    Outcome run(const Quota& quota) override {
        std::uint64_t wanted = quota.solutions;
        if (phase_ == Phase::fresh) {
            if (wanted == 0) return Outcome::enough;
            if (begin(quota)) --wanted;
        }
        if (phase_ == Phase::ending) {
            if (wanted == 0) return Outcome::enough;
            rewind();
        }
        std::uint64_t next_look = work();
        while (phase_ == Phase::searching) {
            if (wanted == 0) return Outcome::enough;
            if (work() >= next_look) {
                if (stats_.nodes >= quota.nodes) return Outcome::spent;
                next_look = work() + std::min(patience, quota.nodes - stats_.nodes);
                if (Clock::now() >= quota.until) return Outcome::timed_out;
            }
            if (!advance(levels_.back())) {
                ascend();
                continue;
            }
            switch (attempt(levels_.back())) {
                case Attempt::dead:
                    if constexpr (weighted) blame();
                    break;
                case Attempt::solved:
                    report(quota);
                    --wanted;
                    break;
                case Attempt::open:
                    if (!descend()) {
                        report(quota);
                        --wanted;
                        retract(levels_.back());
                    }
                    break;
            }
        }
        return Outcome::finished;
    }

    void rewind() override {
        while (!levels_.empty()) go_up();
        while (!given_.empty()) {
            give_back(given_.back());
            given_.pop_back();
        }
        phase_ = Phase::finished;
    }

    void restart(std::span<const Int> given, const Position& begin) override {
        rewind();
        check_numbers(*problem_, begin);
        for (const Int option : given) take_given(option);
        begin_ = begin;
        if constexpr (weighted) weights_.assign(static_cast<std::size_t>(problem_->primary), {});
        const bool arrived = replay();
        stats_.nodes = stats_.updates = stats_.solutions = 0;
        stats_.profile.assign(levels_.empty() ? 0 : levels_.size() + 1, 0);
        if constexpr (weighted) weights_.assign(weights_.size(), {});
        phase_ = begin_.is_subtree() ? Phase::fresh : Phase::searching;
        if (arrived) return;
        rewind();
        refuse_dead_path();
    }

    std::optional<Position> position() override {
        if (phase_ == Phase::fresh) return begin_;
        drop_exhausted();
        if (phase_ != Phase::searching) return std::nullopt;
        Position here{{}, begin_.floor};
        for (const Level& level : levels_) {
            const Ref choice = level.choice;
            here.path.push_back(
                {Torus::item_at(level.head), choice == level.head ? Decision::none_yet
                                             : choice == nothing  ? Decision::no_more
                                                                  : option_at(choice)});
        }
        while (!levels_[here.floor].more) ++here.floor;
        return here;
    }

    std::vector<Int> untried() override {
        std::vector<Int> options;
        drop_exhausted();
        if (phase_ != Phase::searching) return options;
        const Level& level = levels_.back();
        const bool covered = bound(level.head) == 0;
        Ref entry = at(covered ? level.choice : level.head).down;
        auto left = covered ? level.branches : length(level.head);
        for (; entry != level.head && left > 0; entry = at(entry).down, --left) {
            options.push_back(option_at(entry));
        }
        const bool optional = covered ? slack(level.head) > 0 : left > 0;
        if (optional) options.push_back(Decision::no_more);
        return options;
    }

private:
    using Base::at, Base::length, Base::is_primary, Base::option_at, Base::bounds;
    using Base::begin_, Base::first_entry_, Base::given_, Base::lengths_, Base::number,
        Base::phase_, Base::problem_;
    using Base::close, Base::reopen, Base::hide, Base::unhide, Base::cover, Base::uncover;
    using Base::commit, Base::uncommit, Base::commit_given, Base::work;
    using Base::patience, Base::step, Base::weighted, Base::weights_, Base::stats_;
    using typename Base::Attempt;
    using typename Base::Phase;

    // In the place of an option, no further one; in the place of an item, none.
    static constexpr Ref nothing = ~Ref{0};

    struct Level {
        Ref head;      // the item branched on; its bound is 0 if it is covered
        Ref choice;    // its option being tried, or `nothing`, or `head` before the first
        Ref starving;  // open items that the options hidden by now have left without a branch
        Lengths::Length branches;  // how many the item had when it was chosen
        std::size_t excluded;      // what is in the stacks from here on belongs to this level or to
        std::size_t aside;         // levels below
        bool more;                 // is there a branch after the one at hand?
    };

    Int& bound(Ref head) noexcept { return bounds_[number(head)]; }
    Int slack(Ref head) const noexcept {
        return problem_->high[number(head)] - problem_->low[number(head)];
    }

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
        double least = std::numeric_limits<double>::infinity();
        lengths_.each_open([&](std::size_t item) {
            const Ref head = Torus::head_of(static_cast<Int>(item));
            const Lengths::Length branches = lengths_[item];
            if (branches == 1) {
                if (at(head).down == head) {
                    set_aside(item);
                    return true;
                }
                best = head;
                return false;
            }
            double score = branches;
            if constexpr (weighted) score *= weights_[item].value;
            if (score < least) {
                least = score;
                best = head;
            }
            return true;
        });
        return best;
    }

    // As in Links: the items that share the blame, back to the last that had a choice.
    void blame() {
        for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
            weights_[number(level->head)].failed();
            if (level->branches > 1) break;
        }
    }

    // -- the dance -------------------------------------------------------------------------------

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

    Ref settle(Ref entry) noexcept { return is_due(entry) ? commit(entry) : at(entry).head; }

    void unsettle(Ref entry, Ref last) noexcept {
        if (is_due(entry)) uncommit(entry, last);
    }

    // -- taking an option and giving it back -----------------------------------------------------

    // On to the next branch; false if there is none. The one before has been given back.
    bool advance(Level& level) {
        if (!level.more) return false;
        const Ref head = level.head;
        if (bound(head) == 0) {
            level.choice = at(level.choice).down;
            if (level.choice == head) level.choice = nothing;
        } else {
            const Ref top = at(head).down;
            level.choice = top == head ? nothing : top;
            if (top != head) {
                excluded_.push_back(top);
                level.starving += exclude(top);
            }
        }
        level.more = level.choice != nothing && has_more(level);
        return true;
    }

    // Has the item of the last level a branch after the one at hand, which is not `nothing`?
    bool has_more(const Level& level) noexcept {
        const Ref head = level.head;
        if (bound(head) > 0) return length(head) > 0;  // enough options, or no need of any
        return at(level.choice).down != head || slack(head) > 0;
    }

    // Takes the option of level.choice. If that cannot lead anywhere, or if it completes a
    // solution, nothing stays changed.
    Attempt attempt(const Level& level) noexcept {
        ++stats_.nodes;
        ++stats_.profile[levels_.size()];
        if constexpr (weighted) weights_[number(level.head)].tried();
        const Ref chosen = level.choice;
        if (chosen == nothing) {
            if (level.starving != 0) return Attempt::dead;
            return lengths_.open() == 0 ? Attempt::solved : Attempt::open;
        }
        const auto [first, last] = bounds(chosen);
        Ref starving = level.starving;
        if (bound(level.head) > 0) use(level.head);
        for (Ref entry = first; entry != last; entry += step) {
            const Ref head = at(entry).head;
            if (entry != chosen && is_primary(head)) starving -= use(head);
        }
        Attempt outcome = Attempt::dead;
        if (starving == 0) {
            if (lengths_.open() == 0) {
                outcome = Attempt::solved;
            } else if (settle_all(chosen, first, last)) {
                return Attempt::open;
            }
        }
        unuse_all(chosen, first, last);
        return outcome;
    }

    bool settle_all(Ref chosen, Ref first, Ref last) noexcept {
        for (Ref entry = first; entry != last; entry += step) {
            if (entry == chosen) continue;
            const Ref reached = settle(entry);
            if (reached == at(entry).head) continue;
            unsettle(entry, reached);
            unsettle_all(chosen, first, entry);
            return false;
        }
        return true;
    }

    void unsettle_all(Ref chosen, Ref first, Ref last) noexcept {
        for (Ref entry = last; entry != first;) {
            entry -= step;
            if (entry != chosen) unsettle(entry, at(entry).head);
        }
    }

    void unuse_all(Ref chosen, Ref first, Ref last) noexcept {
        for (Ref entry = last; entry != first;) {
            entry -= step;
            if (entry != chosen && is_primary(at(entry).head)) unuse(at(entry).head);
        }
        if (bound(at(chosen).head) > 0) unuse(at(chosen).head);
    }

    void retract(const Level& level) noexcept {
        if (level.choice == nothing) return;
        const auto [first, last] = bounds(level.choice);
        unsettle_all(level.choice, first, last);
        unuse_all(level.choice, first, last);
    }

    // Chooses the next item; false if there is none, for this is a solution.
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
        Level level{head, head, 0, length(head), excluded_.size(), aside, false};
        if (bound(head) == 1) {
            use(head);
            level.starving = cover(head);
        }
        level.more = has_more(level);
        levels_.push_back(level);
        if (stats_.profile.size() == levels_.size()) stats_.profile.push_back(0);
    }

    // Back to the end of this part of the search, or to the item before.
    void ascend() noexcept {
        go_up();
        if (levels_.size() == begin_.floor) rewind();
    }

    void go_up() noexcept {
        const Level& level = levels_.back();
        if (bound(level.head) == 0) {
            uncover(level.head, level.head);
            unuse(level.head);
        }
        for (; excluded_.size() > level.excluded; excluded_.pop_back()) restore(excluded_.back());
        take_up_again(level.aside);
        levels_.pop_back();
        if (!levels_.empty()) retract(levels_.back());
    }

    // As in Links.
    void drop_exhausted() noexcept {
        while (phase_ == Phase::searching && !levels_.back().more) ascend();
    }

    // As in Links, with some more care, since nobody has checked the path beforehand.
    bool replay() {
        const auto& path = begin_.path;
        if (path.empty()) return true;
        stats_.profile.assign(1, 0);
        if (is_hopeless()) return false;
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
                option == Decision::no_more
                    ? nothing
                    : first_entry_ + step * static_cast<Ref>(entry_about(*problem_, path[place]));
            Level& level = levels_.back();
            do {
                if (!advance(level)) return false;
            } while (level.choice != wanted);
            if (place + 1 < path.size() && attempt(level) != Attempt::open) return false;
        }
        return true;
    }

    // -- the root --------------------------------------------------------------------------------

    // As attempt, but without failing: givens must be undone as a whole, at the end.
    void take_given(Int option) {
        Ref chosen = first_entry_ +
                     step * static_cast<Ref>(problem_->start[static_cast<std::size_t>(option)]);
        while (!is_primary(at(chosen).head)) chosen += step;  // every option has a primary item
        given_.push_back(chosen);
        exclude(chosen);
        const auto [first, last] = bounds(chosen);
        for (Ref entry = first; entry != last; entry += step) {
            if (is_primary(at(entry).head)) use(at(entry).head);
        }
        for (Ref entry = first; entry != last; entry += step) {
            if (is_due(entry)) commit_given(entry);
        }
        stats_.updates = 0;  // preparation, not search
    }

    void give_back(Ref chosen) noexcept {
        const auto [first, last] = bounds(chosen);
        for (Ref entry = last; entry != first;) {
            entry -= step;
            unsettle(entry, at(entry).head);
        }
        for (Ref entry = last; entry != first;) {
            entry -= step;
            if (is_primary(at(entry).head)) unuse(at(entry).head);
        }
        restore(chosen);
    }

    // The root node, or that of the subtree to be searched. Returns true if it is a solution.
    bool begin(const Quota& quota) {
        phase_ = Phase::searching;
        if (levels_.empty()) {
            stats_.nodes = 1;
            stats_.profile.assign(1, 1);
            if (is_hopeless()) {
                rewind();
                return false;
            }
            if (descend()) return false;
        } else {
            const Attempt outcome = attempt(levels_.back());
            if (outcome == Attempt::dead) rewind();
            if (outcome == Attempt::dead || (outcome == Attempt::open && descend())) return false;
            if (outcome == Attempt::open) retract(levels_.back());
        }
        report(quota);
        phase_ = Phase::ending;  // as after any last solution, the next run finds no more
        return true;
    }

    // Has some item too few options from the beginning?
    bool is_hopeless() const {
        bool hopeless = false;
        lengths_.each_open([&](std::size_t item) {
            hopeless = lengths_.all()[item] <= 0;
            return !hopeless;
        });
        return hopeless;
    }

    void report(const Quota& quota) {
        ++stats_.solutions;
        if (quota.found == nullptr) return;
        auto& labels = quota.found->labels;
        for (const Ref entry : given_) labels.push_back(problem_->label_of(option_at(entry)));
        for (const Level& level : levels_) {
            if (level.choice == nothing) continue;
            labels.push_back(problem_->label_of(option_at(level.choice)));
        }
        quota.found->ends.push_back(labels.size());
    }

    std::vector<Level> levels_;
    std::vector<Ref> excluded_;       // the options excluded at each level, and
    std::vector<std::size_t> aside_;  // the items set aside, level by level
    std::vector<Int> bounds_;         // of each primary item
};

}  // namespace dlx
