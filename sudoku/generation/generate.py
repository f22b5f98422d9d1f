"""Generating puzzles with exactly one solution: `generate`, and `generate_many` in bulk.

Givens are removed from a random solved grid, in random order, while its solution stays unique
(`remove_givens`). The result is minimal: about 24 givens on 9x9, from 21 to 28. Another number of
givens is reached by local search: a few removed givens are restored to the best puzzle so far, and
others are removed instead.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Self

from dlx import DLXError, InvalidArgument
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout, checked_layout
from sudoku.errors import NoPuzzle, counted
from sudoku.generation.executors import ExecutorScheduler
from sudoku.generation.grids import grid_from_rng
from sudoku.generation.minimize import BLANK, given_count, remove_givens
from sudoku.generation.random import SeededRandom, check_seed
from sudoku.generation.symmetries import check_symmetry, orbits
from sudoku.generation.uniqueness import (
    BatchScheduler,
    CheckOptions,
    LineOrError,
    PuzzleCoroutine,
    run_coroutine,
)
from sudoku.logs import log
from sudoku.solving.deadline import Deadline
from sudoku.solving.solve import solve

if TYPE_CHECKING:
    from concurrent.futures import Executor

__all__ = ["Generated", "generate", "generate_many"]

Group = tuple[int, ...]

ATTEMPTS = 1000
STALL_LIMIT = 100  # attempts without progress, after which the search starts from another grid
MAX_RESTORED = 6  # groups of givens restored in an attempt, at most


def generate(
    layout: Layout | None = None,
    clues: int | None = None,
    *,
    symmetry: str = "none",
    difficulty: str | None = None,
    seed: int | None = None,
    minimal: bool | None = None,
    attempts: int = ATTEMPTS,
    timeout: float | None = None,
    engine: str = "auto",
) -> Grid:
    """A random puzzle of the layout with exactly one solution, which a search has proved.

    clues
        The exact number of givens; None: the number that is left when no given can be removed. At
        most `attempts` attempts are made. On 9x9 most take about a millisecond, and minimal puzzles
        with 20 to 30 givens can be reached.
    symmetry
        The symmetry of the cells with givens: "none", "rotation-2", "rotation-4", "mirror",
        "diagonal" or "full" (see `sudoku.generation.symmetries`).
    difficulty
        A band of `sudoku.rate`: "gentle", "easy", "medium", "hard", "expert" or "extreme". A puzzle
        that is too hard gets more givens, and on 9x9 a gentle puzzle has at least 38 givens, an
        easy one at least 32, unless `minimal` or `clues` forbids that. A puzzle that is too easy is
        discarded, and the next one counts as another of the `attempts`. Only for layouts that can
        be rated: with a side of at most 16.
    minimal
        Whether every given must be needed: without it there would be more solutions (with a
        symmetry, the same for every orbit of givens). False allows more `clues` than a minimal
        puzzle has. Default: True unless there is a `difficulty`.
    seed
        The same seed gives the same puzzle, on every machine and with every engine; None gives
        another puzzle each time.

    >>> import sudoku
    >>> print(generate(seed=1))
    +-------+-------+-------+
    | 2 . . | . 3 . | 1 . 4 |
    | 9 . . | . . . | . . 8 |
    | . 4 . | . . . | . 5 . |
    +-------+-------+-------+
    | . 8 . | . 6 . | 4 7 . |
    | . . . | 2 5 . | . . 6 |
    | . 2 . | 8 . 4 | . 1 . |
    +-------+-------+-------+
    | 5 . . | 7 . . | . 8 1 |
    | . . . | 9 . . | . . . |
    | 4 . . | . 8 5 | . . 9 |
    +-------+-------+-------+
    >>> puzzle = generate(sudoku.Layout(2, 3), 12, symmetry="rotation-2", seed=2, minimal=False)
    >>> puzzle.filled, sudoku.is_unique(puzzle)
    (12, True)

    Raises `NoPuzzle` if no attempt found a puzzle with those properties, `NoSolution` if the layout
    has no grid, `LayoutError` if it does not have the symmetry, `dlx.InvalidArgument` for other
    wrong arguments, and `dlx.SearchInterrupted` after `timeout` seconds.
    """
    deadline = Deadline(timeout)
    request = _PuzzleRequest(layout, clues, symmetry, difficulty, minimal, attempts)
    generator = _PuzzleGenerator(request, deadline)
    seed = check_seed(seed)
    began = time.monotonic()
    options = CheckOptions(generator.layout, engine, deadline)
    line = run_coroutine(generator.coroutine(seed, 0), options)
    seconds = time.monotonic() - began
    log.done(seconds, "a puzzle of seed %d in %.3g seconds", seed, seconds)
    return Grid.from_line(line, generator.layout)


def generate_many(
    number: int | None = None,
    layout: Layout | None = None,
    clues: int | None = None,
    *,
    symmetry: str = "none",
    difficulty: str | None = None,
    seed: int | None = None,
    minimal: bool | None = None,
    attempts: int = ATTEMPTS,
    workers: int | None = 1,
    executor: Executor | None = None,
    timeout: float | None = None,
    engine: str = "auto",
) -> Generated:
    """Lazy iterator over `number` random puzzles (None: endless), in an order that the seed fixes.

    `workers` is the number of threads that prove uniqueness, None for one on each processor; the
    puzzles do not depend on it. With an `executor`, such as
    `concurrent.futures.ProcessPoolExecutor`, its workers generate the puzzles: on 9x9, where Python
    takes half of the time, only that uses many cores. `timeout` is in seconds for all puzzles
    together; after it the finished puzzles still come, and then `dlx.SearchInterrupted`. The other
    arguments are those of `generate`, which returns the first of these puzzles.

    >>> for puzzle in generate_many(2, Layout(2, 2), seed=1): print(puzzle.line)
    3.2..........3.4
    .31........42...

    Where a puzzle could not be generated, the iterator raises `NoPuzzle`; the next call continues
    with the next puzzle.
    """
    if number is not None and (isinstance(number, bool) or not isinstance(number, int)):
        raise InvalidArgument(f"number is {number!r}; expected a number of puzzles, or None")
    if number is not None and number < 0:
        raise InvalidArgument(f"number is {number}; expected 0 or more")
    deadline = Deadline(timeout)
    request = _PuzzleRequest(layout, clues, symmetry, difficulty, minimal, attempts)
    generator = _PuzzleGenerator(request, deadline)
    seed = check_seed(seed)
    if executor is None:
        start = partial(generator.coroutine, seed)
        options = CheckOptions(generator.layout, engine, deadline, workers)
        scheduler = BatchScheduler(start, 0, number, options)
        return Generated(scheduler, generator.layout, seed)
    if not hasattr(executor, "submit"):
        raise InvalidArgument(f"executor is {executor!r}, which has no submit method")
    if timeout is not None:
        raise InvalidArgument(
            "timeout cannot be combined with an executor: its workers cannot be stopped"
        )
    chunk = partial(_generate_chunk, request, engine, seed)
    return Generated(ExecutorScheduler(executor, chunk, number), generator.layout, seed)


class _PuzzleRequest(NamedTuple):
    """The arguments of `generate` about the puzzle, unchecked; an executor may pickle them."""

    layout: Layout | None
    clues: int | None
    symmetry: str
    difficulty: str | None
    minimal: bool | None
    attempts: int


def _generate_chunk(
    request: _PuzzleRequest, engine: str, seed: int, first: int, count: int
) -> list[LineOrError]:
    """A chunk of the puzzles of `generate_many`, generated in a worker of an executor."""
    no_deadline = Deadline(None)
    generator = _PuzzleGenerator(request, no_deadline)
    start = partial(generator.coroutine, seed)
    options = CheckOptions(generator.layout, engine, no_deadline)
    scheduler = BatchScheduler(start, first, count, options)
    results: list[LineOrError] = []
    while (result := scheduler.peek()) is not None:
        results.append(result)
        scheduler.discard()
    return results


class Generated(Iterator[Grid]):
    """Iterator over the puzzles of `generate_many`, and a context manager that closes it.

    After Ctrl-C the next call continues, and no puzzle is lost. After the timeout the finished
    puzzles still come.
    """

    __slots__ = ("_began", "_is_logged", "_layout", "_source", "made", "seed")

    seed: int
    """The seed that generates the same puzzles again."""
    made: int
    """The number of puzzles returned so far."""

    def __init__(
        self, source: BatchScheduler | ExecutorScheduler, layout: Layout, seed: int
    ) -> None:
        self.seed = seed
        self.made = 0
        self._source = source
        self._layout = layout
        self._began = time.monotonic()
        self._is_logged = False  # whether the end has been logged

    def __next__(self) -> Grid:
        result = self._source.peek()
        if result is None:
            self._log_end("all made")
            raise StopIteration
        if isinstance(result, DLXError):
            self._source.discard()
            raise result
        puzzle = Grid.from_line(result, self._layout)
        self._source.discard()
        self.made += 1
        log.debug("puzzle %d of seed %d: %d givens", self.made, self.seed, puzzle.filled)
        return puzzle

    def _log_end(self, why: str) -> None:
        """Logs the number of puzzles, once."""
        if not self._is_logged:
            self._is_logged = True
            seconds = time.monotonic() - self._began
            message = "puzzles of seed %d: %s, %d of them in %.3g seconds"
            log.done(seconds, message, self.seed, why, self.made, seconds)

    def close(self) -> None:
        """Stops generating; the iterator is at its end."""
        self._log_end("closed")
        self._source.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<sudoku.Generated: {self.made} so far, seed {self.seed}>"


class _Attempts:
    """The attempts left for a puzzle, shared by the search for clues and for difficulty."""

    __slots__ = ("left",)

    def __init__(self, left: int) -> None:
        self.left = left


class _PuzzleGenerator:
    """Generates the puzzles of a request, whose arguments it checks, until the deadline."""

    def __init__(self, request: _PuzzleRequest, deadline: Deadline) -> None:
        layout, clues, symmetry, difficulty, minimal, attempts = request
        self.layout = checked_layout(layout)
        self.minimal = difficulty is None if minimal is None else minimal
        self.difficulty = difficulty
        if difficulty is not None:
            from sudoku.generation.difficulty import check_band

            self.band = check_band(difficulty, self.layout)
        self.groups = orbits(self.layout, check_symmetry(symmetry))
        self.attempts = _check_count("attempts", attempts, 1)
        self.deadline = deadline
        self.clues = clues
        if clues is not None:
            _check_clues(clues, self.layout, self.groups, symmetry)

    def coroutine(self, seed: int, number: int) -> PuzzleCoroutine[str]:
        """Generates the puzzle of that number; `generate` returns number 0."""
        rng, attempts = SeededRandom("puzzle", seed, number), _Attempts(self.attempts)
        if self.difficulty is None:
            return self._any_difficulty(rng, attempts)
        return self._with_difficulty(rng, attempts)

    def _with_difficulty(self, rng: SeededRandom, attempts: _Attempts) -> PuzzleCoroutine[str]:
        """Generates puzzles until one has the difficulty, or can be eased to it."""
        from sudoku.generation.difficulty import ease_to

        fixed = self.minimal or self.clues is not None
        groups = () if fixed else self.groups
        puzzle = None
        while attempts.left:
            try:
                line = yield from self._any_difficulty(rng, attempts)
            except NoPuzzle:
                if puzzle is None:
                    raise
                break  # an earlier attempt reached the number of givens, but not the difficulty
            puzzle = Grid.from_line(line, self.layout)
            full = () if fixed else solve(puzzle, timeout=self.deadline.left).cells
            fit = ease_to(puzzle, full, groups, self.band, rng, self.deadline)
            if fit is not None:
                return fit.line
            message = "no %s puzzle; %d of %d attempts left"
            log.debug(message, self.difficulty, attempts.left, self.attempts)
        hint = "; minimal=False allows more givens" if self.minimal else ""
        raise NoPuzzle(f"no {self.difficulty} puzzle in {counted(self.attempts, 'attempt')}{hint}")

    def _any_difficulty(self, rng: SeededRandom, attempts: _Attempts) -> PuzzleCoroutine[str]:
        """Generates a puzzle of any difficulty."""
        attempts.left -= 1
        grid = grid_from_rng(self.layout, rng, self.deadline.left)
        line = yield from remove_givens(grid.line, rng.shuffled(self.groups), self._least)
        if self.clues is not None and given_count(line) != self.clues:
            line = yield from self._reach_clue_count(grid.line, line, rng, attempts)
        return line

    @property
    def _least(self) -> int:
        """The number of givens below which no given is removed."""
        return 0 if self.minimal or self.clues is None else self.clues

    def _reach_clue_count(
        self, full: str, nearest: str, rng: SeededRandom, attempts: _Attempts
    ) -> PuzzleCoroutine[str]:
        """Searches for a puzzle with `clues` givens, starting from one with another number."""
        assert self.clues is not None
        distance = abs(given_count(nearest) - self.clues)
        best, stalled = nearest, 0
        while attempts.left:
            attempts.left -= 1
            if stalled == STALL_LIMIT:
                full = grid_from_rng(self.layout, rng, self.deadline.left).line
                nearest, stalled, distance = full, 0, len(full)
            # Restored groups are tried last, so that other groups can be removed instead.
            present, restored = self._split(nearest, rng)
            start = _with(nearest, full, restored)
            line = yield from remove_givens(start, present + restored, self._least)
            new_distance = abs(given_count(line) - self.clues)
            if new_distance == 0:
                return line
            log.debug("%d givens, not %d", given_count(line), self.clues)
            stalled = 0 if new_distance < distance else stalled + 1
            if new_distance <= distance:
                nearest, distance = line, new_distance
            if new_distance < abs(given_count(best) - self.clues):
                best = line
        raise NoPuzzle(self._failure(given_count(best)))

    def _split(self, line: str, rng: SeededRandom) -> tuple[list[Group], list[Group]]:
        """The groups whose givens the line has, in random order, and a few of the other groups."""
        present: list[Group] = []
        removed: list[Group] = []
        for group in rng.shuffled(self.groups):
            (removed if BLANK in [line[cell] for cell in group] else present).append(group)
        return present, removed[: 1 + rng.below(MAX_RESTORED)]

    def _failure(self, best: int) -> str:
        """The message of `NoPuzzle`; `best` is the number of givens nearest to `clues`."""
        what = "minimal puzzle" if self.minimal else "puzzle with one solution"
        hint = ""
        if self.minimal and self.clues is not None and best < self.clues:
            hint = "; minimal=False allows redundant givens"
        return (
            f"no {what} with {counted(self.clues or 0, 'given')} in "
            f"{counted(self.attempts, 'attempt')}: the closest had {best}{hint}"
        )


def _with(line: str, full: str, groups: list[Group]) -> str:
    """The line with the digits of the full line in these groups of cells."""
    cells = list(line)
    for group in groups:
        for cell in group:
            cells[cell] = full[cell]
    return "".join(cells)


def _check_count(name: str, value: object, least: int) -> int:
    """The value; raises `InvalidArgument` unless it is an integer from `least` up."""
    if isinstance(value, int) and not isinstance(value, bool) and value >= least:
        return value
    raise InvalidArgument(f"{name} is {value!r}; expected an integer from {least} up")


def _check_clues(
    clues: object, layout: Layout, groups: tuple[tuple[int, ...], ...], symmetry: str
) -> None:
    """Raises `InvalidArgument` or `NoPuzzle` for numbers of givens that no puzzle can have."""
    number = _check_count("clues", clues, 0)
    size = layout.size
    if number > size:
        raise InvalidArgument(f"clues is {number}; the layout has {counted(size, 'cell')}")
    possible = 1  # a bit for each number of cells that whole groups have together
    for group in groups:
        possible |= possible << len(group)
    if not possible >> number & 1:
        below = (possible & ((1 << number) - 1)).bit_length() - 1
        above = next(n for n in range(number, size + 1) if possible >> n & 1)
        raise InvalidArgument(
            f"clues is {number}; with symmetry {symmetry!r} the nearest possible numbers are "
            f"{below} and {above}"
        )
    least = _least_possible(layout)
    if number < least:
        raise NoPuzzle(
            f"no puzzle of this layout with one solution has {counted(number, 'given')}: "
            f"it needs at least {least}"
        )


def _least_possible(layout: Layout) -> int:
    """A lower bound of the number of givens of a puzzle with one solution.

    If two digits were missing from the givens, exchanging them would give another solution, so at
    least `side - 1` digits occur. For 4x4, 6x6 and 9x9 exhaustive searches have found the minimum:
    4, 8 and 17 (McGuire, Tugemann and Civario, "There is no 16-clue Sudoku", 2012).
    """
    if layout.is_classic:
        known = {(2, 2): 4, (2, 3): 8, (3, 2): 8, (3, 3): 17}
        return known.get((layout.box_rows, layout.box_columns), layout.side - 1)
    return 0 if layout.rules else layout.side - 1
