"""Base class of worker pools: threads that work on a schedule while a caller wants solutions.

Python runs signal handlers in the main thread, between any two of its instructions, and they may
raise there. The thread that draws from a search is mostly the main thread. So it never changes
anything that an exception could leave half changed. Only the pool's threads change the schedule,
under a lock. The drawing thread sets flags, takes solutions from a queue by single calls of C, and
waits for an event.

The threads of a pool run only while a caller wants solutions. They are started when a caller begins
to wait. They end when the caller has not drawn for `CALLER_TIMEOUT` seconds, has dropped the
search, or was interrupted. They hold no reference to the driver, so that the garbage collector can
find a dropped one.
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

from dlx.core.kernel import Cancellation
from dlx.core.logs import log
from dlx.errors import WorkersLost
from dlx.parallel.schedule import Schedule

__all__ = ["WorkerPool"]

CALLER_TIMEOUT: Final = 10.0  # seconds of work after the caller has last drawn
SHUTDOWN_TIMEOUT: Final = 5.0  # seconds to wait for threads when the interpreter ends
IDLE_INTERVAL: Final = 1.0  # seconds after which an idle thread looks for work by itself


class WorkerPool(ABC):
    """Up to `threads` threads that work on a schedule."""

    def __init__(self, schedule: Schedule, threads: int) -> None:
        self.schedule = schedule
        self.error: BaseException | None = None
        """The error that has stopped the pool for good."""
        self.event = _thread.allocate_lock()
        """An event as a bare lock: released when there may be something new for the caller."""
        self.event.acquire()
        self.caller_waits = False
        """Does a caller wait for solutions at this moment?"""
        self.lock = _thread.allocate_lock()
        """Guards the schedule and `running`; the drawing thread never takes it."""
        self.running: list[Cancellation] = []
        """One for each running thread, which `close` cancels."""
        self._threads = threads
        self._idle: list[_thread.LockType] = []  # a lock for each idle thread; releasing it wakes
        self._paused = False
        self._closed = False
        self._last_drawn = time.monotonic()
        self._process = os.getpid()
        _pools.add(self)

    # -- for the drawing thread --------------------------------------------------------------------

    def ensure_running(self) -> None:
        """Starts the threads that are missing. The caller repeats this while it waits."""
        self._last_drawn = time.monotonic()
        self._paused = False
        if self._closed or self.error is not None or self.schedule.over:
            return
        for _ in range(self._threads - len(self.running)):  # a thread too many ends by itself
            try:
                _thread.start_new_thread(self._run, ())
            except RuntimeError as error:
                if not self.running:
                    raise WorkersLost(f"no thread can be started: {error}") from None
                break
        self.wake()

    def wait(self, seconds: float, *, prompt: bool = True) -> None:
        """Waits for the event. With `prompt`, a worker that has a solution returns with it."""
        self.caller_waits = prompt
        try:
            self.event.acquire(timeout=seconds)
        finally:
            self.caller_waits = False

    def pause(self) -> None:
        """Ends the threads as soon as they have given back their results."""
        self._paused = True
        self.wake()

    def close(self) -> None:
        """Ends the threads for good. Any thread may call it, the garbage collector included."""
        self._closed = True
        if self.in_own_process():
            for cancellation in tuple(self.running):  # the test of a solution may take minutes
                cancellation.cancel()
            self.wake()

    def in_own_process(self, _getpid: Callable[[], int] = os.getpid) -> bool:
        """Whether this is the process in which the pool works, and not a fork of it."""
        return _getpid() == self._process  # a default: at interpreter exit `os` may be gone

    def wake(self) -> None:
        """Wakes the idle threads: there may be something to do."""
        while self._idle:
            with suppress(IndexError, RuntimeError):  # another thread was faster
                self._idle.pop().release()

    def join(self, seconds: float) -> bool:
        """Waits until all threads have ended. False if some are still running."""
        until = time.monotonic() + seconds
        while self.running and time.monotonic() < until:
            time.sleep(0.001)
        return not self.running

    # -- for the threads ---------------------------------------------------------------------------

    def should_stop(self) -> bool:
        """Whether the threads should end now."""
        return (
            self._closed
            or self._paused
            or self.error is not None
            or time.monotonic() - self._last_drawn > CALLER_TIMEOUT
        )

    def notify_caller(self) -> None:
        """Sets the event: there may be something new for the caller."""
        with suppress(RuntimeError):  # it is set already
            self.event.release()

    def mark_idle(self, idle_lock: _thread.LockType) -> None:
        """Announces that a thread is about to wait.

        The thread holds `lock`, and has held it since it found nothing to do.
        """
        self._idle.append(idle_lock)

    def wait_idle(self, idle_lock: _thread.LockType) -> None:
        """Waits until there may be something to do.

        `idle_lock` belongs to the thread, which holds it; `wake` releases it.
        """
        if not self.should_stop():  # after `mark_idle`, so that no `wake` is missed
            idle_lock.acquire(timeout=IDLE_INTERVAL)
        with suppress(ValueError):  # `wake` has removed it
            self._idle.remove(idle_lock)

    def fail(self, error: BaseException) -> None:
        """Stops the pool for good."""
        self.error = error
        self.wake()

    def _run(self) -> None:
        """Runs in each thread, from its start to its end."""
        me = Cancellation()
        with self.lock:
            if len(self.running) >= self._threads:
                return
            self.running.append(me)
        try:
            with me:
                self._work()
        except BaseException as error:
            if not me.cancelled:
                self.fail(error)
        finally:
            self.running.remove(me)
            if self.schedule.over and not self.running:
                log.info(
                    "a search by %s is done: %d parts, %d nodes, %d solutions found",
                    self,
                    self.schedule.done_parts,
                    self.schedule.stats.nodes,
                    self.schedule.stats.solutions,
                )
            self.notify_caller()

    @abstractmethod
    def _work(self) -> None:
        """Takes parts and gives back results until it should stop or nothing is left."""


_pools: weakref.WeakSet[WorkerPool] = weakref.WeakSet()


@atexit.register
def _shut_down() -> None:
    """Ends all threads before the interpreter does: the kernel must not outlive it."""
    pools = [pool for pool in _pools if pool.in_own_process()]
    for pool in pools:
        pool.close()
    until = time.monotonic() + SHUTDOWN_TIMEOUT
    for pool in pools:
        pool.join(until - time.monotonic())
