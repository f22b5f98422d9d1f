"""Likely mistakes in a problem: what `Problem.warnings` returns and `dlx info` prints."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from dlx.core.multiplicity import ONCE
from dlx.errors import counted, quote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dlx.core.table import Table

__all__ = ["warnings"]


def warnings(table: Table) -> tuple[str, ...]:
    """A sentence about each likely mistake, those that rule out solutions first. O(entries)."""
    return (*_uncovered_items(table), *_equal_options(table))


def _uncovered_items(table: Table) -> Iterator[str]:
    """Items that the options cover never, or less often than their lower bounds."""
    totals = Counter(table.entry_item)
    for number, extra in table.extra_weights.items():
        totals[number] += extra
    bounds = table.multiplicities
    items = list(enumerate(map(quote, table.items)))
    for number, item in items:
        needed = not table.secondary[number] and bounds.get(number, ONCE)[0]
        if needed and not totals[number]:
            yield f"no option contains the primary item {item}: there is no solution"
    for number, (low, _) in bounds.items():
        if 0 < totals[number] < low:
            yield (
                f"all options together cover item {items[number][1]} "
                f"{counted(totals[number], 'time')}, and it needs {low}: there is no solution"
            )
    for number, item in items:
        if table.secondary[number] and not totals[number]:
            yield f"no option contains the secondary item {item}"


def _equal_options(table: Table) -> Iterator[str]:
    """Options with the same items, colors and weights as an earlier one."""
    start, item, color, weight = (
        table.start,
        table.entry_item,
        table.entry_color,
        table.entry_weight,
    )
    first_with: dict[frozenset[tuple[int, ...]], int] = {}
    for index in range(len(table)):
        entries = frozenset(
            (item[at], color[at] if color else 0, weight[at] if weight else 1)
            for at in range(start[index], start[index + 1])
        )
        before = first_with.setdefault(entries, index)
        if before != index:
            names = [quote(table.name_of(one)) for one in (before, index)]
            yield f"options {names[0]} and {names[1]} have the same items"
