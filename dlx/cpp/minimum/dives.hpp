// Ordinary searches, which know nothing of costs, beside branch and bound.
//
// Branch and bound visits cheap options first, so it may need long for its first solution where
// solutions are few. An ordinary search may find one at once. Two of them alternate: one chooses
// items by "mrv", as `solve` does, and one by "weighted", which learns where dead ends come from.
// The second restarts in a random order after some nodes (see dlx/engines/restarts.py).
//
// Where the bounds of branch and bound are weak, it may be faster to visit all solutions, since an
// ordinary search takes a tenth of the time a node. So the search by "mrv" may continue to the end.
// It keeps the k best solutions that it has visited; of equal ones, the first. These are the
// answer. How long that takes is estimated from random probes (estimate/tree_size.hpp) and from the
// time that the nodes visited so far have taken.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "engines/engines.hpp"
#include "estimate/tree_size.hpp"
#include "minimum/minimum.hpp"
#include "minimum/saved_state.hpp"

namespace dlx {

class Dives {
public:
    Dives(std::shared_ptr<const Problem> problem, std::span<const Int> given,
          std::span<const std::int64_t> cost, std::uint64_t k)
        : problem_(std::move(problem)),
          given_(given.begin(), given.end()),
          cost_(cost.begin(), cost.end()),
          k_(k),
          place_(places_of_labels(*problem_)) {}

    // Searches for about `work` updates, or until a time, by the next of the two searches. Returns
    // a solution, if it has found one.
    std::optional<Costed> run(std::uint64_t work, Clock::time_point until) {
        until = std::max(until, Clock::now() + least_time);  // so that each call gets on
        const std::size_t turn = turn_;
        turn_ = 1 - turn_;
        const std::uint64_t end = work_ + work;
        Found found;
        Outcome outcome = Outcome::spent;
        while (outcome == Outcome::spent && work_ < end && Clock::now() < until) {
            if (turn == 1 && tried_enough()) restart();
            Engine& engine = engine_of(turn);
            const std::uint64_t before = work_of(engine);
            outcome = engine.run({1, until, &found, engine.stats().nodes + nodes_a_turn});
            work_ += work_of(engine) - before;
        }
        exhausted_ = outcome == Outcome::finished && found.size() == 0;
        if (found.size() == 0) return std::nullopt;
        Costed solution = solution_of(found, 0);
        if (turn == 0) keep(solution);
        return solution;
    }

    enum class Visits : std::uint8_t { none, some, all };

    // Continues to visit all solutions beside walks that have taken this time so far: alternating
    // with them once they have taken twice the time that visiting all is expected to take, until it
    // has taken that, too; else, and only after some seconds, for a twentieth of the time. (Probes
    // mostly underestimate.)
    template <class Better>
    Visits visit_beside(Clock::duration walking_time, Clock::time_point until, Better&& better) {
        if (walking_time < unaided) return Visits::none;
        const Clock::duration so_far = visiting_time_;
        Clock::duration behind = walking_time - so_far;
        if (so_far >= least_slice) {  // from then on it is known how long a node takes
            const std::optional<double> seconds = seconds_of_all(until);
            if (!seconds) return Visits::none;
            const auto seconds_of = [](Clock::duration time) {
                return std::chrono::duration<double>(time).count();
            };
            if (seconds_of(walking_time) < *seconds * 2 || seconds_of(so_far) > *seconds * 2) {
                behind = (walking_time - long_walk) / 20 - so_far;
            }
        }
        if (behind < least_slice) return Visits::none;
        const Clock::duration longest = so_far < least_slice ? least_slice : longest_slice;
        const auto end = std::min(until, Clock::now() + std::min<Clock::duration>(behind, longest));
        return visit_all(end, better) ? Visits::all : Visits::some;
    }

    // The state of the search by "mrv".
    void save(StateWriter& state) {
        const std::optional<Position> left =
            engine_[0] == nullptr || engine_[0]->finished() ? std::nullopt : engine_[0]->position();
        state.put(left.has_value() ? 1 : 0);
        if (!left) return;
        state.put_size(left->path.size());
        for (const Decision& one : left->path) {
            state.put(one.item);
            state.put(one.option);
        }
        state.put_size(left->floor);
        std::priority_queue<Visited> best = best_;
        state.put_size(best.size());
        for (; !best.empty(); best.pop()) {
            state.put_options(best.top().solution.options);
            state.put_size(best.top().place);
        }
    }

    // Continues in the state that `save` has put.
    void restore(StateReader& state) {
        if (!state.flag()) return;
        Position left;
        left.path.resize(state.size());
        for (Decision& one : left.path) {
            one.item = static_cast<Int>(state.next(0, problem_->items - 1));
            one.option = static_cast<Int>(state.next(no_more, problem_->options() - 1));
        }
        left.floor =
            static_cast<std::size_t>(state.next(0, static_cast<std::int64_t>(left.path.size())));
        engine_of(0).restart(given_, left);
        std::size_t count = state.size();
        for (; count > 0; --count) {
            Costed solution = state.solution();
            const auto place = static_cast<std::uint64_t>(
                state.next(0, std::numeric_limits<std::int64_t>::max() / 2));
            best_.push({std::move(solution), place});
            visited_ = std::max(visited_, place);
        }
        if (best_.size() > k_) StateReader::refuse();
    }

    // The best solutions visited by "mrv", in no order.
    std::vector<Costed> take_best() {
        std::vector<Costed> best;
        for (; !best_.empty(); best_.pop()) best.push_back(best_.top().solution);
        return best;
    }

    // Is it known that there is no solution? (Or none besides those found before.)
    bool exhausted() const noexcept { return exhausted_; }
    std::uint64_t work() const noexcept { return work_; }

    // The statistics of the searches that have begun.
    std::vector<const Stats*> stats() const {
        std::vector<const Stats*> all{&given_up_};
        for (const auto& engine : engine_) {
            if (engine != nullptr) all.push_back(&engine->stats());
        }
        return all;
    }

private:
    static constexpr std::uint64_t nodes_a_turn = 200;
    static constexpr std::uint64_t least_try = 4000;     // nodes of the shortest try, or
    static constexpr std::uint64_t entries_a_node = 40;  // one for each of these, if that is more
    static constexpr std::uint64_t batch = 256;          // solutions
    static constexpr std::chrono::milliseconds least_time{1};
    static constexpr std::chrono::milliseconds unaided{40};  // before all solutions are visited
    static constexpr std::chrono::seconds long_walk{3};
    static constexpr std::chrono::milliseconds least_slice{2};
    static constexpr std::chrono::milliseconds longest_slice{20};
    static constexpr std::uint64_t probing_work = 400'000;  // in units of the probes

    // Continues the search by "mrv" until a time. Calls `better(solution)` for each solution that
    // is one of the k best visited so far. Returns whether it has visited all.
    template <class Better>
    bool visit_all(Clock::time_point until, Better&& better) {
        Engine& engine = engine_of(0);
        const std::uint64_t begun = work_of(engine);
        const std::uint64_t nodes = engine.stats().nodes;
        const Clock::time_point began = Clock::now();
        Outcome outcome = Outcome::enough;
        while (outcome == Outcome::enough) {
            Found found;
            outcome = engine.run({batch, until, &found});
            for (std::size_t at = 0; at < found.size(); ++at) {
                const Costed solution = solution_of(found, at);
                if (keep(solution)) better(solution);
            }
        }
        work_ += work_of(engine) - begun;
        visiting_time_ += Clock::now() - began;
        visited_nodes_ += engine.stats().nodes - nodes;
        return outcome == Outcome::finished;
    }

    // About how long it takes to visit all solutions, in seconds.
    // The first call takes some milliseconds, and ends at that time: then it returns nullopt.
    std::optional<double> seconds_of_all(Clock::time_point until) {
        if (nodes_of_all_ == 0) {
            if (probes_ == nullptr) probes_ = std::make_unique<TreeProbes>(problem_, given_);
            const std::uint64_t before = probes_->work();
            const bool enough = probes_->run(probing_work, until);
            work_ += (probes_->work() - before) / 4;
            if (!enough) return std::nullopt;
            nodes_of_all_ = std::max(probes_->mean_nodes(), 1.0);
            probes_.reset();
        }
        const double seconds = std::chrono::duration<double>(visiting_time_).count();
        const double nodes = static_cast<double>(visited_nodes_);
        return nodes_of_all_ * (nodes < 1 ? 1e-7 : seconds / nodes);
    }

    struct Visited {
        Costed solution;
        std::uint64_t place;  // in visiting order
        bool operator<(const Visited& other) const noexcept {
            if (solution.cost != other.solution.cost) return solution.cost < other.solution.cost;
            return place < other.place;
        }
    };

    // Has the search by "weighted" visited the nodes of its current try?
    bool tried_enough() const noexcept {
        const auto entries = static_cast<std::uint64_t>(problem_->entries());
        const std::uint64_t least = std::max(least_try, entries / entries_a_node);
        return engine_[1] != nullptr && engine_[1]->stats().nodes >= least * luby_term_;
    }

    // Begins that search again, in another random order.
    void restart() {
        add_to(given_up_, engine_[1]->stats());
        engine_[1].reset();
        const bool again = (tries_ & (0 - tries_)) == luby_term_;  // "reluctant doubling"
        luby_term_ = again ? 1 : 2 * luby_term_;
        if (again) ++tries_;
        const auto other = std::make_shared<const Problem>(shuffled(*problem_, ++seed_));
        const std::vector<Int> place = places_of_labels(*other);
        std::vector<Int> given = given_;
        for (Int& option : given) {
            option = place[static_cast<std::size_t>(problem_->label_of(option))];
        }
        EngineChoice choice;
        choice.heuristic = Heuristic::learning;
        shuffled_ = std::make_shared<Engines>(other);
        engine_[1] = shuffled_->make(choice, given);
        work_ += static_cast<std::uint64_t>(problem_->entries());
    }

    // In units of about 10 ns.
    static std::uint64_t work_of(const Engine& engine) noexcept {
        return engine.stats().updates + 5 * engine.stats().nodes;
    }

    Engine& engine_of(std::size_t turn) {
        if (engines_ == nullptr) engines_ = std::make_shared<Engines>(problem_);
        if (engine_[turn] == nullptr) {
            EngineChoice choice;
            choice.heuristic = turn == 0 ? Heuristic::mrv : Heuristic::learning;
            engine_[turn] = engines_->make(choice, given_);
        }
        return *engine_[turn];
    }

    Costed solution_of(const Found& found, std::size_t at) const {
        Costed solution{0, {}, {}};
        const std::size_t first = at == 0 ? 0 : found.ends[at - 1];
        for (std::size_t place = first; place < found.ends[at]; ++place) {
            Int option = found.labels[place];
            if (!place_.empty()) option = place_[static_cast<std::size_t>(option)];
            solution.options.push_back(option);
            solution.cost += cost_[static_cast<std::size_t>(option)];
        }
        return solution;
    }

    // Keeps a solution if it is one of the k best visited. Returns whether it is.
    bool keep(const Costed& solution) {
        ++visited_;
        if (best_.size() == k_) {
            if (best_.top().solution.cost <= solution.cost) return false;
            best_.pop();
        }
        best_.push({solution, visited_});
        return true;
    }

    std::shared_ptr<const Problem> problem_;
    std::vector<Int> given_;
    std::vector<std::int64_t> cost_;
    std::uint64_t k_;
    std::vector<Int> place_;  // of each of the caller's options; empty if it is the same
    std::shared_ptr<Engines> engines_;
    std::shared_ptr<Engines> shuffled_;  // of the search by "weighted", once it has restarted
    std::uint64_t seed_ = 0;             // of its order
    std::uint64_t tries_ = 1;            // a counter for the length of its tries
    std::uint64_t luby_term_ = 1;
    Stats given_up_;                                 // of its tries that were given up
    std::array<std::unique_ptr<Engine>, 2> engine_;  // by "mrv", by "weighted"
    std::size_t turn_ = 0;
    bool exhausted_ = false;
    std::priority_queue<Visited> best_;  // of the search by "mrv", the worst on top
    std::uint64_t visited_ = 0;
    std::uint64_t work_ = 0;
    Clock::duration visiting_time_{};
    std::uint64_t visited_nodes_ = 0;
    std::unique_ptr<TreeProbes> probes_;  // while they are being made
    double nodes_of_all_ = 0;             // of the search by "mrv"; 0 until it has been estimated
};

}  // namespace dlx
