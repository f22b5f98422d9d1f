// The sequence of stages of the search for the cheapest solutions: see minimum/minimum.hpp.
#include "minimum/minimum.hpp"

#include <algorithm>
#include <utility>

#include "minimum/parts.hpp"
#include "minimum/pricing.hpp"
#include "minimum/stage.hpp"

namespace dlx {
namespace {

template <class Cost>
class Minimum final : public MinimumSearch {
public:
    Minimum(std::shared_ptr<const Problem> problem, std::span<const std::int64_t> cost,
            std::span<const Int> given, const MinimumOptions& options, const Scale<Cost>& scale)
        : data_(std::move(problem), cost, given, options, scale),
          stage_(std::make_unique<Diving<Cost>>(data_)) {
        bool viable = true;
        for (const Int option : given) {
            viable =
                viable && data_.plain.take(option, ignore) && data_.priced().take_given(option);
            data_.given_cost += data_.cost[index(option)];
        }
        if (!viable) stage_.reset();
        if (options.alone == 0) data_.walks.first().fix_prices_early();
        add_up();
    }

    bool finished() const noexcept override { return stage_ == nullptr; }

    bool run(Clock::time_point until) override {
        std::uint64_t next_check = data_.work() + check_interval;
        while (stage_ != nullptr) {
            stage_->run(until);
            if (stage_->ended()) stage_ = stage_->take_next();
            if (data_.work() >= next_check || (stage_ != nullptr && stage_->runs_long())) {
                next_check = data_.work() + check_interval;
                if (Clock::now() >= until) break;
            }
        }
        add_up();
        return finished();
    }

    std::vector<Costed> best(Clock::time_point until) override {
        if (finished()) return data_.answer;
        std::vector<Costed> all;
        for (const auto* list : lists()) all.insert(all.end(), list->begin(), list->end());
        if (!data_.answered) {
            for (Costed& one : data_.incumbents.all()) all.push_back(std::move(one));
        }
        Cells cells(*data_.problem);  // new ones, because the other cells may not be at the root
        for (const Int option : data_.given) cells.take(option, ignore);
        VisitingOrder(data_.given, *data_.problem).restore_until(until, all, cells);
        keep_best(all, data_.k);
        return all;
    }

    std::optional<std::int64_t> best_cost() const override {
        std::optional<std::int64_t> least;
        for (const auto* list : lists()) {
            for (const Costed& one : *list) least = std::min(least.value_or(one.cost), one.cost);
        }
        if (!data_.answered && !data_.incumbents.empty()) {
            const std::int64_t best = data_.incumbents.best();
            least = std::min(least.value_or(best), best);
        }
        return least;
    }

    std::optional<std::int64_t> bound() const override {
        return finished() ? last_cost(data_) : stage_->bound();
    }

    void offer(std::int64_t cost, std::vector<Int> options) override {
        data_.incumbents.add(cost, std::move(options));
    }

    std::vector<std::int64_t> save() override {
        if (data_.resumed) return data_.resumed->words;  // as yet, only prices are computed
        StateWriter state;
        const SavedStage stage = finished() ? SavedStage::ordering : stage_->saved_as();
        state.put(static_cast<std::int64_t>(stage));
        state.put_solutions(data_.incumbents.all());
        if (finished()) {
            state.put_solutions(data_.answer);
            return state.take();
        }
        if (stage != SavedStage::fresh && stage != SavedStage::ordering) {
            data_.dives.save(state);
            state.put_solutions(data_.kept);
            state.put_solutions(data_.before);
        }
        stage_->save(state);
        return state.take();
    }

    void restore(std::span<const std::int64_t> words) override {
        StateReader state(words, *data_.problem, data_.given, data_.cost);
        auto resumed = Resumed<Cost>::read(
            state, data_.scale, data_.k, data_.total(), data_.dives,
            [this](const Costed& one) { data_.incumbents.add(one.cost, one.options); });
        if (finished() || resumed.stage == SavedStage::fresh) return;
        resumed.words.assign(words.begin(), words.end());
        data_.resumed = std::move(resumed);
    }

private:
    static constexpr std::uint64_t check_interval = 50'000;  // work between clock checks

    // All lists of known solutions but the incumbents.
    std::vector<const std::vector<Costed>*> lists() const {
        std::vector<const std::vector<Costed>*> all{&data_.answer, &data_.kept, &data_.before};
        if (data_.resumed) {
            const auto more = data_.resumed->lists();
            all.insert(all.end(), more.begin(), more.end());
        }
        return all;
    }

    void add_up() {
        stats_.nodes = 1;
        stats_.profile.assign(1, 1);
        const auto add = [this](const Stats& own) { add_to(stats_, own); };
        data_.walks.add_stats(stats_);
        for (const Stats* one : data_.dives.stats()) add(*one);
        if (data_.neighborhoods) add(data_.neighborhoods->walk().stats());
        if (data_.ties) data_.ties->add_stats(add);
        stats_.updates = data_.work();
        stats_.solutions = data_.solutions;
    }

    MinimumData<Cost> data_;
    std::unique_ptr<Stage<Cost>> stage_;  // null: the search has finished
};

template <class Cost>
std::unique_ptr<MinimumSearch> make(std::shared_ptr<const Problem> problem,
                                    std::span<const std::int64_t> cost, std::span<const Int> given,
                                    const MinimumOptions& options, const Scaling& scaling) {
    return std::make_unique<Minimum<Cost>>(std::move(problem), cost, given, options,
                                           Scale<Cost>(scaling));
}

std::unique_ptr<MinimumSearch> make_whole(std::shared_ptr<const Problem> problem,
                                          std::span<const std::int64_t> cost,
                                          std::span<const Int> given,
                                          const MinimumOptions& options) {
    const Scaling scaling = scaling_of(*problem, cost);
    const auto chosen = scaling.wide ? make<Int128> : make<std::int64_t>;
    return chosen(std::move(problem), cost, given, options, scaling);
}

}  // namespace

std::unique_ptr<MinimumSearch> make_minimum(std::shared_ptr<const Problem> problem,
                                            std::span<const std::int64_t> cost,
                                            std::span<const Int> given,
                                            const MinimumOptions& options) {
    std::vector<ProblemPart> parts = minimum_parts(*problem, given);
    if (parts.size() < 2) return make_whole(std::move(problem), cost, given, options);
    const auto make_part = [options](std::shared_ptr<const Problem> part,
                                     std::span<const std::int64_t> own) {
        return make_whole(std::move(part), own, {}, options);
    };
    return make_minimum_of_parts(std::move(problem), cost, given, options, std::move(parts),
                                 make_part);
}

}  // namespace dlx
