"""`hints`: the steps to the solution, each of the easiest human technique that applies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sudoku.board.layout import Layout, cell_name, symbol
from sudoku.board.step import Candidate, Step
from sudoku.hinting.deduction import Deduction, changes_of
from sudoku.hinting.player import Puzzle, player_state
from sudoku.hinting.position import Position
from sudoku.hinting.registry import ALL_HINT_TECHNIQUES, HINT_TECHNIQUES, Technique
from sudoku.text.puzzles import parse

__all__ = ["first_deduction", "hints"]


def hints(
    puzzle: Puzzle,
    *,
    layout: Layout | None = None,
    filled: Puzzle | None = None,
    removed: Iterable[Candidate] = (),
    every: bool = False,
    timeout: float | None = None,
) -> Iterator[Step]:
    """The steps from here to the solution, one after another, each of the easiest technique.

    `filled` is the grid with the digits that a player has filled in, if there are any; `removed`
    are the candidates (row, column, digit) that the player has crossed out, besides those that the
    digits exclude. If either has mistakes, the first and only step names them; its technique is
    "mistake". With `every`, rare techniques are tried, too: sue de coq, almost locked sets, death
    blossom, templates; that may take a second per step. The iterator is lazy, so the next hint is
    `next(hints(...))`. `timeout` limits the search that checks for exactly one solution, in
    seconds.

    >>> for step in hints("1... .2.. ..3. 4..."): print(step.technique, "-", step)
    ... # doctest: +ELLIPSIS
    hidden single - ...
    >>> print(next(hints("1... .2.. ..3. 4...", filled="13.. .2.. ..3. 4...")))
    3 in r1c2 is wrong

    Raises, when called: `NoSolution` or `NotUnique` for a puzzle that does not have exactly one
    solution; `LayoutError` for a layout with a side of more than 16;
    `dlx.SearchInterrupted` after `timeout` seconds.
    """
    grid = parse(puzzle, layout)
    now = None if filled is None else parse(filled, grid.layout)
    position, wrong, lost = player_state(grid, now, removed, timeout)
    if wrong or lost:
        return iter([_mistake(wrong, lost)])
    return _steps(position, ALL_HINT_TECHNIQUES if every else HINT_TECHNIQUES)


def _mistake(wrong: list[Candidate], lost: list[Candidate]) -> Step:
    """One step for all mistakes: the digits to take back and the candidates to restore."""
    parts = [
        f"{symbol(digit)} in {cell_name(row, column)} is wrong" for row, column, digit in wrong
    ]
    parts += [
        f"{cell_name(row, column)} is {symbol(digit)}, which was crossed out"
        for row, column, digit in lost
    ]
    both = [*wrong, *lost]
    cells = tuple((row, column) for row, column, _ in both)
    return Step("mistake", cells, tuple(lost), tuple(wrong), "; ".join(parts))


def _steps(position: Position, techniques: Iterable[Technique]) -> Iterator[Step]:
    """The steps from a position to the solution."""
    while not position.is_solved:
        deduction = first_deduction(position, techniques)
        yield deduction.step(position)
        position = position.after(changes_of(position, [deduction]))


def first_deduction(
    position: Position, techniques: Iterable[Technique] = HINT_TECHNIQUES
) -> Deduction:
    """The first deduction of the easiest technique that finds any."""
    for technique in techniques:
        for deduction in technique.find(position):
            return deduction
    raise AssertionError("trial finds a deduction in every position with a solution")
