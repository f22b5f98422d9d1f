"""From a layout that is not just rows, columns and boxes to its exact cover problem."""

from __future__ import annotations

import dlx
from sudoku.cells import Cell
from sudoku.layout import Layout
from sudoku.model import Model
from sudoku.rules.implied import implied_rules
from sudoku.rules.rule import Candidates, Rule

__all__ = ["cover_with_rules"]


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
