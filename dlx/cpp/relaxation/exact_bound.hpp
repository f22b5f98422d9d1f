// Lower bounds that are proved in integers, from prices that are only good guesses.
//
// Whatever the prices y of the rows are, no solution of
//
//     minimize cost x  subject to  low <= A x <= high,  lower <= x <= upper
//
// costs less than
//
//     L(y) = sum of y(i) * (y(i) > 0 ? low(i) : high(i)) + sum of r(j) * (r(j) > 0 ? lower(j) :
//     upper(j))
//
// where r = cost - y A are the reduced costs. With the prices of an optimal basis L is the value of
// the linear program. Here prices are rounded to multiples of 2^-shift and everything is added up
// in integers. So no rounding error of the simplex method can make a bound wrong.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "core/int128.hpp"
#include "core/problem.hpp"
#include "relaxation/integer_program.hpp"

namespace dlx {

class ExactBound {
public:
    explicit ExactBound(const IntegerProgram& program) : program_(program) {
        std::int64_t most_cost = 1, most_weights = 1;
        for (std::size_t column = 0; column < program.columns(); ++column) {
            most_cost = std::max(most_cost, std::abs(program.cost[column]));
            std::int64_t weights = 1;
            for (std::size_t at = program.start[column]; at < program.start[column + 1]; ++at) {
                weights += program.weight_at(at);
            }
            most_weights = std::max(most_weights, weights);
        }
        most_price_ = (largest / 2) / most_weights;
        while (shift_ > 0 && most_cost > (largest / 2) >> shift_) --shift_;
        reduced_.resize(program.columns());
    }

    // Are the costs small enough for prices with fractions?
    bool fits() const noexcept { return shift_ >= least_shift; }

    // Computes L(y) * 2^shift, and the reduced costs. O(entries).
    Int128 evaluate(std::span<const double> prices, std::span<const std::uint8_t> lower,
                    std::span<const std::uint8_t> upper) {
        Int128 bound;
        scaled_.resize(prices.size());
        for (std::size_t row = 0; row < prices.size(); ++row) {
            const double price = std::ldexp(prices[row], static_cast<int>(shift_));
            const auto most = static_cast<double>(most_price_);
            auto scaled = static_cast<std::int64_t>(std::clamp(std::round(price), -most, most));
            if (scaled < 0 && program_.high[row] == IntegerProgram::no_bound) scaled = 0;
            scaled_[row] = scaled;
            const std::int64_t times = scaled > 0 ? program_.low[row] : program_.high[row];
            if (times == 1) {
                bound += scaled;
            } else if (scaled != 0 && times != 0) {
                bound += Int128(scaled) * Int128(times);
            }
        }
        for (std::size_t column = 0; column < program_.columns(); ++column) {
            std::int64_t reduced = program_.cost[column] << shift_;
            const std::size_t last = program_.start[column + 1];
            for (std::size_t at = program_.start[column]; at < last; ++at) {
                reduced -= scaled_[index(program_.row[at])] * program_.weight_at(at);
            }
            reduced_[column] = reduced;
            if (reduced > 0 ? lower[column] != 0 : upper[column] != 0) bound += reduced;
        }
        return bound;
    }

    // The reduced costs, times 2^shift, of the last call of `evaluate`.
    const std::vector<std::int64_t>& reduced() const noexcept { return reduced_; }

    // A bound in units of the costs, rounded up; at most `most`.
    std::int64_t rounded_up(const Int128& bound, std::int64_t most) const {
        if (bound > scaled(most)) return most;
        if (bound < scaled(-most)) return -most;
        const Int128 unit(std::int64_t{1} << shift_);
        const Int128 quotient = bound / unit;  // towards zero
        return static_cast<std::int64_t>(quotient) + (quotient * unit < bound ? 1 : 0);
    }

    Int128 scaled(std::int64_t cost) const noexcept {
        return Int128(cost) << static_cast<std::size_t>(shift_);
    }

private:
    static constexpr std::int64_t largest = std::int64_t{1} << 62;
    static constexpr int least_shift = 6;

    const IntegerProgram& program_;
    int shift_ = 24;
    std::int64_t most_price_;
    std::vector<std::int64_t> scaled_;
    std::vector<std::int64_t> reduced_;
};

}  // namespace dlx
