// The bindings of the search for the cheapest solutions.
#include "python/minimum.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <mutex>
#include <new>
#include <string>

#include "minimum/relaxation_search.hpp"
#include "python/gil_and_signals.hpp"
#include "python/stats.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace dlx {
namespace {

constexpr std::chrono::milliseconds ordering{50};  // at most, when a search is interrupted

}  // namespace

MinimumWork::MinimumWork(std::shared_ptr<const Problem> problem, std::span<const std::int64_t> cost,
                         std::span<const Int> given, const MinimumOptions& options,
                         bool by_relaxation)
    : problem_(std::move(problem)) {
    const SignalCheck check;
    const auto count = static_cast<std::size_t>(problem_->options());
    if (cost.size() > count) throw nb::value_error("cost: one for each option");
    if (options.k == 0) throw nb::value_error("k: at least 1");
    if (options.workers == 0) throw nb::value_error("workers: at least 1");
    std::vector<std::int64_t> costs(count, 0);
    PeriodicCheck periodic;
    for (std::size_t at = 0; at < count; ++at) {
        const auto label = static_cast<std::size_t>(problem_->label_of(static_cast<Int>(at)));
        if (label < cost.size()) costs[at] = cost[label];
        periodic.add(1);
    }
    ReleasedGil nogil;
    const SignalCheck check_again(nogil);
    if (by_relaxation) {
        search_ = std::make_unique<RelaxationSearch>(problem_, costs, given, options.k,
                                                     options.any_order);
        return;
    }
    search_ = make_minimum(problem_, costs, given, options);
}

bool MinimumWork::run(double seconds) {
    const auto end = Clock::now() + duration_of(seconds);
    for (;;) {
        bool finished, given_up;
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
            given_up = search_->given_up();
            seconds_ += std::chrono::duration<double>(Clock::now() - started).count();
        }
        if (finished || given_up) return finished;
        check_signals();
        if (Clock::now() >= end) return false;
    }
}

std::vector<std::pair<std::int64_t, std::vector<Int>>> MinimumWork::best() {
    const ReleasedGil nogil;
    const std::lock_guard lock(running_);
    if (broken_) throw std::bad_alloc();
    std::vector<std::pair<std::int64_t, std::vector<Int>>> result;
    for (Costed& one : search_->best(Clock::now() + ordering)) {
        for (Int& option : one.options) option = problem_->label_of(option);
        result.emplace_back(one.cost, std::move(one.options));
    }
    return result;
}

std::pair<std::optional<std::int64_t>, std::optional<std::int64_t>> MinimumWork::bounds() {
    const ReleasedGil nogil;
    const std::lock_guard lock(running_);
    return {search_->best_cost(), search_->bound()};
}

void MinimumWork::offer(std::int64_t cost, std::vector<Int> options) {
    const ReleasedGil nogil;
    const std::lock_guard lock(running_);
    if (place_.empty()) place_ = places_of_labels(*problem_);
    for (Int& option : options) {
        if (option < 0 || option >= problem_->options()) throw nb::value_error("options: unknown");
        if (!place_.empty()) option = place_[index(option)];
    }
    search_->offer(cost, std::move(options));
}

bool MinimumWork::given_up() {
    const ReleasedGil nogil;
    const std::lock_guard lock(running_);
    return search_->given_up();
}

nb::object MinimumWork::stats() {
    const auto [stats, seconds] = [this] {
        const ReleasedGil nogil;
        const std::lock_guard lock(running_);
        return std::pair(search_->stats(), seconds_);
    }();
    return stats_object(stats, seconds);
}

nb::bytes MinimumWork::save() {
    std::vector<std::int64_t> words;
    {
        const ReleasedGil nogil;
        const std::lock_guard lock(running_);
        if (broken_) throw std::bad_alloc();
        words = search_->save();
    }
    std::string bytes;
    bytes.reserve(8 * words.size());
    for (const std::int64_t word : words) {
        for (int at = 0; at < 64; at += 8) {
            bytes.push_back(static_cast<char>(static_cast<std::uint64_t>(word) >> at & 0xFF));
        }
    }
    return nb::bytes(bytes.data(), bytes.size());
}

void MinimumWork::restore(nb::bytes state) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(state.c_str());
    if (state.size() % 8 != 0) throw nb::value_error("state: not a number of words");
    std::vector<std::int64_t> words(state.size() / 8);
    for (std::size_t at = 0; at < state.size(); ++at) {
        const auto byte = static_cast<std::uint64_t>(bytes[at]) << 8 * (at % 8);
        words[at / 8] = static_cast<std::int64_t>(static_cast<std::uint64_t>(words[at / 8]) | byte);
    }
    const ReleasedGil nogil;
    const std::lock_guard lock(running_);
    search_->restore(words);
}

void bind_minimum(nb::module_& module) {
    nb::class_<MinimumWork>(module, "Minimum", "A search for the cheapest solutions.")
        .def("run", &MinimumWork::run, "seconds"_a = unlimited_seconds,
             "Searches for `seconds`; returns whether it has finished.")
        .def("best", &MinimumWork::best, "(cost, options) of the cheapest so far, in order.")
        .def("save", &MinimumWork::save, "What is known and what is left, as bytes.")
        .def("restore", &MinimumWork::restore, "state"_a,
             "Goes on from what `save` returned; before the first `run`. Raises ValueError.")
        .def("offer", &MinimumWork::offer, "cost"_a, "options"_a,
             "Tells a solution that was found elsewhere.")
        .def_prop_ro("given_up", &MinimumWork::given_up, "Whether it has ended without an answer.")
        .def_prop_ro("bounds", &MinimumWork::bounds, "(least cost, lower bound of other solutions)")
        .def_prop_ro("stats", &MinimumWork::stats, "The work so far: `dlx.Stats`.");
}

}  // namespace dlx
