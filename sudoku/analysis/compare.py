"""Compares six solvers on one puzzle: four backtrackers and two engines of `dlx`."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import NamedTuple

from sudoku.analysis.oracle import METHODS
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.solving.solve import solutions
from sudoku.text.puzzles import parse

__all__ = ["Row", "compare"]

ENGINES = {"dlx, links.py": "python", "dlx, kernel": "links"}


class Row(NamedTuple):
    """The result of one solver."""

    method: str
    """The name of a function of `sudoku.analysis.oracle`, or of an engine of `dlx`."""
    solutions: int
    """The number of solutions found."""
    nodes: int
    """The size of the search tree: the root, and every digit written or option tried."""
    seconds: float
    """The time from the parsed puzzle to the last solution."""
    stopped_by: str | None
    """None if the search is complete, else `"limit"`, `"node_limit"` or `"timeout"`."""


def compare(
    puzzle: str | Iterable[object] | Grid,
    *,
    layout: Layout | None = None,
    limit: int | None = 2,
    node_limit: int | None = 1_000_000,
    timeout: float | None = 60,
) -> list[Row]:
    """Runs each solver on the puzzle: the backtrackers of `sudoku.analysis.oracle`, then the
    engines "python" and "links" (the kernel) of `dlx`.

    The backtrackers support rows, columns and boxes only; other layouts have results of the engines
    only.

    Each solver searches for `limit` solutions; 2 is enough to prove uniqueness. The backtrackers
    stop after `node_limit` nodes, the engines after `timeout` seconds; `Row.stopped_by` shows it.

    >>> for row in compare("1... .2.. ..3. 4..."): print(row.method, row.solutions, row.stopped_by)
    plain 1 None
    bitmask 1 None
    singles_first 1 None
    fewest_first 1 None
    dlx, links.py 1 None
    dlx, kernel 1 None
    """
    grid = parse(puzzle, layout)
    shape = grid.layout
    rows = []
    for name, method in METHODS.items() if shape.is_classic else ():
        started = time.perf_counter()
        result = method(
            grid.cells, shape.box_rows, shape.box_columns, limit=limit, node_limit=node_limit
        )
        seconds = time.perf_counter() - started
        found = len(result.solutions)
        rows.append(Row(name, found, result.nodes, seconds, result.stopped_by))
    for name, engine in ENGINES.items():
        list(solutions(grid, limit=0, engine=engine))  # fills the per-layout caches
        started = time.perf_counter()
        with solutions(grid, limit=limit, timeout=timeout, engine=engine) as search:
            found = sum(1 for _ in search)
            seconds = time.perf_counter() - started
            rows.append(Row(name, found, search.stats.nodes, seconds, search.stopped_by))
    return rows
