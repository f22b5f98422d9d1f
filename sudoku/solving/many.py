"""Solving or counting many puzzles in batches, with `dlx.Problem.solve_many` and `count_many`.

Each layout has a line codec (`dlx.Code`): with it the kernel reads a puzzle and writes its solution
as lines of text, so that only two short texts pass between Python and the kernel. Other forms of
puzzles are converted to lines first. Consecutive puzzles of one layout form a batch.
"""

from __future__ import annotations

from _thread import RLock
from collections.abc import Callable, Iterable, Iterator
from itertools import tee
from typing import Any, Literal, Self, TypeVar, cast, overload

import dlx
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout, layout_cache, symbol, usual_layouts
from sudoku.board.parse import BLANKS
from sudoku.errors import NoSolution, PuzzleError, SudokuError
from sudoku.rules.cover import cover
from sudoku.solving.solve import Puzzle, count, solve
from sudoku.solving.why import Why
from sudoku.text.puzzles import parse

__all__ = ["Answers", "count_many", "solve_many"]

T_co = TypeVar("T_co", covariant=True)

_NOTHING = object()


@overload
def solve_many(
    puzzles: Iterable[Puzzle | SudokuError],
    *,
    layout: Layout | None = None,
    timeout: float | None = None,
    seed: int | None = None,
    engine: str = "auto",
    workers: int | None = 1,
    errors: Literal["raise"] = "raise",
) -> Answers[Grid]: ...
@overload
def solve_many(
    puzzles: Iterable[Puzzle | SudokuError],
    *,
    layout: Layout | None = None,
    timeout: float | None = None,
    seed: int | None = None,
    engine: str = "auto",
    workers: int | None = 1,
    errors: str,
) -> Answers[Grid | dlx.DLXError]: ...
def solve_many(
    puzzles: Iterable[Puzzle | SudokuError],
    *,
    layout: Layout | None = None,
    timeout: float | None = None,
    seed: int | None = None,
    engine: str = "auto",
    workers: int | None = 1,
    errors: str = "raise",
) -> Answers[Any]:
    """Lazy iterator over the solutions of many puzzles: for each the one that `solve` returns.

    `puzzles` is any iterable, possibly endless, of arguments of `solve`; texts of one line are
    fastest. (A `PuzzleError` among them, for example from `read`, takes the place of an unreadable
    puzzle.) `timeout` is in seconds for each puzzle. `workers` is the number of threads, None for
    one on each processor; the answers do not depend on it.

    `errors` says how to report a puzzle without a solution (`NoSolution`), an unreadable puzzle
    (`PuzzleError`), and a search that took too long (`dlx.SearchInterrupted`). The attribute
    `position` of the exception is the index of the puzzle, from 0. "raise": the iterator raises it
    at that puzzle, and the next call continues with the next puzzle. "return": it returns the
    exception among the answers.

    >>> puzzles = ["1... .2.. ..3. 4...", "1..1 .... .1.. ..1.", "1.....2.3......4"]
    >>> solved = solve_many(puzzles)
    >>> next(solved).line
    '1423324121344312'
    >>> next(solved)
    Traceback (most recent call last):
    ...
    sudoku.errors.NoSolution: puzzles[1]: r1c1 and r1c4 are both 1 (row 1); no place for 1 in row 2
    >>> next(solved)
    Grid('1243432134122134')
    """

    def run_batch(layout: Layout, lines: Iterable[Any]) -> dlx.Answers[Any]:
        return cover(layout).solve_many(
            lines,
            timeout=timeout,
            seed=seed,
            engine=engine,
            workers=workers,
            errors="return",
            code=code_of(layout),
        )

    def run_one(grid: Grid) -> Grid:
        return solve(grid, timeout=timeout, seed=seed, engine=engine)

    return Answers(puzzles, layout, run_batch, run_one, errors=errors)


@overload
def count_many(
    puzzles: Iterable[Puzzle | SudokuError],
    *,
    layout: Layout | None = None,
    limit: int | None = None,
    timeout: float | None = None,
    seed: int | None = None,
    engine: str = "auto",
    workers: int | None = 1,
    errors: Literal["raise"] = "raise",
) -> Answers[int]: ...
@overload
def count_many(
    puzzles: Iterable[Puzzle | SudokuError],
    *,
    layout: Layout | None = None,
    limit: int | None = None,
    timeout: float | None = None,
    seed: int | None = None,
    engine: str = "auto",
    workers: int | None = 1,
    errors: str,
) -> Answers[int | dlx.DLXError]: ...
def count_many(
    puzzles: Iterable[Puzzle | SudokuError],
    *,
    layout: Layout | None = None,
    limit: int | None = None,
    timeout: float | None = None,
    seed: int | None = None,
    engine: str = "auto",
    workers: int | None = 1,
    errors: str = "raise",
) -> Answers[Any]:
    """The numbers of solutions of many puzzles, each never more than `limit`.

    With `limit=2`, a 1 says that there is exactly one solution. For the rest see `solve_many`.

    >>> list(count_many(["1... .2.. ..3. 4...", "1..1 .... .1.. ..1.", "." * 16], limit=2))
    [1, 0, 2]
    """

    def run_batch(layout: Layout, lines: Iterable[Any]) -> dlx.Answers[Any]:
        return cover(layout).count_many(
            lines,
            limit=limit,
            timeout=timeout,
            seed=seed,
            engine=engine,
            workers=workers,
            errors="return",
            code=code_of(layout),
        )

    def run_one(grid: Grid) -> int:
        return count(grid, limit=limit, timeout=timeout, seed=seed, engine=engine)

    return Answers(puzzles, layout, run_batch, run_one, errors=errors)


class Answers(Iterator[T_co]):
    """The answers to many puzzles, in order; made by `solve_many` and `count_many`.

    An iterator, and a context manager that closes it. It wraps `dlx.Answers` and reads ahead as
    that does; Ctrl-C loses nothing here either, and several threads may draw from it.

    >>> with solve_many(["1... .2.. ..3. 4..."] * 3) as solved:
    ...     print(next(solved).line)
    1423324121344312
    """

    __slots__ = (
        "_batch",
        "_errors",
        "_layout",
        "_lock",
        "_pairs",
        "_position",
        "_reader",
        "_run_batch",
        "_run_one",
    )

    def __init__(
        self,
        puzzles: Iterable[Puzzle | SudokuError],
        layout: Layout | None,
        run_batch: Callable[[Layout, Iterable[Any]], dlx.Answers[Any]],
        run_one: Callable[[Grid], T_co],
        *,
        errors: str,
    ) -> None:
        if errors not in ("raise", "return"):
            raise dlx.InvalidArgument(f"errors is {errors!r}; it must be 'raise' or 'return'")
        self._reader = _Reader(puzzles, layout)
        self._run_batch = run_batch
        self._run_one = run_one
        self._errors = errors
        self._position = -1  # of the puzzle answered last
        self._layout = layout or Layout(3, 3)
        self._batch = run_batch(self._layout, ())  # empty; checks the arguments now
        self._pairs: Iterator[tuple[Any, Any]] = iter(())
        self._lock = RLock()  # held by the thread that takes the next answer

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> T_co:
        with self._lock:
            while True:
                # The puzzle comes with its answer: no signal can come between the two.
                for answer, puzzle in self._pairs:
                    self._position += 1
                    if answer.__class__ is str:
                        return cast("T_co", Grid.from_line(answer, self._layout))
                    if answer.__class__ is int:
                        return cast("T_co", answer)
                    return self._explain(answer, puzzle)
                self._begin_run()

    def _begin_run(self) -> None:
        """Starts a batch with the puzzles that come next, or raises StopIteration."""
        reader = self._reader
        layout = reader.next_layout()
        if layout is None:
            raise StopIteration
        run, puzzles = tee(_Run(reader, layout))
        batch = self._run_batch(layout, run)
        self._layout, self._batch, self._pairs = layout, batch, zip(batch, puzzles, strict=False)

    def _explain(self, answer: object, puzzle: Any) -> T_co:
        """The result for an answer of the kernel that is neither a solution nor a count."""
        try:
            return self._answer_after_all(answer, puzzle)
        except (SudokuError, dlx.SearchInterrupted) as reason:
            error: dlx.DLXError = reason
        error.position = self._position
        if self._errors == "return":
            return error  # type: ignore[return-value]  # as the caller wished
        where = f"puzzles[{self._position}]: "
        if isinstance(error, PuzzleError):
            error.what = where + error.what
        else:
            error.args = (f"{where}{error}",)
        raise error from None

    def _answer_after_all(self, answer: object, puzzle: Any) -> T_co:
        if isinstance(answer, dlx.SearchInterrupted):
            raise answer
        if isinstance(puzzle, SudokuError):
            raise puzzle
        if isinstance(answer, dlx.FormatError):  # as long as a line, but something else
            return self._run_one(self._reader.parse(puzzle))
        grid = parse(puzzle, self._layout)
        if answer is None:
            raise NoSolution(Why(grid))
        return self._run_one(grid)  # its digits clash

    def close(self) -> None:
        """Stops all work; the iterator is at its end."""
        self._reader.close()
        self._pairs = iter(())
        self._batch.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<sudoku.Answers: {self._position + 1} so far>"


class _Reader:
    """Puzzles as they come, with a look at the layout of the next."""

    def __init__(self, puzzles: Iterable[Puzzle | SudokuError], layout: Layout | None) -> None:
        if isinstance(puzzles, str | bytes | Grid) or not isinstance(puzzles, Iterable):
            raise PuzzleError(
                "puzzles come as a list, or from any iterable; for one there is solve"
            )
        self._layout = layout
        self.source: Iterator[Any] = iter(puzzles)
        self.ahead: Any = (
            _NOTHING  # or a puzzle, or what is wrong with one, that was read and not taken
        )

    def parse(self, puzzle: Puzzle) -> Grid:
        """As `sudoku.parse`, with the layout that the caller gave."""
        return parse(puzzle, self._layout)

    def width(self, layout: Layout) -> int:
        """How long a text of that layout is, if it is one that texts of its length have."""
        cells = layout.size
        return cells if (self._layout or usual_layouts().get(cells)) is layout else -1

    def next_layout(self) -> Layout | None:
        """The layout of the next puzzle, None at the end."""
        if not self.look():
            return None
        grid = self.ahead = self.grid_or_error()
        return grid.layout if isinstance(grid, Grid) else self._layout or Layout(3, 3)

    def look(self) -> bool:
        """Makes sure that the next puzzle is `ahead`; False if there is none."""
        if self.ahead is _NOTHING:
            source = self.source
            for self.ahead in source:  # no signal comes between taking and keeping it
                return True
            return False
        return True

    def grid_or_error(self) -> Grid | SudokuError:
        """What the puzzle ahead is."""
        if isinstance(self.ahead, SudokuError):
            return self.ahead
        try:
            return self.parse(self.ahead)
        except SudokuError as error:
            return error

    def close(self) -> None:
        """Forgets what there may be."""
        self.source, self.ahead = iter(()), _NOTHING


class _Run(Iterator["str | SudokuError"]):
    """The puzzles that come next, as lines, as long as they are of one layout.

    What is no puzzle is an exception, and belongs to any run. A class and no generator, which a
    signal would end for good.
    """

    def __init__(self, reader: _Reader, layout: Layout) -> None:
        self._reader = reader
        self._layout = layout
        self._width = reader.width(layout)

    def __next__(self) -> str | SudokuError:
        reader = self._reader
        if not reader.look():
            raise StopIteration
        found: Any = reader.ahead
        if found.__class__ is not str or len(found) != self._width:
            if found.__class__ is not Grid or found.layout is not self._layout:
                found = reader.grid_or_error()
            if isinstance(found, Grid):
                if found.layout is not self._layout:
                    raise StopIteration
                found = found.line
        reader.ahead = _NOTHING
        return found  # type: ignore[no-any-return]


@layout_cache
def code_of(layout: Layout) -> dlx.Code:
    """How lines say which digit stands in which cell."""
    symbols = {symbol(digit): digit for digit in range(1, layout.side + 1)}
    symbols |= {character.lower(): digit for character, digit in symbols.items()}
    blanks = "".join(blank for blank in BLANKS if blank not in symbols)
    problem = cover(layout)
    cells = (
        {character: (row, column, digit) for character, digit in symbols.items()}
        for row, column in layout.positions
    )
    if layout.rules:  # some exclude candidates, of which there is then no option
        names = set(problem.names)
        cells = ({c: name for c, name in cell.items() if name in names} for cell in cells)
    return dlx.Code(problem, cells, blanks=blanks)
