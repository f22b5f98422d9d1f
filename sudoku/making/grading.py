"""Puzzles of a wanted difficulty: made one after another until one is rated so."""

from __future__ import annotations

import dlx
from sudoku.errors import NoPuzzle
from sudoku.grid import Grid
from sudoku.hinting.rating import rate
from sudoku.hinting.registry import BANDS
from sudoku.layout import Layout
from sudoku.making.asking import Deadline
from sudoku.making.draws import Draws, check_seed
from sudoku.making.generating import generate_many
from sudoku.making.symmetries import orbits
from sudoku.solving import solve

__all__ = ["check_band", "generate_of_band"]


def check_band(band: object) -> str:
    """`band` if it is one of the scale of `sudoku.rate`; `dlx.InvalidArgument` if not."""
    if isinstance(band, str) and band in BANDS:
        return band
    raise dlx.InvalidArgument(f"difficulty is {band!r}; it must be one of {', '.join(BANDS)}")


def generate_of_band(
    band: str,
    layout: Layout | None = None,
    *,
    symmetry: str = "none",
    minimal: bool = False,
    seed: int | None = None,
    attempts: int = 2000,
    timeout: float | None = None,
) -> Grid:
    """A random puzzle with exactly one solution that `sudoku.rate` puts into a band.

    A minimal puzzle that is harder than wanted gets more of its digits, in orbits of the symmetry,
    until it is not, unless it is to stay `minimal`; one that is easier is thrown away. The same
    seed makes the same puzzle.

    >>> import sudoku
    >>> sudoku.rate(generate_of_band("easy", seed=1)).band
    'easy'

    Raises `NoPuzzle` after so many attempts, `LayoutError` for a layout that cannot be rated,
    `dlx.InvalidArgument` for the rest, and `dlx.SearchInterrupted` after `timeout` seconds.
    """
    wanted = BANDS.index(check_band(band))
    layout = layout or Layout(3, 3)
    deadline = Deadline(timeout)
    seed = check_seed(seed)
    made = generate_many(attempts, layout, symmetry=symmetry, seed=seed, timeout=timeout)
    with made:
        for number, puzzle in enumerate(made):
            found = BANDS.index(rate(puzzle).band)
            if found == wanted:
                return puzzle
            if found > wanted and not minimal:
                draws = Draws("easier", seed, number)
                easier = _with_more(puzzle, wanted, symmetry, draws, deadline)
                if easier is not None:
                    return easier
            if deadline.left == 0:
                made.close()
                raise dlx.SearchInterrupted("timeout", count=0, stats=_NO_STATS)
    raise NoPuzzle(f"none of {attempts} puzzles was {band}")


_NO_STATS = dlx.Stats(0, 0, 0, (), 0.0)


def _with_more(
    puzzle: Grid, wanted: int, symmetry: str, draws: Draws, deadline: Deadline
) -> Grid | None:
    """The puzzle with more givens, in the band, if adding them one after another leads there."""
    layout = puzzle.layout
    full, cells = solve(puzzle).cells, list(puzzle.cells)
    for group in draws.shuffled(orbits(layout, symmetry)):
        if all(cells[cell] for cell in group):
            continue
        for cell in group:
            cells[cell] = full[cell]
        grid = Grid.from_cells(tuple(cells), layout)
        found = BANDS.index(rate(grid).band)
        if found <= wanted:
            return grid if found == wanted else None
        if deadline.left == 0:
            return None
    return None
