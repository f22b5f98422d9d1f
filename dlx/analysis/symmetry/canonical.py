"""The canonical form of a problem, and isomorphisms: see `Problem.canonical`.

The kernel puts items and options into a canonical order (`dlx/cpp/symmetry/search.hpp`). Items
and options are then numbered in this order, and the colors of each item in the order of their first
use. Two problems are isomorphic if and only if the results are equal.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Hashable
from typing import TYPE_CHECKING, NamedTuple

from dlx.analysis.symmetry.kinds import STRUCTURE, item_kinds, kernel_limits, option_kinds
from dlx.core.stats import Stats
from dlx.core.table import Table
from dlx.errors import SearchInterrupted

if TYPE_CHECKING:
    from dlx.core.numbering import SearchInput
    from dlx.search.options import SearchOptions

__all__ = ["Isomorphism", "canonical_table", "find_isomorphism"]


class Isomorphism(NamedTuple):
    """A one-to-one mapping of all options and items of a problem to those of another.

    It maps the items of each option to those of its image, with the same multiplicities and
    weights; colors are renamed, for each item in a way of its own.
    """

    options: dict[Hashable, Hashable]
    items: dict[Hashable, Hashable]


class _Canonical(NamedTuple):
    table: Table
    items: list[int]  # the numbers of the items in canonical order
    options: list[int]  # the indices of the options in canonical order


def canonical_table(search_input: SearchInput, options: SearchOptions, *, costs: bool) -> Table:
    """The table of what `Problem.canonical` returns."""
    return _canonical(search_input, options, costs=costs).table


def find_isomorphism(
    search_input: SearchInput, options: SearchOptions, *, onto: SearchInput, costs: bool
) -> Isomorphism | None:
    """What `Problem.is_isomorphic` returns: a mapping onto another problem."""
    one, other = search_input.table, onto.table
    kernel_limits(options.node_limit)  # raises if it is invalid
    if _sizes(one) != _sizes(other):
        return None
    ours = _canonical(search_input, options, costs=costs)
    theirs = _canonical(onto, options, costs=costs)
    if not _equal(ours.table, theirs.table):
        return None
    images = dict(zip(ours.options, theirs.options, strict=True))
    item_images = dict(zip(ours.items, theirs.items, strict=True))
    return Isomorphism(
        {one.name_of(index): other.name_of(images[index]) for index in range(len(one))},
        {item: other.items[item_images[number]] for number, item in enumerate(one.items)},
    )


def _sizes(table: Table) -> tuple[object, ...]:
    """What isomorphic problems have in common, at a glance."""
    return (
        len(table),
        table.secondary.count(0),
        table.secondary.count(1),
        len(table.entry_item),
        sorted(str(bounds) for bounds in table.multiplicities.values()),
    )


def _equal(one: Table, other: Table) -> bool:
    """Whether these canonical tables are equal."""
    return all(getattr(one, column) == getattr(other, column) for column in (*STRUCTURE, "costs"))


def _canonical(search_input: SearchInput, options: SearchOptions, *, costs: bool) -> _Canonical:
    started = time.monotonic()
    table, numbered, _ = search_input
    nodes, work = kernel_limits(options.node_limit)
    kinds = item_kinds(table, numbered), option_kinds(table, costs=costs)
    orders = numbered.problem.canonical(*kinds, nodes, work)
    if orders is None:
        seconds = time.monotonic() - started
        spent = max(nodes, 0)
        raise SearchInterrupted(
            "node_limit", count=0, stats=Stats(spent, spent, 0, (spent,), seconds)
        )
    ranks, order = orders
    number_at = numbered.items_by_rank()
    items = [number_at[rank] for rank in ranks]
    return _Canonical(_renumbered(table, items, order, costs=costs), items, order)


def _renumbered(table: Table, items: list[int], options: list[int], *, costs: bool) -> Table:
    """The table with items, options and colors numbered in these orders."""
    result = Table(open_items=False)
    place = [0] * len(items)
    for new, number in enumerate(items):
        place[number] = new
        secondary = bool(table.secondary[number])
        result.add_item(new, secondary=secondary, multiplicity=table.multiplicities.get(number, 1))
    colors: dict[tuple[int, int], int] = {}  # (item, color) -> the new color
    used = [0] * len(items)  # colors of each item
    start, entry_item = array("i", [0]), array("i")
    entry_color, entry_weight = array("i"), array("i")
    for index in options:
        first, last = table.start[index], table.start[index + 1]
        for entry in sorted(range(first, last), key=lambda at: place[table.entry_item[at]]):
            number = table.entry_item[entry]
            entry_item.append(place[number])
            if table.entry_weight:
                entry_weight.append(table.entry_weight[entry])
            if table.entry_color:
                key = number, table.entry_color[entry]
                if key[1] and key not in colors:
                    used[number] += 1
                    colors[key] = used[number]
                entry_color.append(colors.get(key, 0))
        start.append(len(entry_item))
    result.adopt(start, entry_item, entry_color, entry_weight)
    if costs:
        result.set_costs([table.costs[at] if at < len(table.costs) else 0 for at in options])
    return result
