"""The drawings of SudokuPad as shapes, and what words say about dots.

    {"lines": [{"wayPoints": [[0.5, 0.5], [0.5, 1.5]], "color": "#ff0000", "thickness": 8}],
     "overlays": [{"center": [0.5, 1], "width": 0.3, "height": 0.3, "rounded": true,
                   "backgroundColor": "#FFFFFF", "borderColor": "#000000"}]}

Points are rows and columns from the upper left corner of the grid, in cells. A thickness is in
pixels, of which a cell has 64.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from sudoku.board.layout import Layout
from sudoku.errors import PuzzleError
from sudoku.rules.drawings import LONGEST_TEXT, MOST_POINTS, MOST_SHAPES, PIXELS, Shape

__all__ = [
    "DOTS",
    "LISTS",
    "OTHERWISE",
    "border_of",
    "color_of",
    "dot_color",
    "mention_of_dots",
    "read_shapes",
    "sentences_about",
    "words_with_rules",
    "written_shapes",
]

LISTS: Final = ("lines", "arrows", "overlays", "underlays", "foglight", "triggereffect")
"""The fields of drawings."""

SMALL: Final = 0.5  # the largest diameter of a dot, in cells
DARK, BRIGHT = 0x30, 0xE8  # the most and the least of each color in black and in white

USUAL: Final = {"color": "#888888ff", "thickness": 6.01}
"""How lines of the usual color and thickness are written. No other program writes them so, and thus
they are read as they were."""

Json = dict[str, Any]


# -- reading -------------------------------------------------------------------------------------


def read_shapes(value: Json) -> list[Shape]:
    """The drawings of a puzzle in SudokuPad's JSON, without those that are invisible.

    Raises `PuzzleError` for too many, and other errors for values of wrong types.
    """
    if sum(len(value.get(name) or ()) for name in LISTS) > MOST_SHAPES:
        raise PuzzleError(f"more than {MOST_SHAPES:,} drawings")
    shapes = [_around(item, under=True) for item in value.get("underlays") or ()]
    shapes += [_line("line", item) for item in value.get("lines") or ()]
    shapes += [_line("arrow", item) for item in value.get("arrows") or ()]
    shapes += [_around(item, under=False) for item in value.get("overlays") or ()]
    shapes += map(_light, value.get("foglight") or ())
    shapes += [Shape("effect") for _ in value.get("triggereffect") or ()]
    if (value.get("metadata") or {}).get("bgimage") or value.get("bgimage"):
        shapes.append(Shape("image"))
    return [shape for shape in shapes if shape is not None]


def _line(kind: str, item: Json) -> Shape | None:
    points = tuple(_point(point) for point in item.get("wayPoints") or ())[:MOST_POINTS]
    item = {name: value for name, value in item.items() if USUAL.get(name) != value}
    color, fill = color_of(item.get("color")), color_of(item.get("fill"))
    if len(points) < 2 and not item.get("d"):  # `d` is a path, which is not drawn here
        return None
    return Shape(kind, points, color=color, fill=fill, thickness=_size(item.get("thickness")))


def _light(item: Any) -> Shape:
    """A light in the fog, at the center of its cell if that is known."""
    if isinstance(item, list) and len(item) == 2:
        row, column = _point(item)
        return Shape("light", ((row + 0.5, column + 0.5),))
    return Shape("light")


def _around(item: Json, *, under: bool) -> Shape | None:
    """A circle, a rectangle or a text; None if there is nothing to see."""
    fill, border = color_of(item.get("backgroundColor")), color_of(item.get("borderColor"))
    text = text_of(item.get("text"))
    if not (fill or border or text):
        return None
    kind = ("circle" if item.get("rounded") else "rectangle") if fill or border else "text"
    center = (_point(item["center"]),)
    if kind == "text":
        height, color = _size(item.get("fontSize")) / PIXELS, color_of(item.get("color"))
        return Shape(kind, center, height=height, color=color, text=text, under=under)
    return Shape(
        kind,
        center,
        width=_size(item.get("width")),
        height=_size(item.get("height")),
        color=border,
        fill=fill,
        thickness=_size(item.get("thickness")) if border else 0,
        text=text,
        under=under,
    )


def _point(value: Any) -> tuple[float, float]:
    row, column = value
    return _number(row), _number(column)


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{value!r} is not a number")
    return max(-100, min(100, value))


def _size(value: Any) -> float:
    return max(0, _number(value)) if value not in (None, "") else 0


def text_of(value: Any) -> str:
    """A text of one line that a shape may have."""
    text = "" if value is None else str(value)
    return "".join(c if c.isprintable() else " " for c in text).strip()[:LONGEST_TEXT]


def color_of(value: Any) -> str:
    """A color as `Shape` has it; "" for one that is transparent or is not hexadecimal.

    >>> color_of("#FF000080"), color_of("#FFFFFF00"), color_of("red")
    ('#FF0000', '', '')
    """
    text = value if isinstance(value, str) else ""
    if re.fullmatch(r"#[0-9a-fA-F]{8}", text):
        return "" if text.endswith("00") else text[:7]
    if re.fullmatch(r"#[0-9a-fA-F]{4}", text):
        return "" if text.endswith("0") else text[:4]
    return text if re.fullmatch(r"#(?:[0-9a-fA-F]{3}){1,2}", text) else ""


# -- what is certain -----------------------------------------------------------------------------

_SENTENCE = re.compile(r"(?:[.;](?=\s|$)|\n)+")
_NORMAL = re.compile(
    r"no rules|(?:normal|standard|classic|usual|regular) (?:\w+ )?sudoku rules(?: apply)?|"
    r"(?:fill the grid with the digits \S+ so that )?(?:the )?digits (?:do not|don't|can't|cannot|"
    r"may not|must not) repeat in any row, column,? (?:and|or) (?:marked |outlined )?"
    r"(?:3x3 )?(?:box|region)",
    re.IGNORECASE,
)
"""Sentences that say no more than a grid with its regions does."""

DOTS: Final = {
    "white": re.compile(
        r"white (?:kropki )?(?:dot|circle)s?\b(?:(?!black)[^.;])*\bconsecutive", re.IGNORECASE
    ),
    "black": re.compile(
        r"black (?:kropki )?(?:dot|circle)s?\b(?:(?!white)[^.;])*"
        r"(?:\bdouble\b|\btwice\b|\b1:2\b|\b2:1\b|\b1 ?to ?2\b)",
        re.IGNORECASE,
    ),
}
_GIVENNESS = re.compile(
    r"^(?:not )?(?:all|every)\b[^.;]*\b(?:given|shown|marked|drawn)$|^(?:there is )?no negative "
    r"constraint",
    re.IGNORECASE,
)
OTHERWISE = re.compile(
    r"\bnon\b|\bnon-|\bnot\b|n['\u2019]t|\bnever\b|\bor\b|\bexcept|\bunless", re.I
)
"""Words with which a sentence about a kind of drawing may mean something else."""


def words_with_rules(words: str) -> str:
    """The sentences of the setter that may have rules beyond those of every Sudoku.

    >>> words_with_rules("Normal sudoku rules apply. No two 9s touch.")
    'No two 9s touch'
    """
    sentences = [part.strip() for part in _SENTENCE.split(words)]
    return ". ".join(part for part in sentences if part and not _NORMAL.fullmatch(part))


def sentences_about(mention: re.Pattern[str], words: str) -> list[str]:
    """The sentences with such a mention, but for those that say whether all of a kind are given.

    >>> sentences_about(re.compile("dots?"), "The dots are red. Not all dots are given.")
    ['The dots are red']
    """
    parts = [part.strip() for part in _SENTENCE.split(words)]
    return [part for part in parts if mention.search(part) and not _GIVENNESS.search(part)]


def mention_of_dots(color: str) -> re.Pattern[str]:
    """Matches in each sentence about dots of a color."""
    return re.compile(rf"\b{color} (?:\w+ )?(?:dot|circle)", re.IGNORECASE)


def dot_color(shape: Shape) -> str | None:
    """The color of a small white or black circle without a text; None for other shapes."""
    if shape.kind != "circle" or shape.text or not 0 < shape.width <= SMALL:
        return None
    if shape.width != shape.height or len(shape.fill) not in (4, 7):
        return None
    digits = shape.fill[1:] if len(shape.fill) == 7 else "".join(c + c for c in shape.fill[1:])
    parts = [int(digits[at : at + 2], 16) for at in (0, 2, 4)]
    if min(parts) >= BRIGHT:
        return "white"
    return "black" if max(parts) <= DARK else None


def border_of(shape: Shape, layout: Layout) -> list[tuple[int, int]] | None:
    """The two cells on whose common border the shape lies exactly; None if there are none."""
    ((row, column),) = shape.points
    down, right = row % 1, column % 1
    cell = (int(row) + 1, int(column) + 1)
    if (down, right) == (0, 0.5):
        pair = [(cell[0] - 1, cell[1]), cell]
    elif (down, right) == (0.5, 0):
        pair = [(cell[0], cell[1] - 1), cell]
    else:
        return None
    return pair if all(each in layout.index for each in pair) else None


# -- writing -------------------------------------------------------------------------------------


def written_shapes(shapes: Sequence[Shape]) -> Json:
    """The fields of these shapes in SudokuPad's JSON; cages, images and the like are left out."""
    made: Json = {}
    for shape in shapes:
        if shape.kind in ("line", "arrow") and len(shape.points) > 1:
            item: Json = {"wayPoints": [list(point) for point in shape.points]}
            drawn = {"color": shape.color, "thickness": shape.thickness}
            item |= USUAL | {name: value for name, value in drawn.items() if value}
            item |= {"fill": shape.fill} if shape.fill else {}
            item |= {"headLength": 0.3} if shape.kind == "arrow" else {}
            made.setdefault(f"{shape.kind}s", []).append(item)
        elif shape.kind == "light" and shape.points:
            made.setdefault("foglight", []).append([int(number) for number in shape.points[0]])
        elif shape.kind in ("circle", "rectangle", "text") and shape.points:
            item = {"center": list(shape.points[0]), "width": shape.width, "height": shape.height}
            if shape.kind == "text":  # the size of the box around it matters to clicks only
                item |= {"width": 1, "height": 1}
                item |= {"fontSize": shape.height * PIXELS} if shape.height else {}
            item |= {"rounded": True} if shape.kind == "circle" else {}
            item |= {"backgroundColor": shape.fill} if shape.fill else {}
            item |= {"text": shape.text} if shape.text else {}
            item |= {"thickness": shape.thickness} if shape.thickness else {}
            if shape.color:
                item["color" if shape.kind == "text" else "borderColor"] = shape.color
            made.setdefault("underlays" if shape.under else "overlays", []).append(item)
    return made
