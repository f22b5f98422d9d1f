"""Snapshots of searches, to continue them later, or in another process.

A snapshot has the parts left to be searched (`dlx.core.part`), the solutions found but not yet
returned, and an `EngineFactory`. The factory knows the problem and the search options, and opens an
engine that continues there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, cast

from dlx.core.arguments import check_limit, check_timeout
from dlx.engines.protocols import LearningEngine, ManagedEngine, TreeEngine
from dlx.errors import InvalidArgument, SearchInterrupted
from dlx.named_tuple import NamedTuple
from dlx.search.search import Search, Solution

if TYPE_CHECKING:
    from collections.abc import Callable

    from dlx.core.budget import Budget, Reason
    from dlx.engines.protocols import Engine, Start

__all__ = [
    "Continuation",
    "EngineFactory",
    "SearchSnapshot",
    "restore_search",
    "run",
    "save_search",
]


class EngineFactory(Protocol):
    """Opens engines that continue a search; can be pickled."""

    def open(self, start: Start) -> Engine:
        """An engine that continues where another one stopped."""


class SearchSnapshot(NamedTuple):
    """The pickled state of a search; `left_over` has the solutions found but not yet returned."""

    factory: EngineFactory | None
    start: Start | None
    left_over: list[Solution]


def save_search(
    engine: Engine, factory: EngineFactory | None, left_over: list[Solution], *, closed: bool
) -> SearchSnapshot:
    """The snapshot of a search. Raises `InvalidArgument` if its state cannot be saved."""
    from dlx.core.part import Part
    from dlx.engines.protocols import Start

    stats = engine.stats
    if closed or (engine.finished and not left_over):
        return SearchSnapshot(None, Start((), stats), [])
    learning = isinstance(engine, LearningEngine) and engine.out_of_order
    if factory is None or learning:
        raise InvalidArgument(
            "this search cannot be pickled: a SAT solver or a journal takes part in it, and their "
            "state cannot be saved"
        )
    if isinstance(engine, ManagedEngine):
        engine.pause()
        start = engine.resume_point()
        assert start is not None  # a journal has no factory
        return SearchSnapshot(factory, start, left_over)
    waiting: list[Solution] = []
    engine.take_waiting(waiting)
    position = cast("TreeEngine", engine).position()
    parts = () if position is None else (Part(tuple(position[0]), position[1]),)
    return SearchSnapshot(factory, Start(parts, engine.stats), [*left_over, *waiting])


def restore_search(
    saved: SearchSnapshot,
    limits: tuple[int | None, float | None, int | None],
    ending: tuple[str | None, bool, bool],
    make: Callable[..., Search] = Search,
) -> Search:
    """The search of a snapshot; `make` takes the arguments of `Search`."""
    limit, timeout, node_limit = limits
    assert saved.start is not None
    if saved.factory is None:
        engine: Engine = _FinishedEngine(saved.start)
    else:
        engine = saved.factory.open(saved.start)
    search = make(engine, limit, timeout, node_limit=node_limit, factory=saved.factory)
    search._drawn = saved.left_over
    search._stopped_by, search._exhausted, search._closed = ending
    return search


class _FinishedEngine:
    """An engine with no work left."""

    finished = True

    def __init__(self, start: Start) -> None:
        self.stats = start.stats

    def run(self, budget: Budget, into: list[Any]) -> Reason:
        """Appends no solution."""
        return "finished"

    def take_waiting(self, into: list[Any]) -> None:
        """Appends no solution."""

    def skip(self, budget: Budget) -> int:
        """Returns 0."""
        return 0

    def position(self) -> None:
        """Returns None: nothing is left."""

    def close(self) -> None:
        """Does nothing."""


class Continuation(NamedTuple):
    """A call of `solve`, `count` or `is_unique` that `SearchInterrupted.resume` can continue."""

    search: Search
    kind: str
    """The method called: "solve", "count" or "is_unique"."""
    limit: int | None = None
    """The limit of a count."""

    def resume(self, timeout: float | None, node_limit: int | None) -> Any:
        """What the call returns. Raises another `SearchInterrupted` at the next limit."""
        timeout, node_limit = check_timeout(timeout), check_limit(node_limit, "node_limit")
        limit = None
        if self.kind != "solve":
            self.search.drop_left_over()
        if self.limit is not None:
            limit = max(0, self.limit - self.search.stats.solutions)
        self.search.resume(limit=limit, timeout=timeout, node_limit=node_limit)
        return run(self)


def run(call: Continuation) -> Any:
    """What the call returns. Raises `SearchInterrupted` if a limit is reached before."""
    search = call.search
    try:
        result, certain = _search(call)
    except BaseException as error:
        search.release(type(error).__name__)
        raise
    if certain:
        search.release()
        return result
    continuation = None if search.release() else call
    count = result if isinstance(result, int) else 0
    reason = search.stopped_by or "timeout"
    raise SearchInterrupted(reason, count=count, stats=search.stats, continuation=continuation)


def _search(call: Continuation) -> tuple[Any, bool]:
    """The result as far as it is known, and whether it is final."""
    search = call.search
    if call.kind == "solve":
        for solution in search:
            return solution, True
        return None, search.exhausted
    found = search.skip_all()
    certain = search.exhausted or found == call.limit
    return (found == 1 if certain and call.kind == "is_unique" else found), certain
