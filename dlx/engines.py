"""The engines behind one interface, and the choice between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from dlx.errors import InvalidArgument, quote
from dlx.kernel import Search as KernelSearch

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Hashable

    from dlx.kernel import Code as KernelCode
    from dlx.kernel import Problem as KernelProblem
    from dlx.links import Matrix

__all__ = ["BatchEngine", "ENGINES", "Engine", "open_batch", "open_engine"]

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
) -> Engine:
    """Starts the engine of that name on a problem in search order.

    `matrix` makes the same problem for the engine in Python. `given` are indices of options.
    """
    if name in ("auto", "links"):
        return KernelSearch(problem, given, names)
    if name == "python":
        from dlx.python_engine import PythonEngine

        return PythonEngine(matrix(), given, names)
    raise _no_engine(name)


class BatchEngine(Protocol):
    """The same problem under many sets of givens: what `dlx.batches` needs of an engine."""

    @property
    def submitted(self) -> int:
        """How many sets were submitted."""

    @property
    def pending(self) -> int:
        """How many of them have no answer yet."""

    @property
    def stats(self) -> RawStats:
        """Nodes, updates, solutions, nodes by depth, seconds of work, of all searches together."""

    def submit(self, start: array[int], option: array[int], sets: list[Any]) -> None:
        """Adds sets to be answered: option[start[s]:start[s + 1]], counted from start[0].

        As many are taken from the front of `sets`, out of which the caller made them: a signal
        must not come between the two.
        """

    def submit_lines(self, lines: list[Any]) -> int:
        """Takes lines from the front of a list, as far as they stand for sets."""

    def collect(self, into: list[Any]) -> None:
        """Waits for answers and appends those that come next to a list.

        At least one, unless nothing is pending. A `Refusal` stands for an answer that is none. The
        list is the caller's because a signal may keep a result from being returned.
        """

    def close(self) -> None:
        """Stops all work and forgets what is pending."""


def open_batch(
    name: str,
    *,
    problem: KernelProblem,
    matrix: Callable[[], Matrix],
    names: list[Hashable] | None,
    code: KernelCode | None,
    limit: int,
    keep: bool,
    seconds: float,
    workers: int,
) -> BatchEngine:
    """Starts the engine of that name on many sets of givens.

    Of each set, `limit` solutions are looked for, for up to `seconds` (negative: no such limit).
    They are answered with one solution or None if the limit is 1, else with a list of them, or
    with their number if they are not to be kept. With a code, solutions are lines.
    """
    if name in ("auto", "links"):
        return problem.batch(names, code, limit, keep, seconds, workers)
    if name == "python":
        if workers != 1:
            raise InvalidArgument(
                f"workers is {workers}; the engine 'python' works in one thread only"
            )
        from dlx.python_batch import PythonBatch

        return PythonBatch(problem, matrix, names, code, limit=limit, keep=keep, seconds=seconds)
    raise _no_engine(name)


def _no_engine(name: object) -> InvalidArgument:
    return InvalidArgument(
        f"there is no engine {quote(name)}; choose one of {', '.join(map(repr, ENGINES))}"
    )
