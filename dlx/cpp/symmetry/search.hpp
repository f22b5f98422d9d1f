// The symmetries of a graph, and its canonical order, by individualization and refinement.
//
// A partition that is equitable but not discrete is refined further by *individualizing* a vertex
// of one of its cells. The first path down individualizes b0, b1, b2, ... (the *base*)
// until all cells have one vertex: a *leaf*, an order of all vertices.
//
//              {..}             Then, from the bottom up, each other vertex v of the cell of b_i
//           b0/  \v             replaces b_i. A leaf below it, with the same events of refinement
//           {..}  {..}          on the way, is an order too; mapping one order to the other may
//         b1/ \v'    \          be a symmetry, which is then verified edge by edge. It fixes
//        leaf  leaf   leaf      b_0 .. b_(i-1) and maps b_i to v.
//
// Vertices in one orbit of the symmetries found so far need no second search. If the search below v
// fails, no vertex of v's orbit is an image of b_i. So when the cell of b_i is done, the orbit of
// b_i is its exact orbit in the stabilizer of b_0 .. b_(i-1), and the symmetries found from level i
// on generate that stabilizer. The order of the group is the product of the lengths of the orbits,
// and the generators are strong: symmetry/chain.hpp needs no more of the algorithm of Schreier and
// Sims.
//
// A path usually need not be followed to its leaf. At each node the vertices that are alone in
// their cells are mapped to those at the same places, and the images are completed to a permutation
// that fixes all others: if a is mapped to b, and b has no image yet, b is mapped to a. Often this
// is a symmetry, such as the exchange of two equal parts of the problem. A symmetry that moves
// little costs little.
//
// The cell whose vertices are individualized is the first of the longest: that leads to short
// paths. (The points of a projective plane show why: after two of them, a third on their line, in a
// short cell, says little; one beside it, in the longest cell, says much.)
//
// If a limit ends the search within level i, the levels below are complete, and the symmetries
// found generate a group whose orders and orbits are known in the same way: a subgroup.
//
// The *canonical order* is the leaf with the largest sequence of events; of several, the one with
// the largest graph, if its vertices are numbered in this order. The tree has a leaf for each
// symmetry; of vertices in one orbit of the stabilizer of the path, the search tries only one, and
// it drops a vertex at the first event that is smaller than that of the best leaf. Below another
// vertex, where the stabilizer is unknown, the search for symmetries begins anew.
//
// Sources: B. McKay and A. Piperno, "Practical graph isomorphism, II" (2014); P. Darga, K. Sakallah
// and I. Markov, "Faster symmetry discovery using sparsity of symmetries" (2008).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "symmetry/graph.hpp"

namespace dlx {

// A permutation: the vertices that it moves, in ascending order, each with its image.
using Moves = std::vector<std::pair<Int, Int>>;

struct SymmetryLimits {
    std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();  // vertices individualized
    std::uint64_t work = std::numeric_limits<std::uint64_t>::max();   // edges read
};

// The symmetries of a graph: a base, and strong generators.
struct Symmetries {
    // Of each level, from the top, whose orbit has several vertices:
    std::vector<Int> base;
    std::vector<Int> orbit;  // its length
    // A generator fixes the base above its level, and moves the base vertex of its level.
    std::vector<Moves> generators;  // from the lowest level up
    std::vector<Int> level;         // of each generator
    std::uint64_t nodes = 0;
    bool complete = true;  // false: a limit was reached; this is a subgroup
};

Symmetries find_symmetries(const IncidenceGraph& graph, const SymmetryLimits& limits);

// The vertices in canonical order: there is an isomorphism between two graphs with the same kinds
// if and only if they are equal when their vertices are numbered in this order. Nullopt if a limit
// was reached.
std::optional<std::vector<Int>> canonical_order(const IncidenceGraph& graph,
                                                const SymmetryLimits& limits);

// A canonical order with what its search has found out.
struct CanonicalLabeling {
    std::vector<Int> order;  // empty if a limit was reached
    std::vector<Int> orbit;  // of each vertex: the first vertex of its orbit
    std::uint64_t work = 0;  // edges read
};

CanonicalLabeling canonical_labeling(const IncidenceGraph& graph, const SymmetryLimits& limits);

}  // namespace dlx
