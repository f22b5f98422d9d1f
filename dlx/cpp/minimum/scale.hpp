// The scale of costs in the search for the cheapest solutions: fixed-point numbers.
//
// Prices are fractions of costs, stored as integers: each cost is divided by the greatest common
// divisor of all costs, the *unit*, and multiplied by a power of two. The power is the largest for
// which sums of prices cannot overflow 64 bits. If that is too coarse, the numbers have 128 bits.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

#include "core/problem.hpp"

namespace dlx {

struct Scaling {
    std::int64_t unit;   // the greatest common divisor of all costs
    std::uint64_t most;  // above the absolute cost of any solution, in units
    int shift;
    bool wide;  // 64 bits are not enough
};

// The largest ratio of a price or reduced cost, at any time, to the cost of a solution: an option
// of n items sees n prices change by as much as an option of n items may need.
inline double headroom(const Problem& problem) {
    Int longest = 1;
    for (std::size_t option = 0; option + 1 < problem.start.size(); ++option) {
        longest = std::max(longest, problem.start[option + 1] - problem.start[option]);
    }
    // With multiplicities a price counts several times, at most the total weight of its item.
    std::vector<Int> uses(problem.multiple() ? static_cast<std::size_t>(problem.items) : 0, 0);
    Int most = 1;
    for (Int entry = 0; problem.multiple() && entry < problem.entries(); ++entry) {
        Int& total = uses[static_cast<std::size_t>(problem.item[static_cast<std::size_t>(entry)])];
        most = std::max(most, total += problem.weight_of(entry));
    }
    return 64.0 * (longest + 2.0) * (longest + 2.0) * most;
}

inline Scaling scaling_of(const Problem& problem, std::span<const std::int64_t> cost) {
    std::int64_t unit = 0;
    std::vector<std::uint64_t> sizes;
    PeriodicCheck periodic;
    for (const std::int64_t one : cost) {
        if (unit != 1) unit = std::gcd(unit, one);
        periodic.add(2);
        sizes.push_back(static_cast<std::uint64_t>(one < 0 ? -one : one));
    }
    unit = std::max<std::int64_t>(unit, 1);
    // Without multiplicities no solution has more options than there are primary items.
    const std::size_t taken =
        problem.multiple() ? sizes.size()
                           : std::min(sizes.size(), static_cast<std::size_t>(problem.primary));
    std::nth_element(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(taken), sizes.end(),
                     std::greater<>());
    const std::uint64_t most =
        std::accumulate(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(taken),
                        std::uint64_t{0}) /
            static_cast<std::uint64_t>(unit) +
        1;
    const double room = std::ldexp(1.0, 62) / (headroom(problem) * static_cast<double>(most));
    constexpr int finest = 20;
    constexpr int coarsest = 8;  // still good enough for fractions
    if (room < std::ldexp(1.0, coarsest)) return {unit, most, finest, true};
    return {unit, most, std::min(finest, static_cast<int>(std::floor(std::log2(room)))), false};
}

// Converts costs to the integers of priced cells: cost / unit * 2^shift.
template <class Cost>
struct Scale {
    std::int64_t unit = 1;
    int shift = 0;
    Cost most = 0;  // above the absolute cost of any solution

    explicit Scale(const Scaling& scaling)
        : unit(scaling.unit),
          shift(scaling.shift),
          most(static_cast<Cost>(scaling.most) * (Cost{1} << scaling.shift)) {}

    Cost to(std::int64_t cost) const noexcept {
        return static_cast<Cost>(cost / unit) * (Cost{1} << shift);
    }
    // A price, unscaled.
    double as_cost(double price) const noexcept {
        return std::ldexp(price, -shift) * static_cast<double>(unit);
    }
    // The largest cost, scaled, that is below this one.
    Cost below(std::int64_t cost) const noexcept { return to(cost) - (Cost{1} << shift); }
    // The largest cost that is not above a scaled bound.
    std::int64_t down_from(Cost bound) const noexcept {
        const Cost step = Cost{1} << shift;
        const Cost down = bound / step;
        return static_cast<std::int64_t>(down - (bound < 0 && down * step > bound ? 1 : 0)) * unit;
    }
    // The least cost that is not below a scaled bound.
    std::int64_t from(Cost bound) const noexcept {
        const Cost step = Cost{1} << shift;
        const Cost down = bound / step;
        const Cost up = down + (bound > 0 && down * step < bound ? 1 : 0);
        return static_cast<std::int64_t>(up) * unit;
    }
};

}  // namespace dlx
