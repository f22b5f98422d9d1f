// What the readers of options share: access to the columns of a table (dlx/core/table.py).
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/problem.hpp"
#include "python/packs.hpp"

namespace dlx {

// Names of attributes, made once: looking up interned strings is faster.
struct Words {
    PyObject* item = PyUnicode_InternFromString("item");
    PyObject* color = PyUnicode_InternFromString("color");
    PyObject* items = PyUnicode_InternFromString("items");
    PyObject* item_numbers = PyUnicode_InternFromString("item_numbers");
    PyObject* secondary = PyUnicode_InternFromString("secondary");
    PyObject* open_items = PyUnicode_InternFromString("open_items");
    PyObject* start = PyUnicode_InternFromString("start");
    PyObject* entry_item = PyUnicode_InternFromString("entry_item");
    PyObject* entry_color = PyUnicode_InternFromString("entry_color");
    PyObject* entry_weight = PyUnicode_InternFromString("entry_weight");
    PyObject* extra_weights = PyUnicode_InternFromString("extra_weights");
    PyObject* weight = PyUnicode_InternFromString("weight");
    PyObject* multiplicities = PyUnicode_InternFromString("multiplicities");
    PyObject* costs = PyUnicode_InternFromString("costs");
    PyObject* cost_total = PyUnicode_InternFromString("cost_total");
    PyObject* color_names = PyUnicode_InternFromString("color_names");
    PyObject* color_numbers = PyUnicode_InternFromString("color_numbers");
    PyObject* names = PyUnicode_InternFromString("names");
    PyObject* names_given = PyUnicode_InternFromString("names_given");
    PyObject* entries_of = PyUnicode_InternFromString("entries_of");
    PyObject* forget_items = PyUnicode_InternFromString("forget_items");
    PyObject* frombytes = PyUnicode_InternFromString("frombytes");

    static const Words& get() {
        static const Words words;
        return words;
    }
};

inline nanobind::object attribute(nanobind::handle object, PyObject* name) {
    return checked(PyObject_GetAttr(object.ptr(), name));
}

// An attribute that must be of exactly this type, so that its memory can be read directly.
inline nanobind::object attribute(nanobind::handle object, PyObject* name,
                                  const PyTypeObject& type) {
    nanobind::object value = attribute(object, name);
    if (Py_TYPE(value.ptr()) != &type) throw nanobind::type_error("table: not as expected");
    return value;
}

// Clears the error of an unhashable object, which Table.add_option will report. Rethrows other
// errors of the caller's code.
inline void forgive_unhashable() {
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) throw nanobind::python_error();
    PyErr_Clear();
}

constexpr Int unknown = -1;     // instead of a number: an item, color or name without one,
constexpr Int unhashable = -2;  // and why it cannot have one

// The value of a key in a dict, a borrowed or new reference; invalid if it has none. An error of
// the key may be set then.
inline nanobind::object value_in(const nanobind::object& numbers, PyObject* key) {
#ifdef Py_GIL_DISABLED  // another thread may take the value out of the dict meanwhile
    PyObject* found = nullptr;
    PyDict_GetItemRef(numbers.ptr(), key, &found);
    return nanobind::steal(found);
#else
    return nanobind::borrow(PyDict_GetItemWithError(numbers.ptr(), key));
#endif
}

inline Int number_of(const nanobind::object& numbers, PyObject* key) {
    const nanobind::object number = value_in(numbers, key);
    if (number.is_valid()) return static_cast<Int>(PyLong_AsLong(number.ptr()));
    if (PyErr_Occurred() == nullptr) return unknown;
    forgive_unhashable();
    return unhashable;
}

inline Int enter(const nanobind::object& numbers, PyObject* key, Py_ssize_t number) {
    if (number >= std::numeric_limits<Int>::max()) throw std::overflow_error("items or colors");
    const nanobind::object value = checked(PyLong_FromSsize_t(number));
    if (PyDict_SetItem(numbers.ptr(), key, value.ptr()) == 0) return static_cast<Int>(number);
    forgive_unhashable();
    return unhashable;
}

template <class Number>
void append(nanobind::handle array, const std::vector<Number>& numbers) {
    auto* bytes = reinterpret_cast<char*>(const_cast<Number*>(numbers.data()));
    const auto size = static_cast<Py_ssize_t>(numbers.size() * sizeof(Number));
    nanobind::object view = checked(PyMemoryView_FromMemory(bytes, size, PyBUF_READ));
    checked(PyObject_CallMethodOneArg(array.ptr(), Words::get().frombytes, view.ptr()));
}

// Entries and ends of options that are not yet in the table's arrays.
class Columns {
public:
    explicit Columns(nanobind::object table)
        : table_(std::move(table)),
          start_(attribute(table_, Words::get().start)),
          entry_item_(attribute(table_, Words::get().entry_item)) {}

    std::size_t entries() const noexcept { return item_.size(); }
    std::size_t pending_options() const noexcept { return end_.size(); }
    std::size_t options() const { return nanobind::len(start_) - 1 + end_.size(); }
    bool full() const noexcept { return end_.size() >= 4096 || item_.size() >= 65536; }

    void add_entry(Int item, Int color, Int weight) {
        item_.push_back(item);
        color_.push_back(color);
        weight_.push_back(weight);
    }
    void end_option() { end_.push_back(static_cast<Int>(item_.size())); }
    void cut(std::size_t entries) {
        item_.resize(entries);
        color_.resize(entries);
        weight_.resize(entries);
    }

    // Moves the pending entries into the table's arrays.
    void flush() {
        if (end_.empty()) return;
        const std::size_t entries = nanobind::len(entry_item_);
        if (entries + item_.size() > std::numeric_limits<Int>::max()) {
            throw std::overflow_error("more than 2**31 - 1 entries");
        }
        for (Int& end : end_) end += static_cast<Int>(entries);
        flush_colors(entries);
        flush_weights(entries);
        append(entry_item_, item_);
        append(start_, end_);
        cut(0);
        end_.clear();
    }

private:
    // The array of colors is empty as long as there are none.
    void flush_colors(std::size_t entries) {
        const nanobind::object colors = attribute(table_, Words::get().entry_color);
        const std::size_t have = nanobind::len(colors);
        const bool tinted =
            std::any_of(color_.begin(), color_.end(), [](Int color) { return color != 0; });
        if (have == 0 && !tinted) return;
        if (have < entries) append(colors, std::vector<Int>(entries - have));
        append(colors, color_);
    }

    // The array of weights is empty as long as all are 1.
    void flush_weights(std::size_t entries) {
        const nanobind::object weights = attribute(table_, Words::get().entry_weight);
        const std::size_t have = nanobind::len(weights);
        const bool heavy =
            std::any_of(weight_.begin(), weight_.end(), [](Int weight) { return weight > 1; });
        if (have == 0 && !heavy) return;
        if (have < entries) append(weights, std::vector<Int>(entries - have, 1));
        append(weights, weight_);
        if (heavy) add_extra_weights();
    }

    // Adds what the pending weights have beyond 1 to the table's sums by item.
    void add_extra_weights() {
        std::unordered_map<Int, std::int64_t> sums;
        for (std::size_t entry = 0; entry < item_.size(); ++entry) {
            if (weight_[entry] > 1) sums[item_[entry]] += weight_[entry] - 1;
        }
        const auto all = nanobind::borrow<nanobind::dict>(
            attribute(table_, Words::get().extra_weights, PyDict_Type));
        for (const auto& [number, sum] : sums) {
            const nanobind::int_ key(number);
            const nanobind::object before =
                all.contains(key) ? nanobind::object(all[key]) : nanobind::int_(0);
            all[key] = before + nanobind::int_(sum);
        }
    }

    nanobind::object table_;
    nanobind::object start_;
    nanobind::object entry_item_;
    std::vector<Int> item_;
    std::vector<Int> color_;
    std::vector<Int> weight_;
    std::vector<Int> end_;
};

}  // namespace dlx
