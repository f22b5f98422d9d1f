"""Problems with multiplicities: the time for each node on "links", and on "bits" beside it.

`python benchmarks/test_multiplicities.py` measures the engines by turns, and prints the time of
each node and the ratio; `pytest benchmarks/test_multiplicities.py` measures "auto".
"""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import combinations
from typing import NamedTuple

import pytest
from measuring import stats_of
from pytest_benchmark.fixture import BenchmarkFixture

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


class Family(NamedTuple):
    """A problem and its number of solutions; "links" and "bits" agree on those without a source."""

    build: Callable[[], Problem]
    solutions: int


FAMILIES = {
    "two-factors-K10": Family(lambda: factors(10, 2), 286884),  # OEIS A001205
    "four-factors-K8": Family(lambda: factors(8, 4), 19355),  # OEIS A005815
    "matrices-6x6-3": Family(lambda: contingency_tables(6, 6, 3, 3), 297200),  # OEIS A001501
    "tables-4x5": Family(lambda: contingency_tables(4, 5, (2, 4), (1, 3)), 189800),
    "queen-domination-7-4": Family(lambda: models.queen_domination(7, 4), 86),
    "tilings-6x6": Family(
        lambda: models.polyominoes(
            ["L4", "T4", "I4"], models.box(6, 6), counts={"L4": (0, 9), "T4": (0, 4), "I4": (2, 9)}
        ),
        5900,
    ),
    "squares-9x9": Family(lambda: squares(9, {1: (0, 8), 2: (3, 12), 3: (2, 5), 4: (0, 2)}), 40750),
    "bricks-4x4x3": Family(lambda: models.bricks({(1, 2, 3): 6, (1, 1, 2): 6}, 4, 4, 3), 274100),
    "partridge-5": Family(lambda: models.partridge(5), 0),
}


@pytest.mark.benchmark(group="multiplicities", min_rounds=3, max_time=0.5)
@pytest.mark.parametrize("name", FAMILIES)
def test_family(name: str, benchmark: BenchmarkFixture) -> None:
    """Counts the solutions one by one; building excluded."""
    problem = FAMILIES[name].build()
    found = benchmark(lambda: problem.count(node_limit=10**9))  # a node limit: one by one
    assert found == FAMILIES[name].solutions


def main(rounds: int = 5) -> None:
    """Prints for each family the nodes, nanoseconds for each of them by engine, and the ratio."""
    print(f"{'family':22} {'solutions':>9} {'nodes':>9} {'links':>8} {'bits':>8}  ratio")
    for name, family in FAMILIES.items():
        problem = family.build()
        problem.solve(engine="bits")  # makes what searches share
        best = {"links": float("inf"), "bits": float("inf")}
        for _ in range(rounds):
            for engine in best:
                began = time.process_time()
                found = problem.count(engine=engine)
                best[engine] = min(best[engine], time.process_time() - began)
                if found != family.solutions:
                    raise AssertionError(f"{name}: {engine} finds {found}")
        nodes = stats_of(problem).nodes
        links, bits = (1e9 * seconds / nodes for seconds in best.values())
        print(f"{name:22} {found:9} {nodes:9} {links:8.1f} {bits:8.1f} {links / bits:6.2f}")


if __name__ == "__main__":
    main()
