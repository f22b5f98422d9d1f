"""Random solved grids.

How random they are:

* Up to 36 cells and a side of 6, all grids are equally likely: they are drawn from a diagram of
  them (`dlx.Diagram.sample`). Where the digits are all alike, the diagram has those grids whose
  first house has its digits in order, and the digits are renamed at random afterwards.
* Larger grids are the first solution of a search that breaks ties between items, and orders the
  digits, at random; one that takes long is begun anew. Every grid can be drawn, but some are
  likelier than others.
* Beyond a side of 25 such a search may take forever. There the rows, columns and digits of one
  known grid are shuffled, and then, many times over, all cells of a few digits are emptied and
  filled again by such a search.
"""

from __future__ import annotations

from itertools import count

import dlx
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout, checked_layout, kept
from sudoku.errors import NoSolution
from sudoku.generation.random import Draws, check_seed
from sudoku.rules.cover import cover
from sudoku.solving.deadline import Deadline
from sudoku.solving.solve import filled, solve

__all__ = ["draw_grid", "random_grid"]

LISTED = 36  # cells; the diagram of so many is made at once
LARGEST_DIAGRAM = 64 << 20  # bytes
RUN = 8  # nodes for each cell, in the shortest runs of a search; most 9x9 grids take one
SEARCHED = 25  # the side up to which a search finds grids quickly
DIGITS = 3  # emptied at once in a larger grid
ENGINE = "links"  # which never turns to another, that may not be installed everywhere


def random_grid(
    layout: Layout | None = None, seed: int | None = None, *, timeout: float | None = None
) -> Grid:
    """A random solved grid of the layout, the classic one if there is none.

    All grids of 4x4 and 6x6 are equally likely. Of larger ones all are possible, but not exactly
    equally likely: see `sudoku/generation/grids.py`. The same seed gives the same grid everywhere.

    >>> from sudoku import Layout
    >>> print(random_grid(Layout(2, 2), seed=1))
    +-----+-----+
    | 4 3 | 1 2 |
    | 2 1 | 4 3 |
    +-----+-----+
    | 1 2 | 3 4 |
    | 3 4 | 2 1 |
    +-----+-----+

    Raises `NoSolution` for a layout that no grid fits, and `dlx.SearchInterrupted` after `timeout`
    seconds.
    """
    return draw_grid(checked_layout(layout), Draws("grid", check_seed(seed)), timeout)


def draw_grid(layout: Layout, draws: Draws, timeout: float | None = None) -> Grid:
    """A random grid, as `random_grid` makes it."""
    deadline = Deadline(timeout)
    if layout.size <= LISTED and layout.side <= 6:
        diagram = _diagram(layout, deadline)
        if diagram is not None:
            return _sampled(diagram, layout, draws)
    if layout.side > SEARCHED and layout.is_classic:
        return _shaken(_shuffled_pattern(layout, draws), draws, deadline)
    return _searched(layout, draws, deadline)


def _empty(layout: Layout) -> Grid:
    return Grid.from_cells((0,) * layout.size, layout)


def _are_alike(layout: Layout) -> bool:
    """Whether the digits of a grid can be exchanged for each other."""
    return bool(layout.houses) and all(rule.digits_alike for rule in layout.rules)


def _diagram(layout: Layout, deadline: Deadline) -> dlx.Diagram | None:
    """All grids, or those with the first house in order; None if that takes too much memory."""
    known = _known(layout)
    if not known:
        first = layout.houses[0].cells if _are_alike(layout) else ()
        given = [(*layout.positions[cell], digit) for digit, cell in enumerate(first, 1)]
        try:
            known["diagram"] = cover(layout).diagram(
                given=given, memory_limit=LARGEST_DIAGRAM, timeout=deadline.left
            )
        except dlx.DiagramTooLarge:
            known["diagram"] = None
    return known["diagram"]


@kept
def _known(layout: Layout) -> dict[str, dlx.Diagram | None]:
    """Where the diagram of the layout is, once there was the time to make it."""
    return {}


def _sampled(diagram: dlx.Diagram, layout: Layout, draws: Draws) -> Grid:
    if not diagram:
        raise NoSolution(f"no grid fits the layout {layout}")
    [solution] = diagram.sample(1, draws.seed())
    grid = filled(_empty(layout), solution)
    return _renamed(grid, draws) if _are_alike(layout) else grid


def _searched(layout: Layout, draws: Draws, deadline: Deadline) -> Grid:
    """The first grid that a search finds, which is begun anew with another seed if it takes long.

    With some rules, knights' moves for one, most seeds find a grid soon, and others after a
    thousand times as many nodes. How long a run may take is Luby's sequence, which is best up to a
    factor when nothing is known (M. Luby, A. Sinclair, D. Zuckerman, "Optimal speedup of Las Vegas
    algorithms", 1993).
    """
    problem = cover(layout)
    for run in count(1):
        nodes = RUN * layout.size * _luby(run)
        try:
            found = problem.solve(
                seed=draws.seed(), engine=ENGINE, node_limit=nodes, timeout=deadline.left
            )
        except dlx.SearchInterrupted as stop:
            if stop.reason != "node_limit":
                raise
        else:
            if found is None:
                break
            return filled(_empty(layout), found)
    raise NoSolution(f"no grid fits the layout {layout}")


def _luby(run: int) -> int:
    """Luby's sequence from number 1 on (OEIS A182105): 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 ...

    >>> [_luby(run) for run in range(1, 16)]
    [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]
    """
    bits = run.bit_length()
    if run == (1 << bits) - 1:
        return 1 << (bits - 1)
    return _luby(run - (1 << (bits - 1)) + 1)


def _renamed(grid: Grid, draws: Draws) -> Grid:
    names = [0, *draws.shuffled(range(1, grid.layout.side + 1))]
    return Grid.from_cells(tuple(names[digit] for digit in grid.cells), grid.layout)


def _shuffled_pattern(layout: Layout, draws: Draws) -> Grid:
    """A known grid with its bands, stacks, rows, columns and digits shuffled."""
    side, tall, wide = layout.side, layout.box_rows, layout.box_columns
    rows = [
        tall * band + row
        for band in draws.shuffled(range(wide))
        for row in draws.shuffled(range(tall))
    ]
    columns = [
        wide * stack + column
        for stack in draws.shuffled(range(tall))
        for column in draws.shuffled(range(wide))
    ]
    cells = ((wide * (row % tall) + row // tall + c) % side + 1 for row in rows for c in columns)
    return _renamed(Grid.from_cells(tuple(cells), layout), draws)


def _shaken(grid: Grid, draws: Draws, deadline: Deadline) -> Grid:
    """The grid after a few digits at a time have found other places, many times over."""
    layout = grid.layout
    for _ in range(layout.side):
        some = set(draws.shuffled(range(1, layout.side + 1))[:DIGITS])
        cells = tuple(0 if digit in some else digit for digit in grid.cells)
        puzzle = Grid.from_cells(cells, layout)
        grid = solve(puzzle, seed=draws.seed(), engine=ENGINE, timeout=deadline.left)
    return grid
