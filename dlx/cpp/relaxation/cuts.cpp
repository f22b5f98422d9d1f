// Cliques and subset row cuts: see relaxation/cuts.hpp.
#include "relaxation/cuts.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace dlx {
namespace {

constexpr double least_violation = 0.02;
constexpr double fraction = 1e-6;
constexpr std::size_t most_fractional = 2000;  // columns; the conflicts are a matrix of bits
constexpr std::size_t most_of_a_row = 60;      // neighbors of a row, in the search for triples

class Separation {
public:
    Separation(const IntegerProgram& program, const ColumnsOfRows& columns,
               std::span<const std::uint8_t> exclusive, std::span<const double> values,
               std::uint64_t& work)
        : program_(program),
          columns_(columns),
          exclusive_(exclusive),
          values_(values),
          work_(work),
          count_(program.columns(), 0),
          stamp_(program.columns(), 0) {
        for (std::size_t column = 0; column < values.size(); ++column) {
            if (values[column] < fraction || values[column] > 1 - fraction) continue;
            fractional_.push_back(static_cast<Int>(column));
        }
        std::sort(fractional_.begin(), fractional_.end(), [&](Int one, Int other) {
            return values[index(one)] > values[index(other)] ||
                   (values[index(one)] == values[index(other)] && one < other);
        });
        if (fractional_.size() > most_fractional) fractional_.resize(most_fractional);
    }

    std::vector<Cut> find(std::size_t most) {
        cliques();
        triples();
        std::sort(found_.begin(), found_.end(), [](const Found& one, const Found& other) {
            return one.violation != other.violation ? one.violation > other.violation
                                                    : one.members < other.members;
        });
        if (found_.size() > most) found_.resize(most);
        std::set<Cut> cuts;
        for (const Found& one : found_) {
            cuts.insert(one.triple ? columns_of_triple(one.members) : extended(one.members));
        }
        return {cuts.begin(), cuts.end()};
    }

private:
    struct Found {
        double violation;
        bool triple;
        std::vector<Int> members;  // three rows, or columns that exclude each other
    };

    // Marks the columns that exclude this one: those with `count_` = `level` become `level` + 1.
    void mark_neighbors(Int column, std::uint32_t level) {
        ++stamps_;
        for (const Int row : program_.rows_of(index(column))) {
            if (!exclusive_[index(row)]) continue;
            for (const Int other : columns_[index(row)]) {
                if (stamp_[index(other)] == stamps_) continue;
                stamp_[index(other)] = stamps_;
                if (count_[index(other)] == level) ++count_[index(other)];
            }
            work_ += columns_[index(row)].size() / 4;
        }
    }

    // Greedily, from each fractional column.
    void cliques() {
        const std::size_t size = fractional_.size();
        std::vector<std::vector<std::uint8_t>> excludes(size, std::vector<std::uint8_t>(size, 0));
        std::map<Int, std::vector<std::size_t>> places;  // of the fractional columns of each row
        for (std::size_t place = 0; place < size; ++place) {
            for (const Int row : program_.rows_of(index(fractional_[place]))) {
                if (exclusive_[index(row)]) places[row].push_back(place);
            }
        }
        for (const auto& [row, own] : places) {
            for (const std::size_t one : own) {
                for (const std::size_t other : own) excludes[one][other] = 1;
            }
        }
        std::set<std::vector<std::size_t>> seen;
        std::vector<std::size_t> clique;
        for (std::size_t seed = 0; seed < size; ++seed) {
            clique.assign(1, seed);
            double sum = values_[index(fractional_[seed])];
            for (std::size_t other = 0; other < size; ++other) {
                const bool fits = other != seed && std::all_of(clique.begin(), clique.end(),
                                                               [&](std::size_t member) {
                                                                   return excludes[member][other];
                                                               });
                if (!fits) continue;
                clique.push_back(other);
                sum += values_[index(fractional_[other])];
            }
            work_ += size;
            if (sum < 1 + least_violation) continue;
            std::sort(clique.begin(), clique.end());
            if (!seen.insert(clique).second) continue;
            std::vector<Int> members;
            for (const std::size_t place : clique) members.push_back(fractional_[place]);
            found_.push_back({(sum - 1) / std::sqrt(static_cast<double>(clique.size())), false,
                              std::move(members)});
        }
    }

    // With more columns that exclude every one of a clique, and each other.
    Cut extended(Cut clique) {
        std::fill(count_.begin(), count_.end(), 0u);
        std::uint32_t level = 0;
        for (const Int column : clique) mark_neighbors(column, level++);
        const Cut own(clique);
        for (std::size_t at = 0; at < count_.size(); ++at) {
            const auto column = static_cast<Int>(at);
            if (count_[at] != level || std::find(own.begin(), own.end(), column) != own.end()) {
                continue;
            }
            clique.push_back(column);
            mark_neighbors(column, level++);
        }
        std::sort(clique.begin(), clique.end());
        work_ += count_.size();
        return clique;
    }

    // The columns that cover two of three rows, or all.
    Cut columns_of_triple(const std::vector<Int>& rows) {
        std::fill(count_.begin(), count_.end(), 0u);
        Cut cut;
        for (const Int row : rows) {
            for (const Int column : columns_[index(row)]) {
                if (++count_[index(column)] == 2) cut.push_back(column);
            }
            work_ += columns_[index(row)].size();
        }
        std::sort(cut.begin(), cut.end());
        work_ += count_.size() / 4;
        return cut;
    }

    // Three rows, two of which are covered by columns whose values add up to more than 1.
    void triples() {
        std::map<Int, std::map<Int, double>> together;  // the values of pairs of rows
        std::map<Int, std::vector<Int>> fractional_of;  // the fractional columns of each row
        std::vector<Int> rows;
        for (const Int column : fractional_) {
            rows.clear();
            for (const Int row : program_.rows_of(index(column))) {
                if (exclusive_[index(row)]) rows.push_back(row);
            }
            for (const Int one : rows) {
                fractional_of[one].push_back(column);
                if (rows.size() > most_of_a_row) continue;
                for (const Int other : rows) {
                    if (one < other) together[one][other] += values_[index(column)];
                }
            }
            work_ += 4 * rows.size() * rows.size();
        }
        const auto sum_of = [&](Int one, Int other) {
            const auto own = together.find(one);
            if (own == together.end()) return 0.0;
            const auto pair = own->second.find(other);
            return pair == own->second.end() ? 0.0 : pair->second;
        };
        for (const auto& [first, partners] : together) {
            if (partners.size() > most_of_a_row) continue;
            for (auto second = partners.begin(); second != partners.end(); ++second) {
                for (auto third = std::next(second); third != partners.end(); ++third) {
                    const double most = second->second + third->second;
                    work_ += 3;
                    if (most < least_violation) continue;
                    const double sum = most + sum_of(second->first, third->first);
                    if (sum < 1 + least_violation) continue;
                    add_triple(first, second->first, third->first, fractional_of[first], sum);
                }
            }
        }
    }

    void add_triple(Int first, Int second, Int third, const std::vector<Int>& of_first,
                    double sum) {
        for (const Int column : of_first) {  // those that cover all three count once
            const std::span<const Int> rows = program_.rows_of(index(column));
            const auto has = [&](Int row) {
                return std::find(rows.begin(), rows.end(), row) != rows.end();
            };
            if (has(second) && has(third)) sum -= 2 * values_[index(column)];
        }
        work_ += 5 * of_first.size();
        if (sum < 1 + least_violation) return;
        found_.push_back({(sum - 1) / std::sqrt(static_cast<double>(of_first.size())),
                          true,
                          {first, second, third}});
    }

    const IntegerProgram& program_;
    const ColumnsOfRows& columns_;
    std::span<const std::uint8_t> exclusive_;
    std::span<const double> values_;
    std::uint64_t& work_;
    std::vector<std::uint32_t> count_;
    std::vector<std::uint32_t> stamp_;
    std::uint32_t stamps_ = 0;
    std::vector<Int> fractional_;
    std::vector<Found> found_;
};

}  // namespace

std::vector<Cut> violated_cuts(const IntegerProgram& program, const ColumnsOfRows& columns,
                               std::span<const std::uint8_t> exclusive,
                               std::span<const double> values, std::size_t most,
                               std::uint64_t& work) {
    return Separation(program, columns, exclusive, values, work).find(most);
}

}  // namespace dlx
