"""Uniqueness: deductions from the fact that the puzzle has only one solution.

Suppose four cells in two rows, two columns and two boxes had only the same two candidates (a deadly
rectangle). Swapping the digits would give a second solution, so some other candidate in the four
cells must be true. In an avoidable rectangle some of the four cells are solved; none of them may be
a given, which would prevent the swap. The same argument holds for a whole grid whose unsolved cells
have two candidates each (BUG, bivalue universal grave). These techniques are wrong for puzzles with
several solutions.

In layouts with other houses than boxes, `Geometry.corners` has the rectangles where a swap breaks
no house; the marks, if there are any, must allow both digits in all four cells. A BUG needs no such
conditions: each house has each digit twice, and only candidates are swapped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from itertools import combinations
from typing import NamedTuple

from sudoku.board.layout import symbol
from sudoku.hinting.deduction import Deduction, Evidence, names, symbols
from sudoku.hinting.geometry import bits
from sudoku.hinting.position import Position
from sudoku.hinting.technique import technique

__all__ = [
    "Rectangle",
    "avoidable_rectangles",
    "bug_plus_one",
    "hidden_rectangles",
    "rectangles",
    "unique_rectangles",
]


class Rectangle(NamedTuple):
    """Four unsolved cells that all have one of two digits as candidates: see `Geometry.corners`."""

    digits: int
    cells: tuple[int, int, int, int]
    """Clockwise: adjacent ones share a row or a column."""
    floor: int
    """The cells without other candidates."""
    roof: int
    """The cells with other candidates."""


@lru_cache(maxsize=4)
def rectangles(position: Position) -> list[Rectangle]:
    """All rectangles with a bivalue cell and at least one of its two digits in every cell.

    A rectangle counts even if one of the two digits has been removed from a corner: the argument
    swaps digits of the solution, not candidates.
    """
    found: list[Rectangle] = []
    bivalue, candidates, unsolved = position.bivalue, position.candidates, position.unsolved
    tables = position.tables
    for four, whole in zip(tables.corners, tables.corner_sets, strict=True):
        starts = whole & bivalue
        if not starts or whole & ~unsolved:
            continue
        for digits in {candidates[cell] for cell in bits(starts)}:
            if all(candidates[cell] & digits for cell in four) and tables.can_swap(whole, digits):
                floor = sum(1 << cell for cell in four if not candidates[cell] & ~digits)
                found.append(Rectangle(digits, four, floor, whole & ~floor))
    return found


def _evidence(position: Position, rectangle: Rectangle, why: str) -> Evidence:
    cells = rectangle.floor | rectangle.roof
    text = (
        f"{names(position.tables, cells)} cannot hold only {symbols(rectangle.digits)}, which "
        f"could be swapped{why}"
    )
    others = 0
    for cell in bits(rectangle.roof):
        others |= position.candidates[cell]
    marks = [(digit, cells, "base") for digit in bits(rectangle.digits)]
    marks += [
        (digit, position.planes[digit] & rectangle.roof, "fin")
        for digit in bits(others & ~rectangle.digits)
    ]
    return Evidence(text, (), tuple(marks))


def _deduction(
    position: Position,
    technique: str,
    rectangle: Rectangle,
    removed: list[tuple[int, int]],
    why: str = "",
    more: int = 0,
) -> Deduction:
    together: dict[int, int] = {}
    for digit, cells in removed:
        together[digit] = together.get(digit, 0) | cells
    return Deduction(
        technique,
        rectangle.floor | rectangle.roof | more,
        (),
        tuple((digit, cells) for digit, cells in sorted(together.items()) if cells),
        partial(_evidence, position, rectangle, why),
    )


@technique("unique rectangle 1", "0600", "hard", 100, kind=1)
@technique("unique rectangle 2", "0601", "hard", 100, kind=2)
@technique("unique rectangle 3", "0602", "hard", 100, kind=3)
@technique("unique rectangle 4", "0603", "hard", 100, kind=4)
@technique("unique rectangle 5", "0604", "hard", 100, kind=5)
@technique("unique rectangle 6", "0605", "hard", 100, kind=6)
def unique_rectangles(position: Position, kind: int) -> Iterator[Deduction]:
    """Unique rectangles of type 1 to 6."""
    makers = {1: _type_1, 2: _type_2_5, 3: _type_3, 4: _type_4, 5: _type_2_5, 6: _type_6}
    technique = f"unique rectangle {kind}"
    for rectangle in rectangles(position):
        for deduction in makers[kind](position, rectangle, technique):
            if deduction.removed:
                yield deduction


def _is_confined(position: Position, digit: int, houses: Iterable[int], cells: int) -> bool:
    """Whether each of these houses has places for the digit, all of them among these cells."""
    plane = position.planes[digit]
    places = [plane & position.tables.houses[house] for house in houses]
    return all(where and not where & ~cells for where in places)


def _type_1(position: Position, rectangle: Rectangle, technique: str) -> Iterator[Deduction]:
    """Three cells have no other candidates: the fourth cell holds neither digit."""
    if rectangle.roof.bit_count() == 1:
        removed = [
            (digit, position.planes[digit] & rectangle.roof) for digit in bits(rectangle.digits)
        ]
        yield _deduction(position, technique, rectangle, removed)


def _type_2_5(position: Position, rectangle: Rectangle, technique: str) -> Iterator[Deduction]:
    """Two or three cells have the same one further candidate: one of them holds it."""
    tables, roof = position.tables, rectangle.roof
    extra = 0
    for cell in bits(roof):
        extra |= position.candidates[cell]
    extra &= ~rectangle.digits
    if extra.bit_count() != 1 or roof.bit_count() not in (2, 3):
        return
    digit = extra.bit_length() - 1
    side_by_side = roof.bit_count() == 2 and any(True for _ in tables.common_houses(roof))
    if side_by_side != technique.endswith("2"):
        return
    gone = position.planes[digit] & tables.seen_by_all(roof)
    why = f": {names(tables, roof, 'or')} is {symbol(digit)}"
    yield _deduction(position, technique, rectangle, [(digit, gone)], why)


def _type_3(position: Position, rectangle: Rectangle, technique: str) -> Iterator[Deduction]:
    """The other candidates of two roof cells make a naked subset with cells of a common house."""
    tables, roof = position.tables, rectangle.roof
    if roof.bit_count() != 2:
        return
    extra = 0
    for cell in bits(roof):
        extra |= position.candidates[cell]
    extra &= ~rectangle.digits
    for house in tables.common_houses(roof):
        rest = list(bits(tables.houses[house] & position.unsolved & ~roof))
        for size in range(1, len(rest)):
            if extra.bit_count() > size + 1:
                continue
            usable = [c for c in rest if (position.candidates[c] | extra).bit_count() <= size + 1]
            for chosen in combinations(usable, size):
                digits = extra
                for cell in chosen:
                    digits |= position.candidates[cell]
                if digits.bit_count() != size + 1:
                    continue
                cells = sum(1 << cell for cell in chosen)
                where = tables.houses[house] & ~roof & ~cells
                for other in tables.common_houses(roof | cells):
                    where |= tables.houses[other] & ~roof & ~cells
                removed = [(digit, position.planes[digit] & where) for digit in bits(digits)]
                some = "has one of" if extra & (extra - 1) else "is"
                why = (
                    f": {names(tables, roof, 'or')} {some} {symbols(extra)}, and with "
                    f"{names(tables, cells)} they take up {symbols(digits)} in "
                    f"{tables.house_words[house]}"
                )
                yield _deduction(position, technique, rectangle, removed, why, cells)


def _type_4(position: Position, rectangle: Rectangle, technique: str) -> Iterator[Deduction]:
    """One of the digits must be in one of two roof cells, so the other digit is in neither."""
    tables, roof = position.tables, rectangle.roof
    if roof.bit_count() != 2:
        return
    for house in tables.common_houses(roof):
        for digit in bits(rectangle.digits):
            if not _is_confined(position, digit, (house,), roof):
                continue
            (other,) = bits(rectangle.digits & ~(1 << digit))
            why = f": in {tables.house_words[house]} {names(tables, roof, 'or')} is {symbol(digit)}"
            yield _deduction(
                position, technique, rectangle, [(other, position.planes[other] & roof)], why
            )


def _type_6(position: Position, rectangle: Rectangle, technique: str) -> Iterator[Deduction]:
    """The roof is two opposite cells; a digit has no other places in both rows or both columns."""
    tables, roof = position.tables, rectangle.roof
    if roof.bit_count() != 2 or any(True for _ in tables.common_houses(roof)):
        return
    cells = roof | rectangle.floor
    first, second = bits(roof)
    for digit in bits(rectangle.digits):
        for across in (0, 1):
            lines = (tables.houses_of[first][across], tables.houses_of[second][across])
            if not _is_confined(position, digit, lines, cells):
                continue
            kind = ("rows", "columns")[across]
            why = f": {symbol(digit)} has no other places in their {kind}"
            yield _deduction(
                position, technique, rectangle, [(digit, position.planes[digit] & roof)], why
            )


@technique("hidden rectangle", "0606", "hard", 100)
def hidden_rectangles(position: Position) -> Iterator[Deduction]:
    """A bivalue corner, and a digit without other places in the row and column of the opposite one.

    If the opposite corner held the other digit, all four corners would hold only the two digits.
    """
    tables = position.tables
    for rectangle in rectangles(position):
        cells = rectangle.floor | rectangle.roof
        if rectangle.floor.bit_count() > 2:
            continue
        for at, corner in enumerate(rectangle.cells):
            if not rectangle.floor >> corner & 1:
                continue
            opposite = rectangle.cells[(at + 2) % 4]
            lines = tables.houses_of[opposite][:2]
            for digit in bits(rectangle.digits):
                if not _is_confined(position, digit, lines, cells):
                    continue
                (other,) = bits(rectangle.digits & ~(1 << digit))
                why = (
                    f": {symbol(digit)} has no other places in the row and column of "
                    f"{tables.names[opposite]}"
                )
                removed = [(other, position.planes[other] & 1 << opposite)]
                deduction = _deduction(position, "hidden rectangle", rectangle, removed, why)
                if deduction.removed:
                    yield deduction


@technique("avoidable rectangle 1", "0607", "hard", 100, kind=1)
@technique("avoidable rectangle 2", "0608", "hard", 100, kind=2)
def avoidable_rectangles(position: Position, kind: int) -> Iterator[Deduction]:
    """Avoidable rectangles of type 1 or 2.

    None of the four cells is a given. Type 1: three cells are solved; the fourth must not complete
    the rectangle. Type 2: two adjacent cells are solved; the other two have one more candidate in
    common, which one of them holds.
    """
    given, unsolved, tables = position.given, position.unsolved, position.tables
    for four, whole in zip(tables.corners, tables.corner_sets, strict=True):
        if whole & given:
            continue
        still_open = whole & unsolved
        if still_open.bit_count() != kind:
            continue
        solved = {position.values[cell] for cell in bits(whole & ~still_open)}
        if not tables.can_swap(whole, sum(1 << digit for digit in solved)):
            continue
        if kind == 1:
            yield from _avoidable_1(position, four, still_open.bit_length() - 1)
        else:
            yield from _avoidable_2(position, four)


def _avoidable_1(
    position: Position, four: tuple[int, int, int, int], last: int
) -> Iterator[Deduction]:
    """Type 1: the opposite corner has q, both neighbours p: `last` must not be q."""
    at = four.index(last)
    before, opposite, after = (four[(at + turn) % 4] for turn in (1, 2, 3))
    values = position.values
    if values[before] != values[after] or not position.planes[values[opposite]] >> last & 1:
        return
    digit = values[opposite]
    digits = (values[before], digit)
    evidence = partial(_evidence_avoidable, position, four, digits, 1 << last, "")
    yield Deduction(
        "avoidable rectangle 1", sum(1 << c for c in four), (), ((digit, 1 << last),), evidence
    )


def _avoidable_2(position: Position, four: tuple[int, int, int, int]) -> Iterator[Deduction]:
    """Type 2: adjacent a and b hold p and q; c next to b has p and x, d next to a has q and x."""
    values, candidates, tables = position.values, position.candidates, position.tables
    for at in range(4):
        a, b, c, d = (four[(at + turn) % 4] for turn in range(4))
        if not values[a] or not values[b]:
            continue
        one, two = candidates[c], candidates[d]
        if one.bit_count() != 2 or two.bit_count() != 2:
            continue
        extra = one & two
        if extra.bit_count() != 1 or one != extra | 1 << values[a] or two != extra | 1 << values[b]:
            continue
        digit = extra.bit_length() - 1
        open_cells = 1 << c | 1 << d
        if gone := position.planes[digit] & tables.seen_by_all(open_cells):
            why = f": {names(tables, open_cells, 'or')} is {symbol(digit)}"
            digits = (values[a], values[b])
            evidence = partial(_evidence_avoidable, position, four, digits, open_cells, why)
            cells = sum(1 << cell for cell in four)
            yield Deduction("avoidable rectangle 2", cells, (), ((digit, gone),), evidence)


def _evidence_avoidable(
    position: Position,
    four: tuple[int, int, int, int],
    digits: tuple[int, int],
    open_cells: int,
    why: str,
) -> Evidence:
    cells = sum(1 << cell for cell in four)
    one, two = map(symbol, digits)
    text = (
        f"{names(position.tables, cells)}, none of them given, cannot hold only {one} and "
        f"{two}, which could be swapped{why}"
    )
    marks = []
    for cell in bits(open_cells):
        marks += [(digit, 1 << cell, "base") for digit in bits(position.candidates[cell])]
    return Evidence(text, (), tuple(marks))


@technique("BUG+1", "0610", "hard", 100)
def bug_plus_one(position: Position) -> Iterator[Deduction]:
    """BUG+1: one candidate more than a bivalue universal grave.

    Without it all unsolved cells would have two candidates, and each digit two places in each house
    or none. Then the puzzle would have two solutions or none, so this candidate is true. That does
    not hold if there are rules besides marks.
    """
    if not position.tables.is_plain:
        return
    odd = position.unsolved & ~position.bivalue
    if not odd or odd & (odd - 1):
        return
    cell = odd.bit_length() - 1
    tables = position.tables
    if position.counts[cell] != 3:
        return
    for digit in bits(position.candidates[cell]):
        if not _is_deadly(position, digit, odd):
            continue
        removed = tuple((d, odd) for d in bits(position.candidates[cell]) if d != digit)

        def evidence(digit: int = digit) -> Evidence:
            return Evidence(
                f"without {symbol(digit)} in {tables.names[cell]} every open cell would have two "
                "candidates and every digit two places in every house, and the puzzle two "
                "solutions or none",
                (),
                ((digit, odd, "fin"),),
            )

        yield Deduction("BUG+1", odd, (), removed, evidence)


def _is_deadly(position: Position, digit: int, cell: int) -> bool:
    """Whether every digit has two places or none in every house, without this candidate."""
    for d in position.tables.digits:
        plane = position.planes[d]
        if d == digit:
            plane &= ~cell
        for house in position.tables.houses:
            if (plane & house).bit_count() not in (0, 2):
                return False
    return True
