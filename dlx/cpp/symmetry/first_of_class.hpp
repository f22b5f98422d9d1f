// Of each class of symmetric solutions, the one that the search finds first.
//
// A symmetry maps options to options, and so solutions to solutions. Is a solution S the first of
// its images in the order of the search? The search tree tells, without a search:
//
//     path of S     item 3: option 7     item 0: option 2     item 5: option 9
//     image g(S)    item 3: option 7     item 0: option 4     comes later
//     image h(S)    item 3: option 5                          comes earlier: S is not the first
//
// At the root the search branches on some item. S contains an option of it, and an image of S
// contains one, too; the smaller option is tried first. If they are the same, the search goes to
// the same node for both, branches on the same item there, and so on.
//
// The elements of the group G are not listed. Let 7, 2, 9 be the path of S, and G(1) the subgroup
// that fixes option 7, G(2) the one that fixes 7 and 2, and so on (symmetry/permutation_group.hpp).
// An image of S has 7 on its path if some g in G maps an option s of S to 7. All elements that map
// s to 7 are g followed by an element of G(1). So of all these images, the smallest option at item
// 0 is found by a look at the orbits of G(1): it is the smallest option of item 0 in an orbit with
// some g(t), t in S. If it is 2, the next level is searched in the same way:
//
//     level 0   G     s -> 7 for s = 7 (identity), s = 3 (g), s = 8 (h)
//     level 1   G(1)  after g: g(5) -> 2;  after h: none, so these images come later
//     level 2   G(2)  ...
//
// An image that is the same to the end is S itself, and the element a symmetry of S. As in the
// search for symmetries (symmetry/search.hpp), levels are completed from the last to the first, and
// options of S that known symmetries of S map to each other need one search for all. The lengths of
// the orbits found give the order of the subgroup of G that maps S to itself, exactly; the class of
// S has as many solutions as the order of G divided by that.
//
// The same is true for a part of a solution, such as the path to some node of the search tree. If
// an image comes earlier, then so does the image of every solution with this part: none of them is
// the first of its class, and the search can leave out the node. Where the image has no option for
// an item, nothing is known, and the image is not followed.
//
// With multiplicities, the branch of a set of options at an item is the smallest of them that
// covers the item and is not taken yet, or "no further option", which comes last
// (core/active_options.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/active_options.hpp"
#include "core/position.hpp"
#include "symmetry/permutation_group.hpp"

namespace dlx {

class FirstOfClass {
public:
    // The group permutes the options, and maps the set of the given ones to itself.
    FirstOfClass(std::shared_ptr<const Problem> problem, PermutationGroup group,
                 std::span<const Int> given)
        : active_(std::move(problem)),
          group_(std::make_shared<const PermutationGroup>(std::move(group))) {
        const Problem& own = active_.problem();
        holders_.resize(index(own.items));
        image_holders_.resize(index(own.items));
        is_given_.resize(index(own.options()));
        index_.resize(index(own.options()), none);
        step_of_.resize(index(own.options()), none);
        for (const Int option : given) {
            active_.take(option);
            is_given_[index(option)] = 1;
        }
    }

    const PermutationGroup& group() const noexcept { return *group_; }

    // Numbers whose product is the order of the subgroup that maps the solution to itself; nullopt
    // if the search finds a symmetric solution before it. The solution includes the givens.
    std::optional<std::vector<Int>> stabilizer(std::span<const Int> solution) {
        looks_left_ = unlimited;
        if (!test(solution, true)) return std::nullopt;
        const Group unmoved = group_below(depth_);  // fixes all options of the solution
        for (const Int length : unmoved->orbit_lengths()) stabilizer_.push_back(length);
        return stabilizer_;
    }

    // The length of the shortest beginning of a path in the search tree below which no solution is
    // the first of its class; 0 if none is found with `most_looks`. Without multiplicities, the
    // path may be one that another heuristic takes.
    std::size_t cut(std::span<const Int> path) {
        std::size_t length = 0;
        std::uint64_t looks = looks_left_ = most_looks;
        while (!path.empty() && !test(path, false)) {
            length = reach_;
            path = path.first(length - 1);
            // A shorter one is not worth much more than that.
            looks = std::clamp(2 * (looks - looks_left_), least_looks, most_looks);
            looks_left_ = looks;
        }
        return length;
    }

private:
    static constexpr Int none = -1;
    // Images kept for one level: 2 MB.
    static constexpr std::size_t most_to_keep = std::size_t{1} << 19;
    static constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
    // At options of images, in one test of `cut`: a millisecond at most. A part of a solution may
    // have far more images than the solution has.
    static constexpr std::uint64_t most_looks = std::uint64_t{1} << 18;
    static constexpr std::uint64_t least_looks = std::uint64_t{1} << 16;
    static constexpr Int no_option = std::numeric_limits<Int>::max();  // after all options

    enum class Place : std::uint8_t { earlier, same, later };

    using Group = std::shared_ptr<const PermutationGroup>;

    // One level of the path of the solution, or the node at the end of the path.
    struct Level {
        Int item = none;
        Int option = none;      // none: at the end
        Int index = none;       // of the option in the solution
        std::size_t reach = 0;  // how long the path must be to contain the option
        Group group;            // it fixes the options of the levels above
        // If the group is not trivial:
        std::vector<Int> least;  // of each option: the first option of the item in its orbit
        Orbit orbit;             // of the option
        // Of points of the orbit, once needed: an element that maps the point to the root.
        std::vector<Permutation> to_root;
    };

    // Images of the options of the solution under an element of the group: those of `rest_`, which
    // are not on the path above. (`followed_` has the others.)
    struct Image {
        std::vector<Int> options;
        std::size_t reach = 0;  // how much of the path the image needs so far
    };

    // -- the test --------------------------------------------------------------------------------

    // Is no image earlier? Sets `stabilizer_` if so, and `reach_` if not.
    bool test(std::span<const Int> options, bool whole) {
        struct Forget {
            FirstOfClass& test;
            ~Forget() { test.forget(); }
        } at_the_end{*this};  // also after an interrupt
        begin(options);
        find_path(options, whole);
        return !earlier_at_once() && complete_levels();
    }

    // Forgets the solution; its path remains.
    void forget() noexcept {
        for (const Level& level : levels_) {
            if (level.index != none) step_of_[index(level.option)] = none;
        }
        for (const Int option : members_) {
            index_[index(option)] = none;
            each_item(option, [&](Int item) { holders_[index(item)].clear(); });
        }
    }

    void begin(std::span<const Int> options) {
        members_.clear();
        position_.clear();
        for (std::size_t place = 0; place < options.size(); ++place) {
            const Int option = options[place];
            if (option < 0 || is_given_[index(option)]) continue;
            const auto member = static_cast<Int>(members_.size());
            index_[index(option)] = member;
            members_.push_back(option);
            position_.push_back(place + 1);
            each_item(option, [&](Int item) { holders_[index(item)].push_back(member); });
        }
    }

    // Sets `levels_` to the branches that lead to the solution, or as far as its part says. What
    // the last solution had in common with this one remains.
    void find_path(std::span<const Int> options, bool whole) {
        depth_ = 0;
        for (;; ++depth_) {
            if (depth_ == levels_.size() && !begin_level()) return;
            const Int item = levels_[depth_].item;
            Int member = none;
            for (const Int held : holders_[index(item)]) {
                const Int option = members_[index(held)];
                if (step_of_[index(option)] != none) continue;
                if (member == none || option < members_[index(member)]) member = held;
            }
            if (member == none && !whole) {
                if (depth_ >= options.size() || options[depth_] != no_more) return;
            }
            const Int option = member == none ? no_option : members_[index(member)];
            if (levels_[depth_].option != option) {
                shorten_to(depth_);
                descend(option);
            }
            Level& level = levels_[depth_];
            level.index = member;
            level.reach = member == none ? depth_ + 1 : position_[index(member)];
            if (member != none) step_of_[index(option)] = static_cast<Int>(depth_);
        }
    }

    // Appends the node at the end of the path; false if all items are done.
    bool begin_level() {
        if (active_.open() == 0) return false;
        periodic_.add(index(active_.open()));
        const Int item = active_.choose();
        if (active_.live(item) >= ActiveOptions::far) return false;
        Level level{};
        level.item = item;
        level.group = group_below(levels_.size());
        if (!level.group->trivial()) level.least = least_options(*level.group, item);
        levels_.push_back(std::move(level));
        return true;
    }

    // The subgroup that fixes the options of the levels before this one.
    Group group_below(std::size_t depth) const {
        if (depth == 0) return group_;
        const Level& above = levels_[depth - 1];
        if (above.group->trivial() || above.orbit.points.size() < 2) return above.group;
        return std::make_shared<const PermutationGroup>(above.group->stabilizer(above.orbit));
    }

    // Of each option, the first option of an item in its orbit, or `no_option`.
    std::vector<Int> least_options(const PermutationGroup& group, Int item) {
        std::vector<Int> options(active_.options_of(item).begin(), active_.options_of(item).end());
        std::ranges::sort(options);
        std::vector<Int> least(index(group.degree()), no_option);
        for (const Int option : options) {
            if (least[index(option)] != no_option) continue;
            periodic_.add(index(group.degree()));
            for (const Int point : group.orbit_of(option).points) least[index(point)] = option;
        }
        return least;
    }

    // Takes an option at the end of the path.
    void descend(Int option) {
        Level& level = levels_.back();
        level.orbit = {};
        level.to_root.clear();
        const bool moves = option != no_option && !level.group->trivial();
        if (moves) level.orbit = level.group->orbit_of(option);
        level.option = option;  // from here on nothing interrupts
        if (moves) {
            if (level.orbit.points.size() * index(level.group->degree()) <= most_to_keep) {
                level.to_root.resize(index(level.group->degree()));
            }
        }
        if (active_.problem().multiple()) {
            active_.take_next(level.item, active_before(level.item, option));
        } else {
            active_.take(option);
        }
    }

    // Goes back to the node of a level.
    void shorten_to(std::size_t depth) {
        while (!levels_.empty()) {
            Level& level = levels_.back();
            if (level.option != none) {
                active_.release();
                level.option = level.index = none;
            }
            if (levels_.size() == depth + 1) return;
            levels_.pop_back();
        }
    }

    // How many active options an item has before this one.
    std::uint64_t active_before(Int item, Int option) const {
        std::uint64_t count = 0;
        for (const Int other : active_.options_of(item)) {
            count += other < option && active_.is_active(other) ? 1 : 0;
        }
        return count;
    }

    // Is an image earlier that has the same options on the path up to some level, unmoved? (That is
    // found without a search, and tells most solutions apart.)
    bool earlier_at_once() {
        std::size_t reach = 0;
        for (std::size_t depth = 0; depth < depth_; ++depth) {
            const Level& level = levels_[depth];
            if (level.group->trivial()) return false;
            periodic_.add(members_.size());
            reach = std::max(reach, level.reach);
            for (std::size_t member = 0; member < members_.size(); ++member) {
                const Int step = step_of_[index(members_[member])];
                if (step != none && index(step) < depth) continue;
                if (level.least[index(members_[member])] >= level.option) continue;
                reach_ = std::max(reach, position_[member]);
                return true;
            }
        }
        return false;
    }

    // Finds the symmetries of the solution; false if an image is earlier.
    bool complete_levels() {
        stabilizer_.clear();
        images_.resize(std::max(images_.size(), depth_));
        followers_.resize(images_.size());
        followed_.resize(images_.size());
        class_.resize(members_.size());
        std::iota(class_.begin(), class_.end(), 0);
        for (std::size_t depth = depth_; depth-- > 0;) {
            const Level& level = levels_[depth];
            if (level.index == none || level.group->trivial()) continue;
            periodic_.add(members_.size());
            if (!complete_level(depth)) return false;
            Int length = 0;
            for (std::size_t member = 0; member < members_.size(); ++member) {
                length += class_of(static_cast<Int>(member)) == class_of(level.index) ? 1 : 0;
            }
            if (length > 1) stabilizer_.push_back(length);
        }
        return true;
    }

    bool complete_level(std::size_t depth) {
        const Level& level = levels_[depth];
        std::vector<Int> failed;
        for (Int member = 0; index(member) < members_.size(); ++member) {
            if (level.least[index(members_[index(member)])] != level.option) continue;
            if (class_of(member) == class_of(level.index)) continue;
            if (std::ranges::any_of(failed,
                                    [&](Int one) { return class_of(one) == class_of(member); }))
                continue;
            if (is_above(depth, member)) continue;
            periodic_.add(members_.size() + depth);
            Image image;
            rest_.clear();
            for (Int other = 0; index(other) < members_.size(); ++other) {
                if (is_above(depth, other)) continue;
                rest_.push_back(other);
                image.options.push_back(members_[index(other)]);
            }
            for (std::size_t above = 0; above < depth; ++above) {
                followed_[above] = levels_[above].index;
                image.reach = std::max(image.reach, levels_[above].reach);
            }
            const auto place = std::ranges::find(rest_, member) - rest_.begin();
            switch (place_following(depth, image, static_cast<std::size_t>(place))) {
                case Place::earlier:
                    return false;
                case Place::later:
                    failed.push_back(member);
                    break;
                case Place::same:
                    for (std::size_t one = 0; one < members_.size(); ++one) {
                        unite(static_cast<Int>(one), index_[index(image_[one])]);
                    }
            }
        }
        return true;
    }

    // Is an option of the solution on the path above this level?
    bool is_above(std::size_t depth, Int member) const {
        const Int step = step_of_[index(members_[index(member)])];
        return step != none && index(step) < depth;
    }

    // `place_below`, of the images that have the option of a level as the image at this place.
    Place place_following(std::size_t depth, Image& image, std::size_t place) {
        const Level& level = levels_[depth];
        const std::size_t last = image.options.size() - 1;
        const auto exchange = [&] {
            std::swap(rest_[place], rest_[last]);
            std::swap(image.options[place], image.options[last]);
        };
        exchange();
        followed_[depth] = rest_[last];
        Image& next = images_[depth];
        next.reach = std::max({image.reach, level.reach, position_[index(rest_[last])]});
        next.options.assign(image.options.begin(), image.options.end() - 1);
        map_to_option(depth, image.options[last], next.options);
        const Place found = place_below(depth + 1, next);
        exchange();
        return found;
    }

    // Applies to some options an element of the group of a level that maps `point` to its option.
    void map_to_option(std::size_t depth, Int point, std::span<Int> options) {
        Level& level = levels_[depth];
        if (level.group->trivial() || point == level.option) return;
        if (level.to_root.empty()) {
            return level.group->apply_to_root(level.orbit, point, options, periodic_);
        }
        if (level.to_root[index(point)].empty()) {
            Permutation found(index(level.group->degree()));
            std::iota(found.begin(), found.end(), 0);
            level.group->apply_to_root(level.orbit, point, found, periodic_);
            level.to_root[index(point)] = std::move(found);
        }
        const Permutation& element = level.to_root[index(point)];
        for (Int& option : options) option = element[index(option)];
    }

    // The place of the earliest image, compared with the solution, of those that differ from this
    // one by an element of the group of a level; "same" if one is found that is the solution. Then
    // sets `image_`, and `reach_` for an earlier one.
    Place place_below(std::size_t depth, Image& image) {
        if (depth == depth_) return place_at_end(depth, image);
        const Level& level = levels_[depth];
        if (level.group->trivial()) return place_of(depth, image);
        if (!look(image)) return Place::later;
        const Int* const least = level.least.data();
        std::vector<std::size_t>& here = followers_[depth];
        here.clear();
        for (std::size_t place = 0; place < image.options.size(); ++place) {
            const Int option = least[index(image.options[place])];
            if (option > level.option) continue;
            if (option < level.option) {
                reach_ = std::max({image.reach, level.reach, position_[index(rest_[place])]});
                return Place::earlier;
            }
            here.push_back(place);
        }
        if (level.index == none) {
            followed_[depth] = none;
            Image& next = images_[depth];
            next = image;
            next.reach = std::max(next.reach, level.reach);
            return place_below(depth + 1, next);
        }
        for (const std::size_t place : here) {
            const Place found = place_following(depth, image, place);
            if (found != Place::later) return found;
        }
        return Place::later;
    }

    // May the options of one more image be looked at? If not, it counts as later: then `cut` finds
    // less than there is.
    bool look(const Image& image) {
        const std::size_t looks = image.options.size() + 1;
        periodic_.add(looks);
        if (looks_left_ == unlimited) return true;
        looks_left_ -= std::min(looks_left_, static_cast<std::uint64_t>(looks));
        return looks_left_ > 0;
    }

    // The place of one image, from a level on whose group is trivial.
    Place place_of(std::size_t depth, const Image& image) {
        if (!look(image)) return Place::later;
        for (std::size_t place = 0; place < image.options.size(); ++place) {
            each_item(image.options[place], [&](Int item) {
                image_holders_[index(item)].push_back(static_cast<Int>(place));
            });
        }
        const Place found = place_on_path(depth, image);
        for (const Int option : image.options) {
            each_item(option, [&](Int item) { image_holders_[index(item)].clear(); });
        }
        return found == Place::same ? place_at_end(depth, image) : found;
    }

    // The place of an image with the same path, of which these are the options from a level on. A
    // part of a solution may have options that are not on the path; if they differ, nothing is
    // known.
    Place place_at_end(std::size_t end, const Image& image) {
        const auto is_member = [this](Int option) { return index_[index(option)] != none; };
        if (!std::ranges::all_of(image.options, is_member)) return Place::later;
        image_.resize(members_.size());
        for (std::size_t place = 0; place < image.options.size(); ++place) {
            image_[index(rest_[place])] = image.options[place];
        }
        for (std::size_t depth = 0; depth < end; ++depth) {
            if (followed_[depth] != none) image_[index(followed_[depth])] = levels_[depth].option;
        }
        return Place::same;
    }

    // The same, with the image in `image_holders_`.
    Place place_on_path(std::size_t depth, const Image& image) {
        std::size_t reach = image.reach;
        for (; depth < depth_; ++depth) {
            const Level& level = levels_[depth];
            Int first = none;
            Int option = no_option;
            for (const Int place : image_holders_[index(level.item)]) {
                const Int other = image.options[index(place)];
                const Int step = step_of_[index(other)];
                if ((step != none && index(step) < depth) || other >= option) continue;
                option = other;
                first = rest_[index(place)];
            }
            if (option > level.option) return Place::later;
            reach = std::max({reach, level.reach, first == none ? 0 : position_[index(first)]});
            if (option < level.option) {
                reach_ = reach;
                return Place::earlier;
            }
        }
        return Place::same;
    }

    // -- details ---------------------------------------------------------------------------------

    template <class Visit>
    void each_item(Int option, Visit visit) const {
        for (const std::size_t entry : entries_of(active_.problem(), option)) {
            visit(active_.problem().item[entry]);
        }
    }

    Int class_of(Int member) {
        while (class_[index(member)] != member) {
            member = class_[index(member)] = class_[index(class_[index(member)])];
        }
        return member;
    }

    void unite(Int one, Int other) { class_[index(class_of(one))] = class_of(other); }

    ActiveOptions active_;
    Group group_;
    std::vector<std::uint8_t> is_given_;  // flag of each option
    // The path of the solution: its first `depth_` levels.
    std::vector<Level> levels_;
    std::size_t depth_ = 0;
    // The solution, without the givens:
    std::vector<Int> members_;           // its options
    std::vector<std::size_t> position_;  // of each: how long the caller's path must be to have it
    std::vector<Int> index_;             // of each option of the problem: its index, or none
    std::vector<Int> step_of_;           // of each option of the problem: its level, or none
    std::vector<std::vector<Int>> holders_;  // of each item: the indices of its options
    // Results of the test:
    std::vector<Int> stabilizer_;
    std::vector<Int> class_;  // of each index: the next of a path to that of its class
    std::vector<Int> image_;
    // While `place_below` follows images:
    std::vector<Int> rest_;  // the indices of those options that are not on the path
    // Of each level:
    std::vector<Image> images_;                        // the one that it follows
    std::vector<std::vector<std::size_t>> followers_;  // where its options are that can follow
    std::vector<Int> followed_;  // the option of the solution whose image is that of the level
    std::size_t reach_ = 0;
    std::uint64_t looks_left_ = unlimited;
    std::vector<std::vector<Int>> image_holders_;
    PeriodicCheck periodic_;
};

}  // namespace dlx
