"""The cells of a layout and the lines between them, as SVG."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sudoku.board.cells import Cell
from sudoku.board.layout import Layout
from sudoku.board.plain_text import owners_of

__all__ = ["Places", "SIDE", "coordinates", "frame", "shade", "shaded_houses"]

SIDE: Final = 44
"""The width of a cell in the picture's units."""

MARGIN: Final = 10
OUTSIDE: Final = 34  # added to the margin for sums outside of the grid
EDGE: Final = 14  # added to the left and upper margins for coordinates

SHADED: Final = frozenset({"window", "center", "asterisk", "girandola", "extra region"})
"""Kinds of houses that are drawn with a grey background."""


class Places:
    """The positions of a layout's cells in its picture, and the size of the picture.

    >>> places = Places(Layout(2, 2), outside=False)
    >>> places.corner((1, 2)), places.center((1, 2)), (places.width, places.height)
    ((54, 10), (76.0, 32.0), (196, 196))

    `outside` makes room for sums beside the grid, `edge` for coordinates beyond them.
    """

    def __init__(self, layout: Layout, *, outside: bool, edge: bool = False) -> None:
        last = MARGIN + OUTSIDE * outside
        self.first = last + EDGE * edge
        rows = [row for row, _ in layout.positions]
        columns = [column for _, column in layout.positions]
        self.top, self.left = min(rows), min(columns)
        self.inside = SIDE * (max(columns) - self.left + 1)
        """The width of the grid itself."""
        self.width = self.inside + self.first + last
        self.height = SIDE * (max(rows) - self.top + 1) + self.first + last

    def corner(self, cell: Cell) -> tuple[int, int]:
        """The x and y of the upper left corner of a cell (or of a place beside the grid)."""
        row, column = cell
        return self.first + SIDE * (column - self.left), self.first + SIDE * (row - self.top)

    def center(self, cell: Cell) -> tuple[float, float]:
        """The x and y of the middle of a cell."""
        x, y = self.corner(cell)
        return x + SIDE / 2, y + SIDE / 2


def shade(places: Places, cells: Iterable[Cell], color: str) -> str:
    """Draws a colored background of some cells."""
    squares = "".join(
        f"M{x} {y}h{SIDE}v{SIDE}h-{SIDE}z" for x, y in map(places.corner, sorted(set(cells)))
    )
    return f'<path d="{squares}" fill="{color}"/>' if squares else ""


def coordinates(layout: Layout, places: Places) -> str:
    """Writes the names of the rows and columns at the upper and left edges of the picture."""
    style = 'font-size="10" fill="#666" text-anchor="middle"'
    rows = sorted({row for row, _ in layout.positions})
    columns = sorted({column for _, column in layout.positions})
    labels = [
        f'<text x="{places.center((places.top, column))[0]:g}" y="14">c{column}</text>'
        for column in columns
    ]
    labels += [
        f'<text x="12" y="{places.center((row, places.left))[1] + 3.5:g}">r{row}</text>'
        for row in rows
    ]
    return f'<g class="coordinates" {style}>{"".join(labels)}</g>'


def frame(layout: Layout, places: Places) -> list[str]:
    """Draws thin lines between cells, thick lines between boxes or regions, and diagonals."""
    owner = owners_of(layout)
    thin: list[str] = []
    thick: list[str] = []
    for row, column in layout.positions:
        x, y = places.corner((row, column))
        here = owner[row, column]
        for other, line in (
            ((row - 1, column), f"M{x} {y}h{SIDE}"),
            ((row, column - 1), f"M{x} {y}v{SIDE}"),
        ):
            joined = other in owner and (not here or here & owner[other])
            (thin if joined else thick).append(line)
        if (row + 1, column) not in owner:
            thick.append(f"M{x} {y + SIDE}h{SIDE}")
        if (row, column + 1) not in owner:
            thick.append(f"M{x + SIDE} {y}v{SIDE}")
    return [
        f'<path d="{"".join(thin)}" fill="none" stroke="#777" stroke-width="1"/>',
        f'<path d="{"".join(thick)}" fill="none" stroke="#000" stroke-width="3" '
        'stroke-linecap="square"/>',
        *_diagonals(layout, places),
    ]


def _diagonals(layout: Layout, places: Places) -> list[str]:
    lines = []
    for house in layout.houses:
        if house.kind == "diagonal":
            ends = layout.positions[house.cells[0]], layout.positions[house.cells[-1]]
            (x1, y1), (x2, y2) = map(places.center, sorted(ends))
            half = SIDE / 2
            across = half if x2 > x1 else -half
            lines.append(
                f'<path d="M{x1 - across:g} {y1 - half:g}L{x2 + across:g} {y2 + half:g}" '
                'stroke="#999" stroke-width="1.5" stroke-dasharray="6 4"/>'
            )
    return lines


def shaded_houses(layout: Layout) -> list[Cell]:
    """The cells of the houses that are drawn with a grey background."""
    return [
        layout.positions[cell]
        for house in layout.houses
        if house.kind in SHADED
        for cell in house.cells
    ]
