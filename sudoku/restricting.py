"""Which candidates a layout leaves in the empty grid: what houses and rules exclude at once."""

from __future__ import annotations

from sudoku.layout import Layout
from sudoku.rules.rule import Candidates

__all__ = ["restricted"]


def restricted(layout: Layout) -> Candidates:
    """The candidates that are left when no rule excludes any more.

    Every candidate of a solution is among them. Each round is O(size of the houses and rules).
    """
    every = (2 << layout.side) - 2
    candidates = dict.fromkeys(layout.positions, every)
    before = None
    while candidates != before:
        before = dict(candidates)
        for rule in layout.rules:
            rule.restrict(candidates, layout)
    return candidates
