"""What a worker must know to open an engine on any part of a search."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, NamedTuple, Protocol

from dlx.kernel import Search as KernelSearch

if TYPE_CHECKING:
    from dlx.heuristics import Heuristic
    from dlx.kernel import Problem as KernelProblem
    from dlx.links import Matrix
    from dlx.parallel.part import Part
    from dlx.parallel.unit import PartEngine

__all__ = ["CompiledQuestion", "PythonQuestion", "Question"]


class Question(Protocol):
    """A problem, the givens, and how to search. Can be pickled; the same for all parts."""

    def open(self, part: Part) -> PartEngine:
        """An engine at the beginning of a part, which tells solutions as indices of options."""

    def open_whole(self, names: list[Hashable] | None) -> PartEngine:
        """An engine for all of the search, which tells solutions by these names."""


class CompiledQuestion(NamedTuple):
    """A question for an engine of the kernel."""

    problem: KernelProblem
    given: list[int]
    engine: str
    heuristic: str

    def open(self, part: Part) -> PartEngine:
        """An engine at the beginning of a part, which tells solutions as indices of options."""
        return KernelSearch(
            self.problem, self.given, None, self.engine, self.heuristic, part.path, part.floor
        )

    def open_whole(self, names: list[Hashable] | None) -> PartEngine:
        """An engine for all of the search, which tells solutions by these names."""
        return KernelSearch(self.problem, self.given, names, self.engine, self.heuristic)


class PythonQuestion(NamedTuple):
    """A question for the engine in Python. `lay` makes a matrix: each engine has its own."""

    lay: Callable[[], Matrix]
    given: list[int]
    heuristic: str | Heuristic

    def open(self, part: Part) -> PartEngine:
        """An engine at the beginning of a part, which tells solutions as indices of options."""
        from dlx.python_engine import PythonEngine

        return PythonEngine(self.lay(), self.given, None, self.heuristic, part.path, part.floor)

    def open_whole(self, names: list[Hashable] | None) -> PartEngine:
        """An engine for all of the search, which tells solutions by these names."""
        from dlx.python_engine import PythonEngine

        return PythonEngine(self.lay(), self.given, names, self.heuristic)
