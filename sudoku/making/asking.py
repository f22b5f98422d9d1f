"""How makers ask whether a puzzle has exactly one solution.

A maker is a generator: it yields a puzzle as a line, is sent the number of its solutions, counted
up to 2, and returns what it made. It need not know who answers: `answer` asks about one puzzle
after another; a `Workshop` has many makers at work and asks about one puzzle of each in one batch,
which the kernel answers with as many threads as there are to be. Either way each maker goes its own
way, so that what it makes does not depend on the others.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Generator, Iterator
from typing import Generic, TypeVar

import dlx
from sudoku.grid import Grid
from sudoku.layout import Layout
from sudoku.many import count_many
from sudoku.solving import count

__all__ = ["Deadline", "Maker", "Workshop", "answer"]

T = TypeVar("T")

Maker = Generator[str, int, T]

QUICK = 0.05  # seconds; as long as a round takes no more, the next may have twice as many makers
MOST = 256  # at work at once


class Deadline:
    """The seconds that are left of a timeout."""

    __slots__ = ("_end",)

    def __init__(self, timeout: float | None) -> None:
        self._end = None if timeout is None else time.monotonic() + timeout

    @property
    def left(self) -> float | None:
        """The seconds, 0 at the end; None if there is no end."""
        return None if self._end is None else max(0.0, self._end - time.monotonic())


def answer(maker: Maker[T], layout: Layout, engine: str, deadline: Deadline) -> T:
    """What the maker makes. Raises `dlx.SearchInterrupted` at the deadline."""
    try:
        line = next(maker)
        while True:
            puzzle = Grid.from_line(line, layout)
            line = maker.send(count(puzzle, limit=2, timeout=deadline.left, engine=engine))
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]


class _Bench(Generic[T]):
    """A maker at work, its last question, and in the end what it made or what stopped it."""

    __slots__ = ("error", "line", "made", "maker")

    def __init__(self, maker: Maker[T]) -> None:
        self.maker = maker
        self.made: T | None = None
        self.error: dlx.DLXError | None = None
        self.line: str | None = None
        self.go_on(None)

    def go_on(self, solutions: int | None) -> None:
        """Tells the maker the answer to its last question."""
        self.line = None
        try:
            self.line = next(self.maker) if solutions is None else self.maker.send(solutions)
        except StopIteration as end:
            self.made = end.value
        except dlx.DLXError as error:
            self.error = error


class Workshop(Generic[T]):
    """Many makers at work at once; an iterator over what they make, in their order.

    What a maker raises is raised in its turn, and the next one comes after it.
    """

    def __init__(
        self,
        makers: Iterator[Maker[T]],
        layout: Layout,
        engine: str,
        workers: int | None,
        deadline: Deadline,
    ) -> None:
        self._makers = makers
        self._layout = layout
        self._engine = engine
        self._workers = workers
        self._deadline = deadline
        self._benches: deque[_Bench[T]] = deque()
        self._size = 1

    def __iter__(self) -> Iterator[T]:
        return self

    def __next__(self) -> T:
        benches = self._benches
        while True:
            while len(benches) < self._size and (maker := next(self._makers, None)) is not None:
                benches.append(_Bench(maker))
            if not benches:
                raise StopIteration
            if benches[0].line is None:
                done = benches.popleft()
                if done.error is not None:
                    raise done.error
                return done.made  # type: ignore[return-value]  # it has made something
            self._work()

    def _work(self) -> None:
        """One question of each maker."""
        started = time.monotonic()
        asking = [bench for bench in self._benches if bench.line is not None]
        answers = count_many(
            [Grid.from_line(bench.line or "", self._layout) for bench in asking],
            layout=self._layout,
            limit=2,
            timeout=self._deadline.left,
            engine=self._engine,
            workers=self._workers,
        )
        with answers:
            found = list(answers)
        for bench, solutions in zip(asking, found, strict=True):
            bench.go_on(solutions)
        if time.monotonic() - started <= QUICK:
            self._size = min(2 * self._size, MOST)

    def close(self) -> None:
        """Ends all work."""
        self._makers = iter(())
        self._benches.clear()
