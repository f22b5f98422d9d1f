"""`Whisper`, a rule for lines whose neighbours differ by a least amount."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Self

from sudoku.board.cells import MAX_SIDE, Cell, Digit, cell_name, checked_cells, integer
from sudoku.board.layout import Layout
from sudoku.board.rule import line_of_cells
from sudoku.errors import LayoutError, shown
from sudoku.rules.encoding.relation import PairRule

__all__ = ["Whisper", "checked_difference", "crossing_line", "refuse_difference"]


class Whisper(PairRule):
    """Requires that neighbours on a line differ by at least `least`.

    On a 9x9 grid this is 5 for a German whisper and 4 for a Dutch one. The line may cross itself,
    and end where it began.

    >>> Whisper(5, "r1c1 r2c2 r2c3")
    Whisper(5, ((1, 1), (2, 2), (2, 3)))
    """

    __slots__ = ("cells", "least")
    fields = ("least", "cells")
    kind = "whisper line"
    technique = "line"
    picture = "whisper line"

    least: Digit

    def __init__(self, least: int, cells: Iterable[Cell | str] | str) -> None:
        self._fill(least=checked_difference(self.kind, least))
        self._fill(cells=crossing_line(self.kind, cells))

    def check(self, layout: Layout) -> None:
        """Raises `LayoutError` if no two digits differ so much."""
        super().check(layout)
        refuse_difference(self, self.least, layout)

    def fits(self, a: int, b: int) -> bool:
        """Whether the digits differ enough."""
        return abs(a - b) >= self.least

    @classmethod
    def sentences(cls, rules: Sequence[Self], layout: Layout) -> Iterable[str]:
        """For each least difference one."""
        for least in sorted({rule.least for rule in rules}):
            line = "a green line" if least >= 5 else "an orange line"
            yield f"Neighbours on {line} differ by at least {least}."

    def __str__(self) -> str:
        return f"{super().__str__()} of difference {self.least}"


def crossing_line(kind: str, cells: object) -> tuple[Cell, ...]:
    """A line of at least two cells, which may cross itself and end where it began."""
    line = tuple(checked_cells(cells))
    line_of_cells(kind, dict.fromkeys(line), 2)
    for a, b in pairwise(line):
        if a == b:
            raise LayoutError(f"{kind} has {cell_name(*a)} twice in a row")
    return line


def checked_difference(kind: str, value: object) -> int:
    """A difference of digits; raises `LayoutError` unless it is a number from 1 to 36."""
    number = integer(value, most=MAX_SIDE)
    if number is None:
        what = f"{kind} of difference {shown(value)}"
        raise LayoutError(f"{what}; it must be a number from 1 to {MAX_SIDE}")
    return number


def refuse_difference(rule: object, difference: int, layout: Layout) -> None:
    """Raises `LayoutError` if no two digits of a layout have such a difference."""
    if difference >= layout.side:
        raise LayoutError(f"{rule}: two digits differ by {layout.side - 1} at most")
