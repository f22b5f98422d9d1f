// Local search for cheap solutions of 0/1 problems whose rows say how often they are covered.
//
// The search holds a set of options that covers no row more often than allowed, and costs less than
// the cheapest solution known. Rows that it covers too rarely are *open*, and every row has a
// weight. A step draws an open row and takes one of its options: the one that gains most weight of
// rows for its cost, less what is lost with the options that clash with it, which are dropped.
// While the set is too expensive then, the option is dropped that loses least weight for its cost.
// Then the weights of all open rows are raised, so that rows that are hard to cover stay covered.
// A set without an open row is a solution; from then on, only cheaper sets are searched.
//
// For covers this is row weighting local search: C. Gao, X. Yao, T. Weise and J. Li, "An efficient
// local search heuristic with row weighting for the unicost set covering problem" (European Journal
// of Operational Research 246, 2015). Its rules against cycles are used, too: the option taken last
// is not dropped, one that was dropped is taken again only after another option has changed one of
// its rows, and of equal ones the one is chosen that has not moved for longest. For partitions
// compare S. Umetani, "Exploiting variable associations to configure efficient local search
// algorithms in large-scale binary integer programs" (the same journal, 263, 2017).
//
// Costs mislead where rows must be covered exactly: a set that leaves rows open is cheap. With
// prices of such rows (the dual values of a linear program, as from minimum/subgradient.hpp), the
// search compares reduced costs instead. They are integers, so that the cost of a solution is still
// exact:
//
//     cost * scale = sum of the reduced costs + sum over the priced rows of price * times
//
// It proves nothing: it neither ends, nor knows whether there is a solution.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "core/clock.hpp"
#include "core/problem.hpp"
#include "core/random_numbers.hpp"
#include "relaxation/integer_program.hpp"

namespace dlx {

class LocalSearch {
public:
    struct Solution {
        std::int64_t cost;
        std::vector<Int> options;  // ascending
    };

    explicit LocalSearch(IntegerProgram rows, std::uint64_t seed = 1);

    // May a row be covered too often? If not, the problem is a cover.
    bool packs() const noexcept { return packs_; }

    // From now on, only solutions that cost less than this are searched.
    void set_cutoff(std::int64_t cutoff) noexcept;

    // Prices of the rows, as costs; only those of rows with low = high are used. O(entries).
    void set_prices(std::span<const double> prices);

    // Searches for about `most_work`, in units of 10 ns, or until a time. Returns the cheapest
    // solution found, if one is below the cutoff. The next call continues.
    std::optional<Solution> run(std::uint64_t most_work, Clock::time_point until);

    std::uint64_t work() const noexcept { return work_ / steps_a_unit; }  // in units of 10 ns

    // Throws std::logic_error unless all that is maintained is what it would be if computed anew.
    void check() const;

private:
    using Weight = std::int64_t;
    static constexpr Int none = -1;
    static constexpr std::uint64_t steps_a_unit = 2;         // entries or the like
    static constexpr std::uint64_t check_interval = 50'000;  // entries between clock checks
    static constexpr std::size_t most_compared = 2000;       // options of a row
    static constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();
    static constexpr int finest = 10;  // bits of a price behind the point

    struct Row {
        Int low = 0;
        Int high = 0;
        Int covered = 0;
        Int holder = none;  // one of those that cover it
        Weight weight = 1;
        std::uint64_t changed = 0;  // the move that changed it last

        Int lacking(Int times) const noexcept { return times < low ? low - times : 0; }
        // The weight lost if an option that covers it so often is dropped.
        Weight loss(Int times) const noexcept {
            return weight * (lacking(covered - times) - lacking(covered));
        }
    };
    struct Holder {
        Int option;
        Int times;
    };
    struct Option {
        Int place = none;          // in taken_
        Weight loss = 0;           // the weight lost if it is dropped, while it is taken
        std::uint64_t moved = 0;   // the move that took or dropped it last
        std::uint64_t marked = 0;  // equals marks_: it must be dropped for the option considered
    };
    struct Move {
        Weight gain;
        std::int64_t cost;
        bool blocked;  // it would undo the last move of the option
    };

    Int times(std::size_t entry) const noexcept { return static_cast<Int>(rows_.weight_at(entry)); }
    std::size_t row_of(std::size_t entry) const noexcept { return index(rows_.row[entry]); }
    std::size_t first(Int option) const noexcept { return rows_.start[index(option)]; }
    std::size_t last(Int option) const noexcept { return rows_.start[index(option) + 1]; }
    bool taken(Int option) const noexcept { return option_[index(option)].place != none; }
    std::int64_t limit_of(std::int64_t cutoff) const noexcept {
        return cutoff == no_limit ? no_limit : cutoff * scale_ - offset_;
    }

    void set_reduced(std::vector<std::int64_t> reduced);
    bool fits(Int option) const noexcept;
    void step();
    Int best_choice(std::size_t row);
    Move move_of(Int option);
    void count_clash(std::size_t row, Int wanted, Move& move);
    const Holder* next_clash(std::size_t row);
    void find_clashes(Int option);
    void exchange(Int option);
    void raise_weights();
    void note(std::optional<Solution>& found);
    void drop_spare();
    void drop_expensive(Int tabu);
    void take(Int option);
    void drop(Int option);
    void cover(std::size_t row, Int change);
    void open(std::size_t row);
    void close(std::size_t row);

    IntegerProgram rows_;
    RandomNumbers random_;
    bool packs_ = false;
    std::vector<Row> row_;
    std::vector<std::vector<Holder>> holders_;  // of each row
    std::vector<Int> place_;                    // of each row in open_
    std::vector<Int> heaviest_;                 // how often one option covers each row, at most
    std::vector<std::size_t> choices_start_;    // of each row in choices_
    std::vector<Int> choices_;                  // the options of each row
    std::vector<Option> option_;
    std::vector<bool> usable_;           // of each option: it alone covers no row too often
    std::vector<std::int64_t> reduced_;  // of each option; without prices, its cost
    std::vector<Int> negative_;          // options whose reduced cost is negative
    std::vector<Int> open_;              // rows
    std::vector<Int> taken_;             // options
    std::vector<Int> clashing_;
    std::int64_t negative_sum_ = 0;
    std::int64_t total_ = 0;   // the sum of the absolute costs
    std::int64_t scale_ = 1;   // reduced costs are multiplied by this
    std::int64_t offset_ = 0;  // the sum of price * times
    bool priced_ = false;
    std::int64_t paid_ = 0;  // the reduced costs of the taken options
    std::int64_t cutoff_ = no_limit;
    std::int64_t limit_ = no_limit;  // of paid_
    double weights_ = 0;             // the sum of weight * low
    std::uint64_t move_ = 0;
    std::uint64_t marks_ = 0;
    std::uint64_t work_ = 0;
};

}  // namespace dlx
