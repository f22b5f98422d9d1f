// First solutions, whatever they cost: ordinary searches, which know nothing of costs.
//
// Branch and bound visits cheap options first, so it may need long for its first solution where
// solutions are few. An ordinary search may find one at once. Two of them run by turns: one chooses
// items by "mrv", as `solve` does, and one by "weighted", which learns where dead ends come from.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engines/engines.hpp"

namespace dlx {

class Dives {
public:
    Dives(std::shared_ptr<const Problem> problem, std::span<const Int> given)
        : problem_(std::move(problem)),
          given_(given.begin(), given.end()),
          place_(problem_->label.size()) {
        for (std::size_t at = 0; at < place_.size(); ++at) {
            place_[static_cast<std::size_t>(problem_->label[at])] = static_cast<Int>(at);
        }
    }

    // Searches for about `work` updates, or until a time. Returns the options of a solution, in
    // search numbering, if it has found one.
    std::optional<std::vector<Int>> run(std::uint64_t work, Clock::time_point until) {
        if (engines_ == nullptr) engines_ = std::make_shared<Engines>(problem_);
        until = std::max(until, Clock::now() + least_time);  // so that each call gets on
        std::unique_ptr<Engine>& engine = engine_[turn_];
        if (engine == nullptr) {
            EngineChoice choice;
            choice.heuristic = turn_ == 0 ? Heuristic::mrv : Heuristic::weighted;
            engine = engines_->make(choice, given_);
        }
        const std::uint64_t begun = work_of(*engine);
        Found found;
        Outcome outcome = Outcome::spent;
        while (outcome == Outcome::spent && work_of(*engine) - begun < work &&
               Clock::now() < until) {
            outcome = engine->run({1, until, &found, engine->stats().nodes + nodes_a_turn});
        }
        work_ += work_of(*engine) - begun;
        exhausted_ = outcome == Outcome::finished && found.size() == 0;
        turn_ = 1 - turn_;
        for (Int& option : found.labels) {
            if (!place_.empty()) option = place_[static_cast<std::size_t>(option)];
        }
        if (found.size() == 0) return std::nullopt;
        return std::move(found.labels);
    }

    // Is it known that there is no solution? (Or no other than those found before.)
    bool exhausted() const noexcept { return exhausted_; }
    std::uint64_t work() const noexcept { return work_; }

private:
    static constexpr std::uint64_t nodes_a_turn = 200;
    static constexpr std::chrono::milliseconds least_time{1};

    // In units of about 10 ns.
    static std::uint64_t work_of(const Engine& engine) noexcept {
        return engine.stats().updates + 5 * engine.stats().nodes;
    }

    std::shared_ptr<const Problem> problem_;
    std::vector<Int> given_;
    std::vector<Int> place_;  // of each of the caller's options; empty if it is the same
    std::shared_ptr<Engines> engines_;
    std::array<std::unique_ptr<Engine>, 2> engine_;
    std::size_t turn_ = 0;
    bool exhausted_ = false;
    std::uint64_t work_ = 0;
};

}  // namespace dlx
