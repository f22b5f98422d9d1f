"""Solving or counting many puzzles in batches, with `dlx.Problem.solve_many` and `count_many`.

Each layout has a line codec (`dlx.Code`), with which the kernel reads a puzzle from a line of text
and writes its solution as one. So only two short texts pass between Python and the kernel. Other
forms of puzzles are converted to lines first. Consecutive puzzles of one layout form a batch.
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
from sudoku.errors import NoSolution, PuzzleError, SudokuError, shown
from sudoku.rules.cover import cover
from sudoku.solving.no_solution import NoSolutionText
from sudoku.solving.solve import Puzzle, count, solve
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
    fastest. It may contain a `PuzzleError`, for example from `read`, in place of an unreadable
    puzzle. `timeout` is in seconds for each puzzle. `workers` is the number of threads, None for
    one on each processor; the answers do not depend on it.

    A puzzle without a solution (`NoSolution`), an unreadable puzzle (`PuzzleError`) and a search
    stopped by the timeout (`dlx.SearchInterrupted`) are reported as `errors` says. "raise": the
    iterator raises the exception, and the next call continues with the next puzzle. "return": the
    iterator returns the exception as the answer. Its attribute `position` is the index of the
    puzzle, from 0.

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

    With `limit=2`, an answer of 1 means exactly one solution. The other arguments are those of
    `solve_many`.

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
    """Iterator over the answers to many puzzles, in order: see `solve_many` and `count_many`.

    As a context manager it closes itself at the end. It wraps `dlx.Answers`, and like that it reads
    puzzles ahead, loses no answer on Ctrl-C, and may be shared by threads.

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
        self._reader = _PuzzleReader(puzzles, layout)
        self._run_batch = run_batch
        self._run_one = run_one
        self._errors = errors
        self._position = -1  # the index of the puzzle that was answered last
        self._layout = layout or Layout(3, 3)
        self._batch = run_batch(self._layout, ())  # an empty batch, which checks the arguments
        self._pairs: Iterator[tuple[Any, Any]] = iter(())
        self._lock = RLock()  # held by the thread that takes the next answer

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> T_co:
        with self._lock:
            while True:
                # One call returns the answer and its puzzle, so no signal can separate them.
                for answer, puzzle in self._pairs:
                    self._position += 1
                    if answer.__class__ is str:
                        return cast("T_co", Grid.from_line(answer, self._layout))
                    if answer.__class__ is int:
                        return cast("T_co", answer)
                    return self._explain(answer, puzzle)
                self._begin_batch()

    def _begin_batch(self) -> None:
        """Starts the next batch; raises StopIteration if there are no more puzzles."""
        reader = self._reader
        layout = reader.next_layout()
        if layout is None:
            raise StopIteration
        lines, puzzles = tee(_BatchLines(reader, layout))
        batch = self._run_batch(layout, lines)
        self._layout, self._batch, self._pairs = layout, batch, zip(batch, puzzles, strict=False)

    def _explain(self, answer: object, puzzle: Any) -> T_co:
        """The result for an answer of the kernel that is neither a solution nor a count."""
        try:
            return self._answer_or_raise(answer, puzzle)
        except (SudokuError, dlx.SearchInterrupted) as reason:
            error: dlx.DLXError = reason
        error.position = self._position
        if self._errors == "return":
            return error  # type: ignore[return-value]  # the overloads declare it
        where = f"puzzles[{self._position}]: "
        if isinstance(error, PuzzleError):
            error.what = where + error.what
        else:
            error.args = (f"{where}{error}",)
        raise error from None

    def _answer_or_raise(self, answer: object, puzzle: Any) -> T_co:
        """The answer, from a search of its own if need be; raises the reason why there is none."""
        if isinstance(answer, dlx.SearchInterrupted):
            raise answer
        if isinstance(puzzle, SudokuError):
            raise puzzle
        if isinstance(answer, dlx.FormatError):  # a text of that length, but not in one line
            return self._run_one(self._reader.parse(puzzle))
        grid = parse(puzzle, self._layout)
        if answer is None:
            raise NoSolution(NoSolutionText(grid))
        return self._run_one(grid)  # its digits contradict each other

    def close(self) -> None:
        """Stops the search; the iterator is at its end."""
        self._reader.close()
        self._pairs = iter(())
        self._batch.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<sudoku.Answers: {self._position + 1} so far>"


class _PuzzleReader:
    """Reads the puzzles of an iterable, with one puzzle of lookahead."""

    def __init__(self, puzzles: Iterable[Puzzle | SudokuError], layout: Layout | None) -> None:
        if isinstance(puzzles, str | bytes | Grid) or not isinstance(puzzles, Iterable):
            raise PuzzleError(
                f"puzzles is {shown(puzzles)}; expected a list or another iterable of puzzles "
                "(for one puzzle, use solve or count)"
            )
        self._layout = layout
        self.source: Iterator[Any] = iter(puzzles)
        self.ahead: Any = _NOTHING
        """The next puzzle, or the error in its place; `_NOTHING` if it has not been read."""

    def parse(self, puzzle: Puzzle) -> Grid:
        """The grid of a puzzle in the layout that the caller gave, if any."""
        return parse(puzzle, self._layout)

    def width(self, layout: Layout) -> int:
        """The length of the lines that `parse` reads as grids of that layout; -1 if there are none.

        A line of that length needs no parsing: the kernel reads it.
        """
        cells = layout.size
        return cells if (self._layout or usual_layouts().get(cells)) is layout else -1

    def next_layout(self) -> Layout | None:
        """The layout of the next puzzle; None at the end."""
        if not self.read_ahead():
            return None
        grid = self.ahead = self.grid_or_error()
        return grid.layout if isinstance(grid, Grid) else self._layout or Layout(3, 3)

    def read_ahead(self) -> bool:
        """Reads the next puzzle into `ahead` unless it is there already; False at the end."""
        if self.ahead is _NOTHING:
            source = self.source
            # Taking and storing it is one step of the loop: a signal in between would lose it.
            for self.ahead in source:
                return True
            return False
        return True

    def grid_or_error(self) -> Grid | SudokuError:
        """The grid of the puzzle ahead, or the error in its place."""
        if isinstance(self.ahead, SudokuError):
            return self.ahead
        try:
            return self.parse(self.ahead)
        except SudokuError as error:
            return error

    def close(self) -> None:
        """Drops the puzzle ahead and all later ones."""
        self.source, self.ahead = iter(()), _NOTHING


class _BatchLines(Iterator["str | SudokuError"]):
    """The next puzzles of one layout, as lines; ends before the first puzzle of another layout.

    An unreadable puzzle is an exception and belongs to any batch. This is a class, since an
    exception from a signal handler would end a generator for good.
    """

    def __init__(self, reader: _PuzzleReader, layout: Layout) -> None:
        self._reader = reader
        self._layout = layout
        self._width = reader.width(layout)

    def __next__(self) -> str | SudokuError:
        reader = self._reader
        if not reader.read_ahead():
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
    """The line codec of a layout: for each cell, the option of each character."""
    symbols = {symbol(digit): digit for digit in range(1, layout.side + 1)}
    symbols |= {character.lower(): digit for character, digit in symbols.items()}
    blanks = "".join(blank for blank in BLANKS if blank not in symbols)
    problem = cover(layout)
    cells = (
        {character: (row, column, digit) for character, digit in symbols.items()}
        for row, column in layout.positions
    )
    if layout.rules:  # a candidate that the rules exclude has no option
        names = set(problem.names)
        cells = ({c: name for c, name in cell.items() if name in names} for cell in cells)
    return dlx.Code(problem, cells, blanks=blanks)
