"""Innies and outies: the rule of 45 for cages.

A house has a known sum, 45 on a 9x9 grid, and so have several houses without a common cell. Without
the cages inside, the cells that remain (innies) have a known sum. A cage that is partly outside may
be subtracted as well: then the sum of the innies minus the sum of its cells outside (outies) is
known. The combinations of innies and outies are treated like those of any rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import combinations
from typing import NamedTuple

from sudoku.board.layout import Layout, layout_cache
from sudoku.board.peers import all_differ, cells_of
from sudoku.board.rule import Rule
from sudoku.errors import listed
from sudoku.hinting.deduction import Deduction, Evidence, names
from sudoku.hinting.geometry import Geometry, geometry
from sudoku.hinting.position import Position
from sudoku.hinting.rule_techniques.combinations import combinations_evidence
from sudoku.hinting.rule_techniques.fillings import Masks, RuleCells, rule_cells
from sudoku.hinting.technique import technique
from sudoku.rules import Cage
from sudoku.rules.implied import SumDifference, disjoint_cages, sums_of_group

__all__ = ["combination_net_rules", "hidden_cages", "innies_and_outies", "net_rules"]

MOST_CELLS = 12  # innies and outies of one sum
MOST_OPEN = 4  # of them without a digit
MOST_HOUSES = 4
MOST_NET_CELLS = (
    3  # of a sum that nets follow: with 6, ratings take five times as long, for no more
)
MOST_WIDE_CELLS = 4  # of a sum that combination nets follow
MOST_OF_KIND = 9  # areas, rows or columns of which all unions are tried


class Derived(NamedTuple):
    """A sum that follows from houses and cages."""

    houses: tuple[int, ...]
    """The indices of the houses."""
    inner: int
    """The innies, as a set of cells."""
    outer: int
    """The outies."""
    total: int
    """The sum of the innies minus the sum of the outies."""
    rule: RuleCells


@layout_cache
def net_rules(layout: Layout) -> list[RuleCells]:
    """The rules of a layout and the sums of few innies and outies; those of few cells first."""
    sums = [one.rule for one in _derived(layout) if len(one.rule.cells) <= MOST_NET_CELLS]
    return sorted([*rule_cells(layout), *sums], key=lambda rule: len(rule.cells))


@layout_cache
def combination_net_rules(layout: Layout) -> list[RuleCells]:
    """The rules of a layout and the sums of few innies and outies of any houses of a kind.

    Those of few cells first.
    """
    tables = geometry(layout)
    found = _sums(layout, (*_unions(tables), *_wide_unions(tables)), MOST_WIDE_CELLS)
    sums = [one.rule for one in found]
    return sorted([*rule_cells(layout), *sums], key=lambda rule: len(rule.cells))


def hidden_cages(layout: Layout, house: int) -> list[RuleCells]:
    """The innies, two cells or more that see each other, of other houses than this one.

    Those of few cells first.
    """
    found = [
        one.rule
        for one in _derived(layout)
        if one.houses != (house,) and isinstance(one.rule.rule, Cage) and len(one.rule.cells) > 1
    ]
    return sorted(found, key=lambda rule: len(rule.cells))


@layout_cache
def _derived(layout: Layout) -> list[Derived]:
    """The sums of up to `MOST_HOUSES` neighbouring houses; those of few cells first."""
    return _sums(layout, _unions(geometry(layout)), MOST_CELLS)


def _sums(layout: Layout, unions: Iterable[tuple[int, ...]], most: int) -> list[Derived]:
    """The sums of at most that many innies and outies of these houses; those of few cells first."""
    tables = geometry(layout)
    cages = disjoint_cages(layout)
    if not cages:
        return []
    whole = layout.side * (layout.side + 1) // 2
    known = {(mask, 0) for mask, _ in cages}
    known |= {(house, 0) for house in tables.houses}
    found: list[Derived] = []
    for houses in unions:
        union = 0
        for house in houses:
            union |= tables.houses[house]
        for inner, outer, total in sums_of_group(union, whole * len(houses), cages):
            count = inner.bit_count() + outer.bit_count()
            if inner and count <= most and (inner, outer) not in known:
                known.add((inner, outer))
                words = _words(tables, houses, (inner, outer, total))
                rule = RuleCells(_rule(layout, inner, outer, total), layout, words)
                found.append(Derived(houses, inner, outer, total, rule))
    return sorted(found, key=lambda one: (len(one.houses), len(one.rule.cells)))


def _rule(layout: Layout, inner: int, outer: int, total: int) -> Rule:
    """The rule of a sum: a cage, if all cells see each other, which has the best combinations."""
    cells = cells_of(layout, inner)
    if not outer and total > 0 and all_differ(layout, inner):
        return Cage(total, cells)
    return SumDifference(total, cells, cells_of(layout, outer))


def _words(tables: Geometry, houses: tuple[int, ...], found: tuple[int, int, int]) -> str:
    """The name of a sum in nets, given its innies, outies and total."""
    inner, outer, total = found
    where = listed([tables.house_words[house] for house in houses], "and")
    cells = names(tables, inner)
    if outer:
        return f"the innies and outies of {where}: {cells} minus {names(tables, outer)} is {total}"
    return f"the innies of {where}: {cells} of sum {total}"


def _unions(tables: Geometry) -> Iterator[tuple[int, ...]]:
    """Single houses, then two to four lines beside each other, or two areas; no common cells."""
    for house in tables.easiest:
        yield (house,)
    rows, columns = len(tables.rows), len(tables.lines)
    kinds = (tables.easiest[: -len(tables.lines) or None], range(rows), range(rows, columns))
    near = [house for house in kinds[0] if house in tables.areas]
    for count in range(2, MOST_HOUSES + 1):
        for lines in kinds[1:]:
            for first in range(len(lines) - count + 1):
                chosen = tuple(lines[first : first + count])
                if _apart(tables, chosen):
                    yield chosen
        if count == 2:
            for pair in combinations(near, 2):
                if _apart(tables, pair):
                    yield pair


def _wide_unions(tables: Geometry) -> Iterator[tuple[int, ...]]:
    """Two to four areas, rows or columns, wherever they are; no common cells."""
    rows = len(tables.rows)
    lines = range(len(tables.lines))
    for kind in (tables.areas, lines[:rows], lines[rows:]):
        for count in range(2, MOST_HOUSES + 1) if len(kind) <= MOST_OF_KIND else ():
            for chosen in combinations(kind, count):
                if _apart(tables, chosen):
                    yield chosen


def _apart(tables: Geometry, houses: tuple[int, ...]) -> bool:
    """Whether no two of these houses share a cell."""
    union = 0
    for house in houses:
        if union & tables.houses[house]:
            return False
        union |= tables.houses[house]
    return True


@technique("innies and outies", "", "medium", 60, rules=True, count=1, named=True)
@technique("innies and outies of 2 houses", "", "hard", 120, rules=True, count=2, named=True)
@technique("innies and outies of 3 houses", "", "hard", 150, rules=True, count=3, named=True)
@technique("innies and outies of 4 houses", "", "hard", 180, rules=True, count=4, named=True)
def innies_and_outies(position: Position, count: int, name: str) -> Iterator[Deduction]:
    """Candidates that no combination of the innies and outies of `count` houses has."""
    for derived in _derived(position.tables.layout):
        rule = derived.rule
        if len(derived.houses) != count:
            continue
        if not 0 < (rule.mask & position.unsolved).bit_count() <= MOST_OPEN:
            continue
        masks = rule.masks(position)
        left = rule.left(masks)
        if left == masks:
            continue
        evidence = partial(_evidence, position, derived, left)
        yield Deduction(name, rule.mask, (), rule.removed(masks, left), evidence)


def _evidence(position: Position, derived: Derived, left: Masks) -> Evidence:
    tables = position.tables
    where = listed([tables.house_words[house] for house in derived.houses], "and")
    inner = names(tables, derived.inner)
    if derived.outer:
        what = f"{inner} minus {names(tables, derived.outer)} is {derived.total}"
    else:
        several = derived.inner & (derived.inner - 1)
        what = f"{inner} {'add up to' if several else 'is'} {derived.total}"
    why = f"by the cages and the sum of {where}, {what}, which"
    return combinations_evidence(position, derived.rule, left, derived.houses, why)
