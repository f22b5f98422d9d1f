"""`NonConsecutive`, a rule against consecutive digits in neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sudoku.board.cells import Cell
from sudoku.board.layout import Layout
from sudoku.board.rule import CoverModel, Rule
from sudoku.rules.apart import pairs_at

__all__ = ["NEIGHBOURS", "NonConsecutive"]

NEIGHBOURS = ((0, 1), (1, 0))
"""The offsets of the cells to the right of a cell and below it."""


class NonConsecutive(Rule):
    """Forbids digits that differ by 1 in cells with a common edge.

    >>> NonConsecutive()
    NonConsecutive()
    """

    __slots__ = ()
    kind = "non-consecutive neighbours"
    sentence = "Cells with a common edge do not have consecutive digits."

    def linked(self, layout: Layout) -> Iterable[tuple[Cell, Cell]]:
        """The neighbours."""
        return pairs_at(layout.index, NEIGHBOURS)

    def contribute(self, model: CoverModel) -> None:
        """Adds a secondary item for each pair of neighbours and of consecutive digits."""
        for a, b in pairs_at(model.candidates, NEIGHBOURS):
            for low in range(1, model.layout.side):
                model.never_together([(a, low), (b, low + 1)], a, b, low, low + 1)
                model.never_together([(a, low + 1), (b, low)], a, b, low + 1, low)

    def broken(self, values: Mapping[Cell, int]) -> tuple[Cell, ...]:
        """The cells with a neighbour that has a consecutive digit."""
        pairs = pairs_at(values, NEIGHBOURS)
        close = {c for a, b in pairs if abs(values[a] - values[b]) == 1 for c in (a, b)}
        return tuple(sorted(close))
