"""`Thermometer`, `SlowThermometer` and `Greater`, rules for digits that rise along a line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations, pairwise
from typing import ClassVar

from sudoku.board.cells import Cell
from sudoku.board.layout import Layout
from sudoku.board.rule import Candidates, CoverModel, Rule, line_of_cells
from sudoku.errors import LayoutError, counted

__all__ = ["Greater", "SlowThermometer", "Thermometer"]


class Thermometer(Rule):
    """Requires digits that rise from the first of these cells, the bulb, to the last.

    >>> Thermometer("r3c1 r2c1 r1c1")
    Thermometer(((3, 1), (2, 1), (1, 1)))
    """

    __slots__ = ("cells",)
    fields: ClassVar[tuple[str, ...]] = ("cells",)
    kind = "thermometer"
    technique = "thermometer"
    sentence = "From the bulb of a thermometer on, the digits rise."
    picture = "thermometer"
    rise: ClassVar[int] = 1
    """By how much each digit must at least exceed the digit before it."""

    def __init__(self, cells: Iterable[Cell | str] | str) -> None:
        self._fill(cells=line_of_cells(self.kind, cells, 2))

    def check(self, layout: Layout) -> None:
        """Raises `LayoutError` if it has more cells than there are digits."""
        super().check(layout)
        if self.rise and len(self.cells) > layout.side:
            raise LayoutError(
                f"{self}: {counted(len(self.cells), 'cell')}, "
                f"but only {counted(layout.side, 'digit')}"
            )

    def different(self, layout: Layout) -> Iterable[tuple[Cell, ...]]:
        """Its cells, if no digit may occur twice."""
        return (self.cells,) if self.rise else ()

    def restrict(self, candidates: Candidates, layout: Layout) -> None:
        """Keeps digits above the least of the cell before, and below the most of the cell after."""
        least = 0
        for cell in self.cells:
            mask = candidates[cell] = candidates[cell] >> least << least
            least = (mask & -mask).bit_length() - 1 + self.rise if mask else least
        most = layout.side
        for cell in reversed(self.cells):
            mask = candidates[cell] = candidates[cell] & ((2 << most) - 1)
            most = mask.bit_length() - 1 - self.rise if mask else most

    def contribute(self, model: CoverModel) -> None:
        """Adds secondary items and colors that order any two of its cells, an item for each digit.

        Let cell b be k places after cell a. The rule then means that, for every digit t, a digit of
        at least t in a excludes a digit below t + k in b. So item t has one color in the candidates
        of a from t up, and another color in the candidates of b below t + k. (An option for each
        filling would mean the same, but the search would propagate less: thermometers then take up
        to a hundred times as many nodes.)
        """
        for (i, a), (j, b) in combinations(enumerate(self.cells), 2):
            for least in range(1, model.layout.side + 1):
                model.exclude(
                    [(a, digit) for digit in model.digits(a) if digit >= least],
                    [
                        (b, digit)
                        for digit in model.digits(b)
                        if digit < least + self.rise * (j - i)
                    ],
                    *(i + 1, j + 1, least),
                )

    def broken(self, values: Mapping[Cell, int]) -> tuple[Cell, ...]:
        """The filled cells that do not rise enough from the filled cell before them."""
        filled = [(place, cell) for place, cell in enumerate(self.cells) if cell in values]
        wrong: set[Cell] = set()
        for (i, a), (j, b) in pairwise(filled):
            if values[b] - values[a] < self.rise * (j - i):
                wrong |= {a, b}
        return tuple(sorted(wrong))


class SlowThermometer(Thermometer):
    """Requires digits that do not fall from the first of these cells, the bulb, to the last.

    >>> SlowThermometer("r3c1 r2c1 r1c1")
    SlowThermometer(((3, 1), (2, 1), (1, 1)))
    """

    __slots__ = ()
    kind = "slow thermometer"
    sentence = "From the bulb of a blue thermometer on, the digits rise or stay equal."
    picture = "blue thermometer"
    rise = 0


class Greater(Thermometer):
    """Requires the digit of one cell to be greater than the digit of another.

    >>> Greater("r1c1", (1, 2))
    Greater((1, 1), (1, 2))
    """

    __slots__ = ()
    fields = ("larger", "smaller")
    kind = "inequality"
    technique = "inequality"
    sentence = "A sign between two cells points to the smaller digit."
    picture = "sign"

    def __init__(self, larger: Cell | str, smaller: Cell | str) -> None:
        super().__init__([smaller, larger])

    @property
    def larger(self) -> Cell:
        """The cell with the greater digit."""
        return self.cells[1]

    @property
    def smaller(self) -> Cell:
        """The cell with the smaller digit."""
        return self.cells[0]
