// The first stages: a dive for a first solution, then prices that give a good lower bound at the
// root (minimum/subgradient.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "minimum/passes.hpp"
#include "minimum/stage.hpp"
#include "minimum/subgradient.hpp"
#include "minimum/ties.hpp"

namespace dlx {

template <class Cost>
class Pricing final : public Stage<Cost> {
public:
    explicit Pricing(MinimumData<Cost>& data) : Stage<Cost>(data), priced_(data.priced()) {
        PricedRows rows = priced_.rows(items_);
        data.pricing_work += 4 * rows.item.size();
        const auto [least, most] = std::minmax_element(rows.cost.begin(), rows.cost.end());
        const double spread = rows.cost.empty() ? 0.0 : *most - *least;
        // The initial prices: the least that an item pays if options divide their costs equally.
        std::vector<double> prices(items_.size(), std::numeric_limits<double>::max());
        for (std::size_t row = 0; row < rows.cost.size(); ++row) {
            double sharers = 0;
            for (std::size_t at = rows.start[row]; at < rows.start[row + 1]; ++at) {
                sharers += rows.low[index(rows.item[at])] > 0 ? 1 : 0;
            }
            for (std::size_t at = rows.start[row]; at < rows.start[row + 1]; ++at) {
                const std::size_t item = index(rows.item[at]);
                prices[item] =
                    rows.low[item] > 0 ? std::min(prices[item], rows.cost[row] / sharers) : 0.0;
            }
        }
        steps_left_ = spread == 0 ? 0 : most_steps;
        const double height = std::accumulate(prices.begin(), prices.end(), 0.0);
        subgradient_.emplace(std::move(rows), std::move(prices), most_price());
        subgradient_->aim(0.05 * std::abs(height) + spread);
        if (steps_left_ == 0) subgradient_->step();
    }

    void run(Clock::time_point) override {
        data_.pricing_work += subgradient_->work();
        if (steps_left_ > 0) {
            --steps_left_;
            if (!subgradient_->step() || !pays()) steps_left_ = 0;
            return;
        }
        const Cost before = priced_.bound();
        bool viable = priced_.set_prices(items_, subgradient_->best_prices());
        subgradient_.reset();
        if (refined_ && viable && priced_.bound() < before) {
            viable = priced_.set_prices(items_, first_prices_);
        }
        if (!viable) return this->end(nullptr);
        if (!refined_ && refine()) return;
        data_.walks.first().settle_root();
        data_.root_bound = priced_.bound();
        if (!data_.problem->colored()) {
            data_.root_prices.assign(static_cast<std::size_t>(data_.problem->items), 0);
            const std::vector<double> prices = priced_.prices(items_);
            for (std::size_t at = 0; at < items_.size(); ++at) {
                data_.root_prices[index(items_[at])] = data_.scale.as_cost(prices[at]);
            }
        }
        this->end(following());
    }

private:
    static constexpr int most_steps = 800;
    static constexpr int round = 50;              // steps
    static constexpr double least_gain = 0.0005;  // in a round, as a part of the gap
    static constexpr int tiers_apart = 50;        // the ratio of two tiers of costs
    using Stage<Cost>::data_;

    double most_price() const noexcept { return 2 * static_cast<double>(data_.scale.most); }

    // Has the bound increased, in the last steps, by more than a small part of what separates it
    // from the cost of a known solution? Where it stays far below, better prices save little.
    bool pays() {
        if (steps_left_ % round != 0 || data_.incumbents.empty()) return true;
        const double best = subgradient_->best();
        const double gain = best - std::exchange(priced_before_, best);
        const double gap = static_cast<double>(data_.scale.to(data_.incumbents.best())) - best;
        return steps_left_ == most_steps - round || gain > gap * least_gain;
    }

    // If some costs are far larger than others, the prices are too coarse for the small ones. Then
    // begins to look for better prices without the options that are much too expensive, and returns
    // true.
    bool refine() {
        refined_ = true;
        PricedRows rows = priced_.rows(items_);
        const std::optional<Cost> tier = first_tier();
        if (!tier) return false;
        first_prices_ = priced_.prices(items_);
        std::vector<double> prices = first_prices_;
        subgradient_.emplace(priced_.without_expensive(rows, *tier), std::move(prices),
                             most_price());
        subgradient_->aim(static_cast<double>(*tier), 1e-3 * static_cast<double>(*tier));
        steps_left_ = most_steps;
        return true;
    }

    // The largest reduced cost of the cheap options, if all others are far more expensive.
    std::optional<Cost> first_tier() const {
        std::vector<Cost> reduced{Cost{1} << data_.scale.shift};
        for (const Int option : priced_.cells().alive()) {
            if (priced_.reduced(option) > reduced.front()) {
                reduced.push_back(priced_.reduced(option));
            }
        }
        std::sort(reduced.begin(), reduced.end());
        for (std::size_t at = 1; at < reduced.size(); ++at) {
            if (reduced[at] / tiers_apart > reduced[at - 1]) return reduced[at - 1];
        }
        return std::nullopt;
    }

    // The next stage: that of another search which continues here, or the first one.
    std::unique_ptr<Stage<Cost>> following() {
        if (!data_.resumed) {
            if (!data_.all_costs_zero()) return std::make_unique<Passes<Cost>>(data_);
            return std::make_unique<Ties<Cost>>(data_, 0, static_cast<std::size_t>(data_.k));
        }
        Resumed<Cost> resumed = *std::exchange(data_.resumed, std::nullopt);
        if (resumed.stage == SavedStage::ordering) {
            return std::make_unique<Ordering<Cost>>(data_, std::move(resumed.kept));
        }
        data_.kept = std::move(resumed.kept);
        data_.before = std::move(resumed.before);
        if (resumed.stage == SavedStage::passes) {
            return std::make_unique<Passes<Cost>>(data_, std::move(resumed));
        }
        if (resumed.stage == SavedStage::equals) {
            return std::make_unique<Equals<Cost>>(data_, std::move(resumed));
        }
        return std::make_unique<Ties<Cost>>(data_, std::move(resumed));
    }

    PricedCells<Cost>& priced_;
    std::vector<Int> items_;
    std::optional<Subgradient> subgradient_;
    int steps_left_ = 0;
    double priced_before_ = 0;  // the bound at the end of the round before
    bool refined_ = false;
    std::vector<double> first_prices_;  // before they were refined
};

// Looks for a first solution before the prices are computed, for a small part of that time.
template <class Cost>
class Diving final : public Stage<Cost> {
public:
    using Stage<Cost>::Stage;

    void run(Clock::time_point until) override {
        if (!begun_) return begin();
        const std::size_t entries = data_.problem->item.size();
        if (!data_.resumed && !data_.all_costs_zero() &&
            data_.dives.work() < most_steps * entries) {
            if (data_.problem->multiple() && covers()) {
                if (keeps_improving(entries, until)) return;
            } else {
                data_.dive(entries + 1000, until);
                if (data_.dives.exhausted()) return this->end(nullptr);  // there is no solution
                if (data_.incumbents.empty()) return;
            }
        }
        this->end(std::make_unique<Pricing<Cost>>(data_));
    }
    bool runs_long() const noexcept override { return true; }

private:
    static constexpr std::uint64_t most_steps = 60;  // for each entry of an option
    static constexpr std::uint64_t most_idle = 8;    // rounds of local search without success
    using Stage<Cost>::data_;

    void begin() {
        begun_ = true;
        data_.plain_root = data_.plain.mark();
        if (!data_.plain.open().empty()) return;
        data_.answer = {{data_.given_cost, data_.given, {}}};
        data_.answered = true;
        this->end(nullptr);
    }

    // Is the problem a cover? Then local search is far better than dives.
    bool covers() {
        LocalIncumbents* const search = data_.local_search();
        return search != nullptr && !search->packs();
    }

    // Searches locally for a while. Returns whether it may pay to continue.
    bool keeps_improving(std::size_t entries, Clock::time_point until) {
        idle_rounds_ = data_.search_locally(entries, until) ? 0 : idle_rounds_ + 1;
        return idle_rounds_ < most_idle && data_.local->work() < most_steps * entries;
    }

    bool begun_ = false;
    std::uint64_t idle_rounds_ = 0;  // since local search has found a better solution
};

}  // namespace dlx
