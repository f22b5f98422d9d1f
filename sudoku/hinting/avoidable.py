"""Avoidable rectangles: unique rectangles of which some cells are solved, but not given.

If all four cells came down to two digits, these could be swapped, and the puzzle would have two
solutions. A given in one of the cells would prevent the swap, so none of the four may be a given.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from sudoku.board.layout import symbol
from sudoku.hinting.deduction import Deduction, Evidence, names
from sudoku.hinting.geometry import bits
from sudoku.hinting.position import Position

__all__ = ["avoidable_rectangles"]


def avoidable_rectangles(position: Position, kind: int) -> Iterator[Deduction]:
    """Avoidable rectangles of type 1 or 2.

    Type 1: three cells are solved; the fourth must not complete the rectangle. Type 2: two adjacent
    cells are solved; the other two have one more candidate in common, which one of them holds.
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
            yield from _one_open(position, four, still_open.bit_length() - 1)
        else:
            yield from _two_open(position, four)


def _one_open(
    position: Position, four: tuple[int, int, int, int], last: int
) -> Iterator[Deduction]:
    at = four.index(last)
    before, opposite, after = (four[(at + turn) % 4] for turn in (1, 2, 3))
    values = position.values
    if values[before] != values[after] or not position.planes[values[opposite]] >> last & 1:
        return
    digit = values[opposite]
    evidence = partial(_evidence, position, four, values[before], digit, 1 << last, "")
    yield Deduction(
        "avoidable rectangle 1", sum(1 << c for c in four), (), ((digit, 1 << last),), evidence
    )


def _two_open(position: Position, four: tuple[int, int, int, int]) -> Iterator[Deduction]:
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
            evidence = partial(_evidence, position, four, values[a], values[b], open_cells, why)
            cells = sum(1 << cell for cell in four)
            yield Deduction("avoidable rectangle 2", cells, (), ((digit, gone),), evidence)


def _evidence(
    position: Position,
    four: tuple[int, int, int, int],
    one: int,
    two: int,
    open_cells: int,
    why: str,
) -> Evidence:
    cells = sum(1 << cell for cell in four)
    text = (
        f"{names(position.tables, cells)}, none of them given, must not hold {symbol(one)} and "
        f"{symbol(two)} alone, which could be swapped{why}"
    )
    marks = []
    for cell in bits(open_cells):
        marks += [(digit, 1 << cell, "base") for digit in bits(position.candidates[cell])]
    return Evidence(text, (), tuple(marks))
