"""Searches for asyncio: they run in a thread and do not block the event loop.

The call runs in a thread of the loop's pool. When its task is cancelled, the kernel ends it at its
next check for signals, as after Ctrl-C: within 20 ms (`dlx._kernel.Cancellation`). Calls that can
continue after a timeout run in slices of 40 ms as well, and no further slice starts; others that
report their progress stop at the next report. So engines that are written in Python stop, too.

Functions given as `progress=` are called in the thread of the search, not in that of the loop.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Generic, Self, TypeVar

from dlx.core.kernel import Cancellation
from dlx.core.name_types import Name
from dlx.errors import SearchInterrupted
from dlx.search.progress import check_progress

if TYPE_CHECKING:
    from dlx.search.progress import SearchProgress
    from dlx.search.search import Search, Solution

__all__ = ["AsyncSearch"]

SLICE: Final = 0.04  # seconds
MAX_SOLUTIONS: Final = 4096  # in a slice

T = TypeVar("T")


class AsyncSearch(AsyncIterator[tuple[Name, ...]], Generic[Name]):
    """The solutions of a problem for `async for`; made by `Problem.asolutions`.

    `search` is the `dlx.Search` behind it, with `stats`, `exhausted` and `stopped_by`. Also an
    asynchronous context manager that closes it. Several tasks may iterate over it: each solution
    goes to one of them.
    """

    def __init__(self, search: Search[Name]) -> None:
        self.search = search
        self._ready: deque[Solution[Name]] = deque()
        self._count = 1

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Solution[Name]:
        search = self.search
        while not self._ready:
            if search.exhausted or search.stopped_by is not None:
                raise StopAsyncIteration
            await _in_thread(self._fetch)
        return self._ready.popleft()

    def _fetch(self) -> None:
        """Appends more solutions to `_ready`. Several tasks may run this at once, in their threads.

        A cancelled task's solutions stay in `_ready` for the next call.
        """
        self._ready.extend(self.search.take(self._count, SLICE))
        self._count = min(2 * self._count, MAX_SOLUTIONS)

    async def aclose(self) -> None:
        """Ends the search."""
        await _in_thread(self.search.close)
        self._ready.clear()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.aclose()


async def run_async(
    method: Callable[..., T],
    arguments: tuple[Any, ...],
    keywords: dict[str, Any],
    *,
    slices: bool = False,
    reports: bool = False,
) -> T:
    """What `method(*arguments, **keywords)` returns, computed in a thread.

    `method` is one of a `Problem`. With `slices`, it can be continued after a timeout (without a
    checkpoint; with `distinct`, finding the symmetries or testing a solution may take longer than a
    slice, and would begin anew); with `reports`, it has the keyword `progress`.
    """
    called = partial(method, *arguments)
    distinct = keywords.get("distinct", False) is not False
    if slices and not distinct and keywords.get("checkpoint") is None:
        return await _in_slices(called, keywords)
    if reports:
        return await _in_one_piece(called, keywords)
    return await _in_thread(partial(called, **keywords))


async def _in_slices(method: Callable[..., T], keywords: dict[str, Any]) -> T:
    """Runs a method with short timeouts, and resumes it until it returns."""
    from dlx.core.arguments import check_timeout

    timeout = check_timeout(keywords.pop("timeout", None))
    node_limit = keywords.get("node_limit")
    begun = time.monotonic()
    step: Callable[..., T] = partial(method, **keywords)
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


async def _in_one_piece(method: Callable[..., T], keywords: dict[str, Any]) -> T:
    """Runs a method at one go; if the task is cancelled, the search ends as after Ctrl-C."""
    cancelled = False
    progress = keywords.pop("progress", None)
    check_progress(progress)

    def report(state: SearchProgress) -> None:
        if progress is not None and not cancelled:
            progress(state)
        if cancelled:  # perhaps while the caller's function ran
            raise _Cancelled

    def stop() -> None:
        nonlocal cancelled
        cancelled = True

    return await _in_thread(partial(method, progress=report, **keywords), stop)


class _Cancelled(BaseException):
    """Ends a search whose task was cancelled."""


async def _in_thread(work: Callable[[], T], stop: Callable[[], None] = lambda: None) -> T:
    """What `work` returns, run in a thread. If cancelled, ends it, and waits for that."""
    import asyncio

    cancellation = Cancellation()

    def run() -> T:
        try:
            with cancellation:
                return work()
        except KeyboardInterrupt:
            if cancellation.cancelled:
                raise _Cancelled from None
            raise

    running = asyncio.ensure_future(asyncio.to_thread(run))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        cancellation.cancel()
        stop()
        await asyncio.wait([running])  # a few ms; two slices of a search must not overlap
        if not running.cancelled():
            running.exception()  # retrieved, so that asyncio does not log it
        raise
