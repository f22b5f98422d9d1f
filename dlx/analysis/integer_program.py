"""The cheapest solutions by a solver of integer programs: HiGHS or CP-SAT.

The program is that of `dlx.formats.linear`: a 0/1 variable for each option and for each color that
several options require. A linear program is a strong bound where many options overlap (airline
crews), and that is what these solvers are built on.

For k > 1 each solution found is excluded by one more constraint, and the solver starts again.

The solver runs in a thread of its own, so that signals are handled and limits are kept. When a
limit ends the wait, the solver is stopped; a resumed search starts with the solutions found. The
program is made in steps, between which limits are checked, and the solver's own form of it in the
solver's thread.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, repeat
from math import ceil, gcd, inf
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from dlx.analysis.gap import relative_gap
from dlx.analysis.linear_program import open_highs, wait_for_end
from dlx.core.kernel import check_cancelled
from dlx.core.logs import log
from dlx.core.stats import Stats
from dlx.engines.protocols import BackgroundMinimizer
from dlx.errors import InvalidArgument, InvalidCost
from dlx.formats.relations import all_relations, relate_all

if TYPE_CHECKING:
    from dlx.analysis.minimum_by_diagram import MinimumWithDiagram
    from dlx.core.table import Table

__all__ = ["MinimumWithProgram", "PROGRAMS", "ProgramMinimum"]

WAIT = 0.02  # seconds between two checks for signals
POLL = 0.002  # seconds to wait for a solver that runs beside another search
PAUSE = 5000  # constraints between two checks of limits
SMALL_GAP = 0.05  # of branch and bound, which may end soon
LOOK = 0.5  # seconds between two looks at it
LARGEST_FLOAT = 2**53  # integers up to this one are floats
LARGEST_TRUSTED = 10**9  # of all costs together, where rounding errors of a proof stay far below 1


class Row(NamedTuple):
    """A linear constraint: variables from 1, their factors (None: all are 1), bounds or None."""

    variables: Sequence[int]
    factors: Sequence[int] | None
    low: int | None
    high: int | None


class Program(NamedTuple):
    """A minimization over 0/1 variables; `costs` are those of the first ones.

    `start`: the variables of a known solution that are 1, of those with costs, or None.
    """

    variables: int
    costs: Sequence[int]
    rows: Sequence[Row]
    workers: int
    stopped: threading.Event
    start: frozenset[int] | None = None

    def checked_rows(self) -> Iterator[Row]:
        """The rows. Raises `_Stopped` as soon as the solver is stopped."""
        for number, row in enumerate(self.rows):
            if number % PAUSE == 0 and self.stopped.is_set():
                raise _Stopped
            yield row


class _Stopped(Exception):
    """The solver was stopped before it had begun."""


class Outcome(NamedTuple):
    """The result of a solver: "optimal", "infeasible" or "stopped"; the variables that are 1."""

    status: str
    chosen: frozenset[int] | None
    bound: float | None


class Solver(Protocol):
    """A solver of one program."""

    def solve(self) -> Outcome:
        """Runs to the end, or until `stop` is called from another thread."""

    def stop(self) -> None:
        """Makes `solve` return soon."""

    @property
    def known(self) -> Outcome | None:
        """The best solution and the bound so far, while `solve` runs in another thread."""


class ProgramMinimum(BackgroundMinimizer):
    """The k cheapest solutions of a problem: see this module."""

    def __init__(
        self,
        engine: str,
        table: Table,
        given: Sequence[int],
        costs: Sequence[int],
        k: int,
        size: tuple[int, int] | None = None,
    ) -> None:
        """`size` is the number of options and of items; None: that of the table, as it is now."""
        self._make = PROGRAMS[engine]()
        self._options, items = size or (len(table), len(table.items))
        self._costs = [*costs, *[0] * (self._options - len(costs))]
        self._unit = gcd(*self._costs) or 1
        if engine == "highs" and sum(map(abs, self._costs)) // self._unit > LARGEST_FLOAT:
            raise InvalidCost(
                "HiGHS computes in floating point: the absolute costs of all options together, "
                f"divided by their common divisors, may be at most {LARGEST_FLOAT}; use "
                "engine='cp-sat' or engine='links'"
            )
        self._given = list(given)
        self._k = k
        self._relate = partial(relate_all, table, self._options, items)
        self._preparing = self._prepare()
        self._variables = 0
        self._loose: set[int] = set()
        self._rows: list[Row] | None = None  # None: not yet prepared
        self._exclusions: list[Row] = []  # of the first solutions found
        self._found: list[tuple[int, list[int]]] = []  # proved to be the cheapest
        self._incumbent: tuple[int, list[int]] | None = None
        self._bound: int | None = None
        self._finished = self._options == 0
        if self._finished and not any(total.low for total in all_relations(table).sums):
            self._found.append((0, []))
        self._workers = 1
        self._running: _Running | None = None
        self._solved = 0
        self._seconds = 0.0

    def use_workers(self, workers: int) -> ProgramMinimum:
        """Sets the number of threads of the solver."""
        self._workers = workers
        return self

    def run(self, seconds: float = inf) -> bool:
        """Searches for `seconds`, at least one step. True when it has finished."""
        began = time.monotonic()
        until = began + seconds
        try:
            while not self._finished:
                check_cancelled()
                now = time.monotonic()
                if self._rows is None:
                    self._continue_preparing(min(now + WAIT, until))
                else:
                    self._continue_solving(min(WAIT, max(0.0, until - now)))
                if time.monotonic() >= until:
                    break
        except BaseException:
            self.pause()
            raise
        finally:
            self._seconds += time.monotonic() - began
        return self._finished

    def _continue_solving(self, seconds: float) -> None:
        if self._running is None:
            self._running = _Running(self._make, self._program())
        outcome = self._running.wait(seconds)
        if not self._running.is_alive():
            self._running = None
        elif outcome is None:
            outcome = self._running.known()
        if outcome is not None:
            self._use(outcome)

    def _continue_preparing(self, until: float) -> None:
        try:
            for _ in self._preparing:
                if time.monotonic() >= until:
                    break
        except BaseException:
            self._preparing = self._prepare()
            raise

    def _prepare(self) -> Generator[None, None, None]:
        """Makes the rows, in steps."""
        relations = yield from self._relate()
        self._variables = relations.variables
        self._loose = relations.loose()
        yield
        rows: list[Row] = []
        for total in relations.sums:
            rows.append(Row(total.variables, total.weights, total.low or None, total.high))
            if len(rows) % PAUSE == 0:
                yield
        for option, color in relations.implications:
            rows.append(Row([option, color], [1, -1], None, 0))
            if len(rows) % PAUSE == 0:
                yield
        rows += [Row([option + 1], None, 1, None) for option in self._given]
        self._rows = rows

    def _program(self) -> Program:
        assert self._rows is not None
        for _, options in self._found[len(self._exclusions) :]:
            self._exclusions.append(self._exclusion(options))
        rows = [*self._rows, *self._exclusions]
        start = None
        if self._incumbent is not None:
            start = frozenset(option + 1 for option in self._incumbent[1])
        stopped = threading.Event()
        return Program(self._variables, self._scaled(), rows, self._workers, stopped, start)

    def offer(self, cost: int, options: Sequence[int]) -> None:
        """Tells a solution that was found elsewhere; the solver starts with it."""
        if self._incumbent is None or cost < self._incumbent[0]:
            self._incumbent = (cost, list(options))

    def _exclusion(self, options: Sequence[int]) -> Row:
        """The constraint that the solution is not this one."""
        chosen = {option + 1 for option in options}
        variables = sorted(chosen | self._loose)
        factors = [1 if one in chosen else -1 for one in variables]
        return Row(variables, factors, None, len(chosen) - 1)

    def pause(self) -> None:
        """Stops the solver until the next `run`, and keeps the solution that it has."""
        if self._running is None:
            return
        outcome = self._running.stop()
        if not self._running.is_alive():  # else it ends later; the next `run` waits for that
            self._running = None
        if outcome is not None:
            self._use(outcome)

    def best(self) -> list[tuple[int, list[int]]]:
        """Costs and options of the cheapest so far, in order."""
        incumbent = [] if self._incumbent is None else [self._incumbent]
        return (self._found + incumbent)[: self._k]

    @property
    def bounds(self) -> tuple[int | None, int | None]:
        """The least cost so far, and the bound of all solutions not yet found."""
        best = self.best()
        return best[0][0] if best else None, self._bound

    @property
    def stats(self) -> Stats:
        """The work so far; a node is a program solved."""
        return Stats(self._solved, 0, len(self.best()), (self._solved,), self._seconds)

    def save(self) -> bytes:
        """The solutions proved to be the cheapest, the best one besides, and the bound."""
        incumbent = None if self._incumbent is None else self._incumbent[1]
        found = [options for _, options in self._found]
        state = {"found": found, "incumbent": incumbent, "bound": self._bound}
        return json.dumps(state).encode()

    def restore(self, state: bytes) -> None:
        """Goes on from what `save` returned; before the first `run`. Raises ValueError."""
        try:
            saved = json.loads(state)
            found, incumbent, bound = (saved[name] for name in ("found", "incumbent", "bound"))
            if not isinstance(bound, int | None) or not isinstance(found, list):
                raise ValueError
            for options in found:
                self._keep(self._checked(options))
            if incumbent is not None and not self._finished:
                self._incumbent = self._checked(incumbent)
            self._bound = bound
        except (ValueError, TypeError, KeyError, RecursionError):
            raise ValueError("the state of the search cannot be read") from None

    def _checked(self, options: object) -> tuple[int, list[int]]:
        """The cost and the options of a solution from a saved state."""
        if not isinstance(options, list) or not {int} >= set(map(type, options)):
            raise ValueError
        if not all(0 <= one < self._options for one in options):
            raise ValueError
        return sum(self._costs[option] for option in options), options

    def _scaled(self) -> list[int]:
        return [cost // self._unit for cost in self._costs]

    def _use(self, outcome: Outcome) -> None:
        """Keeps a result of the solver."""
        if outcome.bound is not None and abs(outcome.bound) < LARGEST_FLOAT:
            bound = ceil(outcome.bound - 1e-6) * self._unit
            self._bound = bound if self._bound is None else max(self._bound, bound)
        if outcome.status == "infeasible":
            self._finished = True
            self._incumbent = None
            self._bound = self._found[-1][0] if self._found else None
            return
        if outcome.chosen is None:
            return
        others = sorted({one - 1 for one in outcome.chosen if one <= self._options})
        options = [*self._given, *(one for one in others if one not in set(self._given))]
        pair = (sum(self._costs[option] for option in options), options)
        if outcome.status == "stopped":
            if self._incumbent is None or pair[0] < self._incumbent[0]:
                self._incumbent = pair
            return
        self._solved += 1
        self._keep(pair)

    def _keep(self, pair: tuple[int, list[int]]) -> None:
        """Keeps a solution that is proved to be the cheapest, and excludes it."""
        self._incumbent = None
        self._found.append(pair)
        self._bound = pair[0]
        self._finished = len(self._found) == self._k


class MinimumWithProgram(BackgroundMinimizer):
    """Branch and bound and, beside it, a solver of integer programs in a thread of its own.

    For one cheapest solution, whichever of those of equal cost: the first to finish has it. They
    tell each other their solutions. The solver computes in floating point: costs are at most
    `LARGEST_TRUSTED` together, its bound counts only once it has finished, and that there is no
    solution only branch and bound may say. If the solver fails, or its best solution is not the
    best one known, branch and bound continues alone.
    """

    def __init__(
        self,
        search: MinimumWithDiagram,
        open_program: Callable[[], ProgramMinimum],
        after: float,
        near: float,
    ) -> None:
        """The program is opened after this number of seconds of branch and bound.

        After `near` seconds where the gap is small by then: branch and bound may be about to end.
        """
        self._search = search
        self._open_program = open_program
        self._program: ProgramMinimum | None = None
        self._after = after
        self._near = near
        self._done = False  # has the program proved that its solution is the cheapest?
        self._stopped = False  # has it failed, or ended without a solution?

    def run(self, seconds: float = inf) -> bool:
        """Searches for `seconds`. True when it has finished."""
        until = self._spent() + seconds
        while not self._done and (left := until - self._spent()) > 0:
            alone = inf if self._stopped else self._seconds_alone()
            if self._search.run(min(left, WAIT if alone <= 0 else alone)):
                self.pause()
                return True
            if alone <= WAIT:
                self._run_program(min(POLL, left))
        return self._done

    def _seconds_alone(self) -> float:
        """How long branch and bound goes on alone, as it seems now."""
        seconds = self._search.stats.seconds
        if self._program is not None or seconds < self._after:
            return self._after - seconds
        near = relative_gap(*self._search.bounds) <= SMALL_GAP
        return min(self._near - seconds, LOOK) if near else 0.0

    def _run_program(self, seconds: float) -> None:
        try:
            if self._program is None:
                self._program = self._open_program()
                for pair in self._search.best()[:1]:
                    self._program.offer(*pair)
            finished = self._program.run(seconds)
            least, known = self._program.bounds[0], self._search.bounds[0]
            if finished:
                self._done = least is not None and (known is None or least <= known)
                self._stopped = not self._done
            elif least is not None and (known is None or least < known):
                for pair in self._program.best():
                    self._search.offer(*pair)
        except (InvalidArgument, MemoryError, RuntimeError) as error:
            log.info("minimum: HiGHS has failed, branch and bound continues alone: %s", error)
            self._program, self._stopped = None, True

    def pause(self) -> None:
        """Stops the solver until the next `run`."""
        if self._program is not None:
            self._program.pause()

    def best(self) -> list[tuple[int, list[int]]]:
        """Cost and options of the cheapest so far."""
        of_program = [] if self._program is None else self._program.best()
        return sorted([*self._search.best(), *of_program], key=lambda pair: pair[0])[:1]

    @property
    def bounds(self) -> tuple[int | None, int | None]:
        """The least cost so far, and the bound of all solutions not yet found.

        Before the solver has finished, it is the bound of branch and bound, proved in integers.
        """
        both = [one.bounds[0] for one in (self._search, self._program) if one is not None]
        least = min((cost for cost in both if cost is not None), default=None)
        return least, least if self._done else self._search.bounds[1]

    @property
    def stats(self) -> Stats:
        """The work of the branch and bound, with the seconds of both."""
        stats = self._search.stats
        if self._program is None:
            return stats
        return stats._replace(seconds=stats.seconds + self._program.stats.seconds)

    def seconds_by_method(self) -> dict[str, float]:
        """The seconds of work of each method; the solver works while branch and bound does."""
        methods = self._search.seconds_by_method()
        if self._program is None:
            return methods
        alongside = max(0.0, sum(methods.values()) - self._after)
        return {**methods, "highs": self._program.stats.seconds + alongside}

    def _spent(self) -> float:
        return self.stats.seconds


class _Running:
    """A solver at work in a thread."""

    def __init__(self, make: Callable[[Program], Solver], program: Program) -> None:
        self._make = make
        self._program = program
        self._solver: Solver | None = None
        self._outcome: Outcome | None = None
        self._error: BaseException | None = None
        self._reported: Outcome | None = None
        self._thread = threading.Thread(target=self._work, name="dlx solver", daemon=True)
        self._thread.start()

    def _work(self) -> None:
        try:
            self._solver = self._make(self._program)
            if not self._program.stopped.is_set():
                self._outcome = self._solver.solve()
        except _Stopped:
            pass
        except BaseException as error:
            self._error = error

    def wait(self, seconds: float) -> Outcome | None:
        """The result, or None if there is none after `seconds`."""
        self._thread.join(seconds)
        if self._thread.is_alive():
            return None
        if self._error is not None:
            raise self._error
        return self._outcome

    def known(self) -> Outcome | None:
        """What the solver knows so far; None if that is no more than before."""
        known = None if self._solver is None else self._solver.known
        if known is None or known == self._reported:
            return None
        self._reported = known
        return known

    def is_alive(self) -> bool:
        """Whether the solver is at work, or about to stop."""
        return self._thread.is_alive()

    def stop(self) -> Outcome | None:
        """Stops the solver; returns what it has found, if it stops in time."""
        self._program.stopped.set()
        if self._solver is not None:
            self._solver.stop()
        wait_for_end(self._thread)
        return self.wait(0)


# -- the solvers ---------------------------------------------------------------------------------


def _load_highs() -> Callable[[Program], Solver]:
    try:
        import highspy  # type: ignore[import-untyped, unused-ignore]
        import numpy as np
    except ImportError as error:
        raise _not_installed("highs", "highspy", error) from None

    class Highs:
        """HiGHS: branch and cut over a linear program, in floating point."""

        def __init__(self, program: Program) -> None:
            lp = highspy.HighsLp()
            lp.num_col_, lp.num_row_ = program.variables, len(program.rows)
            costs = np.zeros(program.variables)
            costs[: len(program.costs)] = program.costs
            lp.col_cost_ = costs
            lp.col_lower_ = np.zeros(program.variables)
            lp.col_upper_ = np.ones(program.variables)
            endless = highspy.kHighsInf
            rows = list(program.checked_rows())
            lp.row_lower_ = np.array([_or(row.low, -endless) for row in rows])
            lp.row_upper_ = np.array([_or(row.high, endless) for row in rows])
            lp.integrality_ = [highspy.HighsVarType.kInteger] * program.variables
            lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
            lengths = [len(row.variables) for row in rows]
            lp.a_matrix_.start_ = np.concatenate([[0], np.cumsum(lengths, dtype=np.int32)])
            variables = chain.from_iterable(row.variables for row in rows)
            lp.a_matrix_.index_ = np.fromiter(variables, np.int32, sum(lengths)) - 1
            factors = chain.from_iterable(map(_factors, rows))
            lp.a_matrix_.value_ = np.fromiter(factors, float, sum(lengths))
            self._variables = program.variables
            # Costs are integers, so a gap of a half is a proof.
            self._solver = solver = open_highs(program.workers, mip_rel_gap=0.0, mip_abs_gap=0.5)
            solver.passModel(lp)
            self.known: Outcome | None = None
            solver.cbMipImprovingSolution.subscribe(self._note)
            solver.cbMipInterrupt.subscribe(self._note)
            # Only a whole solution: HiGHS completes one without colors by another program first,
            # and would tell the bound of that.
            if program.start is not None and program.variables == len(program.costs):
                values = np.zeros(program.variables)
                values[np.fromiter(program.start, np.int32) - 1] = 1.0
                every = np.arange(program.variables, dtype=np.int32)
                solver.setSolution(program.variables, every, values)

        def _note(self, event: Any) -> None:
            """Keeps the best solution and the bound, in the solver's thread."""
            values, bound = event.data_out.mip_solution, event.data_out.mip_dual_bound
            chosen = None if self.known is None else self.known.chosen
            if len(values):
                chosen = frozenset((np.flatnonzero(np.asarray(values) > 0.5) + 1).tolist())
            self.known = Outcome("stopped", chosen, bound)

        def solve(self) -> Outcome:
            solver = self._solver
            solver.run()
            status = solver.getModelStatus()
            known = highspy.HighsModelStatus
            if status in (known.kInfeasible, known.kUnboundedOrInfeasible):
                return Outcome("infeasible", None, None)
            info = solver.getInfo()
            chosen = None
            if info.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible:
                values = solver.getSolution().col_value
                chosen = frozenset(one + 1 for one, value in enumerate(values) if value > 0.5)
            done = status in (known.kOptimal, known.kModelEmpty)
            bound = info.mip_dual_bound
            return Outcome("optimal" if done else "stopped", chosen, bound)

        def stop(self) -> None:
            self._solver.cancelSolve()

    return Highs


def _load_cp_sat() -> Callable[[Program], Solver]:
    try:
        from ortools.sat.python import cp_model  # type: ignore[import-not-found, unused-ignore]
    except ImportError as error:
        raise _not_installed("cp-sat", "ortools", error) from None

    class CpSat:
        """CP-SAT of OR-Tools: clause learning with linear programs, in integers."""

        def __init__(self, program: Program) -> None:
            self._model = model = cp_model.CpModel()
            self._bools = bools = [model.new_bool_var("") for _ in range(program.variables)]
            total = cp_model.LinearExpr.weighted_sum
            for row in program.checked_rows():
                factors = list(_factors(row))
                terms = total([bools[variable - 1] for variable in row.variables], factors)
                most = sum(map(abs, factors))
                model.add_linear_constraint(terms, _or(row.low, -most), _or(row.high, most))
            self._minimizes = any(program.costs)
            if self._minimizes:
                model.minimize(total(bools[: len(program.costs)], list(program.costs)))
            if program.start is not None:
                for variable, one in enumerate(bools[: len(program.costs)], start=1):
                    model.add_hint(one, variable in program.start)
            self._solver = cp_model.CpSolver()
            self._solver.parameters.num_workers = program.workers
            self.known: Outcome | None = None
            if self._minimizes:
                self._solver.best_bound_callback = self._note_bound

        def _note_bound(self, bound: float) -> None:
            chosen = None if self.known is None else self.known.chosen
            self.known = Outcome("stopped", chosen, bound)

        def _note_solution(self, callback: Any) -> None:
            values = map(callback.boolean_value, self._bools)
            chosen = frozenset(one for one, value in enumerate(values, start=1) if value)
            self.known = Outcome("stopped", chosen, callback.best_objective_bound)

        def solve(self) -> Outcome:
            note = self._note_solution

            class Improved(cp_model.CpSolverSolutionCallback):  # type: ignore[misc, unused-ignore]
                """Keeps each better solution."""

                def on_solution_callback(self) -> None:
                    note(self)

            callback = Improved() if self._minimizes else None
            status = self._solver.solve(self._model, callback)
            if status == cp_model.INFEASIBLE:
                return Outcome("infeasible", None, None)
            chosen = None
            if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
                values = map(self._solver.boolean_value, self._bools)
                chosen = frozenset(one for one, value in enumerate(values, start=1) if value)
            done = status == cp_model.OPTIMAL or (chosen is not None and not self._minimizes)
            bound = self._solver.best_objective_bound if self._minimizes else 0.0
            return Outcome("optimal" if done else "stopped", chosen, bound)

        def stop(self) -> None:
            self._solver.stop_search()

    return CpSat


PROGRAMS: dict[str, Callable[[], Callable[[Program], Solver]]] = {
    "highs": _load_highs,
    "cp-sat": _load_cp_sat,
}
"""Loaders of the solvers, by the name of the engine."""


def _factors(row: Row) -> Iterable[int]:
    """The factors of the variables of a row."""
    return repeat(1, len(row.variables)) if row.factors is None else row.factors


def _or(bound: int | None, otherwise: float) -> Any:
    return otherwise if bound is None else bound


def _not_installed(engine: str, package: str, error: ImportError) -> InvalidArgument:
    if isinstance(error, ModuleNotFoundError):
        return InvalidArgument(
            f"engine={engine!r} needs the package {package}, which is not installed: "
            f"pip install {package} ({error})"
        )
    return InvalidArgument(
        f"engine={engine!r} needs the package {package}, which is installed but cannot be "
        f"imported. Some versions of highspy and ortools cannot be used in one process; use one "
        f"of them, or two processes ({error})"
    )
