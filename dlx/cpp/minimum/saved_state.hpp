// The state of a search for the cheapest solutions as a list of integers, for a checkpoint.
//
// Costs in it are whole numbers, without the scale of minimum/scale.hpp: a bound is rounded up to
// the next cost that a solution can have. Prices are not saved. A resumed search computes them
// anew, and may then remove other options than the first one did. That does not matter, because
// what is left is saved as subproblems of the walks, which do not depend on prices.
//
// A state may come from a stranger. So the reader checks every number, and throws
// std::invalid_argument; a state that it accepts may have a wrong answer, but breaks nothing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/problem.hpp"
#include "minimum/minimum.hpp"
#include "minimum/walk.hpp"

namespace dlx {

using Words = std::vector<std::int64_t>;

class StateWriter {
public:
    void put(std::int64_t number) { words_.push_back(number); }
    void put_size(std::size_t size) { put(static_cast<std::int64_t>(size)); }

    void put_optional(std::optional<std::int64_t> number) {
        put(number.has_value() ? 1 : 0);
        if (number) put(*number);
    }
    void put_options(std::span<const Int> options) {
        put_size(options.size());
        for (const Int option : options) put_option(option);
    }
    void put_option(Int option) { put(option == no_more ? -1 : option); }

    void put_solutions(std::span<const Costed> solutions) {
        put_size(solutions.size());
        for (const Costed& one : solutions) put_options(one.options);
    }
    void put_words(const Words& words) {
        put_size(words.size());
        words_.insert(words_.end(), words.begin(), words.end());
    }

    // Paths of subproblems mostly begin like that of the one before, so only the rest is put.
    template <class Cost, class ToCost>
    void put_subproblems(std::span<const Subproblem<Cost>> all, ToCost&& cost_of_bound) {
        put_size(all.size());
        std::span<const Move> before;
        for (const Subproblem<Cost>& one : all) {
            const auto same = [](const Move& some, const Move& other) {
                return some.option == other.option && some.taken == other.taken;
            };
            const auto differs =
                std::mismatch(before.begin(), before.end(), one.path.begin(), one.path.end(), same)
                    .first;
            const auto shared = static_cast<std::size_t>(differs - before.begin());
            put_size(shared);
            put_size(one.path.size() - shared);
            for (std::size_t at = shared; at < one.path.size(); ++at) {
                put(2 * std::int64_t{one.path[at].option} + (one.path[at].taken ? 1 : 0));
            }
            put(one.item);
            put(one.several ? 1 : 0);
            put(cost_of_bound(one.bound));
            put_options(one.options);
            before = one.path;
        }
    }

    Words take() { return std::move(words_); }

private:
    Words words_;
};

class StateReader {
public:
    StateReader(std::span<const std::int64_t> words, const Problem& problem,
                std::span<const Int> given, std::span<const std::int64_t> cost)
        : words_(words), problem_(problem), given_(given), cost_(cost) {}

    std::int64_t next() {
        if (at_ == words_.size()) refuse();
        return words_[at_++];
    }
    std::int64_t next(std::int64_t least, std::int64_t most) {
        const std::int64_t number = next();
        if (number < least || number > most) refuse();
        return number;
    }
    bool flag() { return next(0, 1) == 1; }

    // A number of things, each of which takes at least one word.
    std::size_t size() {
        return static_cast<std::size_t>(next(0, static_cast<std::int64_t>(words_.size() - at_)));
    }
    // A cost or a bound, which no solution exceeds in absolute value.
    std::int64_t cost() { return next(-most_cost(), most_cost()); }
    std::optional<std::int64_t> optional_cost() {
        if (!flag()) return std::nullopt;
        return cost();
    }

    Int option() {
        const std::int64_t number = next(-1, problem_.options() - 1);
        return number < 0 ? no_more : static_cast<Int>(number);
    }
    std::vector<Int> options() {
        std::vector<Int> all(size());
        for (Int& one : all) one = option();
        return all;
    }

    std::vector<Costed> solutions() {
        std::vector<Costed> all(size());
        for (Costed& one : all) one = solution();
        return all;
    }
    Costed solution() {
        Costed one{0, options(), {}};
        if (!is_solution(one.options)) refuse();
        for (const Int chosen : one.options) one.cost += cost_[index(chosen)];
        return one;
    }

    std::span<const std::int64_t> words() {
        const std::size_t length = size();
        const auto some = words_.subspan(at_, length);
        at_ += length;
        return some;
    }

    template <class Cost, class ToBound>
    std::vector<Subproblem<Cost>> subproblems(ToBound&& bound_of_cost) {
        std::vector<Subproblem<Cost>> all(size());
        std::vector<Move> path;
        std::size_t total = 0;
        for (Subproblem<Cost>& one : all) {
            path.resize(static_cast<std::size_t>(next(0, static_cast<std::int64_t>(path.size()))));
            for (std::size_t more = size(); more > 0; --more) {
                const std::int64_t move = next(0, 2 * std::int64_t{problem_.options()} - 1);
                path.push_back({static_cast<Int>(move / 2), move % 2 == 1});
            }
            if (path.size() > index(problem_.options())) refuse();
            if ((total += path.size()) > most_moves) refuse();
            one.path = path;
            one.item = static_cast<Int>(next(0, problem_.items - 1));
            one.several = flag();
            one.bound = bound_of_cost(cost());
            one.options = options();
        }
        return all;
    }

    void end() const {
        if (at_ != words_.size()) refuse();
    }

    [[noreturn]] static void refuse() {
        throw std::invalid_argument("the state of a search for the cheapest solutions is damaged");
    }

private:
    static constexpr std::size_t most_moves = std::size_t{1} << 28;  // of all paths together

    std::int64_t most_cost() {
        if (!most_cost_) {
            most_cost_ = 0;
            for (const std::int64_t one : cost_) *most_cost_ += one < 0 ? -one : one;
        }
        return *most_cost_;
    }

    // Is this a solution, with the given options in it?
    bool is_solution(const std::vector<Int>& options) {
        std::vector<char> chosen(index(problem_.options()), 0);
        std::vector<std::int64_t> covered(index(problem_.items), 0);
        std::vector<Int> color(index(problem_.items), 0);
        for (const Int option : options) {
            if (option == no_more || chosen[index(option)]) return false;
            chosen[index(option)] = 1;
            for (Int entry = problem_.start[index(option)];
                 entry < problem_.start[index(option) + 1]; ++entry) {
                const Int item = problem_.item[index(entry)];
                const Int own = problem_.color_of(entry);
                if (item >= problem_.primary && covered[index(item)] > 0 &&
                    (own == 0 || own != color[index(item)])) {
                    return false;
                }
                covered[index(item)] += problem_.weight_of(entry);
                color[index(item)] = own;
            }
        }
        for (Int item = 0; item < problem_.primary; ++item) {
            const bool multiple = problem_.multiple();
            const Int low = multiple ? problem_.low[index(item)] : 1;
            const Int high = multiple ? problem_.high[index(item)] : 1;
            if (covered[index(item)] < low || covered[index(item)] > high) return false;
        }
        return std::all_of(given_.begin(), given_.end(),
                           [&](Int option) { return chosen[index(option)] != 0; });
    }

    std::span<const std::int64_t> words_;
    const Problem& problem_;
    std::span<const Int> given_;
    std::span<const std::int64_t> cost_;
    std::size_t at_ = 0;
    std::optional<std::int64_t> most_cost_;
};

}  // namespace dlx
