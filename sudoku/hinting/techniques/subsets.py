"""Subsets: n cells of a house that take n digits.

Naked: n cells with only n candidates; these digits are removed from the rest of the house. Hidden:
n digits with only n places in a house; the other digits are removed from these cells. Locked: a
naked pair or triple that lies in two houses, such as a box and a row; its digits are removed from
the rest of both.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations

from sudoku.hinting.deduction import Deduction, Evidence, Removed, names, symbols
from sudoku.hinting.geometry import bits
from sudoku.hinting.position import Position
from sudoku.hinting.technique import technique

__all__ = ["hidden_subsets", "locked_subsets", "naked_subsets"]

NUMBERS = {2: "pair", 3: "triple", 4: "quad"}


def _gone(position: Position, digits: int, where: int) -> Removed:
    """The candidates of these digits in these cells, as (digit, cells)."""
    planes = position.planes
    return tuple((digit, cells) for digit in bits(digits) if (cells := planes[digit] & where))


def _evidence_naked(position: Position, house: int, cells: int, digits: int) -> Evidence:
    tables, few = position.tables, cells.bit_count()
    return Evidence(
        f"{names(tables, cells)} have only {symbols(digits)} in {tables.house_words[house]}"
        if few > 1
        else "",
        (house,),
        tuple((digit, cells & position.planes[digit], "base") for digit in bits(digits)),
    )


@technique("naked pair", "0200", "medium", 60, size=2)
@technique("naked triple", "0201", "medium", 80, size=3)
@technique("naked quad", "0202", "hard", 120, size=4)
def naked_subsets(position: Position, size: int) -> Iterator[Deduction]:
    """Naked subsets: `size` cells of a house with `size` candidates."""
    tables = position.tables
    technique = f"naked {NUMBERS[size]}"
    for house, mask in enumerate(tables.houses):
        for members, digits in position.subsets(house, size):
            cells = sum(1 << cell for cell in members)
            gone = _gone(position, digits, mask & ~cells)
            if gone:
                evidence = partial(_evidence_naked, position, house, cells, digits)
                yield Deduction(technique, cells, (), gone, evidence)


@technique("locked pair", "0110", "medium", 40, size=2)
@technique("locked triple", "0111", "medium", 50, size=3)
def locked_subsets(position: Position, size: int) -> Iterator[Deduction]:
    """Locked subsets: naked ones in a box (any area) and another house, with removals in both."""
    tables = position.tables
    technique = f"locked {NUMBERS[size]}"
    for house in tables.areas:
        for members, digits in position.subsets(house, size):
            cells = sum(1 << cell for cell in members)
            for line in tables.common_houses(cells):
                if line >= house:
                    continue
                in_box = _gone(position, digits, tables.houses[house] & ~cells)
                on_line = _gone(position, digits, tables.houses[line] & ~cells)
                if not in_box or not on_line:
                    continue
                where = (tables.houses[house] | tables.houses[line]) & ~cells
                evidence = partial(_evidence_locked, position, (house, line), cells, digits)
                yield Deduction(technique, cells, (), _gone(position, digits, where), evidence)


def _evidence_locked(
    position: Position, houses: tuple[int, int], cells: int, digits: int
) -> Evidence:
    tables = position.tables
    box, line = (tables.house_words[house] for house in houses)
    evidence = _evidence_naked(position, houses[0], cells, digits)
    text = f"{names(tables, cells)} have only {symbols(digits)}, in {box} and in {line}"
    return evidence._replace(text=text, houses=houses)


@technique("hidden pair", "0210", "medium", 70, size=2)
@technique("hidden triple", "0211", "medium", 100, size=3)
@technique("hidden quad", "0212", "hard", 150, size=4)
def hidden_subsets(position: Position, size: int) -> Iterator[Deduction]:
    """Hidden subsets: `size` digits with `size` places in a house."""
    tables, planes = position.tables, position.planes
    technique = f"hidden {NUMBERS[size]}"
    for house, mask in enumerate(tables.houses):
        members = [
            (digit, places)
            for digit in tables.digits
            if (places := planes[digit] & mask) and 2 <= places.bit_count() <= size
        ]
        if len(members) < size:
            continue
        for chosen in combinations(members, size):
            cells = 0
            for _, places in chosen:
                cells |= places
            if cells.bit_count() != size:
                continue
            digits = sum(1 << digit for digit, _ in chosen)
            every = sum(1 << digit for digit in tables.digits)
            gone = _gone(position, every & ~digits, cells)
            if gone:
                evidence = partial(_evidence_hidden, position, house, cells, digits)
                yield Deduction(technique, cells, (), gone, evidence)


def _evidence_hidden(position: Position, house: int, cells: int, digits: int) -> Evidence:
    tables = position.tables
    return Evidence(
        f"{symbols(digits)} have only {names(tables, cells)} in {tables.house_words[house]}",
        (house,),
        tuple((digit, cells & position.planes[digit], "base") for digit in bits(digits)),
    )
