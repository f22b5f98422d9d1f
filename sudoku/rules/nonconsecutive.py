"""`NonConsecutive` and `DiagonalNonConsecutive`, rules against consecutive digits in neighbours."""

from __future__ import annotations

from sudoku.rules.apart import CORNERS
from sudoku.rules.encoding.relation import PairRule

__all__ = ["DiagonalNonConsecutive", "NEIGHBOURS", "NonConsecutive"]

NEIGHBOURS = ((0, 1), (1, 0))
"""The offsets of the cells to the right of a cell and below it."""


class NonConsecutive(PairRule):
    """Forbids digits that differ by 1 in cells with a common edge.

    >>> NonConsecutive()
    NonConsecutive()
    """

    __slots__ = ()
    kind = "non-consecutive neighbours"
    sentence = "Cells with a common edge do not have consecutive digits."
    offsets = NEIGHBOURS

    def fits(self, a: int, b: int) -> bool:
        """Whether the digits are not consecutive."""
        return abs(a - b) != 1


class DiagonalNonConsecutive(NonConsecutive):
    """Forbids digits that differ by 1 in cells that touch at a corner; they may be equal.

    >>> DiagonalNonConsecutive()
    DiagonalNonConsecutive()
    """

    __slots__ = ()
    kind = "non-consecutive corners"
    sentence = "Cells that touch at a corner do not have consecutive digits."
    offsets = CORNERS
