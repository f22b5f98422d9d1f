"""The format `jigsaw`: one line with the givens, and a character for the region of each cell.

    ..3.5.8....1...   111222333112223...    81 and 81 characters, written without the space
    5 ..5....1..... 1122211132445324... 2354154132...    size, givens, regions, solution

Interactive Sudoku Solver reads the first form (https://github.com/sigh/Interactive-Sudoku-Solver,
js/sudoku_parser.js, parseJigsaw); lists of puzzles have the second. A solution and a remark are
optional, at the end of the line.
"""

from __future__ import annotations

import re
from math import isqrt

from sudoku.board.grid import Grid
from sudoku.board.layout import SYMBOLS, Layout
from sudoku.errors import PuzzleError, counted
from sudoku.formats.record import Lost, Record, first_field, line_format, shape
from sudoku.rules.layouts import jigsaw
from sudoku.text.puzzles import parse

__all__ = ["JIGSAW", "is_jigsaw", "regions_of"]


def _detect(head: str, comments: list[str]) -> bool:
    fields = head.splitlines()[0].split() if head.strip() else []
    if len(fields) >= 3 and re.fullmatch(r"\d{1,2}", fields[0]):
        side, regions = int(fields[0]), fields[2]
        if not len(fields[1]) == len(regions) == side**2:
            return False
        # "1 2 3 4" are cells; and a number, a puzzle and its solution are no jigsaw.
        return _are_regions(regions, side) if side > 1 else len(fields) < 5
    if not fields or len(fields[0]) % 2:
        return False
    half = len(fields[0]) // 2
    side, regions = isqrt(half), fields[0][half:]
    if side * side != half or side < 4 or len(set(regions)) != side:
        return False
    return regions.isalnum() and _are_regions(regions, side)


def _are_regions(cells: str, side: int) -> bool:
    """Whether most cells equal a neighbour in their row or column; in a solution none does."""
    pairs = [(n, n + 1) for n in range(side * side) if (n + 1) % side]
    pairs += [(n, n + side) for n in range(side * side - side)]
    alike = {cell for pair in pairs if cells[pair[0]] == cells[pair[1]] for cell in pair}
    return 2 * len(alike) > len(cells)


def _parse(text: str, layout: Layout | None) -> Record:
    fields = text.split(None, 3)
    if re.fullmatch(r"\d{1,2}", fields[0]) and len(fields) >= 3:
        givens, regions = fields[1:3]
        rest = fields[3] if len(fields) > 3 else ""
    else:
        both, rest = first_field(text)
        givens, regions = both[: len(both) // 2], both[len(both) // 2 :]
    if len(givens) != len(regions):
        raise PuzzleError(f"{counted(len(givens), 'cell')} and regions for {len(regions)}")
    made = jigsaw(regions)
    grid = parse(givens, made)
    return Record(grid, rest=rest)


def _fields(record: Record, lost: Lost) -> list[str]:
    fields = [record.grid.line, regions_of(record.grid.layout)]
    # With side 1, the two characters together would look like a size.
    return ["".join(fields)] if len(fields[0]) > 1 else ["1", *fields]


def is_jigsaw(layout: Layout) -> bool:
    """Whether a layout is a square with rows, columns and, in place of boxes, regions.

    The kinds of houses do not prove it: a file can name its houses as it likes.
    """
    side, houses = layout.side, layout.houses
    regions = houses[2 * side : 3 * side]
    if not layout.is_square or [house.kind for house in regions] != ["region"] * side:
        return False
    lines = Layout(1, side).houses[: 2 * side]
    return {house.cells for house in houses[: 2 * side]} == {line.cells for line in lines} and (
        len({cell for region in regions for cell in region.cells}) == layout.size
    )


def regions_of(layout: Layout) -> str:
    """For each cell the symbol of its region; regions are numbered in order of appearance."""
    region_of = {
        cell: number
        for number, house in enumerate(layout.houses)
        if house.kind == "region"
        for cell in house.cells
    }
    numbers: dict[int, str] = {}
    return "".join(
        numbers.setdefault(region_of[cell], SYMBOLS[len(numbers)]) for cell in range(layout.size)
    )


def _refuses(grid: Grid) -> str | None:
    layout = grid.layout
    if is_jigsaw(layout) and not layout.rules:
        more = {house.kind for house in layout.houses[3 * layout.side :]}
        if not more:
            return None
        if more == {"region"}:
            return "cannot hold more regions"
    return f"cannot hold {shape(layout)}"


JIGSAW = line_format(
    "jigsaw",
    "givens and a character for the region of each cell, on one line",
    _detect,
    _parse,
    _fields,
    _refuses,
)
