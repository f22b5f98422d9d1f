// Checks for Python's signals while the kernel works, and converts time limits.
#pragma once

#include <nanobind/nanobind.h>

#include "core/clock.hpp"
#include "core/interrupt_check.hpp"
#include "python/released_gil.hpp"

namespace dlx {

constexpr std::chrono::milliseconds slice{20};  // of work, between checks for signals

// Seconds as a duration. Negative and very large numbers: the longest that can be added to a time.
inline Clock::duration duration_of(double seconds) {
    constexpr std::chrono::hours forever{24 * 365 * 100};
    if (seconds < 0 || seconds >= 1e9) return forever;
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

inline void check_signals() {
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
}

// Checks for signals while the kernel prepares something: see core/interrupt_check.hpp.
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
