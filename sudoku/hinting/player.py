"""The player state: a puzzle, the digits filled in, the candidates left, the mistakes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from dlx import SearchInterrupted
from sudoku.board.cells import integer, is_iterable
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout, cell_name, symbol
from sudoku.board.pattern import Candidate
from sudoku.errors import LayoutError, NoSolution, NotUnique, PuzzleError, listed, shown
from sudoku.hinting.candidates import PlayerMarks
from sudoku.hinting.geometry import check_supported
from sudoku.hinting.position import Position
from sudoku.rules.drawings import doubt_of
from sudoku.solving.deadline import Deadline
from sudoku.solving.first_two import first_two
from sudoku.solving.no_solution import NoSolutionText
from sudoku.solving.solve import is_unique

__all__ = ["PlayerState", "Puzzle", "player_state", "solution_of"]

Puzzle = str | Iterable[object] | Grid

FEW = 5  # suspected givens that a message names
SECONDS = 2.0  # limit of the search for suspects; a usual grid takes 0.02 seconds


def solution_of(grid: Grid, timeout: float | None = None) -> Grid:
    """The solution of a puzzle that has exactly one.

    Raises `LayoutError`, before the search, for a layout without hints; `NoSolution`, which names
    the givens that may be wrong, if there is no solution; `NotUnique` if there are several;
    `dlx.SearchInterrupted` if the search takes more than `timeout` seconds.
    """
    check_supported(grid.layout)
    deadline = Deadline(timeout)
    both, stopped = first_two(grid, timeout=timeout)
    if stopped is not None:
        raise stopped
    if not both:
        raise NoSolution(_suspects(grid, deadline.left) or NoSolutionText(grid))
    if len(both) == 1:
        return both[0]
    differing = (
        f"{cell_name(*place)} can be {symbol(one)} or {symbol(two)}"
        for place, one, two in zip(grid.layout.positions, both[0].cells, both[1].cells, strict=True)
        if one != two
    )
    what = next(differing, "the same digits in other regions")
    doubt = doubt_of(grid.layout)
    raise NotUnique(
        f"the puzzle has more than one solution ({what}): "
        "hints and ratings need a puzzle with exactly one" + (f"; {doubt}" if doubt else "")
    )


def _suspects(grid: Grid, timeout: float | None) -> str | None:
    """A message naming each digit whose removal would leave exactly one solution.

    None if there is no such digit, or if trying all digits takes longer than `SECONDS` or
    `timeout`.
    """
    suspects: list[str] = []
    cells = grid.cells
    deadline = Deadline(SECONDS if timeout is None else min(SECONDS, timeout))
    for cell, (place, value) in enumerate(zip(grid.layout.positions, cells, strict=True)):
        if not value:
            continue
        without = Grid.from_cells((*cells[:cell], 0, *cells[cell + 1 :]), grid.layout)
        try:
            if is_unique(without, timeout=deadline.left):
                suspects.append(f"{cell_name(*place)}={symbol(value)}")
        except SearchInterrupted:
            return None
    if not suspects:
        return None
    if len(suspects) == 1:
        return f"no solution; {suspects[0]} is wrong: without it there is exactly one solution"
    return f"no solution; one digit is wrong, perhaps {listed(suspects, 'or', FEW)}"


def _cell_and_digit(candidate: object, layout: Layout) -> tuple[int, int]:
    """The number of the cell and the digit of a (row, column, digit) of the layout."""
    if isinstance(candidate, (tuple, list)) and len(candidate) == 3:
        row, column, digit = (integer(number, most=layout.side) for number in candidate)
        if row and column and digit and (row, column) in layout.index:
            return layout.index[row, column], digit
    what = f"{shown(candidate)} is not a candidate (row, column, digit)"
    raise PuzzleError(f"{what}, each from 1 to {layout.side}")


class PlayerState(NamedTuple):
    """The position that a player has reached, and the mistakes in it."""

    position: Position
    wrong: list[Candidate]
    """Digits filled in that differ from the solution."""
    lost: list[Candidate]
    """Digits of the solution that the player has crossed out."""
    unmarked: list[Candidate]
    """Digits of the solution that the player's marks in a cell lack, besides those in `lost`."""
    blank: int
    """The empty cells without marks, if other cells have marks; else none."""


def player_state(
    grid: Grid,
    filled: Grid | None,
    removed: Iterable[Candidate],
    marked: PlayerMarks | None = None,
    timeout: float | None = None,
) -> PlayerState:
    """The state of a player; `filled` (None: nothing) and `removed` are as in `hints`.

    `marked` are the player's marks (None: nothing is written in any cell). A cell with marks has no
    other candidates; a mark that a digit filled in excludes is ignored.

    Raises `PuzzleError` if `filled` contradicts a given or `removed` has something that is not a
    candidate, `LayoutError` if the two grids have different layouts, and what `solution_of` raises.
    """
    solution = solution_of(grid, timeout)
    layout = grid.layout
    now = grid if filled is None else filled
    marks = (0,) * layout.size if marked is None else marked.marks
    if now.layout is not layout:
        raise LayoutError(f"the puzzle has layout {layout}, the filled-in grid {now.layout}")
    wrong: list[Candidate] = []
    for place, given, value, right in zip(
        layout.positions, grid.cells, now.cells, solution.cells, strict=True
    ):
        if given and value != given:
            raise PuzzleError(
                f"{cell_name(*place)} is {symbol(given)} in the puzzle but "
                f"{symbol(value)} in the filled-in grid"
            )
        if value and value != right:
            wrong.append((*place, value))
    gone: list[tuple[int, int]] = []
    lost: list[Candidate] = []
    if not is_iterable(removed):
        raise PuzzleError(f"removed is {shown(removed)}; it must be a list of candidates")
    for candidate in removed:
        cell, digit = _cell_and_digit(candidate, layout)
        gone.append((cell, digit))
        if solution.cells[cell] == digit and not now.cells[cell]:
            lost.append((*layout.positions[cell], digit))
    unmarked: list[Candidate] = []
    blank = 0
    for cell, (value, digits, right) in enumerate(
        zip(now.cells, marks, solution.cells, strict=True)
    ):
        if value:
            continue
        if not digits:
            blank |= 1 << cell
            continue
        gone += [(cell, digit) for digit in range(1, layout.side + 1) if not digits >> digit & 1]
        candidate = (*layout.positions[cell], right)
        if not digits >> right & 1 and candidate not in lost:
            unmarked.append(candidate)
    if not any(marks):
        blank = 0
    given_cells = sum(1 << cell for cell, value in enumerate(grid.cells) if value)
    position = Position.of(now, given=given_cells, removed=gone, solution=solution.cells)
    return PlayerState(position, wrong, lost, unmarked, blank)
