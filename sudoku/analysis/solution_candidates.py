"""`candidates_of_solutions`: the digits that each cell has in some solution ("true candidates").

Every solution answers for one candidate of each cell. So only the candidates of no solution found
so far need another search, which requires one of them. A few that are in no solution are removed
together, and `dlx.Problem.reduced` then removes most of the others that are in none: the killer of
450 candidates whose last three cages are missing needs 17 searches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from contextlib import nullcontext, suppress
from typing import Any, NamedTuple

import dlx
from sudoku.board.cells import Cell, integer
from sudoku.board.grid import Grid
from sudoku.board.layout import Layout, symbol
from sudoku.board.plain_text import table
from sudoku.errors import shown
from sudoku.rules.cover import cover_within
from sudoku.solving.deadline import Deadline, timed_out
from sudoku.text.puzzles import parse

__all__ = ["SolutionCandidates", "candidates_of_solutions"]

REMOVED = 4
"""The candidates that are removed together."""

FEW = 1000
"""Up to this number, solutions are listed rather than counted for each candidate."""

Name = tuple[int, int, int]
"""The name of the option of a candidate: row, column and digit."""


class SolutionCandidates(NamedTuple):
    """The result of `candidates_of_solutions`. Its `str` is a grid of pencil marks."""

    puzzle: Grid
    """The puzzle."""
    counts: dict[Cell, dict[int, int]]
    """For each cell (row, column) its digits in solutions, ascending, and in how many of them, up
    to the limit. All are empty if there is no solution."""
    limit: int | None
    """The limit."""
    undecided: dict[Cell, tuple[int, ...]]
    """For some cells the digits that may be in more solutions than `counts` says, because the
    timeout stopped the searches; else empty."""

    @property
    def digits(self) -> dict[Cell, tuple[int, ...]]:
        """For each cell the digits that are in solutions, or may be: `candidates` of `to_svg`."""
        return {
            cell: tuple(sorted({*counts, *self.undecided.get(cell, ())}))
            for cell, counts in self.counts.items()
        }

    def __str__(self) -> str:
        return table(list(map(self._text, self.counts)), self.puzzle.layout)

    def _text(self, cell: Cell) -> str:
        """The digits of a cell; with their numbers of solutions if more than one was counted."""
        counts, undecided = self.counts[cell], self.undecided.get(cell, ())
        if self.limit == 1:
            every = sorted({*counts, *undecided})
            return "".join(symbol(d) + "?" * (d in undecided) for d in every) or "-"
        return ",".join(
            f"{symbol(digit)}:{counts.get(digit, 0)}"
            f"{'+' * (digit in undecided or counts.get(digit) == self.limit)}"
            for digit in sorted({*counts, *undecided})
        )


def candidates_of_solutions(
    puzzle: str | Iterable[object] | Grid,
    *,
    layout: Layout | None = None,
    limit: int | None = 1,
    timeout: float | None = None,
    engine: str = "auto",
) -> SolutionCandidates:
    """The candidates that are in some solution, and in how many solutions, counted up to `limit`.

    >>> found = candidates_of_solutions("1... .2.. ..3. ....", limit=3)
    >>> found.counts[1, 2], found.counts[4, 4]
    ({3: 3, 4: 3}, {1: 2, 2: 2, 4: 2})
    >>> print(candidates_of_solutions("1... .2.. ..3. ...."))
    +---------+---------+
    | 1   34  | 24  234 |
    | 34  2   | 14  134 |
    +---------+---------+
    | 24  14  | 3   124 |
    | 234 134 | 124 124 |
    +---------+---------+

    Where the timeout (seconds) stops the searches, the result says what is `undecided`. A solution
    of `sudoku.rules.ChaosRegions` is a filling with its regions, as in `count`.

    About as many searches as there are candidates in no solution, at most; 5 milliseconds for a
    9x9 grid. Raises `PuzzleError` if the input is not a puzzle.
    """
    grid = parse(puzzle, layout)
    most = None if limit is None else integer(limit)
    if limit is not None and most is None:
        raise dlx.InvalidArgument(f"limit is {shown(limit)}; it must be None or an integer from 1")
    search = _Search(grid, engine, Deadline(timeout))
    with suppress(dlx.SearchInterrupted):
        search.run(most)
    return search.result(most)


class _Search:
    """The searches for the candidates of one puzzle, and what they have found so far."""

    def __init__(self, grid: Grid, engine: Any, deadline: Deadline) -> None:
        self._grid = grid
        self._given: tuple[Hashable, ...] = grid.givens
        self._engine = engine
        # Faster where searches are long: they fail in one corner of the grid, again and again.
        self._heuristic: Any = "weighted" if engine in ("auto", "links") else "mrv"
        self._deadline = deadline
        self._found: dict[Name, int] = {}  # the number of solutions of each candidate
        places, every = grid.layout.positions, range(1, grid.layout.side + 1)
        self._open = {  # the candidates that may be in more solutions
            (*cell, digit)
            for cell, given in zip(places, grid.cells, strict=True)
            for digit in ((given,) if given else every)
        }

    def run(self, limit: int | None) -> None:
        """Finds everything; raises `dlx.SearchInterrupted` at the deadline."""
        try:
            problem: dlx.Problem = cover_within(self._grid.layout, self._deadline.left)
            problem = self._without_others(self._reduced(problem))
        except (dlx.GivenClash, dlx.UnknownOption):  # a digit that houses or rules exclude
            self._open.clear()
            return
        finally:
            if limit != 1:
                self._open.update(self._found)
        if limit == 1 or self._count_few(problem, limit):
            return
        for name in sorted(self._open):
            given = self._with_givens(name)
            self._found[name] = problem.count(given=given, limit=limit, **self._limits())
            self._open.discard(name)

    def _with_givens(self, name: Name | None) -> tuple[Hashable, ...]:
        """The givens, and a candidate unless it is one of them."""
        return self._given if name is None or name in self._given else (*self._given, name)

    def _limits(self) -> dict[str, Any]:
        """The keywords of every search."""
        left, engine = self._deadline.left, self._engine
        return {"timeout": left, "engine": engine, "heuristic": self._heuristic}

    def _reduced(self, problem: dlx.Problem) -> dlx.Problem:
        """A smaller problem with the same solutions, which are those with the givens."""
        with suppress(dlx.KernelMissing):
            reduction = problem.reduced(given=self._given, timeout=self._deadline.left)
            self._given = ()
            return reduction.problem.freeze()
        return problem

    def _without_others(self, problem: dlx.Problem) -> dlx.Problem:
        """The problem without the candidates that are in no solution, which are found here."""
        self._open.intersection_update(problem.names)
        others: list[Name] = []
        for seed, name in enumerate([None, *sorted(self._open)]):
            if name is not None and (name in self._found or name not in self._open):
                continue
            solution: Iterable[Any] | None = None
            # Without the kernel there may be candidates that clash with givens.
            with nullcontext() if name is None else suppress(dlx.GivenClash):
                solution = problem.solve(
                    given=self._with_givens(name),
                    seed=seed,  # so that solutions differ in many cells
                    **self._limits(),
                )
            if solution is not None:
                # An option of a rule has a name that begins with its kind.
                digits = [option for option in solution if option[0].__class__ is int]
                self._found |= dict.fromkeys(digits, 1)
                self._open.difference_update(digits)
            elif name is None:
                self._open.clear()
                return problem
            else:
                self._open.discard(name)
                others.append(name)
                if len(others) == REMOVED:
                    problem = self._reduced(problem.without(others))
                    self._open.intersection_update(problem.names)
                    others.clear()
        return problem

    def _count_few(self, problem: dlx.Problem, limit: int | None) -> bool:
        """Counts the solutions of all candidates, unless there are too many solutions."""
        most = FEW if limit is None else min(limit, FEW)
        found = Counter[Name]()
        with problem.solutions(given=self._given, limit=most, **self._limits()) as search:
            for solution in search:
                found.update(solution)
            if search.stopped_by == "timeout":
                raise timed_out()
            if not search.exhausted:
                return False
        self._found = {name: found[name] for name in self._found}
        self._open.clear()
        return True

    def result(self, limit: int | None) -> SolutionCandidates:
        """What was found."""
        counts: dict[Cell, dict[int, int]] = {cell: {} for cell in self._grid.layout.positions}
        for row, column, digit in sorted(self._found):
            counts[row, column][digit] = self._found[row, column, digit]
        undecided: dict[Cell, tuple[int, ...]] = {}
        for row, column, digit in sorted(self._open):
            undecided[row, column] = (*undecided.get((row, column), ()), digit)
        return SolutionCandidates(self._grid, counts, limit, undecided)
