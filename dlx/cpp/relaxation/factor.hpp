// A sparse LU factorization of the basis of a linear program, with updates in product form.
//
// Pivots are chosen by Markowitz's rule: the one that can make the fewest new entries, among those
// that are not much smaller than the largest of their row (Suhl and Suhl, "Computing sparse LU
// factorizations for large-scale linear programming bases", 1990). Bases of covering problems are
// nearly triangular, so there are few new entries.
//
// A column of the basis belongs to the row of its pivot, so that all vectors are indexed by rows.
// When a column is replaced, one more *eta* matrix is multiplied to the factorization; after some
// dozens of them the basis is factorized anew.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "core/problem.hpp"

namespace dlx {

class Factor {
public:
    using Entry = std::pair<Int, double>;  // a row or a column, and a value

    // Factorizes the matrix whose columns are given, as many as rows. Returns for each row the
    // column whose pivot it is, or -1: the columns are not independent, and the column of such a
    // row is now minus the unit vector, which is that of the row's slack variable.
    std::vector<Int> factorize(std::span<const std::vector<Entry>> columns);

    // Solves B x = b, in place.
    void solve(std::vector<double>& x) const;
    // Solves B^T y = c, in place.
    void solve_transposed(std::vector<double>& y) const;

    // Replaces the column of a row; `column` is the new one, solved.
    void replace(Int row, const std::vector<double>& column);

    std::size_t updates() const noexcept { return eta_row_.size(); }
    // Undoes the updates after the first ones.
    void undo_updates(std::size_t first);
    // The number of entries of the factors and of the updates.
    std::size_t entries() const noexcept { return factor_entries_ + eta_.size(); }
    std::size_t factor_entries() const noexcept { return factor_entries_; }

private:
    // Lists of entries one after the other.
    struct Lists {
        std::vector<std::size_t> start{0};
        std::vector<Entry> entry;
        void clear() {
            start.assign(1, 0);
            entry.clear();
        }
        void close() { start.push_back(entry.size()); }
        std::span<const Entry> operator[](std::size_t at) const {
            return {entry.data() + start[at], start[at + 1] - start[at]};
        }
    };

    struct Pivot {
        Int row = -1;
        Int column = -1;
    };

    void link(std::vector<Int>& first, std::vector<Int>& next, std::vector<Int>& previous,
              Int element, std::size_t count);
    void unlink(std::vector<Int>& first, std::vector<Int>& next, std::vector<Int>& previous,
                Int element, std::size_t count);
    void set_row_count(Int row, std::size_t before);
    void set_column_count(Int column, std::size_t before);
    Pivot choose() const;
    void consider_column(Int column, Pivot& best, double& least) const;
    void consider_row(Int row, Pivot& best, double& least) const;
    void eliminate(Pivot pivot);
    double value_at(Int row, Int column) const;

    Lists lower_;                 // L: of each step, the multipliers of the rows below
    std::vector<Int> lower_row_;  // the pivot's row of each of these steps
    Lists upper_rows_;            // U by rows, in the order of the pivots, without the pivots
    Lists upper_columns_;         // the same by columns
    std::vector<Int> pivot_row_;  // of each step
    std::vector<double> pivot_;
    std::vector<std::size_t> eta_start_{0};
    std::vector<Entry> eta_;
    std::vector<Int> eta_row_;
    std::vector<double> eta_pivot_;
    std::size_t factor_entries_ = 0;

    // While the basis is factorized: what is left of the matrix.
    std::vector<std::vector<Entry>> row_;                   // by rows: (column, value)
    std::vector<std::vector<Int>> column_;                  // the rows of each column
    std::vector<Int> rows_with_, next_row_, previous_row_;  // lists of rows by number of entries
    std::vector<Int> columns_with_, next_column_, previous_column_;
    std::vector<Int> place_;  // of a column in the row that is being changed, or -1
};

}  // namespace dlx
