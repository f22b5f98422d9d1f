// Declares the bindings of diagrams, which python/module.cpp uses.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <span>
#include <string>
#include <tuple>

#include "counting/layers_order.hpp"
#include "diagram/builder.hpp"

namespace dlx {

// The columns of a diagram as Python keeps them, and the root: (option, low, high, root).
using DiagramColumns = std::tuple<nanobind::bytes, nanobind::bytes, nanobind::bytes, NodeId>;

// A diagram under construction.
class DiagramWork {
public:
    DiagramWork(std::shared_ptr<const Problem> problem, std::span<const Int> given,
                std::span<const Int> order, std::uint64_t memory_limit, bool bits);

    // Continues for `seconds`. Returns "finished", "timeout" or "memory".
    std::string run(double seconds);

    // The finished diagram.
    DiagramColumns take() const;
    nanobind::bytes variables() const;

    // (options tried, updates, subproblems, nodes, bytes taken)
    std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t> stats()
        const;

private:
    std::unique_ptr<DiagramBuilder> builder_;  // null if there was not enough memory to begin
};

void bind_diagrams(nanobind::module_& module);

}  // namespace dlx
