// Reads options from Python containers into the arrays of a table: a fast path for ordinary ones.
//
// Table.add_option in dlx/core/table.py, and only that, defines what an option is and what errors
// it may have. A `Reader` does the same for ordinary options:
//
//     options   an iterator  --->  Reader  --->  the table's dicts, lists and arrays
//                                    |  ^
//       an option that is wrong      v  |        anything after it
//       or just unusual:       Table.add_option
//
// It stops before an option if it cannot be certain that all entries and the name are valid. Then
// the table contains exactly the options before, and Python adds this option or raises an error. So
// the reader needs no messages and no rules about errors: in doubt it stops. (With names, all
// options before must have their own names; an option whose name is its index counts as unusual.
// Whether weights are within the items' bounds, which may be set later, Table.check_weights finds
// out. Options that are not lists are converted to lists by Python.)
//
// Entries are looked up in the table's own dicts, so equality is that of Python. That runs the
// caller's code (__hash__ and __eq__ of the items), which may do anything. So the reader holds a
// reference to every object that it uses, and caches nothing of a list or an array across a
// look-up. Only small integers, which equal no other items, are cached in a table of the reader.
// The arrays grow by blocks: `Columns` has what is not yet in them. Between two blocks it checks
// for signals.
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/problem.hpp"
#include "python/bindings.hpp"
#include "python/packs.hpp"
#include "python/table_columns.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace dlx {
namespace {

// The numbers of items that are small integers, in most problems all items: faster than a dict.
class SmallIntegers {
public:
    // The value of an item for `number` and `remember`; npos unless it is a small integer.
    static std::size_t value_of(PyObject* item) {
        if (!PyLong_CheckExact(item)) return npos;
        int overflow = 0;
        const long value = PyLong_AsLongAndOverflow(item, &overflow);
        return overflow != 0 || value < 0 ? npos : static_cast<std::size_t>(value);
    }

    Int number(std::size_t value) const noexcept {
        return value < numbers_.size() ? numbers_[value] : unknown;
    }

    // Does nothing if the table would become much larger than the problem, which has `items` items.
    void remember(std::size_t value, Int number, std::size_t items) {
        if (value >= 2 * items + 64) return;
        if (value >= numbers_.size()) numbers_.resize(value + 1, unknown);
        numbers_[value] = number;
    }

    void forget() { numbers_.clear(); }

private:
    static constexpr auto npos = static_cast<std::size_t>(-1);

    std::vector<Int> numbers_;
};

class Reader {
public:
    // `options`: an iterator over options, or with `named` over pairs of names and options.
    Reader(nb::object table, nb::object options, nb::object colored, nb::object times, bool named)
        : table_(std::move(table)),
          options_(std::move(options)),
          colored_(std::move(colored)),
          times_(std::move(times)),
          named_(named),
          open_(PyObject_IsTrue(attribute(table_, Words::get().open_items).ptr()) == 1),
          items_(attribute(table_, Words::get().items, PyList_Type)),
          item_numbers_(attribute(table_, Words::get().item_numbers, PyDict_Type)),
          secondary_(attribute(table_, Words::get().secondary, PyByteArray_Type)),
          names_given_(attribute(table_, Words::get().names_given, PyDict_Type)),
          columns_(table_) {
        if (!PyIter_Check(options_.ptr())) throw nb::type_error("options: an iterator");
    }

    // Adds options to the table up to the first that is not ordinary. Returns that one and its
    // name, or None if all were added.
    nb::object read() {
        names_ = attribute(table_, Words::get().names);
        const bool ordinary = named_ ? all_are_named() : names_.is_none();
        while (next()) {
            if (!ordinary || !add()) {
                columns_.flush();
                return nb::make_tuple(option_, name_);
            }
            if (columns_.full()) {
                columns_.flush();
                if (PyErr_CheckSignals() != 0) throw nb::python_error();
            }
        }
        columns_.flush();
        return nb::none();
    }

private:
    bool next() {
        nb::object drawn = nb::steal(PyIter_Next(options_.ptr()));
        if (!drawn.is_valid()) {
            if (PyErr_Occurred() != nullptr) throw nb::python_error();
            return false;
        }
        if (!named_) {
            option_ = std::move(drawn);
            return true;
        }
        if (!PyTuple_CheckExact(drawn.ptr()) || PyTuple_GET_SIZE(drawn.ptr()) != 2) {
            throw nb::type_error("options: pairs of a name and an option");
        }
        name_ = nb::borrow(PyTuple_GET_ITEM(drawn.ptr(), 0));
        option_ = nb::borrow(PyTuple_GET_ITEM(drawn.ptr(), 1));
        return true;
    }

    // Whether every option has been given a name, so that no index is one.
    bool all_are_named() const {
        return PyList_CheckExact(names_.ptr()) &&
               PyList_GET_SIZE(names_.ptr()) == PyDict_GET_SIZE(names_given_.ptr());
    }

    // Adds the option, or changes nothing and returns false.
    bool add() {
        const std::size_t entries = columns_.entries();
        const Py_ssize_t known = PyList_GET_SIZE(items_.ptr());
        ++turn_;
        anchored_ = false;
        if (!add_entries() || !anchored_ || (named_ && !add_name())) {
            columns_.cut(entries);
            if (PyList_GET_SIZE(items_.ptr()) > known) forget_items(known);
            return false;
        }
        columns_.end_option();
        return true;
    }

    void forget_items(Py_ssize_t keep) {
        integers_.forget();
        nb::object number = checked(PyLong_FromSsize_t(keep));
        checked(PyObject_CallMethodOneArg(table_.ptr(), Words::get().forget_items, number.ptr()));
    }

    bool add_entries() {
        if (!PyList_CheckExact(option_.ptr()) && !PyTuple_CheckExact(option_.ptr())) list_option();
        return add_entries(option_);
    }

    // Converts the option to a list. An iterator can be read only once, so the list replaces the
    // option. Raises Python's error if the object is not iterable.
    void list_option() {
        const nb::object index =
            checked(PyLong_FromSsize_t(static_cast<Py_ssize_t>(columns_.options())));
        option_ =
            checked(PyObject_CallMethodObjArgs(table_.ptr(), Words::get().entries_of, index.ptr(),
                                               name_.ptr(), option_.ptr(), nullptr));
        if (!PyList_CheckExact(option_.ptr())) throw nb::type_error("entries_of: a list");
    }

    // The caller's code may change the list, so its length and its items are read every time.
    bool add_entries(const nb::object& sequence) {
        const bool is_list = PyList_CheckExact(sequence.ptr());
        for (Py_ssize_t at = 0;; ++at) {
            nb::object entry;
            if (is_list) {
                entry = element_of(sequence, at);
            } else if (at < PyTuple_GET_SIZE(sequence.ptr())) {
                entry = nb::borrow(PyTuple_GET_ITEM(sequence.ptr(), at));
            }
            if (!entry.is_valid()) return true;
            if (!add_entry(entry.ptr())) return false;
        }
    }

    bool add_entry(PyObject* entry) {
        if (Py_TYPE(entry) == reinterpret_cast<PyTypeObject*>(colored_.ptr())) {
            return add_colored(entry);
        }
        if (Py_TYPE(entry) == reinterpret_cast<PyTypeObject*>(times_.ptr())) {
            return add_weighted(entry);
        }
        const Int number = declared_number(entry);
        return number >= 0 && append_entry(number, 0, 1);
    }

    // The number of an item; a new one, if options may declare items.
    Int declared_number(PyObject* item) {
        const Int number = number_of_item(item);
        return number == unknown && open_ ? declare(item) : number;
    }

    bool add_weighted(PyObject* entry) {
        constexpr long largest = 1 << 29;  // LARGEST_EXTRA in dlx/core/times.py
        const nb::object value = attribute(entry, Words::get().weight);
        if (!PyLong_CheckExact(value.ptr())) return false;
        int overflow = 0;
        const long weight = PyLong_AsLongAndOverflow(value.ptr(), &overflow);
        if (overflow != 0 || weight < 1 || weight > largest) return false;
        const nb::object item = attribute(entry, Words::get().item);
        const Int number = declared_number(item.ptr());
        return number >= 0 && !is_secondary(number) &&
               append_entry(number, 0, static_cast<Int>(weight));
    }

    bool add_colored(PyObject* entry) {
        const nb::object item = attribute(entry, Words::get().item);
        const Int number = number_of_item(item.ptr());
        if (number < 0 || !is_secondary(number)) return false;
        const nb::object color = attribute(entry, Words::get().color);
        const Int tint = number_of_color(color.ptr());
        return tint > 0 && append_entry(number, tint, 1);
    }

    bool append_entry(Int number, Int color, Int weight) {
        const auto place = static_cast<std::size_t>(number);
        if (place >= seen_in_.size()) seen_in_.resize(place + 1);
        if (seen_in_[place] == turn_) return false;
        seen_in_[place] = turn_;
        anchored_ = anchored_ || !is_secondary(number);
        columns_.add_entry(number, color, weight);
        return true;
    }

    Int number_of_item(PyObject* item) {
        const std::size_t value = SmallIntegers::value_of(item);
        Int number = integers_.number(value);
        if (number != unknown) return number;
        number = number_of(item_numbers_, item);
        if (number >= 0) {
            integers_.remember(value, number,
                               static_cast<std::size_t>(PyList_GET_SIZE(items_.ptr())));
        }
        return number;
    }

    bool is_secondary(Int number) const {
        return number >= PyByteArray_GET_SIZE(secondary_.ptr()) ||
               PyByteArray_AS_STRING(secondary_.ptr())[number] != 0;
    }

    // Gives a new primary item its number, unless it is a color or a weight in disguise.
    Int declare(PyObject* item) {
        for (const nb::object& type : {colored_, times_}) {
            const int disguised = PyObject_IsInstance(item, type.ptr());
            if (disguised < 0) forgive_unhashable();
            if (disguised != 0) return unhashable;
        }
        const Int number = enter(item_numbers_, item, PyList_GET_SIZE(items_.ptr()));
        if (number < 0) return number;
        if (PyList_Append(items_.ptr(), item) != 0) throw nb::python_error();
        const Py_ssize_t size = PyByteArray_GET_SIZE(secondary_.ptr());
        if (PyByteArray_Resize(secondary_.ptr(), size + 1) != 0) throw nb::python_error();
        PyByteArray_AS_STRING(secondary_.ptr())[size] = 0;
        return number;
    }

    Int number_of_color(PyObject* color) {
        if (!color_numbers_.is_valid()) {
            color_numbers_ = attribute(table_, Words::get().color_numbers, PyDict_Type);
            color_names_ = attribute(table_, Words::get().color_names, PyList_Type);
        }
        Int number = number_of(color_numbers_, color);
        if (number != unknown) return number;
        number = enter(color_numbers_, color, PyList_GET_SIZE(color_names_.ptr()) + 1);
        if (number > 0 && PyList_Append(color_names_.ptr(), color) != 0) throw nb::python_error();
        return number;
    }

    bool add_name() {
        if (name_.is_none() || number_of(names_given_, name_.ptr()) != unknown) return false;
        const Py_ssize_t index = PyList_GET_SIZE(names_.ptr());
        if (enter(names_given_, name_.ptr(), index) < 0) return false;
        if (PyList_Append(names_.ptr(), name_.ptr()) != 0) throw nb::python_error();
        return true;
    }

    nb::object table_;
    nb::object options_;
    nb::object colored_;  // the class
    nb::object times_;    // the class
    bool named_;
    bool open_;  // may options declare items?
    nb::object items_;
    nb::object item_numbers_;
    nb::object secondary_;
    nb::object names_given_;
    nb::object names_;
    nb::object color_numbers_;  // none before the first color
    nb::object color_names_;
    nb::object option_;  // the one that is being read
    nb::object name_ = nb::none();
    bool anchored_ = false;               // has it a primary item?
    std::uint32_t turn_ = 0;              // its number here, from 1
    std::vector<std::uint32_t> seen_in_;  // in which of them each item was seen last
    SmallIntegers integers_;
    Columns columns_;
};

}  // namespace

void bind_reading(nb::module_& module) {
    Words::get();  // during import, so that no thread waits for the static while it holds the GIL
    nb::class_<Reader>(module, "Reader", "Adds ordinary options to a table.")
        .def(nb::init<nb::object, nb::object, nb::object, nb::object, bool>(), "table"_a,
             "options"_a, "colored"_a, "times"_a, "named"_a)
        .def("read", &Reader::read,
             "Reads up to an option that Python must add; returns it and its name, or None.");
}

}  // namespace dlx
