// What python/module.cpp needs of python/reduction.cpp, which lets Python reduce problems.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "reduce/reduction.hpp"

namespace dlx {

// A reduction and the problem it is of.
struct ReducedProblem {
    std::shared_ptr<const Problem> problem;
    Reduction reduction;
};

// Negative `seconds`: no such limit; so with `work`, entries looked at. Releases the GIL.
ReducedProblem reduce_problem(std::shared_ptr<const Problem> problem, const std::vector<Int>& given,
                              const std::vector<std::uint8_t>& alone, std::int64_t work,
                              double seconds);

void bind_reduction(nanobind::module_& module);

}  // namespace dlx
