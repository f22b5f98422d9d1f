"""The format `sukaku`: pencil marks as the puzzle, 729 characters for a 9x9 grid.

There is a character for each digit of each cell: the digit if the cell may have it, otherwise `.`
or another blank. Such puzzles are called sukaku, or pencilmark sudoku. The lines are those of the
Players' Forum, http://forum.enjoysudoku.com/minimum-givens-on-larger-puzzles-t4801.html and others.
The rest of a line is a remark.
"""

from __future__ import annotations

from collections.abc import Iterator

from sudoku.board.cells import BLANKS
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout, usual_layouts
from sudoku.board.parse import plain_zeros
from sudoku.errors import PuzzleError, counted
from sudoku.formats.record import Lost, Record, first_field, line_format, shape
from sudoku.rules import Allowed
from sudoku.rules.layouts import sukaku

__all__ = ["SUKAKU", "digits_of", "is_marked", "refuses"]


def _base_of(length: int) -> Layout | None:
    return next((L for L in usual_layouts().values() if L.side * L.size == length), None)


def _detect(head: str, comments: list[str]) -> bool:
    field = head.split(None, 1)[0] if head.split() else ""
    base = _base_of(len(field))
    if base is None or len(field) == 64 or not field.isascii():  # 64 are an 8x8 grid
        return False
    # Every cell has a mark. A few wrong characters are an error, not another format.
    text, side = plain_zeros(field.upper(), base.side), base.side
    good = sum(
        any(a == b for a, b in zip(text[at : at + side], base.symbols, strict=True))
        and all(a in (b, *BLANKS) for a, b in zip(text[at : at + side], base.symbols, strict=True))
        for at in range(0, len(text), side)
    )
    return 10 * good > 9 * base.size


def _parse(text: str, layout: Layout | None) -> Record:
    field, rest = first_field(text)
    base = layout or _base_of(len(field))
    if base is None or len(field) != base.side * base.size:
        count = 729 if base is None else base.side * base.size
        what = "those of a 9x9 grid have 729" if base is None else f"those of {base} have {count}"
        raise PuzzleError(f"pencil marks of {counted(len(field), 'character')}; {what}")
    made = sukaku(field, base)
    return Record(Grid.from_cells((0,) * base.size, made), rest=rest)


def _fields(record: Record, lost: Lost) -> list[str]:
    return ["".join(digits_of(record.grid))]


def digits_of(grid: Grid) -> Iterator[str]:
    """Yields for each digit of each cell a character: the digit if the cell may have it, or `.`."""
    for bits in _allowed(grid):
        for digit, character in enumerate(grid.layout.symbols, 1):
            yield character if bits >> digit & 1 else "."


def _allowed(grid: Grid) -> list[int]:
    """For each cell the digits that it may have, bit d for digit d."""
    layout, cells = grid.layout, grid.cells
    every = (2 << layout.side) - 2
    allowed = [1 << digit if digit else every for digit in cells]
    for rule in layout.rules:
        if type(rule) is Allowed:
            for cell, digits in rule.marks:
                allowed[layout.index[cell]] &= sum(1 << digit for digit in digits)
    return allowed


def refuses(grid: Grid) -> str | None:
    """Refuses all but classic grids with pencil marks."""
    if not is_marked(grid.layout):
        return f"cannot hold {shape(grid.layout)}"
    return None if all(_allowed(grid)) else "cannot hold a cell without any digit"


def is_marked(layout: Layout) -> bool:
    """Whether a layout is classic, with or without pencil marks."""
    usual = usual_layouts().get(layout.size)
    good = usual is not None and layout.houses == usual.houses and layout.is_square
    return good and all(type(rule) is Allowed for rule in layout.rules)


SUKAKU = line_format(
    "sukaku",
    "pencil marks: a character for each digit of each cell, 729 for 9x9",
    _detect,
    _parse,
    _fields,
    refuses,
)
