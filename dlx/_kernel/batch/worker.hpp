// A worker: answers sets one after another with one engine, which it restarts for each set.
//
// It checks the options of a set before it passes them to the engine. For a set that forbids
// options it makes a smaller problem and an engine for that, and keeps them for the next sets that
// forbid the same options. It can pause anywhere, also in the middle of a set: `take` returns
// complete answers only, and the solutions found so far by the current search stay in the worker.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "batch/sets_of_givens.hpp"

namespace dlx {

// Finds options of a set that clash, in the time that it takes to read them: O(entries). Marks that
// earlier sets left behind need no clearing, because each carries the number of its set.
class ClashFinder {
public:
    explicit ClashFinder(const Problem& problem)
        : problem_(problem), uses_(static_cast<std::size_t>(problem.items)) {}

    // The first clash among options in search numbering, by their places in the set.
    std::optional<Clash> find(std::span<const Int> options) {
        if (problem_.multiple()) return first_multiple_clash(problem_, options);
        if (++set_ == 0) {  // the numbers wrap around after 2^32 sets
            std::fill(uses_.begin(), uses_.end(), Use{});
            ++set_;
        }
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
    struct Use {
        std::uint32_t set = 0;
        std::uint32_t at = 0;
        Int color = 0;
    };

    const Problem& problem_;
    std::vector<Use> uses_;  // of each item, by the set that used it last
    std::uint32_t set_ = 0;
};

// Answers one set after another, and can pause anywhere.
class Worker {
public:
    explicit Worker(const BatchArguments& arguments)
        : arguments_(arguments), clashes_(*arguments.problem) {}

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
        while (next_ < last_ && now < until && (searching_ || answers_.weight() < plenty)) {
            if (!searching_ && !prepare((*sets_)[next_], sets_->forbidden(next_))) continue;
            const Outcome outcome = active_->run({arguments_.limit - active_->stats().solutions,
                                                  arguments_.timeout - spent_ < until - now
                                                      ? now + (arguments_.timeout - spent_)
                                                      : until,
                                                  arguments_.keep ? &answers_.found : nullptr});
            const auto then = Clock::now();
            spent_ += then - now;
            now = then;
            if (outcome != Outcome::timed_out) {
                finish(Verdict::answered);
            } else if (spent_ >= arguments_.timeout) {
                finish(Verdict::timed_out);
            }
        }
        return next_ == last_;
    }

    // Returns the complete answers; the solutions found so far by the current search stay here.
    Answers take() {
        Answers taken;
        std::swap(taken, answers_);
        if (!searching_ || !arguments_.keep) return taken;
        Found& done = taken.found;
        Found& open = answers_.found;
        const std::size_t complete =
            done.ends.size() - static_cast<std::size_t>(active_->stats().solutions);
        if (complete == 0) {
            std::swap(done, open);
            return taken;
        }
        const std::size_t end = done.ends[complete - 1];
        open.labels.assign(done.labels.begin() + static_cast<std::ptrdiff_t>(end),
                           done.labels.end());
        for (std::size_t solution = complete; solution < done.ends.size(); ++solution) {
            open.ends.push_back(done.ends[solution] - end);
        }
        done.labels.resize(end);
        done.ends.resize(complete);
        return taken;
    }

private:
    static constexpr std::size_t plenty = 1 << 18;  // numbers in answers: about a megabyte

    // Prepares the engine for a set. If the set has an error, answers it and returns false.
    bool prepare(std::span<const Int> set, std::span<const Int> forbidden) {
        if (!find_places(set, given_) || !find_places(forbidden, forbidden_)) return false;
        if (const auto clash = clashes_.find(given_)) {
            return refuse({Verdict::clash, set[clash->earlier], set[clash->later], clash->item});
        }
        if (!forbidden_.empty()) {
            if (forbidden_ != narrowed_.forbidden) narrow();
            for (std::size_t at = 0; at < given_.size(); ++at) {
                given_[at] = narrowed_.place[static_cast<std::size_t>(given_[at])];
                if (given_[at] < 0) return refuse({Verdict::forbidden, set[at]});
            }
        }
        auto& engine = forbidden_.empty() ? engine_ : narrowed_.engine;
        if (engine != nullptr) {
            engine->restart(given_);
        } else if (forbidden_.empty()) {
            engine = arguments_.make_engine(given_);
        } else {
            engine = arguments_.make_other_engine(narrowed_.problem, given_);
        }
        active_ = engine.get();
        searching_ = true;
        spent_ = {};
        return true;
    }

    // The places of options in search order. If one does not exist, answers the set: false.
    bool find_places(std::span<const Int> options, std::vector<Int>& places) {
        places.assign(options.begin(), options.end());
        for (std::size_t at = 0; at < places.size(); ++at) {
            Int& option = places[at];
            if (option < 0 || option >= arguments_.problem->options()) {
                return refuse({Verdict::unknown, option, static_cast<Int>(at)});
            }
            if (!arguments_.place.empty())
                option = arguments_.place[static_cast<std::size_t>(option)];
        }
        return true;
    }

    void narrow() {
        narrowed_ = {};  // the engine first: it refers to the problem
        narrowed_.problem = std::make_shared<const Problem>(
            without_options(*arguments_.problem, forbidden_, narrowed_.place));
        narrowed_.forbidden = forbidden_;
    }

    bool refuse(const SetError& error) {
        answers_.errors.push_back(error);
        answers_.answer.push_back({0, error.verdict});
        ++next_;
        return false;
    }

    void finish(Verdict verdict) {
        const Stats& stats = active_->stats();
        const double seconds = std::chrono::duration<double>(spent_).count();
        if (verdict != Verdict::answered) {
            answers_.errors.push_back({verdict, 0, 0, 0, stats, seconds});
        }
        answers_.answer.push_back({stats.solutions, verdict});
        add_to(answers_.work, stats);
        answers_.seconds += seconds;
        searching_ = false;
        ++next_;
    }

    const BatchArguments& arguments_;
    ClashFinder clashes_;
    std::unique_ptr<Engine> engine_;  // of the whole problem
    struct {
        std::vector<Int> forbidden;
        std::vector<Int> place;  // of each option of the whole problem, or -1
        std::shared_ptr<const Problem> problem;
        std::unique_ptr<Engine> engine;
    } narrowed_;  // the problem of the last set that forbade options
    Engine* active_ = nullptr;
    const Sets* sets_ = nullptr;
    std::size_t next_ = 0;
    std::size_t last_ = 0;
    bool searching_ = false;   // the engine is in the middle of the set `next_`
    Clock::duration spent_{};  // on that set
    std::vector<Int> given_;
    std::vector<Int> forbidden_;
    Answers answers_;
};

}  // namespace dlx
