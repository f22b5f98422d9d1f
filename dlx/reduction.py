"""Preprocessing: a smaller problem with the same solutions, in the spirit of Algorithm P.

Knuth's Algorithm P (TAOCP 7.2.2.1; his program DLX-PRE) removes options that no solution contains,
and items that need no covering of their own. The kernel finds both (reduction.hpp says how); this
side makes a problem of what is left, and says what went and why.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterable
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

from dlx.errors import InvalidArgument, counted
from dlx.givens import check_given
from dlx.search import check_timeout
from dlx.table import Table

if TYPE_CHECKING:
    from dlx import kernel
    from dlx.prepared import Prepared
    from dlx.problem import Problem

__all__ = ["Reduction", "explain", "reduce", "reducible"]

NONE = -1


class Reduction(NamedTuple):
    """What `Problem.reduced` tells.

    problem
        What is left. Its options have the names they had, so its solutions are solutions of the
        original as they stand, and there are no others.
    blocked
        The options that were removed, by name, each with a primary item that it would leave
        without options.
    merged
        The items that were removed because another does their work, each with that one: for a
        primary item one with the same options; for a secondary item one that all its options
        contain.
    dropped
        The secondary items that were removed because they kept no two options apart: only one
        option was left that has them, or all that have them give them the same color.
    rounds
        How many passes over the items it took to remove the options.
    complete
        True if no option is blocked any more: to reduce the problem again would remove nothing.
        False if the timeout came first.

    >>> import dlx
    >>> secondary = dlx.Problem(["a", "b"], ["x"])
    >>> index = secondary.add_option(["a", dlx.colored("x", 1)])
    >>> index = secondary.add_option(["b", dlx.colored("x", 1)])
    >>> index = secondary.add_option(["b", dlx.colored("x", 2)])
    >>> reduction = secondary.reduced()
    >>> reduction.blocked, reduction.merged, reduction.dropped
    ({2: 'a'}, {}, ('x',))
    """

    problem: Problem
    blocked: dict[Hashable, Hashable]
    merged: dict[Hashable, Hashable]
    dropped: tuple[Hashable, ...]
    rounds: int
    complete: bool

    @property
    def summary(self) -> str:
        """How many options and items were removed, in words."""
        options = len(self.problem) + len(self.blocked)
        gone = len(self.merged) + len(self.dropped)
        items = len(self.problem.items) + gone
        return _amount(len(self.blocked), options, gone, items, self.rounds)

    def __repr__(self) -> str:
        return f"<dlx reduction: {self.summary}{'' if self.complete else ', incomplete'}>"


def reduce(problem: Problem, given: Iterable[Hashable], timeout: float | None) -> Reduction:
    """Does the work of `Problem.reduced`."""
    timeout = check_timeout(timeout)
    table = problem._table
    prepared = problem._prepare(None)
    found = _search(table, prepared, given, seconds=-1.0 if timeout is None else timeout)
    return explain(problem, prepared, found)


def reducible(problem: Problem, work: int) -> str:
    """What `Problem.reduced` would do, in words, after so much work at most."""
    table = problem._table
    found = _search(table, problem._prepare(None), (), work=work)
    options = len(table) - _integers(found.blocker).count(NONE)
    items = sum(into != rank for rank, into in enumerate(_integers(found.into)))
    amount = _amount(options, len(table), items, len(table.items), found.rounds)
    return amount if found.complete else f"at least {amount}"


def _amount(options: int, of_options: int, items: int, of_items: int, rounds: int) -> str:
    return (
        f"{options} of {counted(of_options, 'option')} and {items} of "
        f"{counted(of_items, 'item')} removed in {counted(rounds, 'round')}"
    )


def _search(
    table: Table,
    prepared: Prepared,
    given: Iterable[Hashable],
    *,
    work: int = -1,
    seconds: float = -1.0,
) -> kernel.Reduction:
    """What the kernel finds: by rank and index. Negative `work` or `seconds`: no such limit."""
    chosen = check_given(table, prepared, given)
    alone = _left_alone(table, prepared)
    if chosen and alone:
        raise InvalidArgument(
            "a problem with multiplicities cannot be reduced under givens; leave them out here and "
            "give them to the search"
        )
    return prepared.problem.reduce(chosen, alone, work, seconds)


def _left_alone(table: Table, prepared: Prepared) -> list[int]:
    """A flag for each rank: may nothing be concluded from the item? Empty if from all."""
    alone = [0] * (len(table.items) if table.has_multiplicities else 0)
    for number in table.multiplicities:
        alone[prepared.rank[number]] = 1
    return alone


def explain(problem: Problem, prepared: Prepared, found: kernel.Reduction) -> Reduction:
    """The problem that is left, and what went, in the words of the original."""
    table = problem._table
    items, rank = table.items, prepared.rank
    number_at = array("i", rank)  # the number of the item of each rank
    for number, place in enumerate(rank):
        number_at[place] = number
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
    left = type(problem).__new__(type(problem))
    left.__setstate__((_part(table, rank, kept, blocker, found), False))
    return Reduction(left, blocked, merged, tuple(dropped), found.rounds, found.complete)


def _part(
    table: Table, rank: array[int], kept: bytearray, blocker: array[int], found: kernel.Reduction
) -> Table:
    """The table of what is left."""
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
    part.color_names = table.color_names.copy()
    part.color_numbers = table.color_numbers.copy()
    if len(part) < len(table):
        part.set_names(table.name_of(index) for index, by in enumerate(blocker) if by == NONE)
    elif table.names is not None:
        part.set_names(table.names)
    part.costs = array("q", compress(table.costs, (by == NONE for by in blocker)))
    part.cost_total = sum(map(abs, part.costs))
    return part


def _integers(data: bytes) -> array[int]:
    numbers = array("i")
    numbers.frombytes(data)
    return numbers
