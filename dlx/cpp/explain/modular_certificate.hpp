// Modular certificates: weights of items which prove that there is no solution.
//
// Example: two opposite corners are cut off a chessboard; can dominoes cover the rest? Let black
// cells weigh 1 and white ones -1. Every domino weighs 0, so a solution would weigh 0, but the
// board weighs 2. Another example is the parity of Langford pairs (see dlx/analysis/explain.py):
// items weigh 1 modulo 2. In general, there is no solution if items can be given weights so that
// every option weighs 0 modulo some number, and all open items together do not. A search would take
// very long to prove that; elimination is fast.
//
// Options are vectors over the field of p elements. The sum that they must have is the vector of
// ones. The weights exist if and only if `ones` is not a linear combination of options. We keep a
// basis of some of the options, fully reduced: each of its vectors has a 1 at its pivot item, where
// the others have 0. Reduce `ones` by it. If the result is 0, there are no weights. Otherwise
// choose an item f where it is not 0. "The value at f of a vector after its reduction" is a linear
// function, given by weights: 1 for f, and for the pivot of each basis vector minus its value at f.
// The weights are 0 for the basis, and not for `ones`. If an option has another weight than 0, add
// it to the basis and repeat; otherwise the weights are the certificate.
//
// So there are at most as many rounds as items, each of which reads all entries and makes one step
// of elimination: O(items x entries + items^3) time, and memory for a matrix of items x items.
//
// With multiplicities, an item that must be covered exactly n times takes part: it counts n in
// `ones`, and its weight in an option as often as the option covers it. Other bounds are no
// equations, so their items weigh 0.
//
// The largest prime below 2^31 finds all weights that are rational numbers, except by a rare
// coincidence; 2 finds parities.
#pragma once

#include <algorithm>

#include "core/active_options.hpp"
#include "core/engine.hpp"

namespace dlx {

class ModularCertificate {
public:
    using Number = std::uint64_t;
    static constexpr std::uint64_t most_work = 300'000'000;  // give up beyond this

    enum class Verdict : std::uint8_t { running, none, found };

    // For the open items and the active options; neither may change during the lifetime.
    ModularCertificate(const ActiveOptions& active, Number prime) : active_(active), prime_(prime) {
        std::uint64_t entries = 0;
        place_.assign(static_cast<std::size_t>(active.problem().items), nowhere);
        for (Int item = active.next_open(ActiveOptions::none); item != ActiveOptions::none;
             item = active.next_open(item)) {
            if (active.problem().multiple() && active.need(item) != active.bound(item)) continue;
            place_[static_cast<std::size_t>(item)] = items_.size();
            items_.push_back(item);
            left_.push_back(
                active.problem().multiple() ? static_cast<Number>(active.need(item)) % prime : 1);
            entries += active.options_of(item).size();
        }
        const std::uint64_t size = items_.size();
        if (size > 0 && entries + size * size > most_work / size) verdict_ = Verdict::none;
        pivot_of_.assign(items_.size(), nowhere);
        weigh();
    }

    // Continues until there is a verdict or the time is up.
    Verdict run(Clock::time_point until) {
        while (verdict_ == Verdict::running && Clock::now() < until) round();
        return verdict_;
    }

    // The weight of an item, 0 for one that is not open.
    Number weight(Int item) const noexcept {
        const std::size_t place = place_[static_cast<std::size_t>(item)];
        return place == nowhere ? 0 : weights_[place];
    }

    bool has_weight(Int item) const noexcept { return weight(item) != 0; }
    bool violates(Int option) const noexcept { return weight_of(option) != 0; }

    // The weight of an option.
    Number weight_of(Int option) const noexcept {
        Number sum = 0;
        for (const std::size_t entry : entries_of(active_.problem(), option)) {
            sum += weight(active_.problem().item[entry]) * times(entry) % prime_;
        }
        return sum % prime_;
    }

private:
    static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

    using Vector = std::vector<Number>;

    Number times(std::size_t entry) const noexcept {
        return static_cast<Number>(active_.problem().weight_of(static_cast<Int>(entry))) % prime_;
    }

    // Looks for an option whose weight is not 0 and adds it to the basis.
    void round() {
        for (const Int item : items_) {
            for (const Int option : active_.options_of(item)) {
                if (!active_.is_active(option) || weight_of(option) == 0) continue;
                extend(option);
                weigh();
                return;
            }
        }
        verdict_ = Verdict::found;
    }

    // Computes weights that are 0 for the basis and not for the reduced vector of ones.
    void weigh() {
        const auto rest = std::find_if(left_.begin(), left_.end(), [](Number n) { return n != 0; });
        if (rest == left_.end()) verdict_ = Verdict::none;
        if (verdict_ == Verdict::none) return;
        const auto chosen = static_cast<std::size_t>(rest - left_.begin());
        weights_.assign(items_.size(), 0);
        weights_[chosen] = 1;
        for (std::size_t place = 0; place < items_.size(); ++place) {
            if (pivot_of_[place] == nowhere) continue;
            const Number has = basis_[pivot_of_[place]][chosen];
            weights_[place] = has == 0 ? 0 : prime_ - has;
        }
    }

    void extend(Int option) {
        Vector vector(items_.size(), 0);
        for (const std::size_t entry : entries_of(active_.problem(), option)) {
            const Int item = active_.problem().item[entry];
            if (const std::size_t place = place_[static_cast<std::size_t>(item)]; place != nowhere)
                vector[place] = times(entry);
        }
        for (std::size_t place = 0; place < items_.size(); ++place) {
            if (pivot_of_[place] != nowhere) reduce(vector, basis_[pivot_of_[place]], place);
        }
        const auto found =
            std::find_if(vector.begin(), vector.end(), [](Number n) { return n != 0; });
        const auto pivot = static_cast<std::size_t>(found - vector.begin());
        const Number scale = inverse(*found);
        for (Number& number : vector) number = number * scale % prime_;
        for (Vector& other : basis_) reduce(other, vector, pivot);
        reduce(left_, vector, pivot);
        pivot_of_[pivot] = basis_.size();
        basis_.push_back(std::move(vector));
    }

    // Subtracts a multiple of the other vector so that the value at its pivot becomes 0.
    void reduce(Vector& vector, const Vector& other, std::size_t pivot) const {
        if (vector[pivot] == 0) return;
        const Number factor = prime_ - vector[pivot];
        for (std::size_t place = 0; place < vector.size(); ++place) {
            if (other[place] != 0) {
                vector[place] = (vector[place] + factor * other[place]) % prime_;
            }
        }
    }

    // The inverse modulo the prime, by Fermat's theorem.
    Number inverse(Number number) const noexcept {
        Number result = 1;
        for (Number power = prime_ - 2; power > 0; power /= 2) {
            if (power % 2 != 0) result = result * number % prime_;
            number = number * number % prime_;
        }
        return result;
    }

    const ActiveOptions& active_;
    Number prime_;  // below 2^31, so that products fit
    Verdict verdict_ = Verdict::running;
    std::vector<Int> items_;          // the open items that are equations
    std::vector<std::size_t> place_;  // of each item: its place there, or nowhere
    std::vector<Vector> basis_;
    std::vector<std::size_t> pivot_of_;  // by place: the basis vector whose pivot it is
    Vector left_;                        // of the vector of ones, reduced by the basis
    Vector weights_;
};

}  // namespace dlx
