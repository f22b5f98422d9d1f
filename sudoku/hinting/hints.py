"""`hints`: the steps a person would take, the easiest first, to the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sudoku.board.layout import Layout, cell_name, symbol
from sudoku.board.step import Candidate, Step
from sudoku.hinting.deduction import Find, deduced
from sudoku.hinting.player import Puzzle, state
from sudoku.hinting.position import Position
from sudoku.hinting.registry import FULL_LADDER, LADDER, Technique
from sudoku.text.puzzles import parse

__all__ = ["first_find", "hints"]


def hints(
    puzzle: Puzzle,
    *,
    layout: Layout | None = None,
    filled: Puzzle | None = None,
    removed: Iterable[Candidate] = (),
    every: bool = False,
    timeout: float | None = None,
) -> Iterator[Step]:
    """The steps from here to the solution, one after another, each the easiest there is.

    `filled` is the grid as far as a player has filled it in, if that is more than the puzzle;
    `removed` are the candidates (row, column, digit) that the player has crossed out besides those
    that the digits exclude. What is wrong in either is the first and only step, of the technique
    "mistake". With `every`, rare techniques are tried, too: sue de coq, almost locked sets, death
    blossom, templates; that may take a second a step. The steps are made when they are asked for,
    so the next hint is `next(hints(...))`. `timeout` is how many seconds the search may take that
    makes sure there is one solution.

    >>> for step in hints("1... .2.. ..3. 4..."): print(step.technique, "-", step)
    ... # doctest: +ELLIPSIS
    hidden single - ...
    >>> print(next(hints("1... .2.. ..3. 4...", filled="13.. .2.. ..3. 4...")))
    r1c2 cannot be 3: that is a mistake

    Raises, at once, `NoSolution` or `NotUnique` for a puzzle that has not exactly one solution,
    and `LayoutError` for one that is more than one square of houses, or larger than 16.
    `dlx.SearchInterrupted` after `timeout` seconds.
    """
    grid = parse(puzzle, layout)
    now = None if filled is None else parse(filled, grid.layout)
    position, wrong, lost = state(grid, now, removed, timeout)
    if wrong or lost:
        return iter([_mistake(wrong, lost)])
    return _steps(position, FULL_LADDER if every else LADDER)


def _mistake(wrong: list[Candidate], lost: list[Candidate]) -> Step:
    """One step that says it all: what to take back, and what to allow again."""
    words = [f"{cell_name(row, column)} cannot be {symbol(digit)}" for row, column, digit in wrong]
    words += [
        f"{cell_name(row, column)} is {symbol(digit)}, which was crossed out"
        for row, column, digit in lost
    ]
    both = [*wrong, *lost]
    cells = tuple((row, column) for row, column, _ in both)
    what = "that is a mistake" if len(both) == 1 else "those are mistakes"
    return Step("mistake", cells, tuple(lost), tuple(wrong), f"{', '.join(words)}: {what}")


def _steps(position: Position, ladder: Iterable[Technique]) -> Iterator[Step]:
    while not position.is_solved:
        find = first_find(position, ladder)
        yield find.step(position)
        position = position.after(deduced(position, [find]))


def first_find(position: Position, ladder: Iterable[Technique] = LADDER) -> Find:
    """The first step of the easiest technique that has one."""
    for technique in ladder:
        for find in technique.find(position):
            return find
    raise AssertionError("trial always finds something in a position with a solution")
