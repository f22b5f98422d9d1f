// Builds `dlx.Stats`, the stats of a search for Python.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/engine.hpp"
#include "python/packs.hpp"

namespace dlx {

// `NO_STATS` of dlx/core/stats.py, imported at the first call and kept: the class, and the values
// of the fields that the kernel does not know.
inline PyObject* no_stats() {
    static std::atomic<PyObject*> kept = nullptr;
    if (kept == nullptr) {  // if several threads come here, they find the same object
        nanobind::object stats = nanobind::module_::import_("dlx.core.stats").attr("NO_STATS");
        kept = stats.release().ptr();
    }
    return kept;
}

// By tuple.__new__: the constructor of a NamedTuple is written in Python.
inline nanobind::object stats_object(const Stats& stats, double seconds) {
    PyObject* const empty = no_stats();
    const auto depths = static_cast<Py_ssize_t>(stats.profile.size());
    nanobind::object profile = checked(PyTuple_New(depths));
    for (Py_ssize_t depth = 0; depth < depths; ++depth) {
        const std::uint64_t nodes = stats.profile[static_cast<std::size_t>(depth)];
        PyTuple_SET_ITEM(profile.ptr(), depth,
                         checked(PyLong_FromUnsignedLongLong(nodes)).release().ptr());
    }
    nanobind::object fields = checked(PyTuple_New(PyTuple_GET_SIZE(empty)));
    Py_ssize_t place = 0;
    const auto set = [&](nanobind::object value) {
        PyTuple_SET_ITEM(fields.ptr(), place++, value.release().ptr());
    };
    set(checked(PyLong_FromUnsignedLongLong(stats.nodes)));
    set(checked(PyLong_FromUnsignedLongLong(stats.updates)));
    set(checked(PyLong_FromUnsignedLongLong(stats.solutions)));
    set(std::move(profile));
    set(checked(PyFloat_FromDouble(seconds)));
    while (place < PyTuple_GET_SIZE(empty)) {
        set(nanobind::borrow(PyTuple_GET_ITEM(empty, place)));
    }
    const nanobind::object arguments = checked(PyTuple_Pack(1, fields.ptr()));
    return checked(PyTuple_Type.tp_new(Py_TYPE(empty), arguments.ptr(), nullptr));
}

}  // namespace dlx
