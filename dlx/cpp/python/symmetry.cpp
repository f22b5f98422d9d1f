// The bindings of symmetries and canonical forms.
#include "python/symmetry.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "python/gil_and_signals.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace dlx {
namespace {

SymmetryLimits limits_of(std::int64_t nodes, std::int64_t work) {
    SymmetryLimits limits;
    if (nodes >= 0) limits.nodes = static_cast<std::uint64_t>(nodes);
    if (work >= 0) limits.work = static_cast<std::uint64_t>(work);
    return limits;
}

void check_kinds(const Problem& problem, const std::vector<Int>& item_kind,
                 const std::vector<Int>& option_kind) {
    if (item_kind.size() != index(problem.items)) throw nb::value_error("item_kind: of each item");
    if (option_kind.size() != index(problem.options())) {
        throw nb::value_error("option_kind: of each option");
    }
}

std::vector<std::vector<Int>> several(const Classes& classes) {
    std::vector<std::vector<Int>> found;
    for (Int number = 0; number < classes.count(); ++number) {
        const auto members = classes.members(number);
        if (members.size() > 1) found.emplace_back(members.begin(), members.end());
    }
    return found;
}

// The classes that the images of the first members are in. Checks the numbers.
void append_classes(const Classes& classes, const std::vector<Int>& image, Int first,
                    std::vector<Int>& vertices) {
    if (image.size() != classes.of.size()) throw nb::value_error("an image for each element");
    for (Int number = 0; number < classes.count(); ++number) {
        const Int one = image[index(classes.members(number).front())];
        if (one < 0 || index(one) >= image.size()) throw nb::index_error("no such element");
        vertices.push_back(first + classes.of[index(one)]);
    }
}

}  // namespace

SymmetryGroup::SymmetryGroup(const Problem& problem, const std::vector<Int>& item_kind,
                             const std::vector<Int>& option_kind, std::int64_t nodes,
                             std::int64_t work) {
    check_kinds(problem, item_kind, option_kind);
    ReleasedGil nogil;
    const SignalCheck check(nogil);
    graph_ = incidence_graph(problem, item_kind, option_kind);
    symmetries_ = find_symmetries(graph_, limits_of(nodes, work));
}

std::pair<std::vector<std::vector<Int>>, std::vector<std::vector<Int>>>
SymmetryGroup::equal_elements() const {
    return {several(graph_.items), several(graph_.options)};
}

std::vector<SymmetryGroup::Permutation> SymmetryGroup::generators() const {
    std::vector<Permutation> result;
    result.reserve(symmetries_.generators.size());
    for (const Moves& moves : symmetries_.generators) {
        Permutation permutation;
        for (const auto& [vertex, image] : moves) append(vertex, image, permutation);
        std::ranges::sort(permutation.first);
        std::ranges::sort(permutation.second);
        result.push_back(std::move(permutation));
    }
    return result;
}

// Appends the moves of the members of a vertex's class, in their order.
void SymmetryGroup::append(Int vertex, Int image, Permutation& permutation) const {
    const Int items = graph_.items.count();
    const bool is_item = vertex < items;
    const Classes& classes = is_item ? graph_.items : graph_.options;
    const Int first = is_item ? 0 : items;
    if (vertex - first >= classes.count()) return;  // a color
    const auto from = classes.members(vertex - first);
    const auto to = classes.members(image - first);
    for (std::size_t place = 0; place < from.size(); ++place) {
        (is_item ? permutation.first : permutation.second).emplace_back(from[place], to[place]);
    }
}

bool SymmetryGroup::contains(const std::vector<Int>& items, const std::vector<Int>& options) const {
    std::vector<Int> image;
    append_classes(graph_.items, items, 0, image);
    append_classes(graph_.options, options, graph_.items.count(), image);
    ReleasedGil nogil;
    const SignalCheck check(nogil);
    return StabilizerChain(symmetries_, graph_.vertices).contains(std::move(image));
}

std::optional<std::pair<std::vector<Int>, std::vector<Int>>> canonical_orders(
    const Problem& problem, const std::vector<Int>& item_kind, const std::vector<Int>& option_kind,
    std::int64_t nodes, std::int64_t work) {
    check_kinds(problem, item_kind, option_kind);
    ReleasedGil nogil;
    const SignalCheck check(nogil);
    const IncidenceGraph graph = incidence_graph(problem, item_kind, option_kind);
    const auto order = canonical_order(graph, limits_of(nodes, work));
    if (!order) return std::nullopt;
    std::pair<std::vector<Int>, std::vector<Int>> orders;
    const Int items = graph.items.count();
    for (const Int vertex : *order) {
        const bool is_item = vertex < items;
        const Classes& classes = is_item ? graph.items : graph.options;
        const Int number = vertex - (is_item ? 0 : items);
        if (number >= classes.count()) continue;  // a color
        const auto members = classes.members(number);
        std::vector<Int>& into = is_item ? orders.first : orders.second;
        into.insert(into.end(), members.begin(), members.end());
    }
    return orders;
}

namespace {

// Checks that these are images of 0 .. degree-1 under permutations.
std::vector<Permutation> checked(const std::vector<ImageArray>& generators, Int degree) {
    std::vector<Permutation> permutations;
    const SignalCheck check;
    PeriodicCheck periodic;
    for (const ImageArray& images : generators) {
        periodic.add(images.size());
        Permutation permutation(images.data(), images.data() + images.size());
        std::vector<bool> seen(permutation.size(), false);
        if (permutation.size() != index(degree)) throw nb::value_error("images of all elements");
        for (const Int image : permutation) {
            if (image < 0 || image >= degree || seen[index(image)]) {
                throw nb::value_error("no permutation");
            }
            seen[index(image)] = true;
        }
        permutations.push_back(std::move(permutation));
    }
    return permutations;
}

void check_factors(const std::vector<Int>& factors) {
    if (std::ranges::any_of(factors, [](Int factor) { return factor < 1; })) {
        throw nb::value_error("factors: positive numbers");
    }
}

}  // namespace

GroupOfPermutations::GroupOfPermutations(Int degree, const std::vector<ImageArray>& generators,
                                         const std::vector<Int>& factors)
    : group_(degree) {
    check_factors(factors);
    const std::vector<Permutation> permutations = checked(generators, degree);
    ReleasedGil nogil;
    const SignalCheck check(nogil);
    group_ = PermutationGroup(degree, permutations, factors);
}

bool GroupOfPermutations::contains(const ImageArray& images) const {
    return group_.contains(checked({images}, group_.degree()).front());
}

Permutation GroupOfPermutations::element(std::uint64_t number) const {
    ReleasedGil nogil;
    const SignalCheck check(nogil);
    return group_.element(number);
}

ClassTest::ClassTest(std::shared_ptr<const Problem> problem, std::vector<Int> place,
                     const std::vector<ImageArray>& generators, const std::vector<Int>& factors,
                     const std::vector<Int>& given)
    : problem_(std::move(problem)), place_(std::move(place)) {
    check_factors(factors);
    std::vector<Permutation> permutations;
    for (const Permutation& images : checked(generators, problem_->options())) {
        Permutation placed(images.size());
        for (std::size_t option = 0; option < images.size(); ++option) {
            placed[index(place_of(static_cast<Int>(option)))] = place_of(images[option]);
        }
        permutations.push_back(std::move(placed));
    }
    const std::vector<Int> givens = places_of(given);
    ReleasedGil nogil;
    const SignalCheck check(nogil);
    first_ = std::make_unique<FirstOfClass>(
        problem_, PermutationGroup(problem_->options(), permutations, factors), givens);
}

Int ClassTest::place_of(Int option) const {
    return place_.empty() ? option : place_[index(option)];
}

// Negative numbers, which are no options, remain.
std::vector<Int> ClassTest::places_of(const std::vector<Int>& options) const {
    std::vector<Int> places(options);
    for (Int& option : places) {
        if (option >= problem_->options()) throw nb::index_error("no such option");
        if (option >= 0) option = place_of(option);
    }
    return places;
}

std::vector<std::optional<std::vector<Int>>> ClassTest::stabilizers(
    const std::vector<std::vector<Int>>& solutions) {
    std::vector<std::vector<Int>> places;
    for (const std::vector<Int>& solution : solutions) places.push_back(places_of(solution));
    std::vector<std::optional<std::vector<Int>>> found;
    ReleasedGil nogil;
    const std::lock_guard lock(running_);
    const SignalCheck check(nogil);
    try {
        for (const auto& solution : places) found.push_back(first_->stabilizer(solution));
    } catch (const TimeUp&) {
        if (found.empty()) throw;
    }
    return found;
}

std::size_t ClassTest::cut(const std::vector<Int>& path) {
    const std::vector<Int> places = places_of(path);
    ReleasedGil nogil;
    const std::lock_guard lock(running_);
    const SignalCheck check(nogil);
    return first_->cut(places);
}

void bind_symmetry(nb::module_& module) {
    nb::class_<GroupOfPermutations>(module, "PermutationGroup", "The group of some generators.")
        .def(nb::init<Int, const std::vector<ImageArray>&, const std::vector<Int>&>(), "degree"_a,
             "generators"_a, "factors"_a = std::vector<Int>())
        .def_prop_ro("orbit_lengths", &GroupOfPermutations::orbit_lengths,
                     "Their product is the order of the group.")
        .def("contains", &GroupOfPermutations::contains, "images"_a, "Is it in the group?")
        .def("element", &GroupOfPermutations::element, "number"_a,
             "The element with this number, below the order of the group; 0 is the identity.");
    nb::class_<ClassTest>(module, "ClassTest",
                          "The test for the first solution of each class of symmetric ones.")
        .def("stabilizers", &ClassTest::stabilizers, "solutions"_a,
             "Of each solution, factors of the number of symmetries that it has; None if the "
             "search finds a symmetric one before. Fewer at a deadline (TimeUp if none is done).")
        .def("cut", &ClassTest::cut, "path"_a,
             "The length of a beginning below which no solution is the first of its class, or 0.");
    nb::class_<SymmetryGroup>(module, "SymmetryGroup", "The symmetries of a problem.")
        .def_prop_ro("complete", &SymmetryGroup::complete, "True unless a limit was reached.")
        .def_prop_ro("nodes", &SymmetryGroup::nodes, "How often a vertex was individualized.")
        .def_prop_ro("orbit_lengths", &SymmetryGroup::orbit_lengths,
                     "Their product is the order of the group on classes of equal elements.")
        .def("equal_elements", &SymmetryGroup::equal_elements,
             "The classes of several equal items, and of several equal options.")
        .def("generators", &SymmetryGroup::generators,
             "Pairs (items, options) of lists of pairs (element, image).")
        .def("contains", &SymmetryGroup::contains, "items"_a, "options"_a,
             "Is the automorphism with these images in the group?");
}

}  // namespace dlx
