"""Innies and outies: the rule of 45 for cages.

A house has a known sum, 45 on a 9x9 grid, and so have several houses without a common cell. Without
the cages inside, the cells that remain (innies) have a known sum. A cage that is partly outside may
be subtracted as well: then the sum of the innies minus the sum of its cells outside (outies) is
known. The combinations of innies and outies are treated like those of any rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from itertools import combinations
from operator import or_
from typing import NamedTuple

from sudoku.board.layout import Layout, layout_cache, symbol
from sudoku.board.peers import all_differ, cells_of
from sudoku.board.rule import Rule
from sudoku.board.step import joined_houses
from sudoku.errors import listed
from sudoku.hinting.deduction import Deduction, Evidence
from sudoku.hinting.geometry import Geometry, bits, geometry
from sudoku.hinting.position import Changes, Position
from sudoku.hinting.rule_techniques.combinations import removals, rule_deduction, rule_evidence
from sudoku.hinting.rule_techniques.fillings import Masks, RuleCells, rule_cells
from sudoku.hinting.technique import technique, together
from sudoku.rules import Cage
from sudoku.rules.implied import SumDifference, disjoint_cages, sums_of_group

__all__ = ["combination_net_rules", "hidden_cages", "innies_and_outies", "net_rules"]

MOST_CELLS = 12  # innies and outies of one sum
MOST_OPEN = 4  # of them without a digit
MOST_PLACED = 2  # of them without a digit for the rule of 45; of several houses one less
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
                words = _equation(tables, inner, outer, total)
                words += f" by the cages of {_where(tables, houses)}"
                rule = RuleCells(_rule(layout, inner, outer, total), layout, words)
                found.append(Derived(houses, inner, outer, total, rule))
    return sorted(found, key=lambda one: (len(one.houses), len(one.rule.cells)))


def _rule(layout: Layout, inner: int, outer: int, total: int) -> Rule:
    """The rule of a sum: a cage, if all cells see each other, which has the best combinations."""
    cells = cells_of(layout, inner)
    if not outer and total > 0 and all_differ(layout, inner):
        return Cage(total, cells)
    return SumDifference(total, cells, cells_of(layout, outer))


def _equation(tables: Geometry, inner: int, outer: int, total: int) -> str:
    """That the sum of the innies minus the sum of the outies is the total, without a minus."""
    sides: list[list[str]] = []
    for cells, amount in ((inner, -total), (outer, total)):
        terms = [tables.names[cell] for cell in bits(cells)]
        sides.append([*terms, *[str(amount)] * (amount > 0)] or ["0"])
    sides.sort(key=lambda terms: len(terms) == 1 and terms[0].isdigit())
    return " = ".join(map(" + ".join, sides))


def _where(tables: Geometry, houses: tuple[int, ...]) -> str:
    return listed(joined_houses(tuple(tables.house_words[house] for house in houses)), "and")


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


@technique("rule of 45", "", "medium", 40, use="proof", rules=True)
def rule_of_45(position: Position) -> Iterator[Deduction]:
    """Innies and outies that leave one digit for each of their empty cells: mostly for one cell."""
    for derived, masks, left in _narrowed(position):
        deduction = _deduction("rule of 45", position, derived, masks, left)
        if len(deduction.placed) == (derived.rule.mask & position.unsolved).bit_count():
            yield deduction


@technique("innies and outies", "", "medium", 60, rules=True, count=1, named=True)
@technique("innies and outies of 2 houses", "", "hard", 120, rules=True, count=2, named=True)
@technique("innies and outies of 3 houses", "", "hard", 150, rules=True, count=3, named=True)
@technique("innies and outies of 4 houses", "", "hard", 180, rules=True, count=4, named=True)
def innies_and_outies(position: Position, count: int, name: str) -> Iterator[Deduction]:
    """Candidates that no combination of the innies and outies of `count` houses has."""
    for derived, masks, left in _narrowed(position, count):
        yield _deduction(name, position, derived, masks, left)


def all_innies_and_outies(position: Position, count: int) -> Changes:
    """The candidates that the innies and outies of `count` houses do not leave, together."""
    return removals(position, ((one.rule, a, b) for one, a, b in _narrowed(position, count)))


for _count in range(1, MOST_HOUSES + 1):
    _name = "innies and outies" + (f" of {_count} houses" if _count > 1 else "")
    together(_name, count=_count)(all_innies_and_outies)


def _narrowed(
    position: Position, count: int | None = None
) -> Iterator[tuple[Derived, Masks, Masks]]:
    """The sums that exclude something, with the candidates before and after.

    Those of `count` houses; if it is None, those with as few empty cells as the rule of 45 has.
    """
    for derived in _derived(position.tables.layout):
        rule = derived.rule
        houses, opened = len(derived.houses), (rule.mask & position.unsolved).bit_count()
        most = MOST_OPEN if count else MOST_PLACED - (houses > 1)
        if count in (None, houses) and 0 < opened <= most:
            masks = rule.masks(position)
            left = rule.left(masks)
            if left != masks:
                yield derived, masks, left


def _deduction(
    name: str, position: Position, derived: Derived, masks: Masks, left: Masks
) -> Deduction:
    def evidence() -> Evidence:
        why = _arithmetic(position, derived)
        found = rule_evidence(position, derived.rule, left, f"{why}, which", derived.houses)
        alone = (derived.rule.mask & position.unsolved).bit_count() == 1
        return found._replace(text=why) if alone else found

    return rule_deduction(name, derived.rule, masks, left, evidence)


def _arithmetic(position: Position, derived: Derived) -> str:
    """What the cages and the houses add up to, and what follows for several empty cells."""
    tables, values, side = position.tables, position.values, position.tables.side
    whole = side * (side + 1) // 2 * len(derived.houses)
    inside = reduce(or_, (tables.houses[house] for house in derived.houses))
    sign = 1 if derived.inner & inside else -1  # the innies count; or only outies
    less, more = (derived.inner, derived.outer)[::sign]
    said = "".join(
        f" {minus} {symbol(values[cell]) if values[cell] else tables.names[cell]}"
        for minus, cells in (("-", less), ("+", more))
        for cell in bits(cells)
    )
    where = _where(tables, derived.houses)
    cages = "the cages in" if sign > 0 and not derived.outer else "the cages of"
    text = f"{cages} {where} add up to {whole - sign * derived.total} = {whole}{said}"
    empty = position.unsolved
    if (derived.rule.mask & empty).bit_count() < 2:
        return text
    inner, outer = (sum(values[c] for c in bits(cells)) for cells in (derived.inner, derived.outer))
    rest = derived.total - inner + outer
    return f"{text}: {_equation(tables, derived.inner & empty, derived.outer & empty, rest)}"
