// A mutex that is had in the order in which it was asked for.
//
// A search that runs for long lets others have their turn between two slices: one that wants to
// close it, say. It gives the mutex up and takes it again at once; with std::mutex it nearly always
// gets it back before anybody who was waiting has woken up, and closing waits for the search.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace dlx {

class FairMutex {
public:
    void lock() {
        std::unique_lock guard(mutex_);
        const std::uint64_t mine = next_++;
        called_.wait(guard, [this, mine] { return mine == serving_; });
    }

    void unlock() {
        {
            const std::lock_guard guard(mutex_);
            ++serving_;
        }
        called_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable called_;
    std::uint64_t next_ = 0;
    std::uint64_t serving_ = 0;
};

}  // namespace dlx
