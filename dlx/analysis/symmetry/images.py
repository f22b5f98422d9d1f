"""Checks whether a mapping of options, of items, or of both is a symmetry of a problem.

A caller may give the images of the options alone, or of the items alone; the others follow. A
mapping that is no symmetry is refused with an error that names an option or an item without image.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dlx.analysis.symmetry.kinds import item_kinds
from dlx.errors import InvalidArgument, quote

if TYPE_CHECKING:
    from dlx.core.numbering import NumberedProblem
    from dlx.core.table import Table

__all__ = ["ImageFinder", "Images"]

Images = tuple[list[int], list[int]]
"""The image of each item by number, and of each option by index."""

Entry = tuple[int, int, int]
"""An item or an option, the color, and the weight."""


class ImageFinder:
    """Finds the images of all items and options under a mapping of some.

    `option_kind` is what symmetries keep of options.
    """

    def __init__(self, table: Table, numbered: NumberedProblem, option_kind: Sequence[int]) -> None:
        self._table = table
        by_rank = item_kinds(table, numbered)
        self._item_kind = [by_rank[rank] for rank in numbered.rank]
        self._option_kind = option_kind
        self._rows = [list(table.row(index)) for index in range(len(table))]

    def images(self, options: Mapping[Any, Any] | None, items: Mapping[Any, Any] | None) -> Images:
        """The images under mappings of names; None: they follow from the other mapping.

        What a mapping does not name, it does not move. Raises `InvalidArgument` if this is no
        symmetry, `UnknownOption` and `UnknownItem`. O(entries log entries).
        """
        table = self._table
        of_items = of_options = None
        if options is not None:
            of_options = _permutation("option", options, table.index_of, len(table))
        if items is not None:
            of_items = _permutation("item", items, table.number_of, len(table.items))
        if of_items is None:
            of_items = self._items_under(of_options or list(range(len(table))))
        if of_options is None:
            of_options = self._options_under(of_items)
        self._check(of_items, of_options)
        return of_items, of_options

    # -- images that follow from others --------------------------------------------------------

    def _items_under(self, of_options: Sequence[int]) -> list[int]:
        """The images of the items if these are those of the options."""
        columns: list[list[Entry]] = [[] for _ in self._table.items]
        moved: list[list[Entry]] = [[] for _ in self._table.items]
        for index, row in enumerate(self._rows):
            for number, color, weight in row:
                columns[number].append((index, color, weight))
                moved[number].append((of_options[index], color, weight))
        waiting: dict[Hashable, list[int]] = {}
        for number in reversed(range(len(columns))):
            key = self._item_kind[number], _by_first_use(columns[number])
            waiting.setdefault(key, []).append(number)
        images = []
        for number, column in enumerate(moved):
            found = waiting.get((self._item_kind[number], _by_first_use(column)))
            if not found:
                raise InvalidArgument(
                    f"this is no symmetry: item {quote(self._table.items[number])} has no image; "
                    "no item of its kind is in exactly the images of its options"
                )
            images.append(found.pop())
        return images

    def _options_under(self, of_items: Sequence[int]) -> list[int]:
        """The images of the options if these are those of the items; colors keep their names."""
        waiting: dict[Hashable, list[int]] = {}
        for index in reversed(range(len(self._rows))):
            key = self._option_kind[index], tuple(sorted(self._rows[index]))
            waiting.setdefault(key, []).append(index)
        images = []
        for index, row in enumerate(self._rows):
            image = sorted((of_items[number], color, weight) for number, color, weight in row)
            found = waiting.get((self._option_kind[index], tuple(image)))
            if not found:
                shown = " ".join(self._entry_text(entry) for entry in image)
                raise InvalidArgument(
                    f"this is no symmetry: {self._title(index)} has no image; no other option of "
                    f"its kind has the items {quote(shown)}"
                )
            images.append(found.pop())
        return images

    # -- the check -----------------------------------------------------------------------------

    def _check(self, of_items: Sequence[int], of_options: Sequence[int]) -> None:
        """Raises `InvalidArgument` unless these images keep entries and kinds."""
        table = self._table
        for number, image in enumerate(of_items):
            if self._item_kind[number] != self._item_kind[image]:
                raise InvalidArgument(
                    f"this is no symmetry: it maps item {quote(table.items[number])} to "
                    f"{quote(table.items[image])}, which is not of its kind"
                )
        colors: dict[tuple[int, int], int] = {}  # (item, color) -> the color of the image
        origins: dict[tuple[int, int], int] = {}  # and back
        for index, row in enumerate(self._rows):
            image = of_options[index]
            under = {of_items[number]: (number, color, weight) for number, color, weight in row}
            fits = self._option_kind[index] == self._option_kind[image]
            fits = fits and len(row) == len(self._rows[image])
            for number, shade, times in self._rows[image] if fits else ():
                origin, color, weight = under.get(number, (-1, 0, 0))
                fits = fits and weight == times and bool(color) == bool(shade)
                if fits and color:
                    fits = colors.setdefault((origin, color), shade) == shade
                    fits = fits and origins.setdefault((number, shade), color) == color
            if not fits:
                raise InvalidArgument(
                    f"this is no symmetry: {self._title(index)} has no image; its items are not "
                    f"mapped to those of {self._title(image)}"
                )

    def _title(self, index: int) -> str:
        return self._table.title(index, self._table.name_of(index))

    def _entry_text(self, entry: Entry) -> str:
        number, color, weight = entry
        item = str(self._table.items[number])
        if color:
            return f"{item}:{self._table.color_names[color - 1]}"
        return f"{item}*{weight}" if weight > 1 else item


def _permutation(
    sort: str, mapping: Mapping[Any, Any], number_of: Callable[[Hashable], int], count: int
) -> list[int]:
    """The image of each number under a mapping of names."""
    if not isinstance(mapping, Mapping):
        raise InvalidArgument(f"{quote(mapping)} is no mapping of {sort}s; give a dictionary")
    images = list(range(count))
    origins: dict[int, Hashable] = {}
    for name, image in mapping.items():
        number = number_of(image)
        images[number_of(name)] = number
        if number in origins:
            raise InvalidArgument(
                f"this is no permutation: {sort}s {quote(origins[number])} and {quote(name)} are "
                f"both mapped to {quote(image)}"
            )
        origins[number] = name
    moved = {number_of(name) for name in mapping}
    for number, name in origins.items():
        if number not in moved:
            raise InvalidArgument(
                f"this is no permutation: {sort} {quote(name)} is mapped to "
                f"{quote(mapping[name])}, which has no image itself"
            )
    return images


def _by_first_use(column: list[Entry]) -> tuple[Entry, ...]:
    """The entries by option, with colors renumbered in this order."""
    numbers: dict[int, int] = {0: 0}
    return tuple(
        (index, numbers.setdefault(color, len(numbers)), weight)
        for index, color, weight in sorted(column)
    )
