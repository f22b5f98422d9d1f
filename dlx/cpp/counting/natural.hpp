// Natural numbers of any size: counts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace dlx {

// A number of any size, lowest limb first. Zero may have any number of limbs.
using Natural = std::vector<std::uint64_t>;

// Multiplies a number by a factor.
inline void multiply(Natural& number, std::uint64_t factor) {
    std::uint64_t carry = 0;
    for (std::uint64_t& limb : number) {
        // 64 x 64 bits in four products of 32 bits.
        const std::uint64_t low = limb & 0xFFFFFFFF, high = limb >> 32;
        const std::uint64_t low2 = factor & 0xFFFFFFFF, high2 = factor >> 32;
        const std::uint64_t inner = low * low2;
        const std::uint64_t cross = high * low2 + (inner >> 32);
        const std::uint64_t cross2 = low * high2 + (cross & 0xFFFFFFFF);
        std::uint64_t top = high * high2 + (cross >> 32) + (cross2 >> 32);
        limb = (cross2 << 32) | (inner & 0xFFFFFFFF);
        limb += carry;
        top += limb < carry ? 1 : 0;
        carry = top;
    }
    if (carry != 0) number.push_back(carry);
}

// Adds another number, shifted by some limbs.
inline void add(Natural& number, const Natural& other, std::size_t shift = 0) {
    if (number.size() < other.size() + shift) number.resize(other.size() + shift, 0);
    std::uint64_t carry = 0;
    for (std::size_t limb = shift; limb < number.size(); ++limb) {
        const std::uint64_t more = limb - shift < other.size() ? other[limb - shift] : 0;
        if (more == 0 && carry == 0 && limb - shift >= other.size()) return;
        const std::uint64_t sum = number[limb] + more;
        const std::uint64_t total = sum + carry;
        carry = (sum < more ? 1 : 0) + (total < carry ? 1 : 0);
        number[limb] = total;
    }
    if (carry != 0) number.push_back(carry);
}

inline Natural product(const Natural& one, const Natural& other) {
    Natural result;
    for (std::size_t limb = 0; limb < other.size(); ++limb) {
        Natural row = one;
        multiply(row, other[limb]);
        add(result, row, limb);
    }
    return result;
}

inline bool is_zero(const Natural& number) noexcept {
    return std::ranges::all_of(number, [](std::uint64_t limb) { return limb == 0; });
}

inline bool is_less(const Natural& one, const Natural& other) {
    for (std::size_t limb = std::max(one.size(), other.size()); limb-- > 0;) {
        const std::uint64_t left = limb < one.size() ? one[limb] : 0;
        const std::uint64_t right = limb < other.size() ? other[limb] : 0;
        if (left != right) return left < right;
    }
    return false;
}

}  // namespace dlx
