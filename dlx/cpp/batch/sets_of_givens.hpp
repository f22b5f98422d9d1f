// The arguments of a batch and its answers: many sets of givens for one problem. With a set of
// givens comes a set of options that are forbidden, which is usually empty.
//
// Every set gets an answer. If the set has an error (an option does not exist, two options clash,
// or the search took too long), a `SetError` describes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/engine.hpp"

namespace dlx {

// Makes an engine for these givens (search numbering). Several threads may call it at a time.
using EngineFactory = std::function<std::unique_ptr<Engine>(std::span<const Int> given)>;

// The same for another problem: one without the options that a set forbids.
using OtherEngineFactory = std::function<std::unique_ptr<Engine>(std::shared_ptr<const Problem>,
                                                                 std::span<const Int> given)>;

// The arguments of a batch, the same for each set.
struct BatchArguments {
    std::shared_ptr<const Problem> problem;
    std::vector<Int> place;  // each caller's option's place in search order; empty: the same
    EngineFactory make_engine;
    OtherEngineFactory make_other_engine;
    std::uint64_t limit = 1;              // stop after `limit` solutions of a set
    bool keep = true;                     // true: return the solutions; false: only count them
    Clock::duration timeout{};            // for one set
    std::size_t workers = 1;              // the most threads that may be used
    std::uint64_t nodes = Quota{}.nodes;  // of a search of the whole problem; after them the set is
                                          // left to a search of its own
};

// Sets of options in the caller's numbering: set s has option[start[s]] .. option[start[s+1]-1],
// and forbids forbid[forbid_start[s]] .. forbid[forbid_start[s+1]-1]; no set forbids anything if
// forbid_start is empty.
struct Sets {
    std::vector<Int> start{0};
    std::vector<Int> option;
    std::vector<Int> forbid_start;
    std::vector<Int> forbid;

    std::size_t size() const noexcept { return start.size() - 1; }
    std::span<const Int> operator[](std::size_t set) const noexcept {
        const auto first = static_cast<std::size_t>(start[set]);
        return {option.data() + first, static_cast<std::size_t>(start[set + 1]) - first};
    }
    std::span<const Int> forbidden(std::size_t set) const noexcept {
        if (forbid_start.empty()) return {};
        const auto first = static_cast<std::size_t>(forbid_start[set]);
        return {forbid.data() + first, static_cast<std::size_t>(forbid_start[set + 1]) - first};
    }
};

// unknown: an option that does not exist. forbidden: an option that is given as well. spent: the
// search has reached the limit of nodes. open: it is still going on; such answers stay in the
// worker.
enum class Verdict : std::uint8_t { answered, unknown, clash, forbidden, timed_out, spent, open };

struct Answer {
    std::uint64_t solutions;
    Verdict verdict;
};

// What is wrong with a set, or how far its search came before it reached a limit.
struct SetError {
    std::size_t at;  // the place of its answer in Answers::answer
    Verdict verdict;
    Int first = 0;             // the unknown or forbidden option, or the earlier of two that clash
    Int second = 0;            // the place of the unknown option in its set, or the later one
    Int item = 0;              // where they clash, in search numbering
    Stats work{};              // of a search that reached a limit
    double seconds = 0;        // that it took
    std::vector<Int> given{};  // the set, if its search reached the limit of nodes
};

// The answers to consecutive sets.
struct Answers {
    std::uint64_t first = 0;  // the number of the first set, counted from the first submitted
    std::vector<Answer> answer;
    Found found;                   // the solutions of all sets, if they are kept
    std::vector<SetError> errors;  // one for each verdict that is not `answered`, in order
    Stats work{};
    double seconds = 0;

    std::size_t size() const noexcept { return answer.size(); }
    std::size_t weight() const noexcept { return answer.size() + found.labels.size(); }
};

}  // namespace dlx
