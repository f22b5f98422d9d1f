// The bindings of classes of symmetric solutions.
#include "python/distinct.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>

#include "python/released_gil.hpp"
#include "python/signal_check.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace dlx {

ClassTest::ClassTest(std::shared_ptr<const Problem> problem, std::vector<Int> place,
                     const std::vector<std::pair<Array, Array>>& generators,
                     const std::vector<Int>& given, std::size_t limit)
    : problem_(std::move(problem)), place_(std::move(place)) {
    const auto copied = [](const Array& images, Int size) {
        std::vector<Int> numbers(images.data(), images.data() + images.size());
        std::vector<bool> seen(numbers.size(), false);
        if (numbers.size() != static_cast<std::size_t>(size)) throw nb::value_error("images");
        for (const Int number : numbers) {
            if (number < 0 || number >= size || seen[static_cast<std::size_t>(number)]) {
                throw nb::value_error("no permutation");
            }
            seen[static_cast<std::size_t>(number)] = true;
        }
        return numbers;
    };
    std::vector<Symmetry> moves;
    for (const auto& [options, items] : generators) {
        moves.push_back({copied(options, problem_->options()), copied(items, problem_->items)});
    }
    const std::vector<Int> givens = places_of(given);
    ReleasedGil nogil;
    const SignalCheck check(nogil);
    const auto elements = elements_of(*problem_, moves, limit);
    if (!elements) throw std::length_error("the group is too large");
    first_ = std::make_unique<FirstOfClass>(problem_, *elements, givens);
}

std::vector<Int> ClassTest::places_of(const std::vector<Int>& options) const {
    std::vector<Int> places(options);
    for (Int& option : places) {
        if (option < 0 || option >= problem_->options()) throw nb::index_error("no such option");
        if (!place_.empty()) option = place_[static_cast<std::size_t>(option)];
    }
    return places;
}

std::vector<std::uint64_t> ClassTest::sizes(const std::vector<std::vector<Int>>& solutions) {
    std::vector<std::vector<Int>> places;
    for (const std::vector<Int>& solution : solutions) places.push_back(places_of(solution));
    std::vector<std::uint64_t> sizes;
    const ReleasedGil nogil;
    const std::lock_guard lock(running_);
    for (const std::vector<Int>& solution : places) sizes.push_back(first_->size_of(solution));
    return sizes;
}

void bind_distinct(nb::module_& module) {
    nb::class_<ClassTest>(module, "ClassTest",
                          "The test for the first solution of each class of symmetric ones.")
        .def_prop_ro("order", &ClassTest::order, "The number of symmetries.")
        .def("images", &ClassTest::images, "The images of the options under each symmetry.")
        .def("sizes", &ClassTest::sizes, "solutions"_a,
             "The size of each solution's class; 0 if the search finds a symmetric one before.");
}

}  // namespace dlx
