// The stages after the passes, where more solutions cost as much as the k-th than the passes keep.
#pragma once

#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "minimum/ordering.hpp"
#include "minimum/walking_stage.hpp"

namespace dlx {

// The last stage, with the solutions of the k-th's cost and those that cost less.
template <class Cost>
std::unique_ptr<Stage<Cost>> ordering_of(MinimumData<Cost>& data, std::int64_t tie_cost,
                                         std::vector<Costed> ties) {
    std::ranges::copy_if(data.kept, std::back_inserter(ties),
                         [&](const Costed& one) { return one.cost < tie_cost; });
    return std::make_unique<Ordering<Cost>>(data, std::move(ties));
}

// Collects the first of these solutions in the order of an ordinary search. One thread is enough:
// each step of this walk is in the order of the answer.
template <class Cost>
class Ties final : public Stage<Cost> {
public:
    Ties(MinimumData<Cost>& data, std::int64_t tie_cost, std::size_t wanted)
        : Stage<Cost>(data), tie_cost_(tie_cost), wanted_(wanted) {
        data.start_ties(tie_cost, wanted);
    }
    Ties(MinimumData<Cost>& data, Resumed<Cost> resumed)
        : Ties(data, resumed.tie_cost, resumed.ties_wanted) {
        data.ties->resume(std::move(resumed.ties), resumed.tried);
    }

    void run(Clock::time_point) override {
        if (data_.ties->step(data_.solutions)) return;
        this->end(ordering_of(data_, tie_cost_, data_.ties->take()));
    }

    std::optional<std::int64_t> bound() const override { return tie_cost_; }
    SavedStage saved_as() const noexcept override { return SavedStage::ties; }
    void save(StateWriter& state) override {
        state.put(tie_cost_);
        state.put_size(wanted_);
        state.put_solutions(data_.ties->found());
        state.put_options(data_.ties->tried());
    }

private:
    using Stage<Cost>::data_;
    std::int64_t tie_cost_;
    std::size_t wanted_;
};

// Walks through all solutions of exactly this cost. If that takes long, the first ones are
// collected in order beside it, alternating; if there are thousands, it is given up.
template <class Cost>
class Equals final : public WalkingStage<Cost> {
public:
    Equals(MinimumData<Cost>& data, std::int64_t tie_cost, std::size_t wanted)
        : WalkingStage<Cost>(data),
          tie_cost_(tie_cost),
          wanted_(wanted),
          begun_(data.walks.work()) {
        this->begin_walk(data.scale.to(tie_cost));
    }
    Equals(MinimumData<Cost>& data, Resumed<Cost> resumed)
        : WalkingStage<Cost>(data),
          tie_cost_(resumed.tie_cost),
          wanted_(resumed.ties_wanted),
          given_up_(resumed.given_up),
          ties_(std::move(resumed.ties)),
          begun_(data.walks.work()) {
        this->begin_walk(data.scale.to(tie_cost_), std::move(resumed.left));
    }

    std::optional<std::int64_t> bound() const override { return tie_cost_; }
    SavedStage saved_as() const noexcept override { return SavedStage::equals; }
    void save(StateWriter& state) override {
        state.put(tie_cost_);
        state.put_size(wanted_);
        state.put_solutions(ties_);
        this->save_left(state, given_up_);
    }

private:
    static constexpr std::uint64_t alone = 5'000'000;   // work before they are collected in order
    static constexpr std::size_t most_unwanted = 1000;  // solutions besides the wanted ones
    using Stage<Cost>::data_;

    void keep(Costed one) override {
        if (one.cost != tie_cost_ || given_up_) return;
        ++data_.solutions;
        ties_.push_back(std::move(one));
        given_up_ = ties_.size() == wanted_ + most_unwanted;
        if (given_up_) data_.walks.stop();
    }

    void end_walk() override {
        if (given_up_) {
            this->end(std::make_unique<Ties<Cost>>(data_, tie_cost_, wanted_));
        } else {
            this->end(ordering_of(data_, tie_cost_, std::move(ties_)));
        }
    }

    void work_beside(Clock::time_point until) override {
        const std::uint64_t spent = data_.walks.work() - begun_;
        if (spent < alone) return;
        TiesInOrder<Cost>& in_order = data_.start_ties(tie_cost_, wanted_);
        for (int steps = 1; in_order.work() < spent - alone; ++steps) {
            if (!in_order.step(data_.solutions)) {
                this->end(ordering_of(data_, tie_cost_, in_order.take()));
                return;
            }
            if (steps % 64 == 0 && Clock::now() >= until) return;
        }
    }

    std::int64_t tie_cost_;
    std::size_t wanted_;
    bool given_up_ = false;  // there are too many
    std::vector<Costed> ties_;
    std::uint64_t begun_;  // the work of the walks
};

// The stage after the passes: all solutions that cost less are known, now those of this cost.
template <class Cost>
std::unique_ptr<Stage<Cost>> stage_of_equals(MinimumData<Cost>& data, std::int64_t cost) {
    const auto is_tie = [cost](const Costed& one) { return one.cost == cost; };
    std::vector<Costed> equals;
    std::ranges::copy_if(data.kept, std::back_inserter(equals), is_tie);
    std::erase_if(data.kept, is_tie);
    const std::size_t wanted = static_cast<std::size_t>(data.k) - data.kept.size();
    if (data.any_order) {
        std::ranges::copy_if(data.incumbents.all(), std::back_inserter(equals), is_tie);
        return ordering_of(data, cost, std::move(equals));
    }
    data.before = std::move(equals);
    return std::make_unique<Equals<Cost>>(data, cost, wanted);
}

}  // namespace dlx
