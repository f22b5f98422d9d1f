// Declares the bindings of the search for the cheapest solutions, which python/module.cpp uses.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "minimum/minimum.hpp"

namespace dlx {

// A `MinimumSearch` for Python: releases the GIL while it works, and checks for signals. One thread
// at a time uses it; another one waits, at most for one time slice.
class MinimumWork {
public:
    // `by_relaxation`: branch and bound over the linear relaxation (minimum/relaxation_search.hpp).
    // `cost`: by the caller's indices of options. There may be fewer costs than options: the other
    // options cost 0. `given`: options in search numbering, no two of which clash.
    MinimumWork(std::shared_ptr<const Problem> problem, std::span<const std::int64_t> cost,
                std::span<const Int> given, const MinimumOptions& options, bool by_relaxation);

    // Searches for `seconds` (infinity: to the end), or until a signal. Returns whether the search
    // has finished.
    bool run(double seconds);

    // (cost, options) of the cheapest solutions so far, in order.
    std::vector<std::pair<std::int64_t, std::vector<Int>>> best();

    // The least cost so far, and a lower bound on the cost of other solutions.
    std::pair<std::optional<std::int64_t>, std::optional<std::int64_t>> bounds();
    nanobind::object stats();

    // Tells a solution that was found elsewhere: cost, and options by the caller's indices.
    void offer(std::int64_t cost, std::vector<Int> options);
    // Has the search ended without an answer?
    bool given_up();

    // The state of the search, and going on from one: see `MinimumSearch`.
    nanobind::bytes save();
    void restore(nanobind::bytes state);

private:
    std::shared_ptr<const Problem> problem_;
    std::unique_ptr<MinimumSearch> search_;
    std::vector<Int> place_;  // of the caller's options, if there are labels
    std::mutex running_;
    bool broken_ = false;  // memory ran out: the search must never appear to be finished
    double seconds_ = 0;
};

void bind_minimum(nanobind::module_& module);

}  // namespace dlx
