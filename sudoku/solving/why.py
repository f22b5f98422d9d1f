"""Explains why a puzzle has no solution: a few givens that contradict each other.

`dlx.Problem.explain` removes givens, but no rules, until every remaining given is needed.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple, cast

import dlx
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout, cell_name, layout_cache, symbol
from sudoku.errors import counted, listed
from sudoku.rules.check import check
from sudoku.rules.cover import cover

__all__ = ["Clash", "Why", "clash", "explained", "why"]

NODES = 20_000  # a limit that repeats; most of the hardest 9x9 puzzles take a tenth of it
SECONDS = 1.0  # and one for the largest grids
_SENTENCES = 8  # of flaws
_GIVENS = 40  # of an explanation


class Clash(NamedTuple):
    """Some givens that leave no solution."""

    givens: tuple[tuple[int, int, int], ...]
    """They, as (row, column, digit); none if the rules leave none by themselves."""
    irreducible: bool
    """Whether without any one of them there would be a solution."""

    def __str__(self) -> str:
        names = [f"{cell_name(row, column)}={symbol(value)}" for row, column, value in self.givens]
        if len(names) < 2:
            given_or_rules = f"given {names[0]} alone leaves" if names else "rules alone leave"
            return f"the {given_or_rules} no solution"
        perhaps = "" if self.irreducible else " (perhaps not all are needed)"
        return f"the givens {listed(names, 'and', _GIVENS)} already leave no solution{perhaps}"


def clash(grid: Grid) -> Clash | None:
    """A few givens that leave no solution, from `dlx.Problem.explain`; None if there is one.

    None as well if they cannot be told quickly, or if nothing was found but that all givens leave
    no solution. It takes two at least where there are only houses: in an empty grid any digit can
    stand anywhere.
    """
    given, layout = grid.givens, grid.layout
    for name in given if layout.rules else ():
        if name not in _options(layout):  # the rules exclude it
            return Clash((name,), True)
    try:
        found = cover(layout).explain(
            given=given, node_limit=NODES, timeout=SECONDS, givens_only=True
        )
    except dlx.SearchInterrupted:
        return None
    if found is None or not (found.irreducible or len(found.givens) < len(given)):
        return None
    return Clash(cast("tuple[tuple[int, int, int], ...]", found.givens), found.irreducible)


@layout_cache
def _options(layout: Layout) -> frozenset[Hashable]:
    """The names of the options."""
    return frozenset(cover(layout).names)


def explained(grid: Grid) -> str | None:
    """A sentence with a few givens that leave no solution; None if they cannot be told quickly.

    None as well if there is a solution, or if nothing was found but that all givens leave none.

    >>> import sudoku
    >>> explained(sudoku.parse("12.3 ..4. .... ...."))
    'the givens r1c1=1, r1c2=2 and r2c3=4 already leave no solution'
    """
    found = clash(grid)
    return None if found is None else str(found)


def why(grid: Grid) -> str:
    """The reasons why a puzzle has no solution: the flaws that `check` finds, and a few givens.

    If a house has a digit twice, no givens are added.
    """
    flaws = check(grid)
    sentences = [str(flaw) for flaw in flaws[:_SENTENCES]]
    if len(flaws) > _SENTENCES:
        sentences.append(f"and {counted(len(flaws) - _SENTENCES, 'more flaw')}")
    if not any(flaw.kind == "duplicate" for flaw in flaws) and (givens := explained(grid)):
        sentences.append(givens)
    return "; ".join(sentences) or (
        "no solution: no flaw is visible, but the search found no solution"
    )


class Why:
    """The message of a `NoSolution`, computed on first use, as it takes milliseconds.

    >>> import sudoku
    >>> str(Why(sudoku.parse("1..1 .... .1.. ..1.")))
    'r1c1 and r1c4 are both 1 (row 1); no place for 1 in row 2'
    """

    __slots__ = ("_grid", "_text")

    def __init__(self, grid: Grid) -> None:
        self._grid = grid
        self._text: str | None = None

    def __str__(self) -> str:
        if self._text is None:
            self._text = why(self._grid)
        return self._text

    def __repr__(self) -> str:
        return repr(str(self))

    def __reduce__(self) -> tuple[object, ...]:
        return (str, (str(self),))
