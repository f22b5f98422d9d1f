"""Difficulty bands for the generator: checks their names, and eases puzzles that are too hard."""

from __future__ import annotations

from collections.abc import Sequence

from dlx import InvalidArgument
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.errors import nearest, shown
from sudoku.generation.random import SeededRandom
from sudoku.hinting.geometry import check_supported
from sudoku.hinting.rating import rate
from sudoku.hinting.registry import BANDS
from sudoku.solving.deadline import Deadline

__all__ = ["check_band", "ease_to"]


def check_band(band: object, layout: Layout) -> int:
    """The index of a band in the scale of `sudoku.rate`, 0 for easy.

    Raises `dlx.InvalidArgument`, with the nearest band, for an unknown band, and `LayoutError` for
    a layout whose puzzles cannot be rated.
    """
    if not isinstance(band, str) or band not in BANDS:
        raise InvalidArgument(f"unknown difficulty {shown(band)}: {nearest(band, BANDS)}")
    check_supported(layout)
    return BANDS.index(band)


def ease_to(
    puzzle: Grid,
    full: Sequence[int],
    groups: Sequence[Sequence[int]],
    wanted: int,
    rng: SeededRandom,
    deadline: Deadline,
) -> Grid | None:
    """The puzzle with enough additional givens to be of the wanted band; None if that fails.

    `full` is its solution. Whole `groups` of cells (orbits of a symmetry) are added in random
    order, and the puzzle is rated after each. Raises `dlx.SearchInterrupted` at the deadline.
    """
    found = BANDS.index(rate(puzzle, timeout=deadline.left).band)
    cells = list(puzzle.cells)
    for group in rng.shuffled(groups):
        if found <= wanted:
            break
        if all(cells[cell] for cell in group):
            continue
        for cell in group:
            cells[cell] = full[cell]
        puzzle = Grid.from_cells(tuple(cells), puzzle.layout)
        found = BANDS.index(rate(puzzle, timeout=deadline.left).band)
    return puzzle if found == wanted else None
