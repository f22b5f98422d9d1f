"""Every question keeps its timeout on problems that are large or hard: counted in work, not time.

The kernel's clock and that of Python advance only when they are read. So a timeout is a number of
readings, and a call that returns soon after it makes few more. Between two readings, a call may
call few Python functions; and the kernel few steps, which the limit of a test checks in the end.
"""

from __future__ import annotations

import inspect
import random
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import combinations
from typing import Any

import pytest
from timeouts import simulated_clock

import dlx
from dlx import _kernel, models
from dlx.engines.sat import solver_is_installed

LOOK = 1_000_000  # nanoseconds that a reading of the kernel's clock takes
CHEAPER = 10  # Python's clock takes a tenth of that
TIMEOUT = 0.1  # seconds: 100 readings
READINGS = 300  # at most, in a call: 0.2 seconds more than the timeout
CALLS = 1_500_000  # of functions, and returns, at most, between two readings: some 0.1 seconds


def from_rows(rows: Iterable[Iterable[int]], items: int) -> dlx.Problem[Any]:
    indptr, indices = [0], []
    for row in rows:
        indices += row
        indptr.append(len(indices))
    return dlx.Problem.from_arrays(indptr, indices, items=items)


def forced_chain() -> dlx.Problem[Any]:
    """One solution, of 50 000 options, each of which forces the next."""
    size = 100_000
    return from_rows([*((i, i + 1) for i in range(size - 1)), (size - 1,)], size)


def branching_chain() -> dlx.Problem[Any]:
    """A path of 20 000 items, covered by its edges and its vertices."""
    size = 20_000
    return from_rows([*((i, i + 1) for i in range(size - 1)), *((i,) for i in range(size))], size)


def wide_items() -> dlx.Problem[Any]:
    """100 000 options of few items."""
    return from_rows(((k % 500, 500 + k * 7 % 499) for k in range(100_000)), 999)


def alike_items() -> dlx.Problem[Any]:
    """All triples of 30 items: 30! symmetries."""
    return from_rows(combinations(range(30), 3), 30)


def alike_parts() -> dlx.Problem[Any]:
    """30 000 items with an option each."""
    return from_rows(((i,) for i in range(30_000)), 30_000)


def equal_options() -> dlx.Problem[Any]:
    """50 000 options, of 20 kinds."""
    return from_rows(((k % 4, 4 + k % 5) for k in range(50_000)), 9)


def dense() -> dlx.Problem[Any]:
    """Options of 20 of 60 items, at random."""
    rng = random.Random(3)
    return from_rows((sorted(rng.sample(range(60), 20)) for _ in range(400)), 60)


def unsolvable() -> dlx.Problem[Any]:
    """Dominoes on a board without two squares of one color."""
    board = models.dominoes(14, 14)
    corners = {(0, 0), (13, 13)}
    return dlx.Problem.from_options(
        [option for option in board.options if not corners.intersection(option)],
        primary=[item for item in board.items if item not in corners],
    )


def multiplicities() -> dlx.Problem[Any]:
    """Items that are to be covered two to five times."""
    rng = random.Random(5)
    problem = dlx.Problem[Any](range(60), multiplicities=dict.fromkeys(range(60), (2, 5)))
    for _ in range(1500):
        problem.add_option(sorted(rng.sample(range(60), 3)))
    return problem


def colors() -> dlx.Problem[Any]:
    """Options that agree on colors, or not."""
    rng = random.Random(7)
    problem = dlx.Problem[Any](range(60), [f"s{j}" for j in range(400)])
    for item in range(60):
        for _ in range(100):
            shared = rng.sample(range(400), 5)
            problem.add_option([item, *(dlx.colored(f"s{j}", rng.randrange(3)) for j in shared)])
    return problem


def giant_option() -> dlx.Problem[Any]:
    """An option of all 100 000 items, and one for each two of them."""
    size = 100_000
    return from_rows([range(size), *((i, i + 1) for i in range(0, size, 2))], size)


def tiny_parts() -> dlx.Problem[Any]:
    """10 000 problems of three items, beside each other."""
    options = ([0, 1], [2], [0], [1, 2], [0, 1, 2], [1])
    rows = ([3 * part + item for item in one] for part in range(10_000) for one in options)
    return from_rows(rows, 30_000)


PROBLEMS: Mapping[str, Callable[[], dlx.Problem[Any]]] = {
    made.__name__: cache(made)
    for made in (
        forced_chain,
        branching_chain,
        wide_items,
        alike_items,
        alike_parts,
        equal_options,
        dense,
        unsolvable,
        multiplicities,
        colors,
        giant_option,
        tiny_parts,
    )
} | {
    "dominoes": cache(lambda: models.dominoes(60, 60)),
    "latin_square": cache(lambda: models.latin_square(10)),
}

QUESTIONS: Mapping[str, Callable[[dlx.Problem[Any]], Any]] = {
    "solutions": lambda problem: list(problem.solutions(timeout=TIMEOUT)),
    "solve": lambda problem: problem.solve(timeout=TIMEOUT),
    "solve, weighted": lambda problem: problem.solve(timeout=TIMEOUT, heuristic="weighted"),
    "solve, links": lambda problem: problem.solve(timeout=TIMEOUT, engine="links"),
    "solve, python": lambda problem: problem.solve(timeout=TIMEOUT, engine="python"),
    "count, sat": lambda problem: problem.count(timeout=TIMEOUT, engine="sat"),
    "count": lambda problem: problem.count(timeout=TIMEOUT),
    "count, two workers": lambda problem: problem.count(timeout=TIMEOUT, workers=2),
    "count, links": lambda problem: problem.count(timeout=TIMEOUT, engine="links"),
    "count, distinct": lambda problem: problem.count(timeout=TIMEOUT, distinct=True),
    "solutions, distinct": lambda problem: list(problem.solutions(timeout=TIMEOUT, distinct=True)),
    "is_unique": lambda problem: problem.is_unique(timeout=TIMEOUT),
    "solve_many": lambda problem: next(problem.solve_many([[]], timeout=TIMEOUT)),
    "count_many": lambda problem: next(problem.count_many([[]], timeout=TIMEOUT)),
    "diagram": lambda problem: problem.diagram(timeout=TIMEOUT),
    "sample": lambda problem: problem.sample(seed=1, timeout=TIMEOUT),
    "estimate": lambda problem: problem.estimate(timeout=TIMEOUT),
    "explain": lambda problem: problem.explain(timeout=TIMEOUT),
    "reduced": lambda problem: problem.reduced(timeout=TIMEOUT),
    "minimum": lambda problem: problem.minimum(timeout=TIMEOUT),
    "maximum": lambda problem: problem.maximum(timeout=TIMEOUT),
    "relaxation": lambda problem: problem.relaxation(timeout=TIMEOUT),
}


def test_every_question_is_tried() -> None:
    methods = inspect.getmembers(dlx.Problem, inspect.isfunction)
    asked = {name for name, one in methods if "timeout" in inspect.signature(one).parameters}
    assert asked == {name.partition(",")[0] for name in QUESTIONS}


REFUSED = {
    ("equal_options", "count, distinct"),  # 49 984 generators of symmetries
    ("equal_options", "solutions, distinct"),
    ("dense", "sample"),  # no solution can be drawn
}
"""Questions that a problem does not allow."""


class Work:
    """Counts the readings of both clocks, and the function calls of Python between two."""

    def __init__(self) -> None:
        self.began = _kernel.simulate_clock(LOOK)
        self.readings = 0  # of Python's clock
        self.calls = self.most_calls = 0
        self.seen = 0.0

    def now(self) -> float:
        """Python's clock."""
        self.readings += 1
        return self.total() * LOOK / 1e9

    def total(self) -> float:
        kernel = (_kernel.simulate_clock(LOOK) - self.began) // LOOK
        return kernel + self.readings / CHEAPER

    def count_call(self, frame: object, event: str, argument: object) -> None:
        if self.seen != (total := self.total()):
            self.calls, self.seen = 0, total
        self.calls += 1
        self.most_calls = max(self.most_calls, self.calls)


@pytest.mark.lengthy
@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("name", PROBLEMS)
def test_every_question_keeps_its_timeout(
    name: str, question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = PROBLEMS[name]()
    if question.endswith("sat") and not solver_is_installed():
        pytest.skip("needs a SAT solver")
    if question.endswith("sat") and problem.entry_count > 20_000:
        pytest.skip("a slice of the SAT solver is a reading here, and 0.1 seconds of work")
    problem._prepare(None)  # the numbering is the same for all questions
    with simulated_clock(LOOK):
        work = Work()
        monkeypatch.setattr(time, "monotonic", work.now)
        before = sys.getprofile()
        sys.setprofile(work.count_call)
        try:
            QUESTIONS[question](problem)
        except (dlx.SearchInterrupted, dlx.DiagramTooLarge):
            pass
        except dlx.InvalidArgument:
            assert (name, question) in REFUSED
        finally:
            sys.setprofile(before)
            monkeypatch.undo()
        readings = work.total()
    assert readings <= READINGS
    assert work.most_calls <= CALLS
