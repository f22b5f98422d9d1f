// A stabilizer chain: decides whether a permutation is in a group.
//
// A group G has the base b0, b1, ..., and G(i) is the subgroup that fixes b0 .. b(i-1). The orbit
// of b(i) in G(i) is stored as a tree (Schreier tree): each point but b(i) has the generator that
// maps its parent to it. Generators are *strong*: those of levels i and more generate G(i).
//
//     sift p:  the image of b0 under p is a point of the tree of level 0, or p is not in G;
//              walk from the point to the root b0, multiplying p by the inverse of each generator:
//              now p fixes b0; continue with b1. At the end p must be the identity.
//
// The algorithm of Schreier and Sims makes generators strong, by sifting products of them.
// symmetry/search.hpp finds generators that are strong already.
//
// Source: A. Seress, "Permutation group algorithms" (2003), chapter 4.
#pragma once

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <vector>

#include "core/interrupt_check.hpp"
#include "symmetry/search.hpp"

namespace dlx {

class StabilizerChain {
public:
    // `symmetries` must outlive the chain. Takes time for each orbit: the generators that move its
    // points.
    StabilizerChain(const Symmetries& symmetries, Int vertices)
        : symmetries_(symmetries), vertices_(vertices), movers_(index(vertices)) {
        PeriodicCheck periodic;
        for (std::size_t number = 0; number < symmetries.generators.size(); ++number) {
            Moves inverse;
            for (const auto& [from, to] : symmetries.generators[number]) {
                movers_[index(from)].push_back(static_cast<Int>(number));
                inverse.emplace_back(to, from);
            }
            std::ranges::sort(inverse);
            periodic.add(8 * inverse.size());
            inverses_.push_back(std::move(inverse));
        }
        for (std::size_t level = 0; level < symmetries.base.size(); ++level) grow_tree(level);
    }

    // Is the permutation with these images of the first vertices in the group? It permutes these
    // among themselves, and determines the images of the others.
    bool contains(std::vector<Int> image) const {
        const auto end = static_cast<Int>(image.size());
        while (image.size() < index(vertices_)) image.push_back(static_cast<Int>(image.size()));
        std::vector<Int> origin(image.size());
        for (Int vertex = 0; vertex < vertices_; ++vertex)
            origin[index(image[index(vertex)])] = vertex;
        for (std::size_t level = 0; level < trees_.size(); ++level) {
            const Int base = symmetries_.base[level];
            while (image[index(base)] != base) {
                const auto found = trees_[level].find(image[index(base)]);
                if (found == trees_[level].end()) return false;
                multiply(inverses_[index(found->second)], image, origin);
            }
        }
        for (Int vertex = 0; vertex < end; ++vertex) {
            if (image[index(vertex)] != vertex) return false;
        }
        return true;
    }

private:
    static Int image_of(const Moves& moves, Int vertex) noexcept {
        const auto found = std::ranges::lower_bound(moves, vertex, {},
                                                    [](const auto& move) { return move.first; });
        return found != moves.end() && found->first == vertex ? found->second : vertex;
    }

    void grow_tree(std::size_t level) {
        const Int base = symmetries_.base[level];
        std::unordered_map<Int, Int> tree{{base, -1}};
        std::vector<Int> reached{base};
        PeriodicCheck periodic;
        for (std::size_t next = 0; next < reached.size(); ++next) {
            for (const Int number : movers_[index(reached[next])]) {
                periodic.add(8);
                if (index(symmetries_.level[index(number)]) < level) continue;
                const Int image = image_of(symmetries_.generators[index(number)], reached[next]);
                if (tree.emplace(image, number).second) reached.push_back(image);
            }
        }
        trees_.push_back(std::move(tree));
    }

    // Applies a permutation after the one with these images and origins.
    static void multiply(const Moves& moves, std::vector<Int>& image, std::vector<Int>& origin) {
        std::vector<Int> origins;
        origins.reserve(moves.size());
        for (const auto& [from, to] : moves) origins.push_back(origin[index(from)]);
        for (std::size_t number = 0; number < moves.size(); ++number) {
            image[index(origins[number])] = moves[number].second;
            origin[index(moves[number].second)] = origins[number];
        }
    }

    const Symmetries& symmetries_;
    Int vertices_;
    std::vector<std::vector<Int>> movers_;  // the generators that move each vertex
    std::vector<Moves> inverses_;           // of the generators
    std::vector<std::unordered_map<Int, Int>> trees_;
};

}  // namespace dlx
