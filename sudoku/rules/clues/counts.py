"""`Quadruple`, `LookAndSay` and `CountingCircles`: how often digits are in some cells."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Final, Self

import dlx
from sudoku.board.cells import MAX_SIDE, Cell, Digit, checked_list, checked_pairs, integer
from sudoku.board.layout import Layout
from sudoku.board.peers import all_differ, mask_of
from sudoku.board.rule import Candidates, CoverModel, Rule, line_of_cells
from sudoku.errors import LayoutError, counted, shown
from sudoku.rules.encoding.choice import Box, restrict_choice
from sudoku.rules.encoding.digit_sets import MOST_SETS, sets_of
from sudoku.rules.encoding.linear import restrict_sum

__all__ = ["CountingCircles", "LookAndSay", "Quadruple"]

MOST_CELLS: Final = 6  # whose places for a digit are tried: at most 64

Counts = Mapping[int, Collection[int]]
"""For some digits how often they may be in the cells."""


class CountRule(Rule):
    """The base class of these rules."""

    __slots__ = ("cells",)

    def counts(self, side: int) -> Counts:
        """How often digits may be in the cells."""
        raise NotImplementedError

    def check(self, layout: Layout) -> None:
        """Raises `LayoutError` for digits that are too large."""
        super().check(layout)
        if (most := max(self.counts(layout.side))) > layout.side:
            raise LayoutError(f"{self}: {most} is too large for a side of {layout.side}")

    def crossed(self, layout: Layout) -> Iterable[tuple[Cell, int, Cell, int]]:
        """The same two digits in any two of the cells."""
        for a, b in product(range(1, layout.side + 1), repeat=2):
            if self.broken(dict(zip(self.cells, (a, b), strict=False))):
                yield from ((one, a, two, b) for one, two in combinations(self.cells, 2))

    def restrict(self, candidates: Candidates, layout: Layout) -> None:
        """Removes the digits that leave no place for a digit that must be there, and the like."""
        for digit, counts in self.counts(layout.side).items():
            if len(self.cells) <= MOST_CELLS:
                boxes = [*_boxes(layout, self.cells, digit, counts)]
                restrict_choice(candidates, boxes or [dict.fromkeys(self.cells, 0)])
            else:
                _restrict_count(candidates, self.cells, digit, counts)

    def contribute(self, model: CoverModel) -> None:
        """Adds for each digit an item that its candidates cover as often as it may be there."""
        for digit, counts in self.counts(model.layout.side).items():
            self._counted(model, digit, (min(counts), max(counts)))

    def _counted(self, model: CoverModel, digit: int, times: tuple[int, int]) -> Hashable:
        item = model.primary(digit, times=times)
        for cell in self.cells:
            if model.candidates[cell] >> digit & 1:
                model.attach(cell, digit, item)
        return item

    def broken(self, values: Mapping[Cell, int]) -> tuple[Cell, ...]:
        """The filled cells, if those left are too few, or a digit is there too often."""
        filled = tuple(cell for cell in self.cells if cell in values)
        found = [values[cell] for cell in filled]
        empty = len(self.cells) - len(filled)
        missing = 0
        for digit, counts in self.counts(max([1, *found])).items():
            more = [count - found.count(digit) for count in counts]
            missing += min((each for each in more if each >= 0), default=empty + 1)
        return filled if missing > empty else ()


def _boxes(
    layout: Layout, cells: Sequence[Cell], digit: int, counts: Iterable[int]
) -> Iterator[Box]:
    """The choices of the cells that have a digit; the other cells do not have it."""
    here, elsewhere = 1 << digit, ((2 << layout.side) - 2) & ~(1 << digit)
    for count in counts:
        for places in combinations(cells, count):
            if not any(all_differ(layout, mask_of(layout, two)) for two in combinations(places, 2)):
                yield {cell: here if cell in places else elsewhere for cell in cells}


def _range(candidates: Candidates, cells: Iterable[Cell], digit: int) -> tuple[int, int]:
    """In how many cells the digit must be, and can be."""
    masks = [candidates[cell] for cell in cells]
    return masks.count(1 << digit), sum(mask >> digit & 1 for mask in masks)


def _restrict_count(
    candidates: Candidates, cells: Iterable[Cell], digit: int, counts: Iterable[int]
) -> None:
    """Removes candidates if the digit is there often enough, or only just."""
    must, can = _range(candidates, cells, digit)
    left = [count for count in counts if must <= count <= can]
    for cell in cells:
        mask = candidates[cell]
        if not left:
            candidates[cell] = 0
        elif max(left) == must and mask != 1 << digit:
            candidates[cell] = mask & ~(1 << digit)
        elif min(left) == can and mask >> digit & 1:
            candidates[cell] = 1 << digit


class Quadruple(CountRule):
    """Requires these digits in these cells, each at least as often as it is given.

    >>> Quadruple([1, 2, 2], "r1c1 r1c2 r2c1 r2c2")
    Quadruple((1, 2, 2), ((1, 1), (1, 2), (2, 1), (2, 2)))
    """

    __slots__ = ("digits",)
    fields = ("digits", "cells")
    kind = "quadruple"
    picture = "quadruple"

    digits: tuple[Digit, ...]

    def __init__(self, digits: Iterable[int], cells: Iterable[Cell | str] | str) -> None:
        where = tuple(sorted(line_of_cells(self.kind, cells)))
        given = [integer(digit, most=MAX_SIDE) for digit in checked_list(digits, "digits")]
        found = [digit for digit in given if digit]
        if not found or None in given:
            raise LayoutError(
                f"a quadruple of {shown(digits)}; they must be digits from 1 to {MAX_SIDE}"
            )
        if len(found) > len(where):
            raise LayoutError(
                f"a quadruple of {len(found)} digits in {counted(len(where), 'cell')}"
            )
        self._fill(digits=tuple(sorted(found)), cells=where)

    def counts(self, side: int) -> Counts:
        """Each digit is there at least as often as it is given."""
        most = len(self.cells) + 1
        return {digit: range(self.digits.count(digit), most) for digit in self.digits}

    @classmethod
    def sentences(cls, rules: Sequence[Self], layout: Layout) -> Iterable[str]:
        """One, which says whether digits repeat."""
        often = any(len({*rule.digits}) < len(rule.digits) for rule in rules)
        end = ", at least as often as in the circle" if often else ""
        yield f"The digits in a circle where cells meet are all in these cells{end}."

    def __str__(self) -> str:
        return f"{super().__str__()} of {' '.join(map(str, self.digits))}"


class LookAndSay(CountRule):
    """Requires that some digits are in a cage exactly as often as it says.

    `says` has pairs: how often, and the digit. A clue of 2114, two 1s and one 4, has the pairs
    (2, 1) and (1, 4). The cage may have other digits, and digits may repeat.

    >>> LookAndSay([(2, 1), (1, 4)], "r1c1 r2c2 r2c3 r1c3")
    LookAndSay(((2, 1), (1, 4)), ((1, 1), (1, 3), (2, 2), (2, 3)))
    """

    __slots__ = ("says",)
    fields = ("says", "cells")
    kind = "look-and-say cage"
    sentence = (
        "A number in a green cage says how often digits are in it: 2114 means two 1s and one 4, "
        "and any other digits."
    )
    picture = "green cage"

    says: tuple[tuple[Digit, Digit], ...]

    def __init__(self, says: Iterable[tuple[int, int]], cells: Iterable[Cell | str] | str) -> None:
        where = tuple(sorted(line_of_cells(self.kind, cells)))
        found: dict[int, int] = {}
        for often, digit in checked_pairs(says, "pairs (how often, and a digit)"):
            number, times = integer(digit, most=MAX_SIDE), integer(often, most=MAX_SIDE)
            if number is None or times is None or number in found:
                what = f"{self.kind} that says {shown((often, digit))}"
                raise LayoutError(f"{what}; expected how often, and another digit from 1 up")
            found[number] = times
        if not 0 < sum(found.values()) <= len(where):
            what = f"{self.kind} of {sum(found.values())} digits"
            raise LayoutError(f"{what} in {counted(len(where), 'cell')}")
        self._fill(says=tuple((often, digit) for digit, often in found.items()), cells=where)

    def counts(self, side: int) -> Counts:
        """As it says."""
        return {digit: (often,) for often, digit in self.says}

    @property
    def label(self) -> str:
        """The number in its corner."""
        return " ".join(f"{often}{digit}" for often, digit in self.says)

    def __str__(self) -> str:
        return f"{super().__str__()} of {self.label}"


class CountingCircles(CountRule):
    """Requires that a digit in one of these circles is in as many of them as it says.

    >>> CountingCircles("r1c1 r2c2 r2c3")
    CountingCircles(((1, 1), (2, 2), (2, 3)))
    """

    __slots__ = ()
    fields = ("cells",)
    kind = "counting circles"
    sentence = "A digit in a circle says how many circles have this digit."
    picture = "circles"

    def __init__(self, cells: Iterable[Cell | str] | str) -> None:
        self._fill(cells=tuple(sorted(line_of_cells(self.kind, cells))))

    def check(self, layout: Layout) -> None:
        """Raises `LayoutError` for more circles than all digits need."""
        super().check(layout)
        most = layout.side * (layout.side + 1) // 2
        if len(self.cells) > most:
            raise LayoutError(f"{self}: {len(self.cells)} circles; all digits are in {most}")

    def counts(self, side: int) -> Counts:
        """Each digit is in none of the circles, or in as many as it says."""
        return {digit: (0, digit) for digit in range(1, side + 1)}

    def restrict(self, candidates: Candidates, layout: Layout) -> None:
        """Removes the digits that are in no set with as many circles as there are."""
        used: Candidates = {}  # for each digit: bit 0 if no circle may have it, 1 if some may
        for digit in range(1, layout.side + 1):
            must, can = _range(candidates, self.cells, digit)
            used[0, digit] = (must == 0) | 2 * (must <= digit <= can)
        restrict_sum(used, [(cell, cell[1]) for cell in used], [len(self.cells)])
        for (_, digit), mask in used.items():
            left = [count for bit, count in enumerate((0, digit)) if mask >> bit & 1]
            _restrict_count(candidates, self.cells, digit, left)

    def contribute(self, model: CoverModel) -> None:
        """Adds for each digit an item that it covers as often as it says, or that an option covers
        instead: one for each set of digits, or for each digit, if there are too many sets.
        """
        side, numbers = model.layout.side, range(1, model.layout.side + 1)
        unused = {d: dlx.times(self._counted(model, d, (d, d)), d) for d in numbers}
        found = [sets_of(count, len(self.cells), side) for count in numbers]
        sets = [digits for some in found for digits in some or ()]
        if None not in found and len(sets) <= MOST_SETS:
            item = model.primary("digits")
            for digits in sets:
                others = [each for digit, each in unused.items() if not digits >> digit & 1]
                model.option([item, *others], "digits", digits)
            return
        for digit, each in unused.items():
            item = model.primary("used", digit)
            model.option([item], "used", digit)
            model.option([item, each], "unused", digit)
