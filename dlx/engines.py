"""The engines behind one interface, and the choice between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from dlx.errors import InvalidArgument, quote
from dlx.heuristics import HEURISTICS, check_heuristic
from dlx.kernel import Search as KernelSearch

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from dlx.heuristics import Heuristic
    from dlx.kernel import Problem as KernelProblem
    from dlx.links import Matrix

__all__ = ["ENGINES", "Engine", "HEURISTICS", "open_engine"]

ENGINES = ("auto", "links", "python")

RawStats = tuple[int, int, int, list[int], float]


class Engine(Protocol):
    """A search that can be paused: what `dlx.search` needs of an engine."""

    @property
    def finished(self) -> bool:
        """Has everything been searched (or the search been given up)?"""

    @property
    def stats(self) -> RawStats:
        """Nodes, updates, solutions, nodes by depth, seconds of work."""

    def draw(self, count: int, seconds: float, into: list[tuple[Any, ...]]) -> None:
        """Appends up to `count` further solutions to a list.

        Returns earlier, with what there is, when the search ends or `seconds` have passed
        (negative: no such limit), and may do so after a while if there is anything. The list is
        the caller's because a signal may keep a result from being returned.
        """

    def skip(self, count: int, seconds: float) -> int:
        """Passes over up to `count` further solutions and returns how many there were."""

    def rewind(self) -> None:
        """Gives the search up and undoes all it has done to the matrix."""


def open_engine(
    name: str,
    *,
    problem: KernelProblem,
    matrix: Callable[[], Matrix],
    given: list[int],
    names: list[Hashable] | None,
    heuristic: str | Heuristic,
) -> Engine:
    """Starts the engine of that name on a problem in search order.

    `matrix` makes the same problem for the engine in Python. `given` are indices of options.
    """
    check_heuristic(heuristic)
    if name in ("auto", "links"):
        return KernelSearch(problem, given, names, _compiled(heuristic, name))
    if name == "python":
        from dlx.python_engine import PythonEngine

        return PythonEngine(matrix(), given, names, heuristic)
    raise InvalidArgument(
        f"there is no engine {quote(name)}; choose one of {', '.join(map(repr, ENGINES))}"
    )


def _compiled(heuristic: str | Heuristic, engine: str) -> str:
    """The heuristic, if the kernel knows it. Python in the place of C++ is no silent choice."""
    if isinstance(heuristic, str):
        return heuristic
    raise InvalidArgument(
        f"a heuristic of your own needs engine='python', which is much slower; engine is "
        f"{engine!r}, which knows {', '.join(map(repr, HEURISTICS))}"
    )
