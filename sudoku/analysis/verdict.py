"""`judge`: whether a puzzle has one solution, several or none, with the evidence."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from dlx import SearchInterrupted
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout, cell_name, symbol
from sudoku.board.time_limit import limited
from sudoku.errors import listed
from sudoku.rules.check import Flaw, check
from sudoku.rules.drawings import doubt_of
from sudoku.solving.deadline import Deadline
from sudoku.solving.first_two import first_two
from sudoku.solving.no_solution import Conflict, conflict_of
from sudoku.text.puzzles import parse

__all__ = ["Kind", "Verdict", "judge"]

Kind = Literal["unique", "not unique", "no solution", "unknown"]

_CELLS = 12  # cells named in a message, at most


class Verdict(NamedTuple):
    """The result of `judge`. Its `str` is a sentence."""

    kind: Kind
    """Whether there is one solution, or more, or none; "unknown" after a timeout."""
    solutions: tuple[Grid, ...]
    """The solution, or two solutions; after a timeout, those found."""
    differences: tuple[tuple[int, int], ...]
    """The cells (row, column) in which the two solutions differ."""
    flaws: tuple[Flaw, ...]
    """The flaws that `check` finds; a puzzle with a flaw has no solution."""
    clash: Conflict | None
    """A few givens and rules that leave no solution, if they were found."""

    def __str__(self) -> str:
        if self.kind == "unique":
            return "valid: exactly one solution"
        if self.kind == "unknown":
            return f"unknown: stopped by the timeout, {len(self.solutions)} found"
        if self.kind == "no solution":
            return "no solution"
        return f"not unique: more than one solution; {self.difference}"

    @property
    def difference(self) -> str:
        """A sentence that names the cells where the two solutions differ; else empty."""
        if self.kind != "not unique":
            return ""
        one, other = self.solutions
        if not self.differences:  # of `sudoku.rules.ChaosRegions`
            return "two have the same digits in other regions"
        names = [
            f"{cell_name(*place)} {symbol(one[place])}/{symbol(other[place])}"
            for place in self.differences
        ]
        doubt = doubt_of(one.layout)
        found = f"two differ in {len(self.differences)} cells: {listed(names, 'and', _CELLS)}"
        return f"{found}; {doubt}" if doubt else found


def judge(
    puzzle: str | Iterable[object] | Grid,
    *,
    layout: Layout | None = None,
    timeout: float | None = None,
    engine: str = "auto",
) -> Verdict:
    """Whether the puzzle has exactly one solution, and if not, the evidence.

    If there are several solutions, the evidence is two of them and the cells in which they differ;
    if there is none, the flaws that `check` finds, and a few givens and rules that contradict each
    other (for which it looks for a second at most, or five if there are rules).

    >>> verdict = judge("1234 3412 2... 4...")
    >>> verdict.kind, verdict.differences
    ('not unique', ((3, 2), (3, 4), (4, 2), (4, 4)))
    >>> [grid.line for grid in verdict.solutions]
    ['1234341221434321', '1234341223414123']
    >>> verdict = judge("12.3 ..4. .... ....")
    >>> verdict.kind, verdict.clash.givens
    ('no solution', ((1, 1, 1), (1, 2, 2), (2, 3, 4)))

    Raises `PuzzleError` if the input is not a puzzle.
    """
    grid = parse(puzzle, layout)
    deadline = Deadline(timeout)
    try:
        with limited(deadline.left):
            flaws = tuple(check(grid))
    except SearchInterrupted:
        return Verdict("unknown", (), (), (), None)
    if flaws:
        return _without_solution(grid, flaws, deadline)
    found, stopped = first_two(grid, timeout=deadline.left, engine=engine)
    if len(found) > 1:
        return Verdict("not unique", found, _differences(*found), (), None)
    if stopped is not None:
        return Verdict("unknown", found, (), (), None)
    if found:
        return Verdict("unique", found, (), (), None)
    return _without_solution(grid, (), deadline)


def _without_solution(grid: Grid, flaws: tuple[Flaw, ...], deadline: Deadline) -> Verdict:
    # Two equal digits in a house need no other explanation.
    is_obvious = any(flaw.kind == "duplicate" for flaw in flaws)
    return Verdict(
        "no solution", (), (), flaws, None if is_obvious else conflict_of(grid, deadline.left)
    )


def _differences(one: Grid, other: Grid) -> tuple[tuple[int, int], ...]:
    places = zip(one.layout.positions, one.cells, other.cells, strict=True)
    return tuple(place for place, first, second in places if first != second)
