"""Solving one puzzle with `dlx`: the problem is `sudoku.cover()`, the digits are its `given`.

A puzzle with contradictory digits has no solution, which is not an error: `solutions` is empty,
`count` returns 0, `is_unique` False. Only `solve`, which must return a grid, raises `NoSolution`.

The functions take a `Grid`, a text or a list of rows, as `parse` does. `layout` is needed for boxes
other than the usual ones, and for other kinds (`sudoku.layouts`). `timeout` (seconds), `seed`
(order of ties and digits) and `engine` are those of `dlx.Problem.solutions`. `count`, `is_unique`
and `solve` raise `dlx.SearchInterrupted` if the timeout stops them before the result is certain.

`solve_board` and `is_valid_board` have the interface of two well-known interview problems. There a
board is a list of nine lists of nine one-character strings, `"."` for an empty cell, and is solved
in place. (Other sides work as well.)
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import partial
from itertools import compress
from operator import getitem
from typing import Any, Final, Self, TypeVar, cast

import dlx
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout, layout_cache, symbol
from sudoku.board.time_limit import limited
from sudoku.errors import NoSolution, PuzzleError, shown
from sudoku.rules.check import duplicates
from sudoku.rules.cover import cover, cover_with_rules
from sudoku.rules.implied import MANY, known_cages
from sudoku.solving.deadline import Deadline
from sudoku.solving.no_solution import NoSolutionText
from sudoku.text.puzzles import parse

__all__ = ["Solutions", "count", "is_unique", "is_valid_board", "solutions", "solve", "solve_board"]


NODES: Final = 200_000
"""The nodes of a search with sums before others are tried: about 0.1 s."""

DECISIONS: Final = 1_000_000
"""The decisions of the SAT solver before a search begins again with more sums: about 30 s."""

T = TypeVar("T")

CONTRADICTION: Final = dlx.Problem(["a contradiction"]).freeze()
"""A problem without a solution, asked in place of one whose givens clash: it checks arguments."""

Puzzle = str | Iterable[object] | Grid
Names = tuple[tuple[Any, ...], ...]


def solve(
    puzzle: Puzzle,
    *,
    layout: Layout | None = None,
    timeout: float | None = None,
    seed: int | None = None,
    engine: str = "auto",
) -> Grid:
    """The solution of the puzzle; the first one found if there are several.

    >>> print(solve("1... .2.. ..3. 4..."))
    +-----+-----+
    | 1 4 | 2 3 |
    | 3 2 | 4 1 |
    +-----+-----+
    | 2 1 | 3 4 |
    | 4 3 | 1 2 |
    +-----+-----+
    >>> solve("1..1 .... .1.. ..1.")
    Traceback (most recent call last):
    ...
    sudoku.errors.NoSolution: r1c1 and r1c4 are both 1 (row 1); no place for 1 in row 2

    Raises `NoSolution`, with the flaws that `check` finds and a few givens that leave no solution,
    `PuzzleError` if the input is not a puzzle, and `dlx.SearchInterrupted` after `timeout` seconds.
    """
    grid = parse(puzzle, layout)
    name: Any = engine  # `dlx` checks it
    try:
        found = _asked(grid, timeout, seed, name, dlx.Problem.solve)
    except dlx.GivenClash:
        found = CONTRADICTION.solve(seed=seed, engine=name)
    if found is None:
        raise NoSolution(NoSolutionText(grid))
    return filled(grid, found)


def solutions(
    puzzle: Puzzle,
    *,
    layout: Layout | None = None,
    limit: int | None = None,
    timeout: float | None = None,
    seed: int | None = None,
    engine: str = "auto",
) -> Solutions:
    """Lazy iterator over the solutions of the puzzle, or the first `limit` of them.

    >>> [grid.line for grid in solutions("12.. .... .... ...1", limit=2)]
    ['1234341221434321', '1234341241232341']
    """
    return Solutions(parse(puzzle, layout), limit=limit, timeout=timeout, seed=seed, engine=engine)


def count(
    puzzle: Puzzle,
    *,
    layout: Layout | None = None,
    limit: int | None = None,
    timeout: float | None = None,
    seed: int | None = None,
    engine: str = "auto",
) -> int:
    """The number of solutions, counted up to `limit`.

    >>> count("................"), count("................", limit=100)
    (288, 100)
    """
    grid = parse(puzzle, layout)
    deadline = Deadline(timeout)
    name: Any = engine  # `dlx` checks it
    few = partial(dlx.Problem.count, limit=2)
    try:
        if type(limit) is int and limit == 2:
            return _asked(grid, timeout, seed, name, few)
        several = limit is None or (type(limit) is int and limit > 2)  # else `dlx` checks it
        if engine == "auto" and 0 in grid.cells and several:
            # Two may be found in any order; most puzzles have one solution.
            number = _asked(grid, timeout, seed, name, few)
            if number < 2:
                return number
        problem, names, left = _prepared(grid.layout, deadline.left)
        return problem.count(
            given=_given(grid, names), limit=limit, timeout=left, seed=seed, engine=name
        )
    except dlx.GivenClash:
        return CONTRADICTION.count(limit=limit, seed=seed, engine=name)


def is_unique(
    puzzle: Puzzle,
    *,
    layout: Layout | None = None,
    timeout: float | None = None,
    seed: int | None = None,
    engine: str = "auto",
) -> bool:
    """Whether there is exactly one solution.

    >>> is_unique("1... .2.. ..3. 4..."), is_unique("12.. .... .... ...1")
    (True, False)
    """
    return count(puzzle, layout=layout, limit=2, timeout=timeout, seed=seed, engine=engine) == 1


class Solutions(Iterator[Grid]):
    """Lazy iterator over the solutions of a puzzle, returned by `sudoku.solutions`.

    It wraps a `dlx.Search`, and has its `stats`, `exhausted`, `stopped_by` and `close`. As a
    context manager it closes the search.

    >>> with solutions("................") as found:
    ...     grid = next(found)
    ...     found.exhausted
    False
    """

    __slots__ = ("_puzzle", "_search")

    def __init__(self, puzzle: Grid, *, timeout: float | None = None, **search: Any) -> None:
        self._puzzle = puzzle = parse(puzzle)
        try:
            problem, names, left = _prepared(puzzle.layout, timeout)
            self._search = problem.solutions(given=_given(puzzle, names), timeout=left, **search)
        except dlx.SearchInterrupted:  # a search that its timeout stopped before it began
            CONTRADICTION.solutions(**search)  # checks the arguments
            self._search = dlx.Problem.from_options([["?"]]).solutions(timeout=0)
        except dlx.GivenClash:
            self._search = CONTRADICTION.solutions(**search)

    @property
    def puzzle(self) -> Grid:
        """The puzzle."""
        return self._puzzle

    @property
    def stats(self) -> dlx.Stats:
        """The statistics so far: nodes, updates, solutions, depth profile and seconds."""
        return self._search.stats

    @property
    def exhausted(self) -> bool:
        """Whether the search has finished: no limit, timeout or `close` ended it early."""
        return self._search.exhausted

    @property
    def stopped_by(self) -> str | None:
        """What ended the search early (`"limit"`, `"timeout"`, `"close"`), or None."""
        return self._search.stopped_by

    def close(self) -> None:
        """Stops the search; the iterator is at its end."""
        self._search.close()

    def __next__(self) -> Grid:
        return filled(self._puzzle, next(self._search))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<sudoku.Solutions of {self._puzzle!r}: {self._search!r}>"


def _asked(
    grid: Grid, timeout: float | None, seed: int | None, engine: Any, ask: Callable[..., T]
) -> T:
    """The answer to a question that one or two solutions answer, found in any order.

    A search with sums that takes long goes on with the SAT solver, if that is installed, and then
    begins again with more sums.
    """
    deadline = Deadline(timeout)
    problem, names, left = _prepared(grid.layout, timeout)
    options = {"seed": seed, "engine": engine}
    if engine == "auto" and grid.layout.rules and known_cages(grid.layout):
        for first, nodes in (("auto", NODES), ("sat", DECISIONS)):
            options["engine"] = first
            try:
                given, left = _given(grid, names), deadline.left
                return ask(problem, given=given, timeout=left, node_limit=nodes, **options)
            except dlx.SearchInterrupted as error:
                if error.reason != "node_limit":
                    raise
            except dlx.InvalidArgument:
                if first == "auto":  # else PySAT is not installed
                    raise
        problem, names, left = _prepared(grid.layout, deadline.left, more_sums=True)
        options |= {"engine": "auto", "heuristic": "weighted"}
    return ask(problem, given=_given(grid, names), timeout=left, **options)


def _prepared(
    layout: Layout, timeout: float | None, *, more_sums: bool = False
) -> tuple[dlx.Problem, Names, float | None]:
    """What `_tables` returns, and the seconds that are left of the timeout then.

    Raises `dlx.SearchInterrupted` after the timeout.
    """
    tables = _tables_with_more_sums if more_sums else _tables
    if timeout is None:
        return (*tables(layout), None)
    deadline = Deadline(timeout)
    with limited(deadline.left):
        problem, names = tables(layout)
    return problem, names, deadline.left


@layout_cache
def _tables(layout: Layout) -> tuple[dlx.Problem, Names]:
    """The problem, and for each cell the option names of its candidates, indexed by digit.

    The name is None for digit 0 and for candidates that the rules exclude.
    """
    problem, side = cover(layout), layout.side
    names = problem.names
    if not layout.rules:  # then every candidate has an option, and there are no other options
        starts = range(0, len(names), side)
        return problem, tuple((None, *names[first : first + side]) for first in starts)
    return problem, _names(layout, problem)


@layout_cache
def _tables_with_more_sums(layout: Layout) -> tuple[dlx.Problem, Names]:
    """The same with all implied sums that help a long search."""
    problem = cover_with_rules(layout, MANY)
    return problem, _names(layout, problem)


def _names(layout: Layout, problem: dlx.Problem) -> Names:
    known = set(problem.names)
    every = ([(*cell, digit) for digit in range(1, layout.side + 1)] for cell in layout.positions)
    return tuple((None, *(name if name in known else None for name in cell)) for cell in every)


def _given(grid: Grid, names: Names) -> list[Hashable]:
    """The option names of the digits of the grid; raises `dlx.GivenClash` if the rules exclude one.

    Every search calls it, so the loop over the cells runs in C functions.
    """
    cells = grid.cells
    given = list(map(getitem, compress(names, cells), filter(None, cells)))
    if grid.layout.rules and None in given:
        raise dlx.GivenClash("a digit that the rules exclude")
    return given


def filled(grid: Grid, solution: tuple[Hashable, ...]) -> Grid:
    """The grid with the digits of a solution, which is a tuple of option names."""
    layout = grid.layout
    side, first = layout.side, layout.side + 1
    cells = list(grid.cells)
    if not layout.is_classic:
        index = layout.index
        for name in cast("tuple[tuple[Any, ...], ...]", solution):
            if name[0].__class__ is int:  # a candidate, not an option of a rule
                cells[index[name[:2]]] = name[2]
        return Grid.from_cells(tuple(cells), layout)
    for row, column, digit in cast("tuple[tuple[int, int, int], ...]", solution):
        cells[row * side + column - first] = digit
    return Grid.from_cells(tuple(cells), layout)


def solve_board(board: list[list[str]]) -> None:
    """Fills the empty cells of the board with the (first) solution, in place.

    >>> board = [list("1..."), list(".2.."), list("..3."), list("4...")]
    >>> solve_board(board)
    >>> ["".join(row) for row in board]
    ['1423', '3241', '2134', '4312']

    Raises `NoSolution` if there is no solution and `PuzzleError` if the argument is not a board;
    the board is then unchanged.
    """
    solution = solve(_grid(board))
    for row, values in zip(board, solution.rows, strict=True):
        row[:] = map(symbol, values)


def is_valid_board(board: list[list[str]]) -> bool:
    """Whether no row, column or box has a digit twice; a valid board may have no solution.

    >>> is_valid_board([list("1.2."), list("...."), list("...."), list("...1")])
    True
    >>> is_valid_board([list("1..1"), list("...."), list("...."), list("....")])
    False

    Raises `PuzzleError` if the argument is not a board.
    """
    return not duplicates(_grid(board))


def _grid(board: object) -> Grid:
    """The grid of a board; raises `PuzzleError` if it is not a list of lists of characters."""
    if not isinstance(board, list):
        raise PuzzleError(f"a board is a list of lists, not a {type(board).__name__}")
    for number, row in enumerate(board, 1):
        if not isinstance(row, list):
            raise PuzzleError(f"row {number} is a {type(row).__name__}, not a list")
        for column, cell in enumerate(row, 1):
            if not isinstance(cell, str) or len(cell) != 1:
                where = f"row {number}, column {column}"
                raise PuzzleError(f"{where} is {shown(cell)}, not a string of one character")
    return parse(board)
