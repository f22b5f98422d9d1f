"""The search for the cheapest solutions, from the outside: see `dlx.Problem.minimum`."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable
from typing import TYPE_CHECKING, NamedTuple, Protocol

from dlx import kernel
from dlx.costs import Progress, Ranking
from dlx.errors import InvalidArgument, MinimumInterrupted, quote
from dlx.givens import check_given
from dlx.limits import kernel_limit
from dlx.plain_only import refuse_multiplicities
from dlx.search import Stats

if TYPE_CHECKING:
    from dlx.engines import RawStats
    from dlx.links import Matrix
    from dlx.prepared import Prepared
    from dlx.table import Table

__all__ = ["ENGINES", "Minimizer", "Task", "check_count", "check_progress", "rank"]

ENGINES = ("auto", "links", "python")
SLICE = 0.05  # seconds between two calls of `progress`
ALONE = 200_000  # work of one thread, in what takes about ten nanoseconds, before others join


class Task(NamedTuple):
    """A problem in search order and its costs; `sign` is -1 if the dearest are wanted."""

    table: Table
    prepared: Prepared
    matrix: Callable[[], Matrix]
    sign: int

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


def rank(
    task: Task,
    k: int,
    given: Iterable[Hashable],
    timeout: float | None,
    engine: str,
    progress: Callable[[Progress], object] | None,
    workers: int,
) -> Ranking:
    """The k best solutions. The arguments were checked, but for `given` and `engine`."""
    refuse_multiplicities(task.table, "minimum")
    search = _open(task, k, check_given(task.table, task.prepared, given), engine, workers)
    finished = False
    while not finished:
        spent = search.state[2][4]
        left = -1.0 if timeout is None else max(0.0, timeout - spent)
        if left == 0:
            break
        part = left if progress is None else min(SLICE, left) if left > 0 else SLICE
        finished = search.run(part)
        if progress is not None:
            progress(_progress(task, search))
    _, bound, raw = search.state
    nodes, updates, solutions, profile, seconds = raw
    stats = Stats(nodes, updates, solutions, tuple(profile), seconds)
    name_of = task.table.name_of
    pairs = [(task.sign * cost, tuple(map(name_of, options))) for cost, options in search.best()]
    if finished:
        return Ranking(pairs, stats)
    raise MinimumInterrupted(
        "timeout",
        best=tuple(pairs),
        bound=None if bound is None else task.sign * bound,
        stats=stats,
    )


def _progress(task: Task, search: Minimizer) -> Progress:
    best, bound, stats = search.state
    return Progress(
        None if best is None else task.sign * best,
        None if bound is None else task.sign * bound,
        stats[0],
        stats[4],
    )


def _open(task: Task, k: int, given: list[int], engine: str, workers: int) -> Minimizer:
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
        from dlx.python_minimum import PythonMinimum

        return PythonMinimum(task.matrix(), task.costs(), given, k)
    raise InvalidArgument(
        f"no engine {quote(engine)} finds the cheapest solutions; choose one of "
        f"{', '.join(map(repr, ENGINES))}"
    )


def check_count(k: object) -> int:
    """`k` if it is an integer from 1 up."""
    if isinstance(k, int) and not isinstance(k, bool) and k >= 1:
        return kernel_limit(k)
    raise InvalidArgument(f"k is {quote(k)}; it must be an integer from 1 up")


def check_progress(progress: object) -> None:
    """Raises `InvalidArgument` for anything that cannot be called."""
    if progress is not None and not callable(progress):
        raise InvalidArgument(f"progress is {quote(progress)}; it must be a function")
