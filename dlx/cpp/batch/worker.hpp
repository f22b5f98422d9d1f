// A worker: answers sets one after another with an engine, which it restarts for each set; or with
// two engines that run by turns, each on a set of its own, where that takes less time.
//
// It checks the options of a set before it passes them to an engine. For a set that forbids options
// it makes a smaller problem and an engine for that, and keeps them for the next sets that forbid
// the same options. It can pause anywhere, also in the middle of a set: `take` returns complete
// answers only, up to the first set whose search is still going on. The solutions found so far by a
// search stay in the worker.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "batch/sets_of_givens.hpp"
#include "core/run_by_turns.hpp"

namespace dlx {

// Finds options of a set that clash, in the time that it takes to read them: O(entries). Marks that
// earlier sets left behind need no clearing, because each carries the number of its set.
class ClashFinder {
public:
    explicit ClashFinder(const Problem& problem)
        : problem_(problem),
          uses_(static_cast<std::size_t>(problem.items)),
          marks_(static_cast<std::size_t>(problem.items), 0) {}

    // The first clash among options in search numbering, by their places in the set.
    std::optional<Clash> find(std::span<const Int> options) {
        if (problem_.multiple()) return first_multiple_clash(problem_, options);
        if (++set_ == 0) {  // the numbers wrap around after 2^32 sets
            std::fill(uses_.begin(), uses_.end(), Use{});
            std::fill(marks_.begin(), marks_.end(), 0);
            ++set_;
        }
        if (problem_.color.empty() && !repeats_item(options)) return std::nullopt;
        for (std::size_t at = 0; at < options.size(); ++at) {
            const auto option = static_cast<std::size_t>(options[at]);
            for (Int entry = problem_.start[option]; entry < problem_.start[option + 1]; ++entry) {
                const Int item = problem_.item[static_cast<std::size_t>(entry)];
                const Int color = problem_.color_of(entry);
                Use& use = uses_[static_cast<std::size_t>(item)];
                if (use.set != set_) {
                    use = {set_, static_cast<std::uint32_t>(at), color};
                } else if (color == 0 || use.color != color) {
                    return Clash{use.at, at, item};
                }
            }
        }
        return std::nullopt;
    }

private:
    // Do two of the options contain the same item? Without a branch for each entry.
    bool repeats_item(std::span<const Int> options) {
        const Int* const start = problem_.start.data();
        const Int* const item = problem_.item.data();
        std::uint32_t* const marks = marks_.data();
        const std::uint32_t set = set_;
        bool repeated = false;
        for (const Int option : options) {
            for (Int entry = start[option]; entry < start[option + 1]; ++entry) {
                std::uint32_t& mark = marks[item[entry]];
                repeated |= mark == set;
                mark = set;
            }
        }
        return repeated;
    }

    struct Use {
        std::uint32_t set = 0;
        std::uint32_t at = 0;
        Int color = 0;
    };

    const Problem& problem_;
    std::vector<Use> uses_;             // of each item, by the set that used it last
    std::vector<std::uint32_t> marks_;  // of each item: that set, where there are no colors
    std::uint32_t set_ = 0;
};

// Answers the sets of a chunk, and can pause anywhere.
class Worker {
public:
    explicit Worker(const BatchArguments& arguments)
        : arguments_(arguments), clashes_(*arguments.problem) {}
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    // Makes these sets, from `first` to before `last`, the next to be answered.
    void begin(const Sets& sets, std::size_t first, std::size_t last) noexcept {
        sets_ = &sets;
        next_ = first;
        last_ = last;
    }

    // Works until `until`, or until many solutions are found. Returns true if all sets are
    // answered.
    bool advance(Clock::time_point until) {
        auto now = Clock::now();
        while (now < until && (is_searching() || answers_.weight() < plenty)) {
            if (!start_searches()) return true;
            run_searches(now, until);
        }
        return next_ == last_ && !is_searching();
    }

    // Returns the complete answers up to the first open one. The others stay here, and so do the
    // solutions found so far by the current search. Without such answers, all work stays here.
    Answers take() {
        Answers taken;
        const auto is_open = [](const Answer& answer) { return answer.verdict == Verdict::open; };
        const auto first = std::ranges::find_if(answers_.answer, is_open);
        const auto complete = first - answers_.answer.begin();
        if (complete == 0) return taken;
        std::swap(taken, answers_);
        if (!is_searching()) return taken;
        keep_answers(taken, complete);
        if (arguments_.keep) keep_solutions(taken.found);
        return taken;
    }

private:
    static constexpr std::size_t plenty = 1 << 18;  // numbers in answers: about a megabyte

    // An engine, and its ability to run by turns if it has it.
    struct OwnEngine {
        std::unique_ptr<Engine> engine;
        RunsByTurns* by_turns = nullptr;

        OwnEngine& operator=(std::unique_ptr<Engine> made) {
            engine = std::move(made);
            by_turns = dynamic_cast<RunsByTurns*>(engine.get());
            return *this;
        }
    };

    // The problem of the last set that forbade options.
    struct Narrowed {
        std::vector<Int> forbidden;
        std::vector<Int> place;  // of each option of the whole problem, or -1
        std::shared_ptr<const Problem> problem;
        OwnEngine own;
    };

    // One of the searches that run by turns.
    struct Slot {
        OwnEngine whole;  // of the whole problem
        Narrowed narrowed;
        OwnEngine* active = &whole;
        bool searching = false;   // in the middle of a set
        std::size_t at = 0;       // the place of its answer
        std::size_t set = 0;      // its number in the chunk
        Clock::duration spent{};  // on that set

        Engine& engine() const noexcept { return *active->engine; }
        // Can it run by turns with another search of the whole problem?
        bool runs_by_turns() const noexcept {
            return searching && active == &whole && whole.by_turns != nullptr &&
                   whole.by_turns->runs_by_turns();
        }
    };

    bool is_searching() const noexcept { return slots_[0].searching || slots_[1].searching; }

    // Starts searches for the next sets. Returns false if no search is going on.
    bool start_searches() {
        for (Slot& slot : slots_) {
            while (!slot.searching && next_ < last_) {
                slot.set = next_;
                prepare(slot, (*sets_)[next_], sets_->forbidden(next_));
                ++next_;
            }
            if (!slots_[0].runs_by_turns()) break;
        }
        return is_searching();
    }

    // Runs the searches by turns until one of them stops; or, if they cannot run by turns, the one
    // of the earlier set, for which the answers after it wait.
    void run_searches(Clock::time_point& now, Clock::time_point until) {
        auto& [one, other] = slots_;
        RunsByTurns::Outcomes outcome;
        const bool both = one.runs_by_turns() && other.runs_by_turns();
        if (both) {
            outcome = one.whole.by_turns->run_both(*other.whole.by_turns, quota_of(one, now, until),
                                                   quota_of(other, now, until));
        } else if (one.searching && !(other.searching && other.at < one.at)) {
            outcome.own = one.engine().run(quota_of(one, now, until));
        } else {
            outcome.others = other.engine().run(quota_of(other, now, until));
        }
        const auto then = Clock::now();
        const auto elapsed = both ? (then - now) / 2 : then - now;
        if (both || outcome.own) one.spent += elapsed;
        if (both || outcome.others) other.spent += elapsed;
        now = then;
        if (outcome.own) conclude(one, *outcome.own);
        if (outcome.others) conclude(other, *outcome.others);
    }

    Quota quota_of(const Slot& slot, Clock::time_point now, Clock::time_point until) {
        const auto left = arguments_.timeout - slot.spent;
        Quota quota{arguments_.limit - slot.engine().stats().solutions,
                    left < until - now ? now + left : until,
                    arguments_.keep ? &answers_.found : nullptr};
        if (slot.active == &slot.whole) quota.nodes = arguments_.nodes;
        quota.now = now;
        return quota;
    }

    // Prepares a slot for a set. If the set has an error, answers it.
    void prepare(Slot& slot, std::span<const Int> set, std::span<const Int> forbidden) {
        slot.at = answers_.answer.size();
        answers_.answer.push_back({0, Verdict::open});
        if (!find_places(slot.at, set, given_) || !find_places(slot.at, forbidden, forbidden_)) {
            return;
        }
        if (const auto clash = clashes_.find(given_)) {
            return refuse(
                {slot.at, Verdict::clash, set[clash->earlier], set[clash->later], clash->item});
        }
        if (!forbidden_.empty()) {
            if (forbidden_ != slot.narrowed.forbidden) narrow(slot.narrowed);
            for (std::size_t at = 0; at < given_.size(); ++at) {
                given_[at] = slot.narrowed.place[static_cast<std::size_t>(given_[at])];
                if (given_[at] < 0) return refuse({slot.at, Verdict::forbidden, set[at]});
            }
        }
        slot.active = forbidden_.empty() ? &slot.whole : &slot.narrowed.own;
        if (slot.active->engine != nullptr) {
            slot.engine().restart(given_);
        } else if (forbidden_.empty()) {
            slot.whole = arguments_.make_engine(given_);
        } else {
            slot.narrowed.own = arguments_.make_other_engine(slot.narrowed.problem, given_);
        }
        slot.searching = true;
        slot.spent = {};
    }

    // The places of options in search order. If one does not exist, answers the set: false.
    bool find_places(std::size_t answer, std::span<const Int> options, std::vector<Int>& places) {
        places.assign(options.begin(), options.end());
        const Int known = arguments_.problem->options();
        for (std::size_t at = 0; at < places.size(); ++at) {
            if (places[at] >= 0 && places[at] < known) continue;
            refuse({answer, Verdict::unknown, places[at], static_cast<Int>(at)});
            return false;
        }
        if (arguments_.place.empty()) return true;
        const Int* const place = arguments_.place.data();
        for (Int& option : places) option = place[option];
        return true;
    }

    void narrow(Narrowed& narrowed) {
        narrowed.own = nullptr;  // the engine first: it refers to the problem
        narrowed.place.clear();
        narrowed.problem = std::make_shared<const Problem>(
            without_options(*arguments_.problem, forbidden_, narrowed.place));
        narrowed.forbidden = forbidden_;
    }

    void refuse(const SetError& error) {
        answers_.answer[error.at] = {0, error.verdict};
        add_error(error);
    }

    // Answers the set of a search that has stopped, unless it can go on later.
    void conclude(Slot& slot, Outcome outcome) {
        const bool late = outcome == Outcome::timed_out;
        if (late && slot.spent < arguments_.timeout) return;
        const bool spent = outcome == Outcome::spent;
        const Verdict verdict = late    ? Verdict::timed_out
                                : spent ? Verdict::spent
                                        : Verdict::answered;
        const Stats& stats = slot.engine().stats();
        const double seconds = std::chrono::duration<double>(slot.spent).count();
        if (late || spent) {
            const auto set = spent ? (*sets_)[slot.set] : std::span<const Int>{};
            add_error({slot.at, verdict, 0, 0, 0, stats, seconds, {set.begin(), set.end()}});
        }
        answers_.answer[slot.at] = {stats.solutions, verdict};
        add_to(answers_.work, stats);
        answers_.seconds += seconds;
        slot.searching = false;
    }

    // Errors are in the order of the sets; searches may end in another one.
    void add_error(const SetError& error) {
        const auto place = std::ranges::upper_bound(answers_.errors, error.at, {}, &SetError::at);
        answers_.errors.insert(place, error);
    }

    // Moves the answers from a place on back to this worker.
    void keep_answers(Answers& taken, std::ptrdiff_t from) {
        const auto first = taken.answer.begin() + from;
        answers_.answer.assign(first, taken.answer.end());
        taken.answer.erase(first, taken.answer.end());
        const auto complete = static_cast<std::size_t>(from);
        const auto error = std::ranges::lower_bound(taken.errors, complete, {}, &SetError::at);
        answers_.errors.assign(error, taken.errors.end());
        taken.errors.erase(error, taken.errors.end());
        for (SetError& kept : answers_.errors) kept.at -= complete;
        for (Slot& slot : slots_) slot.at -= complete;
    }

    // Moves the solutions of the current search back to this worker. (Engines that list solutions
    // do not run by turns.)
    void keep_solutions(Found& done) {
        Found& open = answers_.found;
        const std::size_t complete =
            done.ends.size() - static_cast<std::size_t>(slots_[0].engine().stats().solutions);
        if (complete == 0) return std::swap(done, open);
        const std::size_t end = done.ends[complete - 1];
        open.labels.assign(done.labels.begin() + static_cast<std::ptrdiff_t>(end),
                           done.labels.end());
        for (std::size_t solution = complete; solution < done.ends.size(); ++solution) {
            open.ends.push_back(done.ends[solution] - end);
        }
        done.labels.resize(end);
        done.ends.resize(complete);
    }

    const BatchArguments& arguments_;
    ClashFinder clashes_;
    std::array<Slot, 2> slots_;
    const Sets* sets_ = nullptr;
    std::size_t next_ = 0;  // the first set for which no search has been started
    std::size_t last_ = 0;
    std::vector<Int> given_;
    std::vector<Int> forbidden_;
    Answers answers_;
};

}  // namespace dlx
