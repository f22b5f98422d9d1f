"""The questions of a `Problem` that do not block an event loop: `async` and `await`.

The search runs in a thread of the loop's pool, in slices of a few hundredths of a second. Between
two of them the loop has a say: when the task is cancelled, no further slice begins.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

from dlx.errors import SearchInterrupted
from dlx.questions import Questions

if TYPE_CHECKING:
    from dlx.problem import Problem
    from dlx.search import Search, Solution

__all__ = ["AsyncQuestions", "AsyncSearch"]

SLICE: Final = 0.04  # seconds
LARGEST: Final = 4096  # solutions in a slice

T = TypeVar("T")


class AsyncSearch(AsyncIterator["Solution"]):
    """The solutions of a problem for `async for`; made by `Problem.asolutions`.

    `search` is the `dlx.Search` behind it, with `stats`, `exhausted` and `stopped_by`. Also an
    asynchronous context manager that closes it.
    """

    def __init__(self, search: Search) -> None:
        self.search = search
        self._ready: list[Solution] = []
        self._count = 1

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Solution:
        search = self.search
        while not self._ready:
            if search.exhausted or search.stopped_by is not None:
                raise StopAsyncIteration
            found = await _in_thread(partial(search.take, self._count, SLICE))
            self._ready = found[::-1]
            self._count = min(2 * self._count, LARGEST)
        return self._ready.pop()

    async def aclose(self) -> None:
        """Ends the search."""
        self._ready.clear()
        await _in_thread(self.search.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.aclose()


class AsyncQuestions(Questions):
    """What a `Problem` can be asked from a coroutine."""

    __slots__ = ()

    def asolutions(self, **search: Any) -> AsyncSearch:
        """All solutions, for `async for`; the keywords are those of `solutions`.

        Other tasks go on while the search does. Leaving the loop or cancelling the task stops it
        within a few hundredths of a second.

        >>> import asyncio, dlx
        >>> problem = dlx.Problem.from_options([["a"], ["b"], ["a", "b"], ["b"]])
        >>> async def collect():
        ...     return [solution async for solution in problem.asolutions()]
        >>> asyncio.run(collect())
        [(0, 1), (0, 3), (2,)]
        """
        return AsyncSearch(self._whole().solutions(**search))

    async def asolve(self, **search: Any) -> Solution | None:
        """The first solution, or None; the keywords are those of `solve`."""
        return await _answered(self._whole().solve, search)

    async def acount(self, **search: Any) -> int:
        """The number of solutions; the keywords are those of `count`.

        >>> import asyncio, dlx.models
        >>> asyncio.run(dlx.models.queens(8).acount())
        92
        """
        return await _answered(self._whole().count, search)

    async def ais_unique(self, **search: Any) -> bool:
        """Is there exactly one solution? The keywords are those of `is_unique`."""
        return await _answered(self._whole().is_unique, search)

    def _whole(self) -> Problem:
        from dlx.problem import Problem

        assert isinstance(self, Problem)
        return self


async def _answered(ask: Callable[..., T], search: dict[str, Any]) -> T:
    """The answer to a question that is asked in slices."""
    from dlx.search import check_timeout

    timeout = check_timeout(search.pop("timeout", None))
    node_limit = search.get("node_limit")
    begun = time.monotonic()
    step: Callable[..., T] = partial(ask, **search)
    while True:
        left = None if timeout is None else max(0.0, timeout - (time.monotonic() - begun))
        last = left is not None and left <= SLICE
        try:
            return await _in_thread(partial(step, timeout=left if last else SLICE))
        except SearchInterrupted as error:
            if last or error.reason != "timeout":
                raise
            if node_limit is not None:
                step = partial(error.resume, node_limit=max(0, node_limit - error.stats.nodes))
            else:
                step = error.resume


async def _in_thread(work: Callable[[], T]) -> T:
    """What it returns, without keeping the loop waiting; if cancelled, waits for its slice."""
    import asyncio

    running = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        await asyncio.wait([running])  # a slice is short, and two must not overlap
        if not running.cancelled():
            running.exception()  # it was seen
        raise
