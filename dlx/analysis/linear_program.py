"""Solvers of linear programs that grow by columns: HiGHS, and the kernel's own simplex.

A program minimizes cost over columns from 0 to an upper bound, which is finite; each row has a
lower and an upper bound. Columns are added, and the bounds of columns changed, between two
solutions: the solver starts from the basis of the last one.
"""

from __future__ import annotations

import atexit
import threading
import time
from array import array
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Literal, Protocol

from dlx.core.kernel import COMPILED, LinearProgram, check_cancelled
from dlx.errors import InvalidArgument, quote
from dlx.plan import is_installed

__all__ = ["ENGINES", "LinearEngine", "LinearSolver", "open_program"]

LinearEngine = Literal["auto", "highs", "kernel"]
"""The engines of `Problem.relaxation`."""

ENGINES = ("auto", "highs", "kernel")

WAIT = 0.02  # seconds between two checks for signals
STOPPING = 0.1  # seconds for which a caller waits until a solver that was stopped has ended
LAST_WAIT = 10.0  # seconds for which the end of the process waits for that
DUAL, PRIMAL = 1, 4  # the simplex methods of HiGHS


class LinearSolver(Protocol):
    """A linear program and its solver."""

    def add_columns(
        self,
        start: array[int],
        row: array[int],
        weight: array[float],
        cost: array[float],
        upper: array[float],
    ) -> None:
        """Adds columns: column `c` has the rows and weights from `start[c]` to `start[c + 1]`."""

    def set_bounds(self, column: int, lower: float, upper: float) -> None:
        """Sets the bounds of a column."""

    def solve(self, seconds: float) -> str:
        """Minimizes the cost for at most these seconds, or until the next check for signals.

        Returns "optimal", "infeasible", "stopped" (call it again to continue) or "failed".
        """

    @property
    def objective(self) -> float:
        """The least cost, after "optimal"."""

    @property
    def iterations(self) -> int:
        """The simplex iterations of all calls of `solve`."""

    def prices(self) -> bytes:
        """The dual value of each row, as float64."""

    def values(self) -> bytes:
        """The value of each column, as float64."""


def open_program(
    engine: object, low: Sequence[float], high: Sequence[float]
) -> tuple[str, LinearSolver]:
    """The name of the solver and a program with rows of these bounds, and no columns.

    Raises `InvalidArgument`.
    """
    if engine not in ENGINES:
        raise InvalidArgument(
            f"engine is {quote(engine)}; relaxation takes one of {', '.join(map(repr, ENGINES))}"
        )
    if engine == "kernel" or (engine == "auto" and (COMPILED or not is_installed("highs"))):
        return "kernel", LinearProgram(array("d", low), array("d", high))
    try:
        return "highs", _highs_class()(low, high)
    except ImportError as error:
        raise InvalidArgument(
            f"engine='highs' needs the package highspy: pip install highspy ({error})"
        ) from None


@cache
def _highs_class() -> Callable[[Sequence[float], Sequence[float]], LinearSolver]:
    import highspy  # type: ignore[import-untyped, unused-ignore]
    import numpy as np

    class Quiet(highspy.Highs):  # type: ignore[misc, unused-ignore]
        """Prints nothing: highspy 1.16 enables callbacks at once, which prints its version."""

        def enableCallbacks(self) -> None:  # noqa: N802 (the name is theirs)
            self.silent()
            super().enableCallbacks()  # type: ignore[no-untyped-call, unused-ignore]

    class HighsProgram:
        """HiGHS, by its simplex methods: the primal one after columns were added."""

        def __init__(self, low: Sequence[float], high: Sequence[float]) -> None:
            self._solver = solver = Quiet()  # type: ignore[no-untyped-call, unused-ignore]
            solver.silent()
            solver.HandleUserInterrupt = True
            solver.setOptionValue("presolve", "off")  # it takes longer than it saves
            solver.setOptionValue("threads", 1)
            rows, none = len(low), np.zeros(0, np.int32)
            solver.addRows(
                rows, np.array(low), np.array(high), 0, np.zeros(rows, np.int32), none, np.zeros(0)
            )
            solver.addCol(0, 0, 0, 0, none, np.zeros(0))  # a program without columns is not solved
            self._method = DUAL
            self._solved = False
            self._solution: Any = None
            self.iterations = 0

        def add_columns(
            self,
            start: array[int],
            row: array[int],
            weight: array[float],
            cost: array[float],
            upper: array[float],
        ) -> None:
            count = len(cost)
            starts = np.frombuffer(start, np.int64)[:count].astype(np.int32)
            self._solver.addCols(
                count,
                np.frombuffer(cost) if count else np.zeros(0),
                np.zeros(count),
                np.frombuffer(upper) if count else np.zeros(0),
                len(row),
                starts,
                np.frombuffer(row, np.int32) if row else np.zeros(0, np.int32),
                np.frombuffer(weight) if weight else np.zeros(0),
            )
            self._method = PRIMAL if self._solved else DUAL

        def set_bounds(self, column: int, lower: float, upper: float) -> None:
            self._solver.changeColBounds(column + 1, lower, upper)
            self._method = DUAL

        def solve(self, seconds: float) -> str:
            solver, until = self._solver, time.monotonic() + seconds
            solver.setOptionValue("simplex_strategy", self._method)
            thread: threading.Thread = solver.startSolve()
            try:
                while thread.is_alive() and (left := until - time.monotonic()) > 0:
                    check_cancelled()
                    thread.join(min(WAIT, left))
            except BaseException:
                self._stop(thread)
                raise
            if thread.is_alive() and not self._stop(thread):
                return "failed"  # it is still at work, and cannot be used again
            solver = self._solver
            self.iterations += max(0, solver.getInfo().simplex_iteration_count)
            status, known = solver.getModelStatus(), highspy.HighsModelStatus
            self._solved = status == known.kOptimal
            self._solution = solver.getSolution()
            if self._solved:
                return "optimal"
            if status in (known.kInfeasible, known.kUnboundedOrInfeasible):
                return "infeasible"
            return "stopped" if status == known.kInterrupt else "failed"

        def _stop(self, thread: threading.Thread) -> bool:
            """Stops the solver; returns whether it has ended."""
            self._solver.cancelSolve()  # type: ignore[no-untyped-call, unused-ignore]
            thread.join(STOPPING)
            if thread.is_alive():  # the library aborts the process if it ends while this runs
                atexit.register(thread.join, LAST_WAIT)
            return not thread.is_alive()

        @property
        def objective(self) -> float:
            return float(self._solver.getObjectiveValue())

        def prices(self) -> bytes:
            return np.array(self._solution.row_dual, np.float64).tobytes()

        def values(self) -> bytes:
            return np.array(self._solution.col_value[1:], np.float64).tobytes()

    return HighsProgram
