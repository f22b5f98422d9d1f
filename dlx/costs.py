"""Costs of options: what they may be, and what a `Problem` can be asked about them."""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterable
from operator import index
from typing import TYPE_CHECKING, Any, NamedTuple

from dlx.errors import InvalidCost, quote
from dlx.named_values import values_in_order
from dlx.questions import Questions
from dlx.search import Solution, Stats, check_seed, check_timeout

if TYPE_CHECKING:
    from collections.abc import Callable

    from dlx.table import Table

__all__ = ["CostQuestions", "LARGEST_TOTAL", "Progress", "Ranking", "check_cost", "check_costs"]

LARGEST_TOTAL = 2**63 - 1
"""What the absolute costs of all options of a problem may come to."""


class Progress(NamedTuple):
    """How far a search for the cheapest solutions (or the dearest) has come.

    best
        The cost of the cheapest solution so far, or None.
    bound
        What every solution that has not been found costs at least; None while nothing is known.
        When the search ends, no solution is cheaper than `best`.
    nodes
        Options tried so far.
    seconds
        Time spent so far.
    """

    best: int | None
    bound: int | None
    nodes: int
    seconds: float


class Ranking(list[tuple[int, Solution]]):
    """A list of pairs (cost, solution), the best first: what `Problem.minimum` returns.

    A list like any other, with the work of the search as `stats`.

    >>> import dlx
    >>> problem = dlx.Problem.from_options([["a"], ["a"]], costs=[7, 3])
    >>> ranking = problem.minimum()
    >>> ranking
    [(3, (1,))]
    >>> ranking.stats.solutions
    1
    """

    __slots__ = ("stats",)

    stats: Stats

    def __init__(self, pairs: Iterable[tuple[int, Solution]], stats: Stats) -> None:
        super().__init__(pairs)
        self.stats = stats

    def __reduce__(self) -> tuple[Any, ...]:
        return Ranking, (list(self), self.stats)


class CostQuestions(Questions):
    """What a `Problem` can be asked about costs."""

    __slots__ = ()

    @property
    def costs(self) -> tuple[int, ...]:
        """The costs of the options, in order.

        >>> import dlx
        >>> dlx.Problem.from_options({"x": ["a"], "y": ["b"]}, costs={"y": -2, "x": 3}).costs
        (3, -2)
        """
        return self._table.every_cost()

    def cost_of(self, solution: Iterable[Hashable]) -> int:
        """What the options of these names cost together. O(1) each. Raises `UnknownOption`.

        >>> import dlx
        >>> dlx.Problem.from_options([["a"], ["b"], ["a", "b"]], costs=[1, 2, 4]).cost_of([0, 1])
        3
        """
        from dlx.givens import indices_of

        costs = self._table.costs
        return sum(costs[i] for i in indices_of(self._table, solution) if i < len(costs))

    def minimum(
        self,
        k: int = 1,
        *,
        given: Iterable[Hashable] = (),
        timeout: float | None = None,
        seed: int | None = None,
        engine: str = "auto",
        progress: Callable[[Progress], object] | None = None,
        workers: int | None = 1,
    ) -> Ranking:
        """The `k` cheapest solutions, as a list of pairs (cost, solution) in order of cost.

        Of solutions that cost the same, those that `solutions` visits first (with the same givens
        and seed) come first. The list is shorter than `k` if there are not so many solutions, and
        empty if there are none. Solutions of colored and secondary items are searched alike.

        k
            How many; 1 or more.
        given, seed
            As in `solutions`.
        timeout
            Stop after so many seconds, with `MinimumInterrupted`, which has the best so far and
            what all others cost at least.
        engine
            "auto" or "links", the compiled branch and bound; or "python", a short one to read and
            to compare with (`dlx.python_minimum`).
        progress
            A function that is called now and then, with a `Progress`, and once at the end.
        workers
            Threads that search at the same time, or None for one on each processor. They share the
            best costs found, and the answer is that of one, ties and all. (Executors and journals
            are for `solutions` and `count`.)

        Costs are exact. The absolute costs of all options together may be at most 2^63-1: a problem
        with larger ones is refused with `InvalidCost` when it gets them.

        Branch and bound with prices of items (Knuth's taxes) as lower bound; exponential at worst,
        but often a small part of what it takes to see all solutions. Raises `InvalidArgument`,
        `UnknownOption` and `GivenClash`. Source: TAOCP 7.2.2.1, Algorithms X$ and C$; here the
        prices come from the linear program, see `dlx/_kernel/minimum.hpp`.

        >>> import dlx
        >>> problem = dlx.Problem.from_options(
        ...     {"x": ["a"], "y": ["b"], "xy": ["a", "b"], "z": ["b"]},
        ...     costs={"x": 1, "y": 2, "xy": 3, "z": 5},
        ... )
        >>> problem.minimum()
        [(3, ('x', 'y'))]
        >>> for cost, solution in problem.minimum(k=10):
        ...     print(cost, solution)
        3 ('x', 'y')
        3 ('xy',)
        6 ('x', 'z')
        >>> problem.minimum(given=["z"])
        [(6, ('z', 'x'))]
        """
        return self._rank(1, k, given, timeout, seed, engine, progress, workers)

    def maximum(
        self,
        k: int = 1,
        *,
        given: Iterable[Hashable] = (),
        timeout: float | None = None,
        seed: int | None = None,
        engine: str = "auto",
        progress: Callable[[Progress], object] | None = None,
        workers: int | None = 1,
    ) -> Ranking:
        """The `k` dearest solutions, the dearest first: `minimum` of the negative costs.

        Ties are in visiting order here, too, and a bound says what other solutions cost at most.

        >>> import dlx
        >>> dlx.Problem.from_options([["a"], ["b"], ["a", "b"]], costs=[1, 2, 4]).maximum()
        [(4, (2,))]
        """
        return self._rank(-1, k, given, timeout, seed, engine, progress, workers)

    def _rank(
        self,
        sign: int,
        k: int,
        given: Iterable[Hashable],
        timeout: float | None,
        seed: int | None,
        engine: str,
        progress: Callable[[Progress], object] | None,
        workers: int | None,
    ) -> Ranking:
        from dlx.batches import check_workers
        from dlx.minimum import Task, check_count, check_progress, open_search, rank

        number = check_count(k)
        seconds = check_timeout(timeout)
        check_progress(progress)
        threads = check_workers(workers)
        seed = check_seed(seed)
        with self._table.lock:  # the search copies from the table, as it is when it is prepared
            prepared = self._prepare(seed)
            task = Task(self._table, prepared, lambda: self._lay_matrix(prepared), sign)
            search = open_search(task, number, given, engine, threads)
        return rank(task, search, seconds, progress)


def check_cost(cost: object, where: str, total: int = 0) -> int:
    """`cost` as an integer, if it is one. `total`: of the absolute costs so far."""
    if type(cost) is int:
        number = cost
    elif isinstance(cost, bool) or not hasattr(cost, "__index__"):
        raise InvalidCost(f"{where} has the cost {quote(cost)}; a cost is an integer")
    else:
        try:
            number = index(cost)  # of NumPy, say
        except TypeError:
            raise InvalidCost(f"{where} has the cost {quote(cost)}; a cost is an integer") from None
    if total + abs(number) > LARGEST_TOTAL:
        raise InvalidCost(
            f"{where} has the cost {quote(number)}; the absolute costs of all options together "
            f"may be at most {LARGEST_TOTAL}"
        )
    return number


def check_costs(table: Table, costs: object) -> array[int]:
    """The costs of all options of a table: from a mapping by name, or one after another."""
    wanted = values_in_order(costs, "costs", table.name_of, len(table), table.index_of, InvalidCost)
    if {int} >= set(map(type, wanted)) and sum(map(abs, wanted)) <= LARGEST_TOTAL:
        return array("q", wanted)  # fast
    total, checked = 0, array("q")
    for place, cost in enumerate(wanted):
        checked.append(check_cost(cost, table.title(place, table.name_of(place)), total))
        total += abs(checked[-1])
    return checked
