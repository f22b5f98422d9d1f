"""Timeouts that leave some time to search, on a machine of any speed and load.

A search that the machine holds up for longer than its timeout is over before anything was done. So
a search that is to be cut short half-way is tried with longer timeouts, until something was done.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

import dlx
from dlx import _kernel

TIMEOUTS = (0.01, 0.1, 1.0, 10.0, 60.0)
"""Seconds. The first will do nearly always."""
EMERGENCY = 60.0
"""Seconds after which what should have happened at once is taken for a failure."""


def has_nodes(error: dlx.SearchInterrupted) -> bool:
    """Was anything searched at all?"""
    return error.stats.nodes > 0


def cut_short(
    ask: Callable[[float], object], enough: Callable[[dlx.SearchInterrupted], object] = has_nodes
) -> dlx.SearchInterrupted:
    """What `ask`, which has no answer in any time, raises at a timeout that leaves it enough."""
    for timeout in TIMEOUTS:
        with pytest.raises(dlx.SearchInterrupted) as caught:
            ask(timeout)
        assert caught.value.reason == "timeout"
        if enough(caught.value):
            return caught.value
    pytest.fail(f"not enough was done in {timeout} seconds: {caught.value}")


def wait_for(happened: Callable[[], object]) -> None:
    """Returns as soon as `happened()` is true; meanwhile other threads get their turns."""
    until = time.monotonic() + EMERGENCY
    while not happened():
        assert time.monotonic() < until


@contextmanager
def simulated_clock(nanoseconds: int) -> Iterator[None]:
    """Has the kernel's clock advance by `nanoseconds` at each look, and only then."""
    _kernel.simulate_clock(nanoseconds)
    try:
        yield
    finally:
        _kernel.simulate_clock(0)
