"""Adds items to the options that a table has: `with_rows`.

A row is a new item with the options that cover it. All constraints that this package makes for a
caller, such as incompatible pairs of options, are rows: so every engine can keep them.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from dlx.core.multiplicity import Bounds
    from dlx.core.table import Table

__all__ = ["Row", "with_rows"]


class Row(NamedTuple):
    """A new item, and how often options, by index, cover it.

    label
        A text that every file format takes; "'" is added to it until no item has that name.
    bounds
        The multiplicity; None for a secondary item.
    weights
        By option; at most the upper bound.
    """

    label: str
    bounds: Bounds | None
    weights: Mapping[int, int]


def with_rows(table: Table, rows: Iterable[Row]) -> Table:
    """A copy of the table in which options cover the items of these rows, too.

    Options keep their indices, names and costs. O(items + entries).
    """
    own = table.copy()
    added: dict[int, list[tuple[int, int]]] = {}
    for label, bounds, weights in rows:
        while label in own.item_numbers:
            label += "'"
        for option, weight in weights.items():
            added.setdefault(option, []).append((len(own.items), weight))
        own.add_item(label, secondary=bounds is None, multiplicity=bounds or 1)
    tinted = bool(own.entry_color)
    weighted = own.entry_weight or array("i", [1]) * len(own.entry_item)
    start, items, tints, times = array("i", [0]), array("i"), array("i"), array("i")
    done = 0
    for option in [*sorted(added), len(own)]:  # len(own): the options after these
        last = min(option + 1, len(own))
        entries = slice(own.start[done], own.start[last])
        start.extend(
            [bound - own.start[done] + len(items) for bound in own.start[done + 1 : last + 1]]
        )
        items.extend(own.entry_item[entries])
        tints.extend(own.entry_color[entries])
        times.extend(weighted[entries])
        for number, weight in added.get(option, ()):
            items.append(number)
            times.append(weight)
            tints.extend([0] * tinted)
        start[-1] = len(items)
        done = last
    own.start, own.entry_item, own.entry_color = start, items, tints
    own.set_weights(times)
    own.check_weights()
    return own
