// Prices at which the items cost more than any options that could cover them.
//
// Nine pigeons, eight holes. Let each pigeon pay 1 to be covered, and each hole -1. An option, a
// pigeon in a hole, is paid 0, so that whatever covers all pigeons, and no hole twice, is paid 0
// for its options; but for its items it would be paid 9 - 8 or more. In general there is no
// solution if prices can be found such that no option is worth more than 0, that secondary items
// (which need not be covered) have none above 0, and that all items together are worth more than 0.
// That is Hall's condition for pigeons, and Farkas' lemma for the rest: such prices exist just if
// there is not even a fractional solution, one that takes a third of this option and two thirds of
// that. What explain/modular_certificate.hpp finds modulo a number is another matter; here it is
// inequalities.
//
// They are found by the simplex method, on fractional solutions: each open primary item begins with
// a substitute that covers it at cost 1, each secondary item with one that does it for nothing, and
// the cost is to be minimised. If it cannot become 0, the prices of the optimum are those wanted.
// The inverse of the basis is a dense matrix of items x items, in which a step is O(items^2 +
// entries); there are a few steps for each item. Doubles are good enough to find prices, not to
// trust them: they are multiplied by a small number, rounded to integers, and checked in these.
// The amounts to be covered are 1 and a little more, another little for each item: ties in the
// choice of steps could make the method go round in circles.
#pragma once

#include <cmath>

#include "core/active_options.hpp"
#include "core/engine.hpp"

namespace dlx {

class Prices {
public:
    enum class Verdict : std::uint8_t { running, none, found };

    // Among the items that are open, and the options that stand; neither may change meanwhile.
    explicit Prices(const Standing& standing) : standing_(standing) {
        row_.assign(static_cast<std::size_t>(problem().items), nowhere);
        prices_.assign(row_.size(), 0);
        for (Int item = standing.next_open(Standing::nobody); item != Standing::nobody;
             item = standing.next_open(item)) {
            add_row(item);
        }
        for (Int item = problem().primary; item < problem().items; ++item) {
            if (standing.kept(item) && never_colored(item)) add_row(item);
        }
        const std::uint64_t size = items_.size();
        if (size > 0 && (entries_ + size * size) > most_work / size) verdict_ = Verdict::none;
        if (verdict_ == Verdict::none) return;
        inverse_.assign(size * size, 0);
        for (std::size_t row = 0; row < size; ++row) {
            inverse_[row * size + row] = 1;
            basis_.push_back(-1 - static_cast<Int>(row));
            const auto spread = static_cast<double>(row * 7919 % 1009 + 1) / 1009;
            amounts_.push_back(1 + little * spread);
        }
        steps_left_ = 20 * size + 100;
    }

    // Goes on until the verdict is in or the time is up.
    Verdict run(Clock::time_point until) {
        while (verdict_ == Verdict::running && Clock::now() < until) step();
        return verdict_;
    }

    bool has_weight(Int item) const noexcept { return price(item) != 0; }

    // Would it be worth more than it may, if it stood?
    bool objects(Int option) const noexcept {
        std::int64_t sum = 0;
        for (const std::size_t entry : entries_of(problem(), option)) {
            sum += price(problem().item[entry]);
        }
        return sum > 0;
    }

private:
    static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
    static constexpr std::uint64_t most_work = 100'000'000;
    static constexpr double little = 1e-5;
    static constexpr double nothing = 1e-8;  // what rounding may leave of 0
    static constexpr int most_shares = 24;   // denominators tried

    const Problem& problem() const noexcept { return standing_.problem(); }
    std::int64_t price(Int item) const noexcept { return prices_[static_cast<std::size_t>(item)]; }

    void add_row(Int item) {
        row_[static_cast<std::size_t>(item)] = items_.size();
        items_.push_back(item);
        entries_ += standing_.options_of(item).size();
    }

    // Of a secondary item: may it be covered once at most?
    bool never_colored(Int item) const noexcept {
        if (!problem().colored()) return true;
        for (const Int option : standing_.options_of(item)) {
            if (!standing_.stands(option)) continue;
            for (const std::size_t entry : entries_of(problem(), option)) {
                if (problem().item[entry] == item && problem().color[entry] != 0) return false;
            }
        }
        return true;
    }

    // -- the simplex method ----------------------------------------------------------------------

    void step() {
        const std::vector<double> worth = worth_of_rows();
        if (cost() < 2 * little * static_cast<double>(items_.size()) || steps_left_-- == 0) {
            verdict_ = Verdict::none;
            return;
        }
        double best = nothing;
        Int entering = Standing::nobody;  // an option, or -2 - row of a secondary item
        for (std::size_t row = 0; row < items_.size(); ++row) {
            const Int item = items_[row];
            if (item >= problem().primary && worth[row] > best) {
                best = worth[row];
                entering = -2 - static_cast<Int>(row);
            }
            for (const Int option : standing_.options_of(item)) {
                if (!standing_.stands(option)) continue;
                const double sum = worth_of(option, worth);
                if (sum > best) {
                    best = sum;
                    entering = option;
                }
            }
        }
        if (entering == Standing::nobody) {
            verdict_ = round_to_integers(worth) ? Verdict::found : Verdict::none;
        } else {
            enter(entering);
        }
    }

    double substitute_cost(std::size_t place) const noexcept {
        const Int column = basis_[place];
        if (column >= 0) return 0;
        return items_[static_cast<std::size_t>(-1 - column)] < problem().primary ? 1 : 0;
    }

    double cost() const noexcept {
        double sum = 0;
        for (std::size_t place = 0; place < basis_.size(); ++place) {
            sum += substitute_cost(place) * amounts_[place];
        }
        return sum;
    }

    std::vector<double> worth_of_rows() const {
        const std::size_t size = items_.size();
        std::vector<double> worth(size, 0);
        for (std::size_t place = 0; place < size; ++place) {
            if (substitute_cost(place) == 0) continue;
            for (std::size_t row = 0; row < size; ++row) worth[row] += inverse_[place * size + row];
        }
        return worth;
    }

    double worth_of(Int option, const std::vector<double>& worth) const noexcept {
        double sum = 0;
        for (const std::size_t entry : entries_of(problem(), option)) {
            const std::size_t row = row_[static_cast<std::size_t>(problem().item[entry])];
            if (row != nowhere) sum += worth[row];
        }
        return sum;
    }

    // Takes an option, or nothing for a secondary item, into the basis.
    void enter(Int entering) {
        const std::size_t size = items_.size();
        std::vector<double> rate(size, 0);  // how fast the amounts in the basis go down
        const auto add_column = [&](std::size_t row) {
            for (std::size_t place = 0; place < size; ++place) {
                rate[place] += inverse_[place * size + row];
            }
        };
        if (entering < 0) {
            add_column(static_cast<std::size_t>(-2 - entering));
        } else {
            for (const std::size_t entry : entries_of(problem(), entering)) {
                const std::size_t row = row_[static_cast<std::size_t>(problem().item[entry])];
                if (row != nowhere) add_column(row);
            }
        }
        std::size_t leaving = nowhere;
        for (std::size_t place = 0; place < size; ++place) {
            if (rate[place] <= nothing) continue;
            if (leaving == nowhere ||
                amounts_[place] * rate[leaving] < amounts_[leaving] * rate[place]) {
                leaving = place;
            }
        }
        if (leaving == nowhere) {  // not in exact arithmetic
            verdict_ = Verdict::none;
            return;
        }
        basis_[leaving] = entering < 0 ? entering + 1 : entering;
        double* const pivot = &inverse_[leaving * size];
        for (std::size_t row = 0; row < size; ++row) pivot[row] /= rate[leaving];
        amounts_[leaving] /= rate[leaving];
        for (std::size_t place = 0; place < size; ++place) {
            if (place == leaving || rate[place] == 0) continue;
            double* const other = &inverse_[place * size];
            for (std::size_t row = 0; row < size; ++row) other[row] -= rate[place] * pivot[row];
            amounts_[place] = std::max(0.0, amounts_[place] - rate[place] * amounts_[leaving]);
        }
    }

    // -- integers --------------------------------------------------------------------------------

    bool round_to_integers(const std::vector<double>& worth) {
        for (int shares = 1; shares <= most_shares; ++shares) {
            bool close = true;
            for (std::size_t row = 0; row < items_.size() && close; ++row) {
                const double exact = worth[row] * shares;
                if (!(std::abs(exact) < 1e9)) return false;
                const double rounded = std::round(exact);
                close = std::abs(exact - rounded) < 1e-5;
                prices_[static_cast<std::size_t>(items_[row])] = static_cast<std::int64_t>(rounded);
            }
            if (close && proved()) return true;
        }
        return false;
    }

    bool proved() const noexcept {
        std::int64_t all = 0;
        for (const Int item : items_) {
            if (item >= problem().primary && price(item) > 0) return false;
            all += price(item);
            for (const Int option : standing_.options_of(item)) {
                if (standing_.stands(option) && objects(option)) return false;
            }
        }
        return all > 0;
    }

    const Standing& standing_;
    Verdict verdict_ = Verdict::running;
    std::vector<Int> items_;        // those that have prices: open, or secondary and never colored
    std::vector<std::size_t> row_;  // of each item: its place there, or nowhere
    std::uint64_t entries_ = 0;
    std::vector<Int> basis_;  // options, or -1 - row for a substitute
    std::vector<double> amounts_;
    std::vector<double> inverse_;
    std::uint64_t steps_left_ = 0;
    std::vector<std::int64_t> prices_;  // of all items
};

}  // namespace dlx
