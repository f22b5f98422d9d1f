// Makes orders of the primary items for diagrams, and compares the widths of their frontiers.
#include "diagram/order.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>

namespace dlx {
namespace {

constexpr Int most_items = 1 << 13;
constexpr std::uint64_t most_pairs = 1 << 25;

std::size_t index(Int number) {
    return static_cast<std::size_t>(number);
}

// Which items share an option with which: of each primary item, all the others, secondary included.
using Neighbours = std::vector<std::vector<Int>>;

Neighbours neighbours_of(const Problem& problem) {
    Neighbours near(index(problem.primary));
    for (Int option = 0; option < problem.options(); ++option) {
        const auto first = problem.item.begin() + problem.start[index(option)];
        const auto last = problem.item.begin() + problem.start[index(option) + 1];
        for (auto item = first; item != last; ++item) {
            if (*item >= problem.primary) continue;
            auto& list = near[index(*item)];
            list.insert(list.end(), first, last);
        }
    }
    for (std::size_t item = 0; item < near.size(); ++item) {
        auto& list = near[item];
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
        std::erase(list, static_cast<Int>(item));
    }
    return near;
}

// The sum of 2^f over all places of a sweep.
double width(const Problem& problem, const Neighbours& near, const std::vector<Int>& order) {
    const Int items = problem.items;
    std::vector<Int> leaves(index(items), -1);  // the place after which an item is settled
    for (std::size_t place = 0; place < order.size(); ++place) {
        leaves[index(order[place])] = static_cast<Int>(place);
        for (const Int other : near[index(order[place])]) {
            if (other >= problem.primary) leaves[index(other)] = static_cast<Int>(place);
        }
    }
    std::vector<Int> ending(order.size(), 0);  // how many items of the frontier leave at each place
    std::vector<std::uint8_t> inside(index(items), 0);
    Int frontier = 0;
    double sum = 0;
    for (std::size_t place = 0; place < order.size(); ++place) {
        const Int item = order[place];
        for (const Int other : near[index(item)]) {
            if (inside[index(other)] || leaves[index(other)] <= static_cast<Int>(place)) continue;
            inside[index(other)] = 1;
            ++frontier;
            ++ending[index(leaves[index(other)])];
        }
        frontier -= ending[place];
        sum += std::exp2(std::min(frontier, 1000));
    }
    return sum;
}

// The greedy sweep from an item; it continues with another item where the problem has parts.
std::vector<Int> sweep(const Problem& problem, const Neighbours& near, Int start) {
    enum : std::uint8_t { far, waiting, swept };
    std::vector<std::uint8_t> state(index(problem.items), far);
    std::vector<Int> fresh(near.size());  // of each item: how many neighbours are still far
    for (std::size_t item = 0; item < near.size(); ++item) {
        fresh[item] = static_cast<Int>(near[item].size());
    }
    // Of secondary items, the primary ones with them, to keep `fresh` up to date.
    Neighbours with(index(problem.items - problem.primary));
    for (std::size_t item = 0; item < near.size(); ++item) {
        for (const Int other : near[item]) {
            if (other >= problem.primary) {
                with[index(other - problem.primary)].push_back(static_cast<Int>(item));
            }
        }
    }
    const auto approach = [&](Int item) {
        state[index(item)] = waiting;
        const auto& list =
            item < problem.primary ? near[index(item)] : with[index(item - problem.primary)];
        for (const Int other : list) {
            if (other < problem.primary) --fresh[index(other)];
        }
    };
    std::vector<Int> order;
    std::vector<Int> frontier;  // of primary items, in order of arrival
    Int unseen = 0;
    Int next = start;
    while (order.size() < near.size()) {
        if (state[index(next)] == far) approach(next);
        state[index(next)] = swept;
        order.push_back(next);
        for (const Int other : near[index(next)]) {
            if (state[index(other)] != far) continue;
            approach(other);
            if (other < problem.primary) frontier.push_back(other);
        }
        if (frontier.empty()) {
            while (unseen < problem.primary && state[index(unseen)] != far) ++unseen;
            next = unseen;
            continue;
        }
        const auto best = std::min_element(frontier.begin(), frontier.end(), [&](Int a, Int b) {
            return fresh[index(a)] < fresh[index(b)];
        });
        next = *best;
        frontier.erase(best);
    }
    return order;
}

}  // namespace

std::vector<Int> narrow_order(const Problem& problem) {
    std::vector<Int> declared(index(problem.primary));
    std::iota(declared.begin(), declared.end(), 0);
    std::uint64_t pairs = 0;
    for (Int option = 0; option < problem.options(); ++option) {
        const auto length = static_cast<std::uint64_t>(problem.start[index(option) + 1] -
                                                       problem.start[index(option)]);
        pairs += length * length;
    }
    if (problem.primary < 3 || problem.primary > most_items || pairs > most_pairs) return declared;
    const Neighbours near = neighbours_of(problem);
    const auto loneliest = std::min_element(
        near.begin(), near.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
    std::vector<Int> there = sweep(problem, near, static_cast<Int>(loneliest - near.begin()));
    std::vector<Int> back = sweep(problem, near, there.back());
    double least = width(problem, near, declared);
    std::vector<Int> best = std::move(declared);
    for (std::vector<Int>* order : {&there, &back}) {
        const double sum = width(problem, near, *order);
        if (sum >= least) continue;
        least = sum;
        best = std::move(*order);
    }
    return best;
}

}  // namespace dlx
