// Farkas certificates: prices of items which prove that there is no solution.
//
// Example: nine pigeons, eight holes. Let each pigeon have the price 1, and each hole -1. An
// option, a pigeon in a hole, is worth 0 (the sum of its items' prices), so every set of options is
// worth 0. But all pigeons, and holes at most once, are worth at least 9 - 8. In general there is
// no solution if there are prices such that no option is worth more than 0, that secondary items
// (which need not be covered) have no price above 0, and that all items together are worth more
// than 0. For pigeons that is Hall's condition. In general it is Farkas' lemma: such prices exist
// if and only if there is not even a fractional solution, which takes, say, a third of one option
// and two thirds of another. explain/modular_certificate.hpp finds certificates by equations modulo
// a number; here they are by inequalities.
//
// The prices are found by the simplex method on fractional solutions. Each open primary item begins
// with an artificial variable that covers it at cost 1, each secondary item with one that covers it
// at cost 0, and the cost is minimised. If the minimum is above 0, the dual prices of the optimum
// are the certificate. The inverse of the basis is a dense matrix of items x items, so a step is
// O(items^2 + entries); there are a few steps for each item. Doubles are good enough to find
// prices, but they prove nothing: the prices are multiplied by a small number, rounded to integers,
// and checked exactly. The amounts to be covered are 1 plus a small number, different for each
// item: ties in the choice of steps could make the method cycle.
#pragma once

#include <cmath>

#include "core/active_options.hpp"
#include "core/engine.hpp"

namespace dlx {

class FarkasCertificate {
public:
    enum class Verdict : std::uint8_t { running, none, found };

    // For the open items and the active options; neither may change during the lifetime.
    explicit FarkasCertificate(const ActiveOptions& active) : active_(active) {
        row_.assign(static_cast<std::size_t>(problem().items), nowhere);
        prices_.assign(row_.size(), 0);
        for (Int item = active.next_open(ActiveOptions::none); item != ActiveOptions::none;
             item = active.next_open(item)) {
            add_row(item);
        }
        for (Int item = problem().primary; item < problem().items; ++item) {
            if (active.kept(item) && never_colored(item)) add_row(item);
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

    // Continues until there is a verdict or the time is up.
    Verdict run(Clock::time_point until) {
        while (verdict_ == Verdict::running && Clock::now() < until) step();
        return verdict_;
    }

    bool has_weight(Int item) const noexcept { return price(item) != 0; }

    // Would the option, if it were active, violate the certificate (be worth more than 0)?
    bool violates(Int option) const noexcept {
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
    static constexpr double nothing = 1e-8;  // numbers up to this size are rounding errors
    static constexpr int most_shares = 24;   // denominators tried

    const Problem& problem() const noexcept { return active_.problem(); }
    std::int64_t price(Int item) const noexcept { return prices_[static_cast<std::size_t>(item)]; }

    void add_row(Int item) {
        row_[static_cast<std::size_t>(item)] = items_.size();
        items_.push_back(item);
        entries_ += active_.options_of(item).size();
    }

    // Of a secondary item: may it be covered once at most?
    bool never_colored(Int item) const noexcept {
        if (!problem().colored()) return true;
        for (const Int option : active_.options_of(item)) {
            if (!active_.is_active(option)) continue;
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
        Int entering = ActiveOptions::none;  // an option, or -2 - row of a secondary item
        for (std::size_t row = 0; row < items_.size(); ++row) {
            const Int item = items_[row];
            if (item >= problem().primary && worth[row] > best) {
                best = worth[row];
                entering = -2 - static_cast<Int>(row);
            }
            for (const Int option : active_.options_of(item)) {
                if (!active_.is_active(option)) continue;
                const double sum = worth_of(option, worth);
                if (sum > best) {
                    best = sum;
                    entering = option;
                }
            }
        }
        if (entering == ActiveOptions::none) {
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

    // Brings an option, or the artificial variable of a secondary item, into the basis.
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
            for (const Int option : active_.options_of(item)) {
                if (active_.is_active(option) && violates(option)) return false;
            }
        }
        return all > 0;
    }

    const ActiveOptions& active_;
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
