"""Calls of `solve`, `count` and `is_unique` that can be continued after a limit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dlx.core.arguments import check_limit, check_timeout
from dlx.errors import SearchInterrupted
from dlx.named_tuple import NamedTuple

if TYPE_CHECKING:
    from dlx.search.search import Search

__all__ = ["Continuation", "run"]


class Continuation(NamedTuple):
    """A call of `solve`, `count` or `is_unique` that `SearchInterrupted.resume` can continue."""

    search: Search
    kind: str
    """The method called: "solve", "count" or "is_unique"."""
    limit: int | None = None
    """The limit of a count."""

    def resume(self, timeout: float | None, node_limit: int | None) -> Any:
        """What the call returns. Raises another `SearchInterrupted` at the next limit."""
        timeout, node_limit = check_timeout(timeout), check_limit(node_limit, "node_limit")
        limit = None
        if self.kind != "solve":
            self.search.drop_left_over()
        if self.limit is not None:
            limit = max(0, self.limit - self.search.stats.solutions)
        self.search.resume(limit=limit, timeout=timeout, node_limit=node_limit)
        return run(self)


def run(call: Continuation) -> Any:
    """What the call returns. Raises `SearchInterrupted` if a limit is reached before."""
    search = call.search
    try:
        result, certain = _search(call)
    except BaseException as error:
        search.release(type(error).__name__)
        raise
    if certain:
        search.release()
        return result
    continuation = None if search.release() else call
    count = result if isinstance(result, int) else 0
    reason = search.stopped_by or "timeout"
    raise SearchInterrupted(reason, count=count, stats=search.stats, continuation=continuation)


def _search(call: Continuation) -> tuple[Any, bool]:
    """The result as far as it is known, and whether it is final."""
    search = call.search
    if call.kind == "solve":
        for solution in search:
            return solution, True
        return None, search.exhausted
    found = search.skip_all()
    certain = search.exhausted or found == call.limit
    return (found == 1 if certain and call.kind == "is_unique" else found), certain
