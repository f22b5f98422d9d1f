"""The format `overlaps`: one line with overlapping grids: rows, columns, and cells, `#` for a gap.

    21 21 92.43....###.38...7.2....5.46.###...    optionally the solution, in the same form

Lists of samurai and similar puzzles have such lines (they come from https://www.samurai-sudoku.com
and others). The layout is the one of `sudoku.layouts` that has these cells.
"""

from __future__ import annotations

import re
from functools import cache

from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.errors import PuzzleError, counted
from sudoku.formats.record import Lost, Record, line_format, shape, solution_of
from sudoku.rules.layouts import NAMES, named
from sudoku.text.puzzles import parse

__all__ = ["OVERLAPS"]

_START = re.compile(r"(\d{1,3})[ \t]+(\d{1,3})[ \t]+(\S+)[ \t]*(.*)")


def _detect(head: str, comments: list[str]) -> bool:
    found = _START.match(head.lstrip())
    return found is not None and len(found[3]) == int(found[1]) * int(found[2]) > 81


@cache
def _by_cells() -> dict[str, Layout]:
    every = (layout for layout in map(named, NAMES) if not layout.is_square)
    return {_with_gaps("." * layout.size, layout): layout for layout in every}


def _with_gaps(line: str, layout: Layout) -> str:
    """The line with `#` where the layout has no cell."""
    text = ["#"] * (layout.height * layout.width)
    for (row, column), character in zip(layout.positions, line, strict=True):
        text[(row - 1) * layout.width + column - 1] = character
    return "".join(text)


def _parse(text: str, layout: Layout | None) -> Record:
    found = _START.match(text)
    if found is None:
        raise PuzzleError("the form is: rows, columns, and the cells, # for a gap")
    rows, columns, cells, rest = int(found[1]), int(found[2]), found[3], found[4]
    if len(cells) != rows * columns:
        raise PuzzleError(
            f"{counted(len(cells), 'character')}; {rows} x {columns} cells are {rows * columns}"
        )
    made = layout or _by_cells().get(re.sub(r"[^#]", ".", cells))
    if made is None or (made.height, made.width) != (rows, columns):
        known = ", ".join(f"{layout}" for layout in _by_cells().values())
        raise PuzzleError(f"no layout has these cells; expected one of {known}")
    grid = parse(cells, made)
    return Record(grid, rest=rest)


def _fields(record: Record, lost: Lost) -> list[str]:
    layout = record.grid.layout
    return [str(layout.height), str(layout.width), _with_gaps(record.grid.line, layout)]


def _solution(record: Record) -> str:
    if record.solution:
        return _with_gaps(record.solution, record.grid.layout)
    return solution_of(record)


def _refuses(grid: Grid) -> str | None:
    known = _by_cells().values()
    return None if grid.layout in known else f"cannot hold {shape(grid.layout)}"


OVERLAPS = line_format(
    "overlaps",
    "samurai and the like: rows, columns and cells on one line",
    _detect,
    _parse,
    _fields,
    _refuses,
    solution=_solution,
)
