"""Puzzles of a wanted difficulty: what to do with one that `sudoku.rate` puts into another band."""

from __future__ import annotations

from collections.abc import Sequence

from dlx import InvalidArgument
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.errors import nearest
from sudoku.generation.random import Draws
from sudoku.hinting.geometry import check_supported
from sudoku.hinting.rating import rate
from sudoku.hinting.registry import BANDS
from sudoku.solving.deadline import Deadline

__all__ = ["check_band", "eased"]


def check_band(band: object, layout: Layout) -> int:
    """The place of a band in the scale of `sudoku.rate`, from 0 for easy.

    Raises `dlx.InvalidArgument` for what is none, with the nearest, and `LayoutError` for a layout
    whose puzzles cannot be rated.
    """
    if not isinstance(band, str) or band not in BANDS:
        raise InvalidArgument(f"there is no difficulty {band!r}; {nearest(band, BANDS)}")
    check_supported(layout)
    return BANDS.index(band)


def eased(
    puzzle: Grid,
    full: Sequence[int],
    groups: Sequence[Sequence[int]],
    wanted: int,
    draws: Draws,
    deadline: Deadline,
) -> Grid | None:
    """The puzzle, with as many more givens as it takes to bring it down to a band; None if that
    does not lead there.

    `full` is its solution; givens come in whole `groups` of cells (orbits of a symmetry), in random
    order. Each of them takes a rating. Raises `dlx.SearchInterrupted` at the deadline.
    """
    found = BANDS.index(rate(puzzle, timeout=deadline.left).band)
    cells = list(puzzle.cells)
    for group in draws.shuffled(groups):
        if found <= wanted:
            break
        if all(cells[cell] for cell in group):
            continue
        for cell in group:
            cells[cell] = full[cell]
        puzzle = Grid.from_cells(tuple(cells), puzzle.layout)
        found = BANDS.index(rate(puzzle, timeout=deadline.left).band)
    return puzzle if found == wanted else None
