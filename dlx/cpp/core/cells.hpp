// The matrix as sparse sets ("dancing cells"): the options left, for each item and in total.
//
// The options of an item are the front part of an array (core/sparse_sets.hpp). The order within it
// gets lost; that does not matter here, since options are sorted by cost anyway.
//
// Taking an option removes it, and lowers the *bound* of each of its primary items, how much more
// of the item may be taken. An item whose bound becomes 0 is closed, and all its options are
// removed; else those are removed that need more than the bound. Without multiplicities each bound
// is 1. The *need* of an item, how much of it must still be taken, is bound - slack, at least 0,
// where the slack is high - low. An open item that has no options left and no need is *done*, and
// is closed, too. `trail_` has the removed options in order, `taken_` those taken.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "core/sparse_sets.hpp"

namespace dlx {

// For callers that need not know which options are lost.
inline constexpr auto ignore = [](Int, Int) {};

class Cells {
public:
    // A state that `undo` can return to.
    struct Mark {
        std::size_t trail = 0;
        std::size_t open = 0;
        std::size_t taken = 0;
    };

    explicit Cells(const Problem& problem)
        : problem_(&problem),
          sets_(problem),
          open_(static_cast<std::size_t>(problem.primary)),
          place_of_open_(open_.size()),
          open_count_(open_.size()),
          alive_(static_cast<std::size_t>(problem.options())),
          place_of_alive_(alive_.size()),
          alive_count_(alive_.size()),
          blocks_(open_.size() > most_scanned ? open_.size() / block + 1 : 0, stale) {
        InterruptCheck::poll();  // allocating the arrays may have taken long
        std::iota(open_.begin(), open_.end(), 0);
        std::iota(place_of_open_.begin(), place_of_open_.end(), 0);
        std::iota(alive_.begin(), alive_.end(), 0);
        std::iota(place_of_alive_.begin(), place_of_alive_.end(), 0);
        trail_.reserve(alive_.size());
        if (problem.multiple()) set_bounds();
        InterruptCheck::poll();
    }

    // The numbers of an option's entries, one after another.
    class Entries {
    public:
        class Iterator {
        public:
            explicit Iterator(Int at) : at_(at) {}
            Int operator*() const noexcept { return at_; }
            Iterator& operator++() noexcept {
                ++at_;
                return *this;
            }
            bool operator!=(const Iterator& other) const noexcept { return at_ != other.at_; }

        private:
            Int at_;
        };
        Entries(Int first, Int last) : first_(first), last_(last) {}
        Iterator begin() const noexcept { return Iterator(first_); }
        Iterator end() const noexcept { return Iterator(last_); }

    private:
        Int first_, last_;
    };

    Entries entries_of(Int option) const noexcept {
        return {problem_->start[index(option)], problem_->start[index(option) + 1]};
    }
    Int item_of(Int entry) const noexcept { return problem_->item[index(entry)]; }
    Int option_of(Int entry) const noexcept { return sets_.option_of(entry); }
    bool is_primary(Int item) const noexcept { return item < problem_->primary; }

    bool multiple() const noexcept { return !bound_.empty(); }
    bool weighted() const noexcept { return problem_->weighted(); }
    Int weight_of(Int entry) const noexcept { return problem_->weight_of(entry); }

    // How much more of a primary item may be taken, and must be; both 0 once it is closed.
    Int bound(Int item) const noexcept {
        return !is_open(item) ? 0 : multiple() ? bound_[index(item)] : 1;
    }
    Int need(Int item) const noexcept {
        return !is_open(item) ? 0 : multiple() ? residual_need(item) : 1;
    }
    // The total weight of the options that are left.
    Int total(Int item) const noexcept {
        return multiple() ? total_[index(item)] : static_cast<Int>(size(item));
    }

    std::size_t size(Int item) const noexcept { return index(sets_.size(item)); }
    std::span<const Int> left(Int item) const noexcept { return sets_.entries(item); }
    std::span<const Int> open() const noexcept { return {open_.data(), open_count_}; }
    bool is_open(Int item) const noexcept { return place_of_open_[index(item)] < open_count_; }
    std::span<const Int> alive() const noexcept { return {alive_.data(), alive_count_}; }
    bool is_alive(Int option) const noexcept {
        return place_of_alive_[index(option)] < alive_count_;
    }
    std::span<const Int> removed_since(const Mark& mark) const noexcept {
        return std::span<const Int>(trail_).subspan(mark.trail);
    }
    Mark mark() const noexcept { return {trail_.size(), open_count_, taken_.size()}; }
    std::uint64_t updates() const noexcept { return updates_; }
    void forget_work() noexcept { updates_ = 0; }

    // Removes an option. Calls `lost(item, option)` for each of its items that is open or
    // secondary. Returns false if an open item has fewer options left than it needs.
    template <class Lost>
    bool remove(Int option, Lost&& lost) {
        bool viable = true;
        for (const Int entry : entries_of(option)) {
            const Int item = item_of(entry);
            const Int left = sets_.remove(entry, item);
            ++updates_;
            note_change(item);
            if (is_primary(item) && multiple()) total_[index(item)] -= weight_of(entry);
            if (is_primary(item) && is_open(item)) {
                lost(item, option);
                if (!multiple()) {
                    viable = viable && left > 0;
                    continue;
                }
                const Int needed = residual_need(item);
                viable = viable && total_[index(item)] >= needed;
                if (left == 0 && needed == 0) close(item);
            } else if (!is_primary(item)) {
                lost(item, option);
            }
        }
        drop(alive_, place_of_alive_, alive_count_, option);
        trail_.push_back(option);
        return viable;
    }

    // Takes an option (see above). Stops and returns false as soon as an open item has fewer
    // options than it needs.
    template <class Lost>
    bool take(Int option, Lost&& lost) {
        if (multiple()) taken_.push_back(option);
        for (const Int entry : entries_of(option)) {
            const Int item = item_of(entry);
            if (!is_primary(item)) continue;
            if (!multiple() || (bound_[index(item)] -= weight_of(entry)) == 0) close(item);
        }
        if (!remove(option, lost)) return false;
        for (const Int entry : entries_of(option)) {
            const Int color = problem_->color_of(entry);
            const Int item = item_of(entry);
            if (is_primary(item) && is_open(item)) {
                if (weighted() && !remove_above_bound(item, lost)) return false;
                continue;
            }
            // From the end: the entry swapped into a removed one's place has been visited already.
            for (Int place = sets_.size(item); place-- > 0;) {
                const Int other = sets_.entry_at(item, place);
                if (color != 0 && problem_->color_of(other) == color) continue;
                if (!remove(option_of(other), lost)) return false;
            }
        }
        return true;
    }

    void undo(const Mark& mark) noexcept {
        while (trail_.size() > mark.trail) {
            const Int option = trail_.back();
            trail_.pop_back();
            ++alive_count_;
            for (const Int entry : entries_of(option)) {
                sets_.restore(item_of(entry));
                note_change(item_of(entry));
                if (multiple() && is_primary(item_of(entry))) {
                    total_[index(item_of(entry))] += weight_of(entry);
                }
            }
        }
        while (taken_.size() > mark.taken) {
            for (const Int entry : entries_of(taken_.back())) {
                if (is_primary(item_of(entry))) bound_[index(item_of(entry))] += weight_of(entry);
            }
            taken_.pop_back();
        }
        open_count_ = mark.open;
    }

    // The open item of the least score, the first on a tie, as all engines choose. Without
    // multiplicities the score is the number of options.
    Int fewest() noexcept {
        Int best = -1;
        if (open_count_ <= most_scanned) {
            for (const Int item : open()) best = fewer(best, item);
            return best;
        }
        for (std::size_t at = 0; at < blocks_.size(); ++at) {
            if (blocks_[at] == stale) blocks_[at] = fewest_of(at);
            if (blocks_[at] >= 0) best = fewer(best, blocks_[at]);
        }
        return best;
    }

private:
    static constexpr std::size_t most_scanned = 4096;  // open items, all of which `fewest` reads
    static constexpr std::size_t block = 256;          // items; of more items it reads blocks
    static constexpr Int stale = -2;
    static constexpr Int all_closed = -1;

    // The one with the lower score, the first on a tie. `best` may be -1.
    Int fewer(Int best, Int item) const noexcept {
        if (best < 0) return item;
        const Int own = score(item);
        const Int least = score(best);
        return own < least || (own == least && item < best) ? item : best;
    }

    Int fewest_of(std::size_t block_number) const noexcept {
        Int best = all_closed;
        const std::size_t last = std::min((block_number + 1) * block, open_.size());
        for (std::size_t item = block_number * block; item < last; ++item) {
            if (is_open(static_cast<Int>(item))) best = fewer(best, static_cast<Int>(item));
        }
        return best;
    }

    // The score of an item changes, or it is closed or opened.
    void note_change(Int item) noexcept {
        if (!blocks_.empty() && is_primary(item)) blocks_[index(item) / block] = stale;
    }

    Int score(Int item) const noexcept {
        const auto options = static_cast<Int>(size(item));
        if (!multiple()) return options;
        const Int needed = residual_need(item);
        return std::min(options + (needed == 0 ? 1 : 0), total_[index(item)] - needed + 1);
    }

    Int residual_need(Int item) const noexcept {
        return std::max(0, bound_[index(item)] - slack_[index(item)]);
    }

    // Removes the options that need more of an open item than may still be taken.
    template <class Lost>
    bool remove_above_bound(Int item, Lost&& lost) {
        for (Int place = sets_.size(item); place-- > 0;) {
            const Int other = sets_.entry_at(item, place);
            if (weight_of(other) <= bound_[index(item)]) continue;
            if (!remove(option_of(other), lost)) return false;
        }
        return true;
    }

    void close(Int item) noexcept { drop(open_, place_of_open_, open_count_, item); }

    // A bound above the total weight of the item's options means the same as that total.
    void set_bounds() {
        for (Int item = 0; item < problem_->primary; ++item) {
            Int total = 0;
            for (const Int entry : left(item)) total += weight_of(entry);
            const Int low = problem_->low[index(item)];
            const Int bound = std::min(problem_->high[index(item)], std::max({1, low, total}));
            total_.push_back(total);
            bound_.push_back(bound);
            slack_.push_back(bound - low);
        }
        for (Int item = 0; item < problem_->primary; ++item) {
            if (size(item) == 0 && residual_need(item) == 0) close(item);
        }
    }

    // Removes one element: swaps it with the last one of the front part, and shortens that part.
    static void drop(std::vector<Int>& set, std::vector<std::size_t>& places, std::size_t& count,
                     Int one) noexcept {
        const std::size_t place = places[index(one)];
        const std::size_t last = --count;
        const Int other = set[last];
        set[place] = other;
        places[index(other)] = place;
        set[last] = one;
        places[index(one)] = last;
    }

    const Problem* problem_;
    SparseSets sets_;
    std::vector<Int> open_;  // primary items, the open ones first
    std::vector<std::size_t> place_of_open_;
    std::size_t open_count_;
    std::vector<Int> alive_;  // options, first those that are left
    std::vector<std::size_t> place_of_alive_;
    std::size_t alive_count_;
    std::vector<Int> blocks_;  // of each block of items: the one of the least score
    std::vector<Int> trail_;   // removed options, in order
    // With multiplicities, for each primary item:
    std::vector<Int> bound_;
    std::vector<Int> slack_;
    std::vector<Int> total_;
    std::vector<Int> taken_;  // options taken, in order
    std::uint64_t updates_ = 0;
};

}  // namespace dlx
