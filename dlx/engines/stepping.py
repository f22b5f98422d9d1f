"""`SteppedEngine`: the base class of engines that are generators of search steps.

A subclass provides the generator and reads its solutions. The base class implements limits,
signals and threads.
"""

from __future__ import annotations

import _thread
import threading
import time
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator
from typing import Any, NamedTuple, Protocol, cast

from dlx.core.arguments import UNLIMITED
from dlx.core.budget import Budget, Reason
from dlx.core.kernel import TimeUp, check_cancelled
from dlx.engines.protocols import Engine, why_stopped

__all__ = ["Kind", "Step", "SteppedEngine", "WORKED"]


class Kind(Protocol):
    """A step of a search. The kinds "solution", "pause" (return to the caller) and "try" matter."""

    @property
    def kind(self) -> str:
        """The kind of the step."""


class Step(NamedTuple):
    """A step that has only a kind."""

    kind: str


WORKED = Step("worked")


class SteppedEngine(ABC):
    """An engine that runs a generator of steps. Closing the generator undoes its changes."""

    def __init__(self, steps: Generator[Kind, None, None]) -> None:
        self.finished = False
        self._closed = False
        self._steps = steps
        self._seconds = 0.0
        # The last slice that was started: at first an empty one.
        self._slice = _SearchSlice(steps, Budget(0), lambda: None, lambda: True)
        self._slice.settle()

    @abstractmethod
    def _solution(self) -> tuple[Any, ...]:
        """The solution that the last step found."""

    @abstractmethod
    def _nodes(self) -> int:
        """The number of nodes visited."""

    def _advance(
        self,
        budget: Budget,
        found: Callable[[], None],
        is_over: Callable[[], bool] | None = None,
    ) -> int:
        """Continues the search until a limit is reached; calls `found` at each solution.

        Calls `is_over`, which is true at the limit of nodes by default, before each step, but never
        after a "try": a node that was counted is always visited.

        Returns the number of solutions. Signal handlers run in the main thread, between any two of
        its instructions, and may raise there. That could leave the links half changed, and nothing
        could repair them. So the main thread runs the slice in another thread and waits for it.

        An exception raised in the search, such as by the caller's heuristic, is raised again by
        every later call: such a search cannot continue, and must not look finished.
        """
        self._slice.settle()
        self._slice.raise_error()
        if is_over is None:
            nodes = budget.nodes
            is_over = (lambda: False) if nodes >= UNLIMITED else lambda: self._nodes() >= nodes
        self._slice = current = _SearchSlice(self._steps, budget, found, is_over)
        if self._closed:  # by another thread, which may have settled only the slice before
            return 0
        started = time.monotonic()
        try:
            if threading.current_thread() is threading.main_thread():
                current.run_in_thread()
            else:
                current.run()
            current.raise_error()
            check_cancelled()
        finally:
            if current.ended:
                self.finished = True
            self._seconds += time.monotonic() - started
        return current.found_count

    def run(self, budget: Budget, into: Any) -> Reason:
        """Appends further solutions to a list: see `dlx.engines.protocols.Engine`."""
        found = self._advance(budget, lambda: into.append(self._solution()))
        return why_stopped(cast("Engine", self), budget, found)

    def take_waiting(self, into: Any) -> None:
        """Appends nothing: no solution waits."""
        return

    def skip(self, budget: Budget) -> int:
        """Skips further solutions up to the limits and returns how many it has skipped."""
        return self._advance(budget, lambda: None)

    def close(self) -> None:
        """Closes the search and undoes its changes; waits for the thread in which it runs."""
        self._closed = True
        self._slice.settle()
        self._steps.close()
        self.finished = True


class _Token:
    """An object that only the thread of a slice refers to, so that it dies with the thread."""

    __slots__ = ("__weakref__",)


class _SearchSlice:
    """A time slice of a search: ends at the limits of a budget, or at the search's end.

    Also at a pause, when `is_over` returns true, and by `settle`. It never ends between a "try" and
    the step after it.
    """

    def __init__(
        self,
        steps: Iterator[Kind],
        budget: Budget,
        found: Callable[[], None],
        is_over: Callable[[], bool],
    ) -> None:
        self.found_count = 0
        self.ended = False
        self._steps = steps
        self._count, self._until, _ = budget
        self._found = found
        self._is_over = is_over
        self._stopped = False
        self._error: BaseException | None = None
        self._claim: dict[str, str] = {}  # which method came first, "run" or "settle"
        self._returned = False
        self._token: weakref.ref[_Token] | None = None  # of the other thread, if one was started
        self._waking = threading.Lock()  # held until `run` returns; others wait for it
        self._waking.acquire()

    def run(self, token: _Token | None = None) -> None:
        """Searches in this thread, unless `run` or `settle` was called before."""
        try:  # around everything: after any error, a MemoryError too, the waiting thread must wake
            if self._claim.setdefault("by", "run") != "run":
                return
            kind = ""
            while kind == "try" or self._may_continue():
                step = next(self._steps, None)
                if step is None:
                    self.ended = True
                    break
                kind = step.kind
                if kind == "solution":
                    self._found()
                    self.found_count += 1
                elif kind == "pause" or (kind != "try" and self._is_time_up()):
                    break
        except BaseException as error:
            self._error = error
        finally:
            self._returned = True
            self._waking.release()

    def _is_time_up(self) -> bool:
        return time.monotonic() >= self._until or _is_cancelled()

    def _may_continue(self) -> bool:
        return self.found_count < self._count and not self._stopped and not self._is_over()

    def run_in_thread(self) -> None:
        """Runs the slice in a new thread and waits; an exception here stops the slice first.

        Uses `_thread` and locks, because `threading.Thread` and `threading.Event` are written in
        Python, and break when a signal handler raises in the middle of them.
        """
        try:
            _thread.start_new_thread(self.run, self._new_token())
            self._wait()
        except BaseException:
            self.settle()
            raise

    def _new_token(self) -> tuple[_Token]:
        token = _Token()
        self._token = weakref.ref(token)
        return (token,)

    def raise_error(self) -> None:
        """Raises the exception that the search raised, if any."""
        if self._error is not None:
            raise self._error

    def settle(self) -> None:
        """Stops the slice, and returns when no other thread runs it or will run it.

        If a signal handler raises in it, it can be called again.
        """
        self._stopped = True
        if self._claim.setdefault("by", "settle") == "run":  # atomic: else `run` never starts
            self._wait()

    def _wait(self) -> None:
        while not self._returned:
            self._waking.acquire(timeout=0.02)  # exceptions set by other threads do not wake it
            if self._token is not None and self._token() is None and not self._returned:
                # The thread ended before `run` began: Python had no memory for the call.
                self._error = MemoryError("not enough memory for the thread of a search")
                self._returned = True


def _is_cancelled() -> bool:
    try:
        check_cancelled()
    except (KeyboardInterrupt, TimeUp):
        return True
    return False
