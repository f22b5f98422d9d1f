"""`BetweenLine` and `LockoutLine`: lines whose ends restrict the cells between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Self

from sudoku.board.cells import Cell, Digit
from sudoku.board.layout import Layout
from sudoku.board.rule import Candidates, CoverModel, LineRule, Rule, digits_of, line_of_cells
from sudoku.rules.encoding.choice import Box, contribute_choice, restrict_choice
from sudoku.rules.lines.whisper import checked_difference, refuse_difference

__all__ = ["BetweenLine", "LockoutLine"]


class EndsRule(Rule):
    """The base class of these lines: there is a box for each two digits of the ends."""

    __slots__ = ()

    def inner(self, low: int, high: int) -> int:
        """The digits that cells between ends with these digits may have, as bits.

        The numbers of bits may exceed the number of digits.
        """
        raise NotImplementedError

    def _boxes(self, candidates: Candidates) -> Iterator[Box]:
        """A box for each two candidates of the ends."""
        first, *between, last = self.cells
        for a in digits_of(candidates[first]):
            for b in digits_of(candidates[last]):
                digits = self.inner(min(a, b), max(a, b))
                if digits:
                    yield {first: 1 << a, last: 1 << b, **dict.fromkeys(between, digits)}

    def restrict(self, candidates: Candidates, layout: Layout) -> None:
        """Removes the digits that are in no box with candidates in all cells."""
        boxes = [*self._boxes(candidates)]
        restrict_choice(candidates, boxes or [dict.fromkeys(self.cells, 0)])

    def contribute(self, model: CoverModel) -> None:
        """Adds an item whose options are the boxes."""
        contribute_choice(model, self._boxes(model.candidates))

    def broken(self, values: Mapping[Cell, int]) -> tuple[Cell, ...]:
        """The ends and the cells that do not fit them, if both ends are filled."""
        first, *between, last = self.cells
        if first not in values or last not in values:
            return ()
        a, b = sorted((values[first], values[last]))
        digits = self.inner(a, b)
        wrong = [cell for cell in between if cell in values and not digits >> values[cell] & 1]
        return tuple(sorted([first, *wrong, last])) if wrong or not digits else ()


class BetweenLine(EndsRule, LineRule):
    """Requires that the digits between the ends of a line are between the digits of the ends.

    >>> BetweenLine("r1c1 r2c2 r2c3")
    BetweenLine(((1, 1), (2, 2), (2, 3)))
    """

    __slots__ = ()
    kind = "between line"
    sentence = "The digits on a line with two circles are between the digits in the circles."
    picture = "ringed line"
    least = 3

    def inner(self, low: int, high: int) -> int:
        """The digits above `low` and below `high`."""
        return (1 << high) - (2 << low) if low < high else 0


class LockoutLine(EndsRule):
    """Requires ends that differ by at least `least`, and no digit of them or between them inside.

    On a 9x9 grid `least` is usually 4.

    >>> LockoutLine(4, "r1c1 r2c2 r2c3")
    LockoutLine(4, ((1, 1), (2, 2), (2, 3)))
    """

    __slots__ = ("cells", "least")
    fields = ("least", "cells")
    kind = "lockout line"
    technique = "line"
    picture = "line with diamonds"

    least: Digit

    def __init__(self, least: int, cells: Iterable[Cell | str] | str) -> None:
        self._fill(
            least=checked_difference(self.kind, least), cells=line_of_cells(self.kind, cells, 2)
        )

    def check(self, layout: Layout) -> None:
        """Raises `LayoutError` if no two digits differ so much."""
        super().check(layout)
        refuse_difference(self, self.least, layout)

    def inner(self, low: int, high: int) -> int:
        """The digits below `low` or above `high`."""
        return ~((2 << high) - (1 << low)) if high - low >= self.least else 0

    @classmethod
    def sentences(cls, rules: Sequence[Self], layout: Layout) -> Iterable[str]:
        """For each least difference one."""
        for least in sorted({rule.least for rule in rules}):
            yield (
                f"The digits in the two diamonds of a line differ by at least {least}; no other "
                "digit of the line is equal to one of them or between them."
            )
