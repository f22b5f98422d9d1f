"""`Rule`: the base class of all rules, and how to write one; `LineRule`, that of lines.

A rule is a constraint on some cells of a layout, in addition to its houses. It is a small immutable
object. The class attribute `fields` names its attributes, which are the arguments of its
constructor; a rule compares, hashes, pickles and prints by them. For players it says what it means
(`sentence` or `sentences`) and how it is drawn (`picture`). It may override seven methods:

    check(layout)                  raises LayoutError if the rule does not fit the layout
    different(layout)              groups of cells in which no digit may occur twice
    linked(layout)                 pairs of cells whose two digits may break the rule
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

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

from sudoku.board.cells import MAX_PLACE, MAX_SIDE, Cell, cell_name, checked_cells, integer
from sudoku.errors import LayoutError, counted, shown

if TYPE_CHECKING:
    from sudoku.board.layout import Layout
    from sudoku.board.model import Model

__all__ = ["Candidates", "LineRule", "Rule", "Sum", "checked_sum", "digits_of", "line_of_cells"]

MOST_SUM = MAX_PLACE * MAX_PLACE * MAX_SIDE  # of all cells that a layout may have

Sum = Annotated[int, range(1, MOST_SUM + 1)]
"""A number that is the sum of cells."""

Candidates = dict[Cell, int]
"""For each cell the digits it may have, as a set of bits: bit d for digit d."""


class Rule:
    """The base class of all rules; by itself a rule without any effect.

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
    """The names of its attributes, which are the arguments of its constructor. The declared types
    of these attributes, or properties, say how the format `json` writes them, and what its schema
    allows: a `Cell`, a `Digit`, a `Sum`, another `Annotated[int, range(...)]`, one of a `Literal`,
    tuples of these, a `Shape`; or None."""

    kind: ClassVar[str] = "rule"
    """Its name in messages."""

    sentence: ClassVar[str] = ""
    """What it means, for players; see `sentences`."""

    picture: ClassVar[str] = ""
    """The name of its picture, a key of a table in `sudoku.drawing`; `""` if it is not drawn. A
    subclass does not inherit it, nor `sentence` and `sentences`: it means something else."""

    technique: ClassVar[str] = "rule"
    """The name of the technique of hints that looks at its fillings."""

    cells: tuple[Cell, ...] = ()
    """The cells that it constrains, as (row, column) from 1; empty if it constrains all cells."""

    @property
    def digits_alike(self) -> bool:
        """Whether a grid that satisfies the rule still does when its digits are renamed.

        Then random grids of few cells are generated faster. False is always correct.
        """
        return False

    def _fill(self, **values: Any) -> None:
        """Sets the attributes, which are read-only afterwards."""
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def check(self, layout: Layout) -> None:
        """Raises `LayoutError` if the rule does not fit the layout: a cell is outside the grid."""
        for cell in self.cells:
            if cell not in layout.index:
                raise LayoutError(f"{self} has {cell_name(*cell)}, which is not in the grid")

    def different(self, layout: Layout) -> Iterable[tuple[Cell, ...]]:
        """Groups of cells; the rule forbids that a digit occurs twice in a group."""
        return ()

    def linked(self, layout: Layout) -> Iterable[tuple[Cell, Cell]]:
        """Pairs of cells whose two digits may break the rule; hints ask `broken` about them.

        A pair may be left out if `different` has it.
        """
        return combinations(self.cells, 2)

    def excluded(self, layout: Layout) -> Iterable[tuple[Cell, int, Cell, int]]:
        """Two digits in two cells that the rule excludes though few players see it: cell, digit,
        cell, digit.

        Hints take them as links of chains and nets. The digits that `broken` finds for the pairs of
        `linked` are plain to see instead: hints remove them as soon as one of the cells is filled.
        """
        return ()

    def restrict(self, candidates: Candidates, layout: Layout) -> None:
        """Removes candidates that are in no solution."""

    def contribute(self, model: Model) -> None:
        """Adds the items and options that express the rule to the exact cover problem."""

    def broken(self, values: Mapping[Cell, int]) -> tuple[Cell, ...]:
        """The cells whose digits break the rule, if any; `values` has only the filled cells."""
        return ()

    @classmethod
    def sentences(cls, rules: Sequence[Self], layout: Layout) -> Iterable[str]:
        """What these rules of the class mean, for players: `sentence`, or one for each variant."""
        return [cls.sentence]

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
