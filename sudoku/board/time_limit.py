"""The time limit of a call while it builds the tables of a layout, which may take minutes.

`limited` sets it for the code that it encloses, and `check_time` raises `dlx.SearchInterrupted`
after it. So rules, which users may write, need no argument for it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf

import dlx

__all__ = ["check_time", "limited", "seconds_left", "timed_out"]

_end: ContextVar[float] = ContextVar("_end", default=inf)


@contextmanager
def limited(seconds: float | None) -> Iterator[None]:
    """Has `check_time` raise after these seconds (None: no limit), or after an earlier end."""
    token = _end.set(min(_end.get(), inf if seconds is None else time.monotonic() + seconds))
    try:
        yield
    finally:
        _end.reset(token)


def check_time() -> None:
    """Raises `dlx.SearchInterrupted` after the end that `limited` has set, if any."""
    if (end := _end.get()) < inf and time.monotonic() >= end:
        raise timed_out()


def seconds_left() -> float | None:
    """The seconds to the end that `limited` has set, 0 after it; None if there is no end."""
    return None if (end := _end.get()) == inf else max(0.0, end - time.monotonic())


def timed_out() -> dlx.SearchInterrupted:
    """The exception for a call whose deadline has passed between two searches."""
    return dlx.SearchInterrupted("timeout", count=0, stats=dlx.Stats(0, 0, 0, (), 0.0))
