"""`GlobalEntropy` and `GlobalModular`: every square of 2x2 cells has digits of all classes.

The digits fall into three classes, so each class is in a square once or twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Self

from sudoku.board.cells import Cell
from sudoku.board.layout import Layout
from sudoku.board.rule import Candidates, CoverModel, Rule
from sudoku.rules.encoding.choice import restrict_choice
from sudoku.rules.lines.classes import ClassRule, EntropyRule

__all__ = ["ClassSquare", "GlobalEntropy", "GlobalModular"]


class ClassSquares(ClassRule):
    """The base class of these rules."""

    __slots__ = ()

    def squares(self, cells: Mapping[Cell, object]) -> Iterator[ClassSquare]:
        """The squares of these cells."""
        for r, c in cells:
            square = ((r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1))
            if all(cell in cells for cell in square):
                yield ClassSquare(self, square)

    def pieces(self, layout: Layout) -> Iterable[ClassSquare]:
        """The squares of the grid."""
        return self.squares(layout.index)

    def restrict(self, candidates: Candidates, layout: Layout) -> None:
        """Keeps the classes that each square can have."""
        for square in self.pieces(layout):
            square.restrict(candidates, layout)

    def contribute(self, model: CoverModel) -> None:
        """Adds an item for each square and class, covered once or twice, by the candidates."""
        for square in self.pieces(model.layout):
            for number in range(self.period):
                item = model.primary(*square.cells[0], number, times=(1, 2))
                for cell in square.cells:
                    for digit in model.digits(cell):
                        if self.class_of(digit) == number:
                            model.attach(cell, digit, item)

    def broken(self, values: Mapping[Cell, int]) -> tuple[Cell, ...]:
        """The cells of full squares without a digit of some class."""
        wrong = (cell for square in self.squares(values) for cell in square.broken(values))
        return tuple(sorted({*wrong}))

    def __str__(self) -> str:
        return self.kind


class ClassSquare(Rule):
    """One square of such a rule.

    >>> print(*ClassSquare(GlobalModular(), ((1, 1), (1, 2), (2, 1), (2, 2))).cells)
    (1, 1) (1, 2) (2, 1) (2, 2)
    """

    __slots__ = ("cells", "rule")
    fields = ("rule", "cells")
    kind = "2x2 square"

    rule: ClassSquares

    def __init__(self, rule: ClassSquares, cells: tuple[Cell, ...]) -> None:
        self._fill(rule=rule, cells=cells)

    def restrict(self, candidates: Candidates, layout: Layout) -> None:
        """Keeps the classes of the ways to place all of them that are left."""
        masks = self.rule.classes(layout.side)
        ways = product(masks, repeat=len(self.cells))
        boxes = [dict(zip(self.cells, way, strict=True)) for way in ways if {*way} == {*masks}]
        restrict_choice(candidates, boxes)

    def broken(self, values: Mapping[Cell, int]) -> tuple[Cell, ...]:
        """Its filled cells, if too few are left for the classes that they lack."""
        filled = tuple(cell for cell in self.cells if cell in values)
        found = {self.rule.class_of(values[cell]) for cell in filled}
        empty = len(self.cells) - len(filled)
        return filled if len(found) + empty < self.rule.period else ()


class GlobalEntropy(EntropyRule, ClassSquares):
    """Requires a low, a middle and a high digit in every square of 2x2 cells.

    There are `low` digits of each of these classes: 3 on a 9x9 grid, where 1 to 3 are low.

    >>> GlobalEntropy(3)
    GlobalEntropy(3)
    """

    __slots__ = ("low",)
    fields = ("low",)
    kind = "global entropy"

    def __init__(self, low: int) -> None:
        self._fill_low(low)

    @classmethod
    def sentences(cls, rules: Sequence[Self], layout: Layout) -> Iterable[str]:
        """One, with the digits of each class."""
        yield f"Of any 2x2 cells, {rules[0].in_words(layout)}."


class GlobalModular(ClassSquares):
    """Requires digits with all remainders modulo 3 in every square of 2x2 cells.

    >>> GlobalModular()
    GlobalModular()
    """

    __slots__ = ()
    kind = "global modular"
    sentence = "Any 2x2 cells have digits with all remainders modulo 3."
