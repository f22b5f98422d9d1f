// The common part of the searches by dancing links: the loop and its stack of levels, on top of
// cover operations.
//
//     Engine                           core/engine.hpp: the interface
//       CoverOperations                links/cover.hpp: covering and uncovering
//         MultipleCoverOperations      links/multiple_cover.hpp: items covered several times
//           LinkedSearch               this file: the loop, givens, replaying a path, reporting
//                                      solutions, leaving subtrees to `bits`
//             Links, Multiple          links/algorithm_x.hpp, links/algorithm_m.hpp: the choice of
//                                      an item, its branches, taking an option
//
// `Steps` is the class of the cover operations. `Derived` is the class at the bottom, known at
// compile time, so that its functions are inlined in the loop. It has
//
//     descend, branch_on   choose the next item and push its level; descend returns false if there
//                          is none
//     advance              goes to the next branch of a level; returns false if there is none
//     attempt, retract     take the option of a level; undo that
//     leave                undoes branching on an item, all of whose branches have been undone
//     give_back            undoes taking a given option
//     is_exhausted         has a level no branch after the current one?
//     is_hopeless          has some item too few options from the beginning?
//     add_bounds           adds how often an open item must be covered to a Residue
//
// A `Level` is a SearchLevel with what else the class needs.
#pragma once

#include <algorithm>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/engine.hpp"
#include "core/heuristic.hpp"
#include "links/cover.hpp"
#include "links/handover.hpp"
#include "links/small_subtree.hpp"

namespace dlx {

struct SearchLevel {
    Ref head;                  // the item branched on
    Ref choice;                // its option being tried, or `head` before the first
    Lengths::Length branches;  // how many the item had when it was chosen
    std::uint64_t before;      // the search's updates then,
    std::uint64_t tried;       // and when `choice` was tried
};

template <class Derived, class Steps, class Level, Heuristic heuristic>
class LinkedSearch : public Steps {
public:
    // `handover`: decides whether a subtree is left to `bits`; null: no subtree is.
    LinkedSearch(std::shared_ptr<const Problem> problem, std::shared_ptr<Torus> torus,
                 std::unique_ptr<Handover> handover)
        : Steps(std::move(problem), std::move(torus)), handover_(std::move(handover)) {
        Int longest = 0;
        const auto& start = this->problem_->start;
        for (std::size_t option = 1; option < start.size(); ++option) {
            longest = std::max(longest, start[option] - start[option - 1]);
        }
        others_.resize(static_cast<std::size_t>(longest));
    }

    Outcome run(const Quota& quota) final {
        const auto left = set_out(quota);
        if (!left) return Outcome::enough;
        std::uint64_t wanted = *left;
        std::uint64_t next_check = work();
        while (phase_ == Phase::searching) {
            if (wanted == 0) return Outcome::enough;
            if (busy()) {
                const Outcome outcome = run_bits(quota, wanted);
                if (outcome != Outcome::finished) return outcome;
                next_check = work();
                continue;
            }
            if (work() >= next_check) {
                if (stats_.nodes >= quota.nodes) return Outcome::spent;
                next_check = work() + std::min(check_interval, quota.nodes - stats_.nodes);
                if constexpr (Derived::plain) self().small_from_ = 0;
                if (Clock::now() >= quota.until) return Outcome::timed_out;
            }
            if (!self().advance(levels_.back())) {
                if constexpr (Derived::plain) {
                    if (self().restore_at_end()) break;
                }
                ascend();
                continue;
            }
            switch (self().attempt(levels_.back())) {
                case Attempt::dead:
                    if constexpr (learns) blame([&](std::size_t item) { learned_[item].failed(); });
                    break;
                case Attempt::solved:
                    report(quota);
                    --wanted;
                    if constexpr (Derived::plain) {
                        self().count_siblings(quota, wanted, next_check);
                    }
                    break;
                case Attempt::open:
                    if (hand_over()) break;
                    if constexpr (Derived::plain) {
                        if (self().search_or_descend(quota, wanted, next_check)) {
                            self().retract(levels_.back());
                        }
                    } else if (!self().descend()) {
                        report(quota);
                        --wanted;
                        self().retract(levels_.back());
                    }
                    break;
            }
        }
        return Outcome::finished;
    }

    void rewind() final {
        if (busy()) take_back();
        while (!levels_.empty()) go_up();
        while (!given_.empty()) {
            self().give_back(given_.back());
            given_.pop_back();
        }
        phase_ = Phase::finished;
    }

    std::optional<Position> position() final {
        if (phase_ == Phase::fresh) return begin_;
        std::optional<Position> rest;  // of what was left to bits
        if (busy()) {
            rest = handover_->position();
            if (handover_->took_all()) return rest;
            if (!rest) take_back();
        }
        if (!rest) drop_exhausted();
        if (phase_ != Phase::searching) return std::nullopt;
        Position here{decisions(), begin_.floor};
        const std::size_t mine = here.path.size();
        while (here.floor < mine && self().is_exhausted(levels_[here.floor])) ++here.floor;
        if (rest) {
            here.path.insert(here.path.end(), rest->path.begin(), rest->path.end());
            if (here.floor == mine) here.floor += rest->floor;
        }
        return here;
    }

    bool finished() const noexcept final { return phase_ == Phase::finished; }

    void restart(std::span<const Int> given, const Position& begin) final {
        rewind();
        check(given, begin);
        for (const Int option : given) {
            given_.push_back(this->primary_entry(option));
            take_given(given_.back());
        }
        begin_ = begin;
        forget();
        if (handover_ != nullptr) handover_->reset();
        stats_.profile.assign(1, 0);
        const auto& path = begin_.path;
        const bool arrived =
            path.empty() || (!self().is_hopeless() && replay(path, path.size() - 1));
        forget();  // updates while replaying the path are not work of this search
        stats_.nodes = stats_.updates = stats_.solutions = small_nodes_ = 0;
        stats_.profile.assign(levels_.empty() ? 0 : levels_.size() + 1, 0);
        phase_ = begin_.is_subtree() ? Phase::fresh : Phase::searching;
        if (arrived) return;
        rewind();
        refuse_dead_path();
    }

protected:
    static constexpr std::uint64_t check_interval = 20'000;  // work between clock checks
    static constexpr bool learns = heuristic == Heuristic::learning;

    // In place of an option: no further one. Only with multiplicities.
    static constexpr Ref nothing = ~Ref{0};

    enum class Phase : std::uint8_t { fresh, searching, ending, finished };
    enum class Attempt : std::uint8_t { dead, solved, open };

    // Throws std::invalid_argument for invalid numbers.
    virtual void check(std::span<const Int> given, const Position& begin) const = 0;

    // Takes a given option by its primary entry. Never stops early: givens must be undone
    // completely.
    virtual void take_given(Ref chosen) = 0;

    // Branches as a path does, and takes the first `taken` of its options. Returns false if that
    // leads to a leaf.
    virtual bool replay(std::span<const Decision> path, std::size_t taken) = 0;

    std::uint64_t work() const noexcept { return stats_.nodes + stats_.updates; }

    // The decisions of the levels from this one on.
    std::vector<Decision> decisions(std::size_t first = 0) const {
        std::vector<Decision> path;
        for (const Level& level : std::span(levels_).subspan(first)) {
            path.push_back({Steps::item_at(level.head),
                            level.choice == level.head ? Decision::none_yet
                            : level.choice == nothing  ? no_more
                                                       : this->option_at(level.choice)});
        }
        return path;
    }

    void report(const Quota& quota) {
        ++stats_.solutions;
        if (quota.found == nullptr) return;
        label_path(quota.found->labels);
        quota.found->ends.push_back(quota.found->labels.size());
    }

    // Adds the labels of the options that are taken.
    void label_path(std::vector<Int>& labels) const {
        for (const Ref entry : given_) labels.push_back(label_at(entry));
        for (const Level& level : levels_) {
            if (level.choice != nothing) labels.push_back(label_at(level.choice));
        }
    }

    // Reports the solutions that the subtree of this node has.
    void report_all(Found& found, const SmallSubtree& subtree) {
        const auto& places = subtree.result().found;
        for (auto place = places.begin(); place != places.end();) {
            label_path(found.labels);
            for (const auto last = place + *place; place != last;) {
                found.labels.push_back(this->problem_->label_of(subtree.option(*++place)));
            }
            ++place;
            found.ends.push_back(found.labels.size());
        }
    }

    // -- taking an option and undoing it ---------------------------------------------------------

    // Commits the entries of an option except the chosen one, whose item is covered. If that leaves
    // an open item without options, undoes it and returns false.
    DLX_INLINE bool commit_all(Ref chosen) noexcept {
        for (Ref entry = at(chosen).right; entry != chosen; entry = at(entry).right) {
            const Ref reached = this->commit(entry);
            if (reached == at(entry).head) continue;
            this->uncommit(entry, reached);
            uncommit_all(chosen, entry);
            return false;
        }
        return true;
    }

    // Undoes commit_all, or the part of it before `last`.
    void uncommit_all(Ref chosen) noexcept { uncommit_all(chosen, chosen); }
    void uncommit_all(Ref chosen, Ref last) noexcept {
        undo(chosen, last, [&](Ref entry) { this->uncommit(entry, at(entry).head); });
    }

    // Visits the entries of an option that follow the chosen one, up to `last`, in reverse order.
    // There are no left links, so they are listed first.
    template <class Visit>
    DLX_INLINE void undo(Ref chosen, Ref last, Visit visit) noexcept {
        Ref* top = others_.data();
        for (Ref entry = at(chosen).right; entry != last; entry = at(entry).right) *top++ = entry;
        while (top != others_.data()) visit(*--top);
    }

    // Goes back to an item that has a branch left, as `run` would do first.
    DLX_COLD void drop_exhausted() noexcept {
        while (phase_ == Phase::searching && self().is_exhausted(levels_.back())) ascend();
    }

    // The work up to which no subtree is left to `bits`; 0 if some may be at once.
    std::uint64_t undecided() const noexcept {
        return handover_ == nullptr ? Handover::never : handover_->next_decision();
    }

    // Is `bits` searching a subtree?
    bool busy() const noexcept { return handover_ != nullptr && handover_->busy(); }

    using Steps::at, Steps::length, Steps::number, Steps::option_at, Steps::lengths_;
    using Steps::stats_, Steps::step;

    Phase phase_ = Phase::fresh;
    std::vector<Level> levels_;
    std::vector<Ref> given_;   // a primary entry of each given option
    Position begin_;           // of this part of the search; the levels below its floor stay
    LearnedWeights learned_;   // empty unless the search learns
    std::vector<Ref> others_;  // room for the entries of an option

    std::uint64_t small_nodes_ = 0;  // of those in `stats_`, the ones in small subtrees

private:
    Derived& self() noexcept { return static_cast<Derived&>(*this); }

    // The part of `run` before its loop. Returns how many solutions the loop must find; nullopt if
    // there are enough already.
    std::optional<std::uint64_t> set_out(const Quota& quota) {
        std::uint64_t wanted = quota.solutions;
        if (phase_ == Phase::fresh) {
            if (wanted == 0) return std::nullopt;
            if (visit_root(quota)) --wanted;
        }
        if (phase_ == Phase::ending) {
            if (wanted == 0) return std::nullopt;
            rewind();
        }
        return wanted;
    }

    // Visits the root, of the tree or of the subtree. Returns true if it is a solution.
    DLX_COLD bool visit_root(const Quota& quota) {
        phase_ = Phase::searching;
        if (levels_.empty()) {
            stats_.nodes = 1;
            stats_.profile.assign(1, 1);
            if (self().is_hopeless()) {
                rewind();
                return false;
            }
            if (lengths_.open() > 0 && self().descend()) return false;
        } else {
            const Attempt outcome = self().attempt_top();
            if (outcome == Attempt::dead) rewind();
            if (outcome == Attempt::dead) return false;
            if (outcome == Attempt::open) {
                if (self().descend()) return false;
                self().retract(levels_.back());
            }
        }
        report(quota);
        phase_ = Phase::ending;  // as after any last solution, the next run finds no more
        return true;
    }

    // Goes back to the item before, or to the end of this part of the search.
    DLX_INLINE void ascend() noexcept {
        self().leave(levels_.back());
        levels_.pop_back();
        if (levels_.begin() + static_cast<std::ptrdiff_t>(begin_.floor) == levels_.end()) {
            end_part();
        } else {
            self().retract(levels_.back());
        }
    }

    DLX_COLD void end_part() noexcept {
        if (!levels_.empty()) self().retract(levels_.back());
        rewind();
    }

    DLX_COLD void go_up() noexcept {
        self().leave(levels_.back());
        levels_.pop_back();
        if (!levels_.empty()) self().retract(levels_.back());
    }

    // Visits the items whose weights get a failure if the option just tried is a dead end: all
    // since the last that had a choice.
    template <class Visit>
    void blame(Visit visit) {
        for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
            visit(number(level->head));
            if (level->branches > 1) break;
        }
    }

    // -- leaving a subtree to bits ---------------------------------------------------------------

    // Lets `bits` continue; at the end of its subtree, the option above it is undone.
    DLX_COLD Outcome run_bits(const Quota& quota, std::uint64_t& wanted) {
        const std::uint64_t before = stats_.solutions;
        const Outcome outcome =
            handover_->run({wanted, quota.until, quota.found, quota.nodes}, stats_);
        wanted -= stats_.solutions - before;
        if (outcome != Outcome::finished) return outcome;
        self().retract(levels_.back());
        if (handover_->took_all()) rewind();
        return outcome;
    }

    void take_back() noexcept {
        handover_->drop();
        self().retract(levels_.back());
    }

    // Called after an option was taken: is the subtree below it left to `bits`?
    DLX_INLINE bool hand_over() {
        if (handover_ == nullptr || !handover_->due(work(), levels_.size())) return false;
        return decide();
    }

    DLX_COLD bool decide() {
        std::vector<Decision> undone;
        try {
            std::size_t kept = levels_.size();
            if (handover_->is_late(work())) {
                const auto extent = handover_->look(stats_, small_nodes_, outline());
                if (extent == Handover::all) {
                    handover_->take_all(given(), {decisions(), begin_.floor}, learned());
                    return true;
                }
                kept = std::min(kept, std::max(extent, begin_.floor + 1));
            }
            if constexpr (Derived::plain) self().small_from_ = 0;
            if (!handover_->is_candidate(kept)) return false;
            if (kept == levels_.size() && !handover_->may_pay(stats_, here())) return false;
            undone = decisions(kept);
            while (levels_.size() > kept) go_up_open();
            handover_->take_subtree(stats_, residue(), given(), decisions(), undone);
        } catch (const std::bad_alloc&) {  // links are slower but need no tables
            handover_->give_up();
        }
        if (!handover_->busy()) do_again(undone);
        if constexpr (Derived::plain) self().small_from_ = 0;
        return handover_->busy();
    }

    // Undoes the last level, so that the subtree below the one before is as if just entered.
    void go_up_open() noexcept {
        self().retract(levels_.back());
        self().leave(levels_.back());
        levels_.pop_back();
    }

    // Takes options again that were taken and counted before.
    void do_again(std::span<const Decision> path) {
        if (path.empty()) return;
        const Stats before = stats_;
        replay(path, path.size());
        stats_ = before;
    }

    std::vector<Int> given() const {
        std::vector<Int> options;
        for (const Ref entry : given_) options.push_back(option_at(entry));
        return options;
    }

    // The size of the subproblem at this node.
    Extent here() const {
        Extent extent{levels_.size(), 0, 0};
        double entries = 0;
        lengths_.each_open([&](std::size_t item) {
            ++extent.items;
            entries += lengths_.all()[item];
            return true;
        });
        extent.options = entries / handover_->primary_per_option();
        return extent;
    }

    // About how large the subproblems on the path to this node are, from here upward. The options
    // that a level removed are estimated by its updates.
    std::vector<Extent> outline() const {
        std::vector<Extent> path{here()};
        Extent extent = path.back();
        std::uint64_t reached = stats_.updates;
        for (std::size_t depth = levels_.size(); depth-- > begin_.floor + 1;) {
            const Level& level = levels_[depth];
            const double updates = static_cast<double>(reached - level.tried);
            extent.depth = depth;
            extent.items += handover_->primary_per_option();
            extent.options += level.branches + updates / handover_->updates_per_option();
            reached = level.before;
            if (extent.options > 1.3 * path.back().options) path.push_back(extent);
        }
        return path;
    }

    Bits::Learned learned() {
        Bits::Learned so_far;
        if constexpr (learns) {
            so_far.weights = &learned_;
            blame([&](std::size_t item) { so_far.blamed.push_back(static_cast<Int>(item)); });
        }
        return so_far;
    }

    Residue residue() {
        Residue left;
        lengths_.each_open([&](std::size_t item) {
            const Ref head = Torus::head_of(static_cast<Int>(item));
            const std::size_t before = left.options.size();
            for (Ref entry = at(head).down; entry != head; entry = at(entry).down) {
                left.options.push_back(option_at(entry));
            }
            left.items.push_back(static_cast<Int>(item));
            left.lengths.push_back(static_cast<Int>(left.options.size() - before));
            self().add_bounds(head, left);
            return true;
        });
        std::sort(left.options.begin(), left.options.end());
        left.options.erase(std::unique(left.options.begin(), left.options.end()),
                           left.options.end());
        return left;
    }

    void forget() {
        if constexpr (learns) {
            learned_.assign(static_cast<std::size_t>(this->problem_->primary), {});
        }
    }

    Int label_at(Ref entry) const noexcept {
        return this->problem_->label_of(this->option_at(entry));
    }

    std::unique_ptr<Handover> handover_;
};

}  // namespace dlx
