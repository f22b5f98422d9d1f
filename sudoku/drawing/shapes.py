"""Draws the shapes of `sudoku.rules.Drawings`, whose rules are not known."""

from __future__ import annotations

from collections.abc import Iterable
from math import hypot
from typing import Final

from dlx.escapes import markup
from sudoku.board.layout import Layout
from sudoku.drawing.frame import SIDE, Places
from sudoku.rules.drawings import PIXELS, Drawings, Shape

__all__ = ["shapes_over", "shapes_stand_outside", "shapes_under"]

GREY: Final = "#888888"
TEXT: Final = 0.4  # the usual height of a text, in cells


def shapes_under(rule: Drawings, layout: Layout, places: Places) -> Iterable[str]:
    """SVG of the shapes below the lines of the grid."""
    return _drawn((shape for shape in rule.shapes if shape.under), places)


def shapes_over(rule: Drawings, layout: Layout, places: Places) -> Iterable[str]:
    """SVG of the shapes above the lines of the grid."""
    return _drawn((shape for shape in rule.shapes if not shape.under), places)


def shapes_stand_outside(layout: Layout) -> bool:
    """Whether a shape has a point beyond the edge of the grid."""
    return any(
        not (0 <= row <= layout.height and 0 <= column <= layout.width)
        for rule in layout.rules
        if isinstance(rule, Drawings)
        for shape in rule.shapes
        for row, column in shape.points
    )


def _drawn(shapes: Iterable[Shape], places: Places) -> Iterable[str]:
    for shape in shapes:
        if not shape.points or shape.kind in ("image", "light", "effect"):
            continue
        points = [_place(row, column, places) for row, column in shape.points]
        if shape.kind in ("line", "arrow"):
            yield _line(shape, points)
        elif shape.kind == "cage":
            yield from _cage(shape, points)
        else:
            yield _around(shape, points[0])
            if shape.text:
                yield _text(shape, points[0])


def _place(row: float, column: float, places: Places) -> tuple[float, float]:
    """The x and y of a point."""
    x, y = places.corner((1, 1))
    return x + SIDE * column, y + SIDE * row


def _stroke(shape: Shape, usual: float = 2) -> str:
    """The attributes of the shape's line."""
    width = (shape.thickness or usual) * SIDE / PIXELS
    return f'stroke="{shape.color or GREY}" stroke-width="{width:g}"'


def _line(shape: Shape, points: list[tuple[float, float]]) -> str:
    path = "M" + "L".join(f"{x:g} {y:g}" for x, y in points)
    if shape.kind == "arrow" and len(points) > 1 and points[-1] != points[-2]:
        (x1, y1), (x2, y2) = points[-2:]
        length = hypot(x2 - x1, y2 - y1)
        dx, dy = 7 * (x2 - x1) / length, 7 * (y2 - y1) / length
        left, right = (x2 - dx + dy, y2 - dy - dx), (x2 - dx - dy, y2 - dy + dx)
        path += f"M{left[0]:g} {left[1]:g}L{x2:g} {y2:g}L{right[0]:g} {right[1]:g}"
    look = f'fill="{shape.fill or "none"}" stroke-linecap="round" stroke-linejoin="round"'
    return f'<path d="{path}" {look} {_stroke(shape, 6)}/>'


def _cage(shape: Shape, points: list[tuple[float, float]]) -> Iterable[str]:
    """The cells of a cage, each framed by dashes."""
    inset = SIDE / 2 - 4
    squares = "".join(
        f"M{x - inset:g} {y - inset:g}h{2 * inset:g}v{2 * inset:g}h{-2 * inset:g}z"
        for x, y in points
    )
    yield f'<path d="{squares}" fill="none" stroke-dasharray="4 3" {_stroke(shape, 1.5)}/>'
    if shape.text:
        x, y = points[0]
        yield (
            f'<text x="{x - inset + 2:g}" y="{y - inset + 9:g}" font-size="9" '
            f'fill="{shape.color or GREY}">{markup(shape.text)}</text>'
        )


def _around(shape: Shape, center: tuple[float, float]) -> str:
    """The outline and background of a circle, a rectangle or a text; "" for a text alone."""
    if not (shape.fill or shape.kind in ("circle", "rectangle", "mark")):
        return ""
    width, height = SIDE * (shape.width or 0.5), SIDE * (shape.height or shape.width or 0.5)
    round_corners = f' rx="{min(width, height) / 2:g}"' if shape.kind in ("circle", "mark") else ""
    # Without any color of its own, a shape would be invisible.
    visible = shape.color or not shape.fill
    stroke = _stroke(shape) if visible and shape.kind != "text" else 'stroke="none"'
    return (
        f'<rect x="{center[0] - width / 2:g}" y="{center[1] - height / 2:g}" width="{width:g}" '
        f'height="{height:g}"{round_corners} fill="{shape.fill or "none"}" {stroke}/>'
    )


def _text(shape: Shape, center: tuple[float, float]) -> str:
    size = SIDE * min(shape.height or TEXT, 1)
    color = shape.color if shape.kind == "text" and shape.color else "#000000"
    return (
        f'<text x="{center[0]:g}" y="{center[1]:g}" font-size="{size:g}" text-anchor="middle" '
        f'dominant-baseline="central" fill="{color}">{markup(shape.text)}</text>'
    )
