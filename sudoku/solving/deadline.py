"""When a call with a timeout has to be over."""

from __future__ import annotations

import time

import dlx

__all__ = ["Deadline", "timed_out"]


class Deadline:
    """The seconds that are left of a timeout, for a call that is made of many searches.

    >>> Deadline(None).left is None, Deadline(0).left
    (True, 0.0)

    Raises `dlx.InvalidArgument` for a timeout that is neither None nor seconds from 0.
    """

    __slots__ = ("_end",)

    def __init__(self, timeout: object) -> None:
        self._end: float | None = None
        if timeout is None:
            return
        if isinstance(timeout, int | float) and timeout >= 0:
            self._end = time.monotonic() + min(timeout, 1e18)
        else:
            raise dlx.InvalidArgument(f"timeout is {timeout!r}; it must be None or seconds from 0")

    @property
    def left(self) -> float | None:
        """The seconds, 0 at the end; None if there is no end."""
        return None if self._end is None else max(0.0, self._end - time.monotonic())

    def check(self) -> None:
        """Raises `dlx.SearchInterrupted` if it is over."""
        if self.left == 0:
            raise timed_out()


def timed_out() -> dlx.SearchInterrupted:
    """What a call raises that its deadline has stopped between two searches."""
    return dlx.SearchInterrupted("timeout", count=0, stats=dlx.Stats(0, 0, 0, (), 0.0))
