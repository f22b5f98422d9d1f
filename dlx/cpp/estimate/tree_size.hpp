// Estimates the size of the search tree by Knuth's random probes (estimate/probes.hpp).
//
// The mean of all probes is unbiased, but single probes can be far above it. So the estimate is the
// median of the means of a few groups, which tends to be too low.
//
// A probe of a problem with 100,000 items takes long, so probes can be interrupted at any time.
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
    explicit TreeProbes(std::shared_ptr<const Problem> problem, std::span<const Int> given = {})
        : probing_(std::move(problem), given, 1) {}

    // Makes probes, at least one of each group and at most 800, until their work reaches `work`
    // (true), or until a time (false). The probes are the same each time.
    bool run(std::uint64_t work, Clock::time_point until);

    TreeSize size() const;
    // The unbiased estimate of the number of nodes, at most 10^250.
    double mean_nodes() const noexcept { return probing_.nodes().mean().at_most(1e250); }
    std::uint64_t work() const noexcept { return probing_.work(); }

private:
    static constexpr std::size_t groups = 8;
    static constexpr std::size_t most_probes = 100 * groups;

    Probing probing_;
    std::array<ScaledDouble, groups> nodes_{}, solutions_{};  // sums
};

}  // namespace dlx
