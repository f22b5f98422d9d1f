"""The format `killer`: one line with cages as `sum:cell,cell;sum:cell...`.

    9 16:r1c1,r1c2,r2c1;21:r1c3,r2c3 432851769...      size, cages, optionally the solution
    9 X 16:r1c1,r1c2,r2c1;...                          with both diagonals; `-` for none
    9 ?:r1c1,r1c2;...                                  a cage without a sum

Such a line has no givens; a cage of one cell takes the place of one. Lists of killers that were
made from forum posts and https://github.com/sigh/Interactive-Sudoku-Solver have this form.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sudoku.board.cells import cell_name
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.errors import PuzzleError
from sudoku.formats.record import (
    REMARK,
    SOLUTION,
    Format,
    Lost,
    Record,
    by_line,
    joined,
    shape,
    solution_of,
    split_solution,
)
from sudoku.rules import Cage
from sudoku.rules.layouts import diagonal, killer

__all__ = ["KILLER", "killer_base"]

_CAGE = re.compile(r"(\d{1,4}|\?):(r\d{1,2}c\d{1,2}(?:,r\d{1,2}c\d{1,2})*)")


def _detect(head: str, comments: list[str]) -> bool:
    return re.match(r"(\d{1,2}\s+)?([-Xx]\s+)?(\d{1,4}|\?):r\d", head.lstrip()) is not None


def _parse(text: str, layout: Layout | None) -> Record:
    fields = text.split()
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
    solution, rest = split_solution(" ".join(fields), made)
    return Record(Grid.from_cells((0,) * made.size, made), rest=rest, solution=solution)


def _write(records: Iterable[Record], lost: Lost) -> Iterator[str]:
    for record in records:
        layout = record.grid.layout
        flag = "" if len(layout.houses) == 3 * layout.side else "X"
        cages = ";".join(
            f"{rule.total or '?'}:{','.join(cell_name(*cell) for cell in rule.cells)}"
            for rule in layout.rules
            if type(rule) is Cage
        )
        yield joined(record, lost, str(layout.side), flag, cages, solution_of(record))


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


KILLER = Format(
    "killer",
    "cages as sum:cell,cell; on one line",
    (),
    _detect,
    by_line(_parse),
    _write,
    _refuses,
    frozenset({REMARK, SOLUTION}),
)
