"""`Grid`: an immutable Sudoku grid, solved, partly filled or empty."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from sudoku.board.cells import SYMBOLS, Cell, is_iterable
from sudoku.board.layout import Layout, checked_box, checked_layout
from sudoku.board.parse import Cells, decode, read_rows, read_text
from sudoku.board.plain_text import draw
from sudoku.errors import LayoutError, PuzzleError, shown

if TYPE_CHECKING:
    from sudoku.board.step import Step

__all__ = ["CellDigits", "Grid", "Renderer", "set_renderer", "words_of"]

CellDigits = Mapping[Cell, Iterable[int]]
"""For each cell, by row and column from 1, some digits: its candidates, say."""

_CHARACTERS = ("." + SYMBOLS).encode().ljust(256, b"?")


class Renderer(Protocol):
    """Protocol of what draws grids for `Grid.to_svg`, `Grid.to_png` and `Grid.to_pdf`."""

    def svg(
        self,
        grid: Grid,
        *,
        puzzle: Grid | None,
        candidates: CellDigits | bool,
        caption: str,
        hint: Step | None,
        coordinates: bool,
    ) -> str:
        """The grid as an SVG picture; the keywords are those of `Grid.to_svg`."""

    def png(self, svg: str, *, scale: float) -> bytes:
        """An SVG picture as PNG, `scale` pixels to a unit."""

    def pdf(self, pages: Iterable[str]) -> bytes:
        """SVG pictures as the pages of a PDF."""

    def rule_sentences(self, layout: Layout) -> list[str]:
        """The rules of a layout in sentences."""


def _no_renderer() -> Renderer:
    raise ImportError("no renderer for grids: import sudoku, which sets one")


_load_renderer: Callable[[], Renderer] = _no_renderer


def set_renderer(load: Callable[[], Renderer]) -> None:
    """Sets the function that returns the renderer; it is called whenever a grid is drawn."""
    global _load_renderer
    _load_renderer = load


def words_of(layout: Layout) -> str:
    """The rules of a layout in words, as the picture of a grid has them."""
    sentences = _load_renderer().rule_sentences(layout)
    return " ".join(sentence for sentence in sentences if not sentence.startswith("The drawings ("))


class Grid:
    """An immutable Sudoku grid: a layout, and a digit or nothing in each of its cells.

    `puzzle` is a text, a list of rows, or a grid, as for `sudoku.parse`. If the layout is not the
    usual one for that number of cells, give `layout`, or the shape of the boxes as `box`, `(rows,
    columns)`. Grids are hashable, and equal if their layouts and digits are.

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

    Raises `PuzzleError` if `puzzle` is not a puzzle, and `LayoutError` for impossible boxes.
    """

    __slots__ = ("_cells", "_layout")

    _cells: Cells | str  # a line until the first access to `cells`
    _layout: Layout

    def __init__(
        self,
        puzzle: str | Iterable[object] | Grid,
        *,
        box: tuple[int, int] | None = None,
        layout: Layout | None = None,
    ) -> None:
        if box is not None:
            if layout is not None:
                raise LayoutError("a grid has a box or a layout, not both")
            layout = Layout(*checked_box(box))
        self._cells, self._layout = read_cells(puzzle, layout)

    @classmethod
    def from_cells(cls, cells: Cells, layout: Layout) -> Grid:
        """The grid with these values of its cells, row by row, 0 for empty; not checked."""
        grid = cls.__new__(cls)
        grid._cells = cells
        grid._layout = layout
        return grid

    @classmethod
    def from_line(cls, line: str, layout: Layout) -> Grid:
        """The grid of a line in the form of `Grid.line`; not checked, decoded on first access."""
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
        """The layout of the grid: its cells, houses and rules."""
        return self._layout

    @property
    def rows(self) -> tuple[Cells, ...]:
        """The values of the cells, a tuple for each row; gaps of the layout are left out."""
        layout, cells = self._layout, self.cells
        if layout.is_square:
            side = layout.side
            return tuple(cells[start : start + side] for start in range(0, side * side, side))
        rows: list[list[int]] = [[] for _ in range(layout.height)]
        for (row, _), value in zip(layout.positions, cells, strict=True):
            rows[row - 1].append(value)
        return tuple(map(tuple, rows))

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
    def values(self) -> dict[tuple[int, int], int]:
        """The digits of the filled cells by (row, column).

        >>> Grid("1... .2.. .... ....").values
        {(1, 1): 1, (2, 2): 2}
        """
        places = self._layout.positions
        return {place: digit for place, digit in zip(places, self.cells, strict=True) if digit}

    @property
    def line(self) -> str:
        """The grid as one line of text, `.` for empty cells."""
        cells = self._cells
        return cells if isinstance(cells, str) else bytes(cells).translate(_CHARACTERS).decode()

    @property
    def is_solved(self) -> bool:
        """Whether every cell is filled, every house has every digit, and no rule is broken.

        >>> Grid("1234 3412 2143 4321").is_solved
        True
        """
        layout, cells = self._layout, self.cells
        whole = set(range(1, layout.side + 1))
        if 0 in cells or any({cells[c] for c in house.cells} != whole for house in layout.houses):
            return False
        values = self.values if layout.rules else {}
        return not any(rule.broken(values) for rule in layout.rules)

    def to_svg(
        self,
        *,
        puzzle: Grid | None = None,
        candidates: CellDigits | bool = False,
        caption: str = "",
        hint: Step | None = None,
        coordinates: bool = False,
    ) -> str:
        """The grid as an SVG picture: boxes, regions, cages and all other rules of its layout.

        puzzle
            The grid whose digits are the givens, which are bold; all other digits are lighter.
            Without it, all digits are givens.
        candidates
            The small digits in empty cells: True for those that houses and rules do not exclude, or
            a mapping from (row, column) to digits. The marks of the layout are always shown.
        caption
            A line below the grid.
        hint
            A step of `sudoku.hints`, or one of its stages, to show in the grid: its cells and
            candidates, what it places and removes, and its sentence in place of a caption. All
            candidates are shown; if `candidates` is a mapping, those of the mapping in its cells.
        coordinates
            Whether the names of rows and columns, `r1` and `c1`, are at the edge.

        Raises `PuzzleError` if the puzzle has another layout, or the hint is not for this grid.

        >>> Grid("1... .2.. ..3. ...4").to_svg()[:4]
        '<svg'
        """
        return _load_renderer().svg(
            self,
            puzzle=puzzle,
            candidates=candidates,
            caption=caption,
            hint=hint,
            coordinates=coordinates,
        )

    def to_png(self, *, scale: float = 2, **svg: Any) -> bytes:
        """The picture of `to_svg` as PNG, enlarged by `scale`; needs the extra `pictures`."""
        return _load_renderer().png(self.to_svg(**svg), scale=scale)

    def to_pdf(self, **svg: Any) -> bytes:
        """The picture of `to_svg` as PDF; needs the extra `pictures`."""
        return _load_renderer().pdf([self.to_svg(**svg)])

    def _repr_svg_(self) -> str:
        """The picture of `to_svg`, which notebooks show."""
        return self.to_svg()

    def _repr_html_(self) -> str:
        """The picture of `to_svg`, for notebooks that prefer HTML."""
        return self.to_svg()

    def __getitem__(self, place: tuple[int, int]) -> int:
        """The value at (row, column), from 1 as in r4c2; raises IndexError outside the grid."""
        row, column = place
        layout = self._layout
        if layout.is_square:
            side = layout.side
            if 1 <= row <= side and 1 <= column <= side:
                return self.cells[(row - 1) * side + column - 1]
        elif place in layout.index:
            return self.cells[layout.index[row, column]]
        what = f"side {layout.side}" if layout.is_square else f"layout {layout}"
        raise IndexError(f"no r{row}c{column} in a grid of {what}; rows and columns count from 1")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Grid):
            return NotImplemented
        return self.cells == other.cells and self._layout is other._layout

    def __hash__(self) -> int:
        return hash((self._layout, self.cells))

    def __repr__(self) -> str:
        layout = self._layout
        if not layout.is_classic:
            return f"Grid({self.line!r}, layout={layout!r})"
        box = "" if layout.is_usual else f", box=({layout.box_rows}, {layout.box_columns})"
        return f"Grid({self.line!r}{box})"

    def __str__(self) -> str:
        return draw(self.line, self._layout)


def read_cells(puzzle: object, layout: Layout | None) -> tuple[Cells, Layout]:
    """The cells and the layout of a puzzle: a text, a list of rows or a grid, or an object with a
    `grid`, such as those that `sudoku.read` and `sudoku.formats.load` return.
    """
    if layout is not None:
        layout = checked_layout(layout)
    if isinstance(inner := getattr(puzzle, "grid", None), Grid):
        puzzle = inner
    if isinstance(puzzle, str):
        return read_text(puzzle, layout)
    if isinstance(puzzle, Grid):
        if layout is not None and not _same_cells(layout, puzzle.layout):
            if layout.is_classic and puzzle.layout.is_classic:
                raise LayoutError(f"a grid of side {puzzle.layout.side} has no boxes of {layout}")
            raise LayoutError(
                f"a grid of layout {puzzle.layout} does not fit {layout}: other cells or digits"
            )
        return puzzle.cells, layout or puzzle.layout
    if is_iterable(puzzle) and not isinstance(puzzle, (bytes, bytearray, dict)):
        return read_rows(puzzle, layout)
    raise PuzzleError(f"{shown(puzzle)} is not a puzzle: expected a text, a list of rows or a Grid")


def _same_cells(one: Layout, other: Layout) -> bool:
    """Whether a grid of one layout can be one of the other: the same cells and digits."""
    return one.side == other.side and (
        (one.is_square and other.is_square) or one.positions == other.positions
    )
