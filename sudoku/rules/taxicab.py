"""`AntiTaxicab`, a rule that keeps equal digits from being as many steps apart as they say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations

from sudoku.board.cells import Cell
from sudoku.board.layout import Layout
from sudoku.board.peers import peers
from sudoku.board.rule import Candidates, CoverModel, Rule

__all__ = ["AntiTaxicab"]


class AntiTaxicab(Rule):
    """Forbids a digit n in two cells that are n steps apart: up, down, left or right.

    >>> AntiTaxicab()
    AntiTaxicab()
    """

    __slots__ = ()
    kind = "anti-taxicab"
    sentence = "Two cells with the digit n are not n steps up, down, left or right from each other."

    def crossed(self, layout: Layout) -> Iterable[tuple[Cell, int, Cell, int]]:
        """The pairs that do not see each other, with their distance as the digit of both."""
        around, index = peers(layout), layout.index
        for one, two in combinations(layout.positions, 2):
            steps = abs(one[0] - two[0]) + abs(one[1] - two[1])
            if steps <= layout.side and not around[index[one]] >> index[two] & 1:
                yield one, steps, two, steps

    def restrict(self, candidates: Candidates, layout: Layout) -> None:
        """Removes the digits of cells with one candidate from the cells at that distance."""
        for cell, mask in candidates.items():
            if mask and not mask & (mask - 1):
                for other in _around(cell, mask.bit_length() - 1):
                    if other in candidates:
                        candidates[other] &= ~mask

    def contribute(self, model: CoverModel) -> None:
        """Adds a secondary item for each two cells, in the candidates of the digit."""
        for one, steps, two, _ in self.crossed(model.layout):
            model.never_together([(one, steps), (two, steps)], one, two)

    def broken(self, values: Mapping[Cell, int]) -> tuple[Cell, ...]:
        """The cells with the digit of a cell at that distance."""
        return tuple(
            cell
            for cell, digit in sorted(values.items())
            if any(values.get(other) == digit for other in _around(cell, digit))
        )

    def __str__(self) -> str:
        return self.kind


def _around(cell: Cell, steps: int) -> Iterator[Cell]:
    """The cells at that distance, some twice."""
    row, column = cell
    for down in range(-steps, steps + 1):
        right = steps - abs(down)
        yield row + down, column + right
        yield row + down, column - right
