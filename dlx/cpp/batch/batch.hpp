// The same problem under many sets of givens, solved by several threads.
//
// One thread, the client, submits sets and collects answers. It submits any number of sets at a
// time; worker threads claim the sets in chunks of consecutive ones; the answers come out in the
// order of the sets, whichever worker found them:
//
//      submit            claim                  publish                    collect
//     --------> waiting_ ------> Worker::advance -------> chunks_ (in order) -------> client
//       sets              chunks                  answers                    from the front only
//
//   * Chunks are short when few sets are left to claim, so that all workers end at about the same
//     time. Otherwise they are long, because each costs a lock or two. (A single worker claims all
//     sets of a `submit`, and searches by turns from the first to the last of them.)
//   * A worker owns one engine and restarts it for each set. Between two clock checks it touches no
//     shared data. At each check it publishes its answers, also in the middle of a chunk or of a
//     set, so that one hard set does not delay the answers before it.
//   * Memory is bounded: workers claim no sets while there are too many uncollected answers. The
//     front chunk is always claimed already, so `collect` always makes progress. (The client
//     decides how many sets wait to be claimed.)
//   * With one worker, and where the system provides no thread, nothing is shared: the client's own
//     thread does the work while it waits in `collect`.
//   * An exception in a worker (memory ran out) is stored in its chunk. `collect` throws it when it
//     reaches that chunk, and at each later call, because an answer is missing there.
//
// batch/sets_of_givens.hpp defines the arguments and the answers, batch/worker.hpp one worker.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
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
    explicit Batch(BatchArguments arguments)
        : arguments_(std::move(arguments)), threaded_(arguments_.workers != 1) {}
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;
    ~Batch() { close(); }

    // Do its threads belong to another process, of which this one is a fork? Then they do not run
    // here: waiting for them, or destroying what they wait for, would block for ever.
    bool is_elsewhere() const noexcept { return threaded_ && process_ != this_process(); }

    // Adds sets to be answered.
    void submit(Sets sets) {
        if (sets.size() == 0) return;
        auto submitted = std::make_shared<const Sets>(std::move(sets));
        const std::lock_guard lock(mutex_);
        if (closed_) return;
        waiting_.push_back(submitted);
        unclaimed_ += submitted->size();
        submitted_ += submitted->size();
        start_threads();
        work_.notify_all();
    }

    // How many sets were submitted, and for how many of these no answer has been collected.
    std::uint64_t submitted() const {
        const auto lock = lock_here();
        return submitted_;
    }
    std::uint64_t pending() const {
        const auto lock = lock_here();
        return submitted_ - collected_;
    }

    // Returns the next answers: at least one, unless `until` has passed or nothing is pending. Once
    // all answers before a worker's exception are collected, each call throws that exception.
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

    // Stops all work and discards what was not collected.
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
        chunks_.clear();
        own_chunk_ = nullptr;
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

    // How long a thread works between two accesses to shared data.
    static constexpr std::chrono::milliseconds time_slice{5};
    static constexpr std::size_t longest_chunk = 64;  // sets
    // Workers claim nothing while this many numbers are uncollected: about 16 megabytes.
    static constexpr std::size_t most_uncollected = 1 << 22;

    // Consecutive sets of one `submit`, claimed by one worker.
    struct Chunk {
        std::shared_ptr<const Sets> sets;
        std::size_t first;
        std::size_t last;
        std::vector<Answers> answers;  // published, not yet collected
        bool done = false;
        std::exception_ptr failure;
    };

    static bool is_ready(const Chunk& chunk) noexcept {
        return !chunk.answers.empty() || chunk.done || chunk.failure != nullptr;
    }
    bool front_is_ready() const noexcept { return !chunks_.empty() && is_ready(chunks_.front()); }
    // No set is claimed, and none will be: there is no answer to wait for.
    bool idle() const noexcept {
        return chunks_.empty() && (unclaimed_ == 0 || failure_ != nullptr);
    }
    bool may_claim() const noexcept { return unclaimed_ > 0 && uncollected_ < most_uncollected; }

    // -- the functions from here to the next line are called with the lock held ------------------

    // Starts one thread for each set, up to the number of workers. If the system refuses to start
    // more, the existing threads do all the work; the answers are the same.
    void start_threads() {
        if (arguments_.workers == 1) return;
        const std::size_t wanted = std::min<std::uint64_t>(arguments_.workers, submitted_);
        try {
            while (threads_.size() < wanted)
                threads_.emplace_back([this] {
                    prepare_to_throw();
                    serve();
                });
        } catch (const std::system_error&) {
            arguments_.workers = std::max<std::size_t>(threads_.size(), 1);
        }
    }

    Chunk& claim() {
        const std::size_t left = waiting_.front()->size() - claimed_in_front_;
        const std::size_t share = unclaimed_ / (4 * arguments_.workers) + 1;
        const std::size_t length =
            arguments_.workers == 1 ? left : std::min({left, share, longest_chunk});
        Chunk& chunk = chunks_.emplace_back(Chunk{
            waiting_.front(), claimed_in_front_, claimed_in_front_ + length, {}, false, nullptr});
        claimed_in_front_ += length;
        unclaimed_ -= length;
        if (length == left) {
            waiting_.pop_front();
            claimed_in_front_ = 0;
        }
        return chunk;
    }

    std::vector<Answers> take() {
        std::vector<Answers> taken;
        const bool was_full = uncollected_ >= most_uncollected;
        while (front_is_ready()) {
            Chunk& chunk = chunks_.front();
            if (chunk.failure != nullptr && chunk.answers.empty()) {
                if (taken.empty()) std::rethrow_exception(chunk.failure);
                break;
            }
            for (Answers& answers : chunk.answers) {
                answers.first = collected_;
                collected_ += answers.size();
                uncollected_ -= answers.weight();
                taken.push_back(std::move(answers));
            }
            chunk.answers.clear();
            if (!chunk.done) break;
            chunks_.pop_front();
        }
        if (taken.empty() && chunks_.empty() && failure_ != nullptr) {
            std::rethrow_exception(failure_);
        }
        if (was_full) work_.notify_all();
        return taken;
    }

    // --------------------------------------------------------------------------------------------

    // Works on a chunk until a time. Returns true if the chunk is done.
    bool advance(Worker& worker, Chunk& chunk, Clock::time_point until) {
        const bool done = worker.advance(until);
        Answers answers = worker.take();
        const std::lock_guard lock(mutex_);
        if (answers.size() > 0) {
            chunk.answers.push_back(std::move(answers));
            uncollected_ += chunk.answers.back().weight();
        }
        chunk.done = done;
        if (&chunk == &chunks_.front() && is_ready(chunk)) ready_.notify_all();
        return done;
    }

    // Runs a worker thread until the batch is closed.
    void serve() noexcept {
        Chunk* chunk = nullptr;
        try {
            Worker worker(arguments_);
            for (;;) {
                {
                    std::unique_lock lock(mutex_);
                    work_.wait(lock, [this] { return closed_ || may_claim(); });
                    if (closed_) return;
                    chunk = &claim();
                }
                worker.begin(*chunk->sets, chunk->first, chunk->last);
                while (!advance(worker, *chunk, Clock::now() + time_slice)) {
                    const std::lock_guard lock(mutex_);
                    if (closed_) return;
                }
                chunk = nullptr;
            }
        } catch (...) {
            const std::lock_guard lock(mutex_);
            (chunk == nullptr ? failure_ : chunk->failure) = std::current_exception();
            ready_.notify_all();
        }
    }

    // Like `serve`, in the client's thread: until a time, or until answers are worth collecting.
    void work_here(Clock::time_point until) {
        const auto soon = std::min(until, Clock::now() + time_slice);
        try {
            if (!own_worker_) own_worker_.emplace(arguments_);
            do {
                if (own_chunk_ == nullptr) {
                    const std::lock_guard lock(mutex_);
                    if (!may_claim() || failure_ != nullptr) return;
                    own_chunk_ = &claim();
                    own_worker_->begin(*own_chunk_->sets, own_chunk_->first, own_chunk_->last);
                }
                if (advance(*own_worker_, *own_chunk_, until)) own_chunk_ = nullptr;
            } while (Clock::now() < until && !is_worth_collecting(soon));
        } catch (...) {
            const std::lock_guard lock(mutex_);
            failure_ = std::current_exception();
            if (own_chunk_ != nullptr) own_chunk_->failure = failure_;
            own_chunk_ = nullptr;  // the exception may have left the engine in a bad state
        }
    }

    bool is_worth_collecting(Clock::time_point soon) const {
        const bool late = Clock::now() >= soon;
        const std::lock_guard lock(mutex_);
        return uncollected_ > (late ? 0 : most_uncollected / 16);
    }

    BatchArguments arguments_;
    const bool threaded_;
    const std::int64_t process_ = this_process();
    mutable std::mutex mutex_;       // guards all members below except the threads' own
    std::condition_variable work_;   // there may be sets to claim
    std::condition_variable ready_;  // the front chunk may have answers
    std::deque<std::shared_ptr<const Sets>> waiting_;
    std::size_t claimed_in_front_ = 0;  // sets claimed of waiting_.front()
    std::deque<Chunk> chunks_;          // claimed and not completely collected, in order
    std::uint64_t unclaimed_ = 0;
    std::uint64_t submitted_ = 0;
    std::uint64_t collected_ = 0;
    std::size_t uncollected_ = 0;  // weight of the answers published but not collected
    std::exception_ptr failure_;   // of a worker between two chunks
    bool closed_ = false;
    std::vector<std::thread> threads_;
    std::optional<Worker> own_worker_;  // used when there are no threads
    Chunk* own_chunk_ = nullptr;
};

}  // namespace dlx
