// Many questions about one problem: sets of givens, what is asked about each, and the answers.
//
// A set that no search can be made for - an option that does not exist, or two that clash - or that
// took too long gets an answer like any other, and a `Trouble` that tells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/engine.hpp"

namespace dlx {

// Makes an engine for these givens, in search numbering. Called by several threads at a time.
using EngineFactory = std::function<std::unique_ptr<Engine>(std::span<const Int> given)>;

// What is asked about each set.
struct Question {
    std::shared_ptr<const Problem> problem;
    std::vector<Int> place;  // of each of the caller's options in search order; empty: the same
    EngineFactory make_engine;
    std::uint64_t limit = 1;    // look for so many solutions
    bool keep = true;           // the solutions, or only their number
    Clock::duration timeout{};  // the time for one set
    std::size_t workers = 1;    // at most so many threads
};

// Sets of options in the caller's numbering: set s has option[start[s]] .. option[start[s+1]-1].
struct Sets {
    std::vector<Int> start{0};
    std::vector<Int> option;

    std::size_t size() const noexcept { return start.size() - 1; }
    std::span<const Int> operator[](std::size_t set) const noexcept {
        const auto first = static_cast<std::size_t>(start[set]);
        return {option.data() + first, static_cast<std::size_t>(start[set + 1]) - first};
    }
};

enum class Verdict : std::uint8_t { answered, unknown, clash, timed_out };

struct Answer {
    std::uint64_t solutions;
    Verdict verdict;
};

// More about an answer that is none.
struct Trouble {
    Verdict verdict;
    Int first = 0;   // the unknown option, or the earlier of two that clash
    Int second = 0;  // the place of the unknown option in its set, or the later one
    Int item = 0;    // where they clash, in search numbering
    Stats work{};    // of a search that took too long, and the seconds it took
    double seconds = 0;
};

// The answers to consecutive sets.
struct Answers {
    std::uint64_t first = 0;  // the number of the first set among all
    std::vector<Answer> answer;
    Found found;                   // if they are kept, the solutions of all of them
    std::vector<Trouble> trouble;  // one for each verdict that is not `answered`
    Stats work{};
    double seconds = 0;

    std::size_t size() const noexcept { return answer.size(); }
    std::size_t weight() const noexcept { return answer.size() + found.labels.size(); }
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

}  // namespace dlx
