"""The format `killer`: one line with cages as `sum:cell,cell;sum:cell...`.

    9 16:r1c1,r1c2,r2c1;21:r1c3,r2c3 432851769...      size, cages, optionally the solution
    9 X 16:r1c1,r1c2,r2c1;...                          with both diagonals; `-` for none
    9 ?:r1c1,r1c2;...                                  a cage without a sum
    D<C<OF<C<^K<<^R<<^7^P<^N...                        read only: 81 characters

Such a line has no givens; a cage of one cell takes the place of one. Lists of killers that were
made from forum posts and https://github.com/sigh/Interactive-Sudoku-Solver have this form. The last
one has the sum of a cage in one of its cells (0-9, A-Z for 10 to 35, a-j for 36 to 45; 0: none),
and in the others `<v>^` or, diagonally, `` `',. `` point to a cell of the same cage. It is that of
http://forum.enjoysudoku.com/understandable-snarfable-killer-cages-t6119.html.
"""

from __future__ import annotations

import re

from sudoku.board.cells import cell_name
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.errors import PuzzleError
from sudoku.formats.record import Lost, Record, line_format, shape
from sudoku.rules import Cage
from sudoku.rules.layouts import diagonal, killer

__all__ = ["KILLER", "killer_base"]

_CAGE = re.compile(r"(\d{1,4}|\?):(r\d{1,2}c\d{1,2}(?:,r\d{1,2}c\d{1,2})*)")

_SUMS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij"
_STEPS = {
    "<": (0, -1), ">": (0, 1), "^": (-1, 0), "v": (1, 0),
    "`": (-1, -1), "'": (-1, 1), ",": (1, -1), ".": (1, 1),
}  # fmt: skip
_POINTERS = re.compile(r"[0-9A-Za-j<>^v`',.]+")


def _detect(head: str, comments: list[str]) -> bool:
    start = head.lstrip()
    if re.match(r"(\d{1,2}\s+)?([-Xx]\s+)?(\d{1,4}|\?):r\d", start):
        return True
    return _has_pointers(start.split(None, 1)[0] if start else "")


def _has_pointers(field: str) -> bool:
    """Whether a field is a killer of 81 characters, most of which point to others."""
    return len(field) == 81 and _POINTERS.fullmatch(field) is not None and "<" in field


def _pointed(field: str, layout: Layout | None) -> Layout:
    """The layout of such a killer."""
    ends = []
    for cell in range(81):
        seen = []
        while field[cell] in _STEPS and cell not in seen:
            seen.append(cell)
            row, column = cell // 9 + _STEPS[field[cell]][0], cell % 9 + _STEPS[field[cell]][1]
            if not (0 <= row < 9 and 0 <= column < 9):
                name = cell_name(cell // 9 + 1, cell % 9 + 1)
                raise PuzzleError(f"{field[cell]} in {name} points out of the grid")
            cell = 9 * row + column
        if cell in seen:
            name = cell_name(cell // 9 + 1, cell % 9 + 1)
            raise PuzzleError(f"the cage of {name} has no sum: its cells point in a circle")
        ends.append(cell)
    cages = {end: [divmod(cell, 9) for cell in range(81) if ends[cell] == end] for end in ends}
    found = [
        (_SUMS.index(field[end]) or None, [(row + 1, column + 1) for row, column in cells])
        for end, cells in cages.items()
        if field[end] != "0" or len(cells) > 1
    ]
    return killer(found, base=layout or Layout(3, 3))


def _parse(text: str, layout: Layout | None) -> Record:
    fields = text.split()
    if fields and _has_pointers(fields[0]):
        made = _pointed(fields[0], layout)
        return Record(Grid.from_cells((0,) * made.size, made), rest=" ".join(fields[1:]))
    base = layout or Layout(3, 3)
    if fields and fields[0].isdecimal() and len(fields[0]) < 3:
        base = layout or Layout.of_side(int(fields.pop(0)))
    if fields and fields[0] in ("-", "X", "x"):
        base = diagonal(base) if fields.pop(0) != "-" else base
    if not fields:
        raise PuzzleError("no cages; expected sum:cell,cell;sum:cell and so on")
    cages = []
    for part in fields.pop(0).rstrip(";").split(";"):
        cage = _CAGE.fullmatch(part)
        if cage is None:
            raise PuzzleError("expected a cage, such as 16:r1c1,r1c2", text=part)
        cages.append((None if cage[1] == "?" else int(cage[1]), cage[2].split(",")))
    made = killer(cages, base=base)
    return Record(Grid.from_cells((0,) * made.size, made), rest=" ".join(fields))


def _fields(record: Record, lost: Lost) -> list[str]:
    layout = record.grid.layout
    cages = [
        f"{rule.total or '?'}:{','.join(cell_name(*cell) for cell in rule.cells)}"
        for rule in layout.rules
        if type(rule) is Cage
    ]
    flag = "" if len(layout.houses) == 3 * layout.side else "X"
    return [str(layout.side), flag, ";".join(cages)]


def killer_base(layout: Layout) -> Layout | None:
    """The layout without its cages: a classic grid, with or without diagonals; None for others."""
    if not layout.rules or not all(type(rule) is Cage for rule in layout.rules):
        return None
    if not layout.box_rows:
        return None
    classic = Layout(layout.box_rows, layout.box_columns)
    bases = (base for base in (classic, diagonal(classic)) if base.houses == layout.houses)
    return next(bases, None)


def _refuses(grid: Grid) -> str | None:
    base = killer_base(grid.layout)
    if base is None or not Layout(base.box_rows, base.box_columns).is_usual:
        return f"cannot hold {shape(grid.layout)}"
    return "cannot hold givens" if grid.filled else None


KILLER = line_format(
    "killer", "cages as sum:cell,cell; on one line", _detect, _parse, _fields, _refuses
)
