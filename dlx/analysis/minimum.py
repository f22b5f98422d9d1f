"""The search for the cheapest solutions, from the outside: see `dlx.Problem.minimum`.

Costs of options: what they may be, and what a `Problem` can be asked about them.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from dlx.core import kernel
from dlx.core.arguments import check_limit, check_timeout
from dlx.core.givens import check_given
from dlx.core.locks import exclusive, new_guard
from dlx.core.multiplicity import refuse_multiplicities
from dlx.errors import InvalidArgument, MinimumInterrupted, quote
from dlx.search.search import Solution, Stats

if TYPE_CHECKING:
    from collections.abc import Callable

    from dlx.core.numbering import NumberedProblem
    from dlx.core.table import Table
    from dlx.engines.protocols import RawStats
    from dlx.links.matrix import Matrix

__all__ = [
    "ENGINES",
    "Minimizer",
    "Progress",
    "Ranking",
    "RankingTask",
    "check_progress",
    "open_search",
    "rank",
]


ENGINES = ("auto", "links", "python")
SLICE = 0.05  # seconds between two calls of `progress`
ALONE = 200_000  # work of one thread, in what takes about ten nanoseconds, before others join


class RankingTask(NamedTuple):
    """A problem in search order and its costs; `sign` is -1 for `maximum`."""

    table: Table
    prepared: NumberedProblem
    matrix: Callable[[], Matrix]
    sign: int

    @property
    def question(self) -> str:
        """The method that the caller used."""
        return "minimum" if self.sign > 0 else "maximum"

    def costs(self) -> array[int]:
        """What is to be as small as possible; options beyond the last cost nothing."""
        costs = self.table.costs
        return costs if self.sign > 0 else array("q", [-cost for cost in costs])


class Minimizer(Protocol):
    """A search for the cheapest solutions that can be paused."""

    @property
    def state(self) -> tuple[int | None, int | None, RawStats]:
        """The least cost so far, what solutions not yet found cost at least, and the work."""

    def run(self, seconds: float) -> bool:
        """Searches for so many seconds (negative: to the end). Has it finished?"""

    def best(self) -> list[tuple[int, list[int]]]:
        """Costs and options of the cheapest so far, in order."""


def open_search(
    task: RankingTask, k: int, given: Iterable[Hashable], engine: str, workers: int
) -> Minimizer:
    """A search for the k best solutions. `given` and `engine` are checked here."""
    refuse_multiplicities(task.table, task.question)
    return _open(task, k, check_given(task.table, task.prepared, given), engine, workers)


def rank(
    task: RankingTask,
    search: Minimizer,
    timeout: float | None,
    progress: Callable[[Progress], object] | None,
) -> Ranking:
    """What the search finds, to the end or up to a limit."""
    return Minimizing(task, search, progress).resume(timeout, None)


class Minimizing:
    """A search for the best solutions, which a timeout may cut short: see `MinimumInterrupted`."""

    def __init__(
        self, task: RankingTask, search: Minimizer, progress: Callable[[Progress], object] | None
    ) -> None:
        self._task = task
        self._search = search
        self._progress = progress
        self._turn = new_guard()

    def resume(self, timeout: float | None, node_limit: int | None) -> Ranking:
        """The best solutions; `MinimumInterrupted` after `timeout` seconds more."""
        timeout, node_limit = check_timeout(timeout), check_limit(node_limit, "node_limit")
        question = self._task.question
        if node_limit is not None:
            raise InvalidArgument(
                f"{question} counts no nodes against a limit; resume it with a timeout, or with "
                "no limit"
            )
        with exclusive(self._turn, f"a {question}"):
            finished = self._go_on(timeout)
            best, bound, stats = self._known()
        if finished:
            return Ranking(best, stats)
        raise MinimumInterrupted(
            "timeout", best=tuple(best), bound=bound, stats=stats, continuation=self
        )

    def _go_on(self, timeout: float | None) -> bool:
        """Searches for so many seconds of work. Has it finished?"""
        search, finished = self._search, False
        until = inf if timeout is None else search.state[2][4] + timeout
        while not finished:
            left = until - search.state[2][4]
            if left <= 0:
                break
            part = left if self._progress is None else min(SLICE, left)
            finished = search.run(-1.0 if part == inf else part)
            if self._progress is not None:
                self._progress(_progress(self._task, search))
        return finished

    def _known(self) -> tuple[list[tuple[int, Solution]], int | None, Stats]:
        """The best solutions so far, the bound of all others, and the work."""
        sign, name_of = self._task.sign, self._task.table.name_of
        _, bound, raw = self._search.state
        nodes, updates, solutions, profile, seconds = raw
        stats = Stats(nodes, updates, solutions, tuple(profile), seconds)
        found = self._search.best()
        best = [(sign * cost, tuple(map(name_of, options))) for cost, options in found]
        return best, None if bound is None else sign * bound, stats


def _progress(task: RankingTask, search: Minimizer) -> Progress:
    best, bound, stats = search.state
    return Progress(
        None if best is None else task.sign * best,
        None if bound is None else task.sign * bound,
        stats[0],
        stats[4],
    )


def _open(task: RankingTask, k: int, given: list[int], engine: str, workers: int) -> Minimizer:
    if engine in ("auto", "links"):
        table, prepared = task.table, task.prepared
        return kernel.Minimum(
            table.start,
            table.entry_item,
            table.entry_color or None,
            prepared.rank,
            prepared.order,
            table.secondary.count(0),
            task.costs(),
            given,
            k,
            workers,
            ALONE,
        )
    if engine == "python":
        if workers != 1:
            raise InvalidArgument(
                f"workers is {workers}; the engine 'python' works in one thread only"
            )
        from dlx.engines.python.minimum import PythonMinimum

        return PythonMinimum(task.matrix(), task.costs(), given, k)
    raise InvalidArgument(
        f"engine is {quote(engine)}; {task.question} takes one of {', '.join(map(repr, ENGINES))}"
    )


def check_progress(progress: object) -> None:
    """Raises `InvalidArgument` for anything that cannot be called."""
    if progress is not None and not callable(progress):
        raise InvalidArgument(f"progress is {quote(progress)}; it must be a function")


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
