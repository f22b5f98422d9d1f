"""The kernel's copy of a problem, with items and options numbered in search order.

Every engine searches items and options by ascending number. By default that is the order of
declaration; with a seed it is a random permutation of it. So randomised order is implemented here,
once for all engines.
"""

from __future__ import annotations

from array import array
from collections import Counter
from typing import TYPE_CHECKING

from dlx.core import kernel
from dlx.named_tuple import NamedTuple

if TYPE_CHECKING:
    from dlx.core.table import Table

__all__ = ["NumberedProblem", "SearchInput", "kernel_bounds"]


class NumberedProblem(NamedTuple):
    """The problem that the engines search, and the maps between its numbers and the table's."""

    problem: kernel.Problem
    rank: array[int]  # for each item of the table, its number here; primary items come first
    order: array[int] | None  # the options in the order of the search; None: as declared
    options: int  # how many the table had

    @classmethod
    def of(cls, table: Table, seed: int | None) -> NumberedProblem:
        """Numbers a table in order of declaration, or shuffled by a seed. O(items + entries)."""
        order = None if seed is None else array("i", _shuffled_options(table, seed))
        primary = table.secondary.count(0)
        rank = _ranks(table, primary, seed)
        colors = table.entry_color or None
        low, high = _bounds(table, primary, rank) if table.has_multiplicities else (None, None)
        weights = table.entry_weight or None
        problem = kernel.Problem(
            table.start, table.entry_item, colors, rank, order, primary, low, high, weights
        )
        return cls(problem, rank, order, len(table))

    def items_by_rank(self) -> array[int]:
        """The number in the table of each item, by its rank: the inverse of `rank`. O(items)."""
        numbers = array("i", self.rank)
        for number, rank in enumerate(self.rank):
            numbers[rank] = number
        return numbers


class SearchInput(NamedTuple):
    """The problem of a question: its table, its numbering, and the givens by index.

    The options that the call forbids are left out of both.
    """

    table: Table
    numbered: NumberedProblem
    given: list[int]

    def current(self, seed: int | None) -> SearchInput:
        """This, numbered again if another thread has added items or options since."""
        table, numbered = self.table, self.numbered
        if len(table) == numbered.options and len(table.items) == len(numbered.rank):
            return self
        return self._replace(numbered=NumberedProblem.of(table, seed))


_IDENTITY = array("i", range(64))  # a slice takes a tenth of the time of a new array


def _shuffled_options(table: Table, seed: int) -> list[int]:
    """The options, shuffled by a seed. Where some are forbidden, the others keep their order."""
    narrowing = table.narrowed_from
    if narrowing is None:
        return _shuffled(range(len(table)), f"options {seed}")
    index_of = {index: place for place, index in enumerate(narrowing.kept)}
    return [index_of[one] for one in _shuffled_options(narrowing.whole, seed) if one in index_of]


def _ranks(table: Table, primary: int, seed: int | None) -> array[int]:
    """The number of each item in search order: primary items first, as declared or shuffled."""
    count = len(table.items)
    if seed is None and not table.secondary.count(1, 0, primary):
        return _IDENTITY[:count] if count <= len(_IDENTITY) else array("i", range(count))
    items = list(range(count)) if seed is None else _shuffled(range(count), f"items {seed}")
    items.sort(key=table.secondary.__getitem__)  # stable
    rank = array("i", bytes(4 * count))
    for place, item in enumerate(items):
        rank[item] = place
    return rank


def _bounds(table: Table, primary: int, rank: array[int]) -> tuple[array[int], array[int]]:
    """The lower and the upper bounds of the primary items' multiplicities, in search order."""
    low, high = array("i", [1]) * primary, array("i", [1]) * primary
    for item, (least, most) in kernel_bounds(table).items():
        low[rank[item]], high[rank[item]] = least, most
    return low, high


def kernel_bounds(table: Table) -> dict[int, tuple[int, int]]:
    """The bounds of the items with multiplicities, by number, as the engines take them.

    "No upper bound" becomes the number of times that all options together cover the item, or low if
    that is larger. A bound above that number is cut to it plus 1, so that it fits into 32 bits.
    O(items), or O(entries) if an item has no upper bound.
    """
    open_ended = any(high is None for _, high in table.multiplicities.values())
    counts = Counter(table.entry_item) if open_ended else None
    bounds = {}
    for item, (low, high) in table.multiplicities.items():
        options = len(table) if counts is None else counts[item]
        total = options + table.extra_weights.get(item, 0)
        most = max(1, low, total) if high is None else high
        bounds[item] = (min(low, total + 1), min(most, total + 1))
    return bounds


def _shuffled(numbers: range, seed: str) -> list[int]:
    """The numbers in an order that depends only on the seed, not on the version of Python.

    `random.Random.random` is guaranteed to stay the same; `random.shuffle` is not.
    """
    from random import Random

    draw = Random(seed).random
    keys = [draw() for _ in numbers]
    return sorted(numbers, key=keys.__getitem__)
