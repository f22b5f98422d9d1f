"""Runs the plans of `Problem.solutions`, `solve`, `is_unique`, and `count` by enumeration.

The runner of a plan (`dlx.plan`) is an engine for the calling thread (`dlx.engines`), or one with
workers (`dlx.parallel`) or a journal (`dlx.checkpoint`). A `dlx.Search` drives it.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any

from dlx.core.budget import Budget
from dlx.core.kernel import Search as KernelSearch
from dlx.core.logs import log
from dlx.core.part import check_part
from dlx.engines.certificates import Certificates
from dlx.engines.protocols import ManagedEngine
from dlx.engines.registry import check_compiled
from dlx.engines.spec import WHOLE, engine_spec
from dlx.errors import InvalidArgument, quote
from dlx.links.heuristics import check_heuristic
from dlx.named_tuple import NamedTuple
from dlx.plan import IN_ORDER, answers_at_once, make_plan, nodes_alone
from dlx.search.continuation import Continuation, run
from dlx.search.options import WorkerConfig
from dlx.search.search import Search, Solution

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from dlx.analysis.symmetry.distinct_engine import ClassFilter
    from dlx.core.numbering import SearchInput
    from dlx.engines.portfolio import Helper, Portfolio
    from dlx.engines.protocols import Engine, Start
    from dlx.engines.sat import SatEngine
    from dlx.engines.spec import EngineSpec
    from dlx.plan import Plan
    from dlx.search.options import SearchOptions
    from dlx.search.progress import ProgressMonitor

__all__ = ["count_by_enumeration", "find_first", "has_one_solution", "open_engine", "open_search"]


class DriverFactory(NamedTuple):
    """Opens engines on what is left of a search (see `dlx.search.snapshot.EngineFactory`)."""

    spec: EngineSpec
    names: list[Hashable] | None
    workers: int
    ordered: bool

    def open(self, start: Start) -> Engine:
        """Returns an engine that goes on where another one stopped."""
        from dlx.parallel.start import open_driver

        config = WorkerConfig(self.workers, None, self.ordered)
        return open_driver(self.spec, config, names=self.names, start=start)


class Begun(NamedTuple):
    """The search of the kernel by which "auto" begins, and the solutions that it has found."""

    own: KernelSearch
    found: list[tuple[Any, ...]]


def find_first(search_input: SearchInput, options: SearchOptions) -> Solution | None:
    """What `Problem.solve` returns."""
    begun = _begin(search_input, options, 1)
    if begun is not None and (begun.found or begun.own.finished):
        return begun.found[0] if begun.found else None
    search = open_search(search_input, options, "solve", begun=begun)
    found: Solution | None = run(Continuation(search, "solve"))
    return found


def has_one_solution(search_input: SearchInput, options: SearchOptions) -> bool:
    """What `Problem.is_unique` returns; the limit of the options is 2."""
    begun = _begin(search_input, options, 2)
    if begun is not None and (len(begun.found) == 2 or begun.own.finished):
        return len(begun.found) == 1
    search = open_search(search_input, options, "is_unique", begun=begun)
    unique: bool = run(Continuation(search, "is_unique", 2))
    return unique


def count_by_enumeration(
    search_input: SearchInput, options: SearchOptions, plan: Plan | None = None
) -> int:
    """The number of solutions, found by visiting each."""
    limit, begun = options.limit, None
    if limit is not None and limit <= 2:
        begun = _begin(search_input, options, limit)
        if begun is not None and (len(begun.found) == limit or begun.own.finished):
            return len(begun.found)
    search = open_search(search_input, options, "count", plan=plan, begun=begun)
    number: int = run(Continuation(search, "count", limit))
    return number


def _begin(search_input: SearchInput, options: SearchOptions, wanted: int) -> Begun | None:
    """The beginning of a search by "auto" for one or two solutions; None with other options.

    Most calls are answered by it, and `Search` would take as long again.
    """
    return _begin_alone(search_input, options, wanted) if answers_at_once(options) else None


@cache
def _for_one(nodes: int) -> Budget:
    return Budget(1, nodes=nodes)


def _begin_alone(search_input: SearchInput, options: SearchOptions, wanted: int) -> Begun:
    """Searches for the first `wanted` solutions, as long as "auto" searches in order alone."""
    table, numbered, given = search_input
    rule = check_compiled("auto", numbered.problem, options.heuristic)
    own = KernelSearch(numbered.problem, given, table.names, "auto", rule)
    found: list[tuple[Any, ...]] = []
    budget = _for_one(nodes_alone(table))
    if options.timeout is not None:
        budget = budget.within(options.timeout)
    for _ in range(wanted):
        own.run(budget, found)
        if own.finished:
            break
    return Begun(own, found)


def open_search(
    search_input: SearchInput,
    options: SearchOptions,
    question: str,
    *,
    plan: Plan | None = None,
    begun: Begun | None = None,
) -> Search:
    """The search for the solutions of a problem, not yet started; what has `begun` is continued.

    `question` is "solutions", "solve", "is_unique" or "count".
    """
    monitor = _monitor(search_input, options, question)
    if plan is None:
        plan = make_plan(question, search_input, options)
    classes: ClassFilter | None = None
    spec: EngineSpec | None = None
    if options.distinct is False or options.proof is not None:
        engine, spec = open_engine(search_input, options, plan, begun=begun)
    else:
        from dlx.analysis.symmetry.distinct import class_filter
        from dlx.search.deadline import Deadline

        deadline = Deadline(options.timeout)
        with deadline.preparing():
            classes = class_filter(search_input, options.distinct)
        options = options._replace(timeout=deadline.left())
        with deadline.preparing():
            engine, spec = open_engine(search_input, options, plan, classes)
    factory = None
    if options.checkpoint is None and spec is not None:
        workers = options.workers
        count, ordered = (1, True) if workers is None else (workers.workers, workers.ordered)
        factory = DriverFactory(spec, search_input.table.names, count, ordered)
    node_limit = options.node_limit
    if node_limit is not None:
        node_limit += engine.stats.nodes  # a journal has the nodes of earlier runs
    make: Callable[..., Search] = Search
    if classes is not None:
        from dlx.analysis.symmetry.distinct import DistinctSearch

        make = partial(DistinctSearch, classes, search_input.table.names)
    return make(
        engine,
        options.limit,
        options.timeout,
        node_limit=node_limit,
        monitor=monitor,
        factory=factory,
        method=plan.steps[0].method,
    )


def open_engine(
    search_input: SearchInput,
    options: SearchOptions,
    plan: Plan,
    classes: ClassFilter | None = None,
    *,
    begun: Begun | None = None,
) -> tuple[Engine, EngineSpec | None]:
    """The runner of a plan, and the spec of the engines that can continue it; None if none can.

    `classes` are those of a plan for the first solutions of classes.
    """
    table, numbered, given = search_input
    part = WHOLE
    if options.part is not None and options.proof is None:
        part = check_part(table, numbered, given, options.part)
    if plan.engine == "sat" and plan.runner == "engine" and part is WHOLE:
        return _open_sat(search_input, options, classes), None
    if plan.runner == "proof":
        from dlx.proofs.search import open_proof

        return open_proof(search_input, options, plan), None
    spec = engine_spec(search_input, options.engine, options.heuristic)
    if plan.steps is IN_ORDER:
        return spec.open(part, table.names), spec
    if classes is not None:
        from dlx.analysis.symmetry.distinct import distinct_spec

        spec = distinct_spec(classes, options.heuristic, spec)
    engine: Engine
    if plan.runner == "journal":
        engine = _open_journaled(search_input, options, plan.question, spec)
    elif plan.runner == "workers":
        from dlx.parallel.start import open_driver

        assert options.workers is not None
        engine = open_driver(spec, options.workers, names=table.names, part=part)
    elif plan.runner == "portfolio":
        return _open_portfolio(search_input, options, plan, begun), spec
    else:
        engine = spec.open(part, table.names)
    if plan.runner == "parts":
        from dlx.engines.components import ComponentSearch

        assert isinstance(engine, KernelSearch)
        (step,) = (one for one in plan.steps if one.method == "parts")
        return ComponentSearch(engine, search_input, options.engine, int(step.after)), spec
    assistant = plan.step("in order")
    if isinstance(engine, ManagedEngine) and assistant is not None:
        from dlx.engines.assisted import AssistedSearch

        opener = partial(_open_portfolio, search_input, options, plan, None)
        return AssistedSearch(engine, opener, int(assistant.after)), spec
    if isinstance(engine, ManagedEngine) and plan.step("certificates") is not None:
        from dlx.engines.assisted import RefutableSearch

        return RefutableSearch(engine, Certificates(search_input)), spec
    return engine, spec


def _open_sat(
    search_input: SearchInput, options: SearchOptions, classes: ClassFilter | None
) -> Engine:
    from dlx.engines.sat import SatEngine

    check_heuristic(options.heuristic)
    if options.heuristic != "mrv":
        raise InvalidArgument(
            f"heuristic is {quote(options.heuristic)}; engine='sat' branches by its own rules and "
            "takes no heuristic"
        )
    engine = SatEngine(search_input, len(search_input.table))
    if classes is None:
        return engine
    from dlx.analysis.symmetry.distinct_engine import DistinctLearningEngine

    return DistinctLearningEngine(engine, classes.open(), search_input.table)


def _open_journaled(
    search_input: SearchInput, options: SearchOptions, question: str, spec: EngineSpec
) -> Engine:
    from dlx.checkpoint.start import open_journaled

    distinct = None
    if options.distinct is not False:
        from dlx.analysis.symmetry.distinct import journal_text

        distinct = journal_text(options.distinct)
    kind = "count" if question in ("count", "is_unique") else "solutions"
    return open_journaled(search_input, options, kind, spec, distinct)


def _open_portfolio(
    search_input: SearchInput, options: SearchOptions, plan: Plan, begun: Begun | None
) -> Portfolio:
    from dlx.engines.portfolio import Portfolio

    if begun is None:
        begun = _begin_alone(search_input, options, 0)
    table = search_input.table
    size = len(table), len(table.items)  # it may have grown when the helpers start
    open_helpers = partial(_helpers, search_input, options, plan, size)
    alone = nodes_alone(table)
    open_certificates = partial(Certificates, search_input)
    return Portfolio(begun.own, open_helpers, open_certificates, alone, begun.found)


def _helpers(
    search_input: SearchInput, options: SearchOptions, plan: Plan, size: tuple[int, int]
) -> list[Helper]:
    """What may take part besides the search in order, as the plan says, in this order.

    `size` was the number of options and of items when the search began. What needs the table, and
    not only the kernel's copy of it, takes no part if it has grown since; the SAT engine leaves the
    new options out.
    """
    from dlx.engines.portfolio import Helper, PropagationHelper, SatHelper
    from dlx.plan import nodes_of_try, propagation_allowance, restarts_allowance, sat_allowance

    table, numbered, given = search_input

    def open_propagation(_: object) -> Engine | None:
        try:
            return KernelSearch(numbered.problem, given, table.names, "propagation", "mrv")
        except MemoryError:  # tables of more than 256 MB
            return None

    def open_restarts(_: object) -> Engine:
        from dlx.engines.restarts import Restarts

        heuristic = "weighted" if options.heuristic == "mrv" else str(options.heuristic)
        seed, unit = options.seed or 0, nodes_of_try(len(table.entry_item))
        return Restarts(numbered.problem, given, table.names, heuristic, seed, unit)

    def open_weighted(_: object) -> Engine:
        return KernelSearch(numbered.problem, given, table.names, "auto", "weighted")

    def open_symmetric(_: object) -> Engine | None:
        if (len(table), len(table.items)) != size:
            return None
        from dlx.analysis.symmetry.distinct import open_symmetric

        return open_symmetric(search_input)

    def open_sat(known: Sequence[Solution]) -> SatEngine | None:
        from dlx.engines.sat import SatEngine, solver_is_installed

        if not solver_is_installed():
            return None
        indices = [[table.index_of(name) for name in solution] for solution in known]
        return SatEngine(search_input, size[0], indices)

    after = {step.method: step.after for step in plan.steps}
    wanted = 1 if plan.question in ("solve", "solutions") or options.limit == 1 else 2
    allowance = partial(restarts_allowance, wanted)
    makers: dict[str, Callable[..., Helper]] = {
        "propagation": partial(
            PropagationHelper,
            opener=open_propagation,
            allowance=partial(propagation_allowance, len(table.entry_item)),
        ),
        "restarts": partial(Helper, opener=open_restarts, allowance=allowance, after_first=1),
        "weighted": partial(Helper, opener=open_weighted),
        "symmetric": partial(Helper, opener=open_symmetric, after_first=0),
        "sat": partial(SatHelper, opener=open_sat, allowance=sat_allowance),
    }
    return [make(name, after[name]) for name, make in makers.items() if name in after]


def _monitor(
    search_input: SearchInput, options: SearchOptions, question: str
) -> ProgressMonitor | None:
    """A monitor that reports to the function or the logger; None if there is neither."""
    if options.progress is None and not log.is_enabled():
        return None
    from dlx.search.progress import ProgressMonitor, TreeShares, check_progress

    check_progress(options.progress)
    summary = search_input.table.summary()
    what = f"{question} of <dlx.Problem: {summary}> with engine {options.engine!r}"
    shares = TreeShares(search_input.numbered.problem, search_input.given, options.part)
    return ProgressMonitor(options.progress, shares, what)
