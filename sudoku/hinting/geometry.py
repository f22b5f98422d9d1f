"""What never changes about a layout, as bit masks: houses, what a cell sees, where houses cross.

A set of cells is one integer, bit c for cell c. A set of candidates (digit d in cell c) is one
integer as well, bit (d - 1) * cells + c: the sets of cells of the digits 1, 2, ... side by side.

The layout is a square of rows and columns with any further houses: boxes, regions of any form,
diagonals, windows. Houses are numbered rows first, then columns, then the others; a *line* is a
row or a column, and an *area* is any other house.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from sudoku.board.layout import House, Layout, cell_name, layout_cache
from sudoku.errors import LayoutError
from sudoku.rules import Allowed

if TYPE_CHECKING:
    from sudoku.board.rule import Rule

__all__ = ["Crossing", "Geometry", "bits", "geometry", "has_hints", "refuse_unknown"]

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
    """Two houses that share cells: an area, and a line or an area before it."""

    box: int
    """The index of the area among the houses."""
    line: int
    """The index of the other house: the row or column, if it is one."""
    both: int
    """The cells they share."""
    box_rest: int
    """The cells of the area outside the other."""
    line_rest: int
    """The cells of the other outside the area."""


def refuse_unknown(layout: Layout) -> None:
    """Raise `LayoutError` for a layout that hints know nothing about.

    They know one square grid of rows, columns and any further houses, in each of which every digit
    stands once, and perhaps marks: digits that a cell may have (sukaku, even and odd). Other rules
    would make some techniques wrong, uniqueness above all; and without rows and columns there are
    no fish, and no rectangles.

    >>> import sudoku.layouts
    >>> refuse_unknown(sudoku.layouts.named("diagonal"))
    >>> refuse_unknown(sudoku.layouts.named("anti-knight"))
    Traceback (most recent call last):
    ...
    sudoku.errors.LayoutError: no hints or ratings for anti-knight, which has other rules than marks
    """
    if layout.is_classic:
        why = ""
    elif not all(isinstance(rule, Allowed) for rule in layout.rules):
        why = "has other rules than marks"
    elif not layout.is_square:
        why = "is not one square grid"
    else:
        why = "" if _has_lines(layout) else "has rows or columns that are no houses"
    if why:
        raise LayoutError(f"no hints or ratings for {layout}, which {why}")
    if layout.side > LARGEST:
        raise LayoutError(f"no hints or ratings for a side of {layout.side}: at most {LARGEST}")


def has_hints(layout: Layout) -> bool:
    """Whether `refuse_unknown` lets it pass.

    >>> has_hints(Layout(3, 3)), has_hints(Layout(5, 5))
    (True, False)
    """
    try:
        refuse_unknown(layout)
    except LayoutError:
        return False
    return True


def _lines(side: int) -> list[tuple[int, ...]]:
    """The cells of all rows, then of all columns, of a square."""
    rows = [tuple(range(row * side, row * side + side)) for row in range(side)]
    columns = [tuple(range(column, side * side, side)) for column in range(side)]
    return rows + columns


def _has_lines(layout: Layout) -> bool:
    """Whether every row and every column of the square is a house."""
    return {house.cells for house in layout.houses}.issuperset(_lines(layout.side))


def _ordered(layout: Layout) -> list[House]:
    """The houses: rows, columns, others; the others as they are in the layout."""
    if layout.is_classic:
        return list(layout.houses)
    areas, lines = list(layout.houses), []
    for cells in _lines(layout.side):
        line = next(house for house in areas if house.cells == cells)
        areas.remove(line)
        lines.append(line)
    return lines + areas


WORDS = {
    "diagonal": "the diagonal from {}",
    "region": "the region of {}",
    "window": "the window at {}",
    "group": "the group of {}",
    "center": "the centers of the boxes",
    "asterisk": "the asterisk",
    "girandola": "the girandola",
}
"""What houses are called in sentences, by their kind; the cell is the first one."""


def _words(house: House, names: list[str]) -> str:
    """What a house is called in sentences; `names` are those of the cells."""
    return WORDS.get(house.kind, house.name).format(names[house.cells[0]])


class Geometry:
    """The tables of one layout; `geometry` makes them once.

    Raises `LayoutError` for what `refuse_unknown` does.
    """

    def __init__(self, layout: Layout) -> None:
        refuse_unknown(layout)
        houses = _ordered(layout)
        self.layout = layout
        self.side = side = layout.side
        self.size = size = side * side
        self.digits = range(1, side + 1)
        self.all_cells = (1 << size) - 1
        self.names = [cell_name(*place) for place in layout.positions]
        self.house_names = [house.name for house in houses]
        """What each house is called in the layout, and in patterns."""
        self.house_words = [_words(house, self.names) for house in houses]
        """What it is called in sentences."""
        self.houses = [sum(1 << cell for cell in house.cells) for house in houses]
        """The cells of each house: all rows, all columns, all areas."""
        self.rows = self.houses[:side]
        self.columns = self.houses[side : 2 * side]
        self.lines = range(2 * side)
        """The indices of the rows and columns."""
        self.areas = range(2 * side, len(houses))
        """The indices of the houses that are no lines."""
        self.easiest = self._easiest([house.kind for house in houses])
        """The indices of all houses: those that are easy to take in come first."""
        self.houses_of: list[tuple[int, ...]] = [()] * size
        """The indices of the row, the column and the areas of each cell."""
        self.peers = [0] * size
        """The cells that each cell sees."""
        for index, mask in enumerate(self.houses):
            for cell in bits(mask):
                self.peers[cell] |= mask & ~(1 << cell)
                self.houses_of[cell] += (index,)
        self.allowed = [0, *[self.all_cells] * side]
        """For each digit (none for 0) the cells that may have it: all of them, without marks."""
        for rule in layout.rules:
            self._allow(rule)
        self.crossings = [
            Crossing(area, other, both, self.houses[area] & ~both, self.houses[other] & ~both)
            for area in self.areas
            for other in range(area)
            if (both := self.houses[area] & self.houses[other])
        ]

    def _easiest(self, kinds: list[str]) -> list[int]:
        """Boxes and regions, then lines, then the rest."""
        near = [area for area in self.areas if kinds[area] in ("box", "region")]
        far = [area for area in self.areas if kinds[area] not in ("box", "region")]
        return [*near, *self.lines, *far]

    def _allow(self, rule: Rule) -> None:
        """Takes out the digits that marks leave out."""
        for place, digits in rule.marks if isinstance(rule, Allowed) else ():
            cell = self.layout.index[place]
            for digit in self.digits:
                if digit not in digits:
                    self.allowed[digit] &= ~(1 << cell)

    @cached_property
    def groups(self) -> list[tuple[int, list[int]]]:
        """For cells, then kinds of houses: how to count the members of all groups at once.

        A group is a set of candidates of which exactly one is true: those of a cell, or of a
        digit in a house. Houses of one form - all rows, all columns, all boxes of a classic grid -
        are counted together: here are the first members of all groups of a form, as one set of
        candidates, and how far from these the first, second, ... members are.
        """
        size = self.size
        forms: dict[tuple[int, ...], int] = {}
        for house in self.houses:
            first, *others = bits(house)
            form = (0, *(cell - first for cell in others))
            forms[form] = forms.get(form, 0) | 1 << first
        every = [(self.all_cells, [size * plane for plane in range(self.side)])]
        for form, anchors in forms.items():
            planes = sum(anchors << plane * size for plane in range(self.side))
            every.append((planes, list(form)))
        return every

    @cached_property
    def corners(self) -> list[tuple[int, int, int, int]]:
        """Every four cells, clockwise, whose two digits could be swapped: deadly rectangles.

        They are in two rows and two columns, and every area that has one of them has one of its
        neighbours, and not the opposite one: so each house has one cell of either digit, or none.
        In a classic grid they are in two boxes.
        """
        side = self.side
        areas = [sum(1 << house for house in self.houses_of[cell][2:]) for cell in range(self.size)]
        found = []
        for upper, lower in combinations(range(0, self.size, side), 2):
            for left, right in combinations(range(side), 2):
                four = (upper + left, upper + right, lower + right, lower + left)
                a, b, c, d = (areas[cell] for cell in four)
                if not a & c and not b & d and a | c == b | d:
                    found.append(four)
        return found

    @cached_property
    def corner_sets(self) -> list[int]:
        """The same as sets."""
        return [sum(1 << cell for cell in four) for four in self.corners]

    def can_swap(self, cells: int, digits: int) -> bool:
        """Whether all of these cells may have all of these digits: marks may forbid it."""
        return not any(cells & ~self.allowed[digit] for digit in bits(digits))

    def seen_by_all(self, cells: int) -> int:
        """The cells that see every one of `cells`."""
        peers, seen = self.peers, self.all_cells
        while cells:
            low = cells & -cells
            seen &= peers[low.bit_length() - 1]
            cells ^= low
        return seen

    def direction(self, house: int) -> int:
        """0 for a row, 1 for a column, 2 for an area."""
        return min(house // self.side, 2)

    def common_houses(self, cells: int) -> Iterator[int]:
        """The indices of the houses that have all of `cells`."""
        first = (cells & -cells).bit_length() - 1
        for house in self.houses_of[first]:
            if not cells & ~self.houses[house]:
                yield house


@layout_cache
def geometry(layout: Layout) -> Geometry:
    """The tables of a layout, made when first asked for."""
    return Geometry(layout)
