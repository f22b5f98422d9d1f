// The LU factorization: see relaxation/factor.hpp.
#include "relaxation/factor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dlx {
namespace {

constexpr double relative_pivot = 0.1;  // of the largest entry of its row, at least
constexpr double smallest_pivot = 1e-9;
constexpr double dropped = 1e-14;  // entries as small as that are rounding errors
constexpr int lists_searched = 4;  // rows and columns that are searched for a pivot

}  // namespace

void Factor::link(std::vector<Int>& first, std::vector<Int>& next, std::vector<Int>& previous,
                  Int element, std::size_t count) {
    const Int head = first[count];
    next[index(element)] = head;
    previous[index(element)] = -1;
    if (head >= 0) previous[index(head)] = element;
    first[count] = element;
}

void Factor::unlink(std::vector<Int>& first, std::vector<Int>& next, std::vector<Int>& previous,
                    Int element, std::size_t count) {
    const Int before = previous[index(element)];
    const Int after = next[index(element)];
    if (before >= 0) {
        next[index(before)] = after;
    } else {
        first[count] = after;
    }
    if (after >= 0) previous[index(after)] = before;
}

void Factor::set_row_count(Int row, std::size_t before) {
    unlink(rows_with_, next_row_, previous_row_, row, before);
    link(rows_with_, next_row_, previous_row_, row, row_[index(row)].size());
}

void Factor::set_column_count(Int column, std::size_t before) {
    unlink(columns_with_, next_column_, previous_column_, column, before);
    link(columns_with_, next_column_, previous_column_, column, column_[index(column)].size());
}

double Factor::value_at(Int row, Int column) const {
    for (const auto& [other, value] : row_[index(row)]) {
        if (other == column) return value;
    }
    return 0;
}

void Factor::consider_column(Int column, Pivot& best, double& least) const {
    const auto& rows = column_[index(column)];
    for (const Int row : rows) {
        double largest = 0, own = 0;
        for (const auto& [other, value] : row_[index(row)]) {
            largest = std::max(largest, std::abs(value));
            if (other == column) own = std::abs(value);
        }
        if (own < smallest_pivot || own < relative_pivot * largest) continue;
        const double cost =
            static_cast<double>(rows.size() - 1) * static_cast<double>(row_[index(row)].size() - 1);
        if (cost < least) {
            least = cost;
            best = {row, column};
        }
    }
}

void Factor::consider_row(Int row, Pivot& best, double& least) const {
    const auto& entries = row_[index(row)];
    double largest = 0;
    for (const Entry& one : entries) largest = std::max(largest, std::abs(one.second));
    for (const auto& [column, value] : entries) {
        if (std::abs(value) < smallest_pivot || std::abs(value) < relative_pivot * largest)
            continue;
        const double cost = static_cast<double>(entries.size() - 1) *
                            static_cast<double>(column_[index(column)].size() - 1);
        if (cost < least) {
            least = cost;
            best = {row, column};
        }
    }
}

Factor::Pivot Factor::choose() const {
    Pivot best;
    double least = std::numeric_limits<double>::infinity();
    int searched = 0;
    const std::size_t most = rows_with_.size();
    for (std::size_t count = 1; count < most; ++count) {
        const auto shortest = static_cast<double>(count - 1) * static_cast<double>(count - 1);
        if (least <= shortest) return best;
        for (Int column = columns_with_[count]; column >= 0; column = next_column_[index(column)]) {
            consider_column(column, best, least);
            if (least <= shortest || (best.row >= 0 && ++searched >= lists_searched)) return best;
        }
        for (Int row = rows_with_[count]; row >= 0; row = next_row_[index(row)]) {
            consider_row(row, best, least);
            const auto longer = static_cast<double>(count) * static_cast<double>(count - 1);
            if (least <= longer || (best.row >= 0 && ++searched >= lists_searched)) return best;
        }
    }
    return best;
}

void Factor::eliminate(Pivot pivot) {
    const auto [p, q] = pivot;
    auto& own = row_[index(p)];
    auto& below = column_[index(q)];
    unlink(rows_with_, next_row_, previous_row_, p, own.size());
    unlink(columns_with_, next_column_, previous_column_, q, below.size());
    double value = 0;
    for (const auto& [column, one] : own) {
        if (column == q) {
            value = one;
            continue;
        }
        upper_rows_.entry.emplace_back(column, one);
        auto& rows = column_[index(column)];
        const std::size_t before = rows.size();
        *std::find(rows.begin(), rows.end(), p) = rows.back();
        rows.pop_back();
        set_column_count(column, before);
    }
    upper_rows_.close();
    pivot_row_.push_back(p);
    pivot_.push_back(value);
    for (const Int row : below) {
        if (row == p) continue;
        auto& entries = row_[index(row)];
        const std::size_t before = entries.size();
        double factor = 0;
        for (std::size_t at = 0; at < entries.size(); ++at) {
            if (entries[at].first != q) {
                place_[index(entries[at].first)] = static_cast<Int>(at);
                continue;
            }
            factor = entries[at].second / value;
            entries[at] = entries.back();
            entries.pop_back();
            --at;
        }
        lower_.entry.emplace_back(row, factor);
        for (const auto& [column, one] : own) {
            if (column == q) continue;
            const Int at = place_[index(column)];
            if (at >= 0) {
                entries[index(at)].second -= factor * one;
            } else {
                entries.emplace_back(column, -factor * one);
                auto& rows = column_[index(column)];
                rows.push_back(row);
                set_column_count(column, rows.size() - 1);
            }
        }
        for (std::size_t at = entries.size(); at-- > 0;) {
            const auto [column, one] = entries[at];
            place_[index(column)] = -1;
            if (std::abs(one) > dropped) continue;
            entries[at] = entries.back();
            entries.pop_back();
            auto& rows = column_[index(column)];
            const std::size_t count = rows.size();
            *std::find(rows.begin(), rows.end(), row) = rows.back();
            rows.pop_back();
            set_column_count(column, count);
        }
        set_row_count(row, before);
    }
    if (below.size() > 1) {
        lower_.close();
        lower_row_.push_back(p);
    }
    own.clear();
    below.clear();
}

std::vector<Int> Factor::factorize(std::span<const std::vector<Entry>> columns) {
    const std::size_t size = columns.size();
    lower_.clear();
    upper_rows_.clear();
    upper_columns_.clear();
    lower_row_.clear();
    pivot_row_.clear();
    pivot_.clear();
    eta_start_.assign(1, 0);
    eta_.clear();
    eta_row_.clear();
    eta_pivot_.clear();
    row_.resize(size);
    column_.resize(size);
    for (auto& one : row_) one.clear();
    for (auto* list : {&next_row_, &previous_row_, &next_column_, &previous_column_, &place_}) {
        list->assign(size, -1);
    }
    rows_with_.assign(size + 1, -1);
    columns_with_.assign(size + 1, -1);
    for (std::size_t column = 0; column < size; ++column) {
        column_[column].clear();
        for (const auto& [row, value] : columns[column]) {
            row_[index(row)].emplace_back(static_cast<Int>(column), value);
            column_[column].push_back(row);
        }
        link(columns_with_, next_column_, previous_column_, static_cast<Int>(column),
             column_[column].size());
    }
    for (std::size_t row = 0; row < size; ++row) {
        link(rows_with_, next_row_, previous_row_, static_cast<Int>(row), row_[row].size());
    }
    std::vector<Int> column_of(size, -1);
    std::vector<Int> row_of(size, -1);
    for (std::size_t step = 0; step < size; ++step) {
        const Pivot pivot = choose();
        if (pivot.row < 0) break;
        column_of[index(pivot.row)] = pivot.column;
        row_of[index(pivot.column)] = pivot.row;
        eliminate(pivot);
    }
    for (std::size_t row = 0; row < size; ++row) {
        if (column_of[row] >= 0) continue;
        pivot_row_.push_back(static_cast<Int>(row));
        pivot_.push_back(-1);
        upper_rows_.close();
    }
    // Columns by the rows of their pivots; entries of columns without a pivot are left out.
    std::vector<std::size_t> count(size + 1, 0);
    std::size_t kept = 0;
    std::vector<std::size_t> step_of(size);
    for (std::size_t step = 0; step < size; ++step) step_of[index(pivot_row_[step])] = step;
    for (std::size_t step = 0; step < size; ++step) {
        const std::size_t first = kept;
        for (std::size_t at = upper_rows_.start[step]; at < upper_rows_.start[step + 1]; ++at) {
            const auto [column, value] = upper_rows_.entry[at];
            const Int row = row_of[index(column)];
            if (row < 0) continue;
            upper_rows_.entry[kept++] = {row, value};
            ++count[step_of[index(row)] + 1];
        }
        upper_rows_.start[step] = first;
    }
    upper_rows_.start[size] = kept;
    upper_rows_.entry.resize(kept);
    for (std::size_t step = 0; step < size; ++step) count[step + 1] += count[step];
    upper_columns_.start = count;
    upper_columns_.entry.resize(kept);
    for (std::size_t step = 0; step < size; ++step) {
        for (const auto& [row, value] : upper_rows_[step]) {
            upper_columns_.entry[count[step_of[index(row)]]++] = {pivot_row_[step], value};
        }
    }
    factor_entries_ = lower_.entry.size() + kept + size;
    return column_of;
}

void Factor::solve(std::vector<double>& x) const {
    for (std::size_t step = 0; step < lower_row_.size(); ++step) {
        const double value = x[index(lower_row_[step])];
        if (value == 0) continue;
        for (const auto& [row, factor] : lower_[step]) x[index(row)] -= factor * value;
    }
    for (std::size_t step = pivot_row_.size(); step-- > 0;) {
        double& own = x[index(pivot_row_[step])];
        if (own == 0) continue;
        own /= pivot_[step];
        const double value = own;
        for (const auto& [row, factor] : upper_columns_[step]) x[index(row)] -= factor * value;
    }
    for (std::size_t at = 0; at < eta_row_.size(); ++at) {
        double& own = x[index(eta_row_[at])];
        if (own == 0) continue;
        const double value = own / eta_pivot_[at];
        for (std::size_t entry = eta_start_[at]; entry < eta_start_[at + 1]; ++entry) {
            x[index(eta_[entry].first)] -= eta_[entry].second * value;
        }
        own = value;
    }
}

void Factor::solve_transposed(std::vector<double>& y) const {
    for (std::size_t at = eta_row_.size(); at-- > 0;) {
        double& own = y[index(eta_row_[at])];
        double sum = own;
        for (std::size_t entry = eta_start_[at]; entry < eta_start_[at + 1]; ++entry) {
            sum -= eta_[entry].second * y[index(eta_[entry].first)];
        }
        own = sum / eta_pivot_[at];
    }
    for (std::size_t step = 0; step < pivot_row_.size(); ++step) {
        double& own = y[index(pivot_row_[step])];
        if (own == 0) continue;
        own /= pivot_[step];
        const double value = own;
        for (const auto& [row, factor] : upper_rows_[step]) y[index(row)] -= factor * value;
    }
    for (std::size_t step = lower_row_.size(); step-- > 0;) {
        double sum = 0;
        for (const auto& [row, factor] : lower_[step]) sum += factor * y[index(row)];
        y[index(lower_row_[step])] -= sum;
    }
}

void Factor::replace(Int row, const std::vector<double>& column) {
    for (std::size_t at = 0; at < column.size(); ++at) {
        if (std::abs(column[at]) > dropped && static_cast<Int>(at) != row) {
            eta_.emplace_back(static_cast<Int>(at), column[at]);
        }
    }
    eta_start_.push_back(eta_.size());
    eta_row_.push_back(row);
    eta_pivot_.push_back(column[index(row)]);
}

void Factor::undo_updates(std::size_t first) {
    eta_row_.resize(first);
    eta_pivot_.resize(first);
    eta_start_.resize(first + 1);
    eta_.resize(eta_start_[first]);
}

}  // namespace dlx
