// Reads a `Budget` of dlx/core/budget.py: how far a run of a search may go.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>

#include "python/gil_and_signals.hpp"

namespace dlx {

struct RunBudget {
    std::uint64_t solutions;
    Clock::time_point deadline;
    std::uint64_t nodes;

    // The tuple (solutions, deadline, nodes). Python's clock may have another zero than ours, so
    // the seconds that are left tell the deadline.
    explicit RunBudget(nanobind::handle budget) {
        PyObject* const limits = budget.ptr();
        if (!PyTuple_Check(limits) || PyTuple_GET_SIZE(limits) != 3) {
            throw nanobind::type_error("budget: a dlx.core.budget.Budget");
        }
        solutions = PyLong_AsUnsignedLongLong(PyTuple_GET_ITEM(limits, 0));
        double seconds = PyFloat_AsDouble(PyTuple_GET_ITEM(limits, 1));
        nodes = PyLong_AsUnsignedLongLong(PyTuple_GET_ITEM(limits, 2));
        if (PyErr_Occurred() != nullptr) throw nanobind::python_error();
        if (seconds != unlimited_seconds) {
            seconds = nanobind::cast<double>(budget.attr("seconds_left")());
        }
        deadline = Clock::now() + duration_of(seconds);
    }
};

}  // namespace dlx
