"""`cover`, which makes the exact cover problem of a layout.

Every cell has one digit; every row, column and box has each digit once. So a grid of side n has
these items, all primary, in this order,

    ("cell", r, c)      n x n    row r, column c has a digit
    ("row", r, d)       n x n    row r has its d
    ("column", c, d)    n x n    column c has its d
    ("box", b, d)       n x n    box b has its d

and the options are the candidates (r, c, d), "row r, column c has the digit d", each of which
covers four items. All numbers count from 1. Options are declared cell by cell, then digit by digit.
A 9x9 grid has 324 items and 729 options. All puzzles of a layout share this problem; the digits of
a puzzle are the `given` options of a search.

Other layouts have items for other houses: ("region", 3, d), ("diagonal", 1, d), ("grid 2 row", 4,
d). Their rules add items, primary and secondary, colors, and options of their own, whose names
begin with the kind of the rule; docs/kinds.md has a table. Candidates that the rules exclude in
every grid have no option: constraint propagation removes them first (`restricted`), and then, if
rules have added options, `dlx.Problem.reduced` removes more.
"""

from __future__ import annotations

from contextlib import suppress

import dlx
from sudoku.board.cells import Cell
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout, checked_layout, layout_cache
from sudoku.board.rule import Candidates, Rule
from sudoku.board.time_limit import check_time, limited, seconds_left
from sudoku.errors import NoSolution
from sudoku.rules.check import check
from sudoku.rules.encoding.model import Model
from sudoku.rules.implied import FEW, implied_rules

__all__ = ["cover", "cover_with_rules", "cover_within"]

MOST_FLAWS = 8  # in a message


def cover(puzzle: Layout | Grid | None = None) -> dlx.Problem:
    """The exact cover problem of the empty grid of a layout, or of a puzzle, a `Grid`.

    That of a layout is frozen, and cached per layout. That of a puzzle is what its digits leave of
    it (`dlx.Problem.residual`): the items that they do not cover, the candidates that they allow.

    >>> problem = cover()
    >>> len(problem.items), len(problem)
    (324, 729)
    >>> solution = problem.solve(given=[(1, 1, 5), (1, 2, 3)])
    >>> len(solution), solution[:2]
    (81, ((1, 1, 5), (1, 2, 3)))
    >>> rest = cover(Grid("1... .2.. ..3. 4..."))
    >>> len(rest.items), len(rest), rest.solve()[0]
    (48, 24, (2, 1, 3))

    The first call for a classic layout takes O(side^3); for other layouts it depends on the rules.
    Raises `LayoutError` for anything else, and `NoSolution` if the rules exclude the digits of the
    puzzle; that is not all that may be wrong with it.
    """
    if not isinstance(puzzle, Grid):
        return _cover(checked_layout(puzzle))
    problem = _cover(puzzle.layout)
    try:
        return problem.residual(puzzle.givens)
    except (dlx.GivenClash, dlx.UnknownOption):  # two digits, or one, that the rules exclude
        flaws = "; ".join(map(str, check(puzzle)[:MOST_FLAWS]))
        raise NoSolution(flaws or "the rules exclude a digit of the puzzle") from None


def cover_within(layout: Layout, seconds: float | None) -> dlx.Problem:
    """As `cover`; raises `dlx.SearchInterrupted` if that takes more than some seconds."""
    with limited(seconds):
        return cover(layout)


@layout_cache
def _cover(layout: Layout) -> dlx.Problem:
    if not layout.is_classic:
        return cover_with_rules(layout)
    numbers = range(1, layout.side + 1)
    tall, wide = layout.box_rows, layout.box_columns
    kinds = ("cell", "row", "column", "box")
    problem = dlx.Problem([(kind, i, j) for kind in kinds for i in numbers for j in numbers])
    for row, column in layout.positions:
        check_time()
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


def cover_with_rules(layout: Layout, free: int = FEW) -> dlx.Problem:
    """The exact cover problem of a layout that is not just rows, columns and boxes, frozen.

    `free` is that of `implied_rules`.

    It leaves out what the rules exclude in every grid: the candidates that `restricted` removes,
    and, if rules have added options, what `dlx.Problem.reduced` removes.
    """
    implied = implied_rules(layout, free)
    candidates = restricted(layout, [*layout.rules, *implied])
    model = Model(layout, candidates)
    model.add_rules(layout.rules)
    model.add_rules(implied, "implied")
    problem = model.problem()
    if model.has_options:
        with suppress(dlx.KernelMissing):  # then more is left to the search
            problem = problem.reduced(timeout=seconds_left()).problem.freeze()
    check_time()
    return problem


def restricted(layout: Layout, rules: list[Rule]) -> Candidates:
    """The candidates of the empty grid after constraint propagation to a fixed point.

    A rule is applied again only if the candidates of its cells have changed.
    """
    candidates = dict.fromkeys(layout.positions, (2 << layout.side) - 2)
    places = layout.positions
    houses = [[places[cell] for cell in house.cells] for house in layout.houses]
    applied: list[list[int] | None] = [None] * len(rules)  # the candidates each rule was applied to
    before = None
    while candidates != before:
        before = dict(candidates)
        for number, rule in enumerate(rules):
            masks = [candidates[cell] for cell in rule.cells] or list(candidates.values())
            if masks != applied[number]:
                check_time()
                # The masks from before the call: one call need not exclude everything.
                applied[number] = masks
                rule.restrict(candidates, layout)
        for house in houses:
            _restrict_house(candidates, house)
    return candidates


def _restrict_house(candidates: Candidates, cells: list[Cell]) -> None:
    """Applies naked and hidden singles to one house.

    The only candidate of a cell is removed from the other cells; a digit with one place left
    removes the other candidates of that cell.
    """
    once = more = single = 0
    for cell in cells:
        mask = candidates[cell]
        more |= once & mask
        once |= mask
        if not mask & (mask - 1):
            single |= mask
    hidden = once & ~more & ~single
    if single or hidden:
        for cell in cells:
            mask = candidates[cell]
            if mask & (mask - 1):
                mask &= ~single
                candidates[cell] = mask & hidden or mask
