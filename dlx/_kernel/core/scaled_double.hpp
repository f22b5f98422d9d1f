// Numbers that are never too large, and statistics of them.
//
// A random descent multiplies the branches it passes, and on a large problem the product soon is
// beyond 10^308. A Wide is a double whose exponent has 64 bits of its own: mantissa x 2^exponent,
// the mantissa being 0 or from 1/2 to 1 in size. All rounding is that of doubles.
//
// A Tally keeps the mean of numbers that come one after another, and the sum of the squares of
// their distances from it, by Welford's recurrence (TAOCP 4.2.2, (15) and (16)): equal numbers have
// a sum of exactly zero, which sums of squares would not give.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace dlx {

class Wide {
public:
    Wide() = default;
    explicit Wide(double value) : Wide(value, 0) {}
    Wide(double value, std::int64_t exponent) {
        int shift = 0;
        mantissa_ = std::frexp(value, &shift);
        exponent_ = mantissa_ == 0 ? 0 : exponent + shift;
    }

    double mantissa() const noexcept { return mantissa_; }
    std::int64_t exponent() const noexcept { return exponent_; }

    // As a double, and `most` if it is more; for numbers that are not negative.
    double at_most(double most) const noexcept {
        if (mantissa_ == 0) return 0;
        if (exponent_ > 1000) return most;
        if (exponent_ < -1000) return 0;
        return std::min(std::ldexp(mantissa_, static_cast<int>(exponent_)), most);
    }

    friend Wide operator+(const Wide& one, const Wide& other) {
        if (one.mantissa_ == 0) return other;
        if (other.mantissa_ == 0) return one;
        if (one.exponent_ < other.exponent_) return other + one;
        const std::int64_t behind = one.exponent_ - other.exponent_;
        if (behind > 64) return one;  // too small to be seen
        return {one.mantissa_ + std::ldexp(other.mantissa_, -static_cast<int>(behind)),
                one.exponent_};
    }
    friend Wide operator-(const Wide& one, const Wide& other) {
        return one + Wide(-other.mantissa_, other.exponent_);
    }
    friend Wide operator*(const Wide& one, const Wide& other) {
        return {one.mantissa_ * other.mantissa_, one.exponent_ + other.exponent_};
    }
    friend Wide operator/(const Wide& one, double other) {
        return {one.mantissa_ / other, one.exponent_};
    }

private:
    double mantissa_ = 0;
    std::int64_t exponent_ = 0;
};

class Tally {
public:
    void add(const Wide& number) {
        ++count_;
        const Wide distance = number - mean_;
        mean_ = mean_ + distance / static_cast<double>(count_);
        squares_ = squares_ + distance * (number - mean_);
    }

    // The same after zeros have been added until there are `count` numbers.
    Tally padded(std::uint64_t count) const {
        Tally all;
        const auto here = static_cast<double>(count_);
        const auto total = static_cast<double>(count);
        all.count_ = count;
        all.mean_ = mean_ * Wide(here / total);
        all.squares_ = squares_ + mean_ * mean_ * Wide(here * ((total - here) / total));
        return all;
    }

    std::uint64_t count() const noexcept { return count_; }
    const Wide& mean() const noexcept { return mean_; }
    const Wide& squares() const noexcept { return squares_; }

private:
    std::uint64_t count_ = 0;
    Wide mean_;
    Wide squares_;  // of the distances from the mean, summed up
};

}  // namespace dlx
