"""A problem renumbered into the order in which it is to be searched.

Engines know one order only: items by number, options by number. The default search has them as
declared; a seeded search is the same search after a shuffle. So every engine is random in the same
way, and none has to know.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, NamedTuple

from dlx.core import kernel

if TYPE_CHECKING:
    from dlx.core.table import Table

__all__ = ["NumberedProblem", "SearchInput"]


class NumberedProblem(NamedTuple):
    """What the engines search, and how its numbers lead back to the table."""

    problem: kernel.Problem
    rank: array[int]  # of each item: its place among the items, primary ones first
    order: array[int] | None  # the options as they are tried; None: as they are

    @classmethod
    def of(cls, table: Table, seed: int | None) -> NumberedProblem:
        """Renumbers a table: as declared, or shuffled by a seed. O(items + entries)."""
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
    """A problem ready to be searched: its table, the numbering, and the givens by index."""

    table: Table
    numbered: NumberedProblem
    given: list[int]


def _ranks(table: Table, primary: int, seed: int | None) -> array[int]:
    """The place of each item: primary ones first, as declared or shuffled."""
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
    """How often each primary item is to be covered, at least and at most, by its place.

    More than all options is more than enough, and as good as any larger number.
    """
    low, high = array("i", [1]) * primary, array("i", [1]) * primary
    enough = len(table) + 1
    for item, (least, most) in table.multiplicities.items():
        low[rank[item]], high[rank[item]] = min(least, enough), min(most, enough)
    return low, high


def _shuffled(numbers: range, seed: str) -> list[int]:
    """The numbers, from 0, in an order that depends on the seed alone, not on Python's version."""
    from random import Random

    draw = Random(seed).random
    keys = [draw() for _ in numbers]
    return sorted(numbers, key=keys.__getitem__)
