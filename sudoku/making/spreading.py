"""Puzzles made by the workers of an executor: processes, mostly.

A 9x9 puzzle takes about as long in Python as in the kernel, so that threads help little. Each task
makes a few puzzles, one of them at first, more later; as many tasks are under way as keep the
workers busy, and what they make comes in order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from dlx import DLXError

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

__all__ = ["Made", "Spread"]

LARGEST = 32  # puzzles of a task
AHEAD = 16  # tasks under way

Made = list[str | DLXError]
"""The lines of puzzles, or what came in the place of one."""


class Spread:
    """What the tasks make, one after another; what is an exception is raised in its turn.

    `make(first, count)` makes puzzles number `first` and so on; it and its results are pickled.
    """

    def __init__(
        self, executor: Executor, make: Callable[[int, int], Made], number: int | None
    ) -> None:
        self._executor = executor
        self._make = make
        self._number = number
        self._next = 0
        self._size = 1
        self._tasks: deque[Future[Made]] = deque()
        self._made: deque[str | DLXError] = deque()

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        self._submit()
        while not self._made:
            if not self._tasks:
                raise StopIteration
            self._made += self._tasks[0].result()
            self._tasks.popleft()
            self._submit()
        made = self._made.popleft()
        if isinstance(made, DLXError):
            raise made
        return made

    def _submit(self) -> None:
        """Keeps the workers busy."""
        while len(self._tasks) < AHEAD:
            count = self._size
            if self._number is not None:
                count = min(count, self._number - self._next)
            if count <= 0:
                return
            self._tasks.append(self._executor.submit(self._make, self._next, count))
            self._next += count
            if len(self._tasks) % 2 == 0:
                self._size = min(2 * self._size, LARGEST)

    def close(self) -> None:
        """Calls off what has not begun."""
        for task in self._tasks:
            task.cancel()
        self._tasks.clear()
        self._made.clear()
        self._number = 0
