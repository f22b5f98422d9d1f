"""`Deadline`: the end of a call's timeout, also for what comes before its search."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from typing import TYPE_CHECKING

from dlx.core.kernel import Cancellation, TimeUp
from dlx.core.stats import Stats
from dlx.errors import SearchInterrupted

if TYPE_CHECKING:
    from dlx.errors import Resumable

__all__ = ["Deadline"]


class Deadline:
    """The end of a timeout that begins now; None: there is none."""

    def __init__(self, timeout: float | None) -> None:
        self._timeout = timeout
        self._began = time.monotonic()

    def left(self) -> float | None:
        """The seconds left, at least 0; None if there is no timeout."""
        if self._timeout is None:
            return None
        return max(0.0, self._timeout - (time.monotonic() - self._began))

    @contextmanager
    def preparing(self, continuation: Resumable | None = None) -> Iterator[None]:
        """Raises `SearchInterrupted` at the deadline, where the block has no time limit itself.

        The kernel's preparations check it, and so does `dlx.core.kernel.check_cancelled`.
        """
        left = self.left()
        try:
            with Cancellation(inf if left is None else left):
                yield
        except TimeUp:
            stats = Stats(0, 0, 0, (), time.monotonic() - self._began)
            raise SearchInterrupted(
                "timeout", count=0, stats=stats, continuation=continuation
            ) from None
