"""Candidates: which digits a cell may have, given the digits in its houses."""

from __future__ import annotations

from sudoku.layout import Layout

__all__ = ["basic_marks"]


def basic_marks(line: str, layout: Layout) -> tuple[int, ...]:
    """For each cell the digits that none of its houses has, bit d for digit d; none if filled.

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
