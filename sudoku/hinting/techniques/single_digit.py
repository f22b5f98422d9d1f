"""Patterns of one digit: skyscraper, two-string kite, turbot fish, empty rectangle.

All but the empty rectangle consist of two conjugate pairs (the only two places in a house). One end
of the first pair sees one end of the second, so these two are not both true, and at least one of
the two other ends is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations
from typing import NamedTuple

from sudoku.board.layout import symbol
from sudoku.hinting.deduction import Deduction, Evidence, names
from sudoku.hinting.position import Pair, Position
from sudoku.hinting.technique import technique

__all__ = [
    "dual_empty_rectangles",
    "dual_kites",
    "empty_rectangles",
    "kites",
    "skyscrapers",
    "turbot_fish",
]

Fits = Callable[[Position, Pair, Pair, int, int], bool]


def _joined(position: Position, technique: str, fits: Fits) -> Iterator[Deduction]:
    """Removals by two conjugate pairs, of which one end of each sees one end of the other.

    The candidates that see both other ends are removed.
    """
    peers = position.tables.peers
    for digit in position.tables.digits:
        plane = position.planes[digit]
        seen: set[tuple[int, int, int, int]] = set()
        for one, two in combinations(position.pairs[digit], 2):
            ends = 1 << one.first | 1 << one.second | 1 << two.first | 1 << two.second
            if ends.bit_count() != 4:
                continue
            for near, far in ((one.first, one.second), (one.second, one.first)):
                for close, end in ((two.first, two.second), (two.second, two.first)):
                    if not peers[near] >> close & 1:
                        continue
                    gone = plane & peers[far] & peers[end] & ~ends
                    if not gone or not fits(position, one, two, near, close):
                        continue
                    key = (far, near, close, end)
                    if key in seen or key[::-1] in seen:
                        continue
                    seen.add(key)
                    evidence = partial(_evidence, position, digit, one, two, key)
                    yield Deduction(technique, ends, (), ((digit, gone),), evidence)


def _evidence(
    position: Position, digit: int, one: Pair, two: Pair, key: tuple[int, int, int, int]
) -> Evidence:
    tables = position.tables
    far, near, close, end = (1 << cell for cell in key)
    houses = tables.house_words
    text = (
        f"{symbol(digit)} has only two places in {houses[one.house]} and in {houses[two.house]}, "
        f"and {names(tables, near)} sees {names(tables, close)}: "
        f"{names(tables, far | end, 'or')} is {symbol(digit)}"
    )
    links = (
        ((digit, far), (digit, near), True),
        ((digit, near), (digit, close), False),
        ((digit, close), (digit, end), True),
    )
    marks = ((digit, far | close, "on"), (digit, near | end, "off"))
    return Evidence(text, (one.house, two.house), marks, links)


def _directions(position: Position, one: Pair, two: Pair) -> tuple[int, int]:
    direction = position.tables.direction
    return direction(one.house), direction(two.house)


def _common(position: Position, near: int, close: int) -> set[int]:
    """The directions (see `Geometry.direction`) of the houses that contain both cells."""
    tables = position.tables
    return {tables.direction(house) for house in tables.common_houses(1 << near | 1 << close)}


def _is_skyscraper(position: Position, one: Pair, two: Pair, near: int, close: int) -> bool:
    first, second = _directions(position, one, two)
    return first == second < 2 and 1 - first in _common(position, near, close)


def _is_kite(position: Position, one: Pair, two: Pair, near: int, close: int) -> bool:
    return {*_directions(position, one, two)} == {0, 1} and 2 in _common(position, near, close)


def _is_turbot(position: Position, one: Pair, two: Pair, near: int, close: int) -> bool:
    return not _is_skyscraper(position, one, two, near, close) and not _is_kite(
        position, one, two, near, close
    )


@technique("skyscraper", "0400", "hard", 130)
def skyscrapers(position: Position) -> Iterator[Deduction]:
    """Two rows with two places each, two of these in one column; or columns and a row."""
    return _joined(position, "skyscraper", _is_skyscraper)


@technique("two-string kite", "0401", "hard", 140)
def kites(position: Position) -> Iterator[Deduction]:
    """A row and a column with two places each, two of these in one box (any area)."""
    return _joined(position, "two-string kite", _is_kite)


@technique("turbot fish", "0403", "hard", 140)
def turbot_fish(position: Position) -> Iterator[Deduction]:
    """All other pairs of conjugate pairs with ends that see each other."""
    return _joined(position, "turbot fish", _is_turbot)


@technique("dual two-string kite", "0404", "hard", 150, use="variant")
def dual_kites(position: Position) -> Iterator[Deduction]:
    """Two two-string kites, of one digit or two, joined in the same two cells of a box."""
    tables = position.tables
    boxes = [tables.houses[area] for area in tables.areas]
    joined: dict[tuple[int, int], list[Deduction]] = {}
    for kite in kites(position):
        for near in {near for box in boxes if (near := kite.cells & box) & (near - 1)}:
            joined.setdefault((0, near), []).append(kite)
    yield from _dual(joined, "dual two-string kite")


def _dual(joined: dict[tuple[int, int], list[Deduction]], technique: str) -> Iterator[Deduction]:
    """Each two deductions with the same key and different removals, as one deduction."""
    for many in joined.values():
        for one, two in combinations(many, 2):
            if one.removed != two.removed:
                gone = dict(one.removed)
                for digit, cells in two.removed:
                    gone[digit] = gone.get(digit, 0) | cells
                evidence = partial(_evidence_dual, one, two)
                yield Deduction(technique, one.cells | two.cells, (), tuple(gone.items()), evidence)


def _evidence_dual(one: Deduction, two: Deduction) -> Evidence:
    first, second = one.evidence(), two.evidence()
    return Evidence(
        f"{first.text}; and {second.text}",
        first.houses + second.houses,
        first.marks + second.marks,
        first.links + second.links,
    )


class EmptyRectangle(NamedTuple):
    """A box whose places for a digit lie on a row and a column, and a conjugate pair."""

    digit: int
    box: int
    """The index of the box (any area) among the houses."""
    inside: int
    """The places in the box, as a set of cells."""
    pair: Pair
    """A conjugate pair of the digit, outside the box."""
    arm: int
    """The index of the row or column that one end of the pair lies on."""
    other: int
    """The index of the other of the row and the column."""


@technique("empty rectangle", "0402", "hard", 140)
def empty_rectangles(position: Position) -> Iterator[Deduction]:
    """A box (any area) whose places lie on one row and one column, and a conjugate pair.

    The near end of the pair lies on that row (or column). If it is false, the far end is true; if
    it is true, the place in the box is on the column (or row). So candidates on the column that see
    the far end are false.
    """
    tables = position.tables
    for digit in tables.digits:
        plane = position.planes[digit]
        for box in tables.areas:
            inside = plane & tables.houses[box]
            if not inside & (inside - 1):
                continue
            for row, column in _crosses(position, box, inside):
                for pair in position.pairs[digit]:
                    ends = 1 << pair.first | 1 << pair.second
                    if ends & tables.houses[box]:
                        continue
                    for arm, other in ((row, column), (column, row)):
                        found = EmptyRectangle(digit, box, inside, pair, arm, other)
                        yield from _empty_rectangle(position, found)


def _crosses(position: Position, box: int, inside: int) -> Iterator[tuple[int, int]]:
    """Each row and column that together, but not alone, contain all places in the box."""
    tables = position.tables
    near = [house for house in tables.lines if tables.houses[house] & tables.houses[box]]
    rows = [house for house in near if tables.direction(house) == 0]
    columns = [house for house in near if tables.direction(house) == 1]
    for row in rows:
        for column in columns:
            on_row, on_column = inside & tables.houses[row], inside & tables.houses[column]
            if inside == on_row | on_column and on_row != inside and on_column != inside:
                yield row, column


def _empty_rectangle(position: Position, found: EmptyRectangle) -> Iterator[Deduction]:
    """The removals of an empty rectangle whose pair has exactly one end on `arm`."""
    digit, box, inside, pair, arm, other = found
    tables, plane = position.tables, position.planes[digit]
    arm_cells, other_cells = tables.houses[arm], tables.houses[other]
    for near, far in ((pair.first, pair.second), (pair.second, pair.first)):
        if not arm_cells >> near & 1 or arm_cells >> far & 1:
            continue
        gone = plane & tables.peers[far] & other_cells & ~tables.houses[box]
        gone &= ~(1 << near | 1 << far)
        if gone:
            evidence = partial(_evidence_empty, position, found)
            cells = inside | 1 << near | 1 << far
            yield Deduction("empty rectangle", cells, (), ((digit, gone),), evidence)


def _evidence_empty(position: Position, found: EmptyRectangle) -> Evidence:
    digit, box, inside, pair, arm, other = found
    tables = position.tables
    houses = tables.house_words
    what = symbol(digit)
    ends = 1 << pair.first | 1 << pair.second
    near = ends & tables.houses[arm]
    text = (
        f"the places for {what} in {houses[box]} are on {houses[arm]} and {houses[other]}, and in "
        f"{houses[pair.house]} only {names(tables, ends, 'or')} can be {what}: if "
        f"{names(tables, near)} is, {houses[box]} has its {what} on {houses[other]}"
    )
    links = (
        ((digit, inside & tables.houses[other]), (digit, inside & tables.houses[arm]), True),
        ((digit, inside & tables.houses[arm]), (digit, near), False),
        ((digit, near), (digit, ends & ~near), True),
    )
    marks = ((digit, inside, "base"), (digit, ends & ~near, "on"), (digit, near, "off"))
    return Evidence(text, (box, pair.house), marks, links)


@technique("dual empty rectangle", "0405", "hard", 150, use="variant")
def dual_empty_rectangles(position: Position) -> Iterator[Deduction]:
    """Two empty rectangles of one box and digit, with different pairs."""
    tables = position.tables
    boxes = [tables.houses[area] for area in tables.areas]
    joined: dict[tuple[int, int], list[Deduction]] = {}
    for found in empty_rectangles(position):
        digit = found.removed[0][0]
        for box in boxes:
            if not position.planes[digit] & box & ~found.cells and found.cells & box:
                joined.setdefault((digit, found.cells & box), []).append(found)
    yield from _dual(joined, "dual empty rectangle")
