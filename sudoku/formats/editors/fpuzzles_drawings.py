"""The drawings of f-puzzles as shapes.

    "line": [{"lines": [["R1C1", "R1C2"]], "outlineC": "#FF0000", "width": 0.3}]
    "circle": [{"cells": ["R1C1", "R1C2"], "baseC": "#FFFFFF", "outlineC": "#000000",
                "fontC": "#000000", "width": 0.5, "height": 0.5, "value": "3"}]
    "text": [{"cells": ["R1C1"], "value": "A", "fontC": "#000000"}], "cage": [{"cells": ["R1C1"]}]

The same fields as circles have rectangles. The center is that of the cells. A width is in cells.
Constraints that no rule means, such as the fog of SudokuPad, become shapes around their cells.

Source: SudokuPad/sudokutools, src/fpuzzlesdecoder.js (the fields).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from sudoku.errors import PuzzleError
from sudoku.formats.editors.sudokupad_drawings import color_of, text_of
from sudoku.rules.drawings import MOST_POINTS, MOST_SHAPES, PIXELS, Shape

__all__ = ["DRAWN", "drawn_shapes", "written_drawings"]

DRAWN: Final = ("line", "text", "rectangle", "circle", "cage")
"""The fields of drawings."""

_CELL = re.compile(r"R(-?\d{1,2}(?:\.\d{1,4})?)C(-?\d{1,2}(?:\.\d{1,4})?)")


def drawn_shapes(value: dict[str, Any], unknown: dict[str, Any]) -> list[Shape]:
    """The drawings of a puzzle in f-puzzles' JSON, and of the constraints that no rule means.

    Raises `PuzzleError` for too many, and other errors for values of wrong types.
    """
    shapes = []
    for kind in DRAWN:
        for item in value.get(kind) or ():
            if kind == "line":
                shapes += [_line(item, line) for line in item["lines"]]
            elif kind == "cage":
                text = text_of(item.get("value"))
                color = color_of(item.get("outlineC"))
                shapes.append(Shape("cage", _points(item["cells"]), color=color, text=text))
            else:
                shapes.append(_around(kind, item))
    for name, item in unknown.items():
        shapes += _kept(name, item)
    if len(shapes) > MOST_SHAPES:
        raise PuzzleError(f"more than {MOST_SHAPES:,} drawings")
    return shapes


def _kept(name: str, value: Any) -> list[Shape]:
    """The shapes of a constraint that no rule means: of its cells, with its name or value."""
    name = text_of(name) or "?"
    items = (value if isinstance(value, list) else [value])[: MOST_SHAPES + 1]
    cells = [item for item in items if isinstance(item, str)]
    if name == "foglight":
        return [Shape("light", _points([cell])) for cell in cells]
    shapes = [Shape("cage", _points(cells), text=name)] if cells else []
    for item in items:
        fields = item if isinstance(item, dict) else {}
        lines, place = fields.get("lines"), fields.get("cell")
        named = fields.get("cells") or ([place] if place else [])
        shapes += [_line(fields, line) for line in (lines if isinstance(lines, list) else [])]
        if points := _points(named if isinstance(named, list) else []):
            shapes.append(Shape("cage", points, text=text_of(fields.get("value") or name)))
    return [shape for shape in shapes if shape.points] or [Shape("effect", text=name)]


def written_drawings(shapes: Iterable[Shape]) -> dict[str, Any]:
    """The fields of shapes in f-puzzles' JSON; arrows are lines, images and the like left out."""
    made: dict[str, Any] = {}
    for shape in shapes:
        item: dict[str, Any] = {}
        if shape.kind in ("line", "arrow"):
            item = {"lines": [[_name(point) for point in shape.points]]}
            item |= {"width": shape.thickness / PIXELS} if shape.thickness else {}
        elif shape.kind == "cage":
            item = {"cells": [_name(point) for point in shape.points]}
        elif shape.kind in DRAWN and shape.points:
            item = {"cells": _around_cells(shape.points[0])}
            size = {"size": shape.height} if shape.kind == "text" else {"height": shape.height}
            item |= size | ({} if shape.kind == "text" else {"width": shape.width})
        elif shape.kind == "light" and shape.points:
            made.setdefault("foglight", []).append(_name(shape.points[0]))
        elif shape.kind == "effect" and shape.text:  # as it was read
            made[shape.text] = True
        if item and shape.points:
            item |= (
                {"outlineC" if shape.kind != "text" else "fontC": shape.color}
                if shape.color
                else {}
            )
            item |= {"baseC": shape.fill} if shape.fill else {}
            item |= {"value": shape.text} if shape.text else {}
            made.setdefault("line" if shape.kind == "arrow" else shape.kind, []).append(item)
    return made


def _name(point: tuple[float, float]) -> str:
    """The cell with that center, or between two cells a name with fractions."""
    row, column = (round(number + 0.5, 4) for number in point)
    return f"R{row:g}C{column:g}"


def _around_cells(point: tuple[float, float]) -> list[str]:
    """The cells that have this point as their center: one, two with a common border, or four."""
    sides = [(0.0,) if number % 1 else (-0.5, 0.5) for number in point]
    return [_name((point[0] + down, point[1] + right)) for down in sides[0] for right in sides[1]]


def _line(item: dict[str, Any], line: Iterable[Any]) -> Shape:
    color, width = color_of(item.get("outlineC")), _size(item.get("width")) * PIXELS
    return Shape("line", _points(line), color=color, thickness=min(width, PIXELS), under=True)


def _around(kind: str, item: dict[str, Any]) -> Shape:
    """A circle, a rectangle or a text around the center of its cells."""
    points = _points(item["cells"])
    rows, columns = [row for row, _ in points], [column for _, column in points]
    center = ((sum(rows) / len(points), sum(columns) / len(points)),) if points else ()
    text = text_of(item.get("value"))
    if kind == "text":
        size = _size(item.get("size"))
        return Shape(kind, center, height=size, color=color_of(item.get("fontC")), text=text)
    return Shape(
        kind,
        center,
        width=_size(item.get("width")),
        height=_size(item.get("height")),
        color=color_of(item.get("outlineC")),
        fill=color_of(item.get("baseC")),
        text=text,
        under=not text,
    )


def _points(names: Iterable[Any]) -> tuple[tuple[float, float], ...]:
    """The centers of the cells with these names; other names are left out."""
    found = [_CELL.fullmatch(name) for name in names if isinstance(name, str)][:MOST_POINTS]
    return tuple((float(each[1]) - 0.5, float(each[2]) - 0.5) for each in found if each)


def _size(value: Any) -> float:
    """A size in cells; 0 for what is not a number."""
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    return max(0.0, min(float(value), 100.0)) if plain else 0
