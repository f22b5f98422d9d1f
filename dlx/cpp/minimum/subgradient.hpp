// Prices of items that give a good lower bound: Lagrange multipliers, by the subgradient method.
//
// Give every item i a price y(i). A solution covers each primary item exactly once and so pays each
// of these prices once. The cost of an option can be replaced by its *reduced* cost
//
//     r(o) = cost(o) - sum of y(i) over the items i of o
//
// plus the total of the prices, which every solution pays. (Knuth's DLX5 calls prices taxes.) A
// secondary item need not be covered, so its price must not be above zero: a solution that does not
// cover it pays at least the price. Then no solution costs less than
//
//     L(y) = sum of all y(i) + sum of all r(o) that are negative.
//
// The best prices make L as large as the value of the linear program. They are found by ascent: if
// the options of negative r cover item i too often, its price is too high. L is concave but not
// differentiable, so a step may decrease it. The length of a step aims at a level a little above
// the best L so far; the level is lowered when it is not reached (Brännlund 1993). Only the best
// prices are kept. All this is in floating point; minimum/priced_cells.hpp makes the bound exact.
//
// With multiplicities, item i is paid at least low(i) and at most high(i) times, so in L its price
// counts low(i) times if it is at least 0, and high(i) times if it is negative. A secondary item is
// one with low 0 and high 1.
//
// Secondary items with colors have no prices: options of one color do not exclude each other.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/problem.hpp"

namespace dlx {

// A part of a problem in compressed rows, all items of which have prices.
struct PricedRows {
    std::vector<std::size_t> start{0};
    std::vector<Int> item;       // numbered from 0
    std::vector<double> weight;  // parallel to `item`; empty if all are 1
    std::vector<double> cost;    // of each row
    std::vector<double> low;     // of each item: how often it must be covered at least,
    std::vector<double> high;    // and may be covered at most
};

class Subgradient {
public:
    // `prices`: the initial ones. All prices stay between -limit and limit.
    Subgradient(PricedRows rows, std::vector<double> prices, double limit)
        : rows_(std::move(rows)),
          prices_(std::move(prices)),
          best_prices_(prices_),
          slope_(prices_.size()),
          momentum_(prices_.size(), 0.0),
          limit_(limit) {}

    const std::vector<double>& best_prices() const noexcept { return best_prices_; }
    double best() const noexcept { return best_; }
    std::size_t work() const noexcept { return rows_.item.size() + prices_.size(); }

    // `gap`: how far above the best L the level is. Steps end when it is not more than `least`, or
    // than a small fraction of L where `least` is negative.
    void aim(double gap, double least = -1) noexcept {
        gap_ = gap;
        least_gap_ = least;
    }

    // Makes one step. Returns false when further steps would gain nothing.
    bool step() {
        double value = evaluate();
        if (steps_++ == 0 || value > best_) {
            failures_ = steps_ == 1 || value >= best_ + gap_ / 4 ? 0 : failures_ + 1;
            best_ = value;
            best_prices_ = prices_;
        } else {
            ++failures_;
        }
        if (failures_ > failures_allowed) {
            failures_ = 0;
            gap_ *= shrinkage;
            if (gap_ <= (least_gap_ < 0 ? 2e-5 * std::abs(best_) : least_gap_)) return false;
            prices_ = best_prices_;
            value = evaluate();
        }
        return move(best_ + gap_ - value);
    }

private:
    double weight(std::size_t at) const noexcept {
        return rows_.weight.empty() ? 1.0 : rows_.weight[at];
    }

    static constexpr int failures_allowed = 25;  // steps without success until the level is lowered
    static constexpr double shrinkage = 0.7;
    static constexpr double inertia = 0.6;  // how much of a direction the next one keeps

    // L at the prices, and its slope.
    double evaluate() {
        double value = 0;
        for (std::size_t item = 0; item < prices_.size(); ++item) {
            const double times = prices_[item] >= 0 ? rows_.low[item] : rows_.high[item];
            value += times * prices_[item];
            slope_[item] = times;
        }
        for (std::size_t row = 0; row < rows_.cost.size(); ++row) {
            double reduced = rows_.cost[row];
            for (std::size_t at = rows_.start[row]; at < rows_.start[row + 1]; ++at) {
                reduced -= weight(at) * prices_[static_cast<std::size_t>(rows_.item[at])];
            }
            if (reduced >= 0) continue;
            value += reduced;
            for (std::size_t at = rows_.start[row]; at < rows_.start[row + 1]; ++at) {
                slope_[static_cast<std::size_t>(rows_.item[at])] -= weight(at);
            }
        }
        return value;
    }

    bool move(double climb) {
        double norm = 0;
        for (std::size_t item = 0; item < prices_.size(); ++item) {
            double& direction = momentum_[item];
            direction = inertia * direction + (1 - inertia) * slope_[item];
            if (rows_.low[item] == 0 && prices_[item] >= 0 && direction > 0) continue;
            norm += direction * direction;
        }
        if (norm < 1e-12) return false;
        const double length = climb / norm * 0.7;
        for (std::size_t item = 0; item < prices_.size(); ++item) {
            const double top = rows_.low[item] > 0 ? limit_ : 0.0;
            prices_[item] = std::clamp(prices_[item] + length * momentum_[item], -limit_, top);
        }
        return true;
    }

    PricedRows rows_;
    std::vector<double> prices_;
    std::vector<double> best_prices_;
    std::vector<double> slope_;
    std::vector<double> momentum_;
    double limit_;
    double best_ = 0;
    double gap_ = 1;
    double least_gap_ = -1;
    int failures_ = 0;
    long steps_ = 0;
};

}  // namespace dlx
