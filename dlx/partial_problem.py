"""A part of a problem, searched by the engines: some items, the others taken out of all options.

For questions that are hard in another way than explanations: that there *is* a solution. There the
fastest engine is the best.
"""

from __future__ import annotations

from array import array
from collections.abc import Container, Sequence
from typing import TYPE_CHECKING

from dlx import kernel

if TYPE_CHECKING:
    from dlx.table import Table

__all__ = ["is_possible"]

MOST_ENTRIES = 200_000  # more take too long to be read again and again
SLICE = 0.01  # seconds between looks at the nodes


def is_possible(
    table: Table, kept: Container[int], given: Sequence[int], nodes: int, seconds: float
) -> tuple[bool | None, int]:
    """Is there a solution of these items (by number) with these options given?

    Returns None if that is not known after so many nodes or `seconds` (negative: no such limit),
    and the number of nodes searched, but `nodes` if it is more: what is returned depends on nodes
    alone unless the time is up. The given options must not clash. O(entries), and the search.
    """
    if len(table.entry_item) > MOST_ENTRIES:
        return None, 0
    laid = _lay(table, kept, given)
    if laid is None:
        return None, 0
    problem, places = laid
    search = kernel.Search(problem, places, None, "auto", "mrv")
    while True:
        left = seconds - search.stats[4]
        found = search.skip(1, SLICE if seconds < 0 else max(0.0, min(SLICE, left)))
        spent = search.stats[0]
        if spent > nodes:
            return None, nodes
        if found or search.finished:
            return bool(found), spent
        if 0 <= seconds <= search.stats[4]:
            return None, spent


def _lay(
    table: Table, kept: Container[int], given: Sequence[int]
) -> tuple[kernel.Problem, list[int]] | None:
    """The part as a problem of its own, and where the given options are there.

    Options that have become equal are there once, those that nothing would choose are not. None if
    that is true of a given option: engines could not take it.
    """
    numbers = [number for number in range(len(table.items)) if number in kept]
    numbers.sort(key=table.secondary.__getitem__)
    rank = {number: place for place, number in enumerate(numbers)}
    primary = sum(not table.secondary[number] for number in numbers)
    start, item, color = array("i", [0]), array("i"), array("i")
    places: dict[tuple[tuple[int, int], ...], int] = {}
    forced: dict[int, int] = {}
    chosen = set(given)
    for index in range(len(table)):
        first, last = table.start[index], table.start[index + 1]
        colors = table.entry_color[first:last] or [0] * (last - first)
        entries = tuple(
            sorted(
                (rank[number], shade)
                for number, shade in zip(table.entry_item[first:last], colors, strict=True)
                if number in rank
            )
        )
        if not entries or entries[0][0] >= primary:
            if index in chosen:
                return None
            continue
        place = places.setdefault(entries, len(places))
        if index in chosen:
            forced[index] = place
        if place == len(start) - 1:
            item.extend(number for number, _ in entries)
            color.extend(shade for _, shade in entries)
            start.append(len(item))
    ranks = array("i", range(len(numbers)))
    problem = kernel.Problem(start, item, color if any(color) else None, ranks, None, primary)
    return problem, [forced[index] for index in given]
