// Signed integers of 128 bits, in two halves: for costs whose sums may exceed 64 bits.
//
// Standard C++ has no such type, and not all compilers have __int128. Additions and comparisons,
// which are frequent in a search, compile to as few instructions as those of __int128.
// Multiplications and divisions are rare, so they are simple and slow.
#pragma once

#include <cmath>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace dlx {

class Int128 {
public:
    constexpr Int128() noexcept = default;

    template <std::integral Number>
    constexpr Int128(Number number) noexcept
        : high_(number < Number{0} ? ~std::uint64_t{0} : 0),
          low_(static_cast<std::uint64_t>(number)) {}

    // A whole number of less than 127 bits.
    explicit Int128(double number) noexcept {
        const double size = std::abs(number);
        const double upper = std::floor(std::ldexp(size, -64));
        high_ = static_cast<std::uint64_t>(upper);
        low_ = static_cast<std::uint64_t>(size - std::ldexp(upper, 64));
        if (number < 0) *this = -*this;
    }

    explicit operator double() const noexcept {
        if (*this < 0) return -static_cast<double>(-*this);
        return std::ldexp(static_cast<double>(high_), 64) + static_cast<double>(low_);
    }
    explicit constexpr operator std::int64_t() const noexcept {
        return static_cast<std::int64_t>(low_);
    }

    constexpr Int128 operator-() const noexcept { return Int128() - *this; }
    constexpr Int128& operator+=(const Int128& other) noexcept { return *this = *this + other; }
    constexpr Int128& operator-=(const Int128& other) noexcept { return *this = *this - other; }

    friend constexpr Int128 operator+(const Int128& one, const Int128& other) noexcept {
        const std::uint64_t low = one.low_ + other.low_;
        return {one.high_ + other.high_ + (low < one.low_ ? 1 : 0), low};
    }
    friend constexpr Int128 operator-(const Int128& one, const Int128& other) noexcept {
        return {one.high_ - other.high_ - (one.low_ < other.low_ ? 1 : 0), one.low_ - other.low_};
    }
    friend constexpr Int128 operator*(const Int128& one, const Int128& other) noexcept {
        Int128 product;
        for (std::size_t bit = 0; bit < 128; ++bit) {
            if (other.bit(bit)) product += one << bit;
        }
        return product;
    }
    // Rounds towards zero. The divisor must not be zero.
    friend constexpr Int128 operator/(const Int128& one, const Int128& other) noexcept {
        const Int128 dividend = one < 0 ? -one : one;
        const Int128 divisor = other < 0 ? -other : other;
        Int128 quotient, rest;
        for (std::size_t bit = 128; bit-- > 0;) {
            rest = (rest << 1) + (dividend.bit(bit) ? 1 : 0);
            quotient = quotient << 1;
            if (rest >= divisor) {
                rest -= divisor;
                quotient += 1;
            }
        }
        return (one < 0) != (other < 0) ? -quotient : quotient;
    }
    friend constexpr Int128 operator<<(const Int128& one, std::size_t by) noexcept {
        if (by == 0) return one;
        if (by >= 64) return {one.low_ << (by - 64), 0};
        return {(one.high_ << by) | (one.low_ >> (64 - by)), one.low_ << by};
    }

    friend constexpr bool operator==(const Int128& one, const Int128& other) noexcept = default;
    friend constexpr std::strong_ordering operator<=>(const Int128& one,
                                                      const Int128& other) noexcept {
        const auto high = static_cast<std::int64_t>(one.high_);
        const auto other_high = static_cast<std::int64_t>(other.high_);
        return high == other_high ? one.low_ <=> other.low_ : high <=> other_high;
    }

private:
    constexpr Int128(std::uint64_t high, std::uint64_t low) noexcept : high_(high), low_(low) {}

    constexpr bool bit(std::size_t place) const noexcept {
        return (((place < 64 ? low_ : high_) >> (place % 64)) & 1) != 0;
    }

    std::uint64_t high_ = 0;  // two's complement
    std::uint64_t low_ = 0;
};

}  // namespace dlx
