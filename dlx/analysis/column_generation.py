"""Column generation: the linear relaxation over more options than a problem can list.

The linear program has a few of the options, its columns. Each turn solves it, and asks the caller's
pricing function for options whose cost is less than the prices of their items: these are added.
When there are none, the program has the least cost over all options, and the prices prove it.

The proof is in integers, as in `dlx.analysis.relaxation`, and so is every comparison here: prices
are multiples of a unit, rounded so that no known option costs less than its prices. So no option is
added twice, but for one that is chosen once already, where more of it would be cheaper.

Sources: Gilmore and Gomory, "A linear programming approach to the cutting stock problem", 1961; the
bound before the end is that of Lasdon, "Optimization theory for large systems", 1970.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Any, NamedTuple

from dlx.analysis.relaxation import Relaxation, TableProgram, relaxation_of
from dlx.core.arguments import check_cost, is_list_like
from dlx.core.costs import ScaledCosts
from dlx.core.entries import Colored, Times, check_weight
from dlx.errors import InvalidArgument, SearchInterrupted, quote

if TYPE_CHECKING:
    from dlx.core.table import Table

__all__ = ["Generated", "GenerationArguments", "PricingFunction", "generate"]

PENALTY = 10  # of artificial columns: this many times the largest cost, at first
STEP = 1000  # it becomes this many times larger while it is needed at the end
LARGEST_PENALTY = 10.0**10  # beyond it the solvers fail; more for costs above `LARGEST_COST`
LARGEST_COST = 2**30
NEGLIGIBLE = 1e-7  # artificial cover

PricingFunction = Callable[[dict[Any, float]], Iterable[Sequence[Any]] | None]
"""From the prices of items to options: pairs of items and a cost, or triples with a name."""


class GenerationArguments(NamedTuple):
    """The keywords of `dlx.column_generation`."""

    exact: bool
    most: int | None
    copies: bool
    iterations: int | None
    engine: str


class Generated(NamedTuple):
    """What `generate` has found: the fields of `dlx.ColumnGeneration`."""

    relaxation: Relaxation[Any] | None
    bound: int | None
    complete: bool
    stopped_by: str | None
    iterations: int
    columns: int


def generate(
    table: Table, price: PricingFunction, arguments: GenerationArguments, until: float
) -> Generated:
    """Adds columns to the table until the pricing function finds none, or until a limit."""
    if table.entry_color:
        raise InvalidArgument("column generation takes no problem with colors")
    loop = _Loop(table, arguments)
    stopped_by = None
    try:
        while not loop.done:
            loop.solve(until)
            if loop.turns == arguments.iterations:
                stopped_by = "iterations"
                break
            loop.add(price(loop.prices()))
            if time.monotonic() >= until and not loop.done:
                stopped_by = "timeout"
                break
    except SearchInterrupted:
        stopped_by = "timeout"
    return loop.result(stopped_by)


class _Loop:
    """The state of a column generation."""

    def __init__(self, table: Table, arguments: GenerationArguments) -> None:
        self._table, self._arguments = table, arguments
        self._first = len(table)
        self._penalty = self._next_penalty(0.0)
        self._program = TableProgram(
            table,
            arguments.engine,
            table.every_cost(),
            penalty=self._penalty,
            copies=arguments.copies,
        )
        self._solved = False  # is the program solved, with all columns, at this penalty?
        self._bound: int | None = None
        self.turns = 0  # calls of the pricing function
        self.done = False

    def _next_penalty(self, before: float) -> float:
        """The next cost of artificial columns; no more than before at the end."""
        cost = max(1, *map(abs, self._table.costs), 1)
        largest = LARGEST_PENALTY * max(1.0, cost / LARGEST_COST)
        return max(before, min(largest, max(float(PENALTY * cost), before * STEP)))

    def solve(self, until: float) -> None:
        """Solves the linear program of the known columns."""
        table = self._table
        self._program.extended(table, self._arguments.engine, table.every_cost())
        self._program.solve(until)
        self._proof = self._program.proof(safe=True)
        self._solved = True

    def prices(self) -> dict[Hashable, float]:
        """The prices of items, as floats, which are exact."""
        per = self._proof.per_cost
        return {
            item: price / per
            for item, price in zip(self._table.items, self._proof.prices, strict=True)
        }

    def add(self, columns: object) -> None:
        """Adds the columns that the pricing function has returned."""
        self.turns += 1
        self._solved = False
        least = 0
        added = False
        for items, given_cost, name in _read(columns):
            cost = check_cost(given_cost, f"the column {quote(items)}")
            reduced = self._reduced(items, cost)
            if reduced >= 0:
                continue
            least = min(least, reduced)
            self._table.add_option(items, name, cost)
            added = True
        most = self._arguments.most
        if self._arguments.exact and (not least or most is not None):
            self._use(Fraction(self._proof.bound + least * (most or 0), self._proof.per_cost))
        if added:
            return
        penalty = self._next_penalty(self._penalty)
        if self._program.artificial() > NEGLIGIBLE and penalty > self._penalty:
            self._penalty = penalty
            self._program.open(penalty)
            return
        self._solved = self.done = True

    def _use(self, bound: Fraction) -> None:
        whole = ceil(bound)
        self._bound = whole if self._bound is None else max(self._bound, whole)

    def _reduced(self, items: Sequence[Hashable], cost: int) -> int:
        """The reduced cost of a column, in the unit of the proof."""
        table, prices, total = self._table, self._proof.prices, 0
        for entry in items:
            if isinstance(entry, Colored):
                raise InvalidArgument(
                    f"price returned {quote(items)}: column generation takes no colors"
                )
            item, weight = entry, 1
            if isinstance(entry, Times):
                item = entry.item
                weight = check_weight(f"the column {quote(items)}", item, entry.weight)
            total += weight * prices[table.number_of(item)]
        return cost * self._proof.per_cost - total

    def result(self, stopped_by: str | None) -> Generated:
        """What is known now."""
        program, table = self._program, self._table
        feasible = self._solved and program.artificial() <= NEGLIGIBLE
        columns = len(table) - self._first
        found = None
        if feasible:
            names = range(len(table)) if table.names is None else table.names
            scaled = ScaledCosts(table.costs)
            found = relaxation_of(program, scaled, table.items, names, exact=False)
        if self._arguments.copies:
            self._add_multiples()
        complete = self.done and self._arguments.exact
        return Generated(found, self._bound, complete, stopped_by, self.turns, columns)

    def _add_multiples(self) -> None:
        """Adds 2, 4, 8, ... times each option, so that a solution may have any number of it."""
        table = self._table
        self._program.extended(table, self._arguments.engine, table.every_cost())
        for option, cost in enumerate(table.every_cost()):
            times, entries = 2, table.entries(option)
            while times <= self._program.copies_of(option):
                name = Times(table.name_of(option), times)
                table.add_option([_multiple(one, times) for one in entries], name, times * cost)
                times *= 2


def _multiple(entry: Hashable, times: int) -> Times:
    if isinstance(entry, Times):
        return Times(entry.item, times * entry.weight)
    return Times(entry, times)


def _read(columns: object) -> Iterator[tuple[list[Hashable], object, Hashable]]:
    """The items, the cost and the name of each column that a pricing function has returned."""
    if columns is None:
        return
    if isinstance(columns, Mapping) or not is_list_like(columns):
        raise InvalidArgument(
            f"price returned {quote(columns)}; it must return a list of columns, each a pair of "
            "items and a cost, or None"
        )
    for column in columns:
        if isinstance(column, Sequence) and not isinstance(column, str) and 2 <= len(column) <= 3:
            items, cost, *name = column
            if is_list_like(items):
                yield list(items), cost, name[0] if name else None
                continue
        raise InvalidArgument(
            f"price returned the column {quote(column)}; a column is a pair of items and a cost, "
            "or these and a name"
        )
