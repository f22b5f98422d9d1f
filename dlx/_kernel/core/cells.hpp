// The matrix as sparse sets ("dancing cells"): the options left, for each item and in total.
//
// Dancing links keep the options of an item in a linked list. Here they are the front part of an
// array, and `size` is the length of that part:
//
//     item i:   | e3 | e8 | e1 | e5 || e2 | e7 |     size = 4; the entries e2 and e7 are removed
//                                    ^ size
//
// To remove an entry, it is swapped with the last one before the bar, and the bar moves to the
// left. To restore it, only the bar moves to the right. That is correct as long as entries are
// restored in reverse order, since each is then just behind the bar. So undoing writes no links,
// and the options of an item can be read as an array. The order within an item gets lost; that does
// not matter here, since options are sorted by cost anyway. (Sparse sets: Briggs and Torczon, 1993.
// Knuth's "dancing cells" use them for exact cover.)
//
// Taking an option closes its primary items and removes every option that clashes with it, itself
// included. `trail_` has the removed options in order.
#pragma once

#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "core/problem.hpp"

namespace dlx {

class Cells {
public:
    // A state that `undo` can return to.
    struct Mark {
        std::size_t trail = 0;
        std::size_t open = 0;
    };

    explicit Cells(const Problem& problem)
        : problem_(&problem),
          first_(static_cast<std::size_t>(problem.items) + 1, 0),
          size_(static_cast<std::size_t>(problem.items), 0),
          member_(problem.item.size()),
          place_(problem.item.size()),
          option_of_(problem.item.size()),
          open_(static_cast<std::size_t>(problem.primary)),
          place_of_open_(open_.size()),
          open_count_(open_.size()),
          alive_(static_cast<std::size_t>(problem.options())),
          place_of_alive_(alive_.size()),
          alive_count_(alive_.size()) {
        InterruptCheck::poll();  // allocating the arrays may have taken long
        PeriodicCheck periodic;
        for (const Int item : problem.item) {
            ++first_[index(item) + 1];
            periodic.add(1);
        }
        std::partial_sum(first_.begin(), first_.end(), first_.begin());
        std::iota(open_.begin(), open_.end(), 0);
        std::iota(place_of_open_.begin(), place_of_open_.end(), 0);
        std::iota(alive_.begin(), alive_.end(), 0);
        std::iota(place_of_alive_.begin(), place_of_alive_.end(), 0);
        for (Int option = 0; option < problem.options(); ++option) {
            for (const Int entry : entries_of(option)) {
                const std::size_t item = index(problem.item[index(entry)]);
                const std::size_t place = first_[item] + size_[item]++;
                member_[place] = entry;
                place_[index(entry)] = place;
                option_of_[index(entry)] = option;
                periodic.add(1);
            }
        }
        trail_.reserve(alive_.size());
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
    Int option_of(Int entry) const noexcept { return option_of_[index(entry)]; }
    bool is_primary(Int item) const noexcept { return item < problem_->primary; }

    std::size_t size(Int item) const noexcept { return size_[index(item)]; }
    std::span<const Int> left(Int item) const noexcept {
        return {member_.data() + first_[index(item)], size_[index(item)]};
    }
    std::span<const Int> open() const noexcept { return {open_.data(), open_count_}; }
    bool is_open(Int item) const noexcept { return place_of_open_[index(item)] < open_count_; }
    std::span<const Int> alive() const noexcept { return {alive_.data(), alive_count_}; }
    bool is_alive(Int option) const noexcept {
        return place_of_alive_[index(option)] < alive_count_;
    }
    Mark mark() const noexcept { return {trail_.size(), open_count_}; }
    std::uint64_t updates() const noexcept { return updates_; }
    void forget_work() noexcept { updates_ = 0; }

    // Removes an option. Calls `lost(item, option)` for each of its items that is open or
    // secondary. Returns false if an open item has no options left.
    template <class Lost>
    bool remove(Int option, Lost&& lost) {
        bool viable = true;
        for (const Int entry : entries_of(option)) {
            const Int item = item_of(entry);
            const std::size_t last = first_[index(item)] + --size_[index(item)];
            const std::size_t place = place_[index(entry)];
            const Int other = member_[last];
            member_[place] = other;
            place_[index(other)] = place;
            member_[last] = entry;
            place_[index(entry)] = last;
            ++updates_;
            if (is_primary(item) && is_open(item)) {
                viable = viable && size_[index(item)] > 0;
                lost(item, option);
            } else if (!is_primary(item)) {
                lost(item, option);
            }
        }
        drop(alive_, place_of_alive_, alive_count_, option);
        trail_.push_back(option);
        return viable;
    }

    // Takes an option (see above). Stops and returns false as soon as an open item has no options.
    template <class Lost>
    bool take(Int option, Lost&& lost) {
        for (const Int entry : entries_of(option)) {
            const Int item = item_of(entry);
            if (is_primary(item)) drop(open_, place_of_open_, open_count_, item);
        }
        if (!remove(option, lost)) return false;
        for (const Int entry : entries_of(option)) {
            const Int color = problem_->color_of(entry);
            const std::size_t item = index(item_of(entry));
            // From the end: the entry swapped into a removed one's place has been visited already.
            for (std::size_t place = size_[item]; place-- > 0;) {
                const Int other = member_[first_[item] + place];
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
            for (const Int entry : entries_of(option)) ++size_[index(item_of(entry))];
        }
        open_count_ = mark.open;
    }

    // The open item with the fewest options, the first on a tie, as Algorithm X chooses.
    Int fewest() const noexcept {
        Int best = -1;
        for (const Int item : open()) {
            if (best < 0 || size(item) < size(best) || (size(item) == size(best) && item < best)) {
                best = item;
            }
        }
        return best;
    }

private:
    static std::size_t index(Int number) noexcept { return static_cast<std::size_t>(number); }

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
    std::vector<std::size_t> first_;  // where the entries of an item begin in member_
    std::vector<std::size_t> size_;   // how many of them are left
    std::vector<Int> member_;
    std::vector<std::size_t> place_;  // of each entry in member_
    std::vector<Int> option_of_;      // of each entry
    std::vector<Int> open_;           // primary items, the open ones first
    std::vector<std::size_t> place_of_open_;
    std::size_t open_count_;
    std::vector<Int> alive_;  // options, first those that are left
    std::vector<std::size_t> place_of_alive_;
    std::size_t alive_count_;
    std::vector<Int> trail_;  // removed options, in order
    std::uint64_t updates_ = 0;
};

}  // namespace dlx
