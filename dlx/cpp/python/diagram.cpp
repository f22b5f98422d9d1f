// The bindings of diagrams.
#include "python/diagram.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <utility>

#include "diagram/passes.hpp"
#include "python/gil_and_signals.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace dlx {
namespace {

template <class T>
nb::bytes bytes_of(const Column<T>& column) {
    static_assert(sizeof(T) == 4);
    PyObject* made =
        PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(column.size() * sizeof(T)));
    if (made == nullptr) throw nb::python_error();
    column.copy_to(reinterpret_cast<T*>(PyBytes_AS_STRING(made)));
    return nb::steal<nb::bytes>(made);
}

DiagramColumns columns_of(const Nodes& nodes, NodeId root) {
    return {bytes_of(nodes.options()), bytes_of(nodes.lows()), bytes_of(nodes.highs()), root};
}

template <class T>
using Row = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// The sets of a diagram that contain an option. The caller has checked the columns.
DiagramColumns keep_sets_with_option(const Row<Int>& option, const Row<NodeId>& low,
                                     const Row<NodeId>& high, NodeId root, Int wanted) {
    Budget budget(std::numeric_limits<std::uint64_t>::max());
    Nodes nodes(budget);
    {
        const ReleasedGil nogil;
        root = keep_sets_with(wanted,
                              {{option.data(), option.size()},
                               {low.data(), low.size()},
                               {high.data(), high.size()},
                               root},
                              nodes);
    }
    return columns_of(nodes, root);
}

}  // namespace

DiagramWork::DiagramWork(std::shared_ptr<const Problem> problem, std::span<const Int> given,
                         std::span<const Int> order, std::uint64_t memory_limit, bool bits) {
    const ReleasedGil nogil;
    try {
        builder_ = DiagramBuilder::make(std::move(problem), given, order, memory_limit, bits);
    } catch (const OverBudget&) {
        builder_.reset();
    }
}

std::string DiagramWork::run(double seconds) {
    if (builder_ == nullptr) return "memory";
    const auto end = Clock::now() + duration_of(seconds);
    for (;;) {
        try {
            const ReleasedGil nogil;
            if (builder_->run(std::min(end, Clock::now() + slice))) return "finished";
        } catch (const OverBudget&) {
            return "memory";
        }
        check_signals();
        if (Clock::now() >= end) return "timeout";
    }
}

DiagramColumns DiagramWork::take() const {
    return columns_of(builder_->nodes(), builder_->root());
}

nb::bytes DiagramWork::variables() const {
    const std::vector<Int> options = builder_->variables();
    return nb::bytes(options.data(), options.size() * sizeof(Int));
}

std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>
DiagramWork::stats() const {
    if (builder_ == nullptr) return {0, 0, 0, 0, 0};
    return {builder_->tried(), builder_->updates(), builder_->subproblems(),
            builder_->nodes().size() - diagram::inner, builder_->peak()};
}

void bind_diagrams(nb::module_& module) {
    nb::class_<DiagramWork>(module, "DiagramWork", "A diagram under construction.")
        .def("run", &DiagramWork::run, "seconds"_a = unlimited_seconds,
             "Continues for `seconds`; returns \"finished\", \"timeout\" or \"memory\".")
        .def("take", &DiagramWork::take, "The columns option, low and high, and the root.")
        .def("variables", &DiagramWork::variables,
             "The options in the order of an ordered diagram.")
        .def_prop_ro("stats", &DiagramWork::stats, "(tried, updates, subproblems, nodes, bytes)");
    module.def("keep_sets_with", &keep_sets_with_option, "option"_a, "low"_a, "high"_a, "root"_a,
               "wanted"_a, "The sets of a diagram that contain an option.");
}

}  // namespace dlx
