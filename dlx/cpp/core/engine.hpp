// The interface of an engine: run for a while, return solutions, continue.
//
//              run() -> finished
//         +--------------------------> finished
//         |
//      [ready] --- run() -> paused ---+     run() stops when it has found the wanted number of
//         ^                           |     solutions, or when its time is up; the next call
//         +---------------------------+     continues from exactly there.
//
// `rewind` abandons the search at any of these points and undoes all changes to the engine's data;
// afterwards the engine is finished, and its data are as before the first step. `restart` does the
// same and is then ready again, like a new engine, with other givens or for another part of the
// search. This makes series of small searches on one engine cheap.
//
// `position` returns what is left (core/position.hpp), and any engine can continue from there.
// Together, the parts of a search visit the same solutions as the undivided search. They count the
// same nodes if items are chosen by mrv. Weights are not passed on: each part starts with initial
// weights, and engines differ in what they learn from a path that they only replay.
//
// One thread at a time may use an engine. Engines do not depend on Python.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "core/clock.hpp"
#include "core/position.hpp"
#include "core/problem.hpp"

namespace dlx {

// The work done so far. `nodes` counts the root and every option tried, the same for all engines;
// for a part of a search, only nodes that it visits. `updates` counts the elementary steps, which
// each engine defines.
struct Stats {
    std::uint64_t nodes = 0;
    std::uint64_t updates = 0;
    std::uint64_t solutions = 0;
    std::vector<std::uint64_t> profile;  // nodes by depth; the root is at depth 0
};

inline void add_to(Stats& sum, const Stats& more) {
    sum.nodes += more.nodes;
    sum.updates += more.updates;
    sum.solutions += more.solutions;
    if (sum.profile.size() < more.profile.size()) sum.profile.resize(more.profile.size(), 0);
    for (std::size_t depth = 0; depth < more.profile.size(); ++depth) {
        sum.profile[depth] += more.profile[depth];
    }
}

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
    std::uint64_t solutions;  // stop after this number of further solutions
    Clock::time_point until;  // stop at this time
    Found* found = nullptr;   // where to put the solutions; null: they are only counted
    std::uint64_t nodes = ~std::uint64_t{0};  // stop once stats().nodes has reached this; an engine
                                              // may continue through forced options
    Clock::time_point now{};  // the time of the call, if the caller has just read the clock
};

enum class Outcome : std::uint8_t { finished, enough, timed_out, spent };  // spent: node quota

class Engine {
public:
    virtual ~Engine() = default;
    Engine() = default;
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    virtual Outcome run(const Quota& quota) = 0;
    virtual void rewind() = 0;

    // Restarts with these options (in search numbering, no two of which may clash) as givens, at
    // this position. Throws std::invalid_argument if no search can reach the position; the engine
    // is then finished.
    virtual void restart(std::span<const Int> given, const Position& begin) = 0;
    void restart(std::span<const Int> given) { restart(given, Position{}); }
    virtual bool finished() const noexcept = 0;

    // What is left to be visited: the path ends at an item that has an option left, with the
    // highest possible floor. Before the first `run`: the position of the (re)start. nullopt if the
    // search is finished or would finish at its next step.
    virtual std::optional<Position> position() = 0;

    // The untried options of the item at the end of `position`; may include `no_more`.
    virtual std::vector<Int> untried() {
        throw std::logic_error("this engine does not list the options that it has not tried");
    }

    // The engine's data as bytes, for tests: if they differ before and after a search, the engine
    // has not undone something.
    virtual std::vector<std::byte> image() const = 0;

    virtual const Stats& stats() const noexcept { return stats_; }

protected:
    Stats stats_;
};

}  // namespace dlx
