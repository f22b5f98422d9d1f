"""Fish: n rows whose places for a digit lie in n columns, or the same with columns and rows.

Each of the n base lines holds the digit once, each in a different cover line. So all n cover lines
have their digit in the base, and it is removed from the rest of them. Fins are further places in
the base, for instance all in one box. With fins, either a fin is true or the fish is: a candidate
that the fish removes and that sees all fins is false. A finned fish is sashimi if some base line
has only one place left without the fins.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from itertools import combinations
from typing import NamedTuple

from sudoku.board.layout import symbol
from sudoku.errors import listed
from sudoku.hinting.deduction import Deduction, Evidence, names
from sudoku.hinting.geometry import Geometry, bits
from sudoku.hinting.position import Position

__all__ = ["NAMES", "basic_fish", "finned_fish", "siamese_fish"]

FINS = 3  # in layouts that are not classic: at most FINS - 1 lines are left out of the cover
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


class BaseLine(NamedTuple):
    """A row or a column that may be a base line of a fish."""

    house: int
    """Its index among the houses."""
    places: int
    """Its places for the digit."""
    over: int
    """The crossing lines of these places, bit n for row or column n."""


def _lines(position: Position, digit: int, across: int, limit: int) -> list[BaseLine]:
    """The rows (`across` 0) or columns (1) with 1 to `limit` places for a digit."""
    tables, side = position.tables, position.tables.side
    plane = position.planes[digit]
    first, crossing = across * side, tables.columns if across == 0 else tables.rows
    found = []
    for house in range(first, first + side):
        places = plane & tables.houses[house]
        if places and places.bit_count() <= limit:
            over = sum(1 << at for at, line in enumerate(crossing) if line & places)
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
        for across in (0, 1):
            limit = size + widths[across] - 1 if finned else size
            lines = _lines(position, digit, across, limit)
            for chosen in combinations(lines, size):
                over = 0
                for line in chosen:
                    over |= line.over
                count = over.bit_count()
                if finned:
                    if size < count <= limit:
                        yield from _finned(position, digit, across, chosen, over)
                elif count == size:
                    yield from _basic(position, digit, across, chosen, over)


def _cover(position: Position, across: int, over: int) -> tuple[tuple[int, ...], int]:
    """The house indices and the cells of a set of crossing lines."""
    tables = position.tables
    first = (1 - across) * tables.side
    houses = tuple(first + at for at in bits(over))
    cells = 0
    for house in houses:
        cells |= tables.houses[house]
    return houses, cells


def _basic(
    position: Position, digit: int, across: int, chosen: tuple[BaseLine, ...], over: int
) -> Iterator[Fish]:
    """The fish without fins with this base, if it removes something."""
    houses, cells = _cover(position, across, over)
    base = 0
    for line in chosen:
        base |= line.places
    if gone := position.planes[digit] & cells & ~base:
        yield Fish(digit, tuple(line.house for line in chosen), houses, base, 0, gone, False)


def _finned(
    position: Position, digit: int, across: int, chosen: tuple[BaseLine, ...], over: int
) -> Iterator[Fish]:
    """The finned fish with this base: one for each set of cover lines that removes something."""
    tables = position.tables
    base = 0
    for line in chosen:
        base |= line.places
    plane = position.planes[digit] & ~base & _cover(position, across, over)[1]
    crossing = tables.columns if across == 0 else tables.rows
    for members in _left_out(position, across, chosen, over):
        outside = 0
        for at in members:
            outside |= crossing[at]
        fins = base & outside
        gone = plane & ~outside
        if gone and (gone := gone & tables.seen_by_all(fins)):
            out = sum(1 << at for at in members)
            houses, _ = _cover(position, across, over & ~out)
            sashimi = any((line.places & ~fins).bit_count() < 2 for line in chosen)
            base_lines = tuple(line.house for line in chosen)
            yield Fish(digit, base_lines, houses, base & ~fins, fins, gone, sashimi)


def _left_out(
    position: Position, across: int, chosen: tuple[BaseLine, ...], over: int
) -> Iterator[tuple[int, ...]]:
    """The sets of crossing lines, by number, to leave out of the cover; the fins lie on them."""
    layout, side = position.tables.layout, position.tables.side
    extra = over.bit_count() - len(chosen)
    if not layout.is_classic:
        yield from combinations(bits(over), extra)
        return
    width, height = layout.box_columns, layout.box_rows
    if across:
        width, height = height, width
    first = across * side
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
    """The name of several rows or columns, such as "rows 2 and 7"."""
    kind = ("rows", "columns")[tables.direction(houses[0])]
    return f"{kind} {listed([str(house % tables.side + 1) for house in houses], 'and')}"


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


def basic_fish(position: Position, size: int) -> Iterator[Deduction]:
    """Fish without fins: X-wings, swordfish, jellyfish, for `size` 2, 3, 4."""
    for found in fish(position, size, finned=False):
        yield _deduction(position, NAMES[size], found)


def finned_fish(position: Position, size: int, *, sashimi: bool) -> Iterator[Deduction]:
    """Fish with fins, sashimi or not."""
    kind = "sashimi" if sashimi else "finned"
    for found in _all_finned(position, size):
        if found.sashimi == sashimi:
            yield _deduction(position, f"{kind} {NAMES[size]}", found)


def siamese_fish(position: Position, size: int, *, sashimi: bool) -> Iterator[Deduction]:
    """Siamese fish: two finned fish with the same base and different covers and removals."""
    together: dict[tuple[int, tuple[int, ...]], list[Fish]] = {}
    for found in _all_finned(position, size):
        together.setdefault((found.digit, found.base), []).append(found)
    kind = "sashimi" if sashimi else "finned"
    for many in together.values():
        for one, two in combinations(many, 2):
            if sashimi not in (one.sashimi, two.sashimi) or one.gone == two.gone:
                continue
            yield Deduction(
                f"siamese {kind} {NAMES[size]}",
                one.body | one.fins,
                (),
                ((one.digit, one.gone | two.gone),),
                partial(_evidence_siamese, position, one, two),
            )


def _evidence_siamese(position: Position, one: Fish, two: Fish) -> Evidence:
    first, second = _evidence(position, one), _evidence(position, two)
    return first._replace(text=f"{first.text}; and {second.text}")
