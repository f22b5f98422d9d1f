// Splits what the givens leave of a problem into independent parts, by union-find over the items.
#include "core/components.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace dlx {
namespace {

constexpr Int none = -1;

class Separation {
public:
    Separation(const Problem& problem, std::span<const Int> given, bool for_count)
        : problem_(problem),
          held_(index(problem.items), none),
          uses_(index(problem.items), 0),
          root_(index(problem.items)),
          low_(problem.low),
          high_(problem.high) {
        for (const Int option : given) hold(option);
        find_live(given);
        if (problem.multiple() && for_count) find_bounds();
        for (Int item = 0; item < problem.items; ++item) root_[index(item)] = item;
        for (const Int option : live_) {
            Int first = none;
            each_kept(option, [&](Int, Int item) {
                if (first == none) first = find(item);
                root_[index(find(item))] = first;
            });
        }
    }

    Parts parts() {
        Parts parts;
        part_of_.assign(root_.size(), none);
        std::vector<Int> number(root_.size(), none);  // of each item in its part
        const auto give_number = [&](Int item) {
            Problem& own = parts.problems[index(part_about(item, parts))];
            number[index(item)] = own.items++;
            if (item < problem_.primary) add_primary(own, item);
        };
        for (Int item = 0; item < problem_.primary; ++item) {
            if (is_kept(item)) give_number(item);
        }
        std::vector<Int> fresh;  // of each live option: the primary item that it gets, or none
        if (problem_.multiple()) fresh = give_fresh_items(parts);
        for (Int item = problem_.primary; item < problem_.items; ++item) {
            if (is_kept(item)) give_number(item);
        }
        for (std::size_t place = 0; place < live_.size(); ++place) {
            const Int option = live_[place];
            const Int first = first_kept(option);
            if (first == none) continue;
            Problem& own = parts.problems[index(part_of_[index(find(first))])];
            if (!fresh.empty() && fresh[place] != none) add_entry(own, fresh[place], 0, 1);
            each_kept(option, [&](Int entry, Int item) {
                add_entry(own, number[index(item)], problem_.color_of(entry),
                          problem_.weight_of(entry));
            });
            own.start.push_back(own.entries());
            own.label.push_back(problem_.label_of(option));
        }
        for (Problem& part : parts.problems) make_plain(part);
        return parts;
    }

private:
    template <class Visit>
    void each_entry(Int option, Visit visit) const {
        for (Int entry = problem_.start[index(option)]; entry < problem_.start[index(option) + 1];
             ++entry) {
            visit(entry, problem_.item[index(entry)]);
        }
    }

    template <class Visit>
    void each_kept(Int option, Visit visit) const {
        each_entry(option, [&](Int entry, Int item) {
            if (is_kept(item)) visit(entry, item);
        });
    }

    // Not kept are primary items that the givens cover or that exclude nothing, secondary items
    // that the givens have colored, and those that no other option uses.
    bool is_kept(Int item) const {
        if (item >= problem_.primary) return held_[index(item)] == none && uses_[index(item)] > 1;
        return problem_.multiple() ? high_[index(item)] > 0 : held_[index(item)] == none;
    }

    // The first entry with an item that is kept; a primary one, wherever it is, if there is any.
    Int first_kept(Int option) const {
        Int first = none;
        each_kept(option, [&](Int, Int item) {
            if (first == none || (first >= problem_.primary && item < problem_.primary)) {
                first = item;
            }
        });
        return first;
    }

    void hold(Int option) {
        each_entry(option, [&](Int entry, Int item) {
            held_[index(item)] = problem_.color_of(entry);
            if (item >= problem_.primary || !problem_.multiple()) return;
            const Int weight = problem_.weight_of(entry);
            high_[index(item)] -= weight;
            low_[index(item)] = std::max(0, low_[index(item)] - weight);
        });
    }

    void find_live(std::span<const Int> given) {
        std::vector<bool> is_given(problem_.multiple() ? index(problem_.options()) : 0, false);
        if (problem_.multiple()) {
            for (const Int option : given) is_given[index(option)] = true;
        }
        for (Int option = 0; option < problem_.options(); ++option) {
            if (!fits(option) || (problem_.multiple() && is_given[index(option)])) continue;
            live_.push_back(option);
            each_entry(option, [&](Int, Int item) { ++uses_[index(item)]; });
        }
    }

    // Is the option compatible with all givens? (One without multiplicities is then no given.)
    bool fits(Int option) const {
        bool result = true;
        each_entry(option, [&](Int entry, Int item) {
            if (item < problem_.primary && problem_.multiple()) {
                result = result && problem_.weight_of(entry) <= high_[index(item)];
                return;
            }
            const Int held = held_[index(item)];
            const Int color = problem_.color_of(entry);
            result = result && (held == none || (held == color && color != 0));
        });
        return result;
    }

    // Cuts the upper bounds down to what the live options can cover, to 0 for items that exclude
    // nothing.
    void find_bounds() {
        std::vector<std::int64_t> total(index(problem_.primary), 0);
        for (const Int option : live_) {
            each_entry(option, [&](Int entry, Int item) {
                if (item < problem_.primary) total[index(item)] += problem_.weight_of(entry);
            });
        }
        for (std::size_t item = 0; item < total.size(); ++item) {
            if (low_[item] == 0 && total[item] <= high_[item]) high_[item] = 0;
            if (high_[item] > 0) {
                const auto most = std::max<std::int64_t>({1, low_[item], total[item]});
                high_[item] = static_cast<Int>(std::min<std::int64_t>(high_[item], most));
            }
        }
    }

    Int part_about(Int item, Parts& parts) {
        Int& part = part_of_[index(find(item))];
        if (part == none) {
            part = static_cast<Int>(parts.problems.size());
            parts.problems.emplace_back().start.push_back(0);
        }
        return part;
    }

    void add_primary(Problem& own, Int item) const {
        ++own.primary;
        if (!problem_.multiple()) return;
        own.low.push_back(low_[index(item)]);
        own.high.push_back(high_[index(item)]);
    }

    std::vector<Int> give_fresh_items(Parts& parts) {
        std::vector<Int> fresh(live_.size(), none);
        for (std::size_t place = 0; place < live_.size(); ++place) {
            const Int first = first_kept(live_[place]);
            if (first == none) ++parts.free_options;
            if (first < problem_.primary) continue;
            Problem& own = parts.problems[index(part_about(first, parts))];
            fresh[place] = own.items++;
            ++own.primary;
            own.low.push_back(0);
            own.high.push_back(1);
        }
        return fresh;
    }

    void add_entry(Problem& own, Int item, Int color, Int weight) const {
        own.item.push_back(item);
        if (problem_.colored()) own.color.push_back(color);
        if (problem_.weighted()) own.weight.push_back(weight);
    }

    // Drops the weights if all of them are 1, and the bounds.
    static void make_plain(Problem& part) {
        const auto once = [](Int number) { return number == 1; };
        if (std::all_of(part.weight.begin(), part.weight.end(), once)) part.weight = {};
        if (std::all_of(part.low.begin(), part.low.end(), once) &&
            std::all_of(part.high.begin(), part.high.end(), once)) {
            part.low = {};
            part.high = {};
        }
    }

    Int find(Int item) {
        while (root_[index(item)] != item) {
            root_[index(item)] = root_[index(root_[index(item)])];
            item = root_[index(item)];
        }
        return item;
    }

    const Problem& problem_;
    std::vector<Int> held_;        // the color that the givens give an item, or none
    std::vector<Int> uses_;        // how many live options an item has
    std::vector<Int> root_;        // union-find forest of the items that options connect
    std::vector<Int> low_, high_;  // of primary items: the bounds that the givens leave; or empty
    std::vector<Int> live_;
    std::vector<Int> part_of_;  // of each item that is a root
};

}  // namespace

Parts parts_of(const Problem& problem, std::span<const Int> given, bool for_count) {
    return Separation(problem, given, for_count).parts();
}

}  // namespace dlx
