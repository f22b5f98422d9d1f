"""Puzzles made by the workers of an executor: processes, mostly.

A 9x9 puzzle takes about as long in Python as in the kernel, so that threads help little. Each task
makes a few puzzles, one of them at first, more later; as many tasks are under way as keep the
workers busy, and what they make comes in order.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from sudoku.generation.uniqueness import Made

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

__all__ = ["Spread"]

LARGEST = 32  # puzzles of a task


class _Task(NamedTuple):
    """Some puzzles, being made by a worker."""

    end: int
    """The number of the puzzle after them."""
    future: Future[list[Made]]


class Spread:
    """What the tasks make, one after another.

    `make(first, count)` makes puzzles number `first` and so on; it and its results are pickled.
    """

    def __init__(
        self, executor: Executor, make: Callable[[int, int], list[Made]], number: int | None
    ) -> None:
        self._executor = executor
        self._make = make
        self._number = number
        self._ahead = 2 * _workers(executor)
        self._next = 0
        self._size = 1
        self._tasks: deque[_Task] = deque()
        self._made: deque[Made] = deque()

    def first(self) -> Made | None:
        """What comes next, in order; None at the end. It stays until `drop`."""
        self._submit()
        while not self._made:
            if not self._tasks:
                return None
            task = self._tasks[0]
            made = deque(task.future.result())
            # Nothing that a signal can come between.
            self._made = made
            self._next = task.end
            del self._tasks[0]
            self._submit()
        return self._made[0]

    def drop(self) -> None:
        """Forgets what came first."""
        del self._made[0]

    def _submit(self) -> None:
        """Keeps the workers busy."""
        while len(self._tasks) < self._ahead:
            first, count = self._tasks[-1].end if self._tasks else self._next, self._size
            if self._number is not None:
                count = min(count, self._number - first)
            if count <= 0:
                return
            future = self._executor.submit(self._make, first, count)
            self._tasks.append(_Task(first + count, future))
            if len(self._tasks) % 2 == 0:
                self._size = min(2 * self._size, LARGEST)

    def close(self) -> None:
        """Calls off what has not begun."""
        for task in self._tasks:
            task.future.cancel()
        self._tasks.clear()
        self._made.clear()
        self._number = 0


def _workers(executor: Executor) -> int:
    """How many workers the executor has, as far as it tells; or else how many processors."""
    for name in ("_max_workers", "num_workers"):  # those of the standard library; mpi4py
        count = getattr(executor, name, None)
        if isinstance(count, int) and count > 0:
            return count
    return os.cpu_count() or 1
