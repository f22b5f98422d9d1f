// The bindings of the search for the cheapest solutions.
#include "minimum/minimum.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <mutex>
#include <new>

#include "python/bindings.hpp"
#include "python/signal_check.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace dlx {
namespace {

using Array = nb::ndarray<const Int, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Costs = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using RawStats =
    std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::vector<std::uint64_t>, double>;

std::span<const Int> view(const Array& array) {
    return {array.data(), array.size()};
}

std::span<const Int> view(const std::optional<Array>& array) {
    return array ? view(*array) : std::span<const Int>{};
}

class KernelMinimum {
public:
    // The arrays are those of `Problem`; `cost` and `given` use the caller's indices of options.
    // There may be fewer costs than options: the other options cost 0.
    KernelMinimum(const Array& start, const Array& item, const std::optional<Array>& color,
                  const Array& rank, const std::optional<Array>& order, Int primary,
                  const Costs& cost, const std::vector<Int>& given, std::uint64_t k,
                  std::size_t workers, std::uint64_t alone)
        : problem_(with_signal_checks([&] {
              return std::make_shared<Problem>(make_problem(
                  {view(start), view(item), view(color), view(rank), view(order), primary}));
          })) {
        const SignalCheck check;
        const auto options = static_cast<std::size_t>(problem_->options());
        if (cost.size() > options) throw nb::value_error("cost: one for each option");
        if (k == 0) throw nb::value_error("k: at least 1");
        if (workers == 0) throw nb::value_error("workers: at least 1");
        std::vector<std::int64_t> costs(options, 0);
        std::vector<Int> place(options);
        PeriodicCheck periodic;
        for (std::size_t at = 0; at < options; ++at) {
            const auto label = static_cast<std::size_t>(problem_->label_of(static_cast<Int>(at)));
            if (label < cost.size()) costs[at] = cost.data()[label];
            place[label] = static_cast<Int>(at);
            periodic.add(1);
        }
        std::vector<Int> taken;
        for (const Int option : given) {
            if (option < 0 || option >= problem_->options()) {
                throw nb::index_error("no such option");
            }
            taken.push_back(place[static_cast<std::size_t>(option)]);
        }
        if (first_clash(*problem_, taken)) throw nb::value_error("given: options that clash");
        ReleasedGil nogil;
        const SignalCheck check_again(nogil);
        search_ = make_minimum(problem_, costs, taken, k, {workers, alone});
    }

    // Searches for `seconds` (negative: to the end), or until a signal. Returns whether the search
    // has finished.
    bool run(double seconds) {
        const auto end = seconds < 0 || seconds >= 1e9
                             ? Clock::time_point::max()
                             : Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                  std::chrono::duration<double>(seconds));
        for (;;) {
            bool finished;
            {
                const ReleasedGil nogil;
                const std::lock_guard lock(running_);
                if (broken_) throw std::bad_alloc();
                const auto started = Clock::now();
                try {
                    finished = search_->run(std::min(end, started + slice));
                } catch (...) {
                    broken_ = true;  // a step was interrupted
                    throw;
                }
                seconds_ += std::chrono::duration<double>(Clock::now() - started).count();
            }
            if (finished) return true;
            if (PyErr_CheckSignals() != 0) throw nb::python_error();
            if (Clock::now() >= end) return false;
        }
    }

    // (cost, options) of the cheapest solutions so far, in order.
    std::vector<std::pair<std::int64_t, std::vector<Int>>> best() {
        const ReleasedGil nogil;
        const std::lock_guard lock(running_);
        if (broken_) throw std::bad_alloc();
        std::vector<std::pair<std::int64_t, std::vector<Int>>> result;
        for (Costed& one : search_->best()) {
            for (Int& option : one.options) option = problem_->label_of(option);
            result.emplace_back(one.cost, std::move(one.options));
        }
        return result;
    }

    // The least cost so far, a lower bound on the cost of other solutions, and the work.
    std::tuple<std::optional<std::int64_t>, std::optional<std::int64_t>, RawStats> state() {
        const ReleasedGil nogil;
        const std::lock_guard lock(running_);
        const Stats& stats = search_->stats();
        return {search_->best_cost(), search_->bound(),
                RawStats{stats.nodes, stats.updates, stats.solutions, stats.profile, seconds_}};
    }

private:
    static constexpr std::chrono::milliseconds slice{20};  // between checks for signals

    std::shared_ptr<const Problem> problem_;
    std::unique_ptr<MinimumSearch> search_;
    std::mutex running_;
    bool broken_ = false;  // memory ran out: the search must never appear to be finished
    double seconds_ = 0;
};

}  // namespace

void bind_minimum(nb::module_& module) {
    nb::class_<KernelMinimum>(module, "Minimum", "A search for the cheapest solutions.")
        .def(nb::init<const Array&, const Array&, const std::optional<Array>&, const Array&,
                      const std::optional<Array>&, Int, const Costs&, const std::vector<Int>&,
                      std::uint64_t, std::size_t, std::uint64_t>(),
             "start"_a, "item"_a, "color"_a.none(), "rank"_a, "order"_a.none(), "primary"_a,
             "cost"_a, "given"_a, "k"_a, "workers"_a = 1, "alone"_a = Workers{}.alone)
        .def("run", &KernelMinimum::run, "seconds"_a,
             "Searches for `seconds` (negative: to the end); returns whether it has finished.")
        .def("best", &KernelMinimum::best, "(cost, options) of the cheapest so far, in order.")
        .def_prop_ro("state", &KernelMinimum::state,
                     "(least cost, lower bound of other solutions, (nodes, updates, ...)).");
}

}  // namespace dlx
