// The passes: searches for all solutions up to a cutoff, which rises until there are k.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "minimum/improvement.hpp"
#include "minimum/ties.hpp"
#include "minimum/walking_stage.hpp"

namespace dlx {

template <class Cost>
class Passes final : public WalkingStage<Cost> {
public:
    explicit Passes(MinimumData<Cost>& data)
        : WalkingStage<Cost>(data),
          improvement_(data),
          gap_(first_gap()),
          proven_(data.root_bound) {
        begin_pass();
    }
    Passes(MinimumData<Cost>& data, Resumed<Cost> resumed)
        : WalkingStage<Cost>(data),
          improvement_(data),
          gap_(std::max<Cost>(resumed.pass_cutoff - data.root_bound, Cost{1} << data.scale.shift)),
          proven_(std::max(data.root_bound, resumed.proven)),
          pass_cutoff_(resumed.pass_cutoff),
          refused_(resumed.refused),
          keeps_ties_(resumed.keeps_ties),
          ties_(std::move(resumed.ties)) {
        std::ranges::make_heap(data.kept, cheaper);
        this->begin_walk(pass_cutoff_, std::move(resumed.left));
        if (full()) lower_cutoff_to(most_kept());
        lower_cutoff();
    }

    std::optional<std::int64_t> bound() const override {
        const Cost least =
            std::min({refused_, data_.walks.least_refused(), data_.walks.least_open()});
        std::int64_t result =
            data_.scale.from(std::min(std::max(proven_, least), data_.scale.most));
        if (full()) result = std::min(result, most_kept());
        return std::min(result, data_.incumbents.limit().value_or(result));
    }

    SavedStage saved_as() const noexcept override { return SavedStage::passes; }

    void save(StateWriter& state) override {
        const Cost refused = std::min(refused_, data_.walks.least_refused());
        state.put(data_.rounded(proven_));
        state.put_optional(refused >= data_.scale.most ? std::nullopt
                                                       : std::optional(data_.rounded(refused)));
        state.put_optional(pass_cutoff_ == data_.scale.most
                               ? std::nullopt
                               : std::optional(data_.scale.down_from(pass_cutoff_)));
        state.put(keeps_ties_ ? 1 : 0);
        state.put_solutions(ties_);
        this->save_left(state, false);
    }

private:
    static constexpr int widening = 2;
    static constexpr std::size_t most_ties = 32;
    using Stage<Cost>::data_;

    static bool cheaper(const Costed& one, const Costed& other) noexcept {
        return one.cost < other.cost;
    }

    bool full() const noexcept { return data_.kept.size() == data_.k; }
    std::int64_t most_kept() const noexcept { return data_.kept.front().cost; }

    // Room for a few options more than there are items.
    Cost first_gap() const {
        std::vector<Cost> reduced;
        const PricedCells<Cost>& priced = data_.priced();
        for (const Int option : priced.cells().alive()) reduced.push_back(priced.reduced(option));
        const Cost least = Cost{1} << data_.scale.shift;
        if (reduced.empty()) return least;
        const std::size_t place =
            std::min(reduced.size() - 1, 2 * priced.cells().open().size() + 20);
        const auto middle = reduced.begin() + static_cast<std::ptrdiff_t>(place);
        std::nth_element(reduced.begin(), middle, reduced.end());
        return std::max(*middle, least);
    }

    void begin_pass() {
        const Cost room = data_.scale.most - data_.root_bound;
        pass_cutoff_ = gap_ < room ? data_.root_bound + gap_ : data_.scale.most;
        keeps_ties_ = !data_.any_order;
        ties_.clear();
        this->pause_after(this->first_pause);
        refused_ = largest<Cost>;
        this->begin_walk(pass_cutoff_);
        lower_cutoff();
    }

    void end_walk() override {
        const Cost refused = std::min(refused_, data_.walks.least_refused());
        const std::optional<std::int64_t> limit = data_.incumbents.limit();
        if (full() && keeps_ties_) {  // all that cost as much are there
            std::ranges::move(ties_, std::back_inserter(data_.kept));
            finish();
        } else if (limit &&
                   (full() ? *limit <= most_kept() : pass_cutoff_ >= data_.scale.below(*limit))) {
            // All solutions that are cheaper than the k-th incumbent have been found.
            std::erase_if(data_.kept, [&](const Costed& one) { return one.cost >= *limit; });
            this->end(stage_of_equals(data_, *limit));
        } else if (full()) {
            if (refused > data_.scale.to(most_kept())) return finish();
            this->end(stage_of_equals(data_, most_kept()));
        } else if (refused == largest<Cost> || pass_cutoff_ == data_.scale.most) {
            finish();  // no possible solution was too expensive
        } else {
            proven_ = std::max(proven_, refused);
            data_.before = std::exchange(data_.kept, {});
            const Cost room = data_.scale.most - data_.root_bound;
            gap_ = std::max(gap_ < room / widening ? gap_ * widening : room,
                            refused - data_.root_bound);
            begin_pass();
        }
    }

    void finish() {
        std::vector<Costed> found = std::move(data_.kept);
        this->end(std::make_unique<Ordering<Cost>>(data_, std::move(found)));
    }

    void work_beside(Clock::time_point until) override {
        const std::uint64_t work = improvement_.run(
            until, [this] { return cutoff_of_better(); }, [this] { lower_cutoff(); });
        if (data_.dives.exhausted()) return this->end(nullptr);  // there is no solution at all
        this->pause_after(std::max<std::uint64_t>(50'000, work / 2));
    }
    void found_better() noexcept override { improvement_.found_better(); }
    void visited_some() override { lower_cutoff(); }

    // The cost of the solutions that would be among the k cheapest known.
    Cost cutoff_of_better() const noexcept {
        Cost cutoff = data_.scale.most;
        if (full()) cutoff = data_.scale.below(most_kept());
        const std::optional<std::int64_t> limit = data_.incumbents.limit();
        return limit ? std::min(cutoff, data_.scale.below(*limit)) : cutoff;
    }

    void lower_cutoff() {
        if (data_.incumbents.full()) lower_cutoff_to(*data_.incumbents.limit());
    }

    // There are k solutions of at most this cost.
    void lower_cutoff_to(std::int64_t cost) {
        const Cost cutoff = keeps_ties_ ? data_.scale.to(cost) : data_.scale.below(cost);
        if (cutoff < this->cutoff()) this->set_cutoff(cutoff);
    }

    void keep(Costed one) override {
        if (full() && one.cost >= most_kept()) {
            if (one.cost == most_kept() && keeps_ties_) {
                ++data_.solutions;
                keep_tie(std::move(one));
            } else {
                refuse(one.cost);  // another thread was faster
            }
            return;
        }
        ++data_.solutions;
        std::optional<Costed> dropped;
        if (full()) {
            std::ranges::pop_heap(data_.kept, cheaper);
            dropped = std::move(data_.kept.back());
            data_.kept.pop_back();
        }
        data_.kept.push_back(std::move(one));
        std::ranges::push_heap(data_.kept, cheaper);
        if (!full()) return;
        const std::int64_t most = most_kept();
        if (dropped && dropped->cost > most) {
            refuse(dropped->cost);
            ties_.clear();  // they cost as much
        } else if (dropped && keeps_ties_) {
            keep_tie(std::move(*dropped));
        } else if (dropped) {
            refuse(most);
        }
        lower_cutoff_to(most);
    }

    // Keeps a solution that costs as much as the k-th, unless there are too many of them: then all
    // of that cost are left to `Equals`.
    void keep_tie(Costed one) {
        const std::int64_t cost = one.cost;
        ties_.push_back(std::move(one));
        if (ties_.size() <= most_ties) return;
        keeps_ties_ = false;
        ties_.clear();
        refuse(cost);
        lower_cutoff_to(cost);
    }

    void refuse(std::int64_t cost) noexcept { refused_ = std::min(refused_, data_.scale.to(cost)); }

    Improvement<Cost> improvement_;
    Cost gap_;              // how far the cutoff of the pass is above the bound at the root
    Cost proven_;           // a lower bound from the passes before
    Cost pass_cutoff_ = 0;  // as the pass began
    Cost refused_ = 0;      // least cost of the solutions that were found but not kept
    bool keeps_ties_ = false;
    std::vector<Costed> ties_;  // that cost as much as the k-th, besides
};

}  // namespace dlx
