// Checks for Python's signals while the kernel prepares something: see core/interrupt_check.hpp.
#pragma once

#include <nanobind/nanobind.h>

#include "core/interrupt_check.hpp"
#include "python/released_gil.hpp"

namespace dlx {

inline void check_signals() {
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
}

class SignalCheck : InterruptCheck {
public:
    SignalCheck() : InterruptCheck(check_signals) {}  // with the GIL
    explicit SignalCheck(ReleasedGil& nogil)
        : InterruptCheck([&nogil] { nogil.have_it_for(check_signals); }) {}
};

// Returns the result of `prepare`, checking for signals meanwhile. Call it with the GIL.
template <class Prepare>
auto with_signal_checks(Prepare prepare) {
    const SignalCheck check;
    return prepare();
}

}  // namespace dlx
