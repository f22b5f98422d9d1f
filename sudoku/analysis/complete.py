"""`complete`: the givens that make a puzzle unique.

While there are many solutions, a few of them, found in random orders, show which candidate is rare
and excludes most. Once all can be listed, the fewest candidates that only one solution has are
looked for: one, if one is enough, or two, or else what a greedy search finds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain, combinations, islice
from typing import Any

from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.errors import NotUnique
from sudoku.solving.deadline import Deadline, timed_out
from sudoku.solving.solve import Solutions, count, solve
from sudoku.text.puzzles import parse

__all__ = ["complete"]

LISTED = 500  # solutions, up to which all are listed
SAMPLE = 16  # solutions found in random orders
PAIRS = 500_000  # pairs of candidates that are tried


def complete(
    puzzle: str | Iterable[object] | Grid,
    *,
    layout: Layout | None = None,
    timeout: float | None = None,
    engine: str = "auto",
) -> Grid:
    """The puzzle with a few more givens, which leave it exactly one solution.

    None of them can be removed again. If one is enough, there is one; otherwise fewer may exist.

    >>> complete("1... .2.. ..3. ....").line
    '1..4.2....3.....'
    >>> complete("1... .2.. ..3. 4...").line
    '1....2....3.4...'

    Raises `NoSolution`, `NotUnique` if givens do not tell solutions apart (two with the same digits
    in other regions), `PuzzleError`, and `dlx.SearchInterrupted` after `timeout` seconds. About 20
    searches for each given. 0.2 seconds for an empty grid.
    """
    grid = start = parse(puzzle, layout)
    deadline = Deadline(timeout)
    search: dict[str, Any] = {"engine": engine}
    while count(grid, limit=2, timeout=deadline.left, **search) > 1:
        found, all_listed = _solutions(grid, LISTED, deadline, engine)
        if all_listed:
            grid = _with(grid, _fewest(found))
            break
        sample = [
            cells
            for seed in range(SAMPLE)
            for cells in _solutions(grid, 1, deadline, engine, seed)[0]
        ]
        numbers = Counter(pair for cells in sample for pair in enumerate(cells))
        open_cells = Counter(cell for cell, _ in numbers)  # the digits of each cell
        grid = _with(grid, [min(numbers, key=lambda pair: (numbers[pair], -open_cells[pair[0]]))])
    if grid is start:
        solve(grid, timeout=deadline.left, **search)  # raises `NoSolution` if there is none
        return grid
    for cell, (old, new) in enumerate(zip(start.cells, grid.cells, strict=True)):
        if new != old:
            less = Grid.from_cells((*grid.cells[:cell], 0, *grid.cells[cell + 1 :]), grid.layout)
            if count(less, limit=2, timeout=deadline.left, **search) == 1:
                grid = less
    return grid


Candidate = tuple[int, int]
"""The number of a cell, and a digit."""


def _with(grid: Grid, candidates: Iterable[Candidate]) -> Grid:
    """The grid with these digits."""
    cells = list(grid.cells)
    for cell, digit in candidates:
        cells[cell] = digit
    return Grid.from_cells(tuple(cells), grid.layout)


def _solutions(
    grid: Grid, limit: int, deadline: Deadline, engine: str, seed: int | None = None
) -> tuple[list[tuple[int, ...]], bool]:
    """The solutions, up to a limit, and whether they are all."""
    how: dict[str, Any] = {"engine": engine, "seed": seed}
    if engine in ("auto", "links"):
        how["heuristic"] = "weighted"
    with Solutions(grid, limit=limit, timeout=deadline.left, **how) as search:
        found = [solution.cells for solution in search]
        if search.stopped_by == "timeout":
            raise timed_out()
        return found, search.exhausted


def _fewest(solutions: Sequence[tuple[int, ...]]) -> list[Candidate]:
    """A few candidates that exactly one of these solutions has."""
    times = Counter(solutions)  # more than once with other regions
    having: Counter[Candidate] = Counter()  # the different grids that have a candidate, as bits
    once = 0  # those that are one solution
    for number, (cells, number_of_times) in enumerate(times.items()):
        once |= (number_of_times == 1) << number
        for candidate in enumerate(cells):
            having[candidate] |= 1 << number
    if not once:
        raise NotUnique("several solutions have the same digits in other regions")
    candidate_of = {bits: candidate for candidate, bits in having.items() if bits & once}
    masks = sorted(candidate_of, key=int.bit_count)
    singles_and_pairs = chain(zip(masks, masks, strict=True), combinations(masks, 2))
    for one, other in islice(singles_and_pairs, PAIRS):
        both = one & other
        if both & once and not both & (both - 1):
            return [candidate_of[mask] for mask in {one, other}]
    left, chosen = (1 << len(times)) - 1, []
    while left & (left - 1):
        parts = (mask for mask in masks if left & mask & once and left & ~mask)
        best = min(parts, key=lambda mask: (mask & left).bit_count())
        left &= best
        chosen.append(candidate_of[best])
    return chosen
