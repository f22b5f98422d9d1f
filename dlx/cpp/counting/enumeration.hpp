// Counting by visiting each solution: an engine, and the engines of a caller that enumerates in
// parallel from some time on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

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
    std::optional<Position> position() { return engine_->position(); }
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

}  // namespace dlx
