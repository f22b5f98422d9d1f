"""The rotations of the cells of a problem that are symmetries: `distinct="rotations"`.

`dlx.core.cells` reads the cells from the names of items, or else of options. A rotation maps the
set of all cells to itself. It is a symmetry of the problem if options follow in one of three ways,
all of which keep products. The way with the most rotations is used, the first of equals:

* Items that are no cells stay, and an option goes to that whose name has the rotated cells (options
  with the same items may have different names, such as the paths over the same cells).
* Items that are no cells stay, and options go where their items go: pieces on a board.
* Options go to those with the rotated cells, in the order of the problem if there are several, and
  items where their options go: rows and columns, digits in cells.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, TypeVar

from dlx.analysis.symmetry.images import ImageFinder, Images
from dlx.core.cells import Cell, cells_of, square_of, turns
from dlx.core.kernel import check_cancelled
from dlx.core.table import Table
from dlx.errors import InvalidArgument, UnknownOption

__all__ = ["rotations"]

Rotation = dict[Cell, Cell]
Mappings = tuple[Mapping[Any, Any] | None, Mapping[Any, Any] | None]
T = TypeVar("T", bound=Hashable)

NO_CELLS: Final = (
    "rotations need cells: items such as '3,4', 'r3c4', (3, 4) or (0, 3, 4) in space, or options "
    "with such names; for other problems, problem.symmetries(generators=...) makes a group of "
    "mappings that you give"
)


def rotations(table: Table, finder: ImageFinder) -> list[Images]:
    """The rotations of the cells that are symmetries, but for the identity.

    Raises `InvalidArgument` if there are no cells. O(entries log entries) for each rotation.
    """
    items = cells_of(table.items)
    rows = [[table.items[entry[0]] for entry in table.row(at)] for at in range(len(table))]
    names = [table.name_of(index) for index in range(len(table))]
    if items:
        places = [tuple(sorted(items[item] for item in row if item in items)) for row in rows]
    else:
        places = _places_by_name(names, rows)
    turned = _turned({cell for cells in places for cell in cells} | {*items.values()})

    def by_name(rotation: Rotation) -> Mappings:
        return {name: _rotated(name, rotation) for name in names}, by_item(rotation)[1]

    def by_item(rotation: Rotation) -> Mappings:
        moved = _matched(items.values(), [rotation[cell] for cell in items.values()])
        listed = list(items)
        return None, {item: listed[to] for item, to in zip(listed, moved, strict=True)}

    def by_place(rotation: Rotation) -> Mappings:
        wanted = [tuple(sorted(rotation[cell] for cell in cells)) for cells in places]
        moved = _matched(places, wanted)
        return {name: names[to] for name, to in zip(names, moved, strict=True)}, None

    best: list[Images] = []
    for way in (by_name, by_item, by_place) if items else (by_place,):
        found = []
        for rotation in turned:
            check_cancelled()
            with suppress(InvalidArgument, UnknownOption):
                found.append(finder.images(*way(rotation)))
        best = max(best, found, key=len)
        if len(best) == len(turned):
            break
    return best


def _places_by_name(
    names: Sequence[Hashable], rows: Sequence[Sequence[Hashable]]
) -> list[tuple[Cell, ...]]:
    """The cell of each option: its name, or for unnamed options the row and the column in it."""
    cells: Mapping[Hashable, Cell | None] = cells_of(names)
    if not cells:
        cells = dict(zip(names, map(square_of, rows), strict=True))
    found = map(cells.get, names)
    places: list[tuple[Cell, ...]] = [() if cell is None else (cell,) for cell in found]
    if not any(places):
        raise InvalidArgument(NO_CELLS)
    return places


def _turned(cells: set[Cell]) -> list[Rotation]:
    """The rotations that map this set to itself, but for the identity."""
    found = []
    dimensions = len(next(iter(cells)))
    for turn in turns(dimensions, mirror=False):
        images = {cell: turn(cell) for cell in cells}
        by = [
            min(cell[axis] for cell in cells) - min(image[axis] for image in images.values())
            for axis in range(dimensions)
        ]
        moved = {
            cell: tuple(a + b for a, b in zip(image, by, strict=True))
            for cell, image in images.items()
        }
        if cells.issuperset(moved.values()):
            found.append(moved)
    return found[1:]


def _rotated(name: Hashable, rotation: Rotation) -> Hashable:
    """The name with all cells in it rotated."""
    if not isinstance(name, tuple):
        return name
    if name in rotation:
        return rotation[name]
    return tuple(_rotated(part, rotation) for part in name)


def _matched(keys: Iterable[T], wanted: Iterable[T]) -> list[int]:
    """For each wanted key the number of an equal one: the n-th for the n-th.

    Raises `InvalidArgument` if there are too few of one.
    """
    numbers: defaultdict[T, list[int]] = defaultdict(list)
    for number, key in enumerate(keys):
        numbers[key].append(number)
    taken = {key: iter(several) for key, several in numbers.items()}
    found = [next(taken[key], None) if key in taken else None for key in wanted]
    if None in found:
        raise InvalidArgument("this is no symmetry")
    return [number for number in found if number is not None]
