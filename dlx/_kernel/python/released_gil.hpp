// Lets Python's other threads run as long as it lives.
//
// A thread that comes back while the interpreter ends gets no GIL any more: up to Python 3.13 it is
// ended then and there, as by pthread_exit. In the GNU C library that unwinds its stack, and a
// destructor that is unwound through ends the whole process by std::terminate. So such a thread
// waits here for the process to end, as Python 3.14 has it wait.
#pragma once

#include <Python.h>

#include <chrono>
#include <thread>

#include "core/throwing.hpp"

namespace dlx {

class ReleasedGil {
public:
    ReleasedGil() noexcept : state_((prepare_to_throw(), PyEval_SaveThread())) {}
    ReleasedGil(const ReleasedGil&) = delete;
    ReleasedGil& operator=(const ReleasedGil&) = delete;
    ~ReleasedGil() { take_back(); }

    // Does something with the GIL in between.
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
        } catch (...) {  // nothing but the end of this thread
            for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
        }
    }

    PyThreadState* state_;
};

}  // namespace dlx
