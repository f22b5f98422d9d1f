// Periodic checks for interrupts (Python's signals) during long preparations.
//
// Engines pause when their time is up; their caller checks for signals then. Constructors cannot
// pause. So their long loops call `PeriodicCheck::add`, which every 65536 steps calls the
// `InterruptCheck` of the thread, if there is one. An exception that it throws ends the
// constructor. Threads that the kernel starts have no `InterruptCheck`.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "core/clock.hpp"

namespace dlx {

class InterruptCheck {
public:
    // While this object lives, preparations in this thread call `check` every 5 milliseconds.
    explicit InterruptCheck(std::function<void()> check)
        : check_(std::move(check)), outer_(std::exchange(current_, this)) {}
    InterruptCheck(const InterruptCheck&) = delete;
    InterruptCheck& operator=(const InterruptCheck&) = delete;
    ~InterruptCheck() { current_ = outer_; }

    static bool any() noexcept { return current_ != nullptr; }

    // Calls the check of this thread, if there is one and its interval is over.
    static void poll() {
        if (current_ == nullptr) return;
        const auto now = Clock::now();
        if (now < current_->next_) return;
        // The check may run preparations itself; these must not call it again.
        struct Restore {
            InterruptCheck* check;
            ~Restore() { current_ = check; }
        } at_the_end{std::exchange(current_, nullptr)};
        at_the_end.check->next_ = now + interval;
        at_the_end.check->check_();
    }

private:
    static constexpr std::chrono::milliseconds interval{5};

    // At a fixed place in the thread's memory where the linker can do that: otherwise the C library
    // allocates it at the first use of a thread, and ends the process if there is no memory left.
#ifdef __linux__
    [[gnu::tls_model("initial-exec")]]
#endif
    static inline thread_local InterruptCheck* current_ = nullptr;

    std::function<void()> check_;
    InterruptCheck* outer_;
    Clock::time_point next_{};
};

// Counts the steps of one loop and polls for interrupts once per `check_interval` steps.
class PeriodicCheck {
public:
    static constexpr std::uint64_t check_interval = 1 << 16;  // steps of 1 to 50 nanoseconds each

    void add(std::uint64_t steps) {
        done_ += steps;
        if (done_ < check_interval) return;
        done_ = 0;
        InterruptCheck::poll();
    }

private:
    std::uint64_t done_ = 0;
};

// Copies a vector in pieces and polls for interrupts after each.
template <class T>
std::vector<T> checked_copy(const std::vector<T>& from) {
    constexpr auto piece = static_cast<std::ptrdiff_t>(PeriodicCheck::check_interval);
    std::vector<T> copy;
    copy.reserve(from.size());
    for (auto at = from.begin(); at != from.end();) {
        const auto end = from.end() - at > piece ? at + piece : from.end();
        copy.insert(copy.end(), at, end);
        at = end;
        InterruptCheck::poll();
    }
    return copy;
}

}  // namespace dlx
