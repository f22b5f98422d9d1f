"""Problems with multiplicities: degrees, sums, domination, and tilings with counts.

python benchmarks/multiplicity_instances.py NAME > FILE   writes one in Knuth's format
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import combinations
from typing import NamedTuple

from dlx import Problem, models

__all__ = ["FAMILIES", "Family", "contingency_tables", "factors", "squares"]


def factors(vertices: int, degree: int) -> Problem:
    """Sets of edges of a complete graph with `degree` edges at each vertex."""
    edges = combinations(range(vertices), 2)
    return Problem.from_options(edges, multiplicities=dict.fromkeys(range(vertices), degree))


def contingency_tables(
    rows: int, columns: int, row: int | tuple[int, int], column: int | tuple[int, int]
) -> Problem:
    """0-1 matrices with these sums, numbers or pairs of bounds, in their rows and columns."""
    sums = {("row", place): row for place in range(rows)}
    sums |= {("column", place): column for place in range(columns)}
    cells = [(("row", here), ("column", there)) for here in range(rows) for there in range(columns)]
    return Problem.from_options(cells, primary=list(sums), multiplicities=sums)


def squares(side: int, counts: dict[int, int | tuple[int, int]]) -> Problem:
    """Tilings of a square by given numbers of smaller squares."""
    options = [
        [("side", k), *((row + i, column + j) for i in range(k) for j in range(k))]
        for k in counts
        for row in range(side - k + 1)
        for column in range(side - k + 1)
    ]
    bounds = {("side", k): count for k, count in counts.items()}
    cells = [(row, column) for row in range(side) for column in range(side)]
    return Problem.from_options(options, primary=[*bounds, *cells], multiplicities=bounds)


def tetrominoes(rows: int, columns: int, counts: dict[str, tuple[int, int]]) -> Problem:
    """Tilings of a board by tetrominoes, each kind as often as its bounds say."""
    return models.polyominoes(list(counts), models.box(rows, columns), counts=counts)


class Family(NamedTuple):
    """A problem and its number of solutions; "links" and "bits" agree on those without a source."""

    build: Callable[[], Problem]
    solutions: int


FAMILIES = {
    "two-factors-K10": Family(lambda: factors(10, 2), 286884),  # OEIS A001205
    "two-factors-K11": Family(lambda: factors(11, 2), 3026655),
    "four-factors-K8": Family(lambda: factors(8, 4), 19355),  # OEIS A005815
    "four-factors-K9": Family(lambda: factors(9, 4), 1024380),
    "matrices-6x6-3": Family(lambda: contingency_tables(6, 6, 3, 3), 297200),  # OEIS A001501
    "tables-4x5": Family(lambda: contingency_tables(4, 5, (2, 4), (1, 3)), 189800),
    "queen-domination-7-4": Family(lambda: models.queen_domination(7, 4), 86),
    "queen-domination-8-5": Family(lambda: models.queen_domination(8, 5), 4860),  # OEIS A002564
    "tilings-6x6": Family(
        lambda: tetrominoes(6, 6, {"L4": (0, 9), "T4": (0, 4), "I4": (2, 9)}), 5900
    ),
    "tilings-6x8": Family(
        lambda: tetrominoes(6, 8, {"L4": (0, 12), "T4": (0, 6), "I4": (2, 12)}), 501201
    ),
    "squares-9x9": Family(lambda: squares(9, {1: (0, 8), 2: (3, 12), 3: (2, 5), 4: (0, 2)}), 40750),
    "bricks-4x4x3": Family(lambda: models.bricks({(1, 2, 3): 6, (1, 1, 2): 6}, 4, 4, 3), 274100),
    "partridge-5": Family(lambda: models.partridge(5), 0),
}


if __name__ == "__main__":
    FAMILIES[sys.argv[1]].build().dump(sys.stdout)
