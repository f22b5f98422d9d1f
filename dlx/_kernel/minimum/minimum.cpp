// The stages of the search for the cheapest solutions: see minimum/minimum.hpp.
#include "minimum/minimum.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>
#include <type_traits>
#include <utility>

#include "core/cells.hpp"
#include "minimum/scale.hpp"
#include "minimum/threads.hpp"
#include "minimum/visiting_order.hpp"

namespace dlx {
namespace {

constexpr auto ignore = [](Int, Int) {};

template <class Cost>
class Minimum final : public MinimumSearch, private Owner<Cost> {
public:
    Minimum(std::shared_ptr<const Problem> problem, std::span<const std::int64_t> cost,
            std::span<const Int> given, std::uint64_t k, const Workers& workers,
            const Scale<Cost>& scale)
        : problem_(std::move(problem)),
          cost_(cost.begin(), cost.end()),
          given_(given.begin(), given.end()),
          k_(k),
          scale_(scale),
          plain_(*problem_),
          walks_(Walk<Cost>(*problem_, scaled_costs(), scale.most), workers.count, workers.alone),
          priced_(walks_.first().priced()),
          order_(given_, cost_.size()) {
        bool viable = true;
        for (const Int option : given_) {
            viable = viable && plain_.take(option, ignore) && priced_.take_given(option);
            given_cost_ += cost_[index(option)];
        }
        if (!viable) stage_ = Stage::finished;
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
                case Stage::pricing:
                    price();
                    break;
                case Stage::passes:
                case Stage::equals:
                    if (walks_.run(until, *this)) end_walk();
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

    std::vector<Costed> best() override {
        if (stage_ == Stage::finished) return answer_;
        std::vector<Costed> all(stage_ == Stage::ordering ? answer_ : kept_);
        all.insert(all.end(), before_.begin(), before_.end());
        Cells cells(*problem_);  // new ones, because the other cells may not be at the root
        for (const Int option : given_) cells.take(option, ignore);
        for (Costed& one : all) order_.restore(one, cells);
        keep_best(all, k_);
        return all;
    }

    std::optional<std::int64_t> best_cost() const override {
        std::optional<std::int64_t> least;
        for (const auto* list : {&answer_, &kept_, &before_}) {
            for (const Costed& one : *list) least = std::min(least.value_or(one.cost), one.cost);
        }
        return least;
    }

    std::optional<std::int64_t> bound() const override {
        if (stage_ == Stage::fresh || stage_ == Stage::pricing) return std::nullopt;
        if (stage_ == Stage::ordering || stage_ == Stage::finished) return last_cost();
        if (stage_ == Stage::equals || stage_ == Stage::ties) return tie_cost_;
        const Cost least = std::min({refused_, walks_.least_refused(), walks_.least_open()});
        std::int64_t result = scale_.from(std::min(std::max(proven_, least), scale_.most));
        if (kept_.size() == k_) result = std::min(result, kept_.front().cost);
        return result;
    }

private:
    static constexpr std::uint64_t check_interval = 50'000;  // work between clock checks

    enum class Stage : std::uint8_t { fresh, pricing, passes, equals, ties, ordering, finished };

    static std::size_t index(Int number) noexcept { return static_cast<std::size_t>(number); }

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

    std::uint64_t work() const noexcept { return walks_.work() + plain_.updates() + extra_work_; }

    bool walking() const noexcept { return stage_ == Stage::passes || stage_ == Stage::equals; }

    void add_up() {
        stats_.nodes = 1;
        stats_.profile.assign(1, 1);
        walks_.add_nodes(stats_);
        stats_.updates = work();
    }

    // -- pricing ---------------------------------------------------------------------------------

    void begin() {
        plain_root_ = plain_.mark();
        if (plain_.open().empty()) {
            answer_ = {{given_cost_, given_}};
            stage_ = Stage::finished;
            return;
        }
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
        stage_ = Stage::pricing;
        if (steps_left_ == 0) subgradient_->step();
    }

    void price() {
        extra_work_ += subgradient_->work();
        if (steps_left_ > 0) {
            --steps_left_;
            if (!subgradient_->step()) steps_left_ = 0;
            return;
        }
        const bool viable = priced_.set_prices(items_, subgradient_->best_prices());
        subgradient_.reset();
        if (!viable) {
            stage_ = Stage::finished;
            return;
        }
        walks_.first().settle_root();
        root_bound_ = priced_.bound();
        proven_ = priced_.bound();
        if (scale_.most == Cost{1} << scale_.shift) {  // nothing costs anything: all are equal
            ties_wanted_ = static_cast<std::size_t>(k_);
            begin_ties();
            return;
        }
        gap_ = first_gap();
        stage_ = Stage::passes;
        begin_pass();
    }

    // Room for a few options more than there are items.
    Cost first_gap() const {
        std::vector<Cost> reduced;
        for (const Int option : priced_.cells().alive()) {
            reduced.push_back(priced_.reduced(option));
        }
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
        begin_walk(pass_cutoff_);
    }

    void begin_walk(Cost cutoff) {
        cutoff_ = cutoff;
        ++news_;
        refused_ = largest<Cost>;
        given_up_ = false;
        walks_.begin(cutoff);
    }

    void end_walk() {
        if (stage_ == Stage::passes) {
            end_pass();
        } else {
            end_equals();
        }
    }

    void end_pass() {
        const Cost refused = std::min(refused_, walks_.least_refused());
        if (kept_.size() == k_) {
            if (refused > scale_.to(kept_.front().cost)) {
                finish(std::move(kept_));
            } else {
                begin_equals();
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

    // -- callbacks of the walks ------------------------------------------------------------------

    std::uint64_t news() const noexcept override { return news_; }

    void catch_up(Walk<Cost>& walk) override {
        const std::lock_guard lock(lock_);
        walk.priced().set_cutoff(cutoff_);
    }

    void found(Walk<Cost>& walk) override {
        const std::vector<Int> path = walk.path();
        std::int64_t cost = given_cost_;
        for (const Int option : path) cost += cost_[index(option)];
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
            refused_ = std::min(refused_, scale_.to(cost));  // another thread was faster
            return;
        }
        ++stats_.solutions;
        if (kept_.size() == k_) {
            std::pop_heap(kept_.begin(), kept_.end(), cheaper);
            refused_ = std::min(refused_, scale_.to(kept_.back().cost));
            kept_.pop_back();
        }
        kept_.push_back({cost, whole(path)});
        std::push_heap(kept_.begin(), kept_.end(), cheaper);
        if (kept_.size() == k_) {
            cutoff_ = scale_.to(kept_.front().cost) - (Cost{1} << scale_.shift);
            ++news_;
        }
    }

    std::vector<Int> whole(const std::vector<Int>& path) const {
        std::vector<Int> options(given_);
        options.insert(options.end(), path.begin(), path.end());
        return options;
    }

    // -- ties ------------------------------------------------------------------------------------

    void begin_equals() {
        stage_ = Stage::equals;
        tie_cost_ = kept_.front().cost;
        ties_wanted_ = static_cast<std::size_t>(
            std::count_if(kept_.begin(), kept_.end(),
                          [this](const Costed& one) { return one.cost == tie_cost_; }));
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
        walks_.first().begin(priced_.cutoff(), &plain_);
    }

    // One thread is enough: each step of this walk is in the order of the answer.
    void collect_in_order() {
        Walk<Cost>& walk = walks_.first();
        if (walk.busy() && walk.step()) {
            std::int64_t cost = given_cost_;
            const std::vector<Int> path = walk.path();
            for (const Int option : path) cost += cost_[index(option)];
            if (cost == tie_cost_) {
                ++stats_.solutions;
                ties_.push_back({cost, whole(path)});
                if (ties_.size() == ties_wanted_) walk.give_up();
            }
        }
        if (!walk.busy()) end_ties();
    }

    void end_ties() {
        plain_.undo(plain_root_);
        std::vector<Costed> all(std::move(ties_));
        for (Costed& one : kept_) {
            if (one.cost < tie_cost_) all.push_back(std::move(one));
        }
        finish(std::move(all));
    }

    // -- the order of an ordinary search ---------------------------------------------------------

    // The answer is among these.
    void finish(std::vector<Costed> found) {
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

    static constexpr int most_steps = 800;
    static constexpr int widening = 2;
    static constexpr std::size_t most_equals = 1000;  // besides the wanted ones
    std::shared_ptr<const Problem> problem_;
    std::vector<std::int64_t> cost_;
    std::vector<Int> given_;
    std::uint64_t k_;
    Scale<Cost> scale_;
    Cells plain_;
    MinimumThreads<Cost> walks_;
    PricedCells<Cost>& priced_;  // of the first walk
    VisitingOrder order_;
    std::int64_t given_cost_ = 0;
    Stage stage_ = Stage::fresh;
    std::vector<Int> items_;
    std::optional<Subgradient> subgradient_;
    int steps_left_ = 0;
    Cells::Mark plain_root_;
    Cost root_bound_ = 0;
    Cost gap_ = 0;
    Cost proven_ = 0;
    std::mutex lock_;  // guards what walks change: all up to `ties_`, and the number of solutions
    std::atomic<std::uint64_t> news_ = 0;  // how often the cutoff has changed
    Cost cutoff_ = 0;
    Cost pass_cutoff_ = 0;        // as the pass began
    Cost refused_ = 0;            // least cost of the solutions that were found but not kept
    bool given_up_ = false;       // there are too many ties
    std::vector<Costed> kept_;    // of this pass, a heap with the most expensive in front
    std::vector<Costed> before_;  // of the pass before
    std::vector<Costed> ties_;
    std::vector<Costed> answer_;
    std::size_t ordered_ = 0;  // of the answer
    std::int64_t tie_cost_ = 0;
    std::size_t ties_wanted_ = 0;
    std::uint64_t extra_work_ = 0;
};

template <class Cost>
std::unique_ptr<MinimumSearch> make(std::shared_ptr<const Problem> problem,
                                    std::span<const std::int64_t> cost, std::span<const Int> given,
                                    std::uint64_t k, const Workers& workers,
                                    const Scaling& scaling) {
    return std::make_unique<Minimum<Cost>>(std::move(problem), cost, given, k, workers,
                                           Scale<Cost>(scaling));
}

}  // namespace

std::unique_ptr<MinimumSearch> make_minimum(std::shared_ptr<const Problem> problem,
                                            std::span<const std::int64_t> cost,
                                            std::span<const Int> given, std::uint64_t k,
                                            const Workers& workers) {
    const Scaling scaling = scaling_of(*problem, cost);
    const auto chosen = scaling.wide ? make<Int128> : make<std::int64_t>;
    return chosen(std::move(problem), cost, given, k, workers, scaling);
}

}  // namespace dlx
