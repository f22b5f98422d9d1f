"""How long it takes to estimate a search, and to explain why there is no solution.

Estimates are compared with the trees they are about in docs and tests; here it is time.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from instances import mycielski_graph
from pytest_benchmark.fixture import BenchmarkFixture

import sudoku
from dlx import Problem, models

PUZZLE = "........7..4.2.6..8.....31......29...4..9..3...95.6....1......8..6.5.2..7...1..6."


@pytest.mark.benchmark(group="probes", min_rounds=3, max_time=0.5)
@pytest.mark.parametrize("name", ["pentominoes-6x10", "queens-14", "quasigroup-22", "forced-100k"])
def test_a_thousand_probes(
    name: str, benchmark: BenchmarkFixture, build: Callable[[str], Problem]
) -> None:
    """Without the run that measures the rate."""
    prepared = build(name)._prepare(None).problem

    def probe() -> int:
        return prepared.probes([], 0).run(1000)

    assert benchmark(probe) == 1000


def pigeonholes(holes: int) -> Problem:
    """One pigeon too many."""
    options = [[("pigeon", p), ("hole", h)] for p in range(holes + 1) for h in range(holes)]
    return Problem.from_options(options, secondary=[("hole", h) for h in range(holes)])


def mutilated(side: int) -> Problem:
    """Dominoes on a chessboard without two opposite corners."""
    missing = {(0, 0), (side - 1, side - 1)}
    cells = {(row, column) for row in range(side) for column in range(side)} - missing
    options = [
        [(row, column), other]
        for row, column in sorted(cells)
        for other in ((row, column + 1), (row + 1, column))
        if other in cells
    ]
    return Problem.from_options(options)


EXPLAINED: dict[str, tuple[Callable[[], Problem], int | None]] = {
    "langford-9": (lambda: models.langford(9), 13),
    "langford-14": (lambda: models.langford(14), 21),
    "mycielski-4": (lambda: models.graph_coloring(mycielski_graph(4), 3), None),
    "pigeons-20": (lambda: pigeonholes(20), 41),
    "chessboard-8": (lambda: mutilated(8), 61),
}


@pytest.mark.benchmark(group="explanations", min_rounds=3, max_time=0.5)
@pytest.mark.parametrize("name", EXPLAINED)
def test_explain(name: str, benchmark: BenchmarkFixture) -> None:
    """Irreducible ones; their size beside the time."""
    make, size = EXPLAINED[name]
    problem = make()
    found = benchmark(problem.explain)
    assert found.irreducible
    assert size is None or len(found.items) == size
    benchmark.extra_info["items"] = len(found.items)


@pytest.mark.benchmark(group="explanations", min_rounds=3, max_time=0.5)
def test_explain_a_sudoku(benchmark: BenchmarkFixture) -> None:
    """One of the hardest, with a wrong digit."""
    grid = sudoku.parse(PUZZLE)
    problem = sudoku.cover(grid.layout)
    places = zip(grid.layout.positions, grid.cells, strict=True)
    given = [(*place, value) for place, value in places if value]
    found = benchmark(problem.explain, given=given, givens_only=True)
    assert found.irreducible
    benchmark.extra_info["givens"] = len(found.givens)
