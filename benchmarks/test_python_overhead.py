"""What it costs to get solutions into Python, and to get started at all."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import pytest
from measuring import stats_of
from pytest_benchmark.fixture import BenchmarkFixture

import dlx
from dlx import Problem, Stats, models

DRAWN = 100_000


@pytest.mark.benchmark(group="crossing", min_rounds=3, max_time=0.5)
@pytest.mark.parametrize("how", ["drawn", "counted"])
@pytest.mark.parametrize("names", ["indices", "names"])
def test_many_solutions(
    how: str, names: str, benchmark: BenchmarkFixture, record: Callable[[Stats], None]
) -> None:
    """A hundred thousand solutions of 8 options; the difference is what crossing costs."""
    problem: Problem = models.matchings(8)
    if names == "indices":
        problem = Problem.from_options(problem.options)

    def draw() -> None:
        deque(problem.solutions(limit=DRAWN), maxlen=0)

    def count() -> None:
        problem.count(limit=DRAWN)

    benchmark(draw if how == "drawn" else count)
    record(stats_of(problem, limit=DRAWN))


TINY = {"A": [1, 4, 7], "B": [1, 4], "C": [4, 5, 7], "D": [3, 5, 6], "E": [2, 3, 6, 7], "F": [2, 7]}


@pytest.mark.benchmark(group="first solution", max_time=0.5)
def test_first_solution_of_a_tiny_problem(
    benchmark: BenchmarkFixture, record: Callable[[Stats], None]
) -> None:
    """From the call of `solve` to its answer."""
    problem = Problem.from_options(TINY)
    assert benchmark(problem.solve) is not None
    record(stats_of(problem, limit=1))


@pytest.mark.benchmark(group="first solution", max_time=0.5)
def test_first_solution_of_a_tiny_problem_from_nothing(benchmark: BenchmarkFixture) -> None:
    """The same with building: `dlx.solve`."""
    assert benchmark(dlx.solve, TINY) is not None


@pytest.mark.benchmark(group="first solution", max_time=0.5)
def test_first_solution_of_queens_40(
    benchmark: BenchmarkFixture, record: Callable[[Stats], None]
) -> None:
    """The first of astronomically many solutions."""
    problem = models.queens(40)
    assert benchmark(problem.solve) is not None
    record(stats_of(problem, limit=1))
