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
// does the same and is then ready again, as if it had just been made, but for other givens or for
// another part of the search: many small searches cost little more than the searching.
//
// `position` tells what is left (core/position.hpp), and any engine can go on from there: the parts
// of a search visit, together, the same solutions as the search in one piece, and count the same
// nodes if items are chosen by mrv. Weights are not handed on: each part begins to learn anew, and
// not every engine draws the same conclusions from the path it did not walk.
//
// Engines are driven by one thread at a time and know nothing of Python.
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

// The work done so far. `nodes` counts the root and every option tried; the number is the same for
// all engines. What a part of a search begins with was counted by others. `updates` counts what the
// engine at hand calls its elementary step.
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
    std::uint64_t nodes = ~std::uint64_t{0};  // stop once stats().nodes has come to this; an engine
                                              // may go on from there as long as it has no choice
};

enum class Outcome : std::uint8_t { finished, enough, timed_out, spent };  // spent: its nodes

class Engine {
public:
    virtual ~Engine() = default;
    Engine() = default;
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    virtual Outcome run(const Quota& quota) = 0;
    virtual void rewind() = 0;

    // Begins anew with these options (in search numbering, no two of which may clash) as givens, at
    // this position. Throws std::invalid_argument if no search comes along there; the engine is
    // then finished.
    virtual void restart(std::span<const Int> given, const Position& begin) = 0;
    void restart(std::span<const Int> given) { restart(given, Position{}); }
    virtual bool finished() const noexcept = 0;

    // What is left to be visited: the path ends at an item that has an option left, and its floor
    // is as high as it can be. Nothing is left of a search that is finished, or would be at its
    // next step. As begun, if it has not run.
    virtual std::optional<Position> position() = 0;

    // The options of the item at the end of `position` that have not been tried, no_more among
    // them.
    virtual std::vector<Int> untried() {
        throw std::logic_error("this engine does not list the options that it has not tried");
    }

    // The engine's data as bytes: equal before and after a search, or something was not undone.
    virtual std::vector<std::byte> image() const = 0;

    virtual const Stats& stats() const noexcept { return stats_; }

protected:
    Stats stats_;
};

}  // namespace dlx
