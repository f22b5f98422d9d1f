"""`Allowed`, a rule for cells that may have only some digits: even, odd, pencil marks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Self

from sudoku.board.cells import (
    MAX_SIDE,
    Cell,
    Digit,
    cell_name,
    checked_cell,
    checked_pairs,
    integer,
    is_iterable,
)
from sudoku.board.layout import Layout, layout_cache
from sudoku.board.rule import Candidates, Rule
from sudoku.errors import LayoutError, shown

__all__ = ["Allowed"]


class Allowed(Rule):
    """Restricts each of these cells to its digits.

    >>> Allowed({(1, 1): [2, 4, 6, 8], "r1c2": [3]})
    Allowed((((1, 1), (2, 4, 6, 8)), ((1, 2), (3,))))
    """

    __slots__ = ("cells", "marks")
    fields = ("marks",)
    kind = "marks"
    picture = "marks"

    marks: tuple[tuple[Cell, tuple[Digit, ...]], ...]
    """The cells with the digits that each may have, both in ascending order."""

    def __init__(
        self,
        marks: Mapping[Cell, Iterable[int]]
        | Mapping[str, Iterable[int]]
        | Iterable[tuple[Cell | str, Iterable[int]]],
    ) -> None:
        pairs = marks.items() if isinstance(marks, Mapping) else marks
        found: dict[Cell, tuple[int, ...]] = {}
        for place, digits in checked_pairs(pairs, "marks (a cell and digits)"):
            cell = checked_cell(place)
            if cell in found:
                raise LayoutError(f"{cell_name(*cell)} is marked twice")
            found[cell] = _digits(cell, digits)
        self._fill(marks=tuple(sorted(found.items())), cells=tuple(sorted(found)))

    def check(self, layout: Layout) -> None:
        """Raises `LayoutError` for digits that are too large, and for cells without a digit that
        all such rules of the layout allow.
        """
        super().check(layout)
        for cell, digits in self.marks:
            if digits[-1] > layout.side:
                raise LayoutError(
                    f"{cell_name(*cell)} is marked with {digits[-1]}, too large for a side of "
                    f"{layout.side}"
                )
        left = _left_of(layout)
        for cell, digits in self.marks:
            if not left.get(cell, -1) & sum(1 << digit for digit in digits):
                raise LayoutError(f"{cell_name(*cell)} has contradictory marks")

    def linked(self, layout: Layout) -> Iterable[tuple[Cell, Cell]]:
        """No pairs: each cell is marked for itself."""
        return ()

    def restrict(self, candidates: Candidates, layout: Layout) -> None:
        """Keeps the marked digits."""
        for cell, digits in self.marks:
            candidates[cell] &= sum(1 << digit for digit in digits)

    def broken(self, values: Mapping[Cell, int]) -> tuple[Cell, ...]:
        """Cells that have another digit."""
        return tuple(
            cell for cell, digits in self.marks if cell in values and values[cell] not in digits
        )

    def is_even_odd(self, layout: Layout) -> bool:
        """Whether each of its cells may have all even digits, or all odd ones.

        Squares and circles show such a rule; others are drawn as marks in all of their cells.
        """
        parities = [tuple(range(first, layout.side + 1, 2)) for first in (1, 2)]
        return all(digits in parities for _, digits in self.marks)

    @classmethod
    def sentences(cls, rules: Sequence[Self], layout: Layout) -> Iterable[str]:
        """For even digits, odd digits, and other marks, if there are such rules."""
        shapes = [rule for rule in rules if rule.is_even_odd(layout)]
        parities = {digits[0] % 2 for rule in shapes for _, digits in rule.marks}
        if 0 in parities:
            yield "A cell with a grey square has an even digit."
        if 1 in parities:
            yield "A cell with a grey circle has an odd digit."
        if len(shapes) < len(rules):
            yield "A cell with small digits has one of them."


@layout_cache
def _left_of(layout: Layout) -> dict[Cell, int]:
    """For each marked cell the digits that all such rules of the layout allow, as bits."""
    left: dict[Cell, int] = {}
    for rule in layout.rules:
        if isinstance(rule, Allowed):
            for cell, digits in rule.marks:
                bits = sum(1 << digit for digit in digits if digit <= layout.side)
                left[cell] = left.get(cell, -1) & bits
    return left


def _digits(cell: Cell, digits: object) -> tuple[int, ...]:
    if is_iterable(digits) and not isinstance(digits, str | bytes):
        found = {integer(digit, most=MAX_SIDE) for digit in digits}
        if not found:
            raise LayoutError(f"{cell_name(*cell)} is marked with no digit")
        if None not in found:
            return tuple(sorted(digit for digit in found if digit))
    raise LayoutError(
        f"{cell_name(*cell)} is marked with {shown(digits)}; marks are digits from 1 to {MAX_SIDE}"
    )
