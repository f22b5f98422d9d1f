// ChunkIterator: a base class of iterators in Python whose elements come in chunks.
//
// A subclass stores a list in `_chunk`; `next` then takes one element after another, without a call
// of Python code. When none is left, it calls `_refill` of the subclass, which stores the next list
// or raises an exception, StopIteration at the end. Several threads may take elements: each goes to
// one of them.
//
// It is a type of C, not of nanobind, because classes of nanobind take a call through their
// dispatcher for each element and have a metaclass of their own.
#include "python/chunks.hpp"

#include "python/packs.hpp"

namespace nb = nanobind;

namespace dlx {
namespace {

struct ChunkIterator {
    PyObject_HEAD PyObject* chunk;  // a list, or null
    Py_ssize_t next;                // the place of the next element
};

ChunkIterator& members(PyObject* self) {
    return *reinterpret_cast<ChunkIterator*>(self);
}

// Takes the next element of the chunk; none if there is no further one.
nb::object take(PyObject* self) {
    const nb::ft_object_guard guard(self);
    ChunkIterator& my = members(self);
    if (my.chunk == nullptr) return {};
    nb::object element = element_of(my.chunk, my.next);
    my.next += element.is_valid();
    return element;
}

PyObject* next(PyObject* self) {
    for (;;) {
        nb::object element = take(self);
        if (element.is_valid()) return element.release().ptr();
        PyObject* done = PyObject_CallMethod(self, "_refill", nullptr);
        if (done == nullptr) return nullptr;
        Py_DECREF(done);
    }
}

PyObject* get_chunk(PyObject* self, void*) {
    const nb::ft_object_guard guard(self);
    PyObject* chunk = members(self).chunk;
    return Py_NewRef(chunk == nullptr ? Py_None : chunk);
}

int set_chunk(PyObject* self, PyObject* chunk, void*) {
    if (chunk == nullptr || !PyList_Check(chunk)) {
        PyErr_SetString(PyExc_TypeError, "_chunk is a list");
        return -1;
    }
    PyObject* old = Py_NewRef(chunk);
    {
        const nb::ft_object_guard guard(self);
        std::swap(old, members(self).chunk);
        members(self).next = 0;
    }
    Py_XDECREF(old);
    return 0;
}

PyObject* left(PyObject* self, void*) {
    const nb::ft_object_guard guard(self);
    const ChunkIterator& my = members(self);
    const Py_ssize_t size = my.chunk == nullptr ? 0 : PyList_Size(my.chunk);
    return PyLong_FromSsize_t(size < my.next ? 0 : size - my.next);
}

int traverse(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(members(self).chunk);
    return 0;
}

int clear(PyObject* self) {
    Py_CLEAR(members(self).chunk);
    return 0;
}

void dealloc(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    clear(self);
    type->tp_free(self);
    Py_DECREF(type);
}

PyGetSetDef properties[] = {
    {"_chunk", get_chunk, set_chunk, "The elements that `next` takes, from the first one.",
     nullptr},
    {"_left", left, nullptr, "How many of them have not been taken.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyMethodDef methods[] = {{"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS, nullptr},
                         {nullptr, nullptr, 0, nullptr}};

template <class T>
PyType_Slot slot(int id, T* value) {
    return {id, reinterpret_cast<void*>(value)};
}

}  // namespace

void bind_chunks(nb::module_& module) {
    static char doc[] =
        "A base class of iterators whose elements come in chunks.\n\n"
        "`_refill` of the subclass is called when no element is left. It stores a list in "
        "`_chunk`,\n"
        "or raises StopIteration at the end. `_left` is the number of elements not taken yet.";
    PyType_Slot slots[] = {slot(Py_tp_doc, doc),
                           slot(Py_tp_iter, PyObject_SelfIter),
                           slot(Py_tp_iternext, next),
                           slot(Py_tp_traverse, traverse),
                           slot(Py_tp_clear, clear),
                           slot(Py_tp_dealloc, dealloc),
                           slot(Py_tp_getset, properties),
                           slot(Py_tp_methods, methods),
                           {0, nullptr}};
    PyType_Spec spec = {"dlx.core.kernel.ChunkIterator", sizeof(ChunkIterator), 0,
                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};
    module.attr("ChunkIterator") = nb::steal(PyType_FromSpec(&spec));
}

}  // namespace dlx
