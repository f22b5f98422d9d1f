// The bindings of linear programs.
#include "python/relaxation.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <vector>

#include "python/gil_and_signals.hpp"
#include "relaxation/simplex.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace dlx {
namespace {

template <class Number>
using Vector = nb::ndarray<const Number, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Number>
std::vector<Number> copy_of(const Vector<Number>& array) {
    return {array.data(), array.data() + array.size()};
}

nb::bytes bytes_of(const std::vector<double>& numbers) {
    return nb::bytes(reinterpret_cast<const char*>(numbers.data()),
                     numbers.size() * sizeof(double));
}

// A `Simplex` for Python: releases the GIL while it works, and checks for signals.
class LinearProgramWork {
public:
    LinearProgramWork(const Vector<double>& low, const Vector<double>& high)
        : simplex_(copy_of(low), copy_of(high)) {
        if (low.size() != high.size()) throw nb::value_error("high: one for each row");
    }

    void add_columns(const Vector<std::int64_t>& start, const Vector<Int>& row,
                     const Vector<double>& weight, const Vector<double>& cost,
                     const Vector<double>& upper) {
        const std::lock_guard lock(running_);
        const auto rows = static_cast<Int>(simplex_.rows());
        const std::size_t count = cost.size();
        bool sound = start.size() == count + 1 && weight.size() == row.size() &&
                     upper.size() == count && start(0) == 0 &&
                     start(count) == static_cast<std::int64_t>(row.size());
        for (std::size_t at = 0; sound && at < count; ++at) sound = start(at) <= start(at + 1);
        for (std::size_t at = 0; sound && at < count; ++at) {
            sound = std::isfinite(cost(at)) && upper(at) >= 0 && std::isfinite(upper(at));
        }
        for (std::size_t at = 0; sound && at < row.size(); ++at) {
            sound = row(at) >= 0 && row(at) < rows && std::isfinite(weight(at));
        }
        if (!sound) throw nb::value_error("columns: the arrays do not fit together");
        ProgramColumns columns;
        columns.start.assign(start.data(), start.data() + start.size());
        columns.row = copy_of(row);
        columns.weight = copy_of(weight);
        columns.cost = copy_of(cost);
        columns.upper = copy_of(upper);
        simplex_.add_columns(columns);
    }

    void set_bounds(std::size_t column, double lower, double upper) {
        const std::lock_guard lock(running_);
        if (column >= simplex_.columns() || !(lower <= upper) || !std::isfinite(lower + upper)) {
            throw nb::value_error("column: no such column, or no such bounds");
        }
        simplex_.set_bounds(column, lower, upper);
    }

    std::string solve(double seconds) {
        auto status = Simplex::Status::stopped;
        in_slices(running_, seconds, [&](Clock::time_point until) {
            Simplex::Limits limits;
            limits.until = until;
            status = simplex_.solve(limits);
            if (status == Simplex::Status::optimal) status = simplex_.solve_unperturbed(limits);
            return status != Simplex::Status::stopped;
        });
        return name_of(status);
    }

    double objective() {
        const std::lock_guard lock(running_);
        return simplex_.objective();
    }
    std::uint64_t iterations() {
        const std::lock_guard lock(running_);
        return simplex_.iterations();
    }
    nb::bytes prices() {
        const std::lock_guard lock(running_);
        return bytes_of(simplex_.prices());
    }
    nb::bytes values() {
        const std::lock_guard lock(running_);
        return bytes_of(simplex_.values());
    }

private:
    static std::string name_of(Simplex::Status status) {
        if (status == Simplex::Status::optimal) return "optimal";
        if (status == Simplex::Status::infeasible) return "infeasible";
        return status == Simplex::Status::failed ? "failed" : "stopped";
    }

    Simplex simplex_;
    std::mutex running_;
};

}  // namespace

void bind_relaxation(nb::module_& module) {
    nb::class_<LinearProgramWork>(module, "LinearProgram",
                                  "Minimizes the cost of columns from 0 to their upper bounds; "
                                  "rows are between low and high.")
        .def(nb::init<const Vector<double>&, const Vector<double>&>(), "low"_a, "high"_a)
        .def("add_columns", &LinearProgramWork::add_columns, "start"_a, "row"_a, "weight"_a,
             "cost"_a, "upper"_a, "Adds columns: the last basis stays the start of `solve`.")
        .def("set_bounds", &LinearProgramWork::set_bounds, "column"_a, "lower"_a, "upper"_a)
        .def("solve", &LinearProgramWork::solve, "seconds"_a,
             "Returns 'optimal', 'infeasible', 'stopped' or 'failed'; may be called again.")
        .def("prices", &LinearProgramWork::prices, "The dual value of each row, as doubles.")
        .def("values", &LinearProgramWork::values, "The value of each column, as doubles.")
        .def_prop_ro("objective", &LinearProgramWork::objective)
        .def_prop_ro("iterations", &LinearProgramWork::iterations);
}

}  // namespace dlx
