"""Opens the searches behind `Problem.solutions`, `solve`, `is_unique` and `count`.

The search options select an engine: one for the calling thread (`dlx.engines`), one with workers
(`dlx.parallel`), or one with a journal (`dlx.checkpoint`). A `dlx.Search` drives it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dlx.core.kernel import Search as KernelSearch
from dlx.core.logs import log
from dlx.core.part import check_part
from dlx.engines.registry import open_engine
from dlx.search.continuation import Continuation, run
from dlx.search.search import Search, Solution

if TYPE_CHECKING:
    from dlx.core.numbering import SearchInput
    from dlx.engines.protocols import Engine, Start
    from dlx.parallel.start import DriverFactory
    from dlx.search.continuation import EngineFactory
    from dlx.search.options import SearchOptions
    from dlx.search.progress import ProgressMonitor

__all__ = ["count_by_enumeration", "find_first", "has_one_solution", "open_search"]


def open_search(
    search_input: SearchInput, options: SearchOptions, kind: str, *, any_order: bool = False
) -> Search:
    """The search for the solutions of a problem, not yet started.

    `kind` is "solutions", "solve" or "count". With `any_order`, the caller needs two solutions at
    most, in any order: "auto" may start the SAT solver, and "links" and "bits" may search the
    independent parts of the problem by themselves.
    """
    monitor = _monitor(search_input, options, kind)
    factory: EngineFactory | None = None
    if options.checkpoint is not None:
        from dlx.checkpoint.start import open_journaled

        engine: Engine = open_journaled(search_input, options, kind)
    else:
        engine = _open(search_input, options, any_order=any_order)
        if options.engine == "python":  # its table may grow before it is needed
            factory = _factory_of(search_input, options)
        elif options.engine != "sat":
            factory = _LazyFactory(search_input, options)
    node_limit = options.node_limit
    if node_limit is not None:
        node_limit += engine.stats[0]  # a journal has the nodes of earlier runs
    return Search(
        engine,
        options.limit,
        options.timeout,
        node_limit=node_limit,
        monitor=monitor,
        factory=factory,
    )


class _LazyFactory:
    """The factory of a search, made when it is needed: few searches go on in another engine."""

    __slots__ = ("_arguments",)

    def __init__(self, *arguments: Any) -> None:
        self._arguments = arguments

    def open(self, start: Start) -> Engine:
        """Returns an engine that goes on where another one stopped."""
        return _factory_of(*self._arguments).open(start)

    def __reduce__(self) -> tuple[Any, ...]:
        factory = _factory_of(*self._arguments)
        return type(factory), tuple(factory)


def _factory_of(search_input: SearchInput, options: SearchOptions) -> DriverFactory:
    from dlx.parallel.start import DriverFactory

    return DriverFactory.of(search_input, options)


def find_first(search_input: SearchInput, options: SearchOptions) -> Solution | None:
    """What `Problem.solve` returns."""
    search = open_search(search_input, options, "solve", any_order=True)
    found: Solution | None = run(Continuation(search, "solve"))
    return found


def has_one_solution(search_input: SearchInput, options: SearchOptions) -> bool:
    """What `Problem.is_unique` returns; the limit of the options is 2."""
    search = open_search(search_input, options, "count", any_order=True)
    unique: bool = run(Continuation(search, "is_unique", 2))
    return unique


def count_by_enumeration(search_input: SearchInput, options: SearchOptions) -> int:
    """The number of solutions, found by visiting each."""
    few = options.limit is not None and options.limit <= 2
    search = open_search(search_input, options, "count", any_order=few)
    number: int = run(Continuation(search, "count", options.limit))
    return number


def _open(search_input: SearchInput, options: SearchOptions, *, any_order: bool) -> Engine:
    part = options.part
    if part is not None:
        part = check_part(search_input.table, search_input.numbered, search_input.given, part)
    if options.workers is not None:
        from dlx.parallel.start import engine_spec, open_driver

        spec = engine_spec(search_input, options.engine, options.heuristic)
        return open_driver(spec, options.workers, names=search_input.table.names, part=part)
    engine = open_engine(
        options.engine, search_input, heuristic=options.heuristic, part=part, any_order=any_order
    )
    if any_order and part is None and options.heuristic == "mrv" and type(engine) is KernelSearch:
        from dlx.engines.components import ComponentSearch

        return ComponentSearch(engine, search_input, options.engine)
    return engine


def _monitor(
    search_input: SearchInput, options: SearchOptions, kind: str
) -> ProgressMonitor | None:
    """A monitor that reports to the function or the logger; None if there is neither."""
    if options.progress is None and not log.is_enabled():
        return None
    from dlx.search.progress import ProgressMonitor, TreeShares, check_progress

    check_progress(options.progress)
    what = f"{kind} of <dlx.Problem: {search_input.table.summary()}> with engine {options.engine!r}"
    shares = TreeShares(search_input.numbered.problem, search_input.given, options.part)
    return ProgressMonitor(options.progress, shares, what)
