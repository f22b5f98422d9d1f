"""Layouts of several overlapping grids: samurai and the like."""

from __future__ import annotations

from collections.abc import Iterable

from sudoku.board.cells import Cell, checked_cells
from sudoku.board.layout import Layout, checked_layout
from sudoku.errors import LayoutError

__all__ = [
    "butterfly",
    "gattai8",
    "overlapping",
    "samurai",
    "shogun",
    "sohei",
    "windmill",
]


def overlapping(
    corners: Iterable[Cell | str], *, base: Layout | None = None, name: str = "overlapping"
) -> Layout:
    """A layout of several grids like `base`, 9x9 by default, with these upper left corners.

    Grids that overlap share cells; a house that two grids share is one house.

    >>> overlapping([(1, 1), (7, 7)], name="twins")
    <Layout twins: side 9, 153 cells, 53 houses, 0 rules>

    Raises `LayoutError` for two grids in one place, or a base that is not a square or has rules.
    """
    layout = checked_layout(base)
    if not layout.is_square or layout.rules:
        raise LayoutError(f"overlapping grids must be squares without rules; {layout} is not")
    places = checked_cells(corners)
    if not places:
        raise LayoutError("no corners; expected the upper left cell of each grid")
    cells: set[Cell] = set()
    houses: dict[tuple[Cell, ...], str] = {}
    for number, (top, left) in enumerate(places, 1):
        if places.index((top, left)) != number - 1:
            raise LayoutError(f"two grids at r{top}c{left}")
        moved = [(row + top - 1, column + left - 1) for row, column in layout.positions]
        cells.update(moved)
        for house in layout.houses:
            members = tuple(moved[cell] for cell in house.cells)
            houses.setdefault(members, f"grid {number} {house.kind}")
    return Layout.of(
        layout.side, cells, ((kind, members) for members, kind in houses.items()), name=name
    )


def _grids(name: str, *corners: Cell) -> Layout:
    """A layout of 9x9 grids with these corners, as rows and columns from 0."""
    return overlapping([(row + 1, column + 1) for row, column in corners], name=name)


def samurai() -> Layout:
    """Five grids: one in the middle, and one at each of its corners.

    >>> samurai()
    <Layout samurai: side 9, 369 cells, 131 houses, 0 rules>
    """
    return _grids("samurai", (0, 0), (0, 12), (12, 0), (6, 6), (12, 12))


def sohei() -> Layout:
    """Four grids around an empty middle, each with a box in common with two others.

    >>> sohei()
    <Layout sohei: side 9, 288 cells, 104 houses, 0 rules>
    """
    return _grids("sohei", (0, 6), (6, 0), (6, 12), (12, 6))


def windmill() -> Layout:
    """Five grids: one in the middle, and four shifted around it.

    >>> windmill()
    <Layout windmill: side 9, 333 cells, 127 houses, 0 rules>
    """
    return _grids("windmill", (0, 3), (9, 0), (3, 12), (6, 6), (12, 9))


def butterfly() -> Layout:
    """Four grids in a square of 12 rows and columns.

    >>> butterfly()
    <Layout butterfly: side 9, 144 cells, 64 houses, 0 rules>
    """
    return _grids("butterfly", (0, 0), (0, 3), (3, 0), (3, 3))


def gattai8() -> Layout:
    """Eight grids: two rows of three, and two between.

    >>> gattai8()
    <Layout gattai8: side 9, 576 cells, 208 houses, 0 rules>
    """
    corners = ((0, 0), (0, 12), (0, 24), (6, 6), (6, 18), (12, 0), (12, 12), (12, 24))
    return _grids("gattai8", *corners)


def shogun() -> Layout:
    """Eleven grids: two rows of four, and three between.

    >>> shogun()
    <Layout shogun: side 9, 783 cells, 285 houses, 0 rules>
    """
    corners = [(row, column) for row in (0, 12) for column in (0, 12, 24, 36)]
    corners[4:4] = [(6, 6), (6, 18), (6, 30)]
    return _grids("shogun", *corners)
