"""Cells of the plane and of space: rotated, placed, and read from names of items or of options.

* "3,4", (3, 4) and "r3c4" are cells of the plane. So is ("cell", 3, 4), with any word, if all such
  names have the same word.
* "0,3,4" and (0, 3, 4) are cells of space: the layer, the row, the column.
* "r3" or ("row", 3) is a row, "c4" or ("column", 4) a column; with one of each, an option is a
  square of a chessboard.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import partial
from itertools import permutations, product
from operator import add
from typing import Final

__all__ = [
    "Cell",
    "Placement",
    "Shape",
    "Turn",
    "cells_of",
    "line_of",
    "orientations_of",
    "placements",
    "square_of",
    "turns",
]

Cell = tuple[int, ...]
"""Two or three integers."""

Shape = Mapping[Cell, int]
"""Cells and their colors; 0 for none."""

Placement = tuple[str, tuple[Cell, ...]]
"""An option's name: a piece and its cells."""

Turn = Callable[[Cell], Cell]

_CELL = re.compile(r"(?:(\d{1,9}),)?(-?\d{1,9}),(-?\d{1,9})|r(\d{1,9})c(\d{1,9})", re.ASCII)
_LINE = re.compile(r"(r|row|c|col|column)[ _]?(\d{1,9})", re.ASCII)
_LETTERS: Final = {"r": "r", "row": "r", "c": "c", "col": "c", "column": "c"}
_LARGEST: Final = 10**9  # of a coordinate in a tuple, as in texts


def cells_of(names: Iterable[Hashable]) -> dict[Hashable, Cell]:
    """The cell of each name that is one; beside cells of space, those of the plane are layer 0.

    >>> cells_of(["3,4", "T", "r5c6"])
    {'3,4': (3, 4), 'r5c6': (5, 6)}
    >>> cells_of([("cell", 3, 4), ("piece", "T")])
    {('cell', 3, 4): (3, 4)}
    """
    names = list(names)
    cells = {name: cell for name in names if (cell := _cell(name)) is not None}
    cells = cells or _named_cells(names)
    dimensions = max(map(len, cells.values()), default=0)
    return {name: (0, *cell)[-dimensions:] for name, cell in cells.items()}


def _cell(name: Hashable) -> Cell | None:
    """The cell of a name such as "3,4", "r3c4" or (3, 4); None for others."""
    if isinstance(name, str) and (match := _CELL.fullmatch(name)):
        plane = int(match[2] or match[4]), int(match[3] or match[5])
        return plane if match[1] is None else (int(match[1]), *plane)
    if isinstance(name, tuple) and len(name) in (2, 3) and all(map(_is_number, name)):
        return None if len(name) == 3 and name[0] < 0 else name
    return None


def _named_cells(names: Iterable[Hashable]) -> dict[Hashable, Cell]:
    """The cells such as ("cell", 3, 4); none if their first words differ."""
    cells: dict[Hashable, Cell] = {}
    words = set()
    for name in names:
        if isinstance(name, tuple) and len(name) == 3 and all(map(_is_number, name[1:])):
            word, row, column = name
            if isinstance(word, str):
                cells[name] = row, column
                words.add(word)
    return cells if len(words) == 1 else {}


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < _LARGEST


def line_of(item: Hashable) -> tuple[str, int] | None:
    """The letter r or c and the number of a row or column such as r3 or ("row", 3), or None."""
    if isinstance(item, str) and (match := _LINE.fullmatch(item)):
        return _LETTERS[match[1]], int(match[2])
    if isinstance(item, tuple) and len(item) == 2 and _is_number(item[1]):
        kind, number = item
        letter = _LETTERS.get(kind.lower()) if isinstance(kind, str) else None
        return None if letter is None else (letter, number)
    return None


def square_of(entries: Iterable[Hashable]) -> tuple[int, int] | None:
    """The square of an option that has exactly one row and one column."""
    lines = [line for entry in entries if (line := line_of(entry)) is not None]
    found = dict(lines)
    return (found["r"], found["c"]) if len(lines) == len(found) == 2 else None


def turns(dimensions: int, *, mirror: bool) -> Iterator[Turn]:
    """The signed permutations of the axes; without `mirror`, those that are rotations.

    >>> [turn((1, 2)) for turn in turns(2, mirror=False)]
    [(1, 2), (-1, -2), (2, -1), (-2, 1)]
    """
    for axes in permutations(range(dimensions)):
        swaps = sum(a > b for place, a in enumerate(axes) for b in axes[place + 1 :])
        for signs in product((1, -1), repeat=dimensions):
            if mirror or (swaps + signs.count(-1)) % 2 == 0:  # the determinant is 1
                yield partial(_turned, tuple(zip(axes, signs, strict=True)))


def _turned(axes_and_signs: Iterable[tuple[int, int]], cell: Cell) -> Cell:
    return tuple(sign * cell[axis] for axis, sign in axes_and_signs)


# In the plane a piece may be turned over. In space no hand can reflect it.
_TURNS: Final = {2: list(turns(2, mirror=True)), 3: list(turns(3, mirror=False))}


def orientations_of(shape: Shape) -> list[Shape]:
    """The different orientations of a shape, each sorted, with its first cell moved to the origin.

    >>> [list(turned) for turned in orientations_of({(5, 5): 0, (5, 6): 0})]
    [[(0, 0), (0, 1)], [(0, 0), (1, 0)]]
    """
    found = {}
    for turn in _TURNS[len(next(iter(shape)))]:
        cells = sorted((turn(cell), color) for cell, color in shape.items())
        first = cells[0][0]
        moved = (tuple(a - b for a, b in zip(cell, first, strict=True)) for cell, _ in cells)
        turned = dict(zip(moved, (color for _, color in cells), strict=True))
        found[tuple(turned.items())] = turned
    return list(found.values())


def placements(
    shapes: Mapping[str, Shape],
    region: Iterable[Cell],
    allowed: Mapping[int, frozenset[Cell]],
    check: Callable[[int], object],
) -> dict[Placement, tuple[Hashable, ...]]:
    """An option for each place of each shape: its items are the shape and the cells.

    `region` has the cells in order, `allowed` those that a cell of each color may take. `check`
    gets the number of entries before they are made. O(shapes * orientations * cells), and the
    entries.
    """
    places: list[tuple[str, Shape, list[Cell]]] = []
    entries, cells = 0, list(region)
    for name, shape in shapes.items():
        for turned in orientations_of(shape):
            starts = cells
            for cell, color in reversed([*turned.items()]):  # the last is outside most often
                free = allowed[color]
                starts = [start for start in starts if _moved(cell, start) in free]
            places.append((name, turned, starts))
            entries += len(starts) * (1 + len(turned))
            check(entries)
    return {
        (name, place): (name, *place)
        for name, turned, starts in places
        for start in starts
        for place in [tuple(_moved(cell, start) for cell in turned)]
    }


def _moved(cell: Cell, by: Cell) -> Cell:
    return tuple(map(add, cell, by))
