// Looks, from time to time, for what may interrupt a long preparation: signals, from Python.
//
// Engines pause when their time is up, and whoever runs them looks for signals then. Constructors
// cannot pause. So their long loops keep pace: once in so many steps they have the thread's `Looks`
// look, if there are any, and what that throws ends them. Threads of the kernel's own have none.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "core/clock.hpp"

namespace dlx {

class Looks {
public:
    // As long as it lives, what is prepared in this thread calls `look` every few milliseconds.
    explicit Looks(std::function<void()> look)
        : look_(std::move(look)), outer_(std::exchange(current_, this)) {}
    Looks(const Looks&) = delete;
    Looks& operator=(const Looks&) = delete;
    ~Looks() { current_ = outer_; }

    static bool any() noexcept { return current_ != nullptr; }

    static void look() {
        if (current_ == nullptr) return;
        const auto now = Clock::now();
        if (now < current_->next_) return;
        // What it calls may prepare something itself, and must not be taken for this.
        struct PutBack {
            Looks* looks;
            ~PutBack() { current_ = looks; }
        } at_the_end{std::exchange(current_, nullptr)};
        at_the_end.looks->next_ = now + interval;
        at_the_end.looks->look_();
    }

private:
    static constexpr std::chrono::milliseconds interval{5};

    // At a fixed place in the thread's memory where the linker can do that: otherwise the C library
    // allocates it at the first use of a thread, and ends the process if there is no memory left.
#ifdef __linux__
    [[gnu::tls_model("initial-exec")]]
#endif
    static inline thread_local Looks* current_ = nullptr;

    std::function<void()> look_;
    Looks* outer_;
    Clock::time_point next_{};
};

// Of one loop: it says what it has done, in entries or the like.
class Pace {
public:
    static constexpr std::uint64_t patience = 1 << 16;  // at a nanosecond each, or 50 of cache miss

    void add(std::uint64_t steps) {
        done_ += steps;
        if (done_ < patience) return;
        done_ = 0;
        Looks::look();
    }

private:
    std::uint64_t done_ = 0;
};

// A copy, made in pieces.
template <class T>
std::vector<T> paced_copy(const std::vector<T>& from) {
    constexpr auto piece = static_cast<std::ptrdiff_t>(Pace::patience);
    std::vector<T> copy;
    copy.reserve(from.size());
    for (auto at = from.begin(); at != from.end();) {
        const auto end = from.end() - at > piece ? at + piece : from.end();
        copy.insert(copy.end(), at, end);
        at = end;
        Looks::look();
    }
    return copy;
}

}  // namespace dlx
