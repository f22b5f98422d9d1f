"""Reading solutions whose items are positions: tilings, packings, queens on a board.

Positions are read from the items, so pictures also work for problems from files:

* "3,4" or (3, 4) is a cell of the plane. So is ("cell", 3, 4), with any word, if all such items
  have the same word, and "r3c4".
* "0,3,4" or (0, 3, 4) is a cell of space, drawn layer by layer.
* "r3" or ("row", 3) together with "c4" or ("column", 4) is a square of a chessboard.
* The color of a cell is drawn as a letter. So is the number 5 of "r3n5", "c4n5" or "b1n5".
* An option with exactly the cells that a queen attacks or occupies is drawn as a queen.

`pictures.py` draws a board as SVG, `sheets.py` many.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from dlx.core.cells import cells_of, line_of, square_of
from dlx.core.entries import Colored, item_of
from dlx.core.verify import check_solution
from dlx.errors import InvalidArgument
from dlx.escapes import visible

if TYPE_CHECKING:
    from dlx.core.view import ProblemView

__all__ = [
    "Board",
    "BoardReader",
    "Chessboard",
    "Letters",
    "PALETTE_SIZE",
    "Piece",
    "Place",
    "Tiling",
    "label_places",
    "shades_of",
]

MOST: Final = 250_000  # the most squares of a board, including squares without a cell: 500 x 500
PALETTE_SIZE: Final = 12

Place = tuple[int, int]
Words = Mapping[Place, str]


class Piece(NamedTuple):
    """One option in the picture: its places, and the word to write on it."""

    places: tuple[Place, ...]
    word: str


class Tiling(NamedTuple):
    """Pieces on places, of which some may be free."""

    places: frozenset[Place]
    pieces: tuple[Piece, ...]


class Letters(NamedTuple):
    """A word or a letter on some of the places."""

    places: frozenset[Place]
    words: Words


class Chessboard(NamedTuple):
    """Queens on a board of squares."""

    height: int
    width: int
    queens: frozenset[Place]


Board = Tiling | Letters | Chessboard


class BoardReader:
    """Reads solutions of a problem as boards.

    Raises `InvalidArgument` if the items are not positions, or if the board has more than `MOST`
    squares. O(items).

    >>> import dlx.models
    >>> problem = dlx.models.queens(6)
    >>> sorted(BoardReader(problem).read(problem.solve()).queens)
    [(0, 1), (1, 3), (2, 5), (3, 0), (4, 2), (5, 4)]
    """

    def __init__(self, problem: ProblemView) -> None:
        self._problem = problem
        self._cells = _cells_of(problem.items)
        self._places = frozenset(self._cells.values())
        self._pieces: dict[int, Piece] = {}  # those read before, by option
        self._corner: Place = 0, 0
        if self._cells:
            height, width = (1 + max(numbers) for numbers in zip(*self._places, strict=True))
        else:
            lines = _lines_of(problem.items)
            if lines is None:
                raise InvalidArgument(NO_PLACES)
            (first_row, last_row), (first_column, last_column) = lines
            height, width = last_row - first_row + 1, last_column - first_column + 1
            self._corner = first_row, first_column
        if height * width > MOST:
            raise InvalidArgument(
                f"cannot draw a board of {height:,} x {width:,} squares; pictures have at most "
                f"{MOST:,}"
            )
        self.height, self.width = height, width

    def read(self, solution: Iterable[Hashable]) -> Board:
        """The board of a solution. O(cells).

        Raises `UnknownOption`, `InvalidSolution` for None, and `InvalidArgument` if options overlap
        and are not queens.
        """
        indices = [self._problem.index_of(name) for name in check_solution(solution)]
        if not self._cells:
            return self._chessboard(indices)
        pieces = [self._piece(index) for index in indices]
        shared = _shared(pieces)
        if shared or (pieces and all(piece.word == "queens" for piece in pieces)):
            queens = _rulers(self.height, self.width, pieces)
            if queens is not None:
                return Chessboard(self.height, self.width, frozenset(queens))
        words = self._colors(indices)
        if words is not None:
            return Letters(self._places, words)
        if shared:
            item = next(item for item, place in self._cells.items() if place in shared)
            raise InvalidArgument(
                f"cannot draw the solution: two options overlap at {item}; only queens, and words "
                "whose letters are colors, may overlap"
            )
        return Tiling(self._places, tuple(pieces))

    def _piece(self, index: int) -> Piece:
        if index not in self._pieces:
            self._pieces[index] = _tile(self._cells, self._problem.options[index])
        return self._pieces[index]

    def _chessboard(self, indices: Iterable[int]) -> Chessboard:
        queens = [square_of(self._problem.options[index]) for index in indices]
        row, column = self._corner
        taken = {(r - row, c - column) for r, c in filter(None, queens)}
        if None in queens:
            raise InvalidArgument(NO_PLACES)
        return Chessboard(self.height, self.width, frozenset(taken))

    def _colors(self, indices: Iterable[int]) -> Words | None:
        """The color of each place, if all entries with a place have colors; or None."""
        found: dict[Place, str] = {}
        for index in indices:
            for entry in self._problem.options[index]:
                if isinstance(entry, Colored) and entry.item in self._cells:
                    found[self._cells[entry.item]] = visible(entry.color)
                elif entry in self._cells:
                    return None
        return found or None


TREE_ADVICE: Final = "; tree_picture() draws the search of any problem"
"""The end of `NO_PLACES`, in place of which the command line names a command."""

NO_PLACES: Final = (
    "cannot draw the solution: the items are neither cells such as '3,4' or (3, 4), nor "
    "rows and columns such as 'r3' and 'c4', or ('row', 3) and ('column', 4), with one of "
    f"each in every option{TREE_ADVICE}"
)


def shades_of(pieces: Sequence[Piece]) -> list[int]:
    """The number of a color, below `PALETTE_SIZE`, for each piece of a tiling.

    Where every piece is one cell, as in a Latin square, the word decides. Otherwise neighbors
    differ if possible.
    """
    if all(len(piece.places) == 1 and piece.word for piece in pieces):
        words = sorted({piece.word for piece in pieces}, key=lambda word: (len(word), word))
        shade = {word: number % PALETTE_SIZE for number, word in enumerate(words)}
        return [shade[piece.word] for piece in pieces]
    owner = {place: number for number, piece in enumerate(pieces) for place in piece.places}
    shades: list[int] = []
    for number, piece in enumerate(pieces):
        near = {
            shades[other]
            for row, column in piece.places
            for place in _around(row, column)
            if (other := owner.get(place, number)) < number
        }
        wanted = [(number + step) % PALETTE_SIZE for step in range(PALETTE_SIZE)]
        shades.append(next((shade for shade in wanted if shade not in near), wanted[0]))
    return shades


def label_places(piece: Piece) -> list[Place]:
    """Where to write the word of a piece: once in each part of it, such as in each layer.

    >>> label_places(Piece(((0, 0), (0, 1), (0, 2), (0, 4)), "T"))
    [(0, 1), (0, 4)]
    """
    left = dict.fromkeys(piece.places)
    found = []
    while left:
        part = [left.popitem()[0]]
        for place in part:  # grows
            near = [other for other in _around(*place) if other in left]
            part += near
            for other in near:
                del left[other]
        found.append(sorted(part)[len(part) // 2])
    return sorted(found)


def _around(row: int, column: int) -> list[Place]:
    return [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]


def _shared(pieces: Sequence[Piece]) -> set[Place]:
    """The places in more than one piece."""
    times = Counter(place for piece in pieces for place in piece.places)
    return {place for place, number in times.items() if number > 1}


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

_NUMBER = re.compile(r"[rcb]\d{1,9}n(\d{1,9})", re.ASCII)  # of a row, a column or a box


def _cells_of(items: Iterable[Hashable]) -> dict[Hashable, Place]:
    """The place of each item that is a cell; layers of space are placed side by side."""
    cells = {item: (0, *cell)[-3:] for item, cell in cells_of(items).items()}
    if not cells:
        return {}
    first_row = min(row for _, row, _ in cells.values())
    first, last = (choose(column for _, _, column in cells.values()) for choose in (min, max))
    wide = last - first + 2  # a column stays free between layers
    return {
        item: (row - first_row, layer * wide + column - first)
        for item, (layer, row, column) in cells.items()
    }


def _tile(board: Mapping[Hashable, Place], row: Sequence[Hashable]) -> Piece:
    entries = list(map(item_of, row))
    places = sorted(board[entry] for entry in entries if entry in board)
    words = [visible(_text(entry)) for entry in entries if entry not in board]
    return Piece(tuple(places), words[0] if words else "")


def _text(item: Hashable) -> str:
    """The word on a piece: "T" for ("piece", "T"), "5" for "r3n5"."""
    if isinstance(item, str) and (match := _NUMBER.fullmatch(item)):
        return match[1]
    if isinstance(item, tuple) and len(item) > 1:
        return " ".join(map(str, item[1:] if isinstance(item[0], str) else item))
    return str(item)


def _lines_of(items: Iterable[Hashable]) -> tuple[Place, Place] | None:
    """The first and the last row and column of items such as r3 and c4; None if there are none."""
    numbers: dict[str, set[int]] = {"r": set(), "c": set()}
    for letter, number in filter(None, map(line_of, items)):
        numbers[letter].add(number)
    rows, columns = numbers["r"], numbers["c"]
    return ((min(rows), max(rows)), (min(columns), max(columns))) if rows and columns else None
