// Incumbents by local search (minimum/local_search.hpp): its rows are the items that the given
// options leave, its options those that are left.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/cells.hpp"
#include "minimum/local_search.hpp"
#include "minimum/minimum.hpp"

namespace dlx {

class LocalIncumbents {
public:
    // `root`: cells with the given options taken, which cost `given_cost`. The problem has no
    // colors.
    LocalIncumbents(const Problem& problem, const Cells& root, std::span<const Int> given,
                    std::int64_t given_cost, std::span<const std::int64_t> cost)
        : given_(given.begin(), given.end()),
          given_cost_(given_cost),
          option_(root.alive().begin(), root.alive().end()),
          search_(rows_of(problem, root, cost)),
          building_work_(4 * static_cast<std::uint64_t>(problem.entries())) {}

    bool packs() const noexcept { return search_.packs(); }
    std::uint64_t work() const noexcept { return building_work_ + search_.work(); }

    // Prices of all items.
    void set_prices(std::span<const double> prices) { search_.set_prices(prices); }

    // Returns a solution that costs less than `limit` and all that were returned before.
    std::optional<Costed> run(std::optional<std::int64_t> limit, std::uint64_t most_work,
                              Clock::time_point until) {
        if (limit) search_.set_cutoff(*limit - given_cost_);
        const std::optional<LocalSearch::Solution> found = search_.run(most_work, until);
        if (!found) return std::nullopt;
        Costed one{given_cost_ + found->cost, given_, {}};
        for (const Int option : found->options) one.options.push_back(option_[index(option)]);
        return one;
    }

private:
    static IntegerProgram rows_of(const Problem& problem, const Cells& root,
                                  std::span<const std::int64_t> cost) {
        IntegerProgram rows;
        for (Int item = 0; item < problem.items; ++item) {
            rows.low.push_back(root.is_primary(item) ? root.need(item) : 0);
            rows.high.push_back(root.is_primary(item) ? root.bound(item) : 1);
        }
        for (const Int option : root.alive()) {
            for (const Int entry : root.entries_of(option)) {
                rows.row.push_back(root.item_of(entry));
                if (root.weighted()) rows.weight.push_back(root.weight_of(entry));
            }
            rows.start.push_back(rows.row.size());
            rows.cost.push_back(cost[index(option)]);
        }
        return rows;
    }

    std::vector<Int> given_;
    std::int64_t given_cost_;
    std::vector<Int> option_;  // the number in the problem of each of its options
    LocalSearch search_;
    std::uint64_t building_work_;
};

}  // namespace dlx
