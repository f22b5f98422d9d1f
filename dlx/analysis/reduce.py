"""Preprocessing: a smaller problem with the same solutions, as by Knuth's Algorithm P.

Algorithm P (TAOCP 7.2.2.1; Knuth's program DLX-PRE) removes options that no solution contains, and
items that other items imply. The kernel finds both (`dlx/cpp/reduce/reduction.hpp`). This
module builds the smaller problem, and reports what was removed and why.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterable, Sequence
from itertools import compress
from math import inf
from typing import TYPE_CHECKING, Any

from dlx.core.numbering import NumberedProblem
from dlx.core.rows import Row, with_rows
from dlx.core.table import Table
from dlx.errors import counted

if TYPE_CHECKING:
    from dlx.core import kernel
    from dlx.core.numbering import SearchInput
    from dlx.search.options import SearchOptions

__all__ = ["amount_text", "reduce", "reducible"]

NONE = -1


Removed = tuple[dict[Any, Hashable], dict[Hashable, Hashable], tuple[Hashable, ...], int, bool]
"""The fields of a `dlx.Reduction` after its problem."""


def reduce(
    search_input: SearchInput, options: SearchOptions, *, work: int = -1
) -> tuple[Table, Removed]:
    """The smaller table of `Problem.reduced`, and what was removed, by the names in the original.

    After at most `work` steps of the kernel unless negative.
    """
    seconds = inf if options.timeout is None else options.timeout
    table, numbered, chosen = search_input
    loose = [index for index in chosen if not _is_forced(table, index)]
    if loose:
        table = with_rows(table, [Row(f"given-{index}", (1, 1), {index: 1}) for index in loose])
        numbered = NumberedProblem.of(table, None)
    found = _search(table, numbered, chosen, work=work, seconds=seconds)
    return _in_names(table, numbered, found)


def reducible(search_input: SearchInput, work: int) -> dict[str, Any]:
    """The numbers of options and items that `Problem.reduced` would remove, and of its rounds.

    After at most `work` steps of the kernel; otherwise "complete" is False.
    """
    table, numbered, chosen = search_input
    found = _search(table, numbered, chosen, work=work)
    return {
        "options": len(table) - _integers(found.blocker).count(NONE),
        "items": sum(into != rank for rank, into in enumerate(_integers(found.into))),
        "rounds": found.rounds,
        "complete": found.complete,
    }


def amount_text(options: int, of_options: int, items: int, of_items: int, rounds: int) -> str:
    """A text: how much was removed."""
    return (
        f"{options} of {counted(of_options, 'option')} and {items} of "
        f"{counted(of_items, 'item')} removed in {counted(rounds, 'round')}"
    )


def _search(
    table: Table,
    prepared: NumberedProblem,
    chosen: Sequence[int],
    *,
    work: int = -1,
    seconds: float = inf,
) -> kernel.Reduction:
    """The kernel's result, by rank and index. Negative `work`: no such limit."""
    return prepared.problem.reduce(chosen, _excluded(table, prepared), work, seconds)


def _is_forced(table: Table, given: int) -> bool:
    """Does the given cover an item exactly once, through which the smaller problem forces it?"""
    items = table.entry_item[table.start[given] : table.start[given + 1]]
    return any(not table.secondary[item] and item not in table.multiplicities for item in items)


def _excluded(table: Table, prepared: NumberedProblem) -> list[int]:
    """A flag for each rank: 1 if the item has a multiplicity. Empty if no item has one."""
    excluded = [0] * (len(table.items) if table.has_multiplicities else 0)
    for number in table.multiplicities:
        excluded[prepared.rank[number]] = 1
    return excluded


def _in_names(
    table: Table, prepared: NumberedProblem, found: kernel.Reduction
) -> tuple[Table, Removed]:
    items, rank = table.items, prepared.rank
    number_at = prepared.items_by_rank()
    into = _integers(found.into)
    merged, dropped = {}, []
    kept = bytearray(len(items))  # a flag for each item, by number
    for number, place in enumerate(rank):
        if into[place] == place:
            kept[number] = True
        elif into[place] == NONE:
            dropped.append(items[number])
        else:
            merged[items[number]] = items[number_at[into[place]]]
    blocker = _integers(found.blocker)
    blocked = {
        table.name_of(index): items[number_at[place]]
        for index, place in enumerate(blocker)
        if place != NONE
    }
    left = _part(table, rank, kept, blocker, found)
    return left, (blocked, merged, tuple(dropped), found.rounds, found.complete)


def _part(
    table: Table, rank: array[int], kept: bytearray, blocker: array[int], found: kernel.Reduction
) -> Table:
    """The table of the items and options that are left."""
    part = Table(open_items=table.open_items)
    part.items = list(compress(table.items, kept))
    part.item_numbers = {item: number for number, item in enumerate(part.items)}
    part.secondary = bytearray(compress(table.secondary, kept))
    part.multiplicities = {
        part.item_numbers[table.items[number]]: bounds
        for number, bounds in table.multiplicities.items()
    }
    number_of = array("i", rank)  # the new number of the item of each rank
    for number, place in enumerate(compress(rank, kept)):
        number_of[place] = number
    part.start, part.entry_item, part.entry_color = map(_integers, found.rows(number_of))
    if table.has_weights:
        left = (index for index, by in enumerate(blocker) if by == NONE)
        part.set_weights(_weights_of(table, left, kept))
    part.color_names = table.color_names.copy()
    part.color_numbers = table.color_numbers.copy()
    if len(part) < len(table):
        part.set_names(table.name_of(index) for index, by in enumerate(blocker) if by == NONE)
    elif table.names is not None:
        part.set_names(table.names)
    part.costs = array("q", compress(table.costs, (by == NONE for by in blocker)))
    part.cost_total = sum(map(abs, part.costs))
    return part


def _weights_of(table: Table, options: Iterable[int], kept: bytearray) -> array[int]:
    """The weights of these options' entries, without those of items that are not kept."""
    weights = array("i")
    for index in options:
        entries = slice(table.start[index], table.start[index + 1])
        pairs = zip(table.entry_item[entries], table.entry_weight[entries], strict=True)
        weights.extend(weight for item, weight in pairs if kept[item])
    return weights


def _integers(data: bytes) -> array[int]:
    numbers = array("i")
    numbers.frombytes(data)
    return numbers
