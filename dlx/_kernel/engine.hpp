// What every engine does: run for a while, hand over solutions, and be able to go on.
//
//              run() -> finished
//         +--------------------------> finished
//         |
//      [ready] --- run() -> paused ---+     run() may stop because it has found as many solutions
//         ^                           |     as were asked for, or because its time is up; calling
//         +---------------------------+     it again goes on from the very same place.
//
// `rewind` gives the search up at any of these points and undoes whatever it has done to the
// engine's data; afterwards the engine is finished, and as it was before its first step. `restart`
// does the same and is then ready again, as if it had just been made, but for other givens: many
// small searches cost little more than the searching.
//
// Engines are driven by one thread at a time and know nothing of Python.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "problem.hpp"

namespace dlx {

using Clock = std::chrono::steady_clock;

// The work done so far. `nodes` counts the root and every option tried; the number is the same for
// all engines. `updates` counts what the engine at hand calls its elementary step.
struct Stats {
    std::uint64_t nodes = 0;
    std::uint64_t updates = 0;
    std::uint64_t solutions = 0;
    std::vector<std::uint64_t> profile;  // nodes by depth; the root is at depth 0
};

// Solutions one after another: the labels of their options, and where each solution ends.
struct Found {
    std::vector<Int> labels;
    std::vector<std::size_t> ends;

    void clear() {
        labels.clear();
        ends.clear();
    }
    std::size_t size() const noexcept { return ends.size(); }
};

// How far a call of run() may go.
struct Quota {
    std::uint64_t solutions;  // stop after so many
    Clock::time_point until;  // stop at this time
    Found* found = nullptr;   // where to put the solutions; nowhere if they are only counted
    // Stop, as if the time were up, after so many nodes in all, or as soon after as can be: always
    // at the same node, however often the search is paused before.
    std::uint64_t nodes = ~std::uint64_t{0};
};

enum class Outcome : std::uint8_t { finished, enough, timed_out };

class Engine {
public:
    virtual ~Engine() = default;
    Engine() = default;
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    virtual Outcome run(const Quota& quota) = 0;
    virtual void rewind() = 0;

    // Begins anew with these options (in search numbering, no two of which may clash) as givens.
    virtual void restart(std::span<const Int> given) = 0;
    virtual bool finished() const noexcept = 0;

    // The engine's data as bytes: equal before and after a search, or something was not undone.
    virtual std::vector<std::byte> image() const = 0;

    virtual const Stats& stats() const noexcept { return stats_; }

protected:
    Stats stats_;
};

}  // namespace dlx
