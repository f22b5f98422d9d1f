"""Searches for asyncio: they run in a thread and do not block the event loop.

The call runs in a thread of the loop's pool. When its task is cancelled, the kernel ends it at its
next check for signals, as after Ctrl-C: within 20 ms (`dlx._kernel.Cancellation`). Engines that
are written in Python, or wait for workers or solvers, check that, too (`check_cancelled`).

Functions given as `progress=` are called in the thread of the search, not in that of the loop.
"""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import TYPE_CHECKING, Final, Generic, ParamSpec, Self, TypeVar

from dlx.core.kernel import Cancellation
from dlx.core.name_types import Name

if TYPE_CHECKING:
    from dlx.search.search import Search, Solution

__all__ = ["AsyncSearch", "run_async"]

SLICE: Final = 0.04  # seconds
MAX_SOLUTIONS: Final = 4096  # in a slice

P = ParamSpec("P")
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


async def run_async(method: Callable[P, T], *arguments: P.args, **keywords: P.kwargs) -> T:
    """What `method(*arguments, **keywords)` returns, computed in a thread.

    It is the same call, so its answers, errors and methods are those of the form that waits.
    """
    return await _in_thread(partial(method, *arguments, **keywords))


class _Cancelled(BaseException):
    """Ends a call whose task was cancelled."""


async def _in_thread(work: Callable[[], T]) -> T:
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
        await asyncio.wait([running])  # a few ms; two calls of a search must not overlap
        if not running.cancelled():
            running.exception()  # retrieved, so that asyncio does not log it
        raise
