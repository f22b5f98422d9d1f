"""Uniqueness checks for the generator: one puzzle at a time, or batches of them.

Generating a puzzle takes many uniqueness checks in a row. Each generation is therefore a coroutine
(`PuzzleCoroutine`): it yields a puzzle as a line, is sent the number of its solutions, counted up
to 2, and returns its result. Two drivers run such coroutines:

    run_coroutine     one coroutine, one check after another
    BatchScheduler    up to 256 coroutines at once; each round sends one puzzle of each to the
                      kernel as one batch, which the kernel's worker threads share

A coroutine may also yield `OtherChecks`, many checks of one puzzle, and is sent a list of counts.
The coroutines are independent of each other, so the result does not depend on the driver.

Ctrl-C may arrive between any two steps. It ends the generator that happens to be running, without a
result. The scheduler discards a coroutine that neither yielded nor returned, and starts the same
puzzle again. Every other change of state is a single assignment or deletion.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Any, Literal, NamedTuple, TypeVar

import dlx
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout
from sudoku.generation.other_solutions import OtherChecks
from sudoku.rules.cover import cover_within
from sudoku.solving.deadline import Deadline, timed_out
from sudoku.solving.many import code_of

__all__ = ["BatchScheduler", "CheckOptions", "LineOrError", "PuzzleCoroutine", "run_coroutine"]

T = TypeVar("T")

PuzzleCoroutine = Generator[str | OtherChecks, Any, T]

LineOrError = str | Grid | dlx.DLXError
"""The line of a generated puzzle (its grid, if it has a layout of its own), or the error that ended
its generation."""

SHORT_ROUND = 0.05  # seconds; after a round that took no more, the next has twice as many puzzles
MAX_PENDING = 256  # puzzles in generation at the same time
MRV_CELLS = 100  # the largest layouts whose checks branch on the item with the fewest options


class CheckOptions(NamedTuple):
    """How the lines that coroutines yield are checked for uniqueness."""

    layout: Layout
    """The layout of all lines."""
    engine: Any
    """The name of the engine, which `dlx` checks."""
    deadline: Deadline
    """The end of the generation."""
    workers: int | None = 1
    """The number of threads of a batch; None: one for each processor."""
    node_limit: int | None = None
    """Nodes of one check, which beyond them counts as 2 solutions."""


def run_coroutine(coroutine: PuzzleCoroutine[T], options: CheckOptions) -> T:
    """The result of the coroutine. Raises `dlx.SearchInterrupted` at the deadline."""
    try:
        check = next(coroutine)
        while True:
            found: object
            if isinstance(check, OtherChecks):
                found = check.run(options.deadline)
            else:
                with _count([check], options, options.deadline.left) as answers:
                    found = _count_or_raise(next(answers))
            check = coroutine.send(found)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]


def _count(
    lines: Sequence[str], options: CheckOptions, timeout: float | None
) -> AbstractContextManager[Iterator[int | dlx.DLXError]]:
    """The numbers of solutions of lines, counted up to 2, or the errors in their place.

    Where the layout is large, or has arrows and the like in some cells, the searches use the
    heuristic "weighted", which takes a fifth of the time or less: they fail in one corner of the
    grid, again and again. Rules for all cells are no such corner. The kernel enumerates, while
    `count` might cache the counts of subproblems, which takes longer where there are so few.
    """
    layout, engine, workers = options.layout, options.engine, options.workers
    if options.node_limit is not None:
        return nullcontext(_count_within(line, options) for line in lines)
    return cover_within(layout, options.deadline.left).count_many(
        lines,
        limit=2,
        timeout=timeout,
        engine=engine,
        heuristic=_heuristic(options),
        workers=workers,
        errors="return",
        code=code_of(layout),
    )


def _heuristic(options: CheckOptions) -> Literal["mrv", "weighted"]:
    """The name of the heuristic for these checks: see `_count`."""
    layout = options.layout
    uneven = layout.size > MRV_CELLS or any(rule.cells for rule in layout.rules)
    return "weighted" if uneven and options.engine in ("auto", "links") else "mrv"


def _count_within(line: str, options: CheckOptions) -> int:
    """The number of solutions of a line, counted up to 2; 2 if the node limit leaves it unknown."""
    layout = options.layout
    cells = Grid.from_line(line, layout).cells
    given = [(*cell, digit) for cell, digit in zip(layout.positions, cells, strict=True) if digit]
    try:
        with cover_within(layout, options.deadline.left).solutions(
            given=given,
            limit=2,
            engine=options.engine,
            heuristic=_heuristic(options),
            node_limit=options.node_limit,
            timeout=options.deadline.left,
        ) as search:
            found = sum(1 for _ in search)
            if search.stopped_by == "timeout":
                raise timed_out()
            return 2 if search.stopped_by == "node_limit" else found
    except dlx.GivenClash:
        return 0


def _count_or_raise(answer: int | dlx.DLXError) -> int:
    """The count; 0 if digits of the line contradict each other. Raises other errors."""
    if isinstance(answer, int):
        return answer
    if isinstance(answer, dlx.GivenClash | dlx.FormatError):
        return 0  # such as a digit that the rules exclude, which is not in the line codec
    raise answer


class _PendingPuzzle:
    """A puzzle in generation: its coroutine, what to check next, and finally the result."""

    __slots__ = ("check", "coroutine", "number", "result")

    def __init__(self, number: int) -> None:
        self.number = number
        self.coroutine: PuzzleCoroutine[str] | None = None
        self.check: str | OtherChecks = ""
        self.result: LineOrError | None = None

    def advance(self, coroutine: PuzzleCoroutine[str], solutions: int | list[int] | None) -> None:
        """Sends the coroutine the solution counts of its last checks (None to start it)."""
        try:
            self.check = next(coroutine) if solutions is None else coroutine.send(solutions)
            self.coroutine = coroutine
        except StopIteration as end:
            self.result, self.check = end.value, ""  # `OtherChecks` take megabytes
        except dlx.SearchInterrupted:  # the deadline has passed
            self.coroutine = None
        except dlx.DLXError as error:
            self.result = error
        except BaseException:
            self.coroutine = None
            raise


class BatchScheduler:
    """Generates puzzles number `first`, `first + 1` and so on, many at once, in order.

    `start` returns a new coroutine for the puzzle of a number, which must always generate the same
    puzzle. There are `count` puzzles, or no end if it is None.
    """

    def __init__(
        self,
        start: Callable[[int], PuzzleCoroutine[str]],
        first: int,
        count: int | None,
        options: CheckOptions,
    ) -> None:
        self._start = start
        self._next = first
        self._end = None if count is None else first + count
        self._options = options
        self._pending: deque[_PendingPuzzle] = deque()
        self._size = 1
        self._timeout: dlx.SearchInterrupted | None = None  # set if some puzzle was not finished

    def peek(self) -> LineOrError | None:
        """The next result, in order, which stays until `discard`; None at the end.

        After the deadline the finished puzzles still come. Raises `dlx.SearchInterrupted` after
        them if there should have been more.
        """
        while True:
            if self._options.deadline.left == 0:
                self._drop_unfinished()
            else:
                self._fill()
            if not self._pending:
                if self._timeout is not None:
                    raise self._timeout
                return None
            result = self._pending[0].result
            if result is not None:
                return result
            self._run_round()

    def discard(self) -> None:
        """Removes the result that `peek` returned."""
        self._next = self._pending[0].number + 1
        del self._pending[0]  # last, so that no signal can arrive after it

    def _fill(self) -> None:
        """Adds pending puzzles up to the size of a round."""
        pending = self._pending
        while len(pending) < self._size:
            number = pending[-1].number + 1 if pending else self._next
            if self._end is not None and number >= self._end:
                return
            pending.append(_PendingPuzzle(number))

    def _drop_unfinished(self) -> None:
        """Removes all pending puzzles without a result."""
        done = [puzzle for puzzle in self._pending if puzzle.result is not None]
        more = self._end is None or self._next + len(self._pending) < self._end
        if self._timeout is None and (more or len(done) < len(self._pending)):
            self._timeout = timed_out()
        self._pending = deque(done)

    def _run_round(self) -> None:
        """Checks one line of each pending puzzle, in one batch."""
        started = time.monotonic()
        for puzzle in self._pending:
            if puzzle.coroutine is None and puzzle.result is None:
                puzzle.advance(self._start(puzzle.number), None)
        running = [
            (puzzle, puzzle.coroutine, puzzle.check)
            for puzzle in self._pending
            if puzzle.coroutine is not None and puzzle.result is None
        ]
        left = self._options.deadline.left
        # A check that exceeds its share of the time is repeated in the next round.
        share = None if left is None else left / max(1, len(running))
        lines = [check for *_, check in running if isinstance(check, str)]
        with _count(lines, self._options, share) as answers:
            for puzzle, coroutine, check in running:
                if isinstance(check, OtherChecks):
                    self._run_other_checks(puzzle, coroutine)
                elif not isinstance(found := next(answers), dlx.SearchInterrupted):
                    puzzle.advance(coroutine, _count_or_raise(found))
        if time.monotonic() - started <= SHORT_ROUND:
            self._size = min(2 * self._size, MAX_PENDING)

    def _run_other_checks(self, puzzle: _PendingPuzzle, coroutine: PuzzleCoroutine[str]) -> None:
        """Runs the coroutine as long as it yields `OtherChecks`: few of these fit into memory."""
        with suppress(dlx.SearchInterrupted):  # the deadline has passed
            while puzzle.result is None and isinstance(puzzle.check, OtherChecks):
                puzzle.advance(coroutine, puzzle.check.run(self._options.deadline))

    def close(self) -> None:
        """Discards all pending puzzles; `peek` returns None from now on."""
        self._end, self._timeout = 0, None
        self._pending.clear()
