// Packs of solutions and shared iterators, and their bindings.
#include "python/packs.hpp"

#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <stdexcept>

namespace nb = nanobind;
using namespace nb::literals;

namespace dlx {
namespace {

std::vector<Int> numbers_in(const nb::bytes& bytes) {
    if (bytes.size() % sizeof(Int) != 0) throw std::invalid_argument("a pack: whole numbers");
    std::vector<Int> numbers(bytes.size() / sizeof(Int));
    if (!numbers.empty()) std::memcpy(numbers.data(), bytes.c_str(), bytes.size());
    return numbers;
}

nb::bytes bytes_of(const std::vector<Int>& numbers, std::size_t first) {
    return nb::bytes(numbers.data() + first, (numbers.size() - first) * sizeof(Int));
}

}  // namespace

nb::object solution_tuple(std::span<const Int> options, nb::handle names) {
    PyObject* tuple = PyTuple_New(static_cast<Py_ssize_t>(options.size()));
    if (tuple == nullptr) throw nb::python_error();
    nb::object result = nb::steal(tuple);
    Py_ssize_t place = 0;
    for (const Int option : options) {
        nb::object name =
            names.is_none() ? nb::steal(PyLong_FromLong(option)) : element_of(names, option);
        if (!name.is_valid()) throw nb::python_error();
        PyTuple_SET_ITEM(tuple, place++, name.release().ptr());
    }
    return result;
}

Pack::Pack(const nb::bytes& options, const nb::bytes& lengths)
    : options_(numbers_in(options)), lengths_(numbers_in(lengths)) {
    std::uint64_t total = 0;
    for (const Int length : lengths_) {
        if (length < 0) throw std::invalid_argument("a pack: no length is negative");
        total += static_cast<std::uint64_t>(length);
    }
    if (total != options_.size()) {
        throw std::invalid_argument("a pack: as many options as the lengths say");
    }
}

// Makes room for `more` solutions, so that an allocation fails before anything is changed.
void Pack::make_room(std::size_t more) {
    const std::size_t needed = lengths_.size() + more;
    if (needed > lengths_.capacity()) lengths_.reserve(std::max(needed, 2 * lengths_.capacity()));
}

void Pack::add(const Found& found) {
    make_room(found.size());
    options_.insert(options_.end(), found.labels.begin(), found.labels.end());
    std::size_t begin = 0;
    for (const std::size_t end : found.ends) {
        lengths_.push_back(static_cast<Int>(end - begin));
        begin = end;
    }
}

void Pack::append(const std::vector<Int>& solution) {
    make_room(1);
    options_.insert(options_.end(), solution.begin(), solution.end());
    lengths_.push_back(static_cast<Int>(solution.size()));
}

void Pack::extend(Pack& other) {
    if (&other == this) return;
    forget_taken();
    other.forget_taken();
    if (size() == 0) {
        std::swap(options_, other.options_);
        std::swap(lengths_, other.lengths_);
        return;
    }
    make_room(other.size());
    options_.insert(options_.end(), other.options_.begin(), other.options_.end());
    lengths_.insert(lengths_.end(), other.lengths_.begin(), other.lengths_.end());
    other.options_ = std::vector<Int>();
    other.lengths_ = std::vector<Int>();
}

std::uint64_t Pack::take(std::uint64_t count, nb::handle names, nb::list into) {
    if (!names.is_none() && !PyList_Check(names.ptr())) throw nb::type_error("names: a list");
    const std::uint64_t before = taken_;
    while (taken_ - before < count && size() > 0) {
        const auto length = static_cast<std::size_t>(lengths_[first_]);
        const std::span<const Int> options(options_.data() + first_option_, length);
        for (const Int option : options) {
            if (names.is_none()) break;
            if (option < 0 || option >= PyList_GET_SIZE(names.ptr())) {
                throw nb::index_error("no such option");
            }
        }
        into.append(solution_tuple(options, names));
        pass();
    }
    if (first_option_ >= options_.size() / 2) forget_taken();
    return taken_ - before;
}

std::uint64_t Pack::drop(std::uint64_t count) {
    const std::uint64_t before = taken_;
    while (taken_ - before < count && size() > 0) pass();
    forget_taken();
    return taken_ - before;
}

// Removes the first solution.
void Pack::pass() {
    first_option_ += static_cast<std::size_t>(lengths_[first_]);
    ++first_;
    ++taken_;
}

void Pack::forget_taken() {
    if (first_ == 0) return;
    if (size() == 0) {
        options_ = std::vector<Int>();
        lengths_ = std::vector<Int>();
    } else {
        const auto options = static_cast<std::ptrdiff_t>(first_option_);
        options_.erase(options_.begin(), options_.begin() + options);
        lengths_.erase(lengths_.begin(), lengths_.begin() + static_cast<std::ptrdiff_t>(first_));
    }
    first_option_ = first_ = 0;
}

std::size_t Pack::memory() const noexcept {
    return (options_.capacity() + lengths_.capacity()) * sizeof(Int);
}

nb::bytes Pack::options() const {
    return bytes_of(options_, first_option_);
}

nb::bytes Pack::lengths() const {
    return bytes_of(lengths_, first_);
}

void bind_packs(nb::module_& module) {
    nb::class_<SharedIterator>(module, "SharedIterator",
                               "An iterator over a list for several threads.")
        .def(nb::init<nb::list>(), "elements"_a)
        .def("__iter__", [](nb::handle_t<SharedIterator> self) { return nb::borrow(self); })
        .def("__next__", &SharedIterator::next)
        .def("__length_hint__", &SharedIterator::length);

    // In builds without the GIL, each method locks the pack.
    nb::class_<Pack>(module, "Pack", "A queue of solutions, packed.")
        .def(nb::init<>())
        .def(nb::init<const nb::bytes&, const nb::bytes&>(), "options"_a, "lengths"_a)
        .def("append", &Pack::append, "solution"_a, nb::lock_self(),
             "Adds one: indices of options.")
        .def("extend", &Pack::extend, "other"_a.lock(), nb::lock_self(),
             "Moves all solutions of another pack to the end of this one.")
        .def("take", &Pack::take, "count"_a, "names"_a.none(), "into"_a, nb::lock_self(),
             "Moves up to `count` solutions from the front to a list; returns how many.")
        .def("drop", &Pack::drop, "count"_a, nb::lock_self(),
             "Discards up to `count` solutions; returns how many.")
        .def_prop_ro("taken", &Pack::taken, nb::lock_self(),
                     "How many solutions were taken or discarded so far.")
        .def_prop_ro("options", &Pack::options, nb::lock_self(),
                     "Indices of options, as bytes of 32-bit integers.")
        .def_prop_ro("lengths", &Pack::lengths, nb::lock_self(),
                     "The length of each solution, in the same form.")
        .def_prop_ro("memory", &Pack::memory, nb::lock_self(), "Bytes taken.")
        .def("__len__", &Pack::size, nb::lock_self())
        .def(
            "__reduce__",
            [](const nb::handle_t<Pack>& self) {
                const Pack& pack = nb::cast<const Pack&>(self);
                return nb::make_tuple(self.type(), nb::make_tuple(pack.options(), pack.lengths()));
            },
            nb::lock_self());
}

}  // namespace dlx
