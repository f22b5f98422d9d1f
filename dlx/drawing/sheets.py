"""A sheet: the pictures of many solutions of a problem, small, side by side, in one SVG.

What several pictures have in common is drawn once and used by its name: a piece at its place in its
color, a letter in its cell, a crown. So a solution takes about 20 bytes a piece.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import partial
from math import ceil, sqrt
from typing import TYPE_CHECKING, Final

from dlx.analysis.symmetry.distinct import DistinctSearch
from dlx.core.arguments import check_number, is_iterable
from dlx.core.picture import FONT, Picture
from dlx.drawing.boards import (
    Board,
    BoardReader,
    Chessboard,
    Letters,
    Piece,
    Place,
    Tiling,
    shades_of,
)
from dlx.drawing.pictures import (
    CROWN,
    PALETTE,
    SQUARES,
    font_size,
    outline,
    shown_word,
)
from dlx.errors import InvalidArgument, counted, quote
from dlx.escapes import markup, visible
from dlx.search.search import Search

if TYPE_CHECKING:
    from dlx.core.view import ProblemView

__all__ = ["Sheet", "class_size", "sheet_of"]

MOST_PARTS: Final = 200_000  # pieces, letters and crowns on a sheet: about 5 MB
LONGER_SIDE: Final = 96  # of a board, in pixels
MOST_SIDE: Final = 24  # of a cell
GAP: Final = 12
LINE: Final = 14  # the height of a caption
LETTER: Final = 6  # about the width of a letter of a caption
PAGE: Final = 1200  # the most pixels of a row, if the caller does not choose the columns
LETTERS: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Sheet:
    """Pictures of solutions, added one by one. Raises `InvalidArgument` as `BoardReader` does.

    >>> import dlx.models
    >>> problem = dlx.models.dominoes(2, 3)
    >>> sheet = Sheet(problem)
    >>> [sheet.add(solution) for solution in problem.solutions()]
    [True, True, True]
    >>> sheet.picture().count("<use")
    9
    """

    def __init__(self, problem: ProblemView) -> None:
        self._reader = BoardReader(problem)
        longer = max(self._reader.height, self._reader.width)
        self._side = max(1, min(MOST_SIDE, LONGER_SIDE // longer))
        self._names: dict[Hashable, str] = {}  # of the shapes
        self._shapes: list[str] = []
        self._shade_of: dict[str, int] = {}  # the color of the pieces with a word
        self._boards: list[str] = []
        self._captions: list[str] = []
        self._parts = 0
        self._total: int | None = None  # the sum of the sizes of classes

    def __len__(self) -> int:
        return len(self._boards)

    def add(
        self, solution: Iterable[Hashable], *, size: int | None = None, caption: str | None = None
    ) -> bool:
        """Adds the picture of a solution. Returns False, and adds none, if the sheet is full.

        size
            The number of solutions in its class of symmetric ones.
        caption
            The line below the picture; by default its number, and `size`.

        Raises `InvalidArgument` if the solution cannot be drawn, and `UnknownOption`.
        """
        if self._parts >= MOST_PARTS:
            return False
        uses = list(self._uses(self._reader.read(solution)))
        self._parts += max(1, len(uses))
        self._boards.append("".join(uses))
        if caption is None:
            caption = f"{len(self):,}" if size is None else f"{len(self):,} \u00b7 {size:,}\u00d7"
        self._captions.append(visible(caption))
        if size is not None:
            self._total = (self._total or 0) + size
        return True

    def picture(
        self, *, title: str | None = None, more: bool = False, columns: int | None = None
    ) -> Picture:
        """The sheet: a title, and rows of `columns` pictures. `more`: there may be more solutions.

        O(length).
        """
        title = (self._title() if title is None else visible(title)) + more * "; there may be more"
        number = len(self)
        board = self._side * self._reader.width
        width = GAP + max(board, *(LETTER * len(caption) for caption in self._captions), 0)
        height = GAP + self._side * self._reader.height + LINE
        columns = _columns(number, width, height) if columns is None else columns
        top = 3 * GAP
        drawn, captions = [], []
        for index, (uses, caption) in enumerate(zip(self._boards, self._captions, strict=True)):
            x, y = GAP + width * (index % columns), top + height * (index // columns)
            drawn.append(f'<g transform="translate({x} {y})">{uses}</g>')
            if caption:
                middle, line = x + board / 2, y + height - GAP - 2
                captions.append(f'<text x="{middle:g}" y="{line}">{markup(caption)}</text>')
        right = max(width * min(columns, number), 8 * len(title)) + GAP
        below = top + height * ceil(number / columns)
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {right} {below}" '
            f'width="{right}" height="{below}" {FONT} role="img">',
            f'<rect width="{right}" height="{below}" fill="white"/>',
            f'<text x="{GAP}" y="{2 * GAP}" font-size="14">{markup(title)}</text>',
            f"<defs>{''.join(self._shapes)}</defs>",
            f'<g stroke="#222" stroke-width="{max(0.3, min(1.2, self._side / 10)):g}" '
            'stroke-linejoin="round">',
            *drawn,
            "</g>",
            '<g font-size="10" text-anchor="middle">',
            *captions,
            "</g>",
            "</svg>\n",
        ]
        return Picture("\n".join(lines))

    def _title(self) -> str:
        if self._total is None:
            return counted(len(self), "solution", ",")
        classes = "class" if len(self) == 1 else "classes"
        return (
            f"{len(self):,} {classes} of symmetric solutions, with "
            f"{counted(self._total, 'solution', ',')} (4\u00d7: a class of 4)"
        )

    def _uses(self, board: Board) -> Iterator[str]:
        """The parts of a board, as uses of shapes."""
        side = self._side
        if isinstance(board, Chessboard):
            yield self._use("squares", lambda: _squares(board, side))
            for row, column in sorted(board.queens):
                corner = f' x="{side * column}" y="{side * row}"'
                yield self._use("crown", lambda: _crown(side), corner)
        elif isinstance(board, Letters):
            yield self._use("cells", lambda: _cells(board.places, side))
            for place, word in board.words.items():
                yield self._use((place, word), partial(_word, place, word, side))
        else:
            yield from self._pieces(board)

    def _pieces(self, board: Tiling) -> Iterator[str]:
        side = self._side
        if sum(len(piece.places) for piece in board.pieces) < len(board.places):
            yield self._use("cells", lambda: _cells(board.places, side))
        single = all(len(piece.places) == 1 for piece in board.pieces)
        for piece, shade in zip(board.pieces, self._shades(board.pieces), strict=True):
            yield self._use((piece, shade), partial(_tile, piece, shade, side, lettered=single))

    def _shades(self, pieces: Sequence[Piece]) -> list[int]:
        """The number of each piece's color: that of its word, if each word occurs only once."""
        words = {piece.word for piece in pieces}
        if "" in words or len(words) < len(pieces) or len(pieces) > len(PALETTE):
            return shades_of(pieces)
        shades = self._shade_of
        return [shades.setdefault(piece.word, len(shades) % len(PALETTE)) for piece in pieces]

    def _use(self, key: Hashable, draw: Callable[[], str], place: str = "") -> str:
        """A use of the shape with this key, which is drawn if it is new."""
        if key not in self._names:
            self._names[key] = name = _name(len(self._names))
            self._shapes.append(draw().replace(" ", f' id="{name}" ', 1))  # after its tag
        return f'<use href="#{self._names[key]}"{place}/>'


def sheet_of(
    problem: ProblemView,
    solutions: Iterable[Iterable[Hashable]],
    *,
    captions: Iterable[str] | None,
    title: str | None,
    columns: int | None,
) -> Picture:
    """The sheet of these solutions: see `Problem.sheet`. O(cells of all solutions)."""
    if columns is not None:
        columns = check_number("columns", columns, 1)
    if isinstance(captions, str) or (captions is not None and not is_iterable(captions)):
        raise InvalidArgument(f"captions is {quote(captions)}; give a list of lines")
    if not is_iterable(solutions):
        raise InvalidArgument(f"solutions is {quote(solutions)}; give a list of solutions")
    sheet = Sheet(problem)
    more = False
    lines = None if captions is None else iter(captions)
    for solution in solutions:
        size = class_size(solutions)
        caption = None if lines is None else next(lines, None)
        if lines is not None and caption is None:
            raise InvalidArgument(
                f"captions has {counted(len(sheet), 'line')}, and there are more solutions"
            )
        if not sheet.add(solution, size=size, caption=caption):
            more = True
            break
    if isinstance(solutions, Search):
        more = more or not solutions.exhausted
    if lines is not None and not more and next(lines, None) is not None:
        raise InvalidArgument(
            f"captions has more than {counted(len(sheet), 'line')}, one for each solution"
        )
    return sheet.picture(title=title, more=more, columns=columns)


def class_size(solutions: object) -> int | None:
    """The size of the class of the solution found last, for a search with `distinct=True`."""
    return solutions.orbit_size if isinstance(solutions, DistinctSearch) else None


def _columns(number: int, width: int, height: int) -> int:
    """The pictures of a row: a sheet wider than high, but of at most `PAGE` pixels."""
    wanted = ceil(sqrt(1.5 * max(1, number) * height / width))
    most = max(1, min(wanted, PAGE // width))
    rows = ceil(number / most)
    return ceil(number / rows) if rows else 1  # so that the last row is nearly full


def _name(number: int) -> str:
    """A short name: "a", "b", ..., "Z", "aa", ..."""
    name = ""
    number += 1
    while number:
        number, letter = divmod(number - 1, len(LETTERS))
        name = LETTERS[letter] + name
    return name


# -- shapes; the first space of each is that after its tag ----------------------------------------


def _tile(piece: Piece, shade: int, side: int, *, lettered: bool) -> str:
    path = f'<path fill="{PALETTE[shade]}" d="{outline(piece.places, side)}"/>'
    if not (lettered and piece.word):
        return path
    return f"<g >{path}{_word(piece.places[0], piece.word, side)}</g>"


def _word(place: Place, word: str, side: int) -> str:
    row, column = place
    x, y = side * (column + 0.5), side * (row + 0.5)
    size = 1.25 * font_size(word, side)
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" stroke="none" text-anchor="middle" '
        f'dominant-baseline="central">{shown_word(word)}</text>'
    )


def _cells(places: Iterable[Place], side: int) -> str:
    """Empty cells."""
    path = "".join(outline([place], side) for place in sorted(places))
    return f'<path fill="none" stroke="#bbb" d="{path}"/>'


def _squares(board: Chessboard, side: int) -> str:
    height, width = side * board.height, side * board.width
    dark = [
        (row, column)
        for row in range(board.height)
        for column in range(board.width)
        if (row + column) % 2
    ]
    path = "".join(outline([place], side) for place in dark)
    return (
        f'<g ><path fill="{SQUARES[0]}" d="M0 0h{width}v{height}h-{width}z"/>'
        f'<path fill="{SQUARES[1]}" stroke="none" d="{path}"/></g>'
    )


def _crown(side: int) -> str:
    points = " ".join(f"{side * x / 40:.3g} {side * y / 40:.3g}" for x, y in CROWN)
    return f'<path fill="#222" d="M{points}z"/>'
