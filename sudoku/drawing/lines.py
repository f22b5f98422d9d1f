"""Draws the lines and clues of today's setters, with the shapes and colors that SudokuPad uses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from dlx.escapes import markup
from sudoku import rules
from sudoku.board.cells import Cell, symbol
from sudoku.board.layout import Layout
from sudoku.drawing.frame import Places, shade

__all__ = ["Draw", "OVER_LINES", "UNDER_LINES", "line_path", "picture_of"]

Draw = Callable[[Any, Layout, Places], Iterable[str]]

COLORS: Final = {
    "pink line": "#f067f0",
    "golden line": "#c9a73b",
    "grey line": "#b5b5b5",
    "red line": "#f08080",
    "teal line": "#33bbbb",
    "peach line": "#f2c6a0",
    "blue line": "#2ecbff",
    "violet line": "#b39ddb",
    "yellow line": "#f2d24a",
    "olive line": "#9aa64a",
    "brown line": "#a47e5a",
}
"""The colors of lines that are nothing but a line."""
GERMAN, DUTCH = "#67d067", "#ff9a3c"
GREY: Final = "#a8a8a8"


def picture_of(kind: type[rules.Rule]) -> str:
    """The name of the picture of a class of rules; `""` if the class itself has none."""
    return kind.picture if "picture" in vars(kind) else ""


def line_path(cells: Sequence[Cell], places: Places) -> str:
    """The path through the middles of some cells."""
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in map(places.center, cells))


def _stroke(cells: Sequence[Cell], places: Places, color: str, width: float = 9) -> str:
    return (
        f'<path d="{line_path(cells, places)}" fill="none" stroke="{color}" '
        f'stroke-width="{width:g}" stroke-linecap="round" stroke-linejoin="round"/>'
    )


def _line(rule: rules.Rule, layout: Layout, places: Places) -> Iterable[str]:
    yield _stroke(rule.cells, places, COLORS[picture_of(type(rule))])


def _whisper(rule: rules.Whisper, layout: Layout, places: Places) -> Iterable[str]:
    yield _stroke(rule.cells, places, GERMAN if rule.least >= 5 else DUTCH)


def _slow(rule: rules.SlowThermometer, layout: Layout, places: Places) -> Iterable[str]:
    x, y = places.center(rule.cells[0])
    yield _stroke(rule.cells, places, "#a9c4e4", 13)
    yield f'<circle cx="{x:g}" cy="{y:g}" r="15" fill="#a9c4e4"/>'


def _ringed(rule: rules.Rule, layout: Layout, places: Places) -> Iterable[str]:
    """A thin line with an open circle at both ends: between lines and double arrows."""
    yield _stroke(rule.cells, places, GREY, 3)
    for cell in (rule.cells[0], rule.cells[-1]):
        x, y = places.center(cell)
        yield (
            f'<circle cx="{x:g}" cy="{y:g}" r="17" fill="#fff" stroke="{GREY}" stroke-width="2"/>'
        )


def _circles(rule: rules.CountingCircles, layout: Layout, places: Places) -> Iterable[str]:
    for x, y in map(places.center, rule.cells):
        yield f'<circle cx="{x:g}" cy="{y:g}" r="18" fill="none" stroke="#666" stroke-width="1.5"/>'


def _lockout(rule: rules.LockoutLine, layout: Layout, places: Places) -> Iterable[str]:
    """A thin line with a diamond at both ends."""
    yield _stroke(rule.cells, places, "#7f9bd1", 3)
    for cell in (rule.cells[0], rule.cells[-1]):
        x, y = places.center(cell)
        yield (
            f'<path d="M{x - 19:g} {y:g}L{x:g} {y - 19:g}L{x + 19:g} {y:g}L{x:g} {y + 19:g}z" '
            'fill="#fff" stroke="#7f9bd1" stroke-width="2"/>'
        )


def _shaded(rule: rules.Rule, layout: Layout, places: Places) -> Iterable[str]:
    yield shade(places, rule.cells, "#dcdcdc" if isinstance(rule, rules.Clone) else "#ececec")


def _indexer(rule: rules.Indexer, layout: Layout, places: Places) -> Iterable[str]:
    colors = {"row": "#f9dada", "column": "#dcecdc", "box": "#dce6f5"}
    yield shade(places, [rule.index], colors[rule.line])


def _extreme(rule: rules.Minimum | rules.Maximum, layout: Layout, places: Places) -> Iterable[str]:
    """Shaded cells with angles at the edges of their neighbours, which point to the less digit."""
    yield shade(places, rule.marked, "#e0e0e0")
    inward = picture_of(type(rule)) == "angles inward"
    marks = []
    for (r1, c1), (r2, c2) in rule.related(layout.index):
        x, y = places.center((r1, c1))
        dx, dy = c2 - c1, r2 - r1
        tip, back = (14, 18) if inward else (19, 15)
        marks.append(
            f"M{x + back * dx + 4 * dy:g} {y + back * dy + 4 * dx:g}L{x + tip * dx:g} "
            f"{y + tip * dy:g}L{x + back * dx - 4 * dy:g} {y + back * dy - 4 * dx:g}"
        )
    yield f'<path d="{"".join(marks)}" fill="none" stroke="#333" stroke-width="1.2"/>'


# -- above the lines -----------------------------------------------------------------------------


def _text(x: float, y: float, text: str, size: float, look: str = "") -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="middle" '
        f'dominant-baseline="central"{look}>{markup(text)}</text>'
    )


def _middle(cells: Sequence[Cell], places: Places) -> tuple[float, float]:
    found = [places.center(cell) for cell in cells]
    return sum(x for x, _ in found) / len(found), sum(y for _, y in found) / len(found)


def _number(rule: rules.Difference | rules.Ratio, layout: Layout, places: Places) -> Iterable[str]:
    """A white disc with a difference, or a black one with a ratio."""
    x, y = _middle(rule.cells, places)
    white = picture_of(type(rule)) == "white number"
    yield (
        f'<circle cx="{x:g}" cy="{y:g}" r="7.5" fill="{"#fff" if white else "#000"}" '
        'stroke="#000" stroke-width="1.2"/>'
    )
    yield _text(x, y, str(rule.value), 10, "" if white else ' fill="#fff"')


def _sum(rule: rules.PairSum, layout: Layout, places: Places) -> Iterable[str]:
    x, y = _middle(rule.cells, places)
    text = {5: "V", 10: "X"}.get(rule.value, str(rule.value))
    yield f'<rect x="{x - 6:g}" y="{y - 6.5:g}" width="12" height="13" fill="#fff"/>'
    yield _text(x, y, text, 12, ' font-weight="bold"')


def _quadruple(rule: rules.Quadruple, layout: Layout, places: Places) -> Iterable[str]:
    x, y = _middle(rule.cells, places)
    digits = [symbol(digit) for digit in rule.digits]
    rows = [digits] if len(digits) < 3 else [digits[:2], digits[2:]]
    yield f'<circle cx="{x:g}" cy="{y:g}" r="12" fill="#fff" stroke="#000" stroke-width="1"/>'
    for number, row in enumerate(rows):
        yield _text(x, y + 9 * (number - (len(rows) - 1) / 2), " ".join(row), 9.5)


def _outside(
    rule: rules.NumberedRoom | rules.Sandwich, layout: Layout, places: Places
) -> Iterable[str]:
    """The number beside the first cell: the clue is read from there."""
    (r1, c1), (r2, c2) = rule.cells[:2]
    x, y = places.center((2 * r1 - r2, 2 * c1 - c2))
    yield _text(x + 6 * (c2 - c1), y + 6 * (r2 - r1), str(rule.total), 15)


UNDER_LINES: Final[dict[str, Draw]] = {
    **dict.fromkeys(COLORS, _line),
    "angles inward": _extreme,
    "angles outward": _extreme,
    "blue thermometer": _slow,
    "circles": _circles,
    "colored cell": _indexer,
    "line with diamonds": _lockout,
    "ringed line": _ringed,
    "shaded cells": _shaded,
    "whisper line": _whisper,
}
"""How to draw each picture below the digits, from the rule's `cells` for most of them."""

OVER_LINES: Final[dict[str, Draw]] = {
    "black number": _number,
    "number outside": _outside,
    "quadruple": _quadruple,
    "sum": _sum,
    "white number": _number,
}
"""How to draw each picture above the lines of the grid; numbers are `value`, or `total` outside."""
