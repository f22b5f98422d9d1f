"""From what a caller wishes (`workers`, `executor`) to a driver."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import TYPE_CHECKING, Any

from dlx.core.part import Part
from dlx.engines.protocols import Start
from dlx.engines.registry import check_compiled, no_such_engine
from dlx.errors import InvalidArgument
from dlx.links.heuristics import check_heuristic
from dlx.parallel.driver import Driver
from dlx.parallel.payload import CompiledEngineSpec, EngineSpec, PythonEngineSpec
from dlx.parallel.results import Recorder

if TYPE_CHECKING:
    from dlx.core.numbering import NumberedProblem
    from dlx.core.table import Table
    from dlx.engines.protocols import Engine, Start
    from dlx.links.heuristics import Heuristic
    from dlx.parallel.payload import EngineSpec
    from dlx.parallel.pool import WorkerPool
    from dlx.parallel.schedule import Schedule
    from dlx.search.options import Asked, WorkerConfig

__all__ = ["DriverFactory", "ask", "open_driver"]


def ask(
    engine: str,
    table: Table,
    prepared: NumberedProblem,
    given: list[int],
    heuristic: str | Heuristic,
) -> EngineSpec:
    """The question of a search whose parts can be done by many. Raises `InvalidArgument`.

    It is a snapshot: the table may grow.
    """
    if engine in ("auto", "bits", "links"):
        rule = check_compiled(engine, prepared.problem, heuristic)
        return CompiledEngineSpec(prepared.problem, given, engine, rule)
    if engine == "python":
        check_heuristic(heuristic)
        return PythonEngineSpec(table.copy(), prepared.rank, prepared.order, given, heuristic)
    if engine == "sat":
        raise InvalidArgument(
            "engine='sat' searches in one piece, which workers cannot share; choose 'auto', "
            "'bits', 'links' or 'python', or leave workers and executor out"
        )
    raise no_such_engine(engine)


def open_driver(
    question: EngineSpec,
    crew: WorkerConfig,
    *,
    names: list[Hashable] | None,
    part: Part | None = None,
    start: Start | None = None,
    recorder: Recorder | None = None,
) -> Driver:
    """Begins a search by several workers: of the whole, of a part, or from where another stopped.

    A search without a `start` begins in the calling thread.
    """

    def hire(schedule: Schedule) -> WorkerPool:
        if crew.executor is not None:
            from dlx.parallel.executors import ExecutorPool

            return ExecutorPool(schedule, question, crew.executor, crew.workers)
        from dlx.parallel.threads import ThreadPool

        return ThreadPool(schedule, question.open, crew.workers)

    return Driver(
        question.open_first(names, Part() if part is None else part) if start is None else None,
        hire,
        names=names,
        ordered=crew.ordered,
        start=start,
        recorder=recorder,
    )


class DriverFactory:
    """How to open an engine on what is left of a search; can be pickled.

    The question is made when it is first needed, unless the table it is made of may grow by then.
    """

    __slots__ = ("_ask", "_question", "names", "ordered", "workers")

    def __init__(
        self,
        ask: Callable[[], EngineSpec],
        names: list[Hashable] | None,
        workers: int,
        ordered: bool,
    ) -> None:
        self._ask = ask
        self._question: EngineSpec | None = None
        self.names = names
        self.workers = workers
        self.ordered = ordered

    @classmethod
    def of(
        cls, table: Table, prepared: NumberedProblem, given: list[int], asked: Asked
    ) -> DriverFactory:
        """That of a search of a table."""
        workers, ordered = (
            (1, True) if asked.crew is None else (asked.crew.workers, asked.crew.ordered)
        )
        recipe = cls(
            partial(_asked, asked.engine, table, prepared, given, asked.heuristic),
            table.names,
            workers,
            ordered,
        )
        if asked.engine == "python":
            recipe._question = recipe._ask()
        return recipe

    @property
    def question(self) -> EngineSpec:
        """The problem, the givens, and how to search."""
        if self._question is None:
            self._question = self._ask()
        return self._question

    def open(self, start: Start) -> Engine:
        """An engine that goes on where another stopped."""
        from dlx.search.options import WorkerConfig

        crew = WorkerConfig(self.workers, None, self.ordered)
        return open_driver(self.question, crew, names=self.names, start=start)

    def __reduce__(self) -> tuple[Any, ...]:
        names = None if self.names is None else list(self.names)
        return _recipe, (self.question, names, self.workers, self.ordered)


def _asked(
    engine: str,
    table: Table,
    prepared: NumberedProblem,
    given: list[int],
    heuristic: str | Heuristic,
) -> EngineSpec:

    return ask(engine, table, prepared, given, heuristic)


def _recipe(
    question: EngineSpec, names: list[Hashable] | None, workers: int, ordered: bool
) -> DriverFactory:
    return DriverFactory(lambda: question, names, workers, ordered)
