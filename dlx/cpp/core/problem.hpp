// The exact cover problem as the engines see it.
//
// A problem is a sparse 0/1 matrix in compressed rows:
//
//     option 0 = {a c}          start = 0     2        5   ...
//     option 1 = {b c x:A}      item  = a c | b c x  | ...
//                               color = 0 0 | 0 0 1  | ...
//
// Items are numbered 0 .. items-1 with the primary items first, so that one comparison
// distinguishes the two kinds. The numbering *is* the search order: of two items with equally few
// options the search chooses the one with the smaller number, and it tries the options of an item
// in ascending order. So a seeded search is an ordinary search of a renumbered problem, on every
// engine; `label` has the caller's index of each renumbered option.
//
// Colors are positive integers; 0 means "no color": such an entry covers its secondary item
// exclusively, so it clashes with every other entry of that item.
//
// Primary items are covered exactly once, unless the problem has multiplicities. Then each has its
// own bounds; see links/algorithm_m.hpp and bits/layouts/multiple.hpp. An option may
// cover a primary item several times: the entry's weight. A weight is at most the item's upper
// bound, so a problem with weights has multiplicities.
//
// A Problem never changes once it is built, so any number of searches (and threads) may share it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/interrupt_check.hpp"
#include "core/random_numbers.hpp"

namespace dlx {

using Int = std::int32_t;

// A number of an item, an option or the like as an index of an array.
constexpr std::size_t index(Int number) noexcept {
    return static_cast<std::size_t>(number);
}

struct Problem {
    Int primary = 0;          // items 0 .. primary-1 must be covered
    Int items = 0;            // items primary .. items-1 are secondary
    std::vector<Int> start;   // option o owns the entries start[o] .. start[o+1]-1
    std::vector<Int> item;    // the item of each entry
    std::vector<Int> color;   // the color of each entry, 0 for none; empty if no entry has one
    std::vector<Int> label;   // the caller's index of each option; empty if it is the same
    std::vector<Int> low;     // how often each primary item must be covered at least,
    std::vector<Int> high;    // and at most; both empty if that is once for all of them
    std::vector<Int> weight;  // how often each entry covers its item; empty if always once

    Int options() const noexcept { return static_cast<Int>(start.size()) - 1; }
    Int entries() const noexcept { return static_cast<Int>(item.size()); }
    bool colored() const noexcept { return !color.empty(); }
    bool multiple() const noexcept { return !high.empty(); }
    Int color_of(Int entry) const noexcept {
        return color.empty() ? 0 : color[static_cast<std::size_t>(entry)];
    }
    bool weighted() const noexcept { return !weight.empty(); }
    Int weight_of(Int entry) const noexcept {
        return weight.empty() ? 1 : weight[static_cast<std::size_t>(entry)];
    }
    Int label_of(Int option) const noexcept {
        return label.empty() ? option : label[static_cast<std::size_t>(option)];
    }
};

// The number of each of the caller's options: the inverse of `label`. Empty if it is the same.
inline std::vector<Int> places_of_labels(const Problem& problem) {
    std::vector<Int> place(problem.label.size());
    PeriodicCheck periodic;
    for (std::size_t at = 0; at < place.size(); ++at) {
        periodic.add(1);
        place[index(problem.label[at])] = static_cast<Int>(at);
    }
    return place;
}

// A problem as a caller describes it: options in the caller's order, items numbered as declared.
//
// `rank` gives each declared item its number in the search (a permutation that puts the primary
// items first), `order` the options in the order in which they are to be tried (empty: as given).
// `low` and `high` are the bounds of the primary items, by their numbers in the search, or empty.
struct Description {
    std::span<const Int> start;
    std::span<const Int> item;
    std::span<const Int> color;
    std::span<const Int> rank;
    std::span<const Int> order;
    Int primary = 0;
    std::span<const Int> low{};
    std::span<const Int> high{};
    std::span<const Int> weight{};
};

inline Problem make_problem(const Description& given) {
    Problem problem;
    problem.primary = given.primary;
    problem.items = static_cast<Int>(given.rank.size());
    const std::size_t options = given.start.size() - 1;
    problem.start.assign(options + 1, 0);
    problem.item.resize(given.item.size());
    problem.color.resize(given.color.size());
    problem.weight.resize(given.weight.size());
    problem.label.assign(given.order.begin(), given.order.end());
    problem.low.assign(given.low.begin(), given.low.end());
    problem.high.assign(given.high.begin(), given.high.end());
    std::size_t to = 0;
    PeriodicCheck periodic;
    for (std::size_t place = 0; place < options; ++place) {
        const auto option = static_cast<std::size_t>(problem.label_of(static_cast<Int>(place)));
        const auto first = static_cast<std::size_t>(given.start[option]);
        const auto last = static_cast<std::size_t>(given.start[option + 1]);
        for (std::size_t entry = first; entry < last; ++entry, ++to) {
            problem.item[to] = given.rank[static_cast<std::size_t>(given.item[entry])];
            if (!given.color.empty()) problem.color[to] = given.color[entry];
            if (!given.weight.empty()) problem.weight[to] = given.weight[entry];
        }
        problem.start[place + 1] = static_cast<Int>(to);
        periodic.add(last - first + 1);
    }
    return problem;
}

// The problem with its primary items, its secondary items and its options shuffled by a seed, so
// that ties and branches of a search fall differently. Labels are those of the problem. O(entries).
inline Problem shuffled(const Problem& problem, std::uint64_t seed) {
    RandomNumbers random(seed);
    const auto shuffle = [&](std::span<Int> numbers) {
        for (std::size_t left = numbers.size(); left > 1; --left) {
            std::swap(numbers[left - 1], numbers[random.below(left)]);
        }
    };
    const auto primary = static_cast<std::size_t>(problem.primary);
    std::vector<Int> rank(static_cast<std::size_t>(problem.items));
    std::vector<Int> order(static_cast<std::size_t>(problem.options()));
    std::iota(rank.begin(), rank.end(), Int{0});
    std::iota(order.begin(), order.end(), Int{0});
    shuffle(std::span(rank).first(primary));
    shuffle(std::span(rank).subspan(primary));
    shuffle(order);
    const auto by_rank = [&](const std::vector<Int>& bounds) {
        std::vector<Int> moved(bounds.size());
        for (std::size_t item = 0; item < bounds.size(); ++item) {
            moved[index(rank[item])] = bounds[item];
        }
        return moved;
    };
    const std::vector<Int> low = by_rank(problem.low);
    const std::vector<Int> high = by_rank(problem.high);
    Problem result = make_problem({problem.start, problem.item, problem.color, rank, order,
                                   problem.primary, low, high, problem.weight});
    for (Int& label : result.label) label = problem.label_of(label);
    return result;
}

// The sum over each option's entries of weight times value of the item; without weights they are 1.
// Throws std::invalid_argument if an entry or item is out of range. O(entries).
inline std::vector<std::int64_t> option_totals(std::span<const Int> start,
                                               std::span<const Int> item,
                                               std::span<const Int> weight,
                                               std::span<const Int> value) {
    std::vector<std::int64_t> totals(start.size() - 1, 0);
    PeriodicCheck periodic;
    for (std::size_t option = 0; option + 1 < start.size(); ++option) {
        const auto last = static_cast<std::size_t>(start[option + 1]);
        if (last > item.size()) throw std::invalid_argument("start: beyond the entries");
        for (auto at = static_cast<std::size_t>(start[option]); at < last; ++at) {
            const auto number = static_cast<std::size_t>(item[at]);
            if (number >= value.size()) throw std::invalid_argument("item: no value");
            totals[option] += std::int64_t{value[number]} * (weight.empty() ? 1 : weight[at]);
        }
        periodic.add(last - static_cast<std::size_t>(start[option]) + 1);
    }
    return totals;
}

// Returns the first invalid option, if there is one: out-of-range or repeated items, no primary
// item, a color on a primary item, or bounds that do not ascend. O(entries + items). The caller,
// which has the names, finds out what exactly is wrong with the option.
inline std::optional<Int> first_flaw(std::span<const Int> start, std::span<const Int> item,
                                     std::span<const Int> color,
                                     std::span<const std::uint8_t> secondary) {
    std::vector<Int> seen_in(secondary.size(), -1);
    const auto entries = static_cast<Int>(item.size());
    PeriodicCheck periodic;
    for (std::size_t option = 0; option + 1 < start.size(); ++option) {
        const Int first = start[option];
        const Int last = start[option + 1];
        const auto here = static_cast<Int>(option);
        if (first < 0 || last > entries || first >= last) return here;
        bool anchored = false;  // has the option a primary item?
        for (auto at = static_cast<std::size_t>(first); at < static_cast<std::size_t>(last); ++at) {
            if (item[at] < 0) return here;
            const auto number = static_cast<std::size_t>(item[at]);
            if (number >= secondary.size() || seen_in[number] == here) return here;
            seen_in[number] = here;
            if (!secondary[number]) {
                anchored = true;
                if (!color.empty() && color[at] != 0) return here;
            }
            if (!color.empty() && color[at] < 0) return here;
        }
        if (!anchored) return here;
        periodic.add(static_cast<std::uint64_t>(last - first) + 1);
    }
    return std::nullopt;
}

// Are all weights from 1 to the upper bounds of their primary items, and 1 on secondary items, and
// do those of an item add up to less than 2^30? Lengths::far and counters of 32 bits need that.
inline bool weights_are_valid(const Problem& problem) {
    constexpr std::int64_t most = std::int64_t{1} << 30;
    std::vector<std::int64_t> total(static_cast<std::size_t>(problem.items), 0);
    PeriodicCheck periodic;
    for (std::size_t entry = 0; entry < problem.weight.size(); ++entry) {
        periodic.add(1);
        const auto item = static_cast<std::size_t>(problem.item[entry]);
        const Int high = problem.item[entry] < problem.primary ? problem.high[item] : 1;
        const Int weight = problem.weight[entry];
        if (weight < 1 || weight > high || (total[item] += weight) >= most) return false;
    }
    return true;
}

// Throws std::invalid_argument unless the problem is valid. For problems from untrusted sources,
// such as a pickle.
inline void check_problem(const Problem& problem) {
    const std::size_t options = problem.start.empty() ? 0 : problem.start.size() - 1;
    const auto primary = static_cast<std::size_t>(std::max(0, problem.primary));
    const auto fits = [](const std::vector<Int>& one, std::size_t size) {
        return one.empty() || one.size() == size;
    };
    const bool whole = !problem.start.empty() && problem.start.front() == 0 &&
                       problem.start.back() == problem.entries() && problem.primary >= 0 &&
                       problem.primary <= problem.items &&
                       fits(problem.color, problem.item.size()) && fits(problem.label, options) &&
                       fits(problem.low, primary) && problem.low.size() == problem.high.size() &&
                       fits(problem.weight, problem.item.size()) &&
                       (problem.weight.empty() || problem.multiple());
    std::vector<bool> seen(options, false);
    bool sound = whole;
    PeriodicCheck periodic;
    for (const Int label : problem.label) {
        periodic.add(1);
        const auto option = static_cast<std::size_t>(label);
        sound = sound && label >= 0 && option < options && !seen[option];
        if (sound) seen[option] = true;
    }
    if (sound) {
        std::vector<std::uint8_t> secondary(static_cast<std::size_t>(problem.items), 1);
        std::fill_n(secondary.begin(), primary, std::uint8_t{0});
        sound = !first_flaw(problem.start, problem.item, problem.color, secondary) &&
                weights_are_valid(problem);
    }
    if (!sound) throw std::invalid_argument("this is no problem");
}

// The problem without some options; `place` becomes the number there of each option, or -1. Its
// labels are those of the problem, so that solutions of both have the same labels.
inline Problem without_options(const Problem& problem, std::span<const Int> left_out,
                               std::vector<Int>& place) {
    place.assign(static_cast<std::size_t>(problem.options()), 0);
    for (const Int option : left_out) place[static_cast<std::size_t>(option)] = -1;
    Problem smaller;
    smaller.primary = problem.primary;
    smaller.items = problem.items;
    smaller.low = problem.low;
    smaller.high = problem.high;
    smaller.start.push_back(0);
    PeriodicCheck periodic;
    for (Int option = 0; option < problem.options(); ++option) {
        Int& number = place[static_cast<std::size_t>(option)];
        if (number < 0) continue;
        number = smaller.options();
        const Int first = problem.start[static_cast<std::size_t>(option)];
        const Int last = problem.start[static_cast<std::size_t>(option) + 1];
        const auto append = [&](std::vector<Int>& to, const std::vector<Int>& from) {
            if (!from.empty()) to.insert(to.end(), from.begin() + first, from.begin() + last);
        };
        append(smaller.item, problem.item);
        append(smaller.color, problem.color);
        append(smaller.weight, problem.weight);
        smaller.start.push_back(smaller.entries());
        smaller.label.push_back(problem.label_of(option));
        periodic.add(static_cast<std::uint64_t>(last - first) + 1);
    }
    return smaller;
}

// Two given options that clash, by their places in `given`, and the item where they do (search
// numbering). With multiplicities, `later` is the option that exceeds the item's bound, and
// `earlier` the last option before it that covers the item, or the same option.
struct Clash {
    std::size_t earlier;
    std::size_t later;
    Int item;
};

std::optional<Clash> first_multiple_clash(const Problem& problem, std::span<const Int> given);

inline std::optional<Clash> first_clash(const Problem& problem, std::span<const Int> given) {
    if (problem.multiple()) return first_multiple_clash(problem, given);
    constexpr std::size_t none = static_cast<std::size_t>(-1);
    std::vector<std::size_t> holder(static_cast<std::size_t>(problem.items), none);
    std::vector<Int> held(holder.size(), 0);
    for (std::size_t place = 0; place < given.size(); ++place) {
        const auto option = static_cast<std::size_t>(given[place]);
        for (Int entry = problem.start[option]; entry < problem.start[option + 1]; ++entry) {
            const Int number = problem.item[static_cast<std::size_t>(entry)];
            const auto item = static_cast<std::size_t>(number);
            const Int color = problem.color_of(entry);
            if (holder[item] == none) {
                holder[item] = place;
                held[item] = color;
            } else if (color == 0 || held[item] != color) {
                return Clash{holder[item], place, number};
            }
        }
    }
    return std::nullopt;
}

}  // namespace dlx
