"""Problems about graphs: colorings, graceful labelings, matchings, covers, dominating sets."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from itertools import combinations
from typing import Any, Protocol, TypeGuard, overload

from dlx.core.arguments import check_number, is_iterable
from dlx.core.entries import Colored
from dlx.errors import InvalidArgument, quote
from dlx.models.checking import check_labels, check_size, list_of
from dlx.problem import Problem

__all__ = [
    "Edges",
    "dominating_sets",
    "graceful_labeling",
    "graph_coloring",
    "matchings",
    "perfect_matchings",
    "refuse_other_graphs",
    "vertex_covers",
]

Edge = tuple[Hashable, Hashable]


class Graph(Protocol):
    """The part of a NetworkX graph's interface that the models use."""

    @property
    def nodes(self) -> Iterable[Any]:
        """The vertices."""

    @property
    def edges(self) -> Iterable[Any]:
        """Pairs of vertices."""


Edges = Iterable[tuple[Hashable, Hashable]] | Graph


def is_graph(edges: object) -> TypeGuard[Graph]:
    """Whether `edges` has the interface of a NetworkX graph. Does not import NetworkX."""
    return hasattr(edges, "edges") and hasattr(edges, "nodes")


def check_graph(
    edges: Edges, vertices: Iterable[Hashable]
) -> tuple[dict[str, Hashable], list[Edge]]:
    """The vertices by their texts (see `check_labels`), and the checked edges.

    The vertices given come first, then those of a NetworkX graph, then those of the edges.
    """
    pairs = check_edges(edges)
    listed = [*check_labels("vertices", list_of("vertices", vertices, "vertices")).values()]
    if is_graph(edges):
        listed += edges.nodes
    ends = dict.fromkeys([*listed, *(vertex for pair in pairs for vertex in pair)])
    return check_labels("the graph", ends), pairs


def edge_costs(edges: Edges, weight: str) -> list[Any]:
    """The attribute `weight` of each edge of a NetworkX graph; 1 if an edge does not have it."""
    return [data.get(weight, 1) for *_, data in _attributes("edges", edges, weight)]


def vertex_costs(edges: Edges, vertices: Iterable[Hashable], weight: str | None) -> list[Any]:
    """The attribute `weight` of each vertex; 1 if it does not have it, or without `weight`."""
    if weight is None:
        return [1 for _ in vertices]
    data = dict(_attributes("nodes", edges, weight))
    return [data.get(vertex, {}).get(weight, 1) for vertex in vertices]


def _attributes(view: str, edges: Edges, weight: str) -> Any:
    """The edges or the nodes of a NetworkX graph with their attributes."""
    method = getattr(edges, view, None)
    if not callable(method):
        raise InvalidArgument(
            f"weight is {quote(weight)}, an attribute in a graph of NetworkX; {quote(edges)} is not"
            " such a graph"
        )
    return method(data=True)


def refuse_other_graphs(what: str, graph: Any, remedy: str = "") -> None:
    """Raises `InvalidArgument` for a directed graph of NetworkX, and for a multigraph."""
    for method, kind in (("is_directed", "directed graph"), ("is_multigraph", "multigraph")):
        if getattr(graph, method, bool)():
            raise InvalidArgument(
                f"{what} is a {kind}; convert it with networkx.Graph(...){remedy}"
            )


def check_edges(edges: Edges) -> list[Edge]:
    """The edges as a list, checked to be different pairs of different vertices.

    `edges` may be a graph of NetworkX: one that is neither directed nor a multigraph.
    """
    if is_graph(edges):
        refuse_other_graphs("edges", edges, ", or give pairs of vertices")
    listed: Any = edges.edges if is_graph(edges) else edges
    checked: list[Edge] = []
    seen: set[frozenset[Hashable]] = set()
    for number, edge in enumerate(list_of("edges", listed, "pairs of vertices")):
        try:
            first, second = edge
            ends = frozenset((first, second))
        except (TypeError, ValueError):
            raise InvalidArgument(
                f"edge {number} is {quote(edge)}; an edge is a pair of vertices"
            ) from None
        if first == second:
            raise InvalidArgument(f"edge {number} joins {quote(first)} to itself")
        if ends in seen:
            raise InvalidArgument(f"edge {number}, {quote((first, second))}, is given twice")
        seen.add(ends)
        checked.append((first, second))
    return checked


def graph_coloring(
    edges: Edges,
    colors: int | Iterable[Hashable],
    vertices: Iterable[Hashable] = (),
) -> Problem[tuple[Hashable, Hashable]]:
    """Gives each vertex a color so that the two ends of every edge have different colors.

    edges
        Pairs of vertices; for a map, the pairs of neighboring countries. Or a NetworkX graph, whose
        vertices without edges are colored as well.
    colors
        The colors, or their number; then they are 1, 2, ...
    vertices
        Vertices without edges, or all vertices if their order matters.

    Options are named (vertex, color). Items: a primary item for each vertex, with its name, and a
    secondary item such as "e3.red" for each edge and color, which one end of that color may take.
    Options: vertices * colors, each of 1 + the degree of the vertex items.

    Source: the number of solutions is the value of the chromatic polynomial (G. D. Birkhoff 1912)
    at the number of colors.

    Raises `InvalidArgument` for edges that are not pairs, loops, edges and vertices given twice,
    and for directed graphs and multigraphs.

    >>> import dlx.models
    >>> dlx.models.graph_coloring(dlx.models.petersen_graph(), 3).count()
    120
    >>> australia = "WA-NT WA-SA NT-SA NT-Q SA-Q SA-NSW SA-V Q-NSW NSW-V"
    >>> borders = [tuple(border.split("-")) for border in australia.split()]
    >>> map_of_australia = dlx.models.graph_coloring(borders, ["red", "green", "blue"], ["T"])
    >>> map_of_australia.count()
    18
    """
    labels, pairs = check_graph(edges, vertices)
    texts = check_labels("colors", _palette(colors))
    entries = (len(labels) + 2 * len(pairs)) * len(texts)
    check_size(entries, "entries of options", **{"the number of colors": len(texts)})
    touching: dict[Hashable, list[int]] = {vertex: [] for vertex in labels.values()}
    for number, pair in enumerate(pairs):
        for vertex in pair:
            touching[vertex].append(number)
    options = {
        (vertex, color): [label, *(f"e{number}.{text}" for number in touching[vertex])]
        for label, vertex in labels.items()
        for text, color in texts.items()
    }
    secondary = [f"e{number}.{text}" for number in range(len(pairs)) for text in texts]
    for name in labels.keys() & set(secondary):
        raise InvalidArgument(f"vertex {quote(name)} is named like an item of this model")
    return Problem.from_options(options, primary=[*labels], secondary=secondary)


def _palette(colors: int | Iterable[Hashable]) -> list[Hashable]:
    if is_iterable(colors):
        return list_of("colors", colors, "colors, or their number")
    number = check_number("colors", colors, 1)
    check_size(number, "colors", colors=number)
    return list(range(1, number + 1))


def graceful_labeling(edges: Edges) -> Problem[tuple[Hashable, Hashable, int, int]]:
    """Labels the vertices with different numbers 0, ..., m; the m edges differ by 1, ..., m.

    Options are named (first, second, label of first, label of second), one for each edge. Items:
    primary are the m differences "d1" ... and the m edges "e0" ...; secondary are the vertices
    "v...", colored by their labels, and the labels "l0" ..., colored by their vertices, so that no
    two vertices have the same. Options: m^2 (m + 1), of 6 items each. A labeling and its
    complement, m minus each label, are both found. `edges` are pairs of vertices, or a NetworkX
    graph; vertices without edges have no labels.

    Source: A. Rosa 1967, S. W. Golomb 1972; by colors as in Knuth's program GRACEFUL-DLX and TAOCP
    7.2.2.1. The paths have OEIS A006967 labelings: 1, 2, 4, 4, 8, 24, 32, 40, 120, ...

    Raises `InvalidArgument` for edges that are not pairs, loops, edges given twice, directed graphs
    and multigraphs.

    >>> import dlx.models
    >>> dlx.models.graceful_labeling(dlx.models.path_graph(6)).count()
    24
    >>> dlx.models.graceful_labeling(dlx.models.cycle_graph(3)).solve()
    ((0, 1, 0, 3), (1, 2, 3, 1), (2, 0, 1, 0))
    """
    pairs = check_edges(edges)
    if not pairs:
        raise InvalidArgument("edges is empty; there is nothing to label")
    vertices = dict.fromkeys(vertex for pair in pairs for vertex in pair)
    text = {vertex: label for label, vertex in check_labels("the graph", vertices).items()}
    size = len(pairs)
    check_size(6 * size * size * (size + 1), "entries of options", **{"the number of edges": size})
    options: dict[tuple[Hashable, Hashable, int, int], list[Hashable]] = {}
    for difference in range(size, 0, -1):
        for number, (first, second) in enumerate(pairs):
            for low in range(size - difference + 1):
                for one, other in ((low, low + difference), (low + difference, low)):
                    options[first, second, one, other] = [
                        f"d{difference}",
                        f"e{number}",
                        Colored(f"v{text[first]}", str(one)),
                        Colored(f"v{text[second]}", str(other)),
                        Colored(f"l{one}", text[first]),
                        Colored(f"l{other}", text[second]),
                    ]
    primary = [f"d{difference}" for difference in range(size, 0, -1)]
    primary += [f"e{number}" for number in range(size)]
    secondary = [f"v{label}" for label in text.values()] + [f"l{k}" for k in range(size + 1)]
    return Problem.from_options(options, primary=primary, secondary=secondary)


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
