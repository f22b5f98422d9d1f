"""`board_svg`, which draws a grid as SVG: its layout, digits, candidates, and a hint."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import ceil, sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

from dlx.escapes import markup
from sudoku.board.cells import Cell, cell_name, checked_cell, integer, is_iterable, symbol
from sudoku.board.layout import Layout
from sudoku.drawing.frame import SIDE, Places, coordinates, frame, shade, shaded_houses
from sudoku.drawing.rules import captions, marks_of, over, stands_outside, under
from sudoku.errors import PuzzleError, shown
from sudoku.rules import Cage

if TYPE_CHECKING:
    from sudoku.board.grid import CellDigits, Grid

__all__ = [
    "FONT",
    "Highlights",
    "board_svg",
    "candidate_place",
    "checked_candidates",
    "figure_size",
    "places_of",
]

FONT: Final = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif"
CAPTION: Final = 18  # the height of a line of text


class Highlights(NamedTuple):
    """The parts of a picture that are drawn for a hint."""

    cells: Iterable[Cell] = ()
    """The cells with a colored background."""
    color: str = "#fff"
    """The color of that background."""
    discs: Mapping[tuple[int, int, int], str] = {}
    """The colors of the discs behind candidates (row, column, digit)."""
    above: Iterable[str] = ()
    """Pieces of SVG that are drawn last, at positions of `Places`."""


def board_svg(
    grid: Grid,
    *,
    puzzle: Grid | None = None,
    candidates: CellDigits | bool | None = False,
    highlights: Highlights | None = None,
    caption: str = "",
    edge: bool = False,
) -> str:
    """The picture of a grid as SVG: see `Grid.to_svg`.

    With `candidates=None` neither the marks of the layout are drawn nor the sentences about it;
    with `edge`, the names of rows and columns are.
    """
    shown = highlights or Highlights()
    layout = grid.layout
    if puzzle is not None and puzzle.layout is not layout:
        raise PuzzleError(f"the puzzle is of {puzzle.layout}, the grid of {layout}")
    places = places_of(layout, edge=edge)
    digits = [
        *_digits(grid, puzzle, places),
        *_candidates(grid, _shown(grid, candidates), shown.discs, places),
    ]
    drawn = [
        shade(places, layout.positions, "#fff"),
        shade(places, shaded_houses(layout), "#e4e4e4"),
        shade(places, shown.cells, shown.color),
        *under(layout, places),
        *frame(layout, places),
        *over(layout, places),
        *digits,
        *shown.above,
        coordinates(layout, places) if edge else "",
    ]
    lines = [*(captions(layout) if candidates is not None else []), *([caption] if caption else [])]
    return _picture(places, drawn, [part for line in lines for part in _wrapped(line, places)])


def places_of(layout: Layout, *, edge: bool = False) -> Places:
    """The positions of the cells in the picture of `board_svg`."""
    return Places(layout, outside=stands_outside(layout), edge=edge)


def _shown(grid: Grid, candidates: CellDigits | bool | None) -> dict[Cell, tuple[int, ...]]:
    """The candidates to draw in empty cells; without None, also the marks of the layout."""
    if candidates is None:
        return {}
    if candidates is True:
        from sudoku.board.candidates import candidates_of

        return candidates_of(grid)
    marks = marks_of(grid.layout)
    if candidates is False:
        return marks
    return {**marks, **checked_candidates(grid.layout, candidates)}


def checked_candidates(layout: Layout, candidates: CellDigits) -> dict[Cell, tuple[int, ...]]:
    """The candidates in ascending order; `PuzzleError` or `LayoutError` if they are wrong."""
    return dict(_checked(layout, *pair) for pair in _pairs(candidates))


def _pairs(candidates: object) -> Iterable[tuple[object, object]]:
    if isinstance(candidates, Mapping):
        return candidates.items()
    what = shown(candidates)
    raise PuzzleError(f"candidates is {what}; it must be a bool or a mapping of cells to digits")


def _checked(layout: Layout, cell: object, digits: object) -> tuple[Cell, tuple[int, ...]]:
    """A cell and its candidates, checked; `PuzzleError` or `LayoutError` if they are wrong."""
    place = checked_cell(cell)
    if place not in layout.index:
        raise PuzzleError(f"the candidates of {cell_name(*place)}: {layout} has no such cell")
    found = []
    for each in digits if is_iterable(digits) else (digits,):
        digit = integer(each, most=layout.side)
        if digit is None:
            raise PuzzleError(
                f"the candidate {shown(each)} of {cell_name(*place)} is not a digit "
                f"from 1 to {layout.side}"
            )
        found.append(digit)
    return place, tuple(sorted(found))


def _digits(grid: Grid, puzzle: Grid | None, places: Places) -> Iterable[str]:
    """Draws the digits: givens bold and black, others thin and blue, so that prints differ too."""
    for cell, digit in grid.values.items():
        x, y = places.center(cell)
        given = puzzle is None or puzzle.values.get(cell) == digit
        look = 'font-weight="bold"' if given else 'fill="#1b4f9c"'
        yield (
            f'<text class="{"given" if given else "solved"}" x="{x:g}" y="{y + 9:g}" {look} '
            f'font-size="26" text-anchor="middle">{symbol(digit)}</text>'
        )


def _candidates(
    grid: Grid,
    shown: Mapping[Cell, Iterable[int]],
    discs: Mapping[tuple[int, int, int], str],
    places: Places,
) -> Iterable[str]:
    size = figure_size(grid.layout)
    filled = grid.values
    for cell, digits in shown.items():
        if cell in filled:
            continue
        for digit in digits:
            x, y = candidate_place(grid.layout, places, cell, digit)
            color = discs.get((*cell, digit))
            if color is not None:
                yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{0.62 * size:.1f}" fill="{color}"/>'
            yield (
                f'<text class="candidate" x="{x:.1f}" y="{y + 0.35 * size:.1f}" '
                f'font-size="{size:.1f}" fill="#333" text-anchor="middle">'
                f"{symbol(digit)}</text>"
            )


def candidate_place(layout: Layout, places: Places, cell: Cell, digit: int) -> tuple[float, float]:
    """The position of a candidate in its cell, beside the border and the sum of a cage."""
    across, down, step_x, step_y = _figures(layout)
    left, top = places.corner(cell)
    row, column = divmod(digit - 1, _wide(layout))
    return left + across + step_x * (column + 0.5), top + down + step_y * (row + 0.5)


def figure_size(layout: Layout) -> float:
    """The font size of candidates.

    >>> figure_size(Layout(3, 3)) > figure_size(Layout(4, 4)) > 0
    True
    """
    return 0.8 * _figures(layout)[3]


def _wide(layout: Layout) -> int:
    return ceil(sqrt(layout.side))


def _figures(layout: Layout) -> tuple[float, float, float, float]:
    """The margins (x, y) and the steps (x, y) of the candidates in a cell."""
    caged = any(isinstance(rule, Cage) for rule in layout.rules)
    across, down = (6, 12) if caged else (2, 2)
    bottom = 5 if caged else 2
    wide = _wide(layout)
    step = (SIDE - down - bottom) / wide
    free = step * (wide - ceil(layout.side / wide))  # the height of rows that 6 or 12 digits leave
    return across, down + free / 2, (SIDE - 2 * across) / wide, step


def _wrapped(line: str, places: Places) -> list[str]:
    from textwrap import wrap

    return wrap(line, max(16, int(places.inside / 6.6)))


def _picture(places: Places, drawn: Iterable[str], lines: list[str]) -> str:
    width, height = places.width, places.height + (CAPTION * len(lines) + 6 if lines else 0)
    words = "".join(
        f'<text x="{places.first}" y="{places.height + 8 + CAPTION * number}" font-size="12">'
        f"{markup(line)}</text>"
        for number, line in enumerate(lines)
    )
    inside = "\n".join(piece for piece in drawn if piece)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="{FONT}" role="img" aria-label="Sudoku">\n'
        f'<rect width="{width}" height="{height}" fill="#fff"/>\n{inside}\n{words}\n</svg>\n'
    )
