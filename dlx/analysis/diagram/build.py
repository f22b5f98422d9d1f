"""Builds the decision diagram of a problem in the kernel: see `Problem.diagram`."""

from __future__ import annotations

from array import array
from math import inf
from time import monotonic
from typing import TYPE_CHECKING

from dlx.analysis.diagram.diagram import Diagram
from dlx.analysis.diagram.nodes import columns_from
from dlx.core.arguments import memory_size
from dlx.core.stats import Stats
from dlx.errors import DiagramTooLarge, InvalidArgument, SearchInterrupted, counted, quote

if TYPE_CHECKING:
    from dlx.core.numbering import SearchInput
    from dlx.search.options import SearchOptions

__all__ = ["ORDERS", "build", "check_memory", "check_order"]

ORDERS = ("search", "narrow")


def build(search_input: SearchInput, options: SearchOptions, *, order: str) -> Diagram:
    """What `Problem.diagram` returns."""
    check_order(order)
    table, numbered, given = search_input
    begun = monotonic()
    narrow = order == "narrow"
    items = array("i", numbered.problem.narrow_order() if narrow else ())
    # The diagram has the options that were forbidden as well, so that costs are those of all.
    whole = table if table.narrowed_from is None else table.narrowed_from.whole
    names, options_of_all = None if whole.names is None else list(whole.names), len(whole)
    memory_limit = options.memory
    work = numbered.problem.diagram(given, items, memory_limit, True)
    outcome = work.run(inf if options.timeout is None else options.timeout)
    tried, updates, subproblems, nodes, _ = work.stats
    if outcome == "memory":
        raise DiagramTooLarge(
            f"the diagram needs more than memory_limit={memory_limit} bytes: stopped at "
            f"{counted(nodes, 'node')} for {counted(subproblems, 'subproblem')}; allow more, try "
            "another order ('narrow', 'search'), or call estimate() or count(), which build no "
            "diagram",
            memory_limit=memory_limit,
            nodes=nodes,
            subproblems=subproblems,
        )
    if outcome == "timeout":
        stats = Stats(tried, updates, 0, (), monotonic() - begun)
        raise SearchInterrupted("timeout", count=0, stats=stats)
    variables = None
    if narrow:
        variables = array("i")
        variables.frombytes(work.variables())
    columns = columns_from(*work.take())
    if table.narrowed_from is not None:
        kept = table.narrowed_from.kept
        own = array("i", [kept[option] if option >= 0 else option for option in columns.option])
        columns = columns._replace(option=memoryview(own))
        if variables is not None:
            forbidden = sorted(table.narrowed_from.forbidden)
            variables = array("i", [*map(kept.__getitem__, variables), *forbidden])
    return Diagram(columns, options_of_all, variables, names)


def check_order(order: object) -> None:
    """Raises `InvalidArgument` unless it is the name of an order."""
    if not isinstance(order, str) or order not in ORDERS:
        raise InvalidArgument(f"there is no order {quote(order)}; choose 'search' or 'narrow'")


def check_memory(memory: object) -> int:
    """The memory limit of a diagram in bytes: see `dlx.core.arguments`."""
    size = memory_size(memory)
    if size == 0:
        raise InvalidArgument(f"memory_limit is {quote(memory)}; no diagram fits into it")
    return size
