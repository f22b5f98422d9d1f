// A stage of the search for the cheapest solutions, and what all stages share: see
// minimum/minimum.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/cells.hpp"
#include "minimum/dives.hpp"
#include "minimum/incumbents.hpp"
#include "minimum/local_incumbents.hpp"
#include "minimum/neighborhood.hpp"
#include "minimum/resumed.hpp"
#include "minimum/scale.hpp"
#include "minimum/threads.hpp"
#include "minimum/ties_in_order.hpp"
#include "minimum/visiting_order.hpp"

namespace dlx {

template <class Cost>
struct MinimumData {
    MinimumData(std::shared_ptr<const Problem> the_problem, std::span<const std::int64_t> costs,
                std::span<const Int> given_options, const MinimumOptions& options,
                const Scale<Cost>& the_scale)
        : problem(std::move(the_problem)),
          cost(costs.begin(), costs.end()),
          given(given_options.begin(), given_options.end()),
          k(options.k),
          any_order(options.any_order),
          scale(the_scale),
          plain(*problem),
          walks(Walk<Cost>(*problem, scaled_costs(), scale.most), options.workers, options.alone),
          order(given, *problem),
          incumbents(k),
          dives(problem, given, cost, k) {}

    std::vector<Cost> scaled_costs() const {
        std::vector<Cost> scaled;
        scaled.reserve(cost.size());
        for (const std::int64_t one : cost) scaled.push_back(scale.to(one));
        return scaled;
    }

    // The prices and reduced costs at the root.
    PricedCells<Cost>& priced() noexcept { return walks.first().priced(); }

    // Does every solution cost nothing?
    bool all_costs_zero() const noexcept { return scale.most == Cost{1} << scale.shift; }

    // In units of about 10 ns.
    std::uint64_t work() const noexcept {
        return walks.work() + plain.updates() + pricing_work + dives.work() +
               (local ? local->work() : 0) + (neighborhoods ? neighborhoods->work() : 0) +
               (ties ? ties->work() : 0);
    }

    // The sum of the absolute costs of all options: no solution costs more.
    std::int64_t total() const noexcept {
        std::int64_t sum = 0;
        for (const std::int64_t one : cost) sum += one < 0 ? -one : one;
        return sum;
    }

    // A lower bound, as a cost.
    std::int64_t rounded(Cost bound) const noexcept {
        const std::int64_t most = total();
        return std::clamp(scale.from(std::min(bound, scale.most)), -most, most);
    }

    std::int64_t cost_of(const std::vector<Int>& options) const noexcept {
        std::int64_t sum = 0;
        for (const Int option : options) sum += cost[index(option)];
        return sum;
    }

    // The solution that a walk has found, from its path.
    Costed solution_of(const std::vector<Int>& path) const {
        Costed one{given_cost + cost_of(path), given, {}};
        one.options.insert(one.options.end(), path.begin(), path.end());
        return one;
    }

    // Searches for a solution without regard to costs.
    void dive(std::uint64_t most_work, Clock::time_point until) {
        const std::optional<Costed> solution = dives.run(most_work, until);
        if (!solution) return;
        ++solutions;
        incumbents.add(solution->cost, solution->options);
    }

    // The local search, or null if it does not apply. Call it first while the cells are at the
    // root.
    LocalIncumbents* local_search() {
        if (problem->colored()) return nullptr;
        if (!local) local.emplace(*problem, plain, given, given_cost, cost);
        if (!root_prices.empty()) local->set_prices(std::exchange(root_prices, {}));
        return &*local;
    }

    // Continues the local search. Returns whether it has found a better solution.
    bool search_locally(std::uint64_t most_work, Clock::time_point until) {
        LocalIncumbents* const search = local_search();
        if (search == nullptr) return false;
        const std::optional<Costed> solution = search->run(incumbents.limit(), most_work, until);
        if (!solution) return false;
        ++solutions;
        return incumbents.add(solution->cost, solution->options);
    }

    TiesInOrder<Cost>& start_ties(std::int64_t tie_cost, std::size_t wanted) {
        if (!ties) {
            const bool priced = !all_costs_zero();
            ties.emplace(walks.first(), plain, given, cost,
                         TieTarget<Cost>{tie_cost, priced ? scale.to(tie_cost) : scale.most, wanted,
                                         priced, !problem->multiple()});
        }
        return *ties;
    }

    std::shared_ptr<const Problem> problem;
    std::vector<std::int64_t> cost;
    std::vector<Int> given;
    std::uint64_t k;
    bool any_order;
    Scale<Cost> scale;
    Cells plain;  // without costs
    MinimumThreads<Cost> walks;
    VisitingOrder order;
    Incumbents incumbents;
    Dives dives;
    std::optional<LocalIncumbents> local;
    std::vector<double> root_prices;  // of all items, as costs, until the local search has them
    std::optional<Resumed<Cost>> resumed;  // until the prices are there
    std::optional<NeighborhoodSearch<Cost>> neighborhoods;
    std::optional<TiesInOrder<Cost>> ties;
    Clock::duration walking_time{};
    std::int64_t given_cost = 0;
    std::uint64_t pricing_work = 0;
    std::uint64_t solutions = 0;  // found so far, of any cost
    Cells::Mark plain_root;
    Cost root_bound = 0;
    std::vector<Costed> kept;    // of this pass, a heap with the most expensive in front
    std::vector<Costed> before;  // of the pass before
    std::vector<Costed> answer;  // in no order until the search has finished
    bool answered = false;
};

template <class Cost>
class Stage {
public:
    explicit Stage(MinimumData<Cost>& data) : data_(data) {}
    virtual ~Stage() = default;
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    // Works for a while, until a time at the latest.
    virtual void run(Clock::time_point until) = 0;

    bool ended() const noexcept { return ended_; }
    // Of a stage that has ended; null: the search has finished.
    std::unique_ptr<Stage> take_next() noexcept { return std::move(next_); }

    // Does a call of `run` take long enough to read the clock after each?
    virtual bool runs_long() const noexcept { return false; }

    virtual std::optional<std::int64_t> bound() const { return std::nullopt; }

    virtual SavedStage saved_as() const noexcept { return SavedStage::fresh; }
    // Puts what only this stage knows into a saved state.
    virtual void save(StateWriter&) {}

protected:
    void end(std::unique_ptr<Stage> next) noexcept {
        ended_ = true;
        next_ = std::move(next);
    }

    MinimumData<Cost>& data_;

private:
    bool ended_ = false;
    std::unique_ptr<Stage> next_;
};

}  // namespace dlx
