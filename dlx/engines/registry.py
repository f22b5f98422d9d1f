"""The engines behind one interface, and the choice between them."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

from dlx.core.kernel import Search as KernelSearch
from dlx.core.kernel import info
from dlx.engines.portfolio import Portfolio, open_sat_engine
from dlx.errors import InvalidArgument, InvalidPart, quote
from dlx.links.heuristics import HEURISTICS, check_heuristic

if TYPE_CHECKING:
    from dlx.core.kernel import Problem as KernelProblem
    from dlx.core.numbering import NumberedProblem, SearchInput
    from dlx.core.part import Part
    from dlx.core.table import Table
    from dlx.engines.protocols import BatchEngine, BatchTask, Engine, TreeEngine
    from dlx.links.heuristics import Heuristic


__all__ = [
    "ENGINES",
    "HEURISTICS",
    "IN_ORDER",
    "KernelInfo",
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


def open_engine(
    name: str,
    asked: SearchInput,
    *,
    heuristic: str | Heuristic,
    part: Part | None = None,
    any_order: bool = False,
) -> Engine:
    """Starts the engine of that name.

    With `any_order`, "auto" may call in the SAT solver, later if the problem is large. With a
    `part`, only that is searched, by an engine that keeps the order.
    """
    if name == "sat" and part is not None:
        raise InvalidArgument("engine='sat' knows no order, and so no parts of a search")
    if name != "sat" and (part is not None or not any_order or name != "auto"):
        return open_tree(name, asked, heuristic=heuristic, part=part)
    check_heuristic(heuristic)
    table, numbered, given = asked
    if name == "auto":
        rule = check_compiled(name, numbered.problem, heuristic)
        own = KernelSearch(numbered.problem, given, table.names, name, rule)
        open_sat = partial(open_sat_engine, asked, len(table))
        return Portfolio(own, open_sat, len(table.entry_item))
    if name == "sat":
        if heuristic != "mrv":
            raise InvalidArgument(
                f"heuristic is {quote(heuristic)}; engine='sat' has rules of its own for where to "
                "branch, and takes no other"
            )
        return open_sat_engine(asked, len(table), ())
    raise no_such_engine(name)


def open_tree(
    name: str,
    asked: SearchInput,
    *,
    heuristic: str | Heuristic,
    part: Part | None = None,
    named: bool = True,
) -> TreeEngine:
    """As `open_engine`, for the engines that keep the order.

    Solutions are told by the names of options if `named`, otherwise by their indices. Raises
    `InvalidPart` if no search of the problem comes along the path of the part; all else that can be
    wrong with it is not looked at here, but in `dlx.core.part.check_part`.
    """
    check_heuristic(heuristic)
    table, numbered, given = asked
    names = table.names if named else None
    path, floor = ((), 0) if part is None else part
    if name in ("auto", "bits", "links"):
        rule = check_compiled(name, numbered.problem, heuristic)
        try:
            return KernelSearch(numbered.problem, given, names, name, rule, path, floor)
        except ValueError as error:
            if part is None:
                raise
            raise InvalidPart(f"{quote(tuple(part))} is no part of this search: {error}") from None
    if name == "python":
        from dlx.engines.python.search import PythonEngine
        from dlx.links.multiplicities import lay_matrix

        matrix = lay_matrix(table, numbered.rank, numbered.order)
        return PythonEngine(matrix, given, names, heuristic, path, floor)
    raise no_such_engine(name)


def open_batch(name: str, table: Table, numbered: NumberedProblem, task: BatchTask) -> BatchEngine:
    """Starts the engine of that name on many sets of givens."""
    check_heuristic(task.heuristic)
    if name in ("auto", "bits", "links"):
        rule = check_compiled(name, numbered.problem, task.heuristic)
        names, code, limit, keep, seconds, workers, _ = task
        return numbered.problem.batch(names, code, limit, keep, seconds, workers, name, rule)
    if name == "python":
        if task.workers != 1:
            raise InvalidArgument(
                f"workers is {task.workers}; the engine 'python' works in one thread only"
            )
        from dlx.engines.python.batch import PythonBatch
        from dlx.links.multiplicities import lay_matrix

        snapshot = table.copy()  # a matrix is built for each set
        build = partial(lay_matrix, snapshot, numbered.rank, numbered.order)
        return PythonBatch(numbered.problem, build, task)
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
