"""Locked candidates: where a box and a line cross, or any two houses.

If all places for a digit in the box lie on the line, the digit is nowhere else on the line
(pointing). If all its places on the line lie in the box, it is nowhere else in the box (claiming).
In layouts with other houses than boxes, a cell may see all places of a house without sharing one
house with all of them: the center of both diagonals sees both corners of row 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from sudoku.board.layout import symbol
from sudoku.hinting.deduction import Deduction, Evidence, names
from sudoku.hinting.geometry import Crossing
from sudoku.hinting.position import Changes, Position
from sudoku.hinting.technique import technique, together
from sudoku.hinting.techniques.singles import seen_by_rules

__all__ = ["all_claiming", "all_pointing", "claiming", "pointing"]


def _locked(
    position: Position, technique: str, crossings: Iterable[Crossing]
) -> Iterator[Deduction]:
    """The digits whose places in the first house of a crossing all lie in the second house."""
    for digit, plane in enumerate(position.planes):
        if not plane:
            continue
        for crossing in crossings:
            both = plane & crossing.both
            if not both & (both - 1):
                continue
            if not plane & crossing.box_rest and (gone := plane & crossing.line_rest):
                evidence = partial(_evidence, position, digit, both, crossing)
                yield Deduction(technique, both, (), ((digit, gone),), evidence)


def _evidence(position: Position, digit: int, both: int, crossing: Crossing) -> Evidence:
    first, second = crossing.box, crossing.line
    house_words = position.tables.house_words
    return Evidence(
        f"all places for {symbol(digit)} in {house_words[first]} are in {house_words[second]}",
        (first, second),
        ((digit, both, "base"),),
    )


def _seen(position: Position, houses: Iterable[int]) -> Iterator[tuple[int, int, int, int]]:
    """Candidates that see all places of a digit in a house, and share no house with all of them.

    Yields (digit, house, places, cells to remove the digit from); nothing in classic layouts.
    """
    tables = position.tables
    if tables.layout.is_classic:
        return
    for digit, plane in enumerate(position.planes):
        for house in houses:
            places = plane & tables.houses[house]
            if not places & (places - 1):
                continue
            gone = plane & tables.seen_by_all(places)
            for common in tables.common_houses(places):
                gone &= ~tables.houses[common]
            if gone:
                yield digit, house, places, gone


def _seen_deductions(
    position: Position, technique: str, houses: Iterable[int]
) -> Iterator[Deduction]:
    for digit, house, places, gone in _seen(position, houses):
        evidence = partial(_evidence_seen, position, digit, house, places, gone)
        yield Deduction(technique, places, (), ((digit, gone),), evidence)


def _evidence_seen(position: Position, digit: int, house: int, places: int, gone: int) -> Evidence:
    tables = position.tables
    see = "see" if gone & (gone - 1) else "sees"
    where = tables.house_words[house]
    first = (gone & -gone).bit_length() - 1
    why = seen_by_rules(tables, first, places)
    return Evidence(
        f"{names(tables, gone)} {see} all places for {symbol(digit)} in {where}{why}",
        (house,),
        ((digit, places, "base"),),
    )


@technique("locked candidates (pointing)", "0100", "medium", 50)
def pointing(position: Position) -> Iterator[Deduction]:
    """Pointing: all places for a digit in a box (any area) lie on one line (any other house)."""
    technique = "locked candidates (pointing)"
    yield from _locked(position, technique, position.tables.crossings)
    yield from _seen_deductions(position, technique, position.tables.areas)


@technique("locked candidates (claiming)", "0101", "medium", 50)
def claiming(position: Position) -> Iterator[Deduction]:
    """Claiming: all places for a digit on a line lie in one box (any area)."""
    technique = "locked candidates (claiming)"
    yield from _locked(position, technique, position.tables.swapped_crossings)
    yield from _seen_deductions(position, technique, position.tables.lines)


@together("locked candidates (pointing)")
def all_pointing(position: Position) -> Changes:
    """The removals of all deductions of `pointing` together."""
    tables = position.tables
    return _all_locked(position, tables.crossings, tables.areas)


@together("locked candidates (claiming)")
def all_claiming(position: Position) -> Changes:
    """The removals of all deductions of `claiming` together."""
    tables = position.tables
    return _all_locked(position, tables.swapped_crossings, tables.lines)


def _all_locked(
    position: Position, crossings: Iterable[Crossing], houses: Iterable[int]
) -> Changes:
    """The removals of all deductions of `_locked` and `_seen_deductions` together."""
    found = Changes(position.tables.side)
    for digit, plane in enumerate(position.planes):
        if plane:
            for _, _, both, box_rest, line_rest in crossings:
                if plane & line_rest and not plane & box_rest:
                    here = plane & both
                    if here & (here - 1):
                        found.removed[digit] |= plane & line_rest
    for digit, _, _, gone in _seen(position, houses):
        found.removed[digit] |= gone
    return found
