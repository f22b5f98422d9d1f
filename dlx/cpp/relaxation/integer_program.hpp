// An integer program whose columns are taken or not: every row is covered between low and high
// times, at the least cost.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/problem.hpp"

namespace dlx {

struct IntegerProgram {
    static constexpr std::int64_t no_bound = std::numeric_limits<std::int64_t>::max();

    std::vector<std::size_t> start{0};  // column c has the entries start[c] .. start[c+1]-1
    std::vector<Int> row;               // of each entry; no row twice in a column
    std::vector<Int> weight;            // how often each entry covers its row; empty: once
    std::vector<std::int64_t> cost;     // of each column; the sum of absolute values fits
    std::vector<std::int64_t> low;      // how often each row must be covered at least,
    std::vector<std::int64_t> high;     // and at most, or `no_bound`

    std::size_t columns() const noexcept { return cost.size(); }
    std::size_t rows() const noexcept { return low.size(); }
    std::int64_t weight_at(std::size_t entry) const noexcept {
        return weight.empty() ? 1 : weight[entry];
    }
    std::span<const Int> rows_of(std::size_t column) const noexcept {
        return {row.data() + start[column], start[column + 1] - start[column]};
    }

    // The same with these columns only. O(their entries + rows).
    IntegerProgram only(std::span<const Int> kept) const {
        IntegerProgram program;
        program.low = low;
        program.high = high;
        for (const Int column : kept) {
            for (std::size_t at = start[index(column)]; at < start[index(column) + 1]; ++at) {
                program.row.push_back(row[at]);
                if (!weight.empty()) program.weight.push_back(weight[at]);
            }
            program.start.push_back(program.row.size());
            program.cost.push_back(cost[index(column)]);
        }
        return program;
    }
};

// The columns by rows.
struct ColumnsOfRows {
    std::vector<std::size_t> start;
    std::vector<Int> column;

    std::span<const Int> operator[](std::size_t row) const noexcept {
        return {column.data() + start[row], start[row + 1] - start[row]};
    }
};

}  // namespace dlx
