// The common part of the searches by dancing links: a stack of levels on top of cover operations.
//
//     Engine                           core/engine.hpp: the interface
//       CoverOperations                links/cover.hpp: covering and uncovering
//         MultipleCoverOperations      links/multiple_cover.hpp: items covered several times
//           LinkedSearch               this file: givens, replaying a path, reporting solutions
//             Links, Multiple          links/algorithm_x.hpp, links/algorithm_m.hpp: the loops
//
// A `Level` has at least a `head`, the item branched on, and a `choice`: its option that is being
// tried, or the head before the first. `Steps` is the class of the cover operations.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/engine.hpp"
#include "core/heuristic.hpp"
#include "links/cover.hpp"

// For functions that run once in a search. The functions that the loop of `run` calls at each node
// must be inlined there; if cold functions call them too, the compiler does not inline them, which
// costs 5% more instructions at each node.
#define DLX_COLD [[gnu::cold]]

namespace dlx {

template <class Steps, class Level, Heuristic heuristic>
class LinkedSearch : public Steps {
public:
    using Steps::Steps;

    bool finished() const noexcept final { return phase_ == Phase::finished; }

    void restart(std::span<const Int> given, const Position& begin) final {
        this->rewind();
        check(given, begin);
        for (const Int option : given) {
            given_.push_back(this->primary_entry(option));
            take_given(given_.back());
        }
        begin_ = begin;
        forget();
        const bool arrived = replay();
        forget();  // updates while replaying the path are not work of this search
        stats_.nodes = stats_.updates = stats_.solutions = 0;
        stats_.profile.assign(levels_.empty() ? 0 : levels_.size() + 1, 0);
        phase_ = begin_.is_subtree() ? Phase::fresh : Phase::searching;
        if (arrived) return;
        this->rewind();
        refuse_dead_path();
    }

protected:
    static constexpr std::uint64_t check_interval = 20'000;  // work between clock checks
    static constexpr bool weighted = heuristic == Heuristic::weighted;

    // In place of an option: no further one. Only with multiplicities.
    static constexpr Ref nothing = ~Ref{0};

    enum class Phase : std::uint8_t { fresh, searching, ending, finished };
    enum class Attempt : std::uint8_t { dead, solved, open };

    // Throws std::invalid_argument for invalid numbers.
    virtual void check(std::span<const Int> given, const Position& begin) const = 0;

    // Takes a given option by its primary entry. Never stops early: givens must be undone
    // completely.
    virtual void take_given(Ref chosen) = 0;

    // Replays the path to where this part of the search begins. Returns false if it reaches a leaf.
    virtual bool replay() = 0;

    // Visits the root, of the tree or of the subtree. Returns true if it is a solution.
    virtual bool begin(const Quota& quota) = 0;

    std::uint64_t work() const noexcept { return stats_.nodes + stats_.updates; }

    // The part of `run` before its loop. Returns how many solutions the loop must find; nullopt if
    // there are enough already.
    std::optional<std::uint64_t> set_out(const Quota& quota) {
        std::uint64_t wanted = quota.solutions;
        if (phase_ == Phase::fresh) {
            if (wanted == 0) return std::nullopt;
            if (begin(quota)) --wanted;
        }
        if (phase_ == Phase::ending) {
            if (wanted == 0) return std::nullopt;
            this->rewind();
        }
        return wanted;
    }

    // The decisions from the root to the last level.
    std::vector<Decision> decisions() const {
        std::vector<Decision> path;
        for (const Level& level : levels_) {
            path.push_back({Steps::item_at(level.head),
                            level.choice == level.head ? Decision::none_yet
                            : level.choice == nothing  ? Decision::no_more
                                                       : this->option_at(level.choice)});
        }
        return path;
    }

    void report(const Quota& quota) {
        ++stats_.solutions;
        if (quota.found == nullptr) return;
        auto& labels = quota.found->labels;
        for (const Ref entry : given_) labels.push_back(label_at(entry));
        for (const Level& level : levels_) {
            if (level.choice != nothing) labels.push_back(label_at(level.choice));
        }
        quota.found->ends.push_back(labels.size());
    }

    // -- taking an option and undoing it ---------------------------------------------------------

    // Commits the entries [first, last) of an option except the chosen one, whose item is covered.
    // If that leaves an open item without options, undoes it and returns false.
    DLX_INLINE bool commit_all(Ref chosen, Ref first, Ref last) noexcept {
        for (Ref entry = first; entry != last; entry += step) {
            if (entry == chosen) continue;
            const Ref reached = this->commit(entry);
            if (reached == this->at(entry).head) continue;
            this->uncommit(entry, reached);
            uncommit_all(chosen, first, entry);
            return false;
        }
        return true;
    }

    void uncommit_all(Ref chosen, Ref first, Ref last) noexcept {
        for (Ref entry = last; entry != first;) {
            entry -= step;
            if (entry != chosen) this->uncommit(entry, this->at(entry).head);
        }
    }

    using Steps::stats_, Steps::step;

    Phase phase_ = Phase::fresh;
    std::vector<Level> levels_;
    std::vector<Ref> given_;  // a primary entry of each given option
    Position begin_;          // of this part of the search; the levels below its floor stay
    Weights weights_;         // empty unless the search is weighted

private:
    void forget() {
        if constexpr (weighted) {
            weights_.assign(static_cast<std::size_t>(this->problem_->primary), {});
        }
    }

    Int label_at(Ref entry) const noexcept {
        return this->problem_->label_of(this->option_at(entry));
    }
};

}  // namespace dlx
