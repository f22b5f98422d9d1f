// Releases the GIL during its lifetime (RAII).
//
// A thread that wants the GIL back while the interpreter shuts down does not get it: up to Python
// 3.13 the thread is ended at once, as by pthread_exit. In the GNU C library that unwinds the
// stack, and unwinding through a noexcept destructor ends the whole process by std::terminate. So
// such a thread waits here for the process to end, as it does in Python 3.14.
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

}  // namespace dlx
