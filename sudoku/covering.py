"""From a layout that is not just rows, columns and boxes to its exact cover problem."""

from __future__ import annotations

import dlx
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
    candidates = _restricted(layout, [*layout.rules, *implied])
    model = Model(layout, candidates)
    model.add_rules(layout.rules)
    model.add_rules(implied, "implied")
    problem = model.problem()
    return problem.reduced().problem.freeze() if model.has_options else problem


def _restricted(layout: Layout, rules: list[Rule]) -> Candidates:
    """The candidates that are left when no rule excludes any more."""
    candidates = dict.fromkeys(layout.positions, (2 << layout.side) - 2)
    before = None
    while candidates != before:
        before = dict(candidates)
        for rule in rules:
            rule.restrict(candidates, layout)
    return candidates
