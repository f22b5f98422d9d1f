"""What other solvers say to a `Problem`, once it has been written for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import os
    from collections.abc import Hashable, Iterable
    from typing import IO

    from dlx.search import Solution
    from dlx.table import Table

__all__ = ["ForeignAnswers"]


class ForeignAnswers:
    """Reading what solvers of clauses and of integer programs have found."""

    __slots__ = ()

    if TYPE_CHECKING:
        _table: Table

        def verify(self, solution: Iterable[Hashable]) -> None: ...

    def read_model(self, source: str | os.PathLike[str] | IO[str]) -> Solution | None:
        """The solution in a solver's answer to this problem, or None if it says there is none.

        `source` is a path or an open text file: what a SAT solver prints about the file that
        `dump("x.cnf")` wrote, or the solution file that CBC, Gurobi, HiGHS or SCIP write about
        `dump("x.mps")` or `dump("x.lp")`; see `dlx.formats.answers`. The options come in their
        order. The solution is verified: raises `InvalidSolution` if it is none, and `FormatError`,
        with the line, for a text that is no answer.

        >>> import dlx, io
        >>> problem = dlx.Problem.from_options({"x": ["a"], "y": ["b"], "xy": ["a", "b"]})
        >>> problem.read_model(io.StringIO("s SATISFIABLE\\nv 1 2 -3 0\\n"))
        ('x', 'y')
        >>> print(problem.read_model(io.StringIO("s UNSATISFIABLE\\n")))
        None
        """
        from dlx.formats.answers import read_answer

        chosen = read_answer(source, len(self._table))
        if chosen is None:
            return None
        solution = tuple(map(self._table.name_of, chosen))
        self.verify(solution)
        return solution
