// Looks at Python's signals while the kernel prepares something: see core/looks.hpp.
#pragma once

#include <nanobind/nanobind.h>

#include "core/looks.hpp"
#include "python/released_gil.hpp"

namespace dlx {

inline void see_to_signals() {
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
}

class SignalLooks : Looks {
public:
    SignalLooks() : Looks(see_to_signals) {}  // with the GIL
    explicit SignalLooks(ReleasedGil& nogil)
        : Looks([&nogil] { nogil.have_it_for(see_to_signals); }) {}
};

// What `prepare` returns, which looks at signals while it works. With the GIL.
template <class Prepare>
auto while_looking(Prepare prepare) {
    const SignalLooks looks;
    return prepare();
}

}  // namespace dlx
