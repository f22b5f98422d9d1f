// Counts solutions by isomorphism classes of subproblems, without listing them.
//
// What is left of a problem when options have been taken is a problem again
// (counting/residual.hpp). Isomorphic ones have equally many solutions, so each class is counted
// once:
//
//     Latin squares         first row: 5! = 120 ways,       two rows: 5280 ways, 2 classes
//     of order 5            1 class                         (the cycles of one row to the other)
//
//            [.....]   -->  [01234]            -->   [01234]     [01234]      -->  161280
//            [.....]  x120  [.....]                  [10342] x   [12340] x
//            [.....]        [.....]                  [.....] 20  [.....] 24
//
// A class is known by its canonical form (symmetry/search.hpp), which is the key of a table. The
// search for it also finds the symmetries of the subproblem. So of the options of the item to be
// covered, one for each orbit is taken, and counts as often as its orbit has options.
//
// A canonical form takes a tenth of a millisecond or more, so it must save more than that:
//
//   1. Random descents estimate the size of the subtree (estimate/probes.hpp). A subproblem whose
//      enumeration takes less than its form is enumerated.
//   2. For the others, the form is looked up, unless forms at this depth were rarely found before.
//   3. A new class is divided into smaller subproblems if symmetries or hits at the next depth are
//      expected to save more than the forms there take. Otherwise it is enumerated; the decision is
//      reconsidered whenever the work of that has doubled.
//
// The work is counted, not measured: a repeated count makes the same decisions. The stack is a
// vector, so a count can stop at any time, and returns what it has found so far.
//
// Sources: the idea of canonical forms in a search is that of B. McKay, "Isomorph-free exhaustive
// generation" (1998); for Latin squares see B. McKay and I. Wanless, "On the number of Latin
// squares" (2005).
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/engine.hpp"
#include "core/random_numbers.hpp"
#include "counting/residual.hpp"
#include "counting/subproblem_table.hpp"
#include "engines/engines.hpp"

namespace dlx {

// The work of a search; a unit is about a nanosecond. Factors measured on benchmarks/instances.py
// (docs/counting.md).
inline double work_of(const Stats& stats) {
    return 8 * static_cast<double>(stats.nodes) + 2.2 * static_cast<double>(stats.updates);
}

// The expected work of the first canonical form.
double first_form_work(const Problem& problem);

class Subproblems {
public:
    // The problem has no multiplicities. `memory`: bytes for the table. `always`: a canonical form
    // for every subproblem and no enumeration, for tests. `to_enumerate`: the least work that an
    // enumeration of all is expected to take; probes at the root may be far below it.
    Subproblems(const Problem& problem, std::size_t memory, bool always, double to_enumerate);

    // Continues until a time, or until the total work reaches `work`.
    Outcome run(Clock::time_point until, std::uint64_t work);

    bool finished() const noexcept { return stack_.empty(); }
    Natural found() const;  // so far: all solutions, if finished
    // The nodes of an enumeration of what has been counted so far, approximately.
    double nodes_represented() const;
    // The expected work that is left, where what has been counted represents this work of an
    // enumeration, which takes `all`: from how much a unit of work has represented, in all or since
    // the last call.
    double work_left(double represented, double all) noexcept;
    std::uint64_t work() const noexcept { return static_cast<std::uint64_t>(work_); }

    std::uint64_t lookups() const noexcept { return lookups_; }  // of canonical forms
    std::uint64_t hits() const noexcept { return hits_; }        // those of them that were known
    // How many options of the first item there are for each that is taken.
    double symmetry() const noexcept { return symmetry_; }
    // Options that were not taken because another one of their orbit was.
    std::uint64_t skipped() const noexcept { return skipped_; }
    std::uint64_t nodes() const noexcept { return nodes_; }      // visited or enumerated
    std::uint64_t updates() const noexcept { return updates_; }  // of enumerations

private:
    enum class Stage : std::uint8_t {
        deciding,     // about its canonical form
        adding,       // the counts of its branches
        multiplying,  // the counts of its parts
        enumerating   // until the decision is reconsidered
    };
    struct Branch {
        Int option;
        std::uint64_t times;
    };
    struct Frame {
        Stage stage = Stage::deciding;
        std::size_t depth = 0;
        Residual rest{};
        std::vector<std::uint64_t> factors{};  // of the total, when it is added to the one below
        bool looked_up = false;
        bool keyed = false;
        std::string form{};  // canonical, if `keyed`
        std::vector<Branch> branches{};
        std::vector<Residual> parts{};
        std::size_t next = 0;  // branch or part
        Natural total{};
        double nodes = 1;
        std::unique_ptr<Engine> engine{};
        Stats counted{};              // the engine's work that is in `work_`
        std::uint64_t piece_end = 0;  // nodes after which the engine stops
        double estimate = 0;          // of the work of enumerating it
        double next_decision = 0;     // the work of the engine when the decision is reconsidered
    };
    // What happened at one depth.
    struct Level {
        double lookups = 0;
        double hits = 0;
        double hit_rate() const noexcept { return (hits + 0.5) / (lookups + 1); }
    };

    bool step(Clock::time_point until);
    void open(Rest rest, std::uint64_t times, std::size_t depth);
    void visit(Residual rest, std::vector<std::uint64_t> factors, std::size_t depth);
    template <std::size_t words>
    bool try_small(Frame& frame);
    void estimate(Frame& frame);
    void decide();
    bool look_up(Frame& frame);
    void divide(Frame& frame);
    void enumerate_on(Frame& frame);
    bool enumerate(Clock::time_point until);
    void finish(Natural total, double nodes);
    void deliver(Natural value, double nodes, const std::vector<std::uint64_t>& factors);
    void make_engine(Frame& frame);
    double form_work(const Residual& rest) const noexcept;
    Level& level(std::size_t depth);

    bool always_;
    SubproblemTable table_;
    Reducer reducer_;
    std::vector<Frame> stack_;
    std::vector<Level> levels_;
    RandomNumbers random_{1};
    Natural result_;
    double result_nodes_ = 0;
    bool in_piece_ = false;  // did the time end an enumeration between two decisions?
    double work_ = 0;
    double forms_work_ = 0;     // work of all forms so far
    double forms_entries_ = 0;  // and their entries
    double symmetry_ = 1;
    double work_then_ = 0;         // at the last call of `work_left`,
    double represented_then_ = 0;  // and what it represented
    std::uint64_t lookups_ = 0;
    std::uint64_t hits_ = 0;
    std::uint64_t skipped_ = 0;
    std::uint64_t nodes_ = 0;
    std::uint64_t updates_ = 0;
};

}  // namespace dlx
