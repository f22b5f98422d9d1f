"""Problems written to files, for this package and for others, and what solvers answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from dlx.questions import Questions

if TYPE_CHECKING:
    import os
    from typing import IO

    from dlx.problem import Problem
    from dlx.search import Solution

__all__ = ["Exchange"]


class Exchange(Questions):
    """A problem written to files, and a solution read from what a solver says of one."""

    __slots__ = ()

    def dump(
        self,
        target: str | os.PathLike[str] | IO[str],
        *,
        format: str | None = None,  # noqa: A002  # as a user would call it
    ) -> None:
        """Writes the problem to a path or an open text file.

        `format` is "knuth", "cnf" (DIMACS, for SAT solvers: `dlx.formats.cnf`), "mps" or "lp"
        (integer programs: `dlx.formats.linear`); by default what the path's suffix says: .cnf, .mps
        or .lp, and for Knuth's .dlx, .knuth, .txt, .xc or none, as for an open file. Any other
        suffix is refused with `InvalidArgument`. What solvers make of the last three formats is
        read with `read_model`.

        In Knuth's, items and colors must be texts without white space, ":" and "|", or integers;
        otherwise a `FormatError` says which is not, and nothing is written. Names of options are
        not part of the format. A file that was there before is replaced only when the new one is
        complete.
        """
        from dlx.formats import writing

        writing.dump(cast("Problem", self), target, format)

    def read_model(self, source: str | os.PathLike[str] | IO[str]) -> Solution | None:
        r"""The solution in a solver's answer to this problem, or None if it says there is none.

        `source` is a path or an open text file: what a SAT solver prints about the file that
        `dump("x.cnf")` wrote, or the solution file that CBC, Gurobi, HiGHS or SCIP write about
        `dump("x.mps")` or `dump("x.lp")`; see `dlx.formats.answers`. The options come in their
        order. The solution is verified: raises `InvalidSolution` if it is none, and `FormatError`,
        with the line, for a text that is no answer.

        >>> import dlx, io
        >>> problem = dlx.Problem.from_options({"x": ["a"], "y": ["b"], "xy": ["a", "b"]})
        >>> problem.read_model(io.StringIO("s SATISFIABLE\nv 1 2 -3 0\n"))
        ('x', 'y')
        >>> print(problem.read_model(io.StringIO("s UNSATISFIABLE\n")))
        None
        """
        from dlx.formats.answers import read_answer
        from dlx.verifying import verify

        chosen = read_answer(source, len(self._table))
        if chosen is None:
            return None
        solution = tuple(map(self._table.name_of, chosen))
        verify(self._table, solution)
        return solution
