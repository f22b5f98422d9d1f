"""Fish: n rows whose places for a digit lie in n columns, or the other way round.

Each of the n base lines holds the digit once, in a different cover line; so the n cover lines are
used up, and the digit leaves the rest of them. With fins - a few more places in the base, all
in one box - either that is so or a fin is true: what sees all fins can still be removed. A
finned fish is sashimi if without its fins some base line has only one place left.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations
from typing import NamedTuple

from sudoku.hinting.finding import Find, Told, listed, names
from sudoku.hinting.position import Position
from sudoku.layout import symbol

__all__ = ["NAMES", "basic_fish", "finned_fish", "siamese_fish"]

NAMES = {2: "X-wing", 3: "swordfish", 4: "jellyfish"}


class Fish(NamedTuple):
    """One fish, all sets of cells."""

    digit: int
    base: tuple[int, ...]
    """Indices of houses."""
    cover: tuple[int, ...]
    """Indices of houses."""
    body: int
    """The places in base and cover."""
    fins: int
    gone: int
    """The places to be removed."""
    sashimi: bool


def _lines(position: Position, digit: int, across: int) -> list[tuple[int, int]]:
    """(index, places) of the unsolved rows (0) or columns (1)."""
    tables = position.tables
    plane = position.planes[digit]
    first = across * tables.side
    return [
        (house, places)
        for house in range(first, first + tables.side)
        if (places := plane & tables.houses[house])
    ]


def _crossing_lines(position: Position, cells: int, across: int) -> list[int]:
    """The lines of the other direction that have some of the cells."""
    tables = position.tables
    first = (1 - across) * tables.side
    return [h for h in range(first, first + tables.side) if cells & tables.houses[h]]


def fish(position: Position, size: int, *, finned: bool) -> Iterator[Fish]:
    """All fish of that size: without fins, or with."""
    tables = position.tables
    room = 0 if not finned else max(tables.layout.box_rows, tables.layout.box_columns) - 1
    for digit in tables.digits:
        plane = position.planes[digit]
        if plane.bit_count() < 2 * size:
            continue
        for across in (0, 1):
            usable = [
                (house, places, len(over := _crossing_lines(position, places, across)), over)
                for house, places in _lines(position, digit, across)
            ]
            usable = [line for line in usable if line[2] <= size + room]
            if len(usable) < size:
                continue
            for chosen in combinations(usable, size):
                cover: set[int] = set()
                for line in chosen:
                    cover.update(line[3])
                    if len(cover) > size + room:
                        break
                else:
                    yield from _with_cover(position, digit, chosen, sorted(cover), finned)


def _with_cover(
    position: Position,
    digit: int,
    chosen: tuple[tuple[int, int, int, list[int]], ...],
    lines: list[int],
    finned: bool,
) -> Iterator[Fish]:
    """The fish with this base: every choice of cover lines that removes something."""
    tables, plane = position.tables, position.planes[digit]
    size = len(chosen)
    base = 0
    for _, places, _, _ in chosen:
        base |= places
    if not finned:
        if len(lines) == size:
            over = 0
            for line in lines:
                over |= tables.houses[line]
            if gone := plane & over & ~base:
                houses = tuple(line[0] for line in chosen)
                yield Fish(digit, houses, tuple(lines), base, 0, gone, False)
        return
    for left_out in combinations(lines, len(lines) - size):
        outside = 0
        for line in left_out:
            outside |= tables.houses[line]
        fins = base & outside
        if not fins or not _in_one_box(position, fins):
            continue
        over = 0
        for line in lines:
            if line not in left_out:
                over |= tables.houses[line]
        gone = plane & over & ~base
        if gone and (gone := gone & tables.seen_by_all(fins)):
            sashimi = any((places & ~fins).bit_count() < 2 for _, places, _, _ in chosen)
            yield Fish(
                digit,
                tuple(line[0] for line in chosen),
                tuple(line for line in lines if line not in left_out),
                base & ~fins,
                fins,
                gone,
                sashimi,
            )


def _in_one_box(position: Position, cells: int) -> bool:
    tables = position.tables
    box = tables.houses[tables.box_of(cells.bit_length() - 1)]
    return not cells & ~box


def _told(position: Position, found: Fish) -> Told:
    tables = position.tables
    base = listed([tables.house_names[house] for house in found.base], "and")
    cover = listed([tables.house_names[house] for house in found.cover], "and")
    seen = f"the places for {symbol(found.digit)} in {base} are all in {cover}"
    marks = [(found.digit, found.body, "base")]
    if found.fins:
        seen += f", or one of the fins {names(tables, found.fins, 'or')} is true"
        if not found.fins & (found.fins - 1):
            seen = seen.replace("one of the fins ", "the fin ")
        marks.append((found.digit, found.fins, "fin"))
    return Told(seen, (*found.base, *found.cover), tuple(marks))


def _find(position: Position, technique: str, found: Fish) -> Find:
    return Find(
        technique,
        found.body | found.fins,
        (),
        ((found.digit, found.gone),),
        partial(_told, position, found),
    )


def basic_fish(position: Position, size: int) -> Iterator[Find]:
    """X-wing, swordfish, jellyfish."""
    for found in fish(position, size, finned=False):
        yield _find(position, NAMES[size], found)


def finned_fish(position: Position, size: int, *, sashimi: bool) -> Iterator[Find]:
    """The same with fins."""
    kind = "sashimi" if sashimi else "finned"
    for found in fish(position, size, finned=True):
        if found.sashimi == sashimi:
            yield _find(position, f"{kind} {NAMES[size]}", found)


def siamese_fish(position: Position, size: int, *, sashimi: bool) -> Iterator[Find]:
    """Two finned fish with the same base, each with its own fins and something to remove."""
    together: dict[tuple[int, tuple[int, ...]], list[Fish]] = {}
    for found in fish(position, size, finned=True):
        together.setdefault((found.digit, found.base), []).append(found)
    kind = "sashimi" if sashimi else "finned"
    for many in together.values():
        for one, two in combinations(many, 2):
            if (one.sashimi or two.sashimi) != sashimi or one.gone == two.gone:
                continue
            yield Find(
                f"siamese {kind} {NAMES[size]}",
                one.body | one.fins,
                (),
                ((one.digit, one.gone | two.gone),),
                partial(_told_siamese, position, one, two),
            )


def _told_siamese(position: Position, one: Fish, two: Fish) -> Told:
    first, second = _told(position, one), _told(position, two)
    return first._replace(seen=f"{first.seen}; and {second.seen}")
