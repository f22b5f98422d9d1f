// A walk: a depth-first search of the tree of affordable options, step by step.
//
// It branches on the item with the fewest options left, the cheapest option first. A walk owns all
// of its data, so that several walks can search one tree at the same time, each in a thread. A busy
// walk *shares*: it gives away the untried choices at its topmost branching. They form a
// subproblem, the path to the branching and the options to be tried there:
//
//      root --- path[0] --- path[1] --+-- (tried, or being tried: stays with the sharing walk)
//                                     +-- options[0]   \  the subproblem: tried by
//                                     `-- options[1]   /  another walk
//
// The options of an item exclude each other, so no solution is found twice. The other walk replays
// the path with its own prices and cutoff. If an option of the path was removed there, it was too
// expensive, and the subproblem has no solution below the cutoff.
//
// Below a node, a walk may leave prices as they are and search with bits, which takes less time a
// node (minimum/fixed_prices.hpp). It learns for each level which of the two takes less work.
//
// A walk `in order` follows the tree of an ordinary search instead (in plain cells, without costs),
// and skips options that are too expensive.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/cells.hpp"
#include "core/engine.hpp"
#include "minimum/disjoint_items.hpp"
#include "minimum/fixed_prices.hpp"
#include "minimum/walk_frames.hpp"

namespace dlx {

template <class Cost>
class Walk : public WalkFrames<Cost> {
public:
    Walk(const Problem& problem, std::vector<Cost> cost, Cost most)
        : WalkFrames<Cost>(problem, std::move(cost), most),
          problem_(&problem),
          groups_(std::make_shared<const DisjointItems>(problem)) {}

    std::uint64_t work() const noexcept {
        return stats_.nodes + priced_.work() + fixed_.work() + extra_work_;
    }
    bool busy() const noexcept { return fixed_.busy() || !frames_.empty(); }

    // The options taken.
    std::vector<Int> path() const {
        std::vector<Int> options;
        for (const Move& move : path_) {
            if (move.taken) options.push_back(move.option);
        }
        for (std::size_t level = 0; level < fixed_.levels(); ++level) {
            options.push_back(fixed_.taken(level));
        }
        return options;
    }

    // Tries fixed prices in small subtrees, too.
    void fix_prices_early() noexcept { fixing_pays_at_ = 0; }

    // Makes the current state the root.
    void settle_root() noexcept { root_ = priced_.mark(); }

    // Begins a search of the whole tree with this cutoff. `in_order`: plain cells, at the root.
    // `pricing`: looks for better prices first, even if the trees before were small.
    void begin(Cost cutoff, Cells* in_order = nullptr, bool pricing = false) {
        return_to_root();
        const std::uint64_t work_before = work() - begun_;
        begun_ = work();
        plain_ = in_order;
        priced_.set_cutoff(cutoff);
        if (!priced_.sweep()) return;
        if (!usual_work_.empty()) usual_work_[0] = static_cast<double>(work_before);
        // Without the options that are too expensive now, there may be better prices.
        const std::size_t alive = priced_.cells().alive().size();
        const bool pays = 2 * work_before > root_steps * alive && work_before >= next_pricing_;
        if (alive <= most_alive && (pricing || pays)) {
            const Cost before = priced_.bound();
            if (!priced_.improve_prices(root_steps) || !priced_.sweep()) return;
            next_pricing_ = priced_.bound() > before ? 0 : 8 * work_before;
        }
        descend();
    }

    void begin(const Subproblem<Cost>& subproblem) {
        return_to_root();
        if (!priced_.sweep()) return;
        for (const Move& move : subproblem.path) {
            if (!make(move)) return;
            path_.push_back(move);
            base_ += move.taken ? 1 : 0;
        }
        // The sharing walk may have had better prices here.
        if (worth_pricing() && !(priced_.improve_prices(inner_steps) && priced_.sweep())) return;
        std::vector<Choice> choices;
        for (const Int option : subproblem.options) {
            if (option == no_more) {
                choices.push_back({0, option});
            } else if (may_take(option)) {
                choices.push_back({priced_.reduced(option), option});
            }
        }
        std::sort(choices.begin(), choices.end());
        open_frame(choices, subproblem.item, subproblem.several);
    }

    // Begins a search of the subtree below some options taken.
    void begin_below(const std::vector<Move>& taken, Cost cutoff) {
        return_to_root();
        plain_ = nullptr;
        priced_.set_cutoff(cutoff);
        if (!priced_.sweep()) return;
        for (const Move& move : taken) {
            if (!make(move)) return;
            path_.push_back(move);
        }
        base_ = path_.size();
        descend();
    }

    void return_to_root() noexcept {
        give_up();
        priced_.undo(root_);
        path_.clear();
        base_ = 0;
    }

    void give_up() noexcept {
        fixed_.clear();
        frames_.clear();
        choices_.clear();
    }

    // Tries the next option of the innermost item that has one. Returns whether the path is then a
    // solution. Call it only while the walk is busy.
    bool step() {
        if (fixed_.busy()) return step_fixed();
        Frame& frame = frames_.back();
        go_back(frame);
        if (frame.several && frame.next > frame.first) {
            if (!exclude(frame, choices_[frame.next - 1].option)) {
                ascend();
                return false;
            }
        }
        if (frame.next == frame.last) {
            ascend();
            return false;
        }
        const Choice choice = choices_[frame.next++];
        if (!is_affordable(frame, choice)) {
            // The other options are even more expensive, if they are in order of cost.
            if (plain_ == nullptr && !frame.several) ascend();
            return false;
        }
        count_node();
        if (!take(frame, choice.option)) return false;
        if (is_solved()) return priced_.affordable_leaf();
        if (worth_pricing()) {
            if (!priced_.improve_prices(inner_steps) || !priced_.sweep()) return false;
            if (is_solved()) return priced_.affordable_leaf();
        }
        descend();
        return false;
    }

    // Gives away the untried options of the topmost item that has some. If that is the innermost
    // item, its next option stays here.
    std::optional<Subproblem<Cost>> share() {
        for (std::size_t level = 0; level < frames_.size(); ++level) {
            Frame& frame = frames_[level];
            const bool innermost = level + 1 == frames_.size() && !fixed_.busy();
            const std::size_t from = frame.next + (innermost ? 1 : 0);
            if (from >= frame.last) continue;
            const bool worthwhile = priced_.affordable(bound_of(frame, from));
            Subproblem<Cost> subproblem{};
            if (worthwhile) subproblem = untried(frame, from);
            frame.last = from;
            if (worthwhile) return subproblem;
        }
        return share_fixed();
    }

    // All that is left, from the topmost item to the innermost one. Not for a walk in order.
    void add_left(std::vector<Subproblem<Cost>>& left) const {
        for (const Frame& frame : frames_) {
            if (frame.next < frame.last) left.push_back(untried(frame, frame.next));
        }
        for (std::size_t level = 0; level < fixed_.levels(); ++level) {
            if (fixed_.bound_of_untried(level)) left.push_back(untried_fixed(level));
        }
    }

    // Tries no more below the option that is being tried at a level.
    void leave_out(std::size_t level) {
        while (frames_.size() > level + 1) ascend();
    }

    // A walk in order that has begun continues after these options, which another one had tried.
    void skip_tried(const std::vector<Int>& tried) {
        for (std::size_t level = 0; level < tried.size() && frames_.size() == level + 1; ++level) {
            while (frames_.back().next < frames_.back().last &&
                   branches_before(choices_[frames_.back().next].option, tried[level])) {
                Frame& frame = frames_.back();
                if (frame.several && frame.next > frame.first &&
                    !exclude(frame, choices_[frame.next - 1].option)) {
                    ascend();
                    return;
                }
                ++frame.next;
            }
            const Frame& frame = frames_.back();
            if (frame.next == frame.last || choices_[frame.next].option != tried[level]) return;
            step();  // if it is a solution, it was found before
        }
    }

    // A lower bound on the cost of all solutions in the part that has not been searched yet.
    Cost least_open() const noexcept {
        Cost least = largest<Cost>;
        for (const Frame& frame : frames_) {
            if (frame.next == frame.last) continue;
            least = std::min(least, bound_of(frame, frame.next));
        }
        for (std::size_t level = 0; level < fixed_.levels(); ++level) {
            least = std::min(least, fixed_.bound_of_untried(level).value_or(largest<Cost>));
        }
        return least;
    }

    // Resets the work and statistics, which a copy must not count again.
    void forget_work() noexcept {
        stats_ = {};
        extra_work_ = 0;
        begun_ = 0;
        priced_.forget_work();
    }

private:
    using Base = WalkFrames<Cost>;
    using Base::bound_of, Base::untried, Base::is_affordable, Base::may_take;
    using Base::go_back, Base::exclude, Base::take, Base::make;
    using Base::priced_, Base::plain_, Base::base_, Base::frames_, Base::choices_, Base::path_;
    using Base::stats_, Base::usual_work_, Base::usual_work, Base::count_node, Base::is_solved;
    using typename Base::Frame, typename Base::Choice;

    void open_frame(const std::vector<Choice>& choices, Int item, bool several) {
        Base::push_frame(choices, item, several, work());
    }
    void ascend() { Base::pop_frame(work()); }

    // Have subtrees at this level been large enough that better prices would pay?
    bool worth_pricing() const {
        if (priced_.cells().alive().size() > most_alive) return false;
        const double entries = 3.0 * static_cast<double>(priced_.cells().alive().size());
        return usual_work(base_ + frames_.size()) > pays_at * inner_steps * entries;
    }

    void descend() {
        Cells& cells = plain_ != nullptr ? *plain_ : priced_.cells();
        if (is_solved()) {  // a solution already, which the next step reports
            open_frame({{0, no_more}}, 0, false);
            return;
        }
        if (plain_ == nullptr && worth_fixing()) {
            fix_prices();
            return;
        }
        const Int item = cells.fewest();
        extra_work_ += std::min(cells.open().size(), most_read);
        const bool several = cells.bound(item) > 1;
        std::vector<Choice> choices;
        for (const Int entry : cells.left(item)) {
            const Int option = cells.option_of(entry);
            const bool alive = plain_ == nullptr || priced_.cells().is_alive(option);
            if (plain_ == nullptr) {
                choices.push_back({priced_.reduced(option), option});
            } else if (alive || several) {
                choices.push_back({0, option});
            }
        }
        if (cells.need(item) == 0) choices.push_back({0, no_more});
        std::sort(choices.begin(), choices.end());
        if (plain_ != nullptr) {
            for (Choice& choice : choices) {
                if (choice.option != no_more) choice.reduced = priced_.reduced(choice.option);
            }
        }
        open_frame(choices, item, several);
    }

    // -- fixed prices ----------------------------------------------------------------------------

    // Have subtrees at this level been large enough, and faster with fixed prices?
    bool worth_fixing() {
        const Cells& cells = priced_.cells();
        const std::size_t options = cells.alive().size();
        if (cells.multiple() || options > FixedPriceSearch<Cost>::most_options ||
            cells.open().size() > FixedPriceSearch<Cost>::most_items) {
            return false;
        }
        const std::size_t level = base_ + frames_.size();
        const double usual = usual_work(level);
        if (usual < fixing_pays_at_ * work_of_tables(options)) return false;
        if (fixed_levels_.size() <= level) fixed_levels_.resize(level + 1);
        FixedLevel& known = fixed_levels_[level];
        ++known.tried;
        if (level == 0) return !std::exchange(known.given_up, false);
        const bool fix = known.tried == 1 || fixing_pays_at_ == 0 || known.work < usual;
        return fix != (known.tried % retry_interval == 0);
    }

    static double work_of_tables(std::size_t options) noexcept {
        return static_cast<double>(FixedPriceSearch<Cost>::work_of_tables(options));
    }

    void fix_prices() {
        const std::size_t level = base_ + frames_.size();
        fixed_begun_ = work();
        // The whole tree grows from one cutoff to the next.
        fixed_budget_ = level == 0 ? 16 * usual_work(0)
                                   : std::max(4 * usual_work(level), 8 * fixed_levels_[level].work);
        fixed_budget_ += 4 * work_of_tables(priced_.cells().alive().size());
        fixed_.begin(priced_, *problem_, *groups_);
        if (!fixed_.busy()) learn_fixed();
    }

    bool step_fixed() {
        for (int steps = 0; steps < steps_at_once && fixed_.busy(); ++steps) {
            const std::size_t level = fixed_.levels();
            const bool solved = fixed_.step(priced_, *problem_);
            if (fixed_.levels() >= level) count_node(level);
            if (solved) return true;
        }
        if (!fixed_.busy()) {
            learn_fixed();
        } else if (static_cast<double>(work() - fixed_begun_) > fixed_budget_) {
            learn_fixed();
            fixed_levels_[base_ + frames_.size()].given_up = true;
            unfix_prices();
        }
        return false;
    }

    void learn_fixed() {
        const std::size_t level = base_ + frames_.size();
        const auto work_here = static_cast<double>(work() - fixed_begun_);
        double& usual = fixed_levels_[level].work;
        const double share = usual == 0 ? 1 : 0.125;
        usual += share * (work_here - usual);
    }

    // Goes on with prices that change, where the search with fixed ones is.
    void unfix_prices() {
        struct Level {
            Int item, taken;
            std::vector<Int> untried;
        };
        std::vector<Level> levels;
        for (std::size_t at = 0; at < fixed_.levels(); ++at) {
            levels.push_back({fixed_.item(at), fixed_.taken(at), fixed_.untried(at)});
        }
        fixed_.clear();
        for (std::size_t at = 0; at < levels.size(); ++at) {
            const bool innermost = at + 1 == levels.size();
            std::vector<Choice> choices;
            for (const Int option : levels[at].untried) {
                if (may_take(option)) choices.push_back({priced_.reduced(option), option});
            }
            std::sort(choices.begin(), choices.end());
            if (!innermost) choices.insert(choices.begin(), {0, levels[at].taken});
            open_frame(choices, levels[at].item, false);
            if (at == 0) frames_.back().begun = fixed_begun_;
            if (innermost) return;
            Frame& frame = frames_.back();
            ++frame.next;
            if (!may_take(levels[at].taken) || !take(frame, levels[at].taken)) return;
        }
    }

    // The untried options of a level of the search with fixed prices, as a subproblem.
    Subproblem<Cost> untried_fixed(std::size_t level) const {
        Subproblem<Cost> subproblem{path_, fixed_.untried(level), fixed_.item(level), false,
                                    *fixed_.bound_of_untried(level)};
        for (std::size_t at = 0; at < level; ++at) {
            subproblem.path.push_back({fixed_.taken(at), true});
        }
        return subproblem;
    }

    std::optional<Subproblem<Cost>> share_fixed() {
        for (std::size_t level = 0; level + 1 < fixed_.levels(); ++level) {
            const std::optional<Cost> bound = fixed_.bound_of_untried(level);
            if (!bound || !priced_.affordable(*bound)) continue;
            Subproblem<Cost> subproblem = untried_fixed(level);
            fixed_.give_away_untried(level);
            return subproblem;
        }
        return std::nullopt;
    }

    struct FixedLevel {
        double work = 0;  // average of a subtree searched with fixed prices
        std::uint64_t tried = 0;
        bool given_up = false;  // the last search, since it took too long
    };

    static constexpr int inner_steps = 60;
    static constexpr int root_steps = 200;
    static constexpr std::size_t most_alive = 20'000;  // for more options, 60 steps take too long
    static constexpr double pays_at = 4.0;
    static constexpr std::uint64_t retry_interval = 32;  // the other way is tried again
    static constexpr int steps_at_once = 16;
    static constexpr std::size_t most_read = 4096;  // items, to find the one with the fewest

    const Problem* problem_;
    std::shared_ptr<const DisjointItems> groups_;
    FixedPriceSearch<Cost> fixed_;
    std::vector<FixedLevel> fixed_levels_;  // by the level of the subtree's root
    std::uint64_t fixed_begun_ = 0;         // work() when prices were fixed
    double fixed_budget_ = 0;               // work until they are no longer
    double fixing_pays_at_ = 2.0;           // how much more work than the tables a subtree takes
    typename PricedCells<Cost>::Mark root_;
    std::uint64_t extra_work_ = 0;
    std::uint64_t begun_ = 0;         // work() when the whole tree was begun
    std::uint64_t next_pricing_ = 0;  // the work of a tree, if better prices were not found before
};

}  // namespace dlx
