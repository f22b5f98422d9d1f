"""Coloring: the conjugate pairs of a digit, drawn in two colors.

In a connected web of pairs either all cells of one color hold the digit, or all of the other.
Remote pairs are the same with cells that all have the same two candidates.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import permutations

from sudoku.board.layout import symbol
from sudoku.hinting.deduction import Find, Told, names, symbols
from sudoku.hinting.geometry import bits
from sudoku.hinting.position import Position

__all__ = ["multi_colors", "remote_pairs", "simple_color_traps", "simple_color_wraps"]

Colors = tuple[int, int]
Sight = dict[int, int]


def _webs(position: Position, digit: int) -> list[Colors]:
    """The two colors, as cells, of every connected web of conjugate pairs."""
    return _connected(position.linked[digit])


def _connected(linked: dict[int, int]) -> list[Colors]:
    found: list[Colors] = []
    seen = 0
    for start in linked:
        if seen >> start & 1:
            continue
        colors = [1 << start, 0]
        frontier, color = 1 << start, 0
        while frontier:
            color = 1 - color
            reached = 0
            for cell in bits(frontier):
                reached |= linked[cell]
            frontier = reached & ~colors[color]
            colors[color] |= frontier
        seen |= colors[0] | colors[1]
        found.append((colors[0], colors[1]))
    return found


def _seen_by_any(position: Position, cells: int) -> int:
    peers, found = position.tables.peers, 0
    for cell in bits(cells):
        found |= peers[cell]
    return found


def _told(position: Position, digit: int, webs: tuple[Colors, ...], seen: str) -> Told:
    roles = (("on", "off"), ("a", "b"))
    marks = tuple(
        (digit, cells, role)
        for web, pair in zip(webs, roles, strict=False)
        for cells, role in zip(web, pair, strict=True)
    )
    return Told(seen, (), marks)


def simple_color_traps(position: Position) -> Iterator[Find]:
    """Cells that see both colors of a web."""
    tables = position.tables
    for digit in tables.digits:
        for web in _webs(position, digit):
            one, two = web
            gone = position.planes[digit] & ~(one | two)
            gone &= _seen_by_any(position, one) & _seen_by_any(position, two)
            if gone:
                seen = (
                    f"{symbol(digit)} is either in {names(tables, one)} or in {names(tables, two)}"
                )
                tell = partial(_told, position, digit, (web,), seen)
                yield Find("simple colors (trap)", one | two, (), ((digit, gone),), tell)


def simple_color_wraps(position: Position) -> Iterator[Find]:
    """A color with two cells that see each other: it is false."""
    tables = position.tables
    for digit in tables.digits:
        for web in _webs(position, digit):
            for color, other in (web, web[::-1]):
                clash = color & _seen_by_any(position, color)
                if clash:
                    seen = _told_wrap(position, digit, color, clash)
                    tell = partial(_told, position, digit, ((other, color),), seen)
                    find = ((digit, color),)
                    yield Find("simple colors (wrap)", color | other, (), find, tell)


def _told_wrap(position: Position, digit: int, color: int, clash: int) -> str:
    tables = position.tables
    cells = names(tables, color)
    if color.bit_count() == 2:
        return f"{symbol(digit)} is in both {cells} or in neither, but they see each other"
    first = clash & -clash
    second = clash & tables.peers[first.bit_length() - 1]
    pair = names(tables, first | second & -second)
    return f"{symbol(digit)} is in all of {cells} or in none, but {pair} see each other"


def multi_colors(position: Position, kind: int) -> Iterator[Find]:
    """Two webs that see each other.

    1: a color of one sees a color of the other, so that one of the two opposite colors is true.
    2: a color of one sees both colors of the other, so that it is false.
    """
    tables = position.tables
    technique = f"multi-colors {kind}"
    for digit in tables.digits:
        webs = _webs(position, digit)
        if len(webs) < 2:
            continue
        sight = {color: _seen_by_any(position, color) for web in webs for color in web}
        for first, second in permutations(webs, 2):
            if kind == 2:
                for color, other in (first, first[::-1]):
                    if sight[color] & second[0] and sight[color] & second[1]:
                        seen = (
                            f"{symbol(digit)} is either in {names(tables, second[0])} or in "
                            f"{names(tables, second[1])}, and if it were in "
                            f"{names(tables, color)}, it could be in neither"
                        )
                        tell = partial(_told, position, digit, ((other, color), second), seen)
                        cells = color | other | second[0] | second[1]
                        yield Find(technique, cells, (), ((digit, color),), tell)
                continue
            if first < second:
                yield from _seen_colors(position, technique, digit, (first, second), sight)


def _seen_colors(
    position: Position, technique: str, digit: int, webs: tuple[Colors, Colors], sight: Sight
) -> Iterator[Find]:
    """All that follows from colors of the two webs that see each other."""
    tables = position.tables
    gone, reasons = 0, []
    for color, other in (webs[0], webs[0][::-1]):
        for near, far in (webs[1], webs[1][::-1]):
            here = position.planes[digit] & sight[other] & sight[far]
            if sight[color] & near and here:
                gone |= here
                reasons.append(
                    f"{symbol(digit)} cannot be both in {names(tables, color)} and in "
                    f"{names(tables, near)}: it is in {names(tables, other)}, or in "
                    f"{names(tables, far)}"
                )
    if gone:
        cells = webs[0][0] | webs[0][1] | webs[1][0] | webs[1][1]
        tell = partial(_told, position, digit, webs, "; ".join(reasons))
        yield Find(technique, cells, (), ((digit, gone),), tell)


def remote_pairs(position: Position) -> Iterator[Find]:
    """Cells with the same two candidates that see each other in a chain of four or more."""
    tables = position.tables
    groups: dict[int, int] = {}
    for cell in bits(position.bivalue):
        digits = position.candidates[cell]
        groups[digits] = groups.get(digits, 0) | 1 << cell
    for digits, cells in groups.items():
        if cells.bit_count() < 4:
            continue
        linked = {cell: near for cell in bits(cells) if (near := tables.peers[cell] & cells)}
        for one, two in _connected(linked):
            if (one | two).bit_count() < 4 or one & two:
                continue
            both = _seen_by_any(position, one) & _seen_by_any(position, two) & ~(one | two)
            removed = tuple((d, gone) for d in bits(digits) if (gone := position.planes[d] & both))
            if removed:
                tell = partial(_told_remote, position, digits, one, two)
                yield Find("remote pairs", one | two, (), removed, tell)


def _told_remote(position: Position, digits: int, one: int, two: int) -> Told:
    first, second = bits(digits)
    seen = (
        f"{names(position.tables, one | two)} all have {symbols(digits)} and see each other in a "
        f"chain: {names(position.tables, one)} hold one digit, {names(position.tables, two)} the "
        "other"
    )
    marks = ((first, one, "on"), (second, one, "off"), (first, two, "off"), (second, two, "on"))
    return Told(seen, (), marks)
