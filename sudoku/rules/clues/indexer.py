"""`Indexer`, a rule for cells whose digit says where in their house a digit is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Self

import dlx
from sudoku.board.cells import Cell, cell_name, checked_cell
from sudoku.board.layout import Layout
from sudoku.board.rule import Candidates, CoverModel, Rule, line_of_cells
from sudoku.errors import LayoutError
from sudoku.rules.clues.outside import refuse_no_house

__all__ = ["Indexer"]


class Indexer(Rule):
    """Requires that if the n-th cell of a house has the digit d, then the d-th cell has n.

    `house` has the cells of the house in order. For a row this is a column indexer, as the first,
    fifth and ninth cell of each row in the "159" puzzles; for a column it is a row indexer.

    >>> Indexer("r1c1", [(1, column) for column in (1, 2, 3, 4)])
    Indexer((1, 1), ((1, 1), (1, 2), (1, 3), (1, 4)))
    """

    __slots__ = ("cells", "index")
    fields = ("index", "house")
    kind = "indexer"
    picture = "colored cell"

    index: Cell
    """The cell whose digit is a place."""

    def __init__(self, index: Cell | str, house: Iterable[Cell | str] | str) -> None:
        cell, cells = checked_cell(index), line_of_cells(self.kind, house)
        if cell not in cells:
            raise LayoutError(f"indexer {cell_name(*cell)} is not in its house")
        self._fill(index=cell, cells=cells)

    @property
    def house(self) -> tuple[Cell, ...]:
        """The cells of the house in order."""
        return self.cells

    @property
    def line(self) -> str:
        """`"row"`, `"column"` or `"box"`: what the house is."""
        (r1, c1), (r2, c2) = min(self.house), max(self.house)
        return "row" if r1 == r2 else "column" if c1 == c2 else "box"

    @property
    def place(self) -> int:
        """The place of the indexer in its house, from 1."""
        return self.cells.index(self.index) + 1

    def check(self, layout: Layout) -> None:
        """Raises `LayoutError` unless the cells are those of a house."""
        super().check(layout)
        refuse_no_house(self, layout)

    def restrict(self, candidates: Candidates, layout: Layout) -> None:
        """Removes a digit and a place that do not allow each other."""
        for place, cell in enumerate(self.cells, 1):
            if not candidates[self.index] >> place & 1:
                candidates[cell] &= ~(1 << self.place)
            elif not candidates[cell] >> self.place & 1:
                candidates[self.index] &= ~(1 << place)

    def contribute(self, model: CoverModel) -> None:
        """Adds a secondary item whose color is the place of the digit that is looked for.

        The candidates of the indexer have their digit as its color. In each cell of the house the
        candidate of the digit that is looked for has the place of the cell as its color.
        """
        item, wanted = model.secondary("place"), self.place
        for digit in model.digits(self.index):
            if digit != wanted:
                model.attach(self.index, digit, dlx.colored(item, digit))
        for place, cell in enumerate(self.cells, 1):
            if model.candidates[cell] >> wanted & 1:
                model.attach(cell, wanted, dlx.colored(item, place))

    def broken(self, values: Mapping[Cell, int]) -> tuple[Cell, ...]:
        """The indexer and the cell with a wrong digit."""
        digit = values.get(self.index)
        for place, cell in enumerate(self.cells, 1):
            wrong = (digit == place) != (values.get(cell) == self.place)
            if digit is not None and cell in values and wrong:
                return tuple(sorted({self.index, cell}))
        return ()

    @classmethod
    def sentences(cls, rules: Sequence[Self], layout: Layout) -> Iterable[str]:
        """For each direction one."""
        lines = {rule.line for rule in rules}
        if "row" in lines:
            yield (
                "The digit of a red cell is the column of its row that has the number of the "
                "cell's column."
            )
        if "column" in lines:
            yield (
                "The digit of a green cell is the row of its column that has the number of the "
                "cell's row."
            )
        if "box" in lines:
            yield (
                "The digit of a blue cell is the place in its box that has the number of the "
                "cell's place."
            )

    def __str__(self) -> str:
        return f"{self.kind} {cell_name(*self.index)}"
