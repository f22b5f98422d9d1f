"""Opens the searches behind `Problem.solutions`, `solve`, `is_unique` and `count`.

The search options select an engine: one for the calling thread (`dlx.engines`), one with workers
(`dlx.parallel`), or one with a journal (`dlx.checkpoint`). A `dlx.Search` drives it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any

from dlx.core.kernel import Search as KernelSearch
from dlx.core.logs import log
from dlx.core.part import Part, check_part
from dlx.engines.certificates import Certificates
from dlx.engines.protocols import ManagedEngine
from dlx.engines.registry import begin_search, open_engine
from dlx.search.continuation import Continuation, run
from dlx.search.search import Search, Solution

if TYPE_CHECKING:
    from dlx.analysis.symmetry.distinct_engine import ClassFilter
    from dlx.core.numbering import SearchInput
    from dlx.engines.protocols import Engine, Start
    from dlx.engines.registry import BegunSearch
    from dlx.parallel.engine_spec import EngineSpec
    from dlx.parallel.start import DriverFactory
    from dlx.search.continuation import EngineFactory
    from dlx.search.options import SearchOptions
    from dlx.search.progress import ProgressMonitor

__all__ = ["count_by_enumeration", "find_first", "has_one_solution", "open_search"]

Wrap = Callable[["EngineSpec"], "EngineSpec"]
"""Makes the spec of the engines of a distinct search from that of the engines below."""


def open_search(
    search_input: SearchInput,
    options: SearchOptions,
    kind: str,
    *,
    any_order: bool = False,
    begun: BegunSearch | None = None,
) -> Search:
    """The search for the solutions of a problem, not yet started.

    `kind` is "solutions", "solve" or "count". With `any_order`, the caller needs two solutions at
    most, in any order: "auto" may start the SAT solver, and "links" and "bits" may search the
    independent parts of the problem by themselves. What has `begun` is continued.
    """
    any_order = any_order and options.distinct is False
    monitor = _monitor(search_input, options, kind)
    classes: ClassFilter | None = None
    wrap: Wrap | None = None
    preparing: AbstractContextManager[None] = nullcontext()
    if options.distinct is not False:
        from dlx.analysis.symmetry.distinct import class_filter, distinct_spec
        from dlx.search.deadline import Deadline

        deadline = Deadline(options.timeout)
        with deadline.preparing():
            classes = class_filter(search_input, options.distinct)
        options = options._replace(timeout=deadline.left())
        wrap = partial(distinct_spec, classes, options.heuristic)
        preparing = deadline.preparing()
    factory: EngineFactory | None = None
    if options.checkpoint is not None:
        engine = _open_journaled(search_input, options, kind, wrap)
    else:
        with preparing:
            engine = _open(search_input, options, classes, wrap, any_order=any_order, begun=begun)
        if options.engine == "python":  # its table may grow before it is needed
            factory = _factory_of(search_input, options, wrap)
        elif options.engine != "sat":
            factory = _LazyFactory(search_input, options, wrap)
    may_refute = any_order or (kind == "count" and options.distinct is False)
    if may_refute and options.engine == "auto" and isinstance(engine, ManagedEngine):
        from dlx.engines.refutable import RefutableSearch

        engine = RefutableSearch(engine, Certificates(search_input))
    node_limit = options.node_limit
    if node_limit is not None:
        node_limit += engine.stats.nodes  # a journal has the nodes of earlier runs
    limits = (engine, options.limit, options.timeout)
    others: dict[str, Any] = {"node_limit": node_limit, "monitor": monitor, "factory": factory}
    if classes is not None:
        from dlx.analysis.symmetry.distinct import DistinctSearch

        return DistinctSearch(classes, search_input.table.names, *limits, **others)
    return Search(*limits, **others)


def _open_journaled(
    search_input: SearchInput, options: SearchOptions, kind: str, wrap: Wrap | None
) -> Engine:
    from dlx.checkpoint.start import open_journaled

    distinct = None
    if wrap is not None:
        from dlx.analysis.symmetry.distinct import journal_text

        distinct = journal_text(options.distinct)
    return open_journaled(search_input, options, kind, wrap=wrap, distinct=distinct)


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


def _factory_of(
    search_input: SearchInput, options: SearchOptions, wrap: Wrap | None
) -> DriverFactory:
    from dlx.parallel.start import DriverFactory

    return DriverFactory.of(search_input, options, wrap)


def find_first(search_input: SearchInput, options: SearchOptions) -> Solution | None:
    """What `Problem.solve` returns."""
    begun = _begin(search_input, options, 1)
    if begun is not None and (begun.found or begun.own.finished):
        return begun.found[0] if begun.found else None
    search = open_search(search_input, options, "solve", any_order=True, begun=begun)
    found: Solution | None = run(Continuation(search, "solve"))
    return found


def has_one_solution(search_input: SearchInput, options: SearchOptions) -> bool:
    """What `Problem.is_unique` returns; the limit of the options is 2."""
    begun = _begin(search_input, options, 2)
    if begun is not None and (len(begun.found) == 2 or begun.own.finished):
        return len(begun.found) == 1
    search = open_search(search_input, options, "count", any_order=True, begun=begun)
    unique: bool = run(Continuation(search, "is_unique", 2))
    return unique


def count_by_enumeration(search_input: SearchInput, options: SearchOptions) -> int:
    """The number of solutions, found by visiting each."""
    limit = options.limit
    few = limit is not None and limit <= 2
    begun = _begin(search_input, options, limit) if limit is not None and few else None
    if begun is not None and (len(begun.found) == limit or begun.own.finished):
        return len(begun.found)
    search = open_search(search_input, options, "count", any_order=few, begun=begun)
    number: int = run(Continuation(search, "count", limit))
    return number


def _begin(search_input: SearchInput, options: SearchOptions, wanted: int) -> BegunSearch | None:
    """The beginning of a search by "auto" for one or two solutions; None with other options.

    Most calls are answered by it, and `Search` would take as long again.
    """
    plain = (
        options.engine == "auto"
        and options.timeout is None
        and options.node_limit is None
        and options.workers is None
        and options.checkpoint is None
        and options.part is None
        and options.distinct is False
        and options.progress is None
        and not log.is_enabled()
    )
    return begin_search(search_input, options.heuristic, wanted) if plain else None


def _open(
    search_input: SearchInput,
    options: SearchOptions,
    classes: ClassFilter | None,
    wrap: Wrap | None,
    *,
    any_order: bool,
    begun: BegunSearch | None,
) -> Engine:
    part = options.part
    if part is not None:
        part = check_part(search_input.table, search_input.numbered, search_input.given, part)
    if options.workers is not None or (wrap is not None and options.engine != "sat"):
        from dlx.parallel.start import engine_spec, open_driver

        spec = engine_spec(search_input, options.engine, options.heuristic)
        if wrap is not None:
            spec = wrap(spec)
        names = search_input.table.names
        if options.workers is None:
            return spec.open_first(names, Part() if part is None else part)
        return open_driver(spec, options.workers, names=names, part=part)
    engine = open_engine(
        options.engine,
        search_input,
        heuristic=options.heuristic,
        part=part,
        any_order=any_order,
        open_symmetric=_symmetric_opener(search_input) if any_order else None,
        begun=begun,
    )
    if classes is not None:
        from dlx.analysis.symmetry.distinct_engine import DistinctLearningEngine

        return DistinctLearningEngine(engine, classes.open(), search_input.table)
    if any_order and part is None and options.heuristic == "mrv" and type(engine) is KernelSearch:
        from dlx.engines.components import ComponentSearch

        return ComponentSearch(engine, search_input, options.engine)
    return engine


def _symmetric_opener(search_input: SearchInput) -> Callable[[], Engine | None]:
    """Opens the search that uses the symmetries of the problem, unless that has grown since."""
    table = search_input.table
    size = len(table), len(table.items)

    def open_symmetric() -> Engine | None:
        if (len(table), len(table.items)) != size:
            return None
        from dlx.analysis.symmetry.distinct import open_symmetric

        return open_symmetric(search_input)

    return open_symmetric


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
