// A mutex that is had in the order in which it was asked for.
//
// A search that runs for long lets others have their turn between two slices: one that wants to
// close it, say. It gives the mutex up and takes it again at once; with std::mutex it nearly always
// gets it back before anybody who was waiting has woken up, and closing waits for the search. Here
// everybody draws a number, and waits until it is called.
#pragma once

#include <atomic>
#include <cstdint>

namespace dlx {

class FairMutex {
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
