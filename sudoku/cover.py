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
"""

from __future__ import annotations

import dlx
from sudoku.layout import Layout, kept

__all__ = ["cover"]


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


@kept
def _cover(layout: Layout) -> dlx.Problem:
    if not layout.is_classic:
        from sudoku.covering import cover_with_rules

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
