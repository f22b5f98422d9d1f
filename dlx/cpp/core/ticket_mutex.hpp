// FIFO (ticket) mutex.
//
// A long search unlocks its mutex between two time slices, so that another thread can close it, and
// locks it again at once. With std::mutex the search nearly always gets the mutex back before a
// waiting thread has woken up, so that closing waits for the whole search. Here each thread takes a
// ticket and waits until its number is called.
#pragma once

#include <atomic>
#include <cstdint>

namespace dlx {

class TicketMutex {
public:
    void lock() noexcept {
        const std::uint32_t mine = next_.fetch_add(1, std::memory_order_relaxed);
        for (;;) {
            const std::uint32_t called = called_.load(std::memory_order_acquire);
            if (called == mine) return;
            called_.wait(called, std::memory_order_acquire);
        }
    }

    void unlock() noexcept {
        called_.fetch_add(1, std::memory_order_release);
        called_.notify_all();
    }

private:
    std::atomic<std::uint32_t> next_ = 0;
    std::atomic<std::uint32_t> called_ = 0;
};

}  // namespace dlx
