"""The points of penpa+'s grids, and its drawings as shapes.

Points are numbered: first the centers of all cells row by row, then the lower right corners of all
cells, the middles of their lower edges, those of their right edges, then four points in the corners
of each cell, and four near its edges. The cells include two more on each side of the grid.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any, Final, NamedTuple

from sudoku.board.cells import Cell
from sudoku.errors import PuzzleError
from sudoku.formats.editors.sudokupad_drawings import text_of
from sudoku.rules.drawings import FARTHEST, MOST_SHAPES, Shape

__all__ = ["Points", "drawn_shapes"]

Json = dict[str, Any]
Place = tuple[float, float]

_CORNERS: Final = ((-0.25, -0.25), (-0.25, 0.25), (0.25, -0.25), (0.25, 0.25))
_SIDES: Final = ((-0.3, 0.0), (0.0, 0.3), (0.0, -0.3), (0.3, 0.0))
_LINES: Final = {
    3: "#208020", 5: "#999999", 6: "#999999", 7: "#777777", 8: "#ff0000", 9: "#187bcd",
    30: "#208020", 40: "#999999",
}  # fmt: skip
_FILLS: Final = {
    1: "#444444", 2: "#b3ffb3", 3: "#cccccc", 4: "#000000", 5: "#c0e0ff", 6: "#ffa3a3",
    7: "#ffffa3", 8: "#999999", 9: "#ffb3ff", 10: "#ffcc80", 11: "#cc99ff", 12: "#eecab1",
}  # fmt: skip
_TEXTS: Final = {2: "#4c9900", 3: "#999999", 8: "#187bcd", 9: "#0000ff", 10: "#ff0000"}
_CIRCLES: Final = {  # fill and border
    1: ("#ffffff", "#000000"), 2: ("#000000", "#000000"), 3: ("#cccccc", ""), 4: ("", "#000000"),
    5: ("#cccccc", "#000000"), 6: ("#ffffff", "#999999"), 7: ("#ffffff", ""),
    8: ("#ffffff", "#000000"), 9: ("#cccccc", "#000000"), 10: ("#ffffff", "#000000"),
    11: ("#ff0000", "#ff0000"), 12: ("#208020", "#208020"), 13: ("", "#000000"),
}  # fmt: skip
_SIZES: Final = {"L": 0.86, "M": 0.7, "S": 0.44, "SS": 0.26, "LL": 1.0}
"""The diameters of circles and the widths of squares, by the ends of their names."""


class Points(NamedTuple):
    """The points of a grid: how many cells are in a row and in a column, and where it begins."""

    wide: int
    high: int
    top: int
    left: int
    side: int

    def place(self, point: int | str) -> Place:
        """The rows and columns of a point from the upper left corner of the grid.

        >>> Points(13, 13, 2, 2, 9).place(28), Points(13, 13, 2, 2, 9).place(169 + 28)
        ((0.5, 0.5), (1.0, 1.0))
        """
        number, size = int(str(point).removesuffix("E")), self.wide * self.high
        kind, rest = divmod(number, size)
        down, right = 0.0, 0.0
        if kind < 4:
            down, right = ((0, 0), (0.5, 0.5), (0.5, 0), (0, 0.5))[kind]
        elif 4 <= kind < 12:
            rest, part = divmod(number % (4 * size), 4)
            down, right = (_CORNERS if kind < 8 else _SIDES)[part]
        else:
            raise ValueError(f"{number} is not a point of the grid")
        row, column = divmod(rest, self.wide)
        return row - self.top + 0.5 + down, column - self.left + 0.5 + right

    def cell(self, point: int | str) -> Cell | None:
        """The cell whose center is a point; None for other points, and outside of the grid."""
        number = int(str(point).removesuffix("E"))
        return self._cell(number) if 0 <= number < self.wide * self.high else None

    def cell_around(self, point: int | str) -> Cell | None:
        """The cell in which a point lies; None outside of the grid."""
        row, column = self.place(point)
        inside = 0 <= row < self.side and 0 <= column < self.side
        return (int(row) + 1, int(column) + 1) if inside else None

    def corner_key(self, cell: Cell) -> str:
        """The number of the point in the upper left corner of a cell, as a key."""
        number = (cell[0] - 1 + self.top) * self.wide + cell[1] - 1 + self.left
        return str(4 * self.wide * self.high + 4 * number)

    def beside(self, first: int, second: int) -> list[Cell]:
        """The two cells beside a line between two corners; cells may be outside of the grid.

        An empty list for a line that is not the edge of a cell.
        """
        size = self.wide * self.high
        if not (size <= first < 2 * size and size <= second < 2 * size):
            return []
        row, column = divmod(first - size, self.wide)
        row, column = row - self.top + 1, column - self.left + 1
        if second - first == 1:
            return [(row, column + 1), (row + 1, column + 1)]
        if second - first == self.wide:
            return [(row + 1, column), (row + 1, column + 1)]
        return []

    def diagonals(self) -> Iterator[tuple[int, list[tuple[int, int]], list[Cell]]]:
        """The place of each diagonal's flag in the first line, its lines and its cells."""
        size, n = self.wide * self.high, self.side
        start = size + (self.top - 1) * self.wide + self.left - 1
        falling = [start + at * (self.wide + 1) for at in range(n + 1)]
        rising = [start + n + at * (self.wide - 1) for at in range(n + 1)]
        numbers = range(1, n + 1)
        yield 11, list(pairwise(falling)), [(k, k) for k in numbers]
        yield 14, list(pairwise(rising)), [(k, n + 1 - k) for k in numbers]

    def _cell(self, number: int) -> Cell | None:
        row, column = divmod(number, self.wide)
        row, column = row - self.top + 1, column - self.left + 1
        inside = 1 <= row <= self.side and 1 <= column <= self.side
        return (row, column) if inside else None


def drawn_shapes(drawing: Json, points: Points) -> list[Shape]:
    """The shapes of a drawing, as the editor stores it.

    Raises `PuzzleError` for too many, and other errors for values of wrong types.
    """
    shapes = [*_surfaces(drawing, points)]
    for name in ("line", "lineE", "freeline", "freelineE", "wall"):
        shapes += _segments(drawing.get(name) or {}, points)
    for name, kind in (
        ("thermo", "line"),
        ("nobulbthermo", "line"),
        ("arrows", "arrow"),
        ("direction", "arrow"),
        ("squareframe", "line"),
        ("polygon", "line"),
    ):
        for item in drawing.get(name) or ():
            places = tuple(map(points.place, item))
            thick = 20 if kind == "line" and name != "polygon" else 4
            shapes += [Shape(kind, places, color="#999999", thickness=thick)] if places else []
    cages = {points.cell_around(end) for key in drawing.get("cage") or {} for end in _ends(key)}
    for cells in [*(drawing.get("killercages") or ()), sorted(filter(None, cages))]:
        places = tuple(
            (cell[0] - 0.5, cell[1] - 0.5) if isinstance(cell, tuple) else points.place(cell)
            for cell in cells
        )
        shapes += [Shape("cage", places)] if places else []
    shapes += [_symbol(points.place(key), item) for key, item in _items(drawing, "symbol")]
    for name, height in (("number", 0.6), ("numberS", 0.3)):
        for key, item in _items(drawing, name):
            size = height if name == "numberS" or str(item[2]) in ("1", "10") else 0.35
            color = _TEXTS.get(item[1], "")
            shapes.append(
                Shape("text", (points.place(key),), 0, size, color, text=text_of(item[0]))
            )
    shapes += [Shape("mark") for _ in drawing.get("deletelineE") or {}]
    if len(shapes) > MOST_SHAPES:
        raise PuzzleError(f"more than {MOST_SHAPES:,} drawings")
    return [shape for shape in shapes if _is_near(shape)]


def _is_near(shape: Shape) -> bool:
    return all(abs(part) <= FARTHEST for point in shape.points for part in point)


def _items(drawing: Json, name: str) -> Iterable[tuple[str, Any]]:
    return (drawing.get(name) or {}).items()


def _surfaces(drawing: Json, points: Points) -> Iterator[Shape]:
    for key, style in _items(drawing, "surface"):
        if style:
            fill = _FILLS.get(style, "#cccccc")
            yield Shape("rectangle", (points.place(key),), 1, 1, fill=fill, under=True)


def _ends(key: str) -> list[str]:
    return key.split(",")[:2]


def _segments(lines: Json, points: Points) -> Iterator[Shape]:
    """The lines of one kind; segments of a style that go on are joined."""
    by_style: dict[Any, dict[str, list[str]]] = {}
    for key, style in lines.items():
        if "," not in key:  # a cross on a border
            yield Shape("mark", (points.place(key),), 0.2, 0.2)
            continue
        first, second = _ends(key)
        ends = by_style.setdefault(style, {})
        ends.setdefault(first, []).append(second)
        ends.setdefault(second, []).append(first)
    for style, ends in by_style.items():
        color, thickness = _LINES.get(style, "#000000"), 12 if style == 6 else 5
        for path in _paths(ends):
            yield Shape("line", tuple(map(points.place, path)), color=color, thickness=thickness)


def _paths(ends: dict[str, list[str]]) -> Iterator[list[str]]:
    """Paths that have each segment once: first those from an end or a fork, then the loops."""
    left = {point: list(others) for point, others in ends.items()}
    starts = [point for point, others in left.items() if len(others) != 2]
    for start in [*starts, *left]:
        while left[start]:
            path = [start]
            while left[path[-1]] and (len(path) == 1 or len(ends[path[-1]]) == 2):
                here = path[-1]
                there = left[here].pop()
                left[there].remove(here)
                path.append(there)
            yield path


def _symbol(place: Place, item: Any) -> Shape:
    """A circle or a square; any other symbol is a mark with its name."""
    style, name = item[0], str(item[1])
    form, _, size = name.partition("_")
    if form in ("circle", "square") and size in _SIZES and style in _CIRCLES:
        fill, border = _CIRCLES[style]
        wide = _SIZES[size]
        kind = "circle" if form == "circle" else "rectangle"
        return Shape(kind, (place,), wide, wide, border, fill, 1 if border else 0)
    return Shape("mark", (place,), 0.5, 0.5)
