"""Taking givens away from a puzzle as long as its solution stays the only one.

A given that cannot be taken away now cannot be taken away later either: with fewer givens there are
only more solutions. So one pass over the givens, in any order, ends with a minimal puzzle, and how
small that is depends on the order alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.errors import NoSolution, PuzzleError
from sudoku.generation.random import Draws, check_seed
from sudoku.generation.symmetries import check_symmetry, orbits
from sudoku.generation.uniqueness import Maker, answer
from sudoku.solving.deadline import Deadline
from sudoku.solving.why import Why
from sudoku.text.puzzles import parse

__all__ = ["dig", "given_count", "minimize"]

BLANK = "."
FIRST_STEP = 16  # groups taken away at once, until one cannot be


def minimize(
    puzzle: str | Iterable[object] | Grid,
    *,
    layout: Layout | None = None,
    symmetry: str = "none",
    seed: int | None = None,
    timeout: float | None = None,
    engine: str = "auto",
) -> Grid:
    """A minimal puzzle within a puzzle: with fewer givens there would be more solutions.

    With a `symmetry` (see `SYMMETRIES`) givens are taken away in whole orbits, and no orbit can be
    taken away in the end; the puzzle should have that symmetry, or it will not have it afterwards.
    Givens are tried in an order that depends on the seed: from the last to the first if it is None.

    >>> import sudoku
    >>> print(minimize("1423 3241 2134 4312").line)
    142.....21......
    >>> minimize(sudoku.generate(seed=1)) == sudoku.generate(seed=1)
    True

    Raises `NoSolution` if there is none, `PuzzleError` if there is more than one, and
    `dlx.SearchInterrupted` after `timeout` seconds. One search for each given.
    """
    grid = parse(puzzle, layout)
    shape, line = grid.layout, grid.line
    groups = list(orbits(shape, check_symmetry(symmetry)))[::-1]
    if seed is not None:
        groups = Draws("minimize", check_seed(seed)).shuffled(groups)
    deadline = Deadline(timeout)
    found = answer(_ask(line), shape, engine, deadline)
    if found == 0:
        raise NoSolution(Why(grid))
    if found > 1:
        raise PuzzleError("the puzzle has more than one solution: no given can be taken away")
    return Grid.from_line(answer(dig(line, groups), shape, engine, deadline), shape)


def _ask(line: str) -> Maker[int]:
    solutions = yield line
    return solutions


def given_count(line: str) -> int:
    """The number of givens in a line."""
    return len(line) - line.count(BLANK)


def dig(line: str, groups: Sequence[Sequence[int]], least: int = 0) -> Maker[str]:
    """The line without those groups of cells that can go, in their order, with `least` givens left.

    The line must have one solution. The result is that of taking one group away after another; but
    from a full grid many can go at once, which saves a third of the questions.
    """
    at, step = 0, FIRST_STEP
    while at < len(groups):
        some = groups[at : at + step]
        tried = _without(line, some)
        possible = tried == line or given_count(tried) >= least
        if possible and (tried == line or (yield tried) == 1):
            line = tried
            at += len(some)
        elif len(some) == 1:
            at += 1  # these givens stay
        else:
            step = len(some) // 2
    return line


def _without(line: str, groups: Iterable[Iterable[int]]) -> str:
    cells = list(line)
    for group in groups:
        for cell in group:
            cells[cell] = BLANK
    return "".join(cells)
