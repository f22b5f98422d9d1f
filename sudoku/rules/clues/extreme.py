"""`Minimum` and `Maximum`, rules for cells that are less or greater than their neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar

from sudoku.board.cells import Cell, cell_name, neighbours
from sudoku.board.layout import Layout
from sudoku.board.rule import line_of_cells
from sudoku.errors import LayoutError
from sudoku.rules.encoding.relation import PairRule

__all__ = ["Maximum", "Minimum"]


class Extreme(PairRule):
    """The base class: the marked cells are compared with all neighbours that are not marked."""

    __slots__ = ("marked",)
    fields: ClassVar[tuple[str, ...]] = ("marked",)

    marked: tuple[Cell, ...]

    def __init__(self, marked: Iterable[Cell | str] | str) -> None:
        self._fill(marked=tuple(sorted(line_of_cells(self.kind, marked))))

    def check(self, layout: Layout) -> None:
        """Raises `LayoutError` for a cell outside the grid."""
        for cell in self.marked:
            if cell not in layout.index:
                raise LayoutError(f"{self.kind} has {cell_name(*cell)}, which is not in the grid")

    def related(self, cells: Mapping[Cell, object]) -> Iterator[tuple[Cell, Cell]]:
        """Each marked cell with each neighbour that is not marked."""
        inside = set(self.marked)
        for cell in self.marked:
            for other in neighbours(cell):
                if other in cells and other not in inside:
                    yield cell, other

    def __str__(self) -> str:
        names = [cell_name(*cell) for cell in self.marked]
        return " ".join((self.kind, *names[:5], *(["..."] if len(names) > 5 else [])))


class Minimum(Extreme):
    """Requires a digit less than those of all neighbours (cells with a common edge).

    Two marked cells are not compared.

    >>> Minimum("r1c1 r1c2")
    Minimum(((1, 1), (1, 2)))
    """

    __slots__ = ()
    kind = "minimum"
    sentence = "A grey cell whose angles point into it is less than its neighbours."
    picture = "angles inward"

    def fits(self, a: int, b: int) -> bool:
        """Whether the digit of the marked cell is less."""
        return a < b


class Maximum(Extreme):
    """Requires a digit greater than those of all neighbours (cells with a common edge).

    Two marked cells are not compared.

    >>> Maximum("r1c1")
    Maximum(((1, 1),))
    """

    __slots__ = ()
    kind = "maximum"
    sentence = "A grey cell whose angles point away from it is greater than its neighbours."
    picture = "angles outward"

    def fits(self, a: int, b: int) -> bool:
        """Whether the digit of the marked cell is greater."""
        return a > b
