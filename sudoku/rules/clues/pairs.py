"""`Difference`, `Ratio` and `PairSum`, clues between two cells, and `NoMorePairs` without them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, Self

from sudoku.board.cells import (
    MAX_SIDE,
    Cell,
    Digit,
    checked_cell,
    checked_list,
    checked_pairs,
    integer,
)
from sudoku.board.layout import Layout
from sudoku.board.rule import MOST_SUM, Rule, Sum, checked_sum, line_of_cells
from sudoku.errors import LayoutError, listed, shown
from sudoku.rules.apart import away, half
from sudoku.rules.encoding.relation import PairRule
from sudoku.rules.lines.whisper import checked_difference, refuse_difference
from sudoku.rules.nonconsecutive import NEIGHBOURS

__all__ = ["Difference", "Distant", "NoMorePairs", "PairSum", "RELATIONS", "Ratio"]

RELATIONS: dict[str, Callable[[int, int, int], bool]] = {
    "difference": lambda value, a, b: abs(a - b) == value,
    "ratio": lambda value, a, b: a == value * b or b == value * a,
    "sum": lambda value, a, b: a + b == value,
}
"""Whether two digits have a number as their difference, their ratio, their sum."""


class TwoCells(PairRule):
    """The base class of clues between two cells."""

    __slots__ = ("cells",)

    def _fill_cells(self, first: Cell | str, second: Cell | str) -> None:
        cells = line_of_cells(self.kind, [checked_cell(first), checked_cell(second)])
        self._fill(cells=tuple(sorted(cells)))

    @property
    def first(self) -> Cell:
        """The first cell."""
        return self.cells[0]

    @property
    def second(self) -> Cell:
        """The second cell."""
        return self.cells[1]


class PairClue(TwoCells):
    """The base class of clues between two cells, with a number."""

    __slots__ = ("value",)
    fields = ("value", "first", "second")

    value: Digit

    def __init__(self, value: int, first: Cell | str, second: Cell | str) -> None:
        self._fill(value=self._checked(value))
        self._fill_cells(first, second)

    def _checked(self, value: object) -> int:
        return checked_sum(self.kind, value)

    def fits(self, a: int, b: int) -> bool:
        """Whether the digits have the number of the clue."""
        return RELATIONS[self.kind](self.value, a, b)

    def __str__(self) -> str:
        return f"{Rule.__str__(self)} of {self.value}"


class Difference(PairClue):
    """Requires two digits with this difference; a white dot is a difference of 1.

    >>> Difference(4, "r1c2", "r1c1")
    Difference(4, (1, 1), (1, 2))
    """

    __slots__ = ()
    kind = "difference"
    technique = "kropki dot"
    sentence = "A number in a white circle is the difference of the two digits beside it."
    picture = "white number"

    def _checked(self, value: object) -> int:
        return checked_difference(self.kind, value)

    def check(self, layout: Layout) -> None:
        """Raises `LayoutError` if no two digits have this difference."""
        super().check(layout)
        refuse_difference(self, self.value, layout)


class Ratio(PairClue):
    """Requires that one digit is the other times this number; a black dot is a ratio of 2.

    >>> Ratio(3, "r1c2", "r1c1")
    Ratio(3, (1, 1), (1, 2))
    """

    __slots__ = ()
    kind = "ratio"
    technique = "kropki dot"
    sentence = "A number in a black circle says how many times one digit beside it is the other."
    picture = "black number"

    def _checked(self, value: object) -> int:
        number = integer(value, most=MAX_SIDE)
        if number is None:
            raise LayoutError(f"ratio of {shown(value)}; it must be a number from 1 to {MAX_SIDE}")
        return number

    def check(self, layout: Layout) -> None:
        """Raises `LayoutError` if no two digits have this ratio."""
        super().check(layout)
        if self.value > layout.side:
            raise LayoutError(f"{self}: no digits up to {layout.side} have it")


class PairSum(PairClue):
    """Requires two digits with this sum: an X between cells means 10, a V means 5.

    >>> PairSum(10, "r1c2", "r1c1")
    PairSum(10, (1, 1), (1, 2))
    """

    __slots__ = ()
    kind = "sum"
    technique = "XV pair"
    picture = "sum"

    value: Sum

    def check(self, layout: Layout) -> None:
        """Raises `LayoutError` if no two digits have this sum."""
        super().check(layout)
        if not 2 <= self.value <= 2 * layout.side:
            raise LayoutError(f"{self}: expected 2 to {2 * layout.side}")

    @classmethod
    def sentences(cls, rules: Sequence[Self], layout: Layout) -> Iterable[str]:
        """For an X, a V and other numbers."""
        values = {rule.value for rule in rules}
        if 10 in values:
            yield "Two digits with an X between them have the sum 10."
        if 5 in values:
            yield "Two digits with a V between them have the sum 5."
        if values - {5, 10}:
            yield "A number between two cells is the sum of their digits."


class ExceptPairs(PairRule):
    """The base class of rules for neighbours (cells with a common edge) without a clue."""

    __slots__ = ()
    offsets = NEIGHBOURS

    def excepted(self) -> tuple[tuple[Cell, ...], ...]:
        """The pairs that have a clue."""
        raise NotImplementedError

    def check(self, layout: Layout) -> None:
        """Raises `LayoutError` for a pair outside the grid."""
        for pair in self.excepted():
            Ratio(1, *pair).check(layout)

    def related(self, cells: Mapping[Cell, object]) -> Iterable[tuple[Cell, Cell]]:
        """The pairs of neighbours without a clue."""
        excepted = {*self.excepted()}
        return (pair for pair in super().related(cells) if pair not in excepted)


class NoMorePairs(ExceptPairs):
    """Requires that neighbours (cells with a common edge) do not have such a number.

    `relation` is `"difference"`, `"ratio"` or `"sum"`, and `values` are the numbers that no
    neighbours have, except for the `except_pairs`, which have a clue.

    >>> NoMorePairs("sum", [5, 10], [("r1c2", "r1c1")])
    NoMorePairs('sum', (5, 10), (((1, 1), (1, 2)),))
    """

    __slots__ = ("except_pairs", "relation", "values")
    fields = ("relation", "values", "except_pairs")
    kind = "no more pairs"

    relation: Literal["difference", "ratio", "sum"]
    values: tuple[Sum, ...]
    except_pairs: tuple[tuple[Cell, ...], ...]

    def __init__(
        self,
        relation: str,
        values: Iterable[int],
        except_pairs: Iterable[Iterable[Cell | str]] = (),
    ) -> None:
        if relation not in [*RELATIONS]:  # not in the dict, which would hash it
            expected = listed(map(repr, RELATIONS), "or")
            raise LayoutError(f"{shown(relation)} is not a relation; expected {expected}")
        numbers = set[int]()
        for value in checked_list(values, "values"):
            number = integer(value, most=MOST_SUM)
            if number is None:
                raise LayoutError(
                    f"a {relation} of {shown(value)}; it must be a number from 1 to {MOST_SUM}"
                )
            numbers.add(number)
        if not numbers:
            raise LayoutError(f"no {relation} is excluded; expected at least one number")
        self._fill(
            relation=relation,
            values=tuple(sorted(numbers)),
            except_pairs=checked_excepted(relation, except_pairs),
        )

    def excepted(self) -> tuple[tuple[Cell, ...], ...]:
        """`except_pairs`."""
        return self.except_pairs

    def fits(self, a: int, b: int) -> bool:
        """Whether the digits have none of the numbers."""
        has = RELATIONS[self.relation]
        return not any(has(value, a, b) for value in self.values)

    @classmethod
    def sentences(cls, rules: Sequence[Self], layout: Layout) -> Iterable[str]:
        """For each rule one."""
        for rule in rules:
            numbers = listed(map(str, rule.values), "or")
            who = "Cells with a common edge and no mark between them"
            yield f"{who} do not have the {rule.relation} {numbers}."

    def __str__(self) -> str:
        return f"no more pairs of {self.relation} {listed(map(str, self.values), 'or')}"


def checked_excepted(kind: str, pairs: Iterable[Iterable[Cell | str]]) -> tuple[Any, ...]:
    """The pairs, ascending, each once; `LayoutError` if one is not a pair of cells."""
    every = checked_pairs(pairs, f"{kind}s (two cells)")
    return tuple(sorted({tuple(sorted(line_of_cells(kind, pair, 2))) for pair in every}))


class Distant(PairRule):
    """Requires digits that differ by at least `least` in cells at one of the offsets.

    An offset is (rows, columns); an offset and its opposite are the same. A least difference of 2
    at the offsets of a king or a knight forbids consecutive digits there.

    >>> Distant(2, [(1, 1), (1, -1)])
    Distant(2, ((1, -1), (1, 1)))
    """

    __slots__ = ("least", "offsets")
    fields = ("least", "offsets")
    kind = "distant"

    least: Digit
    offsets: tuple[tuple[int, int], ...]

    def __init__(self, least: int, offsets: Iterable[tuple[int, int]]) -> None:
        found = {half(offset) for offset in checked_list(offsets, "offsets")}
        self._fill(least=checked_difference("digits", least), offsets=tuple(sorted(found)))

    def check(self, layout: Layout) -> None:
        """Raises `LayoutError` if no two digits differ so much."""
        refuse_difference(self, self.least, layout)

    def fits(self, a: int, b: int) -> bool:
        """Whether the digits differ enough."""
        return abs(a - b) >= self.least

    @classmethod
    def sentences(cls, rules: Sequence[Self], layout: Layout) -> Iterable[str]:
        """For each rule one."""
        for rule in rules:
            yield f"Two digits differ by at least {rule.least} if one is {away(rule.offsets)}."

    def __str__(self) -> str:
        return f"difference {self.least} at {', '.join(map(str, self.offsets))}"
