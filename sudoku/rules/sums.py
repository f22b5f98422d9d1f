"""`LittleKiller` and `Cage`, rules for the sum of some cells; in a cage no digit repeats.

A little killer whose cells all see each other anyway is treated as a cage, by its sets of digits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Self

from sudoku.board.cells import Cell
from sudoku.board.layout import Layout
from sudoku.board.peers import all_differ, mask_of
from sudoku.board.rule import Candidates, CoverModel, Rule, Sum, checked_sum, line_of_cells
from sudoku.errors import LayoutError, counted
from sudoku.rules.encoding.digit_sets import sets_of
from sudoku.rules.encoding.linear import contribute_sum, restrict_sum
from sudoku.rules.unique import Unique, repeated

__all__ = ["Cage", "LittleKiller"]


class LittleKiller(Rule):
    """Requires the digits of some cells, usually a diagonal, to have a sum; digits may repeat.

    >>> LittleKiller(21, "r1c3 r2c2 r3c1")
    LittleKiller(21, ((1, 3), (2, 2), (3, 1)))
    """

    __slots__ = ("cells", "total")
    fields = ("total", "cells")
    kind = "little killer"
    technique = "little killer"
    sentence = (
        "A number with an arrow beside the grid is the sum of the digits, which may repeat, in "
        "the direction of the arrow."
    )
    picture = "diagonal sum"

    total: Sum | None

    def __init__(self, total: int, cells: Iterable[Cell | str] | str) -> None:
        self._fill(
            total=checked_sum(self.kind, total),
            cells=tuple(sorted(line_of_cells(self.kind, cells))),
        )

    def check(self, layout: Layout) -> None:
        """Raises `LayoutError` if the cells cannot have that sum."""
        super().check(layout)
        least, most = len(self.cells), len(self.cells) * layout.side
        if self.total is not None and not least <= self.total <= most:
            raise LayoutError(
                f"{self}: {counted(len(self.cells), 'cell')} cannot have a sum of {self.total}; "
                f"expected {least} to {most}"
            )

    def linked(self, layout: Layout) -> Iterable[tuple[Cell, Cell]]:
        """The pairs of its cells, if two digits can be too much for the sum, or are all of it."""
        count = len(self.cells)
        if self.total is None or self.total >= 2 * layout.side + count - 2 > 2 * layout.side:
            return ()
        return super().linked(layout)

    def all_differ(self, layout: Layout) -> bool:
        """Whether its cells all have different digits, so that it is a cage."""
        return len(self.cells) <= layout.side and all_differ(layout, mask_of(layout, self.cells))

    def restrict(self, candidates: Candidates, layout: Layout) -> None:
        """Removes the digits that are in no filling with that sum.

        If its cells all differ, keeps the digits of the sets whose digits all have a cell.
        """
        if self.total is None:
            return
        cells, sets = self._open_part(candidates, layout)
        if sets is None:
            restrict_sum(candidates, [(cell, 1) for cell in self.cells], [self.total])
            return
        left = reduce(or_, sets, 0)
        for cell in cells:
            candidates[cell] &= left

    def _open_part(
        self, candidates: Candidates, layout: Layout
    ) -> tuple[list[Cell], list[int] | None]:
        """The cells with several candidates, and the sets of digits, as bits, that they may have.

        A set has a digit for each of these cells, and a cell for each digit. If there are no such
        cells, the list has the empty set, or nothing if the digits break the rule. None instead of
        a list means too many sets, or that digits may repeat.
        """
        if not self.all_differ(layout):
            return [], None
        total, taken, union = self.total or 0, 0, 0
        cells, masks = [], []
        for cell in self.cells:
            mask = candidates[cell]
            if mask & (mask - 1):
                cells.append(cell)
                masks.append(mask)
                union |= mask
            else:
                total -= mask.bit_length() - 1
                if not mask or taken & mask:
                    return cells, []
                taken |= mask
        excluded = ~union | taken
        every = sets_of(len(cells), total, layout.side)
        return cells, every if every is None else [
            digits for digits in every if not digits & excluded and all(map(digits.__and__, masks))
        ]

    def contribute(self, model: CoverModel) -> None:
        """Adds an option for each set of digits, if its cells all differ, or else a weighted sum.

        Also a weighted sum if there are too many sets: see `sudoku.rules.encoding`.
        """
        if self.total is None:
            return
        cells, sets = self._open_part(model.candidates, model.layout)
        if sets is None:
            contribute_sum(model, [(cell, 1) for cell in self.cells], self.total)
        else:
            model.digit_sets(cells, sets)

    def broken(self, values: Mapping[Cell, int]) -> tuple[Cell, ...]:
        """The filled cells, if their sum is wrong or already too large."""
        filled = tuple(cell for cell in self.cells if cell in values)
        so_far, empty = sum(values[cell] for cell in filled), len(self.cells) - len(filled)
        good = self.total is None or (
            so_far + empty <= self.total if empty else so_far == self.total
        )
        return () if good else filled

    def __str__(self) -> str:
        return f"{super().__str__()} of sum {self.total}"


class Cage(LittleKiller):
    """A killer cage: requires different digits in some cells, and a sum unless it is None.

    >>> Cage(3, "r1c1 r1c2"), Cage(None, [(1, 1), (2, 2)])
    (Cage(3, ((1, 1), (1, 2))), Cage(None, ((1, 1), (2, 2))))
    """

    __slots__ = ()
    kind = "cage"
    technique = "cage combinations"
    picture = "cage"

    def __init__(self, total: int | None, cells: Iterable[Cell | str] | str) -> None:
        if total is not None:
            total = checked_sum(self.kind, total)
        self._fill(total=total, cells=tuple(sorted(line_of_cells(self.kind, cells))))

    def check(self, layout: Layout) -> None:
        """Raises `LayoutError` if it has too many cells, or they cannot have that sum."""
        Rule.check(self, layout)
        count, side = len(self.cells), layout.side
        if count > side:
            raise LayoutError(
                f"{self}: {counted(count, 'cell')}, but only {counted(side, 'digit')}"
            )
        least, most = count * (count + 1) // 2, count * (2 * side + 1 - count) // 2
        if self.total is not None and not least <= self.total <= most:
            raise LayoutError(
                f"{self}: {counted(count, 'cell')} cannot have a sum of {self.total}; "
                f"expected {least} to {most}"
            )

    @property
    def digits_alike(self) -> bool:
        """Whether the cage has no sum."""
        return self.total is None

    def different(self, layout: Layout) -> Iterable[tuple[Cell, ...]]:
        """Its cells."""
        return (self.cells,)

    def all_differ(self, layout: Layout) -> bool:
        """True."""
        return True

    def contribute(self, model: CoverModel) -> None:
        """Adds an option for each set of digits: see `sudoku.rules.encoding.digit_sets`.

        A cage without a sum, or with too many sets, gets a secondary item for each digit; with too
        many sets also the items and options of a sum.
        """
        super().contribute(model)
        unlisted = self.total is None or self._open_part(model.candidates, model.layout)[1] is None
        if unlisted and len(self.cells) > 1:
            Unique(self.cells).contribute(model)

    def broken(self, values: Mapping[Cell, int]) -> tuple[Cell, ...]:
        """The cells with equal digits, or else the filled cells if their sum cannot be right."""
        return repeated(self.cells, values) or super().broken(values)

    @classmethod
    def sentences(cls, rules: Sequence[Self], layout: Layout) -> Iterable[str]:
        """One, which mentions sums if there are any."""
        sums = [rule.total is not None for rule in rules]
        end = "" if all(sums) else ", if it has one"
        more = f" and add up to the number in its corner{end}" if any(sums) else ""
        yield f"The digits in a cage differ{more}."

    def __str__(self) -> str:
        return Rule.__str__(self) + ("" if self.total is None else f" of sum {self.total}")
