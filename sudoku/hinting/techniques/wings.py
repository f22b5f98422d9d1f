"""Wings: three or four cells; some of these cells (the ends) must hold a digit z.

The candidates of z that see all ends are removed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations

from sudoku.board.layout import symbol
from sudoku.hinting.deduction import Deduction, Evidence, names, symbols
from sudoku.hinting.geometry import bits
from sudoku.hinting.position import Position
from sudoku.hinting.technique import technique

__all__ = ["w_wings", "xy_wings", "xyz_wings"]


@technique("XY-wing", "0800", "hard", 160)
def xy_wings(position: Position) -> Iterator[Deduction]:
    """XY-wing: a pivot xy sees cells xz and yz, and one of these two is z."""
    return _pivoted(position, "XY-wing", position.bivalue)


@technique("XYZ-wing", "0801", "hard", 180)
def xyz_wings(position: Position) -> Iterator[Deduction]:
    """XYZ-wing: a pivot xyz sees cells xz and yz, and one of the three is z."""
    counts = position.counts
    pivots = sum(1 << cell for cell in bits(position.unsolved) if counts[cell] == 3)
    return _pivoted(position, "XYZ-wing", pivots)


def _pivoted(position: Position, technique: str, pivots: int) -> Iterator[Deduction]:
    """XY-wings if the pivots have two candidates, XYZ-wings if they have three."""
    tables, candidates = position.tables, position.candidates
    for pivot in bits(pivots):
        digits = candidates[pivot]
        whole = digits.bit_count()
        near = [
            cell
            for cell in bits(tables.peers[pivot] & position.bivalue)
            if candidates[cell] != digits and candidates[cell] & digits
        ]
        for one, two in combinations(near, 2):
            common = candidates[one] & candidates[two]
            if common.bit_count() != 1 or (candidates[one] | candidates[two]).bit_count() != 3:
                continue
            if (digits | common) != candidates[one] | candidates[two] or (
                (digits & common) != (common if whole == 3 else 0)
            ):
                continue
            digit = common.bit_length() - 1
            where = tables.peers[one] & tables.peers[two]
            if whole == 3:
                where &= tables.peers[pivot]
            if gone := position.planes[digit] & where:
                cells = 1 << pivot | 1 << one | 1 << two
                evidence = partial(_evidence_pivot, position, pivot, one, two, digit)
                yield Deduction(technique, cells, (), ((digit, gone),), evidence)


def _evidence_pivot(position: Position, pivot: int, one: int, two: int, digit: int) -> Evidence:
    tables, candidates = position.tables, position.candidates
    pincers = 1 << one | 1 << two
    ends = pincers | (1 << pivot if candidates[pivot] >> digit & 1 else 0)
    text = (
        f"{tables.names[pivot]} is {symbols(candidates[pivot], 'or')}: in each case "
        f"{names(tables, ends, 'or')} is {symbol(digit)}"
    )
    marks = tuple(
        (d, 1 << cell, "on" if d == digit else "base")
        for cell in (pivot, one, two)
        for d in bits(candidates[cell])
    )
    links = tuple(
        ((d, 1 << pivot), (d, 1 << cell), False)
        for cell in (one, two)
        for d in bits(candidates[pivot] & candidates[cell])
        if d != digit
    )
    return Evidence(text, (), marks, links)


@technique("W-wing", "0803", "hard", 150)
def w_wings(position: Position) -> Iterator[Deduction]:
    """W-wing: two cells xz see one end each of a conjugate pair of x, and one of the two is z."""
    tables, candidates = position.tables, position.candidates
    groups: dict[int, list[int]] = {}
    for cell in bits(position.bivalue):
        groups.setdefault(candidates[cell], []).append(cell)
    for digits, cells in groups.items():
        for one, two in combinations(cells, 2):
            both = tables.peers[one] & tables.peers[two]
            for digit in bits(digits):
                if gone := position.planes[digit] & both:
                    (bridge,) = bits(digits & ~(1 << digit))
                    yield from _bridged(position, one, two, bridge, digit, gone)


def _bridged(
    position: Position, one: int, two: int, bridge: int, digit: int, gone: int
) -> Iterator[Deduction]:
    """The W-wing of two cells with the first conjugate pair of `bridge` that links them."""
    peers = position.tables.peers
    wings = 1 << one | 1 << two
    for pair in position.pairs[bridge]:
        ends = 1 << pair.first | 1 << pair.second
        if ends & wings:
            continue
        for near, far in ((pair.first, pair.second), (pair.second, pair.first)):
            if peers[one] >> near & 1 and peers[two] >> far & 1:
                key = (one, near, far, two)
                evidence = partial(_evidence_w, position, key, bridge, digit, pair.house)
                yield Deduction("W-wing", wings | ends, (), ((digit, gone),), evidence)
                return


def _evidence_w(
    position: Position, key: tuple[int, int, int, int], bridge: int, digit: int, house: int
) -> Evidence:
    tables = position.tables
    one, near, far, two = (1 << cell for cell in key)
    text = (
        f"{names(tables, one | two)} have only {symbols(1 << bridge | 1 << digit)}, and in "
        f"{tables.house_words[house]} {names(tables, near | far, 'or')} is {symbol(bridge)}: "
        f"{names(tables, one | two, 'or')} is {symbol(digit)}"
    )
    marks = (
        (digit, one | two, "on"),
        (bridge, one | two, "off"),
        (bridge, near | far, "base"),
    )
    links = (
        ((digit, one), (bridge, one), True),
        ((bridge, one), (bridge, near), False),
        ((bridge, near), (bridge, far), True),
        ((bridge, far), (bridge, two), False),
        ((bridge, two), (digit, two), True),
    )
    return Evidence(text, (house,), marks, links)
