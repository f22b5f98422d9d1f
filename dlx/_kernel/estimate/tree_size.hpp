// How large is the search tree? Knuth's estimate, by random probes (estimate/probes.hpp).
//
// The mean of all probes is wanted, but single probes can be far above it; of the means of a few
// groups the median is taken, which errs on the low side.
//
// A probe of a problem with 100,000 items is long, so probes can be interrupted at any time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "estimate/probes.hpp"

namespace dlx {

struct TreeSize {
    double nodes = 0;  // at most 10^250, as solutions
    double solutions = 0;
};

class TreeProbes {
public:
    explicit TreeProbes(std::shared_ptr<const Problem> problem)
        : probing_(std::move(problem), {}, 1) {}

    // Makes probes, the same ones each time, one of each group at least and 800 at most, until so
    // much work has been done (true), or until a time (false).
    bool run(std::uint64_t work, Clock::time_point until);

    TreeSize size() const;
    std::uint64_t work() const noexcept { return probing_.work(); }

private:
    static constexpr std::size_t groups = 8;
    static constexpr std::size_t most_probes = 100 * groups;

    Probing probing_;
    std::array<Wide, groups> nodes_{}, solutions_{};  // sums
};

}  // namespace dlx
