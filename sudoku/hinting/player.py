"""From a puzzle, and what a player did with it, to a position; or what is wrong with either."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import NamedTuple

from dlx import SearchInterrupted
from sudoku.board.cells import is_count
from sudoku.board.grid import Grid
from sudoku.board.layout import cell_name, symbol
from sudoku.board.step import Candidate
from sudoku.errors import LayoutError, NoSolution, NotUnique, PuzzleError, listed, shorten
from sudoku.hinting.geometry import refuse_unknown
from sudoku.hinting.position import Position
from sudoku.solving.solve import is_unique, solutions
from sudoku.solving.why import Why

__all__ = ["Puzzle", "State", "solution_of", "state"]

Puzzle = str | Iterable[object] | Grid

FEW = 5  # of the digits that may be the mistake
SECONDS = 2.0  # to look for it; a usual grid takes a hundredth of that


def solution_of(grid: Grid, timeout: float | None = None) -> Grid:
    """The one solution of the puzzle.

    Raises `LayoutError`, before anything is searched, for a layout that hints do not know,
    `NoSolution` if there is none, which names the digits that may be to blame, `NotUnique` if there
    are several, and `dlx.SearchInterrupted` if that is not known after `timeout` seconds.
    """
    refuse_unknown(grid.layout)
    with solutions(grid, limit=2, timeout=timeout) as found:
        both = list(found)
        if len(both) < 2 and found.stopped_by == "timeout":
            raise SearchInterrupted("timeout", count=len(both), stats=found.stats)
    if not both:
        raise NoSolution(_blame(grid) or Why(grid))
    if len(both) == 1:
        return both[0]
    differing = next(
        (place, one, two)
        for place, one, two in zip(grid.layout.positions, both[0].cells, both[1].cells, strict=True)
        if one != two
    )
    place, one, two = differing
    raise NotUnique(
        f"the puzzle has more than one solution ({cell_name(*place)} can be {symbol(one)} or "
        f"{symbol(two)}): hints and ratings need a puzzle with exactly one"
    )


def _blame(grid: Grid) -> str | None:
    """The digits without any one of which there would be exactly one solution.

    None if there are none, or if that takes too long to tell: who blames one digit has to have
    tried all others.
    """
    suspects: list[str] = []
    cells = grid.cells
    end = time.monotonic() + SECONDS
    for cell, (place, value) in enumerate(zip(grid.layout.positions, cells, strict=True)):
        if not value:
            continue
        without = Grid.from_cells((*cells[:cell], 0, *cells[cell + 1 :]), grid.layout)
        try:
            if is_unique(without, timeout=max(0.0, end - time.monotonic())):
                suspects.append(f"{cell_name(*place)}={symbol(value)}")
        except SearchInterrupted:
            return None
    if not suspects:
        return None
    if len(suspects) == 1:
        return f"{suspects[0]} is a mistake: without it there is exactly one solution"
    return f"no solution; one digit is a mistake, perhaps {listed(suspects, 'or', FEW)}"


def _is_candidate(candidate: object, side: int) -> bool:
    """Whether it is a (row, column, digit) of a square of that side."""
    return (
        isinstance(candidate, (tuple, list))
        and len(candidate) == 3
        and all(is_count(number) and number <= side for number in candidate)
    )


class State(NamedTuple):
    """Where a player stands."""

    position: Position
    wrong: list[Candidate]
    """Digits filled in that are not those of the solution."""
    lost: list[Candidate]
    """Digits of the solution that were crossed out."""


def state(
    grid: Grid,
    filled: Grid | None,
    removed: Iterable[Candidate],
    timeout: float | None = None,
) -> State:
    """The position of a puzzle, what is filled in and what is crossed out, and the mistakes."""
    solution = solution_of(grid, timeout)
    layout = grid.layout
    now = grid if filled is None else filled
    if now.layout is not layout:
        raise LayoutError(f"the puzzle is of layout {layout}, what is filled in of {now.layout}")
    wrong: list[Candidate] = []
    for place, given, value, right in zip(
        layout.positions, grid.cells, now.cells, solution.cells, strict=True
    ):
        if given and value != given:
            raise PuzzleError(
                f"{cell_name(*place)} is {symbol(given)} in the puzzle and "
                f"{symbol(value)} in what is filled in"
            )
        if value and value != right:
            wrong.append((*place, value))
    gone: list[tuple[int, int]] = []
    lost: list[Candidate] = []
    for candidate in removed:
        if not _is_candidate(candidate, layout.side):
            what = f"{shorten(repr(candidate))[1:-1]} is no candidate (row, column, digit)"
            raise PuzzleError(f"{what}, each from 1 to {layout.side}")
        row, column, digit = candidate
        cell = (row - 1) * layout.side + column - 1
        gone.append((cell, digit))
        if solution.cells[cell] == digit and not now.cells[cell]:
            lost.append((row, column, digit))
    given_cells = sum(1 << cell for cell, value in enumerate(grid.cells) if value)
    return State(Position.of(now, given=given_cells, removed=gone), wrong, lost)
