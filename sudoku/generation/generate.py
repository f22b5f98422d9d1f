"""Generating puzzles with exactly one solution: `generate`, and `generate_many` in bulk.

Givens are removed from a random solved grid, in random order, while its solution stays unique
(`remove_givens`). The result is minimal: about 24 givens on 9x9, from 21 to 28. Another number of
givens is reached by local search: a few removed givens are restored to the best puzzle so far, and
others are removed instead.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Self

from dlx import DLXError, InvalidArgument, SearchInterrupted
from sudoku.board.cells import integer
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout, checked_layout
from sudoku.errors import LayoutError, NoPuzzle, counted, shown
from sudoku.generation.executors import ExecutorScheduler
from sudoku.generation.grids import grid_from_rng
from sudoku.generation.kinds import DrawnPuzzle, check_kind, draw, split_cages
from sudoku.generation.minimize import BLANK, LocalLines, given_count, remove_givens
from sudoku.generation.other_solutions import OtherSolutions, suits_other_solutions
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

    from sudoku.generation.difficulty import Goal

__all__ = ["Generated", "generate", "generate_many"]

Group = tuple[int, ...]

ATTEMPTS = 1000
ATTEMPTS_PER_DRAWING = 10  # to reach a difficulty, after which other rules are drawn
STALL_LIMIT = 100  # attempts without progress, after which the search starts from another grid
MAX_CHECK_NODES = 20_000  # of a check of a drawn kind; a given that needs more nodes stays
LARGE = 400  # cells of a single square, such as 20x20, whose checks have that limit too
MAX_RESTORED = 6  # groups of givens restored in an attempt, at most
MAX_AMBIGUOUS = 20  # solved grids that have several solutions, which only unknown regions leave


def generate(
    layout: Layout | None = None,
    clues: int | None = None,
    *,
    kind: str | None = None,
    symmetry: str = "none",
    difficulty: str | None = None,
    technique: str | None = None,
    need: bool = False,
    seed: int | None = None,
    minimal: bool | None = None,
    attempts: int | None = None,
    timeout: float | None = None,
    engine: str = "auto",
) -> Grid:
    """A random puzzle of the layout with exactly one solution, which a search has proved.

    kind
        Draws the rules at random as well, on the layout: "killer" (cages of 2 to 5 cells, with the
        `symmetry`, and no givens unless its cages cannot make it unique), "jigsaw" (symmetric
        regions in place of boxes), "thermometer" (of 3 to 8 cells), "arrow" (2 to 5 cells and the
        circle), "renban", "whispers", "kropki" and "xv" (all marks), or "sandwich" (all sums). The
        puzzle's layout has them. A given stays if the proof that it is not needed would take a
        long search.
    clues
        The exact number of givens; None: the number that is left when no given can be removed. At
        most `attempts` attempts are made. From 20x20 on, a given stays if the proof that it is not
        needed would take a long search. On 9x9 most take about a millisecond, and minimal puzzles
        with 20 to 30 givens can be reached.
    symmetry
        The symmetry of the cells with givens: "none", "rotation-2", "rotation-4", "mirror",
        "diagonal" or "full" (see `sudoku.generation.symmetries`).
    difficulty
        A band of `sudoku.rate`: "gentle", "easy", "medium", "hard", "expert" or "extreme". A puzzle
        that is too hard gets more givens, and on 9x9 a gentle puzzle has at least 38 givens, an
        easy one at least 32, unless `minimal` or `clues` forbids that. A puzzle that is too easy is
        discarded, and the next one counts as another of the `attempts`. With a `kind`, the next one
        has other rules; killers get givens for gentle and easy only, smaller cages otherwise. Only
        for layouts that can be rated: with a side of at most 16.
    attempts
        How many puzzles are tried for `clues`, a difficulty or a technique. None: 1000, but a
        difficulty that takes long to find is refused: expert killers, all but gentle and easy for
        shogun, and so on (see `sudoku.generation.kinds.bands_of`).
    technique, need
        The name of a technique, such as "X-wing", that the rating of the puzzle uses before any
        harder one. With `need`, the puzzle is solved by it and easier ones, but not without it: it
        is `Rating.hardest`. Such a puzzle gets more givens like one of a difficulty.
    minimal
        Whether every given must be needed: without it there would be more solutions (with a
        symmetry, the same for every orbit of givens). False allows more `clues` than a minimal
        puzzle has. Default: True unless there is a `difficulty` or a `technique`.
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
    >>> sudoku.rate(generate(technique="X-wing", need=True, seed=1)).hardest
    'X-wing'
    >>> killer = generate(kind="killer", seed=1)
    >>> killer.filled, sudoku.is_unique(killer), killer.layout.rules[0]
    (0, True, Cage(16, ((1, 1), (1, 2), (2, 2))))

    Raises `NoPuzzle` if no attempt found a puzzle with those properties, `NoSolution` if the layout
    has no grid, `LayoutError` if it does not have the symmetry, `dlx.InvalidArgument` for other
    wrong arguments, and `dlx.SearchInterrupted` after `timeout` seconds.
    """
    deadline = Deadline(timeout)
    request = _PuzzleRequest(
        layout, clues, kind, symmetry, difficulty, technique, need, minimal, attempts, engine
    )
    seed = check_seed(seed)
    began = time.monotonic()
    puzzle = next(Generated(*_source(request, deadline, seed, 0, 1), seed))
    seconds = time.monotonic() - began
    log.done(seconds, "a puzzle of seed %d in %.3g seconds", seed, seconds)
    return puzzle


def generate_many(
    number: int | None = None,
    layout: Layout | None = None,
    clues: int | None = None,
    *,
    kind: str | None = None,
    symmetry: str = "none",
    difficulty: str | None = None,
    technique: str | None = None,
    need: bool = False,
    seed: int | None = None,
    minimal: bool | None = None,
    attempts: int | None = None,
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
    if number is not None:
        number = _check_count("number", number, 0)
    deadline = Deadline(timeout)
    request = _PuzzleRequest(
        layout, clues, kind, symmetry, difficulty, technique, need, minimal, attempts, engine
    )
    seed = check_seed(seed)
    if executor is None:
        return Generated(*_source(request, deadline, seed, 0, number, workers), seed)
    _, base = _source(request, deadline, seed, 0, 0)
    if not hasattr(executor, "submit"):
        raise InvalidArgument(f"executor is {shown(executor)}, which has no submit method")
    if timeout is not None:
        raise InvalidArgument(
            "timeout cannot be combined with an executor: its workers cannot be stopped"
        )
    chunk = partial(_generate_chunk, request, seed)
    return Generated(ExecutorScheduler(executor, chunk, number), base, seed)


class _PuzzleRequest(NamedTuple):
    """The arguments of `generate` about the puzzle, unchecked; an executor may pickle them."""

    layout: Layout | None
    clues: int | None
    kind: str | None
    symmetry: str
    difficulty: str | None
    technique: str | None
    need: bool
    minimal: bool | None
    attempts: int | None
    engine: str

    @property
    def is_aimed(self) -> bool:
        """Whether it matters how the puzzle is solved."""
        return self.difficulty is not None or self.technique is not None


def _source(
    request: _PuzzleRequest,
    deadline: Deadline,
    seed: int,
    first: int,
    count: int | None,
    workers: int | None = 1,
) -> tuple[BatchScheduler | _OneByOne, Layout]:
    """The source of `count` puzzles from number `first` on, and their layout, or that of a kind."""
    if request.kind is not None:
        make = _KindGenerator(request, deadline)
        return _OneByOne(partial(make.puzzle, seed), first, count), make.base
    # With more threads, checks of many puzzles in one batch take less time than `OtherSolutions`.
    generator = _PuzzleGenerator(request, deadline, uses_others=workers == 1)
    layout = generator.layout
    limit = MAX_CHECK_NODES if layout.is_square and layout.size >= LARGE else None
    options = CheckOptions(layout, request.engine, deadline, workers, limit)
    return BatchScheduler(partial(generator.coroutine, seed), first, count, options), layout


def _generate_chunk(
    request: _PuzzleRequest, seed: int, first: int, count: int
) -> list[LineOrError]:
    """A chunk of the puzzles of `generate_many`, generated in a worker of an executor."""
    source, _ = _source(request, Deadline(None), seed, first, count)
    results: list[LineOrError] = []
    while (result := source.peek()) is not None:
        results.append(result)
        source.discard()
    return results


class _KindGenerator:
    """Generates puzzles of a kind, each with a layout of its own, until the deadline."""

    def __init__(self, request: _PuzzleRequest, deadline: Deadline) -> None:
        self.kind = check_kind(request.kind)
        self.base = checked_layout(request.layout)
        self._request = request
        self._deadline = deadline
        if not self.base.is_square:
            raise LayoutError(f"{self.kind!r} needs a square grid; {self.base} is not square")
        if request.clues is not None and self.kind == "killer":
            raise InvalidArgument(
                "clues cannot be combined with the kind 'killer': it has givens only where its "
                "cages need them"
            )
        if request.clues is not None:
            _check_count("clues", request.clues, 0)
        # This checks the other arguments; how few givens are possible depends on the layout.
        checked = _PuzzleGenerator(request._replace(layout=self.base, clues=None), deadline)
        self._attempts, self._goal = checked.attempts, checked.goal
        if self._goal is not None and request.attempts is None:
            from sudoku.generation.difficulty import check_offered

            check_offered(self._goal, self.kind)

    def puzzle(self, seed: int, number: int) -> Grid:
        """The puzzle of that number; `generate` returns number 0."""
        rng = SeededRandom("puzzle", self.kind, seed, number)
        share = 1 if self.kind == "killer" else ATTEMPTS_PER_DRAWING
        if self._goal is None or self._request.clues is not None:
            share = self._attempts
        for done in range(0, self._attempts, share):
            puzzle = self._next(rng, min(share, self._attempts - done))
            if puzzle is not None:
                return puzzle
        attempts = counted(self._attempts, "attempt")
        what = "puzzle" if self._goal is None else self._goal
        raise NoPuzzle(f"no {what} of the kind {self.kind!r} in {attempts}")

    def _next(self, rng: SeededRandom, attempts: int) -> Grid | None:
        """A puzzle of newly drawn rules; None if these attempts do not reach the difficulty."""
        drawn = draw(self.kind, self.base, rng, self._deadline, self._request.symmetry)
        if not drawn.needs_givens:
            return self._without_givens(drawn, rng)
        layout = drawn.layout
        request = self._request._replace(layout=layout, attempts=attempts)
        options = CheckOptions(layout, request.engine, self._deadline, node_limit=MAX_CHECK_NODES)
        generator = _PuzzleGenerator(request, self._deadline, drawn.solution)
        try:
            return Grid.from_line(run_coroutine(generator.from_rng(rng), options), layout)
        except NoPuzzle:
            if self._goal is None or self._request.clues is not None:
                raise
            return None

    def _without_givens(self, drawn: DrawnPuzzle, rng: SeededRandom) -> Grid | None:
        """The puzzle without givens, its cages split if it is too hard; None if it does not fit.

        If it is to be gentle or easy, givens are added instead.
        """
        layout, symmetry = drawn.layout, self._request.symmetry
        empty = Grid.from_line(BLANK * layout.size, layout)
        if self._goal is None:
            return empty
        from sudoku.generation.difficulty import BEGINNERS, ease_to

        if self._request.difficulty not in BEGINNERS:
            return split_cages(drawn, self.base, self._goal, symmetry, rng, self._deadline)
        groups = () if self._request.minimal else orbits(layout, symmetry)
        return ease_to(empty, drawn.solution.cells, groups, self._goal, rng, self._deadline)


class _OneByOne:
    """Generates `count` puzzles from number `first` on, one by one; `make` makes that of a number.

    As with the other sources, the result stays until `discard`, so that Ctrl-C loses none.
    """

    def __init__(self, make: Callable[[int], Grid], first: int, count: int | None) -> None:
        self._make = make
        self._next = first
        self._end = None if count is None else first + count
        self._result: LineOrError | None = None

    def peek(self) -> LineOrError | None:
        """The next result; None at the end. Raises `dlx.SearchInterrupted` at the deadline."""
        if self._result is None and (self._end is None or self._next < self._end):
            try:
                self._result = self._make(self._next)
            except SearchInterrupted:
                raise
            except DLXError as error:
                self._result = error
        return self._result

    def discard(self) -> None:
        """Removes the result that `peek` returned."""
        self._next += 1
        self._result = None

    def close(self) -> None:
        """Ends the puzzles."""
        self._end = 0
        self._result = None


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
        self, source: BatchScheduler | ExecutorScheduler | _OneByOne, layout: Layout, seed: int
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
        puzzle = result if isinstance(result, Grid) else Grid.from_line(result, self._layout)
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
    """Generates the puzzles of a request, whose arguments it checks, until the deadline.

    With a `solution` they all have it; otherwise each has a random solved grid.
    """

    def __init__(
        self,
        request: _PuzzleRequest,
        deadline: Deadline,
        solution: Grid | None = None,
        uses_others: bool = False,
    ) -> None:
        clues, attempts = request.clues, request.attempts
        self.layout = checked_layout(request.layout)
        self.minimal = not request.is_aimed if request.minimal is None else request.minimal
        self.goal: Goal | None = None
        if request.is_aimed or request.need:
            from sudoku.generation.difficulty import check_goal

            self.goal = check_goal(request.difficulty, request.technique, request.need, self.layout)
        self.groups = orbits(self.layout, check_symmetry(request.symmetry))
        self.attempts = ATTEMPTS if attempts is None else _check_count("attempts", attempts, 1)
        self._is_patient = attempts is not None
        self.deadline = deadline
        self.solution = solution
        self.clues = None if clues is None else _check_count("clues", clues, 0)
        single = len(self.groups) == self.layout.size
        suits = uses_others and suits_other_solutions(self.layout, request.engine)
        self._uses_others = single and suits
        if self.clues is not None:
            _check_clues(self.clues, self.layout, self.groups, request.symmetry)

    def coroutine(self, seed: int, number: int) -> PuzzleCoroutine[str]:
        """Generates the puzzle of that number; `generate` returns number 0."""
        return self.from_rng(SeededRandom("puzzle", seed, number))

    def from_rng(self, rng: SeededRandom) -> PuzzleCoroutine[str]:
        """Generates a puzzle with this random generator."""
        attempts = _Attempts(self.attempts)
        if self.goal is None:
            return self._any_difficulty(rng, attempts)
        return self._aimed(self.goal, rng, attempts)

    def _aimed(self, goal: Goal, rng: SeededRandom, attempts: _Attempts) -> PuzzleCoroutine[str]:
        """Generates puzzles until one fits the goal, or can be eased to it."""
        from sudoku.generation.difficulty import check_offered, check_reach, ease_to

        check_reach(goal, self.layout)
        if not self._is_patient:
            check_offered(goal, str(self.layout))
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
            full = () if fixed else self._cells_of_solution(puzzle)
            fit = ease_to(puzzle, full, groups, goal, rng, self.deadline)
            if fit is not None:
                return fit.line
            message = "no %s puzzle; %d of %d attempts left"
            log.debug(message, goal, attempts.left, self.attempts)
        hint = "; minimal=False allows more givens" if self.minimal else ""
        raise NoPuzzle(f"no {goal} in {counted(self.attempts, 'attempt')}{hint}")

    def _any_difficulty(self, rng: SeededRandom, attempts: _Attempts) -> PuzzleCoroutine[str]:
        """Generates a puzzle of any difficulty."""
        for _ in range(min(attempts.left, MAX_AMBIGUOUS)):
            attempts.left -= 1
            full = self._solved(rng)
            line = yield from self._remove(full, full, rng.shuffled(self.groups))
            if BLANK in line or (yield line) == 1:
                break
        else:
            raise NoPuzzle(
                "no puzzle with one solution: even filled grids of this layout have several, "
                "since its rules do not tell where the regions are; add pairs of cells that are "
                "apart or joined"
            )
        if self.clues is not None and given_count(line) != self.clues:
            line = yield from self._reach_clue_count(full, line, rng, attempts)
        return line

    def _remove(self, full: str, line: str, groups: list[Group]) -> PuzzleCoroutine[str]:
        """The line, which has this solution, without the groups that it does not need."""
        local = LocalLines(full, self.layout)
        others = partial(OtherSolutions, self.layout, full) if self._uses_others else None
        return remove_givens(line, groups, self._least, local, others)

    def _solved(self, rng: SeededRandom) -> str:
        """The line of the solution, or of a random solved grid."""
        return (self.solution or grid_from_rng(self.layout, rng, self.deadline.left)).line

    def _cells_of_solution(self, puzzle: Grid) -> tuple[int, ...]:
        """The digits of the puzzle's solution, which is known or found by a search."""
        return (self.solution or solve(puzzle, timeout=self.deadline.left)).cells

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
                full = self._solved(rng)
                nearest, stalled, distance = full, 0, len(full)
            # Restored groups are tried last, so that other groups can be removed instead.
            present, restored = self._split(nearest, rng)
            start = _with(nearest, full, restored)
            line = yield from self._remove(full, start, present + restored)
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
    """The value as an int; raises `InvalidArgument` unless it is an integer from `least` up."""
    number = integer(value, least)
    if number is None:
        raise InvalidArgument(f"{name} is {shown(value)}; expected an integer from {least} up")
    return number


def _check_clues(
    number: int, layout: Layout, groups: tuple[tuple[int, ...], ...], symmetry: str
) -> None:
    """Raises `InvalidArgument` or `NoPuzzle` for numbers of givens that no puzzle can have."""
    size = layout.size
    if number > size:
        raise InvalidArgument(f"clues is {shown(number)}; the layout has {counted(size, 'cell')}")
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
