"""`first_two`, the first two solutions of a puzzle, which tell whether it has exactly one.

Everything that needs two solutions themselves, not only their number, asks here: `judge`, hints,
`check`, `show`. A search in order may take for ever, where there are many cells or rules leave many
candidates: on some published puzzles it does not end in 300 million nodes, while `solve` and
`count` up to 2, which may search in any order and learn, take a second. So the search in order has
a limit; beyond it, `count` says how many solutions there are and `solve` finds them.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import dlx
from sudoku.board.grid import Grid
from sudoku.solving.deadline import Deadline
from sudoku.solving.solve import Solutions, count, solve

__all__ = ["FirstTwo", "first_two"]

NODES: Final = 10_000
"""The nodes of the search in order: 20 ms, more than all but a few puzzles take."""

SEEDS: Final = 8
"""The seeds with which `solve` tries to find another solution than the first."""


class FirstTwo(NamedTuple):
    """Up to two solutions of a puzzle."""

    grids: tuple[Grid, ...]
    """The solutions found."""
    stopped: dlx.SearchInterrupted | None
    """Why it is unknown whether there are more; then `grids` has fewer than two."""


def first_two(grid: Grid, *, timeout: float | None = None, engine: str = "auto") -> FirstTwo:
    """The first two solutions of a puzzle, the only one, or none.

    They are the first of `sudoku.solutions`, except for puzzles that take it more than `NODES`
    nodes. An engine that is named searches in order.

    >>> from sudoku import Grid
    >>> [found.line for found in first_two(Grid("1234 3412 2... 4...")).grids]
    ['1234341221434321', '1234341223414123']
    """
    limit = NODES if engine == "auto" else None
    deadline = Deadline(timeout if limit else None)
    with Solutions(grid, limit=2, timeout=timeout, engine=engine, node_limit=limit) as search:
        found = tuple(search)
    if search.stopped_by == "timeout" and len(found) < 2:
        stopped = dlx.SearchInterrupted("timeout", count=len(found), stats=search.stats)
        return FirstTwo(found, stopped)
    if search.stopped_by != "node_limit":
        return FirstTwo(found, None)
    try:
        return FirstTwo(_in_any_order(grid, found, deadline), None)
    except dlx.SearchInterrupted as error:
        return FirstTwo(found, error)


def _in_any_order(grid: Grid, found: tuple[Grid, ...], deadline: Deadline) -> tuple[Grid, ...]:
    """The same without an order, as a search in order has `found` none or one before its limit.

    Raises `dlx.SearchInterrupted` at the deadline.
    """
    number = count(grid, limit=2, timeout=deadline.left)
    if number == 0:
        return ()
    first = found[0] if found else solve(grid, timeout=deadline.left)
    if number == 1:
        return (first,)
    for seed in range(SEEDS):
        if (other := solve(grid, seed=seed, timeout=deadline.left)) != first:
            return first, other
    with Solutions(
        grid, limit=2, timeout=deadline.left, engine="links", heuristic="weighted"
    ) as search:
        both = tuple(search)
    if len(both) < 2:
        raise dlx.SearchInterrupted("timeout", count=len(both), stats=search.stats)
    return both
