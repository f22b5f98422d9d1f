"""Puzzles with exactly one solution: `generate`, and `generate_many` in bulk.

A random solved grid loses its givens, in random order, as long as it stays the only solution
(`dig`). What is left is minimal: about 24 givens on 9x9, from 21 to 28. Another number of givens is
reached step by step: to the puzzle nearest to it, a few givens of its grid come back, and
others go.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Self

from dlx import DLXError, InvalidArgument
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout, checked_layout
from sudoku.errors import NoPuzzle, counted
from sudoku.generation.executors import Spread
from sudoku.generation.grids import draw_grid
from sudoku.generation.minimize import BLANK, dig, given_count
from sudoku.generation.random import Draws, check_seed
from sudoku.generation.symmetries import check_symmetry, orbits
from sudoku.generation.uniqueness import Made, Maker, Workshop, answer
from sudoku.logs import log
from sudoku.solving.deadline import Deadline
from sudoku.solving.solve import solve

if TYPE_CHECKING:
    from concurrent.futures import Executor

__all__ = ["Generated", "generate", "generate_many"]

Group = tuple[int, ...]

ATTEMPTS = 1000
PATIENCE = 100  # attempts without coming nearer, after which there is another grid
BACK = 6  # groups of givens that come back at most


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
        Exactly so many givens; None for as many as happen to be left. It takes `attempts` attempts
        at most to come there, most of them about a millisecond on 9x9, where 20 to 30 are within
        reach of a minimal puzzle.
    symmetry
        Of the places of the givens: "none", "rotation-2", "rotation-4", "mirror", "diagonal" or
        "full" (see `sudoku.generation.symmetries`).
    difficulty
        A band of `sudoku.rate`: "easy", "medium", "hard", "expert" or "extreme". A puzzle that is
        too hard gets more givens, unless it is to be minimal or to have so many `clues`; one that
        is too easy is thrown away, and the next takes one of the same `attempts`. Of layouts that
        can be rated only: one square of houses.
    minimal
        No given can be taken away, for there would be more solutions; with a symmetry, no orbit of
        givens. Without, there can be any number of `clues` more than a minimal puzzle has. True
        unless a difficulty is asked for.
    seed
        The same seed makes the same puzzle, on every machine and with every engine; None makes
        another each time.

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

    Raises `NoPuzzle` if the attempts did not come to a puzzle with that many givens, `NoSolution`
    if no grid fits the layout, `LayoutError` if it does not have the symmetry,
    `dlx.InvalidArgument` for the rest, and `dlx.SearchInterrupted` after `timeout` seconds.
    """
    deadline = Deadline(timeout)
    order = _Order(layout, clues, symmetry, difficulty, minimal, attempts, deadline)
    seed = check_seed(seed)
    began = time.monotonic()
    line = answer(order.maker(seed, 0), order.layout, engine, deadline)
    seconds = time.monotonic() - began
    log.done(seconds, "a puzzle of seed %d in %.3g seconds", seed, seconds)
    return Grid.from_line(line, order.layout)


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
    """So many puzzles, or ever more of them: a lazy iterator, in an order that the seed fixes.

    `workers` is the number of threads that prove uniqueness, None for one on each processor; the
    puzzles do not depend on it. An `executor` (`concurrent.futures.ProcessPoolExecutor`, say) makes
    them with its own workers: on 9x9, where Python has half of the work, that is the way to use
    many cores. `timeout` is for all of them together; when it is over, the puzzles come that are
    finished, and then `dlx.SearchInterrupted`. The rest is as in `generate`, which makes the same
    puzzle as comes first here.

    >>> for puzzle in generate_many(2, Layout(2, 2), seed=1): print(puzzle.line)
    3.2..........3.4
    .31........42...

    A puzzle that cannot be made raises its `NoPuzzle` in its turn; the iterator can then go on.
    """
    if number is not None and (isinstance(number, bool) or not isinstance(number, int)):
        raise InvalidArgument(f"number is {number!r}; it must be a number of puzzles, or None")
    if number is not None and number < 0:
        raise InvalidArgument(f"number is {number}; there is no such number of puzzles")
    deadline = Deadline(timeout)
    order = _Order(layout, clues, symmetry, difficulty, minimal, attempts, deadline)
    seed = check_seed(seed)
    if executor is None:
        make = partial(order.maker, seed)
        shop = Workshop(make, 0, number, order.layout, engine, workers, deadline)
        return Generated(shop, order.layout, seed)
    if not hasattr(executor, "submit"):
        raise InvalidArgument(f"executor is {executor!r}, which has no submit")
    if timeout is not None:
        raise InvalidArgument("timeout does not go with an executor: its workers cannot be stopped")
    some = partial(_make_some, layout, clues, symmetry, difficulty, minimal, attempts, engine, seed)
    return Generated(Spread(executor, some, number), order.layout, seed)


def _make_some(
    layout: Layout | None,
    clues: int | None,
    symmetry: str,
    difficulty: str | None,
    minimal: bool | None,
    attempts: int,
    engine: str,
    seed: int,
    first: int,
    count: int,
) -> list[Made]:
    """Some of the puzzles of `generate_many`, in a worker of an executor."""
    endless = Deadline(None)
    order = _Order(layout, clues, symmetry, difficulty, minimal, attempts, endless)
    make = partial(order.maker, seed)
    shop = Workshop(make, first, count, order.layout, engine, 1, endless)
    found: list[Made] = []
    while (made := shop.first()) is not None:
        found.append(made)
        shop.drop()
    return found


class Generated(Iterator[Grid]):
    """The puzzles that `generate_many` makes: an iterator, and a context manager that closes it.

    After Ctrl-C it can go on, and has lost nothing. After the timeout it gives what is finished.
    """

    __slots__ = ("_began", "_layout", "_source", "_told", "made", "seed")

    seed: int
    """With this seed they are made again."""
    made: int
    """How many there were so far."""

    def __init__(self, source: Workshop | Spread, layout: Layout, seed: int) -> None:
        self.seed = seed
        self.made = 0
        self._source = source
        self._layout = layout
        self._began = time.monotonic()
        self._told = False  # has the logger been told the end?

    def __next__(self) -> Grid:
        made = self._source.first()
        if made is None:
            self._tell("all made")
            raise StopIteration
        if isinstance(made, DLXError):
            self._source.drop()
            raise made
        puzzle = Grid.from_line(made, self._layout)
        self._source.drop()
        self.made += 1
        log.debug("puzzle %d of seed %d: %d givens", self.made, self.seed, puzzle.filled)
        return puzzle

    def _tell(self, why: str) -> None:
        """Tells the logger how many there were, once."""
        if not self._told:
            self._told = True
            seconds = time.monotonic() - self._began
            said = "puzzles of seed %d: %s, %d of them in %.3g seconds"
            log.done(seconds, said, self.seed, why, self.made, seconds)

    def close(self) -> None:
        """Ends all work. There are no puzzles any more."""
        self._tell("closed")
        self._source.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<sudoku.Generated: {self.made} so far, seed {self.seed}>"


class _Attempts:
    """How many attempts are left for a puzzle: one budget for its givens and its difficulty."""

    __slots__ = ("left",)

    def __init__(self, left: int) -> None:
        self.left = left


class _Order:
    """What is to be made, checked."""

    def __init__(
        self,
        layout: Layout | None,
        clues: int | None,
        symmetry: str,
        difficulty: str | None,
        minimal: bool | None,
        attempts: int,
        deadline: Deadline,
    ) -> None:
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

    def maker(self, seed: int, number: int) -> Maker[str]:
        """Makes the puzzle of that number; number 0 is that of `generate`."""
        draws, attempts = Draws("puzzle", seed, number), _Attempts(self.attempts)
        if self.difficulty is None:
            return self._any(draws, attempts)
        return self._graded(draws, attempts)

    def _graded(self, draws: Draws, attempts: _Attempts) -> Maker[str]:
        """One puzzle after another, until one is of the difficulty or can be eased to it."""
        from sudoku.generation.difficulty import eased

        fixed = self.minimal or self.clues is not None
        groups = () if fixed else self.groups
        puzzle = None
        while attempts.left:
            try:
                line = yield from self._any(draws, attempts)
            except NoPuzzle:
                if puzzle is None:
                    raise
                break  # the number of givens was reached before
            puzzle = Grid.from_line(line, self.layout)
            full = () if fixed else solve(puzzle, timeout=self.deadline.left).cells
            fit = eased(puzzle, full, groups, self.band, draws, self.deadline)
            if fit is not None:
                return fit.line
            left, all_of_them = attempts.left, self.attempts
            log.debug("no %s puzzle; %d of %d attempts left", self.difficulty, left, all_of_them)
        hint = "; minimal=False allows more givens" if self.minimal else ""
        raise NoPuzzle(f"no {self.difficulty} puzzle in {counted(self.attempts, 'attempt')}{hint}")

    def _any(self, draws: Draws, attempts: _Attempts) -> Maker[str]:
        """A puzzle of any difficulty."""
        attempts.left -= 1
        grid = draw_grid(self.layout, draws, self.deadline.left)
        line = yield from dig(grid.line, draws.shuffled(self.groups), self._least)
        if self.clues is not None and given_count(line) != self.clues:
            line = yield from self._approach(grid.line, line, draws, attempts)
        return line

    @property
    def _least(self) -> int:
        return 0 if self.minimal or self.clues is None else self.clues

    def _approach(self, full: str, nearest: str, draws: Draws, attempts: _Attempts) -> Maker[str]:
        """A puzzle with the right number of givens, from one that has not."""
        assert self.clues is not None
        distance = abs(given_count(nearest) - self.clues)
        best, patience = nearest, 0
        while attempts.left:
            attempts.left -= 1
            if patience == PATIENCE:
                full = draw_grid(self.layout, draws, self.deadline.left).line
                nearest, patience, distance = full, 0, len(full)
            # Those that come back are tried last: then the others have a chance to go.
            here, back = self._split(nearest, draws)
            start = _with(nearest, full, back)
            line = yield from dig(start, here + back, self._least)
            now = abs(given_count(line) - self.clues)
            if now == 0:
                return line
            log.debug("%d givens, not %d", given_count(line), self.clues)
            patience = 0 if now < distance else patience + 1
            if now <= distance:
                nearest, distance = line, now
            if now < abs(given_count(best) - self.clues):
                best = line
        raise NoPuzzle(self._failure(given_count(best)))

    def _split(self, line: str, draws: Draws) -> tuple[list[Group], list[Group]]:
        """The groups that the line has, in random order, and a few of the others."""
        here: list[Group] = []
        gone: list[Group] = []
        for group in draws.shuffled(self.groups):
            (gone if BLANK in [line[cell] for cell in group] else here).append(group)
        return here, gone[: 1 + draws.below(BACK)]

    def _failure(self, best: int) -> str:
        what = "minimal puzzle" if self.minimal else "puzzle with one solution"
        hint = ""
        if self.minimal and self.clues is not None and best < self.clues:
            hint = "; minimal=False allows givens that could be taken away"
        return (
            f"no {what} with {counted(self.clues or 0, 'given')} in "
            f"{counted(self.attempts, 'attempt')}: the nearest had {best}{hint}"
        )


def _with(line: str, full: str, groups: list[Group]) -> str:
    """The line, and the givens of the full one in these groups."""
    cells = list(line)
    for group in groups:
        for cell in group:
            cells[cell] = full[cell]
    return "".join(cells)


def _check_count(name: str, value: object, least: int) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value >= least:
        return value
    raise InvalidArgument(f"{name} is {value!r}; it must be a number from {least} up")


def _check_clues(
    clues: object, layout: Layout, groups: tuple[tuple[int, ...], ...], symmetry: str
) -> None:
    """Refuses numbers that no puzzle can have."""
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
            f"clues is {number}; with symmetry {symmetry!r} there can be {below} or {above}"
        )
    least = _least_possible(layout)
    if number < least:
        raise NoPuzzle(
            f"no puzzle of this layout with one solution has {counted(number, 'given')}: "
            f"the least is {least}"
        )


def _least_possible(layout: Layout) -> int:
    """A number of givens below which no puzzle can have one solution.

    Two digits that are both missing could change places, so all but one must be there. For 4x4,
    6x6 and 9x9 more is known by exhaustive searches: 4, 8 and 17 (McGuire, Tugemann and Civario,
    "There is no 16-clue Sudoku", 2012).
    """
    if layout.is_classic:
        known = {(2, 2): 4, (2, 3): 8, (3, 2): 8, (3, 3): 17}
        return known.get((layout.box_rows, layout.box_columns), layout.side - 1)
    return 0 if layout.rules else layout.side - 1
