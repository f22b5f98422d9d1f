"""Snapshots of searches, to continue them later, or in another process.

A snapshot has the parts left to be searched (`dlx.core.part`), the solutions found but not yet
returned, and an `EngineFactory`. The factory knows the problem and the search options, and opens an
engine that continues there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from dlx.engines.protocols import LearningEngine, ManagedEngine, TreeEngine
from dlx.errors import InvalidArgument
from dlx.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from dlx.core.budget import Budget, Reason
    from dlx.engines.protocols import Engine, Start

__all__ = ["EngineFactory", "SearchSnapshot", "restore_search", "save_search"]

S = TypeVar("S")


class EngineFactory(Protocol):
    """Opens engines that continue a search; can be pickled."""

    def open(self, start: Start) -> Engine:
        """An engine that continues where another one stopped."""


class SearchSnapshot(NamedTuple):
    """The pickled state of a search; `left_over` has the solutions found but not yet returned."""

    factory: EngineFactory | None
    start: Start | None
    left_over: list[tuple[Any, ...]]


def save_search(
    engine: Engine, factory: EngineFactory | None, left_over: list[tuple[Any, ...]], *, closed: bool
) -> SearchSnapshot:
    """The snapshot of a search. Raises `InvalidArgument` if its state cannot be saved."""
    from dlx.core.part import parts_at
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
    waiting: list[tuple[Any, ...]] = []
    engine.take_waiting(waiting)
    start = Start(parts_at(cast("TreeEngine", engine).position()), engine.stats)
    return SearchSnapshot(factory, start, [*left_over, *waiting])


def restore_search(
    saved: SearchSnapshot,
    limits: tuple[int | None, float | None, int | None],
    ending: tuple[str | None, bool, bool],
    make: Callable[..., S],
) -> S:
    """The search of a snapshot; `make` takes the arguments of `dlx.Search`, and returns one."""
    limit, timeout, node_limit = limits
    assert saved.start is not None
    if saved.factory is None:
        engine: Engine = _FinishedEngine(saved.start)
    else:
        engine = saved.factory.open(saved.start)
    search: Any = make(engine, limit, timeout, node_limit=node_limit, factory=saved.factory)
    search._drawn = saved.left_over
    search._stopped_by, search._exhausted, search._closed = ending
    restored: S = search
    return restored


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
