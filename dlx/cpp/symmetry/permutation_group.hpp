// A group of permutations, given by generators: its order, its elements, stabilizers of points.
//
// The group G has a *base* b0, b1, ...: only the identity fixes all of it. G(i) is the subgroup
// that fixes b0 .. b(i-1). Of each level i, generators of G(i) are known, and the orbit of b(i)
// under them as a tree (Schreier tree), in which a generator leads from each point to the next:
//
//     level 0   base 3    generators 0 1 2      3 -0-> 5 -1-> 2 -0-> 7       orbit 3 5 2 7
//     level 1   base 5    generators 1 2        5 -2-> 7                     orbit 5 7
//
// The order of G is the product of the lengths of the orbits. An element is *sifted* by walking
// down the levels: the image of b(i) is a point of the orbit, and the walk to the root b(i) divides
// the element by the generators on the way. Then it fixes b(i). At the end it is the identity, or
// not in G.
//
// Levels come from random elements (Leon 1980): an element that cannot be sifted extends a level,
// and an element of a group that is not known completely cannot be sifted with probability 1/2 or
// more. The product of the orbits never exceeds the order of the group. So when it reaches the
// order, which the search for symmetries knows, the levels are complete, without a doubt. Otherwise
// all products that Schreier's lemma names are sifted at the end (Schreier and Sims).
//
// The stabilizer of any point p is made likewise: the order of G divided by the length of p's orbit
// is its order, and a random element of G, divided by one that has the same image of p, is a random
// element of it.
//
// Source: A. Seress, "Permutation group algorithms" (2003), chapter 4.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "core/interrupt_check.hpp"
#include "core/problem.hpp"
#include "core/random_numbers.hpp"

namespace dlx {

using Permutation = std::vector<Int>;  // the image of each point

// A positive integer of any size, by its prime factors.
class GroupOrder {
public:
    void multiply(Int factor) { change(factor, 1); }
    void divide(Int factor) { change(factor, -1); }
    bool operator==(const GroupOrder&) const = default;

private:
    void change(Int number, Int by) {
        for (Int prime = 2; number > 1; ++prime) {
            if (prime > number / prime) prime = number;
            for (; number % prime == 0; number /= prime) {
                if ((exponent_[prime] += by) == 0) exponent_.erase(prime);
            }
        }
    }

    std::map<Int, Int> exponent_;  // of each prime factor
};

// The orbit of a point under generators.
struct Orbit {
    static constexpr Int outside = -2;
    static constexpr Int root = -1;

    std::vector<Int> points;  // the root first
    std::vector<Int> by;      // of each point: the generator that leads to it, or one of the above
};

class PermutationGroup {
public:
    // The group of the identity.
    explicit PermutationGroup(Int degree) : degree_(degree) {}

    // The group that permutations of 0 .. degree-1 generate. `factors`: numbers whose product is
    // the order of the group; empty if it is not known.
    PermutationGroup(Int degree, const std::vector<Permutation>& generators,
                     std::span<const Int> factors)
        : PermutationGroup(degree) {
        GroupOrder order;
        for (const Int factor : factors) order.multiply(factor);
        for (const Permutation& generator : generators) add(generator);
        if (levels_.empty()) return;
        const bool known = !factors.empty();
        add_products(generators, known ? &order : nullptr);
        if (!known || order_ != order) add_schreier_generators();
    }

    Int degree() const noexcept { return degree_; }
    bool trivial() const noexcept { return levels_.empty(); }
    const std::vector<Permutation>& generators() const noexcept { return generators_; }

    // Their product is the order of the group.
    std::vector<Int> orbit_lengths() const {
        std::vector<Int> lengths;
        for (const Level& level : levels_) lengths.push_back(length_of(level.orbit));
        return lengths;
    }

    bool contains(Permutation permutation) const {
        PeriodicCheck periodic;
        return sift(permutation, periodic) == levels_.size() && first_moved(permutation) == degree_;
    }

    // O(points moved * generators).
    Orbit orbit_of(Int point) const {
        Orbit orbit = single(point);
        std::vector<Int> all(generators_.size());
        std::iota(all.begin(), all.end(), 0);
        extend(orbit, all, 0);
        return orbit;
    }

    // Applies to some points an element of the group that maps `point` to the root of its orbit.
    void apply_to_root(const Orbit& orbit, Int point, std::span<Int> points,
                       PeriodicCheck& periodic) const {
        for (Int by = orbit.by[index(point)]; by >= 0; by = orbit.by[index(point)]) {
            periodic.add(points.size() + 1);
            const Permutation& inverse = inverses_[index(by)];
            for (Int& one : points) one = inverse[index(one)];
            point = inverse[index(point)];
        }
    }

    // The subgroup that fixes the root of one of its orbits, which has several points.
    PermutationGroup stabilizer(const Orbit& orbit) const {
        PermutationGroup group(degree_);
        const Int point = orbit.points.front();
        if (levels_.front().base == point) {
            for (std::size_t level = 1; level < levels_.size(); ++level) {
                group.begin_level(levels_[level].base);
            }
            for (std::size_t number = 0; number < generators_.size(); ++number) {
                std::size_t last = 0;  // the levels 1 .. last have this generator
                while (last + 1 < levels_.size() && fixes(number, levels_[last].base)) ++last;
                if (last > 0) group.insert(generators_[number], last - 1);
            }
            return group;
        }
        GroupOrder order = order_;
        order.divide(length_of(orbit));
        RandomNumbers random(index(point));
        while (group.order_ != order) {
            Permutation element = random_element(random, group.periodic_);
            apply_to_root(orbit, element[index(point)], element, group.periodic_);
            group.add(std::move(element));
        }
        return group;
    }

    // The element with this number; from 0, the identity, to the order of the group - 1.
    Permutation element(std::uint64_t number) const {
        Permutation element(index(degree_));
        std::iota(element.begin(), element.end(), 0);
        PeriodicCheck periodic;
        for (const Level& level : levels_) {
            const std::vector<Int>& points = level.orbit.points;
            apply_to_root(level.orbit, points[number % points.size()], element, periodic);
            number /= points.size();
        }
        return element;
    }

private:
    struct Level {
        Int base;
        std::vector<Int> generators;
        Orbit orbit;  // of the base point
    };

    static Int length_of(const Orbit& orbit) noexcept {
        return static_cast<Int>(orbit.points.size());
    }

    bool fixes(std::size_t generator, Int point) const {
        return generators_[generator][index(point)] == point;
    }

    Orbit single(Int point) const {
        Orbit orbit{{point}, std::vector<Int>(index(degree_), Orbit::outside)};
        orbit.by[index(point)] = Orbit::root;
        return orbit;
    }

    // Extends an orbit that is complete under the generators before `first`.
    void extend(Orbit& orbit, const std::vector<Int>& generators, std::size_t first) const {
        const std::size_t before = orbit.points.size();
        PeriodicCheck periodic;
        for (std::size_t place = 0; place < orbit.points.size(); ++place) {
            const Int point = orbit.points[place];
            periodic.add(generators.size() + 1);
            for (std::size_t number = place < before ? first : 0; number < generators.size();
                 ++number) {
                const Int image = generators_[index(generators[number])][index(point)];
                if (orbit.by[index(image)] != Orbit::outside) continue;
                orbit.by[index(image)] = generators[number];
                orbit.points.push_back(image);
            }
        }
    }

    void begin_level(Int base) { levels_.push_back({base, {}, single(base)}); }

    // Divides a permutation by generators; returns the level where that ends.
    std::size_t sift(Permutation& permutation, PeriodicCheck& periodic) const {
        for (std::size_t number = 0; number < levels_.size(); ++number) {
            const Level& level = levels_[number];
            const Int image = permutation[index(level.base)];
            if (level.orbit.by[index(image)] == Orbit::outside) return number;
            apply_to_root(level.orbit, image, permutation, periodic);
        }
        return levels_.size();
    }

    Int first_moved(const Permutation& permutation) const {
        Int point = 0;
        while (point < degree_ && permutation[index(point)] == point) ++point;
        return point;
    }

    // A point that the element moves, for a new level. One of the last orbit if there is: then the
    // transpositions (a b), (b c), (c d), ... of equal options have the base a, b, c, ... and are
    // complete at once. With another base, most of their n! products would have to be found.
    Int next_base(const Permutation& element) const {
        if (!levels_.empty()) {
            const std::vector<Int>& points = levels_.back().orbit.points;
            for (auto point = points.rbegin(); point != points.rend(); ++point) {
                if (element[index(*point)] != *point) return *point;
            }
        }
        return first_moved(element);
    }

    // Adds an element to the group; false if the levels have it already.
    bool add(Permutation element) {
        periodic_.add(index(degree_));
        const std::size_t level = sift(element, periodic_);
        if (level == levels_.size()) {
            const Int moved = next_base(element);
            if (moved == degree_) return false;
            begin_level(moved);
        }
        insert(element, level);
        return true;
    }

    // Adds a generator, which fixes the base above the level, to this level and those above.
    void insert(const Permutation& generator, std::size_t last) {
        const auto number = static_cast<Int>(generators_.size());
        periodic_.add(generator.size());
        Permutation inverse(generator.size());
        for (std::size_t point = 0; point < generator.size(); ++point) {
            inverse[index(generator[point])] = static_cast<Int>(point);
        }
        generators_.push_back(generator);
        inverses_.push_back(std::move(inverse));
        for (std::size_t place = 0; place <= last; ++place) {
            Level& level = levels_[place];
            level.generators.push_back(number);
            order_.divide(length_of(level.orbit));
            extend(level.orbit, level.generators, level.generators.size() - 1);
            order_.multiply(length_of(level.orbit));
        }
    }

    // The inverse of the product of an element of each level, all equally likely.
    Permutation random_element(RandomNumbers& random, PeriodicCheck& periodic) const {
        Permutation element(index(degree_));
        std::iota(element.begin(), element.end(), 0);
        for (const Level& level : levels_) {
            const std::vector<Int>& points = level.orbit.points;
            apply_to_root(level.orbit, points[random.below(points.size())], element, periodic);
        }
        return element;
    }

    // Adds random products of the generators (product replacement: Celler et al., 1995) until the
    // group has this order, or many in a row bring nothing new.
    void add_products(std::vector<Permutation> factors, const GroupOrder* order) {
        constexpr std::size_t slots = 10;
        constexpr int enough = 20;
        for (std::size_t place = 0; factors.size() < slots; ++place) {
            factors.push_back(factors[place]);
        }
        const auto multiply = [this](Permutation& one, const Permutation& other) {
            for (Int& image : one) image = other[index(image)];
            periodic_.add(index(degree_));
        };
        RandomNumbers random(0);
        Permutation product = factors.front();
        int in_vain = 0;
        while (in_vain < enough && (order == nullptr || order_ != *order)) {
            const std::size_t one = random.below(factors.size());
            const std::size_t other = random.below(factors.size() - 1);
            multiply(factors[one], factors[other + (other >= one ? 1 : 0)]);
            multiply(product, factors[one]);
            in_vain = add(product) ? 0 : in_vain + 1;
        }
    }

    // Makes the levels complete, from the last on: by Schreier's lemma, the products u g v generate
    // the stabilizer of the base point, where g is a generator, u maps the base point to a point of
    // the orbit and v the image of that point back to the base point.
    void add_schreier_generators() {
        for (std::size_t number = levels_.size(); number > 0;) {
            number = complete_level(number - 1) ? number - 1 : levels_.size();
        }
    }

    // False if an element was missing.
    bool complete_level(std::size_t number) {
        const Level level = levels_[number];
        for (const Int point : level.orbit.points) {
            Permutation back(index(degree_));
            std::iota(back.begin(), back.end(), 0);
            apply_to_root(level.orbit, point, back, periodic_);
            Permutation product(back.size());
            for (const Int generator : level.generators) {
                const Permutation& images = generators_[index(generator)];
                for (std::size_t from = 0; from < back.size(); ++from) {
                    product[index(back[from])] = images[from];
                }
                apply_to_root(level.orbit, images[index(point)], product, periodic_);
                if (add(product)) return false;
            }
        }
        return true;
    }

    Int degree_;
    std::vector<Permutation> generators_;
    std::vector<Permutation> inverses_;
    std::vector<Level> levels_;
    GroupOrder order_;  // the product of the lengths of the orbits
    PeriodicCheck periodic_;
};

}  // namespace dlx
