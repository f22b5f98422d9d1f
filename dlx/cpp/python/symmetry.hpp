// Declares the bindings of symmetries, which python/module.cpp uses.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "symmetry/chain.hpp"
#include "symmetry/first_of_class.hpp"
#include "symmetry/graph.hpp"
#include "symmetry/search.hpp"

namespace dlx {

// The symmetry group of a problem, with items by rank and options in the order of the problem.
class SymmetryGroup {
public:
    // Permutations as pairs (element, image): of items, then of options.
    using Pairs = std::vector<std::pair<Int, Int>>;
    using Permutation = std::pair<Pairs, Pairs>;

    // Negative `nodes` or `work`: no such limit. Releases the GIL.
    SymmetryGroup(const Problem& problem, const std::vector<Int>& item_kind,
                  const std::vector<Int>& option_kind, std::int64_t nodes, std::int64_t work);

    bool complete() const noexcept { return symmetries_.complete; }
    std::uint64_t nodes() const noexcept { return symmetries_.nodes; }
    const std::vector<Int>& orbit_lengths() const noexcept { return symmetries_.orbit; }

    // The classes of several equal items, and of several equal options.
    std::pair<std::vector<std::vector<Int>>, std::vector<std::vector<Int>>> equal_elements() const;
    // The generators but those that only permute equal items or options.
    std::vector<Permutation> generators() const;
    // Is the automorphism with these images of items and options in the group?
    bool contains(const std::vector<Int>& items, const std::vector<Int>& options) const;

private:
    void append(Int vertex, Int image, Permutation& permutation) const;

    IncidenceGraph graph_;
    Symmetries symmetries_;
};

// The items by rank, and the options, in canonical order; None if a limit was reached.
std::optional<std::pair<std::vector<Int>, std::vector<Int>>> canonical_orders(
    const Problem& problem, const std::vector<Int>& item_kind, const std::vector<Int>& option_kind,
    std::int64_t nodes, std::int64_t work);

// The images of all elements under a permutation.
using ImageArray =
    nanobind::ndarray<const Int, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

// A group of permutations, for Python.
class GroupOfPermutations {
public:
    // `factors`: numbers whose product is the order of the group; empty if it is not known.
    GroupOfPermutations(Int degree, const std::vector<ImageArray>& generators,
                        const std::vector<Int>& factors);

    std::vector<Int> orbit_lengths() const { return group_.orbit_lengths(); }
    bool contains(const ImageArray& images) const;
    Permutation element(std::uint64_t number) const;

private:
    PermutationGroup group_;
};

// The test for the first solution of each class, for Python.
class ClassTest {
public:
    // `generators`: the images of all options. Here and in all methods, options are the caller's
    // indices; `place`: their places in search order (empty: the same). `factors`: as above.
    ClassTest(std::shared_ptr<const Problem> problem, std::vector<Int> place,
              const std::vector<ImageArray>& generators, const std::vector<Int>& factors,
              const std::vector<Int>& given);

    // Of each solution, factors of the number of symmetries that it has, or nothing if the search
    // finds a symmetric one before it.
    std::vector<std::optional<std::vector<Int>>> stabilizers(
        const std::vector<std::vector<Int>>& solutions);
    std::size_t cut(const std::vector<Int>& path);

private:
    Int place_of(Int option) const;
    std::vector<Int> places_of(const std::vector<Int>& options) const;

    std::mutex running_;
    std::shared_ptr<const Problem> problem_;
    std::vector<Int> place_;
    std::unique_ptr<FirstOfClass> first_;
};

void bind_symmetry(nanobind::module_& module);

}  // namespace dlx
