"""Candidates: the digits of a cell that neither houses nor rules exclude, without any search."""

from __future__ import annotations

from sudoku.board.cells import Cell
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout

__all__ = ["basic_marks", "candidates_of"]


def basic_marks(line: str, layout: Layout) -> tuple[int, ...]:
    """For each cell the digits that its houses do not have, as bits: bit d for digit d.

    0 for a filled cell.

    >>> from sudoku import Layout
    >>> bin(basic_marks("1.." + "." * 13, Layout(2, 2))[1])
    '0b11100'
    """
    values = [0 if c == "." else 1 << layout.symbols.index(c) + 1 for c in line]
    taken = list(values)
    for house in layout.houses:
        used = 0
        for cell in house.cells:
            used |= values[cell]
        for cell in house.cells:
            taken[cell] |= used
    every = (2 << layout.side) - 2
    return tuple(0 if v else every & ~t for v, t in zip(values, taken, strict=True))


def candidates_of(grid: Grid) -> dict[Cell, tuple[int, ...]]:
    """For each empty cell the digits that neither a house nor a rule excludes.

    >>> import sudoku
    >>> candidates_of(sudoku.Grid("123. .... .... ...."))[1, 4]
    (4,)

    O(cells * side) without rules; each candidate is checked against the rules of its cell.
    """
    layout, values = grid.layout, grid.values
    allowed = dict(zip(layout.positions, basic_marks(grid.line, layout), strict=True))
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
    """Whether this digit in this cell would break a rule."""
    filled = {**values, cell: digit}
    return any(rule.broken(filled) for rule in layout.rules if not rule.cells or cell in rule.cells)
