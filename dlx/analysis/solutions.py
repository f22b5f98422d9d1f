"""Searching for solutions: what `Problem.solutions`, `solve`, `is_unique` and `count` open.

From the options of a call to an engine: one that searches alone (`dlx.engines`), one with workers
(`dlx.parallel`), or one with a journal (`dlx.checkpoint`); and around it a `dlx.Search`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dlx.core.logs import log
from dlx.core.part import check_part
from dlx.engines.registry import open_engine
from dlx.search.continuation import Continuation, answer
from dlx.search.search import Search, Solution

if TYPE_CHECKING:
    from dlx.core.numbering import SearchInput
    from dlx.engines.protocols import Engine
    from dlx.search.options import SearchOptions
    from dlx.search.progress import ProgressMonitor

__all__ = ["count_by_enumeration", "find_first", "has_one_solution", "open_search"]


def open_search(
    asked: SearchInput, options: SearchOptions, kind: str, *, any_order: bool = False
) -> Search:
    """The search for the solutions of a problem; nothing is searched yet.

    `kind` is "solutions", "solve" or "count". With `any_order`, any solution will do, not only the
    first: "auto" may call in the SAT solver.
    """
    monitor = _monitor(asked, options, kind)
    factory = None
    if options.checkpoint is not None:
        from dlx.checkpoint.start import open_journaled

        engine: Engine = open_journaled(asked, options, kind)
    else:
        engine = _open(asked, options, any_order=any_order)
        if options.engine != "sat":
            from dlx.parallel.start import DriverFactory

            factory = DriverFactory.of(asked, options)
    node_limit = options.node_limit
    if node_limit is not None:
        node_limit += engine.stats[0]  # a journal knows the nodes of earlier runs
    return Search(
        engine,
        options.limit,
        options.timeout,
        node_limit=node_limit,
        monitor=monitor,
        factory=factory,
    )


def find_first(asked: SearchInput, options: SearchOptions) -> Solution | None:
    """What `Problem.solve` returns."""
    search = open_search(asked, options, "solve", any_order=True)
    found: Solution | None = answer(Continuation(search, "solve"))
    return found


def has_one_solution(asked: SearchInput, options: SearchOptions) -> bool:
    """What `Problem.is_unique` returns; the limit of the options is 2."""
    search = open_search(asked, options, "count", any_order=True)
    unique: bool = answer(Continuation(search, "is_unique", 2))
    return unique


def count_by_enumeration(asked: SearchInput, options: SearchOptions) -> int:
    """The number of solutions, each of which is visited."""
    few = options.limit is not None and options.limit <= 2
    search = open_search(asked, options, "count", any_order=few)
    number: int = answer(Continuation(search, "count", options.limit))
    return number


def _open(asked: SearchInput, options: SearchOptions, *, any_order: bool) -> Engine:
    part = options.part
    if part is not None:
        part = check_part(asked.table, asked.numbered, asked.given, part)
    if options.workers is not None:
        from dlx.parallel.start import engine_spec, open_driver

        spec = engine_spec(asked, options.engine, options.heuristic)
        return open_driver(spec, options.workers, names=asked.table.names, part=part)
    return open_engine(
        options.engine, asked, heuristic=options.heuristic, part=part, any_order=any_order
    )


def _monitor(asked: SearchInput, options: SearchOptions, kind: str) -> ProgressMonitor | None:
    """What reports the progress of a search, to a function or to the logger; None if neither."""
    if options.progress is None and not log.is_enabled():
        return None
    from dlx.search.progress import ProgressMonitor, TreeShares, check_progress

    check_progress(options.progress)
    what = f"{kind} of <dlx.Problem: {asked.table.summary()}> with engine {options.engine!r}"
    shares = TreeShares(asked.numbered.problem, asked.given, options.part)
    return ProgressMonitor(options.progress, shares, what)
