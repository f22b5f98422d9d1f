"""`step_svg`, which draws a hint in its position: cells, candidates, chains, what it changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import hypot
from typing import TYPE_CHECKING, Final

from sudoku.board.candidates import candidates_of
from sudoku.board.cells import cell_name
from sudoku.drawing.board import (
    Highlights,
    board_svg,
    candidate_place,
    checked_candidates,
    figure_size,
    places_of,
)
from sudoku.drawing.frame import SIDE, Places
from sudoku.errors import PuzzleError, shown

if TYPE_CHECKING:
    from sudoku.board.cells import Cell
    from sudoku.board.grid import CellDigits, Grid
    from sudoku.board.layout import Layout
    from sudoku.board.pattern import Candidate, Link
    from sudoku.board.step import Step

__all__ = ["house_cells", "link_paths", "step_svg"]

GROUND: Final = "#dff3e4"
PLACED, REMOVED = "#7fd39a", "#f4a79d"
ROLES: Final = {
    "base": "#a9dfb7",
    "fin": "#ffd98a",
    "on": "#a9d3f5",
    "off": "#ffe08a",
    "a": "#a9d3f5",
    "b": "#ffd98a",
    "c": "#d9c2f0",
    "d": "#bfe3d5",
}
OTHER: Final = "#d5d9de"
RINGS: Final = {
    "fin": 'stroke-width="0.8"',
    "off": 'stroke-width="0.8"',
    "b": 'stroke-width="0.8"',
    "d": 'stroke-width="0.8" stroke-dasharray="2 1.5"',
}


def step_svg(
    puzzle: Grid,
    step: Step,
    *,
    filled: Grid | None = None,
    removed: Iterable[Candidate] = (),
    candidates: CellDigits | None = None,
    edge: bool = False,
) -> str:
    """The picture of a position with a step of `sudoku.hints`, and the step's sentence below.

    `filled` and `removed` are as in `sudoku.hints`: the digits filled in and the candidates crossed
    out before the step. `candidates` are those of some or all empty cells; other cells have all
    that houses and rules do not exclude. With `edge`, rows and columns have their names.

    Candidates of the pattern are on discs, removed candidates on red discs and struck through,
    placed digits on green discs with a ring. Fins, and one of the two sides of colors and chains,
    have a thin ring. Strong links of chains are solid lines, weak links dashed. A step without
    cells, such as the first of `Step.stages`, has its houses in color.

    Raises `PuzzleError` if `step` is not a step, or has cells that are not in the grid.

    >>> import sudoku
    >>> puzzle = sudoku.parse("1... .2.. ..3. 4...")
    >>> step_svg(puzzle, next(sudoku.hints(puzzle)))[:4]
    '<svg'
    """
    grid = puzzle if filled is None else filled
    _check_step(step, grid.layout)
    gone = set(removed)
    all_candidates = {**candidates_of(grid), **checked_candidates(grid.layout, candidates or {})}
    shown = {
        cell: [digit for digit in digits if (*cell, digit) not in gone]
        for cell, digits in all_candidates.items()
    }
    discs = {
        (mark.row, mark.column, mark.digit): ROLES.get(mark.role, OTHER)
        for mark in step.pattern.marks
        if mark.role != "peer"
    }
    discs |= dict.fromkeys(step.placements, PLACED) | dict.fromkeys(step.eliminations, REMOVED)
    for row, column, digit in discs:
        cell = (row, column)
        if cell in shown and digit not in shown[cell]:
            shown[cell] = sorted({*shown[cell], digit})
    places = places_of(grid.layout, edge=edge)
    return board_svg(
        grid,
        puzzle=puzzle,
        candidates=shown,
        highlights=Highlights(
            cells=step.cells or _joined(house_cells(grid.layout, step)),
            color=GROUND,
            discs=discs,
            above=[
                *_peers(places, step),
                *_rings(grid, places, step),
                *_struck(grid, places, step.eliminations),
                *_links(grid, places, step.pattern.links),
            ],
        ),
        caption=f"{step.technique}: {step.sentence}" if step.technique else step.sentence,
        edge=edge,
    )


def house_cells(layout: Layout, step: Step) -> list[list[Cell]]:
    """The cells of each house in the pattern of a step."""
    cells = {house.name: house.cells for house in layout.houses}
    return [[layout.positions[cell] for cell in cells[name]] for name in step.pattern.houses]


def _joined(houses: list[list[Cell]]) -> list[Cell]:
    return [cell for house in houses for cell in house]


def _check_step(step: object, layout: Layout) -> None:
    from sudoku.board.step import Step

    if not isinstance(step, Step):
        raise PuzzleError(f"{shown(step)} is not a hint; expected a step of sudoku.hints")
    marks = [
        *step.placements,
        *step.eliminations,
        *((m.row, m.column, 0) for m in step.pattern.marks),
    ]
    for cell in (*step.cells, *((row, column) for row, column, _ in marks)):
        if cell not in layout.index:
            raise PuzzleError(f"the hint is about {cell_name(*cell)}: {layout} has no such cell")
    known = {house.name for house in layout.houses}
    for name in step.pattern.houses:
        if name not in known:
            raise PuzzleError(f"the hint is about {name}: {layout} has no such house")


def _struck(grid: Grid, places: Places, removed: Iterable[Candidate]) -> Iterator[str]:
    """Strokes through the removed candidates, for readers that cannot see the red."""
    for row, column, digit in removed:
        x, y = candidate_place(grid.layout, places, (row, column), digit)
        yield f'<path d="M{x - 5:.1f} {y + 4:.1f}l10 -8" stroke="#b3261e" stroke-width="1.2"/>'


def link_paths(layout: Layout, places: Places, links: Iterable[Link]) -> Iterator[tuple[str, bool]]:
    """Yields for each link of a chain its SVG path, and whether the link is strong."""

    def middle(candidates: tuple[Candidate, ...]) -> tuple[float, float]:
        found = [candidate_place(layout, places, (r, c), digit) for r, c, digit in candidates]
        return sum(x for x, _ in found) / len(found), sum(y for _, y in found) / len(found)

    for link in links:
        (x1, y1), (x2, y2) = middle(link.source), middle(link.target)
        length = hypot(x2 - x1, y2 - y1)
        if length < 1:  # a link from a group to a cell in the middle of it
            continue
        dx, dy = (x2 - x1) / length, (y2 - y1) / length
        bend = min(12.0, length / 5)  # keeps links on the same line apart
        x3, y3 = (x1 + x2) / 2 - bend * dy, (y1 + y2) / 2 + bend * dx
        path = (
            f"M{x1 + 6 * dx:.1f} {y1 + 6 * dy:.1f}Q{x3:.1f} {y3:.1f} "
            f"{x2 - 6 * dx:.1f} {y2 - 6 * dy:.1f}"
        )
        yield path, link.strong


def _links(grid: Grid, places: Places, links: Iterable[Link]) -> Iterator[str]:
    for path, strong in link_paths(grid.layout, places, links):
        dashes = "" if strong else ' stroke-dasharray="4 3"'
        yield f'<path d="{path}" fill="none" stroke="#b3261e" stroke-width="1.4"{dashes}/>'


def _peers(places: Places, step: Step) -> Iterator[str]:
    """Rings around the digits that rule out other cells."""
    for mark in step.pattern.marks:
        if mark.role == "peer":
            x, y = places.center((mark.row, mark.column))
            yield (
                f'<circle cx="{x:g}" cy="{y:g}" r="{0.4 * SIDE:g}" fill="none" stroke="#2f8f4e" '
                'stroke-width="1.5"/>'
            )


def _rings(grid: Grid, places: Places, step: Step) -> Iterator[str]:
    """Rings around the discs of one of two sides and of placed digits, for prints in black."""
    radius = 0.62 * figure_size(grid.layout)
    rings = {
        (mark.row, mark.column, mark.digit): RINGS[mark.role]
        for mark in step.pattern.marks
        if mark.role in RINGS
    }
    rings |= dict.fromkeys(step.placements, 'stroke-width="1.5"')
    for (row, column, digit), look in rings.items():
        x, y = candidate_place(grid.layout, places, (row, column), digit)
        yield (
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="none" stroke="#333" {look}/>'
        )
