// The path of a walk (minimum/walk.hpp), and what can be done at its end.
//
// For each item branched on, a walk has a frame: its choices, and the state of the cells before one
// is taken. The options of an item exclude each other, so no solution is found twice.
//
// An item that may be covered several times has branches as in an ordinary search (see
// dlx/links/multiplicities.py): each takes one option as the next, and the options of the branches
// before are excluded. One branch takes no further option, if the item needs none. So the path is a
// list of *moves*: options taken and options excluded.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/cells.hpp"
#include "core/engine.hpp"
#include "minimum/minimum.hpp"
#include "minimum/priced_cells.hpp"

namespace dlx {

struct Move {
    Int option;
    bool taken;  // or excluded?
};

template <class Cost>
struct Subproblem {
    std::vector<Move> path;
    std::vector<Int> options;  // may include `no_more`
    Int item;                  // of the options
    bool several;              // may more than one of them be taken?
    Cost bound;                // a lower bound on the cost of its solutions
};

template <class Cost>
class WalkFrames {
public:
    PricedCells<Cost>& priced() noexcept { return priced_; }
    const PricedCells<Cost>& priced() const noexcept { return priced_; }
    const Stats& stats() const noexcept { return stats_; }  // nodes and profile, without the root

    // The options of a walk in order that were tried last, from the topmost item to the innermost.
    std::vector<Int> tried() const {
        std::vector<Int> options;
        for (const Frame& frame : frames_) {
            if (frame.next == frame.first) break;
            options.push_back(choices_[frame.next - 1].option);
        }
        return options;
    }

    // The number of items on the path, the innermost one of which has perhaps tried no option yet.
    std::size_t levels() const noexcept { return frames_.size(); }

    // The path down to the option that is being tried at a level. Without multiplicities.
    std::vector<Move> moves_to(std::size_t level) const {
        const auto end = static_cast<std::ptrdiff_t>(frames_[level].path + 1);
        return {path_.begin(), path_.begin() + end};
    }

protected:
    struct Choice {
        Cost reduced;
        Int option;
        bool operator<(const Choice& other) const noexcept {
            return reduced != other.reduced ? reduced < other.reduced
                                            : branches_before(option, other.option);
        }
    };

    struct Frame {
        typename PricedCells<Cost>::Mark priced;
        Cells::Mark plain;
        std::size_t first, next, last;  // in choices_; `next` is the one to be tried next
        std::size_t excluded;           // those up to this one are excluded
        std::size_t path;               // the length of path_ with these exclusions
        Int item;
        bool several;         // are options excluded after they were tried?
        std::uint64_t begun;  // work() when the frame was opened
    };

    WalkFrames(const Problem& problem, std::vector<Cost> cost, Cost most)
        : priced_(problem, std::move(cost), most) {}

    // A lower bound on the cost of the solutions with the choices of a frame from this one on.
    Cost bound_of(const Frame& frame, std::size_t from) const noexcept {
        return frame.priced.bound + least_increase(frame, choices_[from]);
    }

    // The choices of a frame from this one on, as a subproblem.
    Subproblem<Cost> untried(const Frame& frame, std::size_t from) const {
        Subproblem<Cost> subproblem{{}, {}, frame.item, frame.several, bound_of(frame, from)};
        const auto end = static_cast<std::ptrdiff_t>(frame.path);
        subproblem.path.assign(path_.begin(), path_.begin() + end);
        // The frame has excluded the options before those that it is trying, or will try.
        for (std::size_t at = std::max(frame.excluded, frame.first); frame.several && at < from;
             ++at) {
            if (choices_[at].option == no_more) continue;
            subproblem.path.push_back({choices_[at].option, false});
        }
        for (std::size_t at = from; at < frame.last; ++at) {
            subproblem.options.push_back(choices_[at].option);
        }
        return subproblem;
    }

    // By how much the bound increases at least with this choice or one after it. (Excluding options
    // changes the reduced costs of others.)
    static Cost least_increase(const Frame& frame, const Choice& choice) noexcept {
        return frame.several ? 0 : std::max<Cost>(choice.reduced, 0);
    }

    bool is_affordable(const Frame& frame, const Choice& choice) noexcept {
        if (choice.option == no_more) return priced_.affordable(priced_.bound());
        if (plain_ != nullptr || frame.several) return may_take(choice.option);
        return priced_.affordable(priced_.bound() + least_increase(frame, choice));
    }

    void go_back(const Frame& frame) noexcept {
        priced_.undo(frame.priced);
        if (plain_ != nullptr) plain_->undo(frame.plain);
        path_.resize(frame.path);
    }

    // Excludes an option that has been tried, for as long as the frame is there. Returns whether
    // solutions are left.
    bool exclude(Frame& frame, Int option) {
        frame.excluded = frame.next;
        if (option == no_more) return true;
        if (plain_ != nullptr && !plain_->remove(option, [](Int, Int) {})) return false;
        if (priced_.cells().is_alive(option)) {
            if (!priced_.exclude(option)) return false;
            path_.push_back({option, false});
        }
        frame.path = path_.size();
        frame.priced = priced_.mark();
        if (plain_ != nullptr) frame.plain = plain_->mark();
        return true;
    }

    // Takes an option of the innermost item, or no more of them. Returns whether affordable
    // solutions are left.
    bool take(const Frame& frame, Int option) {
        if (option == no_more) return take_no_more(frame.item);
        path_.push_back({option, true});
        if (!priced_.take(option)) return false;
        return plain_ == nullptr || plain_->take(option, [](Int, Int) {});
    }

    bool take_no_more(Int item) {
        const auto left_of = [item](const Cells& cells) {
            std::vector<Int> left;
            for (const Int entry : cells.left(item)) left.push_back(cells.option_of(entry));
            return left;
        };
        for (const Int option : left_of(priced_.cells())) {
            // The price may have changed with those before, and some may have been removed.
            if (!priced_.cells().is_alive(option)) continue;
            if (!priced_.exclude(option)) return false;
            path_.push_back({option, false});
        }
        if (plain_ == nullptr) return priced_.sweep();
        for (const Int option : left_of(*plain_)) {
            if (!plain_->remove(option, [](Int, Int) {})) return false;
        }
        return priced_.sweep();
    }

    // Makes a move of a subproblem. Returns whether affordable solutions are left.
    bool make(const Move& move) {
        if (move.taken) return may_take(move.option) && priced_.take(move.option);
        return !priced_.cells().is_alive(move.option) || priced_.exclude(move.option);
    }

    bool is_solved() const noexcept { return priced_.cells().open().empty(); }

    bool may_take(Int option) noexcept {
        return priced_.cells().is_alive(option) &&
               priced_.affordable(priced_.bound() + std::max<Cost>(priced_.reduced(option), 0));
    }

    double usual_work(std::size_t level) const noexcept {
        return level < usual_work_.size() ? usual_work_[level] : 0;
    }

    void count_node(std::size_t fixed_levels = 0) {
        ++stats_.nodes;
        const std::size_t depth = base_ + frames_.size() + fixed_levels;
        if (stats_.profile.size() <= depth) stats_.profile.resize(depth + 1, 0);
        ++stats_.profile[depth];
    }

    // `work`: of the walk so far.
    void push_frame(const std::vector<Choice>& choices, Int item, bool several,
                    std::uint64_t work) {
        const std::size_t first = choices_.size();
        choices_.insert(choices_.end(), choices.begin(), choices.end());
        const Cells::Mark plain = plain_ != nullptr ? plain_->mark() : Cells::Mark{};
        frames_.push_back({priced_.mark(), plain, first, first, choices_.size(), first,
                           path_.size(), item, several, work});
    }

    void pop_frame(std::uint64_t work) {
        const std::size_t level = base_ + frames_.size() - 1;
        if (level >= usual_work_.size()) usual_work_.resize(level + 1, 0.0);
        const auto work_here = static_cast<double>(work - frames_.back().begun);
        usual_work_[level] += (work_here - usual_work_[level]) / 8;
        choices_.resize(frames_.back().first);
        frames_.pop_back();
    }

    PricedCells<Cost> priced_;
    Cells* plain_ = nullptr;  // follows the same path, if the walk is in order
    std::size_t base_ = 0;    // the options taken above the first frame
    std::vector<Frame> frames_;
    std::vector<Choice> choices_;  // of all frames
    std::vector<Move> path_;
    std::vector<double> usual_work_;  // average work of a subtree, by the level of its root
    Stats stats_;
};

}  // namespace dlx
