"""The cheapest solutions by several threads: exactly what one finds, ties and all."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from alarms import Alarm
from bruteforce import Case
from example_problems import spread
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from internals import numbered, table_of
from strategies import any_large_cases

import dlx
from dlx import models
from dlx.analysis import minimum


@pytest.fixture(autouse=True)
def _join_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small searches are shared, too, from their first node on."""
    monkeypatch.setattr(minimum, "SINGLE_THREAD_WORK", 0)


@st.composite
def costly_problems(draw: st.DrawFn) -> dlx.Problem:
    """Random problems with costs from many ties to none."""
    case: Case = draw(any_large_cases())
    assume(not case.bounds or case.problem().count(limit=3000) < 3000)
    largest = draw(st.sampled_from([0, 1, 3, 1000, 2**54]))
    seed = draw(st.integers(0, 2**16))
    costs = [(1103515245 * (o + seed) + 12345) % 2**31 % (largest + 1) for o in range(99)]
    return case.problem(costs)


@settings(max_examples=150)
@given(
    problem=costly_problems(),
    k=st.sampled_from([1, 3, 60]),
    workers=st.integers(2, 5),
    data=st.data(),
)
def test_as_with_one_worker(
    problem: dlx.Problem, k: int, workers: int, data: st.DataObject
) -> None:
    seed = data.draw(st.none() | st.integers(0, 3))
    assert problem.minimum(k, seed=seed, workers=workers) == problem.minimum(k, seed=seed)
    assert problem.maximum(k, seed=seed, workers=workers) == problem.maximum(k, seed=seed)


LONG: list[Callable[[], dlx.Problem]] = [
    lambda: spread(models.queens(14), 1000),
    lambda: spread(models.queens(11), 3),
    lambda: spread(models.latin_square(7), 100),
    lambda: spread(models.dominoes(8, 8), 2),
    lambda: spread(models.langford(11), 5),
]


@pytest.mark.parametrize("make", LONG)
@pytest.mark.parametrize("k", [1, 200])
def test_searches_long_enough_to_be_shared(make: Callable[[], dlx.Problem], k: int) -> None:
    problem = make()
    alone = problem.minimum(k)
    for workers in (2, 3, 8):
        shared = problem.minimum(k, workers=workers)
        assert shared == alone
        assert shared.stats.nodes == sum(shared.stats.profile)


@pytest.mark.parametrize("k", [1, 2500])
def test_thousands_of_ties(k: int) -> None:
    """More than are looked for in another order than that of the visit."""
    plain = models.dominoes(6, 6)
    costs = [int(o % 7 == 1) for o in range(len(plain))]
    problem = dlx.Problem.from_options(plain.options, primary=plain.primary, costs=costs)
    ranked = sorted(
        ((problem.cost_of(s), s) for s in problem.solutions()), key=lambda pair: pair[0]
    )
    assert problem.minimum(k, workers=3) == ranked[:k]


@pytest.mark.lengthy
def test_the_cost_of_other_solutions_is_bounded_when_time_is_up() -> None:
    """Whenever it is stopped: between two calls of `progress` the time runs out."""
    problem = spread(models.queens(9), 1000)
    ranked = sorted(problem.cost_of(solution) for solution in problem.solutions())
    table, prepared = table_of(problem), numbered(problem)
    search = prepared.problem.minimum(table.costs, [], 20, False, 3, 0)
    stops = 0
    while not search.run(0.0):
        stops += 1
        best = [cost for cost, _ in search.best()]
        bound = search.bounds[1]
        assert bound is None or all(cost in best or cost >= bound for cost in ranked), (
            "something cheaper than the bound was not found"
        )
    assert stops > 3
    assert [cost for cost, _ in search.best()] == ranked[:20]


def hopeless() -> dlx.Problem:
    """Too large to be searched: a random assignment with too many pairs forbidden."""
    return spread(models.queens(60), 10**6)


def test_a_timeout_brings_the_best_so_far() -> None:
    problem = hopeless()
    with pytest.raises(dlx.MinimumInterrupted) as caught:
        problem.minimum(timeout=0.3, workers=2)
    error = caught.value
    assert error.reason == "timeout"
    if error.bound is not None and error.best:
        assert error.bound <= error.best[0][0]
    for cost, solution in error.best:
        problem.verify(solution)
        assert problem.cost_of(solution) == cost


def threads() -> set[str]:
    """Those of this process, the kernel's own among them."""
    return {path.name for path in Path("/proc/self/task").iterdir()}


@pytest.mark.skipif(sys.platform != "linux", reason="threads are counted in /proc")
def test_ctrl_c_and_no_thread_left_behind(alarm: Alarm) -> None:
    before = threads()
    with alarm.expected():
        hopeless().minimum(timeout=60, workers=3)
    until = time.monotonic() + 60
    while threads() - before:  # who has been waited for may still be on the way out
        assert time.monotonic() < until, "a thread is left behind"
    assert spread(models.queens(6), 9).minimum(workers=2) == spread(models.queens(6), 9).minimum()


def test_progress_is_told_and_its_exceptions_come_through() -> None:
    told: list[dlx.Progress] = []

    def tell(progress: dlx.Progress) -> None:
        told.append(progress)

    found = spread(models.queens(10), 1000).minimum(workers=2, progress=tell)
    assert told[-1].best == found[0][0]
    assert all(one.nodes <= two.nodes for one, two in pairwise(told))

    def refuse(progress: dlx.Progress) -> None:
        raise LookupError("no more")

    with pytest.raises(LookupError, match="no more"):
        hopeless().minimum(workers=2, progress=refuse, timeout=60)


@pytest.mark.parametrize("workers", [0, -1, 1.5, True, "two"])
def test_workers_that_mean_nothing(workers: Any) -> None:
    with pytest.raises(dlx.InvalidArgument, match="workers"):
        models.queens(4).minimum(workers=workers)


def test_the_engine_in_python_has_one_thread() -> None:
    queens = models.queens(4)
    with pytest.raises(dlx.InvalidArgument, match="one thread"):
        queens.minimum(engine="python", workers=2)
    first: Sequence[Any] = queens.minimum(workers=None)
    assert first == queens.minimum(engine="python")
