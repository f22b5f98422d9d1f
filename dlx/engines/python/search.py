"""The search of the engine "python": `dlx.links.matrix` as an engine."""

from __future__ import annotations

from collections.abc import Generator, Hashable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from dlx.core.budget import Budget
from dlx.core.stats import Stats
from dlx.engines.stepping import WORKED, SteppedEngine

if TYPE_CHECKING:
    from dlx.core.budget import Reason
    from dlx.core.kernel import Pack
    from dlx.engines.stepping import Kind
    from dlx.links.heuristics import Heuristic
    from dlx.links.matrix import Decision, Matrix

__all__ = ["PythonEngine"]


class PythonEngine(SteppedEngine):
    """A search of a `dlx.links.matrix.Matrix` as an engine.

    The first steps are those of `filling`, after which the matrix is complete.
    """

    def __init__(
        self,
        matrix: Matrix,
        given: Sequence[int],
        names: Sequence[Hashable] | None,
        heuristic: str | Heuristic,
        path: Sequence[Decision] = (),
        floor: int = 0,
        filling: Iterator[None] | None = None,
    ) -> None:
        self.matrix = matrix
        self._filling = filling
        self._names = names
        self._named = True  # do solutions consist of names at the moment?
        self._search = partial(matrix.search, given, heuristic)
        self._begin(path, floor)

    def _begin(self, path: Sequence[Decision], floor: int) -> None:
        super().__init__(self._all_steps(self._search(path, floor)))
        if not path:
            return
        try:
            self._advance(Budget(1), lambda: None)  # to the pause at the end of the path
        except BaseException:
            self.close()
            raise

    def complete_matrix(self) -> None:
        """Fills the matrix, as the first steps do. For tests and pictures of it."""
        for _ in self._filling or ():
            pass

    def _all_steps(self, search: Generator[Kind, None, None]) -> Generator[Kind, None, None]:
        for _ in self._filling or ():
            yield WORKED
        yield from search

    def restart(self, path: Sequence[Decision], floor: int) -> None:
        """Closes the search and starts another part of it. Raises `InvalidPart`."""
        self.close()
        self._begin(path, floor)
        self._seconds = 0.0

    def run(self, budget: Budget, into: list[tuple[Any, ...]] | Pack) -> Reason:
        """Appends further solutions to a list, or to a pack as indices of options."""
        self._named = isinstance(into, list) and self._names is not None
        return super().run(budget, into)

    def position(self) -> tuple[list[Decision], int] | None:
        """The rest of the search, as a path and its floor; None if it is empty."""
        return None if self._is_exhausted() else (self.matrix.position(), self.matrix.floor())

    def untried(self) -> list[int]:
        """The options not tried yet of the item at the end of the path."""
        return [] if self._is_exhausted() else self.matrix.untried()

    def _is_exhausted(self) -> bool:
        """Is nothing left? Backtracks to an item that has an option left."""
        if not self.finished:
            self._advance(Budget(1), lambda: None, lambda: not self.matrix.is_exhausted())
        return self.finished

    def _nodes(self) -> int:
        return sum(self.matrix.profile)

    def _solution(self) -> tuple[Any, ...]:
        options, names = self.matrix.partial_solution(), self._names
        return tuple(names[i] for i in options) if names is not None and self._named else options

    @property
    def stats(self) -> Stats:
        """The work so far."""
        matrix, profile = self.matrix, [*self.matrix.profile]
        while profile and profile[-1] == 0:
            profile.pop()
        found, seconds = matrix.solutions_found, self._seconds
        return Stats(sum(profile), matrix.updates, found, tuple(profile), seconds)
