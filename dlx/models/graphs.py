"""Well-known graphs as lists of edges, for the models about graphs."""

from __future__ import annotations

from dlx.core.arguments import check_number
from dlx.models.checking import check_size

__all__ = ["complete_graph", "cycle_graph", "path_graph", "petersen_graph", "wheel_graph"]

Edges = list[tuple[int, int]]


def complete_graph(n: int) -> Edges:
    """All pairs of n vertices.

    >>> complete_graph(3)
    [(0, 1), (0, 2), (1, 2)]
    """
    n = check_number("n", n, 2)
    check_size(n * (n - 1) // 2, "edges", n=n)
    return [(a, b) for a in range(n) for b in range(a + 1, n)]


def cycle_graph(n: int) -> Edges:
    """A ring of n vertices.

    >>> cycle_graph(3)
    [(0, 1), (1, 2), (2, 0)]
    """
    n = check_number("n", n, 3)
    check_size(n, "edges", n=n)
    return [(a, (a + 1) % n) for a in range(n)]


def path_graph(n: int) -> Edges:
    """A row of n vertices.

    >>> path_graph(3)
    [(0, 1), (1, 2)]
    """
    n = check_number("n", n, 2)
    check_size(n - 1, "edges", n=n)
    return [(a, a + 1) for a in range(n - 1)]


def wheel_graph(n: int) -> Edges:
    """A ring of n vertices 1, ..., n around the hub 0: n spokes, 2n edges.

    >>> wheel_graph(3)
    [(0, 1), (0, 2), (0, 3), (1, 2), (2, 3), (3, 1)]
    """
    n = check_number("n", n, 3)
    check_size(2 * n, "edges", n=n)
    spokes = [(0, a) for a in range(1, n + 1)]
    return spokes + [(a, a % n + 1) for a in range(1, n + 1)]


def petersen_graph() -> Edges:
    """Petersen's graph: a ring 0-4, a star 5-9, and five spokes between them.

    >>> len(petersen_graph())
    15
    """
    ring = [(a, (a + 1) % 5) for a in range(5)]
    star = [(5 + a, 5 + (a + 2) % 5) for a in range(5)]
    return ring + star + [(a, a + 5) for a in range(5)]
