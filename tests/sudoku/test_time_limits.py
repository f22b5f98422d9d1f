"""Time limits while the exact cover problem of a layout is built, on a clock of the test."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType, SimpleNamespace
from typing import Any

import pytest

import dlx
import sudoku
from sudoku import Grid, Layout, layouts
from sudoku.analysis import verdict
from sudoku.board import time_limit
from sudoku.hinting import player
from sudoku.rules.cover import cover_within
from sudoku.solving import deadline


class Clock:
    """A clock that each look advances by a second; it counts calls of functions between looks."""

    def __init__(self) -> None:
        self.looks = self.calls = self.most_calls = 0

    def monotonic(self) -> float:
        self.most_calls, self.calls = max(self.most_calls, self.calls), 0
        self.looks += 1
        return self.looks

    def profile(self, frame: FrameType, event: str, argument: object) -> None:
        self.calls += event in ("call", "c_call")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    for module in (time_limit, deadline):
        monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=clock.monotonic))
    return clock


def falling(side: int, start: int) -> list[tuple[int, int]]:
    return [(row, (row + start) % side + 1) for row in range(1, side + 1)]


def sums(side: int = 6, number: int = 3, total: int = 21) -> Layout:
    """Sums of cells of which many do not see each other: long automata."""
    cells = [(total, falling(side, start)) for start in range(number)]
    return layouts.little_killer(cells, base=Layout.of_side(side))


NEW = iter(range(15, 40))
"""Sums for layouts that no test has built before."""
QUESTIONS: dict[str, Callable[[Grid], object]] = {
    "solve": lambda grid: sudoku.solve(grid, timeout=5),
    "count": lambda grid: sudoku.count(grid, timeout=5),
    "is_unique": lambda grid: sudoku.is_unique(grid, timeout=5),
    "solve_many": lambda grid: [*sudoku.solve_many([grid], timeout=5)],
    "count_many": lambda grid: [*sudoku.count_many([grid], timeout=5)],
    "hints": lambda grid: [*sudoku.hints(grid, timeout=5)],
    "rate": lambda grid: sudoku.rate(grid, timeout=5),
    "complete": lambda grid: sudoku.complete(grid, timeout=5),
    "minimize": lambda grid: sudoku.minimize(grid, timeout=5),
    "generate": lambda grid: sudoku.generate(grid.layout, timeout=5),
    "generate_many": lambda grid: [*sudoku.generate_many(1, layout=grid.layout, timeout=5)],
    "random_grid": lambda grid: sudoku.random_grid(grid.layout, timeout=5),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_time_is_up_before_the_search(name: str, clock: Clock) -> None:
    grid = Grid("." * 36, layout=sums(total=next(NEW)))
    with pytest.raises(dlx.SearchInterrupted) as caught:
        QUESTIONS[name](grid)
    assert caught.value.reason == "timeout"
    assert clock.looks < 20


def test_what_reports_the_end_of_the_time(clock: Clock) -> None:
    grid = Grid("." * 36, layout=sums(total=next(NEW)))
    search = sudoku.solutions(grid, timeout=5)
    assert [*search] == []
    assert (search.stopped_by, search.exhausted) == ("timeout", False)
    (answer,) = sudoku.count_many([grid], timeout=5, errors="return")
    assert isinstance(answer, dlx.SearchInterrupted)
    assert sudoku.judge(grid, timeout=5).kind == "unknown"
    assert set(map(len, sudoku.candidates_of_solutions(grid, timeout=5).undecided.values())) == {6}
    assert clock.looks < 40


def test_many_puzzles_of_two_layouts(clock: Clock) -> None:
    """Each puzzle has its answer; the next layout has the time of its own."""
    sudoku.cover(Layout(2, 2))
    slow = Grid("." * 36, layout=sums(total=next(NEW)))
    puzzles: list[Any] = ["1" + "." * 15, slow, slow, "1" + "." * 15]
    found = [*sudoku.count_many(puzzles, limit=3, timeout=5, errors="return")]
    assert [type(answer) for answer in found] == [
        int, dlx.SearchInterrupted, dlx.SearchInterrupted, int,
    ]  # fmt: skip
    assert [getattr(answer, "position", None) for answer in found] == [None, 1, 2, None]


LARGE: dict[str, Callable[[], Layout]] = {
    "sums": lambda: sums(16, 2, 137),
    "x-sums": lambda: layouts.x_sums({"row 1": 80, "column 2": 81}, base=Layout(4, 4)),
    "sandwiches": lambda: layouts.sandwiches({"row 1": 40, "row 3": 63}, base=Layout(4, 4)),
    "skyscrapers": lambda: layouts.skyscrapers({"row 1": 7, "row 3": 9}, base=Layout(4, 4)),
    "cages": lambda: layouts.killer(
        [(68, [(row, column) for column in range(1, 9)]) for row in range(1, 17)], Layout(4, 4)
    ),
    "anti-knight": lambda: layouts.anti_knight(Layout(4, 4)),
    "thermometers": lambda: layouts.thermometers(
        [[(row, column) for column in range(1, 8)] for row in range(1, 9)], Layout(4, 4)
    ),
    "samurai": lambda: layouts.samurai().with_houses([[(k, k) for k in range(1, 10)]]),
}


@pytest.mark.parametrize("name", LARGE)
@pytest.mark.lengthy
def test_a_problem_is_built_with_looks_at_the_clock(name: str, clock: Clock) -> None:
    layout = LARGE[name]()
    sys.setprofile(clock.profile)
    try:
        assert cover_within(layout, 1e18) is sudoku.cover(layout)
    finally:
        sys.setprofile(None)
    assert clock.looks > 100
    assert clock.most_calls < 200_000  # some 20 milliseconds


def test_an_explanation_takes_no_more_than_the_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds: list[float] = []

    def record(grid: Grid, timeout: float | None) -> None:
        seconds.append(1 if timeout is None else timeout)

    monkeypatch.setattr(verdict, "conflict_of", record)
    monkeypatch.setattr(player, "is_unique", record)
    puzzle = "12.3 ..4. .... ...."
    for timeout in (0.5, None):
        assert sudoku.judge(puzzle, timeout=timeout).kind == "no solution"
        with pytest.raises(sudoku.NoSolution):
            sudoku.hints(puzzle, timeout=timeout)
    judged, *suspected, longer = [s for s in seconds if s <= 1]
    assert 0 < judged <= 0.5
    assert len(suspected) == 4
    assert all(0 < s <= 0.5 for s in suspected)
    assert longer == 1
