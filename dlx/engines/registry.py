"""The names of the engines, what the compiled kernel has, and batches by the engine's name."""

from __future__ import annotations

from array import array
from functools import cache
from typing import TYPE_CHECKING

from dlx.core.kernel import COMPILED, WHY_MISSING, info
from dlx.errors import InvalidArgument, quote
from dlx.links.heuristics import HEURISTICS, check_heuristic
from dlx.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection

    from dlx.core.kernel import Problem as KernelProblem
    from dlx.core.numbering import NumberedProblem
    from dlx.core.table import Table
    from dlx.engines.protocols import BatchEngine, BatchTask
    from dlx.links.heuristics import Heuristic
    from dlx.links.matrix import Matrix


__all__ = [
    "ENGINES",
    "HEURISTICS",
    "IN_KERNEL",
    "IN_ORDER",
    "KEPT_RANKINGS",
    "KernelInfo",
    "check_compiled",
    "kernel_info",
    "no_such_engine",
    "open_batch",
]

IN_KERNEL = ("auto", "bits", "links")
"""The engines of the compiled kernel."""

IN_ORDER = (*IN_KERNEL, "python")
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
        AVX-512 with VPOPCNTDQ), or "plain". "v4" is for `count_many` and `minimum`; all else
        runs as on "v3". The best that this processor has, unless the environment variable
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


def open_batch(name: str, table: Table, numbered: NumberedProblem, task: BatchTask) -> BatchEngine:
    """Opens the engine of that name on many sets of givens. Raises `InvalidArgument`."""
    check_heuristic(task.heuristic)
    if name in IN_KERNEL:
        rule = check_compiled(name, numbered.problem, task.heuristic)
        names, code, limit, keep, seconds, workers, _, nodes = task
        return numbered.problem.batch(names, code, limit, keep, seconds, workers, name, rule, nodes)
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
