"""`implied_rules`, the sums that follow from cages by the rule of 45.

A house has a known sum, 45 on a 9x9 grid, and so do several houses without a common cell. Subtract
the sums of the cages inside them: the cells that remain, the *innies*, have a known sum. A cage
that is partly outside has cells in other houses, the *outies*: the sum of the innies minus the sum
of the outies is known as well.

A little killer, or the sum of a frame, whose cells all see each other is a cage here, too. Cells
with a known sum that all see each other are a cage like any other. Other innies and outies,
if they are few, become a weighted sum. Both follow from the rules of the layout, but with them a
search fails earlier: on hard killers it takes a tenth of the nodes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations

from sudoku.board.cells import Cell
from sudoku.board.layout import Layout
from sudoku.board.peers import all_differ, cells_of, mask_of
from sudoku.board.rule import Candidates, CoverModel, Rule, line_of_cells
from sudoku.board.time_limit import check_time
from sudoku.rules.encoding.digit_sets import sets_of
from sudoku.rules.encoding.linear import contribute_sum, groups_of, restrict_sum
from sudoku.rules.sums import Cage, LittleKiller

__all__ = [
    "FEW",
    "MANY",
    "SumDifference",
    "disjoint_cages",
    "implied_rules",
    "known_cages",
    "sums_of_group",
]

MOST_SETS = 40  # the most sets of digits of an implied cage
FEW, MANY = 2, 6
"""The most cells of an implied sum whose digits may be equal, or differ in sign.

Most puzzles are solved in less time than `MANY` take to be written down."""


class SumDifference(Rule):
    """Requires the sum of some cells minus the sum of others to be `total`.

    >>> SumDifference(3, "r1c1 r1c2", "r2c1")
    SumDifference(3, ((1, 1), (1, 2)), ((2, 1),))
    """

    __slots__ = ("cells", "minus", "plus", "total")
    fields = ("total", "plus", "minus")
    kind = "sum difference"

    total: int
    plus: tuple[Cell, ...]
    minus: tuple[Cell, ...]

    def __init__(
        self, total: int, plus: Iterable[Cell | str] | str, minus: Iterable[Cell | str] | str
    ) -> None:
        added, taken = line_of_cells(self.kind, plus, 0), line_of_cells(self.kind, minus, 0)
        cells = line_of_cells(self.kind, added + taken)
        self._fill(total=total, plus=added, minus=taken, cells=cells)

    @property
    def terms(self) -> list[tuple[Cell, int]]:
        """Its cells and their weights, 1 and -1."""
        return [(cell, 1) for cell in self.plus] + [(cell, -1) for cell in self.minus]

    def restrict(self, candidates: Candidates, layout: Layout) -> None:
        """Removes the digits that are in no filling with that total."""
        restrict_sum(candidates, self.terms, [self.total])

    def contribute(self, model: CoverModel) -> None:
        """Adds the items and options of a weighted sum."""
        contribute_sum(model, self.terms, self.total)

    def broken(self, values: Mapping[Cell, int]) -> tuple[Cell, ...]:
        """Its cells, if all are filled and the total is wrong."""
        if any(cell not in values for cell in self.cells):
            return ()
        found = sum(weight * values[cell] for cell, weight in self.terms)
        return () if found == self.total else self.cells


def implied_rules(layout: Layout, free: int = FEW) -> list[Rule]:
    """The cages and sum differences that follow from the cages and the houses of a layout.

    Sum differences have at most `free` cells.
    O(groups of houses x cages).
    """
    cages = known_cages(layout)
    if not cages:
        return []
    whole = layout.side * (layout.side + 1) // 2
    known = {(mask, 0) for mask, _ in cages}
    rules: list[Rule] = []
    for houses, group in _groups(layout):
        check_time()
        for inner, outer, total in sums_of_group(group, houses * whole, cages):
            if inner and (inner, outer) not in known:
                known.add((inner, outer))
                rule = _implied(layout, inner, outer, total, free)
                if rule is not None:
                    rules.append(rule)
    return rules


def known_cages(layout: Layout, kind: type[LittleKiller] = LittleKiller) -> list[tuple[int, int]]:
    """The cells, as bits, and the sum, of each cage and of other cells that all see each other."""
    return [
        (mask_of(layout, rule.cells), rule.total)
        for rule in layout.rules
        if isinstance(rule, kind) and rule.total is not None and rule.all_differ(layout)
    ]


def disjoint_cages(layout: Layout) -> list[tuple[int, int]]:
    """The same for drawn cages only, without those that overlap an earlier one."""
    return _disjoint(known_cages(layout, Cage))


def _groups(layout: Layout) -> Iterator[tuple[int, int]]:
    """Yields houses, and unions of houses without a common cell: their number and cells, as bits.

    Unions of consecutive rows or columns, and of two boxes or regions. The kind of a house only
    selects the unions to try; custom layouts may have two "regions" that overlap.
    """
    kinds: dict[str, list[int]] = {}
    for house in layout.houses:
        kinds.setdefault(house.kind, []).append(sum(1 << cell for cell in house.cells))
    for kind, masks in kinds.items():
        for mask in masks:
            yield 1, mask
        if kind.endswith(("row", "column")):
            for first in range(len(masks)):
                yield from _consecutive(masks[first:])
        elif kind.endswith(("box", "region")):
            for one, other in combinations(masks, 2):
                if not one & other:
                    yield 2, one | other


def _consecutive(masks: list[int]) -> Iterator[tuple[int, int]]:
    """Yields the unions of the first two, the first three ... while they have no common cell."""
    union = masks[0]
    for count, mask in enumerate(masks[1:], 2):
        if union & mask:
            return
        union |= mask
        yield count, union


def sums_of_group(
    group: int, total: int, cages: list[tuple[int, int]]
) -> Iterator[tuple[int, int, int]]:
    """Yields innies, outies, and the difference of their sums, in several ways for one group.

    The cages inside the group are subtracted. Of the cages that are partly outside, none is, or all
    are, or those with fewer cells outside than inside. Of cages with a common cell, the first that
    is inside counts, or else the first; and then in the reverse order.
    """
    near = [cage for cage in cages if cage[0] & group]
    inside = [cage for cage in near if not cage[0] & ~group]
    crossing = [cage for cage in near if cage[0] & ~group]
    ordered = [*inside, *crossing]
    chosen = _disjoint(ordered)
    yield from _differences(group, total, chosen)
    if len(chosen) < len(ordered):
        yield from _differences(group, total, _disjoint([*inside[::-1], *crossing[::-1]]))


def _disjoint(cages: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Those that have no cell in common with one before that is chosen."""
    taken, found = 0, []
    for cage, amount in cages:
        if not cage & taken:
            taken |= cage
            found.append((cage, amount))
    return found


def _differences(
    group: int, total: int, cages: list[tuple[int, int]]
) -> Iterator[tuple[int, int, int]]:
    """The same with these cages, no two of which have a common cell."""
    inner, crossing = group, []
    for cage, amount in cages:
        if cage & ~group:
            crossing.append((cage, amount))
        else:
            inner &= ~cage
            total -= amount
    yield inner, 0, total
    fewer = [(c, a) for c, a in crossing if (c & ~group).bit_count() < (c & group).bit_count()]
    for taken in (crossing, fewer):
        if not taken:
            continue
        left, outer, rest = inner, 0, total
        for cage, amount in taken:
            left &= ~cage
            outer |= cage & ~group
            rest -= amount
        yield (left, outer, rest) if left else (outer, 0, -rest)


def _implied(layout: Layout, inner: int, outer: int, total: int, free: int) -> Rule | None:
    """A rule that these cells have that sum; None if it would have too many cells or sets."""
    count = inner.bit_count() + outer.bit_count()
    if not outer and count < layout.side and all_differ(layout, inner):
        sets = sets_of(count, total, layout.side) if total > 0 else None
        if sets is not None and len(sets) <= MOST_SETS:
            return Cage(total, cells_of(layout, inner))
    elif count <= free:
        rule = SumDifference(total, cells_of(layout, inner), cells_of(layout, outer))
        return rule if count < 3 or groups_of(layout, rule.terms) else None
    return None
