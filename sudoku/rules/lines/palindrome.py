"""`Palindrome` and `Clone`, rules for cells with equal digits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sudoku.board.cells import Cell
from sudoku.board.rule import LineRule, line_of_cells
from sudoku.errors import LayoutError, counted
from sudoku.rules.encoding.relation import PairRule

__all__ = ["Clone", "Palindrome"]


class EqualPairs(PairRule):
    """The base class of rules that require equal digits in pairs of cells."""

    __slots__ = ()

    @property
    def digits_alike(self) -> bool:
        """True."""
        return True

    def fits(self, a: int, b: int) -> bool:
        """Whether the digits are equal."""
        return a == b


class Palindrome(EqualPairs, LineRule):
    """Requires a line that reads the same from both ends.

    >>> Palindrome("r1c1 r2c2 r2c3")
    Palindrome(((1, 1), (2, 2), (2, 3)))
    """

    __slots__ = ()
    kind = "palindrome"
    sentence = "A grey line reads the same from both ends."
    picture = "grey line"

    def related(self, cells: Mapping[Cell, object]) -> Iterable[tuple[Cell, Cell]]:
        """The cells that are equally far from the ends."""
        half = len(self.cells) // 2
        return zip(self.cells[:half], reversed(self.cells), strict=False)


class Clone(EqualPairs):
    """Requires a group of cells and its clone to have the same digits, each in the same place.

    >>> Clone("r1c1 r1c2", "r5c4 r5c5")
    Clone(((1, 1), (1, 2)), ((5, 4), (5, 5)))
    """

    __slots__ = ("cells", "first", "second")
    fields = ("first", "second")
    kind = "clone"
    technique = "line"
    sentence = "Grey shapes of the same form have the same digits in the same places."
    picture = "shaded cells"

    first: tuple[Cell, ...]
    second: tuple[Cell, ...]

    def __init__(
        self, first: Iterable[Cell | str] | str, second: Iterable[Cell | str] | str
    ) -> None:
        one, other = line_of_cells(self.kind, first), line_of_cells(self.kind, second)
        if len(one) != len(other):
            raise LayoutError(
                f"a clone of {counted(len(one), 'cell')} with {counted(len(other), 'cell')}; "
                "both must have as many"
            )
        cells = tuple(dict.fromkeys((*one, *other)))
        self._fill(first=one, second=other, cells=cells)

    def related(self, cells: Mapping[Cell, object]) -> Iterable[tuple[Cell, Cell]]:
        """The cells in the same place of the group and its clone."""
        pairs = zip(self.first, self.second, strict=True)
        return ((a, b) for a, b in pairs if a != b)
