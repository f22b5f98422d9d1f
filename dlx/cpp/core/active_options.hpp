// Active options; for each removed one, the choice and the item that removed it.
//
// Dancing links suit searches in which the same few options are removed and restored millions of
// times. Two searches are different: one descends once and restarts at the root
// (estimate/probes.hpp), and one must know *why* an option was removed (explain/refutation.hpp).
// They use lists that never change, and a record for each option:
//
//     item     its options, as declared            option   removed by
//     a        0 3 4                               0        taken 0, at item c
//     b        1 3                                 1        (active)
//     c        0 2 5                               ...
//
//   * Taking an option walks the lists of its items and removes all options that clash with it. On
//     the way down, each option is removed at most once, by the first option that clashes with it,
//     and each item is walked at most once. So a whole descent costs O(entries), however deep.
//   * Removed options are pushed on a trail; releasing the option taken last pops them. Nothing
//     else is undone, and nothing is copied.
//   * Each item counts its active options. Items that need not be covered (covered, secondary or
//     excluded ones) have `far` added to their counts. So a count of zero always means an open item
//     that no option can cover any more: it is uncoverable.
//   * The open items are in a linked list, for the choice of the next one.
//
// With multiplicities, an item has a *bound*, how often it may still be covered, and a *need*, how
// often it must be (see dlx/links/algorithm_m.py). Its count is then
//
//     the weights of its active options, minus its need, plus 1
//
// which for need 1 and weights 1 is the number of options again: a count of 0 or less means an open
// item that cannot be covered often enough. An item is closed when its bound is 0; what a taken
// option leaves too small a bound for is removed. Options can also be *excluded*, without a clash.
//
// Items can be excluded (`restart`): options do not clash there, and they need not be covered. The
// other items of an option are not affected.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include "core/entries_by_item.hpp"
#include "core/problem.hpp"

namespace dlx {

// The places of an option's entries in the arrays of a problem.
inline auto entries_of(const Problem& problem, Int option) noexcept {
    const auto place = static_cast<std::size_t>(option);
    return std::views::iota(static_cast<std::size_t>(problem.start[place]),
                            static_cast<std::size_t>(problem.start[place + 1]));
}

class ActiveOptions {
public:
    using Count = std::int64_t;
    static constexpr Int none = -1;
    static constexpr Count far = Count{1} << 40;  // above all counts of open items

    // Why an option is not active: its first clash with one of the options taken (`taken` is the
    // place of that option, from 0), and the item where they clash. An excluded option has the
    // number of options that were taken before, and the item `none`.
    struct Removal {
        Int taken = none;
        Int item = 0;
    };

    // O(items + entries).
    explicit ActiveOptions(std::shared_ptr<const Problem> problem) : problem_(std::move(problem)) {
        list_.resize(problem_->item.size());
        list_color_.resize(problem_->color.size());
        list_weight_.resize(problem_->weight.size());
        const auto put = [this](std::size_t to, Int option, std::size_t entry) {
            list_[to] = option;
            if (problem_->colored()) list_color_[to] = problem_->color[entry];
            if (problem_->weighted()) list_weight_[to] = problem_->weight[entry];
        };
        bounds_ = entries_by_item(*problem_, put);
        restart({});
    }

    // Makes all options active. `kept`: a flag for each item, 0 if it is excluded; empty: all items
    // are kept. O(items + options).
    void restart(std::span<const std::uint8_t> kept) {
        const auto items = static_cast<std::size_t>(problem_->items);
        kept_.assign(items, 1);
        if (!kept.empty()) kept_.assign(kept.begin(), kept.end());
        removal_.assign(static_cast<std::size_t>(problem_->options()), {});
        color_.assign(problem_->colored() ? items : 0, 0);
        trail_.clear();
        colored_.clear();
        frames_.clear();
        uncoverable_ = open_ = 0;
        live_.resize(items);
        if (problem_->multiple()) reset_bounds();
        after_.assign(static_cast<std::size_t>(problem_->primary) + 1, 0);
        before_.assign(after_.size(), 0);
        Int last = 0;  // item i is at i + 1 in the list of open items, which begins and ends at 0
        for (Int item = 0; item < problem_->items; ++item) {
            Count& count = live_[static_cast<std::size_t>(item)];
            count = problem_->multiple() ? total_[static_cast<std::size_t>(item)] + 1 - need(item)
                                         : static_cast<Count>(options_of(item).size());
            if (item >= problem_->primary || !kept_[static_cast<std::size_t>(item)]) {
                count += far;
                continue;
            }
            uncoverable_ += count <= 0;
            ++open_;
            after_[static_cast<std::size_t>(last)] = item + 1;
            before_[static_cast<std::size_t>(item) + 1] = last;
            last = item + 1;
        }
        after_[static_cast<std::size_t>(last)] = 0;
        before_[0] = last;
    }

    // -- the current state -----------------------------------------------------------------------

    const Problem& problem() const noexcept { return *problem_; }
    bool kept(Int item) const noexcept { return kept_[static_cast<std::size_t>(item)] != 0; }
    bool is_active(Int option) const noexcept { return removal_of(option).taken == none; }
    const Removal& removal_of(Int option) const noexcept {
        return removal_[static_cast<std::size_t>(option)];
    }
    Int open() const noexcept { return open_; }                // items still to be covered
    Int uncoverable() const noexcept { return uncoverable_; }  // those of them without an option
    Int taken() const noexcept { return static_cast<Int>(frames_.size()); }
    // The option taken at a place; `none` if `take_next` took no further option there.
    Int taken(Int place) const noexcept { return frames_[static_cast<std::size_t>(place)].option; }
    // The score of an item by which the search chooses: the number of its active options or, with
    // multiplicities, an upper bound of the number of its branches; `far` or more unless it is open
    // and has something to choose.
    Count live(Int item) const noexcept {
        const Count count = live_[static_cast<std::size_t>(item)];
        if (!problem_->multiple() || count >= far / 2) return count;
        const Count optional = active_options(item) + (need(item) == 0 ? 1 : 0);
        if (optional == 1 && active_options(item) == 0) return far;  // done
        return std::min(count, optional);
    }
    std::uint64_t work() const noexcept { return work_; }  // entries read, approximately

    // How often a primary item may still be covered, and must be; only with multiplicities.
    Count bound(Int item) const noexcept { return bound_[static_cast<std::size_t>(item)]; }
    Count need(Int item) const noexcept {
        return std::max<Count>(0, bound(item) - slack_[static_cast<std::size_t>(item)]);
    }
    Int active_options(Int item) const noexcept { return many_[static_cast<std::size_t>(item)]; }
    bool is_open(Int item) const noexcept {
        return live_[static_cast<std::size_t>(item)] < far / 2;
    }
    // Is this option, which is not active, one of those taken?
    bool is_taken(Int option) const noexcept {
        const Removal& removal = removal_of(option);
        return removal.taken < taken() && taken(removal.taken) == option;
    }

    // The number of branches of an open item with something to choose, as Algorithm M counts them.
    // O(options of the item) with weights, otherwise O(1).
    Count branches(Int item) const noexcept {
        if (!problem_->multiple() || need(item) == 0 || !problem_->weighted()) return live(item);
        Count spare = live_[static_cast<std::size_t>(item)] - 1;  // may be left out
        Count count = 0;
        const auto first = static_cast<std::size_t>(bounds_[static_cast<std::size_t>(item)]);
        const auto last = static_cast<std::size_t>(bounds_[static_cast<std::size_t>(item) + 1]);
        for (std::size_t at = first; at < last && spare >= 0; ++at) {
            if (!is_active(list_[at])) continue;
            ++count;
            spare -= list_weight_[at];
        }
        return count;
    }

    // All options of an item, active or not.
    std::span<const Int> options_of(Int item) const noexcept {
        const auto first = static_cast<std::size_t>(bounds_[static_cast<std::size_t>(item)]);
        const auto last = static_cast<std::size_t>(bounds_[static_cast<std::size_t>(item) + 1]);
        return {list_.data() + first, last - first};
    }

    // The first open item after this one, or `none`; next_open(none) is the first open item.
    Int next_open(Int item) const noexcept {
        return after_[static_cast<std::size_t>(item + 1)] - 1;
    }

    // The item that the engines choose by default: of those with the fewest options the first.
    // With multiplicities, if all open items are done, an item whose score is `far`.
    Int choose() const noexcept {
        Int best = next_open(none);
        for (Int item = best; item != none && live(best) > 1; item = next_open(item)) {
            if (live(item) < live(best)) best = item;
        }
        return best;
    }

    // The options removed when the last one was taken, including itself.
    std::span<const Int> removed() const noexcept {
        return std::span<const Int>(trail_).subspan(frames_.back().trail);
    }

    // How many options had been removed when the first `taken_so_far` options had been taken.
    std::size_t removed_before(Int taken_so_far) const noexcept {
        const auto place = static_cast<std::size_t>(taken_so_far);
        return place < frames_.size() ? frames_[place].trail : trail_.size();
    }

    // -- going down and up -----------------------------------------------------------------------

    // Takes an active option.
    void take(Int option) {
        frames_.push_back({option, trail_.size(), colored_.size(), uncoverable_});
        include(option);
    }

    // As `take`, but once an item is uncoverable, options that clash may stay active.
    void take_or_stop(Int option) {
        stops_ = !problem_->multiple();
        take(option);
        stops_ = false;
    }

    // Goes to a branch of an item: excludes its first `number` active options and takes the next,
    // or none if there is none. Needs multiplicities.
    void take_next(Int item, std::uint64_t number) {
        frames_.push_back({none, trail_.size(), colored_.size(), uncoverable_});
        for (const Int option : options_of(item)) {
            if (!is_active(option)) continue;
            if (number-- == 0) {
                frames_.back().option = option;
                return include(option);
            }
            exclude(option);
        }
    }

    // Removes an active option until the option taken last is released.
    void exclude(Int option) {
        trail_.push_back(option);
        removal_[static_cast<std::size_t>(option)] = {taken(), none};
        lower_counts(option);
    }

    // Undoes the last `take` or `take_next`, and what was excluded since.
    void release() noexcept {
        const Frame frame = frames_.back();
        frames_.pop_back();
        while (trail_.size() > frame.trail) {
            const Int option = trail_.back();
            trail_.pop_back();
            removal_[static_cast<std::size_t>(option)].taken = none;
            for (const std::size_t entry : entries_of(*problem_, option)) {
                const auto item = static_cast<std::size_t>(problem_->item[entry]);
                live_[item] += problem_->weight_of(static_cast<Int>(entry));
                if (problem_->multiple()) ++many_[item];
            }
        }
        while (colored_.size() > frame.colored) {
            color_[static_cast<std::size_t>(colored_.back())] = 0;
            colored_.pop_back();
        }
        if (frame.option != none) {
            for (const std::size_t entry :
                 entries_of(*problem_, frame.option) | std::views::reverse) {
                const Int item = problem_->item[entry];
                if (item >= problem_->primary || !kept(item)) continue;
                if (problem_->multiple()) {
                    unuse(item, problem_->weight_of(static_cast<Int>(entry)));
                } else {
                    reopen(item);
                }
            }
        }
        uncoverable_ = frame.uncoverable;
    }

private:
    struct Frame {
        Int option;
        std::size_t trail;    // how long the trail was before
        std::size_t colored;  // and how many items had a color
        Int uncoverable;      // and how many items were uncoverable
    };

    void include(Int option) {
        if (problem_->multiple()) return include_with_bounds(option);
        for (const std::size_t entry : entries_of(*problem_, option)) {
            const Int item = problem_->item[entry];
            if (item < problem_->primary && kept(item)) close(item);
        }
        for (const std::size_t entry : entries_of(*problem_, option)) {
            const Int item = problem_->item[entry];
            if (kept(item)) remove_at(item, problem_->color_of(static_cast<Int>(entry)));
            if (stops_ && uncoverable_ > 0) return;
        }
    }

    // As `include`: an item is closed only when its bound is 0; otherwise it loses the options that
    // cover it more often than the bound allows.
    void include_with_bounds(Int option) {
        const auto each_primary = [&](auto visit) {
            for (const std::size_t entry : entries_of(*problem_, option)) {
                const Int item = problem_->item[entry];
                if (item < problem_->primary && kept(item)) {
                    visit(item, problem_->weight_of(static_cast<Int>(entry)));
                }
            }
        };
        each_primary([&](Int item, Int weight) { use(item, weight); });
        remove(option, problem_->item[static_cast<std::size_t>(
                           problem_->start[static_cast<std::size_t>(option)])]);
        each_primary([&](Int item, Int) { remove_above_bound(item); });
        for (const std::size_t entry : entries_of(*problem_, option)) {
            const Int item = problem_->item[entry];
            if (item >= problem_->primary && kept(item)) {
                remove_at(item, problem_->color_of(static_cast<Int>(entry)));
            }
        }
    }

    void use(Int item, Int weight) noexcept {
        const auto place = static_cast<std::size_t>(item);
        const Count before = need(item);
        bound_[place] -= weight;
        Count& count = live_[place];
        uncoverable_ -= count <= 0;
        count += before - need(item);
        uncoverable_ += count <= 0;
        if (bound_[place] == 0) close(item);
    }

    void unuse(Int item, Int weight) noexcept {
        const auto place = static_cast<std::size_t>(item);
        if (bound_[place] == 0) reopen(item);
        const Count before = need(item);
        bound_[place] += weight;
        live_[place] -= need(item) - before;
    }

    void remove_above_bound(Int item) {
        if (bound(item) > 0 && !problem_->weighted()) return;
        const auto first = static_cast<std::size_t>(bounds_[static_cast<std::size_t>(item)]);
        const auto last = static_cast<std::size_t>(bounds_[static_cast<std::size_t>(item) + 1]);
        work_ += last - first;
        for (std::size_t at = first; at < last; ++at) {
            const bool fits = bound(item) > 0 && list_weight_[at] <= bound(item);
            if (!fits && is_active(list_[at])) remove(list_[at], item);
        }
    }

    void reset_bounds() {
        const auto items = static_cast<std::size_t>(problem_->items);
        bound_.assign(problem_->high.begin(), problem_->high.end());
        slack_.resize(bound_.size());
        for (std::size_t item = 0; item < bound_.size(); ++item) {
            slack_[item] = problem_->high[item] - problem_->low[item];
        }
        bound_.resize(items, 1);  // of secondary items, whose counts do not matter
        slack_.resize(items, 1);
        many_.resize(items);
        total_.assign(items, 0);
        for (Int item = 0; item < problem_->items; ++item) {
            many_[static_cast<std::size_t>(item)] = static_cast<Int>(options_of(item).size());
            total_[static_cast<std::size_t>(item)] = static_cast<Count>(options_of(item).size());
        }
        if (!problem_->weighted()) return;
        for (std::size_t item = 0; item < items; ++item) {
            const auto first = list_weight_.begin() + bounds_[item];
            total_[item] =
                std::accumulate(first, list_weight_.begin() + bounds_[item + 1], Count{0});
        }
    }

    void close(Int item) noexcept {
        Count& count = live_[static_cast<std::size_t>(item)];
        uncoverable_ -= count <= 0;
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

    // Removes the options that clash at an item with the option taken last, whose color there is
    // `color`.
    void remove_at(Int item, Int color) {
        if (color != 0) {
            Int& has = color_[static_cast<std::size_t>(item)];
            if (has == color) return;  // removed when the item got this color
            has = color;
            colored_.push_back(item);
        }
        const auto first = static_cast<std::size_t>(bounds_[static_cast<std::size_t>(item)]);
        const auto last = static_cast<std::size_t>(bounds_[static_cast<std::size_t>(item) + 1]);
        work_ += last - first;
        for (std::size_t at = first; at < last; ++at) {
            if (color != 0 && list_color_[at] == color) continue;
            if (!is_active(list_[at])) continue;
            remove(list_[at], item);
            if (stops_ && uncoverable_ > 0) return;
        }
    }

    void remove(Int option, Int item) {
        trail_.push_back(option);
        removal_[static_cast<std::size_t>(option)] = {taken() - 1, item};
        lower_counts(option);
    }

    void lower_counts(Int option) {
        const bool multiple = problem_->multiple();
        for (const std::size_t entry : entries_of(*problem_, option)) {
            const auto item = static_cast<std::size_t>(problem_->item[entry]);
            const Int weight = problem_->weight_of(static_cast<Int>(entry));
            live_[item] -= weight;
            uncoverable_ += live_[item] <= 0 && live_[item] + weight > 0;
            if (multiple) --many_[item];
        }
        work_ += entries_of(*problem_, option).size();
    }

    std::shared_ptr<const Problem> problem_;
    std::vector<Int> bounds_;       // item i has list_[bounds_[i]] .. list_[bounds_[i + 1] - 1]
    std::vector<Int> list_;         // options in ascending order
    std::vector<Int> list_color_;   // parallel to list_; empty without colors
    std::vector<Int> list_weight_;  // parallel to list_; empty without weights
    std::vector<std::uint8_t> kept_;
    std::vector<Removal> removal_;  // of each option
    std::vector<Count> live_;       // the count of each item; `far` is added unless it is open
    std::vector<Count> bound_;      // with multiplicities: of each item
    std::vector<Count> slack_;      // high - low
    std::vector<Count> total_;      // the weights of all of its options
    std::vector<Int> many_;         // its active options
    std::vector<Int> color_;        // of each item; 0: none yet
    std::vector<Int> after_, before_;
    std::vector<Int> trail_;    // removed options, in order
    std::vector<Int> colored_;  // items that got a color, in order
    std::vector<Frame> frames_;
    Int open_ = 0;
    Int uncoverable_ = 0;
    bool stops_ = false;
    std::uint64_t work_ = 0;
};

}  // namespace dlx
