// Doubles with a 64-bit exponent, and their running mean and variance.
//
// A random descent multiplies the numbers of branches that it passes. On a large problem the
// product soon exceeds 10^308, the range of a double. A ScaledDouble is mantissa x 2^exponent,
// where the mantissa is a double, 0 or from 1/2 to 1 in absolute value, and the exponent has 64
// bits. It rounds like a double.
//
// RunningMoments keeps the mean of a sequence of numbers, and the sum of the squared distances from
// the mean, by Welford's recurrence (TAOCP 4.2.2, (15) and (16)). For equal numbers that sum is
// exactly zero, which a difference of sums of squares would not give.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace dlx {

class ScaledDouble {
public:
    ScaledDouble() = default;
    explicit ScaledDouble(double value) : ScaledDouble(value, 0) {}
    ScaledDouble(double value, std::int64_t exponent) {
        int shift = 0;
        mantissa_ = std::frexp(value, &shift);
        exponent_ = mantissa_ == 0 ? 0 : exponent + shift;
    }

    double mantissa() const noexcept { return mantissa_; }
    std::int64_t exponent() const noexcept { return exponent_; }

    // The number as a double, or `most` if it is larger. The number must not be negative.
    double at_most(double most) const noexcept {
        if (mantissa_ == 0) return 0;
        if (exponent_ > 1000) return most;
        if (exponent_ < -1000) return 0;
        return std::min(std::ldexp(mantissa_, static_cast<int>(exponent_)), most);
    }

    friend ScaledDouble operator+(const ScaledDouble& one, const ScaledDouble& other) {
        if (one.mantissa_ == 0) return other;
        if (other.mantissa_ == 0) return one;
        if (one.exponent_ < other.exponent_) return other + one;
        const std::int64_t behind = one.exponent_ - other.exponent_;
        if (behind > 64) return one;  // `other` is less than a rounding error of `one`
        return {one.mantissa_ + std::ldexp(other.mantissa_, -static_cast<int>(behind)),
                one.exponent_};
    }
    friend ScaledDouble operator-(const ScaledDouble& one, const ScaledDouble& other) {
        return one + ScaledDouble(-other.mantissa_, other.exponent_);
    }
    friend ScaledDouble operator*(const ScaledDouble& one, const ScaledDouble& other) {
        return {one.mantissa_ * other.mantissa_, one.exponent_ + other.exponent_};
    }
    friend ScaledDouble operator/(const ScaledDouble& one, double other) {
        return {one.mantissa_ / other, one.exponent_};
    }

private:
    double mantissa_ = 0;
    std::int64_t exponent_ = 0;
};

class RunningMoments {
public:
    void add(const ScaledDouble& number) {
        ++count_;
        const ScaledDouble distance = number - mean_;
        mean_ = mean_ + distance / static_cast<double>(count_);
        squares_ = squares_ + distance * (number - mean_);
    }

    // The moments after zeros have been added until there are `count` numbers.
    RunningMoments padded(std::uint64_t count) const {
        RunningMoments all;
        const auto here = static_cast<double>(count_);
        const auto total = static_cast<double>(count);
        all.count_ = count;
        all.mean_ = mean_ * ScaledDouble(here / total);
        all.squares_ = squares_ + mean_ * mean_ * ScaledDouble(here * ((total - here) / total));
        return all;
    }

    std::uint64_t count() const noexcept { return count_; }
    const ScaledDouble& mean() const noexcept { return mean_; }
    const ScaledDouble& squares() const noexcept { return squares_; }

private:
    std::uint64_t count_ = 0;
    ScaledDouble mean_;
    ScaledDouble squares_;  // of the distances from the mean, summed up
};

}  // namespace dlx
