// Better solutions beside the passes: by local search, near the cheapest one known, or any by a
// dive.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "minimum/stage.hpp"

namespace dlx {

template <class Cost>
class Improvement {
public:
    explicit Improvement(MinimumData<Cost>& data) : data_(data) {}

    void found_better() noexcept { idle_rounds_ = 0; }

    // Works for a share of the work of the walks and of the prices. `cutoff()`: what a solution may
    // cost to be among the k cheapest known; `searched()` is called after each neighborhood.
    // Returns how much work this was, without local search. There is no solution at all if the
    // dives are exhausted then.
    template <class Cutoff, class Searched>
    std::uint64_t run(Clock::time_point until, Cutoff&& cutoff, Searched&& searched) {
        const std::uint64_t due = data_.walks.work() + data_.pricing_work / 64;
        ++idle_rounds_;
        if (due > without_local && !data_.problem->colored()) {
            search_locally(due - without_local, until);
            searched();
        }
        const std::uint64_t begun = data_.work();
        const std::uint64_t share = due / (idle_rounds_ <= most_idle ? 3 : 20) + 20'000;
        while (work_ < share && Clock::now() < until) {
            const std::uint64_t before = data_.work();
            if (find_cheapest()) {
                search_neighborhood(cutoff);
                searched();
            } else {
                data_.dive(100'000, until);
                if (data_.dives.exhausted()) break;
            }
            work_ += std::max<std::uint64_t>(data_.work() - before, 1000);
        }
        return data_.work() - begun;
    }

private:
    static constexpr std::uint64_t most_idle = 40;  // rounds without success at the full share
    static constexpr std::uint64_t without_local = 10'000'000;  // work before local search begins
    static constexpr std::uint64_t local_round = 30'000;        // its work in one round

    // Rounds of local search without success at the full share. It needs some in large problems.
    std::uint64_t most_local_idle() const noexcept {
        return 10 + static_cast<std::uint64_t>(data_.problem->entries()) / 1000;
    }

    // Searches locally until it has done its part of this work in all calls.
    void search_locally(std::uint64_t whole, Clock::time_point until) {
        while (local_work_ < whole / (local_idle_ < most_local_idle() ? 3 : 20) &&
               Clock::now() < until) {
            const std::uint64_t before = data_.work();
            ++local_idle_;
            if (data_.search_locally(local_round, until)) {
                local_idle_ = 0;
                found_better();
            }
            local_work_ += std::max<std::uint64_t>(data_.work() - before, 1000);
        }
    }

    // Sets `near_` to the options of the cheapest solution known, without the given ones.
    bool find_cheapest() {
        const Costed* cheapest = nullptr;
        for (const auto* list : {&data_.kept, &data_.before}) {
            for (const Costed& one : *list) {
                if (cheapest == nullptr || one.cost < cheapest->cost) cheapest = &one;
            }
        }
        const Incumbents& incumbents = data_.incumbents;
        if (!incumbents.empty() && (cheapest == nullptr || incumbents.best() < cheapest->cost)) {
            near_ = incumbents.cheapest();
        } else if (cheapest != nullptr) {
            near_ = cheapest->options;
        } else {
            return false;
        }
        std::erase_if(near_, [this](Int option) {
            return std::ranges::find(data_.given, option) != data_.given.end();
        });
        return true;
    }

    template <class Cutoff>
    void search_neighborhood(Cutoff&& cutoff) {
        if (!data_.neighborhoods) data_.neighborhoods.emplace(*data_.problem, data_.walks.first());
        data_.neighborhoods->search(near_, cutoff(), [&](const std::vector<Int>& path) {
            const Costed one = data_.solution_of(path);
            ++data_.solutions;
            if (data_.incumbents.add(one.cost, one.options)) found_better();
            return cutoff();
        });
    }

    MinimumData<Cost>& data_;
    std::vector<Int> near_;          // the solution whose neighborhoods are searched
    std::uint64_t work_ = 0;         // of all calls, without local search
    std::uint64_t local_work_ = 0;   // of local search
    std::uint64_t idle_rounds_ = 0;  // since a better solution was found
    std::uint64_t local_idle_ = 0;   // rounds of local search since it has found one
};

}  // namespace dlx
