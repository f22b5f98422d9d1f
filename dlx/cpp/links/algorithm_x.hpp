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
#include <memory>
#include <utility>
#include <vector>

#include "links/plain_steps.hpp"
#include "links/search.hpp"
#include "links/small_subtree.hpp"

namespace dlx {

struct LinksLevel : SearchLevel {
    Ref uncoverable;   // open items that covering `head` has left without an option
    Ref before_cover;  // in run_plain: the length of the trail before `head` was covered,
    Ref covered;       // and after that
};

template <bool Colored, Heuristic heuristic>
class Links final : public LinkedSearch<Links<Colored, heuristic>, CoverOperations<Colored>,
                                        LinksLevel, heuristic> {
    using Base = LinkedSearch<Links, CoverOperations<Colored>, LinksLevel, heuristic>;
    using Level = LinksLevel;
    friend Base;

    static constexpr bool plain = !Colored && heuristic == Heuristic::mrv;
    static constexpr Ref never_small = ~Ref{0};
    static constexpr std::uint64_t small_allowance = 500;  // entries read until small subtrees pay

public:
    // `given`: options (in search numbering) that every solution must contain; no two may clash.
    // `handover`: as in LinkedSearch.
    Links(std::shared_ptr<const Problem> problem, std::shared_ptr<Torus> torus,
          std::unique_ptr<Handover> handover, std::span<const Int> given)
        : Base(std::move(problem), std::move(torus), std::move(handover)) {
        if constexpr (plain) {
            trail_ = std::make_unique_for_overwrite<Ref[]>(
                static_cast<std::size_t>(problem_->entries()));
            const auto primary = std::ranges::count_if(
                problem_->item, [&](Int item) { return item < problem_->primary; });
            const double options = std::max(1, problem_->options());
            primary_per_option_ = static_cast<double>(primary) / options;
            entries_per_option_ = problem_->entries() / options;
            same_lengths_ = have_same_lengths(*problem_);
        }
        this->restart(given, {});
    }

    std::vector<Int> untried() override {
        std::vector<Int> options;
        if (busy()) return Engine::untried();
        drop_exhausted();
        if (phase_ != Phase::searching) return options;
        const Level& level = levels_.back();
        for (Ref entry = at(level.choice).down; entry != level.head; entry = at(entry).down) {
            options.push_back(option_at(entry));
        }
        return options;
    }

private:
    using Base::at, Base::length, Base::number, Base::is_primary, Base::option_at;
    using Base::close, Base::reopen, Base::cover, Base::uncover, Base::commit_given;
    using Base::commit_all, Base::uncommit, Base::drop_exhausted, Base::busy, Base::learns;
    using Base::first_entry_, Base::lengths_, Base::problem_, Base::stats_, Base::step;
    using Base::levels_, Base::begin_, Base::phase_, Base::learned_;
    using typename Base::Attempt;
    using typename Base::Phase;

    // -- the items yet to be covered -------------------------------------------------------------

    Ref choose() noexcept {
        const std::size_t item =
            heuristic == Heuristic::mrv ? lengths_.shortest() : with_least_score();
        return Torus::head_of(static_cast<Int>(item));
    }

    // The open item that the heuristic chooses; the first forced one, if any.
    std::size_t with_least_score() const noexcept {
        std::size_t best = 0;
        LeastScore<heuristic> least(learned_.data());
        lengths_.each_open([&](std::size_t item) {
            const Lengths::Length options = lengths_.all()[item];
            if (options <= 1 || least.offer(item, options)) best = item;
            return options > 1;
        });
        return best;
    }

    // -- taking an option and undoing it ---------------------------------------------------------

    DLX_INLINE bool advance(Level& level) noexcept {
        const Ref next = at(level.choice).down;
        if (next == level.head) return false;
        level.choice = next;
        return true;
    }

    DLX_INLINE void reopen_items(Ref chosen) noexcept {
        for (Ref entry = at(chosen).right; entry != chosen; entry = at(entry).right) {
            if (is_primary(at(entry).head)) reopen(at(entry).head);
        }
    }

    // Takes the option of level.choice, whose item is covered. At a dead end, or if it completes a
    // solution, undoes all changes.
    DLX_INLINE Attempt attempt(Level& level) noexcept {
        level.tried = stats_.updates;
        ++stats_.nodes;
        ++stats_.profile[levels_.size()];
        if constexpr (learns) learned_[number(level.head)].tried();
        const Ref chosen = level.choice;
        Ref uncoverable = level.uncoverable;
        for (Ref entry = at(chosen).right; entry != chosen; entry = at(entry).right) {
            const Ref head = at(entry).head;
            if (!is_primary(head)) continue;
            uncoverable -= length(head) == 0;
            close(head);
        }
        if (uncoverable == 0) {
            if (lengths_.open() == 0) {
                reopen_items(chosen);
                return Attempt::solved;
            }
            if (commit_all(chosen)) return Attempt::open;
        }
        reopen_items(chosen);
        return Attempt::dead;
    }

    // The loop of `run` for plain problems, on `PlainSteps`. It begins and ends between two
    // branches of the last level: when there are enough solutions or `enough` work, or when the
    // last branch of the level on which it began has been tried: what changed before that is not
    // on its trail. The forced option of a solution's last item is not covered, and no updates are
    // counted for it. If an option solves the problem, so do its siblings where all options have as
    // many primary items: each covers all that are open. They are only counted, if not listed.
    void run_plain(const Quota& quota, std::uint64_t& wanted, std::uint64_t enough) {
        PlainSteps steps(this->base_, lengths_.view(), problem_->primary, trail_.get(),
                         stats_.updates);
        std::uint64_t nodes = stats_.nodes;
        const std::size_t first = levels_.size();  // the trail begins above this level
        Ref head = levels_.back().head;
        Ref chosen = levels_.back().choice;
        Ref uncoverable = levels_.back().uncoverable;
        Ref covered = 0;
        Ref small_from = 0;  // the length of the trail at which `search_small` is tried; 0: unknown
        while (wanted != 0 && nodes + steps.updates() < enough) {
            const Ref next = steps.at(chosen).down;
            if (next == head) {
                if (levels_.size() == first) break;
                steps.undo(levels_.back().before_cover);
                steps.reopen(head);
                levels_.pop_back();
                head = levels_.back().head;
                chosen = levels_.back().choice;
                uncoverable = levels_.back().uncoverable;
                covered = levels_.size() == first ? 0 : levels_.back().covered;
                steps.undo(covered);
                steps.reopen_others(chosen);
                continue;
            }
            chosen = next;
            ++nodes;
            ++stats_.profile[levels_.size()];
            const Ref missing = uncoverable - steps.close_others(chosen);
            if (missing != 0) {
                steps.reopen_others(chosen);
                continue;
            }
            if (steps.lengths.open() == 0) {
                levels_.back().choice = chosen;
                steps.reopen_others(chosen);
                this->report(quota);
                --wanted;
                if (same_lengths_ && quota.found == nullptr) {
                    const std::uint64_t before = nodes;
                    while (wanted != 0 && nodes + steps.updates() < enough) {
                        if (steps.at(chosen).down == head) break;
                        chosen = steps.at(chosen).down;
                        ++nodes;
                        --wanted;
                    }
                    stats_.profile[levels_.size()] += nodes - before;
                    stats_.solutions += nodes - before;
                }
                continue;
            }
            const std::uint64_t before = steps.updates();
            if (!steps.commit_others(chosen)) {
                steps.undo(covered);
                steps.reopen_others(chosen);
                continue;
            }
            levels_.back().choice = chosen;
            levels_.back().tried = before;
            const auto shortest = Torus::head_of(static_cast<Int>(steps.lengths.shortest()));
            const Lengths::Length branches = steps.length(shortest);
            if (stats_.profile.size() == levels_.size() + 1) stats_.profile.push_back(0);
            const SearchLevel level{shortest, shortest, branches, steps.updates(), 0};
            if (branches == 1 && nodes + steps.updates() < enough &&
                steps.covers_all(steps.at(shortest).down)) {
                ++nodes;
                ++stats_.profile[levels_.size() + 1];
                report_below(level, quota);
                --wanted;
                steps.undo(covered);
                steps.reopen_others(chosen);
                continue;
            }
            const Ref mark = steps.mark();
            if (mark >= small_from && steps.lengths.open() <= SmallTables::most) {
                if (small_from == 0) small_from = mark + excess(steps.lengths);
                if (mark >= small_from) {
                    if (search_small(steps, quota, wanted, enough, nodes)) {
                        steps.undo(covered);
                        steps.reopen_others(chosen);
                        continue;
                    }
                    small_from = small_->pays(small_allowance) ? mark + 1 : never_small;
                }
            }
            steps.close(shortest);
            head = chosen = shortest;
            uncoverable = steps.cover(head);
            covered = steps.mark();
            levels_.push_back({level, uncoverable, mark, covered});
        }
        levels_.back().choice = chosen;
        lengths_.update(steps.lengths);
        stats_.nodes = nodes;
        stats_.updates = steps.updates();
    }

    // If no level has a branch left, ends the search and returns true, unless `ascend` is faster: a
    // copy of the torus is read in order, while undoing goes all over the memory. So does laying
    // the torus anew.
    DLX_COLD bool restore_at_end() noexcept {
        if (looked_at_ == stats_.nodes) return false;  // for branches that are left
        looked_at_ = stats_.nodes;
        for (std::size_t depth = levels_.size(); depth-- > begin_.floor;) {
            if (!is_exhausted(levels_[depth])) return false;
        }
        std::size_t linked = 0;
        for (const Lengths::Length left : lengths_.all()) {
            linked += static_cast<std::size_t>(left % Lengths::far);
        }
        const auto entries = static_cast<std::size_t>(problem_->entries());
        // How many slots are restored while one entry is linked.
        const std::size_t slots_for_one = this->torus_->kept() ? 4 : 2;
        if (slots_for_one * (entries - linked) < entries) return false;
        this->torus_->restore(*problem_, this->slots_);
        lengths_ = this->torus_->lengths();
        levels_.clear();
        this->given_.clear();
        this->rewind();
        return true;
    }

    // -- small subtrees --------------------------------------------------------------------------

    // About how many entries have to be unlinked until few enough options for `small_` are left.
    DLX_COLD Ref excess(const LengthsView& lengths) {
        if (small_ == nullptr) small_ = std::make_unique<SmallSubtree>(*problem_, same_lengths_);
        small_->forget();
        double entries = 0;
        lengths.each_open([&](std::size_t item) {
            entries += lengths[item];
            return true;
        });
        const double options = entries / primary_per_option_ - static_cast<double>(small_->most());
        return static_cast<Ref>(std::max(0.0, options * (entries_per_option_ - 1)));
    }

    // Searches the subtree of this node if it is small. Returns false if it has to be searched by
    // links.
    [[gnu::noinline]] bool search_small(PlainSteps& steps, const Quota& quota,
                                        std::uint64_t& wanted, std::uint64_t enough,
                                        std::uint64_t& nodes) {
        constexpr std::uint64_t few = 500;  // nodes, too few for most subtrees
        const std::uint64_t before = small_->read();
        const bool fits = small_->gather(quota.found != nullptr, [&](auto visit_item) {
            steps.lengths.each_open([&](std::size_t item) {
                const Ref head = Torus::head_of(static_cast<Int>(item));
                return visit_item([&](auto visit_option) {
                    Ref entry = steps.at(head).down;
                    while (entry != head && visit_option(option_at(entry))) {
                        entry = steps.at(entry).down;
                    }
                });
            });
        });
        steps.count(small_->read() - before);
        const std::uint64_t work = nodes + steps.updates();
        if (!fits || work + few >= enough || !small_->search(enough - work, wanted)) return false;
        const SmallTables& result = small_->result();
        nodes += result.nodes;
        this->small_nodes_ += result.nodes;
        wanted -= result.solutions;
        stats_.solutions += result.solutions;
        auto& profile = stats_.profile;
        std::size_t depth = levels_.size();
        for (const std::uint64_t visited : result.depth) {
            if (visited == 0) break;
            if (profile.size() == ++depth) profile.push_back(0);
            profile[depth] += visited;
        }
        if (quota.found != nullptr) this->report_all(*quota.found, *small_);
        return true;
    }

    // Reports the solution that the only option of an item completes. It is not covered.
    DLX_INLINE void report_below(const SearchLevel& level, const Quota& quota) {
        if (quota.found == nullptr) {
            ++stats_.solutions;
            return;
        }
        levels_.push_back({level, 0, 0, 0});
        levels_.back().choice = at(level.head).down;
        this->report(quota);
        levels_.pop_back();
    }

    // The same, where time does not matter: `attempt` should be inlined in the loop of `run` only.
    DLX_COLD Attempt attempt_top() noexcept { return attempt(levels_.back()); }

    void retract(const Level& level) noexcept { give_up(level.choice); }

    void give_up(Ref chosen) noexcept {
        this->undo(chosen, chosen, [&](Ref entry) {
            const Ref head = at(entry).head;
            uncommit(entry, head);
            if (is_primary(head)) reopen(head);
        });
    }

    bool descend() {
        branch_on(choose());
        return true;
    }

    DLX_INLINE void branch_on(Ref head) {
        const SearchLevel level{head, head, length(head), stats_.updates, 0};
        close(head);
        levels_.push_back({level, cover(head), 0, 0});
        if (stats_.profile.size() == levels_.size()) stats_.profile.push_back(0);
    }

    DLX_INLINE void leave(const Level& level) noexcept {
        uncover(level.head, level.head);
        reopen(level.head);
    }

    bool is_exhausted(const Level& level) noexcept { return at(level.choice).down == level.head; }

    // -- the root --------------------------------------------------------------------------------

    bool is_hopeless() const noexcept { return lengths_.any_empty(); }

    void add_bounds(Ref, Residue&) const noexcept {}  // each item once

    DLX_COLD bool replay(std::span<const Decision> path, std::size_t taken) override {
        for (std::size_t place = 0; place < path.size(); ++place) {
            branch_on(Torus::head_of(path[place].item));
            if (path[place].option == Decision::none_yet) break;
            const auto entry = static_cast<Ref>(entry_about(*problem_, path[place]));
            levels_.back().choice = first_entry_ + step * entry;
            if (place < taken && attempt_top() != Attempt::open) return false;
        }
        return true;
    }

    void check(std::span<const Int> given, const Position& begin) const override {
        if (!begin.path.empty()) check_path(*problem_, given, begin);
    }

    // Like descend and attempt, but does not stop at a dead end.
    void take_given(Ref chosen) override {
        close(at(chosen).head);
        cover(at(chosen).head);
        for (Ref entry = at(chosen).right; entry != chosen; entry = at(entry).right) {
            if (is_primary(at(entry).head)) close(at(entry).head);
        }
        for (Ref entry = at(chosen).right; entry != chosen; entry = at(entry).right) {
            commit_given(entry);
        }
    }

    void give_back(Ref chosen) noexcept {
        give_up(chosen);
        uncover(at(chosen).head, at(chosen).head);
        reopen(at(chosen).head);
    }

    // Of run_plain:
    std::unique_ptr<Ref[]> trail_;         // room for all entries
    std::unique_ptr<SmallSubtree> small_;  // null until the first subtree that may be small
    double primary_per_option_ = 1;
    double entries_per_option_ = 1;
    bool same_lengths_ = false;    // has each option as many primary items?
    std::uint64_t looked_at_ = 0;  // the nodes at the last call of restore_at_end
};

}  // namespace dlx
