// Dancing links over index arrays: Algorithms X and C of TAOCP 7.2.2.1.
//
// The search of dlx/links/matrix.py, with the cover operations of links/cover.hpp.
//
// Covering the item branched on may leave other items without options. That is no dead end if the
// option about to be taken contains them, so these items are counted, and an option is viable only
// if it contains all of them. Covering its other items stops as soon as an item is left without
// options. So no open item is without options when an item is chosen, and the choice can stop at
// the first item with a single option.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "links/handover.hpp"
#include "links/search.hpp"

namespace dlx {

struct LinksLevel {
    Ref head;         // the item branched on
    Ref choice;       // its option being tried, or `head` before the first
    Ref uncoverable;  // open items that covering `head` has left without an option
};

template <bool Colored, Heuristic heuristic>
class Links final : public LinkedSearch<CoverOperations<Colored>, LinksLevel, heuristic> {
    using Base = LinkedSearch<CoverOperations<Colored>, LinksLevel, heuristic>;
    using Level = LinksLevel;

public:
    // `given`: options (in search numbering) that every solution must contain; no two may clash.
    // `handover`: decides whether a subtree is left to `bits`; null: no subtree is.
    Links(std::shared_ptr<const Problem> problem, std::shared_ptr<const Torus> torus,
          std::unique_ptr<Handover> handover, std::span<const Int> given)
        : Base(std::move(problem), std::move(torus)), handover_(std::move(handover)) {
        this->restart(given, {});
    }

    Outcome run(const Quota& quota) override {
        const auto left = this->set_out(quota);
        if (!left) return Outcome::enough;
        std::uint64_t wanted = *left;
        std::uint64_t next_check = work();
        while (phase_ == Phase::searching) {
            if (wanted == 0) return Outcome::enough;
            if (handover_ != nullptr && handover_->busy()) {
                const std::uint64_t before = stats_.solutions;
                const Outcome outcome =
                    handover_->run({wanted, quota.until, quota.found, quota.nodes}, stats_);
                wanted -= stats_.solutions - before;
                if (outcome != Outcome::finished) return outcome;
                retract(levels_.back().choice);
                if (handover_->took_all()) {
                    rewind();
                    break;
                }
                next_check = work();
                continue;
            }
            if (work() >= next_check) {
                if (stats_.nodes >= quota.nodes) return Outcome::spent;
                next_check = work() + std::min(check_interval, quota.nodes - stats_.nodes);
                if (Clock::now() >= quota.until) return Outcome::timed_out;
            }
            Level& level = levels_.back();
            const Ref next = at(level.choice).down;
            if (next == level.head) {
                ascend();
                continue;
            }
            level.choice = next;
            switch (attempt(level)) {
                case Attempt::dead:
                    if constexpr (weighted)
                        blame([&](std::size_t item) { weights_[item].failed(); });
                    break;
                case Attempt::solved:
                    report(quota);
                    --wanted;
                    break;
                case Attempt::open:
                    if (!hand_over()) descend();
                    break;
            }
        }
        return Outcome::finished;
    }

    void rewind() override {
        if (handover_ != nullptr && handover_->busy()) take_back();
        while (!levels_.empty()) go_up();
        while (!given_.empty()) {
            const Ref first = given_.back();
            given_.pop_back();
            retract(first);
            leave(at(first).head);
        }
        phase_ = Phase::finished;
    }

    std::optional<Position> position() override {
        if (phase_ == Phase::fresh) return begin_;
        std::optional<Position> rest;  // of what was left to bits
        if (handover_ != nullptr && handover_->busy()) {
            rest = handover_->position();
            if (handover_->took_all()) return rest;
            if (!rest) take_back();
        }
        if (!rest) drop_exhausted();
        if (phase_ != Phase::searching) return std::nullopt;
        Position here{decisions(), begin_.floor};
        const std::size_t mine = here.path.size();
        while (here.floor < mine && is_exhausted(levels_[here.floor])) ++here.floor;
        if (rest) {
            here.path.insert(here.path.end(), rest->path.begin(), rest->path.end());
            if (here.floor == mine) here.floor += rest->floor;
        }
        return here;
    }

    std::vector<Int> untried() override {
        std::vector<Int> options;
        if (handover_ != nullptr && handover_->busy()) return Engine::untried();
        drop_exhausted();
        if (phase_ != Phase::searching) return options;
        const Level& level = levels_.back();
        for (Ref entry = at(level.choice).down; entry != level.head; entry = at(entry).down) {
            options.push_back(option_at(entry));
        }
        return options;
    }

private:
    using Base::at, Base::length, Base::number, Base::is_primary, Base::option_at, Base::slots_of;
    using Base::close, Base::reopen, Base::cover, Base::uncover, Base::commit_given;
    using Base::commit_all, Base::uncommit_all;
    using Base::decisions, Base::check_interval, Base::report, Base::weighted, Base::work;
    using Base::first_entry_, Base::lengths_, Base::problem_, Base::stats_, Base::step;
    using Base::levels_, Base::given_, Base::begin_, Base::phase_, Base::weights_;
    using typename Base::Attempt;
    using typename Base::Phase;

    // -- the items yet to be covered -------------------------------------------------------------

    Ref choose() const noexcept {
        const std::size_t item = weighted ? least_weight() : lengths_.shortest();
        return Torus::head_of(static_cast<Int>(item));
    }

    // The open item with the smallest product of length and weight; the first forced one, if any.
    std::size_t least_weight() const noexcept {
        std::size_t best = 0;
        double least = std::numeric_limits<double>::infinity();
        lengths_.each_open([&](std::size_t item) {
            const Lengths::Length options = lengths_.all()[item];
            const double score = options * weights_[item].value;
            if (score < least || options <= 1) {
                least = score;
                best = item;
            }
            return options > 1;
        });
        return best;
    }

    // Visits the items whose weights get a failure if the option just tried is a dead end: all
    // since the last that had a choice. While an item is branched on, its length is the one when it
    // was chosen, plus `far`.
    template <class Visit>
    void blame(Visit visit) {
        for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
            visit(number(level->head));
            if (length(level->head) > Lengths::far + 1) break;
        }
    }

    // -- taking an option and undoing it ---------------------------------------------------------

    DLX_INLINE void reopen_items(Ref chosen, Ref first, Ref last) noexcept {
        for (Ref entry = last; entry != first;) {
            entry -= step;
            if (entry != chosen && is_primary(at(entry).head)) reopen(at(entry).head);
        }
    }

    // Takes the option of level.choice, whose item is covered. At a dead end, or if it completes a
    // solution, undoes all changes.
    DLX_INLINE Attempt attempt(const Level& level) noexcept {
        ++stats_.nodes;
        ++stats_.profile[levels_.size()];
        if constexpr (weighted) weights_[number(level.head)].tried();
        const Ref chosen = level.choice;
        const auto [first, last] = slots_of(chosen);
        Ref uncoverable = level.uncoverable;
        for (Ref entry = first; entry != last; entry += step) {
            const Ref head = at(entry).head;
            if (entry == chosen || !is_primary(head)) continue;
            uncoverable -= length(head) == 0;
            close(head);
        }
        if (uncoverable == 0) {
            if (lengths_.open() == 0) {
                reopen_items(chosen, first, last);
                return Attempt::solved;
            }
            if (commit_all(chosen, first, last)) return Attempt::open;
        }
        reopen_items(chosen, first, last);
        return Attempt::dead;
    }

    // The same, where time does not matter: `attempt` should be inlined in the loop of `run` only.
    DLX_COLD Attempt attempt_top() noexcept { return attempt(levels_.back()); }

    void retract(Ref chosen) noexcept {
        const auto [first, last] = slots_of(chosen);
        uncommit_all(chosen, first, last);
        reopen_items(chosen, first, last);
    }

    // Undoes entering an item, of a level or of a given option.
    DLX_INLINE void leave(Ref head) noexcept {
        uncover(head, head);
        reopen(head);
    }

    void descend() { branch_on(choose()); }

    DLX_INLINE void branch_on(Ref head) {
        close(head);
        levels_.push_back({head, head, cover(head)});
        if (stats_.profile.size() == levels_.size()) stats_.profile.push_back(0);
    }

    // Goes back to the item before, or to the end of this part of the search.
    DLX_INLINE void ascend() noexcept {
        leave(levels_.back().head);
        levels_.pop_back();
        if (levels_.begin() + static_cast<std::ptrdiff_t>(begin_.floor) == levels_.end()) {
            end_part();
        } else {
            retract(levels_.back().choice);
        }
    }

    DLX_COLD void end_part() noexcept {
        if (!levels_.empty()) retract(levels_.back().choice);
        rewind();
    }

    DLX_COLD void go_up() noexcept {
        leave(levels_.back().head);
        levels_.pop_back();
        if (!levels_.empty()) retract(levels_.back().choice);
    }

    // -- position --------------------------------------------------------------------------------

    bool is_exhausted(const Level& level) noexcept { return at(level.choice).down == level.head; }

    // Goes back to an item that has an option left, as `run` would do first.
    DLX_COLD void drop_exhausted() noexcept {
        while (phase_ == Phase::searching && is_exhausted(levels_.back())) ascend();
    }

    DLX_COLD bool replay() override {
        if (handover_ != nullptr) handover_->reset();
        const auto& path = begin_.path;
        if (path.empty()) return true;
        stats_.profile.assign(1, 0);
        bool viable = !lengths_.any_empty();
        for (std::size_t place = 0; viable && place < path.size(); ++place) {
            branch_on(Torus::head_of(path[place].item));
            if (path[place].option == Decision::none_yet) break;
            const auto entry = static_cast<Ref>(entry_about(*problem_, path[place]));
            levels_.back().choice = first_entry_ + step * entry;
            if (place + 1 < path.size()) viable = attempt_top() == Attempt::open;
        }
        return viable;
    }

    // -- leaving a subtree to bits ---------------------------------------------------------------

    void take_back() noexcept {
        handover_->drop();
        retract(levels_.back().choice);
    }

    // Called after an option was taken: is the subtree below it left to `bits`?
    bool hand_over() {
        if (handover_ == nullptr || !handover_->due(work(), levels_.size())) return false;
        try {
            std::vector<Int> given;
            for (const Ref entry : given_) given.push_back(option_at(entry));
            handover_->decide(
                stats_, given, levels_.size(),
                [this] { return Position{decisions(), begin_.floor}; },
                [this] { return learned(); }, [this] { return residue(); });
        } catch (const std::bad_alloc&) {  // links are slower but need no tables
            handover_->give_up();
        }
        return handover_->busy();
    }

    Bits::Learned learned() {
        Bits::Learned so_far;
        if constexpr (weighted) {
            so_far.weights = &weights_;
            blame([&](std::size_t item) { so_far.blamed.push_back(static_cast<Int>(item)); });
        }
        return so_far;
    }

    Residue residue() {
        Residue left;
        lengths_.each_open([&](std::size_t item) {
            left.items.push_back(static_cast<Int>(item));
            left.lengths.push_back(lengths_[item]);
            const Ref head = Torus::head_of(static_cast<Int>(item));
            for (Ref entry = at(head).down; entry != head; entry = at(entry).down) {
                left.options.push_back(option_at(entry));
            }
            return true;
        });
        std::sort(left.options.begin(), left.options.end());
        left.options.erase(std::unique(left.options.begin(), left.options.end()),
                           left.options.end());
        return left;
    }

    // -- the root --------------------------------------------------------------------------------

    void check(std::span<const Int> given, const Position& begin) const override {
        if (!begin.path.empty()) check_path(*problem_, given, begin);
    }

    // Like descend and attempt, but does not stop at a dead end.
    void take_given(Ref chosen) override {
        const auto [first, last] = slots_of(chosen);
        close(at(chosen).head);
        cover(at(chosen).head);
        for (Ref entry = first; entry != last; entry += step) {
            if (entry != chosen && is_primary(at(entry).head)) close(at(entry).head);
        }
        for (Ref entry = first; entry != last; entry += step) {
            if (entry != chosen) commit_given(entry);
        }
    }

    DLX_COLD bool begin(const Quota& quota) override {
        if (!levels_.empty()) return begin_subtree(quota);
        stats_.nodes = 1;
        stats_.profile.assign(1, 1);
        if (lengths_.open() == 0) {
            report(quota);
            phase_ = Phase::ending;  // as after any last solution, the next run finds no more
            return true;
        }
        if (lengths_.any_empty()) {
            rewind();
            return false;
        }
        phase_ = Phase::searching;
        descend();
        return false;
    }

    bool begin_subtree(const Quota& quota) {
        phase_ = Phase::searching;
        switch (attempt_top()) {
            case Attempt::dead:
                rewind();
                return false;
            case Attempt::solved:
                report(quota);
                phase_ = Phase::ending;
                return true;
            case Attempt::open:
                descend();
        }
        return false;
    }

    std::unique_ptr<Handover> handover_;
};

}  // namespace dlx
