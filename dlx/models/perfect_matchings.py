"""Matchings of graphs: sets of edges that have no vertex in common."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from itertools import combinations
from typing import Any, overload

from dlx.core.arguments import check_number, is_iterable
from dlx.models.checking import check_size
from dlx.models.graph_colorings import Edges, check_graph, edge_costs, is_graph
from dlx.problem import Problem

__all__ = ["matchings", "perfect_matchings"]


def perfect_matchings(
    edges: Edges, vertices: Iterable[Hashable] = (), *, weight: str | None = None
) -> Problem[tuple[Hashable, Hashable]]:
    """Chooses edges of a graph so that every vertex is in exactly one of them.

    edges
        Pairs of vertices, or a NetworkX graph.
    vertices
        Vertices without edges, or all vertices if their order matters.
    weight
        The attribute of a NetworkX graph's edges that is their cost, an integer; 1 if an edge does
        not have it. Without `weight`, edges cost nothing.

    Options are named by their edges (a, b), as given. Items: the vertices; options: the edges.

    Source: the permanent of a bipartite graph's matrix is the number of its perfect matchings.

    Raises `InvalidArgument` for edges that are not pairs, loops, edges and vertices given twice,
    and for directed graphs and multigraphs.

    >>> import dlx.models
    >>> dlx.models.perfect_matchings(dlx.models.petersen_graph()).count()
    6
    >>> dlx.models.perfect_matchings([("a", "b"), ("b", "c"), ("c", "d")]).solve()
    (('a', 'b'), ('c', 'd'))
    """
    labels, pairs = check_graph(edges, vertices)
    texts = {vertex: text for text, vertex in labels.items()}
    options = {(first, second): [texts[first], texts[second]] for first, second in pairs}
    return Problem.from_options(
        options, primary=[*labels], costs=None if weight is None else edge_costs(edges, weight)
    )


@overload
def matchings(
    n: int, *, perfect: bool = True, weight: str | None = None
) -> Problem[tuple[int, int]]: ...
@overload
def matchings(
    n: Edges, *, perfect: bool = True, weight: str | None = None
) -> Problem[tuple[Hashable, Hashable]]: ...
def matchings(
    n: int | Edges, *, perfect: bool = True, weight: str | None = None
) -> Problem[tuple[Any, Any]]:
    """Splits 2n people into n pairs: the perfect matchings of the complete graph on 2n vertices.

    Options are the pairs (a, b), a < b, of the numbers 0, ..., 2n - 1. Items: 2n; options:
    n(2n - 1). The search has no dead ends, so it measures the cost of a solution.

    `n` may also be a graph, as in `perfect_matchings`, for the perfect matchings of that graph.
    With `perfect=False` a vertex need not be in any edge, and an edge without a `weight` costs 1,
    so that `maximum` takes the most edges.

    Source: OEIS A001147, the double factorial (2n - 1)!! = 1, 3, 15, 105, 945, ...

    Raises `InvalidArgument` if n is neither an integer from 1 up nor a graph.

    >>> import dlx.models
    >>> dlx.models.matchings(4).count()
    105
    >>> list(dlx.models.matchings(2).solutions())
    [((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2))]
    >>> star = [(0, 1), (0, 2), (0, 3)]
    >>> dlx.models.matchings(star).count(), dlx.models.matchings(star, perfect=False).count()
    (0, 4)
    """
    if not is_iterable(n) and not is_graph(n):
        people = 2 * check_number("n", n, 1)
        check_size(people * (people - 1), "entries of options", n=n)
        edges: Edges = list(combinations(range(people), 2))
    else:
        edges = n
    problem = perfect_matchings(edges, weight=weight)
    if perfect:
        return problem
    return Problem.packing(
        dict(zip(problem.names, problem.options, strict=True)),
        costs=None if weight is None else problem.costs,
    )
