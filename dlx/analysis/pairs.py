"""Incompatible options, and options that imply others, as items: see `Problem.with_pairs`.

No option is added, so the solutions are solutions of the problem itself, each as often as before.

* Options that are incompatible share a secondary item.
* "a implies b" needs an item that tells whether b is chosen, from the options that are chosen in
  its place. Of an item of b with the bounds low and high, all chosen options but b cover at least
  low if b is not chosen, and at most high - w if it is, where w is how often b covers it. If
  low > high - w, as for every item that is covered exactly once, then a new item that may be
  covered `high` times, by the others as before and by a w times, excludes just a without b.
* If b has no such item, but a has: the others of that item cover it low times unless a is chosen.
  A new item that must be covered low times, by the others as before and by b as often as a covers
  the old one, excludes the same.

For an item that is covered exactly once, the first is a secondary item of a and of all that exclude
b, the second an item that b or an option instead of a must cover.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from dlx.core.arguments import is_list_like
from dlx.core.rows import Row, with_rows
from dlx.core.table import Table
from dlx.errors import InvalidArgument, quote

__all__ = ["with_pairs"]


def with_pairs(table: Table, incompatible: object, implied: object) -> Table:
    """The table of `Problem.with_pairs`. O(items + entries)."""
    rows = [
        Row(f"incompatible-{number}", None, dict.fromkeys(group, 1))
        for number, group in enumerate(_groups(table, incompatible, "incompatible"))
    ]
    pairs = _groups(table, implied, "implied")
    if pairs:
        options = _options_by_item(table)
        rows += [
            _implication(table, options, one, other, number)
            for number, (one, other) in enumerate(pairs)
        ]
    return with_rows(table, rows)


def _groups(table: Table, groups: Any, what: str) -> list[list[int]]:
    """The groups of options, by index. Raises `InvalidArgument` and `UnknownOption`."""
    if isinstance(groups, Mapping) or not is_list_like(groups):
        raise InvalidArgument(f"{what} is {quote(groups)}; give a list of pairs of option names")
    found = []
    for group in groups:
        listed = list(group) if is_list_like(group) else []
        if len(listed) < 2 or (what == "implied" and len(listed) > 2):
            raise InvalidArgument(f"{what} has {quote(group)}; give pairs of option names")
        numbers = list(map(table.index_of, listed))
        if len({*numbers}) < len(numbers):
            raise InvalidArgument(f"{what} has {quote(group)}, which names an option twice")
        found.append(numbers)
    return found


def _options_by_item(table: Table) -> dict[int, dict[int, int]]:
    """For each primary item, the options that cover it, and how often each does."""
    options: dict[int, dict[int, int]] = {}
    for option in range(len(table)):
        for item, _, weight in table.row(option):
            if not table.secondary[item]:
                options.setdefault(item, {})[option] = weight
    return options


def _implication(
    table: Table, options: Mapping[int, Mapping[int, int]], one: int, other: int, number: int
) -> Row:
    """The row that excludes solutions with the option `one` but without `other`."""
    label = f"implied-{number}"
    for item in _deciding(table, options, other):
        high = table.bounds_of(item)[1]
        assert high is not None
        weights = {option: w for option, w in options[item].items() if option != other}
        weights[one] = weights.get(one, 0) + options[item][other]
        if weights[one] <= high:
            return Row(label, None if high == 1 else (0, high), weights)
    for item in _deciding(table, options, one):
        low = table.bounds_of(item)[0]
        weights = {option: w for option, w in options[item].items() if option != one}
        weights[other] = weights.get(other, 0) + options[item][one]
        return Row(label, (low, None), weights)
    names = [quote(table.name_of(option)) for option in (one, other)]
    raise InvalidArgument(
        f"implied has the pair {names[0]}, {names[1]}, but no item tells whether one of them is "
        f"chosen; give {names[1]} an item of its own, which must be covered once, and add an "
        "option with only this item, for solutions without it"
    )


def _deciding(table: Table, options: Mapping[int, Mapping[int, int]], option: int) -> Iterable[int]:
    """The items of an option that tell whether it is chosen, those with fewest options first."""
    found: list[int] = []
    for item, _, weight in table.row(option):
        low, high = table.bounds_of(item)
        if high is not None and low > high - weight:
            found.append(item)
    return sorted(found, key=lambda item: len(options[item]))
