"""What never changes about a layout, as bit masks: houses, what a cell sees, where houses cross.

A set of cells is one integer, bit c for cell c. A set of candidates (digit d in cell c) is one
integer as well, bit (d - 1) * cells + c: the sets of cells of the digits 1, 2, ... side by side.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, cached_property
from itertools import combinations
from typing import NamedTuple

from sudoku.errors import LayoutError
from sudoku.layout import Layout, cell_name

__all__ = ["Crossing", "Geometry", "bits", "geometry", "refuse_unknown"]

LARGEST = 16  # the side: tables grow with its fifth power


def bits(mask: int) -> Iterator[int]:
    """The members of a set, in ascending order.

    >>> list(bits(0b10110))
    [1, 2, 4]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


class Crossing(NamedTuple):
    """A box and a line that share cells."""

    box: int
    """The index of the box among the houses."""
    line: int
    """The index of the row or column."""
    both: int
    """The cells they share."""
    box_rest: int
    """The cells of the box outside the line."""
    line_rest: int
    """The cells of the line outside the box."""


def refuse_unknown(layout: Layout) -> None:
    """Raise `LayoutError` for a layout that hints know nothing about.

    They know `Layout(r, c)` only. Boxes of other shapes, or more houses or rules than that, would
    make some techniques wrong: locked candidates count on where boxes and lines cross, uniqueness
    on nothing but rows, columns and boxes telling the digits of a rectangle apart.

    >>> refuse_unknown(Layout(3, 3))
    >>> import sudoku.layouts
    >>> refuse_unknown(sudoku.layouts.named("diagonal"))
    Traceback (most recent call last):
    ...
    sudoku.errors.LayoutError: no hints or ratings for diagonal: only for rows, columns and boxes
    """
    if not layout.is_classic:
        what = f"no hints or ratings for {layout}: only for rows, columns and boxes"
        raise LayoutError(what)
    if layout.side > LARGEST:
        raise LayoutError(f"no hints or ratings for a side of {layout.side}: at most {LARGEST}")


class Geometry:
    """The tables of one layout; `geometry` makes them once.

    Raises `LayoutError` for what `refuse_unknown` does.
    """

    def __init__(self, layout: Layout) -> None:
        refuse_unknown(layout)
        houses = layout.houses
        self.layout = layout
        self.side = side = layout.side
        self.size = size = side * side
        self.digits = range(1, side + 1)
        self.all_cells = (1 << size) - 1
        self.kinds = [house.kind for house in houses]
        self.house_names = [house.name for house in houses]
        self.houses = [sum(1 << cell for cell in house.cells) for house in houses]
        """The cells of each house: all rows, all columns, all boxes."""
        self.rows = self.houses[:side]
        self.columns = self.houses[side : 2 * side]
        self.boxes = self.houses[2 * side :]
        self.lines = self.houses[: 2 * side]
        self.houses_of: list[tuple[int, ...]] = [()] * size
        """The indices of the row, the column and the box of each cell."""
        self.peers = [0] * size
        """The cells that each cell sees."""
        for index, mask in enumerate(self.houses):
            for cell in bits(mask):
                self.peers[cell] |= mask & ~(1 << cell)
                self.houses_of[cell] += (index,)
        self.names = [cell_name(*place) for place in layout.positions]
        self.crossings = [
            Crossing(box, line, both, self.houses[box] & ~both, self.houses[line] & ~both)
            for box in range(2 * side, 3 * side)
            for line in range(2 * side)
            if (both := self.houses[box] & self.houses[line])
        ]

    @cached_property
    def groups(self) -> list[tuple[int, list[int]]]:
        """For cells, rows, columns, boxes: how to count the members of all groups at once.

        A group is a set of candidates of which exactly one is true: those of a cell, or of a
        digit in a house. Here are the first members of all groups of a kind, as one set of
        candidates, and how far from these the first, second, ... members are.
        """
        side, size, layout = self.side, self.size, self.layout
        corners = [(box & -box).bit_length() - 1 for box in self.boxes]
        inner = [
            row * side + column
            for row in range(layout.box_rows)
            for column in range(layout.box_columns)
        ]

        def first(cells: list[int]) -> int:
            return sum(1 << plane * size + cell for plane in range(side) for cell in cells)

        along, across = list(range(side)), list(range(0, size, side))
        return [
            (self.all_cells, [size * at for at in range(side)]),
            (first(across), along),
            (first(along), across),
            (first(corners), inner),
        ]

    @cached_property
    def corners(self) -> list[tuple[int, int, int, int]]:
        """Every four cells in two rows, two columns and two boxes, clockwise."""
        side = self.side
        found = [
            (
                upper * side + left,
                upper * side + right,
                lower * side + right,
                lower * side + left,
            )
            for upper, lower in combinations(range(side), 2)
            for left, right in combinations(range(side), 2)
        ]
        return [four for four in found if len({self.box_of(cell) for cell in four}) == 2]

    @cached_property
    def corner_sets(self) -> list[int]:
        """The same as sets."""
        return [sum(1 << cell for cell in four) for four in self.corners]

    def seen_by_all(self, cells: int) -> int:
        """The cells that see every one of `cells`."""
        peers, seen = self.peers, self.all_cells
        while cells:
            low = cells & -cells
            seen &= peers[low.bit_length() - 1]
            cells ^= low
        return seen

    def common_houses(self, cells: int) -> Iterator[int]:
        """The indices of the houses that have all of `cells`."""
        first = (cells & -cells).bit_length() - 1
        for house in self.houses_of[first]:
            if not cells & ~self.houses[house]:
                yield house

    def box_of(self, cell: int) -> int:
        """The index of the box of a cell among the houses."""
        return self.houses_of[cell][2]


@cache
def geometry(layout: Layout) -> Geometry:
    """The tables of a layout, made when first asked for."""
    return Geometry(layout)
