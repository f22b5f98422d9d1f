"""Layouts drawn at random on a solved grid: killer, jigsaw, thermometer, arrow and kropki.

A kind has a function that draws a layout, given a base such as the classic 9x9, and returns it with
a solved grid that satisfies its rules. `generate` then removes givens from that grid. The cages of
a killer are changed until it is unique without any given. Where that fails, as on most 4x4 grids
and on large ones, it gets givens as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations
from typing import NamedTuple

from dlx import InvalidArgument
from sudoku.board.cells import Cell, neighbours
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.errors import LayoutError, NoPuzzle, NoSolution, nearest, shorten, shown
from sudoku.generation.grids import grid_from_rng
from sudoku.generation.random import SeededRandom
from sudoku.generation.shapes import (
    MAX_CAGE,
    arrow_paths,
    cages_of,
    connected,
    regions_of,
    rising_paths,
)
from sudoku.rules.cover import cover_within
from sudoku.rules.layouts import arrows, jigsaw, killer, kropki, named, thermometers
from sudoku.solving.deadline import Deadline, timed_out

__all__ = ["DrawnPuzzle", "KINDS", "check_kind", "draw", "layout_and_kind"]

Digits = dict[Cell, int]
Cages = list[set[Cell]]
Path = tuple[Cell, ...]

MAX_NODES = 300_000  # of a search for other solutions of a killer
MAX_OTHERS = 30  # other solutions that such a search collects
MAX_DRAWS = 100  # solved grids, or jigsaws, after which drawing fails
MAX_CHANGES = 60  # searches, after which new cages are drawn
MAX_REPAIRS = 200  # changes after one search: some cages change to and fro for ever
MAX_KILLERS = 10  # sets of cages, after which the killer gets givens
MAX_LONG_SEARCHES = 12  # searches beyond `MAX_NODES` for one puzzle, after which it gets givens


class DrawnPuzzle(NamedTuple):
    """A layout drawn at random, and a grid that it fits."""

    layout: Layout
    """The layout with its rules."""
    solution: Grid
    """A solved grid of the layout."""
    needs_givens: bool
    """Whether the layout has more solutions; False if givens are not needed at all."""


def check_kind(kind: object) -> str:
    """The name of the kind; raises `InvalidArgument`, with the nearest name, for another value.

    >>> check_kind("killr")
    Traceback (most recent call last):
    ...
    dlx.errors.InvalidArgument: unknown kind 'killr': did you mean killer?
    """
    if isinstance(kind, str):
        name = _ALIASES.get(kind, kind)
        if name in _DRAW:
            return name
    raise InvalidArgument(f"unknown kind {shown(kind)}: {nearest(kind, KINDS)}")


def layout_and_kind(name: str) -> tuple[Layout | None, str | None]:
    """The layout and the kind of a name such as "diagonal", "killer" or "2x3 + killer".

    >>> layout_and_kind("2x3 + killer")
    (Layout(2, 3), 'killer')

    Raises `LayoutError` for an unknown name, or for two kinds.
    """
    parts = [part.strip().lower() for part in name.split("+")]
    kinds = [_ALIASES.get(part, part) for part in parts if _ALIASES.get(part, part) in _DRAW]
    rest = [part for part in parts if _ALIASES.get(part, part) not in _DRAW]
    if len(kinds) > 1:
        raise LayoutError(f"{shorten(name)} has {len(kinds)} kinds to draw; expected one at most")
    for part in rest:
        hint = nearest(part, KINDS, cutoff=0.75)
        if hint.startswith("did you mean"):
            raise LayoutError(f"unknown layout {shorten(part)}; {hint}")
    return named("+".join(rest)) if rest else None, kinds[0] if kinds else None


def draw(kind: str, base: Layout, rng: SeededRandom, deadline: Deadline) -> DrawnPuzzle:
    """A random layout of the kind on the base, with a solved grid that it fits.

    Raises `LayoutError` if the base does not suit, `NoSolution` if it has no grid, `NoPuzzle` if no
    shapes were found, as in tiny grids, and `dlx.SearchInterrupted` at the deadline.
    """
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


def _thermometers(base: Layout, rng: SeededRandom, deadline: Deadline) -> DrawnPuzzle:
    grid, paths = _grid_with_paths(rising_paths, base, rng, deadline)
    layout = thermometers(paths, base)
    return DrawnPuzzle(layout, _on(layout, grid), True)


def _arrows(base: Layout, rng: SeededRandom, deadline: Deadline) -> DrawnPuzzle:
    grid, paths = _grid_with_paths(arrow_paths, base, rng, deadline)
    layout = arrows([(path[0], path[1:]) for path in paths], base)
    return DrawnPuzzle(layout, _on(layout, grid), True)


def _grid_with_paths(
    find: Callable[[Digits, SeededRandom], list[Path]],
    base: Layout,
    rng: SeededRandom,
    deadline: Deadline,
) -> tuple[Grid, list[Path]]:
    """A solved grid, and the paths found on it: at least one."""
    for _ in range(MAX_DRAWS):
        grid = grid_from_rng(base, rng, deadline.left)
        if paths := find(_digits(grid), rng):
            return grid, paths
    raise NoPuzzle(f"no thermometer or arrow fits on {base}, in {MAX_DRAWS} solved grids")


def _kropki(base: Layout, rng: SeededRandom, deadline: Deadline) -> DrawnPuzzle:
    """Has all dots of the grid; between 1 and 2 the color is drawn at random."""
    grid = grid_from_rng(base, rng, deadline.left)
    digits = _digits(grid)
    white: list[tuple[Cell, Cell]] = []
    black: list[tuple[Cell, Cell]] = []
    for cell in base.positions:
        for other in neighbours(cell)[2:]:  # right and down
            if other in digits:
                small, large = sorted((digits[cell], digits[other]))
                colors = [white] * (large - small == 1) + [black] * (large == 2 * small)
                if colors:
                    colors[rng.below(len(colors))].append((cell, other))
    layout = kropki(white, black, negative=True, base=base)
    return DrawnPuzzle(layout, _on(layout, grid), True)


def _killer(base: Layout, rng: SeededRandom, deadline: Deadline) -> DrawnPuzzle:
    """Has no givens if some cages are unique; otherwise the last cages, which need givens."""
    long_searches = failed = 0
    for _ in range(MAX_DRAWS):
        grid = grid_from_rng(base, rng, deadline.left)
        digits = _digits(grid)
        first = cages_of(digits, rng)
        if first is None:
            deadline.check()
            continue
        allowed = MAX_LONG_SEARCHES - long_searches
        cages, is_unique, more = _improved(base, digits, first, rng, allowed, deadline)
        long_searches += more
        failed += not is_unique
        if is_unique or failed == MAX_KILLERS or long_searches >= MAX_LONG_SEARCHES:
            layout = _with_cages(cages, digits, base)
            return DrawnPuzzle(layout, _on(layout, grid), not is_unique)
    raise NoPuzzle(f"no cages of 2 to {MAX_CAGE} cells fill {base}, in {MAX_DRAWS} solved grids")


def _improved(
    base: Layout, digits: Digits, cages: Cages, rng: SeededRandom, allowed: int, deadline: Deadline
) -> tuple[Cages, bool, int]:
    """The cages after changes, whether they have one solution, and the number of long searches.

    At most `allowed` long searches are made: those that end at `MAX_NODES`.
    """
    known: list[Digits] = []  # other solutions of the cages so far
    long_searches = 0
    for _ in range(MAX_CHANGES):
        deadline.check()
        others = _other_solutions(_with_cages(cages, digits, base), digits, deadline)
        if others == []:
            return cages, True, long_searches
        if others is None:  # a long search: smaller cages make it shorter
            long_searches += 1
            changed = _split(cages, rng)
        else:
            known += others
            changed = _repaired(cages, digits, known, rng)
        if changed is None or long_searches >= allowed:
            break
        cages = changed
    return cages, False, long_searches


def _repaired(cages: Cages, digits: Digits, known: list[Digits], rng: SeededRandom) -> Cages | None:
    """The cages after changes that exclude all known other solutions; None if that fails."""
    for _ in range(MAX_REPAIRS):
        other = _unbroken(cages, digits, known)
        if other is None:
            return cages
        changed = _breaking(cages, digits, other, known, rng)
        if changed is None:
            return None
        cages = changed
    return None


def _with_cages(cages: Cages, digits: Digits, base: Layout) -> Layout:
    return killer([(_sum(cage, digits), cage) for cage in cages], base)


def _other_solutions(layout: Layout, digits: Digits, deadline: Deadline) -> list[Digits] | None:
    """Other solutions than these digits, a few at most; None if a long search finds none."""
    others: list[Digits] = []
    with cover_within(layout, deadline.left).solutions(
        limit=MAX_OTHERS, node_limit=MAX_NODES, timeout=deadline.left
    ) as search:
        for solution in search:
            found = {name[:2]: name[2] for name in solution if isinstance(name[0], int)}
            if found != digits:
                others.append(found)
        if search.stopped_by == "timeout":
            raise timed_out()
        return others if others or search.exhausted else None


def _sum(cage: Iterable[Cell], digits: Digits) -> int:
    return sum(digits[cell] for cell in cage)


def _breaks(cage: set[Cell], digits: Digits, other: Digits) -> bool:
    """Whether the other digits are wrong in the cage with the sum of the first."""
    inside = [other[cell] for cell in cage]
    return sum(inside) != _sum(cage, digits) or len(set(inside)) < len(inside)


def _unbroken(cages: Cages, digits: Digits, known: list[Digits]) -> Digits | None:
    """The first of the known grids that satisfies all cages."""
    for other in known:
        if not any(_breaks(cage, digits, other) for cage in cages):
            return other
    return None


def _breaking(
    cages: Cages, digits: Digits, other: Digits, known: list[Digits], rng: SeededRandom
) -> Cages | None:
    """The cages after a change that excludes the other solution and the fewest known others.

    None if there is no such change. A cell moves to another cage, or a cage becomes two.
    """
    best: tuple[int, Cages] | None = None
    changes = [*_moves(cages, digits, other), *_splits(cages)]
    for old, new in rng.shuffled(changes):
        if not any(_breaks(cage, digits, other) for cage in new):
            continue
        changed = [cage for number, cage in enumerate(cages) if number not in old] + new
        left = sum(not any(_breaks(c, digits, each) for c in changed) for each in known)
        if best is None or left < best[0]:
            best = left, changed
        if left == 0:
            break
    return None if best is None else best[1]


def _moves(
    cages: Cages, digits: Digits, other: Digits
) -> list[tuple[tuple[int, ...], list[set[Cell]]]]:
    """The moves of one cell to a cage beside it: the numbers of both cages, and their new cells.

    Only cells whose digit differs in the other solution, and cages that stay connected.
    """
    owner = {cell: number for number, cage in enumerate(cages) for cell in cage}
    found: list[tuple[tuple[int, ...], list[set[Cell]]]] = []
    for cell in sorted(owner):
        old = owner[cell]
        rest = cages[old] - {cell}
        if other[cell] == digits[cell] or len(rest) < 2 or not connected(rest):
            continue
        for new in sorted({owner[near] for near in neighbours(cell) if near in owner} - {old}):
            grown = cages[new] | {cell}
            if len(grown) <= MAX_CAGE and digits[cell] not in {digits[c] for c in cages[new]}:
                found.append(((old, new), [rest, grown]))
    return found


def _splits(cages: Cages) -> list[tuple[tuple[int, ...], list[set[Cell]]]]:
    """The ways to make two connected cages of one: its number, and the new cages."""
    found: list[tuple[tuple[int, ...], list[set[Cell]]]] = []
    for number, cage in enumerate(cages):
        for pair in combinations(sorted(cage), 2):
            part, rest = set(pair), cage - set(pair)
            if len(rest) >= 2 and connected(part) and connected(rest):
                found.append(((number,), [part, rest]))
    return found


def _split(cages: Cages, rng: SeededRandom) -> Cages | None:
    """The cages after one of the largest has become two; None if all have 2 or 3 cells."""
    splits = _splits(sorted(cages, key=lambda cage: (-len(cage), min(cage))))
    cages = sorted(cages, key=lambda cage: (-len(cage), min(cage)))
    if not splits:
        return None
    largest = max(len(cages[old[0]]) for old, _ in splits)
    splits = [(old, new) for old, new in splits if len(cages[old[0]]) == largest]
    [old], new = splits[rng.below(len(splits))]
    return [cage for number, cage in enumerate(cages) if number != old] + new


def _digits(grid: Grid) -> Digits:
    return dict(zip(grid.layout.positions, grid.cells, strict=True))


def _on(layout: Layout, grid: Grid) -> Grid:
    """The grid in a layout of the same cells."""
    return Grid.from_cells(grid.cells, layout)


_DRAW: dict[str, Callable[[Layout, SeededRandom, Deadline], DrawnPuzzle]] = {
    "arrow": _arrows,
    "jigsaw": _jigsaw,
    "killer": _killer,
    "kropki": _kropki,
    "thermometer": _thermometers,
}
_ALIASES = {"arrows": "arrow", "thermometers": "thermometer", "thermo": "thermometer"}

KINDS = tuple(_DRAW)
"""The kinds whose layouts `generate` draws at random."""
