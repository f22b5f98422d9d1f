"""`Quadruple`, a rule for digits in a circle where four cells meet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Self

from sudoku.board.cells import MAX_SIDE, Cell, Digit, checked_list, integer
from sudoku.board.layout import Layout
from sudoku.board.peers import all_differ, mask_of
from sudoku.board.rule import Candidates, CoverModel, Rule, line_of_cells
from sudoku.errors import LayoutError, counted, shown
from sudoku.rules.encoding.choice import Box, contribute_choice, restrict_choice

__all__ = ["Quadruple"]


class Quadruple(Rule):
    """Requires these digits in these cells, each at least as often as it is given.

    >>> Quadruple([1, 2, 2], "r1c1 r1c2 r2c1 r2c2")
    Quadruple((1, 2, 2), ((1, 1), (1, 2), (2, 1), (2, 2)))
    """

    __slots__ = ("cells", "digits")
    fields = ("digits", "cells")
    kind = "quadruple"
    picture = "quadruple"

    digits: tuple[Digit, ...]

    def __init__(self, digits: Iterable[int], cells: Iterable[Cell | str] | str) -> None:
        where = tuple(sorted(line_of_cells(self.kind, cells)))
        given = [integer(digit, most=MAX_SIDE) for digit in checked_list(digits, "digits")]
        found = [digit for digit in given if digit]
        if not found or None in given:
            raise LayoutError(
                f"a quadruple of {shown(digits)}; they must be digits from 1 to {MAX_SIDE}"
            )
        if len(found) > len(where):
            raise LayoutError(
                f"a quadruple of {len(found)} digits in {counted(len(where), 'cell')}"
            )
        self._fill(digits=tuple(sorted(found)), cells=where)

    def check(self, layout: Layout) -> None:
        """Raises `LayoutError` for digits that are too large."""
        super().check(layout)
        if self.digits[-1] > layout.side:
            raise LayoutError(f"{self}: {self.digits[-1]} is too large for a side of {layout.side}")

    def _boxes(self, layout: Layout, digit: int) -> Iterator[Box]:
        """The choices of the cells that have a digit; the other cells do not have it."""
        here, elsewhere = 1 << digit, ((2 << layout.side) - 2) & ~(1 << digit)
        for count in range(self.digits.count(digit), len(self.cells) + 1):
            for places in combinations(self.cells, count):
                if count == 1 or not _see_each_other(layout, places):
                    yield {cell: here if cell in places else elsewhere for cell in self.cells}

    def restrict(self, candidates: Candidates, layout: Layout) -> None:
        """Removes the digits that leave no place for a digit of the quadruple."""
        for digit in dict.fromkeys(self.digits):
            boxes = [*self._boxes(layout, digit)]
            restrict_choice(candidates, boxes or [dict.fromkeys(self.cells, 0)])

    def contribute(self, model: CoverModel) -> None:
        """Adds for each of its digits an item whose options are the places of this digit."""
        for digit in dict.fromkeys(self.digits):
            contribute_choice(model, self._boxes(model.layout, digit), digit)

    def broken(self, values: Mapping[Cell, int]) -> tuple[Cell, ...]:
        """The filled cells, if too few cells are left for its digits."""
        filled = tuple(cell for cell in self.cells if cell in values)
        found = [values[cell] for cell in filled]
        missing = sum(
            max(0, self.digits.count(digit) - found.count(digit)) for digit in set(self.digits)
        )
        return filled if missing > len(self.cells) - len(filled) else ()

    @classmethod
    def sentences(cls, rules: Sequence[Self], layout: Layout) -> Iterable[str]:
        """One, which says whether digits repeat."""
        often = any(len({*rule.digits}) < len(rule.digits) for rule in rules)
        end = ", at least as often as in the circle" if often else ""
        yield f"The digits in a circle where cells meet are all in these cells{end}."

    def __str__(self) -> str:
        return f"{super().__str__()} of {' '.join(map(str, self.digits))}"


def _see_each_other(layout: Layout, cells: tuple[Cell, ...]) -> bool:
    """Whether two of these cells are peers."""
    return any(all_differ(layout, mask_of(layout, pair)) for pair in combinations(cells, 2))
