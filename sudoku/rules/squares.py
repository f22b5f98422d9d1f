"""`GlobalEntropy` and `GlobalModular`: every square of 2x2 cells has digits of all classes.

The digits fall into three classes, so one class occurs twice in a square, and there are 36 ways to
place the classes. They are the options of an item for each square. A secondary item for each cell
has the class of its digit as its color, which the options of four squares have in common.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Self

import dlx
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
        """Adds an item for each square, whose options place the classes."""
        colors = {cell: model.secondary("class", *cell) for cell in model.candidates}
        for cell, item in colors.items():
            for digit in model.digits(cell):
                model.attach(cell, digit, dlx.colored(item, self.class_of(digit)))
        for square in self.pieces(model.layout):
            item = model.primary(*square.cells[0])
            for number, way in enumerate(square.ways(), 1):
                placed = [dlx.colored(colors[cell], each) for cell, each in way.items()]
                model.option([item, *placed], *square.cells[0], number)

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

    def ways(self) -> Iterator[dict[Cell, int]]:
        """The ways to place all classes: the class of each cell."""
        every = range(self.rule.period)
        for classes in product(every, repeat=len(self.cells)):
            if {*classes} == {*every}:
                yield dict(zip(self.cells, classes, strict=True))

    def restrict(self, candidates: Candidates, layout: Layout) -> None:
        """Keeps the classes of the ways that are left."""
        masks = self.rule.classes(layout.side)
        boxes = [{cell: masks[each] for cell, each in way.items()} for way in self.ways()]
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
