// Of each class of symmetric solutions, the one that the search finds first.
//
// A symmetry maps options to options, items to items, and so solutions to solutions. Is a solution
// S the first of its images in the order of the search? The search tree tells, without a search:
//
//     path of S     item 3: option 7     item 0: option 2     item 5: option 9
//     image g(S)    item 3: option 7     item 0: option 4     comes later
//     image h(S)    item 3: option 5                          comes earlier: S is not the first
//
// At the root the search branches on some item. S contains an option of it, and an image of S
// contains one, too; the smaller option is tried first. If they are the same, the search goes to
// the same node for both, branches on the same item there, and so on. Most images differ from S at
// the first item or the second, so the test takes about a step for each symmetry. The options of
// g(S) at item i are the images of the options of S at the item that g maps to i: none of these
// sets is ever made.
//
// With multiplicities, the branch of a set of options at an item is the smallest of them that
// covers the item and is not taken yet, or "no further option", which comes last
// (core/active_options.hpp).
//
// If f of the symmetries map S to itself, the class of S has as many solutions as there are
// symmetries, divided by f.
//
// The elements of the group are listed, so the group must be small.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/active_options.hpp"

namespace dlx {

// The images of all options and of all items, in search numbering.
struct Symmetry {
    std::vector<Int> option;
    std::vector<Int> item;
};

// All elements of the group that these symmetries generate, the identity first; nothing if there
// are more than `limit`. O(elements * generators * options * log(elements)).
inline std::optional<std::vector<Symmetry>> elements_of(const Problem& problem,
                                                        std::span<const Symmetry> generators,
                                                        std::size_t limit) {
    const auto identity = [](Int size) {
        std::vector<Int> numbers(static_cast<std::size_t>(size));
        for (std::size_t place = 0; place < numbers.size(); ++place) {
            numbers[place] = static_cast<Int>(place);
        }
        return numbers;
    };
    const auto after = [](const std::vector<Int>& first, const std::vector<Int>& then) {
        std::vector<Int> both(first.size());
        for (std::size_t place = 0; place < first.size(); ++place) {
            both[place] = then[static_cast<std::size_t>(first[place])];
        }
        return both;
    };
    std::vector<Symmetry> elements{{identity(problem.options()), identity(problem.items)}};
    std::map<std::pair<std::vector<Int>, std::vector<Int>>, bool> known;
    known.emplace(std::pair(elements[0].option, elements[0].item), true);
    PeriodicCheck periodic;
    for (std::size_t place = 0; place < elements.size(); ++place) {
        for (const Symmetry& generator : generators) {
            Symmetry next{after(elements[place].option, generator.option),
                          after(elements[place].item, generator.item)};
            periodic.add(next.option.size() + next.item.size());
            if (!known.emplace(std::pair(next.option, next.item), true).second) continue;
            if (elements.size() == limit) return std::nullopt;
            elements.push_back(std::move(next));
        }
    }
    return elements;
}

class FirstOfClass {
public:
    // `elements`: a whole group, the identity among them; each maps the set of the given options to
    // itself.
    FirstOfClass(std::shared_ptr<const Problem> problem, const std::vector<Symmetry>& elements,
                 std::span<const Int> given)
        : active_(std::move(problem)) {
        const Problem& own = active_.problem();
        holders_.resize(static_cast<std::size_t>(own.items));
        taken_at_.assign(static_cast<std::size_t>(own.options()), not_taken);
        for (const Symmetry& element : elements) {
            options_.push_back(element.option);
            std::vector<Int> from(element.item.size());
            for (std::size_t item = 0; item < from.size(); ++item) {
                from[static_cast<std::size_t>(element.item[item])] = static_cast<Int>(item);
            }
            items_from_.push_back(std::move(from));
        }
        for (const Int option : given) {
            active_.take(option);
            taken_at_[static_cast<std::size_t>(option)] = 0;
        }
        givens_ = active_.taken();
    }

    std::size_t order() const noexcept { return options_.size(); }
    // The images of the options under each symmetry.
    const std::vector<std::vector<Int>>& images() const noexcept { return options_; }

    // The number of solutions in the class of a solution, or 0 if the search finds another one of
    // them first. `solution` includes the given options.
    std::uint64_t size_of(std::span<const Int> solution) {
        for (const Int option : solution) {
            each_item(option, [&](std::vector<Int>& holders) { holders.push_back(option); });
        }
        find_path();
        std::uint64_t fixed = 0;
        bool first = true;
        for (std::size_t element = 0; element < options_.size() && first; ++element) {
            const Place place = place_of_image(element);
            first = place != Place::earlier;
            fixed += place == Place::same ? 1 : 0;
        }
        for (const Step& step : path_) {
            if (step.option != no_option)
                taken_at_[static_cast<std::size_t>(step.option)] = not_taken;
        }
        for (const Int option : solution) {
            each_item(option, [](std::vector<Int>& holders) { holders.clear(); });
        }
        return first ? order() / fixed : 0;
    }

private:
    static constexpr Int no_option = std::numeric_limits<Int>::max();  // after all options
    static constexpr Int not_taken = std::numeric_limits<Int>::max();

    enum class Place : std::uint8_t { earlier, same, later };

    struct Step {
        Int item;
        Int option;
    };

    template <class Visit>
    void each_item(Int option, Visit visit) {
        for (const std::size_t entry : entries_of(active_.problem(), option)) {
            visit(holders_[static_cast<std::size_t>(active_.problem().item[entry])]);
        }
    }

    // Sets path_ to the branches of the search that lead to the solution in holders_.
    void find_path() {
        path_.clear();
        while (active_.open() != 0) {
            const Int item = active_.choose();
            if (active_.live(item) >= ActiveOptions::far) break;  // all items are done
            Int option = no_option;
            for (const Int held : holders_[static_cast<std::size_t>(item)]) {
                if (taken_at_[static_cast<std::size_t>(held)] == not_taken) {
                    option = std::min(option, held);
                }
            }
            path_.push_back({item, option});
            if (option != no_option) {
                taken_at_[static_cast<std::size_t>(option)] = static_cast<Int>(path_.size());
            }
            if (active_.problem().multiple()) {
                active_.take_next(item, active_before(item, option));
            } else {
                active_.take(option);
            }
        }
        while (active_.taken() > givens_) active_.release();
    }

    // How many active options an item has before this one.
    std::uint64_t active_before(Int item, Int option) const {
        std::uint64_t count = 0;
        for (const Int other : active_.options_of(item)) {
            count += other < option && active_.is_active(other) ? 1 : 0;
        }
        return count;
    }

    // Where is the image of the solution under an element, compared with the solution?
    Place place_of_image(std::size_t element) const {
        const std::vector<Int>& image = options_[element];
        const std::vector<Int>& item_from = items_from_[element];
        for (std::size_t level = 0; level < path_.size(); ++level) {
            const auto from =
                static_cast<std::size_t>(item_from[static_cast<std::size_t>(path_[level].item)]);
            Int option = no_option;
            for (const Int held : holders_[from]) {
                const Int other = image[static_cast<std::size_t>(held)];
                const Int taken_at = taken_at_[static_cast<std::size_t>(other)];
                if (taken_at > static_cast<Int>(level)) option = std::min(option, other);
            }
            if (option != path_[level].option) {
                return option < path_[level].option ? Place::earlier : Place::later;
            }
        }
        return Place::same;
    }

    ActiveOptions active_;
    std::vector<std::vector<Int>> options_;  // of each element: the images of the options
    std::vector<std::vector<Int>>
        items_from_;  // of each element: of each item, the item mapped to it
    Int givens_ = 0;
    std::vector<std::vector<Int>> holders_;  // of each item: its options in the solution
    std::vector<Int> taken_at_;  // of each option: its place in the path from 1, 0 if it is given
    std::vector<Step> path_;
};

}  // namespace dlx
