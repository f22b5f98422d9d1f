// The stages of the search for the cheapest solutions: see minimum.hpp.
#include "minimum.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <type_traits>
#include <utility>

#include "cells.hpp"
#include "priced_cells.hpp"

namespace dlx {
namespace {

constexpr auto ignore = [](Int, Int) {};

// Whole numbers as they come, times 2^shift, over `unit`: the costs as priced cells want them.
template <class Cost>
struct Scale {
    std::int64_t unit = 1;
    int shift = 0;
    Cost most = 0;  // above the absolute cost of any solution

    Cost to(std::int64_t cost) const noexcept {
        return static_cast<Cost>(cost / unit) * (Cost{1} << shift);
    }
    // The least cost that is not below a bound.
    std::int64_t from(Cost bound) const noexcept {
        const Cost step = Cost{1} << shift;
        const Cost down = bound / step;
        const Cost up = down + (bound > 0 && down * step < bound ? 1 : 0);
        return static_cast<std::int64_t>(up) * unit;
    }
};

template <class Cost>
class Minimum final : public MinimumSearch {
public:
    Minimum(std::shared_ptr<const Problem> problem, std::span<const std::int64_t> cost,
            std::span<const Int> given, std::uint64_t k, const Scale<Cost>& scale)
        : problem_(std::move(problem)),
          cost_(cost.begin(), cost.end()),
          given_(given.begin(), given.end()),
          k_(k),
          scale_(scale),
          plain_(*problem_),
          priced_(*problem_, scaled_costs(), scale.most),
          wanted_(cost_.size(), 0) {
        bool viable = true;
        for (const Int option : given_) {
            viable = viable && plain_.take(option, ignore) && priced_.take_given(option);
            given_cost_ += cost_[index(option)];
        }
        if (!viable) stage_ = Stage::finished;
        stats_.nodes = 1;
        stats_.profile.assign(1, 1);
    }

    bool finished() const noexcept override { return stage_ == Stage::finished; }

    bool run(Clock::time_point until) override {
        std::uint64_t next_look = work() + patience;
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
                case Stage::ties:
                    step();
                    break;
                case Stage::ordering:
                    order_one();
                    break;
                case Stage::finished:
                    break;
            }
            if (work() >= next_look) {
                next_look = work() + patience;
                if (Clock::now() >= until) break;
            }
        }
        stats_.updates = work();
        return finished();
    }

    std::vector<Costed> best() override {
        if (stage_ == Stage::finished) return answer_;
        std::vector<Costed> all(stage_ == Stage::ordering ? answer_ : kept_);
        all.insert(all.end(), before_.begin(), before_.end());
        Cells cells(*problem_);  // the others may be anywhere
        for (const Int option : given_) cells.take(option, ignore);
        for (Costed& one : all) replay(one.options, cells);
        choose_best(all);
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
        Cost least = priced_.least_refused();
        for (const Frame& frame : frames_) {
            if (frame.next == frame.last) continue;
            least = std::min(least, frame.priced.bound + choices_[frame.next].reduced);
        }
        std::int64_t result = scale_.from(std::min(std::max(proven_, least), scale_.most));
        if (kept_.size() == k_) result = std::min(result, kept_.front().cost);
        return result;
    }

private:
    static constexpr std::uint64_t patience = 50'000;  // work between looks at the clock

    enum class Stage : std::uint8_t { fresh, pricing, passes, equals, ties, ordering, finished };

    struct Choice {
        Cost reduced;
        Int option;
        bool operator<(const Choice& other) const noexcept {
            return reduced != other.reduced ? reduced < other.reduced : option < other.option;
        }
    };

    struct Frame {
        typename PricedCells<Cost>::Mark priced;
        Cells::Mark plain;
        std::size_t first, next, last;  // in choices_; `next` is the one to be tried next
        std::uint64_t begun;            // the work before
    };

    static std::size_t index(Int number) noexcept { return static_cast<std::size_t>(number); }

    static bool cheaper(const Costed& one, const Costed& other) noexcept {
        return one.cost < other.cost;
    }

    // The cost of the dearest solution of the answer, which may not be in order yet.
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
        return stats_.nodes + priced_.work() + plain_.updates() + extra_work_;
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
        // The first prices: what each item has to pay at least if options share their costs alike.
        std::vector<double> prices(items_.size(), std::numeric_limits<double>::max());
        for (std::size_t row = 0; row < rows.cost.size(); ++row) {
            double sharers = 0;
            for (std::size_t at = rows.start[row]; at < rows.start[row + 1]; ++at) {
                sharers += rows.free[index(rows.item[at])];
            }
            for (std::size_t at = rows.start[row]; at < rows.start[row + 1]; ++at) {
                const std::size_t item = index(rows.item[at]);
                prices[item] =
                    rows.free[item] ? std::min(prices[item], rows.cost[row] / sharers) : 0.0;
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
        priced_root_ = priced_.mark();
        proven_ = priced_.bound();
        if (scale_.most == Cost{1} << scale_.shift) {  // nothing costs anything: all are equal
            stage_ = Stage::ties;
            ties_wanted_ = static_cast<std::size_t>(k_);
            if (priced_.sweep()) descend();
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
        priced_.forget_refused();
        const Cost room = scale_.most - priced_root_.bound;
        priced_.set_cutoff(gap_ < room ? priced_root_.bound + gap_ : scale_.most);
        if (priced_.sweep()) descend();
    }

    void end_pass() {
        priced_.undo(priced_root_);
        const Cost refused = priced_.least_refused();
        if (kept_.size() == k_) {
            if (refused > scale_.to(kept_.front().cost)) {
                finish(std::move(kept_));
            } else {
                begin_equals();
            }
        } else if (refused == largest<Cost> || priced_.cutoff() == scale_.most) {
            finish(std::move(kept_));  // nothing was too dear, or only what no solution can cost
        } else {
            proven_ = std::max(proven_, refused);
            before_ = std::exchange(kept_, {});
            const Cost room = scale_.most - priced_root_.bound;
            gap_ = std::max(gap_ < room / widening ? gap_ * widening : room,
                            refused - priced_root_.bound);
            begin_pass();
        }
    }

    // The next option of the innermost item that has one.
    void step() {
        if (frames_.empty()) {
            if (stage_ == Stage::passes) {
                end_pass();
            } else if (stage_ == Stage::equals) {
                end_equals();
            } else {
                end_ties();
            }
            return;
        }
        Frame& frame = frames_.back();
        priced_.undo(frame.priced);
        const bool ties = stage_ == Stage::ties;
        if (ties) plain_.undo(frame.plain);
        path_.resize(frames_.size() - 1);
        if (frame.next == frame.last) return ascend();
        const Choice choice = choices_[frame.next++];
        if (!priced_.affordable(priced_.bound() + choice.reduced)) {
            if (!ties) ascend();  // the others are dearer still
            return;
        }
        count_node();
        path_.push_back(choice.option);
        if (!priced_.take(choice.option)) return;
        if (ties && !plain_.take(choice.option, ignore)) return;
        if (priced_.cells().open().empty()) {
            found();
        } else if (!worth_pricing() || (priced_.improve_prices(inner_steps) && priced_.sweep())) {
            descend();
        }
    }

    // Have subtrees that begin at this level been so large that better prices would pay?
    bool worth_pricing() const {
        const std::size_t level = frames_.size();
        if (level >= usual_work_.size()) return false;
        if (priced_.cells().alive().size() > most_alive) return false;
        const double entries = 3.0 * static_cast<double>(priced_.cells().alive().size());
        return usual_work_[level] > pays_at * inner_steps * entries;
    }

    void count_node() {
        ++stats_.nodes;
        if (stats_.profile.size() == frames_.size()) stats_.profile.push_back(0);
        ++stats_.profile[frames_.size()];
    }

    void descend() {
        const std::size_t first = choices_.size();
        const bool ties = stage_ == Stage::ties;
        const Cells& cells = ties ? plain_ : priced_.cells();
        const Int item = cells.fewest();
        extra_work_ += cells.open().size();
        for (const Int entry : cells.left(item)) {
            const Int option = cells.option_of(entry);
            if (!ties) {
                choices_.push_back({priced_.reduced(option), option});
            } else if (priced_.cells().is_alive(option)) {
                choices_.push_back({0, option});
            }
        }
        std::sort(choices_.begin() + static_cast<std::ptrdiff_t>(first), choices_.end());
        for (std::size_t at = first; ties && at < choices_.size(); ++at) {
            choices_[at].reduced = priced_.reduced(choices_[at].option);
        }
        frames_.push_back({priced_.mark(), plain_.mark(), first, first, choices_.size(), work()});
    }

    void ascend() {
        const std::size_t level = frames_.size() - 1;
        if (level >= usual_work_.size()) usual_work_.resize(level + 1, 0.0);
        const auto work_here = static_cast<double>(work() - frames_.back().begun);
        usual_work_[level] += (work_here - usual_work_[level]) / 8;
        choices_.resize(frames_.back().first);
        frames_.pop_back();
    }

    void found() {
        std::int64_t cost = given_cost_;
        for (const Int option : path_) cost += cost_[index(option)];
        if (stage_ != Stage::passes) {
            if (cost != tie_cost_) return;
            ++stats_.solutions;
            ties_.push_back({cost, whole(path_)});
            const std::size_t spare = stage_ == Stage::equals ? most_equals : 0;
            if (ties_.size() == ties_wanted_ + spare) give_up();
            return;
        }
        ++stats_.solutions;
        if (kept_.size() == k_) {
            std::pop_heap(kept_.begin(), kept_.end(), cheaper);
            priced_.note_refused(scale_.to(kept_.back().cost));
            kept_.pop_back();
        }
        kept_.push_back({cost, whole(path_)});
        std::push_heap(kept_.begin(), kept_.end(), cheaper);
        if (kept_.size() == k_) {
            priced_.set_cutoff(scale_.to(kept_.front().cost) - (Cost{1} << scale_.shift));
        }
    }

    std::vector<Int> whole(const std::vector<Int>& path) const {
        std::vector<Int> options(given_);
        options.insert(options.end(), path.begin(), path.end());
        return options;
    }

    void give_up() {
        frames_.clear();
        choices_.clear();
    }

    // -- ties ------------------------------------------------------------------------------------

    void begin_equals() {
        stage_ = Stage::equals;
        tie_cost_ = kept_.front().cost;
        ties_wanted_ = static_cast<std::size_t>(
            std::count_if(kept_.begin(), kept_.end(),
                          [this](const Costed& one) { return one.cost == tie_cost_; }));
        priced_.set_cutoff(scale_.to(tie_cost_));
        if (priced_.sweep()) descend();
    }

    void end_equals() {
        priced_.undo(priced_root_);
        if (ties_.size() < ties_wanted_ + most_equals) {
            end_ties();
        } else {
            ties_.clear();
            stage_ = Stage::ties;
            if (priced_.sweep()) descend();
        }
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
            replay(answer_[ordered_++].options, plain_);
            return;
        }
        choose_best(answer_);
        stage_ = Stage::finished;
    }

    // The k best of some solutions, by cost, then as visited.
    void choose_best(std::vector<Costed>& solutions) const {
        std::sort(solutions.begin(), solutions.end(), [](const Costed& one, const Costed& other) {
            if (one.cost != other.cost) return one.cost < other.cost;
            return one.options < other.options;
        });
        const auto same = [](const Costed& one, const Costed& other) {
            return one.options == other.options;
        };
        solutions.erase(std::unique(solutions.begin(), solutions.end(), same), solutions.end());
        if (solutions.size() > k_) {
            solutions.erase(solutions.begin() + static_cast<std::ptrdiff_t>(k_), solutions.end());
        }
    }

    // Puts the options of a solution into the order in which they are chosen. With `cells` at the
    // root.
    void replay(std::vector<Int>& options, Cells& cells) {
        const Cells::Mark root = cells.mark();
        for (const Int option : options) wanted_[index(option)] = 1;
        std::vector<Int> order(given_);
        while (!cells.open().empty()) {
            for (const Int entry : cells.left(cells.fewest())) {
                const Int option = cells.option_of(entry);
                if (!wanted_[index(option)]) continue;
                order.push_back(option);
                break;
            }
            cells.take(order.back(), ignore);
        }
        cells.undo(root);
        for (const Int option : options) wanted_[index(option)] = 0;
        options = std::move(order);
    }

    static constexpr int most_steps = 800;
    static constexpr int widening = 2;
    static constexpr std::size_t most_equals = 1000;  // more than are wanted
    static constexpr int inner_steps = 60;
    static constexpr std::size_t most_alive = 20'000;  // or 60 steps would take too long at once
    static constexpr double pays_at = 4.0;

    std::shared_ptr<const Problem> problem_;
    std::vector<std::int64_t> cost_;
    std::vector<Int> given_;
    std::uint64_t k_;
    Scale<Cost> scale_;
    Cells plain_;
    PricedCells<Cost> priced_;
    std::vector<char> wanted_;
    std::int64_t given_cost_ = 0;
    Stage stage_ = Stage::fresh;
    std::vector<Int> items_;
    std::optional<Subgradient> subgradient_;
    int steps_left_ = 0;
    Cells::Mark plain_root_;
    typename PricedCells<Cost>::Mark priced_root_;
    Cost gap_ = 0;
    Cost proven_ = 0;
    std::vector<Frame> frames_;
    std::vector<Choice> choices_;
    std::vector<Int> path_;
    std::vector<Costed> kept_;    // of this pass, a heap with the dearest in front
    std::vector<Costed> before_;  // of the pass before
    std::vector<Costed> ties_;
    std::vector<Costed> answer_;
    std::size_t ordered_ = 0;  // of the answer
    std::int64_t tie_cost_ = 0;
    std::size_t ties_wanted_ = 0;
    std::vector<double> usual_work_;  // of a subtree, by the level of its root
    std::uint64_t extra_work_ = 0;
};

// How many times the costs of a solution prices and reduced costs can come to, on the way to good
// ones: an option of n items sees n prices change by as much as an option of n items may need.
double headroom(const Problem& problem) {
    Int longest = 1;
    for (std::size_t option = 0; option + 1 < problem.start.size(); ++option) {
        longest = std::max(longest, problem.start[option + 1] - problem.start[option]);
    }
    return 64.0 * (longest + 2.0) * (longest + 2.0);
}

template <class Cost>
std::unique_ptr<MinimumSearch> make(std::shared_ptr<const Problem> problem,
                                    std::span<const std::int64_t> cost, std::span<const Int> given,
                                    std::uint64_t k, std::int64_t unit, std::uint64_t most,
                                    int shift) {
    Scale<Cost> scale;
    scale.unit = unit;
    scale.shift = shift;
    scale.most = static_cast<Cost>(most) * (Cost{1} << shift);
    return std::make_unique<Minimum<Cost>>(std::move(problem), cost, given, k, scale);
}

}  // namespace

std::unique_ptr<MinimumSearch> make_minimum(std::shared_ptr<const Problem> problem,
                                            std::span<const std::int64_t> cost,
                                            std::span<const Int> given, std::uint64_t k) {
    std::int64_t unit = 0;
    std::vector<std::uint64_t> sizes;
    for (const std::int64_t one : cost) {
        unit = std::gcd(unit, one);
        sizes.push_back(static_cast<std::uint64_t>(one < 0 ? -one : one));
    }
    unit = std::max<std::int64_t>(unit, 1);
    // No solution has more options than there are primary items.
    const std::size_t taken = std::min(sizes.size(), static_cast<std::size_t>(problem->primary));
    std::nth_element(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(taken), sizes.end(),
                     std::greater<>());
    const std::uint64_t most =
        std::accumulate(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(taken),
                        std::uint64_t{0}) /
            static_cast<std::uint64_t>(unit) +
        1;
    const double room = std::ldexp(1.0, 62) / (headroom(*problem) * static_cast<double>(most));
    constexpr int finest = 20;
    constexpr int coarsest = 8;  // still good enough for fractions
    if (room >= std::ldexp(1.0, coarsest)) {
        const int shift = std::min(finest, static_cast<int>(std::floor(std::log2(room))));
        return make<std::int64_t>(std::move(problem), cost, given, k, unit, most, shift);
    }
    return make<Wide>(std::move(problem), cost, given, k, unit, most, finest);
}

}  // namespace dlx
