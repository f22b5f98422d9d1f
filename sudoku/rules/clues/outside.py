"""`Sandwich`, `XSum`, `Skyscraper` and `NumberedRoom`, clues outside of the grid for a line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Annotated, ClassVar, NamedTuple, Self

from sudoku.board.cells import Cell, integer
from sudoku.board.layout import Layout
from sudoku.board.rule import MOST_SUM, Candidates, CoverModel, Rule, Sum, line_of_cells
from sudoku.errors import LayoutError, shown
from sudoku.rules.encoding.automaton import Automaton, AutomatonRule, restrict_automaton
from sudoku.rules.encoding.choice import Box, contribute_choice
from sudoku.rules.encoding.digit_sets import sets_of

__all__ = ["NumberedRoom", "Sandwich", "Skyscraper", "XSum", "refuse_no_house"]


MOST_BOXES = 2000
"""The most boxes that become options of one item; every clue on 9x9 has fewer."""

Boxes = tuple[tuple[int, ...], ...]

Sets = Callable[[int, int], Boxes | None]
"""`OutsideClue.sets` of a kind of clue."""

Excluded = tuple[tuple[int, int, int, int], ...]
"""Two digits in two places that no line has together: place, digit, place, digit."""


class PackedBoxes(NamedTuple):
    """Boxes as integers, so that a few operations compare all cells of a box with candidates.

    A box has a field of side + 1 bits for each place: bit d - 1 for digit d, and a spare bit above
    them. `is_open` sets the spare bits and subtracts 1 from each field; a spare bit stays set if
    its field had a digit.
    """

    side: int
    boxes: tuple[int, ...]
    lowest: int
    """The lowest bit of each field."""
    spare: int
    """The spare bit of each field."""

    @classmethod
    def of(cls, boxes: Boxes, side: int) -> PackedBoxes:
        """The boxes of lines with `side` digits."""
        lowest = sum(1 << place * (side + 1) for place in range(side))
        packed = tuple(_packed(box, side) for box in boxes)
        return cls(side, packed, lowest, lowest << side)

    def has_open(self, candidates: int, among: Iterable[int] | None = None) -> bool:
        """Whether one of the boxes has a candidate for each place."""
        lowest, spare = self.lowest, self.spare
        for box in self.boxes if among is None else among:
            if ((spare | box & candidates) - lowest) & spare == spare:
                return True
        return False

    def left(self, candidates: int) -> int:
        """The candidates that are in a box with a candidate for each place. O(boxes)."""
        lowest, spare, found = self.lowest, self.spare, 0
        for box in self.boxes:
            both = box & candidates
            if ((spare | both) - lowest) & spare == spare:
                found |= both
        return found

    def excluded(self) -> Excluded:
        """The pairs of different digits that are in no box with digits for the other places.

        O(places^2 x digits^2 x boxes) in the worst case; the first boxes mostly suffice.
        """
        width, field = self.side + 1, (1 << self.side) - 1
        candidates = [(place, digit) for place in range(self.side) for digit in range(self.side)]
        found: list[tuple[int, int, int, int]] = []
        for first, one in candidates:
            among = [box for box in self.boxes if box >> first * width + one & 1]
            for second, two in candidates:
                if second <= first or one == two:
                    continue
                left = self.lowest * (field & ~(1 << one | 1 << two))
                left &= ~(field << first * width | field << second * width)
                left |= 1 << first * width + one | 1 << second * width + two
                if not self.has_open(left, among):
                    found.append((first, one + 1, second, two + 1))
        return tuple(found)


def _packed(masks: Iterable[int], side: int) -> int:
    """Sets of digits, bit d for digit d, side by side in one integer."""
    return sum(mask >> 1 << place * (side + 1) for place, mask in enumerate(masks))


class OutsideClue(AutomatonRule):
    """The base class of rules for a number and the cells of a house, read from the clue."""

    __slots__ = ("cells", "total")
    fields: ClassVar[tuple[str, ...]] = ("total", "cells")
    technique = "outside clue"
    least: ClassVar[int] = 1
    """The least number."""

    total: Sum
    """The number of the clue."""

    def __init__(self, total: int, cells: Iterable[Cell | str] | str) -> None:
        number = integer(total, self.least, MOST_SUM)
        if number is None:
            what = f"{self.kind} of {shown(total)}"
            raise LayoutError(f"{what}; it must be a number from {self.least} to {MOST_SUM}")
        self._fill(total=number, cells=line_of_cells(self.kind, cells, 2))

    @property
    def most(self) -> int:
        """The largest possible number."""
        raise NotImplementedError

    def check(self, layout: Layout) -> None:
        """Raises `LayoutError` for cells that are not a house, and for a number too large."""
        super().check(layout)
        refuse_no_house(self, layout)
        if self.total > self.most:
            raise LayoutError(f"{self}: expected {self.least} to {self.most}")

    @staticmethod
    def sets(total: int, side: int) -> Boxes | None:
        """Boxes that hold all lines with that number; None to use the automaton instead.

        A box has the digits of each place, as bits.
        """
        return None

    def _boxes(self) -> list[Box] | None:
        found = self.sets(self.total, len(self.cells))
        return None if found is None else [dict(zip(self.cells, b, strict=True)) for b in found]

    def excluded(self, layout: Layout) -> Iterable[tuple[Cell, int, Cell, int]]:
        """Two different digits in two cells that no line with that number has; from a table.

        Nothing where there are too many boxes, as on 16x16.
        """
        cells = self.cells
        for first, one, second, two in _excluded(self.sets, self.total, len(cells)):
            yield cells[first], one, cells[second], two

    def restrict(self, candidates: Candidates, layout: Layout) -> None:
        """Removes the digits that are in no line with that number."""
        side = len(self.cells)
        boxes = _packed_boxes(self.sets, self.total, side)
        if boxes is None:
            super().restrict(candidates, layout)
            return
        left = boxes.left(_packed((candidates[cell] for cell in self.cells), side))
        for place, cell in enumerate(self.cells):
            candidates[cell] &= (left >> place * (side + 1) & (1 << side) - 1) << 1

    def contribute(self, model: CoverModel) -> None:
        """Adds an item whose options are boxes, or the items and options of an automaton."""
        boxes = self._boxes()
        if boxes is None:
            super().contribute(model)
        else:
            contribute_choice(model, boxes)

    def possible_with(self, digits: tuple[int, ...]) -> bool:
        """Whether a line with these digits, 0 for an empty cell, can have the number."""
        side = len(digits)
        left = (2 << side) - 2 & ~sum({1 << digit for digit in digits if digit})
        masks = [1 << digit if digit else left for digit in digits]
        boxes = _packed_boxes(self.sets, self.total, side)
        if boxes is not None:
            return boxes.has_open(_packed(masks, side))
        candidates = dict(zip(self.cells, masks, strict=True))
        restrict_automaton(candidates, self.automaton())
        return all(candidates.values())

    def __str__(self) -> str:
        return f"{super().__str__()} of {self.total}"


@lru_cache(maxsize=256)
def _packed_boxes(sets: Sets, total: int, side: int) -> PackedBoxes | None:
    """The boxes of a clue; None to use the automaton instead."""
    boxes = sets(total, side)
    return None if boxes is None else PackedBoxes.of(boxes, side)


@lru_cache(maxsize=256)
def _excluded(sets: Sets, total: int, side: int) -> Excluded:
    """The pairs of digits that a clue excludes; none if it has too many boxes."""
    boxes = _packed_boxes(sets, total, side)
    return () if boxes is None else boxes.excluded()


class Sandwich(OutsideClue):
    """Requires the digits between 1 and the largest digit of a house to have a sum.

    The cells are those of the house in order, from either end.

    >>> Sandwich(2, "r1c1 r1c2 r1c3 r1c4")
    Sandwich(2, ((1, 1), (1, 2), (1, 3), (1, 4)))
    """

    __slots__ = ()
    kind = "sandwich"
    picture = "number outside"
    least = 0

    total: Annotated[int, range(MOST_SUM + 1)]

    @property
    def most(self) -> int:
        """The sum of the digits besides 1 and the largest."""
        side = len(self.cells)
        return side * (side + 1) // 2 - side - 1

    @staticmethod
    @lru_cache(maxsize=256)
    def sets(total: int, side: int) -> Boxes | None:
        """A box for each two places of 1 and the largest digit, and set of digits between them."""
        boxes: list[tuple[int, ...]] = []
        every, crusts = (2 << side) - 2, 2 | 1 << side
        for first in range(side):
            for last in range(first + 1, side):
                sets = sets_of(last - first - 1, total, side)
                if sets is None or len(boxes) > MOST_BOXES:
                    return None
                for inside in sets:
                    if not inside & crusts:
                        outside = every & ~inside & ~crusts
                        box = [outside] * side
                        box[first + 1 : last] = [inside] * (last - first - 1)
                        for ends in ((2, 1 << side), (1 << side, 2)):
                            box[first], box[last] = ends
                            boxes.append(tuple(box))
        return tuple(boxes) if len(boxes) <= MOST_BOXES else None

    def automaton(self) -> Automaton:
        """Its states: -1 before the sandwich, the sum inside of it, and "after" it."""
        total, crusts = self.total, (1, len(self.cells))

        def step(place: int, state: object, digit: int) -> object:
            if digit in crusts:
                return 0 if state == -1 else "after" if state == total else None
            if isinstance(state, str) or state == -1:
                return state
            assert isinstance(state, int)
            return state + digit if state + digit <= total else None

        return Automaton(self.cells, -1, step, lambda state: state == "after")

    @classmethod
    def sentences(cls, rules: Sequence[Self], layout: Layout) -> Iterable[str]:
        """One, with the largest digit."""
        what = f"the digits between 1 and {layout.symbols[-1]}"
        yield f"A number beside the grid is the sum of {what} in its row or column."


class XSum(OutsideClue):
    """Requires a sum of the first X cells, where X is the digit of the first cell.

    The cells are those of a house, read from the clue.

    >>> XSum(6, "r1c1 r1c2 r1c3 r1c4")
    XSum(6, ((1, 1), (1, 2), (1, 3), (1, 4)))
    """

    __slots__ = ()
    kind = "X-sum"
    sentence = (
        "A number beside the grid is the sum of the first X digits, where X is the first digit."
    )
    picture = "number outside"

    @property
    def most(self) -> int:
        """The sum of all digits."""
        return len(self.cells) * (len(self.cells) + 1) // 2

    @staticmethod
    @lru_cache(maxsize=256)
    def sets(total: int, side: int) -> Boxes | None:
        """A box for each first digit, and each set of the other digits of the sum."""
        boxes: list[tuple[int, ...]] = []
        every = (2 << side) - 2
        for first in range(1, side + 1):
            sets = sets_of(first - 1, total - first, side)
            if sets is None or len(boxes) > MOST_BOXES:
                return None
            for others in sets:
                if not others >> first & 1:
                    rest = every & ~others & ~(1 << first)
                    inside, outside = [others] * (first - 1), [rest] * (side - first)
                    boxes.append((1 << first, *inside, *outside))
        return tuple(boxes) if len(boxes) <= MOST_BOXES else None

    def automaton(self) -> Automaton:
        """Its states: how many cells of the sum are left, and what they add to it."""
        total = self.total

        def step(place: int, state: object, digit: int) -> object:
            assert isinstance(state, tuple)
            left, rest = state if place else (digit, total)
            if left:
                left, rest = left - 1, rest - digit
            return (left, rest) if rest > 0 < left or rest == left == 0 else None

        return Automaton(self.cells, (0, 0), step, lambda state: state == (0, 0))


class Skyscraper(OutsideClue):
    """Requires how many digits of a house are greater than all digits before them.

    The digits are heights of buildings; the clue is the number of those that are seen from it.

    >>> Skyscraper(3, "r1c1 r1c2 r1c3 r1c4")
    Skyscraper(3, ((1, 1), (1, 2), (1, 3), (1, 4)))
    """

    __slots__ = ()
    kind = "skyscraper"
    sentence = (
        "A number beside the grid says how many digits, seen from there, are greater than all "
        "digits before them."
    )
    picture = "number outside"

    @property
    def most(self) -> int:
        """The number of cells."""
        return len(self.cells)

    @staticmethod
    @lru_cache(maxsize=256)
    def sets(total: int, side: int) -> Boxes | None:
        """A box for the places and the digits that are seen; digits between them are lower."""
        boxes: list[tuple[int, ...]] = []
        for places in combinations(range(1, side), total - 1):
            for digits in combinations(range(1, side), total - 1):
                if all(place <= digit for place, digit in zip(places, digits, strict=True)):
                    heights = dict(zip((0, *places), (*digits, side), strict=True))
                    box, top = [], 0
                    for place in range(side):
                        top = heights.get(place, top)
                        box.append(1 << top if place in heights else (1 << top) - 2)
                    boxes.append(tuple(box))
                    if len(boxes) > MOST_BOXES:
                        return None
        return tuple(boxes)

    def automaton(self) -> Automaton:
        """Its states: the largest digit so far, and how many are seen."""
        side, total = len(self.cells), self.total

        def step(place: int, state: object, digit: int) -> object:
            assert isinstance(state, tuple)
            highest, seen = state
            if digit < highest:
                return state
            return (digit, seen + 1) if digit > highest and seen < total else None

        return Automaton(self.cells, (0, 0), step, lambda state: state == (side, total))


class NumberedRoom(OutsideClue):
    """Requires a digit in the n-th cell of a house, where n is the digit of the first cell.

    >>> NumberedRoom(3, "r1c1 r1c2 r1c3 r1c4")
    NumberedRoom(3, ((1, 1), (1, 2), (1, 3), (1, 4)))
    """

    __slots__ = ()
    kind = "numbered room"
    sentence = (
        "A number beside the grid is the digit in the n-th cell from there, where n is the first "
        "digit."
    )
    picture = "number outside"

    @property
    def most(self) -> int:
        """The largest digit."""
        return len(self.cells)

    @staticmethod
    @lru_cache(maxsize=256)
    def sets(total: int, side: int) -> Boxes:
        """A box for each first digit."""
        boxes, every = [], (2 << side) - 2
        for first in range(1, side + 1):
            if first == total == 1 or first not in (1, total):
                box = [1 << first, *[every & ~(1 << first | 1 << total)] * (side - 1)]
                box[first - 1] = 1 << total
                boxes.append(tuple(box))
        return tuple(boxes)


def refuse_no_house(rule: Rule, layout: Layout) -> None:
    """Raises `LayoutError` unless the cells of the rule are the cells of a house."""
    where = tuple(sorted(layout.index[cell] for cell in rule.cells))
    if all(house.cells != where for house in layout.houses):
        raise LayoutError(f"{rule}: its cells are not a row, a column or another house")
