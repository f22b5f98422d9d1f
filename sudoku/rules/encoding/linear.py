"""Weighted sums of digits, for little killers, arrows, and the implied sums of killers.

`restrict_sum` finds exactly the digits of each cell that can be part of the sum, from the sums that
are possible before and after the cell; it ignores that digits may not repeat. `contribute_sum` adds
the sum to an exact cover problem. Cells that all see each other are a group: each of its sets of
digits has a sum, which is the color of a secondary item. If at most three groups have all cells, as
those of a diagonal across three boxes, one item ties their sums together: its options are the sums
that make the total. Otherwise the states of an automaton are the partial sums.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import product
from math import comb, prod

from sudoku.board.cells import Cell
from sudoku.board.layout import Layout
from sudoku.board.peers import all_differ, mask_of
from sudoku.board.rule import Candidates, CoverModel
from sudoku.rules.encoding.automaton import Automaton, contribute_automaton

__all__ = ["Terms", "contribute_sum", "groups_of", "restrict_sum", "sum_automaton"]

MOST_GROUPS = 3  # of cells that see each other, whose sums one item ties together
MOST_SETS = 130  # of digits of such a group; every size on 9x9 has fewer
MOST_TIES = 2000  # combinations of sums, all but one chosen freely

Terms = Sequence[tuple[Cell, int]]
"""Cells and their weights, which are not 0."""


def restrict_sum(candidates: Candidates, terms: Terms, totals: Collection[int]) -> set[int]:
    """Removes the digits that are in no filling with one of these sums; returns the sums left.

    O(cells x digits x sums).
    """
    parts = [_parts(candidates[cell], weight) for cell, weight in terms]
    sums = _sums(parts, totals)
    for (cell, _), part, before, after in zip(terms, parts, sums, sums[1:], strict=False):
        candidates[cell] = sum(
            1 << digit
            for digit, value in part.items()
            if any(so_far + value in after for so_far in before)
        )
    return sums[-1]


def contribute_sum(model: CoverModel, terms: Terms, total: int) -> None:
    """Adds items and options to a model so that the cells have that sum."""
    groups = groups_of(model.layout, terms) if len(terms) > 2 else None
    sums = [model.sums(cells) for cells, _ in groups or ()]
    if not groups or prod(map(len, sums[1:])) > MOST_TIES:
        contribute_automaton(model, sum_automaton(terms, total))
        return
    weight = groups[0][1]
    item = model.primary()
    for others in product(*sums[1:]):
        rest = total - sum(w * one for (_, w), one in zip(groups[1:], others, strict=True))
        if rest % weight == 0 and rest // weight in sums[0]:
            chosen = (rest // weight, *others)
            tied = [of[one] for of, one in zip(sums, chosen, strict=True)]
            model.option([item, *tied], *chosen)


def groups_of(layout: Layout, terms: Terms) -> list[tuple[list[Cell], int]] | None:
    """Cells of one weight that all see each other, and the weight, for all terms.

    None if that takes more than `MOST_GROUPS` groups, or a group may have too many sets of digits.
    """
    groups: list[tuple[list[Cell], int]] = []
    for cell, weight in terms:
        for cells, of in groups:
            if of == weight and all_differ(layout, mask_of(layout, [*cells, cell])):
                cells.append(cell)
                break
        else:
            groups.append(([cell], weight))
    if len(groups) > MOST_GROUPS:
        return None
    if any(comb(layout.side, len(cells)) > MOST_SETS for cells, _ in groups):
        return None
    return sorted(groups, key=lambda group: -len(group[0]))


def sum_automaton(terms: Terms, total: int) -> Automaton:
    """The automaton that accepts fillings with that sum."""
    return Automaton(
        [cell for cell, _ in terms],
        0,
        lambda place, so_far, digit: so_far + terms[place][1] * digit,  # type: ignore[operator]
        lambda state: state == total,
    )


def _parts(mask: int, weight: int) -> dict[int, int]:
    """Maps each candidate to the number that it adds to the sum."""
    return {digit: weight * digit for digit in range(mask.bit_length()) if mask >> digit & 1}


def _sums(parts: list[dict[int, int]], totals: Collection[int]) -> list[set[int]]:
    """The possible partial sums before each cell, and at the end.

    The cells before can have such a sum, and the cells after can reach a total from it.
    """
    forward = [{0}]
    for part in parts:
        forward.append({so_far + value for so_far in forward[-1] for value in part.values()})
    sums = [forward.pop() & {*totals}]
    for part in reversed(parts):
        back = {later - value for later in sums[-1] for value in part.values()}
        sums.append(back & forward.pop())
    return sums[::-1]
