"""Engine specs: what a worker needs to open an engine on any part of a search."""

from __future__ import annotations

from array import array
from collections.abc import Hashable
from typing import TYPE_CHECKING, NamedTuple, Protocol

from dlx.core.kernel import Problem as KernelProblem
from dlx.core.kernel import Search as KernelSearch
from dlx.core.table import Table
from dlx.errors import InvalidPart, quote

if TYPE_CHECKING:
    from dlx.core.part import Part
    from dlx.engines.protocols import TreeEngine
    from dlx.links.heuristics import Heuristic

__all__ = ["CompiledEngineSpec", "EngineSpec", "PythonEngineSpec"]


class EngineSpec(Protocol):
    """A problem, the givens, the engine and its heuristic. Can be pickled; serves all parts."""

    def open(self, part: Part) -> TreeEngine:
        """Returns an engine at the beginning of a part; its solutions are indices of options."""

    def open_first(self, names: list[Hashable] | None, part: Part) -> TreeEngine:
        """As `open`, but solutions consist of these names. Raises `InvalidPart`."""


class CompiledEngineSpec(NamedTuple):
    """Opens engines of the compiled kernel."""

    problem: KernelProblem
    given: list[int]
    engine: str
    heuristic: str

    def open(self, part: Part) -> TreeEngine:
        """Returns an engine at the beginning of a part; its solutions are indices of options."""
        return self.open_first(None, part)

    def open_first(self, names: list[Hashable] | None, part: Part) -> TreeEngine:
        """As `open`, but solutions consist of these names. Raises `InvalidPart`."""
        problem, given, engine, heuristic = self
        try:
            return KernelSearch(problem, given, names, engine, heuristic, *part)
        except ValueError as error:
            raise InvalidPart(
                f"{quote(tuple(part))} is not a part of this search: {error}"
            ) from None


class PythonEngineSpec(NamedTuple):
    """Opens engines in Python, each with a matrix of its own."""

    table: Table
    rank: array[int]
    order: array[int] | None
    given: list[int]
    heuristic: str | Heuristic

    def open(self, part: Part) -> TreeEngine:
        """Returns an engine at the beginning of a part; its solutions are indices of options."""
        return self.open_first(None, part)

    def open_first(self, names: list[Hashable] | None, part: Part) -> TreeEngine:
        """As `open`, but solutions consist of these names. Raises `InvalidPart`."""
        from dlx.engines.python.search import PythonEngine
        from dlx.links.build import build_matrix

        matrix = build_matrix(self.table, self.rank, self.order)
        return PythonEngine(matrix, self.given, names, self.heuristic, *part)
