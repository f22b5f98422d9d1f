"""Graceful labelings of graphs."""

from __future__ import annotations

from collections.abc import Hashable

from dlx.core.color import Colored
from dlx.errors import InvalidArgument
from dlx.models.checking import check_labels, check_size
from dlx.models.graph_colorings import Edges, check_edges
from dlx.problem import Problem

__all__ = ["graceful_labeling"]


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
