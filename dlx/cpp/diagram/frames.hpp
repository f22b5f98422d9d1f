// The loop of a search that builds a diagram: a stack of frames, one for each item branched on.
//
// `Derived` is the class of the search (diagram/search.cpp, diagram/multiple_search.cpp). It has a
// `live_`, the live options, and
//
//     begin      takes the givens and opens the first subproblem
//     attempt    tries the next branch of a frame
//     unbranch   undoes branching on the item of a frame
//     retract    undoes the branch that a frame tried last
//
// A `Frame` has an `item`; the number of its subproblem, `problem`; and its branches
// pending_[first], ..., pending_[last - 1], of which pending_[next] is tried next.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "diagram/builder.hpp"

namespace dlx {

template <class Derived, class Frame>
class FrameSearch : public DiagramBuilder {
public:
    bool run(Clock::time_point until) final {
        if (!begun_) {
            begun_ = true;
            self().begin();
        }
        std::uint64_t next_check = work();
        while (!frames_.empty()) {
            if (work() >= next_check) {
                if (Clock::now() >= until) return false;
                next_check = work() + check_interval;
            }
            Frame& frame = frames_.back();
            if (frame.next == frame.last) {
                finish();
            } else {
                self().attempt(frame);
            }
        }
        return true;
    }

    std::uint64_t updates() const noexcept final { return self().live_.updates(); }

protected:
    FrameSearch(std::shared_ptr<const Problem> problem, std::span<const Int> given,
                std::span<const Int> order, std::uint64_t memory_limit, std::size_t key_words = 0)
        : DiagramBuilder(std::move(problem), given, order, memory_limit, key_words),
          price_(1 + static_cast<std::uint64_t>(problem_->items + problem_->options() / 8) / 16) {}

    std::vector<Frame> frames_;
    std::vector<Int> pending_;      // the branches of all frames: options, or `no_more`
    std::vector<NodeId> children_;  // beside them, the nodes of those that were tried

private:
    static constexpr std::uint64_t check_interval = 1 << 14;  // steps between clock checks

    Derived& self() noexcept { return static_cast<Derived&>(*this); }
    const Derived& self() const noexcept { return static_cast<const Derived&>(*this); }

    // Steps so far, of a few nanoseconds each.
    std::uint64_t work() const noexcept { return self().live_.updates() + price_ * tried_; }

    // Closes a subproblem whose branches have all been tried: makes its nodes, last option first.
    void finish() {
        const Frame frame = frames_.back();
        NodeId node = diagram::empty;
        for (std::size_t at = frame.last; at-- > frame.first;) {
            node = pending_[at] == no_more
                       ? children_[at]
                       : nodes_.make(problem_->label_of(pending_[at]), node, children_[at]);
        }
        results_[frame.problem] = node;
        self().unbranch(frame);
        pending_.resize(frame.first);
        children_.resize(frame.first);
        frames_.pop_back();
        if (frames_.empty()) {
            conclude(node);
            return;
        }
        const Frame& above = frames_.back();
        children_[above.next - 1] = node;
        self().retract(above);
    }

    std::uint64_t price_;  // of trying an option, apart from updates: it grows with the problem
    bool begun_ = false;
};

}  // namespace dlx
