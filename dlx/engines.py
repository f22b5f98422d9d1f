"""The engines behind one interface, and the choice between them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from dlx.errors import InvalidArgument, InvalidPart, quote
from dlx.heuristics import HEURISTICS, check_heuristic
from dlx.kernel import Search as KernelSearch
from dlx.kernel import info
from dlx.turning import Turning

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Hashable, Sequence

    from dlx.heuristics import Heuristic
    from dlx.kernel import Code as KernelCode
    from dlx.kernel import Pack
    from dlx.kernel import Problem as KernelProblem
    from dlx.links import Matrix
    from dlx.parallel.part import Decision, Part
    from dlx.turning import Learner

__all__ = [
    "BatchEngine",
    "ENGINES",
    "Engine",
    "HEURISTICS",
    "IN_ORDER",
    "KernelInfo",
    "TreeEngine",
    "check_compiled",
    "kernel_info",
    "no_such_engine",
    "open_batch",
    "open_engine",
    "open_tree",
]

IN_ORDER = ("auto", "bits", "links", "python")
"""The engines that find the same solutions in the same order."""

ENGINES = (*IN_ORDER, "sat")

RawStats = tuple[int, int, int, list[int], float]


class KernelInfo(NamedTuple):
    """What `kernel_info` tells.

    compiler
        The C++ compiler and its version.
    engines
        The names that `engine=` takes.
    simd
        The instruction set that the `bits` engine uses: "v2", "v3" or "v4" (x86-64-v2 and so on:
        SSE4, AVX2, AVX-512), or "plain". The best there is, unless the environment variable
        DLX_SIMD names one. Chosen once; results do not depend on it.
    simd_levels
        Those that could be chosen here, the best first.
    """

    compiler: str
    engines: tuple[str, ...]
    simd: str
    simd_levels: tuple[str, ...]


class Engine(Protocol):
    """A search that can be paused: what `dlx.search` needs of an engine."""

    @property
    def finished(self) -> bool:
        """Has everything been searched (or the search been given up)?"""

    @property
    def stats(self) -> RawStats:
        """Nodes, updates, solutions, nodes by depth, seconds of work."""

    def draw(
        self, count: int, seconds: float, into: list[tuple[Any, ...]], nodes: int = ...
    ) -> None:
        """Appends up to `count` further solutions to a list.

        Returns earlier, with what there is, when the search ends, when `seconds` have passed
        (negative: no such limit) or `stats` counts so many `nodes`, and may do so after a while if
        there is anything. The list is the caller's because a signal may keep a result from being
        returned.

        An engine may go beyond the last node as long as it has no choice. A solution it finds there
        waits to be drawn; `draw(0, 0, into)` appends what waits, and searches no further.
        """

    def skip(self, count: int, seconds: float, nodes: int = ...) -> int:
        """Passes over up to `count` further solutions and returns how many there were.

        The same limits. If a signal keeps the number from being returned, `stats` has it.
        """

    def rewind(self) -> None:
        """Gives the search up and undoes all it has done to the matrix."""


class TreeEngine(Engine, Protocol):
    """An engine that goes through the search tree in order: what `dlx.parallel` needs.

    All of them but the SAT solver's. Their positions are the same, and any of them can go on from
    where another one stands. With the heuristic "mrv" the parts of a search have, together, exactly
    the nodes of the search in one piece; other heuristics may choose otherwise below a position,
    beginning to learn anew there, but find the same solutions.
    """

    def draw_packed(self, count: int, seconds: float, into: Pack, nodes: int = ...) -> None:
        """As `draw`, into a pack, and as indices of options whatever their names are."""

    def position(self) -> tuple[list[Decision], int] | None:
        """What is left, as the path and the floor of a `dlx.Part`; None if nothing is.

        The path ends at an item that has an option left, and the floor is as high as it can be: so
        `split_at_floor` makes of it two parts, neither of them empty, or the options left are all
        of one item. Of a subtree that has not been begun, its own path and floor. None may come
        before `finished` turns true.

        Everything found must have been drawn or passed over, or RuntimeError is raised: after an
        exception in `draw`, or a node limit, `draw(0, 0, into)` first.
        """

    def untried(self) -> list[int]:
        """The options left of the item at the end of the path, in order.

        Each with the rest of the path is a subtree of its own. -2 stands for no further option.
        Empty where no path is left. Not on "bits", nor while "auto" leaves the search to that:
        RuntimeError.
        """

    def restart(self, path: Sequence[Decision], floor: int) -> None:
        """Gives the search up and begins anew with a part of it, and with `stats` of 0.

        O(entries of the path's options and of those they remove). Raises `InvalidPart` or
        ValueError if no search comes along the path; then the engine is finished, and may be
        restarted.
        """


def open_engine(
    name: str,
    *,
    problem: KernelProblem,
    matrix: Callable[[], Matrix],
    learner: Learner,
    given: list[int],
    names: list[Hashable] | None,
    heuristic: str | Heuristic,
    any_order: bool,
    entries: int,
    part: Part | None = None,
) -> Engine:
    """Starts the engine of that name on a problem in search order.

    `matrix` makes the same problem for the engine in Python, `learner` opens it for the SAT solver.
    `given` are indices of options. With `any_order`, "auto" may turn to the SAT solver,
    later if the problem has many `entries`. With a `part`, only that is searched, by an engine that
    keeps the order.
    """
    if name == "sat" and part is not None:
        raise InvalidArgument("engine='sat' knows no order, and so no parts of a search")
    if name != "sat" and (part is not None or not any_order or name != "auto"):
        return open_tree(
            name,
            problem=problem,
            matrix=matrix,
            given=given,
            names=names,
            heuristic=heuristic,
            part=part,
        )
    check_heuristic(heuristic)
    if name == "auto":
        rule = check_compiled(name, problem, heuristic)
        return Turning(KernelSearch(problem, given, names, name, rule), learner, entries)
    if name == "sat":
        if heuristic != "mrv":
            raise InvalidArgument(
                f"heuristic is {quote(heuristic)}; engine='sat' has rules of its own for where to "
                "branch, and takes no other"
            )
        return learner(())
    raise no_such_engine(name)


def open_tree(
    name: str,
    *,
    problem: KernelProblem,
    matrix: Callable[[], Matrix],
    given: list[int],
    names: list[Hashable] | None,
    heuristic: str | Heuristic,
    part: Part | None = None,
) -> TreeEngine:
    """As `open_engine`, for the engines that keep the order.

    Raises `InvalidPart` if no search of the problem comes along the path of the part; all else that
    can be wrong with it is not looked at here, but in `dlx.parallel.part.check_part`.
    """
    check_heuristic(heuristic)
    path, floor = ((), 0) if part is None else part
    if name in ("auto", "bits", "links"):
        rule = check_compiled(name, problem, heuristic)
        try:
            return KernelSearch(problem, given, names, name, rule, path, floor)
        except ValueError as error:
            if part is None:
                raise
            raise InvalidPart(f"{quote(tuple(part))} is no part of this search: {error}") from None
    if name == "python":
        from dlx.python_engine import PythonEngine

        return PythonEngine(matrix(), given, names, heuristic, path, floor)
    raise no_such_engine(name)


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
    heuristic: str | Heuristic,
) -> BatchEngine:
    """Starts the engine of that name on many sets of givens.

    Of each set, `limit` solutions are looked for, for up to `seconds` (negative: no such limit).
    They are answered with one solution or None if the limit is 1, else with a list of them, or
    with their number if they are not to be kept. With a code, solutions are lines.
    """
    check_heuristic(heuristic)
    if name in ("auto", "bits", "links"):
        rule = check_compiled(name, problem, heuristic)
        return problem.batch(names, code, limit, keep, seconds, workers, name, rule)
    if name == "python":
        if workers != 1:
            raise InvalidArgument(
                f"workers is {workers}; the engine 'python' works in one thread only"
            )
        from dlx.python_batch import PythonBatch

        return PythonBatch(
            problem,
            matrix,
            names,
            code,
            limit=limit,
            keep=keep,
            seconds=seconds,
            heuristic=heuristic,
        )
    if name == "sat":
        raise InvalidArgument(
            "engine='sat' answers one question at a time; for many sets of givens, choose another "
            "engine or ask for each set with solve(given=...)"
        )
    raise no_such_engine(name)


def no_such_engine(name: object) -> InvalidArgument:
    """What to raise for an engine that does not exist."""
    return InvalidArgument(
        f"there is no engine {quote(name)}; choose one of {', '.join(map(repr, ENGINES))}"
    )


def check_compiled(name: str, problem: KernelProblem, heuristic: str | Heuristic) -> str:
    """The heuristic, if the kernel can search a problem by it with this engine of its own.

    Otherwise raises InvalidArgument.
    """
    check_heuristic(heuristic)
    kernel_info()  # is DLX_SIMD a level to be had?
    rule = _compiled(heuristic, name)
    if name != "bits":
        return rule
    if problem.multiple:
        raise InvalidArgument(
            "engine='bits' cannot search problems with multiplicities; engine='auto' can"
        )
    fits, size, limit = problem.bits_plan()
    if not fits:
        raise InvalidArgument(
            f"engine='bits' would need tables of {size / 1e6:,.0f} MB for this problem, and the "
            f"limit is {limit / 1e6:,.0f} MB; engine='auto' uses it for parts that fit"
        )
    return rule


@cache
def kernel_info() -> KernelInfo:
    """What the compiled kernel was built with, and what it uses on this machine.

    Raises `InvalidArgument` if the environment variable DLX_SIMD asks for a level that this
    processor does not have.

    >>> import dlx
    >>> info = dlx.kernel_info()
    >>> info.engines
    ('auto', 'bits', 'links', 'python', 'sat')
    >>> info.simd in info.simd_levels
    True
    """
    try:
        compiler, simd, levels = info()
    except ValueError as error:
        raise InvalidArgument(str(error)) from None
    return KernelInfo(compiler, ENGINES, simd, tuple(levels))


def _compiled(heuristic: str | Heuristic, engine: str) -> str:
    """The heuristic, if the kernel knows it. Python in the place of C++ is no silent choice."""
    if isinstance(heuristic, str):
        return heuristic
    raise InvalidArgument(
        f"a heuristic of your own needs engine='python', which is much slower; engine is "
        f"{engine!r}, which knows {', '.join(map(repr, HEURISTICS))}"
    )
