"""`Drawings`, the shapes of a puzzle whose rules are not known, and `Shape`, one of them.

Setters draw lines, circles and texts, and say in words what they mean. A file that has no more than
the drawing is read with this rule: it restricts nothing, and says that there may be other rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import Any, Final, NamedTuple, Self

from sudoku.board.cells import Cell, checked_list, is_iterable
from sudoku.board.layout import Layout
from sudoku.board.rule import Rule
from sudoku.errors import LayoutError, counted, listed, shown

__all__ = ["Drawings", "MOST_SHAPES", "SHAPES", "Shape", "doubt_of", "shapes_in_words", "shapes_of"]

SHAPES: Final = {
    "line": "line",
    "arrow": "arrow",
    "circle": "circle",
    "rectangle": "rectangle",
    "text": "text",
    "cage": "cage without a rule",
    "mark": "mark",
    "image": "background image",
    "light": "light in the fog",
    "effect": "effect",
}
"""The kinds of shapes, with their names in messages."""

PIXELS: Final = 64
"""The width of a cell, in which the thickness of a line is counted."""

MOST_SHAPES: Final = 5_000
FARTHEST: Final = 100  # rows or columns from the grid's corner
LONGEST_TEXT: Final = 40
MOST_POINTS: Final = 2_000  # of a shape

_COLOR = re.compile(r"(?:#(?:[0-9a-fA-F]{3}){1,2})?")


class Shape(NamedTuple):
    """One shape, as it is drawn."""

    kind: str
    """One of `SHAPES`."""
    points: tuple[tuple[float, float], ...] = ()
    """Its points, each with the rows and columns from the grid's upper left corner: (0.5, 0.5) is
    the center of r1c1. A circle, a rectangle or a text has one point, its center; a cage has those
    of its cells."""
    width: float = 0
    """The width of a circle, a rectangle or a text, in cells."""
    height: float = 0
    """Its height, in cells."""
    color: str = ""
    """The color of its line or text, such as "#ff0000"; "" is the usual one."""
    fill: str = ""
    """The color inside; "" is none."""
    thickness: float = 0
    """The thickness of its line, in 64ths of a cell; 0 is the usual one."""
    text: str = ""
    """The text in it."""
    under: bool = False
    """Whether it is drawn below the lines of the grid."""


class Drawings(Rule):
    """Drawings of the setter whose rules are not known; they restrict nothing.

    `shapes` are objects of the class `Shape`, or mappings with their fields.

    >>> Drawings([{"kind": "line", "points": [(0.5, 0.5), (1.5, 0.5)]}]).shapes[0].points
    ((0.5, 0.5), (1.5, 0.5))

    Raises `LayoutError` for shapes that are none.
    """

    __slots__ = ("shapes",)
    fields = ("shapes",)
    kind = "drawings"
    picture = "shapes"

    shapes: tuple[Shape, ...]

    def __init__(self, shapes: Iterable[Shape | Mapping[str, Any]]) -> None:
        found = tuple(map(_checked, checked_list(shapes, "shapes")))
        if len(found) > MOST_SHAPES:
            raise LayoutError(f"{len(found):,} shapes; at most {MOST_SHAPES:,} are possible")
        self._fill(shapes=found)

    @property
    def digits_alike(self) -> bool:
        """True: it does not depend on digits."""
        return True

    def linked(self, layout: Layout) -> Iterable[tuple[Cell, Cell]]:
        """No pairs."""
        return ()

    @classmethod
    def sentences(cls, rules: Sequence[Self], layout: Layout) -> Iterable[str]:
        """One, with the number of shapes of each kind."""
        shapes = shapes_in_words(shape for rule in rules for shape in rule.shapes)
        yield f"The drawings ({shapes}) may mean rules that this program does not know."

    def __str__(self) -> str:
        return f"drawings: {shapes_in_words(self.shapes)}"


def shapes_in_words(shapes: Iterable[Shape]) -> str:
    """The number of shapes of each kind.

    >>> shapes_in_words([Shape("line"), Shape("circle"), Shape("circle")])
    '1 line and 2 circles'
    """
    numbers: dict[str, int] = {}
    for shape in shapes:
        numbers[shape.kind] = numbers.get(shape.kind, 0) + 1
    names = {"cage": "cages without a rule", "light": "lights in the fog"}
    found = [
        f"{number} {names[kind]}" if number > 1 and kind in names else counted(number, SHAPES[kind])
        for kind, number in numbers.items()
    ]
    return listed(found, "and") if found else "no shapes"


def shapes_of(layout: Layout) -> list[Shape]:
    """The shapes of all `Drawings` among the rules of a layout."""
    return [s for rule in layout.rules if isinstance(rule, Drawings) for s in rule.shapes]


def doubt_of(layout: Layout) -> str:
    """Why a layout may lack rules of its puzzle, in a clause; "" for a layout without drawings.

    >>> from sudoku import Layout
    >>> doubt_of(Layout(2, 2).with_rules(Drawings([Shape("line")]), name="drawings"))
    '1 line may mean rules that were not read'
    """
    shapes = shapes_of(layout)
    return f"{shapes_in_words(shapes)} may mean rules that were not read" if shapes else ""


def _checked(value: object) -> Shape:
    """The shape, with points that are tuples; raises LayoutError for anything else."""
    try:
        shape = Shape(**value) if isinstance(value, Mapping) else value
    except TypeError:
        raise LayoutError(
            f"{shown(value)} is not a shape; use {', '.join(Shape._fields)}"
        ) from None
    if not isinstance(shape, Shape):
        raise LayoutError(f"{shown(value)} is not a shape; expected a Shape or its fields")
    kind: object = shape.kind
    if not isinstance(kind, str) or kind not in SHAPES:
        raise LayoutError(f"a shape of kind {shown(kind)}; use {', '.join(SHAPES)}")
    points = _checked_points(shape.points)
    for name in ("width", "height", "thickness"):
        if not _is_near(getattr(shape, name)) or getattr(shape, name) < 0:
            what = f"a shape with the {name} {shown(getattr(shape, name))}"
            raise LayoutError(f"{what}; it must be a number from 0 to {FARTHEST}")
    for name in ("color", "fill"):
        color = getattr(shape, name)
        if not isinstance(color, str) or not _COLOR.fullmatch(color):
            raise LayoutError(f"a shape with the {name} {shown(color)}; write it as #ff0000")
    text: object = shape.text
    if not isinstance(text, str) or len(text) > LONGEST_TEXT or not f"{text} ".isprintable():
        what = f"a shape with the text {shown(text)}"
        raise LayoutError(f"{what}; at most {LONGEST_TEXT} characters of one line are possible")
    under: object = shape.under
    if not isinstance(under, bool):
        raise LayoutError(f"a shape with under={shown(under)}; it must be true or false")
    return shape._replace(points=points)


def _checked_points(points: object) -> tuple[tuple[float, float], ...]:
    pairs = list(points) if is_iterable(points) else None
    if pairs is None or len(pairs) > MOST_POINTS:
        raise LayoutError(f"points must be a list of up to {MOST_POINTS} pairs of numbers")
    found = []
    for pair in pairs:
        numbers = tuple(pair) if is_iterable(pair) else ()
        if len(numbers) != 2 or not all(map(_is_near, numbers)):
            what = f"the point {shown(pair)}, which is not a row and a column"
            raise LayoutError(f"a shape with {what} from -{FARTHEST} to {FARTHEST}")
        found.append((numbers[0], numbers[1]))
    return tuple(found)


def _is_near(number: object) -> bool:
    """Whether a value is a number in the neighbourhood of a grid."""
    plain = isinstance(number, int | float) and not isinstance(number, bool)
    return plain and isfinite(number) and abs(number) <= FARTHEST  # type: ignore[arg-type]
