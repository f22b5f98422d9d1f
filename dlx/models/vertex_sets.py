"""Sets of vertices that cover the edges of a graph, or dominate its vertices."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from dlx.errors import InvalidArgument, quote
from dlx.models.graph_colorings import Edges, check_graph, vertex_costs
from dlx.problem import Problem

__all__ = ["dominating_sets", "vertex_covers"]


def vertex_covers(
    edges: Edges, vertices: Iterable[Hashable] = (), *, weight: str | None = None
) -> Problem:
    """Chooses vertices of a graph so that every edge has at least one of them.

    edges
        Pairs of vertices, or a NetworkX graph.
    vertices
        Vertices without edges, or all vertices if their order matters.
    weight
        The attribute of a NetworkX graph's vertices that is their cost, an integer; 1 if a vertex
        does not have it. Without `weight` every vertex costs 1, so that `minimum` takes the fewest.

    Options are named by their vertices. The vertices that are not chosen are an independent set.
    Items: "e0", "e1", ... for the edges, each covered at least once, and one with its name for each
    vertex without edges, which may be chosen or not.

    Source: cycles of n vertices have Lucas numbers of vertex covers (OEIS A000032): 4, 7, 11, 18.

    Raises `InvalidArgument` for edges that are not pairs, loops, edges and vertices given twice,
    and for directed graphs and multigraphs.

    >>> import dlx.models
    >>> problem = dlx.models.vertex_covers(dlx.models.petersen_graph())
    >>> problem.minimum()[0][0]
    6
    >>> [dlx.models.vertex_covers(dlx.models.cycle_graph(n)).count() for n in (3, 4, 5, 6)]
    [4, 7, 11, 18]
    """
    labels, pairs = check_graph(edges, vertices)
    options: dict[Hashable, list[Hashable]] = {vertex: [] for vertex in labels.values()}
    for number, pair in enumerate(pairs):
        for vertex in pair:
            options[vertex].append(f"e{number}")
    at_least: dict[Hashable, tuple[int, int | None]] = {
        f"e{number}": (1, None) for number in range(len(pairs))
    }
    for label, vertex in labels.items():
        if not options[vertex]:
            if label in at_least:
                raise InvalidArgument(f"vertex {quote(label)} is named like an item of this model")
            options[vertex].append(label)
            at_least[label] = (0, 1)
    return Problem.from_options(
        options,
        primary=[*at_least],
        multiplicities=at_least,
        costs=vertex_costs(edges, labels.values(), weight),
    )


def dominating_sets(
    edges: Edges,
    vertices: Iterable[Hashable] = (),
    *,
    perfect: bool = False,
    weight: str | None = None,
) -> Problem:
    """Chooses vertices of a graph so that every other vertex has one of them as a neighbor.

    edges, vertices, weight
        As in `vertex_covers`.
    perfect
        Every vertex is chosen or has exactly one chosen neighbor, never both or several: a perfect
        code. That is an exact cover problem.

    Options are named by their vertices. Items: the vertices; an option has its vertex and all
    neighbors of it.

    Source: for the numbers of dominating sets of cycles, OEIS A001644: 7, 11, 21, 39, ...

    Raises what `vertex_covers` raises.

    >>> import dlx.models
    >>> [dlx.models.dominating_sets(dlx.models.cycle_graph(n)).count() for n in (3, 4, 5, 6)]
    [7, 11, 21, 39]
    >>> dlx.models.dominating_sets(dlx.models.petersen_graph()).minimum()[0][0]
    3
    >>> dlx.models.dominating_sets(dlx.models.cycle_graph(6), perfect=True).solve()
    (0, 3)
    """
    labels, pairs = check_graph(edges, vertices)
    texts = {vertex: text for text, vertex in labels.items()}
    options: dict[Hashable, list[Hashable]] = {vertex: [text] for text, vertex in labels.items()}
    for first, second in pairs:
        options[first].append(texts[second])
        options[second].append(texts[first])
    return Problem.from_options(
        options,
        primary=[*labels],
        multiplicities=None if perfect else dict.fromkeys(labels, (1, None)),
        costs=vertex_costs(edges, labels.values(), weight),
    )
