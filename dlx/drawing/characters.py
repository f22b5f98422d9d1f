"""Boards as text for a terminal: lines of Unicode between pieces, and colors."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Final

from dlx.drawing.boards import Board, Chessboard, Letters, Place, label_places, shades_of
from dlx.drawing.pictures import PALETTE, SQUARES

__all__ = ["ASCII", "bar_chart", "board_text"]

JUNCTIONS: Final = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"  # by the lines that meet: 1 up, 2 right, 4 down, 8 left
BAR: Final = " ▏▎▍▌▋▊▉█"  # eighths of a character
ASCII: Final = str.maketrans(
    JUNCTIONS[1:] + "♛·\u2026" + BAR[1:], "|-+||++-+-+++++Q.." + "    ####"
)
"""For `str.translate`, where the terminal has no Unicode."""
WIDTH: Final = 3  # of a cell, in characters, without its line

Spot = tuple[str, str | None]
"""Some characters, and the color behind them."""


def board_text(board: Board, *, color: bool = False) -> str:
    """The board as lines of text, with escape sequences for 256 colors or without.

    Words are cut to three characters. O(cells).

    >>> import dlx.models
    >>> from dlx.drawing.boards import BoardReader
    >>> problem = dlx.models.dominoes(2, 3)
    >>> print(board_text(BoardReader(problem).read(problem.solve())))
    ┌───────┬───┐
    │       │   │
    ├───────┤   │
    │       │   │
    └───────┴───┘
    """
    if isinstance(board, Chessboard):
        lines = _squares(board, empty="  " if color else "· ")
    elif isinstance(board, Letters):
        lines = _boxes({place: place for place in board.places}, board.words, {})
    else:
        owner: dict[Place, Hashable] = {place: place for place in board.places}
        words: dict[Place, str] = {}
        fills: dict[Hashable, str] = {}
        for number, piece in enumerate(board.pieces):
            owner |= dict.fromkeys(piece.places, number)
            words |= dict.fromkeys(label_places(piece), piece.word)
        for number, shade in enumerate(shades_of(board.pieces)):
            fills[number] = PALETTE[shade]
        lines = _boxes(owner, words, fills)
    return "\n".join(_painted(line) if color else _plain(line) for line in lines)


def bar_chart(texts: Sequence[str], numbers: Sequence[float], width: int) -> list[str]:
    """Lines of text, each with a bar as long as its number, of up to `width` characters in all.

    The texts are padded to the same length. A number above 0 has a bar, however short. There are at
    least 8 characters for the bars. O(numbers).

    >>> for line in bar_chart(["one", "three"], [1, 3], 14):
    ...     print(line)
    one   ██▋
    three ████████
    """
    left = max(map(len, texts), default=0)
    room = max(8, width - left - 1)
    most = Fraction(max(numbers, default=0)) or 1
    lines = []
    for text, number in zip(texts, numbers, strict=True):
        eighths = int(8 * room * Fraction(number) / most)  # of integers of any size
        full, rest = divmod(max(eighths, 1 if number > 0 else 0), 8)
        lines.append(f"{text:{left}} {BAR[-1] * full}{BAR[rest]}".rstrip())
    return lines


def _boxes(
    owner: Mapping[Place, Hashable], words: Mapping[Place, str], fills: Mapping[Hashable, str]
) -> list[list[Spot]]:
    """Lines between places of different owners, and words; places without an owner are free."""
    height, width = (1 + max(numbers) for numbers in zip(*owner, strict=True))

    def above(row: int, column: int) -> bool:
        """Whether there is a line above this place."""
        return owner.get((row, column)) != owner.get((row - 1, column))

    def left(row: int, column: int) -> bool:
        """Whether there is a line to the left of this place."""
        return owner.get((row, column)) != owner.get((row, column - 1))

    def fill(row: int, column: int) -> str | None:
        return fills.get(owner.get((row, column)))

    lines: list[list[Spot]] = []
    for row in range(height + 1):
        border: list[Spot] = []
        inside: list[Spot] = []
        for column in range(width + 1):
            meet = (
                left(row - 1, column)
                + 2 * above(row, column)
                + 4 * left(row, column)
                + 8 * above(row, column - 1)
            )
            border.append((JUNCTIONS[meet], None if meet else fill(row, column)))
            if above(row, column):
                border.append((WIDTH * "─", None))
            else:
                border.append((WIDTH * " ", fill(row, column)))
            line = left(row, column)
            inside.append(("│", None) if line else (" ", fill(row, column)))
            word = words.get((row, column), "")
            word = word if len(word) <= WIDTH else word[: WIDTH - 1] + "\u2026"
            inside.append((f"{word:^{WIDTH}}", fill(row, column)))
        lines += [border, inside]
    return lines[:-1]


def _squares(board: Chessboard, empty: str) -> list[list[Spot]]:
    return [
        [
            (
                "♛ " if (row, column) in board.queens else empty,
                SQUARES[(row + column) % 2],
            )
            for column in range(board.width)
        ]
        for row in range(board.height)
    ]


def _plain(line: Iterable[Spot]) -> str:
    return "".join(text for text, _ in line).rstrip()


def _painted(line: Iterable[Spot]) -> str:
    found = []
    for color, spots in groupby(line, key=lambda spot: spot[1]):
        text = "".join(text for text, _ in spots)
        found.append(text if color is None else f"\x1b[38;5;16;48;5;{_code(color)}m{text}\x1b[0m")
    return "".join(found).rstrip()


def _code(color: str) -> int:
    """The nearest of the 6 x 6 x 6 colors that terminals have."""
    levels = (0, 95, 135, 175, 215, 255)
    channels = (int(color[place : place + 2], 16) for place in (1, 3, 5))
    red, green, blue = (
        min(range(6), key=lambda level: abs(levels[level] - channel)) for channel in channels
    )
    return 16 + 36 * red + 6 * green + blue
