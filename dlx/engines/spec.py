"""Engine specs: how an engine is opened on any part of a search, in any thread or process.

An `EngineSpec` has a problem as numbers only, so it can be pickled for workers and journals, and
stays as it is when the problem grows. It is the only way to open an engine that searches in order.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable
from typing import TYPE_CHECKING, NamedTuple, Protocol

from dlx.core.kernel import Problem as KernelProblem
from dlx.core.kernel import Search as KernelSearch
from dlx.core.part import Part
from dlx.core.table import Table
from dlx.engines.registry import IN_KERNEL, check_compiled, no_such_engine
from dlx.errors import InvalidArgument, InvalidPart, quote
from dlx.links.heuristics import check_heuristic

if TYPE_CHECKING:
    from dlx.core.numbering import SearchInput
    from dlx.engines.protocols import TreeEngine
    from dlx.links.heuristics import Heuristic

__all__ = ["EngineSpec", "KernelSpec", "PythonSpec", "WHOLE", "engine_spec"]

WHOLE = Part()
"""The part that is the whole search."""


class EngineSpec(Protocol):
    """A problem, the givens, the engine and its heuristic. Can be pickled; serves all parts."""

    def open(self, part: Part = ..., names: list[Hashable] | None = ...) -> TreeEngine:
        """An engine at the beginning of a part. Raises `InvalidPart` if no search reaches it.

        Its solutions consist of these names of the options; None: of their indices. All other
        checks of a part are in `dlx.core.part.check_part`.
        """


class KernelSpec(NamedTuple):
    """Opens engines of the compiled kernel."""

    problem: KernelProblem
    given: list[int]
    engine: str
    heuristic: str

    def open(self, part: Part = WHOLE, names: list[Hashable] | None = None) -> KernelSearch:
        """An engine at the beginning of a part: see `EngineSpec`."""
        problem, given, engine, heuristic = self
        try:
            return KernelSearch(problem, given, names, engine, heuristic, *part)
        except ValueError as error:
            raise InvalidPart(
                f"{quote(tuple(part))} is not a part of this search: {error}"
            ) from None


class PythonSpec(NamedTuple):
    """Opens engines in Python, each with a matrix of its own."""

    table: Table
    rank: array[int]
    order: array[int] | None
    given: list[int]
    heuristic: str | Heuristic

    def open(self, part: Part = WHOLE, names: list[Hashable] | None = None) -> TreeEngine:
        """An engine at the beginning of a part: see `EngineSpec`."""
        from dlx.engines.python.search import PythonEngine
        from dlx.links.build import matrix_in_steps

        matrix, filling = matrix_in_steps(self.table, self.rank, self.order)
        return PythonEngine(matrix, self.given, names, self.heuristic, *part, filling)


def engine_spec(search_input: SearchInput, engine: str, heuristic: str | Heuristic) -> EngineSpec:
    """The spec of an engine that searches in order, by its name. Raises `InvalidArgument`.

    A snapshot: the table may grow afterwards. O(1); O(entries) for the engine "python".
    """
    table, numbered, given = search_input
    if engine in IN_KERNEL:
        rule = check_compiled(engine, numbered.problem, heuristic)
        return KernelSpec(numbered.problem, given, engine, rule)
    if engine == "python":
        check_heuristic(heuristic)
        return PythonSpec(table.copy(), numbered.rank, numbered.order, given, heuristic)
    if engine == "sat":
        raise InvalidArgument(
            "engine='sat' searches in one piece, in an order of its own: it takes no part, no "
            "workers, no executor and no checkpoint; use 'auto', 'bits', 'links' or 'python'"
        )
    raise no_such_engine(engine)
