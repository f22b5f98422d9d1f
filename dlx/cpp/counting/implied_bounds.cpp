// Finds an equation over disjoint items, and tightens their bounds until nothing changes.
#include "counting/implied_bounds.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace dlx {
namespace {

class ImpliedBounds {
public:
    explicit ImpliedBounds(const Problem& problem)
        : problem_(problem), cells_in_(index(problem.options()), 0) {
        for (Int item = 0; item < problem.primary; ++item) cells_ += is_cell(item);
        for_entries([&](Int option, Int, Int item) { cells_in_[index(option)] += is_cell(item); });
    }

    std::optional<Problem> run() {
        find_terms();
        if (terms_.empty()) return std::nullopt;
        constexpr int most_rounds = 20;
        bool again = true;
        for (int round = 0; round < most_rounds && again && !contradiction_; ++round) {
            again = false;
            for (std::size_t term = 0; term < terms_.size(); ++term) again |= tighten(term);
        }
        if (!changed_) return std::nullopt;
        return contradiction_ ? without_solution() : rewritten();
    }

private:
    // An item of the equation. Its options cover `fewest` to `most` cells for each time that they
    // cover the item.
    struct Term {
        Int item;
        std::int64_t fewest;
        std::int64_t most;
        std::int64_t total;  // what all options cover together
        std::int64_t low;
        std::int64_t high;
        bool removed = false;
    };

    bool is_cell(Int item) const {
        return item < problem_.primary && problem_.low[index(item)] == 1 &&
               problem_.high[index(item)] == 1;
    }

    template <class Visit>
    void for_entries(Visit visit) const {
        for (Int option = 0; option < problem_.options(); ++option) {
            for (Int entry = problem_.start[index(option)];
                 entry < problem_.start[index(option) + 1]; ++entry) {
                visit(option, entry, problem_.item[index(entry)]);
            }
        }
    }

    // Chooses items whose options are disjoint, those with the most options first. They are the
    // terms if they have all options that cover cells.
    void find_terms() {
        constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
        std::vector<Term> found(index(problem_.primary), Term{0, none, 0, 0, 0, 0});
        std::vector<std::vector<Int>> options_of(found.size());
        for_entries([&](Int option, Int entry, Int item) {
            if (item >= problem_.primary || is_cell(item)) return;
            Term& term = found[index(item)];
            const std::int64_t weight = problem_.weight_of(entry);
            const std::int64_t cells = cells_in_[index(option)];
            term.fewest = std::min(term.fewest, cells / weight);
            term.most = std::max(term.most, (cells + weight - 1) / weight);
            term.total += weight;
            options_of[index(item)].push_back(option);
        });
        for (Int item = 0; item < problem_.primary; ++item) {
            Term& term = found[index(item)];
            term.item = item;
            term.low = problem_.low[index(item)];
            term.high = std::max<std::int64_t>(
                {1, term.low, std::min<std::int64_t>(problem_.high[index(item)], term.total)});
            if (term.most > 0) terms_.push_back(term);
        }
        std::stable_sort(terms_.begin(), terms_.end(), [&](const Term& one, const Term& other) {
            return options_of[index(one.item)].size() > options_of[index(other.item)].size();
        });
        std::vector<bool> taken(index(problem_.options()), false);
        std::erase_if(terms_, [&](const Term& term) {
            const std::vector<Int>& options = options_of[index(term.item)];
            const bool overlaps = std::any_of(options.begin(), options.end(),
                                              [&](Int option) { return taken[index(option)]; });
            if (overlaps) return true;
            for (const Int option : options) taken[index(option)] = true;
            return false;
        });
        for (std::size_t option = 0; option < taken.size(); ++option) {
            if (!taken[option] && cells_in_[option] > 0) terms_.clear();
        }
    }

    // Bounds of an item from those of the others; true if something changed.
    bool tighten(std::size_t number) {
        Term& term = terms_[number];
        std::int64_t at_least = 0, at_most = 0;  // cells that the others cover
        for (std::size_t other = 0; other < terms_.size(); ++other) {
            if (other == number) continue;
            at_least += terms_[other].fewest * terms_[other].low;
            at_most += terms_[other].most * terms_[other].high;
        }
        const std::int64_t fewest = std::max<std::int64_t>(0, cells_ - at_most);
        const std::int64_t most = cells_ - at_least;
        const std::int64_t low = (fewest + term.most - 1) / term.most;
        std::int64_t high = term.total;
        if (most < 0) {
            high = -1;
        } else if (term.fewest > 0) {
            high = std::min(high, most / term.fewest);
        }
        if (std::max(low, term.low) > std::min(high, term.high)) {
            contradiction_ = changed_ = true;
            return false;
        }
        if (term.removed) return false;
        if (term.fewest > 0 && term.low <= low && high <= term.high) {
            term.removed = changed_ = true;
            term.low = 0;
            term.high = term.total;
            return true;
        }
        high = std::max<std::int64_t>(1, high);  // as every upper bound
        if (low <= term.low && term.high <= high) return false;
        term.low = std::max(low, term.low);
        term.high = std::min(high, term.high);
        return changed_ = true;
    }

    static Problem without_solution() {
        Problem problem;
        problem.primary = problem.items = 1;
        problem.start = {0};
        return problem;
    }

    Problem rewritten() const {
        Problem less;
        std::vector<Int> low(problem_.low), high(problem_.high);
        std::vector<bool> removed(index(problem_.items), false);
        for (const Term& term : terms_) {
            removed[index(term.item)] = term.removed;
            low[index(term.item)] = static_cast<Int>(term.low);
            high[index(term.item)] = static_cast<Int>(term.high);
        }
        std::vector<Int> number(index(problem_.items));
        bool plain = true;
        for (Int item = 0; item < problem_.items; ++item) {
            number[index(item)] = less.items;
            if (removed[index(item)]) continue;
            ++less.items;
            if (item >= problem_.primary) continue;
            ++less.primary;
            less.low.push_back(low[index(item)]);
            less.high.push_back(high[index(item)]);
            plain = plain && less.low.back() == 1 && less.high.back() == 1;
        }
        if (plain) less.low = less.high = {};
        less.label = problem_.label;
        less.start.push_back(0);
        for (Int option = 0; option < problem_.options(); ++option) {
            for (Int entry = problem_.start[index(option)];
                 entry < problem_.start[index(option) + 1]; ++entry) {
                const Int item = problem_.item[index(entry)];
                if (removed[index(item)]) continue;
                less.item.push_back(number[index(item)]);
                if (problem_.colored()) less.color.push_back(problem_.color_of(entry));
                if (problem_.weighted() && !plain) less.weight.push_back(problem_.weight_of(entry));
            }
            less.start.push_back(less.entries());
        }
        return less;
    }

    const Problem& problem_;
    Int cells_ = 0;
    std::vector<Int> cells_in_;  // of each option
    std::vector<Term> terms_;
    bool changed_ = false;
    bool contradiction_ = false;
};

}  // namespace

std::optional<Problem> with_implied_bounds(const Problem& problem) {
    if (!problem.multiple()) return std::nullopt;
    return ImpliedBounds(problem).run();
}

}  // namespace dlx
