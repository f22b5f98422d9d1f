// A problem with costs as an integer program: a row for each item that can be covered too often or
// too rarely, a column for each option that the given ones leave. Cuts are added as further rows.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/problem.hpp"
#include "relaxation/cuts.hpp"
#include "relaxation/integer_program.hpp"

namespace dlx {

class ProblemProgram {
public:
    // `cost`: of each option. `given`: options, no two of which clash. The problem has no colors.
    ProblemProgram(const Problem& problem, std::span<const std::int64_t> cost,
                   std::span<const Int> given);

    // Of options that cover the same items and exclude each other, leaves only the cheapest; of
    // several that cost as little, all of them if `with_ties`. Call it before cuts are added.
    void leave_out_duplicates(bool with_ties);

    // The rows from `first_cut()` on are these. O(entries).
    void set_cuts(std::vector<Cut> cuts);

    const IntegerProgram& operator*() const noexcept { return program_; }
    const IntegerProgram* operator->() const noexcept { return &program_; }

    std::size_t first_cut() const noexcept { return first_cut_; }
    std::vector<Cut>& cuts() noexcept { return cuts_; }
    // May each row be covered once only, by weights of 1? Not of cuts.
    std::span<const std::uint8_t> exclusive() const noexcept { return exclusive_; }

    // Costs of the program are costs of solutions without the given options, in this unit.
    std::int64_t in_units(std::int64_t cost) const noexcept { return (cost - given_cost_) / unit_; }
    std::int64_t as_cost(std::int64_t units) const noexcept { return units * unit_ + given_cost_; }
    // No solution costs more, in units.
    std::int64_t most_cost() const noexcept { return most_cost_; }

    // Cost and options of a solution, with the given ones, from its columns.
    std::pair<std::int64_t, std::vector<Int>> solution_of(std::span<const Int> columns) const;

private:
    IntegerProgram program_;
    std::vector<Int> given_;
    std::vector<Int> option_;  // of each column
    std::vector<std::uint8_t> exclusive_;
    std::size_t first_cut_ = 0;
    std::vector<Cut> cuts_;
    std::int64_t unit_ = 1;
    std::int64_t given_cost_ = 0;
    std::int64_t most_cost_ = 0;
};

}  // namespace dlx
