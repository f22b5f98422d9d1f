"""`EqualSums`, `EqualAreas`, `Zipper`, `DoubleArrow`, `SumLine`: parts with the same sum."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, Self

from sudoku.board.cells import Cell, cell_name, checked_cells, checked_list
from sudoku.board.layout import Layout
from sudoku.board.plain_text import owners_of
from sudoku.board.rule import (
    Candidates,
    CoverModel,
    LineRule,
    Rule,
    Sum,
    checked_sum,
    line_of_cells,
)
from sudoku.errors import LayoutError, listed
from sudoku.rules.encoding.automaton import Automaton, AutomatonRule
from sudoku.rules.encoding.totals import contribute_equal_sums, restrict_equal_sums

__all__ = ["DoubleArrow", "EqualAreas", "EqualSums", "SumLine", "Zipper", "parts_by_box"]


class EqualSumsRule(Rule):
    """The base class of rules that require the same sum of several parts."""

    __slots__ = ()

    def groups(self) -> list[tuple[Cell, ...]]:
        """The parts; none of them is empty."""
        return []

    def restrict(self, candidates: Candidates, layout: Layout) -> None:
        """Removes the digits that are in no filling with a sum that all parts can have."""
        parts = self.groups()
        if len(parts) > 1 and not restrict_equal_sums(candidates, layout, parts):
            candidates.update(dict.fromkeys(self.cells, 0))

    def contribute(self, model: CoverModel) -> None:
        """Adds options for the fillings of each part; a color makes their sums agree."""
        parts = self.groups()
        if len(parts) > 1:
            contribute_equal_sums(model, parts)

    def broken(self, values: Mapping[Cell, int]) -> tuple[Cell, ...]:
        """The cells of the full parts, if their sums differ."""
        full = [part for part in self.groups() if all(cell in values for cell in part)]
        if len({sum(values[cell] for cell in part) for part in full}) < 2:
            return ()
        return tuple(sorted({cell for part in full for cell in part}))


class EqualSums(EqualSumsRule):
    """Requires that the digits of each of these parts have the same sum.

    A region sum line has a part for each box that it runs through; `parts_by_box` finds them.

    >>> EqualSums(["r1c3 r2c3", "r2c4"])
    EqualSums((((1, 3), (2, 3)), ((2, 4),)))
    """

    __slots__ = ("cells", "parts")
    fields = ("parts",)
    kind = "region sum line"
    technique = "line"
    sentence = "The borders of the boxes divide a blue line into parts with the same sum."
    picture = "blue line"
    disjoint: ClassVar[bool] = True
    """Whether no two parts may have a common cell."""

    parts: tuple[tuple[Cell, ...], ...]

    def __init__(self, parts: Iterable[Iterable[Cell | str] | str]) -> None:
        found = tuple(line_of_cells(self.kind, part) for part in checked_list(parts, "parts"))
        if not found:
            raise LayoutError(f"{self.kind} without a part")
        cells = [cell for part in found for cell in part]
        every = cells if self.disjoint else dict.fromkeys(cells)
        self._fill(parts=found, cells=line_of_cells(self.kind, every))

    def groups(self) -> list[tuple[Cell, ...]]:
        """The parts."""
        return [*self.parts]


class EqualAreas(EqualSums):
    """Requires that the digits of each of these areas, which may repeat, have the same sum.

    Areas may have common cells, as the lines of a magic square.

    >>> EqualAreas(["r1c3 r2c3", "r2c4"])
    EqualAreas((((1, 3), (2, 3)), ((2, 4),)))
    """

    __slots__ = ()
    kind = "equal areas"
    technique = "rule"
    picture = "dotted areas"
    disjoint = False

    @classmethod
    def sentences(cls, rules: Sequence[Self], layout: Layout) -> Iterable[str]:
        """One; if there are several groups of areas, one for each."""
        for rule in rules:
            starts = listed((cell_name(*part[0]) for part in rule.parts), "and", most=9)
            which = f" at {starts}" if len(rules) > 1 else ""
            yield f"The areas with a dotted border{which} have the same sum of digits."


class Zipper(EqualSumsRule, LineRule):
    """Requires that cells equally far from the middle of a line have the same sum.

    If there is a cell in the middle, this sum is its digit.

    >>> Zipper("r1c1 r2c2 r2c3")
    Zipper(((1, 1), (2, 2), (2, 3)))
    """

    __slots__ = ()
    kind = "zipper line"
    sentence = (
        "Two digits equally far from the middle of a violet line have the same sum as all "
        "others, and as the digit in the middle."
    )
    picture = "violet line"

    def groups(self) -> list[tuple[Cell, ...]]:
        """The cell in the middle, if there is one, and the pairs, from the middle to the ends."""
        half = len(self.cells) // 2
        middle = [self.cells[half : half + 1]] if len(self.cells) % 2 else []
        pairs = [*zip(self.cells[:half], reversed(self.cells), strict=False)]
        return [*middle, *reversed(pairs)]


class DoubleArrow(EqualSumsRule, LineRule):
    """Requires the digits between the ends of a line to have the sum of the two ends.

    >>> DoubleArrow("r1c1 r1c2 r1c3")
    DoubleArrow(((1, 1), (1, 2), (1, 3)))
    """

    __slots__ = ()
    kind = "double arrow"
    technique = "arrow"
    sentence = (
        "The digits on a line with two circles add up to the sum of the digits in the circles."
    )
    picture = "ringed line"
    least = 3

    def check(self, layout: Layout) -> None:
        """Raises `LayoutError` if the line is too long."""
        super().check(layout)
        inside, most = len(self.cells) - 2, 2 * layout.side
        if inside > most:
            raise LayoutError(f"{self}: {inside} cells between the ends, at most {most}")

    def groups(self) -> list[tuple[Cell, ...]]:
        """The two ends, and the cells between them."""
        first, *between, last = self.cells
        return [(first, last), tuple(between)]


class SumLine(AutomatonRule):
    """Requires that a line consists of groups of neighbours, each with this sum: a 10-line.

    Digits may repeat, and a group may be one cell. The line is a loop if it ends in the cell where
    it began: then a group may go across that cell.

    >>> SumLine(10, "r1c1 r2c2 r2c3")
    SumLine(10, ((1, 1), (2, 2), (2, 3)))
    """

    __slots__ = ("cells", "total")
    fields = ("total", "cells")
    kind = "sum line"
    technique = "line"
    picture = "yellow line"

    total: Sum

    def __init__(self, total: int, cells: Iterable[Cell | str] | str) -> None:
        line = checked_cells(cells)
        places = line_of_cells(self.kind, line[:-1] if line[:1] == line[1:][-1:] else line)
        ends = line[len(places) :]
        self._fill(total=checked_sum(self.kind, total), cells=(*places, *ends))

    def check(self, layout: Layout) -> None:
        """Raises `LayoutError` if the line is too short for the sum."""
        super().check(layout)
        most = len(self.cells) * layout.side
        if self.total > most:
            raise LayoutError(f"{self}: its cells have a sum of {most} at most")

    def automaton(self) -> Automaton:
        """Its states: the sum of all digits modulo `total`, and the sums that the first group of
        a loop may have had before the first cell.
        """
        total, places = self.total, tuple(dict.fromkeys(self.cells))
        starts = tuple(range(total)) if len(places) < len(self.cells) else (0,)

        def step(place: int, state: object, digit: int) -> object:
            assert isinstance(state, tuple)
            so_far, before = state
            kept = tuple(each for each in before if (so_far + each) % total + digit <= total)
            return ((so_far + digit) % total, kept) if kept else None

        return Automaton(places, (0, starts), step, lambda state: not state[0])  # type: ignore[index]

    @classmethod
    def sentences(cls, rules: Sequence[Self], layout: Layout) -> Iterable[str]:
        """One for all lines; if their sums differ, one for each."""
        differ = len({rule.total for rule in rules}) > 1
        for rule in rules if differ else rules[:1]:
            start = cell_name(*rule.cells[0])
            which = f"The yellow line from {start}" if differ else "A yellow line"
            yield f"{which} consists of groups of neighbours with the sum {rule.total}."

    def __str__(self) -> str:
        return f"{super().__str__()} of {self.total}"


def parts_by_box(line: object, layout: Layout) -> list[list[Cell]]:
    """The parts of a line in the boxes or regions of a layout that it runs through.

    >>> from sudoku import Layout
    >>> parts_by_box("r1c1 r2c2 r2c3 r2c2", Layout(2, 2))
    Traceback (most recent call last):
    ...
    sudoku.errors.LayoutError: region sum line has r2c2 twice
    >>> parts_by_box("r1c1 r2c2 r2c3", Layout(2, 2))
    [[(1, 1), (2, 2)], [(2, 3)]]

    Raises `LayoutError` for a line that leaves the grid, and for a layout without boxes.
    """
    owner = owners_of(layout)
    parts: list[list[Cell]] = []
    before: frozenset[int] = frozenset()
    for cell in line_of_cells(EqualSums.kind, line, 2):
        here = owner.get(cell)
        if here is None:
            raise LayoutError(f"{EqualSums.kind} leaves the grid at r{cell[0]}c{cell[1]}")
        if not here:
            raise LayoutError(f"{EqualSums.kind}: {layout} has no boxes")
        if here & before:
            parts[-1].append(cell)
        else:
            parts.append([cell])
        before = here
    return parts
