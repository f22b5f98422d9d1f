// The bindings of counting.
#include "python/counting.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <stdexcept>

#include "python/gil_and_signals.hpp"
#include "python/stats.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace dlx {
namespace {

// Lowest byte first, as int.from_bytes can read it on every machine.
nb::bytes bytes_of(const Natural& number) {
    std::string bytes;
    for (const std::uint64_t limb : number) {
        for (int shift = 0; shift < 64; shift += 8) {
            bytes.push_back(static_cast<char>(static_cast<unsigned char>(limb >> shift)));
        }
    }
    return nb::bytes(bytes.data(), bytes.size());
}

}  // namespace

CountStrategy CountSearch::strategy_named(const std::string& name) {
    if (name == "auto") return CountStrategy::automatic;
    if (name == "layers") return CountStrategy::by_layers;
    if (name == "without symmetry") return CountStrategy::without_symmetry;
    if (name == "learning") return CountStrategy::by_learning;
    if (name == "subproblems") return CountStrategy::by_subproblems;
    throw std::invalid_argument("no such way to count");
}

bool CountSearch::run(double seconds) {
    const auto end = Clock::now() + duration_of(seconds);
    for (;;) {
        const Outcome outcome = alone([&] {
            const auto before = Clock::now();
            const Outcome reached = counting_.run(std::min(end, before + slice));
            seconds_ += std::chrono::duration<double>(Clock::now() - before).count();
            return reached;
        });
        if (outcome == Outcome::finished) return false;
        if (outcome == Outcome::spent) return true;
        check_signals();
        if (Clock::now() >= end) return false;
    }
}

nb::list CountSearch::factors() const {
    nb::list list;
    const auto factors = alone([&] { return counting_.factors(); });
    for (const Natural& factor : factors) list.append(bytes_of(factor));
    return list;
}

nb::object CountSearch::stats() const {
    const auto [stats, seconds] = alone([&] { return std::pair(counting_.stats(), seconds_); });
    return stats_object(stats, seconds);
}

std::tuple<std::uint64_t, std::uint64_t, std::uint64_t> CountSearch::tally() const {
    const SubproblemTally tally = alone([&] { return counting_.tally(); });
    return {tally.lookups, tally.hits, tally.skipped};
}

CertificateWork::CertificateWork(std::shared_ptr<const Problem> problem,
                                 const std::vector<Int>& given, const std::vector<Int>& order,
                                 bool isomorphic, std::uint64_t memory) {
    ReleasedGil nogil;
    const SignalCheck check(nogil);
    writer_ =
        std::make_unique<CountCertificate>(std::move(problem), given, order, isomorphic, memory);
}

nb::bytes CertificateWork::run(double seconds, std::uint64_t lines) {
    const auto end = Clock::now() + duration_of(seconds);
    for (;;) {
        {
            const ReleasedGil nogil;
            writer_->run(std::min(end, Clock::now() + slice), lines);
        }
        check_signals();
        if (writer_->pauses(lines) || Clock::now() >= end) break;
    }
    const std::string text = writer_->take_text();
    return nb::bytes(text.data(), text.size());
}

nb::bytes CertificateWork::solutions() const {
    return bytes_of(writer_->solutions());
}

void bind_counting(nb::module_& module) {
    nb::class_<CountSearch>(module, "Count", "Solutions being counted.")
        .def("run", &CountSearch::run, "seconds"_a = unlimited_seconds,
             "Continues until all is counted or `seconds` have passed; True: the caller must list.")
        .def("report", &CountSearch::report, "nodes"_a, "updates"_a, "solutions"_a, "profile"_a,
             "finished"_a, "Reports the total work of the caller's listing.")
        .def_prop_ro("part", &CountSearch::part, "The number of the part that is being counted.")
        .def_prop_ro("nodes_for_others", &CountSearch::nodes_for_others,
                     "The number of nodes after which the caller's listing must report.")
        .def_prop_ro("finished", &CountSearch::finished, "Has everything been counted?")
        .def_prop_ro("work", &CountSearch::work, "Elementary steps of all kinds so far.")
        .def_prop_ro("factors", &CountSearch::factors,
                     "Numbers (little-endian) whose product are the solutions found so far.")
        .def_prop_ro("tally", &CountSearch::tally,
                     "(lookups, hits, skipped) of the count by classes of subproblems.")
        .def_prop_ro("stats", &CountSearch::stats, "The work so far: `dlx.Stats`.");
    nb::class_<CertificateWork>(module, "CountCertificate", "A certificate of a count.")
        .def(
            "run", &CertificateWork::run, "seconds"_a, "lines"_a,
            "Continues for `seconds`, until there are `lines`, or a megabyte: the text since then.")
        .def_prop_ro("finished", &CertificateWork::finished, "Are all lines written?")
        .def_prop_ro("lines", &CertificateWork::lines, "The number of lines so far.")
        .def_prop_ro("solutions", &CertificateWork::solutions,
                     "The number of solutions found so far (little-endian).");
}

}  // namespace dlx
