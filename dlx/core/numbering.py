"""The kernel's copy of a problem, with items and options numbered in search order.

Every engine searches items and options by ascending number. By default that is the order of
declaration; with a seed it is a random permutation of it. So randomised order is implemented here,
once for all engines.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, NamedTuple

from dlx.core import kernel

if TYPE_CHECKING:
    from dlx.core.table import Table

__all__ = ["NumberedProblem", "SearchInput"]


class NumberedProblem(NamedTuple):
    """The problem that the engines search, and the maps between its numbers and the table's."""

    problem: kernel.Problem
    rank: array[int]  # for each item of the table, its number here; primary items come first
    order: array[int] | None  # the options in the order of the search; None: as declared

    @classmethod
    def of(cls, table: Table, seed: int | None) -> NumberedProblem:
        """Numbers a table in order of declaration, or shuffled by a seed. O(items + entries)."""
        order = None
        if seed is not None:
            order = array("i", _shuffled(range(len(table)), f"options {seed}"))
        primary = table.secondary.count(0)
        rank = _ranks(table, primary, seed)
        colors = table.entry_color or None
        bounds = _bounds(table, primary, rank) if table.has_multiplicities else (None, None)
        problem = kernel.Problem(
            table.start, table.entry_item, colors, rank, order, primary, *bounds
        )
        return cls(problem, rank, order)


class SearchInput(NamedTuple):
    """The problem of a search: its table, its numbering, and the givens by index."""

    table: Table
    numbered: NumberedProblem
    given: list[int]


def _ranks(table: Table, primary: int, seed: int | None) -> array[int]:
    """The number of each item in search order: primary items first, as declared or shuffled."""
    count = len(table.items)
    if seed is None and not table.secondary.count(1, 0, primary):
        return array("i", range(count))
    items = list(range(count)) if seed is None else _shuffled(range(count), f"items {seed}")
    items.sort(key=table.secondary.__getitem__)  # stable
    rank = array("i", bytes(4 * count))
    for place, item in enumerate(items):
        rank[item] = place
    return rank


def _bounds(table: Table, primary: int, rank: array[int]) -> tuple[array[int], array[int]]:
    """The lower and the upper bounds of the primary items' multiplicities, in search order.

    A bound above the number of options is cut to that number plus 1, so that it fits into 32 bits.
    """
    low, high = array("i", [1]) * primary, array("i", [1]) * primary
    enough = len(table) + 1
    for item, (least, most) in table.multiplicities.items():
        low[rank[item]], high[rank[item]] = min(least, enough), min(most, enough)
    return low, high


def _shuffled(numbers: range, seed: str) -> list[int]:
    """The numbers in an order that depends only on the seed, not on the version of Python.

    `random.Random.random` is guaranteed to stay the same; `random.shuffle` is not.
    """
    from random import Random

    draw = Random(seed).random
    keys = [draw() for _ in numbers]
    return sorted(numbers, key=keys.__getitem__)
