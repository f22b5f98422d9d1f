// Splits what the givens leave of a problem into independent parts, by union-find over the items.
#include "core/components.hpp"

#include <algorithm>
#include <utility>

namespace dlx {
namespace {

constexpr Int none = -1;

std::size_t at(Int number) {
    return static_cast<std::size_t>(number);
}

class Separation {
public:
    Separation(const Problem& problem, std::span<const Int> given)
        : problem_(problem),
          held_(at(problem.items), none),
          uses_(at(problem.items), 0),
          root_(at(problem.items)) {
        for (const Int option : given) hold(option);
        for (Int option = 0; option < problem.options(); ++option) {
            if (!fits(option)) continue;
            live_.push_back(option);
            each_entry(option, [&](Int, Int item) { ++uses_[at(item)]; });
        }
        for (Int item = 0; item < problem.items; ++item) root_[at(item)] = item;
        for (const Int option : live_) {
            const Int first = find(problem.item[at(first_kept(option))]);
            each_kept(option, [&](Int, Int item) { root_[at(find(item))] = first; });
        }
    }

    std::vector<Problem> parts() {
        std::vector<Int> part_of(root_.size(), none);  // of each item that is a root
        std::vector<Int> number(root_.size(), none);   // of each item in its part
        std::vector<Problem> parts;
        for (Int item = 0; item < problem_.items; ++item) {
            const bool primary = item < problem_.primary;
            if (primary ? held_[at(item)] != none : uses_[at(item)] < 2) continue;
            if (!primary && held_[at(item)] != none) continue;
            Int& part = part_of[at(find(item))];
            if (part == none) {
                part = static_cast<Int>(parts.size());
                parts.emplace_back().start.push_back(0);
            }
            Problem& own = parts[at(part)];
            number[at(item)] = own.items++;
            if (primary) ++own.primary;
        }
        for (const Int option : live_) {
            const Int root = find(problem_.item[at(first_kept(option))]);
            Problem& own = parts[at(part_of[at(root)])];
            each_kept(option, [&](Int entry, Int item) {
                own.item.push_back(number[at(item)]);
                if (problem_.colored()) own.color.push_back(problem_.color_of(entry));
            });
            own.start.push_back(own.entries());
        }
        return parts;
    }

private:
    template <class Visit>
    void each_entry(Int option, Visit visit) const {
        for (Int entry = problem_.start[at(option)]; entry < problem_.start[at(option) + 1];
             ++entry) {
            visit(entry, problem_.item[at(entry)]);
        }
    }

    // Skips secondary items that the givens have colored, and those that no other option uses.
    template <class Visit>
    void each_kept(Int option, Visit visit) const {
        each_entry(option, [&](Int entry, Int item) {
            const bool primary = item < problem_.primary;
            if (primary || (held_[at(item)] == none && uses_[at(item)] > 1)) visit(entry, item);
        });
    }

    // The first entry with a primary item, wherever it is in the option. Every option has one.
    Int first_kept(Int option) const {
        Int entry = problem_.start[at(option)];
        while (problem_.item[at(entry)] >= problem_.primary) ++entry;
        return entry;
    }

    void hold(Int option) {
        each_entry(option,
                   [&](Int entry, Int item) { held_[at(item)] = problem_.color_of(entry); });
    }

    // Is the option compatible with all givens, and not a given itself?
    bool fits(Int option) const {
        bool result = true;
        each_entry(option, [&](Int entry, Int item) {
            const Int held = held_[at(item)];
            const Int color = problem_.color_of(entry);
            result = result && (held == none || (held == color && color != 0));
        });
        return result;
    }

    Int find(Int item) {
        while (root_[at(item)] != item) {
            root_[at(item)] = root_[at(root_[at(item)])];
            item = root_[at(item)];
        }
        return item;
    }

    const Problem& problem_;
    std::vector<Int> held_;  // the color that the givens give an item, or none
    std::vector<Int> uses_;  // how many live options an item has
    std::vector<Int> root_;  // union-find forest of the items that options connect
    std::vector<Int> live_;
};

}  // namespace

std::vector<Problem> parts_of(const Problem& problem, std::span<const Int> given) {
    return Separation(problem, given).parts();
}

}  // namespace dlx
