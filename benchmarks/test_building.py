"""What it costs to build a problem, and to get a large sparse one solved from nothing."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from itertools import pairwise

import pytest
from measuring import stats_of
from pytest_benchmark.fixture import BenchmarkFixture

from dlx import Problem, Stats

OPTIONS, ITEMS, SIZE = 1_000_000, 60_000, 4


@pytest.fixture(scope="module")
def million() -> tuple[array[int], array[int]]:
    """A million options of four items each, as arrays."""
    entries = array("i", bytes(4 * OPTIONS * SIZE))
    for option in range(OPTIONS):
        first = (option * 7919) % (ITEMS - 3 * 1013)
        for place in range(SIZE):
            entries[option * SIZE + place] = first + place * 1013
    return array("i", range(0, len(entries) + 1, SIZE)), entries


def rows_of(start: array[int], entries: array[int]) -> list[list[int]]:
    """The options as lists."""
    return [list(entries[a:b]) for a, b in pairwise(start)]


@pytest.mark.benchmark(group="building")
def test_from_arrays(million: tuple[array[int], array[int]], benchmark: BenchmarkFixture) -> None:
    """A million options of four items, from arrays."""
    problem = benchmark.pedantic(  # type: ignore[no-untyped-call]
        Problem.from_arrays, million, {"items": ITEMS}, rounds=3
    )
    assert len(problem) == OPTIONS


@pytest.mark.benchmark(group="building")
def test_from_options(million: tuple[array[int], array[int]], benchmark: BenchmarkFixture) -> None:
    """The same from a list of lists."""
    rows = rows_of(*million)
    problem = benchmark.pedantic(  # type: ignore[no-untyped-call]
        Problem.from_options, (rows,), rounds=3
    )
    assert len(problem) == OPTIONS


@pytest.mark.benchmark(group="large and sparse", min_rounds=3, max_time=0.5)
@pytest.mark.parametrize("name", ["forced-100k", "intervals-first"])
@pytest.mark.parametrize("included", ["building included", "building excluded"])
def test_large_and_sparse(
    name: str,
    included: str,
    build: Callable[[str], Problem],
    benchmark: BenchmarkFixture,
    record: Callable[[Stats], None],
) -> None:
    """One solution of 100 000 options over 10 000 items."""
    problem = build(name)
    rows = [list(option) for option in problem.options]
    primary = problem.primary
    record(stats_of(problem, limit=1))

    def from_nothing() -> tuple[object, ...] | None:
        return Problem.from_options(rows, primary=primary).solve()

    solution = benchmark(from_nothing if included == "building included" else problem.solve)
    problem.verify(solution)
