"""The format `even-odd`: one line with a digit, a blank, or E (even) or O (odd) for each cell.

    7EEOOE1EOEOO2O5EOEOEOOEEEO9O1OE4OO8EEEE8O7...    optionally followed by the solution

Only for grids up to 12x12; in larger ones E and O are digits.
"""

from __future__ import annotations

from sudoku.board.cells import BLANKS
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout, usual_layouts
from sudoku.errors import PuzzleError, counted
from sudoku.formats.record import Lost, Record, first_field, line_format, shape
from sudoku.formats.sukaku import is_marked
from sudoku.rules import Allowed
from sudoku.rules.layouts import even_odd
from sudoku.text.puzzles import parse

__all__ = ["EVEN_ODD"]


def _detect(head: str, comments: list[str]) -> bool:
    field = head.split(None, 1)[0].upper() if head.split() else ""
    layout = usual_layouts().get(len(field))
    if layout is None or layout.side > 12 or not {"E", "O"} & set(field):
        return False
    return set(field) <= {*layout.symbols, *".0-_*EO"}


def _parse(text: str, layout: Layout | None) -> Record:
    field, rest = first_field(text)
    field = field.upper()
    base = layout or usual_layouts().get(len(field))
    if base is None or len(field) != base.size or base.side > 12:
        raise PuzzleError(f"{counted(len(field), 'cell')}; a 9x9 grid has 81, the largest here 144")
    even, odd = (
        [cell for cell, c in zip(base.positions, field, strict=True) if c == letter]
        for letter in "EO"
    )
    made = even_odd(even, odd, base) if even or odd else base
    # Beside another blank, 0 may be a digit.
    blank = "0" if {*field} & {*BLANKS} == {"0"} else "."
    grid = parse(field.translate({ord("E"): blank, ord("O"): blank}), made)
    return Record(grid, rest=rest)


def _fields(record: Record, lost: Lost) -> list[str]:
    layout = record.grid.layout
    letters = _letters(layout)
    cells = zip(layout.positions, record.grid.line, strict=True)
    line = [letters.get(cell, ".") if digit == "." else digit for cell, digit in cells]
    return ["".join(line)]


def _letters(layout: Layout) -> dict[tuple[int, int], str]:
    """For each restricted cell E or O, or ? if its digits are neither all even nor all odd ones."""
    kinds = {
        tuple(range(2, layout.side + 1, 2)): "E",
        tuple(range(1, layout.side + 1, 2)): "O",
    }
    return {
        cell: kinds.get(digits, "?")
        for rule in layout.rules
        if type(rule) is Allowed
        for cell, digits in rule.marks
    }


def _refuses(grid: Grid) -> str | None:
    layout = grid.layout
    if layout.side <= 12 and is_marked(layout):
        letters = _letters(layout)
        both = [cell for cell, value in grid.values.items() if cell in letters]
        if "?" not in letters.values() and not both and len(layout.rules) <= 1:
            return None
    return f"cannot hold {shape(layout)}"


EVEN_ODD = line_format(
    "even-odd", "E and O for even and odd cells, on one line", _detect, _parse, _fields, _refuses
)
