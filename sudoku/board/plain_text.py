"""`draw`: a grid in plain text, with lines around boxes or regions."""

from __future__ import annotations

from collections.abc import Sequence

from sudoku.board.cells import Cell
from sudoku.board.layout import Layout, layout_cache

__all__ = ["draw", "owners_of", "table"]


def draw(symbols: str, layout: Layout) -> str:
    """The grid in plain text; `symbols` has one character for each cell.

    >>> print(draw("1234341221434321", Layout(2, 2)))
    +-----+-----+
    | 1 2 | 3 4 |
    | 3 4 | 1 2 |
    +-----+-----+
    | 2 1 | 4 3 |
    | 4 3 | 2 1 |
    +-----+-----+

    A square with boxes has lines around its boxes. Other layouts have a line between two cells that
    are not in the same boxes and regions, and spaces where there is no cell.

    >>> from sudoku import layouts
    >>> print(draw("1234341221434321", layouts.jigsaw("1112 1222 3334 3444")))
    +---------+---+
    | 1   2 3 | 4 |
    |   +-----+   |
    | 3 | 4 1   2 |
    +---+-----+---+
    | 2   1 4 | 3 |
    |   +-----+   |
    | 4 | 3 2   1 |
    +---+---------+
    """
    if layout.box_rows and layout.is_square:
        return table(symbols, layout)
    pattern, places = _pattern(layout)
    canvas = list(pattern)
    for place, character in zip(places, symbols, strict=True):
        canvas[place] = character
    lines = "".join(canvas).split("\n")
    return "\n".join(line.rstrip() for line in lines)


def table(texts: Sequence[str], layout: Layout) -> str:
    """A text for each cell in columns of equal width, with lines around the boxes of a square.

    >>> print(table(["1", "12", "12", "2"], Layout(1, 2)))
    +-------+
    | 1  12 |
    +-------+
    | 12 2  |
    +-------+
    """
    tall, wide = (layout.box_rows, layout.box_columns) if layout.is_square else (0, 0)
    text_of = dict(zip(layout.positions, texts, strict=True))
    columns = range(1, layout.width + 1)
    widths = [
        max((len(text) for (_, place), text in text_of.items() if place == column), default=1)
        for column in columns
    ]
    boxes = [columns[at : at + wide] for at in range(0, layout.width, wide)] if wide else [columns]
    rule = "+".join("-" * (sum(widths[c - 1] + 1 for c in box) + 1) for box in boxes)
    lines = []
    for row in range(1, layout.height + 1):
        cells = [text_of.get((row, c), "").ljust(widths[c - 1]) for c in columns]
        parts = (" ".join(cells[box[0] - 1 : box[-1]]) for box in boxes)
        lines.append(f"| {' | '.join(parts)} |" if wide else " ".join(cells).rstrip())
        if wide and row % tall == 0:
            lines.append(f"+{rule}+")
    return "\n".join([f"+{rule}+", *lines] if wide else lines)


@layout_cache
def _pattern(layout: Layout) -> tuple[str, list[int]]:
    """The drawing without symbols, in lines of equal width, and the index of each cell in it.

    Each cell is drawn with space for lines on all sides. Then the rows and columns of the drawing
    that have no line are left out.
    """
    height, width = layout.height, layout.width
    beside, below = _borders(layout)
    rows = [row for row in range(2 * height + 1) if row % 2 or below[row // 2].count(True)]
    bars = [any(beside[row][column] for row in range(height + 1)) for column in range(width + 1)]
    columns = [
        place
        for place in range(4 * width + 1)
        if place % 4 in (2, 3) or bars[place // 4] or (place % 4 == 1 and not place // 4)
    ]
    column_of = {place: number for number, place in enumerate(columns)}
    row_of = {place: number for number, place in enumerate(rows)}
    lines = ["".join(_character(beside, below, row, place) for place in columns) for row in rows]
    length = len(columns) + 1
    places = [
        row_of[2 * row - 1] * length + column_of[4 * column - 2] for row, column in layout.positions
    ]
    return "\n".join(lines), places


def owners_of(layout: Layout) -> dict[Cell, frozenset[int]]:
    """For each cell the indices of its boxes and regions: none, one, or two in overlapping grids.

    >>> owners_of(Layout(2, 2))[1, 3]
    frozenset({9})
    """
    owner: dict[Cell, frozenset[int]] = dict.fromkeys(layout.positions, frozenset())
    for number, house in enumerate(layout.houses):
        if house.kind.split()[-1] in ("box", "region"):
            for place in house.cells:
                owner[layout.positions[place]] |= {number}
    return owner


Flags = list[list[bool]]


def _borders(layout: Layout) -> tuple[Flags, Flags]:
    """Whether a line is to the right of each cell, and below it, from row and column 0."""
    owner = owners_of(layout)
    numbers, letters = range(layout.height + 2), range(layout.width + 2)
    belongs = [[owner.get((row, column)) for column in letters] for row in numbers]
    beside = [[belongs[r][c] != belongs[r][c + 1] for c in letters[:-1]] for r in numbers[:-1]]
    below = [[belongs[r][c] != belongs[r + 1][c] for c in letters[:-1]] for r in numbers[:-1]]
    return beside, below


def _character(beside: Flags, below: Flags, row: int, place: int) -> str:
    """The character at a place of the drawing that has space for all lines."""
    column = place // 4
    if row % 2:
        return "|" if not place % 4 and beside[row // 2 + 1][column] else " "
    if place % 4:
        return "-" if below[row // 2][column + 1] else " "
    above, left = beside[row // 2][column], below[row // 2][column]
    under = row // 2 + 1 < len(beside) and beside[row // 2 + 1][column]
    right = column + 1 < len(below[0]) and below[row // 2][column + 1]
    if above or under:
        return "|" if above and under and not left and not right else "+"
    return "-" if left or right else " "
