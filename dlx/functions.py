"""`solve`, `solutions` and `count`: a problem from options, and the answer, in one call.

Their keywords are `primary`, `secondary` and `multiplicities`, as `dlx.Problem` has them, and those
of its method of the same name. And `column_generation`: a problem whose options a function makes.
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterable, Mapping
from math import inf
from typing import TYPE_CHECKING, Any, Generic, overload

from dlx.core.arguments import check_limit, check_timeout
from dlx.core.name_types import Name
from dlx.errors import InvalidArgument, quote
from dlx.named_tuple import NamedTuple
from dlx.problem import Problem
from dlx.search.options import check_flag

if TYPE_CHECKING:
    from typing import Unpack

    from dlx.analysis.column_generation import PricingFunction
    from dlx.analysis.linear_program import LinearEngine
    from dlx.analysis.relaxation import Relaxation
    from dlx.core.multiplicity import Multiplicity
    from dlx.core.name_types import MaybeNone, OtherName, Solution
    from dlx.keywords import (
        CountKeywords,
        SolutionsFunctionKeywords,
        SolutionsKeywords,
        SolveFunctionKeywords,
        SolveKeywords,
    )
    from dlx.problem import OptionsLike
    from dlx.search.search import Search

__all__ = ["ColumnGeneration", "column_generation", "count", "solutions", "solve"]


@overload
def solve(
    options: Mapping[OtherName, Iterable[Hashable]],
    **keywords: Unpack[SolveFunctionKeywords[OtherName]],
) -> Solution[OtherName] | MaybeNone: ...
@overload
def solve(
    options: Iterable[Iterable[Hashable]], **keywords: Unpack[SolveFunctionKeywords[int]]
) -> Solution[int] | MaybeNone: ...
def solve(
    options: OptionsLike,
    *,
    primary: Iterable[Hashable] | None = None,
    secondary: Iterable[Hashable] = (),
    multiplicities: Mapping[Any, Multiplicity] | None = None,
    **search: Unpack[SolveKeywords[Any]],
) -> Solution[Any] | None:
    """The first solution, or None: `Problem.from_options(...).solve(...)`.

    >>> import dlx
    >>> dlx.solve([["a", "c"], ["b"], ["a", "b"]])
    (0, 1)
    """
    return _problem(options, primary, secondary, multiplicities).solve(**search)


@overload
def solutions(
    options: Mapping[OtherName, Iterable[Hashable]],
    **keywords: Unpack[SolutionsFunctionKeywords[OtherName]],
) -> Search[OtherName]: ...
@overload
def solutions(
    options: Iterable[Iterable[Hashable]], **keywords: Unpack[SolutionsFunctionKeywords[int]]
) -> Search[int]: ...
def solutions(
    options: OptionsLike,
    *,
    primary: Iterable[Hashable] | None = None,
    secondary: Iterable[Hashable] = (),
    multiplicities: Mapping[Any, Multiplicity] | None = None,
    **search: Unpack[SolutionsKeywords[Any]],
) -> Search[Any]:
    """A lazy iterator over all solutions: `Problem.from_options(...).solutions(...)`.

    >>> import dlx
    >>> list(dlx.solutions({"left": ["a"], "right": ["a"]}))
    [('left',), ('right',)]
    """
    return _problem(options, primary, secondary, multiplicities).solutions(**search)


def count(
    options: OptionsLike,
    *,
    primary: Iterable[Hashable] | None = None,
    secondary: Iterable[Hashable] = (),
    multiplicities: Mapping[Any, Multiplicity] | None = None,
    **search: Unpack[CountKeywords[Any]],
) -> int:
    """The number of solutions: `Problem.from_options(...).count(...)`.

    >>> import dlx
    >>> dlx.count([["a"], ["a"], ["b"]])
    2
    >>> dlx.count([["a"], ["a"], ["b"]], multiplicities={"a": 2})
    1
    """
    return _problem(options, primary, secondary, multiplicities).count(**search)


def _problem(
    options: OptionsLike,
    primary: Iterable[Hashable] | None,
    secondary: Iterable[Hashable],
    multiplicities: Mapping[Any, Multiplicity] | None,
) -> Problem[Any]:
    return Problem.from_options(
        options, primary=primary, secondary=secondary, multiplicities=multiplicities
    )


class ColumnGeneration(NamedTuple, Generic[Name]):
    """The result of `dlx.column_generation`.

    problem
        The problem with all columns; with `copies`, also with multiples of them, such as the option
        named `dlx.times(7, 4)`: option 7 four times.
    best
        The cheapest of its solutions, as a pair (cost, solution); None if none was found.
    bound
        A lower bound on the cost of every solution, also of those with options that the pricing
        function has not returned. None if nothing is proved: after a limit, or without `exact`.
    relaxation
        The relaxation over the columns (see `Problem.relaxation`), with prices and values. None if
        it has no solution, or a limit came first.
    complete
        True if the pricing function found no more columns, and is exact: the relaxation is that
        over all options.
    stopped_by
        "timeout" or "iterations", the limit that came first; None if none did.
    iterations, columns
        The calls of the pricing function, and the columns that were added.
    """

    problem: Problem[Name]
    best: tuple[int, Solution[Name]] | None
    bound: int | None
    relaxation: Relaxation[Name] | None
    complete: bool
    stopped_by: str | None
    iterations: int
    columns: int

    @property
    def proved(self) -> bool:
        """Whether no solution is cheaper than `best`, with whatever options."""
        return self.best is not None and self.best[0] == self.bound

    def __repr__(self) -> str:
        best = "none found" if self.best is None else f"best {self.best[0]}"
        stopped = "" if self.stopped_by is None else f", stopped by {self.stopped_by}"
        return (
            f"<dlx column generation: {self.columns} columns, {self.iterations} iterations, "
            f"bound {self.bound}, {best}{' (proved)' if self.proved else ''}{stopped}>"
        )


def column_generation(
    problem: Problem[Name],
    price: PricingFunction,
    *,
    exact: bool = True,
    most: int | None = None,
    copies: bool = False,
    minimum: bool = True,
    timeout: float | None = None,
    iterations: int | None = None,
    engine: LinearEngine = "auto",
) -> ColumnGeneration[Name]:
    """The cheapest solution of a problem with more options than can be listed.

    `problem` has the items and perhaps some options. The linear relaxation over these gives prices
    of items; the function `price` returns options that cost less than the prices of their items
    together; these are added to a copy of the problem, and so on until there are none. Then
    `minimum` finds the cheapest solution of the options found, which need not be the cheapest of
    all options: `bound` is a bound for all. The problem itself is not changed.

    price
        Called with a mapping from items to prices, floats that are exact. Returns a list of
        columns, each a pair of items and a cost (an integer), or a triple with a name. Only those
        of negative reduced cost, the cost less the prices of the items, are used; None or an empty
        list if there are none. `dlx.times` counts its item's price several times. There is no limit
        to the number of columns in one call; the one of least reduced cost is enough.
    exact
        True if `price` is exact: if there is a column of negative reduced cost, it returns one.
        Then `bound` is proved at the end. False: nothing is proved.
    most
        The most options that any solution has, if `price` always returns a column of least reduced
        cost, where that is negative. Then `bound` is known after each iteration, also if a limit
        ends the call.
    copies
        True: an option may be chosen several times, such as a cutting pattern. (False: once. A
        column that `price` returns again, because more of it would be cheaper, is one more option.)
    minimum
        False: no search for the cheapest solution; `best` is None.
    timeout, iterations
        The maximum time in seconds, with that of `minimum`, and the maximum number of calls of
        `price`. A result that is cut short says so.
    engine
        See `Problem.relaxation`.

    While no options cover all items, artificial ones of a high cost do. If some are left at the
    end, when they cost 10^10 or more, `relaxation` is None: either there is no solution, or none
    cheaper than the high `bound`.

    Raises what `Problem.add_option` raises for a wrong column, and `InvalidArgument` for colors,
    which column generation does not take. What `price` raises ends the call.

    Cutting stock: rolls of width 100 are cut into 97 pieces of width 45, 610 of 36, 395 of 31, and
    211 of 14. A column is a pattern, and the pricing function solves a knapsack problem.

    >>> import dlx
    >>> demand = {45: 97, 36: 610, 31: 395, 14: 211}
    >>> def pattern(prices):
    ...     best = [(0.0, ())] * 101  # of each width: the value, and the pieces
    ...     for width in range(1, 101):
    ...         values = [best[width - 1]]
    ...         for w in demand:
    ...             if w <= width:
    ...                 value, pieces = best[width - w]
    ...                 values.append((value + prices[w], (*pieces, w)))
    ...         best[width] = max(values)
    ...     pieces = best[100][1]
    ...     return [([dlx.times(w, pieces.count(w)) for w in set(pieces)], 1)]
    >>> rolls = dlx.Problem(list(demand), multiplicities={w: (n, None) for w, n in demand.items()})
    >>> found = dlx.column_generation(rolls, pattern, copies=True)
    >>> found.bound, found.best[0], found.complete
    (453, 453, True)
    """
    from dlx.analysis.column_generation import GenerationArguments, generate

    if not isinstance(problem, Problem):
        raise InvalidArgument(f"{quote(problem)} is not a dlx.Problem")
    if not callable(price):
        raise InvalidArgument(f"price is {quote(price)}; it must be a function of prices")
    seconds, minimum = check_timeout(timeout), check_flag(minimum, "minimum")
    until = inf if seconds is None else time.monotonic() + seconds
    arguments = GenerationArguments(
        check_flag(exact, "exact"),
        check_limit(most, "most"),
        check_flag(copies, "copies"),
        check_limit(iterations, "iterations"),
        engine,
    )
    extended = problem.without()
    found = generate(extended._table, price, arguments, until)
    best, stopped_by = None, found.stopped_by
    if minimum and stopped_by != "timeout":
        left = None if seconds is None else max(0.0, until - time.monotonic())
        ranking = extended.minimum(any_order=True, timeout=left, on_timeout="best")
        best, stopped_by = next(iter(ranking), None), ranking.stopped_by or stopped_by
    return ColumnGeneration(
        extended,
        best,
        found.bound,
        found.relaxation,
        found.complete,
        stopped_by,
        found.iterations,
        found.columns,
    )
