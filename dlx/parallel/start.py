"""Makes a driver with its workers from the keywords `workers` and `executor`."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, NamedTuple

from dlx.core.part import Part
from dlx.engines.protocols import Start
from dlx.engines.registry import check_compiled, no_such_engine
from dlx.errors import InvalidArgument
from dlx.links.heuristics import check_heuristic
from dlx.parallel.driver import Driver
from dlx.parallel.engine_spec import CompiledEngineSpec, EngineSpec, PythonEngineSpec
from dlx.parallel.results import Recorder
from dlx.search.options import WorkerConfig

if TYPE_CHECKING:
    from dlx.core.numbering import SearchInput
    from dlx.engines.protocols import Engine
    from dlx.links.heuristics import Heuristic
    from dlx.parallel.pool import WorkerPool
    from dlx.parallel.schedule import Schedule
    from dlx.search.options import SearchOptions

__all__ = ["DriverFactory", "engine_spec", "open_driver"]


def engine_spec(search_input: SearchInput, engine: str, heuristic: str | Heuristic) -> EngineSpec:
    """Returns the spec by which workers open engines on parts of a search.

    A snapshot: the table may grow afterwards. Raises `InvalidArgument`.
    """
    table, numbered, given = search_input
    if engine in ("auto", "bits", "links"):
        rule = check_compiled(engine, numbered.problem, heuristic)
        return CompiledEngineSpec(numbered.problem, given, engine, rule)
    if engine == "python":
        check_heuristic(heuristic)
        return PythonEngineSpec(table.copy(), numbered.rank, numbered.order, given, heuristic)
    if engine == "sat":
        raise InvalidArgument(
            "engine='sat' searches in one piece, which workers cannot share; use 'auto', "
            "'bits', 'links' or 'python', or leave workers and executor out"
        )
    raise no_such_engine(engine)


def open_driver(
    spec: EngineSpec,
    config: WorkerConfig,
    *,
    names: list[Hashable] | None,
    part: Part | None = None,
    start: Start | None = None,
    recorder: Recorder | None = None,
) -> Driver:
    """Begins a search by several workers: of the whole, of a part, or from a `start`.

    Without a `start`, the search begins in the calling thread.
    """

    def make_pool(schedule: Schedule) -> WorkerPool:
        if config.executor is not None:
            from dlx.parallel.executors import ExecutorPool

            return ExecutorPool(schedule, spec, config.executor, config.workers)
        from dlx.parallel.threads import ThreadPool

        return ThreadPool(schedule, spec.open, config.workers)

    whole = Part() if part is None else part
    begin = spec.open_first(names, whole) if start is None else start
    return Driver(begin, make_pool, names=names, ordered=config.ordered, recorder=recorder)


class DriverFactory(NamedTuple):
    """Opens engines on what is left of a search (see `dlx.search.continuation.EngineFactory`)."""

    spec: EngineSpec
    names: list[Hashable] | None
    workers: int
    ordered: bool

    @classmethod
    def of(
        cls,
        search_input: SearchInput,
        options: SearchOptions,
        wrap: Callable[[EngineSpec], EngineSpec] | None = None,
    ) -> DriverFactory:
        """The factory of a search with these options; `wrap` changes the spec of its engines."""
        config = options.workers or WorkerConfig(1, None, ordered=True)
        spec = engine_spec(search_input, options.engine, options.heuristic)
        if wrap is not None:
            spec = wrap(spec)
        return cls(spec, search_input.table.names, config.workers, config.ordered)

    def open(self, start: Start) -> Engine:
        """Returns an engine that goes on where another one stopped."""
        config = WorkerConfig(self.workers, None, self.ordered)
        return open_driver(self.spec, config, names=self.names, start=start)
