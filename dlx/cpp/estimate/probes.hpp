// Random descents through the search tree, from which its size is estimated.
//
// D. E. Knuth, "Estimating the efficiency of backtrack programs" (Mathematics of Computation 29,
// 1975); TAOCP 7.2.2, Algorithm E. From a node with d children go to one of them, each with
// probability 1/d, until there are none. On the way, a node at depth k counts as d_0 d_1 ... d_k-1
// nodes. This is the inverse of the probability of reaching it, so the expected sum of these
// numbers is exactly the number of nodes, for every tree. The same holds for the number of leaves
// of one kind. Only the variance depends on the tree, and it can be large.
//
// The tree is that of the engines: the root, and below a node that is neither a dead end nor a
// solution all options of the item chosen, including dead ends. A probe visits at most one child of
// a node, so failing early would save nothing: ActiveOptions (core/active_options.hpp) takes the
// option, and the next step checks for a dead end.
//
// With multiplicities, the children are the branches of Algorithm M: the first options of the item
// are excluded, and the next is taken, or none.
//
// Nodes at the top with only one child are the same for all probes: so are the nodes down to the
// first that has no other number of children than one. They are entered once, and not added up.
#pragma once

#include "core/active_options.hpp"
#include "core/engine.hpp"
#include "core/random_numbers.hpp"
#include "core/scaled_double.hpp"
#include "estimate/tournament.hpp"

namespace dlx {

class Probing {
public:
    // `given`: options (in search numbering), no two of which clash.
    Probing(std::shared_ptr<const Problem> problem, std::span<const Int> given, std::uint64_t seed)
        : active_(std::move(problem)), tournament_(active_), random_(seed) {
        root_below(given);
    }

    // Discards all probes; the next ones begin below other options. No two may clash.
    void restart(std::span<const Int> given) {
        roots_ = shared_ = 0;
        go_back();
        nodes_ = solutions_ = RunningMoments();
        profile_.clear();
        root_below(given);
    }
    Probing(const Probing&) = delete;
    Probing& operator=(const Probing&) = delete;

    // Continues until there are `total` probes (true), or until the time is up (false), which may
    // be in the middle of a probe.
    bool run(std::uint64_t total, Clock::time_point until) {
        std::uint64_t next_check = 0;
        while (made() < total) {
            if (work() + between_ >= next_check) {
                next_check = work() + between_ + check_interval;
                if (Clock::now() >= until) return false;
            }
            step();
        }
        return true;
    }

    // The work so far, in steps that do not depend on the machine.
    std::uint64_t work() const noexcept { return active_.work() + extra_work_; }
    std::uint64_t made() const noexcept { return nodes_.count(); }
    const RunningMoments& nodes() const noexcept { return nodes_; }
    const RunningMoments& solutions() const noexcept { return solutions_; }
    std::size_t depths() const noexcept { return made() == 0 ? 0 : shared_ + 1 + profile_.size(); }
    // The estimates of the last probe.
    const ScaledDouble& last_nodes() const noexcept { return last_nodes_; }
    const ScaledDouble& last_solutions() const noexcept { return last_solutions_; }
    RunningMoments at_depth(std::size_t depth) const {
        if (depth > shared_) return profile_[depth - shared_ - 1].padded(made());
        RunningMoments ones;
        ones.add(ScaledDouble(1.0));
        return ones;
    }

private:
    static constexpr std::uint64_t check_interval = 100'000;  // work between clock checks

    static constexpr Int many = 500;  // open items from which on the tournament tree is used

    void root_below(std::span<const Int> given) {
        for (const Int option : given) active_.take(option);
        roots_ = static_cast<std::size_t>(active_.taken());
        begin();
    }

    void begin() {
        weights_.resize(shared_ + 1, ScaledDouble(1.0));  // the first ones are 1 in all probes
        playing_ = active_.open() >= many;
        if (!playing_) return;
        tournament_.play();
        extra_work_ += static_cast<std::uint64_t>(active_.problem().primary);
    }

    Int choose() noexcept {
        if (playing_) return tournament_.champion();
        extra_work_ += static_cast<std::uint64_t>(active_.open());
        return active_.choose();
    }

    // Goes from a node to one of its children, or from a leaf back to the start.
    void step() {
        ++extra_work_;
        if (active_.open() == 0) return finish(weights_.back());
        if (active_.uncoverable() != 0) return finish(ScaledDouble());
        const Int item = choose();
        if (active_.live(item) >= ActiveOptions::far) return finish(weights_.back());  // all done
        const auto children = static_cast<std::uint64_t>(active_.branches(item));
        if (children == 1) {
            if (weights_.size() == shared_ + 1) ++shared_;
            descend(item, 0, weights_.back());
        } else {
            const std::uint64_t drawn = random_.below(children);
            descend(item, drawn, weights_.back() * ScaledDouble(static_cast<double>(children)));
        }
    }

    // Goes to the branch with this number (from 0) of an item: takes that active option.
    void descend(Int item, std::uint64_t number, const ScaledDouble& weight) {
        weights_.push_back(weight);
        if (active_.problem().multiple()) {
            active_.take_next(item, number);
        } else {
            take(item, number);
        }
        playing_ = playing_ && active_.open() >= many;
        if (playing_) replay();
    }

    void take(Int item, std::uint64_t number) {
        for (const Int option : active_.options_of(item)) {
            if (!active_.is_active(option) || number-- != 0) continue;
            active_.take(option);
            return;
        }
    }

    // Replays the matches of all items whose numbers of options the last `take` has changed.
    void replay() noexcept {
        const Problem& problem = active_.problem();
        for (const Int option : active_.removed()) {
            for (const std::size_t entry : entries_of(problem, option)) {
                if (problem.item[entry] < problem.primary) tournament_.play(problem.item[entry]);
            }
        }
    }

    void finish(const ScaledDouble& solutions) {
        const std::size_t own = weights_.size() - shared_ - 1;
        between_ += 8 * own;
        ScaledDouble nodes(static_cast<double>(shared_ + 1));
        profile_.resize(std::max(profile_.size(), own));
        for (std::size_t depth = 0; depth < own; ++depth) {
            const ScaledDouble& weight = weights_[shared_ + 1 + depth];
            nodes = nodes + weight;
            profile_[depth].add(weight);
        }
        solutions_.add(last_solutions_ = solutions);
        nodes_.add(last_nodes_ = nodes);
        go_back();
        begin();
    }

    // Goes back to the start of all probes. If most options were removed, restarting, which writes
    // memory in sequence, is faster than undoing one by one.
    void go_back() {
        const auto start = static_cast<Int>(roots_ + shared_);
        const auto all = static_cast<std::size_t>(active_.problem().options());
        if (active_.removed_before(start) > all / 8 ||
            active_.removed_before(active_.taken()) < all / 2) {
            while (active_.taken() > start) active_.release();
            return;
        }
        between_ += all + static_cast<std::size_t>(active_.problem().items);
        std::vector<Int> first;
        for (Int place = 0; place < start; ++place) first.push_back(active_.taken(place));
        active_.restart({});
        for (const Int option : first) active_.take(option);
    }

    ActiveOptions active_;
    Tournament tournament_;
    bool playing_ = false;  // is the tournament tree up to date?
    RandomNumbers random_;
    std::size_t roots_ = 0;              // options given
    std::size_t shared_ = 0;             // options that every probe begins with, after these
    std::vector<ScaledDouble> weights_;  // of the nodes from the root to where we are
    RunningMoments nodes_, solutions_;
    ScaledDouble last_nodes_, last_solutions_;
    std::vector<RunningMoments>
        profile_;  // by depth below the shared nodes, of those that came so far
    std::uint64_t extra_work_ = 0;
    std::uint64_t between_ = 0;  // work between probes, which only the checks of the clock count
};

}  // namespace dlx
