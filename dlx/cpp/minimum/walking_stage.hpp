// A stage that walks through the tree with a cutoff, by several threads: passes, and equals.
//
// Beside the walks, an ordinary search visits all solutions (minimum/dives.hpp). If it comes to its
// end first, it has the answer.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "minimum/ordering.hpp"
#include "minimum/stage.hpp"

namespace dlx {

template <class Cost>
class WalkingStage : public Stage<Cost>, private Owner<Cost> {
public:
    explicit WalkingStage(MinimumData<Cost>& data)
        : Stage<Cost>(data), next_pause_(data.walks.work() + first_pause) {}

    void run(Clock::time_point until) final {
        const Clock::time_point begun = Clock::now();
        const bool done = data_.walks.run(until, next_pause_, *this);
        data_.walking_time += Clock::now() - begun;
        if (done) {
            end_walk();
        } else if (data_.walks.work() >= next_pause_) {
            next_pause_ = data_.walks.work() + first_pause;
            work_beside(until);
            if (!this->ended()) visit_all(until);
        }
    }
    bool runs_long() const noexcept final { return true; }

protected:
    // Keeps a solution that a walk has found. Called by one thread at a time.
    virtual void keep(Costed one) = 0;
    // The whole tree has been searched up to the cutoff.
    virtual void end_walk() = 0;
    // Other work, from time to time.
    virtual void work_beside(Clock::time_point until) = 0;
    // Visiting all solutions has found a better one, or has stopped for now.
    virtual void found_better() noexcept {}
    virtual void visited_some() {}

    void begin_walk(Cost cutoff) {
        set_cutoff(cutoff);
        data_.walks.begin(cutoff);
    }
    void begin_walk(Cost cutoff, std::vector<Subproblem<Cost>> left) {
        set_cutoff(cutoff);
        data_.walks.begin(cutoff, std::move(left));
    }
    void set_cutoff(Cost cutoff) {
        cutoff_ = cutoff;
        ++cutoff_version_;
    }
    Cost cutoff() const noexcept { return cutoff_; }
    void pause_after(std::uint64_t work) noexcept { next_pause_ = data_.walks.work() + work; }

    void save_left(StateWriter& state, bool given_up) {
        state.put(given_up ? 1 : 0);
        const std::vector<Subproblem<Cost>> left = data_.walks.left();
        state.put_subproblems<Cost>(left, [this](Cost bound) { return data_.rounded(bound); });
    }

    using Stage<Cost>::data_;
    static constexpr std::uint64_t first_pause = 100'000;  // work of the walks

private:
    std::uint64_t cutoff_version() const noexcept override { return cutoff_version_; }

    void update_cutoff(Walk<Cost>& walk) override {
        const std::lock_guard lock(lock_);
        walk.priced().set_cutoff(cutoff_);
    }

    void found(Walk<Cost>& walk) override {
        Costed one = data_.solution_of(walk.path());
        const std::lock_guard lock(lock_);
        keep(std::move(one));
    }

    void visit_all(Clock::time_point until) {
        const auto better = [this](const Costed& one) {
            ++data_.solutions;
            if (data_.incumbents.add(one.cost, one.options)) found_better();
        };
        switch (data_.dives.visit_beside(data_.walking_time, until, better)) {
            case Dives::Visits::all:
                this->end(std::make_unique<Ordering<Cost>>(data_, data_.dives.take_best()));
                break;
            case Dives::Visits::some:
                visited_some();
                break;
            case Dives::Visits::none:
                break;
        }
    }

    std::uint64_t next_pause_;  // the work of the walks when other work is due
    std::mutex lock_;  // guards what walks change: all that follow, and what `keep` changes
    Cost cutoff_ = 0;
    std::atomic<std::uint64_t> cutoff_version_ = 0;  // how often the cutoff has changed
};

}  // namespace dlx
