"""A problem as sums of variables that are 0 or 1: what CNF, MPS, LP and the SAT engine share.

Each option has a variable: is it chosen? So has each color of an item, where it takes one to say
which options agree: does the item have this color? Then the problem is a list of *sums*, one for
each item, that have a lowest and a highest value, and *implications* from options to colors::

    p:  x1 + x2         = 1       option 1 = {p x:A},  option 2 = {p x},
    q:  x3 + x4         = 1       option 3 = {q x:A},  option 4 = {q x:B}
    x:  x5 + x2 + x4   <= 1       x5: item x has color A
    x1 implies x5, x3 implies x5  (color B has one option, which speaks for itself)

A secondary item may have one of its colors or one of the options that want it without color, which
agree with nobody: at most one of all these.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from dlx.core.multiplicity import ONCE

if TYPE_CHECKING:
    from dlx.core.table import Table

__all__ = ["Relations", "Sum", "all_relations", "bounds_of", "relate"]

PAUSE = 20_000  # entries between two places where `relate` can be interrupted


class Sum(NamedTuple):
    """At least `low` and at most `high` of these variables are 1; `item`: whose number it is."""

    item: int
    variables: list[int]
    low: int
    high: int


class Relations(NamedTuple):
    """Variables are numbered from 1: options in their order, then colors."""

    options: int
    colors: list[tuple[int, int]]  # of each variable beyond those of options: item, color number
    implications: list[tuple[int, int]]  # the first variable implies the second
    sums: list[Sum]

    @property
    def variables(self) -> int:
        """How many variables there are."""
        return self.options + len(self.colors)

    def loose(self) -> set[int]:
        """The options of which one solution may have more than another: all items have leeway.

        O(entries). Without multiplicities there are none.
        """
        loose = set(range(1, self.options + 1))
        for total in self.sums:
            if total.low == total.high:
                loose.difference_update(total.variables)
        return loose


def bounds_of(table: Table, item: int) -> tuple[int, int]:
    """How often an item may be covered, at least and at most."""
    return (0, 1) if table.secondary[item] else table.multiplicities.get(item, ONCE)


def relate(
    table: Table, options: int, rank: Sequence[int], order: Sequence[int] | None = None
) -> Generator[None, None, Relations]:
    """The relations of the first `options` options and of the items that have a rank.

    Sums come by rank, options in that `order`. A generator, so that it can be interrupted; what it
    returns in the end is the result. O(items + entries).
    """
    uses: list[dict[int, list[int]]] = [{} for _ in rank]  # of each item: color -> variables
    done = 0
    for variable, option in enumerate(range(options) if order is None else order, start=1):
        first, last = table.start[option], table.start[option + 1]
        colors = table.entry_color[first:last] or [0] * (last - first)
        for item, color in zip(table.entry_item[first:last], colors, strict=True):
            uses[item].setdefault(color, []).append(variable)
        done += last - first
        if done >= PAUSE:
            done = 0
            yield
    relations = Relations(options, [], [], [])
    for item in sorted(range(len(rank)), key=rank.__getitem__):
        _add_sum(relations, item, uses[item], *bounds_of(table, item))
        done += 1
        if done >= PAUSE:
            done = 0
            yield
    return relations


def _add_sum(
    relations: Relations, item: int, uses: dict[int, list[int]], low: int, high: int
) -> None:
    """Adds what there is to say about one item."""
    variables = list(uses.pop(0, ()))
    if len(uses) == 1 and not variables:
        return  # one color, and no option that wants it otherwise
    for color, users in uses.items():
        if len(users) == 1:
            variables += users
            continue
        relations.colors.append((item, color))
        variables.append(relations.variables)
        relations.implications.extend((user, relations.variables) for user in users)
    if low or high < len(variables):
        relations.sums.append(Sum(item, variables, low, high))


def all_relations(table: Table) -> Relations:
    """The relations of a whole table, as declared."""
    primary_first = sorted(range(len(table.items)), key=table.secondary.__getitem__)
    rank = [0] * len(primary_first)
    for place, item in enumerate(primary_first):
        rank[item] = place
    work = relate(table, len(table), rank)
    while True:
        try:
            next(work)
        except StopIteration as end:
            relations: Relations = end.value
            return relations
