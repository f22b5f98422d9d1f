"""What all crews have in common: threads that work on a schedule while somebody wants them to.

Signals are handled in the main thread, between any two of its instructions, and may raise there;
and whoever draws from a search is mostly the main thread. So it changes nothing that could be left
half changed: the schedule is in the hands of the crew's threads, under a lock, and whoever draws
only sets flags, takes solutions from a queue in single calls of C, and waits for the bell.

Threads of the crew live only while somebody wants solutions: they are started when somebody begins
to wait, and go home when he has not come back for long, has dropped the search, or has been
interrupted. They know nothing of the driver, so that dropping it is noticed.
"""

from __future__ import annotations

import _thread
import atexit
import os
import time
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from dlx.core.logs import log
from dlx.errors import WorkersLost
from dlx.parallel.schedule import Schedule

__all__ = ["WorkerPool"]

UNATTENDED: Final = 10.0  # seconds for which work goes on although nobody draws
GOODBYE: Final = 5.0  # seconds to wait for threads when the interpreter ends
PATIENCE: Final = 1.0  # seconds after which who was parked looks for himself


class WorkerPool(ABC):
    """Threads at work on a schedule."""

    def __init__(self, schedule: Schedule, threads: int) -> None:
        self.schedule = schedule
        self.error: BaseException | None = None
        """Why the crew has stopped for good."""
        self.bell = _thread.allocate_lock()
        """Is released when there may be something new for whoever draws."""
        self.bell.acquire()
        self.wanted = False
        """Does somebody wait for solutions at this moment?"""
        self.lock = _thread.allocate_lock()
        """For the schedule, and for `members`; never taken by whoever draws."""
        self.members: list[object] = []
        """The threads that are here."""
        self._threads = threads
        self._parked: list[_thread.LockType] = []
        self._paused = False
        self._closed = False
        self._last_drawn = time.monotonic()
        self._process = os.getpid()
        _crews.add(self)

    # -- for whoever draws -------------------------------------------------------------------------

    def attend(self) -> None:
        """Sees to it that the threads are there. To be called again while waiting."""
        self._last_drawn = time.monotonic()
        self._paused = False
        if self._closed or self.error is not None or self.schedule.over:
            return
        for _ in range(self._threads - len(self.members)):  # one too many goes home by itself
            try:
                _thread.start_new_thread(self._live, ())
            except RuntimeError as error:
                if not self.members:
                    raise WorkersLost(f"no thread can be started: {error}") from None
                break
        self.wake()

    def wait(self, seconds: float, *, hurry: bool = True) -> None:
        """Waits for the bell. Without hurry, no slice is cut short for it."""
        self.wanted = hurry
        try:
            self.bell.acquire(timeout=seconds)
        finally:
            self.wanted = False

    def pause(self) -> None:
        """Sends the threads home as soon as they have brought in what they have."""
        self._paused = True
        self.wake()

    def close(self) -> None:
        """Sends the threads home for good. May be called anywhere, also by a collector."""
        self._closed = True
        if self.is_here():
            self.wake()

    def is_here(self, _getpid: Callable[[], int] = os.getpid) -> bool:
        """Is this the process in which the crew works, and not one forked from it?"""
        return _getpid() == self._process  # also when the interpreter ends, and `os` is gone

    def wake(self) -> None:
        """Wakes the parked ones: there may be something to do."""
        while self._parked:
            with suppress(IndexError, RuntimeError):  # another one was faster
                self._parked.pop().release()

    def join(self, seconds: float) -> bool:
        """Waits until all threads have gone home. False if some are still here."""
        until = time.monotonic() + seconds
        while self.members and time.monotonic() < until:
            time.sleep(0.001)
        return not self.members

    # -- for the threads ---------------------------------------------------------------------------

    def leaving(self) -> bool:
        """Is it time to go home?"""
        return (
            self._closed
            or self._paused
            or self.error is not None
            or time.monotonic() - self._last_drawn > UNATTENDED
        )

    def ring(self) -> None:
        """Tells whoever waits that there may be something new."""
        with suppress(RuntimeError):  # it rings already
            self.bell.release()

    def park(self, bed: _thread.LockType) -> None:
        """Waits until there may be something to do; `bed` is the thread's own lock, and held."""
        if not self.leaving():  # said before it lay down, and so to others
            bed.acquire(timeout=PATIENCE)
        with suppress(ValueError):  # it was woken
            self._parked.remove(bed)

    def lie_down(self, bed: _thread.LockType) -> None:
        """Says that one is going to park. With `lock` held since there was nothing to do."""
        self._parked.append(bed)

    def fail(self, error: BaseException) -> None:
        """Stops all for good."""
        self.error = error
        self.wake()

    def _live(self) -> None:
        """The life of a thread."""
        me = object()
        with self.lock:
            if len(self.members) >= self._threads:
                return
            self.members.append(me)
        try:
            self._work()
        except BaseException as error:
            self.fail(error)
        finally:
            self.members.remove(me)
            if self.schedule.over and not self.members:
                log.info(
                    "a search by %s is done: %d parts, %d nodes, %d solutions found",
                    self,
                    self.schedule.done_parts,
                    self.schedule.stats[0],
                    self.schedule.stats[2],
                )
            self.ring()

    @abstractmethod
    def _work(self) -> None:
        """Takes parts and gives slices back until it is time to go home, or nothing is left."""


_crews: weakref.WeakSet[WorkerPool] = weakref.WeakSet()


@atexit.register
def _shut_down() -> None:
    """Before the interpreter ends: a thread in the kernel must not find it gone."""
    crews = [crew for crew in _crews if crew.is_here()]
    for crew in crews:
        crew.close()
    until = time.monotonic() + GOODBYE
    for crew in crews:
        crew.join(until - time.monotonic())
