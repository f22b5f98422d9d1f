"""`ParityLine`, `EntropicLine` and `ModularLine`: lines whose neighbours are of different classes.

The digits fall into n classes, and any n neighbours on the line have digits of all classes. So
cells that are n places apart have the same class, and the first n cells decide all others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations
from typing import ClassVar, Self

import dlx
from sudoku.board.cells import MAX_SIDE, Cell, Digit, integer
from sudoku.board.layout import Layout
from sudoku.board.rule import Candidates, CoverModel, LineRule, Rule
from sudoku.errors import LayoutError, counted, shown

__all__ = ["EntropicLine", "ModularLine", "ParityLine"]


class ClassRule(Rule):
    """The base class of rules about `period` classes of digits, numbered from 0."""

    __slots__ = ()
    period: ClassVar[int] = 3

    def class_of(self, digit: int) -> int:
        """The class of a digit."""
        return digit % self.period

    def check(self, layout: Layout) -> None:
        """Raises `LayoutError` if there are too few digits for the classes."""
        super().check(layout)
        if layout.side < self.period:
            raise LayoutError(f"{self}: a side of {layout.side} has too few digits")

    def classes(self, side: int) -> list[int]:
        """The digits of each class, as bits."""
        masks = [0] * self.period
        for digit in range(1, side + 1):
            masks[self.class_of(digit)] |= 1 << digit
        return masks


class EntropyRule(ClassRule):
    """The base class of rules about low, middle and high digits, `low` of each."""

    __slots__ = ()

    low: Digit

    def _fill_low(self, low: object) -> None:
        digits = integer(low, most=MAX_SIDE)
        if digits is None:
            what = f"{self.kind} of {shown(low)} low digits"
            raise LayoutError(f"{what}; it must be a number from 1 to {MAX_SIDE}")
        self._fill(low=digits)

    def check(self, layout: Layout) -> None:
        """Raises `LayoutError` unless there are three times `low` digits."""
        super().check(layout)
        if layout.side != 3 * self.low:
            what = f"{counted(self.low, 'low digit')}; it must be a third of {layout.side}"
            raise LayoutError(f"{self}: {what}")

    def class_of(self, digit: int) -> int:
        """0 if it is low, 1 in the middle, 2 if it is high."""
        return (digit - 1) // self.low

    def in_words(self, layout: Layout) -> str:
        """What is required of three cells or more: one of each class."""
        low, symbols = self.low, layout.symbols
        parts = [f"{symbols[at]} to {symbols[at + low - 1]}" for at in (0, low, 2 * low)]
        return f"one is of {', one of '.join(parts)}"


class ClassLine(ClassRule, LineRule):
    """The base class of these lines."""

    __slots__ = ()

    def restrict(self, candidates: Candidates, layout: Layout) -> None:
        """Keeps the classes that the places of the line can have."""
        left = [0] * self.period
        for order in permutations(self.classes(layout.side)):
            places = range(len(self.cells))
            if all(candidates[self.cells[at]] & order[at % self.period] for at in places):
                left = [old | new for old, new in zip(left, order, strict=True)]
        for at, cell in enumerate(self.cells):
            candidates[cell] &= left[at % self.period]

    def contribute(self, model: CoverModel) -> None:
        """Adds secondary items for places and classes, each the color of the other.

        A place is the number of a cell modulo `period`. All cells of a place have one class, and
        all cells of a class one place.
        """
        places = [model.secondary("place", at) for at in range(self.period)]
        classes = [model.secondary("class", number) for number in range(self.period)]
        for at, cell in enumerate(self.cells):
            place = at % self.period
            for digit in model.digits(cell):
                number = self.class_of(digit)
                model.attach(cell, digit, dlx.colored(places[place], number))
                model.attach(cell, digit, dlx.colored(classes[number], place))

    def broken(self, values: Mapping[Cell, int]) -> tuple[Cell, ...]:
        """The filled cells that contradict each other."""
        filled = [
            (at % self.period, self.class_of(values[cell]), cell)
            for at, cell in enumerate(self.cells)
            if cell in values
        ]
        wrong: set[Cell] = set()
        for place, number, cell in filled:
            for other_place, other_number, other in filled:
                if (place == other_place) != (number == other_number):
                    wrong |= {cell, other}
        return tuple(sorted(wrong))


class ParityLine(ClassLine):
    """Requires that odd and even digits alternate along a line.

    >>> ParityLine("r1c1 r2c2 r2c3")
    ParityLine(((1, 1), (2, 2), (2, 3)))
    """

    __slots__ = ()
    kind = "parity line"
    sentence = "Odd and even digits alternate on a red line."
    picture = "red line"
    period = 2


class ModularLine(ClassLine):
    """Requires that any three neighbours on a line have different remainders modulo 3.

    >>> ModularLine("r1c1 r2c2 r2c3")
    ModularLine(((1, 1), (2, 2), (2, 3)))
    """

    __slots__ = ()
    kind = "modular line"
    sentence = "Any three neighbours on a teal line have different remainders modulo 3."
    picture = "teal line"


class EntropicLine(EntropyRule, ClassLine):
    """Requires that any three neighbours on a line are a low, a middle and a high digit.

    There are `low` digits of each of these classes: 3 on a 9x9 grid, where 1 to 3 are low.

    >>> EntropicLine(3, "r1c1 r2c2 r2c3")
    EntropicLine(3, ((1, 1), (2, 2), (2, 3)))
    """

    __slots__ = ("low",)
    fields = ("low", "cells")
    kind = "entropic line"
    picture = "peach line"

    def __init__(self, low: int, cells: Iterable[Cell | str] | str) -> None:
        self._fill_low(low)
        LineRule.__init__(self, cells)

    @classmethod
    def sentences(cls, rules: Sequence[Self], layout: Layout) -> Iterable[str]:
        """One, with the digits of each class."""
        yield f"Of any three neighbours on a peach line, {rules[0].in_words(layout)}."
