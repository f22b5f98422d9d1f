"""The shape of a Sudoku: how large it is and which cells make a row, a column, a box.

A `Layout` is made of boxes of r rows and c columns; its side, r times c, is the number of digits,
of rows, of columns and of boxes. Layouts are immutable and interned: two layouts of the same
shape are the same object, so that they compare, hash and serve as cache keys at no cost. Their
tables are made when first asked for.

Cells are numbered from 0, row by row, as in `Grid.cells`; people are shown rows and columns from
1, as in r4c2. Digits are the numbers 1 to side, written with one symbol each: 1 to 9, then A to Z
for 10 to 35 (a to z are read as well), and `0` for 36. So `0` is a blank in every grid but one of
side 36, where it is a digit.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Self

from sudoku.errors import LayoutError

__all__ = ["House", "Layout", "MAX_SIDE", "SYMBOLS", "cell_name", "symbol"]

MAX_SIDE = 36
"""The largest side: 9 + 26 + 1 symbols."""

SYMBOLS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ0"
"""The symbols of the digits 1, 2, ... 36."""


def symbol(digit: int) -> str:
    """The character that stands for a digit, `.` for 0.

    >>> symbol(0), symbol(7), symbol(16), symbol(36)
    ('.', '7', 'G', '0')
    """
    return SYMBOLS[digit - 1] if digit else "."


def cell_name(row: int, column: int) -> str:
    """The name of a cell, counted from 1.

    >>> cell_name(4, 2)
    'r4c2'
    """
    return f"r{row}c{column}"


def is_count(value: object) -> bool:
    """Whether it is a number from 1 up."""
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


class House(NamedTuple):
    """A set of cells in which every digit stands exactly once."""

    kind: str
    """`"row"`, `"column"` or `"box"`."""
    number: int
    """Counted from 1; boxes are counted row by row."""
    cells: tuple[int, ...]
    """The numbers of its cells, in ascending order."""

    @property
    def name(self) -> str:
        """What it is called in messages: `"row 4"`, `"column 2"`, `"box 3"`."""
        return f"{self.kind} {self.number}"


class Layout:
    """A grid with boxes of `box_rows` rows and `box_columns` columns.

    >>> Layout(2, 3)
    Layout(2, 3)
    >>> Layout(2, 3).side, Layout(2, 3) is Layout(2, 3)
    (6, True)
    >>> [house.name for house in Layout(2, 2).houses][::4]
    ['row 1', 'column 1', 'box 1']

    Raises `LayoutError` when the side would not be one of 1 to 36.
    """

    __slots__ = ("_houses", "_positions", "box_columns", "box_rows", "side")

    box_rows: int
    box_columns: int
    side: int
    _houses: tuple[House, ...] | None
    _positions: tuple[tuple[int, int], ...] | None

    def __new__(cls, box_rows: int, box_columns: int) -> Self:
        """The layout of that shape: always the same object."""
        for name, value in (("box_rows", box_rows), ("box_columns", box_columns)):
            if not is_count(value):
                raise LayoutError(f"{name} is {value!r}, expected a number from 1 to {MAX_SIDE}")
        if box_rows * box_columns > MAX_SIDE:
            raise LayoutError(
                f"boxes of {box_rows}x{box_columns} make a side of {box_rows * box_columns}; "
                f"the largest side is {MAX_SIDE}"
            )
        known: Self | None = _interned.get((box_rows, box_columns))
        if known is not None:
            return known
        self = super().__new__(cls)
        fill = super().__setattr__
        for slot, filling in (
            ("box_rows", box_rows),
            ("box_columns", box_columns),
            ("side", box_rows * box_columns),
            ("_houses", None),
            ("_positions", None),
        ):
            fill(self, slot, filling)
        made: Self = _interned.setdefault((box_rows, box_columns), self)
        return made

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Layout is immutable: cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Layout is immutable: cannot delete {name!r}")

    @classmethod
    def of_side(cls, side: int) -> Layout:
        """The usual layout of that side: the boxes as square as can be, never taller than wide.

        >>> [str(Layout.of_side(side)) for side in (4, 6, 8, 9, 10, 12, 16)]
        ['2x2', '2x3', '2x4', '3x3', '2x5', '3x4', '4x4']

        A side that is 1 or a prime has no box shape worth guessing: `LayoutError`.
        """
        if not is_count(side) or side > MAX_SIDE:
            raise LayoutError(f"side {side!r}: expected a number from 4 to {MAX_SIDE}")
        tall = next((r for r in (6, 5, 4, 3, 2) if r * r <= side and side % r == 0), None)
        if tall is None:
            raise LayoutError(
                f"a side of {side} has no usual boxes: give a layout, such as Layout(1, {side})"
            )
        return cls(tall, side // tall)

    @property
    def symbols(self) -> str:
        """The symbols of its digits.

        >>> Layout(3, 4).symbols
        '123456789ABC'
        """
        return SYMBOLS[: self.side]

    @property
    def is_usual(self) -> bool:
        """Whether this is the layout that `of_side` gives for its side."""
        return usual_layouts().get(self.side * self.side) is self

    @property
    def positions(self) -> tuple[tuple[int, int], ...]:
        """The row and the column, from 1, of every cell."""
        if self._positions is None:
            numbers = range(1, self.side + 1)
            made = tuple((row, column) for row in numbers for column in numbers)
            super().__setattr__("_positions", made)
            return made
        return self._positions

    @property
    def houses(self) -> tuple[House, ...]:
        """All rows from top to bottom, all columns from left to right, all boxes row by row."""
        if self._houses is None:
            made = tuple(self._make_houses())
            super().__setattr__("_houses", made)
            return made
        return self._houses

    def _make_houses(self) -> list[House]:
        side, tall, wide = self.side, self.box_rows, self.box_columns
        members: dict[str, list[list[int]]] = {
            kind: [[] for _ in range(side)] for kind in ("row", "column", "box")
        }
        for cell in range(side * side):
            row, column = divmod(cell, side)
            members["row"][row].append(cell)
            members["column"][column].append(cell)
            members["box"][row // tall * tall + column // wide].append(cell)
        return [
            House(kind, number, tuple(cells))
            for kind, houses in members.items()
            for number, cells in enumerate(houses, 1)
        ]

    def __repr__(self) -> str:
        return f"Layout({self.box_rows}, {self.box_columns})"

    def __str__(self) -> str:
        return f"{self.box_rows}x{self.box_columns}"

    def __reduce__(self) -> tuple[object, ...]:
        return (Layout, (self.box_rows, self.box_columns))  # interned again where it is loaded


_interned: dict[tuple[int, int], Any] = {}  # at most 140: that many boxes have a side <= 36
_usual: dict[int, Layout] = {}


def usual_layouts() -> dict[int, Layout]:
    """The usual layouts by number of cells: 16 -> 2x2, 36 -> 2x3, ... 1296 -> 6x6."""
    if not _usual:
        for side in range(4, MAX_SIDE + 1):
            if any(side % factor == 0 for factor in (2, 3, 5) if factor < side):
                _usual[side * side] = Layout.of_side(side)
    return _usual
