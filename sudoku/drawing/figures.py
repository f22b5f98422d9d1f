"""`figures`, which draws a grid with its candidates in plain text."""

from __future__ import annotations

from math import ceil, isqrt
from typing import TYPE_CHECKING

from sudoku.board.candidates import candidates_of
from sudoku.board.cells import Cell, symbol
from sudoku.board.plain_text import owners_of

if TYPE_CHECKING:
    from sudoku.board.grid import Grid

__all__ = ["figures"]


def figures(grid: Grid) -> str:
    """The grid with the candidates of each empty cell, and lines around boxes or regions.

    >>> import sudoku
    >>> print(figures(sudoku.Grid("1... .2.. ..3. ...4")))
    +=====+=====+=====+=====+
    H     :     H   2 :   2 H
    H  1  : 3 4 H   4 : 3   H
    +.....+.....+.....+.....+
    H     :     H 1   : 1   H
    H 3 4 :  2  H   4 : 3   H
    +=====+=====+=====+=====+
    H   2 : 1   H     : 1 2 H
    H   4 :   4 H  3  :     H
    +.....+.....+.....+.....+
    H   2 : 1   H 1 2 :     H
    H 3   : 3   H     :  4  H
    +=====+=====+=====+=====+
    """
    layout = grid.layout
    wide = isqrt(layout.side - 1) + 1
    tall = ceil(layout.side / wide)
    left, owner = candidates_of(grid), owners_of(layout)
    canvas = [
        [" "] * ((2 * wide + 2) * layout.width + 1) for _ in range((tall + 1) * layout.height + 1)
    ]
    for cell in layout.positions:
        top, first = (tall + 1) * (cell[0] - 1), (2 * wide + 2) * (cell[1] - 1)
        _draw_lines(canvas, top, first, (tall, 2 * wide + 1), _thick(owner, cell))
        digit = grid[cell]
        if digit:
            canvas[top + 1 + tall // 2][first + 1 + wide] = symbol(digit)
        for candidate in left.get(cell, ()):
            down, right = divmod(candidate - 1, wide)
            canvas[top + 1 + down][first + 2 + 2 * right] = symbol(candidate)
    return "\n".join("".join(line).rstrip() for line in canvas).rstrip()


def _thick(owner: dict[Cell, frozenset[int]], cell: Cell) -> tuple[bool, bool, bool, bool]:
    """Whether a box, a region or the grid ends above, below, left and right of a cell."""
    row, column = cell

    def ends(other: Cell) -> bool:
        return other not in owner or (bool(owner[cell]) and not owner[cell] & owner[other])

    above, below = ends((row - 1, column)), ends((row + 1, column))
    return above, below, ends((row, column - 1)), ends((row, column + 1))


def _draw_lines(
    canvas: list[list[str]],
    top: int,
    first: int,
    size: tuple[int, int],
    thick: tuple[bool, bool, bool, bool],
) -> None:
    bottom, last = top + size[0] + 1, first + size[1] + 1
    above, below, before, after = thick
    for row, heavy in ((top, above), (bottom, below)):
        for place in range(first + 1, last):
            canvas[row][place] = "=" if heavy else "."
    for place, heavy in ((first, before), (last, after)):
        for row in range(top + 1, bottom):
            canvas[row][place] = "H" if heavy else ":"
        canvas[top][place] = canvas[bottom][place] = "+"
