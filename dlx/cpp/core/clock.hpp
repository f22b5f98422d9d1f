// The steady clock of all timeouts; in tests, a simulated one that advances only when it is read.
//
// With the simulated clock a timeout is a number of readings. So a test can stop a computation
// after a given number of readings, reproducibly, and count the work between two readings.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace dlx {

class Clock {
public:
    using duration = std::chrono::steady_clock::duration;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::steady_clock::time_point;
    static constexpr bool is_steady = true;

    static time_point now() noexcept {
        const std::int64_t step = step_.load(std::memory_order_relaxed);
        if (step == 0) return std::chrono::steady_clock::now();
        const std::int64_t passed = simulated_.fetch_add(step, std::memory_order_relaxed);
        return time_point(std::chrono::duration_cast<duration>(std::chrono::nanoseconds(passed)));
    }

    // From now on each reading advances the clock by `nanoseconds`; 0: the real time again.
    // Returns the simulated nanoseconds so far.
    static std::int64_t simulate(std::int64_t nanoseconds) noexcept {
        step_ = nanoseconds;
        return simulated_;
    }

private:
    static inline std::atomic<std::int64_t> step_ = 0;
    static inline std::atomic<std::int64_t> simulated_ = 0;
};

}  // namespace dlx
