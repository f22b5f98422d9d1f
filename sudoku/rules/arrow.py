"""`Arrow`, a rule for arrows: the digits along the path add up to the number in the circle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Self, cast

from sudoku.board.cells import Cell, cell_name, checked_cells, integer
from sudoku.board.layout import Layout
from sudoku.board.rule import MOST_SUM, Candidates, CoverModel, Rule, line_of_cells
from sudoku.errors import LayoutError, counted
from sudoku.rules.encoding.linear import contribute_sum, restrict_sum

__all__ = ["Arrow"]


MOST_IN_CIRCLE = len(str(MOST_SUM))
"""The number of digits of the largest possible sum."""


class Arrow(Rule):
    """Requires the digits of the path, which may repeat, to have the sum in the circle.

    A circle of several cells (a pill) is a decimal number, with its cells in the given order.

    >>> Arrow("r1c1", "r1c2 r1c3")
    Arrow(((1, 1),), ((1, 2), (1, 3)))
    """

    __slots__ = ("cells", "circle", "path")
    fields = ("circle", "path")
    kind = "arrow"
    technique = "arrow"
    picture = "arrow"

    circle: tuple[Cell, ...]
    """The cell or cells of the circle, the most significant first."""
    path: tuple[Cell, ...]
    """The cells of the path."""

    def __init__(
        self, circle: Cell | str | Iterable[Cell | str], path: Iterable[Cell | str] | str
    ) -> None:
        if isinstance(circle, tuple) and len(circle) == 2 and integer(circle[0]) is not None:
            circle = [cast("Cell", circle)]
        head, tail = checked_cells(circle), checked_cells(path)
        if not head or not tail:
            raise LayoutError("an arrow needs at least one cell in its circle and one on its path")
        cells = line_of_cells(self.kind, (*head, *tail))
        self._fill(circle=head, path=tail, cells=cells)

    def check(self, layout: Layout) -> None:
        """Raises `LayoutError` if the path is too long or too short for the circle."""
        super().check(layout)
        if len(self.circle) > MOST_IN_CIRCLE:
            raise LayoutError(
                f"{self}: {len(self.circle)} cells in the circle, of {MOST_IN_CIRCLE} at most"
            )
        most = int("1" * len(self.circle)) * layout.side
        if len(self.path) > most:
            raise LayoutError(
                f"{self}: {counted(len(self.path), 'cell')} on the path, "
                f"but at most {most} in the circle"
            )
        least = int("1" * len(self.circle))
        if len(self.path) * layout.side < least:
            raise LayoutError(f"{self}: the path cannot reach {least}, the least in the circle")

    @property
    def _terms(self) -> list[tuple[Cell, int]]:
        digits = len(self.circle)
        circle = [(cell, -(10 ** (digits - place))) for place, cell in enumerate(self.circle, 1)]
        return circle + [(cell, 1) for cell in self.path]

    def restrict(self, candidates: Candidates, layout: Layout) -> None:
        """Removes the digits that are in no filling with a right sum."""
        restrict_sum(candidates, self._terms, [0])

    def contribute(self, model: CoverModel) -> None:
        """Adds an item whose options are the fillings, or a chain of partial sums."""
        contribute_sum(model, self._terms, 0)

    def value(self, values: Mapping[Cell, int]) -> int:
        """The number in the circle."""
        number = 0
        for cell in self.circle:
            number = 10 * number + values[cell]
        return number

    def broken(self, values: Mapping[Cell, int]) -> tuple[Cell, ...]:
        """The filled cells, if the sum is wrong or already too large."""
        filled = tuple(cell for cell in self.cells if cell in values)
        if any(cell not in values for cell in self.circle):
            return ()
        path = [values[cell] for cell in self.path if cell in values]
        empty, number = len(self.path) - len(path), self.value(values)
        good = sum(path) == number if not empty else sum(path) + empty <= number
        return () if good else filled

    @classmethod
    def sentences(cls, rules: Sequence[Self], layout: Layout) -> Iterable[str]:
        """One, for digits or numbers in circles."""
        circle = "number" if any(len(rule.circle) > 1 for rule in rules) else "digit"
        yield f"The digits along an arrow, which may repeat, add up to the {circle} in its circle."

    def __str__(self) -> str:
        return f"{self.kind} from {cell_name(*self.circle[0])} to {cell_name(*self.path[-1])}"
