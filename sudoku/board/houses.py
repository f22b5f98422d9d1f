"""Houses: sets of cells in which every digit stands exactly once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sudoku.board.cells import Cell, cell_name, checked_cells
from sudoku.errors import LayoutError, counted

__all__ = ["House", "classic_houses", "house_cells"]


class House(NamedTuple):
    """A set of cells in which every digit stands exactly once."""

    kind: str
    """`"row"`, `"column"`, `"box"`, `"region"`, `"diagonal"`, ...; `"grid 2 row"` in overlaps."""
    number: int
    """Counted from 1 in its kind; boxes are counted row by row."""
    cells: tuple[int, ...]
    """The numbers of its cells, in ascending order."""

    @property
    def name(self) -> str:
        """What it is called in messages: `"row 4"`, `"column 2"`, `"box 3"`."""
        return f"{self.kind} {self.number}"


def classic_houses(box_rows: int, box_columns: int) -> list[House]:
    """The rows, the columns and the boxes of a square with boxes of that shape, in this order.

    >>> [house.cells for house in classic_houses(1, 2)]
    [(0, 1), (2, 3), (0, 2), (1, 3), (0, 1), (2, 3)]
    """
    side = box_rows * box_columns
    members: dict[str, list[list[int]]] = {
        kind: [[] for _ in range(side)] for kind in ("row", "column", "box")
    }
    for cell in range(side * side):
        row, column = divmod(cell, side)
        members["row"][row].append(cell)
        members["column"][column].append(cell)
        members["box"][row // box_rows * box_rows + column // box_columns].append(cell)
    return [
        House(kind, number, tuple(cells))
        for kind, houses in members.items()
        for number, cells in enumerate(houses, 1)
    ]


def house_cells(
    side: int, index: Mapping[Cell, int], name: str, members: Iterable[Cell]
) -> tuple[int, ...]:
    """The numbers of the cells of a house, ascending; `index` has the number of each cell.

    Raises `LayoutError`, which calls it `name`, unless they are `side` different cells.
    """
    cells = checked_cells(members)
    seen: set[Cell] = set()
    for cell in cells:
        if cell not in index:
            raise LayoutError(f"{name} has {cell_name(*cell)}, which is not in the grid")
        if cell in seen:
            raise LayoutError(f"{name} has {cell_name(*cell)} twice")
        seen.add(cell)
    if len(cells) != side:
        raise LayoutError(
            f"{name} has {counted(len(cells), 'cell')}, expected {side}: one for each digit"
        )
    return tuple(sorted(index[cell] for cell in cells))
