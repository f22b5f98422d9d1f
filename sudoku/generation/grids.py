"""Random solved grids.

The method depends on the size of the layout:

* Up to 36 cells and a side of 6, all grids are equally likely: they are sampled from a decision
  diagram of all grids (`dlx.Diagram.sample`). If the digits are interchangeable, the diagram holds
  only the grids whose first house is in order, and the digits are renamed at random afterwards.
* A larger grid is the first solution of a search that breaks ties between items, and orders the
  digits, at random. A search that takes long is restarted with another seed. Every grid is
  possible, but some are more likely than others.
* Beyond a side of 25 such a search may never end. Instead, the rows, columns and digits of one
  known grid are shuffled. Then, `side` times, all cells of a few digits are emptied and filled
  again by a search.
"""

from __future__ import annotations

from itertools import count
from typing import Literal

import dlx
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout, checked_layout, layout_cache
from sudoku.errors import NoSolution
from sudoku.generation.random import SeededRandom, check_seed
from sudoku.rules.cover import cover_within
from sudoku.solving.deadline import Deadline, timed_out
from sudoku.solving.solve import filled, solve

__all__ = ["grid_from_rng", "random_grid"]

DIAGRAM_CELLS = 36  # the largest layouts whose grids are sampled from a diagram
DIAGRAM_BYTES = 64 << 20  # memory limit of a diagram
NODES_PER_CELL = 256  # node limit of the shortest runs, about as long as starting a run takes
SEARCH_MAX_SIDE = 25  # the side up to which a search finds grids quickly
REFILLED_DIGITS = 3  # digits emptied at once in a larger grid


def random_grid(
    layout: Layout | None = None, seed: int | None = None, *, timeout: float | None = None
) -> Grid:
    """A random solved grid of the layout (default: 3x3 boxes).

    All grids of 4x4 and 6x6 are equally likely. Of larger ones all are possible, but not exactly
    equally likely: see `sudoku/generation/grids.py`. The same seed gives the same grid everywhere,
    except that without the compiled kernel of dlx grids of 4x4 and 6x6 are drawn as larger ones
    are.

    >>> from sudoku import Layout
    >>> print(random_grid(Layout(2, 2), seed=1))
    +-----+-----+
    | 4 3 | 1 2 |
    | 2 1 | 4 3 |
    +-----+-----+
    | 1 2 | 3 4 |
    | 3 4 | 2 1 |
    +-----+-----+

    Raises `NoSolution` if the layout has no grid, and `dlx.SearchInterrupted` after `timeout`
    seconds.
    """
    return grid_from_rng(checked_layout(layout), SeededRandom("grid", check_seed(seed)), timeout)


def grid_from_rng(layout: Layout, rng: SeededRandom, timeout: float | None = None) -> Grid:
    """A random solved grid, as `random_grid` returns it, from an existing random generator."""
    deadline = Deadline(timeout)
    if layout.size <= DIAGRAM_CELLS and layout.side <= 6:
        diagram = _diagram(layout, deadline)
        if diagram is not None:
            return _sampled(diagram, layout, rng)
    if layout.side > SEARCH_MAX_SIDE and layout.is_classic:
        return _refilled(_shuffled_pattern(layout, rng), rng, deadline)
    return _searched(layout, rng, deadline)


def _engine() -> str:
    """An engine that is available everywhere, so that a seed gives the same grid everywhere.

    Without the compiled kernel of dlx, "python" finds the grids that "links" finds.
    """
    return "python" if dlx.kernel_info().missing else "links"


def _empty(layout: Layout) -> Grid:
    return Grid.from_cells((0,) * layout.size, layout)


def _are_alike(layout: Layout) -> bool:
    """Whether the digits are interchangeable: renaming those of a grid gives a grid."""
    return bool(layout.houses) and all(rule.digits_alike for rule in layout.rules)


def _diagram(layout: Layout, deadline: Deadline) -> dlx.Diagram | None:
    """The diagram of all grids, or those with the first house in order.

    None if it is too large, or if dlx has no compiled kernel.
    """
    known = _diagram_cache(layout)
    if not known:
        first = layout.houses[0].cells if _are_alike(layout) else ()
        given = [(*layout.positions[cell], digit) for digit, cell in enumerate(first, 1)]
        try:
            known["diagram"] = cover_within(layout, deadline.left).diagram(
                given=given, memory_limit=DIAGRAM_BYTES, timeout=deadline.left
            )
        except (dlx.DiagramTooLarge, dlx.KernelMissing):
            known["diagram"] = None
    return known["diagram"]


@layout_cache
def _diagram_cache(layout: Layout) -> dict[str, dlx.Diagram | None]:
    """The cache of a layout's diagram, empty until the first call that builds it before a timeout.

    A diagram that is too large is cached as None.
    """
    return {}


def _sampled(diagram: dlx.Diagram, layout: Layout, rng: SeededRandom) -> Grid:
    if not diagram:
        raise NoSolution(f"no solved grid satisfies the rules of the layout {layout}")
    [solution] = diagram.sample(1, rng.seed())
    grid = filled(_empty(layout), solution)
    return _renamed(grid, rng) if _are_alike(layout) else grid


def _searched(layout: Layout, rng: SeededRandom, deadline: Deadline) -> Grid:
    """The first grid of a randomized search, which is restarted with a new seed if it takes long.

    With some rules, such as anti-knight, most seeds find a grid soon, and others need a thousand
    times as many nodes. The node limits of the runs follow Luby's sequence, which is optimal up to
    a constant factor for an unknown distribution (M. Luby, A. Sinclair, D. Zuckerman, "Optimal
    speedup of Las Vegas algorithms", 1993).
    """
    heuristic = _heuristic(layout)
    for run in count(1):
        nodes = NODES_PER_CELL * layout.size * _luby(run)
        # With a limit of 2 "auto" keeps the order of solutions that all engines share.
        with cover_within(layout, deadline.left).solutions(
            limit=2,
            seed=rng.seed(),
            node_limit=nodes,
            timeout=deadline.left,
            heuristic=heuristic,
        ) as search:
            found = next(search, None)
        if found is None and search.exhausted:
            raise NoSolution(f"no solved grid satisfies the rules of the layout {layout}")
        # The kernel may pass the node limit by a few nodes: then the run counts as stopped there,
        # so that every engine finds the same grid.
        if found is not None and search.stats.nodes <= nodes:
            return filled(_empty(layout), found)
        if search.stopped_by == "timeout":
            raise timed_out()
    raise AssertionError("the runs never end")


def _heuristic(layout: Layout) -> Literal["mrv", "weighted"]:
    """The name of the heuristic of such a search.

    Grids that overlap, and rules such as anti-knight, make dead ends that the same items cause
    again and again: "weighted" learns them, and takes a third of the nodes or fewer. Where
    the rules are about certain digits (non-consecutive), it does not help.
    """
    overlap = not layout.is_square
    return "weighted" if overlap or (layout.rules and _are_alike(layout)) else "mrv"


def _luby(run: int) -> int:
    """Term number `run`, from 1, of Luby's sequence (OEIS A182105): 1 1 2 1 1 2 4 1 1 2 ...

    >>> [_luby(run) for run in range(1, 16)]
    [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]
    """
    bits = run.bit_length()
    if run == (1 << bits) - 1:
        return 1 << (bits - 1)
    return _luby(run - (1 << (bits - 1)) + 1)


def _renamed(grid: Grid, rng: SeededRandom) -> Grid:
    """The grid with its digits renamed at random."""
    names = [0, *rng.shuffled(range(1, grid.layout.side + 1))]
    return Grid.from_cells(tuple(names[digit] for digit in grid.cells), grid.layout)


def _shuffled_pattern(layout: Layout, rng: SeededRandom) -> Grid:
    """A known grid with its bands, stacks, rows, columns and digits shuffled."""
    side, tall, wide = layout.side, layout.box_rows, layout.box_columns
    rows = [
        tall * band + row for band in rng.shuffled(range(wide)) for row in rng.shuffled(range(tall))
    ]
    columns = [
        wide * stack + column
        for stack in rng.shuffled(range(tall))
        for column in rng.shuffled(range(wide))
    ]
    cells = ((wide * (row % tall) + row // tall + c) % side + 1 for row in rows for c in columns)
    return _renamed(Grid.from_cells(tuple(cells), layout), rng)


def _refilled(grid: Grid, rng: SeededRandom, deadline: Deadline) -> Grid:
    """The grid after emptying and refilling the cells of a few random digits, `side` times."""
    layout = grid.layout
    for _ in range(layout.side):
        some = set(rng.shuffled(range(1, layout.side + 1))[:REFILLED_DIGITS])
        cells = tuple(0 if digit in some else digit for digit in grid.cells)
        puzzle = Grid.from_cells(cells, layout)
        grid = solve(puzzle, seed=rng.seed(), engine=_engine(), timeout=deadline.left)
    return grid
