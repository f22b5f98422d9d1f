"""`Line`, the base class of rules for the cells of a drawn line, in order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from sudoku.board.cells import Cell
from sudoku.board.rule import Rule, line_of_cells

__all__ = ["Line"]


class Line(Rule):
    """The base class of rules whose only argument is a line of cells."""

    __slots__ = ("cells",)
    fields: ClassVar[tuple[str, ...]] = ("cells",)
    least: ClassVar[int] = 2
    """The fewest cells of such a line."""

    def __init__(self, cells: Iterable[Cell | str] | str) -> None:
        self._fill(cells=line_of_cells(self.kind, cells, self.least))
