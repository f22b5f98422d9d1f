// The bindings of random probes, of refutation searches and of proof searches.
#include "python/probes.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "python/gil_and_signals.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace dlx {
namespace {

// The places in search order of options by the caller's indices.
std::vector<Int> places_of(const Problem& problem, const std::vector<Int>& place,
                           const std::vector<Int>& options) {
    std::vector<Int> places(options);
    for (Int& option : places) {
        if (option < 0 || option >= problem.options()) throw nb::index_error("no such option");
        if (!place.empty()) option = place[static_cast<std::size_t>(option)];
    }
    return places;
}

Probes::Moments moments_of(const RunningMoments& moments) {
    return {moments.mean().mantissa(), moments.mean().exponent(), moments.squares().mantissa(),
            moments.squares().exponent()};
}

}  // namespace

std::uint64_t Probes::run(std::uint64_t total, double seconds) {
    in_slices(running_, seconds,
              [&](Clock::time_point until) { return probing_.run(total, until); });
    const std::lock_guard lock(running_);
    return probing_.made();
}

void Probes::restart(const std::vector<Int>& given) {
    const std::vector<Int> places = places_of(*problem_, place_, given);
    if (first_clash(*problem_, places)) throw nb::value_error("options that clash");
    const ReleasedGil nogil;
    const std::lock_guard lock(running_);
    probing_.restart(places);
}

std::uint64_t Probes::work() {
    const std::lock_guard lock(running_);
    return probing_.work();
}

std::tuple<Probes::Moments, Probes::Moments, std::vector<Probes::Moments>> Probes::moments() {
    const std::lock_guard lock(running_);
    std::vector<Moments> profile;
    for (std::size_t depth = 0; depth < probing_.depths(); ++depth) {
        profile.push_back(moments_of(probing_.at_depth(depth)));
    }
    return {moments_of(probing_.nodes()), moments_of(probing_.solutions()), std::move(profile)};
}

std::vector<std::uint8_t> Refuter::flags_of(const Bytes& kept) const {
    if (kept.size() != static_cast<std::size_t>(problem_->items)) throw nb::value_error("kept");
    return {kept.data(), kept.data() + kept.size()};
}

Refuter::Answer Refuter::answer(RefutationSearch::Verdict verdict) const {
    if (verdict == RefutationSearch::Verdict::refuted) {
        return {"refuted", refuting_.items(), refuting_.givens(), refuting_.nodes()};
    }
    if (verdict == RefutationSearch::Verdict::running)
        return {"stopped", {}, {}, refuting_.nodes()};
    std::vector<Int> solution = refuting_.solution();
    for (Int& option : solution) option = problem_->label_of(option);
    return {"solution", std::move(solution), {}, refuting_.nodes()};
}

Refuter::Answer Refuter::refute(const Bytes& kept, const std::vector<Int>& given,
                                std::uint64_t nodes, double seconds) {
    const std::vector<std::uint8_t> flags = flags_of(kept);
    const std::vector<Int> places = places_of(*problem_, place_, given);
    bool begun = false;
    auto verdict = RefutationSearch::Verdict::running;
    in_slices(running_, seconds, [&](Clock::time_point until) {
        if (!begun) refuting_.begin(flags, places);
        begun = true;
        verdict = refuting_.run(nodes, until);
        return verdict != RefutationSearch::Verdict::running || refuting_.nodes() >= nodes;
    });
    const std::lock_guard lock(running_);
    return answer(verdict);
}

template <class Weights, class... Details>
Refuter::Answer Refuter::weigh_with(const Bytes& kept, const std::vector<Int>& given,
                                    double seconds, Details... details) {
    const std::vector<std::uint8_t> flags = flags_of(kept);
    const std::vector<Int> places = places_of(*problem_, place_, given);
    std::optional<Weights> weights;
    auto verdict = RefutationSearch::Verdict::running;
    in_slices(running_, seconds, [&](Clock::time_point until) {
        if (!weights) {
            refuting_.begin(flags, places);
            weights.emplace(refuting_.active(), details...);
        }
        verdict = refuting_.weigh(*weights, until);
        return verdict != RefutationSearch::Verdict::running ||
               weights->run(until) == Weights::Verdict::none;
    });
    const std::lock_guard lock(running_);
    return answer(verdict);
}

Refuter::Answer Refuter::weigh(const Bytes& kept, const std::vector<Int>& given,
                               std::uint64_t prime, double seconds) {
    if (prime == 0) return weigh_with<FarkasCertificate>(kept, given, seconds);
    if (prime < 2 || prime >= std::uint64_t{1} << 31) throw nb::value_error("prime");
    return weigh_with<ModularCertificate>(kept, given, seconds, prime);
}

Refuter::Prices Refuter::prices(const Bytes& kept, const std::vector<Int>& given, double seconds) {
    const std::vector<std::uint8_t> flags = flags_of(kept);
    const std::vector<Int> places = places_of(*problem_, place_, given);
    std::optional<FarkasCertificate> certificate;
    auto verdict = FarkasCertificate::Verdict::running;
    in_slices(running_, seconds, [&](Clock::time_point until) {
        if (!certificate) {
            refuting_.begin(flags, places);
            certificate.emplace(refuting_.active());
        }
        verdict = certificate->run(until);
        return verdict != FarkasCertificate::Verdict::running;
    });
    Prices answer{};
    if (verdict != FarkasCertificate::Verdict::found) return answer;
    for (Int item = 0; item < problem_->items; ++item) {
        const std::int64_t price = certificate->price(item);
        if (price != 0) std::get<0>(answer).emplace_back(item, price);
    }
    const FarkasCertificate::Sums sums = certificate->sums();
    std::get<1>(answer) = sums.demand;
    std::get<2>(answer) = sums.supply;
    std::get<3>(answer) = sums.beside;
    return answer;
}

std::vector<std::pair<Int, std::uint64_t>> Refuter::weights(const Bytes& kept,
                                                            const std::vector<Int>& given,
                                                            std::uint64_t prime, double seconds) {
    const std::vector<std::uint8_t> flags = flags_of(kept);
    const std::vector<Int> places = places_of(*problem_, place_, given);
    std::optional<ModularCertificate> certificate;
    auto verdict = ModularCertificate::Verdict::running;
    in_slices(running_, seconds, [&](Clock::time_point until) {
        if (!certificate) {
            refuting_.begin(flags, places);
            certificate.emplace(refuting_.active(), prime);
        }
        verdict = certificate->run(until);
        return verdict != ModularCertificate::Verdict::running;
    });
    std::vector<std::pair<Int, std::uint64_t>> answer;
    if (verdict != ModularCertificate::Verdict::found) return answer;
    for (Int item = 0; item < problem_->items; ++item) {
        if (certificate->has_weight(item)) answer.emplace_back(item, certificate->weight(item));
    }
    return answer;
}

ProofWriter::ProofWriter(std::shared_ptr<const Problem> problem, std::vector<Int> place,
                         const std::vector<Int>& given, bool drat, bool in_order, bool every,
                         std::uint64_t constraints, std::vector<std::uint8_t> loose,
                         std::vector<std::uint8_t> kept)
    : problem_(std::move(problem)),
      place_(std::move(place)),
      search_(problem_, drat ? ProofSearch::Format::drat : ProofSearch::Format::pseudo_boolean,
              in_order, every, constraints, std::move(loose)),
      given_(places_of(*problem_, place_, given)),
      kept_(std::move(kept)) {}

std::pair<nb::bytes, std::optional<std::vector<Int>>> ProofWriter::run(std::uint64_t nodes,
                                                                       std::size_t bytes,
                                                                       double seconds) {
    std::string text;
    in_slices(running_, seconds, [&](Clock::time_point until) {
        if (!std::exchange(begun_, true)) search_.begin(given_, kept_);
        verdict_ = search_.run(nodes, bytes, until);
        text += search_.take_text();
        return verdict_ != ProofSearch::Verdict::running || search_.nodes() >= nodes ||
               text.size() >= bytes;
    });
    const std::lock_guard lock(running_);
    std::optional<std::vector<Int>> solution;
    if (verdict_ == ProofSearch::Verdict::solution) {
        solution = search_.solution();
        for (Int& option : *solution) option = problem_->label_of(option);
    }
    return {nb::bytes(text.data(), text.size()), std::move(solution)};
}

void ProofWriter::begin_below(const std::vector<Int>& given, const std::vector<Int>& removed,
                              std::string decisions, std::uint64_t constraints,
                              std::vector<std::int64_t> costs, std::int64_t amount,
                              std::vector<Int> variables) {
    const auto options = static_cast<std::size_t>(problem_->options());
    if (costs.size() != options || variables.size() != options) {
        throw nb::value_error("each option has a cost and a variable");
    }
    const std::lock_guard lock(running_);
    begun_ = true;
    verdict_ = ProofSearch::Verdict::running;
    search_.begin_below({places_of(*problem_, place_, given), places_of(*problem_, place_, removed),
                         std::move(decisions), constraints, std::move(costs), amount,
                         std::move(variables)});
}

bool ProofWriter::exhausted() {
    const std::lock_guard lock(running_);
    return verdict_ == ProofSearch::Verdict::exhausted;
}

std::tuple<std::uint64_t, std::uint64_t, std::uint64_t> ProofWriter::work() {
    const std::lock_guard lock(running_);
    return {search_.nodes(), search_.updates(), search_.last_constraint()};
}

void bind_probing(nb::module_& module) {
    nb::class_<ProofWriter>(module, "ProofWriter", "A search that writes a proof of its result.")
        .def("run", &ProofWriter::run, "nodes"_a, "size"_a, "seconds"_a,
             "The proof since the last call, up to the next solution; and that, or None.")
        .def("begin_below", &ProofWriter::begin_below, "given"_a, "removed"_a, "decisions"_a,
             "constraints"_a, "costs"_a, "amount"_a, "variables"_a,
             "Begins anew, below a node of another search.")
        .def_prop_ro("exhausted", &ProofWriter::exhausted, "Is the proof complete?")
        .def_prop_ro("work", &ProofWriter::work, "(nodes, updates, number of constraints)");

    nb::class_<Probes>(module, "Probes", "Random descents through a search tree.")
        .def("run", &Probes::run, "total"_a, "seconds"_a = unlimited_seconds,
             "Continues until there are `total` probes or the time is up; returns how many.")
        .def("restart", &Probes::restart, "given"_a,
             "Discards all probes; the next ones begin below these options.")
        .def_prop_ro("work", &Probes::work, "The work so far, in elementary steps.")
        .def("moments", &Probes::moments,
             "Means and squares, as mantissas and exponents: of nodes, solutions, depths.");

    nb::class_<Refuter>(module, "Refuter",
                        "Searches that find the reason why there is no solution.")
        .def("refute", &Refuter::refute, "kept"_a, "given"_a, "nodes"_a, "seconds"_a,
             "(verdict, items or options, places of givens, nodes)")
        .def("prices", &Refuter::prices, "kept"_a, "given"_a, "seconds"_a,
             "(pairs of item and price, demand, supply, beside) of a Farkas certificate.")
        .def("weights", &Refuter::weights, "kept"_a, "given"_a, "prime"_a, "seconds"_a,
             "Pairs of an item and its weight, of a certificate modulo a prime.")
        .def("weigh", &Refuter::weigh, "kept"_a, "given"_a, "prime"_a, "seconds"_a,
             "The same by weights alone: modulo a prime, or by prices (0).");
}

}  // namespace dlx
