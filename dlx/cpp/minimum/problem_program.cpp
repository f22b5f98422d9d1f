// The integer program of a problem: see minimum/problem_program.hpp.
#include "minimum/problem_program.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace dlx {

ProblemProgram::ProblemProgram(const Problem& problem, std::span<const std::int64_t> cost,
                               std::span<const Int> given)
    : given_(given.begin(), given.end()) {
    const auto items = static_cast<std::size_t>(problem.items);
    std::vector<std::int64_t> low(items, 0), high(items, 1), most(items, 0);
    for (std::size_t item = 0; item < static_cast<std::size_t>(problem.primary); ++item) {
        low[item] = problem.multiple() ? problem.low[item] : 1;
        high[item] = problem.multiple() ? problem.high[item] : 1;
    }
    std::vector<std::uint8_t> taken(static_cast<std::size_t>(problem.options()), 0);
    const auto for_entries = [&](std::size_t option, auto use) {
        for (Int entry = problem.start[option]; entry < problem.start[option + 1]; ++entry) {
            use(index(problem.item[index(entry)]), problem.weight_of(entry));
        }
    };
    for (const Int option : given) {
        taken[index(option)] = 1;
        given_cost_ += cost[index(option)];
        for_entries(index(option), [&](std::size_t item, Int weight) {
            low[item] = std::max<std::int64_t>(0, low[item] - weight);
            high[item] -= weight;
        });
    }
    std::int64_t unit = 0;
    for (std::size_t option = 0; option < taken.size(); ++option) {
        bool fits = taken[option] == 0;
        for_entries(option,
                    [&](std::size_t item, Int weight) { fits = fits && weight <= high[item]; });
        if (!fits) continue;
        option_.push_back(static_cast<Int>(option));
        for_entries(option, [&](std::size_t item, Int weight) { most[item] += weight; });
        unit = std::gcd(unit, cost[option]);
    }
    unit_ = std::max<std::int64_t>(unit, 1);
    std::vector<Int> row_of(items, -1);
    for (std::size_t item = 0; item < items; ++item) {
        if (low[item] == 0 && most[item] <= high[item]) continue;
        row_of[item] = static_cast<Int>(program_.low.size());
        program_.low.push_back(low[item]);
        program_.high.push_back(most[item] <= high[item] ? IntegerProgram::no_bound : high[item]);
        exclusive_.push_back(high[item] == 1);
    }
    first_cut_ = program_.rows();
    for (const Int option : option_) {
        for_entries(index(option), [&](std::size_t item, Int weight) {
            if (row_of[item] < 0) return;
            program_.row.push_back(row_of[item]);
            if (problem.weighted()) program_.weight.push_back(weight);
        });
        program_.start.push_back(program_.row.size());
        program_.cost.push_back(cost[index(option)] / unit_);
        most_cost_ += std::abs(program_.cost.back());
    }
}

void ProblemProgram::leave_out_duplicates(bool with_ties) {
    if (!program_.weight.empty()) return;
    std::vector<std::vector<Int>> rows(program_.columns());
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t column = 0; column < rows.size(); ++column) {
        const std::span<const Int> own = program_.rows_of(column);
        rows[column].assign(own.begin(), own.end());
        std::sort(rows[column].begin(), rows[column].end());
    }
    std::sort(order.begin(), order.end(), [&](std::size_t one, std::size_t other) {
        if (rows[one] != rows[other]) return rows[one] < rows[other];
        if (program_.cost[one] != program_.cost[other]) {
            return program_.cost[one] < program_.cost[other];
        }
        return one < other;
    });
    std::vector<Int> left;
    std::size_t first = 0;  // the cheapest one of those that cover the same
    for (const std::size_t column : order) {
        const auto& own = rows[column];
        if (left.empty() || own != rows[first]) first = column;
        const bool exclusive =
            std::ranges::any_of(own, [&](Int row) { return program_.high[index(row)] == 1; });
        const bool tie = with_ties && program_.cost[column] == program_.cost[first];
        if (column == first || !exclusive || tie) left.push_back(static_cast<Int>(column));
    }
    std::sort(left.begin(), left.end());
    program_ = program_.only(left);
    for (Int& column : left) column = option_[index(column)];
    option_ = std::move(left);
}

void ProblemProgram::set_cuts(std::vector<Cut> cuts) {
    cuts_ = std::move(cuts);
    const std::size_t size = first_cut_ + cuts_.size();
    std::vector<std::vector<Int>> more(program_.columns());
    for (std::size_t cut = 0; cut < cuts_.size(); ++cut) {
        for (const Int column : cuts_[cut]) {
            more[index(column)].push_back(static_cast<Int>(first_cut_ + cut));
        }
    }
    IntegerProgram program;
    for (std::size_t column = 0; column < more.size(); ++column) {
        for (std::size_t at = program_.start[column]; at < program_.start[column + 1]; ++at) {
            if (index(program_.row[at]) >= first_cut_) continue;
            program.row.push_back(program_.row[at]);
            if (!program_.weight.empty()) program.weight.push_back(program_.weight[at]);
        }
        program.row.insert(program.row.end(), more[column].begin(), more[column].end());
        if (!program_.weight.empty()) program.weight.resize(program.row.size(), 1);
        program.start.push_back(program.row.size());
    }
    program.cost = std::move(program_.cost);
    program.low = std::move(program_.low);
    program.high = std::move(program_.high);
    program.low.resize(first_cut_);
    program.low.resize(size, 0);
    program.high.resize(first_cut_);
    program.high.resize(size, 1);
    program_ = std::move(program);
    exclusive_.resize(size, 0);
}

std::pair<std::int64_t, std::vector<Int>> ProblemProgram::solution_of(
    std::span<const Int> columns) const {
    std::pair<std::int64_t, std::vector<Int>> solution(0, given_);
    for (const Int column : columns) {
        solution.first += program_.cost[index(column)];
        solution.second.push_back(option_[index(column)]);
    }
    solution.first = as_cost(solution.first);
    return solution;
}

}  // namespace dlx
