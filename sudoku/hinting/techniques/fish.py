"""Fish: n rows whose places for a digit lie in n columns, or the same with columns and rows.

Each of the n base lines holds the digit once, each in a different cover line. So all n cover lines
have their digit in the base, and it is removed from the rest of them. Fins are further places in
the base, for instance all in one box. With fins, either a fin is true or the fish is: a candidate
that the fish removes and that sees all fins is false. A finned fish is sashimi if some base line
has only one place left without the fins.

In franken fish some of the base or cover lines are boxes; in mutant fish the base has rows and
columns, or base and cover have lines of the same direction.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from itertools import chain, combinations
from typing import NamedTuple

from sudoku.board.layout import symbol
from sudoku.board.step import joined_houses
from sudoku.errors import listed
from sudoku.hinting.deduction import Deduction, Evidence, names
from sudoku.hinting.geometry import Geometry, bits
from sudoku.hinting.position import Position
from sudoku.hinting.technique import technique

__all__ = ["NAMES", "basic_fish", "finned_fish", "irregular_fish", "siamese_fish"]

FINS = 3  # in layouts that are not classic: at most FINS - 1 lines are left out of the cover
LARGEST = 4  # houses in the base of franken and mutant fish
NAMES = {2: "X-wing", 3: "swordfish", 4: "jellyfish"}


class Fish(NamedTuple):
    """One fish; `body`, `fins` and `gone` are sets of cells."""

    digit: int
    base: tuple[int, ...]
    """The indices of the base lines among the houses."""
    cover: tuple[int, ...]
    """The indices of the cover lines among the houses."""
    body: int
    """The places in both base and cover."""
    fins: int
    """The places in the base outside the cover."""
    gone: int
    """The places to remove."""
    sashimi: bool
    """Whether some base line has at most one place without the fins."""


Sides = tuple[tuple[int, ...], tuple[int, ...]]
"""The indices of the rows of a grid and of its columns, or the other way round: those that may be
base lines, and those that may be cover lines."""


class BaseLine(NamedTuple):
    """A row or a column that may be a base line of a fish."""

    house: int
    """Its index among the houses."""
    places: int
    """Its places for the digit."""
    over: int
    """The crossing lines of these places, bit n for the n-th line of the grid."""


def _lines(position: Position, digit: int, sides: Sides, limit: int) -> list[BaseLine]:
    """The lines with 1 to `limit` places for a digit."""
    houses, plane = position.tables.houses, position.planes[digit]
    found = []
    for house in sides[0]:
        places = plane & houses[house]
        if places and places.bit_count() <= limit:
            over = sum(1 << at for at, line in enumerate(sides[1]) if houses[line] & places)
            found.append(BaseLine(house, places, over))
    return found


def fish(position: Position, size: int, *, finned: bool) -> Iterator[Fish]:
    """All fish with `size` base lines, either with fins or without."""
    layout, digits = position.tables.layout, position.tables.digits
    # A removed candidate sees all fins. In a classic grid that means that its box has all fins.
    widths = (layout.box_columns, layout.box_rows) if layout.is_classic else (FINS, FINS)
    for digit in digits:
        if position.planes[digit].bit_count() < 2 * size:
            continue
        for across, sides in enumerate(_sides(position.tables)):
            limit = size + widths[across % 2] - 1 if finned else size
            lines = _lines(position, digit, sides, limit)
            for chosen in combinations(lines, size):
                over = 0
                for line in chosen:
                    over |= line.over
                count = over.bit_count()
                if finned:
                    if size < count <= limit:
                        yield from _finned(position, digit, sides, chosen, over)
                elif count == size:
                    yield from _basic(position, digit, sides, chosen, over)


def _sides(tables: Geometry) -> Iterator[Sides]:
    """For each grid its rows and columns, then its columns and rows."""
    for rows, columns in tables.squares:
        yield rows, columns
        yield columns, rows


def _cover(position: Position, sides: Sides, over: int) -> tuple[tuple[int, ...], int]:
    """The house indices and the cells of a set of crossing lines."""
    houses = tuple(sides[1][at] for at in bits(over))
    cells = 0
    for house in houses:
        cells |= position.tables.houses[house]
    return houses, cells


def _basic(
    position: Position, digit: int, sides: Sides, chosen: tuple[BaseLine, ...], over: int
) -> Iterator[Fish]:
    """The fish without fins with this base, if it removes something."""
    houses, cells = _cover(position, sides, over)
    base = 0
    for line in chosen:
        base |= line.places
    if gone := position.planes[digit] & cells & ~base:
        yield Fish(digit, tuple(line.house for line in chosen), houses, base, 0, gone, False)


def _finned(
    position: Position, digit: int, sides: Sides, chosen: tuple[BaseLine, ...], over: int
) -> Iterator[Fish]:
    """The finned fish with this base: one for each set of cover lines that removes something."""
    tables = position.tables
    base = 0
    for line in chosen:
        base |= line.places
    plane = position.planes[digit] & ~base & _cover(position, sides, over)[1]
    for members in _left_out(position, sides, chosen, over):
        outside = 0
        for at in members:
            outside |= tables.houses[sides[1][at]]
        fins = base & outside
        gone = plane & ~outside
        if gone and (gone := gone & tables.seen_by_all(fins)):
            out = sum(1 << at for at in members)
            houses, _ = _cover(position, sides, over & ~out)
            sashimi = any((line.places & ~fins).bit_count() < 2 for line in chosen)
            base_lines = tuple(line.house for line in chosen)
            yield Fish(digit, base_lines, houses, base & ~fins, fins, gone, sashimi)


def _left_out(
    position: Position, sides: Sides, chosen: tuple[BaseLine, ...], over: int
) -> Iterator[tuple[int, ...]]:
    """The sets of crossing lines, by number, to leave out of the cover; the fins lie on them."""
    layout, side = position.tables.layout, position.tables.side
    extra = over.bit_count() - len(chosen)
    if not layout.is_classic:
        yield from combinations(bits(over), extra)
        return
    width, height = layout.box_columns, layout.box_rows
    first = sides[0][0]
    if first:  # the columns are the base
        width, height = height, width
    for stack in range(0, side, width):
        near = over & ((1 << width) - 1) << stack
        if near.bit_count() < extra:
            continue
        for members in combinations(bits(near), extra):
            out = sum(1 << at for at in members)
            bands = {(line.house - first) // height for line in chosen if line.over & out}
            if len(bands) == 1:
                yield members


@lru_cache(maxsize=4)
def _all_finned(position: Position, size: int) -> list[Fish]:
    """All finned fish of a size, cached: finned, sashimi and siamese fish share them."""
    return list(fish(position, size, finned=True))


def _named(tables: Geometry, houses: Sequence[int]) -> str:
    """The name of several houses, such as "rows 2 and 7"."""
    return listed(joined_houses([tables.house_words[house] for house in houses]), "and")


def _evidence(position: Position, found: Fish) -> Evidence:
    tables = position.tables
    what = symbol(found.digit)
    base, cover = _named(tables, found.base), _named(tables, found.cover)
    text = f"the places for {what} in {base} are all in {cover}"
    marks = [(found.digit, found.body, "base")]
    if found.fins:
        fin = "one of the fins" if found.fins & (found.fins - 1) else "the fin"
        text += f", or {fin} {names(tables, found.fins)} is {what}"
        marks.append((found.digit, found.fins, "fin"))
    return Evidence(text, (*found.base, *found.cover), tuple(marks))


def _deduction(position: Position, technique: str, found: Fish) -> Deduction:
    return Deduction(
        technique,
        found.body | found.fins,
        (),
        ((found.digit, found.gone),),
        partial(_evidence, position, found),
    )


@technique("X-wing", "0300", "hard", 140, size=2)
@technique("swordfish", "0301", "hard", 150, size=3)
@technique("jellyfish", "0302", "expert", 200, size=4)
def basic_fish(position: Position, size: int) -> Iterator[Deduction]:
    """Fish without fins: X-wings, swordfish, jellyfish, for `size` 2, 3, 4."""
    for found in fish(position, size, finned=False):
        yield _deduction(position, NAMES[size], found)


@technique("finned X-wing", "0310", "hard", 150, sashimi=False, size=2)
@technique("sashimi X-wing", "0320", "hard", 160, sashimi=True, size=2)
@technique("finned swordfish", "0311", "expert", 200, sashimi=False, size=3)
@technique("sashimi swordfish", "0321", "expert", 220, sashimi=True, size=3)
@technique("finned jellyfish", "0312", "expert", 250, sashimi=False, size=4)
@technique("sashimi jellyfish", "0322", "expert", 280, sashimi=True, size=4)
def finned_fish(position: Position, size: int, *, sashimi: bool) -> Iterator[Deduction]:
    """Fish with fins, sashimi or not."""
    kind = "sashimi" if sashimi else "finned"
    for found in _all_finned(position, size):
        if found.sashimi == sashimi:
            yield _deduction(position, f"{kind} {NAMES[size]}", found)


@technique(
    "siamese fish",
    "03101 03111 03121 03201 03211 03221 03411 03421 03621",
    "expert",
    250,
    use="variant",
)
def siamese_fish(position: Position) -> Iterator[Deduction]:
    """Siamese fish: two fish with fins, with the same base and different covers and removals."""
    finned = (_all_finned(position, size) for size in NAMES)
    irregular = (_all_irregular(position, mutant) for mutant in (False, True))
    for some in chain(finned, irregular):
        together: dict[tuple[int, tuple[int, ...]], list[Fish]] = {}
        for found in some:
            together.setdefault((found.digit, found.base), []).append(found)
        for many in together.values():
            for one, two in combinations(many, 2):
                if one.gone != two.gone:
                    yield Deduction(
                        "siamese fish",
                        one.body | one.fins,
                        (),
                        ((one.digit, one.gone | two.gone),),
                        partial(_evidence_siamese, position, one, two),
                    )


def _evidence_siamese(position: Position, one: Fish, two: Fish) -> Evidence:
    first, second = _evidence(position, one), _evidence(position, two)
    return first._replace(text=f"{first.text}; and {second.text}")


@technique(
    "franken fish", "0330 0331 0332 0340 0341 0342", "extreme", 410, use="rare", mutant=False
)
@technique("mutant fish", "0360 0361 0362 0370 0371 0372", "extreme", 420, use="rare", mutant=True)
def irregular_fish(position: Position, *, mutant: bool) -> Iterator[Deduction]:
    """Franken or mutant fish of two to four houses; first the smallest, with the fewest fins."""
    for found in _all_irregular(position, mutant):
        yield _deduction(position, "mutant fish" if mutant else "franken fish", found)


@lru_cache(maxsize=4)
def _all_irregular(position: Position, mutant: bool) -> list[Fish]:
    """All franken or mutant fish, cached: siamese fish share them."""
    tables = position.tables
    lines = [tuple(square) for square in tables.squares]
    shapes = [(rows, columns) for pair in lines for rows, columns in (pair, pair[::-1])]
    if mutant:
        shapes = [(tuple(tables.lines), tuple(tables.lines))]
    found: dict[tuple[int, int, int], Fish] = {}
    for digit in tables.digits:
        for base, cover in shapes:
            for one in _irregular(position, digit, (*base, *tables.areas), (*cover, *tables.areas)):
                if mutant == _is_mutant(tables, one) and (
                    mutant or {*one.base, *one.cover} & {*tables.areas}
                ):
                    key = (digit, sum(1 << h for h in one.base), sum(1 << h for h in one.cover))
                    found[key] = one
    return sorted(found.values(), key=lambda one: (len(one.base), one.fins.bit_count()))


def _is_mutant(tables: Geometry, found: Fish) -> bool:
    """Whether lines of both directions are in its base or in its cover, or one is in both."""
    base, cover = (
        {tables.direction(house) for house in part if house in tables.lines}
        for part in (found.base, found.cover)
    )
    return len(base) > 1 or len(cover) > 1 or bool(base & cover)


def _irregular(
    position: Position, digit: int, bases: Sequence[int], covers: Sequence[int]
) -> Iterator[Fish]:
    """The fish of a digit with these houses.

    If a cell that a fish removes held the digit, then with all that it sees gone, n houses of the
    base would have their places in the n - 1 other houses of the cover.
    """
    tables, plane = position.tables, position.planes[digit]
    for cell in bits(plane):
        left = plane & ~tables.peers[cell] & ~(1 << cell)
        near = {house: here for house in bases if (here := left & tables.houses[house])}
        over = {house: here for house in covers if (here := left & tables.houses[house])}
        for base, cover in _too_many(near, over):
            for house in tables.houses_of[cell]:
                if house in covers and not base >> house & 1:
                    yield _fish_of(position, digit, base, cover | 1 << house)


def _too_many(bases: dict[int, int], covers: dict[int, int]) -> Iterator[tuple[int, int]]:
    """The sets of n houses without a common place, all places of which are in n - 1 others."""
    seen: set[tuple[int, int]] = set()

    def grow(base: int, cover: int, places: int, over: int) -> Iterator[tuple[int, int]]:
        if (base, cover) in seen:
            return
        seen.add((base, cover))
        number = cover.bit_count()
        if missing := places & ~over:
            low = missing & -missing
            for house, cells in covers.items() if number < LARGEST - 1 else ():
                if cells & low and not (base | cover) >> house & 1:
                    yield from grow(base, cover | 1 << house, places, over | cells)
        elif base.bit_count() > number:
            yield base, cover
        else:
            for house, cells in bases.items():
                if not (cells & places or (base | cover) >> house & 1) and not (
                    number == LARGEST - 1 and cells & ~over
                ):
                    yield from grow(base | 1 << house, cover, places | cells, over)

    yield from grow(0, 0, 0, 0)


def _fish_of(position: Position, digit: int, base: int, cover: int) -> Fish:
    """The fish with these houses; a place in more base than cover houses is a fin."""
    houses, plane = position.tables.houses, position.planes[digit]

    def layers(chosen: int) -> list[int]:
        """The places in at least one, two, ... of the houses."""
        found: list[int] = []
        for house in bits(chosen):
            places = plane & houses[house]
            for at, layer in enumerate(found):
                found[at], places = layer | places, layer & places
            found.append(places)
        return found

    fins = gone = body = 0
    for inside, outside in zip(layers(base), layers(cover), strict=True):
        fins |= inside & ~outside
        gone |= outside & ~inside
        body |= inside
    gone &= position.tables.seen_by_all(fins)
    return Fish(digit, tuple(bits(base)), tuple(bits(cover)), body & ~fins, fins, gone, False)
