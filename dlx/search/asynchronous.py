"""The questions of a `Problem` that do not block an event loop: `async` and `await`.

The search runs in a thread of the loop's pool, in slices of a few hundredths of a second. Between
two of them the loop has a say: when the task is cancelled, no further slice begins. With a journal
(`checkpoint=`) it runs in one piece, and a cancelled task stops it where its progress is told.

Functions given as `progress=` are called in that thread, not in the loop's.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

from dlx.errors import SearchInterrupted
from dlx.search.progress import check_progress

if TYPE_CHECKING:
    from dlx.search.progress import SearchProgress
    from dlx.search.search import Search, Solution

__all__ = ["AsyncSearch"]

SLICE: Final = 0.04  # seconds
LARGEST: Final = 4096  # solutions in a slice

T = TypeVar("T")


class AsyncSearch(AsyncIterator["Solution"]):
    """The solutions of a problem for `async for`; made by `Problem.asolutions`.

    `search` is the `dlx.Search` behind it, with `stats`, `exhausted` and `stopped_by`. Also an
    asynchronous context manager that closes it. Several tasks may draw from it: each solution goes
    to one of them.
    """

    def __init__(self, search: Search) -> None:
        self.search = search
        self._ready: deque[Solution] = deque()
        self._count = 1

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Solution:
        search = self.search
        while not self._ready:
            if search.exhausted or search.stopped_by is not None:
                raise StopAsyncIteration
            await _in_thread(self._fetch)
        return self._ready.popleft()

    def _fetch(self) -> None:
        """Has more solutions ready; also if nobody waits for them any more. Several tasks may wait,
        each with a thread in here.
        """
        self._ready.extend(self.search.take(self._count, SLICE))
        self._count = min(2 * self._count, LARGEST)

    async def aclose(self) -> None:
        """Ends the search."""
        await _in_thread(self.search.close)
        self._ready.clear()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.aclose()


async def run_async(ask: Callable[..., T], search: dict[str, Any]) -> T:
    """The answer to a question, without keeping the loop waiting."""
    if search.get("checkpoint") is None:
        return await _in_slices(ask, search)
    return await _in_one_piece(ask, search)


async def _in_slices(ask: Callable[..., T], search: dict[str, Any]) -> T:
    """The answer, by stopping and going on again and again."""
    from dlx.core.arguments import check_timeout

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


async def _in_one_piece(ask: Callable[..., T], search: dict[str, Any]) -> T:
    """The answer; if the task is cancelled, the search ends as by Ctrl-C."""
    cancelled = False
    progress = search.pop("progress", None)
    check_progress(progress)

    def look(seen: SearchProgress) -> None:
        if cancelled:
            raise _Cancelled
        if progress is not None:
            progress(seen)

    def stop() -> None:
        nonlocal cancelled
        cancelled = True

    return await _in_thread(partial(ask, progress=look, **search), stop)


class _Cancelled(BaseException):
    """Nobody waits for the answer any more."""


async def _in_thread(work: Callable[[], T], stop: Callable[[], None] = lambda: None) -> T:
    """What it returns, without keeping the loop waiting; if cancelled, stops it and waits for its
    end.
    """
    import asyncio

    running = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        stop()
        await asyncio.wait([running])  # that is not long, and two must not overlap
        if not running.cancelled():
            running.exception()  # it was seen
        raise
