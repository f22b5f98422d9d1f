"""What a caller of `Problem.solutions` and its kin has asked for, in few words.

Who is to do a search, as callers say it: so many threads, or somebody else's workers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from dlx.core.arguments import check_limit, check_timeout, check_workers
from dlx.errors import InvalidArgument, quote

if TYPE_CHECKING:
    import os
    from concurrent.futures import Executor

    from dlx.core.part import Part
    from dlx.links.heuristics import Heuristic

__all__ = ["Asked", "Limits", "WorkerConfig", "worker_config"]


class Limits(NamedTuple):
    """Where a search is to stop; None: nowhere."""

    limit: int | None
    timeout: float | None
    node_limit: int | None

    @classmethod
    def checked(cls, limit: object, timeout: object, node_limit: object) -> Limits:
        """The limits if they mean something; otherwise raises `InvalidArgument`."""
        return cls(
            check_limit(limit), check_timeout(timeout), check_limit(node_limit, "node_limit")
        )


class Asked(NamedTuple):
    """What is to be searched, and how: the keywords of these names.

    `kind` is "solutions", "solve" or "count", `crew` what workers, executor and ordered say.
    """

    kind: str
    seed: int | None
    engine: str
    heuristic: str | Heuristic
    part: Part | None
    crew: WorkerConfig | None
    checkpoint: str | os.PathLike[str] | None


class WorkerConfig(NamedTuple):
    """More than one thread, or an executor.

    workers
        How many threads; with an executor, how many workers it has if that is above 1, and
        otherwise it is asked.
    executor
        Whose workers do it; None for threads of this process.
    ordered
        Must solutions come in the order of a search by one worker?
    """

    workers: int
    executor: Executor | None
    ordered: bool


def worker_config(
    workers: int | None, executor: Any, *, ordered: bool = True
) -> WorkerConfig | None:
    """What the keywords say; None if the calling thread is to search alone."""
    if not isinstance(ordered, bool):
        raise InvalidArgument(f"ordered is {quote(ordered)}; it must be True or False")
    if executor is None:
        count = check_workers(workers)
        return None if count == 1 else WorkerConfig(count, None, ordered)
    count = 1 if workers is None else check_workers(workers)
    if hasattr(executor, "get_executor"):  # a Dask client, whose own `submit` is another
        executor = executor.get_executor(pure=False)
    if not callable(getattr(executor, "submit", None)):
        raise InvalidArgument(
            f"executor is {quote(executor)}; it must be a concurrent.futures.Executor, or the "
            "Client of a Dask cluster"
        )
    return WorkerConfig(count, executor, ordered)
