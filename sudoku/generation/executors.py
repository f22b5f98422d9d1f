"""Generating puzzles in the workers of a `concurrent.futures` executor, usually processes.

Python and the kernel each take about half the time of a 9x9 puzzle, so threads help little. Each
task generates a chunk of puzzles: one at first, up to 32 later. Twice as many tasks as workers are
submitted ahead, and their results are returned in order.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from sudoku.generation.uniqueness import LineOrError

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

__all__ = ["ExecutorScheduler"]

MAX_CHUNK = 32  # puzzles in a task


class _Task(NamedTuple):
    """A chunk of puzzles that a worker generates."""

    end: int
    """The number of the puzzle after the chunk."""
    future: Future[list[LineOrError]]


class ExecutorScheduler:
    """Generates puzzles number 0, 1, 2 ... with an executor, and returns them in order.

    `generate(first, count)` generates a chunk, from puzzle number `first` on; the executor may
    pickle it and its results. There are `number` puzzles, or no end if it is None.
    """

    def __init__(
        self,
        executor: Executor,
        generate: Callable[[int, int], list[LineOrError]],
        number: int | None,
    ) -> None:
        self._executor = executor
        self._generate = generate
        self._number = number
        self._ahead = 2 * _worker_count(executor)
        self._next = 0
        self._chunk = 1
        self._tasks: deque[_Task] = deque()
        self._results: deque[LineOrError] = deque()

    def peek(self) -> LineOrError | None:
        """The next result, in order, which stays until `discard`; None at the end."""
        self._submit()
        while not self._results:
            if not self._tasks:
                return None
            task = self._tasks[0]
            results = deque(task.future.result())
            # No call from here to the deletion, so no signal handler can run in between.
            self._results = results
            self._next = task.end
            del self._tasks[0]
            self._submit()
        return self._results[0]

    def discard(self) -> None:
        """Removes the result that `peek` returned."""
        del self._results[0]

    def _submit(self) -> None:
        """Submits tasks until enough are ahead."""
        while len(self._tasks) < self._ahead:
            first, count = self._tasks[-1].end if self._tasks else self._next, self._chunk
            if self._number is not None:
                count = min(count, self._number - first)
            if count <= 0:
                return
            future = self._executor.submit(self._generate, first, count)
            self._tasks.append(_Task(first + count, future))
            if len(self._tasks) % 2 == 0:
                self._chunk = min(2 * self._chunk, MAX_CHUNK)

    def close(self) -> None:
        """Cancels the tasks that have not started, and discards all results."""
        for task in self._tasks:
            task.future.cancel()
        self._tasks.clear()
        self._results.clear()
        self._number = 0


def _worker_count(executor: Executor) -> int:
    """The number of workers of the executor if it has such an attribute, else of processors."""
    for name in ("_max_workers", "num_workers"):  # the standard library's executors; mpi4py's
        count = getattr(executor, name, None)
        if isinstance(count, int) and count > 0:
            return count
    return os.cpu_count() or 1
