"""A search stopped anywhere loses nothing and leaves nothing behind.

Whole searches, and searches stopped at a solution: test_matrix_restored.py. Here they are stopped
by the clock and by signals, wherever they happen to be.
"""

from __future__ import annotations

from typing import Any

import pytest
from alarms import Alarm
from example_problems import pigeons
from kernel_searches import open_engine

import dlx
from dlx.core.budget import Budget

INTERRUPTS = 25


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
