// Declares the bindings of classes of symmetric solutions, which python/module.cpp uses.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "symmetry/first_of_class.hpp"

namespace dlx {

// The test for the first solution of each class, for Python.
class ClassTest {
public:
    using Array =
        nanobind::ndarray<const Int, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

    // `generators`: the images of all options and of all items, in search numbering; `given` and
    // solutions are the caller's indices, `place` their places in search order (empty: the same).
    // Throws std::length_error if the group has more than `limit` elements.
    ClassTest(std::shared_ptr<const Problem> problem, std::vector<Int> place,
              const std::vector<std::pair<Array, Array>>& generators, const std::vector<Int>& given,
              std::size_t limit);

    std::size_t order() const noexcept { return first_->order(); }
    const std::vector<std::vector<Int>>& images() const noexcept { return first_->images(); }

    // The size of the class of each solution, or 0 if the search finds a symmetric one before it.
    std::vector<std::uint64_t> sizes(const std::vector<std::vector<Int>>& solutions);

private:
    std::vector<Int> places_of(const std::vector<Int>& options) const;

    std::mutex running_;
    std::shared_ptr<const Problem> problem_;
    std::vector<Int> place_;
    std::unique_ptr<FirstOfClass> first_;
};

void bind_distinct(nanobind::module_& module);

}  // namespace dlx
