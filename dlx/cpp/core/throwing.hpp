// Makes a thread ready to throw exceptions when memory is short.
//
// The GNU C++ library keeps the exceptions of a thread in memory that the C library allocates when
// the thread throws for the first time - and if there is none left then, it ends the process, where
// std::bad_alloc was to be thrown. So every thread has it allocated before it does any work.
#pragma once

#include <exception>

#ifdef __GLIBCXX__
#include <cxxabi.h>
#endif

namespace dlx {

inline void prepare_to_throw() noexcept {
#ifdef __GLIBCXX__
    // Declared as a function without effects: a call whose result is not used would go.
    [[maybe_unused]] void* volatile globals = abi::__cxa_get_globals();
#endif
}

}  // namespace dlx
