"""Ctrl-C at a set time, on a machine of any load.

A clock on the wall would press it before a busy machine has come to what is tested, or after that
is done. So the clock here is the processor time of this process, where that is what passes.
"""

from __future__ import annotations

import gc
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import pytest


class Alarm:
    """Has Ctrl-C pressed once this process has worked for some seconds; one at a time."""

    def set(self, work: float = 0.05) -> None:
        signal.setitimer(signal.ITIMER_PROF, work)

    def set_by_the_wall(self, seconds: float) -> None:
        """For what only waits for others, and for less than the processor's clock can tell."""
        signal.setitimer(signal.ITIMER_REAL, seconds)

    def cancel(self) -> None:
        """None comes any more. (What a set alarm may interrupt ends with this, not before it.)"""
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)

    @contextmanager
    def expected(self, work: float = 0.05, *, waiting: bool = False) -> Iterator[None]:
        """What is in here is interrupted, at work or, if it only waits, in as many seconds.

        If it ends before, the test fails, and the alarm does not ring in the next one.
        """
        set_it = self.set_by_the_wall if waiting else self.set
        with pytest.raises(KeyboardInterrupt):  # noqa: PT012  (the alarm may come at once)
            set_it(work)
            try:
                yield
            finally:
                self.cancel()


@contextmanager
def alarms() -> Iterator[Alarm]:
    """An alarm, and none is left over afterwards."""
    signals = (signal.SIGPROF, signal.SIGALRM)
    before = [signal.signal(one, signal.default_int_handler) for one in signals]
    gc.disable()  # callbacks of the collector (hypothesis has one) would swallow the exception
    alarm = Alarm()
    try:
        yield alarm
    finally:
        alarm.cancel()
        gc.enable()
        for one, handler in zip(signals, before, strict=True):
            signal.signal(one, handler)


class ProfiledCtrlC:
    """A profile function that raises KeyboardInterrupt once, in code of one package.

    Python sees to signals when a function begins or continues and after a call into C. This counts
    such moments in files with `package` in their path, and raises at the one after `left` others.
    """

    def __init__(self, package: str, left: int) -> None:
        self.package, self.left = package, left

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        if event in ("call", "c_return") and self.package in frame.f_code.co_filename:
            self.left -= 1
            if self.left == -1:
                raise KeyboardInterrupt

    @property
    def raised(self) -> bool:
        """Did that moment come?"""
        return self.left < 0

    def during(self, work: Callable[[], object]) -> bool:
        """Did that moment come before the work was done?"""
        sys.setprofile(self)
        try:
            work()
        except KeyboardInterrupt:
            return True
        finally:
            sys.setprofile(None)
        return False
