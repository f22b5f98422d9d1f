// Declares the bindings of probes, refutation searches and proof searches, which python/module.cpp
// uses.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <mutex>
#include <optional>
#include <string>
#include <tuple>

#include "estimate/probes.hpp"
#include "explain/farkas_certificate.hpp"
#include "explain/modular_certificate.hpp"
#include "explain/refutation.hpp"
#include "proofs/proof_search.hpp"

namespace dlx {

// Probes for Python: releases the GIL while it works, and checks for signals.
class Probes {
public:
    // `place`: the place of each of the caller's options in search order; empty: the same.
    Probes(std::shared_ptr<const Problem> problem, std::vector<Int> place,
           std::span<const Int> given, std::uint64_t seed)
        : problem_(std::move(problem)), place_(std::move(place)), probing_(problem_, given, seed) {}

    // Mean and sum of squared distances from it, each as mantissa and exponent of two.
    using Moments = std::tuple<double, std::int64_t, double, std::int64_t>;

    // Continues until there are `total` probes, or for `seconds`. Returns how
    // many there are.
    std::uint64_t run(std::uint64_t total, double seconds);

    // Discards all probes; the next ones begin below these options, by the caller's indices.
    void restart(const std::vector<Int>& given);

    // The work so far, in steps that do not depend on the machine.
    std::uint64_t work();

    // The moments of the numbers of nodes, of solutions, and of nodes by depth.
    std::tuple<Moments, Moments, std::vector<Moments>> moments();

private:
    std::mutex running_;
    std::shared_ptr<const Problem> problem_;
    std::vector<Int> place_;
    Probing probing_;
};

// Refutation searches for Python, in the same way.
class Refuter {
public:
    using Bytes = nanobind::ndarray<const std::uint8_t, nanobind::ndim<1>, nanobind::c_contig,
                                    nanobind::device::cpu>;
    using Answer = std::tuple<std::string, std::vector<Int>, std::vector<Int>, std::uint64_t>;

    Refuter(std::shared_ptr<const Problem> problem, std::vector<Int> place)
        : problem_(std::move(problem)), place_(std::move(place)), refuting_(problem_) {}

    // Searches on the items that have a flag (in search numbering), with these options given (by
    // the caller's indices), for at most `nodes` nodes and `seconds`.
    //
    // ("refuted", items, places in given, nodes), ("solution", options, [], nodes), or ("stopped",
    // [], [], nodes).
    Answer refute(const Bytes& kept, const std::vector<Int>& given, std::uint64_t nodes,
                  double seconds);

    // Like `refute`, but only by a certificate: modulo a prime, or Farkas prices if `prime` is 0.
    // "refuted", or "stopped" if there is no certificate.
    Answer weigh(const Bytes& kept, const std::vector<Int>& given, std::uint64_t prime,
                 double seconds);

    // The prices of a Farkas certificate, as pairs of an item and its price, and both sides of the
    // contradiction: demand, supply and what is beside. Empty if there is no certificate.
    using Prices = std::tuple<std::vector<std::pair<Int, std::int64_t>>, std::int64_t, std::int64_t,
                              std::int64_t>;
    Prices prices(const Bytes& kept, const std::vector<Int>& given, double seconds);

    // The weights of a certificate modulo a prime, as pairs of an item and its weight. Empty if
    // there is no certificate.
    std::vector<std::pair<Int, std::uint64_t>> weights(const Bytes& kept,
                                                       const std::vector<Int>& given,
                                                       std::uint64_t prime, double seconds);

private:
    std::vector<std::uint8_t> flags_of(const Bytes& kept) const;
    template <class Weights, class... Details>
    Answer weigh_with(const Bytes& kept, const std::vector<Int>& given, double seconds,
                      Details... details);
    Answer answer(RefutationSearch::Verdict verdict) const;

    std::mutex running_;
    std::shared_ptr<const Problem> problem_;
    std::vector<Int> place_;  // of the caller's options in search order; empty: the same
    RefutationSearch refuting_;
};

// A search that writes a proof, for Python, in the same way.
class ProofWriter {
public:
    ProofWriter(std::shared_ptr<const Problem> problem, std::vector<Int> place,
                const std::vector<Int>& given, bool drat, bool in_order, bool every,
                std::uint64_t constraints, std::vector<std::uint8_t> loose,
                std::vector<std::uint8_t> kept);

    // Continues until the next solution, until there are `nodes` nodes or `bytes` of text, or for
    // `seconds`. The text of the proof since the last call; and the solution, if it found one.
    std::pair<nanobind::bytes, std::optional<std::vector<Int>>> run(std::uint64_t nodes,
                                                                    std::size_t bytes,
                                                                    double seconds);

    // Begins anew below a node of another search; see `ProofSearch::Branch`.
    void begin_below(const std::vector<Int>& given, const std::vector<Int>& removed,
                     std::string decisions, std::uint64_t constraints,
                     std::vector<std::int64_t> costs, std::int64_t amount,
                     std::vector<Int> variables);

    bool exhausted();
    // Nodes, updates, and the number of the last constraint in the proof.
    std::tuple<std::uint64_t, std::uint64_t, std::uint64_t> work();

private:
    std::mutex running_;
    std::shared_ptr<const Problem> problem_;
    std::vector<Int> place_;
    ProofSearch search_;
    std::vector<Int> given_;
    std::vector<std::uint8_t> kept_;
    bool begun_ = false;
    ProofSearch::Verdict verdict_ = ProofSearch::Verdict::running;
};

void bind_probing(nanobind::module_& module);

}  // namespace dlx
