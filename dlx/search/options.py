"""`SearchOptions`: the checked keywords of a search, with the `WorkerConfig` among them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from dlx.core.arguments import (
    DEFAULT_MEMORY,
    check_limit,
    check_seed,
    check_timeout,
    check_workers,
)
from dlx.core.kernel import COMPILED
from dlx.errors import InvalidArgument, quote
from dlx.named_tuple import NamedTuple

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Hashable, Iterable
    from concurrent.futures import Executor

    from dlx.core.part import Part
    from dlx.links.heuristics import Heuristic
    from dlx.search.progress import SearchProgress

__all__ = ["SearchOptions", "WorkerConfig", "check_flag", "worker_config"]


class WorkerConfig(NamedTuple):
    """The number and kind of the workers of a search.

    workers
        The number of threads. With an executor: the number of its workers if above 1; otherwise
        the executor is asked for it.
    executor
        The executor that runs the search; None for threads of this process.
    ordered
        True if solutions come in the order of a search by one worker.
    """

    workers: int
    executor: Executor | None
    ordered: bool


def worker_config(
    workers: int | None, executor: Any, *, ordered: bool = True
) -> WorkerConfig | None:
    """The configuration for these keywords; None if only the calling thread searches."""
    if not isinstance(ordered, bool):
        raise InvalidArgument(f"ordered is {quote(ordered)}; it must be True or False")
    if executor is None:
        count = check_workers(workers)
        return None if count == 1 else WorkerConfig(count, None, ordered)
    count = 1 if workers is None else check_workers(workers)
    if hasattr(executor, "get_executor"):  # a Dask client; its own `submit` differs
        executor = executor.get_executor(pure=False)
    if not callable(getattr(executor, "submit", None)):
        raise InvalidArgument(
            f"executor is {quote(executor)}; it must be a concurrent.futures.Executor, or the "
            "Client of a Dask cluster"
        )
    return WorkerConfig(count, executor, ordered)


def check_flag(flag: object, name: str) -> bool:
    """Raises `InvalidArgument` if the keyword of this name is neither True nor False."""
    if not isinstance(flag, bool):
        raise InvalidArgument(f"{name} is {quote(flag)}; it must be True or False")
    return flag


def _engine_without_kernel(engine: str) -> str:
    from dlx.core.portable import usable_engine

    return usable_engine(engine)


class _Fields(NamedTuple):
    given: Iterable[Hashable]
    forbid: Iterable[Hashable]
    limit: int | None
    timeout: float | None
    node_limit: int | None
    seed: int | None
    engine: str
    heuristic: str | Heuristic
    part: Part | None
    workers: WorkerConfig | None
    checkpoint: str | os.PathLike[str] | None
    memory: int
    distinct: object
    symmetry: bool
    progress: Callable[[SearchProgress], object] | None
    proof: str | os.PathLike[str] | None


class SearchOptions(_Fields):
    """The checked keywords of `solutions`, `solve`, `count`, `is_unique` and similar methods.

    A new keyword is added here, and to the methods of `dlx.Problem` that have it. `workers`
    combines the keywords workers, executor and ordered; None if only the calling thread searches.
    `memory` is the memory limit in bytes. Names of givens, forbidden options, engines and
    heuristics are checked where they are looked up, `distinct` and `proof` where they are used.
    Without the compiled kernel, "auto" becomes "python".

    >>> SearchOptions(limit=3, engine="bits").limit
    3
    >>> SearchOptions(limit=-1)
    Traceback (most recent call last):
    ...
    dlx.errors.InvalidArgument: limit is -1; it must be None or an integer from 0 up
    """

    __slots__ = ()

    def __new__(
        cls,
        *,
        given: Iterable[Hashable] = (),
        forbid: Iterable[Hashable] = (),
        limit: int | None = None,
        timeout: float | None = None,
        node_limit: int | None = None,
        seed: int | None = None,
        engine: str = "auto",
        heuristic: str | Heuristic = "mrv",
        part: Part | None = None,
        workers: int | None = 1,
        executor: Executor | None = None,
        ordered: bool = True,
        checkpoint: str | os.PathLike[str] | None = None,
        memory: int = DEFAULT_MEMORY,
        distinct: object = False,
        symmetry: bool = True,
        progress: Callable[[SearchProgress], object] | None = None,
        proof: str | os.PathLike[str] | None = None,
    ) -> Self:
        """Checks the keywords. Raises `InvalidArgument`."""
        checked = (  # in the order of the fields; their own constructor takes twice as long
            given,
            forbid,
            None if limit is None else check_limit(limit),
            None if timeout is None else check_timeout(timeout),
            None if node_limit is None else check_limit(node_limit, "node_limit"),
            None if seed is None else check_seed(seed),
            engine if COMPILED else _engine_without_kernel(engine),
            heuristic,
            part,
            worker_config(workers, executor, ordered=ordered),
            checkpoint,
            memory,
            distinct,
            check_flag(symmetry, "symmetry"),
            progress,
            proof,
        )
        return tuple.__new__(cls, checked)
