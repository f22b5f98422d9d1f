"""Symmetric puzzles: which cells have to be given, or blank, together.

The names are those of puzzle makers. Each stands for some turns and reflections of the board, and
the cells that these carry into each other make an orbit:

    none          every cell by itself
    rotation-2    half a turn
    rotation-4    a quarter of a turn
    mirror        left and right
    diagonal      across the diagonal from the top left
    full          all eight turns and reflections

A board need not be a square, nor have all the cells of one: the turns and reflections are those of
the rectangle around it. Where they carry a cell to no cell, there is no such symmetry.
"""

from __future__ import annotations

from collections.abc import Callable

from dlx import InvalidArgument
from sudoku.board.layout import Layout, cell_name
from sudoku.errors import LayoutError, nearest, shorten

__all__ = ["SYMMETRIES", "check_symmetry", "orbits"]

# From the row and the column, both from 0, and the last row and column, to another place.
Turn = Callable[[int, int, int, int], tuple[int, int]]


def _half(row: int, column: int, bottom: int, right: int) -> tuple[int, int]:
    return bottom - row, right - column


def _quarter(row: int, column: int, bottom: int, right: int) -> tuple[int, int]:
    return column, bottom - row


def _mirror(row: int, column: int, bottom: int, right: int) -> tuple[int, int]:
    return row, right - column


def _diagonal(row: int, column: int, bottom: int, right: int) -> tuple[int, int]:
    return column, row


# What generates each of the groups.
_TURNS: dict[str, tuple[Turn, ...]] = {
    "none": (),
    "rotation-2": (_half,),
    "rotation-4": (_quarter,),
    "mirror": (_mirror,),
    "diagonal": (_diagonal,),
    "full": (_quarter, _mirror),
}

SYMMETRIES = tuple(_TURNS)
"""The names of the symmetries that `generate` knows."""


def check_symmetry(name: object) -> str:
    """The name if it is one of a symmetry; `InvalidArgument` with the nearest ones if not.

    >>> check_symmetry("rotation2")
    Traceback (most recent call last):
    ...
    dlx.errors.InvalidArgument: unknown symmetry 'rotation2': did you mean rotation-2 or rotation-4?
    """
    if isinstance(name, str) and name in _TURNS:
        return name
    hint = nearest(name, SYMMETRIES, 2, cutoff=0.5)
    raise InvalidArgument(f"unknown symmetry {shorten(str(name))}: {hint}")


def orbits(layout: Layout, name: str) -> tuple[tuple[int, ...], ...]:
    """The sets of cells that the symmetry carries into each other, by their first cells.

    >>> orbits(Layout(2, 2), "rotation-4")[:2]
    ((0, 3, 12, 15), (1, 7, 8, 14))

    Raises `LayoutError` if the layout does not look the same after such a turn. O(cells).
    """
    positions = layout.positions
    numbers = {place: cell for cell, place in enumerate(positions)}
    top, left = min(row for row, _ in positions), min(column for _, column in positions)
    bottom = max(row for row, _ in positions) - top
    right = max(column for _, column in positions) - left
    group = list(range(len(positions)))  # of each cell, the first cell that it goes with
    members = {cell: [cell] for cell in group}
    for turn in _TURNS[name]:
        for cell, (row, column) in enumerate(positions):
            to_row, to_column = turn(row - top, column - left, bottom, right)
            other = numbers.get((to_row + top, to_column + left))
            if other is None:
                raise LayoutError(
                    f"the layout {layout} has no symmetry {name!r}: {cell_name(row, column)} would "
                    f"be carried to {cell_name(to_row + top, to_column + left)}, where no cell is"
                )
            first, second = sorted((group[cell], group[other]))
            if first != second:
                members[first] += members[second]
                for moved in members.pop(second):
                    group[moved] = first
    return tuple(tuple(sorted(cells)) for _, cells in sorted(members.items()))
