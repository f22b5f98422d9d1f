// Declares the bindings of reductions, which python/module.cpp uses.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "reduce/reduction.hpp"

namespace dlx {

// A reduction and its problem.
struct ReducedProblem {
    std::shared_ptr<const Problem> problem;
    Reduction reduction;
};

// Negative `work` (entries read): no limit. Releases the GIL.
ReducedProblem reduce_problem(std::shared_ptr<const Problem> problem, const std::vector<Int>& given,
                              const std::vector<std::uint8_t>& alone, std::int64_t work,
                              double seconds);

void bind_reduction(nanobind::module_& module);

}  // namespace dlx
