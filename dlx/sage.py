"""The functions of Sage's dancing links, with their arguments and results.

In a program for Sage, `from dlx.sage import DLXCPP` takes the place of
`from sage.combinat.matrices.dlxcpp import DLXCPP`, and `dlx_solver` that of
`sage.combinat.matrices.dancing_links.dlx_solver`. Rows are lists of column numbers. Every column
from 0 to the largest number must be covered, so a number that is left out makes the problem
unsolvable, as in Sage. Matrices are Sage's, or any with a method `rows` and `row`; lists of lists
and NumPy arrays will do as well.

Solutions come in the order of `Problem.solutions`, which may differ from Sage's.

>>> list(DLXCPP([[0, 1, 2], [0, 2], [1], [3]]))
[[3, 0], [3, 1, 2]]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from dlx.core.arguments import integer
from dlx.errors import InvalidEntry, quote
from dlx.problem import Problem

__all__ = ["AllExactCovers", "DLXCPP", "OneExactCover", "RowSolver", "dlx_solver"]


def DLXCPP(rows: Iterable[Iterable[Any]]) -> Iterator[list[int]]:  # noqa: N802  # Sage's name
    """All exact covers by rows of column numbers, each as a list of row numbers.

    Raises `InvalidEntry` for a column that is not an integer from 0 up.

    >>> list(DLXCPP([[0], [0, 1]])), list(DLXCPP([]))
    ([[1]], [])
    """
    yield from dlx_solver(rows).solutions_iterator()


def AllExactCovers(M: Any) -> Iterator[list[Any]]:  # noqa: N802, N803  # Sage's names
    """All exact covers of a matrix of zeros and ones, each as the list of its rows.

    >>> list(AllExactCovers([[1, 1, 0], [1, 0, 1], [0, 0, 1], [0, 1, 0]]))
    [[[1, 1, 0], [0, 0, 1]], [[1, 0, 1], [0, 1, 0]]]
    """
    wanted = "give a matrix of zeros and ones"
    rows: Sequence[Any] = M.rows() if hasattr(M, "rows") else list(_listed("M", M, wanted))
    columns = [
        [column for column, cell in enumerate(_listed("a row", row, wanted)) if cell]
        for row in rows
    ]
    for solution in DLXCPP(columns):
        yield [rows[number] for number in solution]


def OneExactCover(M: Any) -> list[Any] | None:  # noqa: N802, N803  # Sage's names
    """The first exact cover of a matrix of zeros and ones, or None.

    >>> OneExactCover([[1, 1, 0], [1, 0, 1], [0, 1, 1]]) is None
    True
    """
    return next(AllExactCovers(M), None)


def dlx_solver(rows: Iterable[Iterable[Any]]) -> RowSolver:
    """A solver for rows of column numbers, with the methods of Sage's.

    >>> solver = dlx_solver([[0, 1, 2], [0, 2], [1], [3]])
    >>> solver.search(), solver.get_solution()
    (1, [3, 0])
    >>> solver.search(), solver.get_solution(), solver.search()
    (1, [3, 1, 2], 0)
    >>> solver.number_of_solutions(), solver.one_solution(), solver.ncols(), solver.nrows()
    (2, [3, 0], 4, 4)
    """
    return RowSolver(rows)


class RowSolver:
    """The methods of Sage's `dancing_linksWrapper` that solve; made by `dlx_solver`.

    Other methods of Sage's class have their likes in `Problem`, which `problem` returns. `ncpus` is
    the number of threads.
    """

    def __init__(self, rows: Iterable[Iterable[Any]]) -> None:
        listed = _listed("rows", rows, "give a list of rows of column numbers")
        self._rows = [
            [
                _column(number, column)
                for column in _listed(f"row {number}", row, "a row is a list of column numbers")
            ]
            for number, row in enumerate(listed)
        ]
        columns = max((column for row in self._rows for column in row), default=-1) + 1
        self._problem = Problem(primary=range(columns))
        for number, row in enumerate(self._rows):
            if row:  # no cover needs an empty row
                self._problem.add_option(row, name=number)
        self._search = self._problem.solutions()
        self._solution: list[int] = []

    def __repr__(self) -> str:
        return f"Dancing links solver for {self.ncols()} columns and {self.nrows()} rows"

    def problem(self) -> Problem:
        """The rows as a `Problem`: an option for each row that is not empty, with its number."""
        return self._problem

    def rows(self) -> list[list[int]]:
        """The rows, as lists of column numbers."""
        return self._rows

    def ncols(self) -> int:
        """The number of columns."""
        return len(self._problem.items)

    def nrows(self) -> int:
        """The number of rows."""
        return len(self._rows)

    def search(self) -> int:
        """1 if there is another solution, which `get_solution` then returns; otherwise 0."""
        solution = next(self._search, None) if self.ncols() else None
        if solution is None:
            return 0
        self._solution = list(solution)
        return 1

    def get_solution(self) -> list[int]:
        """The solution that `search` found last."""
        return self._solution

    def one_solution(self, ncpus: int = 1) -> list[int] | None:
        """The first solution, or None."""
        return next(self.solutions_iterator(ncpus), None)

    def all_solutions(self, ncpus: int = 1) -> list[list[int]]:
        """All solutions."""
        return list(self.solutions_iterator(ncpus))

    def solutions_iterator(self, ncpus: int = 1) -> Iterator[list[int]]:
        """All solutions, one by one."""
        if self.ncols():  # without columns Sage finds nothing, not the empty cover
            for solution in self._problem.solutions(workers=ncpus):
                yield list(solution)

    def number_of_solutions(self, ncpus: int = 1) -> int:
        """The number of solutions."""
        return self._problem.count(workers=ncpus) if self.ncols() else 0


def _listed(what: str, values: Any, wanted: str) -> Iterator[Any]:
    try:
        return iter(values)  # vectors of Sage need not be of the class Iterable
    except TypeError:
        raise InvalidEntry(f"{what} is {quote(values)}; {wanted}") from None


def _column(row: int, column: Any) -> int:
    """A column number as an int: Sage's integers have a type of their own."""
    number = integer(column)
    if number is None or number < 0:
        raise InvalidEntry(f"row {row} has {quote(column)}; columns are integers from 0 up")
    return number
