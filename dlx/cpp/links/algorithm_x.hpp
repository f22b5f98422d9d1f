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

#include "links/search.hpp"
#include "links/small_subtree.hpp"

namespace dlx {

struct LinksLevel : SearchLevel {
    Ref uncoverable;         // open items that covering `head` has left without an option
    std::uint64_t unlinked;  // entries, by the levels above and by covering `head`
};

template <bool Colored, Heuristic heuristic>
class Links final : public LinkedSearch<Links<Colored, heuristic>, CoverOperations<Colored>,
                                        LinksLevel, heuristic> {
    using Base = LinkedSearch<Links, CoverOperations<Colored>, LinksLevel, heuristic>;
    using Level = LinksLevel;
    friend Base;

    static constexpr bool plain = !Colored && heuristic == Heuristic::mrv;
    static constexpr std::uint64_t never_small = ~std::uint64_t{0};
    static constexpr std::uint64_t small_allowance = 500;  // entries read until small subtrees pay

public:
    // `given`: options (in search numbering) that every solution must contain; no two may clash.
    // `handover`: as in LinkedSearch.
    Links(std::shared_ptr<const Problem> problem, std::shared_ptr<Torus> torus,
          std::unique_ptr<Handover> handover, std::span<const Int> given)
        : Base(std::move(problem), std::move(torus), std::move(handover)) {
        if constexpr (plain) {
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
    using Base::levels_, Base::begin_, Base::phase_, Base::learned_, Base::work;
    using Base::undecided;
    using typename Base::Attempt;
    using typename Base::Phase;

    // -- the items yet to be covered -------------------------------------------------------------

    DLX_INLINE Ref choose() noexcept {
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

    // Where all options have as many primary items: if an option solves the problem, so do its
    // siblings, since each covers all that are open. They are only counted, if not listed.
    void count_siblings(const Quota& quota, std::uint64_t& wanted,
                        std::uint64_t next_check) noexcept {
        if (!same_lengths_ || quota.found != nullptr) return;
        const std::uint64_t enough = std::min(next_check, undecided());
        const std::uint64_t before = stats_.nodes;
        while (wanted != 0 && work() < enough && advance(levels_.back())) {
            ++stats_.nodes;
            --wanted;
        }
        stats_.profile[levels_.size()] += stats_.nodes - before;
        stats_.solutions += stats_.nodes - before;
    }

    // Chooses the next item and branches on it, unless the subtree of this node can be searched
    // without a change of links: because the only option of the item is the last of a solution, or
    // because the subtree is small. Returns true if it has been searched.
    DLX_INLINE bool search_or_descend(const Quota& quota, std::uint64_t& wanted,
                                      std::uint64_t next_check) {
        const std::uint64_t enough = std::min(next_check, undecided());
        const bool may_search = work() < enough;
        const Ref head = choose();
        if (may_search && length(head) == 1 && covers_all(at(head).down)) {
            report_below(head, quota);
            --wanted;
            return true;
        }
        const std::uint64_t here = unlinked();
        if (levels_.size() < small_below_) small_from_ = 0;
        if (may_search && lengths_.open() <= SmallTables::most && here >= small_from_) {
            if (small_from_ == 0) {
                small_from_ = here + excess();
                small_below_ = levels_.size();
            }
            if (here >= small_from_) {
                if (search_small(quota, wanted, enough)) return true;
                small_from_ = small_->pays(small_allowance) ? here + 1 : never_small;
            }
        }
        branch_on(head, here);
        return false;
    }

    // How many entries are unlinked after the last level's option has been taken.
    std::uint64_t unlinked() const noexcept {
        if (levels_.empty()) return 0;
        return levels_.back().unlinked + stats_.updates - levels_.back().tried;
    }

    // Does this option of an open item cover all other open items?
    DLX_INLINE bool covers_all(Ref chosen) noexcept {
        std::size_t covered = 1;
        for (Ref entry = at(chosen).right; entry != chosen; entry = at(entry).right) {
            covered += is_primary(at(entry).head);
        }
        return covered == lengths_.open();
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

    // About how many more entries have to be unlinked until few enough options for `small_` are
    // left.
    DLX_COLD std::uint64_t excess() {
        if (small_ == nullptr) small_ = std::make_unique<SmallSubtree>(*problem_, same_lengths_);
        small_->forget();
        double entries = 0;
        lengths_.each_open([&](std::size_t item) {
            entries += lengths_[item];
            return true;
        });
        const double options = entries / primary_per_option_ - static_cast<double>(small_->most());
        return static_cast<std::uint64_t>(std::max(0.0, options * (entries_per_option_ - 1)));
    }

    // Searches the subtree of this node if it is small. Returns false if it has to be searched by
    // links.
    [[gnu::noinline]] bool search_small(const Quota& quota, std::uint64_t& wanted,
                                        std::uint64_t enough) {
        constexpr std::uint64_t few = 500;  // nodes, too few for most subtrees
        const std::uint64_t before = small_->read();
        const bool fits = small_->gather(quota.found != nullptr, [&](auto visit_item) {
            lengths_.each_open([&](std::size_t item) {
                const Ref head = Torus::head_of(static_cast<Int>(item));
                return visit_item([&](auto visit_option) {
                    Ref entry = at(head).down;
                    while (entry != head && visit_option(option_at(entry))) entry = at(entry).down;
                });
            });
        });
        stats_.updates += small_->read() - before;
        if (!fits || work() + few >= enough || !small_->search(enough - work(), wanted)) {
            return false;
        }
        const SmallTables& result = small_->result();
        stats_.nodes += result.nodes;
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

    // Visits the only option of an item, which completes a solution, and reports that. It is not
    // covered.
    DLX_INLINE void report_below(Ref head, const Quota& quota) {
        ++stats_.nodes;
        if (stats_.profile.size() == levels_.size() + 1) stats_.profile.push_back(0);
        ++stats_.profile[levels_.size() + 1];
        if (quota.found == nullptr) {
            ++stats_.solutions;
            return;
        }
        levels_.push_back({{head, at(head).down, 1, stats_.updates, 0}, 0, 0});
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
        branch_on(choose(), unlinked());
        return true;
    }

    // `unlinked`: how many entries are unlinked above.
    DLX_INLINE void branch_on(Ref head, std::uint64_t unlinked) {
        const SearchLevel level{head, head, length(head), stats_.updates, 0};
        close(head);
        const Ref uncoverable = cover(head);
        levels_.push_back({level, uncoverable, unlinked + stats_.updates - level.before});
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
            branch_on(Torus::head_of(path[place].item), unlinked());
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

    // Of plain problems:
    std::unique_ptr<SmallSubtree> small_;  // null until the first subtree that may be small
    // How many entries are unlinked where `search_small` is tried next, 0 if that is not known yet;
    // and the number of levels above which it is to be found out again.
    std::uint64_t small_from_ = 0;
    std::size_t small_below_ = 0;
    double primary_per_option_ = 1;
    double entries_per_option_ = 1;
    bool same_lengths_ = false;    // has each option as many primary items?
    std::uint64_t looked_at_ = 0;  // the nodes at the last call of restore_at_end
};

}  // namespace dlx
