"""Equal sums: several parts, each of some cells, have the same sum, whatever it is.

The sum is the color of one secondary item. The options of each part have it in the color of their
sum: sets of digits if the cells of the part see each other, otherwise fillings or the last step of
an automaton. The candidates of a part of one cell have it in the color of their digit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import dlx
from sudoku.board.cells import Cell
from sudoku.board.layout import Layout
from sudoku.board.peers import all_differ, mask_of
from sudoku.board.rule import Candidates, CoverModel, digits_of
from sudoku.rules.encoding.automaton import Automaton, contribute_automaton
from sudoku.rules.encoding.digit_sets import sets_of
from sudoku.rules.encoding.linear import restrict_sum

__all__ = ["Part", "contribute_equal_sums", "restrict_equal_sums"]

Part = Sequence[Cell]


def restrict_equal_sums(candidates: Candidates, layout: Layout, parts: Sequence[Part]) -> set[int]:
    """Removes the digits that are in no filling with a sum that all parts can have.

    Returns these sums.
    """
    totals = set(range(1, layout.side * max(map(len, parts)) + 1))
    for part in (*parts, *parts):  # the sums of the last part restrict the first
        totals = restrict_sum(candidates, [(cell, 1) for cell in part], totals)
        sets = _sets(candidates, layout, part, totals)
        if sets is not None:
            left = 0
            for digits in sets:
                left |= digits
            for cell in part:
                candidates[cell] &= left
            totals = {sum(digits_of(digits)) for digits in sets}
    return totals


def contribute_equal_sums(model: CoverModel, parts: Iterable[Part]) -> None:
    """Adds items and options so that all parts have the same sum."""
    every = [tuple(part) for part in parts]
    totals = restrict_equal_sums(dict(model.candidates), model.layout, every)
    item = model.secondary("total")
    for number, part in enumerate(every, 1):
        if len(part) == 1:
            for digit in model.digits(part[0]):
                model.attach(part[0], digit, dlx.colored(item, digit))
            continue
        sets = _sets(model.candidates, model.layout, part, totals)
        if sets is not None:
            model.digit_sets(
                part, sets, number, tied=lambda s: dlx.colored(item, sum(digits_of(s)))
            )
            continue
        adds = Automaton(
            part,
            0,
            lambda place, so_far, digit: so_far + digit,  # type: ignore[operator]
            totals.__contains__,
        )
        contribute_automaton(model, adds, number, result=lambda s: dlx.colored(item, s))


def _sets(
    candidates: Candidates, layout: Layout, part: Part, totals: Iterable[int]
) -> list[int] | None:
    """The sets of digits with one of these sums that a part may have; None if digits may repeat.

    None as well if there are too many.
    """
    if len(part) == 1 or not all_differ(layout, mask_of(layout, part)):
        return None
    found, masks = [], [candidates[cell] for cell in part]
    union = 0
    for mask in masks:
        union |= mask
    for total in sorted(totals):
        sets = sets_of(len(part), total, layout.side)
        if sets is None:
            return None
        found += [s for s in sets if not s & ~union and all(map(s.__and__, masks))]
    return found
