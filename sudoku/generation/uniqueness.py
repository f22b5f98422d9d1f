"""How makers ask whether a puzzle has exactly one solution.

A maker is a generator: it yields a puzzle as a line, is sent the number of its solutions, counted
up to 2, and returns what it made. It need not know who answers: `answer` asks about one puzzle
after another; a `Workshop` has many makers at work and asks about one puzzle of each in one batch,
which the kernel answers with as many threads as there are to be. Either way each maker goes its own
way, so that what it makes does not depend on the others.

Ctrl-C may come between any two steps. A generator that it hits is over, silently, and would seem to
have made nothing; so a maker that does not come back with a question or a puzzle is thrown away,
and another one begins the same puzzle anew. All else is kept so that each step is done or not done.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator
from typing import TypeVar

import dlx
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.solving.deadline import Deadline, timed_out
from sudoku.solving.many import count_many
from sudoku.solving.solve import count

__all__ = ["Made", "Maker", "Workshop", "answer"]

T = TypeVar("T")

Maker = Generator[str, int, T]

Made = str | dlx.DLXError
"""The line of a puzzle, or what came in the place of one."""

QUICK = 0.05  # seconds; as long as a round takes no more, the next may have twice as many makers
MOST = 256  # at work at once


def answer(maker: Maker[T], layout: Layout, engine: str, deadline: Deadline) -> T:
    """What the maker makes. Raises `dlx.SearchInterrupted` at the deadline."""
    try:
        line = next(maker)
        while True:
            puzzle = Grid.from_line(line, layout)
            line = maker.send(count(puzzle, limit=2, timeout=deadline.left, engine=engine))
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]


class _Bench:
    """The place where one puzzle is made: a maker, its last question, and in the end the puzzle."""

    __slots__ = ("line", "made", "maker", "number")

    def __init__(self, number: int) -> None:
        self.number = number
        self.maker: Maker[str] | None = None
        self.line = ""
        self.made: Made | None = None

    def go_on(self, maker: Maker[str], solutions: int | None) -> None:
        """Tells the maker the answer to its question, None at the beginning, and hears the next."""
        try:
            self.line = next(maker) if solutions is None else maker.send(solutions)
            self.maker = maker
        except StopIteration as end:
            self.made = end.value
        except dlx.SearchInterrupted:  # the deadline has come
            self.maker = None
        except dlx.DLXError as error:
            self.made = error
        except BaseException:
            self.maker = None
            raise


class Workshop:
    """Many makers at work at once, for puzzles number `first` and so on.

    `make` gives the maker of a puzzle, the same however often it is asked. There are `count`
    puzzles, or ever more if it is None.
    """

    def __init__(
        self,
        make: Callable[[int], Maker[str]],
        first: int,
        count: int | None,
        layout: Layout,
        engine: str,
        workers: int | None,
        deadline: Deadline,
    ) -> None:
        self._make = make
        self._next = first
        self._end = None if count is None else first + count
        self._layout = layout
        self._engine = engine
        self._workers = workers
        self._deadline = deadline
        self._benches: deque[_Bench] = deque()
        self._size = 1
        self._late: dlx.SearchInterrupted | None = None  # some puzzle was not made in time

    def first(self) -> Made | None:
        """What comes next, in order; None at the end. It stays until `drop`.

        After the deadline there comes what has been made until then. Raises `dlx.SearchInterrupted`
        if that was not all.
        """
        while True:
            if self._deadline.left == 0:
                self._give_up()
            else:
                self._fill()
            if not self._benches:
                if self._late is not None:
                    raise self._late
                return None
            made = self._benches[0].made
            if made is not None:
                return made
            self._work()

    def drop(self) -> None:
        """Forgets what came first."""
        self._next = self._benches[0].number + 1
        del self._benches[0]  # the last step, and none that a signal can come after

    def _fill(self) -> None:
        """Sets up benches for the next puzzles."""
        benches = self._benches
        while len(benches) < self._size:
            number = benches[-1].number + 1 if benches else self._next
            if self._end is not None and number >= self._end:
                return
            benches.append(_Bench(number))

    def _give_up(self) -> None:
        """Drops what is not finished."""
        done = [bench for bench in self._benches if bench.made is not None]
        more = self._end is None or self._next + len(self._benches) < self._end
        if self._late is None and (more or len(done) < len(self._benches)):
            self._late = timed_out()
        self._benches = deque(done)

    def _work(self) -> None:
        """One question of each maker."""
        started = time.monotonic()
        for bench in self._benches:
            if bench.maker is None and bench.made is None:
                bench.go_on(self._make(bench.number), None)
        asking = [
            (bench, bench.maker)
            for bench in self._benches
            if bench.maker is not None and bench.made is None
        ]
        left = self._deadline.left
        answers = count_many(
            [Grid.from_line(bench.line, self._layout) for bench, _ in asking],
            layout=self._layout,
            limit=2,
            # What is not answered in its share of the time is asked again.
            timeout=None if left is None else left / max(1, len(asking)),
            engine=self._engine,
            workers=self._workers,
            errors="return",
        )
        with answers:
            for (bench, maker), found in zip(asking, answers, strict=True):
                if isinstance(found, int):
                    bench.go_on(maker, found)
                elif not isinstance(found, dlx.SearchInterrupted):
                    raise found
        if time.monotonic() - started <= QUICK:
            self._size = min(2 * self._size, MOST)

    def close(self) -> None:
        """Ends all work."""
        self._end, self._late = 0, None
        self._benches.clear()
