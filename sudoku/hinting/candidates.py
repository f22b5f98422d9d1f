"""`marks_of`, which reads the `candidates` of `hints`: a player's own pencil marks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sudoku.board.cells import Cell, cell_name, checked_cell, integer, is_iterable
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.errors import PuzzleError, counted, shown

__all__ = ["PlayerCandidates", "PlayerMarks", "marks_of"]

Digits = Iterable[int] | int | None
PlayerCandidates = (
    str | Mapping[Cell, Iterable[int]] | Mapping[str, Iterable[int]] | Sequence[Digits]
)
"""Pencil marks: a text, a mapping of cells to digits, or the digits of all cells in order."""


class PlayerMarks(NamedTuple):
    """The pencil marks of a player."""

    marks: tuple[int, ...]
    """For each cell its candidates, bit d for digit d; 0 if nothing is written there."""
    filled: Grid | None = None
    """The grid with the digits filled in, if the text had them."""


def marks_of(candidates: PlayerCandidates, puzzle: Grid) -> PlayerMarks:
    """The marks of a player, from any form that `sudoku.hints` takes.

    >>> grid = Grid("1... .2.. ..3. ...4")
    >>> marks_of({(1, 2): [3, 4]}, grid).marks[:3], marks_of({"r1c3": [2]}, grid).marks[:3]
    ((0, 24, 0), (0, 0, 4))

    Raises `PuzzleError` for what is not marks of this puzzle, and `LayoutError` for what is not a
    cell.
    """
    layout = puzzle.layout
    if isinstance(candidates, str):
        from sudoku.formats.player_marks import read_marks

        record = read_marks(candidates, puzzle)
        filled = None if record.placed is None else Grid.from_line(record.placed, layout)
        return PlayerMarks(record.marks or (0,) * layout.size, filled)
    if isinstance(candidates, Mapping):
        return PlayerMarks(_of_mapping(candidates, layout))
    given: object = candidates
    if not isinstance(given, Sequence) or isinstance(given, bytes | bytearray):
        what = f"{shown(candidates)} is not pencil marks"
        raise PuzzleError(f"{what}: expected a text, a mapping of cells to digits, or a list")
    if len(candidates) != layout.size:
        what = f"candidates of {counted(len(candidates), 'cell')}; the grid has {layout.size}"
        raise PuzzleError(what)
    return PlayerMarks(
        tuple(
            _bits(digits, place, layout)
            for digits, place in zip(candidates, layout.positions, strict=True)
        )
    )


def _of_mapping(candidates: Mapping[Any, Any], layout: Layout) -> tuple[int, ...]:
    marks = [0] * layout.size
    for place, digits in candidates.items():
        cell = checked_cell(place)
        if cell not in layout.index:
            raise PuzzleError(f"candidates of {cell_name(*cell)}: {layout} has no such cell")
        if integer(digits) is not None:
            digits = (digits,)
        marks[layout.index[cell]] |= _bits(digits, cell, layout)
    return tuple(marks)


def _bits(digits: object, cell: Cell, layout: Layout) -> int:
    """The digits of a cell as bits; an integer is such bits already, as in `Record.marks`."""
    if digits is None:
        return 0
    bits = integer(digits, 0, (2 << layout.side) - 1)
    if bits is not None and not bits & 1:
        return bits
    if is_iterable(digits) and not isinstance(digits, str | bytes):
        found = {integer(digit, most=layout.side) for digit in digits}
        if None not in found:
            return sum(1 << digit for digit in found if digit)
    raise PuzzleError(
        f"the candidates of {cell_name(*cell)} are {shown(digits)}; write digits from 1 to "
        f"{layout.side}"
    )
