"""Cells, and regions made of them.

A *cell* is a tuple of two or three integers, and its own item; a *region* is any collection of
cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from math import prod
from typing import cast

from dlx.core.arguments import check_number, integer, is_iterable
from dlx.core.cells import Cell
from dlx.errors import InvalidArgument, quote
from dlx.models.checking import check_size, list_of

__all__ = ["box", "check_cells"]


def box(*sides: int, at: Sequence[int] | None = None) -> list[Cell]:
    """The cells of a rectangle (two sides) or a cuboid (three), whose first corner is `at`.

    Cells are in lexicographic order; `at` defaults to the origin. Regions with holes or of other
    shapes are differences and unions of boxes.

    Raises `InvalidArgument` for other numbers of sides, sides below 1, too many cells, or a corner
    of another dimension.

    >>> import dlx.models
    >>> dlx.models.box(2, 3)
    [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
    >>> sorted(set(dlx.models.box(3, 3)) - set(dlx.models.box(3, 2, at=(0, 1))))
    [(0, 0), (1, 0), (2, 0)]
    """
    if len(sides) not in (2, 3):
        raise InvalidArgument(f"a box has 2 or 3 sides, not {len(sides)}")
    named = {f"side {place}": side for place, side in enumerate(sides)}
    lengths = [check_number(name, side, 1) for name, side in named.items()]
    check_size(prod(lengths), "cells", **named)
    corner = (0,) * len(sides) if at is None else _integers(at)
    if len(corner) != len(sides):
        raise InvalidArgument(f"the corner {quote(at)} does not fit a box of {len(sides)} sides")
    ranges = [range(low, low + length) for low, length in zip(corner, lengths, strict=True)]
    return list(product(*ranges))


def check_cells(name: str, cells: Iterable[Sequence[int]]) -> list[Cell]:
    """The cells in lexicographic order, checked to be different cells of one dimension.

    Raises `InvalidArgument`, which quotes the first invalid cell.
    """
    checked: set[Cell] = set()
    for entry in list_of(name, cells, "cells"):
        cell = _integers(entry)
        if len(cell) not in (2, 3):
            raise InvalidArgument(
                f"{name} has {quote(entry)}; a cell is a tuple of 2 or 3 integers"
            )
        if cell in checked:
            raise InvalidArgument(f"{name} has the cell {cell} twice")
        if checked and len(cell) != len(next(iter(checked))):
            raise InvalidArgument(
                f"{name} has cells of 2 and of 3 dimensions: {next(iter(checked))} and {cell}"
            )
        checked.add(cell)
    return sorted(checked)


def _integers(values: object) -> Cell:
    """The values as integers; empty if they are not an iterable of integers."""
    numbers = list(map(integer, values)) if is_iterable(values) else []
    return () if None in numbers else cast("Cell", tuple(numbers))
