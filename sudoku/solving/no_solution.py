"""Explains why a puzzle has no solution: its flaws, and a few givens that contradict each other.

`dlx.Problem.explain` finds the givens: it removes givens, but no rules, until every remaining one
is needed.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import cast

import dlx
from dlx.named_tuple import NamedTuple
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout, cell_name, layout_cache, symbol
from sudoku.errors import counted, listed
from sudoku.rules.check import check
from sudoku.rules.cover import cover

__all__ = [
    "ConflictingGivens",
    "NoSolutionText",
    "conflicting_givens",
    "no_solution_text",
]

# The node limit gives the same result on every machine; most of the hardest 9x9 puzzles need a
# tenth of it. The time limit is for the largest grids.
NODES = 20_000
SECONDS = 1.0
_MOST_FLAWS = 8  # in a message
_MOST_GIVENS = 40  # in a message


class ConflictingGivens(NamedTuple):
    """Some givens that leave no solution. Its `str` is a sentence."""

    givens: tuple[tuple[int, int, int], ...]
    """The givens as (row, column, digit); empty if the rules alone leave no solution."""
    irreducible: bool
    """Whether there is a solution without any one of these givens."""

    def __str__(self) -> str:
        names = [f"{cell_name(row, column)}={symbol(value)}" for row, column, value in self.givens]
        if len(names) < 2:
            given_or_rules = f"given {names[0]} alone leaves" if names else "rules alone leave"
            return f"the {given_or_rules} no solution"
        perhaps = "" if self.irreducible else " (perhaps not all are needed)"
        return f"the givens {listed(names, 'and', _MOST_GIVENS)} already leave no solution{perhaps}"


def conflicting_givens(grid: Grid, timeout: float = SECONDS) -> ConflictingGivens | None:
    """A few givens that leave no solution, from `dlx.Problem.explain`.

    None if there is a solution, if the search exceeds its limits (`timeout` is in seconds), or if
    it could not show that any given is unnecessary. Without rules there are always two givens or
    more, since an empty grid has solutions with any digit in any cell.

    >>> import sudoku
    >>> str(conflicting_givens(sudoku.parse("12.3 ..4. .... ....")))
    'the givens r1c1=1, r1c2=2 and r2c3=4 already leave no solution'
    """
    given, layout = grid.givens, grid.layout
    for name in given if layout.rules else ():
        if name not in _options(layout):  # the rules exclude it
            return ConflictingGivens((name,), True)
    try:
        found = cover(layout).explain(
            given=given, node_limit=NODES, timeout=timeout, givens_only=True
        )
    except dlx.SearchInterrupted:
        return None
    if found is None or not (found.irreducible or len(found.givens) < len(given)):
        return None
    givens = cast("tuple[tuple[int, int, int], ...]", found.givens)
    return ConflictingGivens(givens, found.irreducible)


@layout_cache
def _options(layout: Layout) -> frozenset[Hashable]:
    """The names of the options of the exact cover problem."""
    return frozenset(cover(layout).names)


def no_solution_text(grid: Grid) -> str:
    """The reasons why a puzzle has no solution: the flaws that `check` finds, and a few givens.

    If a house has a digit twice, that is reason enough, and no givens are added.
    """
    flaws = check(grid)
    sentences = [str(flaw) for flaw in flaws[:_MOST_FLAWS]]
    if len(flaws) > _MOST_FLAWS:
        sentences.append(f"and {counted(len(flaws) - _MOST_FLAWS, 'more flaw')}")
    if not any(flaw.kind == "duplicate" for flaw in flaws) and (found := conflicting_givens(grid)):
        sentences.append(str(found))
    return "; ".join(sentences) or (
        "no solution: no flaw is visible, but the search found no solution"
    )


class NoSolutionText:
    """The message of a `NoSolution`, computed on first use, since that takes milliseconds.

    >>> import sudoku
    >>> str(NoSolutionText(sudoku.parse("1..1 .... .1.. ..1.")))
    'r1c1 and r1c4 are both 1 (row 1); no place for 1 in row 2'
    """

    __slots__ = ("_grid", "_text")

    def __init__(self, grid: Grid) -> None:
        self._grid = grid
        self._text: str | None = None

    def __str__(self) -> str:
        if self._text is None:
            self._text = no_solution_text(self._grid)
        return self._text

    def __repr__(self) -> str:
        return repr(str(self))

    def __reduce__(self) -> tuple[object, ...]:
        return (str, (str(self),))
