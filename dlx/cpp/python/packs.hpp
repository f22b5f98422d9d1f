// A queue of packed solutions, on their way from a worker to the caller.
//
//     options   0 4 3 | 7 1 | 2 5 6        indices of options, solution after solution
//     lengths   3       2     3
//                       ^ those before have been taken
//
// An option takes four bytes; in a Python tuple it takes eight, and each tuple forty more. Two
// packs are joined by joining their bytes. Moving solutions from a pack to the caller's list is one
// call, so that no Python signal can come between the two steps.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/engine.hpp"

namespace dlx {

// A new reference as an object; throws what Python raised instead.
inline nanobind::object checked(PyObject* made) {
    if (made == nullptr) throw nanobind::python_error();
    return nanobind::steal(made);
}

// The element of a list at this place; an invalid object beyond the end. In builds without the GIL
// another thread may change the list meanwhile, so it is looked up and referenced in one step.
inline nanobind::object element_of(nanobind::handle list, Py_ssize_t place) noexcept {
#ifdef Py_GIL_DISABLED
    PyObject* element = PyList_GetItemRef(list.ptr(), place);
    if (element == nullptr) PyErr_Clear();  // IndexError
    return nanobind::steal(element);
#else
    if (place >= PyList_GET_SIZE(list.ptr())) return {};
    return nanobind::borrow(PyList_GET_ITEM(list.ptr(), place));
#endif
}

// An iterator over a list that several threads may share: each element goes to one of them. A
// list's own iterator does that only under the GIL. Elements appended later are not returned: one
// thread may already refill the list while another one reaches its end.
class SharedIterator {
public:
    explicit SharedIterator(nanobind::list list) : list_(std::move(list)), size_(list_.size()) {}

    nanobind::object next() {
        const std::size_t place = next_.fetch_add(1, std::memory_order_relaxed);
        nanobind::object element;
        if (place < size_) element = element_of(list_, static_cast<Py_ssize_t>(place));
        if (!element.is_valid()) throw nanobind::stop_iteration();
        return element;
    }

    // How many are left.
    std::size_t length() const noexcept {
        return size_ - std::min(size_, next_.load(std::memory_order_relaxed));
    }

private:
    nanobind::list list_;
    std::size_t size_;
    std::atomic<std::size_t> next_ = 0;
};

// A solution for Python: the names of its options, or, if `names` is None, their indices. All
// indices must be within the list.
nanobind::object solution_tuple(std::span<const Int> options, nanobind::handle names);

class Pack {
public:
    Pack() = default;
    Pack(const nanobind::bytes& options, const nanobind::bytes& lengths);

    void add(const Found& found);
    void append(const std::vector<Int>& solution);

    // Moves all solutions of another pack to the end of this one.
    void extend(Pack& other);

    // Moves up to `count` solutions from the front to the end of a list. Returns how many.
    std::uint64_t take(std::uint64_t count, nanobind::handle names, nanobind::list into);

    // Discards up to `count` solutions. Returns how many.
    std::uint64_t drop(std::uint64_t count);

    // How many solutions were taken or discarded so far.
    std::uint64_t taken() const noexcept { return taken_; }
    std::size_t size() const noexcept { return lengths_.size() - first_; }
    std::size_t memory() const noexcept;
    nanobind::bytes options() const;
    nanobind::bytes lengths() const;

private:
    void make_room(std::size_t more);
    void pass();
    void forget_taken();

    std::vector<Int> options_;
    std::vector<Int> lengths_;
    std::size_t first_option_ = 0;  // of what has not been taken
    std::size_t first_ = 0;
    std::uint64_t taken_ = 0;
};

void bind_packs(nanobind::module_& module);

}  // namespace dlx
