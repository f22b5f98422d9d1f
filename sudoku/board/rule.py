"""How to write a rule: a subclass of `Rule`, or of `LineRule` for lines.

A rule is a constraint on some cells of a layout, in addition to its houses. It is a small immutable
object. The class attribute `fields` names its attributes, which are the arguments of its
constructor; a rule compares, hashes, pickles and prints by them. For players it says what it means
(`sentence` or `sentences`) and how it is drawn (`picture`). It may override eight methods:

    check(layout)                  raises LayoutError if the rule does not fit the layout
    pieces(layout)                 for a rule of all cells: rules of few cells, for hints
    different(layout)              groups of cells in which no digit may occur twice
    linked(layout)                 pairs of cells whose two digits may break the rule, for `crossed`
    excluded(layout)               pairs of digits in two cells that it excludes, for chains
    restrict(candidates, layout)   removes candidates that are in no solution
    contribute(model)              adds items and options to the exact cover problem
    broken(values)                 the cells whose digits break the rule

With the items and options of `contribute`, every solution must satisfy the rule, and each filling
of the grid that satisfies all rules must be a solution in exactly one way (but for unknowns besides
the digits, which `ChaosRegions` has). `restrict` only makes problems smaller: it may leave any
candidate, but must not remove one that is in a solution.
`broken` must be exact for a full grid; for a partly filled one it reports what is certain.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, ClassVar

from sudoku.board.cells import MAX_PLACE, MAX_SIDE, Cell, cell_name, checked_cells, integer
from sudoku.board.layout import Candidates, CoverModel, Rule
from sudoku.errors import LayoutError, counted, shown

__all__ = [
    "Candidates",
    "CoverModel",
    "LineRule",
    "Rule",
    "Sum",
    "checked_sum",
    "digits_of",
    "line_of_cells",
]

MOST_SUM = MAX_PLACE * MAX_PLACE * MAX_SIDE  # of all cells that a layout may have

Sum = Annotated[int, range(1, MOST_SUM + 1)]
"""A number that is the sum of cells."""


def digits_of(mask: int) -> list[int]:
    """The digits in a set of bits, ascending.

    >>> digits_of(0b1010)
    [1, 3]
    """
    return [digit for digit in range(mask.bit_length()) if mask >> digit & 1]


class LineRule(Rule):
    """The base class of rules whose only argument is a line of cells, in order."""

    __slots__ = ("cells",)
    fields: ClassVar[tuple[str, ...]] = ("cells",)
    technique = "line"
    least: ClassVar[int] = 2
    """The fewest cells of such a line."""

    def __init__(self, cells: Iterable[Cell | str] | str) -> None:
        self._fill(cells=line_of_cells(self.kind, cells, self.least))


def line_of_cells(kind: str, cells: object, least: int = 1) -> tuple[Cell, ...]:
    """The cells of a rule; raises `LayoutError` for fewer than `least`, or a repeated cell."""
    found = checked_cells(cells)
    if len(found) < least:
        raise LayoutError(f"{kind} of {counted(len(found), 'cell')}; it needs at least {least}")
    seen: set[Cell] = set()
    for cell in found:
        if cell in seen:
            raise LayoutError(f"{kind} has {cell_name(*cell)} twice")
        seen.add(cell)
    return found


def checked_sum(kind: str, total: object) -> int:
    """The sum; raises `LayoutError` unless it is an integer from 1 to `MOST_SUM`."""
    number = integer(total, most=MOST_SUM)
    if number is None:
        raise LayoutError(f"{kind} of sum {shown(total)}; a sum is a number from 1 to {MOST_SUM}")
    return number
