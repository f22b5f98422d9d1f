// The same problem under many sets of givens, solved by several threads.
//
// Whoever hands over sets and collects answers is one thread, here called the client. It submits
// sets in lots, of any size; workers claim the sets in blocks of consecutive ones; the answers come
// out in the order of the sets, whoever found them:
//
//      submit            claim                  publish                    collect
//     --------> waiting_ ------> Worker::advance -------> blocks_ (in order) -------> client
//       lots              blocks                  answers                    from the front only
//
//   * Blocks are short when little is left to claim, so that all workers end at about the same
//     time, and long otherwise, because each costs a lock or two.
//   * A worker owns one engine and restarts it for each set. Between two looks at the clock it
//     touches nothing that is shared. At each look it publishes what it has, also in the middle of
//     a block and of a set, so that one hard set holds up nobody who waits for those before it.
//   * Memory is bounded: workers claim nothing while too much waits to be collected. The front
//     block has always been claimed already, so there is always something to wait for. (How many
//     sets wait to be claimed is up to the client.)
//   * With one worker, and where no thread can be had, nothing is shared at all: the client's own
//     thread does the work while it waits in `collect`.
//   * What is thrown in a worker, for want of memory, waits in its block for its turn, and then at
//     each call of `collect`: an answer is missing there.
//
// What is asked and answered is in batch/sets_of_givens.hpp, what one worker does in
// batch/worker.hpp.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#if __has_include(<unistd.h>)
#include <unistd.h>
#endif

#include "batch/worker.hpp"
#include "core/throwing.hpp"

namespace dlx {

class Batch {
public:
    explicit Batch(Question question)
        : question_(std::move(question)), threaded_(question_.workers != 1) {}
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;
    ~Batch() { close(); }

    // Has it threads that are in another process, of which this one is a fork? Then nobody answers
    // any more, and to wait for the threads, or to destroy what they wait for, takes for ever.
    bool is_elsewhere() const noexcept { return threaded_ && process_ != this_process(); }

    // Adds sets to those to be answered.
    void submit(Sets sets) {
        if (sets.size() == 0) return;
        auto lot = std::make_shared<const Sets>(std::move(sets));
        const std::lock_guard lock(mutex_);
        if (closed_) return;
        waiting_.push_back(lot);
        unclaimed_ += lot->size();
        submitted_ += lot->size();
        start_threads();
        work_.notify_all();
    }

    // How many sets were submitted, and how many of these are not yet among answers collected.
    std::uint64_t submitted() const {
        const auto lock = lock_here();
        return submitted_;
    }
    std::uint64_t pending() const {
        const auto lock = lock_here();
        return submitted_ - collected_;
    }

    // The answers that come next: at least one, unless it is `until` or nothing is pending. Throws
    // what a worker threw once all answers before that are collected, and then at each call.
    std::vector<Answers> collect(Clock::time_point until) {
        std::unique_lock lock(mutex_);
        if (threads_.empty()) {
            lock.unlock();
            work_here(until);
            lock.lock();
        } else {
            ready_.wait_until(lock, until, [this] { return idle() || front_is_ready(); });
        }
        return take();
    }

    // Stops all work and forgets what was not collected.
    void close() noexcept {
        if (is_elsewhere()) return;
        {
            const std::lock_guard lock(mutex_);
            closed_ = true;
            waiting_.clear();
            unclaimed_ = 0;
            work_.notify_all();
        }
        for (std::thread& thread : threads_) thread.join();
        threads_.clear();
        const std::lock_guard lock(mutex_);
        blocks_.clear();
        own_block_ = nullptr;
        submitted_ = collected_;
    }

private:
    static std::int64_t this_process() noexcept {
#if __has_include(<unistd.h>)
        return getpid();
#else
        return 0;  // there is no fork
#endif
    }

    std::unique_lock<std::mutex> lock_here() const {
        std::unique_lock lock(mutex_, std::defer_lock);
        if (!is_elsewhere()) lock.lock();
        return lock;
    }

    static constexpr std::chrono::milliseconds slice{5};  // between looks of a thread at the rest
    static constexpr std::size_t longest_block = 64;
    static constexpr std::size_t flood = 1 << 22;  // uncollected numbers: about 16 megabytes

    // Consecutive sets of one lot, claimed by one worker.
    struct Block {
        std::shared_ptr<const Sets> sets;
        std::size_t first;
        std::size_t last;
        std::vector<Answers> answers;  // published, not yet collected
        bool done = false;
        std::exception_ptr failure;
    };

    static bool is_ready(const Block& block) noexcept {
        return !block.answers.empty() || block.done || block.failure != nullptr;
    }
    bool front_is_ready() const noexcept { return !blocks_.empty() && is_ready(blocks_.front()); }
    // Nothing is claimed, and nothing will be: there is nothing to wait for.
    bool idle() const noexcept {
        return blocks_.empty() && (unclaimed_ == 0 || failure_ != nullptr);
    }
    bool may_claim() const noexcept { return unclaimed_ > 0 && uncollected_ < flood; }

    // -- the functions from here to the next line are called with the lock held ------------------

    // One thread for each set, and no more than the caller wished. Where the system gives no
    // more, those there are do all the work; the answers are the same.
    void start_threads() {
        if (question_.workers == 1) return;
        const std::size_t wanted = std::min<std::uint64_t>(question_.workers, submitted_);
        try {
            while (threads_.size() < wanted)
                threads_.emplace_back([this] {
                    prepare_to_throw();
                    serve();
                });
        } catch (const std::system_error&) {
            question_.workers = std::max<std::size_t>(threads_.size(), 1);
        }
    }

    Block& claim() {
        const std::size_t left = waiting_.front()->size() - claimed_in_front_;
        const std::size_t share = unclaimed_ / (4 * question_.workers) + 1;
        const std::size_t length = std::min({left, share, longest_block});
        Block& block = blocks_.emplace_back(Block{
            waiting_.front(), claimed_in_front_, claimed_in_front_ + length, {}, false, nullptr});
        claimed_in_front_ += length;
        unclaimed_ -= length;
        if (length == left) {
            waiting_.pop_front();
            claimed_in_front_ = 0;
        }
        return block;
    }

    std::vector<Answers> take() {
        std::vector<Answers> taken;
        const bool flooded = uncollected_ >= flood;
        while (front_is_ready()) {
            Block& block = blocks_.front();
            if (block.failure != nullptr && block.answers.empty()) {
                if (taken.empty()) std::rethrow_exception(block.failure);
                break;
            }
            for (Answers& answers : block.answers) {
                answers.first = collected_;
                collected_ += answers.size();
                uncollected_ -= answers.weight();
                taken.push_back(std::move(answers));
            }
            block.answers.clear();
            if (!block.done) break;
            blocks_.pop_front();
        }
        if (taken.empty() && blocks_.empty() && failure_ != nullptr) {
            std::rethrow_exception(failure_);
        }
        if (flooded) work_.notify_all();
        return taken;
    }

    // --------------------------------------------------------------------------------------------

    // Works on a block until a time. True if it is done.
    bool advance(Worker& worker, Block& block, Clock::time_point until) {
        const bool done = worker.advance(until);
        Answers answers = worker.take();
        const std::lock_guard lock(mutex_);
        if (answers.size() > 0) {
            block.answers.push_back(std::move(answers));
            uncollected_ += block.answers.back().weight();
        }
        block.done = done;
        if (&block == &blocks_.front() && is_ready(block)) ready_.notify_all();
        return done;
    }

    // What each thread does.
    void serve() noexcept {
        Block* block = nullptr;
        try {
            Worker worker(question_);
            for (;;) {
                {
                    std::unique_lock lock(mutex_);
                    work_.wait(lock, [this] { return closed_ || may_claim(); });
                    if (closed_) return;
                    block = &claim();
                }
                worker.begin(*block->sets, block->first, block->last);
                while (!advance(worker, *block, Clock::now() + slice)) {
                    const std::lock_guard lock(mutex_);
                    if (closed_) return;
                }
                block = nullptr;
            }
        } catch (...) {
            const std::lock_guard lock(mutex_);
            (block == nullptr ? failure_ : block->failure) = std::current_exception();
            ready_.notify_all();
        }
    }

    // As `serve`, for the client itself: until a time, or until answers are worth collecting.
    void work_here(Clock::time_point until) {
        const auto soon = std::min(until, Clock::now() + slice);
        try {
            if (!own_worker_) own_worker_.emplace(question_);
            do {
                if (own_block_ == nullptr) {
                    const std::lock_guard lock(mutex_);
                    if (!may_claim() || failure_ != nullptr) return;
                    own_block_ = &claim();
                    own_worker_->begin(*own_block_->sets, own_block_->first, own_block_->last);
                }
                if (advance(*own_worker_, *own_block_, until)) own_block_ = nullptr;
            } while (Clock::now() < until && !is_worth_collecting(soon));
        } catch (...) {
            const std::lock_guard lock(mutex_);
            failure_ = std::current_exception();
            if (own_block_ != nullptr) own_block_->failure = failure_;
            own_block_ = nullptr;  // what was thrown has left the engine in no good state
        }
    }

    bool is_worth_collecting(Clock::time_point soon) const {
        const bool late = Clock::now() >= soon;
        const std::lock_guard lock(mutex_);
        return uncollected_ > (late ? 0 : flood / 16);
    }

    Question question_;
    const bool threaded_;
    const std::int64_t process_ = this_process();
    mutable std::mutex mutex_;       // guards all below but the threads and what is their own
    std::condition_variable work_;   // there may be something to claim
    std::condition_variable ready_;  // the front block may have answers
    std::deque<std::shared_ptr<const Sets>> waiting_;
    std::size_t claimed_in_front_ = 0;  // sets of the first lot that waits
    std::deque<Block> blocks_;          // claimed and not wholly collected, in order
    std::uint64_t unclaimed_ = 0;
    std::uint64_t submitted_ = 0;
    std::uint64_t collected_ = 0;
    std::size_t uncollected_ = 0;  // the weight of what is published and not collected
    std::exception_ptr failure_;   // of a worker between two blocks
    bool closed_ = false;
    std::vector<std::thread> threads_;
    std::optional<Worker> own_worker_;  // when there are no threads
    Block* own_block_ = nullptr;
};

}  // namespace dlx
