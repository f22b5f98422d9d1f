"""Neighbours that do not have consecutive digits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from sudoku.board.cells import Cell
from sudoku.board.rule import Rule
from sudoku.rules.apart import pairs_at

if TYPE_CHECKING:
    from sudoku.board.model import Model

__all__ = ["NEIGHBOURS", "NonConsecutive"]

NEIGHBOURS = ((0, 1), (1, 0))
"""The offsets of the cells to the right of a cell and below it."""


class NonConsecutive(Rule):
    """No two cells with a common edge have digits that differ by 1.

    >>> NonConsecutive()
    NonConsecutive()
    """

    __slots__ = ()
    kind = "non-consecutive neighbours"

    def contribute(self, model: Model) -> None:
        """For each pair of neighbours and of consecutive digits a secondary item."""
        for a, b in pairs_at(model.candidates, NEIGHBOURS):
            for low in range(1, model.layout.side):
                model.never_together([(a, low), (b, low + 1)], a, b, low, low + 1)
                model.never_together([(a, low + 1), (b, low)], a, b, low + 1, low)

    def broken(self, values: Mapping[Cell, int]) -> tuple[Cell, ...]:
        """Cells next to a cell with a consecutive digit."""
        pairs = pairs_at(values, NEIGHBOURS)
        close = {c for a, b in pairs if abs(values[a] - values[b]) == 1 for c in (a, b)}
        return tuple(sorted(close))
