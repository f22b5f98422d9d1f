"""Givens, the options that every solution must contain: their indices, and their checks."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING

from dlx.errors import GivenClash, UnknownOption, counted, quote

if TYPE_CHECKING:
    from dlx.core.numbering import NumberedProblem
    from dlx.core.table import Table

__all__ = ["check_given", "clash_between", "indices_of"]


def indices_of(table: Table, given: Iterable[Hashable]) -> list[int]:
    """The indices of the options of these names. Raises `UnknownOption`."""
    if type(given) is tuple and not given:
        return []  # the most frequent case, without the slow isinstance checks below
    if isinstance(given, str | bytes):
        raise UnknownOption(f"given is the text {quote(given)}; give a list of option names")
    if not isinstance(given, Iterable):
        raise UnknownOption(f"given is {quote(given)}; give a list of option names")
    return list(map(table.index_of, given))


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
