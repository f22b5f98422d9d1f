// Weights that show at once that there is no solution.
//
// Two opposite corners are cut off a chessboard; can dominoes cover the rest? Let black cells weigh
// 1 and white ones -1. Every domino weighs 0, and so would all that they cover, but the board
// weighs 2. Or the parity of Langford pairs (dlx/analysis/explain.py has it): items weigh 1
// modulo 2. In general: if items can be given weights so that every option weighs 0, modulo some
// number, and all open items together do not, then there is no solution. Searches are very bad at
// finding that out, and elimination is good at it.
//
// Options are vectors over the field of p elements, and so is the sum of what they are to cover,
// the vector of ones. Weights as wanted exist just if ones is no combination of options. We keep a
// basis of some of the options, fully reduced: each of its vectors has a 1 at an item of its own,
// its pivot, where the others have 0. Reduce ones by it. If nothing is left, there are no weights.
// Otherwise choose an item f where something is. "What is left of a vector at f, when reduced" is a
// linear function, that is, weights: 1 for f, and minus what the basis vector has at f for its
// pivot. They are 0 for the basis, and not for ones. If there is an option that they are not 0 for,
// it goes into the basis; if there is none, we are done.
//
// So there are at most as many rounds as items, each with a look at all entries and one step of
// elimination: O(items x entries + items^3), and no more memory than a matrix of items x items.
//
// The largest prime below 2^31 finds all weights that are rational numbers, unless by a rare
// coincidence it does not; 2 finds parities.
#pragma once

#include <algorithm>

#include "core/active_options.hpp"
#include "core/engine.hpp"

namespace dlx {

class Balance {
public:
    using Number = std::uint64_t;
    static constexpr std::uint64_t most_work = 300'000'000;  // more is not worth it

    enum class Verdict : std::uint8_t { running, none, found };

    // Among the items that are open, and the options that stand; neither may change meanwhile.
    Balance(const Standing& standing, Number prime) : standing_(standing), prime_(prime) {
        std::uint64_t entries = 0;
        place_.assign(static_cast<std::size_t>(standing.problem().items), nowhere);
        for (Int item = standing.next_open(Standing::nobody); item != Standing::nobody;
             item = standing.next_open(item)) {
            place_[static_cast<std::size_t>(item)] = items_.size();
            items_.push_back(item);
            entries += static_cast<std::uint64_t>(standing.live(item));
        }
        const std::uint64_t size = items_.size();
        if (size > 0 && entries + size * size > most_work / size) verdict_ = Verdict::none;
        left_.assign(items_.size(), 1);
        pivot_of_.assign(items_.size(), nowhere);
        weigh();
    }

    // Goes on until the verdict is in or the time is up.
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
    bool objects(Int option) const noexcept { return weight_of(option) != 0; }

    // The weight of an option.
    Number weight_of(Int option) const noexcept {
        Number sum = 0;
        for (const std::size_t entry : entries_of(standing_.problem(), option)) {
            sum += weight(standing_.problem().item[entry]);
        }
        return sum % prime_;
    }

private:
    static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

    using Vector = std::vector<Number>;

    // Looks for an option that has a weight; with it, the basis is larger.
    void round() {
        for (const Int item : items_) {
            for (const Int option : standing_.options_of(item)) {
                if (!standing_.stands(option) || weight_of(option) == 0) continue;
                extend(option);
                weigh();
                return;
            }
        }
        verdict_ = Verdict::found;
    }

    // Weights that are 0 for the basis and not for what is left of ones.
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
        for (const std::size_t entry : entries_of(standing_.problem(), option)) {
            const Int item = standing_.problem().item[entry];
            if (const std::size_t place = place_[static_cast<std::size_t>(item)]; place != nowhere)
                vector[place] = 1;
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

    // Takes so much of the other vector away that nothing is left at its pivot.
    void reduce(Vector& vector, const Vector& other, std::size_t pivot) const {
        if (vector[pivot] == 0) return;
        const Number factor = prime_ - vector[pivot];
        for (std::size_t place = 0; place < vector.size(); ++place) {
            if (other[place] != 0) {
                vector[place] = (vector[place] + factor * other[place]) % prime_;
            }
        }
    }

    // By Fermat's theorem.
    Number inverse(Number number) const noexcept {
        Number result = 1;
        for (Number power = prime_ - 2; power > 0; power /= 2) {
            if (power % 2 != 0) result = result * number % prime_;
            number = number * number % prime_;
        }
        return result;
    }

    const Standing& standing_;
    Number prime_;  // below 2^31, so that products fit
    Verdict verdict_ = Verdict::running;
    std::vector<Int> items_;          // the open items
    std::vector<std::size_t> place_;  // of each item: its place there, or nowhere
    std::vector<Vector> basis_;
    std::vector<std::size_t> pivot_of_;  // by place: the basis vector whose pivot it is
    Vector left_;                        // of the vector of ones, reduced by the basis
    Vector weights_;
};

}  // namespace dlx
