"""Engines in Python: a generator that searches step by step, made into something to pause.

A subclass has the generator and says what a solution is; here is all that has to do with time,
signals and threads.
"""

from __future__ import annotations

import _thread
import threading
import time
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterator
from typing import Any, Protocol

from dlx.core.arguments import UNLIMITED

__all__ = ["Kind", "SteppedEngine"]


class Kind(Protocol):
    """What a step tells: "solution", "pause" (stop before the next), "try", or anything else."""

    @property
    def kind(self) -> str:
        """The kind of the step."""


class SteppedEngine(ABC):
    """An engine that goes on by steps of a generator, which undoes all when it is closed."""

    def __init__(self, steps: Generator[Kind, None, None]) -> None:
        self.finished = False
        self._given_up = False
        self._steps = steps
        self._seconds = 0.0
        self._part = _SearchSlice(
            steps, 0, 0.0, lambda: None, lambda: True
        )  # the last one; none so far
        self._part.settle()

    @abstractmethod
    def _solution(self) -> tuple[Any, ...]:
        """The solution that the last step has found."""

    @abstractmethod
    def _nodes(self) -> int:
        """How many nodes there have been."""

    def _advance(
        self,
        count: int,
        seconds: float,
        found: Callable[[], None],
        is_over: Callable[[], bool] = lambda: False,
    ) -> int:
        """Searches on, calling `found` at each solution, until one of the limits is reached.

        `is_over` is asked before each step, and never after a "try": so a node that has been
        counted is visited as well.

        Handlers of signals run in the main thread, between any two of its instructions, and may
        raise there. Links that are half undone could never be put right again, so the main thread
        lets another one dance and waits for it.

        What was raised while searching (by a caller's heuristic, most likely) is raised each time:
        such a search can neither go on nor pass for finished.
        """
        self._part.settle()
        self._part.raise_error()
        self._part = part = _SearchSlice(self._steps, count, seconds, found, is_over)
        if self._given_up:  # by another thread, which may have seen the part before
            return 0
        started = time.monotonic()
        try:
            if threading.current_thread() is threading.main_thread():
                part.run_elsewhere()
            else:
                part.run()
            part.raise_error()
        finally:
            if part.ended:
                self.finished = True
            self._seconds += time.monotonic() - started
        return part.passed

    def draw(
        self,
        count: int,
        seconds: float,
        into: list[tuple[Any, ...]],
        nodes: int = UNLIMITED,
    ) -> None:
        """Appends up to `count` further solutions to a list."""
        self._advance(count, seconds, lambda: into.append(self._solution()), self._limit(nodes))

    def skip(self, count: int, seconds: float, nodes: int = UNLIMITED) -> int:
        """Passes over up to `count` further solutions and returns how many there were."""
        return self._advance(count, seconds, lambda: None, self._limit(nodes))

    def _limit(self, nodes: int) -> Callable[[], bool]:
        return (lambda: False) if nodes >= UNLIMITED else lambda: self._nodes() >= nodes

    def rewind(self) -> None:
        """Gives the search up and undoes all it has done, in whatever thread it runs."""
        self._given_up = True
        self._part.settle()
        self._steps.close()
        self.finished = True


class _Token:
    """Something that only the thread of a part holds, so that it goes when the thread does."""

    __slots__ = ("__weakref__",)


class _SearchSlice:
    """A stretch of a search: to `count` solutions, `seconds`, a pause, the end, or `settle`.

    Also to when `is_over`. It does not end between a "try" and the step after it.
    """

    def __init__(
        self,
        steps: Iterator[Kind],
        count: int,
        seconds: float,
        found: Callable[[], None],
        is_over: Callable[[], bool],
    ) -> None:
        self.passed = 0
        self.ended = False
        self._steps = steps
        self._count = count
        self._until = time.monotonic() + seconds if seconds >= 0 else float("inf")
        self._found = found
        self._is_over = is_over
        self._stopped = False
        self._error: BaseException | None = None
        self._claim: dict[str, str] = {}  # who was the first at it, "run" or "settle"
        self._returned = False
        self._token: weakref.ref[_Token] | None = None  # of the other thread, if one was started
        self._waking = threading.Lock()  # held until the part returns; only to wait for
        self._waking.acquire()

    def run(self, token: _Token | None = None) -> None:
        """Searches in this thread, unless another has begun or the part was settled before."""
        try:  # around all of it: whatever fails, also for want of memory, the waiting thread wakes
            if self._claim.setdefault("by", "run") != "run":
                return
            kind = ""
            while kind == "try" or self._goes_on():
                step = next(self._steps, None)
                if step is None:
                    self.ended = True
                    break
                kind = step.kind
                if kind == "solution":
                    self._found()
                    self.passed += 1
                elif kind == "pause" or (kind != "try" and time.monotonic() >= self._until):
                    break
        except BaseException as error:
            self._error = error
        finally:
            self._returned = True
            self._waking.release()

    def _goes_on(self) -> bool:
        return self.passed < self._count and not self._stopped and not self._is_over()

    def run_elsewhere(self) -> None:
        """As `run`, in another thread; what a signal raises in this one stops it first.

        With bare threads and locks, because `threading.Thread` and `Event` are written in Python,
        and break when a signal raises something in the middle of them.
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
        """Raises what was raised while searching, if anything was."""
        if self._error is not None:
            raise self._error

    def settle(self) -> None:
        """Stops the part, and returns when no other thread is at it or ever will be.

        A signal may come at any point; then it can be settled again.
        """
        self._stopped = True
        if self._claim.setdefault("by", "settle") == "run":  # in one step; else it never begins
            self._wait()

    def _wait(self) -> None:
        while not self._returned:
            self._waking.acquire(timeout=0.02)  # what other threads raise here does not wake it
            if self._token is not None and self._token() is None and not self._returned:
                # The thread ended before `run` began: Python had no memory for the call.
                self._error = MemoryError("no memory for the thread of a search")
                self._returned = True
