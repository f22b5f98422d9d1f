"""`sheets`, which puts several pictures on pages for printing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import ceil
from typing import Final

from sudoku.errors import PuzzleError

__all__ = ["PER_PAGE", "sheets"]

PER_PAGE: Final = {1: 1, 2: 1, 4: 2, 6: 2, 9: 3, 12: 3}
"""The possible numbers of grids on a page, and the number of columns for each."""

# A4, in pixels of the pictures (96 per inch).
WIDTH: Final = 794
HEIGHT: Final = 1123
MARGIN: Final = 45
GAP: Final = 24


def sheets(pictures: Sequence[str], per_page: int) -> Iterator[str]:
    """Pages of A4 with `per_page` of the SVG pictures each, numbered from 1.

    Raises `PuzzleError` if `per_page` is not in `PER_PAGE`.
    """
    if per_page not in PER_PAGE:
        raise PuzzleError(
            f"{per_page} puzzles per page; expected one of {', '.join(map(str, PER_PAGE))}"
        )
    for first in range(0, len(pictures), per_page):
        yield _sheet(pictures[first : first + per_page], first + 1, per_page, len(pictures))


def _sheet(pictures: Sequence[str], number: int, per_page: int, of: int) -> str:
    columns = PER_PAGE[per_page]
    rows = ceil(per_page / columns)
    wide = (WIDTH - 2 * MARGIN - GAP * (columns - 1)) / columns
    tall = (HEIGHT - 2 * MARGIN - GAP * (rows - 1)) / rows
    placed = []
    for place, picture in enumerate(pictures):
        row, column = divmod(place, columns)
        x, y = MARGIN + column * (wide + GAP), MARGIN + row * (tall + GAP)
        if of > 1:
            placed.append(
                f'<text x="{x:.1f}" y="{y + 12:.1f}" font-size="13">{number + place}</text>'
            )
        placed.append(_fitted(picture, x, y + 16, wide, tall - 16))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="DejaVu Sans, Helvetica, sans-serif">\n'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>\n{"".join(placed)}</svg>\n'
    )


def _fitted(picture: str, x: float, y: float, wide: float, tall: float) -> str:
    """A picture, scaled to fit into a rectangle of the page."""
    size = re.search(r'viewBox="0 0 (\d+) (\d+)"', picture)
    assert size is not None
    width, height = int(size[1]), int(size[2])
    scale = min(wide / width, tall / height, 2)
    head = picture.index(">") + 1
    return (
        f'<svg x="{x + (wide - scale * width) / 2:.1f}" y="{y:.1f}" width="{scale * width:.1f}" '
        f'height="{scale * height:.1f}" viewBox="0 0 {width} {height}">{picture[head:]}'
    )
