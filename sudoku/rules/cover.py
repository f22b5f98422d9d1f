"""Sudoku as exact cover.

Every cell holds one digit; every row, column and box has each digit once. So the items are, for a
grid of side n, all primary and in this order,

    ("cell", r, c)      n x n    something stands in row r, column c
    ("row", r, d)       n x n    row r has its d
    ("column", c, d)    n x n    column c has its d
    ("box", b, d)       n x n    box b has its d

and the options are the candidates (r, c, d), "d stands in row r, column c", each of which covers
four items. All numbers count from 1, and options are declared cell by cell, then digit by digit. On
a 9x9 grid that makes 324 items and 729 options. A puzzle is this one problem, for all puzzles of a
layout, with its digits as `given`.

Other layouts have items for other houses: ("region", 3, d), ("diagonal", 1, d), ("grid 2 row", 4,
d). Their rules add items, primary and secondary, colors, and options of their own, whose names
begin with the kind of the rule; docs/kinds.md has a table. Candidates that the rules exclude in
every grid have no option.

From a layout that is not just rows, columns and boxes to its exact cover problem.
"""

from __future__ import annotations

import dlx
from sudoku.board.cells import Cell
from sudoku.board.layout import Layout, layout_cache
from sudoku.board.model import Model
from sudoku.board.rule import Candidates, Rule
from sudoku.rules.implied import implied_rules

__all__ = ["cover", "cover_with_rules"]


def cover(layout: Layout | None = None) -> dlx.Problem:
    """The exact cover problem of the empty grid: made once for each layout, and frozen.

    >>> problem = cover()
    >>> len(problem.items), len(problem)
    (324, 729)
    >>> solution = problem.solve(given=[(1, 1, 5), (1, 2, 3)])
    >>> len(solution), solution[:2]
    (81, ((1, 1, 5), (1, 2, 3)))

    O(side^3) when first called, for classic layouts; others take as long as their rules do.
    """
    return _cover(layout or Layout(3, 3))


@layout_cache
def _cover(layout: Layout) -> dlx.Problem:
    if not layout.is_classic:
        return cover_with_rules(layout)
    numbers = range(1, layout.side + 1)
    tall, wide = layout.box_rows, layout.box_columns
    kinds = ("cell", "row", "column", "box")
    problem = dlx.Problem([(kind, i, j) for kind in kinds for i in numbers for j in numbers])
    for row, column in layout.positions:
        box = (row - 1) // tall * tall + (column - 1) // wide + 1
        for digit in numbers:
            covered = (
                ("cell", row, column),
                ("row", row, digit),
                ("column", column, digit),
                ("box", box, digit),
            )
            problem.add_option(covered, name=(row, column, digit))
    problem.freeze()
    return problem


def cover_with_rules(layout: Layout) -> dlx.Problem:
    """The exact cover problem of the empty grid.

    What the rules exclude in every grid is left out: first the candidates that some rule excludes,
    given those of the other cells, until there are none; then, where rules have brought options of
    their own, what `dlx.Problem.reduced` removes.
    """
    implied = implied_rules(layout)
    candidates = restricted(layout, [*layout.rules, *implied])
    model = Model(layout, candidates)
    model.add_rules(layout.rules)
    model.add_rules(implied, "implied")
    problem = model.problem()
    return problem.reduced().problem.freeze() if model.has_options else problem


def restricted(layout: Layout, rules: list[Rule]) -> Candidates:
    """The candidates that are left when no house and no rule excludes any more.

    A rule is asked again only when one of its cells has changed since it was asked.
    """
    candidates = dict.fromkeys(layout.positions, (2 << layout.side) - 2)
    places = layout.positions
    houses = [[places[cell] for cell in house.cells] for house in layout.houses]
    seen: list[list[int] | None] = [None] * len(rules)
    before = None
    while candidates != before:
        before = dict(candidates)
        for number, rule in enumerate(rules):
            masks = [candidates[cell] for cell in rule.cells] or list(candidates.values())
            if masks != seen[number]:
                # What it changes itself is new to it, too: not all rules exclude all at once.
                seen[number] = masks
                rule.restrict(candidates, layout)
        for house in houses:
            _restrict_house(candidates, house)
    return candidates


def _restrict_house(candidates: Candidates, cells: list[Cell]) -> None:
    """A digit that is the only one of a cell is in no other; nor is one with a single cell left
    with others in that cell.
    """
    once = more = single = 0
    for cell in cells:
        mask = candidates[cell]
        more |= once & mask
        once |= mask
        if not mask & (mask - 1):
            single |= mask
    alone = once & ~more & ~single
    if single or alone:
        for cell in cells:
            mask = candidates[cell]
            if mask & (mask - 1):
                mask &= ~single
                candidates[cell] = mask & alone or mask
