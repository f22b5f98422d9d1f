"""`Sandwich`, `XSum` and `Skyscraper`, clues outside of the grid for a whole row or column."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, ClassVar

from sudoku.board.cells import Cell, is_count
from sudoku.board.rule import MOST_SUM, Candidates, Rule, line_of_cells
from sudoku.errors import LayoutError, shown
from sudoku.rules.encoding.automaton import (
    Automaton,
    contribute_automaton,
    restrict_automaton,
)

if TYPE_CHECKING:
    from sudoku.board.layout import Layout
    from sudoku.board.model import Model

__all__ = ["Sandwich", "Skyscraper", "XSum", "refuse_no_house"]


class OutsideClue(Rule):
    """The base class of rules for a number and the cells of a house, read from the clue."""

    __slots__ = ("cells", "total")
    fields: ClassVar[tuple[str, ...]] = ("total", "cells")
    least: ClassVar[int] = 1
    """The least number."""

    total: int
    """The number of the clue."""

    def __init__(self, total: int, cells: Iterable[Cell | str] | str) -> None:
        good = is_count(total) or (total == 0 and not isinstance(total, bool))
        if not good or not isinstance(total, int) or not self.least <= total <= MOST_SUM:
            what = f"{self.kind} of {shown(total)}"
            raise LayoutError(f"{what}, expected a number from {self.least} to {MOST_SUM}")
        self._fill(total=total, cells=line_of_cells(self.kind, cells, 2))

    def automaton(self) -> Automaton:
        """The automaton that reads the cells."""
        raise NotImplementedError

    @property
    def most(self) -> int:
        """The largest possible number."""
        raise NotImplementedError

    def check(self, layout: Layout) -> None:
        """Raises `LayoutError` for cells that are not a house, and for a number too large."""
        super().check(layout)
        refuse_no_house(self, layout)
        if self.total > self.most:
            raise LayoutError(f"{self}: expected {self.least} to {self.most}")

    def restrict(self, candidates: Candidates, layout: Layout) -> None:
        """Removes the digits that are in no line with that number."""
        restrict_automaton(candidates, self.automaton())

    def contribute(self, model: Model) -> None:
        """Adds the items and options of an automaton."""
        contribute_automaton(model, self.automaton())

    def broken(self, values: Mapping[Cell, int]) -> tuple[Cell, ...]:
        """The filled cells, if they exclude that number."""
        every = (2 << len(self.cells)) - 2
        filled = tuple(cell for cell in self.cells if cell in values)
        left = every & ~sum({1 << values[cell] for cell in filled})
        candidates = {c: 1 << values[c] if c in values else left for c in self.cells}
        restrict_automaton(candidates, self.automaton())
        return () if all(candidates.values()) else filled

    def __str__(self) -> str:
        return f"{super().__str__()} of {self.total}"


class Sandwich(OutsideClue):
    """Requires the digits between 1 and the largest digit of a house to have a sum.

    The cells are those of the house in order, from either end.

    >>> Sandwich(2, "r1c1 r1c2 r1c3 r1c4")
    Sandwich(2, ((1, 1), (1, 2), (1, 3), (1, 4)))
    """

    __slots__ = ()
    kind = "sandwich"
    least = 0

    @property
    def most(self) -> int:
        """The sum of the digits besides 1 and the largest."""
        side = len(self.cells)
        return side * (side + 1) // 2 - side - 1

    def automaton(self) -> Automaton:
        """Its states: -1 before the sandwich, the sum inside of it, and "after" it."""
        total, crusts = self.total, (1, len(self.cells))

        def step(place: int, state: object, digit: int) -> object:
            if digit in crusts:
                return 0 if state == -1 else "after" if state == total else None
            if isinstance(state, str) or state == -1:
                return state
            assert isinstance(state, int)
            return state + digit if state + digit <= total else None

        return Automaton(self.cells, -1, step, lambda state: state == "after")


class XSum(OutsideClue):
    """Requires a sum of the first X cells, where X is the digit of the first cell.

    The cells are those of a house, read from the clue.

    >>> XSum(6, "r1c1 r1c2 r1c3 r1c4")
    XSum(6, ((1, 1), (1, 2), (1, 3), (1, 4)))
    """

    __slots__ = ()
    kind = "X-sum"

    @property
    def most(self) -> int:
        """The sum of all digits."""
        return len(self.cells) * (len(self.cells) + 1) // 2

    def automaton(self) -> Automaton:
        """Its states: how many cells of the sum are left, and what they add to it."""
        total = self.total

        def step(place: int, state: object, digit: int) -> object:
            assert isinstance(state, tuple)
            left, rest = state if place else (digit, total)
            if left:
                left, rest = left - 1, rest - digit
            return (left, rest) if rest > 0 < left or rest == left == 0 else None

        return Automaton(self.cells, (0, 0), step, lambda state: state == (0, 0))


class Skyscraper(OutsideClue):
    """Requires how many digits of a house are greater than all digits before them.

    The digits are heights of buildings, of which so many are seen from the clue.

    >>> Skyscraper(3, "r1c1 r1c2 r1c3 r1c4")
    Skyscraper(3, ((1, 1), (1, 2), (1, 3), (1, 4)))
    """

    __slots__ = ()
    kind = "skyscraper"

    @property
    def most(self) -> int:
        """The number of cells."""
        return len(self.cells)

    def automaton(self) -> Automaton:
        """Its states: the largest digit so far, and how many are seen."""
        side, total = len(self.cells), self.total

        def step(place: int, state: object, digit: int) -> object:
            assert isinstance(state, tuple)
            highest, seen = state
            if digit < highest:
                return state
            return (digit, seen + 1) if digit > highest and seen < total else None

        return Automaton(self.cells, (0, 0), step, lambda state: state == (side, total))


def refuse_no_house(rule: Rule, layout: Layout) -> None:
    """Raises `LayoutError` unless the cells of the rule are the cells of a house."""
    where = tuple(sorted(layout.index[cell] for cell in rule.cells))
    if all(house.cells != where for house in layout.houses):
        raise LayoutError(f"{rule}: its cells are not a row, a column or another house")
