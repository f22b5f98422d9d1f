"""`Dot` and `NoMoreDots`, rules for Kropki dots between consecutive and between double digits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, Self

from sudoku.board.cells import Cell, checked_cell, checked_pairs
from sudoku.board.layout import Layout
from sudoku.board.rule import Candidates, CoverModel, Rule, digits_of, line_of_cells
from sudoku.errors import LayoutError, shown
from sudoku.rules.apart import pairs_at
from sudoku.rules.nonconsecutive import NEIGHBOURS

__all__ = ["Dot", "NoMoreDots"]


class Dot(Rule):
    """Requires the digits of two cells to be consecutive (`"white"`), or one to be the double of
    the other (`"black"`).

    >>> Dot("white", "r1c2", "r1c1")
    Dot('white', (1, 1), (1, 2))
    """

    __slots__ = ("cells", "color")
    fields = ("color", "first", "second")
    kind = "dot"
    technique = "kropki dot"
    picture = "dot"

    color: Literal["white", "black"]
    """`"white"` or `"black"`."""

    def __init__(self, color: str, first: Cell | str, second: Cell | str) -> None:
        if color not in ("white", "black"):
            raise LayoutError(f"the color of a dot must be 'white' or 'black', not {shown(color)}")
        cells = line_of_cells("dot", [checked_cell(first), checked_cell(second)])
        self._fill(color=color, cells=tuple(sorted(cells)))

    @property
    def first(self) -> Cell:
        """The first cell."""
        return self.cells[0]

    @property
    def second(self) -> Cell:
        """The second cell."""
        return self.cells[1]

    def fits(self, a: int, b: int) -> bool:
        """Whether this dot can be between two digits."""
        return is_white(a, b) if self.color == "white" else is_black(a, b)

    def restrict(self, candidates: Candidates, layout: Layout) -> None:
        """Removes the digits that fit no candidate of the other cell."""
        for one, other in (self.cells, self.cells[::-1]):
            partners = digits_of(candidates[other])
            candidates[one] = sum(
                1 << digit
                for digit in digits_of(candidates[one])
                if any(self.fits(digit, partner) for partner in partners)
            )

    def contribute(self, model: CoverModel) -> None:
        """Adds an item whose options are the pairs of digits."""
        first, second = map(model.digits, self.cells)
        model.fillings(self.cells, [(a, b) for a in first for b in second if self.fits(a, b)])

    def broken(self, values: Mapping[Cell, int]) -> tuple[Cell, ...]:
        """Both cells, if their digits do not fit the dot."""
        if not all(cell in values for cell in self.cells):
            return ()
        return () if self.fits(*(values[cell] for cell in self.cells)) else self.cells

    @classmethod
    def sentences(cls, rules: Sequence[Self], layout: Layout) -> Iterable[str]:
        """For each color one."""
        colors = {rule.color for rule in rules}
        if "white" in colors:
            yield "A white dot is between consecutive digits."
        if "black" in colors:
            yield "A black dot is between a digit and its double."

    def __str__(self) -> str:
        return f"{self.color} {super().__str__()}"


class NoMoreDots(Rule):
    """Requires that neighbours (cells with a common edge) without a dot could not have one.

    Their digits are not consecutive, and neither is the double of the other. `pairs` are the pairs
    of cells that have a dot.

    >>> NoMoreDots([("r1c2", "r1c1")])
    NoMoreDots((((1, 1), (1, 2)),))
    """

    __slots__ = ("pairs",)
    fields = ("pairs",)
    kind = "no more dots"
    sentence = (
        "All dots are shown: without a dot, cells with a common edge are not consecutive, and "
        "none is the double of the other."
    )

    pairs: tuple[tuple[Cell, ...], ...]

    def __init__(self, pairs: Iterable[Iterable[Cell | str]]) -> None:
        found = {
            tuple(sorted(line_of_cells("dot", pair, 2)))
            for pair in checked_pairs(pairs, "dots (two cells)")
        }
        self._fill(pairs=tuple(sorted(found)))

    def check(self, layout: Layout) -> None:
        """Raises `LayoutError` for a pair outside the grid."""
        for pair in self.pairs:
            Dot("white", *pair).check(layout)

    def plain_pairs(self, cells: Mapping[Cell, object]) -> list[tuple[Cell, Cell]]:
        """The pairs of neighbours among these cells that have no dot."""
        dotted = set(self.pairs)
        return [pair for pair in pairs_at(cells, NEIGHBOURS) if pair not in dotted]

    def linked(self, layout: Layout) -> Iterable[tuple[Cell, Cell]]:
        """The pairs of neighbours without a dot."""
        return self.plain_pairs(layout.index)

    def contribute(self, model: CoverModel) -> None:
        """Adds a secondary item for each such pair and each two digits that would have a dot."""
        for a, b in self.plain_pairs(model.candidates):
            for one in model.digits(a):
                for other in model.digits(b):
                    if is_white(one, other) or is_black(one, other):
                        model.never_together([(a, one), (b, other)], a, b, one, other)

    def broken(self, values: Mapping[Cell, int]) -> tuple[Cell, ...]:
        """The cells of pairs without a dot whose digits would have one."""
        wrong: set[Cell] = set()
        for a, b in self.plain_pairs(values):
            if is_white(values[a], values[b]) or is_black(values[a], values[b]):
                wrong |= {a, b}
        return tuple(sorted(wrong))

    def __str__(self) -> str:
        return self.kind


def is_white(a: int, b: int) -> bool:
    """Whether two digits are consecutive."""
    return abs(a - b) == 1


def is_black(a: int, b: int) -> bool:
    """Whether one digit is the double of the other."""
    return a == 2 * b or b == 2 * a
