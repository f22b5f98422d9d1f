"""`Grid`: a Sudoku grid, filled, in part filled or empty, that never changes."""

from __future__ import annotations

from collections.abc import Iterable

from sudoku.errors import LayoutError, PuzzleError
from sudoku.layout import SYMBOLS, Layout
from sudoku.text import Cells, decode, read_rows, read_text, shorten_value

__all__ = ["Grid"]

_CHARACTERS = ("." + SYMBOLS).encode().ljust(256, b"?")


class Grid:
    """A Sudoku grid: its layout, and a digit or nothing in each of its cells.

    `puzzle` is what `sudoku.parse` takes: a text, a list of rows, or a grid; `box` is the shape
    of the boxes, `(rows, columns)`, when it is not the usual one for that number of cells. Grids
    are immutable, equal when layout and digits are, and hashable.

    >>> grid = Grid("1... .2.. ..3. ...4")
    >>> grid
    Grid('1....2....3....4')
    >>> print(grid)
    +-----+-----+
    | 1 . | . . |
    | . 2 | . . |
    +-----+-----+
    | . . | 3 . |
    | . . | . 4 |
    +-----+-----+
    >>> grid[2, 2], grid[2, 3], grid.filled
    (2, 0, 4)

    Raises `PuzzleError` if `puzzle` is none, and `LayoutError` for impossible boxes.
    """

    __slots__ = ("_cells", "_layout")

    _cells: Cells | str  # a line that nobody has asked for cells yet
    _layout: Layout

    def __init__(
        self, puzzle: str | Iterable[object] | Grid, *, box: tuple[int, int] | None = None
    ) -> None:
        layout = None if box is None else Layout(*box)
        self._cells, self._layout = read_cells(puzzle, layout)

    @classmethod
    def from_cells(cls, cells: Cells, layout: Layout) -> Grid:
        """The grid with these values in its cells, row by row, 0 for an empty cell: unchecked."""
        grid = cls.__new__(cls)
        grid._cells = cells
        grid._layout = layout
        return grid

    @classmethod
    def from_line(cls, line: str, layout: Layout) -> Grid:
        """The grid of a line as `Grid.line` has them: unchecked, and read when there is need."""
        grid = cls.__new__(cls)
        grid._cells = line
        grid._layout = layout
        return grid

    @property
    def cells(self) -> Cells:
        """The value of every cell, row by row: 1 to side, or 0 for an empty cell."""
        cells = self._cells
        if isinstance(cells, str):
            self._cells = cells = decode(cells, self._layout.side) or ()
        return cells

    @property
    def layout(self) -> Layout:
        """The shape of the grid."""
        return self._layout

    @property
    def rows(self) -> tuple[Cells, ...]:
        """The values of the cells, a tuple for each row."""
        side = self._layout.side
        cells = self.cells
        return tuple(cells[start : start + side] for start in range(0, side * side, side))

    @property
    def filled(self) -> int:
        """How many cells have a digit."""
        return len(self.cells) - self.cells.count(0)

    @property
    def givens(self) -> tuple[tuple[int, int, int], ...]:
        """The filled cells as (row, column, digit), all from 1: names of options of `cover`.

        >>> Grid("1... .2.. ..3. ...4").givens
        ((1, 1, 1), (2, 2, 2), (3, 3, 3), (4, 4, 4))
        """
        places = self._layout.positions
        return tuple((*places[cell], digit) for cell, digit in enumerate(self.cells) if digit)

    @property
    def line(self) -> str:
        """The grid as one line of text, `.` for empty cells."""
        cells = self._cells
        return cells if isinstance(cells, str) else bytes(cells).translate(_CHARACTERS).decode()

    @property
    def is_solved(self) -> bool:
        """Whether every cell is filled and every row, column and box has every digit.

        >>> Grid("1234 3412 2143 4321").is_solved
        True
        """
        cells, whole = self.cells, set(range(1, self._layout.side + 1))
        return all({cells[c] for c in house.cells} == whole for house in self._layout.houses)

    def __getitem__(self, place: tuple[int, int]) -> int:
        """The value in row, column: counted from 1, as in r4c2. IndexError outside the grid."""
        row, column = place
        side = self._layout.side
        if not (1 <= row <= side and 1 <= column <= side):
            raise IndexError(f"no r{row}c{column} in a grid of side {side}; they count from 1")
        return self.cells[(row - 1) * side + column - 1]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Grid):
            return NotImplemented
        return self.cells == other.cells and self._layout is other._layout

    def __hash__(self) -> int:
        return hash((self._layout, self.cells))

    def __repr__(self) -> str:
        layout = self._layout
        box = "" if layout.is_usual else f", box=({layout.box_rows}, {layout.box_columns})"
        return f"Grid({self.line!r}{box})"

    def __str__(self) -> str:
        layout, line = self._layout, self.line
        side, tall, wide = layout.side, layout.box_rows, layout.box_columns
        rule = "+" + ("-" * (2 * wide + 1) + "+") * (side // wide)
        parts = [rule]
        for row in range(side):
            symbols = line[row * side : (row + 1) * side]
            boxes = (" ".join(symbols[at : at + wide]) for at in range(0, side, wide))
            parts.append("| " + " | ".join(boxes) + " |")
            if (row + 1) % tall == 0:
                parts.append(rule)
        return "\n".join(parts)


def read_cells(puzzle: object, layout: Layout | None) -> tuple[Cells, Layout]:
    """The cells and the layout of a text, of rows or of a grid."""
    if isinstance(puzzle, str):
        return read_text(puzzle, layout)
    if isinstance(puzzle, Grid):
        if layout is not None and layout.side != puzzle.layout.side:
            raise LayoutError(f"a grid of side {puzzle.layout.side} has no boxes of {layout}")
        return puzzle.cells, layout or puzzle.layout
    if isinstance(puzzle, Iterable) and not isinstance(puzzle, (bytes, bytearray, dict)):
        return read_rows(puzzle, layout)
    raise PuzzleError(
        f"{shorten_value(puzzle)} is no puzzle: expected a text, a list of rows or a Grid"
    )
