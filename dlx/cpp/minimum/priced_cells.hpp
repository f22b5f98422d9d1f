// Cells with costs: an exact lower bound, maintained while options are taken and undone.
//
// Every open item has a price, and every option that is left a reduced cost, as in
// minimum/subgradient.hpp, but in integers, and no reduced cost is negative. Then
//
//     bound = cost of the options taken + prices of the open items
//
// Taking an option adds its reduced cost to the bound, because that is the difference between its
// cost and the prices of its items. When options are removed, the cheapest one of an item may be
// among them. If all options left to an item have a reduced cost of at least m > 0, its price is
// raised by m: their reduced costs decrease by m, none below zero, and the bound increases. (The
// price is the share of the cost that the item must pay. Knuth's bound has a fixed share for each
// item; here shares move between items.) To detect this, each item *watches* one option of reduced
// cost 0: the price of the item cannot be raised before that option is removed.
//
// The bound is used with a cutoff: every option whose reduced cost is more than cutoff - bound can
// be removed, because all solutions with it are too expensive. `least_refused` is the least bound
// of all that was removed for its cost: every solution that is not found costs at least that.
//
// With multiplicities the bound has two more cases. The price of an item counts as often as it must
// still be taken, or, if it is negative, as often as it may still be taken. And reduced costs may
// be negative: such an option lowers the bound by its reduced cost, because it may be taken or not:
//
//     bound = cost of the options taken + sum of price(i) * (price(i) < 0 ? bound(i) : need(i))
//             + sum of the negative reduced costs
//
// The bound is then a concave function of each price, with a bend where a reduced cost becomes 0.
// An item that lost an option, or was taken, gets the price at which the bound is highest.
//
// Costs are integers times a power of two, so that prices can be fractions.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "core/cells.hpp"
#include "core/int128.hpp"
#include "minimum/subgradient.hpp"

namespace dlx {

template <class Cost>  // std::numeric_limits does not know Int128
constexpr Cost largest = ((Cost{1} << (8 * sizeof(Cost) - 2)) - 1) * 2 + 1;

template <class Cost>
class PricedCells {
public:
    struct Mark {
        Cells::Mark cells;
        std::size_t events = 0;
        Cost bound = 0;
        Cost paid = 0;
    };

    // `cost`: of each option, scaled. `most`: above the absolute cost of any solution, scaled.
    PricedCells(const Problem& problem, std::vector<Cost> cost, Cost most)
        : cells_(problem),
          cost_(std::move(cost)),
          reduced_(cost_),
          price_(static_cast<std::size_t>(problem.items), 0),
          watched_(price_.size(), none),
          priced_(price_.size(), 1),
          queued_(price_.size(), 0),
          ceiling_(cost_.size() > most_swept ? cost_.size() / block + 1 : 0, largest<Cost>),
          most_(most),
          cutoff_(most),
          least_refused_(largest<Cost>) {
        if (!problem.colored()) return;
        for (std::size_t entry = 0; entry < problem.item.size(); ++entry) {
            if (problem.color[entry] != 0) priced_[index(problem.item[entry])] = 0;
        }
    }

    Cells& cells() noexcept { return cells_; }
    const Cells& cells() const noexcept { return cells_; }
    Cost bound() const noexcept { return bound_; }
    Cost paid() const noexcept { return paid_; }  // the cost of the options taken
    Cost cutoff() const noexcept { return cutoff_; }
    Cost cost(Int option) const noexcept { return cost_[index(option)]; }
    Cost reduced(Int option) const noexcept { return reduced_[index(option)]; }
    Cost least_refused() const noexcept { return least_refused_; }
    std::uint64_t work() const noexcept { return work_ + cells_.updates(); }

    void forget_work() noexcept {
        work_ = 0;
        cells_.forget_work();
    }

    // Solutions with a higher cost are not searched.
    void set_cutoff(Cost cutoff) noexcept { cutoff_ = std::min(cutoff, most_); }
    void forget_refused() noexcept { least_refused_ = largest<Cost>; }

    bool affordable(Cost bound) noexcept {
        if (bound <= cutoff_) return true;
        note_refused(bound);
        return false;
    }
    // With multiplicities, the bound of a solution may be below its cost.
    bool affordable_leaf() noexcept { return affordable(paid_); }
    void note_refused(Cost bound) noexcept { least_refused_ = std::min(least_refused_, bound); }

    // Takes a given option, before the search. It is never undone.
    bool take_given(Int option) {
        paid_ += cost_[index(option)];
        return cells_.take(option, [](Int, Int) {});
    }

    // -- prices ----------------------------------------------------------------------------------

    // The linear program of what is left, and the items that have prices in it.
    PricedRows rows(std::vector<Int>& items) const {
        PricedRows rows;
        std::vector<Int> number(price_.size(), -1);
        items.clear();
        for (const Int option : cells_.alive()) {
            for (const Int entry : cells_.entries_of(option)) {
                const Int item = cells_.item_of(entry);
                if (!priced_[index(item)]) continue;
                Int& known = number[index(item)];
                if (known < 0) {
                    known = static_cast<Int>(items.size());
                    items.push_back(item);
                    rows.low.push_back(least_times(item));
                    rows.high.push_back(most_times(item));
                }
                rows.item.push_back(known);
                if (cells_.weighted()) rows.weight.push_back(cells_.weight_of(entry));
            }
            rows.start.push_back(rows.item.size());
            rows.cost.push_back(static_cast<double>(cost_[index(option)]));
        }
        return rows;
    }

    // The rows of `rows()` without those whose reduced cost is larger than that.
    PricedRows without_expensive(const PricedRows& rows, Cost most_reduced) const {
        PricedRows kept;
        kept.low = rows.low;
        kept.high = rows.high;
        for (std::size_t row = 0; row < rows.cost.size(); ++row) {
            if (reduced_[index(cells_.alive()[row])] > most_reduced) continue;
            for (std::size_t at = rows.start[row]; at < rows.start[row + 1]; ++at) {
                kept.item.push_back(rows.item[at]);
                if (!rows.weight.empty()) kept.weight.push_back(rows.weight[at]);
            }
            kept.start.push_back(kept.item.size());
            kept.cost.push_back(rows.cost[row]);
        }
        return kept;
    }

    std::vector<double> prices(std::span<const Int> items) const {
        std::vector<double> prices;
        for (const Int item : items) prices.push_back(static_cast<double>(price_[index(item)]));
        return prices;
    }

    // Sets these prices, corrected so that no reduced cost is negative. `items` are all that have
    // prices. Returns false if all that is left is too expensive. Cannot be undone.
    bool set_prices(std::span<const Int> items, const std::vector<double>& prices) {
        for (std::size_t at = 0; at < items.size(); ++at) {
            price_[index(items[at])] = static_cast<Cost>(std::floor(prices[at]));
        }
        for (const Int option : cells_.alive()) {
            Cost reduced = cost_[index(option)];
            for (const Int entry : cells_.entries_of(option)) {
                reduced -= price_[index(cells_.item_of(entry))] * weight_of(entry);
            }
            set_reduced(option, reduced);
        }
        if (cells_.multiple()) return set_multiple_bound(items);
        // The price of an item is lowered by the most negative reduced cost of its options. That
        // does not lower the bound of minimum/subgradient.hpp, which subtracts all negative ones.
        for (const Int item : items) {
            Cost least = 0;
            for (const Int entry : cells_.left(item)) {
                least = std::min(least, reduced_[index(cells_.option_of(entry))]);
            }
            if (least < 0) shift(item, least);
        }
        bound_ = paid_;
        for (const Int item : items) bound_ += price_[index(item)];
        for (const Int item : cells_.open()) queue(item);
        for (const Int item : items) queue(item);
        return settle();
    }

    // The same in the middle of a search, and can be undone: looks for better prices with `steps`
    // steps of the subgradient method, and sets them if they are better. Returns false if all that
    // is left is too expensive.
    bool improve_prices(int steps) {
        std::vector<Int> items;
        PricedRows part = rows(items);
        std::vector<double> prices;
        for (const Int item : items) prices.push_back(static_cast<double>(price_[index(item)]));
        const auto room = static_cast<double>(cutoff_ - bound_);
        const auto paid = static_cast<double>(paid_);
        work_ += 2 * part.item.size();
        Subgradient search(std::move(part), std::move(prices), 2 * static_cast<double>(most_));
        search.aim(room * 1.05 + 1, room * 1e-3);
        const double before = static_cast<double>(bound_) - paid;
        while (steps-- > 0 && search.step()) {
            work_ += search.work() / 2;
            if (search.best() > before + room * 1.01 + 1) break;
        }
        if (search.best() < before + room * 0.02) return true;
        Saved saved;
        for (const Int option : cells_.alive()) {
            saved.options.emplace_back(option, reduced_[index(option)]);
        }
        for (const Int item : items) {
            saved.items.push_back({item, watched_[index(item)], price_[index(item)]});
        }
        saved_.push_back(std::move(saved));
        events_.push_back({everything, none, 0, cells_.mark()});
        return set_prices(items, search.best_prices());
    }

    // -- taking and undoing ----------------------------------------------------------------------

    Mark mark() const noexcept { return {cells_.mark(), events_.size(), bound_, paid_}; }

    // Takes an option; returns false if no affordable solution has it. Undo it in either case.
    bool take(Int option) {
        if (cells_.multiple()) return take_multiple(option);
        bound_ += reduced_[index(option)];
        paid_ += cost_[index(option)];
        const bool viable =
            cells_.take(option, [this](Int item, Int lost) { note_loss(item, lost); });
        if (!viable) {
            clear_queue();
            return false;
        }
        for (const Int entry : cells_.entries_of(option)) {
            const Int item = cells_.item_of(entry);
            if (!cells_.is_primary(item) && price_[index(item)] != 0) spend(item);
        }
        return settle() && sweep();
    }

    // Removes an option that a solution may have; returns false if there is none without it.
    bool exclude(Int option) {
        bound_ -= std::min<Cost>(reduced_[index(option)], 0);
        const bool viable =
            cells_.remove(option, [this](Int item, Int lost) { note_loss(item, lost); });
        if (!viable) clear_queue();
        return viable && settle() && affordable(bound_);
    }

    // Removes all options that have become too expensive, also after the cutoff was lowered.
    bool sweep() {
        if (!affordable(bound_)) return false;
        const Cost room = cutoff_ - bound_;
        if (!ceiling_.empty()) return sweep_blocks(room);
        const std::span<const Int> alive = cells_.alive();
        work_ += alive.size() / 4;
        for (std::size_t at = alive.size(); at-- > 0;) {
            if (!keep_within(room, alive[at])) return false;
        }
        return settle();  // secondary items may have lost all their options
    }

    void undo(const Mark& mark) noexcept {
        if (!ceiling_.empty()) {
            for (const Int option : cells_.removed_since(mark.cells)) ceiling_of(option) = unknown;
        }
        while (events_.size() > mark.events) {
            const Event& event = events_.back();
            if (event.item == everything) {
                restore();
                events_.pop_back();
                continue;
            }
            watched_[index(event.item)] = event.watched;
            price_[index(event.item)] -= event.amount;
            if (event.amount != 0) {
                cells_.undo(event.cells);
                for (const Int entry : cells_.left(event.item)) {
                    const Int option = cells_.option_of(entry);
                    set_reduced(option, reduced(option) + event.amount * weight_of(entry));
                }
            }
            events_.pop_back();
        }
        cells_.undo(mark.cells);
        bound_ = mark.bound;
        paid_ = mark.paid;
    }

private:
    static constexpr Int none = -1;
    static constexpr std::size_t most_swept = 4096;  // options, all of which `sweep` reads
    static constexpr std::size_t block = 256;        // options; of more options it reads blocks
    static constexpr Cost unknown = largest<Cost>;
    static constexpr Int everything = -2;  // in place of an item: all prices were changed

    struct Event {
        Int item;
        Int watched;  // before
        Cost amount;  // by which the price was raised
        Cells::Mark cells;
    };

    struct Turn {
        Cost at;
        Int weight;
        bool operator<(const Turn& other) const noexcept { return at < other.at; }
    };

    struct PriceOf {
        Int item;
        Int watched;
        Cost price;
    };

    // All prices and reduced costs before they were changed.
    struct Saved {
        std::vector<std::pair<Int, Cost>> options;
        std::vector<PriceOf> items;
    };

    void restore() noexcept {
        for (const auto& [option, reduced] : saved_.back().options) {
            set_reduced(option, reduced);
        }
        for (const PriceOf& one : saved_.back().items) {
            price_[index(one.item)] = one.price;
            watched_[index(one.item)] = one.watched;
        }
        saved_.pop_back();
    }

    // An upper bound on the reduced costs of the options in the block of this one.
    Cost& ceiling_of(Int option) noexcept { return ceiling_[index(option) / block]; }

    void set_reduced(Int option, Cost reduced) noexcept {
        if (!ceiling_.empty() && reduced > ceiling_of(option)) ceiling_of(option) = reduced;
        reduced_[index(option)] = reduced;
    }

    // Removes an option if its reduced cost is more than that. Returns whether solutions are left.
    bool keep_within(Cost room, Int option) {
        if (reduced_[index(option)] <= room) return true;
        affordable(bound_ + reduced_[index(option)]);
        const bool viable =
            cells_.remove(option, [this](Int item, Int lost) { note_loss(item, lost); });
        if (!viable) clear_queue();
        return viable;
    }

    // `sweep` for many options: reads those blocks that may have one that is too expensive.
    bool sweep_blocks(Cost room) {
        work_ += ceiling_.size() / 4;
        for (std::size_t at = 0; at < ceiling_.size(); ++at) {
            if (ceiling_[at] <= room) continue;
            work_ += block / 4;
            Cost most = -largest<Cost>;
            const std::size_t last = std::min((at + 1) * block, reduced_.size());
            for (std::size_t place = at * block; place < last; ++place) {
                const auto option = static_cast<Int>(place);
                if (!cells_.is_alive(option)) continue;
                if (!keep_within(room, option)) return false;
                if (reduced_[place] <= room) most = std::max(most, reduced_[place]);
            }
            ceiling_[at] = most;
        }
        return settle();
    }

    void queue(Int item) {
        if (queued_[index(item)]) return;
        queued_[index(item)] = 1;
        queue_.push_back(item);
    }

    void clear_queue() noexcept {
        for (const Int item : queue_) queued_[index(item)] = 0;
        queue_.clear();
    }

    void note_loss(Int item, Int option) {
        if (cells_.multiple() ? reduced_[index(option)] <= 0 : watched_[index(item)] == option) {
            queue(item);
        }
    }

    // -- multiplicities --------------------------------------------------------------------------

    Int weight_of(Int entry) const noexcept { return cells_.weight_of(entry); }

    Int least_times(Int item) const noexcept {
        return cells_.is_primary(item) ? cells_.need(item) : 0;
    }
    Int most_times(Int item) const noexcept {
        return cells_.is_primary(item) ? cells_.bound(item) : 1;
    }

    // What the price of an item adds to the bound.
    Cost payment(Int item, Cost price) const noexcept {
        return price * (price < 0 ? most_times(item) : least_times(item));
    }
    Cost payment(Int item) const noexcept { return payment(item, price_[index(item)]); }

    bool set_multiple_bound(std::span<const Int> items) {
        bound_ = paid_;
        for (const Int item : items) bound_ += payment(item);
        for (const Int option : cells_.alive()) {
            bound_ += std::min<Cost>(reduced_[index(option)], 0);
        }
        for (const Int item : items) queue(item);
        return settle();
    }

    bool take_multiple(Int option) {
        Cost before = std::min<Cost>(reduced_[index(option)], 0);
        for (const Int entry : cells_.entries_of(option)) before += payment(cells_.item_of(entry));
        const Cells::Mark mark = cells_.mark();
        const bool viable =
            cells_.take(option, [this](Int item, Int lost) { note_loss(item, lost); });
        paid_ += cost_[index(option)];
        if (!viable) {
            clear_queue();
            return false;
        }
        Cost after = cost_[index(option)];
        for (const Int entry : cells_.entries_of(option)) {
            const Int item = cells_.item_of(entry);
            if (!cells_.is_primary(item) && price_[index(item)] != 0) spend(item);
            after += payment(item);
            queue(item);
        }
        for (const Int lost : cells_.removed_since(mark)) {
            if (lost != option) after -= std::min<Cost>(reduced_[index(lost)], 0);
        }
        bound_ += after - before;
        return settle() && sweep();
    }

    // Gives an item the price at which the bound is highest. The reduced cost of an option becomes
    // 0 where the price is its *turn*. With need n, the bound ascends up to the n-th turn.
    void reprice(Int item) {
        turns_.clear();
        const Cost price = price_[index(item)];
        const std::span<const Int> left = cells_.left(item);
        work_ += left.size();
        for (const Int entry : left) {
            const Cost reduced = reduced_[index(cells_.option_of(entry))];
            const Int weight = weight_of(entry);
            turns_.push_back({floor_of(reduced, weight) + price, weight});
        }
        const Int least = least_times(item);
        Cost best = least > 0 ? turn_of(least, 0) : 0;
        if (best <= 0) best = std::min<Cost>(turn_of(most_times(item), 0), 0);
        if (best == price) return;
        Cost gain = payment(item, best) - payment(item, price);
        for (const Int entry : left) {
            const Cost reduced = reduced_[index(cells_.option_of(entry))];
            const Cost after = reduced - (best - price) * weight_of(entry);
            gain += std::min<Cost>(after, 0) - std::min<Cost>(reduced, 0);
        }
        if (gain <= 0) return;
        events_.push_back({item, watched_[index(item)], best - price, cells_.mark()});
        shift(item, best - price);
        bound_ += gain;
    }

    // The least turn such that the options of this turn or less have at least this weight in
    // total; `otherwise` if all options together have less.
    Cost turn_of(Int weight, Cost otherwise) {
        if (weight <= 0) return otherwise;
        if (weight == 1) {
            const auto least = std::min_element(turns_.begin(), turns_.end());
            return least == turns_.end() ? otherwise : least->at;
        }
        std::sort(turns_.begin(), turns_.end());
        std::int64_t total = 0;
        for (const Turn& one : turns_) {
            total += one.weight;
            if (total >= weight) return one.at;
        }
        return otherwise;
    }

    static Cost floor_of(Cost number, Int divisor) noexcept {
        if (divisor == 1) return number;
        const Cost down = number / divisor;
        return down * divisor > number ? down - 1 : down;
    }

    // -- repairs ---------------------------------------------------------------------------------

    std::pair<Cost, Int> least_of(Int item) noexcept {
        Cost least = largest<Cost>;
        Int cheapest = none;
        const std::span<const Int> left = cells_.left(item);
        work_ += left.size();
        for (const Int entry : left) {
            const Int option = cells_.option_of(entry);
            if (reduced_[index(option)] < least) {
                least = reduced_[index(option)];
                cheapest = option;
                if (least == 0) break;
            }
        }
        return {least, cheapest};
    }

    void shift(Int item, Cost amount) noexcept {
        price_[index(item)] += amount;
        const std::span<const Int> left = cells_.left(item);
        work_ += left.size();
        for (const Int entry : left) {
            const Int option = cells_.option_of(entry);
            set_reduced(option, reduced(option) - amount * weight_of(entry));
        }
    }

    // Removes the price of a secondary item: it has been paid with the option taken.
    void spend(Int item) {
        events_.push_back({item, watched_[index(item)], -price_[index(item)], cells_.mark()});
        price_[index(item)] = 0;
    }

    bool settle_multiple() {
        while (!queue_.empty()) {
            const Int item = queue_.back();
            queue_.pop_back();
            queued_[index(item)] = 0;
            if (!priced_[index(item)]) continue;
            if (cells_.is_primary(item) && !cells_.is_open(item)) continue;
            reprice(item);
            if (!affordable(bound_)) {
                clear_queue();
                return false;
            }
        }
        return true;
    }

    // Raises prices until every item has an option of reduced cost 0.
    bool settle() {
        if (cells_.multiple()) return settle_multiple();
        while (!queue_.empty()) {
            const Int item = queue_.back();
            queue_.pop_back();
            queued_[index(item)] = 0;
            const bool primary = cells_.is_primary(item);
            if (primary ? !cells_.is_open(item) : price_[index(item)] == 0) continue;
            auto [least, cheapest] = least_of(item);
            if (primary && cheapest == none) {
                clear_queue();
                return false;
            }
            if (!primary) least = std::min(least, -price_[index(item)]);
            events_.push_back({item, watched_[index(item)], least, cells_.mark()});
            watched_[index(item)] = cheapest;
            if (least == 0) continue;
            shift(item, least);
            bound_ += least;
            if (!affordable(bound_)) {
                clear_queue();
                return false;
            }
        }
        return true;
    }

    Cells cells_;
    std::vector<Cost> cost_;
    std::vector<Cost> reduced_;
    std::vector<Cost> price_;
    std::vector<Int> watched_;
    std::vector<char> priced_;
    std::vector<char> queued_;
    std::vector<Int> queue_;
    std::vector<Event> events_;
    std::vector<Saved> saved_;
    std::vector<Turn> turns_;    // of one item's options
    std::vector<Cost> ceiling_;  // of each block of options; empty if there are not many
    Cost most_;
    Cost cutoff_;
    Cost least_refused_;
    Cost bound_ = 0;
    Cost paid_ = 0;
    std::uint64_t work_ = 0;
};

}  // namespace dlx
