// The GIL and Python's signals: releases the one while the kernel works, and checks for the others.
// With the signals, it checks whether another thread has cancelled the call.
//
// A thread that wants the GIL back while the interpreter shuts down does not get it: up to Python
// 3.13 the thread is ended at once, as by pthread_exit. In the GNU C library that unwinds the
// stack, and unwinding through a noexcept destructor ends the whole process by std::terminate. So
// such a thread waits in `ReleasedGil` for the process to end, as it does in Python 3.14.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "core/clock.hpp"
#include "core/interrupt_check.hpp"
#include "core/throwing.hpp"

namespace dlx {

// Releases the GIL during its lifetime (RAII).
class ReleasedGil {
public:
    ReleasedGil() noexcept : state_((prepare_to_throw(), PyEval_SaveThread())) {}
    ReleasedGil(const ReleasedGil&) = delete;
    ReleasedGil& operator=(const ReleasedGil&) = delete;
    ~ReleasedGil() { take_back(); }

    // Calls `work` with the GIL, then releases it again.
    template <class Work>
    void have_it_for(Work work) {
        take_back();
        struct GiveAgain {
            PyThreadState*& state;
            ~GiveAgain() { state = PyEval_SaveThread(); }
        } at_the_end{state_};
        work();
    }

private:
    void take_back() noexcept {
        try {
            PyEval_RestoreThread(state_);
        } catch (...) {  // only the end of this thread raises here
            for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
        }
    }

    PyThreadState* state_;
};

constexpr std::chrono::milliseconds slice{20};  // of work, between checks for signals

constexpr double unlimited_seconds = std::numeric_limits<double>::infinity();

// Seconds as a duration. Infinity and very large numbers: the longest that can be added to a time.
inline Clock::duration duration_of(double seconds) {
    constexpr std::chrono::hours forever{24 * 365 * 100};
    if (seconds >= 1e9) return forever;
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

// The deadline of a `Cancellation` has passed. Python's `dlx._kernel.TimeUp`.
struct TimeUp : std::exception {
    const char* what() const noexcept override { return "the time is up"; }
};

// A flag by which another thread ends the call that this thread is in: Python handles signals in
// its main thread only. With a deadline, it also ends calls that have no time limit of their own.
// From `enter` to `leave` this thread checks it, and those entered before.
class Cancellation {
public:
    explicit Cancellation(double seconds = unlimited_seconds) {
        if (seconds != unlimited_seconds) until_ = Clock::now() + duration_of(seconds);
    }
    void enter() noexcept { outer_ = std::exchange(current_, this); }
    void leave() noexcept { current_ = outer_; }
    void cancel() noexcept { cancelled_.store(true, std::memory_order_relaxed); }
    bool cancelled() const noexcept { return cancelled_.load(std::memory_order_relaxed); }

    // Raises KeyboardInterrupt, as a signal would, if the call of this thread is cancelled, and
    // `TimeUp` after its deadline.
    static void check() {
        for (const Cancellation* one = current_; one != nullptr; one = one->outer_) {
            if (one->cancelled()) {
                PyErr_SetNone(PyExc_KeyboardInterrupt);
                throw nanobind::python_error();
            }
            if (one->until_ && Clock::now() >= *one->until_) throw TimeUp();
        }
    }

private:
#ifdef __linux__
    [[gnu::tls_model("initial-exec")]]  // as in core/interrupt_check.hpp
#endif
    static inline thread_local Cancellation* current_ = nullptr;

    Cancellation* outer_ = nullptr;
    std::atomic<bool> cancelled_ = false;
    std::optional<Clock::time_point> until_;
};

inline void check_signals() {
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
    Cancellation::check();
}

// Checks for signals while the kernel prepares something: see core/interrupt_check.hpp.
class SignalCheck : InterruptCheck {
public:
    SignalCheck() : InterruptCheck(check_signals) {}  // with the GIL
    explicit SignalCheck(ReleasedGil& nogil)
        : InterruptCheck([&nogil] { nogil.have_it_for(check_signals); }) {}
};

// Calls `work` for one time slice after another, until it returns true or the time is up; at least
// once. Checks for signals after each call. `running` is held during the calls, without the GIL.
template <class Work>
void in_slices(std::mutex& running, double seconds, Work work) {
    const auto end = Clock::now() + duration_of(seconds);
    for (;;) {
        {
            const ReleasedGil nogil;
            const std::lock_guard lock(running);
            if (work(std::min(end, Clock::now() + slice))) return;
        }
        check_signals();
        if (Clock::now() >= end) return;
    }
}

// Returns the result of `prepare`, checking for signals meanwhile. Call it with the GIL.
template <class Prepare>
auto with_signal_checks(Prepare prepare) {
    const SignalCheck check;
    return prepare();
}

}  // namespace dlx
