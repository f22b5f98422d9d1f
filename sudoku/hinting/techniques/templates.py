"""Templates: the ways to place a digit once in every house of the grid.

A place that is in no template of its digit is removed. A cell that is in every template of a digit
holds the digit; the templates of other digits that use this cell are dropped.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from sudoku.board.layout import symbol
from sudoku.hinting.deduction import Deduction, Evidence, names
from sudoku.hinting.geometry import bits
from sudoku.hinting.position import Position
from sudoku.hinting.technique import technique

__all__ = ["template_deletes", "template_sets"]


def _possible_places(position: Position) -> list[int]:
    """For each digit the unsolved cells that are in a template that no other digit excludes."""
    planes = list(position.planes)
    while True:
        before = list(planes)
        for digit in position.tables.digits:
            if not planes[digit]:
                continue
            planes[digit] &= _in_some_template(position, digit, planes[digit])
            taken = _in_every_template(position, planes[digit])
            for other in position.tables.digits:
                if other != digit:
                    planes[other] &= ~taken
        if planes == before:
            return planes


def _in_every_template(position: Position, plane: int) -> int:
    """The only places of their row: the cells that are in every template."""
    rows = (plane & row for row in position.tables.rows)
    return sum(here for here in rows if not here & (here - 1))


def _in_some_template(position: Position, digit: int, plane: int) -> int:
    """The cells that are in some template of a digit, by dynamic programming over the rows.

    A state is a row, and the houses that have the digit already and go on in this row.
    """
    tables = position.tables
    side = tables.side
    placed = sum(1 << cell for cell, value in enumerate(position.values) if value == digit)
    rows = [
        [
            (1 << cell, sum(1 << house for house in tables.houses_of[cell][1:]))
            for cell in bits(row & placed or row & plane)
        ]
        for row in tables.rows
    ]
    ended = [0] * (side + 1)
    for house in range(side, len(tables.houses)):
        last = (tables.houses[house].bit_length() - 1) // side
        ended[last + 1] |= 1 << house
    known: dict[tuple[int, int], int | None] = {}

    def complete(row: int, used: int) -> int | None:
        """The cells of all templates from this row on; None if there is none."""
        if ended[row] & ~used:
            return None
        if row == side:
            return 0
        used &= ~ended[row]
        if (row, used) in known:
            return known[row, used]
        found: int | None = None
        for cell, taken in rows[row]:
            if not used & taken and (below := complete(row + 1, used | taken)) is not None:
                found = (found or 0) | cell | below
        known[row, used] = found
        return found

    return complete(0, 0) or 0


def _evidence(digit: int, where: int, words: str) -> Evidence:
    text = f"{symbol(digit)} can be placed in the whole grid only in ways {words}"
    return Evidence(text, (), ((digit, where, "base"),))


@technique("template delete", "1202", "extreme", 450, use="rare")
def template_deletes(position: Position) -> Iterator[Deduction]:
    """Template deletes: for each digit the places that are in no template."""
    if not position.tables.is_one_square:
        return
    possible = _possible_places(position)
    for digit in position.tables.digits:
        plane, left = position.planes[digit], possible[digit]
        if gone := plane & ~left:
            evidence = partial(_evidence, digit, left, "that leave these cells out")
            yield Deduction("template delete", plane, (), ((digit, gone),), evidence)


@technique("template set", "1201", "extreme", 450, use="rare")
def template_sets(position: Position) -> Iterator[Deduction]:
    """Template sets: for each digit the cells that are in every template."""
    if not position.tables.is_one_square:
        return
    possible = _possible_places(position)
    for digit in position.tables.digits:
        if cells := _in_every_template(position, possible[digit]):
            where = names(position.tables, cells)
            evidence = partial(_evidence, digit, cells, f"that have it in {where}")
            placed = tuple((cell, digit) for cell in bits(cells))
            yield Deduction("template set", cells, placed, (), evidence)
