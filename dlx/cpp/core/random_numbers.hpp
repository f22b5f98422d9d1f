// Random numbers from a seed: SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom
// number generators", OOPSLA 2014). The same on every machine, and in
// dlx/engines/python/probes.py.
#pragma once

#include <cstdint>

namespace dlx {

class RandomNumbers {
public:
    explicit RandomNumbers(std::uint64_t seed) noexcept : state_(seed) {}

    std::uint64_t next() noexcept {
        std::uint64_t mixed = state_ += 0x9E3779B97F4A7C15u;
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
        return mixed ^ (mixed >> 31);
    }

    // One of 0 .. bound-1, all equally likely. Numbers from the last, incomplete, run of `bound`
    // numbers are rejected.
    std::uint64_t below(std::uint64_t bound) noexcept {
        const std::uint64_t extra = (0 - bound) % bound;  // 2^64 mod bound
        for (;;) {
            const std::uint64_t number = next();
            if (number >= extra) return number % bound;
        }
    }

private:
    std::uint64_t state_;
};

}  // namespace dlx
