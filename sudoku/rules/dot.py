"""`Dot` and `NoMoreDots`, rules for Kropki dots between consecutive and between double digits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, Self

from sudoku.board.cells import Cell
from sudoku.board.layout import Layout
from sudoku.board.rule import CoverModel
from sudoku.errors import LayoutError, shown
from sudoku.rules.clues.pairs import RELATIONS, ExceptPairs, TwoCells, checked_excepted

__all__ = ["Dot", "NoMoreDots"]


class Dot(TwoCells):
    """Requires the digits of two cells to be consecutive (`"white"`), or one to be the double of
    the other (`"black"`).

    >>> Dot("white", "r1c2", "r1c1")
    Dot('white', (1, 1), (1, 2))
    """

    __slots__ = ("color",)
    fields = ("color", "first", "second")
    kind = "dot"
    technique = "kropki dot"
    picture = "dot"

    color: Literal["white", "black"]
    """`"white"` or `"black"`."""

    def __init__(self, color: str, first: Cell | str, second: Cell | str) -> None:
        if color not in ("white", "black"):
            raise LayoutError(f"the color of a dot must be 'white' or 'black', not {shown(color)}")
        self._fill(color=color)
        self._fill_cells(first, second)

    def fits(self, a: int, b: int) -> bool:
        """Whether this dot can be between two digits."""
        return is_white(a, b) if self.color == "white" else is_black(a, b)

    def contribute(self, model: CoverModel) -> None:
        """Adds an item whose options are the pairs of digits."""
        first, second = map(model.digits, self.cells)
        model.fillings(self.cells, [(a, b) for a in first for b in second if self.fits(a, b)])

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


class NoMoreDots(ExceptPairs):
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
        self._fill(pairs=checked_excepted("dot", pairs))

    def excepted(self) -> tuple[tuple[Cell, ...], ...]:
        """`pairs`."""
        return self.pairs

    def fits(self, a: int, b: int) -> bool:
        """Whether the digits would have no dot."""
        return not is_white(a, b) and not is_black(a, b)

    def __str__(self) -> str:
        return self.kind


def is_white(a: int, b: int) -> bool:
    """Whether two digits are consecutive."""
    return RELATIONS["difference"](1, a, b)


def is_black(a: int, b: int) -> bool:
    """Whether one digit is the double of the other."""
    return RELATIONS["ratio"](2, a, b)
