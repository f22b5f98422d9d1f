// Chooses the instruction set of the `bits` engine, once, when it is first needed.
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "bits/rounds/task.hpp"
#include "bits/tables.hpp"

namespace dlx {
namespace {

const BitsLoops& choose_loops() {
    const auto levels = available_bits_loops();
    const char* wanted = std::getenv("DLX_SIMD");
    if (wanted == nullptr || *wanted == '\0') return *levels.front();
    std::string names;
    for (const BitsLoops* level : levels) {
        if (std::string(level->name) == wanted) return *level;
        names += names.empty() ? "" : ", ";
        names += level->name;
    }
    throw std::invalid_argument("DLX_SIMD is '" + std::string(wanted) +
                                "'; this processor and this build have " + names);
}

#if defined(DLX_BITS_X86)
// AMD's processors before Zen 3 take up to 289 cycles to pack the bits of a word.
bool packs_slowly() {
    return __builtin_cpu_is("bdver4") || __builtin_cpu_is("znver1") || __builtin_cpu_is("znver2");
}
#endif

}  // namespace

std::vector<const BitsLoops*> available_bits_loops() {
    std::vector<const BitsLoops*> levels;
#if defined(DLX_BITS_X86)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
        __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma")) {
        if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
            __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
            __builtin_cpu_supports("avx512vpopcntdq")) {
            static const BitsLoops v4 = {"v4", bits_v3.vector_bytes, bits_v3.run, rounds_v4,
                                         fewest_v4};
            levels.push_back(&v4);
        }
        static const BitsLoops v3 = {"v3", bits_v3.vector_bytes, bits_v3.run, rounds_v3,
                                     packs_slowly() ? nullptr : fewest_v3};
        levels.push_back(&v3);
    }
#endif
    levels.push_back(&bits_plain);
    return levels;
}

const BitsLoops& bits_loops() {
    static const BitsLoops& chosen = choose_loops();
    return chosen;
}

}  // namespace dlx
