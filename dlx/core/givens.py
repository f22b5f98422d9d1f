"""Options that a caller demands: from their names to their indices, and what can be wrong."""

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
        return []  # by far the most frequent case, and short of two slow questions
    if isinstance(given, str | bytes):
        raise UnknownOption(f"given is the text {quote(given)}; give a list of option names")
    if not isinstance(given, Iterable):
        raise UnknownOption(f"given is {quote(given)}; give a list of option names")
    return list(map(table.index_of, given))


def check_given(table: Table, prepared: NumberedProblem, given: Iterable[Hashable]) -> list[int]:
    """The indices of these options. Raises `UnknownOption`, and `GivenClash` if two clash."""
    chosen = indices_of(table, given)
    clash = prepared.problem.clash(chosen) if chosen else None
    if clash is not None:
        earlier, later, rank = clash
        raise clash_between(table, prepared, chosen[earlier], chosen[later], rank)
    return chosen


def clash_between(
    table: Table, prepared: NumberedProblem, earlier: int, later: int, rank: int
) -> GivenClash:
    """What to raise for two options, by index, that cannot both be given; `rank`: their item's."""
    names = [quote(table.name_of(index)) for index in (earlier, later)]
    if earlier == later:
        return GivenClash(f"option {names[0]} is given twice")
    number = prepared.rank.index(rank)
    item = table.items[number]
    if number in table.multiplicities:
        high = table.multiplicities[number][1]
        return GivenClash(
            f"the given option {names[1]} is one too many: item {quote(item)} may be covered "
            f"{counted(high, 'time')} at most"
        )
    return GivenClash(
        f"the given options {names[0]} and {names[1]} clash: both contain item {quote(item)}"
    )
