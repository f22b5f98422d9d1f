"""The linear relaxation of a problem: see `dlx.Problem.relaxation`.

Each option has a column from 0 to 1, each item a row: the sum of `dlx.formats.relations`, with the
colors of secondary items as columns of their own. A linear program has the least cost of all these
columns, which is a lower bound on the cost of every solution.

The solvers compute in floating point. An exact bound does not depend on their errors: prices are
rounded to multiples of a unit, and the bound that they prove, whatever they are, is computed in
integers::

    bound = sum over rows of     price * low if price > 0, else price * high
          + sum over columns of  reduced cost * upper bound if it is negative, else * lower bound
    reduced cost = cost - sum over the rows of the column of price * weight

Prices are rounded down. So the reduced cost of a column that is 0 in exact numbers is 0 or more.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Hashable, Iterable, Iterator, Sequence
from copy import copy
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate, chain, compress, repeat
from math import floor, frexp, inf
from typing import TYPE_CHECKING, Any, Generic, NamedTuple

from dlx.analysis.linear_program import open_program
from dlx.core import kernel, portable
from dlx.core.costs import ScaledCosts, scaled_costs
from dlx.core.multiplicity import ONCE
from dlx.core.name_types import Name
from dlx.core.stats import Stats
from dlx.errors import DLXError, InvalidCost, SearchInterrupted
from dlx.formats.relations import all_relations
from dlx.plan import is_installed
from dlx.search.options import check_flag

if TYPE_CHECKING:
    from dlx.core.table import Table

__all__ = ["Relaxation", "RelaxationArguments", "TableProgram", "relax", "relaxation_of"]

DIGITS = 20  # binary digits of prices, behind the point
LARGEST_COST = 30  # binary digits of the costs of the linear program, before the point
FREE = 2.0  # the upper bound of columns that need none: the kernel's solver wants one
LARGEST_BOUND = 2**31  # of a row of the linear program; the proof has any bound
NOISE = 0.01  # of the unit of prices: rounding errors of the solver that do not count
HALF = 30  # bits of the halves of prices, which the kernel adds up in 32 and 64 bits
NEARLY = 1e-9  # values this near to an integer are shown as that
PENALTY = 2.0**DIGITS  # of the program that proves that there is no solution


class Relaxation(NamedTuple, Generic[Name]):
    """The linear relaxation of a problem: options may be chosen in parts, from 0 to 1.

    bound
        Its least cost: no solution costs less. (For `maximize`, its greatest cost.) Infinite if it
        has no solution, and so the problem has none.
    prices
        The price of each item: how much the bound rises if the item is to be covered once more. The
        dual values of linear programming. If the relaxation has no solution: a proof of that, which
        is prices by which the bound is above 0 for costs of 0 (Farkas).
    reduced_costs
        The cost of each option less the prices of its items. A solution with an option costs at
        least `bound` and the reduced cost of the option, if that is positive.
    values
        The options that are chosen, each with the part, from 0 to 1. If all are 1, they are the
        cheapest solution.
    feasible
        False if the relaxation has no solution. (Type checkers do not know that `bound` is then
        infinite.)
    iterations
        The steps of the simplex method that the call took.

    >>> import dlx
    >>> pairs = dlx.Problem.from_options([["a", "b"], ["b", "c"], ["a", "c"]], costs=[2, 3, 5])
    >>> pairs.relaxation()
    <dlx relaxation: bound 5.0, 3 of 3 options in parts>
    """

    bound: Any
    prices: dict[Hashable, Any]
    reduced_costs: dict[Name, Any]
    values: dict[Name, float]
    feasible: bool
    iterations: int

    @property
    def integral(self) -> bool:
        """Whether `values` is a solution: no option is chosen in part."""
        return self.feasible and all(value == 1 for value in self.values.values())

    def __repr__(self) -> str:
        if not self.feasible:
            return "<dlx relaxation: no solution>"
        parts = sum(value != 1 for value in self.values.values())
        return (
            f"<dlx relaxation: bound {self.bound}, {parts} of {len(self.reduced_costs)} "
            "options in parts>"
        )


class RelaxationArguments(NamedTuple):
    """The arguments of `Problem.relaxation`; options by index."""

    given: Sequence[int] = ()
    forbidden: Sequence[int] = ()
    costs: object = None
    timeout: float | None = None
    engine: str = "auto"
    exact: bool = False
    maximize: bool = False


class Proof(NamedTuple):
    """The bound that prices prove, and the numbers that it is made of, in integers of one unit."""

    bound: int
    prices: list[int]  # of all rows
    reduced: list[int]  # of the options
    per_cost: int  # how many of these units one unit of the costs has


Row = tuple[int | None, int | None]
"""The bounds of a row; None: no bound."""


class TableProgram:
    """The linear program of a table, and its solver. Options that are added later are added to it.

    Its columns are artificial ones, then the options and the colors; its rows are the items, by
    number, and the implications from options to colors.
    """

    def __init__(
        self,
        table: Table,
        engine: str,
        costs: Sequence[int],
        *,
        sign: int = 1,
        penalty: float | None = None,
        copies: bool = False,
    ) -> None:
        """Costs are multiplied by the sign. For the `penalty` see `open`.

        With `copies`, an option may be chosen as often as is of use (see `copies_of`).
        """
        self._shape = _shape(table, engine, sign)
        self._engine, self.sign, self._copies = engine, sign, copies
        self._rows: list[Row] = [(0, 1) if flag else ONCE for flag in table.secondary]
        for item, bounds in table.multiplicities.items():
            self._rows[item] = bounds
        self._primary = [not flag for flag in table.secondary]
        self._items = len(self._rows)
        self.costs: list[int] = []
        self._start, self._row, self._weight = array("i", [0]), array("i"), array("i")
        self._upper = array("d")  # of the options, in the program
        self._fixed: dict[int, int] = {}  # options that are given (1) or forbidden (0)
        self._steps = 0  # of solvers before this one
        self._append(table, costs)
        self.open(penalty)

    def extended(self, table: Table, engine: str, costs: Sequence[int], *, sign: int = 1) -> bool:
        """Adds the options that the table has more; False if that takes another program."""
        first = len(self.costs)
        if self._shape != _shape(table, engine, sign) or len(table) < first:
            return False
        if len(table) > first:
            if table.entry_color:
                return False
            self._append(table, costs)
            self._add_columns(first)
        return True

    def open(self, penalty: float | None) -> None:
        """Opens a new solver. With a penalty, artificial columns of that cost cover any item."""
        self._penalty, self._warm = penalty, False
        self._shift = max(0, max(map(abs, self.costs), default=0).bit_length() - LARGEST_COST)
        self.engine, self._program = open_program(
            self._engine,
            [-inf if low is None else min(low, LARGEST_BOUND) for low, _ in self._rows],
            [inf if high is None else min(high, LARGEST_BOUND) for _, high in self._rows],
        )
        needy = array("i", [row for row, (low, _) in enumerate(self._rows) if low])
        self._artificial = 0 if penalty is None else len(needy)
        if penalty is not None:
            ones = array("d", [1.0]) * len(needy)
            cost = array("d", [penalty / (1 << self._shift)]) * len(needy)
            most = array("d", [1.0 + min(self._rows[row][0] or 0, LARGEST_BOUND) for row in needy])
            start = array("q", range(len(needy) + 1))
            self._program.add_columns(start, needy, ones, cost, most)
        self._add_columns(0)
        fixed, self._fixed = self._fixed, {}
        self._fix(fixed)

    def _append(self, table: Table, costs: Sequence[int]) -> None:
        """Appends the options that the table has more to the arrays."""
        first, base = len(self.costs), len(self._row)
        add = _columns if not table.entry_color else _columns_with_colors
        start, rows, weights = add(table, first, self._rows)
        self._start.extend([base + place for place in start[1:]])
        self._row += rows
        if weights and not self._weight:
            self._weight = array("i", [1]) * base
        if weights or self._weight:
            self._weight += weights or array("i", [1]) * len(rows)
        self.costs += [self.sign * cost for cost in costs[first : len(table)]]
        self.costs += [0] * (len(table) - len(self.costs))
        for option in range(first, len(table)):
            self._upper.append(self._upper_of(option) if table.multiplicities else FREE)

    def _upper_of(self, option: int) -> float:
        """The upper bound in the program; above what any program of least cost takes, or 1."""
        if self._copies:
            return 1.0 + self.copies_of(option)
        free = self.costs[option] >= 0
        for weight, low, high in self._bounds_of(option):
            if high is not None and high <= weight:
                return FREE
            free = free and low <= weight
        return FREE if free else 1.0

    def copies_of(self, option: int) -> int:
        """How often an option may be chosen, and is of use in a program of least cost."""
        bounds = list(self._bounds_of(option))
        most = [high // weight for weight, _, high in bounds if high is not None]
        if not most and self.costs[option] < 0:
            raise InvalidCost(
                f"option {option} has the cost {self.costs[option]} and no item with an upper "
                "bound; with copies=True it would be chosen without end"
            )
        return min([*most, max(1, *(-(-low // weight) for weight, low, _ in bounds))])

    def _bounds_of(self, option: int) -> Iterator[tuple[int, int, int | None]]:
        """The weights of an option, each with the bounds of its row."""
        for place in range(self._start[option], self._start[option + 1]):
            low, high = self._rows[self._row[place]]
            yield self._weight[place] if self._weight else 1, low or 0, high

    def _add_columns(self, first: int) -> None:
        """Adds the columns from this option on to the solver."""
        base, per = self._start[first], 1 << self._shift
        rows, start = self._row[base:], array("q", self._start[first:])
        if base:
            start = array("q", [place - base for place in start])
        cost = array("d", [one / per for one in self.costs[first:]])
        colors = len(self._start) - 1 - len(self.costs)
        self._program.add_columns(
            start,
            rows,
            array("d", self._weight[base:]) if self._weight else array("d", [1.0]) * len(rows),
            cost + array("d", [0.0]) * colors,
            self._upper[first:] + array("d", [FREE]) * colors,
        )

    def fix(self, given: Iterable[int], forbidden: Iterable[int]) -> None:
        """Makes these options 1 and 0, and all others free."""
        self._fix(dict.fromkeys(given, 1) | dict.fromkeys(forbidden, 0))

    def _fix(self, fixed: dict[int, int]) -> None:
        for option in self._fixed.keys() - fixed.keys():
            self._program.set_bounds(self._artificial + option, 0, self._upper[option])
        for option, value in fixed.items():
            if self._fixed.get(option) != value:
                self._program.set_bounds(self._artificial + option, value, value)
        self._fixed = fixed

    def solve(self, until: float) -> bool:
        """Whether there is a solution. Raises `SearchInterrupted` at this time (monotonic)."""
        began = time.monotonic()
        while (left := until - time.monotonic()) > 0:
            status = self._program.solve(left)
            if status in ("optimal", "infeasible"):
                self._warm = True
                return status == "optimal"
            if status == "failed" and time.monotonic() < until:
                self._begin_anew()
        stats = Stats(0, self.iterations, 0, (), time.monotonic() - began)
        raise SearchInterrupted("timeout", count=0, stats=stats)

    def _begin_anew(self) -> None:
        """Begins without the last basis, or else with the other solver."""
        if not self._warm:
            if self._engine != "auto" or self.engine == "highs" or not is_installed("highs"):
                raise DLXError(
                    f"the solver {self.engine!r} has failed at the linear program; use another "
                    "engine, or costs of fewer digits"
                )
            self._engine = "highs"
        self._steps = self.iterations
        self.open(self._penalty)

    def refutation(self, until: float) -> TableProgram:
        """The solved program of costs 0 whose prices prove that there is no solution."""
        other = copy(self)
        other.sign = 1
        other.costs, other._steps = [0] * len(self.costs), 0
        other.open(PENALTY)
        other.solve(until)
        return other

    @property
    def iterations(self) -> int:
        """The steps of all calls of `solve`."""
        return self._steps + self._program.iterations

    @property
    def unit(self) -> float:
        """The unit of the solver's costs: 1, unless costs are very large."""
        return float(1 << self._shift)

    @property
    def objective(self) -> float:
        """The least cost."""
        return self._program.objective * self.unit

    def values(self) -> array[float]:
        """The value of each option."""
        values = _floats(self._program.values())[self._artificial :][: len(self.costs)]
        return values if self._copies else array("d", map(min, values, repeat(1.0)))

    def artificial(self) -> float:
        """How often artificial columns cover an item, in all."""
        return sum(_floats(self._program.values())[: self._artificial])

    def prices(self) -> list[float]:
        """The price of each item."""
        return [price * self.unit for price in self._duals()[: self._items]]

    def _duals(self) -> list[float]:
        """The dual value of each row; 0 instead of one that proves nothing by its sign."""
        return [
            0.0 if (not low if dual > 0 else high is None) else dual
            for (low, high), dual in zip(self._rows, _floats(self._program.prices()), strict=True)
        ]

    def reduced_costs(self) -> list[float]:
        """The reduced cost of each option."""
        prices = self._duals()
        scale = 2.0 ** (2 * HALF - 1 - frexp(max(map(abs, prices), default=0.0))[1])
        per = self.unit
        totals = self._totals([int(price * scale) for price in prices])
        return [c - total / scale * per for c, total in zip(self.costs, totals, strict=False)]

    def _totals(self, prices: list[int]) -> list[int]:
        """The prices of the rows of each column, options first. O(entries)."""
        weights = self._weight or None
        if max(map(abs, prices), default=0) >> 2 * HALF:
            return portable.option_totals(self._start, self._row, weights, prices)
        high, low = (
            kernel.option_totals(self._start, self._row, weights, array("i", part))
            for part in ([p >> HALF for p in prices], [p & (1 << HALF) - 1 for p in prices])
        )
        return [(one << HALF) + other for one, other in zip(high, low, strict=True)]

    def integer_prices(self) -> tuple[list[int], int]:
        """The prices of all rows in integers, rounded down.

        Second, by how many binary digits their unit is smaller than that of the costs.
        """
        finer, coarser = max(0, self._shift - DIGITS), max(0, DIGITS - self._shift)
        return [floor(dual * 2**DIGITS + NOISE) << finer for dual in self._duals()], coarser

    def reduced(self, prices: list[int], coarser: int) -> list[int]:
        """The reduced costs of the options, then of the colors, in units of such prices."""
        costs = chain([cost << coarser for cost in self.costs], repeat(0))
        return [cost - total for cost, total in zip(costs, self._totals(prices), strict=False)]

    def proof(self, *, safe: bool = False) -> Proof:
        """The bound that the prices prove, in integers. O(entries).

        With `safe`, prices are so low that no option has a negative reduced cost, but for those
        that may be chosen once only although more would be cheaper.
        """
        prices, coarser = self.integer_prices()
        reduced = self.reduced(prices, coarser)
        excess = min(compress(reduced, map((1.0).__ne__, self._upper)), default=0)
        if safe and excess < 0:  # a rounding error; every option has a primary item
            for row, (price, (_, high)) in enumerate(zip(prices, self._rows, strict=True)):
                if self._primary[row]:
                    lower = price + excess
                    prices[row] = lower if high is not None else min(price, max(lower, 0))
            reduced = self.reduced(prices, coarser)
        bound = sum(one for one in reduced if one < 0)
        for option, value in self._fixed.items():
            bound += value * reduced[option] - min(0, reduced[option])
        for (low, high), price in zip(self._rows, prices, strict=True):
            bound += price * ((low if price > 0 else high) or 0)
        return Proof(bound, prices[: self._items], reduced[: len(self.costs)], 1 << coarser)


def _shape(table: Table, engine: str, sign: int) -> tuple[object, ...]:
    """What must be the same for a program to be that of a table, but for options added."""
    colored = bool(table.entry_color)
    return engine, sign, bytes(table.secondary), table.multiplicities.copy(), colored


class Columns(NamedTuple):
    """Columns as compressed rows: starts, rows, and weights (empty: all are 1)."""

    start: Sequence[int]
    row: array[int]
    weight: array[int]


def _columns(table: Table, first: int, rows: list[Row]) -> Columns:
    """The columns of the options from this one on, in a table without colors."""
    base = table.start[first]
    start = [place - base for place in table.start[first:]] if first else table.start
    return Columns(start, table.entry_item[base:], table.entry_weight[base:])


def _columns_with_colors(table: Table, first: int, rows: list[Row]) -> Columns:
    """The columns of all options and colors. Appends the rows of the implications."""
    relations = all_relations(table)
    columns: list[list[tuple[int, int]]] = [[] for _ in range(relations.variables)]
    for total in relations.sums:
        for weight, variable in total.terms():
            columns[variable - 1].append((total.item, weight))
    for option, color in relations.implications:
        columns[option - 1].append((len(rows), 1))
        columns[color - 1].append((len(rows), -1))
        rows.append((None, 0))
    entries = list(chain.from_iterable(columns))
    return Columns(
        list(accumulate(map(len, columns), initial=0)),
        array("i", [row for row, _ in entries]),
        array("i", [weight for _, weight in entries]),
    )


def _floats(values: bytes) -> array[float]:
    found = array("d")
    found.frombytes(values)
    return found


def relax(
    table: Table, kept: TableProgram | None, arguments: RelaxationArguments
) -> tuple[Relaxation[Any], TableProgram | None]:
    """The relaxation, and the program to be kept for the next call, in place of `kept`."""
    costs, engine = arguments.costs, arguments.engine
    exact = check_flag(arguments.exact, "exact")
    sign = -1 if check_flag(arguments.maximize, "maximize") else 1
    until = inf if arguments.timeout is None else time.monotonic() + arguments.timeout
    with table.lock:
        scaled = ScaledCosts(table.costs) if costs is None else scaled_costs(table, costs)
        program = kept if costs is None else None
        if program is None or not program.extended(table, engine, scaled.numbers, sign=sign):
            program = TableProgram(table, engine, scaled.numbers, sign=sign)
        items = table.items[:]
        names = table.names[:] if table.names is not None else range(len(table))
    before = program.iterations
    program.fix(arguments.given, arguments.forbidden)
    if program.solve(until):
        found = relaxation_of(program, scaled, items, names, exact=exact)
        steps = program.iterations - before
    else:
        proof = program.refutation(until)
        steps = program.iterations - before + proof.iterations
        if proof.proof().bound <= 0:
            raise DLXError(
                f"{program.engine!r} says that the relaxation has no solution, and its prices do "
                "not prove it; use another engine"
            )
        found = relaxation_of(proof, ScaledCosts((), 1, scaled.kind), items, names, exact=exact)
        found = found._replace(bound=sign * inf, values={}, feasible=False)
    return found._replace(iterations=steps), program if costs is None else kept


def relaxation_of(
    program: TableProgram,
    scaled: ScaledCosts,
    items: Sequence[Hashable],
    names: Sequence[Any],
    *,
    exact: bool,
) -> Relaxation[Any]:
    """The relaxation, from a program that is solved. The scale is that of the costs."""
    sign = program.sign
    prices: Iterable[Any]
    reduced: Iterable[Any]
    if exact:
        proof = program.proof()
        kind = Decimal if scaled.kind is Decimal else Fraction
        total = scaled._replace(scale=scaled.scale * proof.per_cost, kind=kind).total
        bound = total(sign * proof.bound)
        prices = (total(sign * price) for price in proof.prices)
        reduced = (total(sign * cost) for cost in proof.reduced)
    else:
        per = sign / scaled.scale
        noise = NEARLY * program.unit
        bound = _tidy(program.objective, noise) * per
        prices = (_tidy(price, noise) * per for price in program.prices())
        reduced = (_tidy(cost, noise) * per for cost in program.reduced_costs())
    parts = zip(names, program.values(), strict=False)
    return Relaxation(
        bound,
        dict(zip(items, prices, strict=False)),
        dict(zip(names, reduced, strict=False)),
        {name: _part(value) for name, value in parts if value > NEARLY},
        True,
        program.iterations,
    )


def _tidy(value: float, noise: float = 0) -> float:
    """Without the digits that are rounding errors; 0 if there are no others."""
    return float(f"{value:.12g}") if abs(value) > noise else 0.0


def _part(value: float) -> float:
    nearest = round(value)
    return float(nearest) if abs(value - nearest) < NEARLY else _tidy(value)
