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

__all__ = ["all_claiming", "all_pointing", "claiming", "pointing"]


def _locked(position: Position, technique: str, *, pointing: bool) -> Iterator[Deduction]:
    for digit, plane in enumerate(position.planes):
        if not plane:
            continue
        for crossing in position.tables.crossings:
            both = plane & crossing.both
            if not both & (both - 1):
                continue
            empty, rest = crossing.box_rest, crossing.line_rest
            if not pointing:
                empty, rest = rest, empty
            if not plane & empty and (gone := plane & rest):
                evidence = partial(_evidence, position, digit, both, crossing, pointing)
                yield Deduction(technique, both, (), ((digit, gone),), evidence)


def _evidence(
    position: Position, digit: int, both: int, crossing: Crossing, pointing: bool
) -> Evidence:
    inner, outer = crossing.box, crossing.line
    if not pointing:
        inner, outer = outer, inner
    house_words = position.tables.house_words
    return Evidence(
        f"all places for {symbol(digit)} in {house_words[inner]} are in {house_words[outer]}",
        (inner, outer),
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
    return Evidence(
        f"{names(tables, gone)} {see} all places for {symbol(digit)} in {where}",
        (house,),
        ((digit, places, "base"),),
    )


def pointing(position: Position) -> Iterator[Deduction]:
    """Pointing: all places for a digit in a box (any area) lie on one line (any other house)."""
    technique = "locked candidates (pointing)"
    yield from _locked(position, technique, pointing=True)
    yield from _seen_deductions(position, technique, position.tables.areas)


def claiming(position: Position) -> Iterator[Deduction]:
    """Claiming: all places for a digit on a line lie in one box (any area)."""
    technique = "locked candidates (claiming)"
    yield from _locked(position, technique, pointing=False)
    yield from _seen_deductions(position, technique, position.tables.lines)


def all_pointing(position: Position) -> Changes:
    """The removals of all deductions of `pointing` together."""
    crossings = position.tables.crossings
    parts = [(crossing.both, crossing.box_rest, crossing.line_rest) for crossing in crossings]
    return _all_locked(position, parts, position.tables.areas)


def all_claiming(position: Position) -> Changes:
    """The removals of all deductions of `claiming` together."""
    crossings = position.tables.crossings
    parts = [(crossing.both, crossing.line_rest, crossing.box_rest) for crossing in crossings]
    return _all_locked(position, parts, position.tables.lines)


def _all_locked(
    position: Position, parts: list[tuple[int, int, int]], houses: Iterable[int]
) -> Changes:
    """The removals by locked candidates, together.

    Each of `parts` has the cells that two houses share, those of the first house outside the other,
    which must have no place for the digit, and those of the other, where the digit is removed.
    """
    found = Changes(position.tables.side)
    for digit, plane in enumerate(position.planes):
        if plane:
            for both, empty, rest in parts:
                if plane & rest and not plane & empty:
                    here = plane & both
                    if here & (here - 1):
                        found.removed[digit] |= plane & rest
    for digit, _, _, gone in _seen(position, houses):
        found.removed[digit] |= gone
    return found
