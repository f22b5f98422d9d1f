"""Tables of a layout as bit masks: houses, peers of each cell, crossings of houses.

A set of cells is one integer, bit c for cell c. A set of candidates (digit d in cell c) is one
integer as well, bit (d - 1) * cells + c: the sets of cells of the digits 1, 2, ... side by side.

Houses are numbered rows first, then columns, then the others: boxes, regions, diagonals, windows.
A *line* is a house in one row or in one column of the layout, and an *area* is any other
house. Overlapping grids have several lines in a row. A layout need not have lines at all.

Two candidates have a *weak link* if they cannot both be true. They are in one cell, or they are the
same digit in cells that see each other (peers: in a house, or by a rule such as anti-knight), or a
rule excludes the two digits in these cells: consecutive ones, a wrong sum of two cells.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from sudoku.board.layout import House, Layout, cell_name, layout_cache
from sudoku.board.peers import peers
from sudoku.errors import LayoutError
from sudoku.rules import Allowed

if TYPE_CHECKING:
    from sudoku.board.rule import Rule

__all__ = ["Crossing", "Geometry", "Square", "bits", "check_supported", "geometry", "has_hints"]

LARGEST = 16  # cells on a side; the tables grow with the fifth power of it


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


class Square(NamedTuple):
    """One grid: rows and columns that are houses, each row with one cell of each column."""

    rows: tuple[int, ...]
    """The indices of the rows among the houses."""
    columns: tuple[int, ...]
    """The indices of the columns among the houses."""


def check_supported(layout: Layout) -> None:
    """Raises `LayoutError` for a layout without hints and ratings: one with a side above 16.

    All houses and rules are supported. Of the rules, hints know which digits a rule excludes from
    another cell, and the combinations of digits that a rule leaves to its cells.

    >>> from sudoku import layouts
    >>> check_supported(layouts.named("samurai"))
    >>> check_supported(Layout(5, 5))
    Traceback (most recent call last):
    ...
    sudoku.errors.LayoutError: no hints or ratings for a side of 25: at most 16
    """
    if layout.side > LARGEST:
        raise LayoutError(f"no hints or ratings for a side of {layout.side}: at most {LARGEST}")


def has_hints(layout: Layout) -> bool:
    """Whether there are hints for a layout: whether `check_supported` accepts it.

    >>> has_hints(Layout(4, 4)), has_hints(Layout(5, 5))
    (True, False)
    """
    try:
        check_supported(layout)
    except LayoutError:
        return False
    return True


def _ordered(layout: Layout) -> tuple[list[House], list[House], list[House]]:
    """The rows from top to bottom, the columns from left to right, and the other houses.

    Of two houses with the same cells, the second is none of the lines.
    """
    places = layout.positions
    rows: dict[tuple[int, ...], House] = {}
    columns: dict[tuple[int, ...], House] = {}
    areas = []
    for house in layout.houses:
        in_rows, in_columns = ({places[cell][part] for cell in house.cells} for part in (0, 1))
        if len(in_rows) == 1 and house.cells not in rows:
            rows[house.cells] = house
        elif len(in_columns) == 1 and house.cells not in columns:
            columns[house.cells] = house
        else:
            areas.append(house)

    def down(house: House) -> tuple[int, ...]:
        return places[house.cells[0]][::-1]

    return (
        sorted(rows.values(), key=lambda row: row.cells),
        sorted(columns.values(), key=down),
        areas,
    )


WORDS = {
    "diagonal": "the diagonal from {}",
    "region": "the region of {}",
    "window": "the window at {}",
    "group": "the group of {}",
    "center": "the centers of the boxes",
    "asterisk": "the asterisk",
    "girandola": "the girandola",
}
"""Names of houses in sentences, by kind; `{}` is the name of the first cell."""


def _words(house: House, names: list[str]) -> str:
    """The name of a house in sentences; `names` are the names of all cells."""
    return WORDS.get(house.kind, house.name).format(names[house.cells[0]])


class Geometry:
    """The tables of one layout; `geometry` caches them.

    Raises `LayoutError` if `check_supported` does.
    """

    def __init__(self, layout: Layout) -> None:
        check_supported(layout)
        rows, columns, areas = _ordered(layout)
        houses = [*rows, *columns, *areas]
        self.layout = layout
        self.side = side = layout.side
        self.size = size = layout.size
        self.is_plain = all(isinstance(rule, Allowed) for rule in layout.rules)
        """Whether there are no rules but marks. Otherwise swapping digits may break a rule."""
        self.digits = range(1, side + 1)
        self.all_cells = (1 << size) - 1
        self.names = [cell_name(*place) for place in layout.positions]
        self.house_names = [house.name for house in houses]
        """The name of each house in the layout and in patterns."""
        self.house_words = [_words(house, self.names) for house in houses]
        """The name of each house in sentences."""
        self.houses = [sum(1 << cell for cell in house.cells) for house in houses]
        """The cells of each house: all rows, all columns, all areas."""
        first_column, first_area = len(rows), len(rows) + len(columns)
        self.rows = self.houses[:first_column]
        self.columns = self.houses[first_column:first_area]
        self.lines = range(first_area)
        """The indices of the rows and columns."""
        self.areas = range(first_area, len(houses))
        """The indices of the houses that are neither rows nor columns."""
        self.easiest = self._easiest([house.kind for house in houses])
        """The indices of all houses, in the order in which people search them: see `_easiest`."""
        self.houses_of: list[tuple[int, ...]] = [()] * size
        """The indices of the row, the column and the areas of each cell."""
        for index, mask in enumerate(self.houses):
            for cell in bits(mask):
                self.houses_of[cell] += (index,)
        self.peers = peers(layout)
        """The cells that each cell sees: those that cannot have the same digit."""
        self.crossed = _crossed_links(layout, self.peers)
        """For each candidate the weak links, as a set of candidates, that rules add to the peers
        and the cell, as far as players see them; no entry for a candidate without such links."""
        self.allowed = [0, *[self.all_cells] * side]
        """For each digit (none for 0) the cells where the marks allow it; all without marks."""
        for rule in layout.rules:
            self._allow(rule)
        self.crossings = [
            Crossing(area, other, both, self.houses[area] & ~both, self.houses[other] & ~both)
            for area in self.areas
            for other in range(area)
            if (both := self.houses[area] & self.houses[other])
        ]
        self.crossings += [
            Crossing(one, two, both, self.houses[one] & ~both, self.houses[two] & ~both)
            for one, two in combinations(self.lines, 2)
            if (both := self.houses[one] & self.houses[two]) & (both - 1)
        ]

    def _easiest(self, kinds: list[str]) -> list[int]:
        """The indices of boxes and regions, then of lines, then of the other houses."""
        near = [area for area in self.areas if kinds[area].endswith(("box", "region"))]
        far = [area for area in self.areas if not kinds[area].endswith(("box", "region"))]
        return [*near, *self.lines, *far]

    def _allow(self, rule: Rule) -> None:
        """Removes from `allowed` the digits that the marks of a rule exclude."""
        for place, digits in rule.marks if isinstance(rule, Allowed) else ():
            cell = self.layout.index[place]
            for digit in self.digits:
                if digit not in digits:
                    self.allowed[digit] &= ~(1 << cell)

    @cached_property
    def swapped_crossings(self) -> list[Crossing]:
        """The crossings with the two houses exchanged: `box` is the line, `line` is the area."""
        return [
            Crossing(line, box, both, line_rest, box_rest)
            for box, line, both, box_rest, line_rest in self.crossings
        ]

    @cached_property
    def groups(self) -> list[tuple[int, list[int]]]:
        """The groups by form: the first members of all groups, and the offsets of the others.

        A group is a set of candidates of which exactly one is true: those of a cell, or those of a
        digit in a house. The groups of one form (all cells, all rows, all columns, all boxes of a
        classic grid) are counted together. An entry is the set of the first members of all groups
        of a form, and the distances, in candidate numbers, from the first member of a group to its
        first, second, ... member. The first entry is that of the cells.
        """
        cells = (self.all_cells, [self.size * plane for plane in range(self.side)])
        return [cells, *self._by_form(self.houses)]

    @cached_property
    def area_groups(self) -> list[tuple[int, list[int]]]:
        """As `groups`, for digits in areas only; boxes of one row or column count as lines."""
        lines = {self.houses[line] for line in self.lines}
        areas = [self.houses[area] for area in self.areas]
        return self._by_form([area for area in areas if area not in lines])

    def _by_form(self, houses: list[int]) -> list[tuple[int, list[int]]]:
        """The groups of each digit in these houses, by form."""
        forms: dict[tuple[int, ...], int] = {}
        for house in houses:
            first, *others = bits(house)
            form = (0, *(cell - first for cell in others))
            forms[form] = forms.get(form, 0) | 1 << first
        planes = [plane * self.size for plane in range(self.side)]
        return [
            (sum(anchors << plane for plane in planes), list(form))
            for form, anchors in forms.items()
        ]

    @cached_property
    def squares(self) -> list[Square]:
        """The grids whose rows and columns are all houses; one, or several that overlap."""
        places = self.layout.positions
        wide: dict[tuple[int, ...], dict[int, int]] = {}
        tall: dict[tuple[int, ...], dict[int, int]] = {}
        for index in self.lines:
            cells = [places[cell] for cell in bits(self.houses[index])]
            down, right = (tuple(cell[part] for cell in cells) for part in (0, 1))
            if index < len(self.rows):
                wide.setdefault(right, {})[down[0]] = index
            else:
                tall.setdefault(down, {})[right[0]] = index
        return [
            Square(tuple(map(rows.get, down)), tuple(map(columns.get, right)))  # type: ignore[arg-type]
            for right, rows in wide.items()
            for down, columns in tall.items()
            if set(down) <= set(rows) and set(right) <= set(columns)
        ]

    @cached_property
    def is_one_square(self) -> bool:
        """Whether the layout is one square whose rows and columns are all houses."""
        return len(self.squares) == 1 and self.size == self.side * self.side

    @cached_property
    def seen(self) -> list[int]:
        """For each candidate those that it excludes at a glance: `weak` without `Rule.excluded`."""
        size = self.size
        column = sum(1 << plane * size for plane in range(self.side))
        found = []
        for plane in range(self.side):
            for cell in range(size):
                node = plane * size + cell
                links = self.peers[cell] << plane * size | column << cell & ~(1 << node)
                found.append(links | self.crossed.get(node, 0))
        return found

    @cached_property
    def weak(self) -> list[int]:
        """For each candidate all candidates that cannot be true together with it."""
        size, index = self.size, self.layout.index
        found = list(self.seen)
        for rule in self.layout.rules:
            for one, a, two, b in rule.excluded(self.layout):
                left, right = (a - 1) * size + index[one], (b - 1) * size + index[two]
                found[left] |= 1 << right
                found[right] |= 1 << left
        return found

    @cached_property
    def corners(self) -> list[tuple[int, int, int, int]]:
        """The possible deadly rectangles: four cells, clockwise, whose two digits can be swapped.

        They lie in two rows and two columns. Every area with one of them has one of its neighbours
        too, and not the opposite cell. So each house has one cell of each digit, or none. In a
        classic grid they lie in two boxes. There are none in layouts with rules but marks, and in
        layouts that are not one square.
        """
        side = self.side
        if not self.is_plain or not self.is_one_square:
            return []
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
        """The rectangles of `corners`, each as a set of cells."""
        return [sum(1 << cell for cell in four) for four in self.corners]

    def can_swap(self, cells: int, digits: int) -> bool:
        """Whether the marks allow all of these digits in all of these cells."""
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
        return (house >= len(self.rows)) + (house >= len(self.lines))

    def common_houses(self, cells: int) -> Iterator[int]:
        """The indices of the houses that contain all of `cells`."""
        first = (cells & -cells).bit_length() - 1
        for house in self.houses_of[first]:
            if not cells & ~self.houses[house]:
                yield house


@layout_cache
def geometry(layout: Layout) -> Geometry:
    """The tables of a layout, cached with it."""
    return Geometry(layout)


def _crossed_links(layout: Layout, peers: list[int]) -> dict[int, int]:
    """For each candidate the candidates in other cells that a rule excludes if it is true.

    Links between equal digits of peers are left out, and candidates without links have no entry.
    O(digits^2) for each pair of `Rule.linked`.
    """
    size, index = layout.size, layout.index
    found: dict[int, int] = {}
    for rule in layout.rules:
        for one, a, two, b in rule.crossed(layout):
            first, second = index[one], index[two]
            if a != b or not peers[first] >> second & 1:
                left, right = (a - 1) * size + first, (b - 1) * size + second
                found[left] = found.get(left, 0) | 1 << right
                found[right] = found.get(right, 0) | 1 << left
    return found
