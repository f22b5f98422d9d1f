"""Symmetries of puzzles: which cells must be givens, or blank, together.

The names are the usual ones among puzzle makers. Each names a group of rotations and reflections of
the board. The cells that a group maps to each other form an orbit:

    none          every cell by itself
    rotation-2    rotation by 180 degrees
    rotation-4    rotation by 90 degrees
    mirror        reflection of left and right
    diagonal      reflection across the diagonal from the top left
    full          all eight rotations and reflections

The rotations and reflections are those of the rectangle around the board, which may have gaps. A
layout has a symmetry only if it maps every cell to a cell.
"""

from __future__ import annotations

from collections.abc import Callable

from dlx import InvalidArgument
from sudoku.board.layout import Layout, cell_name
from sudoku.errors import LayoutError, nearest, shown

__all__ = ["SYMMETRIES", "check_symmetry", "images", "orbits"]

# From a row and a column and the last row and column, all from 0, to another row and column.
Transform = Callable[[int, int, int, int], tuple[int, int]]


def _half(row: int, column: int, bottom: int, right: int) -> tuple[int, int]:
    return bottom - row, right - column


def _quarter(row: int, column: int, bottom: int, right: int) -> tuple[int, int]:
    return column, bottom - row


def _mirror(row: int, column: int, bottom: int, right: int) -> tuple[int, int]:
    return row, right - column


def _diagonal(row: int, column: int, bottom: int, right: int) -> tuple[int, int]:
    return column, row


# The generators of each group.
_GENERATORS: dict[str, tuple[Transform, ...]] = {
    "none": (),
    "rotation-2": (_half,),
    "rotation-4": (_quarter,),
    "mirror": (_mirror,),
    "diagonal": (_diagonal,),
    "full": (_quarter, _mirror),
}

SYMMETRIES = tuple(_GENERATORS)
"""The names of the symmetries that `generate` knows."""


def check_symmetry(name: object) -> str:
    """The name, if a symmetry has it; otherwise `InvalidArgument` with the nearest names.

    >>> check_symmetry("rotation2")
    Traceback (most recent call last):
    ...
    dlx.errors.InvalidArgument: unknown symmetry 'rotation2': did you mean rotation-2 or rotation-4?
    """
    if isinstance(name, str) and name in _GENERATORS:
        return name
    hint = nearest(name, SYMMETRIES, 2, cutoff=0.5)
    raise InvalidArgument(f"unknown symmetry {shown(name)}: {hint}")


def images(layout: Layout, name: str) -> list[tuple[int, ...]]:
    """The rotations and reflections of the symmetry, each as the cells that the cells come to.

    >>> images(Layout(2, 2), "mirror")[1][:4]
    (3, 2, 1, 0)

    Raises `LayoutError` if the layout does not have the symmetry. O(cells).
    """
    positions = layout.positions
    numbers = {place: cell for cell, place in enumerate(positions)}
    top, left = min(row for row, _ in positions), min(column for _, column in positions)
    bottom = max(row for row, _ in positions) - top
    right = max(column for _, column in positions) - left
    found = [tuple(range(len(positions)))]
    for transform in _GENERATORS[name]:
        moved = []
        for row, column in positions:
            to_row, to_column = transform(row - top, column - left, bottom, right)
            other = numbers.get((to_row + top, to_column + left))
            if other is None:
                raise LayoutError(
                    f"the layout {layout} has no symmetry {name!r}: it maps "
                    f"{cell_name(row, column)} to {cell_name(to_row + top, to_column + left)}, "
                    "which is not a cell"
                )
            moved.append(other)
        for image in found:  # also those that are appended meanwhile
            if (next_image := tuple(moved[cell] for cell in image)) not in found:
                found.append(next_image)
    return found


def orbits(layout: Layout, name: str) -> tuple[tuple[int, ...], ...]:
    """The orbits of the symmetry: sets of cells that it maps to each other, by their first cells.

    >>> orbits(Layout(2, 2), "rotation-4")[:2]
    ((0, 3, 12, 15), (1, 7, 8, 14))

    Raises `LayoutError` as `images` does. O(cells).
    """
    group = images(layout, name)
    return tuple(dict.fromkeys(tuple(sorted(set(cells))) for cells in zip(*group, strict=True)))
