"""What a rule is, and how to write one.

A rule says something about some cells of a layout, besides its houses. It is a small immutable
object: it compares, hashes, pickles and prints by the attributes that `fields` names, which are the
arguments of its constructor. It has up to five methods:

    check(layout)               raises LayoutError if the rule does not fit the layout
    different(layout)           groups of cells that it keeps from having a digit twice
    restrict(candidates, layout)   removes candidates that cannot be, given those of the other cells
    contribute(model)           adds items and options to the exact cover problem
    broken(values)              which of the digits that are there break the rule

`contribute` must make the problem such that a solution keeps the rule, and each filling of the grid
that keeps all rules must be a solution in exactly one way. `restrict` only makes problems smaller:
what it removes must be in no solution; it need not remove anything. `broken` must be exact where
all cells are filled; of a grid filled in part it says what is certain.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from sudoku.board.cells import MAX_PLACE, MAX_SIDE, Cell, cell_name, checked_cells
from sudoku.errors import LayoutError, counted, shown

if TYPE_CHECKING:
    from sudoku.board.layout import Layout
    from sudoku.board.model import Model

__all__ = ["Candidates", "Rule", "checked_sum", "digits_of", "line_of_cells"]

MOST_SUM = MAX_PLACE * MAX_PLACE * MAX_SIDE

Candidates = dict[Cell, int]
"""For each cell the digits it may have, as a set of bits: bit d for digit d."""


class Rule:
    """The root of all rules; one that says nothing.

    >>> from sudoku import layouts
    >>> class Largest(Rule):
    ...     "A cell that has the largest digit."
    ...     __slots__ = fields = ("cells",)
    ...     def __init__(self, cell):
    ...         self._fill(cells=(cell,))
    ...     def restrict(self, candidates, layout):
    ...         candidates[self.cells[0]] &= 1 << layout.side
    ...     def broken(self, values):
    ...         return ()
    >>> import sudoku
    >>> layout = layouts.classic(2, 2).with_rules(Largest((1, 1)))
    >>> sudoku.count("." * 16, layout=layout)
    72
    """

    __slots__ = ()

    fields: ClassVar[tuple[str, ...]] = ()
    """The attributes that make the rule: the arguments of its constructor."""

    kind: ClassVar[str] = "rule"
    """What it is called in messages."""

    cells: tuple[Cell, ...] = ()
    """The cells it is about, as (row, column) from 1; none if it is about all."""

    @property
    def digits_alike(self) -> bool:
        """Whether a grid that keeps the rule still does when its digits are renamed.

        Then the rule says which cells differ, and nothing of digits; random grids of few cells
        are drawn sooner. That it does not is always safe to say.
        """
        return False

    def _fill(self, **values: Any) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def check(self, layout: Layout) -> None:
        """Raises `LayoutError` if the rule does not fit: here, if a cell is outside the grid."""
        for cell in self.cells:
            if cell not in layout.index:
                raise LayoutError(f"{self} has {cell_name(*cell)}, which is not in the grid")

    def different(self, layout: Layout) -> Iterable[tuple[Cell, ...]]:
        """Groups of cells in each of which the rule lets no digit stand twice."""
        return ()

    def restrict(self, candidates: Candidates, layout: Layout) -> None:
        """Removes candidates that are in no solution."""

    def contribute(self, model: Model) -> None:
        """Adds what says the rule to the exact cover problem."""

    def broken(self, values: Mapping[Cell, int]) -> tuple[Cell, ...]:
        """Cells whose digits break the rule; none if they do not. Empty cells are missing."""
        return ()

    def _content(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self.fields)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a {type(self).__name__} is immutable: cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} is immutable: cannot delete {name!r}")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._content() == other._content()

    def __hash__(self) -> int:
        return hash((type(self), self._content()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self._content()))})"

    def __str__(self) -> str:
        names = [cell_name(*cell) for cell in self.cells]
        if len(names) > 5:
            names[4:] = [f"... {names[-1]}"]
        return " ".join((self.kind, *names))

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), self._content())


def digits_of(mask: int) -> list[int]:
    """The digits in a set of bits, ascending.

    >>> digits_of(0b1010)
    [1, 3]
    """
    return [digit for digit in range(mask.bit_length()) if mask >> digit & 1]


def line_of_cells(kind: str, cells: object, least: int = 1) -> tuple[Cell, ...]:
    """The cells of a rule; raises `LayoutError` for fewer than `least`, or a repeated cell."""
    found = checked_cells(cells)
    if len(found) < least:
        raise LayoutError(f"{kind} of {counted(len(found), 'cell')}, expected at least {least}")
    seen: set[Cell] = set()
    for cell in found:
        if cell in seen:
            raise LayoutError(f"{kind} has {cell_name(*cell)} twice")
        seen.add(cell)
    return found


def checked_sum(kind: str, total: object) -> int:
    """A sum, which is a number from 1, and not above that of every cell a layout may have."""
    if isinstance(total, bool) or not isinstance(total, int) or not 1 <= total <= MOST_SUM:
        raise LayoutError(f"{kind} of sum {shown(total)}, expected a number from 1 to {MOST_SUM}")
    return total
