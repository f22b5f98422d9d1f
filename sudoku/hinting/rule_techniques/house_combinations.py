"""Killer subsets and conflicting combinations: cages that share a house.

The digits of a house differ, so the cages in it cannot use the same digits. A cage that is partly
outside, a *split cage*, takes part with its cells inside: they may have those sets of digits that
the cells outside can complete. Innies of other houses that lie in the house are a cage, too.

For some cages and cells of one house, together:

* *killer subset* (killer pair, killer triple): digits that they have in every filling are removed
  from the rest of the house;
* *conflicting combinations*: candidates that they have in no filling are removed from them.

A filling is put together from sets of digits, one for each cage and cell, that have no digit in
common. So there are at most 2^side partial fillings, whatever the number of cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial, reduce
from itertools import combinations
from operator import and_
from typing import NamedTuple

from sudoku.board.layout import Layout, layout_cache
from sudoku.errors import listed
from sudoku.hinting.deduction import Deduction, Evidence, Removed, names, symbols
from sudoku.hinting.geometry import Geometry, bits, geometry
from sudoku.hinting.position import Changes, Position
from sudoku.hinting.rule_techniques.fillings import Masks, RuleCells, removed_from, rule_cells
from sudoku.hinting.rule_techniques.innies_and_outies import hidden_cages
from sudoku.hinting.rule_techniques.reasons import leaves
from sudoku.hinting.rule_techniques.sums import Family, distinct_sum, family_of, joined, split
from sudoku.hinting.technique import technique, together
from sudoku.rules import Cage

__all__ = [
    "HouseCells",
    "all_conflicting_combinations",
    "conflicting_combinations",
    "house_cells",
    "killer_subsets",
]

LARGEST_GROUP = 3  # cages and cells of which all groups are tried
MOST_NAMED = 5  # cages and cells that a sentence names
MOST_KNOWN = 2_000  # answers that one house keeps
MOST_SIDE = 9  # of larger grids, a house has too many sets of digits


class Part:
    """A cage with cells in the house, or a cell without a cage. Keeps its answers."""

    def __init__(self, cells: Sequence[int], rule: RuleCells | None, here: list[int]) -> None:
        """`cells` are those of the house and its cages, `here` those of the part in the house."""
        there = [] if rule is None else [cell for cell in rule.cells if cell not in here]
        self.rule = rule
        """The cage; None for a cell."""
        self.cells = (*here, *there)
        """Its cells: first those in the house, then the others."""
        self.inside = len(here)
        """How many of them are in the house."""
        self.at = tuple(map(cells.index, self.cells))
        """The places of its cells in `HouseCells.cells`."""
        self.total = rule.rule.total or 0 if rule and isinstance(rule.rule, Cage) else 0
        """The sum of its cells; 0 for a cell without a cage."""
        self._known: dict[Masks, tuple[Masks, Family]] = {}

    def left(self, masks: Masks) -> tuple[Masks, Family]:
        """The candidates of its cells in some filling, and the sets of digits in the house.

        Without a filling, there are no sets.
        """
        found = self._known.get(masks)
        if found is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            found = self._known[masks] = self._left(masks, None)
        return found

    def left_of(self, masks: Masks, allowed: Family) -> Masks:
        """The candidates of its cells in some filling with one of these sets in the house."""
        return self._left(masks, allowed)[0]

    def _left(self, masks: Masks, allowed: Family | None) -> tuple[Masks, Family]:
        if self.rule is None:
            family = family_of([1 << digit for digit in bits(masks[0])])
            family &= -1 if allowed is None else allowed
            return (sum(bits(family)) << 1,), family
        found = distinct_sum(masks, self.total, self.inside, allowed)
        return (masks, 0) if found is None else (found.left, found.first)


class Together(NamedTuple):
    """What all fillings of some parts of a house have."""

    left: dict[int, Masks]
    """For each part, by its number, the candidates of its cells in some filling."""
    common: int
    """The digits, as bits, that every filling has in the house."""


class HouseCells:
    """The cells of a house, and of the cages that are partly in it. Keeps its answers."""

    def __init__(self, tables: Geometry, house: int, cages: Sequence[RuleCells]) -> None:
        self.house = house
        self.layout = tables.layout
        inside = tables.houses[house]
        cells = list(bits(inside))
        members: list[tuple[RuleCells | None, list[int]]] = []
        free = inside
        for cage in cages:
            shared = cage.mask & inside
            if shared & (shared - 1) and not shared & ~free:
                free &= ~shared
                cells += [cell for cell in bits(cage.mask & ~inside) if cell not in cells]
                members.append((cage, list(bits(shared))))
        members += [(None, [cell]) for cell in bits(free)]
        self.inside = list(bits(inside))
        """The cells of the house."""
        self.cells = tuple(cells)
        """The cells of the house, then those of its cages outside."""
        self.mask = sum(1 << cell for cell in cells)
        """The same as a set."""
        self.parts = [Part(cells, rule, here) for rule, here in members]
        self.words = f"{tables.house_words[house]} with its cages"
        """Its name in nets."""
        self._known: dict[Masks, Masks | None] = {}

    @property
    def shape(self) -> set[tuple[int, ...]]:
        """The cells of each part."""
        return {part.cells for part in self.parts}

    def has_cage(self, chosen: Iterable[int]) -> bool:
        """Whether one of these parts is a cage."""
        return any(self.parts[number].rule is not None for number in chosen)

    def masks(self, position: Position) -> Masks:
        """The candidates of its cells in a position."""
        candidates, values = position.candidates, position.values
        return tuple(candidates[c] or (1 << values[c] if values[c] else 0) for c in self.cells)

    def narrowed(self, masks: Masks) -> Masks | None:
        """The candidates in some filling of the house and its cages; None if there is none."""
        try:
            return self._known[masks]
        except KeyError:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            left = self.left_by(masks, range(len(self.parts)))
            found = self._known[masks] = left if left is not None and all(left) else None
            return found

    def left_by(self, masks: Masks, chosen: Iterable[int]) -> Masks | None:
        """The candidates of all cells that these parts leave; None if they have no filling."""
        found = self.together(masks, chosen)
        if found is None:
            return None
        left = list(masks)
        for number, part_left in found.left.items():
            for at, mask in zip(self.parts[number].at, part_left, strict=True):
                left[at] &= mask
        return tuple(left)

    def cells_of(self, chosen: Iterable[int], *, inside: bool = False) -> int:
        """The cells of some parts, as a set; with `inside` only those in the house."""
        cells = 0
        for number in chosen:
            part = self.parts[number]
            for cell in part.cells[: part.inside] if inside else part.cells:
                cells |= 1 << cell
        return cells

    def together(self, masks: Masks, chosen: Iterable[int]) -> Together | None:
        """What all fillings of these parts, by their numbers, have; None if there is no filling.

        O(sets of digits of the parts) operations on families.
        """
        own = []
        for number in chosen:
            part = self.parts[number]
            before = tuple(masks[at] for at in part.at)
            left, family = part.left(before)
            own.append((number, before, left, family))
        own.sort(key=lambda one: one[3].bit_count())
        side, reached = self.layout.side, [1]
        for *_, family in own:
            reached.append(joined(reached[-1], family, side))
            if not reached[-1]:
                return None
        good = reached.pop()
        common = reduce(and_, bits(good)) << 1
        found = {}
        for number, before, left, family in reversed(own):
            good, kept = split(good, reached.pop(), family, side)
            found[number] = left if kept == family else self.parts[number].left_of(before, kept)
        return Together(found, common)


@layout_cache
def house_cells(layout: Layout) -> list[HouseCells]:
    """The houses with cages, boxes and regions first; none on grids with a side above 9.

    A house is divided into its cages, split cages and innies of other houses; each with two cells
    or more in the house, none with a cell of an earlier one. Where split cages and innies have
    cells in common, the house is divided in two ways.
    """
    cages = [rule for rule in rule_cells(layout) if _has_total(rule)]
    if not cages or layout.side > MOST_SIDE:
        return []
    tables, found = geometry(layout), []
    for house in tables.easiest:
        inside = tables.houses[house]
        whole = [cage for cage in cages if not cage.mask & ~inside]
        innies = [cage for cage in hidden_cages(layout, house) if not cage.mask & ~inside]
        split = [cage for cage in cages if cage.mask & ~inside]
        divided = [
            HouseCells(tables, house, [*whole, *more]) for more in (innies + split, split + innies)
        ]
        if divided[0].shape == divided[1].shape:
            divided.pop()
        found += [one for one in divided if one.has_cage(range(len(one.parts)))]
    return found


def _has_total(rule: RuleCells) -> bool:
    return isinstance(rule.rule, Cage) and rule.rule.total is not None


def _narrowed_houses(position: Position) -> Iterator[tuple[HouseCells, Masks, Masks]]:
    """The houses that lose candidates, with those before and after."""
    for one in house_cells(position.tables.layout):
        if one.mask & position.unsolved:
            masks = one.masks(position)
            left = one.narrowed(masks)
            if left is not None and left != masks:
                yield one, masks, left


def _groups(
    one: HouseCells, position: Position, sizes: Iterable[int | None]
) -> Iterator[list[int]]:
    """Groups of parts with unsolved cells, at least one of them a cage; None: of all of them."""
    open_parts = [
        number
        for number, part in enumerate(one.parts)
        if any(position.unsolved >> cell & 1 for cell in part.cells)
    ]
    for size in sizes:
        for chosen in combinations(open_parts, len(open_parts) if size is None else size):
            if one.has_cage(chosen):
                yield list(chosen)


@technique("killer subset", "", "hard", 130, rules=True)
def killer_subsets(position: Position) -> Iterator[Deduction]:
    """Digits that some cages and cells of a house have in every filling, gone from its rest."""
    tables = position.tables
    for one, masks, _ in _narrowed_houses(position):
        for chosen in _groups(one, position, range(2, LARGEST_GROUP + 1)):
            found = one.together(masks, chosen)
            if found is None:
                continue
            inside = one.cells_of(chosen, inside=True)
            rest = tables.houses[one.house] & ~inside
            removed = tuple(
                (digit, gone)
                for digit in bits(found.common)
                if (gone := position.planes[digit] & rest)
            )
            if removed:
                evidence = partial(_subset_evidence, position, one, chosen, removed)
                cells = one.cells_of(chosen)
                yield Deduction("killer subset", cells, (), removed, evidence)
                break


def _subset_evidence(
    position: Position, one: HouseCells, chosen: list[int], removed: Removed
) -> Evidence:
    tables = position.tables
    inside = one.cells_of(chosen, inside=True)
    digits = sum(1 << digit for digit, _ in removed)
    text = (
        f"in {tables.house_words[one.house]}, {_named(position, one, chosen)} together have "
        f"{symbols(digits)} in every combination"
    )
    marks = tuple((digit, position.planes[digit] & inside, "base") for digit in bits(digits))
    return Evidence(text, (one.house,), marks)


def _named(position: Position, one: HouseCells, chosen: list[int]) -> str:
    """The names of some parts: cages, then cells."""
    cages = [one.parts[number].rule for number in chosen]
    cells = one.cells_of([number for number in chosen if one.parts[number].rule is None])
    words = [cage.words for cage in cages if cage is not None]
    if cells:
        cell = "cells" if cells & (cells - 1) else "cell"
        words.append(f"the {cell} {names(position.tables, cells)}")
    return listed(words, "and")


@technique("conflicting combinations", "", "hard", 160, rules=True)
def conflicting_combinations(position: Position) -> Iterator[Deduction]:
    """Candidates that some cages and cells of a house have in no filling together.

    One deduction for each house, of few cages and cells.
    """
    for one, masks, _ in _narrowed_houses(position):
        groups = _groups(one, position, range(2, LARGEST_GROUP + 1))
        found = next((group for group in groups if _conflicts(one, masks, group)), None)
        if found is None:
            found = next(_groups(one, position, [None]), [])
            for number in list(found):
                fewer = [other for other in found if other != number]
                if one.has_cage(fewer) and _conflicts(one, masks, fewer):
                    found = fewer
        left = _conflicts(one, masks, found)
        if left:
            evidence = partial(_conflict_evidence, position, one, found, left)
            removed, cells = removed_from(one.cells, masks, left), one.cells_of(found)
            yield Deduction("conflicting combinations", cells, (), removed, evidence)


def _conflicts(one: HouseCells, masks: Masks, chosen: list[int]) -> Masks | None:
    """The candidates that some parts leave, of all cells; None if they leave all."""
    left = one.left_by(masks, chosen)
    return left if left != masks else None


@together("conflicting combinations")
def all_conflicting_combinations(position: Position) -> Changes:
    """The candidates that the houses with their cages lose, together."""
    found = Changes(position.tables.side)
    for one, masks, left in _narrowed_houses(position):
        for digit, cells in removed_from(one.cells, masks, left):
            found.removed[digit] |= cells
    return found


def _conflict_evidence(
    position: Position, one: HouseCells, chosen: list[int], left: Masks
) -> Evidence:
    tables = position.tables
    inside, after = one.cells_of(chosen), dict(zip(one.cells, left, strict=True))
    marks: dict[int, int] = {}
    changed: dict[int, int] = {}
    for cell in bits(inside & position.unsolved):
        for digit in bits(after[cell]):
            marks[digit] = marks.get(digit, 0) | 1 << cell
        if after[cell] != position.candidates[cell]:
            changed[cell] = after[cell]
    what = f"have different digits, which{leaves(tables, changed)}"
    where = tables.house_words[one.house]
    if len(chosen) > MOST_NAMED:
        text = f"the cages and cells of {where} {what}"
    else:
        text = f"in {where}, {_named(position, one, chosen)} {what}"
    return Evidence(text, (one.house,), tuple((d, cells, "base") for d, cells in marks.items()))
