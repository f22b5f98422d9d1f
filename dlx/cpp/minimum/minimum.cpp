// The stages of the search for the cheapest solutions: see minimum/minimum.hpp.
#include "minimum/minimum.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <mutex>
#include <numeric>
#include <type_traits>
#include <utility>

#include "core/cells.hpp"
#include "minimum/dives.hpp"
#include "minimum/incumbents.hpp"
#include "minimum/neighborhood.hpp"
#include "minimum/parts.hpp"
#include "minimum/saved_state.hpp"
#include "minimum/scale.hpp"
#include "minimum/threads.hpp"
#include "minimum/tie_probes.hpp"
#include "minimum/visiting_order.hpp"

namespace dlx {
namespace {

template <class Cost>
class Minimum final : public MinimumSearch, private Owner<Cost> {
public:
    Minimum(std::shared_ptr<const Problem> problem, std::span<const std::int64_t> cost,
            std::span<const Int> given, const MinimumOptions& options, const Scale<Cost>& scale)
        : problem_(std::move(problem)),
          cost_(cost.begin(), cost.end()),
          given_(given.begin(), given.end()),
          k_(options.k),
          any_order_(options.any_order),
          scale_(scale),
          plain_(*problem_),
          walks_(Walk<Cost>(*problem_, scaled_costs(), scale.most), options.workers, options.alone),
          priced_(walks_.first().priced()),
          order_(given_, *problem_),
          incumbents_(k_),
          dives_(problem_, given_, cost_, k_) {
        bool viable = true;
        for (const Int option : given_) {
            viable = viable && plain_.take(option, ignore) && priced_.take_given(option);
            given_cost_ += cost_[index(option)];
        }
        if (!viable) stage_ = Stage::finished;
        if (options.alone == 0) walks_.first().fix_prices_early();
        add_up();
    }

    bool finished() const noexcept override { return stage_ == Stage::finished; }

    bool run(Clock::time_point until) override {
        std::uint64_t next_check = work() + check_interval;
        while (stage_ != Stage::finished) {
            switch (stage_) {
                case Stage::fresh:
                    begin();
                    break;
                case Stage::diving:
                    dive(until);
                    break;
                case Stage::pricing:
                    price();
                    break;
                case Stage::passes:
                case Stage::equals:
                    walk(until);
                    break;
                case Stage::ties:
                    collect_in_order();
                    break;
                case Stage::ordering:
                    order_one();
                    break;
                case Stage::finished:
                    break;
            }
            if (work() >= next_check || walking()) {
                next_check = work() + check_interval;
                if (Clock::now() >= until) break;
            }
        }
        add_up();
        return finished();
    }

    std::vector<Costed> best(Clock::time_point until) override {
        if (stage_ == Stage::finished) return answer_;
        std::vector<Costed> all(stage_ == Stage::ordering ? answer_ : kept_);
        all.insert(all.end(), before_.begin(), before_.end());
        if (stage_ != Stage::ordering) {
            for (Costed& one : incumbents_.all()) all.push_back(std::move(one));
        }
        for (const auto* list : resumed_lists()) all.insert(all.end(), list->begin(), list->end());
        Cells cells(*problem_);  // new ones, because the other cells may not be at the root
        for (const Int option : given_) cells.take(option, ignore);
        VisitingOrder(given_, *problem_).restore_until(until, all, cells);
        keep_best(all, k_);
        return all;
    }

    std::optional<std::int64_t> best_cost() const override {
        std::optional<std::int64_t> least;
        for (const auto* list : {&answer_, &kept_, &before_}) {
            for (const Costed& one : *list) least = std::min(least.value_or(one.cost), one.cost);
        }
        for (const auto* list : resumed_lists()) {
            for (const Costed& one : *list) least = std::min(least.value_or(one.cost), one.cost);
        }
        if (stage_ != Stage::ordering && stage_ != Stage::finished && !incumbents_.empty()) {
            least = std::min(least.value_or(incumbents_.best()), incumbents_.best());
        }
        return least;
    }

    std::optional<std::int64_t> bound() const override {
        if (stage_ == Stage::fresh || stage_ == Stage::diving || stage_ == Stage::pricing) {
            return std::nullopt;
        }
        if (stage_ == Stage::ordering || stage_ == Stage::finished) return last_cost();
        if (stage_ == Stage::equals || stage_ == Stage::ties) return tie_cost_;
        const Cost least = std::min({refused_, walks_.least_refused(), walks_.least_open()});
        std::int64_t result = scale_.from(std::min(std::max(proven_, least), scale_.most));
        if (kept_.size() == k_) result = std::min(result, kept_.front().cost);
        return std::min(result, incumbents_.limit().value_or(result));
    }

    std::vector<std::int64_t> save() override {
        if (resumed_) return resumed_->words;  // nothing new is known while prices are computed
        StateWriter state;
        const Stage stage = stage_ == Stage::diving || stage_ == Stage::pricing ? Stage::fresh
                            : stage_ == Stage::finished                         ? Stage::ordering
                                                                                : stage_;
        state.put(static_cast<std::int64_t>(stage));
        state.put_solutions(incumbents_.all());
        if (stage == Stage::ordering) state.put_solutions(answer_);
        if (stage == Stage::fresh || stage == Stage::ordering) return state.take();
        dives_.save(state);
        state.put_solutions(kept_);
        state.put_solutions(before_);
        if (stage == Stage::passes) {
            save_pass(state);
        } else {
            state.put(tie_cost_);
            state.put_size(ties_wanted_);
            state.put_solutions(stage == Stage::ties ? first_ties_ : ties_);
        }
        if (stage == Stage::ties) {
            state.put_options(in_order_->tried());
        } else {
            save_left(state);
        }
        return state.take();
    }

    void restore(std::span<const std::int64_t> words) override {
        StateReader state(words, *problem_, given_, cost_);
        Resumed resumed{{words.begin(), words.end()}};
        resumed.stage = static_cast<Stage>(state.next(0, static_cast<int>(Stage::ordering)));
        for (const Costed& one : state.solutions()) incumbents_.add(one.cost, one.options);
        if (resumed.stage == Stage::diving || resumed.stage == Stage::pricing) state.refuse();
        if (resumed.stage == Stage::ordering) resumed.kept = state.solutions();
        if (resumed.stage != Stage::fresh && resumed.stage != Stage::ordering) {
            read_position(state, resumed);
        }
        state.end();
        if (stage_ == Stage::finished || resumed.stage == Stage::fresh) return;
        resumed_ = std::move(resumed);
    }

private:
    static constexpr std::uint64_t check_interval = 50'000;  // work between clock checks

    enum class Stage : std::uint8_t {
        fresh,
        diving,
        pricing,
        passes,
        equals,
        ties,
        ordering,
        finished
    };

    // Where another search stopped.
    struct Resumed {
        Words words;  // all of the following
        Stage stage{};
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
    };

    std::vector<const std::vector<Costed>*> resumed_lists() const {
        if (!resumed_) return {};
        return {&resumed_->kept, &resumed_->before, &resumed_->ties};
    }

    static bool cheaper(const Costed& one, const Costed& other) noexcept {
        return one.cost < other.cost;
    }

    // The cost of the most expensive solution of the answer, which may not be in order yet.
    std::optional<std::int64_t> last_cost() const {
        if (answer_.empty()) return std::nullopt;
        std::vector<std::int64_t> costs;
        for (const Costed& one : answer_) costs.push_back(one.cost);
        const auto last = costs.begin() + static_cast<std::ptrdiff_t>(
                                              std::min<std::uint64_t>(k_, costs.size()) - 1);
        std::nth_element(costs.begin(), last, costs.end());
        return *last;
    }

    std::vector<Cost> scaled_costs() const {
        std::vector<Cost> scaled;
        scaled.reserve(cost_.size());
        for (const std::int64_t cost : cost_) scaled.push_back(scale_.to(cost));
        return scaled;
    }

    std::uint64_t work() const noexcept {
        return walks_.work() + plain_.updates() + extra_work_ + dives_.work() +
               (neighborhoods_ ? neighborhoods_->work() : 0) + work_in_order();
    }

    // Does each step of this stage run until a time?
    bool walking() const noexcept {
        return stage_ == Stage::diving || stage_ == Stage::passes || stage_ == Stage::equals;
    }

    void add_up() {
        stats_.nodes = 1;
        stats_.profile.assign(1, 1);
        walks_.add_nodes(stats_);
        for (const Stats* one : dives_.stats()) walks_.add_nodes(stats_, *one);
        if (neighborhoods_) walks_.add_nodes(stats_, neighborhoods_->walk().stats());
        if (in_order_) walks_.add_nodes(stats_, in_order_->stats());
        if (tie_probes_) walks_.add_nodes(stats_, tie_probes_->stats());
        stats_.updates = work();
    }

    // -- first solutions -------------------------------------------------------------------------

    std::int64_t cost_of(const std::vector<Int>& options) const noexcept {
        std::int64_t cost = 0;
        for (const Int option : options) cost += cost_[index(option)];
        return cost;
    }

    // Looks for a first solution before the prices are computed, for a small part of that time.
    void dive(Clock::time_point until) {
        if (!resumed_ && !nothing_costs() &&
            dives_.work() < most_dive_steps * problem_->item.size()) {
            dive_once(problem_->item.size() + 1000, until);
            if (incumbents_.empty() && !dives_.exhausted()) return;
            if (dives_.exhausted()) {  // there is no solution at all
                stage_ = Stage::finished;
                return;
            }
        }
        stage_ = Stage::pricing;
        begin_pricing();
    }

    void dive_once(std::uint64_t work, Clock::time_point until) {
        const std::optional<Costed> solution = dives_.run(work, until);
        if (!solution) return;
        ++stats_.solutions;
        incumbents_.add(solution->cost, solution->options);
    }

    // Continues the walks, with other searches beside them.
    void walk(Clock::time_point until) {
        const Clock::time_point begun = Clock::now();
        const bool done = walks_.run(until, next_improvement_, *this);
        walking_time_ += Clock::now() - begun;
        if (done && stage_ == Stage::passes) {
            end_pass();
        } else if (done) {
            end_equals();
        } else if (walks_.work() >= next_improvement_) {
            if (stage_ == Stage::passes) {
                improve(until);
            } else {
                next_improvement_ = walks_.work() + 100'000;
                collect_beside(until);
            }
            if (walking()) visit_all(until);
        }
    }

    // Continues to visit all solutions: by turns with the walks once these have taken the time that
    // visiting all is expected to take, until it has taken twice that time; else, and only after
    // some seconds, for a twentieth of the time.
    void visit_all(Clock::time_point until) {
        if (walking_time_ < unaided) return;
        const Clock::duration so_far = dives_.visiting_time();
        Clock::duration behind = walking_time_ - so_far;
        if (so_far >= least_slice) {  // from then on it is known how long a node takes
            const std::optional<double> seconds = dives_.seconds_of_all(until);
            if (!seconds) return;
            const auto seconds_of = [](Clock::duration time) {
                return std::chrono::duration<double>(time).count();
            };
            if (seconds_of(walking_time_) < *seconds || seconds_of(so_far) > *seconds * 2) {
                behind = (walking_time_ - long_walk) / 20 - so_far;
            }
        }
        if (behind < least_slice) return;
        const Clock::duration longest = so_far < least_slice ? least_slice : longest_slice;
        const Clock::duration slice = std::min<Clock::duration>(behind, longest);
        const auto better = [this](const Costed& one) {
            ++stats_.solutions;
            if (incumbents_.add(one.cost, one.options)) idle_rounds_ = 0;
        };
        if (dives_.visit_all(std::min(until, Clock::now() + slice), better)) {
            finish(dives_.take_best());
        } else if (stage_ == Stage::passes) {
            lower_cutoff();
        }
    }

    // Looks for solutions, or better ones, beside the passes.
    void improve(Clock::time_point until) {
        const std::uint64_t begun = work();
        const std::uint64_t share = walks_.work() / (idle_rounds_ < patience ? 3 : 20) + 20'000;
        ++idle_rounds_;
        while (improving_work_ < share && Clock::now() < until) {
            const std::uint64_t before = work();
            const std::vector<Int>* near = cheapest_known();
            if (near == nullptr) {
                dive_once(100'000, until);
                if (dives_.exhausted()) {  // there is no solution at all
                    stage_ = Stage::finished;
                    return;
                }
            } else {
                look_around(*near);
            }
            improving_work_ += std::max<std::uint64_t>(work() - before, 1000);
        }
        next_improvement_ = walks_.work() + std::max<std::uint64_t>(50'000, (work() - begun) / 2);
    }

    // The options of the cheapest solution known, without the given ones.
    const std::vector<Int>* cheapest_known() {
        const Costed* cheapest = nullptr;
        for (const auto* list : {&kept_, &before_}) {
            for (const Costed& one : *list) {
                if (cheapest == nullptr || one.cost < cheapest->cost) cheapest = &one;
            }
        }
        if (!incumbents_.empty() && (cheapest == nullptr || incumbents_.best() < cheapest->cost)) {
            near_ = incumbents_.cheapest();
        } else if (cheapest != nullptr) {
            near_ = cheapest->options;
        } else {
            return nullptr;
        }
        std::erase_if(near_, [this](Int option) {
            return std::find(given_.begin(), given_.end(), option) != given_.end();
        });
        return &near_;
    }

    void look_around(const std::vector<Int>& solution) {
        if (!neighborhoods_) neighborhoods_.emplace(*problem_, walks_.first());
        const std::vector<Int> near = solution;
        neighborhoods_->search(near, cutoff_of_better(), [this](const std::vector<Int>& path) {
            const std::vector<Int> options = whole(path);
            ++stats_.solutions;
            if (incumbents_.add(cost_of(options), options)) idle_rounds_ = 0;
            return cutoff_of_better();
        });
        lower_cutoff();
    }

    // The cost of the solutions that would be among the k cheapest known.
    Cost cutoff_of_better() const noexcept {
        Cost cutoff = scale_.most;
        if (kept_.size() == k_) cutoff = scale_.below(kept_.front().cost);
        if (incumbents_.full()) cutoff = std::min(cutoff, scale_.below(*incumbents_.limit()));
        return cutoff;
    }

    void lower_cutoff() {
        if (incumbents_.full()) lower_cutoff_to(*incumbents_.limit());
    }

    // There are k solutions of at most this cost.
    void lower_cutoff_to(std::int64_t cost) {
        const Cost cutoff = keeps_ties_ ? scale_.to(cost) : scale_.below(cost);
        if (cutoff >= cutoff_) return;
        cutoff_ = cutoff;
        ++news_;
    }

    bool nothing_costs() const noexcept { return scale_.most == Cost{1} << scale_.shift; }

    // -- pricing ---------------------------------------------------------------------------------

    void begin() {
        plain_root_ = plain_.mark();
        if (plain_.open().empty()) {
            answer_ = {{given_cost_, given_, {}}};
            stage_ = Stage::finished;
            return;
        }
        stage_ = Stage::diving;
    }

    void begin_pricing() {
        PricedRows rows = priced_.rows(items_);
        extra_work_ += 4 * rows.item.size();
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
        subgradient_.emplace(std::move(rows), std::move(prices),
                             2 * static_cast<double>(scale_.most));
        subgradient_->aim(0.05 * std::abs(height) + spread);
        if (steps_left_ == 0) subgradient_->step();
    }

    void price() {
        extra_work_ += subgradient_->work();
        if (steps_left_ > 0) {
            --steps_left_;
            if (!subgradient_->step() || !pricing_pays()) steps_left_ = 0;
            return;
        }
        const Cost before = priced_.bound();
        bool viable = priced_.set_prices(items_, subgradient_->best_prices());
        subgradient_.reset();
        if (refined_ && viable && priced_.bound() < before) {
            viable = priced_.set_prices(items_, first_prices_);
        }
        if (!viable) {
            stage_ = Stage::finished;
            return;
        }
        if (!refined_ && refine()) return;
        walks_.first().settle_root();
        root_bound_ = priced_.bound();
        proven_ = priced_.bound();
        if (resumed_) {
            go_on();
            return;
        }
        if (nothing_costs()) {  // all solutions are equal
            ties_wanted_ = static_cast<std::size_t>(k_);
            begin_ties();
            return;
        }
        gap_ = first_gap();
        stage_ = Stage::passes;
        begin_pass();
    }

    // Has the bound increased, in the last steps, by more than a small part of what separates it
    // from the cost of a known solution? Where it stays far below, better prices save little.
    bool pricing_pays() {
        if (steps_left_ % pricing_round != 0 || incumbents_.empty()) return true;
        const double best = subgradient_->best();
        const double gain = best - std::exchange(priced_before_, best);
        const double gap = static_cast<double>(scale_.to(incumbents_.best())) - best;
        return steps_left_ == most_steps - pricing_round || gain > gap * least_gain;
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
                             2 * static_cast<double>(scale_.most));
        subgradient_->aim(static_cast<double>(*tier), 1e-3 * static_cast<double>(*tier));
        steps_left_ = most_steps;
        return true;
    }

    // The largest reduced cost of the cheap options, if all others are far more expensive.
    std::optional<Cost> first_tier() const {
        std::vector<Cost> reduced{Cost{1} << scale_.shift};
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

    // Room for a few options more than there are items.
    Cost first_gap() const {
        std::vector<Cost> reduced;
        for (const Int option : priced_.cells().alive()) {
            reduced.push_back(priced_.reduced(option));
        }
        if (reduced.empty()) return Cost{1} << scale_.shift;
        const std::size_t place =
            std::min(reduced.size() - 1, 2 * priced_.cells().open().size() + 20);
        const auto middle = reduced.begin() + static_cast<std::ptrdiff_t>(place);
        std::nth_element(reduced.begin(), middle, reduced.end());
        return std::max(*middle, Cost{1} << scale_.shift);
    }

    // -- passes ----------------------------------------------------------------------------------

    void begin_pass() {
        const Cost room = scale_.most - root_bound_;
        pass_cutoff_ = gap_ < room ? root_bound_ + gap_ : scale_.most;
        keeps_ties_ = !any_order_;
        pass_ties_.clear();
        next_improvement_ = walks_.work() + 100'000;
        begin_walk(pass_cutoff_);
        lower_cutoff();
    }

    void begin_walk(Cost cutoff) {
        prepare_walk(cutoff);
        walks_.begin(cutoff);
    }
    void begin_walk(Cost cutoff, std::vector<Subproblem<Cost>> left) {
        prepare_walk(cutoff);
        walks_.begin(cutoff, std::move(left));
    }
    void prepare_walk(Cost cutoff) {
        cutoff_ = cutoff;
        ++news_;
        refused_ = largest<Cost>;
        given_up_ = false;
    }

    void end_pass() {
        const Cost refused = std::min(refused_, walks_.least_refused());
        const std::optional<std::int64_t> limit = incumbents_.limit();
        const std::int64_t most_kept = kept_.size() == k_ ? kept_.front().cost : 0;
        if (kept_.size() == k_ && keeps_ties_) {  // all that cost as much are there
            std::move(pass_ties_.begin(), pass_ties_.end(), std::back_inserter(kept_));
            pass_ties_.clear();
            finish(std::move(kept_));
        } else if (limit && (kept_.size() == k_ ? *limit <= most_kept
                                                : pass_cutoff_ >= scale_.below(*limit))) {
            // All solutions that are cheaper than the k-th incumbent have been found.
            std::erase_if(kept_, [&](const Costed& one) { return one.cost >= *limit; });
            begin_equals(*limit);
        } else if (kept_.size() == k_) {
            if (refused > scale_.to(most_kept)) {
                finish(std::move(kept_));
            } else {
                begin_equals(most_kept);
            }
        } else if (refused == largest<Cost> || pass_cutoff_ == scale_.most) {
            finish(std::move(kept_));  // no possible solution was too expensive
        } else {
            proven_ = std::max(proven_, refused);
            before_ = std::exchange(kept_, {});
            const Cost room = scale_.most - root_bound_;
            gap_ = std::max(gap_ < room / widening ? gap_ * widening : room, refused - root_bound_);
            begin_pass();
        }
    }

    // -- saved states ----------------------------------------------------------------------------

    std::int64_t total() const noexcept {
        std::int64_t sum = 0;
        for (const std::int64_t cost : cost_) sum += cost < 0 ? -cost : cost;
        return sum;
    }

    // A lower bound, as a cost. No solution costs more than all options.
    std::int64_t rounded(Cost bound) const noexcept {
        const std::int64_t most = total();
        return std::clamp(scale_.from(std::min(bound, scale_.most)), -most, most);
    }

    void save_pass(StateWriter& state) const {
        const auto cost_or_none = [this](Cost cost) {
            return cost >= scale_.most ? std::nullopt : std::optional(rounded(cost));
        };
        state.put(rounded(proven_));
        state.put_optional(cost_or_none(std::min(refused_, walks_.least_refused())));
        state.put_optional(pass_cutoff_ == scale_.most
                               ? std::nullopt
                               : std::optional(scale_.down_from(pass_cutoff_)));
        state.put(keeps_ties_ ? 1 : 0);
        state.put_solutions(pass_ties_);
    }

    void save_left(StateWriter& state) {
        state.put(given_up_ ? 1 : 0);
        const std::vector<Subproblem<Cost>> left = walks_.left();
        state.put_subproblems<Cost>(left, [this](Cost bound) { return rounded(bound); });
    }

    void read_position(StateReader& state, Resumed& resumed) {
        dives_.restore(state);
        resumed.kept = state.solutions();
        resumed.before = state.solutions();
        if (resumed.kept.size() > k_) state.refuse();
        if (resumed.stage == Stage::passes) {
            resumed.proven = scale_.to(state.cost());
            const std::optional<std::int64_t> refused = state.optional_cost();
            resumed.refused = refused ? scale_.to(*refused) : largest<Cost>;
            if (!state.flag()) {
                resumed.pass_cutoff = scale_.most;
            } else {
                resumed.pass_cutoff = scale_.to(state.next(-total(), total()));
            }
            resumed.keeps_ties = state.flag();
            resumed.ties = state.solutions();
        } else {
            resumed.tie_cost = state.cost();
            resumed.ties_wanted = static_cast<std::size_t>(
                state.next(0, static_cast<std::int64_t>(std::min<std::uint64_t>(k_, most_wanted))));
            resumed.ties = state.solutions();
            if (resumed.ties_wanted + resumed.kept.size() > k_) state.refuse();
        }
        if (resumed.stage == Stage::ties) {
            resumed.tried = state.options();
            return;
        }
        resumed.given_up = state.flag();
        resumed.left =
            state.template subproblems<Cost>([this](std::int64_t cost) { return scale_.to(cost); });
    }

    // Goes on where another search stopped.
    void go_on() {
        Resumed resumed = std::move(*resumed_);
        resumed_.reset();
        stage_ = resumed.stage;
        kept_ = std::move(resumed.kept);
        if (stage_ == Stage::ordering) {
            finish(std::move(kept_));
            return;
        }
        before_ = std::move(resumed.before);
        next_improvement_ = walks_.work() + 100'000;
        if (stage_ == Stage::passes) {
            std::make_heap(kept_.begin(), kept_.end(), cheaper);
            proven_ = std::max(proven_, resumed.proven);
            pass_cutoff_ = resumed.pass_cutoff;
            gap_ = std::max<Cost>(pass_cutoff_ - root_bound_, Cost{1} << scale_.shift);
            begin_walk(pass_cutoff_, std::move(resumed.left));
            refused_ = resumed.refused;
            keeps_ties_ = resumed.keeps_ties;
            pass_ties_ = std::move(resumed.ties);
            if (kept_.size() == k_) lower_cutoff_to(kept_.front().cost);
            lower_cutoff();
            return;
        }
        tie_cost_ = resumed.tie_cost;
        ties_wanted_ = resumed.ties_wanted;
        ties_ = std::move(resumed.ties);
        if (stage_ == Stage::equals) {
            equals_begun_ = walks_.work();
            begin_walk(scale_.to(tie_cost_), std::move(resumed.left));
            given_up_ = resumed.given_up;
            return;
        }
        first_ties_ = std::move(ties_);
        begin_in_order();
        in_order_->skip_tried(resumed.tried);
    }

    // -- callbacks of the walks ------------------------------------------------------------------

    std::uint64_t news() const noexcept override { return news_; }

    void catch_up(Walk<Cost>& walk) override {
        const std::lock_guard lock(lock_);
        walk.priced().set_cutoff(cutoff_);
    }

    void found(Walk<Cost>& walk) override {
        const std::vector<Int> path = walk.path();
        const std::int64_t cost = given_cost_ + cost_of(path);
        const std::lock_guard lock(lock_);
        if (stage_ == Stage::passes) {
            keep(cost, path);
        } else if (cost == tie_cost_ && !given_up_) {
            ++stats_.solutions;
            ties_.push_back({cost, whole(path)});
            given_up_ = ties_.size() == ties_wanted_ + most_equals;
            if (given_up_) walks_.stop();
        }
    }

    void keep(std::int64_t cost, const std::vector<Int>& path) {
        if (kept_.size() == k_ && cost >= kept_.front().cost) {
            if (cost == kept_.front().cost && keeps_ties_) {
                ++stats_.solutions;
                keep_tie({cost, whole(path)});
            } else {
                refused_ = std::min(refused_, scale_.to(cost));  // another thread was faster
            }
            return;
        }
        ++stats_.solutions;
        std::optional<Costed> dropped;
        if (kept_.size() == k_) {
            std::pop_heap(kept_.begin(), kept_.end(), cheaper);
            dropped = std::move(kept_.back());
            kept_.pop_back();
        }
        kept_.push_back({cost, whole(path)});
        std::push_heap(kept_.begin(), kept_.end(), cheaper);
        if (kept_.size() < k_) return;
        const std::int64_t most = kept_.front().cost;
        if (dropped && dropped->cost > most) {
            refused_ = std::min(refused_, scale_.to(dropped->cost));
            dropped.reset();
            pass_ties_.clear();  // they cost as much
        }
        if (dropped) {
            if (keeps_ties_) {
                keep_tie(std::move(*dropped));
            } else {
                refused_ = std::min(refused_, scale_.to(most));
            }
        }
        lower_cutoff_to(most);
    }

    // Keeps a solution that costs as much as the k-th, unless there are too many of them: then all
    // of that cost are left to `equals`.
    void keep_tie(Costed one) {
        const std::int64_t cost = one.cost;
        pass_ties_.push_back(std::move(one));
        if (pass_ties_.size() <= most_pass_ties) return;
        keeps_ties_ = false;
        pass_ties_.clear();
        refused_ = std::min(refused_, scale_.to(cost));
        lower_cutoff_to(cost);
    }

    std::vector<Int> whole(const std::vector<Int>& path) const {
        std::vector<Int> options(given_);
        options.insert(options.end(), path.begin(), path.end());
        return options;
    }

    // -- ties ------------------------------------------------------------------------------------

    // All solutions that cost less are known: now those of this cost.
    void begin_equals(std::int64_t cost) {
        stage_ = Stage::equals;
        tie_cost_ = cost;
        std::vector<Costed> equals;
        for (Costed& one : kept_) {
            if (one.cost == cost) equals.push_back(std::move(one));
        }
        std::erase_if(kept_, [cost](const Costed& one) { return one.cost == cost; });
        ties_wanted_ = static_cast<std::size_t>(k_) - kept_.size();
        if (any_order_) {
            for (Costed& one : incumbents_.all()) {
                if (one.cost == cost) equals.push_back(std::move(one));
            }
            ties_ = std::move(equals);
            end_ties();
            return;
        }
        before_ = std::move(equals);
        next_improvement_ = walks_.work() + 100'000;
        equals_begun_ = walks_.work();
        begin_walk(scale_.to(tie_cost_));
    }

    void end_equals() {
        if (given_up_) {
            ties_.clear();
            begin_ties();
        } else {
            end_ties();
        }
    }

    void begin_ties() {
        stage_ = Stage::ties;
        if (!in_order_) begin_in_order();
    }

    void begin_in_order() {
        in_order_.emplace(walks_.first());
        in_order_->return_to_root();
        in_order_->forget_work();
        const bool priced = !nothing_costs();
        in_order_->begin(priced ? scale_.to(tie_cost_) : scale_.most, &plain_, priced);
    }

    // Where it takes long to find all solutions of that cost, the first ones are collected in order
    // beside it, by turns.
    void collect_beside(Clock::time_point until) {
        const std::uint64_t spent = walks_.work() - equals_begun_;
        if (spent < equals_alone) return;
        if (!in_order_) begin_in_order();
        const auto behind = [&] { return work_in_order() < spent - equals_alone; };
        for (int steps = 1; stage_ == Stage::equals && behind(); ++steps) {
            collect_in_order();
            if (steps % 64 == 0 && Clock::now() >= until) return;
        }
    }

    std::uint64_t work_in_order() const noexcept {
        return (in_order_ ? in_order_->work() : 0) + (tie_probes_ ? tie_probes_->work() : 0);
    }

    // One thread is enough: each step of this walk is in the order of the answer.
    void collect_in_order() {
        Walk<Cost>& walk = *in_order_;
        const std::size_t levels = walk.levels();
        if (walk.busy() && walk.step()) {
            const std::vector<Int> path = walk.path();
            const std::int64_t cost = given_cost_ + cost_of(path);
            if (cost == tie_cost_) {
                ++stats_.solutions;
                first_ties_.push_back({cost, whole(path)});
                if (first_ties_.size() == ties_wanted_) walk.give_up();
                if (tie_probes_) tie_probes_->forget_witness();
            }
        } else if (walk.levels() > levels && !problem_->multiple() && !nothing_costs()) {
            if (!tie_probes_) tie_probes_.emplace(walk, cost_.size());
            tie_probes_->look(walk, walk.priced().cutoff(), [this](const std::vector<Int>& path) {
                return given_cost_ + cost_of(path) == tie_cost_;
            });
        }
        if (walk.busy()) return;
        ties_ = std::move(first_ties_);
        end_ties();
    }

    void end_ties() {
        std::vector<Costed> all(std::move(ties_));
        for (Costed& one : kept_) {
            if (one.cost < tie_cost_) all.push_back(std::move(one));
        }
        finish(std::move(all));
    }

    // -- the order of an ordinary search ---------------------------------------------------------

    // The answer is among these.
    void finish(std::vector<Costed> found) {
        plain_.undo(plain_root_);
        answer_ = std::move(found);
        kept_.clear();
        before_.clear();
        stage_ = Stage::ordering;
    }

    void order_one() {
        if (ordered_ < answer_.size()) {
            order_.restore(answer_[ordered_++], plain_);
            return;
        }
        keep_best(answer_, k_);
        stage_ = Stage::finished;
    }

    static constexpr std::uint64_t most_wanted = std::uint64_t{1} << 62;
    static constexpr int most_steps = 800;
    static constexpr int pricing_round = 50;                 // steps
    static constexpr double least_gain = 0.0005;             // in a round, as a part of the gap
    static constexpr std::chrono::milliseconds unaided{40};  // before all solutions are visited
    static constexpr std::chrono::seconds long_walk{3};
    static constexpr std::chrono::milliseconds least_slice{2};
    static constexpr std::chrono::milliseconds longest_slice{20};
    static constexpr int tiers_apart = 50;  // the ratio of two tiers of costs
    static constexpr std::uint64_t most_dive_steps = 60;
    static constexpr std::uint64_t patience = 40;  // rounds of `improve` without success
    static constexpr int widening = 2;
    static constexpr std::uint64_t equals_alone = 5'000'000;  // before they are collected in order
    static constexpr std::size_t most_pass_ties = 32;
    static constexpr std::size_t most_equals = 1000;  // besides the wanted ones
    std::shared_ptr<const Problem> problem_;
    std::vector<std::int64_t> cost_;
    std::vector<Int> given_;
    std::uint64_t k_;
    bool any_order_;
    Scale<Cost> scale_;
    Cells plain_;
    MinimumThreads<Cost> walks_;
    PricedCells<Cost>& priced_;  // of the first walk
    VisitingOrder order_;
    Incumbents incumbents_;
    Dives dives_;
    std::optional<Resumed> resumed_;  // until the prices are there
    std::optional<NeighborhoodSearch<Cost>> neighborhoods_;
    std::optional<Walk<Cost>> in_order_;  // with plain_
    std::optional<TieProbes<Cost>> tie_probes_;
    std::vector<Int> near_;               // the solution whose neighborhoods are searched
    std::uint64_t next_improvement_ = 0;  // the work of the walks when `improve` is due
    std::uint64_t improving_work_ = 0;
    Clock::duration walking_time_{};
    std::uint64_t idle_rounds_ = 0;  // since `improve` found a better solution
    std::int64_t given_cost_ = 0;
    Stage stage_ = Stage::fresh;
    std::vector<Int> items_;
    std::optional<Subgradient> subgradient_;
    int steps_left_ = 0;
    double priced_before_ = 0;  // the bound at the end of the round before
    bool refined_ = false;
    std::vector<double> first_prices_;  // before they were refined
    Cells::Mark plain_root_;
    Cost root_bound_ = 0;
    Cost gap_ = 0;
    Cost proven_ = 0;
    std::mutex lock_;  // guards what walks change: all up to `ties_`, and the number of solutions
    std::atomic<std::uint64_t> news_ = 0;  // how often the cutoff has changed
    Cost cutoff_ = 0;
    Cost pass_cutoff_ = 0;           // as the pass began
    Cost refused_ = 0;               // least cost of the solutions that were found but not kept
    bool given_up_ = false;          // there are too many ties
    std::vector<Costed> kept_;       // of this pass, a heap with the most expensive in front
    std::vector<Costed> pass_ties_;  // that cost as much as the k-th, besides
    bool keeps_ties_ = false;
    std::vector<Costed> before_;  // of the pass before
    std::vector<Costed> ties_;
    std::vector<Costed> answer_;
    std::size_t ordered_ = 0;  // of the answer
    std::int64_t tie_cost_ = 0;
    std::size_t ties_wanted_ = 0;
    std::vector<Costed> first_ties_;  // those of in_order_
    std::uint64_t equals_begun_ = 0;  // the work of the walks
    std::uint64_t extra_work_ = 0;
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
