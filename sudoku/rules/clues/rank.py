"""`FullRank`, a clue for the place of a row or column among all of them, read as numbers.

The rows and columns of a square, read in both directions, are four numbers with each first digit:
so the rank says the first digit, and how many of three other lines are less. In each of the other
three directions one line has this first digit. The color of a secondary item is which, and the
colors of others are its digits. They are compared digit by digit::

    items     step 2          step 3
    colors            equal           equal or done
    options   equal digits    equal digits, or different ones and the result; or done before
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product

import dlx
from sudoku.board.cells import Cell
from sudoku.board.layout import Layout
from sudoku.board.rule import Candidates, CoverModel
from sudoku.errors import LayoutError
from sudoku.rules.clues.outside import OutsideClue

__all__ = ["FullRank"]

Line = tuple[Cell, ...]


class FullRank(OutsideClue):
    """Requires how many rows and columns, read in both directions, are less than a line, plus 1.

    They are numbers, and no other is equal to that of the line.

    >>> FullRank(7, "r1c1 r1c2 r1c3 r1c4")
    FullRank(7, ((1, 1), (1, 2), (1, 3), (1, 4)))
    """

    __slots__ = ()
    kind = "full rank"
    sentence = (
        "A number beside the grid is the rank of the line that is read from there among all rows "
        "and columns, read in both directions as numbers; 1 is the least."
    )
    picture = "number outside"

    @property
    def most(self) -> int:
        """The number of rows and columns, read in both directions."""
        return 4 * len(self.cells)

    @property
    def first(self) -> int:
        """The first digit of the line."""
        return (self.total + 3) // 4

    def check(self, layout: Layout) -> None:
        """Raises `LayoutError` unless it is for a row or column of a square."""
        super().check(layout)
        houses = {frozenset(layout.positions[at] for at in h.cells) for h in layout.houses}
        if not layout.is_square or not {*map(frozenset, self._lines())} <= houses:
            raise LayoutError(f"{self} needs a square whose rows and columns have all digits")
        if self.cells not in self._lines():
            raise LayoutError(f"{self}: its cells are not a row or column in order")

    def _lines(self) -> list[Line]:
        """All rows and columns, in both directions."""
        return [line for direction in self._directions() for line in direction]

    def _directions(self) -> Iterator[list[Line]]:
        """The rows, the columns, and both the other way round."""
        numbers = range(1, len(self.cells) + 1)
        rows = [tuple((row, column) for column in numbers) for row in numbers]
        for lines in (rows, [*zip(*rows, strict=True)]):
            yield lines
            yield [line[::-1] for line in lines]

    def excluded(self, layout: Layout) -> Iterable[tuple[Cell, int, Cell, int]]:
        """Nothing."""
        return ()

    def restrict(self, candidates: Candidates, layout: Layout) -> None:
        """Leaves the first digit only."""
        candidates[self.cells[0]] &= 1 << self.first

    def contribute(self, model: CoverModel) -> None:
        """Adds items and options that compare the lines with the same first digit."""
        others = [lines for lines in self._directions() if self.cells not in lines]
        results = [self._compare(model, n, lines) for n, lines in enumerate(others, 1)]
        item = model.primary()
        for less in product((0, 1), repeat=3):
            if sum(less) == (self.total - 1) % 4:
                tied = [dlx.colored(*each) for each in zip(results, less, strict=True)]
                model.option([item, *tied], "less", *less)

    def _compare(self, model: CoverModel, n: int, lines: list[Line]) -> object:
        """The item whose color is whether the line of a direction is less, 1, or greater, 0."""
        chosen, result = model.secondary("line", n), model.secondary("result", n)
        for number, line in enumerate(lines, 1):
            if self.first in model.digits(line[0]):
                model.attach(line[0], self.first, dlx.colored(chosen, number))
        before = None
        for at, cell in list(enumerate(self.cells))[1:]:
            digit, after = model.secondary("digit", n, at), model.secondary("after", n, at)
            reads, step = model.primary("reads", n, at), model.primary("step", n, at)
            found = set()
            for number, line in enumerate(lines, 1):
                for each in model.digits(line[at]):
                    found.add(each)
                    tied = [dlx.colored(chosen, number), model.value(line[at], each)]
                    model.option(
                        [reads, *tied, dlx.colored(digit, each)], "reads", n, at, number, each
                    )
            equal = [step] if before is None else [step, dlx.colored(before, "equal")]
            for one, other in product(model.digits(cell), sorted(found)):
                tied = [*equal, model.value(cell, one), dlx.colored(digit, other)]
                if one != other:
                    done = [dlx.colored(after, "done"), dlx.colored(result, int(other < one))]
                    model.option([*tied, *done], "step", n, at, one, other)
                elif at + 1 < len(self.cells):
                    model.option([*tied, dlx.colored(after, "equal")], "step", n, at, one, other)
            if before is not None:
                tied = [dlx.colored(before, "done"), dlx.colored(after, "done")]
                model.option([step, *tied], "step", n, at)
            before = after
        return result

    def broken(self, values: Mapping[Cell, int]) -> tuple[Cell, ...]:
        """The first cell with a wrong digit; the whole line in a full grid with another rank."""
        if values.get(self.cells[0], self.first) != self.first:
            return (self.cells[0],)
        lines = self._lines()
        if any(cell not in values for line in lines for cell in line):
            return ()
        mine = [values[cell] for cell in self.cells]
        numbers = [[values[cell] for cell in line] for line in lines]
        rank = 1 + sum(number < mine for number in numbers)
        good = rank == self.total and numbers.count(mine) == 1
        return () if good else tuple(sorted(self.cells))
