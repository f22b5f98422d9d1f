"""Layouts by their houses: classic, Latin squares, jigsaws, diagonals, windows and the like."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from math import isqrt

from sudoku.board.cells import MAX_SIDE, Cell, cell_name, checked_cells, checked_side, is_iterable
from sudoku.board.layout import Layout, checked_layout
from sudoku.errors import LayoutError, counted, shown
from sudoku.rules.unique import Unique

__all__ = [
    "asterisk",
    "center_dot",
    "classic",
    "diagonal",
    "disjoint_groups",
    "girandola",
    "hyper",
    "jigsaw",
    "latin",
    "sujiken",
]


def classic(box_rows: int = 3, box_columns: int = 3) -> Layout:
    """A layout with rows, columns, and boxes of that shape.

    >>> classic(2, 3)
    Layout(2, 3)
    """
    return Layout(box_rows, box_columns)


def latin(side: int) -> Layout:
    """A layout of Latin squares, with rows and columns only.

    >>> latin(5)
    <Layout latin: side 5, 25 cells, 10 houses, 0 rules>
    """
    return Layout.of(side, *_square(side), name="latin")


def jigsaw(regions: str | Iterable[Iterable[Cell | str]]) -> Layout:
    """A layout with regions of any form instead of boxes.

    `regions` is a string with a symbol for each cell, the same for all cells of a region (white
    space is ignored), or a list with the cells of each region.

    >>> jigsaw("1112 1322 3324 3444")
    <Layout jigsaw: side 4, 16 cells, 12 houses, 0 rules>
    >>> jigsaw("1112 1322 3344 3444")
    Traceback (most recent call last):
    ...
    sudoku.errors.LayoutError: region '2' has 3 cells; in a 4x4 grid it has 4

    Raises `LayoutError` unless there are as many regions of as many cells each as there are rows.
    """
    named = _named_regions(regions)
    side = isqrt(sum(map(len, named.values())))
    if not 1 <= side <= MAX_SIDE or side * side != sum(map(len, named.values())):
        count = sum(map(len, named.values()))
        raise LayoutError(
            f"regions of {counted(count, 'cell')} together; those of a 9x9 grid have 81"
        )
    cells, houses = _square(side)
    grid, seen = set(cells), dict[Cell, str]()
    for name, members in named.items():
        for cell in members:
            if cell not in grid:
                where = f"a {side}x{side} grid"
                raise LayoutError(f"{name} has {cell_name(*cell)}, which is not in {where}")
            if cell in seen:
                raise LayoutError(f"{cell_name(*cell)} is in {seen[cell]} and in {name}")
            seen[cell] = name
    for name, members in named.items():
        if len(members) != side:
            size = f"{len(members)} cell{'s' * (len(members) != 1)}"
            raise LayoutError(f"{name} has {size}; in a {side}x{side} grid it has {side}")
    every = [*houses, *(("region", members) for members in named.values())]
    return Layout.of(side, cells, every, name="jigsaw")


def sujiken() -> Layout:
    """Sujiken: the lower triangle of a 9x9 grid, without a repeat in any row, column or diagonal.

    The three boxes have every digit; the triangles beside the longest diagonal do not repeat one.

    >>> sujiken()
    <Layout sujiken: side 9, 45 cells, 6 houses, 37 rules>

    Source: the puzzle's rules by its inventor, George Heineman (sujiken.org).
    """
    cells = [(row, column) for row in range(1, 10) for column in range(1, row + 1)]
    groups = {
        "row": [[cell for cell in cells if cell[0] == n] for n in range(1, 10)],
        "column": [[cell for cell in cells if cell[1] == n] for n in range(1, 10)],
        "diagonal": [
            *([cell for cell in cells if cell[0] - cell[1] == n] for n in range(9)),
            *([cell for cell in cells if sum(cell) == n] for n in range(2, 19)),
        ],
        "box": [
            [cell for cell in cells if (cell[0] - 1) // 3 == i and (cell[1] - 1) // 3 == j]
            for i in range(3)
            for j in range(i + 1)
        ],
    }
    every = [(kind, group) for kind, lists in groups.items() for group in lists]
    houses = [(kind, group) for kind, group in every if len(group) == 9]
    rules = [Unique(group) for _, group in every if 1 < len(group) < 9]
    return Layout.of(9, cells, houses, rules, name="sujiken")


def _square(side: int) -> tuple[list[Cell], list[tuple[str, list[Cell]]]]:
    """The cells of a square, its rows and its columns."""
    side = checked_side("side", side)
    numbers = range(1, side + 1)
    rows = [("row", [(row, column) for column in numbers]) for row in numbers]
    columns = [("column", [(row, column) for row in numbers]) for column in numbers]
    return list(product(numbers, numbers)), rows + columns


def _named_regions(regions: str | Iterable[Iterable[Cell | str]]) -> dict[str, list[Cell]]:
    named: dict[str, list[Cell]] = {}
    if not isinstance(regions, str):
        if not is_iterable(regions):
            raise LayoutError(
                f"{shown(regions)} are not regions; expected a string, or a list of lists of cells"
            )
        for number, region in enumerate(regions, 1):
            named[f"region {number}"] = list(checked_cells(region))
        return named
    text = "".join(regions.split())
    side = isqrt(len(text))
    if side * side != len(text) or not text:
        raise LayoutError(
            f"regions of {counted(len(text), 'cell')} together; those of a 9x9 grid have 81"
        )
    for cell, name in enumerate(text):
        named.setdefault(f"region {name!r}", []).append((cell // side + 1, cell % side + 1))
    return named


def diagonal(base: Layout | None = None) -> Layout:
    """Adds both diagonals as houses (Sudoku X).

    >>> diagonal()
    <Layout diagonal: side 9, 81 cells, 29 houses, 0 rules>
    """
    layout = _based(base, "diagonal")
    numbers = range(1, layout.side + 1)
    falling = [(n, n) for n in numbers]
    rising = [(layout.side + 1 - n, n) for n in numbers]
    return layout.with_houses("diagonal", falling, rising, name="diagonal")


def hyper(base: Layout | None = None) -> Layout:
    """Adds windows as houses, one cell away from the edge and from each other (windoku).

    >>> [house.cells[0] for house in hyper().houses[27:]]
    [10, 14, 46, 50]
    """
    layout = _boxed(base, "hyper")
    tall, wide, side = layout.box_rows, layout.box_columns, layout.side
    tops = range(2, side + 1 - tall, tall + 1)
    lefts = range(2, side + 1 - wide, wide + 1)
    if not tops or not lefts:
        raise LayoutError(f"boxes of {tall}x{wide} leave no room for the windows of hyper")
    windows = [
        [(top + down, left + right) for down in range(tall) for right in range(wide)]
        for top in tops
        for left in lefts
    ]
    return layout.with_houses("window", *windows, name="hyper")


def disjoint_groups(base: Layout | None = None) -> Layout:
    """Adds the cells in the same place of all boxes as a house, for each place.

    >>> disjoint_groups().houses[27].cells
    (0, 3, 6, 27, 30, 33, 54, 57, 60)
    """
    layout = _boxed(base, "disjoint-groups")
    tall, wide, side = layout.box_rows, layout.box_columns, layout.side
    groups = [
        [
            (row, column)
            for row in range(down, side + 1, tall)
            for column in range(right, side + 1, wide)
        ]
        for down in range(1, tall + 1)
        for right in range(1, wide + 1)
    ]
    return layout.with_houses("group", *groups, name="disjoint-groups")


def center_dot(base: Layout | None = None) -> Layout:
    """Adds the middle cells of the boxes as a house. The sides of the boxes must be odd.

    >>> center_dot().houses[27].cells
    (10, 13, 16, 37, 40, 43, 64, 67, 70)
    """
    layout = _boxed(base, "center-dot")
    tall, wide, side = layout.box_rows, layout.box_columns, layout.side
    if tall % 2 == 0 or wide % 2 == 0:
        raise LayoutError(f"boxes of {tall}x{wide} have no middle for center-dot")
    centers = product(
        range((tall + 1) // 2, side + 1, tall), range((wide + 1) // 2, side + 1, wide)
    )
    return layout.with_houses("center", centers, name="center-dot")


def asterisk(base: Layout | None = None) -> Layout:
    """Adds nine cells in the form of an asterisk as a house. 9x9 only.

    >>> asterisk().houses[27].cells
    (13, 20, 24, 37, 40, 43, 56, 60, 67)
    """
    cells = "r2c5 r3c3 r3c7 r5c2 r5c5 r5c8 r7c3 r7c7 r8c5"
    return _nine(base, "asterisk").with_houses("asterisk", checked_cells(cells), name="asterisk")


def girandola(base: Layout | None = None) -> Layout:
    """Adds the corners, the middle and four cells near the edges as a house. 9x9 only.

    >>> girandola().houses[27].cells
    (0, 8, 13, 37, 40, 43, 67, 72, 80)
    """
    cells = "r1c1 r1c9 r2c5 r5c2 r5c5 r5c8 r8c5 r9c1 r9c9"
    return _nine(base, "girandola").with_houses("girandola", checked_cells(cells), name="girandola")


def _based(base: Layout | None, name: str) -> Layout:
    """The base; `LayoutError` if it is not a square."""
    layout = checked_layout(base)
    if not layout.is_square:
        raise LayoutError(f"{name} needs a square grid; {layout} is not square")
    return layout


def _boxed(base: Layout | None, name: str) -> Layout:
    """The base; `LayoutError` if it has no boxes."""
    layout = _based(base, name)
    if not layout.box_rows:
        raise LayoutError(f"{name} needs boxes of one shape; {layout} has no boxes")
    return layout


def _nine(base: Layout | None, name: str) -> Layout:
    """The base; `LayoutError` if it is not 9x9."""
    layout = _based(base, name)
    if layout.side != 9:
        raise LayoutError(f"{name} is for 9x9 grids, not for {layout} of side {layout.side}")
    return layout
