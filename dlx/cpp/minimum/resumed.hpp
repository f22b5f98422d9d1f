// Where another search for the cheapest solutions stopped, read from its saved state.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "minimum/dives.hpp"
#include "minimum/saved_state.hpp"
#include "minimum/scale.hpp"

namespace dlx {

// The stage of a search, as a number in its saved state.
enum class SavedStage : std::uint8_t { fresh = 0, passes = 3, equals = 4, ties = 5, ordering = 6 };

template <class Cost>
struct Resumed {
    Words words;  // all of the following
    SavedStage stage{};
    std::vector<Costed> kept{};
    std::vector<Costed> before{};
    std::vector<Costed> ties{};
    std::vector<Subproblem<Cost>> left{};
    std::vector<Int> tried{};  // of ties
    std::int64_t tie_cost = 0;
    std::size_t ties_wanted = 0;
    Cost proven = 0;
    Cost refused = 0;
    Cost pass_cutoff = 0;
    bool given_up = false;
    bool keeps_ties = false;

    // Reads the stage, then `incumbents(solution)` for each incumbent, then the rest. `total`: of
    // the absolute costs of all options. Sets the position of `dives`.
    template <class AddIncumbent>
    static Resumed read(StateReader& state, const Scale<Cost>& scale, std::uint64_t k,
                        std::int64_t total, Dives& dives, AddIncumbent&& incumbent) {
        Resumed resumed;
        resumed.stage = static_cast<SavedStage>(state.next(0, std::int64_t{6}));
        for (const Costed& one : state.solutions()) incumbent(one);
        switch (resumed.stage) {
            case SavedStage::fresh:
                break;
            case SavedStage::ordering:
                resumed.kept = state.solutions();
                break;
            case SavedStage::passes:
            case SavedStage::equals:
            case SavedStage::ties:
                resumed.read_position(state, scale, k, total, dives);
                break;
            default:
                state.refuse();
        }
        state.end();
        return resumed;
    }

    std::vector<const std::vector<Costed>*> lists() const { return {&kept, &before, &ties}; }

private:
    static constexpr std::uint64_t most_wanted = std::uint64_t{1} << 62;

    void read_position(StateReader& state, const Scale<Cost>& scale, std::uint64_t k,
                       std::int64_t total, Dives& dives) {
        dives.restore(state);
        kept = state.solutions();
        before = state.solutions();
        if (kept.size() > k) state.refuse();
        if (stage == SavedStage::passes) {
            proven = scale.to(state.cost());
            const std::optional<std::int64_t> least = state.optional_cost();
            refused = least ? scale.to(*least) : largest<Cost>;
            pass_cutoff = state.flag() ? scale.to(state.next(-total, total)) : scale.most;
            keeps_ties = state.flag();
            ties = state.solutions();
        } else {
            tie_cost = state.cost();
            ties_wanted = static_cast<std::size_t>(
                state.next(0, static_cast<std::int64_t>(std::min(k, most_wanted))));
            ties = state.solutions();
            if (ties_wanted + kept.size() > k) state.refuse();
        }
        if (stage == SavedStage::ties) {
            tried = state.options();
            return;
        }
        given_up = state.flag();
        left = state.template subproblems<Cost>([&](std::int64_t cost) { return scale.to(cost); });
    }
};

}  // namespace dlx
