// The bindings of reductions.
#include "python/reduction.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <utility>

#include "core/engine.hpp"
#include "python/gil_and_signals.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace dlx {
namespace {

using Array = nb::ndarray<const Int, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

nb::bytes bytes_of(const std::vector<Int>& numbers) {
    return nb::bytes(numbers.data(), numbers.size() * sizeof(Int));
}

// The options that are kept: start, item and color, as bytes.
std::tuple<nb::bytes, nb::bytes, nb::bytes> rows_of(const ReducedProblem& self,
                                                    const Array& number) {
    if (number.size() != self.reduction.into.size()) throw nb::value_error("number: of each item");
    Rows rows;
    {
        ReleasedGil nogil;
        const SignalCheck check(nogil);
        rows = kept_rows(*self.problem, self.reduction, {number.data(), number.size()});
    }
    return {bytes_of(rows.start), bytes_of(rows.item), bytes_of(rows.color)};
}

}  // namespace

ReducedProblem reduce_problem(std::shared_ptr<const Problem> problem, const std::vector<Int>& given,
                              const std::vector<std::uint8_t>& alone, std::int64_t work,
                              double seconds) {
    if (!alone.empty() && alone.size() != static_cast<std::size_t>(problem->items)) {
        throw nb::value_error("alone: a flag for each item");
    }
    const auto started = Clock::now();
    auto next_check = started + slice;
    Reduction reduction;
    {
        ReleasedGil nogil;
        const SignalCheck check(nogil);
        ReductionLimits limits;
        if (work >= 0) limits.work = static_cast<std::uint64_t>(work);
        limits.go_on = [&]() {
            const auto now = Clock::now();
            if (now >= next_check) {
                nogil.have_it_for(check_signals);
                next_check = Clock::now() + slice;
            }
            return std::chrono::duration<double>(now - started).count() < seconds;
        };
        reduction = reduce(*problem, given, alone, limits);
    }
    return {std::move(problem), std::move(reduction)};
}

void bind_reduction(nb::module_& module) {
    nb::class_<ReducedProblem>(module, "Reduction",
                               "Items and options that can be removed from a problem.")
        .def_prop_ro(
            "blocker", [](const ReducedProblem& self) { return bytes_of(self.reduction.blocker); },
            "Of each option, the item that blocks it, or -1: as the bytes of 32-bit integers.")
        .def_prop_ro(
            "into", [](const ReducedProblem& self) { return bytes_of(self.reduction.into); },
            "Of each item, the item that replaces it, or -1, likewise.")
        .def_prop_ro(
            "rounds", [](const ReducedProblem& self) { return self.reduction.rounds; },
            "Passes over the items that found blocked options.")
        .def_prop_ro(
            "work", [](const ReducedProblem& self) { return self.reduction.work; }, "Entries read.")
        .def_prop_ro(
            "complete", [](const ReducedProblem& self) { return self.reduction.complete; },
            "True unless a limit was reached.")
        .def("rows", &rows_of, "number"_a,
             "The options that are kept: start, item and color, as bytes, with new item numbers.");
}

}  // namespace dlx
