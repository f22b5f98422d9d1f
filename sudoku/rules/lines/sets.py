"""`Renban` and `Nabner`: lines whose digits are one of some sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations, islice

from sudoku.board.cells import Cell
from sudoku.board.layout import Layout
from sudoku.board.rule import Candidates, CoverModel, LineRule, Rule
from sudoku.errors import LayoutError
from sudoku.rules.encoding.digit_sets import MOST_SETS
from sudoku.rules.encoding.relation import relate, restrict_pair
from sudoku.rules.unique import repeated

__all__ = ["Nabner", "Renban", "SetRule"]


class SetRule(Rule):
    """The base class of rules for cells with different digits, which are one of some sets."""

    __slots__ = ()

    def sets(self, side: int) -> tuple[int, ...] | None:
        """The sets of as many digits as cells, as bits; None if there are too many."""
        raise NotImplementedError

    def check(self, layout: Layout) -> None:
        """Raises `LayoutError` if there is no set."""
        super().check(layout)
        if self.sets(layout.side) == ():
            what = f"no {len(self.cells)} different digits from 1 to {layout.side} are possible"
            raise LayoutError(f"{self}: {what}")

    def different(self, layout: Layout) -> Iterable[tuple[Cell, ...]]:
        """Its cells."""
        return (self.cells,)

    def restrict(self, candidates: Candidates, layout: Layout) -> None:
        """Keeps the digits of the sets whose digits all have a cell."""
        masks = [candidates[cell] for cell in self.cells]
        union = left = 0
        for mask in masks:
            union |= mask
        for digits in self.sets(layout.side) or (union,):
            if not digits & ~union and all(map(digits.__and__, masks)):
                left |= digits
        for cell in self.cells:
            candidates[cell] &= left

    def contribute(self, model: CoverModel) -> None:
        """Adds an option for each set of digits: see `sudoku.rules.encoding.digit_sets`."""
        model.digit_sets(self.cells, self.sets(model.layout.side) or ())


class Renban(SetRule, LineRule):
    """Requires consecutive digits, all different, in any order.

    >>> Renban("r1c1 r2c2 r2c3")
    Renban(((1, 1), (2, 2), (2, 3)))
    """

    __slots__ = ()
    kind = "renban line"
    sentence = "A pink line has different consecutive digits in any order."
    picture = "pink line"

    def sets(self, side: int) -> tuple[int, ...]:
        """The runs of as many digits as cells.

        >>> [bin(digits) for digits in Renban("r1c1 r1c2 r1c3").sets(4)]
        ['0b1110', '0b11100']
        """
        count = len(self.cells)
        return tuple(((1 << count) - 1) << least for least in range(1, side - count + 2))

    def broken(self, values: Mapping[Cell, int]) -> tuple[Cell, ...]:
        """The cells with equal digits, or else the filled cells if they are too far apart."""
        filled = tuple(cell for cell in self.cells if cell in values)
        digits = [values[cell] for cell in filled]
        if digits and max(digits) - min(digits) >= len(self.cells):
            return filled
        return repeated(self.cells, values)


class Nabner(SetRule, LineRule):
    """Requires digits that are neither equal nor consecutive, wherever on the line.

    >>> Nabner("r1c1 r2c2 r2c3")
    Nabner(((1, 1), (2, 2), (2, 3)))
    """

    __slots__ = ()
    kind = "nabner line"
    sentence = "No two digits on a golden line are equal or consecutive."
    picture = "golden line"

    def sets(self, side: int) -> tuple[int, ...] | None:
        """The sets without consecutive digits.

        >>> [bin(digits) for digits in Nabner("r1c1 r1c2").sets(4)]
        ['0b1010', '0b10010', '0b10100']
        """
        return _sets_apart(len(self.cells), side)

    def restrict(self, candidates: Candidates, layout: Layout) -> None:
        """Keeps the digits of the sets whose digits all have a cell."""
        if self.sets(layout.side) is not None:
            super().restrict(candidates, layout)
            return
        for a, b in self._pairs():
            restrict_pair(candidates, a, b, _apart)

    def contribute(self, model: CoverModel) -> None:
        """Adds an option for each set, or for too many sets a relation of any two cells."""
        if self.sets(model.layout.side) is not None:
            super().contribute(model)
            return
        for number, (a, b) in enumerate(self._pairs(), 1):
            relate(model, a, b, _apart, number)

    def _pairs(self) -> Iterator[tuple[Cell, Cell]]:
        return combinations(self.cells, 2)

    def broken(self, values: Mapping[Cell, int]) -> tuple[Cell, ...]:
        """The cells whose digits are equal or consecutive."""
        filled = [cell for cell in self.cells if cell in values]
        pairs = [(a, b) for a, b in combinations(filled, 2) if not _apart(values[a], values[b])]
        return tuple(sorted({cell for pair in pairs for cell in pair}))


@lru_cache(maxsize=64)
def _sets_apart(count: int, side: int) -> tuple[int, ...] | None:
    free = max(0, side - count + 1)  # without the gaps after digits
    found = (
        sum(1 << digit + place for place, digit in enumerate(digits, 1))
        for digits in combinations(range(free), count)
    )
    sets = tuple(islice(found, MOST_SETS + 1))
    return sets if len(sets) <= MOST_SETS else None


def _apart(a: int, b: int) -> bool:
    return abs(a - b) > 1
