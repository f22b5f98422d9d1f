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
// With multiplicities, an item with a price above 0 is worth at least its price times its need, and
// one with a price below 0 its price times its bound. If these differ, the simplex method has two
// rows for the item: "at least its need" and "at most its bound". And an option may be worth more
// than 0, since it is taken once at most, if all items together are worth more than such options.
// In the simplex method it is then a variable with the upper bound 1, which is in the basis, at 0
// or at 1.
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
#include <limits>

#include "core/active_options.hpp"
#include "core/engine.hpp"

namespace dlx {

class FarkasCertificate {
public:
    enum class Verdict : std::uint8_t { running, none, found };

    // For the open items and the active options; neither may change during the lifetime.
    explicit FarkasCertificate(const ActiveOptions& active) : active_(active) {
        row_.assign(static_cast<std::size_t>(problem().items), nowhere);
        limit_row_.assign(problem().multiple() ? row_.size() : 0, nowhere);
        prices_.assign(row_.size(), 0);
        for (Int item = active.next_open(ActiveOptions::none); item != ActiveOptions::none;
             item = active.next_open(item)) {
            const auto place = static_cast<std::size_t>(item);
            const bool exact = !problem().multiple() || active.need(item) == active.bound(item);
            if (exact || active.need(item) > 0) {
                row_[place] = add_row(item, exact ? Kind::exactly : Kind::at_least);
            }
            if (!exact) limit_row_[place] = add_row(item, Kind::at_most);
        }
        for (Int item = problem().primary; item < problem().items; ++item) {
            if (active.kept(item) && never_colored(item)) {
                row_[static_cast<std::size_t>(item)] = add_row(item, Kind::at_most);
            }
        }
        const std::uint64_t size = items_.size();
        if (size > 0 && (entries_ + size * size) > most_work / size) verdict_ = Verdict::none;
        if (verdict_ == Verdict::none) return;
        inverse_.assign(size * size, 0);
        for (std::size_t row = 0; row < size; ++row) {
            inverse_[row * size + row] = 1;
            basis_.push_back(-1 - static_cast<Int>(row));
            const auto spread = static_cast<double>(row * 7919 % 1009 + 1) / 1009;
            amounts_.push_back(static_cast<double>(amount_of(row)) + little * spread);
        }
        steps_left_ = 20 * size + 100;
        if (problem().multiple()) {
            taken_.assign(static_cast<std::size_t>(problem().options()), 0);
            steps_left_ += 4 * taken_.size();
        }
    }

    // Continues until there is a verdict or the time is up.
    Verdict run(Clock::time_point until) {
        while (verdict_ == Verdict::running && Clock::now() < until) step();
        return verdict_;
    }

    bool has_weight(Int item) const noexcept { return price(item) != 0; }

    // Would the option, if it were active, violate the certificate (be worth more than 0)?
    bool violates(Int option) const noexcept { return worth_of(option) > 0; }

    // The two sides of the contradiction. The items with a price above 0 need `demand`, each need
    // times its price. The options are worth as much at most: `supply`, which the items with a
    // price below 0 allow, each bound times its price, and `beside`, the options that are worth
    // more than 0.
    struct Sums {
        std::int64_t demand = 0;
        std::int64_t supply = 0;
        std::int64_t beside = 0;
    };

    // Call it after `found`. O(entries).
    Sums sums() const noexcept {
        Sums sums;
        for (std::size_t row = 0; row < items_.size(); ++row) {
            const Int item = items_[row];
            if (row > 0 && items_[row - 1] == item) continue;  // its other row
            const std::int64_t worth = price(item) * amount_at_price(item);
            (worth > 0 ? sums.demand : sums.supply) += worth > 0 ? worth : -worth;
        }
        for (Int option = 0; problem().multiple() && option < problem().options(); ++option) {
            if (active_.is_active(option)) {
                sums.beside += std::max<std::int64_t>(0, worth_of(option));
            }
        }
        return sums;
    }

    // The price of an item, 0 for most. An item with multiplicities has a price for its need if it
    // is above 0, and for its bound if it is below.
    std::int64_t price(Int item) const noexcept { return prices_[static_cast<std::size_t>(item)]; }

private:
    static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
    static constexpr std::uint64_t most_work = 100'000'000;
    static constexpr double little = 1e-5;
    static constexpr double nothing = 1e-8;  // numbers up to this size are rounding errors
    static constexpr int most_shares = 24;   // denominators tried
    static constexpr double infinity = std::numeric_limits<double>::infinity();

    const Problem& problem() const noexcept { return active_.problem(); }

    // The sum of the prices of an option's items.
    std::int64_t worth_of(Int option) const noexcept {
        std::int64_t sum = 0;
        for (const std::size_t entry : entries_of(problem(), option)) {
            sum += price(problem().item[entry]) * weight_of(entry);
        }
        return sum;
    }

    enum class Kind : std::uint8_t { exactly, at_least, at_most };

    std::size_t add_row(Int item, Kind kind) {
        items_.push_back(item);
        kinds_.push_back(kind);
        entries_ += active_.options_of(item).size();
        return items_.size() - 1;
    }

    // How much of the row's item must, or may, be covered.
    std::int64_t amount_of(std::size_t row) const noexcept {
        const Int item = items_[row];
        if (!problem().multiple() || item >= problem().primary) return 1;
        return kinds_[row] == Kind::at_most ? active_.bound(item) : active_.need(item);
    }

    std::int64_t weight_of(std::size_t entry) const noexcept {
        return problem().weight_of(static_cast<Int>(entry));
    }

    // Calls `visit` with each row of an option's items, and how often the option covers the item.
    template <class Visit>
    void each_row(Int option, Visit visit) const {
        for (const std::size_t entry : entries_of(problem(), option)) {
            const auto item = static_cast<std::size_t>(problem().item[entry]);
            const auto times = static_cast<double>(weight_of(entry));
            if (row_[item] != nowhere) visit(row_[item], times);
            if (!limit_row_.empty() && limit_row_[item] != nowhere) visit(limit_row_[item], times);
        }
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
        // An option, or -2 - row for what an item is covered less than at most, or -2 - rows - row
        // for what it is covered more than at least.
        Int entering = ActiveOptions::none;
        for (std::size_t row = 0; row < items_.size(); ++row) {
            const Int item = items_[row];
            const double spare = kinds_[row] == Kind::at_most ? worth[row] : -worth[row];
            if (kinds_[row] != Kind::exactly && spare > best) {
                best = spare;
                const std::size_t above = kinds_[row] == Kind::at_least ? items_.size() : 0;
                entering = -2 - static_cast<Int>(above + row);
            }
            for (const Int option : active_.options_of(item)) {
                if (!active_.is_active(option)) continue;
                const double sum =
                    is_taken(option) ? -worth_of(option, worth) : worth_of(option, worth);
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
        const auto row = static_cast<std::size_t>(-1 - column);
        return row < items_.size() && kinds_[row] != Kind::at_most ? 1 : 0;
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
        each_row(option, [&](std::size_t row, double times) { sum += worth[row] * times; });
        return sum;
    }

    // Is the variable of an option outside of the basis at its upper bound?
    bool is_taken(Int option) const noexcept {
        return !taken_.empty() && taken_[static_cast<std::size_t>(option)] != 0;
    }

    // Has the variable in this place of the basis the upper bound 1?
    bool is_limited(std::size_t place) const noexcept {
        return !taken_.empty() && basis_[place] >= 0;
    }

    // Brings an option, or what an item is covered less or more, into the basis.
    void enter(Int entering) {
        const std::size_t size = items_.size();
        std::vector<double> rate(size, 0);  // how fast the amounts in the basis go down
        const auto add_column = [&](std::size_t row, double times) {
            for (std::size_t place = 0; place < size; ++place) {
                rate[place] += times * inverse_[place * size + row];
            }
        };
        if (entering < 0) {
            const auto row = static_cast<std::size_t>(-2 - entering);
            add_column(row % size, row < size ? 1 : -1);
        } else {
            each_row(entering, add_column);
        }
        // How far the entering variable goes, down from 1 if it is at its upper bound, until the
        // first of the others, or it itself, is at a bound.
        const double sign = entering >= 0 && is_taken(entering) ? -1 : 1;
        double change = entering >= 0 && !taken_.empty() ? 1 : infinity;
        std::size_t leaving = nowhere;
        for (std::size_t place = 0; place < size; ++place) {
            const double down = sign * rate[place];
            double most = infinity;
            if (down > nothing) most = amounts_[place] / down;
            if (down < -nothing && is_limited(place)) most = (1 - amounts_[place]) / -down;
            if (most < change) {
                change = most;
                leaving = place;
            }
        }
        if (change == infinity) {  // not in exact arithmetic
            verdict_ = Verdict::none;
            return;
        }
        change = std::max(0.0, change);
        for (std::size_t place = 0; place < size; ++place) {
            amounts_[place] = std::max(0.0, amounts_[place] - sign * rate[place] * change);
        }
        if (leaving == nowhere) {
            taken_[static_cast<std::size_t>(entering)] ^= 1;
            return;
        }
        if (!taken_.empty()) {
            if (basis_[leaving] >= 0) {
                taken_[static_cast<std::size_t>(basis_[leaving])] = sign * rate[leaving] < 0;
            }
            if (entering >= 0) taken_[static_cast<std::size_t>(entering)] = 0;
        }
        amounts_[leaving] = sign > 0 ? change : 1 - change;
        basis_[leaving] = entering < 0 ? entering + 1 : entering;
        double* const pivot = &inverse_[leaving * size];
        for (std::size_t row = 0; row < size; ++row) pivot[row] /= rate[leaving];
        for (std::size_t place = 0; place < size; ++place) {
            if (place == leaving || rate[place] == 0) continue;
            double* const other = &inverse_[place * size];
            for (std::size_t row = 0; row < size; ++row) other[row] -= rate[place] * pivot[row];
        }
    }

    // -- integers --------------------------------------------------------------------------------

    bool round_to_integers(const std::vector<double>& worth) {
        for (int shares = 1; shares <= most_shares; ++shares) {
            bool close = true;
            std::fill(prices_.begin(), prices_.end(), 0);
            for (std::size_t row = 0; row < items_.size() && close; ++row) {
                const double exact = worth[row] * shares;
                if (!(std::abs(exact) < 1e9)) return false;
                const double rounded = std::round(exact);
                close = std::abs(exact - rounded) < 1e-5;
                prices_[static_cast<std::size_t>(items_[row])] +=
                    static_cast<std::int64_t>(rounded);
            }
            if (close && proved()) return true;
        }
        return false;
    }

    bool proved() const noexcept {
        for (const Int item : items_) {
            if (item >= problem().primary && price(item) > 0) return false;
            if (problem().multiple()) continue;
            for (const Int option : active_.options_of(item)) {
                if (active_.is_active(option) && worth_of(option) > 0) return false;
            }
        }
        const Sums all = sums();
        return all.demand > all.supply + all.beside;
    }

    // The amount of an item that has the least worth: its need if the price is above 0.
    std::int64_t amount_at_price(Int item) const noexcept {
        if (!problem().multiple() || item >= problem().primary) return 1;
        return price(item) > 0 ? active_.need(item) : active_.bound(item);
    }

    const ActiveOptions& active_;
    Verdict verdict_ = Verdict::running;
    std::vector<Int> items_;              // of each row: open, or secondary and never colored
    std::vector<Kind> kinds_;             // of each row
    std::vector<std::size_t> row_;        // of each item, or nowhere
    std::vector<std::size_t> limit_row_;  // of each item whose bounds differ: the row of the upper
    std::uint64_t entries_ = 0;
    std::vector<Int> basis_;  // options, -1 - row for a substitute, -1 - rows - row (see `step`)
    std::vector<double> amounts_;
    std::vector<double> inverse_;
    std::vector<std::uint8_t> taken_;  // with multiplicities, of each option: see is_taken
    std::uint64_t steps_left_ = 0;
    std::vector<std::int64_t> prices_;  // of all items
};

}  // namespace dlx
