"""Solving or counting many puzzles in batches, with `dlx.Problem.solve_many` and `count_many`.

Each layout has a line codec (`dlx.Code`), with which the kernel reads a puzzle from a line of text
and writes its solution as one. So only two short texts pass between Python and the kernel. Other
forms of puzzles are converted to lines first. Consecutive puzzles of one layout form a batch.
"""

from __future__ import annotations

from _thread import RLock
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from operator import length_hint
from typing import Any, Literal, Self, TypeVar, overload

import dlx
from sudoku.board.cells import is_iterable
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout, checked_layout, layout_cache, symbol, usual_layouts
from sudoku.board.parse import BLANKS
from sudoku.errors import NoSolution, PuzzleError, SudokuError, shown
from sudoku.rules.cover import cover, cover_within
from sudoku.solving.deadline import Deadline
from sudoku.solving.no_solution import NoSolutionText
from sudoku.solving.solve import Puzzle, count, solve
from sudoku.text.puzzles import parse

__all__ = ["Answers", "count_many", "solve_many"]

T_co = TypeVar("T_co", covariant=True)


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
    search: dict[str, Any] = {"seed": seed, "engine": engine}
    return _ask(solve, "solve_many", puzzles, layout, timeout, workers, errors, search)


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

    With `limit=2`, an answer of 1 means exactly one solution. With a higher limit, or none, a hard
    puzzle may take longer than in `count`, which first finds out whether there are two. The other
    arguments are those of `solve_many`.

    >>> list(count_many(["1... .2.. ..3. 4...", "1..1 .... .1.. ..1.", "." * 16], limit=2))
    [1, 0, 2]
    """
    search: dict[str, Any] = {"seed": seed, "engine": engine, "limit": limit}
    return _ask(count, "count_many", puzzles, layout, timeout, workers, errors, search)


def _ask(
    one: Callable[..., Any],
    many: str,
    puzzles: Iterable[Puzzle | SudokuError],
    layout: Layout | None,
    timeout: float | None,
    workers: int | None,
    errors: str,
    search: dict[str, Any],
) -> Answers[Any]:
    """The answers of the method `many` of problems, and of the function `one` for single puzzles.

    Both take the keywords `search`.
    """
    search["timeout"] = timeout
    how = {**search, "workers": workers, "errors": "return"}

    def run_batch(layout: Layout, lines: Iterable[Any]) -> dlx.Answers[Any]:
        problem = _problem(layout, lines, timeout)
        return getattr(problem, many)(lines, code=code_of(layout), **how)  # type: ignore[no-any-return]

    return Answers(puzzles, layout, run_batch, partial(one, **search), errors=errors)


class Answers(dlx.ChunkIterator[T_co]):
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
        "_failure",
        "_layout",
        "_lines",
        "_lock",
        "_pairs",
        "_position",
        "_reader",
        "_run_batch",
        "_run_one",
        "_taken",
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
            raise dlx.InvalidArgument(f"errors is {shown(errors)}; it must be 'raise' or 'return'")
        self._layout = checked_layout(layout)
        self._reader = _PuzzleReader(puzzles, layout)
        self._run_batch = run_batch
        self._run_one = run_one
        self._errors = errors
        self._position = -1  # the index of the last puzzle that is answered or in the chunk
        self._lines = _BatchLines(self._reader, self._layout)
        self._batch = run_batch(Layout(3, 3), ())  # an empty batch, which checks the arguments
        self._taken: list[Any] = []  # answers of the batch behind those of the chunk
        self._pairs: list[tuple[Any, Any]] = []  # or these, each with its puzzle
        self._failure: Iterator[dlx.DLXError] = iter(())  # an error to be raised after the chunk
        self._lock = RLock()  # held by the thread that makes the next chunk

    def _refill(self) -> None:
        """Makes the next chunk of answers ready; raises StopIteration at the end.

        A signal may come at any call. So each step changes the state at its end, without a call.
        """
        with self._lock:
            while not self._left and not length_hint(self._failure):
                if self._pairs:
                    self._explain()
                    continue
                if not self._taken:
                    self._batch.take(self._taken)
                if self._taken:
                    self._sort_taken()
                else:
                    self._begin_batch()
        for error in self._failure:  # no signal comes between taking and raising it
            raise error from None

    def _sort_taken(self) -> None:
        """Makes the answers taken a chunk if all are counts; otherwise pairs them with puzzles."""
        taken, puzzles = self._taken, self._lines.passed
        number = len(taken)
        if set(map(type, taken)) == {int}:
            position = self._position + number
            self._chunk, self._position, self._taken = taken, position, []
        else:
            self._pairs, self._taken = list(zip(taken, puzzles, strict=False)), []
        del puzzles[:number]

    def _explain(self) -> None:
        """Makes a chunk of the pairs before the first one that has to be explained, or of that."""
        pairs, layout = self._pairs, self._layout
        chunk: list[Any] = []
        failure: list[dlx.DLXError] = []
        for answer, _ in pairs:
            if answer.__class__ is str:
                chunk.append(Grid.from_line(answer, layout))
            elif answer.__class__ is int:
                chunk.append(answer)
            else:
                break
        if not chunk:
            try:
                chunk.append(self._answer_or_raise(*pairs[0]))
            except (SudokuError, dlx.SearchInterrupted) as reason:
                (chunk if self._errors == "return" else failure).append(self._placed(reason))
        number = len(chunk) or 1
        position, failures = self._position + number, iter(failure)
        self._chunk, self._failure, self._position = chunk, failures, position
        del pairs[:number]

    def _begin_batch(self) -> None:
        """Starts the next batch; raises StopIteration if there are no more puzzles."""
        reader = self._reader
        layout = reader.next_layout()
        if layout is None:
            raise StopIteration
        lines = _BatchLines(reader, layout)
        try:
            batch = self._run_batch(layout, lines)
        except dlx.SearchInterrupted as error:  # before there was a problem to search
            self._pairs = [(error, reader.ahead[0])]
            del reader.ahead[0]
            return
        self._layout, self._lines, self._batch = layout, lines, batch

    def _placed(self, error: dlx.DLXError) -> dlx.DLXError:
        """The error of the first pair, with its position."""
        error.position = self._position + 1
        if self._errors == "raise":
            where = f"puzzles[{error.position}]: "
            if isinstance(error, PuzzleError):
                error.what = where + error.what
            else:
                error.args = (f"{where}{error}",)
        return error

    def _answer_or_raise(self, answer: object, puzzle: Any) -> T_co:
        """The answer, from a search of its own if need be; raises the reason why there is none."""
        if isinstance(puzzle, SudokuError):
            raise puzzle
        if isinstance(answer, dlx.SearchInterrupted):
            raise answer
        if isinstance(answer, dlx.FormatError):  # a text of that length, but not in one line
            return self._run_one(self._reader.parse(puzzle))
        grid = parse(puzzle, self._layout)
        if answer is None:
            raise NoSolution(NoSolutionText(grid))
        return self._run_one(grid)  # its digits contradict each other

    def close(self) -> None:
        """Stops the search; the iterator is at its end."""
        self._reader.close()
        self._chunk, self._failure, self._pairs, self._taken = [], iter(()), [], []
        self._batch.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<sudoku.Answers: {self._position + 1 - self._left} so far>"


class _PuzzleReader:
    """Reads the puzzles of an iterable; the same reader for the batches of all layouts."""

    def __init__(self, puzzles: Iterable[Puzzle | SudokuError], layout: Layout | None) -> None:
        if isinstance(puzzles, str | bytes | Grid) or not is_iterable(puzzles):
            raise PuzzleError(
                f"puzzles is {shown(puzzles)}; expected a list or another iterable of puzzles "
                "(for one puzzle, use solve or count)"
            )
        self._layout = layout
        self._source: Iterator[Any] = iter(puzzles)
        self._error: Exception | None = None
        self.ahead: list[Any] = []
        """The puzzles that were read and belong to no batch yet, or errors in their places."""

    def parse(self, puzzle: Puzzle) -> Grid:
        """The grid of a puzzle in the layout that the caller gave, if any."""
        return parse(puzzle, self._layout)

    def width(self, layout: Layout) -> int:
        """The length of the lines that `parse` reads as grids of that layout; -1 if there are none.

        A line of that length needs no parsing: the kernel reads it. From side 10 on, `0` may be a
        digit, which the kernel does not know.
        """
        cells = layout.size
        is_read = (self._layout or usual_layouts().get(cells)) is layout and layout.side < 10
        return cells if is_read else -1

    def next_layout(self) -> Layout | None:
        """The layout of the next puzzle; None at the end."""
        self.read_ahead(1)
        self.raise_error()
        if not self.ahead:
            return None
        grid = self.ahead[0] = self.grid_or_error(self.ahead[0])
        return grid.layout if isinstance(grid, Grid) else self._layout or Layout(3, 3)

    def read_ahead(self, count: int) -> None:
        """Reads puzzles until there are `count` ahead, or to the end."""
        wanted = count - len(self.ahead)
        if wanted <= 0 or self._error is not None:
            return
        try:
            self.ahead.extend(islice(self._source, wanted))  # keeps those read before an error
        except Exception as error:
            self._error = error

    def raise_error(self) -> None:
        """Raises the error of the caller's iterator, once, if no puzzle read before it is left."""
        if self._error is not None and not self.ahead:
            error, self._error = self._error, None
            raise error

    def grid_or_error(self, puzzle: Any) -> Grid | SudokuError:
        """The grid of a puzzle, or the error in its place."""
        if isinstance(puzzle, SudokuError):
            return puzzle
        try:
            return self.parse(puzzle)
        except SudokuError as error:
            return error

    def close(self) -> None:
        """Drops the puzzles ahead and all later ones."""
        self._source, self.ahead, self._error = iter(()), [], None


class _BatchLines:
    """The next puzzles of one layout, as lines; ends before the first puzzle of another layout.

    An unreadable puzzle is an exception and belongs to any batch. `dlx` reads them by `read_sets`.
    """

    def __init__(self, reader: _PuzzleReader, layout: Layout) -> None:
        self._reader = reader
        self._layout = layout
        self._width = reader.width(layout)
        self._ended = False
        self.passed: list[str | SudokuError] = []
        """What `read_sets` has returned; the caller removes what it needs no longer."""

    def __iter__(self) -> Iterator[str | SudokuError]:
        while True:
            one: list[str | SudokuError] = []
            self.read_sets(one, 1)
            if not one:
                return
            yield from one

    def read_sets(self, into: list[Any], count: int) -> None:
        """Appends the next puzzles to a list: `count` of them, fewer only at the end.

        Raises the error of the caller's iterator after the puzzles that come before it.
        """
        reader = self._reader
        last = len(into) + count
        while not self._ended and len(into) < last:
            wanted = last - len(into)
            reader.read_ahead(wanted)
            ahead = reader.ahead[:wanted]
            if not ahead:
                reader.raise_error()
                self._ended = True
            elif set(map(type, ahead)) == {str} and set(map(len, ahead)) == {self._width}:
                # No signal comes between these: they call nothing.
                into += ahead
                self.passed += ahead
                del reader.ahead[:wanted]
            else:
                for puzzle in ahead:
                    self._pass_one(puzzle, into)

    def _pass_one(self, puzzle: Any, into: list[Any]) -> None:
        """Passes the first puzzle ahead, unless the batch ends before it."""
        if self._ended:
            return
        ahead = self._reader.ahead
        found: Any = puzzle
        if found.__class__ is not str or len(found) != self._width:
            if found.__class__ is not Grid or found.layout is not self._layout:
                found = self._reader.grid_or_error(found)
            if isinstance(found, Grid):
                if found.layout is not self._layout:
                    ahead[0] = found
                    self._ended = True
                    return
                found = found.line
        one = [found]
        into += one
        self.passed += one
        del ahead[0]


def _problem(layout: Layout, lines: object, timeout: float | None) -> dlx.Problem:
    """The problem of a batch, within the timeout; an empty batch only checks arguments."""
    return cover_within(layout, Deadline(timeout).left) if lines else cover(layout)


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
