// Searches one tree with several threads, a walk (minimum/walk.hpp) in each: work sharing.
//
// One walk begins. If it does not finish soon, the other threads start. An idle thread waits for a
// subproblem; a busy walk shares one as soon as a thread is idle. So busy walks give away the
// largest subproblems that they have, and these do not pile up: at any time there are fewer
// subproblems than walks.
//
// Threads exist only during a call of `run`, which lasts some hundredths of a second. Between two
// calls no thread runs, so reading bounds, forking, interrupting or destroying the search needs no
// locks. Starting the threads again costs less than a hundredth of that time.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "core/throwing.hpp"
#include "minimum/walk.hpp"

namespace dlx {

// The callbacks of MinimumThreads, called from any of the threads.
template <class Cost>
class Owner {
public:
    virtual ~Owner() = default;
    virtual void found(Walk<Cost>& walk) = 0;          // the walk's path is a solution
    virtual void update_cutoff(Walk<Cost>& walk) = 0;  // sets the walk's cutoff to the current one
    virtual std::uint64_t cutoff_version() const noexcept = 0;  // changes when the cutoff does
};

template <class Cost>
class MinimumThreads {
public:
    // `alone`: the work of the first walk before other threads start, in units of about 10 ns.
    MinimumThreads(Walk<Cost> first, std::size_t threads, std::uint64_t alone)
        : threads_(threads), alone_(alone) {
        workers_.emplace_back(std::move(first));
    }

    Walk<Cost>& first() noexcept { return workers_.front().walk; }
    const Walk<Cost>& first() const noexcept { return workers_.front().walk; }

    // Begins a search of the whole tree with this cutoff.
    void begin(Cost cutoff) {
        for (Worker& one : workers_) {
            one.walk.return_to_root();
            one.walk.priced().forget_refused();
        }
        stopped_ = false;
        begun_ = first().work();
        first().begin(cutoff);
    }

    // Begins with what is left of a search, as `left` returned it.
    void begin(Cost cutoff, std::vector<Subproblem<Cost>> subproblems) {
        for (Worker& one : workers_) {
            one.walk.return_to_root();
            one.walk.priced().forget_refused();
            one.walk.priced().set_cutoff(cutoff);
        }
        stopped_ = false;
        begun_ = first().work();
        for (Subproblem<Cost>& one : subproblems) subproblems_.push_back(std::move(one));
    }

    // All that is left to be searched.
    std::vector<Subproblem<Cost>> left() const {
        std::vector<Subproblem<Cost>> all(subproblems_.begin(), subproblems_.end());
        for (const Worker& one : workers_) one.walk.add_left(all);
        return all;
    }

    // Searches until a time, or until all walks together have done this work (several threads may
    // continue for some milliseconds). Returns whether the whole tree has been searched.
    bool run(Clock::time_point until, std::uint64_t most_work, Owner<Cost>& owner) {
        const std::uint64_t alone = threads_ == 1 ? ~std::uint64_t{0} : begun_ + alone_;
        const bool in_time = run_alone(until, std::min(alone, most_work), owner);
        if (in_time && !stopped_ && work() < most_work && (!subproblems_.empty() || any_busy())) {
            if (most_work != ~std::uint64_t{0}) until = std::min(until, Clock::now() + longest);
            run_together(until, owner);
        }
        if (stopped_) drop_all();
        return subproblems_.empty() && !any_busy();
    }

    // Ends the search; may be called from any thread.
    void stop() noexcept { stopped_ = true; }

    Cost least_refused() const noexcept {
        Cost least = largest<Cost>;
        for (const Worker& one : workers_)
            least = std::min(least, one.walk.priced().least_refused());
        return least;
    }

    // A lower bound on the cost of all solutions in the part that has not been searched yet.
    Cost least_open() const noexcept {
        Cost least = largest<Cost>;
        for (const Worker& one : workers_) least = std::min(least, one.walk.least_open());
        for (const Subproblem<Cost>& one : subproblems_) least = std::min(least, one.bound);
        return least;
    }

    std::uint64_t work() const noexcept {
        std::uint64_t work = 0;
        for (const Worker& one : workers_) work += one.walk.work();
        return work;
    }

    // Adds the stats of all walks to `stats`.
    void add_stats(Stats& stats) const {
        for (const Worker& one : workers_) add_to(stats, one.walk.stats());
    }

private:
    // In units of work, like `alone`.
    static constexpr std::uint64_t check_interval = 50'000;  // between clock checks
    static constexpr std::uint64_t piece = 20'000;  // least work between two shares of one walk
    static constexpr std::chrono::milliseconds longest{10};  // if there is a limit of work

    struct Worker {
        explicit Worker(Walk<Cost> one) : walk(std::move(one)) {}
        Walk<Cost> walk;
        std::uint64_t cutoff_version = ~std::uint64_t{0};  // at the last `update_cutoff`
        std::exception_ptr error;
    };

    bool any_busy() const noexcept {
        return std::any_of(workers_.begin(), workers_.end(),
                           [](const Worker& one) { return one.walk.busy(); });
    }

    void drop_all() noexcept {
        subproblems_.clear();
        for (Worker& one : workers_) one.walk.give_up();
    }

    void advance(Worker& one, Owner<Cost>& owner) {
        const std::uint64_t version = owner.cutoff_version();
        if (one.cutoff_version != version) {
            owner.update_cutoff(one.walk);
            one.cutoff_version = version;
        }
        if (one.walk.step()) owner.found(one.walk);
    }

    // Runs the first walk until it has done `work`. Returns false if the time was up before.
    bool run_alone(Clock::time_point until, std::uint64_t work, Owner<Cost>& owner) {
        Worker& one = workers_.front();
        std::uint64_t next_check = one.walk.work() + check_interval;
        while (one.walk.work() < work && !stopped_) {
            if (one.walk.busy()) {
                advance(one, owner);
            } else if (!subproblems_.empty()) {  // the last one is the smallest
                owner.update_cutoff(one.walk);
                one.walk.begin(subproblems_.back());
                subproblems_.pop_back();
            } else {
                break;
            }
            if (one.walk.work() < next_check) continue;
            next_check = one.walk.work() + check_interval;
            if (Clock::now() >= until) return false;
        }
        return true;
    }

    void run_together(Clock::time_point until, Owner<Cost>& owner) {
        while (workers_.size() < threads_) {
            workers_.emplace_back(workers_.front().walk);
            workers_.back().walk.return_to_root();
            workers_.back().walk.forget_work();
            workers_.back().walk.priced().forget_refused();
        }
        waiting_ = 0;
        all_done_ = false;
        shortage_ = -static_cast<std::int64_t>(subproblems_.size());
        present_ = threads_;
        std::vector<std::thread> threads;
        threads.reserve(threads_ - 1);
        std::size_t at = 1;
        try {
            for (; at < threads_; ++at) {
                threads.emplace_back([this, at, until, &owner] {
                    prepare_to_throw();
                    work_until(at, until, owner);
                });
            }
        } catch (const std::exception&) {  // no more threads, or no more memory, are available
            leave(threads_ - at);
        }
        work_until(0, until, owner);
        for (std::thread& thread : threads) thread.join();
        for (; at < threads_; ++at) {  // busy walks that had a thread before and have none now
            if (workers_[at].walk.busy()) work_alone(at, until, owner);
        }
        for (Worker& one : workers_) {
            if (one.error) std::rethrow_exception(std::exchange(one.error, nullptr));
        }
    }

    void work_until(std::size_t at, Clock::time_point until, Owner<Cost>& owner) noexcept {
        Worker& one = workers_[at];
        try {
            work_loop(one, until, owner);
        } catch (...) {
            one.error = std::current_exception();
            stopped_ = true;
        }
        leave(1);
    }

    void work_alone(std::size_t at, Clock::time_point until, Owner<Cost>& owner) noexcept {
        all_done_ = false;
        waiting_ = 0;
        present_ = 1;
        work_until(at, until, owner);
    }

    void work_loop(Worker& one, Clock::time_point until, Owner<Cost>& owner) {
        std::uint64_t next_check = one.walk.work() + check_interval;
        std::uint64_t next_share = one.walk.work() + piece;
        while (!stopped_) {
            if (!one.walk.busy()) {
                const std::optional<Subproblem<Cost>> subproblem = fetch(until);
                if (!subproblem) return;
                owner.update_cutoff(one.walk);
                one.walk.begin(*subproblem);
                next_share = one.walk.work() + piece;
                continue;
            }
            advance(one, owner);
            const std::uint64_t work = one.walk.work();
            if (shortage_ > 0 && work >= next_share) {
                next_share = work + piece;
                if (std::optional<Subproblem<Cost>> subproblem = one.walk.share())
                    post(std::move(*subproblem));
            }
            if (work < next_check) continue;
            next_check = work + check_interval;
            if (Clock::now() >= until) return;
        }
    }

    void post(Subproblem<Cost> subproblem) {
        const std::lock_guard lock(lock_);
        subproblems_.push_back(std::move(subproblem));
        --shortage_;
        changed_.notify_one();
    }

    // Waits for a subproblem; returns nullopt if there is none in time.
    std::optional<Subproblem<Cost>> fetch(Clock::time_point until) {
        std::unique_lock lock(lock_);
        ++waiting_;
        ++shortage_;
        check_done();
        changed_.wait_until(lock, until, [this] { return !subproblems_.empty() || all_done_; });
        --waiting_;
        if (subproblems_.empty()) {
            --shortage_;
            return std::nullopt;
        }
        Subproblem<Cost> subproblem = std::move(subproblems_.front());
        subproblems_.pop_front();
        return subproblem;
    }

    // Ends `count` threads. They may have been the last ones that could share with those waiting.
    void leave(std::size_t count) noexcept {
        const std::lock_guard lock(lock_);
        present_ -= count;
        check_done();
    }

    void check_done() noexcept {
        if (waiting_ < present_ || !subproblems_.empty()) return;
        all_done_ = true;
        changed_.notify_all();
    }

    std::size_t threads_;
    std::uint64_t alone_;
    std::deque<Worker> workers_;
    std::deque<Subproblem<Cost>> subproblems_;
    std::uint64_t begun_ = 0;  // the first walk's work when the tree was begun
    std::atomic<bool> stopped_ = false;
    std::mutex lock_;  // guards all members that follow, and subproblems_
    std::condition_variable changed_;
    std::atomic<std::int64_t> shortage_ = 0;  // idle threads minus subproblems available
    std::size_t waiting_ = 0;
    std::size_t present_ = 0;
    bool all_done_ = false;
};

}  // namespace dlx
