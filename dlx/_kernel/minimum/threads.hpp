// Several walks through one tree at the same time, each in a thread (minimum/walk.hpp).
//
// One walk begins. If it is not done soon, the others join: each waits until someone shares, which
// a busy walk does as soon as anyone waits. So work is handed out where there is some, in pieces as
// large as there are, and never piles up: at any time there are fewer errands than walks.
//
// Threads live only as long as a call of `run`, which lasts some hundredths of a second. Between
// two calls nothing moves: whoever asks for bounds, forks, is interrupted or drops the whole needs
// no care. Making threads anew costs less than a hundredth of that time.
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

// What a crew tells its owner, from any of its threads.
template <class Cost>
class Owner {
public:
    virtual ~Owner() = default;
    virtual void found(Walk<Cost>& walk) = 0;         // its path is a solution
    virtual void catch_up(Walk<Cost>& walk) = 0;      // with the cutoff
    virtual std::uint64_t news() const noexcept = 0;  // changes when the cutoff does
};

template <class Cost>
class Crew {
public:
    // `alone`: the work of the first before the others join, in what takes about ten nanoseconds.
    Crew(Walk<Cost> first, std::size_t hands, std::uint64_t alone) : hands_(hands), alone_(alone) {
        hired_.emplace_back(std::move(first));
    }

    Walk<Cost>& first() noexcept { return hired_.front().walk; }
    const Walk<Cost>& first() const noexcept { return hired_.front().walk; }

    // The whole tree, with this cutoff.
    void begin(Cost cutoff) {
        for (Hired& one : hired_) {
            one.walk.return_to_root();
            one.walk.priced().forget_refused();
        }
        stopped_ = false;
        begun_ = first().work();
        first().begin(cutoff);
    }

    // Searches until a time. Returns whether the tree has been searched.
    bool run(Clock::time_point until, Owner<Cost>& owner) {
        const std::uint64_t alone = hands_ == 1 ? ~std::uint64_t{0} : begun_ + alone_;
        const bool in_time = run_alone(until, alone, owner);
        if (in_time && !stopped_ && (!errands_.empty() || any_busy())) run_together(until, owner);
        if (stopped_) drop_all();
        return errands_.empty() && !any_busy();
    }

    // Nothing more is wanted; may be called from any thread.
    void stop() noexcept { stopped_ = true; }

    Cost least_refused() const noexcept {
        Cost least = largest<Cost>;
        for (const Hired& one : hired_) least = std::min(least, one.walk.priced().least_refused());
        return least;
    }

    // What anything that has not been tried yet costs at least.
    Cost least_open() const noexcept {
        Cost least = largest<Cost>;
        for (const Hired& one : hired_) least = std::min(least, one.walk.least_open());
        for (const Errand<Cost>& one : errands_) least = std::min(least, one.bound);
        return least;
    }

    std::uint64_t work() const noexcept {
        std::uint64_t work = 0;
        for (const Hired& one : hired_) work += one.walk.work();
        return work;
    }

    // The nodes of all, added to those of the root.
    void add_nodes(Stats& stats) const {
        for (const Hired& one : hired_) {
            const Stats& own = one.walk.stats();
            stats.nodes += own.nodes;
            if (stats.profile.size() < own.profile.size()) {
                stats.profile.resize(own.profile.size(), 0);
            }
            for (std::size_t depth = 0; depth < own.profile.size(); ++depth) {
                stats.profile[depth] += own.profile[depth];
            }
        }
    }

private:
    // Work is counted as `alone` is.
    static constexpr std::uint64_t patience = 50'000;  // between looks at the clock
    static constexpr std::uint64_t piece = 20'000;     // between two errands of one walk

    struct Hired {
        explicit Hired(Walk<Cost> one) : walk(std::move(one)) {}
        Walk<Cost> walk;
        std::uint64_t news = ~std::uint64_t{0};  // the last it has heard
        std::exception_ptr error;
    };

    bool any_busy() const noexcept {
        return std::any_of(hired_.begin(), hired_.end(),
                           [](const Hired& one) { return one.walk.busy(); });
    }

    void drop_all() noexcept {
        errands_.clear();
        for (Hired& one : hired_) one.walk.give_up();
    }

    void advance(Hired& one, Owner<Cost>& owner) {
        const std::uint64_t news = owner.news();
        if (one.news != news) {
            owner.catch_up(one.walk);
            one.news = news;
        }
        if (one.walk.step()) owner.found(one.walk);
    }

    // The first walk until it has done so much work. Returns false if the time was up before.
    bool run_alone(Clock::time_point until, std::uint64_t work, Owner<Cost>& owner) {
        Hired& one = hired_.front();
        std::uint64_t next_look = one.walk.work() + patience;
        while (one.walk.busy() && one.walk.work() < work && !stopped_) {
            advance(one, owner);
            if (one.walk.work() < next_look) continue;
            next_look = one.walk.work() + patience;
            if (Clock::now() >= until) return false;
        }
        return true;
    }

    void run_together(Clock::time_point until, Owner<Cost>& owner) {
        while (hired_.size() < hands_) {
            hired_.emplace_back(hired_.front().walk);
            hired_.back().walk.return_to_root();
            hired_.back().walk.forget_work();
            hired_.back().walk.priced().forget_refused();
        }
        waiting_ = 0;
        all_done_ = false;
        hungry_ = -static_cast<std::int64_t>(errands_.size());
        present_ = hands_;
        std::vector<std::thread> threads;
        threads.reserve(hands_ - 1);
        std::size_t at = 1;
        try {
            for (; at < hands_; ++at) {
                threads.emplace_back([this, at, until, &owner] {
                    prepare_to_throw();
                    labour(at, until, owner);
                });
            }
        } catch (const std::exception&) {  // no more threads, or no more memory, are to be had
            leave(hands_ - at);
        }
        labour(0, until, owner);
        for (std::thread& thread : threads) thread.join();
        for (; at < hands_; ++at) {  // what those have who had a thread before and have none now
            if (hired_[at].walk.busy()) labour_alone(at, until, owner);
        }
        for (Hired& one : hired_) {
            if (one.error) std::rethrow_exception(std::exchange(one.error, nullptr));
        }
    }

    void labour(std::size_t at, Clock::time_point until, Owner<Cost>& owner) noexcept {
        Hired& one = hired_[at];
        try {
            toil(one, until, owner);
        } catch (...) {
            one.error = std::current_exception();
            stopped_ = true;
        }
        leave(1);
    }

    void labour_alone(std::size_t at, Clock::time_point until, Owner<Cost>& owner) noexcept {
        all_done_ = false;
        waiting_ = 0;
        present_ = 1;
        labour(at, until, owner);
    }

    void toil(Hired& one, Clock::time_point until, Owner<Cost>& owner) {
        std::uint64_t next_look = 0;
        std::uint64_t next_share = one.walk.work() + piece;
        while (!stopped_) {
            if (!one.walk.busy()) {
                const std::optional<Errand<Cost>> errand = fetch(until);
                if (!errand) return;
                owner.catch_up(one.walk);
                one.walk.begin(*errand);
                next_share = one.walk.work() + piece;
                continue;
            }
            advance(one, owner);
            const std::uint64_t work = one.walk.work();
            if (hungry_ > 0 && work >= next_share) {
                next_share = work + piece;
                if (std::optional<Errand<Cost>> errand = one.walk.share()) post(std::move(*errand));
            }
            if (work < next_look) continue;
            next_look = work + patience;
            if (Clock::now() >= until) return;
        }
    }

    void post(Errand<Cost> errand) {
        const std::lock_guard lock(lock_);
        errands_.push_back(std::move(errand));
        --hungry_;
        changed_.notify_one();
    }

    // Waits for an errand; nothing if there will not be one in time.
    std::optional<Errand<Cost>> fetch(Clock::time_point until) {
        std::unique_lock lock(lock_);
        ++waiting_;
        ++hungry_;
        check_done();
        changed_.wait_until(lock, until, [this] { return !errands_.empty() || all_done_; });
        --waiting_;
        if (errands_.empty()) {
            --hungry_;
            return std::nullopt;
        }
        Errand<Cost> errand = std::move(errands_.front());
        errands_.pop_front();
        return errand;
    }

    // Whoever leaves while others wait may be the last who could have shared.
    void leave(std::size_t count) noexcept {
        const std::lock_guard lock(lock_);
        present_ -= count;
        check_done();
    }

    void check_done() noexcept {
        if (waiting_ < present_ || !errands_.empty()) return;
        all_done_ = true;
        changed_.notify_all();
    }

    std::size_t hands_;
    std::uint64_t alone_;
    std::deque<Hired> hired_;
    std::deque<Errand<Cost>> errands_;
    std::uint64_t begun_ = 0;  // the first walk's work when the tree was begun
    std::atomic<bool> stopped_ = false;
    std::mutex lock_;  // of all that follows, and of the errands
    std::condition_variable changed_;
    std::atomic<std::int64_t> hungry_ = 0;  // how many wait for errands that are not there yet
    std::size_t waiting_ = 0;
    std::size_t present_ = 0;
    bool all_done_ = false;
};

}  // namespace dlx
