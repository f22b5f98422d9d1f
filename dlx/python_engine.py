"""`dlx.links` as an engine: the reference that all other engines are compared with."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dlx.engines import RawStats
    from dlx.links import Matrix, Step

__all__ = ["PythonEngine"]


class PythonEngine:
    """`dlx.links.Matrix` as an engine."""

    def __init__(
        self, matrix: Matrix, given: Sequence[int], names: Sequence[Hashable] | None
    ) -> None:
        self.matrix = matrix
        self.finished = False
        self._names = names
        self._steps = matrix.search(given)
        self._seconds = 0.0
        self._found: list[tuple[Any, ...]] = []  # not yet handed over, because of a signal

    def _advance(self, count: int, seconds: float, found: Callable[[], None]) -> int:
        """Searches on, calling `found` at each solution, until one of the limits is reached.

        Handlers of signals run in the main thread, between any two of its instructions, and may
        raise there. Links that are half undone could never be put right again, so the main thread
        lets another one dance and waits for it.
        """
        part = _Part(self._steps, count, seconds, found)
        started = time.monotonic()
        try:
            if threading.current_thread() is threading.main_thread():
                part.run_elsewhere()
            else:
                part.run()
        finally:
            self.finished = self.finished or part.ended
            self._seconds += time.monotonic() - started
        return part.passed

    def draw(self, count: int, seconds: float) -> list[tuple[Any, ...]]:
        """Up to `count` further solutions."""
        self._advance(count - len(self._found), seconds, self._keep)
        found, self._found = self._found, []
        return found

    def skip(self, count: int, seconds: float) -> int:
        """Passes over up to `count` further solutions and returns how many there were."""
        return self._advance(count, seconds, lambda: None)

    def _keep(self) -> None:
        options = self.matrix.partial_solution()
        self._found.append(
            options if self._names is None else tuple(self._names[i] for i in options)
        )

    def rewind(self) -> None:
        """Gives the search up and undoes all it has done to the matrix."""
        self._steps.close()
        self.finished = True

    @property
    def stats(self) -> RawStats:
        """Nodes, updates, solutions, nodes by depth, seconds of work."""
        matrix = self.matrix
        return (
            sum(matrix.profile),
            matrix.updates,
            matrix.solutions_found,
            list(matrix.profile),
            self._seconds,
        )


class _Part:
    """A stretch of a search: until `count` solutions, `seconds`, the end, or a call of `stop`."""

    def __init__(
        self, steps: Iterator[Step], count: int, seconds: float, found: Callable[[], None]
    ) -> None:
        self.passed = 0
        self.ended = False
        self._steps = steps
        self._count = count
        self._until = time.monotonic() + seconds if seconds >= 0 else float("inf")
        self._found = found
        self._stopped = False
        self._returned = False
        self._working = threading.Lock()
        self._error: BaseException | None = None

    def run(self) -> None:
        """Searches in this thread."""
        while self.passed < self._count and not self._stopped:
            step = next(self._steps, None)
            if step is None:
                self.ended = True
                break
            if step.kind == "solution":
                self._found()
                self.passed += 1
            elif time.monotonic() >= self._until:
                break

    def run_elsewhere(self) -> None:
        """As `run`, in another thread; what a signal raises in this one stops it first."""
        # Not Thread.join: interrupted, it takes the thread for finished (Python 3.11). The lock
        # only cuts the waiting short: an interrupted `acquire` may have got it or not.
        self._working.acquire()
        threading.Thread(target=self._run_quietly, name="dlx", daemon=True).start()
        try:
            self._wait()
        except BaseException:
            self._stopped = True
            self._wait()
            raise
        if self._error is not None:
            raise self._error

    def _wait(self) -> None:
        while not self._returned:
            self._working.acquire(timeout=0.02)  # signals from other threads do not wake it

    def _run_quietly(self) -> None:
        try:
            self.run()
        except BaseException as error:
            self._error = error
        finally:
            self._returned = True
            self._working.release()
