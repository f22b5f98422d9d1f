"""Coloring the vertices of a graph, or the countries of a map."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, Protocol, TypeGuard

from dlx.core.arguments import check_number, is_iterable
from dlx.errors import InvalidArgument, quote
from dlx.models.checking import check_labels, check_size, list_of
from dlx.problem import Problem

__all__ = [
    "Edges",
    "check_edges",
    "check_graph",
    "edge_costs",
    "graph_coloring",
    "is_graph",
    "vertex_costs",
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


def _palette(colors: int | Iterable[Hashable]) -> list[Hashable]:
    if is_iterable(colors):
        return list_of("colors", colors, "colors, or their number")
    number = check_number("colors", colors, 1)
    check_size(number, "colors", colors=number)
    return list(range(1, number + 1))
