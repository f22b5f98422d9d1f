// A walk: a depth-first search of the tree of affordable options, step by step.
//
// It branches on the item with the fewest options left, the cheapest option first. A walk owns all
// of its data, so that several walks can search one tree at the same time, each in a thread. A busy
// walk *shares*: it gives away the untried choices at its topmost branching. They form a
// subproblem, the path to the branching and the options to be tried there:
//
//      root --- path[0] --- path[1] --+-- (tried, or being tried: stays with the sharing walk)
//                                     +-- options[0]   \  the subproblem: tried by
//                                     `-- options[1]   /  another walk
//
// The options of an item exclude each other, so no solution is found twice. The other walk replays
// the path with its own prices and cutoff. If an option of the path was removed there, it was too
// expensive, and the subproblem has no solution below the cutoff.
//
// A walk `in order` follows the tree of an ordinary search instead (in plain cells, without costs),
// and skips options that are too expensive.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/cells.hpp"
#include "core/engine.hpp"
#include "minimum/priced_cells.hpp"

namespace dlx {

template <class Cost>
struct Subproblem {
    std::vector<Int> path;
    std::vector<Int> options;
    Cost bound;  // a lower bound on the cost of its solutions
};

template <class Cost>
class Walk {
public:
    Walk(const Problem& problem, std::vector<Cost> cost, Cost most)
        : priced_(problem, std::move(cost), most) {}

    PricedCells<Cost>& priced() noexcept { return priced_; }
    const PricedCells<Cost>& priced() const noexcept { return priced_; }
    std::uint64_t work() const noexcept { return stats_.nodes + priced_.work() + extra_work_; }
    const Stats& stats() const noexcept { return stats_; }  // nodes and profile, without the root
    bool busy() const noexcept { return !frames_.empty(); }
    const std::vector<Int>& path() const noexcept { return path_; }

    // Makes the current state the root.
    void settle_root() noexcept { root_ = priced_.mark(); }

    // Begins a search of the whole tree with this cutoff. `in_order`: plain cells, at the root.
    void begin(Cost cutoff, Cells* in_order = nullptr) {
        return_to_root();
        plain_ = in_order;
        priced_.set_cutoff(cutoff);
        if (priced_.sweep()) descend();
    }

    void begin(const Subproblem<Cost>& subproblem) {
        return_to_root();
        if (!priced_.sweep()) return;
        for (const Int option : subproblem.path) {
            if (!may_take(option) || !priced_.take(option)) return;
            path_.push_back(option);
        }
        base_ = path_.size();
        // The sharing walk may have had better prices here.
        if (worth_pricing() && !(priced_.improve_prices(inner_steps) && priced_.sweep())) return;
        std::vector<Choice> choices;
        for (const Int option : subproblem.options) {
            if (may_take(option)) choices.push_back({priced_.reduced(option), option});
        }
        std::sort(choices.begin(), choices.end());
        open_frame(std::move(choices));
    }

    void return_to_root() noexcept {
        give_up();
        priced_.undo(root_);
        path_.clear();
        base_ = 0;
    }

    void give_up() noexcept {
        frames_.clear();
        choices_.clear();
    }

    // Tries the next option of the innermost item that has one. Returns whether the path is then a
    // solution. Call it only while the walk is busy.
    bool step() {
        Frame& frame = frames_.back();
        priced_.undo(frame.priced);
        if (plain_ != nullptr) plain_->undo(frame.plain);
        path_.resize(base_ + frames_.size() - 1);
        if (frame.next == frame.last) {
            ascend();
            return false;
        }
        const Choice choice = choices_[frame.next++];
        if (!priced_.affordable(priced_.bound() + choice.reduced)) {
            if (plain_ == nullptr) ascend();  // the other options are even more expensive
            return false;
        }
        count_node();
        path_.push_back(choice.option);
        if (!priced_.take(choice.option)) return false;
        if (plain_ != nullptr && !plain_->take(choice.option, [](Int, Int) {})) return false;
        if (priced_.cells().open().empty()) return true;
        if (!worth_pricing() || (priced_.improve_prices(inner_steps) && priced_.sweep())) {
            descend();
        }
        return false;
    }

    // Gives away the untried options of the topmost item that has some. If that is the innermost
    // item, its next option stays here.
    std::optional<Subproblem<Cost>> share() {
        for (std::size_t level = 0; level < frames_.size(); ++level) {
            Frame& frame = frames_[level];
            const bool innermost = level + 1 == frames_.size();
            const std::size_t from = frame.next + (innermost ? 1 : 0);
            if (from >= frame.last) continue;
            const Cost bound = frame.priced.bound + choices_[from].reduced;
            Subproblem<Cost> subproblem{{}, {}, bound};
            const bool worthwhile = priced_.affordable(bound);
            if (worthwhile) {
                const auto end = static_cast<std::ptrdiff_t>(base_ + level);
                subproblem.path.assign(path_.begin(), path_.begin() + end);
                for (std::size_t at = from; at < frame.last; ++at) {
                    subproblem.options.push_back(choices_[at].option);
                }
            }
            frame.last = from;
            if (worthwhile) return subproblem;
        }
        return std::nullopt;
    }

    // A lower bound on the cost of all solutions in the part that has not been searched yet.
    Cost least_open() const noexcept {
        Cost least = largest<Cost>;
        for (const Frame& frame : frames_) {
            if (frame.next == frame.last) continue;
            least = std::min(least, frame.priced.bound + choices_[frame.next].reduced);
        }
        return least;
    }

    void add_work(std::uint64_t work) noexcept { extra_work_ += work; }

    // Resets the work and statistics, which a copy must not count again.
    void forget_work() noexcept {
        stats_ = {};
        extra_work_ = 0;
        priced_.forget_work();
    }

private:
    struct Choice {
        Cost reduced;
        Int option;
        bool operator<(const Choice& other) const noexcept {
            return reduced != other.reduced ? reduced < other.reduced : option < other.option;
        }
    };

    struct Frame {
        typename PricedCells<Cost>::Mark priced;
        Cells::Mark plain;
        std::size_t first, next, last;  // in choices_; `next` is the one to be tried next
        std::uint64_t begun;            // work() when the frame was opened
    };

    bool may_take(Int option) noexcept {
        return priced_.cells().is_alive(option) &&
               priced_.affordable(priced_.bound() + priced_.reduced(option));
    }

    // Have subtrees at this level been large enough that better prices would pay?
    bool worth_pricing() const {
        const std::size_t level = base_ + frames_.size();
        if (level >= usual_work_.size()) return false;
        if (priced_.cells().alive().size() > most_alive) return false;
        const double entries = 3.0 * static_cast<double>(priced_.cells().alive().size());
        return usual_work_[level] > pays_at * inner_steps * entries;
    }

    void count_node() {
        ++stats_.nodes;
        const std::size_t depth = base_ + frames_.size();
        if (stats_.profile.size() <= depth) stats_.profile.resize(depth + 1, 0);
        ++stats_.profile[depth];
    }

    void descend() {
        const Cells& cells = plain_ != nullptr ? *plain_ : priced_.cells();
        const Int item = cells.fewest();
        extra_work_ += cells.open().size();
        std::vector<Choice> choices;
        for (const Int entry : cells.left(item)) {
            const Int option = cells.option_of(entry);
            if (plain_ == nullptr) {
                choices.push_back({priced_.reduced(option), option});
            } else if (priced_.cells().is_alive(option)) {
                choices.push_back({0, option});
            }
        }
        std::sort(choices.begin(), choices.end());
        if (plain_ != nullptr) {
            for (Choice& choice : choices) choice.reduced = priced_.reduced(choice.option);
        }
        open_frame(choices);
    }

    void open_frame(const std::vector<Choice>& choices) {
        const std::size_t first = choices_.size();
        choices_.insert(choices_.end(), choices.begin(), choices.end());
        const Cells::Mark plain = plain_ != nullptr ? plain_->mark() : Cells::Mark{};
        frames_.push_back({priced_.mark(), plain, first, first, choices_.size(), work()});
    }

    void ascend() {
        const std::size_t level = base_ + frames_.size() - 1;
        if (level >= usual_work_.size()) usual_work_.resize(level + 1, 0.0);
        const auto work_here = static_cast<double>(work() - frames_.back().begun);
        usual_work_[level] += (work_here - usual_work_[level]) / 8;
        choices_.resize(frames_.back().first);
        frames_.pop_back();
    }

    static constexpr int inner_steps = 60;
    static constexpr std::size_t most_alive = 20'000;  // for more options, 60 steps take too long
    static constexpr double pays_at = 4.0;

    PricedCells<Cost> priced_;
    Cells* plain_ = nullptr;  // follows the same path, if the walk is in order
    typename PricedCells<Cost>::Mark root_;
    std::size_t base_ = 0;  // the options taken above the first frame
    std::vector<Frame> frames_;
    std::vector<Choice> choices_;
    std::vector<Int> path_;
    std::vector<double> usual_work_;  // average work of a subtree, by the level of its root
    std::uint64_t extra_work_ = 0;
    Stats stats_;
};

}  // namespace dlx
