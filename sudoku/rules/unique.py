"""`Unique`, a rule for cells with different digits, fewer cells than there are digits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Self

from sudoku.board.cells import Cell
from sudoku.board.layout import Layout
from sudoku.board.rule import CoverModel, Rule, line_of_cells
from sudoku.errors import LayoutError, counted

__all__ = ["Unique", "is_sujiken", "repeated"]


class Unique(Rule):
    """Requires different digits in these cells.

    If there are as many cells as digits, make them a house instead: `Layout.with_houses`.

    >>> Unique(["r1c1", "r2c2", (3, 3)])
    Unique(((1, 1), (2, 2), (3, 3)))
    """

    __slots__ = ("cells",)
    fields = ("cells",)
    kind = "unique cells"
    picture = "shaded cells"

    def __init__(self, cells: Iterable[Cell | str] | str) -> None:
        self._fill(cells=tuple(sorted(line_of_cells(self.kind, cells, 2))))

    def check(self, layout: Layout) -> None:
        """Raises `LayoutError` for more cells than digits, or cells outside the grid."""
        super().check(layout)
        if len(self.cells) > layout.side:
            raise LayoutError(
                f"{self}: {counted(len(self.cells), 'cell')} for {counted(layout.side, 'digit')}"
            )

    @property
    def digits_alike(self) -> bool:
        """True."""
        return True

    def different(self, layout: Layout) -> Iterable[tuple[Cell, ...]]:
        """Its cells."""
        return (self.cells,)

    def linked(self, layout: Layout) -> Iterable[tuple[Cell, Cell]]:
        """No pairs: `different` has them."""
        return ()

    def contribute(self, model: CoverModel) -> None:
        """Adds a secondary item for each digit, covered by the candidates with this digit."""
        for digit in range(1, model.layout.side + 1):
            model.never_together([(cell, digit) for cell in self.cells], digit)

    def broken(self, values: Mapping[Cell, int]) -> tuple[Cell, ...]:
        """The cells with equal digits."""
        return repeated(self.cells, values)

    @classmethod
    def sentences(cls, rules: Sequence[Self], layout: Layout) -> Iterable[str]:
        """One, for shaded cells or for the lines of `sudoku.layouts.sujiken`."""
        if is_sujiken(layout):
            yield "No digit repeats in a row, a column or a diagonal of any length."
        else:
            yield "Digits in a group of shaded cells differ."


def is_sujiken(layout: Layout) -> bool:
    """Whether it has rows, columns and diagonals of any length, most of them as rules."""
    return "sujiken" in layout.name.split(" + ")


def repeated(cells: Iterable[Cell], values: Mapping[Cell, int]) -> tuple[Cell, ...]:
    """The cells whose digit another of these cells has as well."""
    places: dict[int, list[Cell]] = {}
    for cell in cells:
        if cell in values:
            places.setdefault(values[cell], []).append(cell)
    return tuple(sorted(cell for same in places.values() if len(same) > 1 for cell in same))
