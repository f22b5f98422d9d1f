"""Draws the rules of a layout: cages, thermometers, arrows, dots, signs, marks, captions.

`sudoku.drawing.lines` draws the lines and clues of today's setters.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import hypot
from typing import Final

from sudoku import rules
from sudoku.board.cells import Cell
from sudoku.board.layout import Layout
from sudoku.drawing.frame import SIDE, Places
from sudoku.drawing.lines import OVER_LINES, UNDER_LINES, Draw, line_path, picture_of
from sudoku.drawing.rule_text import HOUSES, sentences_of
from sudoku.drawing.shapes import shapes_over, shapes_stand_outside, shapes_under

__all__ = ["OVER", "UNDER", "captions", "marks_of", "over", "stands_outside", "under"]

INSET: Final = 4  # the distance of a cage's dashed line from the border of the cell


def under(layout: Layout, places: Places) -> list[str]:
    """SVG for below the digits: backgrounds, thermometers, arrows."""
    return _drawn(UNDER, layout, places)


def over(layout: Layout, places: Places) -> list[str]:
    """SVG for above the lines of the grid: cages, dots, signs, sums outside."""
    return _drawn(OVER, layout, places)


def _drawn(table: dict[str, Draw], layout: Layout, places: Places) -> list[str]:
    return [
        piece
        for rule in layout.rules
        for draw in [table.get(picture_of(type(rule)))]
        if draw is not None
        for piece in draw(rule, layout, places)
    ]


def captions(layout: Layout) -> list[str]:
    """The lines of text below the grid, for rules whose picture needs words, or is none.

    >>> from sudoku import layouts
    >>> captions(layouts.non_consecutive())
    ['Cells with a common edge do not have consecutive digits.']
    """
    unclear = [rule for rule in layout.rules if picture_of(type(rule)) not in _NEED_NO_WORDS]
    lines = sentences_of(unclear, layout)
    if any(house.kind == "group" for house in layout.houses):
        lines.append(HOUSES["group"])
    return list(dict.fromkeys(lines))


def stands_outside(layout: Layout) -> bool:
    """Whether the picture needs space outside of the grid, for sums or drawings."""
    beside = ("diagonal sum", "number outside")
    numbers = any(picture_of(type(rule)) in beside for rule in layout.rules)
    return numbers or shapes_stand_outside(layout)


def marks_of(layout: Layout) -> dict[Cell, tuple[int, ...]]:
    """The pencil marks of each cell, without rules of even and odd cells only."""
    return {
        cell: digits
        for rule in layout.rules
        if isinstance(rule, rules.Allowed) and not rule.is_even_odd(layout)
        for cell, digits in rule.marks
    }


# -- below the digits ----------------------------------------------------------------------------


def _allowed(rule: rules.Allowed, layout: Layout, places: Places) -> Iterable[str]:
    if not rule.is_even_odd(layout):
        return
    for cell, digits in rule.marks:
        x, y = places.center(cell)
        if digits[0] % 2:
            yield f'<circle cx="{x:g}" cy="{y:g}" r="17" fill="#d8d8d8"/>'
        else:
            yield f'<rect x="{x - 16:g}" y="{y - 16:g}" width="32" height="32" fill="#d8d8d8"/>'


def _thermometer(rule: rules.Thermometer, layout: Layout, places: Places) -> Iterable[str]:
    x, y = places.center(rule.cells[0])
    yield (
        f'<g fill="#cfcfcf" stroke="#cfcfcf"><circle cx="{x:g}" cy="{y:g}" r="15"/>'
        f'<path d="{line_path(rule.cells, places)}" fill="none" stroke-width="13" '
        'stroke-linecap="round" stroke-linejoin="round"/></g>'
    )


def _arrow(rule: rules.Arrow, layout: Layout, places: Places) -> Iterable[str]:
    look = 'fill="none" stroke="#999" stroke-width="2"'
    circle, path = list(map(places.center, rule.circle)), list(map(places.center, rule.path))
    (x1, y1), (x2, y2) = min(circle), max(circle)
    yield (
        f'<rect x="{x1 - 17:g}" y="{min(y1, y2) - 17:g}" width="{x2 - x1 + 34:g}" '
        f'height="{abs(y2 - y1) + 34:g}" rx="17" {look}/>'
    )
    start = min(circle, key=lambda place: hypot(place[0] - path[0][0], place[1] - path[0][1]))
    a, b = [start, *path][-2:]
    length = hypot(b[0] - a[0], b[1] - a[1])
    dx, dy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    first = hypot(path[0][0] - start[0], path[0][1] - start[1])
    begin = (
        start[0] + 17 * (path[0][0] - start[0]) / first,
        start[1] + 17 * (path[0][1] - start[1]) / first,
    )
    line = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in [begin, *path])
    tip = b[0] + 9 * dx, b[1] + 9 * dy
    head = (
        f"M{tip[0] - 9 * dx + 6 * dy:.1f} {tip[1] - 9 * dy - 6 * dx:.1f}"
        f"L{tip[0]:.1f} {tip[1]:.1f}"
        f"L{tip[0] - 9 * dx - 6 * dy:.1f} {tip[1] - 9 * dy + 6 * dx:.1f}"
    )
    yield f'<path d="{line}L{tip[0]:.1f} {tip[1]:.1f}{head}" {look}/>'


# -- above the lines -----------------------------------------------------------------------------


def _cage(rule: rules.Cage, layout: Layout, places: Places) -> Iterable[str]:
    text = "" if rule.total is None else str(rule.total)
    yield from _outline(rule.cells, places, text)


def _colored_cage(
    rule: rules.RellikCage | rules.MultiSumCage | rules.LookAndSay, layout: Layout, places: Places
) -> Iterable[str]:
    colors = {"red cage": "#c22", "blue cage": "#22c", "green cage": "#182"}
    yield from _outline(rule.cells, places, rule.label, colors[picture_of(type(rule))])


def _areas(rule: rules.EqualAreas, layout: Layout, places: Places) -> Iterable[str]:
    for part in rule.parts:
        yield from _outline(part, places, "", "#555", "1 3")


def _outline(
    cells: Iterable[Cell], places: Places, text: str, color: str = "#333", dashes: str = "4 3"
) -> Iterable[str]:
    """A dashed line inside the border of some cells, and a text in the corner of the first."""
    inside = set(cells)
    lines = []
    for row, column in sorted(inside):
        x, y = places.corner((row, column))
        up, down = (row - 1, column) in inside, (row + 1, column) in inside
        left, right = (row, column - 1) in inside, (row, column + 1) in inside
        x1, x2 = x + (0 if left else INSET), x + SIDE - (0 if right else INSET)
        y1, y2 = y + (0 if up else INSET), y + SIDE - (0 if down else INSET)
        lines += [f"M{x1} {y1}H{x2}"] * (not up) + [f"M{x1} {y2}H{x2}"] * (not down)
        lines += [f"M{x1} {y1}V{y2}"] * (not left) + [f"M{x2} {y1}V{y2}"] * (not right)
        lines += _corners((row, column), inside, places)
    yield (
        f'<path d="{"".join(lines)}" fill="none" stroke="{color}" stroke-width="1" '
        f'stroke-dasharray="{dashes}"/>'
    )
    if text:
        x, y = places.corner(min(inside))
        yield (
            f'<rect x="{x + 3}" y="{y + 2}" width="{6 * len(text) + 3}" height="11" fill="#fff"/>'
            f'<text x="{x + 4}" y="{y + 11}" font-size="10.5">{text}</text>'
        )


def _corners(cell: Cell, inside: set[Cell], places: Places) -> Iterable[str]:
    """The two short lines of a cage at each corner of this cell where a cell is not in the cage."""
    row, column = cell
    x, y = places.corner(cell)
    for down in (-1, 1):
        for right in (-1, 1):
            beside = (row, column + right) in inside and (row + down, column) in inside
            if beside and (row + down, column + right) not in inside:
                x1 = x + (INSET if right < 0 else SIDE - INSET)
                y1 = y + (INSET if down < 0 else SIDE - INSET)
                x2, y2 = x + (0 if right < 0 else SIDE), y + (0 if down < 0 else SIDE)
                yield f"M{x2} {y1}H{x1}V{y2}"


def _chaos(rule: rules.ChaosRegions, layout: Layout, places: Places) -> Iterable[str]:
    """Borders between neighbours that are apart; dashes between others; a line between joined."""
    borders = []
    for one, two in rule.apart:
        x, y = places.corner(two)
        if abs(one[0] - two[0]) + abs(one[1] - two[1]) == 1:
            borders.append(f"M{x} {y}{'h' if one[1] == two[1] else 'v'}{SIDE}")
        else:
            path = line_path([one, two], places)
            yield f'<path d="{path}" stroke="#c33" stroke-width="1.5" stroke-dasharray="2 4"/>'
    for one, two in rule.joined:
        yield f'<path d="{line_path([one, two], places)}" stroke="#bbb" stroke-width="2.5"/>'
    if borders:
        yield f'<path d="{"".join(borders)}" fill="none" stroke="#000" stroke-width="3"/>'


def _dot(rule: rules.Dot, layout: Layout, places: Places) -> Iterable[str]:
    x, y = _between(rule.first, rule.second, places)
    fill = "#fff" if rule.color == "white" else "#000"
    yield f'<circle cx="{x:g}" cy="{y:g}" r="5.5" fill="{fill}" stroke="#000" stroke-width="1.5"/>'


def _greater(rule: rules.Greater, layout: Layout, places: Places) -> Iterable[str]:
    larger, smaller = places.center(rule.larger), places.center(rule.smaller)
    x, y = _between(rule.larger, rule.smaller, places)
    length = hypot(smaller[0] - larger[0], smaller[1] - larger[1])
    dx, dy = (smaller[0] - larger[0]) / length, (smaller[1] - larger[1]) / length
    sign = (
        f"M{x - 3.5 * dx + 6 * dy:.1f} {y - 3.5 * dy - 6 * dx:.1f}"
        f"L{x + 3.5 * dx:.1f} {y + 3.5 * dy:.1f}"
        f"L{x - 3.5 * dx - 6 * dy:.1f} {y - 3.5 * dy + 6 * dx:.1f}"
    )
    yield f'<path d="{sign}" fill="none" stroke="#fff" stroke-width="6"/>'
    yield f'<path d="{sign}" fill="none" stroke="#000" stroke-width="1.8"/>'


def _between(a: Cell, b: Cell, places: Places) -> tuple[float, float]:
    (x1, y1), (x2, y2) = places.center(a), places.center(b)
    return (x1 + x2) / 2, (y1 + y2) / 2


def _little_killer(rule: rules.LittleKiller, layout: Layout, places: Places) -> Iterable[str]:
    cells = rule.cells
    step = (cells[1][0] - cells[0][0], cells[1][1] - cells[0][1]) if len(cells) > 1 else (1, 1)
    ends = [
        ((cells[0][0] - step[0], cells[0][1] - step[1]), step),
        ((cells[-1][0] + step[0], cells[-1][1] + step[1]), (-step[0], -step[1])),
    ]
    free = [end for end in ends if end[0] not in layout.index]
    (place, (down, right)) = (free or ends)[0]
    x, y = places.center(place)
    x, y = x + 8 * right, y + 8 * down  # close to the grid
    tip_x, tip_y = x + 13 * right, y + 13 * down
    yield (
        f'<text x="{x:g}" y="{y:g}" font-size="13" text-anchor="middle" '
        f'dominant-baseline="central">{"" if rule.total is None else rule.total}</text>'
        f'<path d="M{tip_x - 6 * right:g} {tip_y:g}H{tip_x:g}V{tip_y - 6 * down:g}M{tip_x:g} '
        f'{tip_y:g}l{-8 * right:g} {-8 * down:g}" fill="none" stroke="#333" stroke-width="1.3"/>'
    )


# -- tables --------------------------------------------------------------------------------------

UNDER: Final[dict[str, Draw]] = {
    "arrow": _arrow,
    "marks": _allowed,
    "shapes": shapes_under,
    "thermometer": _thermometer,
    **UNDER_LINES,
}
"""How to draw each picture below the digits."""

OVER: Final[dict[str, Draw]] = {
    "borders": _chaos,
    **dict.fromkeys(("blue cage", "green cage", "red cage"), _colored_cage),
    "cage": _cage,
    "diagonal sum": _little_killer,
    "dot": _dot,
    "dotted areas": _areas,
    "shapes": shapes_over,
    "sign": _greater,
    **OVER_LINES,
}
"""How to draw each picture above the lines of the grid."""

_NEED_NO_WORDS: Final = frozenset({
    "angles inward", "angles outward", "arrow", "black number", "cage", "diagonal sum", "dot",
    "marks", "quadruple", "sign", "sum", "thermometer", "white number",
})  # fmt: skip
"""The pictures of printed puzzles, which players know."""
