// Better solutions near a known one: large neighborhood search.
//
// A neighborhood of a solution is what is left when some of its options, the *freed* ones, are
// given up and all others are kept. The freed options are near each other: starting from one, an
// option that clashes with it is drawn, and the options of the solution that clash with that one
// are freed as well, and so on. The neighborhood is searched for cheaper solutions by branch and
// bound. Its size adapts: it grows while neighborhoods are searched completely, and shrinks when
// that takes too long.
//
// Source: P. Shaw, "Using constraint programming and local search methods to solve vehicle routing
// problems" (CP 1998).
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "minimum/walk.hpp"

namespace dlx {

// Random numbers that are the same everywhere: xorshift64* (S. Vigna 2016).
class Draws {
public:
    std::size_t below(std::size_t limit) noexcept {
        state_ ^= state_ >> 12;
        state_ ^= state_ << 25;
        state_ ^= state_ >> 27;
        return static_cast<std::size_t>((state_ * 0x2545F4914F6CDD1DULL >> 33) % limit);
    }

private:
    std::uint64_t state_ = 0x9E3779B97F4A7C15ULL;
};

template <class Cost>
class NeighborhoodSearch {
public:
    // `root`: a walk at its root, which this copies.
    NeighborhoodSearch(const Problem& problem, const Walk<Cost>& root)
        : problem_(&problem),
          walk_(root),
          freed_(static_cast<std::size_t>(problem.options()), 0),
          holders_(static_cast<std::size_t>(problem.items)) {
        walk_.return_to_root();
        walk_.forget_work();
    }

    const Walk<Cost>& walk() const noexcept { return walk_; }
    std::uint64_t work() const noexcept { return walk_.work(); }

    // Searches one neighborhood of a solution (without its given options) for solutions that cost
    // at most `cutoff`, and calls `found(options)` for each, which returns the next cutoff.
    template <class FoundOne>
    void search(const std::vector<Int>& solution, Cost cutoff, FoundOne&& found) {
        if (solution.empty()) return;
        free_some(solution);
        kept_.clear();
        for (const Int option : solution) {
            if (!freed_[index(option)]) kept_.push_back({option, true});
        }
        for (const Int option : solution) freed_[index(option)] = 0;
        const std::uint64_t begun = walk_.work();
        walk_.begin_below(kept_, cutoff);
        while (walk_.busy() && walk_.work() - begun < most_work) {
            if (walk_.step()) walk_.priced().set_cutoff(found(walk_.path()));
        }
        if (walk_.busy()) {
            size_ = std::max(2.0, size_ * 0.97);
        } else {
            size_ = std::min(size_ * 1.01, 0.9 * static_cast<double>(solution.size()) + 1);
        }
        walk_.return_to_root();
    }

private:
    static constexpr std::uint64_t most_work = 300'000;  // in each neighborhood

    void free_some(const std::vector<Int>& solution) {
        for (const Int option : solution) {
            for (const Int entry : cells().entries_of(option)) {
                holders_[index(cells().item_of(entry))].push_back(option);
            }
        }
        const auto wanted = std::min(solution.size(), static_cast<std::size_t>(size_));
        std::vector<Int> order;
        std::size_t failures = 0;
        while (order.size() < wanted) {
            if (order.empty() || failures > 4 * wanted + 20) {
                failures = 0;
                free(solution[draws_.below(solution.size())], order);
                continue;
            }
            ++failures;
            const Int item = primary_item_of(order[draws_.below(order.size())]);
            const std::span<const Int> left = cells().left(item);
            if (left.empty()) continue;
            const Int other = cells().option_of(left[draws_.below(left.size())]);
            for (const Int entry : cells().entries_of(other)) {
                const Int color = problem_->color_of(entry);
                for (const Int holder : holders_[index(cells().item_of(entry))]) {
                    if (order.size() < wanted && (color == 0 || !has(holder, entry))) {
                        free(holder, order);
                    }
                }
            }
        }
        for (const Int option : solution) {
            for (const Int entry : cells().entries_of(option)) {
                holders_[index(cells().item_of(entry))].clear();
            }
        }
    }

    const Cells& cells() const noexcept { return walk_.priced().cells(); }

    void free(Int option, std::vector<Int>& order) {
        if (freed_[index(option)]) return;
        freed_[index(option)] = 1;
        order.push_back(option);
    }

    // Has the option the same item with the same color?
    bool has(Int option, Int wanted) const noexcept {
        for (const Int entry : cells().entries_of(option)) {
            if (cells().item_of(entry) == cells().item_of(wanted)) {
                return problem_->color_of(entry) == problem_->color_of(wanted);
            }
        }
        return false;
    }

    Int primary_item_of(Int option) noexcept {
        std::vector<Int> items;
        for (const Int entry : cells().entries_of(option)) {
            if (cells().is_primary(cells().item_of(entry))) items.push_back(cells().item_of(entry));
        }
        return items[draws_.below(items.size())];
    }

    const Problem* problem_;
    Walk<Cost> walk_;
    std::vector<char> freed_;                // of each option
    std::vector<std::vector<Int>> holders_;  // of each item: the solution's options that have it
    std::vector<Move> kept_;
    Draws draws_;
    double size_ = 8;
};

}  // namespace dlx
