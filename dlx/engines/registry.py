"""The registry of engines: opens a search or a batch by the engine's name."""

from __future__ import annotations

from array import array
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from dlx.core.kernel import COMPILED, WHY_MISSING, info
from dlx.core.kernel import Search as KernelSearch
from dlx.engines.certificates import Certificates
from dlx.engines.portfolio import Members, Portfolio, first_budget, nodes_alone, open_sat_engine
from dlx.errors import InvalidArgument, InvalidPart, quote
from dlx.links.heuristics import HEURISTICS, check_heuristic
from dlx.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from dlx.core.kernel import Problem as KernelProblem
    from dlx.core.numbering import NumberedProblem, SearchInput
    from dlx.core.part import Part
    from dlx.core.table import Table
    from dlx.engines.protocols import BatchEngine, BatchTask, Engine, TreeEngine
    from dlx.links.heuristics import Heuristic
    from dlx.links.matrix import Matrix


__all__ = [
    "BegunSearch",
    "ENGINES",
    "HEURISTICS",
    "IN_ORDER",
    "KEPT_RANKINGS",
    "KernelInfo",
    "begin_search",
    "check_compiled",
    "kernel_info",
    "no_such_engine",
    "open_batch",
    "open_engine",
    "open_tree",
]

IN_ORDER = ("auto", "bits", "links", "python")
"""The engines that find the same solutions in the same order."""

KEPT_RANKINGS = ("auto", "links", "highs", "cp-sat")
"""The engines of `minimum` and `maximum` whose state a checkpoint can keep."""

ENGINES = (*IN_ORDER, "sat")
"""All engines: the values that `engine=` takes."""


WITHOUT_KERNEL = ("auto", "python", "sat")
"""The engines of an installation without the compiled kernel; "auto" is "python" there."""


class KernelInfo(NamedTuple):
    """The result of `kernel_info`.

    compiler
        The C++ compiler and its version.
    engines
        The names that `engine=` takes.
    simd
        The instruction set that the `bits` engine uses: "v3" or "v4" (x86-64-v3 and -v4: AVX2, and
        AVX-512 with VPOPCNTDQ), or "plain". "v4" is for `Problem.count_many`; all else runs
        as on "v3". The best that this processor has, unless the environment variable
        DLX_SIMD names another. Chosen once for each process; results do not depend on it.
    simd_levels
        The levels that this processor has, the best first.
    missing
        "" if the compiled kernel is there; otherwise why it could not be imported. Then the
        compiler is "", the instruction set "none", and "auto" means the engine
        "python".
    """

    compiler: str
    engines: tuple[str, ...]
    simd: str
    simd_levels: tuple[str, ...]
    missing: str = ""


def open_engine(
    name: str,
    search_input: SearchInput,
    *,
    heuristic: str | Heuristic,
    part: Part | None = None,
    any_order: bool = False,
    open_symmetric: Callable[[], Engine | None] | None = None,
    begun: BegunSearch | None = None,
) -> Engine:
    """Opens the engine of that name on a problem.

    With `any_order`, "auto" may use the SAT solver, and the search that `open_symmetric` opens (see
    `dlx.engines.portfolio`); it continues the search in order that has `begun`, if any. With a
    `part`, the engine searches that part only, in order. Raises `InvalidArgument` and
    `InvalidPart`.
    """
    if name == "sat" and part is not None:
        raise InvalidArgument(
            "engine='sat' cannot search a part: it does not search in order; use another engine"
        )
    if name != "sat" and (part is not None or not any_order or name != "auto"):
        return open_tree(name, search_input, heuristic=heuristic, part=part)
    table = search_input.table
    if name == "auto":
        if begun is None:
            begun = begin_search(search_input, heuristic, 0)
        open_members = partial(_members, search_input, len(table), heuristic, open_symmetric)
        return Portfolio(begun.own, open_members, len(table.entry_item), begun.found)
    check_heuristic(heuristic)
    if name == "sat":
        if heuristic != "mrv":
            raise InvalidArgument(
                f"heuristic is {quote(heuristic)}; engine='sat' branches by its own rules and "
                "takes no heuristic"
            )
        return open_sat_engine(search_input, len(table), ())
    raise no_such_engine(name)


class BegunSearch(NamedTuple):
    """The search of the kernel by which "auto" begins, and the solutions that it has found."""

    own: KernelSearch
    found: list[tuple[Any, ...]]


def begin_search(search_input: SearchInput, heuristic: str | Heuristic, wanted: int) -> BegunSearch:
    """Searches for the first `wanted` solutions, as long as "auto" searches in order alone.

    Most searches for one or two solutions end here, without a portfolio.
    """
    table, numbered, given = search_input
    rule = check_compiled("auto", numbered.problem, heuristic)
    own = KernelSearch(numbered.problem, given, table.names, "auto", rule)
    found: list[tuple[Any, ...]] = []
    budget = first_budget(nodes_alone(len(table.entry_item)))
    for _ in range(wanted):
        own.run(budget, found)
        if own.finished:
            break
    return BegunSearch(own, found)


def _members(
    search_input: SearchInput,
    options: int,
    heuristic: str | Heuristic,
    open_symmetric: Callable[[], Engine | None] | None,
) -> Members:
    """What may take part in "auto" besides the search in order, with the first `options` options.

    The table may have grown since the search began.
    """
    table, numbered, given = search_input
    open_weighted = None
    if heuristic == "mrv":
        arguments = (numbered.problem, given, table.names, "auto", "weighted")
        open_weighted = partial(KernelSearch, *arguments)
    open_sat = partial(open_sat_engine, search_input, options)
    certificates = Certificates(search_input)
    return Members(open_weighted, open_sat, certificates, open_symmetric)


def open_tree(
    name: str,
    search_input: SearchInput,
    *,
    heuristic: str | Heuristic,
    part: Part | None = None,
    named: bool = True,
) -> TreeEngine:
    """As `open_engine`, for the engines that search in order.

    Solutions consist of the names of options if `named`, otherwise of their indices. Raises
    `InvalidPart` if no search of the problem reaches the path of the part; all other checks of a
    part are in `dlx.core.part.check_part`.
    """
    check_heuristic(heuristic)
    table, numbered, given = search_input
    names = table.names if named else None
    path, floor = ((), 0) if part is None else part
    if name in ("auto", "bits", "links"):
        rule = check_compiled(name, numbered.problem, heuristic)
        try:
            return KernelSearch(numbered.problem, given, names, name, rule, path, floor)
        except ValueError as error:
            if part is None:
                raise
            raise InvalidPart(
                f"{quote(tuple(part))} is not a part of this search: {error}"
            ) from None
    if name == "python":
        from dlx.engines.python.search import PythonEngine
        from dlx.links.build import matrix_in_steps

        matrix, filling = matrix_in_steps(table, numbered.rank, numbered.order)
        return PythonEngine(matrix, given, names, heuristic, path, floor, filling)
    raise no_such_engine(name)


def open_batch(name: str, table: Table, numbered: NumberedProblem, task: BatchTask) -> BatchEngine:
    """Opens the engine of that name on many sets of givens. Raises `InvalidArgument`."""
    check_heuristic(task.heuristic)
    if name in ("auto", "bits", "links"):
        rule = check_compiled(name, numbered.problem, task.heuristic)
        names, code, limit, keep, seconds, workers, _ = task
        return numbered.problem.batch(names, code, limit, keep, seconds, workers, name, rule)
    if name == "python":
        if task.workers != 1:
            raise InvalidArgument(
                f"workers is {task.workers}; engine='python' uses one thread only"
            )
        from dlx.engines.python.batch import PythonBatch
        from dlx.links.build import build_matrix

        snapshot = table.copy()  # each set builds a matrix of it, also after later changes

        def build(forbidden: Collection[int]) -> Matrix:
            order = numbered.order
            if forbidden:
                all_options = range(len(snapshot)) if order is None else order
                order = array("i", [one for one in all_options if one not in forbidden])
            return build_matrix(snapshot, numbered.rank, order)

        return PythonBatch(numbered.problem, build, task)
    if name == "sat":
        raise InvalidArgument(
            "engine='sat' cannot solve many sets of givens at once; choose another engine, or call "
            "solve(given=...) for each set"
        )
    raise no_such_engine(name)


def no_such_engine(name: object) -> InvalidArgument:
    """The error for an unknown engine."""
    return InvalidArgument(
        f"there is no engine {quote(name)}; choose one of {', '.join(map(repr, ENGINES))}"
    )


def check_compiled(name: str, problem: KernelProblem, heuristic: str | Heuristic) -> str:
    """The heuristic, if this engine of the kernel can search the problem by it.

    Raises `InvalidArgument` otherwise, and `KernelMissing` if there is no kernel.
    """
    check_heuristic(heuristic)
    if not COMPILED:
        from dlx.core.portable import missing

        raise missing(f"engine={name!r}")
    kernel_info()  # raises if DLX_SIMD names a level that is not available
    rule = _compiled(heuristic, name)
    if name != "bits":
        return rule
    fits, size, limit = problem.bits_plan()
    if not fits:
        raise InvalidArgument(
            f"engine='bits' would need tables of {size / 1e6:,.0f} MB for this problem, and the "
            f"limit is {limit / 1e6:,.0f} MB; engine='auto' uses it for parts that fit"
        )
    return rule


@cache
def kernel_info() -> KernelInfo:
    """The compiler, the engines and the SIMD level of the compiled kernel.

    Raises `InvalidArgument` if the environment variable DLX_SIMD asks for a level that this
    processor does not have.

    >>> import dlx
    >>> info = dlx.kernel_info()
    >>> info.engines
    ('auto', 'bits', 'links', 'python', 'sat')
    >>> info.simd in info.simd_levels
    True
    """
    if not COMPILED:
        return KernelInfo("", WITHOUT_KERNEL, "none", (), WHY_MISSING)
    try:
        compiler, simd, levels = info()
    except ValueError as error:
        raise InvalidArgument(str(error)) from None
    return KernelInfo(compiler, ENGINES, simd, tuple(levels))


def _compiled(heuristic: str | Heuristic, engine: str) -> str:
    """The heuristic, if the kernel has it. Never falls back to the Python engine silently."""
    if isinstance(heuristic, str):
        return heuristic
    raise InvalidArgument(
        f"a heuristic of your own needs engine='python', which is much slower; engine is "
        f"{engine!r}, which has {', '.join(map(repr, HEURISTICS))}"
    )
