"""The k cheapest or most expensive solutions: see `dlx.Problem.minimum` and `maximum`.

The branch and bound itself is in the kernel (`dlx/_kernel/minimum`) and, as a short version to
read, in `dlx.engines.python.minimum`.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from dlx.core.arguments import check_count, check_limit, check_timeout
from dlx.core.givens import check_given
from dlx.core.locks import exclusive, new_guard
from dlx.errors import InvalidArgument, MinimumInterrupted, quote
from dlx.search.search import Solution, Stats

if TYPE_CHECKING:
    from dlx.core.numbering import NumberedProblem
    from dlx.core.table import Table
    from dlx.engines.protocols import RawStats
    from dlx.search.options import SearchOptions

__all__ = [
    "ENGINES",
    "Minimizer",
    "Progress",
    "Ranking",
    "RankingTask",
    "check_progress",
    "rank",
]


ENGINES = ("auto", "links", "python")
PROGRESS_INTERVAL = 0.05  # seconds between two calls of `progress`
SINGLE_THREAD_WORK = 200_000  # steps of about 10 ns by one thread before the others start


class RankingTask(NamedTuple):
    """A problem in search order and its costs; `sign` is -1 for `maximum`."""

    table: Table
    numbered: NumberedProblem
    sign: int

    @property
    def method(self) -> str:
        """The method that the caller used."""
        return "minimum" if self.sign > 0 else "maximum"

    def costs(self) -> array[int]:
        """The costs to minimize; options beyond the last cost 0."""
        costs = self.table.costs
        return costs if self.sign > 0 else array("q", [-cost for cost in costs])


class Minimizer(Protocol):
    """An engine that finds the cheapest solutions, and can be paused."""

    @property
    def state(self) -> tuple[int | None, int | None, RawStats]:
        """The least cost so far, the bound of all solutions not yet found, and the work."""

    def run(self, seconds: float) -> bool:
        """Searches for `seconds` (negative: to the end). True when it has finished."""

    def best(self) -> list[tuple[int, list[int]]]:
        """Costs and options of the cheapest so far, in order."""


def rank(
    table: Table,
    prepare: Callable[[int | None], NumberedProblem],
    k: int,
    options: SearchOptions,
    progress: Callable[[Progress], object] | None,
    *,
    sign: int,
) -> Ranking:
    """What `Problem.minimum` (`sign` 1) and `maximum` (`sign` -1) return.

    `prepare` returns the numbered problem for a seed.
    """
    k = check_count(k)
    check_progress(progress)
    threads = 1 if options.workers is None else options.workers.workers
    with table.lock:  # the table must not change between numbering it and copying it
        task = RankingTask(table, prepare(options.seed), sign)
        given = check_given(table, task.numbered, options.given)
        minimizer = _open(task, k, given, options.engine, threads)
    return ResumableRanking(task, minimizer, progress).resume(options.timeout, None)


class ResumableRanking:
    """A search for the best solutions that can go on after a timeout: see `MinimumInterrupted`."""

    def __init__(
        self, task: RankingTask, minimizer: Minimizer, progress: Callable[[Progress], object] | None
    ) -> None:
        self._task = task
        self._minimizer = minimizer
        self._progress = progress
        self._turn = new_guard()

    def resume(self, timeout: float | None, node_limit: int | None) -> Ranking:
        """The best solutions; `MinimumInterrupted` after `timeout` seconds more."""
        timeout, node_limit = check_timeout(timeout), check_limit(node_limit, "node_limit")
        method = self._task.method
        if node_limit is not None:
            raise InvalidArgument(
                f"{method} has no node limit; resume it with a timeout, or without a limit"
            )
        with exclusive(self._turn, f"a {method}"):
            finished = self._go_on(timeout)
            best, bound, stats = self._known()
        if finished:
            return Ranking(best, stats)
        raise MinimumInterrupted(
            "timeout", best=tuple(best), bound=bound, stats=stats, continuation=self
        )

    def _go_on(self, timeout: float | None) -> bool:
        """Searches for `timeout` seconds of work. True when it has finished."""
        minimizer, finished = self._minimizer, False
        until = inf if timeout is None else minimizer.state[2][4] + timeout
        while not finished:
            left = until - minimizer.state[2][4]
            if left <= 0:
                break
            seconds = left if self._progress is None else min(PROGRESS_INTERVAL, left)
            finished = minimizer.run(-1.0 if seconds == inf else seconds)
            if self._progress is not None:
                self._progress(_progress(self._task, minimizer))
        return finished

    def _known(self) -> tuple[list[tuple[int, Solution]], int | None, Stats]:
        """The best solutions so far, the bound of all others, and the work."""
        sign, name_of = self._task.sign, self._task.table.name_of
        _, bound, raw = self._minimizer.state
        nodes, updates, solutions, profile, seconds = raw
        stats = Stats(nodes, updates, solutions, tuple(profile), seconds)
        found = self._minimizer.best()
        best = [(sign * cost, tuple(map(name_of, options))) for cost, options in found]
        return best, None if bound is None else sign * bound, stats


def _progress(task: RankingTask, minimizer: Minimizer) -> Progress:
    best, bound, stats = minimizer.state
    return Progress(
        None if best is None else task.sign * best,
        None if bound is None else task.sign * bound,
        stats[0],
        stats[4],
    )


def _open(task: RankingTask, k: int, given: list[int], engine: str, workers: int) -> Minimizer:
    if engine in ("auto", "links"):
        return task.numbered.problem.minimum(
            task.costs(), given, k, False, workers, SINGLE_THREAD_WORK
        )
    if engine == "python":
        if workers != 1:
            raise InvalidArgument(f"workers is {workers}; the engine 'python' has one thread only")
        from dlx.engines.python.minimum import PythonMinimum
        from dlx.links.build import build_matrix

        matrix = build_matrix(task.table, task.numbered.rank, task.numbered.order)
        return PythonMinimum(matrix, task.costs(), given, k)
    raise InvalidArgument(
        f"engine is {quote(engine)}; {task.method} takes one of {', '.join(map(repr, ENGINES))}"
    )


def check_progress(progress: object) -> None:
    """Raises `InvalidArgument` if `progress` is not callable."""
    if progress is not None and not callable(progress):
        raise InvalidArgument(f"progress is {quote(progress)}; it must be a function")


class Progress(NamedTuple):
    """The progress of a search for the cheapest (or most expensive) solutions.

    best
        The cost of the cheapest solution so far, or None.
    bound
        A lower bound on the cost of every solution not found yet; None while none is known. When
        the search ends, no solution is cheaper than `best`.
    nodes
        The number of options tried so far.
    seconds
        The time of the search so far.
    """

    best: int | None
    bound: int | None
    nodes: int
    seconds: float


class Ranking(list[tuple[int, Solution]]):
    """A list of pairs (cost, solution), the best first, with the work of the search as `stats`.

    The result of `Problem.minimum` and `maximum`.

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
