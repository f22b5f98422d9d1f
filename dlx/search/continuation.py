"""Searches and questions that were stopped, and go on: here, later, or in another process.

What is left of a search is a few parts (`dlx.core.part`) and the solutions that were found and not
handed over. With a `EngineFactory`, which knows the problem and how it is searched, an engine can
be opened again at any time that goes on from there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from dlx.core.arguments import check_limit, check_timeout
from dlx.engines.protocols import LearningEngine, ManagedEngine, TreeEngine
from dlx.errors import InvalidArgument, SearchInterrupted
from dlx.search.search import Search, Solution

if TYPE_CHECKING:
    from dlx.engines.protocols import Engine, Start

__all__ = [
    "Continuation",
    "EngineFactory",
    "SearchSnapshot",
    "answer",
    "save_search",
    "restore_search",
]


class EngineFactory(Protocol):
    """Opens engines on what is left of a search, here or in another process: it can be pickled."""

    def open(self, start: Start) -> Engine:
        """An engine that goes on where another stopped."""


class SearchSnapshot(NamedTuple):
    """A search as it is pickled: how to go on, from where, and what was not handed over yet."""

    factory: EngineFactory | None
    start: Start | None
    left_over: list[Solution]


def save_search(
    engine: Engine, factory: EngineFactory | None, left_over: list[Solution], *, closed: bool
) -> SearchSnapshot:
    """What is to be kept of a search. Raises `InvalidArgument` if that cannot be said."""
    from dlx.core.part import Part
    from dlx.engines.protocols import Start

    stats = engine.stats
    if closed or (engine.finished and not left_over):
        return SearchSnapshot(None, Start((), stats), [])
    learning = isinstance(engine, LearningEngine) and engine.conflicts is not None
    if factory is None or learning:
        raise InvalidArgument(
            "this search cannot be pickled: a SAT solver, or a journal, takes part in it, and what "
            "they know is not to be said in a few numbers"
        )
    if isinstance(engine, ManagedEngine):
        engine.pause()
        start = engine.resume_point()
        assert start is not None  # a journal has no factory
        return SearchSnapshot(factory, start, left_over)
    waiting: list[Solution] = []
    engine.draw(0, 0.0, waiting)
    position = cast("TreeEngine", engine).position()
    parts = () if position is None else (Part(tuple(position[0]), position[1]),)
    return SearchSnapshot(factory, Start(parts, engine.stats), [*left_over, *waiting])


def restore_search(
    saved: SearchSnapshot,
    limits: tuple[int | None, float | None, int | None],
    ending: tuple[str | None, bool, bool],
) -> Search:
    """The search that was saved."""
    limit, timeout, node_limit = limits
    assert saved.start is not None
    if saved.factory is None:
        engine: Engine = _Ended(saved.start)
    else:
        engine = saved.factory.open(saved.start)
    search = Search(engine, limit, timeout, node_limit=node_limit, factory=saved.factory)
    search._drawn = saved.left_over
    search._stopped_by, search._exhausted, search._closed = ending
    return search


class _Ended:
    """An engine that has nothing to do any more."""

    finished = True

    def __init__(self, start: Start) -> None:
        self.stats = start.stats

    def draw(self, count: int, seconds: float, into: list[Any], nodes: int = 0) -> None:
        """There is nothing."""

    def skip(self, count: int, seconds: float, nodes: int = 0) -> int:
        """There is nothing."""
        return 0

    def position(self) -> None:
        """There is nothing left."""

    def rewind(self) -> None:
        """Nothing was done."""


class Continuation(NamedTuple):
    """A question that a limit has left without an answer: what `SearchInterrupted.resume` needs."""

    search: Search
    kind: str
    """What was asked: "solve", "count" or "is_unique"."""
    limit: int | None = None
    """Of a count."""

    def resume(self, timeout: float | None, node_limit: int | None) -> Any:
        """The answer, or another `SearchInterrupted`."""
        timeout, node_limit = check_timeout(timeout), check_limit(node_limit, "node_limit")
        limit = None
        if self.kind != "solve":
            self.search.drop_left_over()
        if self.limit is not None:
            limit = max(0, self.limit - self.search.stats.solutions)
        self.search.resume(limit=limit, timeout=timeout, node_limit=node_limit)
        return answer(self)


def answer(asked: Continuation) -> Any:
    """The answer to a question, by its search; `SearchInterrupted` if a limit comes first."""
    search = asked.search
    try:
        found, known = _find(asked)
    except BaseException as error:
        search.release(type(error).__name__)
        raise
    if known:
        search.release()
        return found
    kept = None if search.release() else asked
    count = found if isinstance(found, int) else 0
    reason = search.stopped_by or "timeout"
    raise SearchInterrupted(reason, count=count, stats=search.stats, continuation=kept)


def _find(asked: Continuation) -> tuple[Any, bool]:
    """The answer as far as it is known, and whether it is."""
    search = asked.search
    if asked.kind == "solve":
        for solution in search:
            return solution, True
        return None, search.exhausted
    found = search.pass_over()
    known = search.exhausted or found == asked.limit
    return (found == 1 if known and asked.kind == "is_unique" else found), known
