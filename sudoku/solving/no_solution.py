"""Explains why a puzzle has no solution: its flaws, and a few givens and rules that exclude it.

Rules are removed first, as long as the rest has no solution: the exact cover problem of the rest is
made and searched each time. Then `dlx.Problem.explain` removes givens.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import cast

import dlx
from dlx.named_tuple import NamedTuple
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout, Rule, cell_name, symbol
from sudoku.errors import counted, listed
from sudoku.rules.check import check
from sudoku.rules.cover import cover_within
from sudoku.solving.deadline import Deadline

__all__ = ["Conflict", "NoSolutionText", "conflict_of", "no_solution_text", "with_only"]

# The node limits give the same result on every machine; most of the hardest 9x9 puzzles need a
# tenth. The time limits are for the largest grids. Those for rules are for each search without some
# of them, and for all these searches.
NODES, RULE_NODES = 20_000, 200_000
SECONDS, RULE_SECONDS = 1.0, 5.0
_MOST_FLAWS = 8  # in a message
_MOST_GIVENS = 40  # in a message
_MOST_RULES = 20  # in a message

Givens = tuple[tuple[int, int, int], ...]
Rules = tuple[Rule, ...]


class Conflict(NamedTuple):
    """Some givens and rules that leave no solution. Its `str` is a sentence."""

    givens: Givens
    """The givens as (row, column, digit); empty if the rules alone leave no solution."""
    rules: Rules
    """The rules besides the houses, in the order of the layout."""
    irreducible: bool
    """Whether there is a solution without any one of these givens and rules."""

    def __str__(self) -> str:
        names = [f"{cell_name(row, column)}={symbol(value)}" for row, column, value in self.givens]
        givens = listed(names, "and", _MOST_GIVENS) if names else ""
        rules = listed(map(str, self.rules), "and", _MOST_RULES) if self.rules else ""
        parts = [f"the given{'s' * (len(names) > 1)} {givens}"] if names else []
        parts += [f"the rule{'s' * (len(self.rules) > 1)} {rules}"] if rules else []
        what = " and ".join(parts) or "the houses"
        number = len(names) + len(self.rules)
        already = f"{'alone leaves' if number == 1 else 'already leave'} no solution"
        return f"{what} {already}{'' if self.irreducible else ' (perhaps not all are needed)'}"


def conflict_of(grid: Grid, timeout: float | None = None) -> Conflict | None:
    """A few givens and rules that leave no solution, such that all of them are needed.

    None if there is a solution, if the search exceeds its limits (`timeout` is in seconds, at
    most `SECONDS`, or `RULE_SECONDS` if there are rules), or if it could not show that any given
    or rule is unnecessary. Rules alone are named rather than fewer rules with givens.

    >>> import sudoku
    >>> str(conflict_of(sudoku.parse("12.3 ..4. .... ....")))
    'the givens r1c1=1, r1c2=2 and r2c3=4 already leave no solution'
    >>> cages = [(4, "r1c1 r1c2"), (5, "r1c3 r1c4"), (5, "r3c1 r3c2"), (5, "r4c3 r4c4")]
    >>> layout = sudoku.layouts.killer(cages, base=sudoku.Layout(2, 2))
    >>> str(conflict_of(sudoku.Grid("." * 16, layout=layout)))
    'the rules cage r1c1 r1c2 of sum 4 and cage r1c3 r1c4 of sum 5 already leave no solution'
    """
    layout, given = grid.layout, grid.givens
    usual = RULE_SECONDS if layout.rules else SECONDS
    deadline = Deadline(usual if timeout is None else min(usual, timeout))
    rules, certain = layout.rules, True
    if rules or not given:
        refuted = partial(_is_refuted, layout, deadline)
        if given and refuted((), rules):
            given = ()
        elif not refuted(given, rules):
            return None
        rules, certain = _needed(rules, partial(refuted, given))
    if given:
        fewer, all_needed = _conflicting_givens(given, with_only(layout, rules), deadline)
        if not all_needed and fewer == given and rules == layout.rules:
            return None
        given, certain = fewer, certain and all_needed
    return Conflict(given, rules, certain)


def _is_refuted(layout: Layout, deadline: Deadline, given: Givens, rules: Rules) -> bool | None:
    """Whether there is no solution with these givens and rules; None if the limits are exceeded."""
    try:
        problem = cover_within(with_only(layout, rules), deadline.left)
        return problem.solve(given=given, node_limit=RULE_NODES, timeout=deadline.left) is None
    except dlx.SearchInterrupted:
        return None
    except (dlx.GivenClash, dlx.UnknownOption):  # a digit that houses or rules exclude
        return True


def _needed(rules: Rules, refuted: Callable[[Rules], bool | None]) -> tuple[Rules, bool]:
    """The rules that are left when each is removed that a refutation does without.

    Also whether it is certain that all of them are needed. The number of rules that are removed at
    once is doubled after a success and halved after a failure.
    """
    at, step, certain = 0, len(rules), True
    while at < len(rules):
        rest = rules[:at] + rules[at + step :]
        answer = refuted(rest)
        if answer:
            rules = rest
            step *= 2
        elif step > 1:
            step = min(step, len(rules) - at) // 2 or 1
        else:
            certain = certain and answer is not None
            at += 1
    return rules, certain


def _conflicting_givens(given: Givens, layout: Layout, deadline: Deadline) -> tuple[Givens, bool]:
    """Those of the givens that are left, and whether it is certain that all of them are needed.

    Without rules there are always two givens or more, since an empty grid has solutions with any
    digit in any cell.
    """
    nodes = RULE_NODES if layout.rules else NODES
    try:
        problem = cover_within(layout, deadline.left)
        if layout.rules:
            known = set(problem.names)
            for name in given:
                if name not in known:  # the rules exclude it
                    return (name,), True
        found = problem.explain(
            given=given, node_limit=nodes, timeout=deadline.left, givens_only=True
        )
    except dlx.SearchInterrupted:
        found = None
    if found is None:
        return given, False
    return cast("Givens", found.givens), found.irreducible


def with_only(layout: Layout, rules: Rules) -> Layout:
    """The layout with these rules in place of its own."""
    places, box = layout.positions, (layout.box_rows, layout.box_columns)
    houses = [(house.kind, [places[cell] for cell in house.cells]) for house in layout.houses]
    return Layout.of(layout.side, places, houses, rules, name=layout.name, box=box)


def no_solution_text(grid: Grid) -> str:
    """The reasons why a puzzle has no solution: the flaws that `check` finds, and a few givens.

    If a house has a digit twice, that is reason enough, and no givens are added.
    """
    flaws = check(grid)
    sentences = [str(flaw) for flaw in flaws[:_MOST_FLAWS]]
    if len(flaws) > _MOST_FLAWS:
        sentences.append(f"and {counted(len(flaws) - _MOST_FLAWS, 'more flaw')}")
    if not any(flaw.kind == "duplicate" for flaw in flaws) and (found := conflict_of(grid)):
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
