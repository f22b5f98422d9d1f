"""Locked candidates: where a box and a line cross.

If a digit's places in the box all lie on the line, it is nowhere else on the line (pointing); if
its places on the line all lie in the box, it is nowhere else in the box (claiming).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from sudoku.hinting.finding import Find, Told
from sudoku.hinting.geometry import Crossing
from sudoku.hinting.position import Deduction, Position
from sudoku.layout import symbol

__all__ = ["all_claiming", "all_pointing", "claiming", "pointing"]


def _finds(position: Position, technique: str, *, pointing: bool) -> Iterator[Find]:
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
                tell = partial(_told, position, digit, both, crossing, pointing)
                yield Find(technique, both, (), ((digit, gone),), tell)


def _told(position: Position, digit: int, both: int, crossing: Crossing, pointing: bool) -> Told:
    inner, outer = crossing.box, crossing.line
    if not pointing:
        inner, outer = outer, inner
    house_words = position.tables.house_words
    return Told(
        f"all places for {symbol(digit)} in {house_words[inner]} are in {house_words[outer]}",
        (inner, outer),
        ((digit, both, "base"),),
    )


def pointing(position: Position) -> Iterator[Find]:
    """Digits whose places in a box are all on one line."""
    return _finds(position, "locked candidates (pointing)", pointing=True)


def claiming(position: Position) -> Iterator[Find]:
    """Digits whose places on a line are all in one box."""
    return _finds(position, "locked candidates (claiming)", pointing=False)


def all_pointing(position: Position) -> Deduction:
    """The same at once."""
    found = Deduction(position.tables.side)
    crossings = position.tables.crossings
    for digit, plane in enumerate(position.planes):
        if plane:
            for _, _, both, box_rest, line_rest in crossings:
                if plane & line_rest and not plane & box_rest:
                    here = plane & both
                    if here & (here - 1):
                        found.removed[digit] |= plane & line_rest
    return found


def all_claiming(position: Position) -> Deduction:
    """The same at once."""
    found = Deduction(position.tables.side)
    crossings = position.tables.crossings
    for digit, plane in enumerate(position.planes):
        if plane:
            for _, _, both, box_rest, line_rest in crossings:
                if plane & box_rest and not plane & line_rest:
                    here = plane & both
                    if here & (here - 1):
                        found.removed[digit] |= plane & box_rest
    return found
