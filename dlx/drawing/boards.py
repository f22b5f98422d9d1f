"""SVG pictures of solutions whose items are positions: tilings, packings, queens on a board.

Positions are read from the items, so pictures also work for problems from files:

* "3,4" or (3, 4) is a cell of the plane. So is ("cell", 3, 4), with any word, if all such items
  have the same word.
* "0,3,4" or (0, 3, 4) is a cell of space, drawn layer by layer.
* "r3" or ("row", 3) together with "c4" or ("column", 4) is a square of a chessboard.
* The color of a cell is drawn as a letter.
* An option with exactly the cells that a queen attacks or occupies is drawn as a queen.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Final, NamedTuple

from dlx.core.color import Colored, item_of
from dlx.errors import InvalidArgument

if TYPE_CHECKING:
    from dlx.core.table import ProblemView

__all__ = ["board_picture"]

MOST: Final = 250_000  # the most squares of a board, including squares without a cell: 500 x 500
SIDE: Final = 40  # of a cell, in pixels
MARGIN: Final = 12

# Light enough for black letters, and as different as possible for readers with color blindness;
# the borders, not the colors, separate the pieces.
PALETTE: Final = (
    "#a6cee3", "#fdbf6f", "#b2df8a", "#fb9a99", "#cab2d6", "#ffff99", "#80cdc1", "#e5c494",
    "#d9d9d9", "#f4a6d0", "#9fb6ff", "#c7e9b4",
)  # fmt: skip

Place = tuple[int, int]
Words = Mapping[Place, str]


class Piece(NamedTuple):
    """One option in the picture: its places, and the word to write on it."""

    places: tuple[Place, ...]
    word: str


def board_picture(problem: ProblemView, solution: Iterable[Hashable]) -> str:
    """The SVG of a solution: see `Problem.picture`. O(cells).

    Raises `InvalidArgument` if the items are not positions, if the board has more than `MOST`
    squares, or if options overlap and are not queens.
    """
    rows = [problem.options[problem.index_of(name)] for name in solution]
    board = _cells_of(problem.items)
    if board:
        height, width = (1 + max(numbers) for numbers in zip(*board.values(), strict=True))
        _refuse_large(height, width)
        pieces = [_tile(board, row) for row in rows]
        shared = _shared(pieces)
        if shared or (pieces and all(piece.word == "queens" for piece in pieces)):
            ruling = _rulers(height, width, pieces)
            if ruling is not None:
                return _chessboard(height, width, ruling)
        colored = _colored(board, rows)
        if colored is not None:
            return _letters(board.values(), colored)
        if shared:
            item = next(item for item, place in board.items() if place in shared)
            raise InvalidArgument(
                f"cannot draw the solution: two options overlap at {item}; only queens, and words "
                "whose letters are colors, may overlap"
            )
        return _tiling(board, pieces)
    lines = _lines_of(problem.items)
    queens = [_square(row) for row in rows]
    if lines is None or None in queens:
        raise InvalidArgument(
            "cannot draw the solution: the items are neither cells such as '3,4' or (3, 4), nor "
            "rows and columns such as 'r3' and 'c4', or ('row', 3) and ('column', 4), with one of "
            "each in every option"
        )
    (first_row, last_row), (first_column, last_column) = lines
    height, width = last_row - first_row + 1, last_column - first_column + 1
    _refuse_large(height, width)
    taken = {(row - first_row, column - first_column) for row, column in filter(None, queens)}
    return _chessboard(height, width, taken)


def _refuse_large(rows: int, columns: int) -> None:
    if rows * columns > MOST:
        raise InvalidArgument(
            f"cannot draw a board of {rows:,} x {columns:,} squares; pictures have at most {MOST:,}"
        )


def _shared(pieces: Sequence[Piece]) -> set[Place]:
    """The places in more than one piece."""
    times = Counter(place for piece in pieces for place in piece.places)
    return {place for place, number in times.items() if number > 1}


def _colored(board: Mapping[Hashable, Place], rows: Iterable[Iterable[Hashable]]) -> Words | None:
    """The color of each place, if all entries with a place have colors (a crossword); or None."""
    found: dict[Place, str] = {}
    for entry in (entry for row in rows for entry in row):
        if isinstance(entry, Colored) and entry.item in board:
            found[board[entry.item]] = str(entry.color)
        elif entry in board:
            return None
    return found or None


def _rulers(height: int, width: int, pieces: Sequence[Piece]) -> set[Place] | None:
    """The queens' places, if each piece is all that a queen attacks or occupies; otherwise None.

    On a board so small that queens on several squares attack the same, the first squares are used.
    """
    found: set[Place] = set()
    for piece in pieces:
        if len(piece.places) < height + width - 1:  # the size of a row and a column together
            return None
        ruled = set(piece.places)
        free = (
            place
            for place in piece.places
            if place not in found and _ruled(place, height, width) == ruled
        )
        queen = next(free, None)
        if queen is None:
            return None
        found.add(queen)
    return found


def _ruled(queen: Place, height: int, width: int) -> set[Place]:
    """The squares that a queen attacks, and its own."""
    r, c = queen
    return {
        (row, column)
        for row in range(height)
        for column in range(width)
        if row == r or column == c or abs(row - r) == abs(column - c)
    }


# -- reading items -------------------------------------------------------------------------------

_CELL = re.compile(r"(?:(\d{1,9}),)?(-?\d{1,9}),(-?\d{1,9})", re.ASCII)
_LINE = re.compile(r"(r|row|c|col|column)[ _]?(\d{1,9})", re.ASCII)
_LETTERS: Final = {"r": "r", "row": "r", "c": "c", "col": "c", "column": "c"}
_LARGEST: Final = 10**9  # of a coordinate in a tuple, as in texts


def _cells_of(items: Iterable[Hashable]) -> dict[Hashable, Place]:
    """The place of each item that is a cell; layers of space are placed side by side."""
    items = list(items)
    cells = {item: cell for item in items if (cell := _cell(item)) is not None}
    cells = cells or _named_cells(items)
    if not cells:
        return {}
    first_row = min(row for _, row, _ in cells.values())
    first, last = (choose(column for _, _, column in cells.values()) for choose in (min, max))
    wide = last - first + 2  # a column stays free between layers
    return {
        item: (row - first_row, layer * wide + column - first)
        for item, (layer, row, column) in cells.items()
    }


def _cell(item: Hashable) -> tuple[int, int, int] | None:
    """The layer, row and column of a cell such as "3,4" or (3, 4); None for other items."""
    if isinstance(item, str) and (match := _CELL.fullmatch(item)):
        layer, row, column = map(int, match.groups(default="0"))
        return layer, row, column
    if isinstance(item, tuple) and len(item) in (2, 3) and all(map(_is_number, item)):
        layer, row, column = (0, *item)[-3:]
        return None if layer < 0 else (layer, row, column)
    return None


def _named_cells(items: Iterable[Hashable]) -> dict[Hashable, tuple[int, int, int]]:
    """The cells such as ("cell", 3, 4); none if their first words differ."""
    cells: dict[Hashable, tuple[int, int, int]] = {}
    words = set()
    for item in items:
        if isinstance(item, tuple) and len(item) == 3 and all(map(_is_number, item[1:])):
            word, row, column = item
            if isinstance(word, str):
                cells[item] = 0, row, column
                words.add(word)
    return cells if len(words) == 1 else {}


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < _LARGEST


def _tile(board: Mapping[Hashable, Place], row: Sequence[Hashable]) -> Piece:
    entries = list(map(item_of, row))
    places = sorted(board[entry] for entry in entries if entry in board)
    words = [_text(entry) for entry in entries if entry not in board]
    return Piece(tuple(places), words[0] if words else "")


def _text(item: Hashable) -> str:
    """The word on a piece: "T" for ("piece", "T")."""
    if isinstance(item, tuple) and len(item) > 1:
        return " ".join(map(str, item[1:] if isinstance(item[0], str) else item))
    return str(item)


def _lines_of(items: Iterable[Hashable]) -> tuple[Place, Place] | None:
    """The first and the last row and column of items such as r3 and c4; None if there are none."""
    numbers: dict[str, set[int]] = {"r": set(), "c": set()}
    for letter, number in filter(None, map(_line, items)):
        numbers[letter].add(number)
    rows, columns = numbers["r"], numbers["c"]
    return ((min(rows), max(rows)), (min(columns), max(columns))) if rows and columns else None


def _line(item: Hashable) -> tuple[str, int] | None:
    """The letter r or c and the number of a row or column such as r3 or ("row", 3), or None."""
    if isinstance(item, str) and (match := _LINE.fullmatch(item)):
        return _LETTERS[match[1]], int(match[2])
    if isinstance(item, tuple) and len(item) == 2 and _is_number(item[1]):
        kind, number = item
        letter = _LETTERS.get(kind.lower()) if isinstance(kind, str) else None
        return None if letter is None else (letter, number)
    return None


def _square(row: Sequence[Hashable]) -> Place | None:
    """The square of an option that has exactly one row and one column."""
    lines = [line for entry in row if (line := _line(entry)) is not None]
    found = dict(lines)
    return (found["r"], found["c"]) if len(lines) == len(found) == 2 else None


# -- drawing -------------------------------------------------------------------------------------


def _tiling(board: Mapping[Hashable, Place], pieces: Sequence[Piece]) -> str:
    owner = {place: number for number, piece in enumerate(pieces) for place in piece.places}
    shades = _shades(pieces, owner)
    drawn = []
    for place in sorted(set(board.values())):
        number = owner.get(place)
        fill = "none" if number is None else PALETTE[shades[number]]
        drawn.append(_rectangle(place, f'fill="{fill}" stroke="#bbb" stroke-width="0.5"'))
    drawn.append(_borders(set(board.values()), owner))
    for piece in pieces:
        if piece.word and piece.places:
            row, column = piece.places[len(piece.places) // 2]
            drawn.append(_word(row, column, piece.word))
    return _picture(board.values(), drawn)


def _letters(places: Iterable[Place], words: Words) -> str:
    """A word or letter in each of these places."""
    every = sorted(set(places))
    drawn = [_rectangle(place, 'fill="none" stroke="#222"') for place in every]
    drawn.extend(_word(*place, words[place]) for place in every if place in words)
    return _picture(every, drawn)


def _shades(pieces: Sequence[Piece], owner: Mapping[Place, int]) -> list[int]:
    """The number of a color for each piece, different from its neighbors' if possible."""
    shades: list[int] = []
    for number, piece in enumerate(pieces):
        near = {
            shades[other]
            for row, column in piece.places
            for place in _around(row, column)
            if (other := owner.get(place, number)) < number
        }
        wanted = [(number + step) % len(PALETTE) for step in range(len(PALETTE))]
        shades.append(next((shade for shade in wanted if shade not in near), wanted[0]))
    return shades


def _around(row: int, column: int) -> list[Place]:
    return [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]


def _borders(cells: set[Place], owner: Mapping[Place, int]) -> str:
    """The lines between pieces, and around the region."""

    def which(place: Place) -> object:
        return owner.get(place, place) if place in cells else None

    lines = []
    for row, column in sorted(cells):
        x, y = MARGIN + SIDE * column, MARGIN + SIDE * row
        here = which((row, column))
        above, left, right, below = (which(place) != here for place in _around(row, column))
        if above:
            lines.append(f"M{x} {y}h{SIDE}")
        if left:
            lines.append(f"M{x} {y}v{SIDE}")
        if right and (row, column + 1) not in cells:
            lines.append(f"M{x + SIDE} {y}v{SIDE}")
        if below and (row + 1, column) not in cells:
            lines.append(f"M{x} {y + SIDE}h{SIDE}")
    return (
        f'<path d="{"".join(lines)}" fill="none" stroke="#222" stroke-width="2.5" '
        'stroke-linecap="round"/>'
    )


def _chessboard(rows: int, columns: int, queens: set[Place]) -> str:
    drawn = []
    places = [(row, column) for row in range(rows) for column in range(columns)]
    for row, column in places:
        fill = "#e9e4d8" if (row + column) % 2 == 0 else "#b3a58c"
        drawn.append(_rectangle((row, column), f'fill="{fill}"'))
    drawn.extend(_queen(row, column) for row, column in sorted(queens))
    x, y = MARGIN, MARGIN
    drawn.append(
        f'<rect x="{x}" y="{y}" width="{SIDE * columns}" height="{SIDE * rows}" fill="none" '
        'stroke="#222" stroke-width="2"/>'
    )
    return _picture(places, drawn)


def _queen(row: int, column: int) -> str:
    """A crown, drawn and not written: not every font has a queen."""
    x, y = MARGIN + SIDE * column, MARGIN + SIDE * row
    points = ((8, 14), (14, 22), (20, 9), (26, 22), (32, 14), (29, 28), (11, 28))
    crown = " ".join(f"{x + a},{y + b}" for a, b in points)
    balls = "".join(f'<circle cx="{x + a}" cy="{y + b}" r="2.6"/>' for a, b in points[:5:2])
    return (
        f'<g fill="#222"><polygon points="{crown}"/>{balls}'
        f'<rect x="{x + 10}" y="{y + 30}" width="20" height="3.5"/></g>'
    )


def _rectangle(place: Place, look: str) -> str:
    row, column = place
    x, y = MARGIN + SIDE * column, MARGIN + SIDE * row
    return f'<rect x="{x}" y="{y}" width="{SIDE}" height="{SIDE}" {look}/>'


def _word(row: int, column: int, word: str) -> str:
    x, y = MARGIN + SIDE * column + SIDE / 2, MARGIN + SIDE * row + SIDE / 2
    size = 18 if len(word) <= 2 else 13 if len(word) <= 4 else 9
    shown = word if len(word) <= 7 else word[:6] + "\u2026"
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="middle" '
        f'dominant-baseline="central">{escape(shown)}</text>'
    )


def _picture(places: Iterable[Place], drawn: Sequence[str]) -> str:
    rows, columns = (1 + max(numbers) for numbers in zip(*places, strict=True))
    width, height = SIDE * columns + 2 * MARGIN, SIDE * rows + 2 * MARGIN
    inside = "\n".join(drawn)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="DejaVu Sans, Helvetica, sans-serif" role="img">\n'
        f'<rect width="{width}" height="{height}" fill="white"/>\n{inside}\n</svg>\n'
    )
