"""Sue de Coq: a subset in three parts, where a box and a line cross.

The parts are two or more cells of the crossing with at least two more digits than cells, cells of
the rest of the line, and cells of the rest of the box; the last two parts have no digit in common.
If all three together have as many digits as cells, each digit is used once, in a known part. It is
removed from the other cells that see that part.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations

from sudoku.hinting.deduction import Deduction, Evidence, names, symbols
from sudoku.hinting.geometry import Crossing, bits
from sudoku.hinting.position import Position
from sudoku.hinting.technique import technique

__all__ = ["sue_de_coqs"]


@technique("sue de coq", "1101", "extreme", 330, use="rare")
def sue_de_coqs(position: Position) -> Iterator[Deduction]:
    """All Sue de Coqs of a position."""
    for crossing in position.tables.crossings:
        cells = list(bits(crossing.both & position.unsolved))
        for size in range(2, len(cells) + 1):
            for chosen in combinations(cells, size):
                inner = sum(1 << cell for cell in chosen)
                digits = _union(position, inner)
                if digits.bit_count() >= size + 2:
                    yield from _with_inner(position, crossing, inner, digits)


def _union(position: Position, cells: int) -> int:
    """The digits that are candidates of any of the cells."""
    found = 0
    for cell in bits(cells):
        found |= position.candidates[cell]
    return found


def _parts(position: Position, where: int, digits: int) -> list[tuple[int, int]]:
    """The sets of cells in `where` that may be a part, as (cells, digits).

    A part of n cells has more than n candidates, and fewer than n of them are not in `digits`, the
    digits of the crossing.
    """
    found = []
    cells = [cell for cell in bits(where & position.unsolved) if position.candidates[cell] & digits]
    for size in range(1, len(cells) + 1):
        for chosen in combinations(cells, size):
            mask = sum(1 << cell for cell in chosen)
            union = _union(position, mask)
            if union.bit_count() > size and (union & ~digits).bit_count() < size:
                found.append((mask, union))
    return found


def _with_inner(
    position: Position, crossing: Crossing, inner: int, digits: int
) -> Iterator[Deduction]:
    """The Sue de Coqs whose cells in the crossing are `inner`, with these candidates."""
    tables, planes = position.tables, position.planes
    box, line = tables.houses[crossing.box], tables.houses[crossing.line]
    on_line = _parts(position, crossing.line_rest, digits)
    in_box = _parts(position, crossing.box_rest, digits)
    for line_cells, line_digits in on_line:
        for box_cells, box_digits in in_box:
            if line_digits & box_digits:
                continue
            union = digits | line_digits | box_digits
            cells = inner | line_cells | box_cells
            if cells.bit_count() != union.bit_count():
                continue
            removed = []
            for digit in bits(union):
                bit = 1 << digit
                if line_digits & bit:
                    where = line
                elif box_digits & bit:
                    where = box
                else:
                    where = _seen(position, digit, inner)
                if gone := planes[digit] & where & ~cells:
                    removed.append((digit, gone))
            if removed:
                evidence = partial(
                    _evidence, position, inner, (line_cells, line_digits), (box_cells, box_digits)
                )
                yield Deduction("sue de coq", cells, (), tuple(removed), evidence)


def _seen(position: Position, digit: int, inner: int) -> int:
    """The cells that see all places of a digit in `inner`, the cells of the crossing."""
    return position.tables.seen_by_all(position.planes[digit] & inner)


def _evidence(
    position: Position, inner: int, on_line: tuple[int, int], in_box: tuple[int, int]
) -> Evidence:
    tables = position.tables
    digits = _union(position, inner)
    whole = digits | on_line[1] | in_box[1]
    text = (
        f"{names(tables, inner)} with {names(tables, on_line[0])} and {names(tables, in_box[0])} "
        f"have as many digits as cells: {symbols(whole)}, each of them once"
    )
    marks = tuple(
        (digit, position.planes[digit] & cells, role)
        for cells, role in ((inner, "base"), (on_line[0], "a"), (in_box[0], "b"))
        for digit in bits(_union(position, cells))
    )
    return Evidence(text, (), marks)
