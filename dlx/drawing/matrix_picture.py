"""The matrix of an exact cover problem as an SVG picture, with the part that givens leave."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable
from itertools import groupby
from typing import TYPE_CHECKING, Final

from dlx.core.entries import item_of
from dlx.core.picture import Picture, svg_picture
from dlx.errors import InvalidArgument, counted
from dlx.escapes import markup

if TYPE_CHECKING:
    from dlx.core.view import ProblemView

__all__ = ["matrix_picture"]

MOST: Final = 3000  # items or options, and about the most pixels
MOST_ENTRIES: Final = 100_000
WIDEST: Final = 12  # pixels from one entry to the next
MARGIN: Final = 24
GIVEN, LIVE, GONE = "#2ca02c", "#111111", "#c8c8c8"


def matrix_picture(problem: ProblemView, taken: Collection[Hashable], left: ProblemView) -> Picture:
    """See `Problem.matrix_picture`; `taken` names the givens, and `left` is what they leave."""
    columns, rows = len(problem.items), len(problem)
    if max(columns, rows) > MOST or problem.entry_count > MOST_ENTRIES:
        raise InvalidArgument(
            f"the matrix has {counted(columns, 'column')}, {counted(rows, 'row')} and "
            f"{counted(problem.entry_count, 'entry')}; a picture shows up to {MOST} columns and "
            f"rows and {MOST_ENTRIES} entries: draw what is left under more givens (residual)"
        )
    pixels = min(WIDEST, max(1, MOST // max(columns, rows, 1)))
    place = {item: MARGIN + number * pixels for number, item in enumerate(problem.items)}
    names, live = problem.names, set(left.names)
    dots: dict[str, list[str]] = {GONE: [], LIVE: [], GIVEN: []}
    size = max(1, pixels - 1)
    for index, option in enumerate(problem.options):
        name = names[index]
        color = GIVEN if name in taken else LIVE if name in live else GONE
        y = MARGIN + index * pixels
        dots[color].extend(
            f"M{place[item_of(entry)]} {y}h{size}v{size}h-{size}z" for entry in option
        )
    width, height = columns * pixels + 2 * MARGIN, rows * pixels + 2 * MARGIN
    drawn = [*_kinds(problem, place, height)]
    drawn += [f'<path fill="{color}" d="{"".join(path)}"/>' for color, path in dots.items() if path]
    return svg_picture(width, height, drawn)


def _kinds(problem: ProblemView, place: dict[Hashable, int], height: int) -> Iterable[str]:
    """A line and a word before each run of items that begin with the same word: ("cell", 1, 2)."""
    for kind, run in groupby(problem.items, _kind):
        x = place[next(run)]
        if kind:
            yield f'<path stroke="#8888cc" stroke-width=".5" d="M{x - 0.5} 4V{height - MARGIN}"/>'
            yield f'<text x="{x + 2}" y="16">{markup(kind)}</text>'


def _kind(item: Hashable) -> str:
    return item[0] if isinstance(item, tuple) and item and isinstance(item[0], str) else ""
