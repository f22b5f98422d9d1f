// Counting by visiting each solution: an engine, and the engines of a caller that enumerates in
// parallel from some time on.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "core/active_options.hpp"
#include "core/engine.hpp"
#include "counting/subproblems.hpp"
#include "estimate/tree_size.hpp"

namespace dlx {

class Enumeration {
public:
    // `limit`: solutions after which it may stop.
    Enumeration(std::unique_ptr<Engine> engine, std::uint64_t limit)
        : engine_(std::move(engine)), limit_(limit) {}

    // Continues until a time, or until the engine has visited this number of nodes (`spent`).
    Outcome run(Clock::time_point until, std::uint64_t nodes) {
        return engine_->run({limit_ - engine_->stats().solutions, until, nullptr, nodes});
    }
    // Where the caller's enumeration begins; nullopt if nothing is left.
    std::optional<Position> position() const { return engine_->position(); }
    // Sets what the caller has done so far.
    void set_others(const Stats& stats) { others_ = stats; }
    bool has_others() const noexcept { return others_.nodes > 0; }

    const Stats& own_stats() const noexcept { return engine_->stats(); }
    Stats stats() const {  // with those of the caller
        Stats sum = engine_->stats();
        add_to(sum, others_);
        return sum;
    }
    std::uint64_t nodes() const noexcept { return own_stats().nodes + others_.nodes; }
    std::uint64_t solutions() const noexcept { return own_stats().solutions + others_.solutions; }

    double work() const { return work_of({nodes(), own_stats().updates + others_.updates, 0, {}}); }
    double work_of_node() const { return work() / static_cast<double>(nodes()); }

    // The expected work in total. It is at least twice the work so far: a search that has run for
    // some time is expected to run for as long again.
    double estimate() const { return std::max(estimate_, 2 * work()); }
    bool has_estimate() const noexcept { return estimate_ != 0; }
    void set_estimate(const TreeSize& tree) {
        estimate_ = tree.nodes * work() / static_cast<double>(nodes());
        const auto limit = static_cast<double>(limit_);
        if (tree.solutions > limit) estimate_ *= limit / tree.solutions;
    }

private:
    std::unique_ptr<Engine> engine_;
    std::uint64_t limit_;
    Stats others_;
    double estimate_ = 0;
};

// The part of a search tree that comes before a position, if the branches of a node share it
// equally. O(entries).
inline double part_done(std::shared_ptr<const Problem> problem, std::span<const Int> given,
                        const Position& position) {
    constexpr double negligible = 1e-12;
    const bool multiple = problem->multiple();
    ActiveOptions active(std::move(problem));
    for (const Int option : given) active.take(option);
    double done = 0;
    double share = 1;
    for (const auto& [item, chosen] : position.path) {
        std::uint64_t before = 0;
        int all = multiple ? 1 : 0;  // `no_more` is a branch
        for (const Int option : active.options_of(item)) {
            if (!active.is_active(option)) continue;
            before += branches_before(option, chosen) ? 1 : 0;
            ++all;
        }
        share /= std::max(1, all);
        done += share * static_cast<double>(before);
        if (share < negligible || chosen == Decision::none_yet) break;
        if (chosen != no_more && !active.is_active(chosen)) break;
        if (multiple) {
            active.take_next(item, before);
        } else {
            active.take(chosen);
        }
    }
    return done;
}

// How fast an enumeration gets on, by its last stretch of many nodes.
class Pace {
public:
    // `done`: the part of its tree that is done.
    void measure(const Enumeration& enumeration, double done) {
        constexpr std::uint64_t many = 4000;
        if (enumeration.nodes() < nodes_ + many) return;
        const double work = enumeration.work() - work_;
        found_ = enumeration.solutions() - seen_;
        solutions_ = static_cast<double>(found_) / work;
        tree_ = (done - done_) / work;
        left_ = 1 - done;
        nodes_ = enumeration.nodes();
        work_ += work;
        seen_ += found_;
        done_ = done;
    }
    // How many times the work that another has left is left here, as far as solutions and trees
    // tell; 0 if that is unknown.
    double left_for_each(const Pace& other) const {
        constexpr std::uint64_t enough = 30;
        if (!(tree_ > 0 && other.tree_ > 0 && other.left_ > 0)) return 0;
        double faster = other.tree_ / tree_;
        if (found_ >= enough && other.found_ >= enough) {
            faster = std::sqrt(faster * other.solutions_ / solutions_);
        }
        return faster * left_ / other.left_;
    }

private:
    std::uint64_t nodes_ = 0;
    double work_ = 0;
    double done_ = 0;
    std::uint64_t seen_ = 0;
    // In the last stretch:
    std::uint64_t found_ = 0;
    double solutions_ = 0;  // for each unit of work
    double tree_ = 0;       // the part of it, for each unit of work
    double left_ = 1;       // of the tree, after it
};

}  // namespace dlx
