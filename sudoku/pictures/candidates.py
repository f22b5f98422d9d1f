"""The candidates of a grid: what its houses and rules leave in each empty cell at first sight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sudoku.cells import Cell

if TYPE_CHECKING:
    from sudoku.grid import Grid
    from sudoku.layout import Layout

__all__ = ["candidates_of"]


def candidates_of(grid: Grid) -> dict[Cell, tuple[int, ...]]:
    """For each empty cell the digits that neither house nor rule excludes, given the others.

    >>> import sudoku
    >>> candidates_of(sudoku.Grid("123. .... .... ...."))[1, 4]
    (4,)

    O(cells * side), and for each candidate what a look at the rules of its cell takes.
    """
    layout, values = grid.layout, grid.values
    allowed = dict.fromkeys(layout.positions, (2 << layout.side) - 2)
    for house in layout.houses:
        seen = sum(1 << digit for digit in {grid.cells[place] for place in house.cells} if digit)
        for place in house.cells:
            allowed[layout.positions[place]] &= ~seen
    allowed |= {cell: 1 << digit for cell, digit in values.items()}
    for rule in layout.rules:
        rule.restrict(allowed, layout)
    return {
        cell: tuple(
            digit
            for digit in range(1, layout.side + 1)
            if allowed[cell] >> digit & 1 and not _breaks(layout, values, cell, digit)
        )
        for cell in layout.positions
        if cell not in values
    }


def _breaks(layout: Layout, values: dict[Cell, int], cell: Cell, digit: int) -> bool:
    """Would this digit in this cell break a rule?"""
    filled = {**values, cell: digit}
    return any(rule.broken(filled) for rule in layout.rules if not rule.cells or cell in rule.cells)
