"""SVG pictures of one solution on its board."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Final

from dlx.core.picture import FONT, Picture
from dlx.core.verify import check_solution
from dlx.drawing.boards import (
    BoardReader,
    Chessboard,
    Letters,
    Place,
    Tiling,
    label_places,
    shades_of,
)
from dlx.escapes import markup

if TYPE_CHECKING:
    from dlx.core.view import ProblemView

__all__ = [
    "CROWN",
    "PALETTE",
    "SQUARES",
    "font_size",
    "outline",
    "picture_of",
    "shown_word",
]

SIDE: Final = 40  # of a cell, in pixels
MARGIN: Final = 12

# Light enough for black letters, and as different as possible for readers with color blindness;
# the borders, not the colors, separate the pieces.
PALETTE: Final = (
    "#a6cee3", "#fdbf6f", "#b2df8a", "#fb9a99", "#cab2d6", "#ffff99", "#80cdc1", "#e5c494",
    "#d9d9d9", "#f4a6d0", "#9fb6ff", "#c7e9b4",
)  # fmt: skip
SQUARES: Final = "#e9e4d8", "#b3a58c"  # of a chessboard; that in the corner first
CROWN: Final = ((8, 14), (14, 22), (20, 9), (26, 22), (32, 14), (29, 28), (11, 28))


def picture_of(problem: ProblemView, solution: Iterable[Hashable]) -> Picture:
    """The picture of a solution: see `Problem.picture`. O(cells).

    Raises `InvalidArgument` and `UnknownOption` as `BoardReader` does.
    """
    solution = check_solution(solution)  # before the items are blamed
    board = BoardReader(problem).read(solution)
    if isinstance(board, Chessboard):
        return _chessboard(board)
    return _letters(board) if isinstance(board, Letters) else _tiling(board)


def outline(places: Iterable[Place], side: int, margin: int = 0) -> str:
    """The path around places, in squares of `side` pixels: its corners, clockwise. O(places).

    >>> outline([(0, 0), (0, 1)], 10)
    'M0 0h20v10h-20z'
    """
    edges: dict[Place, list[Place]] = {}  # the ends of the edges that begin at a corner
    for row, column in places:
        corners = ((row, column), (row, column + 1), (row + 1, column + 1), (row + 1, column))
        for start, end in zip(corners, (*corners[1:], corners[0]), strict=True):
            if start in edges.get(end, ()):  # the edge of a neighbor: it is inside
                edges[end].remove(start)
            else:
                edges.setdefault(start, []).append(end)
    drawn = []
    for first in sorted(edges):
        while edges[first]:  # from a corner on, since it is the first of those left
            drawn.append(_loop(edges, first, side, margin))
    return "".join(drawn)


def _loop(edges: dict[Place, list[Place]], first: Place, side: int, margin: int) -> str:
    """The path along edges back to the first corner; removes them."""
    moves: list[Place] = []
    here = first
    while not moves or here != first:
        there = edges[here].pop()
        step = there[0] - here[0], there[1] - here[1]
        if moves and (moves[-1][0] == 0) == (step[0] == 0):  # straight on
            moves[-1] = moves[-1][0] + step[0], moves[-1][1] + step[1]
        else:
            moves.append(step)
        here = there
    lines = (f"v{side * down}" if down else f"h{side * right}" for down, right in moves[:-1])
    x, y = margin + side * first[1], margin + side * first[0]
    return f"M{x} {y}{''.join(lines)}z"


def font_size(word: str, side: int) -> float:
    """The height of a word in a square of `side` pixels."""
    return side * (0.45 if len(word) <= 2 else 0.325 if len(word) <= 4 else 0.225)


def shown_word(word: str) -> str:
    """The word as text of SVG: its first letters, if it is long."""
    return markup(word if len(word) <= 7 else word[:6] + "\u2026")


def _tiling(board: Tiling) -> Picture:
    owner = {place: number for number, piece in enumerate(board.pieces) for place in piece.places}
    shades = shades_of(board.pieces)
    drawn = []
    for place in sorted(board.places):
        number = owner.get(place)
        fill = "none" if number is None else PALETTE[shades[number]]
        drawn.append(_rectangle(place, f'fill="{fill}" stroke="#bbb" stroke-width="0.5"'))
    outlines = [outline(piece.places, SIDE, MARGIN) for piece in board.pieces]
    outlines += [outline([place], SIDE, MARGIN) for place in sorted(board.places - owner.keys())]
    drawn.append(
        f'<path d="{"".join(outlines)}" fill="none" stroke="#222" stroke-width="2.5" '
        'stroke-linejoin="round"/>'
    )
    for piece in board.pieces:
        if piece.word:
            drawn.extend(_word(place, piece.word) for place in label_places(piece))
    return _picture(board.places, drawn)


def _letters(board: Letters) -> Picture:
    """A word or letter in each of these places."""
    every = sorted(board.places)
    drawn = [_rectangle(place, 'fill="none" stroke="#222"') for place in every]
    drawn.extend(_word(place, board.words[place]) for place in every if place in board.words)
    return _picture(every, drawn)


def _chessboard(board: Chessboard) -> Picture:
    drawn = []
    places = [(row, column) for row in range(board.height) for column in range(board.width)]
    for row, column in places:
        drawn.append(_rectangle((row, column), f'fill="{SQUARES[(row + column) % 2]}"'))
    drawn.extend(_queen(row, column) for row, column in sorted(board.queens))
    x, y = MARGIN, MARGIN
    drawn.append(
        f'<rect x="{x}" y="{y}" width="{SIDE * board.width}" height="{SIDE * board.height}" '
        'fill="none" stroke="#222" stroke-width="2"/>'
    )
    return _picture(places, drawn)


def _queen(row: int, column: int) -> str:
    """A crown, drawn and not written: not every font has a queen."""
    x, y = MARGIN + SIDE * column, MARGIN + SIDE * row
    crown = " ".join(f"{x + a},{y + b}" for a, b in CROWN)
    balls = "".join(f'<circle cx="{x + a}" cy="{y + b}" r="2.6"/>' for a, b in CROWN[:5:2])
    return (
        f'<g fill="#222"><polygon points="{crown}"/>{balls}'
        f'<rect x="{x + 10}" y="{y + 30}" width="20" height="3.5"/></g>'
    )


def _rectangle(place: Place, look: str) -> str:
    row, column = place
    x, y = MARGIN + SIDE * column, MARGIN + SIDE * row
    return f'<rect x="{x}" y="{y}" width="{SIDE}" height="{SIDE}" {look}/>'


def _word(place: Place, word: str) -> str:
    row, column = place
    x, y = MARGIN + SIDE * column + SIDE / 2, MARGIN + SIDE * row + SIDE / 2
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{font_size(word, SIDE):g}" text-anchor="middle" '
        f'dominant-baseline="central">{shown_word(word)}</text>'
    )


def _picture(places: Iterable[Place], drawn: Sequence[str]) -> Picture:
    rows, columns = (1 + max(numbers) for numbers in zip(*places, strict=True))
    width, height = SIDE * columns + 2 * MARGIN, SIDE * rows + 2 * MARGIN
    inside = "\n".join(drawn)
    return Picture(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" {FONT} role="img">\n'
        f'<rect width="{width}" height="{height}" fill="white"/>\n{inside}\n</svg>\n'
    )
