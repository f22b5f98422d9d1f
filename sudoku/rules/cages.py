"""`MultiSumCage` and `RellikCage`: cages with several sums, and with a sum that is impossible."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import combinations, islice
from math import comb
from typing import Final

from sudoku.board.cells import Cell, checked_list
from sudoku.board.layout import Layout
from sudoku.board.rule import CoverModel, Sum, checked_sum, line_of_cells
from sudoku.errors import LayoutError
from sudoku.rules.encoding.automaton import Automaton, AutomatonRule
from sudoku.rules.encoding.digit_sets import MOST_SETS, sets_of
from sudoku.rules.lines.sets import SetRule
from sudoku.rules.unique import Unique, repeated

__all__ = ["MultiSumCage", "RellikCage"]

MOST_TRIED: Final = 20_000  # sets of digits; of any number of 16 digits there are fewer


class SetCage(SetRule, AutomatonRule):
    """The base class of these cages. If there are too many sets, an automaton reads the cells."""

    __slots__ = ("cells",)
    technique = "cage combinations"

    def linked(self, layout: Layout) -> Iterable[tuple[Cell, Cell]]:
        """The pairs of its cells."""
        return combinations(self.cells, 2)

    def contribute(self, model: CoverModel) -> None:
        """Adds an option for each set of digits, or the items and options of the automaton."""
        if self.sets(model.layout.side) is not None:
            super().contribute(model)
            return
        AutomatonRule.contribute(self, model)
        if len(self.cells) > 1:
            Unique(self.cells).contribute(model)

    def broken(self, values: Mapping[Cell, int]) -> tuple[Cell, ...]:
        """The cells with equal digits, or else the filled cells if their sum cannot be right."""
        return repeated(self.cells, values) or AutomatonRule.broken(self, values)

    @property
    def label(self) -> str:
        """The text in its corner."""
        raise NotImplementedError

    def __str__(self) -> str:
        return f"{super().__str__()} of {self.label}"


class MultiSumCage(SetCage):
    """Requires different digits in some cells, with one of these sums.

    >>> MultiSumCage([10, 5], "r1c1 r1c2")
    MultiSumCage((5, 10), ((1, 1), (1, 2)))
    """

    __slots__ = ("totals",)
    fields = ("totals", "cells")
    kind = "multi-sum cage"
    sentence = "The digits in a blue cage differ, and add up to one of the numbers in its corner."
    picture = "blue cage"

    totals: tuple[Sum, ...]

    def __init__(self, totals: Iterable[int], cells: Iterable[Cell | str] | str) -> None:
        found = {checked_sum(self.kind, total) for total in checked_list(totals, "sums")}
        if not found:
            raise LayoutError(f"{self.kind} without a sum")
        where = tuple(sorted(line_of_cells(self.kind, cells)))
        self._fill(totals=tuple(sorted(found)), cells=where)

    def sets(self, side: int) -> tuple[int, ...] | None:
        """The sets with one of the sums."""
        found: list[int] = []
        for total in self.totals:
            sets = sets_of(len(self.cells), total, side)
            if sets is None or len(found) > MOST_SETS:
                return None
            found += sets
        return tuple(found)

    def automaton(self) -> Automaton:
        """Its states: the sum so far."""
        most = max(self.totals)

        def step(place: int, state: object, digit: int) -> object:
            assert isinstance(state, int)
            return state + digit if state + digit <= most else None

        return Automaton(self.cells, 0, step, self.totals.__contains__)

    @property
    def label(self) -> str:
        """Its sums."""
        return "/".join(map(str, self.totals))


class RellikCage(SetCage):
    """Requires different digits in some cells, none or several of which have this sum.

    >>> RellikCage(10, "r1c1 r1c2 r2c1")
    RellikCage(10, ((1, 1), (1, 2), (2, 1)))
    """

    __slots__ = ("total",)
    fields = ("total", "cells")
    kind = "rellik cage"
    sentence = (
        "The digits in a red cage differ, and neither one of them nor the sum of several is the "
        "number in its corner."
    )
    picture = "red cage"

    total: Sum

    def __init__(self, total: int, cells: Iterable[Cell | str] | str) -> None:
        where = tuple(sorted(line_of_cells(self.kind, cells)))
        self._fill(total=checked_sum(self.kind, total), cells=where)

    def sets(self, side: int) -> tuple[int, ...] | None:
        """The sets without the sum."""
        return _without(len(self.cells), self.total, side)

    def automaton(self) -> Automaton:
        """Its states: the sums of the digits so far, as bits."""
        total = self.total

        def step(place: int, state: object, digit: int) -> object:
            assert isinstance(state, int)
            sums = _sums(state, digit, total)
            return None if sums >> total & 1 else sums

        return Automaton(self.cells, 1, step, lambda state: True)

    def possible_with(self, digits: tuple[int, ...]) -> bool:
        """Whether the filled cells do not have the sum."""
        sums = 1
        for digit in filter(None, digits):
            sums = _sums(sums, digit, self.total)
        return not sums >> self.total & 1

    @property
    def label(self) -> str:
        """Its sum."""
        return str(self.total)


def _sums(sums: int, digit: int, most: int) -> int:
    """The sums, as bits, with or without one more digit; those up to `most`."""
    return (sums | sums << digit) & ((2 << most) - 1)


@lru_cache(maxsize=256)
def _without(count: int, total: int, side: int) -> tuple[int, ...] | None:
    """The sets of digits none or several of which have the sum; None if there are too many."""
    if comb(side, count) > MOST_TRIED:
        return None

    def is_good(digits: tuple[int, ...]) -> bool:
        sums = 1
        for digit in digits:
            sums = _sums(sums, digit, total)
        return not sums >> total & 1

    every = combinations(range(1, side + 1), count)
    found = (sum(1 << digit for digit in digits) for digits in every if is_good(digits))
    sets = tuple(islice(found, MOST_SETS + 1))
    return sets if len(sets) <= MOST_SETS else None
