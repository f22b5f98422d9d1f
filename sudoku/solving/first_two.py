"""`first_two`, the first two solutions of a puzzle, which tell whether it has exactly one.

A search in order may take for ever where rules leave many candidates: on some published puzzles of
today's setters it does not end in 300 million nodes, while `solve` and `count` up to 2, which may
search in any order and learn, take a second. So the search in order has a limit; beyond it, `solve`
and `count` are asked, and a "weighted" search for a second solution.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import dlx
from sudoku.board.grid import Grid
from sudoku.solving.deadline import Deadline
from sudoku.solving.solve import Solutions, count

__all__ = ["FirstTwo", "first_two"]

NODES: Final = 100_000
"""The nodes of the search in order: a tenth of a second, more than all but a few puzzles take."""


class FirstTwo(NamedTuple):
    """Up to two solutions of a puzzle."""

    grids: tuple[Grid, ...]
    """The solutions found."""
    stats: Any
    """The statistics of the last search, a `dlx.Stats`."""
    is_certain: bool
    """False if the timeout left it unknown whether there are more; `grids` has fewer than two."""


def first_two(grid: Grid, *, timeout: float | None = None, engine: str = "auto") -> FirstTwo:
    """The first two solutions of a puzzle, the only one, or none.

    They are the first of `sudoku.solutions`, except for puzzles with rules that take it more than
    `NODES` nodes.

    >>> from sudoku import Grid
    >>> [found.line for found in first_two(Grid("1234 3412 2... 4...")).grids]
    ['1234341221434321', '1234341223414123']
    """
    limit = NODES if grid.layout.rules and engine == "auto" else None
    deadline = Deadline(None if limit is None else timeout)
    with Solutions(grid, limit=2, timeout=timeout, engine=engine, node_limit=limit) as search:
        found = tuple(search)
    if search.stopped_by != "node_limit":
        return FirstTwo(found, search.stats, search.stopped_by != "timeout" or len(found) > 1)
    try:
        return _in_any_order(grid, deadline)
    except dlx.SearchInterrupted as error:
        return FirstTwo(found, error.stats, is_certain=False)


def _in_any_order(grid: Grid, deadline: Deadline) -> FirstTwo:
    """The same without an order; raises `dlx.SearchInterrupted` at the deadline."""
    number = count(grid, limit=2, timeout=deadline.left)
    deadline.check()
    how = {"engine": "links", "heuristic": "weighted"} if number > 1 else {"engine": "auto"}
    with Solutions(grid, limit=max(number, 1), timeout=deadline.left, **how) as search:
        found = tuple(search)
    if len(found) < number:
        raise dlx.SearchInterrupted("timeout", count=len(found), stats=search.stats)
    return FirstTwo(found, search.stats, is_certain=True)
