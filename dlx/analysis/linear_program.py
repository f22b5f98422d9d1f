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
from collections.abc import Sequence
from typing import Any, Final, Literal, Protocol, get_args

from dlx.core.kernel import COMPILED, LinearProgram, check_cancelled
from dlx.errors import InvalidArgument, quote
from dlx.plan import is_installed

__all__ = ["ENGINES", "LinearEngine", "LinearSolver", "open_highs", "open_program", "wait_for_end"]

LinearEngine = Literal["auto", "highs", "kernel"]
"""The engines of `Problem.relaxation`."""

ENGINES: Final[tuple[LinearEngine, ...]] = get_args(LinearEngine)

WAIT = 0.02  # seconds between two checks for signals
STOPPING = 0.1  # seconds for which `wait_for_end` waits
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
        return "highs", _HighsProgram(low, high)
    except ImportError as error:
        raise InvalidArgument(
            f"engine='highs' needs the package highspy: pip install highspy ({error})"
        ) from None


def open_highs(threads: int, **settings: float | str) -> Any:
    """HiGHS without a program. It prints nothing, and `cancelSolve` stops it.

    Raises ImportError if it is not installed.
    """
    import highspy  # type: ignore[import-untyped, unused-ignore]

    class Quiet(highspy.Highs):  # type: ignore[misc, unused-ignore]
        """Prints nothing: highspy 1.16 enables callbacks at once, which prints its version."""

        def enableCallbacks(self) -> None:  # noqa: N802 (the name is theirs)
            self.silent()
            super().enableCallbacks()  # type: ignore[no-untyped-call, unused-ignore]

    solver = Quiet()  # type: ignore[no-untyped-call, unused-ignore]
    solver.silent()
    solver.HandleUserInterrupt = True
    for name, value in {"threads": threads, **settings}.items():
        solver.setOptionValue(name, value)
    return solver


def wait_for_end(thread: threading.Thread) -> bool:
    """Waits until the thread of a solver that was stopped has ended; returns whether it has."""
    thread.join(STOPPING)
    if thread.is_alive():  # the libraries abort the process if it ends while they run
        atexit.register(thread.join, LAST_WAIT)
    return not thread.is_alive()


class _HighsProgram:
    """HiGHS, by its simplex methods: the primal one after columns were added."""

    def __init__(self, low: Sequence[float], high: Sequence[float]) -> None:
        self._solver = open_highs(1, presolve="off")  # presolving takes longer than it saves
        self._solver.addRows(len(low), low, high, 0, [0] * len(low), [], [])
        self._solver.addCol(0, 0, 0, 0, [], [])  # a program without columns is not solved
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
        lower = [0.0] * len(cost)
        self._solver.addCols(len(cost), cost, lower, upper, len(row), start[:-1], row, weight)
        self._method = PRIMAL if self._solved else DUAL

    def set_bounds(self, column: int, lower: float, upper: float) -> None:
        self._solver.changeColBounds(column + 1, lower, upper)
        self._method = DUAL

    def solve(self, seconds: float) -> str:
        from highspy import HighsModelStatus

        solver, until = self._solver, time.monotonic() + seconds
        solver.setOptionValue("simplex_strategy", self._method)
        thread: threading.Thread = solver.startSolve()
        try:
            while thread.is_alive() and (left := until - time.monotonic()) > 0:
                check_cancelled()
                thread.join(min(WAIT, left))
        finally:
            if thread.is_alive():
                solver.cancelSolve()
            ended = wait_for_end(thread)
        if not ended:
            return "failed"  # it is still at work, and cannot be used again
        self.iterations += max(0, solver.getInfo().simplex_iteration_count)
        status = solver.getModelStatus()
        self._solved = status == HighsModelStatus.kOptimal
        self._solution = solver.getSolution()
        if self._solved:
            return "optimal"
        if status in (HighsModelStatus.kInfeasible, HighsModelStatus.kUnboundedOrInfeasible):
            return "infeasible"
        return "stopped" if status == HighsModelStatus.kInterrupt else "failed"

    @property
    def objective(self) -> float:
        return float(self._solver.getObjectiveValue())

    def prices(self) -> bytes:
        return array("d", self._solution.row_dual).tobytes()

    def values(self) -> bytes:
        return array("d", self._solution.col_value[1:]).tobytes()
