// Which options still stand, and what felled the others.
//
// Dancing links are made for trees in which the same few options come and go millions of times. A
// search that goes down once and starts again at the root (estimate/probes.hpp), or that must know
// *why* an option is gone (explain/refutation.hpp), is better served by plain lists that never
// change, and a note beside each option:
//
//     item     its options, as declared            option   felled by
//     a        0 3 4                               0        taken 0, at item c
//     b        1 3                                 1        (stands)
//     c        0 2 5                               ...
//
//   * To take an option is to walk the lists of its items and to fell all that clash with it. Each
//     option is felled at most once on the way down, by the first option that clashes with it, and
//     each item is walked at most once: a whole descent costs O(entries), however deep.
//   * What was felled is on a trail; releasing the option taken last walks it backwards. Nothing
//     else is undone, and nothing is copied.
//   * Each item counts its standing options. Items that need not be covered (those that are
//     covered, secondary items, items that are left out) have `far` added to their counts, so that
//     a count of zero always means an open item that nothing can cover any more: it is starved.
//   * The open items are linked in a list, for the choice of the next one.
//
// Items can be left out (`restart`): nothing clashes there any more, and they need not be covered.
// What an option covers apart from them stays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include "core/problem.hpp"

namespace dlx {

// The places of an option's entries in the arrays of a problem.
inline auto entries_of(const Problem& problem, Int option) noexcept {
    const auto place = static_cast<std::size_t>(option);
    return std::views::iota(static_cast<std::size_t>(problem.start[place]),
                            static_cast<std::size_t>(problem.start[place + 1]));
}

class Standing {
public:
    static constexpr Int nobody = -1;

    // The first clash of an option that does not stand: with which of the options taken (counted
    // from 0), and at which item.
    struct Fall {
        Int taken = nobody;
        Int item = 0;
    };

    // O(items + entries).
    explicit Standing(std::shared_ptr<const Problem> problem) : problem_(std::move(problem)) {
        const auto items = static_cast<std::size_t>(problem_->items);
        bounds_.assign(items + 2, 0);
        Pace pace;
        for (const Int item : problem_->item) {
            ++bounds_[static_cast<std::size_t>(item) + 2];
            pace.add(1);
        }
        for (std::size_t item = 2; item < bounds_.size(); ++item)
            bounds_[item] += bounds_[item - 1];
        list_.resize(problem_->item.size());
        list_color_.resize(problem_->color.size());
        for (Int option = 0; option < problem_->options(); ++option) {
            for (const std::size_t entry : entries_of(*problem_, option)) {
                const auto item = static_cast<std::size_t>(problem_->item[entry]);
                const auto to = static_cast<std::size_t>(bounds_[item + 1]++);
                list_[to] = option;
                if (problem_->colored()) list_color_[to] = problem_->color[entry];
                pace.add(1);
            }
        }
        bounds_.pop_back();
        restart({});
    }

    // Everything stands again. `kept`: a flag for each item, 0 if it is left out; empty: none is.
    // O(items + options).
    void restart(std::span<const std::uint8_t> kept) {
        const auto items = static_cast<std::size_t>(problem_->items);
        kept_.assign(items, 1);
        if (!kept.empty()) kept_.assign(kept.begin(), kept.end());
        fall_.assign(static_cast<std::size_t>(problem_->options()), {});
        color_.assign(problem_->colored() ? items : 0, 0);
        trail_.clear();
        painted_.clear();
        frames_.clear();
        starved_ = open_ = 0;
        live_.resize(items);
        after_.assign(static_cast<std::size_t>(problem_->primary) + 1, 0);
        before_.assign(after_.size(), 0);
        Int last = 0;  // item i is at i + 1 in the list of open items, which begins and ends at 0
        for (Int item = 0; item < problem_->items; ++item) {
            Int& count = live_[static_cast<std::size_t>(item)];
            count = static_cast<Int>(options_of(item).size());
            if (item >= problem_->primary || !kept_[static_cast<std::size_t>(item)]) {
                count += far;
                continue;
            }
            starved_ += count == 0;
            ++open_;
            after_[static_cast<std::size_t>(last)] = item + 1;
            before_[static_cast<std::size_t>(item) + 1] = last;
            last = item + 1;
        }
        after_[static_cast<std::size_t>(last)] = 0;
        before_[0] = last;
    }

    // -- what there is ---------------------------------------------------------------------------

    const Problem& problem() const noexcept { return *problem_; }
    bool kept(Int item) const noexcept { return kept_[static_cast<std::size_t>(item)] != 0; }
    bool stands(Int option) const noexcept { return fall(option).taken == nobody; }
    const Fall& fall(Int option) const noexcept { return fall_[static_cast<std::size_t>(option)]; }
    Int open() const noexcept { return open_; }        // items to be covered yet
    Int starved() const noexcept { return starved_; }  // those of them without an option
    Int taken() const noexcept { return static_cast<Int>(frames_.size()); }
    Int taken(Int place) const noexcept { return frames_[static_cast<std::size_t>(place)].option; }
    Int live(Int item) const noexcept { return live_[static_cast<std::size_t>(item)]; }
    std::uint64_t work() const noexcept { return work_; }  // entries looked at, more or less

    // All options of an item, whether they stand or not.
    std::span<const Int> options_of(Int item) const noexcept {
        const auto first = static_cast<std::size_t>(bounds_[static_cast<std::size_t>(item)]);
        const auto last = static_cast<std::size_t>(bounds_[static_cast<std::size_t>(item) + 1]);
        return {list_.data() + first, last - first};
    }

    // The first open item after this one, or `nobody`; nobody comes before the first.
    Int next_open(Int item) const noexcept {
        return after_[static_cast<std::size_t>(item + 1)] - 1;
    }

    // The item that the engines choose by default: of those with the fewest options the first.
    Int choose() const noexcept {
        Int best = next_open(nobody);
        for (Int item = best; item != nobody && live(best) > 1; item = next_open(item)) {
            if (live(item) < live(best)) best = item;
        }
        return best;
    }

    // The options that fell when the last one was taken; itself among them.
    std::span<const Int> felled() const noexcept {
        return std::span<const Int>(trail_).subspan(frames_.back().felled);
    }

    // How many options had fallen when that many had been taken.
    std::size_t felled_by(Int taken_so_far) const noexcept {
        const auto place = static_cast<std::size_t>(taken_so_far);
        return place < frames_.size() ? frames_[place].felled : trail_.size();
    }

    // -- going down and up -----------------------------------------------------------------------

    // Takes an option that stands.
    void take(Int option) {
        frames_.push_back({option, trail_.size(), painted_.size(), starved_});
        for (const std::size_t entry : entries_of(*problem_, option)) {
            const Int item = problem_->item[entry];
            if (item < problem_->primary && kept(item)) close(item);
        }
        for (const std::size_t entry : entries_of(*problem_, option)) {
            const Int item = problem_->item[entry];
            if (kept(item)) fell_at(item, problem_->color_of(static_cast<Int>(entry)));
        }
    }

    // Gives the option taken last back.
    void release() noexcept {
        const Frame frame = frames_.back();
        frames_.pop_back();
        while (trail_.size() > frame.felled) {
            const Int option = trail_.back();
            trail_.pop_back();
            fall_[static_cast<std::size_t>(option)].taken = nobody;
            for (const std::size_t entry : entries_of(*problem_, option)) {
                ++live_[static_cast<std::size_t>(problem_->item[entry])];
            }
        }
        while (painted_.size() > frame.painted) {
            color_[static_cast<std::size_t>(painted_.back())] = 0;
            painted_.pop_back();
        }
        for (const std::size_t entry : entries_of(*problem_, frame.option) | std::views::reverse) {
            const Int item = problem_->item[entry];
            if (item < problem_->primary && kept(item)) reopen(item);
        }
        starved_ = frame.starved;
    }

private:
    static constexpr Int far = Int{1} << 30;

    struct Frame {
        Int option;
        std::size_t felled;   // how long the trail was before
        std::size_t painted;  // and how many items had a color
        Int starved;          // and how many were starved
    };

    void close(Int item) noexcept {
        Int& count = live_[static_cast<std::size_t>(item)];
        starved_ -= count == 0;
        count += far;
        --open_;
        const auto place = static_cast<std::size_t>(item) + 1;
        after_[static_cast<std::size_t>(before_[place])] = after_[place];
        before_[static_cast<std::size_t>(after_[place])] = before_[place];
    }

    void reopen(Int item) noexcept {
        live_[static_cast<std::size_t>(item)] -= far;
        ++open_;
        const auto place = static_cast<std::size_t>(item) + 1;
        after_[static_cast<std::size_t>(before_[place])] = item + 1;
        before_[static_cast<std::size_t>(after_[place])] = item + 1;
    }

    // Fells what clashes at an item with the option taken last, which wants this color there.
    void fell_at(Int item, Int color) {
        if (color != 0) {
            Int& has = color_[static_cast<std::size_t>(item)];
            if (has == color) return;  // done when it got its color
            has = color;
            painted_.push_back(item);
        }
        const auto first = static_cast<std::size_t>(bounds_[static_cast<std::size_t>(item)]);
        const auto last = static_cast<std::size_t>(bounds_[static_cast<std::size_t>(item) + 1]);
        work_ += last - first;
        for (std::size_t at = first; at < last; ++at) {
            if (color != 0 && list_color_[at] == color) continue;
            if (stands(list_[at])) fell(list_[at], item);
        }
    }

    void fell(Int option, Int item) {
        trail_.push_back(option);
        fall_[static_cast<std::size_t>(option)] = {taken() - 1, item};
        for (const std::size_t entry : entries_of(*problem_, option)) {
            starved_ += --live_[static_cast<std::size_t>(problem_->item[entry])] == 0;
        }
        work_ += entries_of(*problem_, option).size();
    }

    std::shared_ptr<const Problem> problem_;
    std::vector<Int> bounds_;      // item i has list_[bounds_[i]] .. list_[bounds_[i + 1] - 1]
    std::vector<Int> list_;        // options in ascending order
    std::vector<Int> list_color_;  // parallel to list_; empty without colors
    std::vector<std::uint8_t> kept_;
    std::vector<Fall> fall_;  // of each option
    std::vector<Int> live_;   // standing options of each item; `far` added unless it is open
    std::vector<Int> color_;  // of each item; 0: none yet
    std::vector<Int> after_, before_;
    std::vector<Int> trail_;    // options felled
    std::vector<Int> painted_;  // items that were given a color
    std::vector<Frame> frames_;
    Int open_ = 0;
    Int starved_ = 0;
    std::uint64_t work_ = 0;
};

}  // namespace dlx
