"""Layouts drawn at random on a solved grid: killer, jigsaw, thermometer, arrow and so on.

A kind has a function that draws a layout, given a base such as the classic 9x9, and returns it with
a solved grid that satisfies its rules. `generate` then removes givens from that grid. The cages of
a killer are changed until it is unique without any given. Where that fails, as on most 4x4 grids
and on large ones, it gets givens as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from dlx import InvalidArgument
from sudoku.board.cells import Cell, neighbours
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout, checked_layout
from sudoku.errors import LayoutError, NoPuzzle, NoSolution, nearest, shorten, shown
from sudoku.generation.cages import (
    MAX_CAGE,
    Change,
    cages_of,
    changed,
    improved,
    other_solutions,
    splits,
    with_cages,
)
from sudoku.generation.grids import grid_from_rng
from sudoku.generation.random import SeededRandom
from sudoku.generation.shapes import (
    arrow_paths,
    regions_of,
    renban_paths,
    rising_paths,
    whisper_paths,
)
from sudoku.generation.symmetries import images
from sudoku.rules import Cage
from sudoku.rules.layouts import (
    arrows,
    jigsaw,
    kropki,
    named,
    renban,
    sandwiches,
    thermometers,
    whispers,
    xv,
)
from sudoku.solving.deadline import Deadline

if TYPE_CHECKING:
    from sudoku.generation.difficulty import Goal

__all__ = [
    "DrawnPuzzle",
    "KINDS",
    "bands_of",
    "check_kind",
    "draw",
    "layout_and_kind",
    "split_cages",
]

Digits = dict[Cell, int]
Path = tuple[Cell, ...]
Pair = tuple[Cell, Cell]

MAX_KILLERS = 10  # sets of cages, after which the killer gets givens
MAX_LONG_SEARCHES = 12  # searches beyond `MAX_NODES` for one puzzle, after which it gets givens
GRIDS = 5  # solved grids, of which one has the longest line
MAX_DRAWS = 100  # solved grids, or jigsaws, after which drawing fails


class DrawnPuzzle(NamedTuple):
    """A layout drawn at random, and a grid that it fits."""

    layout: Layout
    """The layout with its rules."""
    solution: Grid
    """A solved grid of the layout."""
    needs_givens: bool
    """Whether the layout has more solutions; False if givens are not needed at all."""


Draw = Callable[[Layout, SeededRandom, Deadline], DrawnPuzzle]


def check_kind(kind: object) -> str:
    """The name of the kind; raises `InvalidArgument`, with the nearest name, for another value.

    >>> check_kind("killr")
    Traceback (most recent call last):
    ...
    dlx.errors.InvalidArgument: unknown kind 'killr': did you mean killer?
    """
    if isinstance(kind, str):
        name = _ALIASES.get(kind, kind)
        if name in KINDS:
            return name
    raise InvalidArgument(f"unknown kind {shown(kind)}: {nearest(kind, KINDS)}")


def layout_and_kind(name: str) -> tuple[Layout | None, str | None]:
    """The layout and the kind of a name such as "diagonal", "killer" or "2x3 + killer".

    >>> layout_and_kind("2x3 + killer")
    (Layout(2, 3), 'killer')

    Raises `LayoutError` for an unknown name, or for two kinds.
    """
    parts = [part.strip().lower() for part in name.split("+")]
    kinds = [_ALIASES.get(part, part) for part in parts if _ALIASES.get(part, part) in KINDS]
    rest = [part for part in parts if _ALIASES.get(part, part) not in KINDS]
    if len(kinds) > 1:
        raise LayoutError(f"{shorten(name)} has {len(kinds)} kinds to draw; expected one at most")
    for part in rest:
        hint = nearest(part, KINDS, cutoff=0.75)
        if hint.startswith("did you mean"):
            raise LayoutError(f"unknown layout {shorten(part)}; {hint}")
    return named("+".join(rest)) if rest else None, kinds[0] if kinds else None


def bands_of(name: str) -> tuple[str, ...]:
    """The difficulties that `generate` offers for the name of a layout or a kind.

    >>> bands_of("killer"), bands_of("2x2"), bands_of("5x5")
    (('gentle', 'easy', 'medium', 'hard', 'extreme'), ('gentle', 'easy'), ())
    """
    from sudoku.generation.difficulty import offered
    from sudoku.hinting.geometry import has_hints

    layout, kind = layout_and_kind(name)
    base = checked_layout(layout)
    return offered(kind or str(base)) if has_hints(base) else ()


def draw(
    kind: str, base: Layout, rng: SeededRandom, deadline: Deadline, symmetry: str = "none"
) -> DrawnPuzzle:
    """A random layout of the kind on the base, with a solved grid that it fits.

    The cages of a killer have the symmetry.

    Raises `LayoutError` if the base does not suit, `NoSolution` if it has no grid, `NoPuzzle` if no
    shapes were found, as in tiny grids, and `dlx.SearchInterrupted` at the deadline.
    """
    if kind == "killer":
        return _killer(base, rng, deadline, symmetry)
    return _DRAW[kind](base, rng, deadline)


def _jigsaw(base: Layout, rng: SeededRandom, deadline: Deadline) -> DrawnPuzzle:
    if not base.is_classic:
        raise LayoutError(f"a jigsaw is drawn from boxes; {base} has more than rows and boxes")
    boxes = [
        [base.positions[cell] for cell in house.cells]
        for house in base.houses
        if house.kind == "box"
    ]
    for _ in range(MAX_DRAWS):
        layout = jigsaw(regions_of(boxes, rng))
        try:
            return DrawnPuzzle(layout, grid_from_rng(layout, rng, deadline.left), True)
        except NoSolution:  # a few jigsaws have no grid at all
            deadline.check()
    raise NoPuzzle(f"no jigsaw with a solved grid among {MAX_DRAWS} of {base}")


def _lines(
    find: Callable[[Digits, SeededRandom], list[Path]],
    make: Callable[[list[Path], Layout], Layout],
) -> Draw:
    """Draws the lines found on a solved grid: at least one, on the grid with the longest."""

    def draw_lines(base: Layout, rng: SeededRandom, deadline: Deadline) -> DrawnPuzzle:
        drawn: list[tuple[Grid, list[Path]]] = []
        for _ in range(MAX_DRAWS):
            grid = grid_from_rng(base, rng, deadline.left)
            if paths := find(_digits(grid), rng):
                drawn.append((grid, paths))
            if len(drawn) == GRIDS:
                break
        if drawn:
            grid, paths = max(drawn, key=lambda each: max(map(len, each[1])))
            layout = make(paths, base)
            return DrawnPuzzle(layout, _on(layout, grid), True)
        raise NoPuzzle(f"no line of the kind fits on {base}, in {MAX_DRAWS} solved grids")

    return draw_lines


def _marks(
    kinds: Sequence[Callable[[int, int], bool]],
    make: Callable[[list[list[Pair]], Layout], Layout],
) -> Draw:
    """Draws all marks between neighbours; of several kinds that fit, one at random.

    A kind says whether two digits, the smaller first, are marked.
    """

    def draw_marks(base: Layout, rng: SeededRandom, deadline: Deadline) -> DrawnPuzzle:
        grid = grid_from_rng(base, rng, deadline.left)
        digits = _digits(grid)
        marks: list[list[Pair]] = [[] for _ in kinds]
        for cell in base.positions:
            for other in neighbours(cell)[2:]:  # right and down
                if other in digits:
                    small, large = sorted((digits[cell], digits[other]))
                    fit = [kind for kind, fits in enumerate(kinds) if fits(small, large)]
                    if fit:
                        marks[fit[rng.below(len(fit))]].append((cell, other))
        layout = make(marks, base)
        return DrawnPuzzle(layout, _on(layout, grid), True)

    return draw_marks


def _sandwich(base: Layout, rng: SeededRandom, deadline: Deadline) -> DrawnPuzzle:
    """Has the sums of all rows and columns."""
    grid = grid_from_rng(base, rng, deadline.left)
    sums: dict[str, int] = {}
    for house in base.houses:
        if house.kind in ("row", "column"):
            inside = [grid.cells[cell] for cell in house.cells]
            first, last = sorted((inside.index(1), inside.index(base.side)))
            sums[f"{house.kind} {house.number}"] = sum(inside[first + 1 : last])
    layout = sandwiches(sums, base)
    return DrawnPuzzle(layout, _on(layout, grid), True)


def _killer(base: Layout, rng: SeededRandom, deadline: Deadline, symmetry: str) -> DrawnPuzzle:
    """Has no givens if some cages are unique; otherwise the last cages, which need givens."""
    maps = cell_images(base, symmetry)
    long_searches = failed = 0
    for _ in range(MAX_DRAWS):
        grid = grid_from_rng(base, rng, deadline.left)
        digits = _digits(grid)
        first = cages_of(digits, rng, maps)
        if first is None:
            deadline.check()
            continue
        allowed = MAX_LONG_SEARCHES - long_searches
        cages, is_unique, more = improved(base, digits, first, maps, rng, allowed, deadline)
        long_searches += more
        failed += not is_unique
        if is_unique or failed == MAX_KILLERS or long_searches >= MAX_LONG_SEARCHES:
            layout = with_cages(cages, digits, base)
            return DrawnPuzzle(layout, _on(layout, grid), not is_unique)
    raise NoPuzzle(f"no cages of 2 to {MAX_CAGE} cells fill {base}, in {MAX_DRAWS} solved grids")


def cell_images(layout: Layout, symmetry: str) -> list[dict[Cell, Cell]]:
    """The rotations and reflections of a symmetry as mappings of cells."""
    cells = layout.positions
    return [
        {cell: cells[to] for cell, to in zip(cells, image, strict=True)}
        for image in images(layout, symmetry)
    ]


def split_cages(
    drawn: DrawnPuzzle,
    base: Layout,
    goal: Goal,
    symmetry: str,
    rng: SeededRandom,
    deadline: Deadline,
) -> Grid | None:
    """The killer, without givens, after splits of cages that reach the goal; None if none do."""
    from sudoku.generation.difficulty import reach

    digits = _digits(drawn.solution)
    cages = [frozenset(rule.cells) for rule in drawn.layout.rules if isinstance(rule, Cage)]

    def after(some: Sequence[Change]) -> Grid:
        now = cages
        for change in some:
            if set(change[0]) <= set(now):
                now = changed(now, change)
        layout = with_cages(now, digits, base)
        return Grid.from_cells((0,) * layout.size, layout)

    ways = splits(cages, digits, cell_images(base, symmetry), rng)
    puzzle = reach(after, ways, partial(goal.judge, deadline=deadline))
    # The parts of a split cage may have equal digits.
    if puzzle is None or other_solutions(puzzle.layout, digits, deadline) != []:
        return None
    return puzzle


def _digits(grid: Grid) -> Digits:
    return dict(zip(grid.layout.positions, grid.cells, strict=True))


def _on(layout: Layout, grid: Grid) -> Grid:
    """The grid in a layout of the same cells."""
    return Grid.from_cells(grid.cells, layout)


_DRAW: dict[str, Draw] = {
    "arrow": _lines(arrow_paths, lambda paths, base: arrows([(p[0], p[1:]) for p in paths], base)),
    "jigsaw": _jigsaw,
    "kropki": _marks(
        [lambda small, large: large - small == 1, lambda small, large: large == 2 * small],
        lambda marks, base: kropki(*marks, negative=True, base=base),
    ),
    "renban": _lines(renban_paths, renban),
    "sandwich": _sandwich,
    "thermometer": _lines(rising_paths, thermometers),
    "whispers": _lines(whisper_paths, lambda paths, base: whispers(paths, base=base)),
    "xv": _marks(
        [lambda small, large: small + large == 10, lambda small, large: small + large == 5],
        lambda marks, base: xv(*marks, negative=True, base=base),
    ),
}
_ALIASES = {
    "arrows": "arrow",
    "sandwiches": "sandwich",
    "thermo": "thermometer",
    "thermometers": "thermometer",
    "whisper": "whispers",
}

KINDS = tuple(sorted([*_DRAW, "killer"]))
"""The kinds whose layouts `generate` draws at random."""
