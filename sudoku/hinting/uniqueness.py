"""Uniqueness: the puzzle has one solution, so it never comes down to two digits in a rectangle.

Four cells in two rows, two columns and two boxes that could all hold the same two digits could be
filled in two ways; so something must save the rectangle from that. The same for a whole grid
whose open cells have two candidates each (BUG). None of this may be used on a puzzle that may have
several solutions. Where there are other houses than boxes, `Geometry.corners` has the rectangles
that a swap leaves right in every house; and what is swapped must be allowed by marks, if there are
any. In a BUG each house holds each digit twice, so it takes no more care: all that is swapped are
candidates.
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

__all__ = [
    "Rectangle",
    "bug_plus_one",
    "hidden_rectangles",
    "rectangles",
    "unique_rectangles",
]


class Rectangle(NamedTuple):
    """Four unsolved cells that may come down to two digits: one of `Geometry.corners`."""

    digits: int
    cells: tuple[int, int, int, int]
    """Clockwise: neighbours share a row or a column."""
    floor: int
    """The cells with no other candidates."""
    roof: int
    """The cells with others."""


@lru_cache(maxsize=4)
def rectangles(position: Position) -> list[Rectangle]:
    """All of them that have a bivalue cell or more, and something in every cell.

    That one of the two digits has been removed from a corner already does no harm: what could be
    swapped is the solution, not the candidates.
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
        f"{names(position.tables, cells)} must not come down to {symbols(rectangle.digits)}, "
        f"which could be swapped{why}"
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


def unique_rectangles(position: Position, kind: int) -> Iterator[Deduction]:
    """Unique rectangles of type 1 to 6."""
    makers = {1: _type_1, 2: _type_2_5, 3: _type_3, 4: _type_4, 5: _type_2_5, 6: _type_6}
    technique = f"unique rectangle {kind}"
    for rectangle in rectangles(position):
        for deduction in makers[kind](position, rectangle, technique):
            if deduction.removed:
                yield deduction


def _is_confined(position: Position, digit: int, houses: Iterable[int], cells: int) -> bool:
    """Whether the digit is still to be placed in all these houses, and only in these cells."""
    plane = position.planes[digit]
    places = [plane & position.tables.houses[house] for house in houses]
    return all(where and not where & ~cells for where in places)


def _type_1(position: Position, rectangle: Rectangle, technique: str) -> Iterator[Deduction]:
    """Three cells have nothing else: the fourth is neither."""
    if rectangle.roof.bit_count() == 1:
        removed = [
            (digit, position.planes[digit] & rectangle.roof) for digit in bits(rectangle.digits)
        ]
        yield _deduction(position, technique, rectangle, removed)


def _type_2_5(position: Position, rectangle: Rectangle, technique: str) -> Iterator[Deduction]:
    """Two or three cells have the same third candidate: one of them holds it."""
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
    """The others of the two roof cells make a naked subset with cells of a common house."""
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
    """One of the digits must be in a roof cell, so the other is in neither."""
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
    """The roof is a diagonal, and one of the digits has no other places in both rows or columns."""
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


def hidden_rectangles(position: Position) -> Iterator[Deduction]:
    """A bivalue corner, and a digit that has no other places in the lines of the opposite one.

    Were the other digit in the opposite corner, that digit would be forced all around.
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


def bug_plus_one(position: Position) -> Iterator[Deduction]:
    """All open cells have two candidates, each of them twice a house, but for one third candidate.

    That one is true: without it the grid could be filled in two ways, or in none.
    """
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
    """Whether without the digit in the cell all digits have two places or none in all houses."""
    for d in position.tables.digits:
        plane = position.planes[d]
        if d == digit:
            plane &= ~cell
        for house in position.tables.houses:
            if (plane & house).bit_count() not in (0, 2):
                return False
    return True
