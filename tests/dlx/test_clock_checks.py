"""The kernel checks the clock often enough: the work between two checks is bounded.

With `simulate_clock` a timeout is a number of checks. The work until the timeout is counted in
elementary steps, so no result depends on the machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Any

import pytest
from alarms import Alarm
from example_problems import pigeons
from internals import kernel_problem
from kernel_searches import open_engine
from timeouts import simulated_clock

import dlx
from dlx import models
from dlx.core.budget import Budget

LOOK = 1_000_000  # nanoseconds, of the simulated clock
LOOKS = 50  # in a call
SECONDS = LOOKS * LOOK / 1e9
PHASE = 20_000_000  # steps that a phase of a large problem may take at once: some 20 milliseconds


@pytest.fixture(autouse=True)
def slow_clock() -> Iterator[None]:
    with simulated_clock(LOOK):
        yield


def intervals(items: int) -> dlx.Problem:
    """All partitions of 0 .. items-1 into intervals of one and two: a Fibonacci number of them."""
    indptr, indices = [0], []
    for item in range(items):
        for last in range(item + 1, min(item + 3, items + 1)):
            indices += range(item, last)
            indptr.append(len(indices))
    return dlx.Problem.from_arrays(indptr, indices, items=items)


@pytest.mark.parametrize(
    ("problem", "steps"),
    [(intervals(20_000), 3e8), (models.dominoes(70, 70), 3e8), (models.dominoes(8, 900), 3e8)],
)
@pytest.mark.lengthy
def test_a_count_never_goes_on_for_long(problem: dlx.Problem, steps: float) -> None:
    """Through enumerating, taking apart, ordering, planning, probing and layering."""
    count = kernel_problem(problem).count([], 2**63, 2**30, "mrv", "auto")
    while not count.finished and count.work < steps:
        before = count.work
        count.run(SECONDS)
        assert count.work - before < PHASE


def test_a_paused_count_goes_on_as_if_it_had_not_been() -> None:
    """Probes that are interrupted are not made anew: equal work, in any stretches."""

    def worked(seconds: float) -> list[object]:
        problem = models.dominoes(8, 8)
        count = kernel_problem(problem).count([], 2**63, 2**30, "mrv", "auto")
        while not count.finished:
            count.run(seconds)
        return [count.work, count.factors, *count.stats[:4]]

    assert worked(inf) == worked(SECONDS) == worked(SECONDS / 10)


def test_probes_never_go_on_for_long() -> None:
    probes = kernel_problem(intervals(20_000)).probes([], 1)
    for _ in range(5):
        before = probes.work
        probes.run(10**9, SECONDS)
        assert 0 < probes.work - before < PHASE


def test_probes_of_a_chain_of_forced_options() -> None:
    """Which the first probe passes, and all others have in common: nothing is left to add up."""
    size = 20_000
    chain = dlx.Problem.from_options([[item, item + 1] for item in range(0, size, 2)])
    probes = kernel_problem(chain).probes([], 1)
    assert 0 < probes.run(10**9, SECONDS) < 10**9
    nodes, solutions, profile = probes.moments()
    one = (0.5, 1, 0.0, 0)
    assert (solutions, len(profile), set(profile)) == (one, size // 2 + 1, {one})
    assert nodes[2] == 0.0


def test_an_explanation_looks_at_the_clock_while_it_chooses() -> None:
    """A chain of forced choices, each of the item declared last: long to find, soon made."""
    size = 20_001
    options = [[item, item + 1] for item in range(size - 1)] + [[size - 1]]
    problem = dlx.Problem.from_options(options, primary=range(size - 1, -1, -1))
    refuter = kernel_problem(problem).refuter()
    verdict, _, _, nodes = refuter.refute(bytes([1]) * size, [], 10**9, SECONDS)
    assert verdict == "stopped"
    assert 0 < nodes * size < PHASE


def test_an_explanation_keeps_its_timeout() -> None:
    """Also in its first searches, which are short of nodes but not of work."""
    size = 4001
    problem = dlx.Problem.from_options(
        [[0, 2], *([item, item + 1] for item in range(size - 1))],
        primary=range(size - 1, -1, -1),
    )
    with pytest.raises(dlx.SearchInterrupted, match="timeout"):
        problem.explain(timeout=0)


# -- A search stopped anywhere loses nothing and leaves nothing behind ---------------------------
# Whole searches, and searches stopped at a solution: test_matrix_restored.py. Here they are stopped
# by the clock and by signals, wherever they happen to be.


def permutations(size: int) -> dlx.Problem:
    return dlx.Problem.from_options(
        [[("position", i), ("thing", j)] for i in range(size) for j in range(size)]
    )


@pytest.mark.parametrize("seconds", [0.0, 0.001, 0.01])
@pytest.mark.parametrize("colored", [False, True])
def test_the_kernel_stopped_by_the_clock_puts_its_matrix_back(
    seconds: float, colored: bool
) -> None:
    problem = pigeons(15)
    if colored:
        problem.add_item("x", secondary=True)
        for pigeon in range(16):
            problem.add_option([("pigeon", pigeon), ("hole", 0), dlx.colored("x", pigeon % 2)])
    engine: Any = open_engine(problem, "links")
    pristine = engine.image()
    for _ in range(5):
        assert engine.skip(Budget.of(1, seconds)) == 0
    assert not engine.finished
    assert engine.image() != pristine
    engine.close()
    assert engine.image() == pristine
    assert engine.finished
    found: list[dlx.search.search.Solution] = []
    engine.run(Budget(10), found)
    assert found == []


def test_freezing_a_problem_disturbs_no_search(engine: str) -> None:
    problem = permutations(3)
    search = problem.solutions(engine=engine)
    first = next(search)
    problem.freeze()
    assert [first, *search] == list(problem.solutions(engine=engine))


INTERRUPTS = 10


def test_ctrl_c_at_any_time_loses_no_solution(engine: str, alarm: Alarm) -> None:
    """`extend` keeps what came before the exception, so that all must be there in the end."""
    size = 5 if engine == "python" else 8
    problem = dlx.Problem.from_options(
        [("position", i), ("thing", j)] for i in range(size) for j in range(size)
    )
    expected = list(problem.solutions())
    interrupted = 0
    while interrupted < INTERRUPTS:
        search = problem.solutions(engine=engine)
        found: list[dlx.search.search.Solution] = []
        for wait in range(1, 11):
            try:
                alarm.set_by_the_wall(0.0003 * wait)
                found.extend(search)
                alarm.cancel()
                break
            except KeyboardInterrupt:
                interrupted += 1
        alarm.cancel()
        found.extend(search)
        assert found == expected
        assert search.exhausted
