// A problem as a graph whose automorphisms are the symmetries of the problem.
//
// The vertices are numbered items first, then options, then colors. For the items a, b and x (x is
// secondary) and the options 0 = {a x:A}, 1 = {b x:B}, 2 = {b x:B}:
//
//     vertex   adjacent to
//     a        0                one vertex for each class of equal items
//     b        1,2
//     x        x:A  x:B
//     0        a  x:A           one for each class of equal options
//     1,2      b  x:B
//     x:A      x  0             one for each color of a secondary item, adjacent to its item and to
//     x:B      x  1,2           the options that use it: so colors can be permuted
//
// An entry without color is an edge between its option and its item, labelled with its weight.
// Vertices of one sort are never adjacent. The graph is kept in compressed rows.
//
// Equal options can be exchanged in every possible way, which would make the group enormous and its
// base long. So they share one vertex, and so do equal items: those in the same options with the
// same weights, or with the same colors up to renaming. The symmetries of the problem are those of
// the graph, times all permutations of each class. `kind` is the same for two vertices only if they
// are of one sort, of the same kind for the caller, and their classes are of the same size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/problem.hpp"

namespace dlx {

// A partition of elements 0 .. n-1 into classes, numbered by their first elements.
struct Classes {
    std::vector<Int> of;      // the class of each element
    std::vector<Int> start;   // class c has the members start[c] .. start[c+1]-1
    std::vector<Int> member;  // in ascending order within a class

    Int count() const noexcept { return static_cast<Int>(start.size()) - 1; }
    std::span<const Int> members(Int number) const noexcept {
        const auto at = static_cast<std::size_t>(number);
        return std::span(member).subspan(static_cast<std::size_t>(start[at]),
                                         static_cast<std::size_t>(start[at + 1] - start[at]));
    }
};

struct IncidenceGraph {
    Classes items;    // the classes of equal items, the first vertices
    Classes options;  // the classes of equal options, the next vertices
    Int vertices = 0;
    std::vector<Int> kind;           // of each vertex
    std::vector<std::size_t> start;  // vertex v has the edges start[v] .. start[v+1]-1
    std::vector<Int> neighbor;
    std::vector<Int> weight;  // of each edge; empty if all are 1

    std::size_t first_edge(Int vertex) const noexcept {
        return start[static_cast<std::size_t>(vertex)];
    }
    std::size_t end_edge(Int vertex) const noexcept {
        return start[static_cast<std::size_t>(vertex) + 1];
    }
    std::size_t degree(Int vertex) const noexcept { return end_edge(vertex) - first_edge(vertex); }
    Int weight_of(std::size_t edge) const noexcept { return weight.empty() ? 1 : weight[edge]; }
};

// The graph of a problem. Symmetries keep `item_kind` and `option_kind`, numbers from 0 up; a
// primary item must have a smaller one than any secondary item. O(entries log entries).
IncidenceGraph incidence_graph(const Problem& problem, std::span<const Int> item_kind,
                               std::span<const Int> option_kind);

}  // namespace dlx
