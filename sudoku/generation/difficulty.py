"""Difficulty bands for the generator: checks their names, and eases puzzles that are too hard."""

from __future__ import annotations

from collections.abc import Sequence

from dlx import InvalidArgument
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.errors import NoPuzzle, nearest, shown
from sudoku.generation.random import SeededRandom
from sudoku.hinting.geometry import check_supported
from sudoku.hinting.rating import band_within
from sudoku.hinting.registry import BANDS, SMALL
from sudoku.solving.deadline import Deadline

__all__ = ["check_band", "check_reach", "ease_to", "fewest_givens"]

BEGINNERS = {"gentle": 38, "easy": 32}
"""The fewest givens of a generated puzzle of these bands, if it has 81 cells."""


def check_band(band: object, layout: Layout) -> int:
    """The index of a band in the scale of `sudoku.rate`, 0 for gentle.

    Raises `dlx.InvalidArgument`, with the nearest band, for an unknown band, and `LayoutError` for
    a layout whose puzzles cannot be rated.
    """
    if not isinstance(band, str) or band not in BANDS:
        raise InvalidArgument(f"unknown difficulty {shown(band)}: {nearest(band, BANDS)}")
    check_supported(layout)
    return BANDS.index(band)


def check_reach(band: int, layout: Layout) -> None:
    """Raises `NoPuzzle` for a band that no puzzle of the layout has: all 4x4 puzzles are easy.

    (Each of the 3568 minimal puzzles of the 12 grids whose first row is in order is solved by
    hidden singles in boxes, and more givens make no single disappear.)
    """
    if layout.is_classic and (layout.box_rows, layout.box_columns) == (2, 2) and band > 1:
        raise NoPuzzle(
            f"no 4x4 puzzle is {BANDS[band]}: each is gentle or easy; larger grids have all bands"
        )


def fewest_givens(band: int, layout: Layout) -> int:
    """The fewest givens of a generated puzzle of a band; 0: as few as possible.

    Beginners need something to start from: on 9x9, where a minimal puzzle has about 24 givens, a
    gentle puzzle has at least 38 and an easy one at least 32, other sizes in proportion. Layouts
    with rules (cages, lines, marks) have none: their rules are something to start from. Grids with
    a side below 6 have none either: gentle there means that only full houses are needed, and easy
    takes as few givens as any puzzle.
    """
    if layout.side < SMALL or layout.rules:
        return 0
    of_81 = BEGINNERS.get(BANDS[band], 0)
    return -(-layout.size * of_81 // 81)


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
    order: for gentle and easy puzzles a few more than `fewest_givens`, and then until the puzzle is
    no longer too hard. Layouts with rules get no more than they need. Without `groups` the puzzle
    stays as it is. Raises `dlx.SearchInterrupted`
    at the deadline.
    """
    order = rng.shuffled(groups)
    if puzzle.layout.rules:
        return _ease_by_halves(puzzle, full, order, wanted, deadline)
    least = fewest_givens(wanted, puzzle.layout) if groups else 0
    if least:
        least += rng.below(1 + puzzle.layout.size // 20)
    given, filled = list(puzzle.cells), puzzle.filled
    eased, found = puzzle, len(BANDS) if filled < least else _band(puzzle, wanted, deadline)
    for group in order:
        if found <= wanted:
            break
        filled += _fill(given, full, group)
        if filled >= least:
            eased = Grid.from_cells(tuple(given), puzzle.layout)
            found = _band(eased, wanted, deadline)
    if found < wanted and least:
        return _ease_carefully(puzzle, full, order, wanted, least, deadline)
    return eased if found == wanted else None


def _ease_by_halves(
    puzzle: Grid,
    full: Sequence[int],
    order: Sequence[Sequence[int]],
    wanted: int,
    deadline: Deadline,
) -> Grid | None:
    """The puzzle with about the fewest groups, in this order, with which it is of the wanted band.

    Ratings of layouts with rules are slow, so the number of groups is found by bisection, O(log n)
    ratings; more groups seldom make a puzzle harder.
    """
    eased, found = puzzle, _band(puzzle, wanted, deadline)
    if found < wanted:
        return None
    few, enough = 0, len(order)
    while found != wanted and few < enough:
        middle = (few + enough) // 2
        cells = list(puzzle.cells)
        for group in order[:middle]:
            _fill(cells, full, group)
        eased = Grid.from_cells(tuple(cells), puzzle.layout)
        found = _band(eased, wanted, deadline)
        if found > wanted:
            few = middle + 1
        else:
            enough = middle
    return eased if found == wanted else None


def _ease_carefully(
    puzzle: Grid,
    full: Sequence[int],
    order: Sequence[Sequence[int]],
    wanted: int,
    least: int,
    deadline: Deadline,
) -> Grid | None:
    """The puzzle of the wanted band with `least` givens: groups that make it too easy are left out.

    Slower than `ease_to`, since it rates the puzzle after each group.
    """
    found = _band(puzzle, wanted, deadline)
    if found < wanted:
        return None
    for group in order:
        if found == wanted and puzzle.filled >= least:
            break
        cells = list(puzzle.cells)
        if _fill(cells, full, group):
            eased = Grid.from_cells(tuple(cells), puzzle.layout)
            band = _band(eased, wanted, deadline)
            if band >= wanted:
                puzzle, found = eased, band
    return puzzle if found == wanted else None


def _fill(cells: list[int], full: Sequence[int], group: Sequence[int]) -> int:
    """Fills the cells of a group with the digits of the solution; returns how many were empty."""
    empty = [cell for cell in group if not cells[cell]]
    for cell in empty:
        cells[cell] = full[cell]
    return len(empty)


def _band(puzzle: Grid, wanted: int, deadline: Deadline) -> int:
    """The index of the band of the puzzle; `len(BANDS)` if it is above the wanted one."""
    found = band_within(puzzle, wanted, deadline)
    return len(BANDS) if found is None else found
