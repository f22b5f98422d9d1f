"""`dlx.links` as an engine: the reference that all other engines are compared with."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

from dlx.stepping import SteppedEngine

if TYPE_CHECKING:
    from dlx.engines import RawStats
    from dlx.heuristics import Heuristic
    from dlx.links import Matrix

__all__ = ["PythonEngine"]


class PythonEngine(SteppedEngine):
    """`dlx.links.Matrix` as an engine."""

    def __init__(
        self,
        matrix: Matrix,
        given: Sequence[int],
        names: Sequence[Hashable] | None,
        heuristic: str | Heuristic,
    ) -> None:
        self.matrix = matrix
        self._names = names
        super().__init__(matrix.search(given, heuristic))

    def _solution(self) -> tuple[Any, ...]:
        options, names = self.matrix.partial_solution(), self._names
        return options if names is None else tuple(names[i] for i in options)

    @property
    def stats(self) -> RawStats:
        """Nodes, updates, solutions, nodes by depth, seconds of work."""
        matrix = self.matrix
        return (
            sum(matrix.profile),
            matrix.updates,
            matrix.solutions_found,
            list(matrix.profile),
            self._seconds,
        )
