"""Givens, the options that every solution must contain, and forbidden options, which none may.

A search under givens takes them before it begins. A search without forbidden options is a search of
a smaller problem: `allowed` makes its table, so that no engine knows about them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING

from dlx.core.arguments import is_iterable
from dlx.core.table import Narrowing
from dlx.errors import GivenClash, UnknownOption, counted, quote

if TYPE_CHECKING:
    from dlx.core.numbering import NumberedProblem
    from dlx.core.table import Table

__all__ = [
    "allowed",
    "check_forbidden",
    "check_given",
    "clash_between",
    "indices_of",
    "residual",
]


def indices_of(table: Table, given: Iterable[Hashable], keyword: str = "given") -> list[int]:
    """The indices of the options of these names. Raises `UnknownOption`."""
    if type(given) is tuple and not given:
        return []  # the most frequent case, without the slow isinstance checks below
    if isinstance(given, str | bytes):
        raise UnknownOption(f"{keyword} is the text {quote(given)}; give a list of option names")
    if not is_iterable(given):
        raise UnknownOption(f"{keyword} is {quote(given)}; give a list of option names")
    return list(map(table.index_of, given))


def allowed(
    table: Table, given: Iterable[Hashable], forbid: Iterable[Hashable]
) -> tuple[Table, list[Hashable]]:
    """The table without the options that `forbid` names, and the names of the givens as a list.

    It is the table itself if nothing is forbidden.
    Raises `UnknownOption`, and `GivenClash` for an option that is forbidden twice, or given as
    well. All else about givens is checked by `check_given`, with the smaller table.
    O(items + entries).
    """
    chosen = indices_of(table, given)
    forbidden = check_forbidden(table, chosen, forbid)
    names = [table.name_of(index) for index in chosen]
    if not forbidden:
        return table, names
    narrowed = table.without(forbidden)
    left_out = set(forbidden)
    kept = [index for index in range(len(narrowed) + len(forbidden)) if index not in left_out]
    narrowed.narrowed_from = Narrowing(table, kept, forbidden)
    return narrowed, names


def check_forbidden(
    table: Table, chosen: list[int], forbid: Iterable[Hashable], keyword: str = "forbid"
) -> list[int]:
    """The indices of the options to be forbidden; `chosen` are those of the givens."""
    forbidden = indices_of(table, forbid, keyword)
    seen: set[int] = set()
    for index in forbidden:
        if index in seen:
            done = "forbidden" if keyword == "forbid" else "named"
            raise GivenClash(f"option {quote(table.name_of(index))} is {done} twice")
        seen.add(index)
    for index in chosen:
        if index in seen:
            raise GivenClash(f"option {quote(table.name_of(index))} is both given and forbidden")
    return forbidden


def check_given(table: Table, numbered: NumberedProblem, given: Iterable[Hashable]) -> list[int]:
    """The indices of the options of these names; `numbered` is the problem of `table`.

    Raises `UnknownOption`, and `GivenClash` if no solution can contain two of them.
    """
    chosen = indices_of(table, given)
    clash = numbered.problem.clash(chosen) if chosen else None
    if clash is not None:
        earlier, later, rank = clash
        raise clash_between(table, numbered, chosen[earlier], chosen[later], rank)
    return chosen


def residual(table: Table, chosen: Sequence[int]) -> Table:
    """The table that is left when the options of these indices, which do not clash, are taken.

    It is without them, without the items that they have finished, and without the options that
    conflict with them. The search of it is that of the whole table under these givens.
    O(items + entries).
    """
    if not chosen:
        return table.copy()
    out = set(chosen)
    covered: dict[int, int] = {}  # how often, by item
    colors: dict[int, int] = {}
    for index in out:
        for number, color, weight in table.row(index):
            if color:
                colors[number] = color
            else:
                covered[number] = covered.get(number, 0) + weight
    left = {}  # the bounds of items that may be covered more often
    for number, times in covered.items():
        low, high = table.bounds_of(number)
        if times != high:
            left[number] = max(0, low - times), None if high is None else high - times
    for index in range(len(table)):
        for number, color, weight in table.row(index):
            high = left[number][1] if number in left else None
            if (number in colors and color != colors[number]) or (high or weight) < weight:
                out.add(index)
    narrowed = table.without_items(covered.keys() - left.keys(), out)
    for number, bounds in left.items():
        narrowed.set_multiplicity(table.items[number], bounds)
    return narrowed


def clash_between(
    table: Table, numbered: NumberedProblem, earlier: int, later: int, rank: int
) -> GivenClash:
    """The error for two given options, by index, that share the item of rank `rank`."""
    names = [quote(table.name_of(index)) for index in (earlier, later)]
    if earlier == later:
        return GivenClash(f"option {names[0]} is given twice")
    number = numbered.rank.index(rank)
    item = table.items[number]
    if number in table.multiplicities:
        high = table.multiplicities[number][1]
        return GivenClash(
            f"the given option {names[1]} is one too many: item {quote(item)} may be covered "
            f"{counted(high or 0, 'time')} at most"
        )
    return GivenClash(
        f"the given options {names[0]} and {names[1]} clash: both contain item {quote(item)}"
    )
