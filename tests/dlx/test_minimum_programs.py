"""The engines "highs" and "cp-sat": the same costs as the other engines, and valid solutions.

The libraries of highspy and ortools cannot be loaded into one process (in the versions tested), so
CP-SAT runs in processes of its own.
"""

from __future__ import annotations

import itertools
import os
import random
import subprocess
import sys
import threading
from collections.abc import Callable
from math import inf
from pathlib import Path
from types import SimpleNamespace

import pytest
from bruteforce import Case
from hypothesis import given
from hypothesis import strategies as st
from internals import table_of
from strategies import multi_cases, parts_of_solutions

import dlx
from dlx import models
from dlx.analysis import integer_program
from dlx.analysis.integer_program import MinimumWithProgram, ProgramMinimum
from dlx.analysis.minimum_by_diagram import MinimumWithDiagram
from dlx.plan import Thresholds


def check_same(problem: dlx.Problem, engine: str, k: int, given: tuple[object, ...] = ()) -> None:
    """The costs of all engines are the same; solutions are valid, different, and cost that."""
    for method in ("minimum", "maximum"):
        right = getattr(problem, method)(k, given=given)
        found = getattr(problem, method)(k, given=given, engine=engine)
        assert [cost for cost, _ in found] == [cost for cost, _ in right]
        assert len({frozenset(solution) for _, solution in found}) == len(found)
        for cost, solution in found:
            problem.verify(solution)
            assert problem.cost_of(solution) == cost
            assert set(given) <= set(solution)


def check_many(engine: str, seeds: range) -> None:
    """Random small problems with multiplicities, weights, colors and givens."""
    for seed in seeds:
        rng = random.Random(seed)
        primary, secondary = range(rng.randint(1, 6)), ["u", "v"]
        options = []
        for _ in range(rng.randint(0, 14)):
            option: list[object] = list(rng.sample(primary, rng.randint(1, min(3, len(primary)))))
            option += [
                dlx.colored(item, rng.choice("AB")) for item in secondary if rng.random() < 0.3
            ]
            options.append(option)
        bounds = {
            item: (low := rng.choice((0, 1, 1, 2)), max(1, low + rng.choice((0, 1))))
            for item in primary
        }
        problem = dlx.Problem.from_options(
            options,
            primary=primary,
            secondary=secondary,
            multiplicities=bounds if rng.random() < 0.7 else None,
            costs=[rng.randint(-9, 9) for _ in options],
        )
        check_same(problem, engine, rng.choice((1, 3, 30)))


@given(
    case=multi_cases(weights=True),
    costs=st.lists(st.integers(-9, 9) | st.integers(-(10**9), 10**9), min_size=9, max_size=9),
    k=st.integers(1, 6),
    data=st.data(),
)
def test_highs_finds_the_same(case: Case, costs: list[int], k: int, data: st.DataObject) -> None:
    pytest.importorskip("highspy")
    problem = case.problem(costs[: len(case.options)])
    visited = list(problem.solutions())
    chosen = data.draw(parts_of_solutions(visited)) if visited else ()
    check_same(problem, "highs", k, chosen)


@given(
    case=multi_cases(weights=True),
    costs=st.lists(st.integers(-9, 9), min_size=9, max_size=9),
    sign=st.sampled_from((1, -1)),
)
def test_highs_near_branch_and_bound(case: Case, costs: list[int], sign: int) -> None:
    """Whichever of the two is the first to finish: the same cost."""
    pytest.importorskip("highspy")
    problem = case.problem(costs[: len(case.options)])
    rank = problem.minimum if sign > 0 else problem.maximum
    expected = [cost for cost, _ in rank(engine="links")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Thresholds, "highs", 0)
        patch.setattr(Thresholds, "highs_far", 0)
        patch.setattr(MinimumWithProgram, "run", only_the_program)
        found = rank(any_order=True)
    assert [cost for cost, _ in found] == expected
    for cost, solution in found:
        problem.verify(solution)
        assert problem.cost_of(solution) == cost


@pytest.mark.parametrize("fails_at", ["open", "run"])
def test_branch_and_bound_continues_if_highs_fails(
    fails_at: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A library that cannot be imported, or fails, costs the call nothing but its help."""
    pytest.importorskip("highspy")
    problem = models.queens(6).with_costs([n * n % 17 for n in range(36)])
    failed: list[str] = []

    def fail(*arguments: object) -> None:
        failed.append(fails_at)
        raise dlx.InvalidArgument("it cannot be imported") if fails_at == "open" else MemoryError

    name = "__init__" if fails_at == "open" else "run"
    monkeypatch.setattr(ProgramMinimum, name, fail)
    monkeypatch.setattr(Thresholds, "highs", 0)
    monkeypatch.setattr(Thresholds, "highs_far", 0)
    monkeypatch.setattr(MinimumWithDiagram, "run", slowly)
    found = problem.minimum(any_order=True)
    assert failed == [fails_at]
    assert [cost for cost, _ in found] == [cost for cost, _ in problem.minimum(engine="links")]


def test_that_there_is_no_solution_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The solver computes in floating point; the end of branch and bound is exact."""
    pytest.importorskip("highspy")
    monkeypatch.setattr(ProgramMinimum, "run", lambda self, seconds: True)
    monkeypatch.setattr(ProgramMinimum, "best", lambda self: [])
    monkeypatch.setattr(Thresholds, "highs", 0)
    monkeypatch.setattr(Thresholds, "highs_far", 0)
    monkeypatch.setattr(MinimumWithDiagram, "run", slowly)
    problem = models.queens(6).with_costs(range(36))
    found = [cost for cost, _ in problem.minimum(any_order=True)]
    assert found == [cost for cost, _ in problem.minimum(engine="links")]


def test_large_costs_are_for_branch_and_bound_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("highspy")

    def refuse(*arguments: object) -> None:
        raise LookupError("a program")

    monkeypatch.setattr(integer_program, "MinimumWithProgram", refuse)
    problem = dlx.Problem.from_options([["a"], ["a"]], costs=[10**9 - 1, 2])
    assert problem.minimum(any_order=True) == [(2, (1,))]
    with pytest.raises(LookupError, match="a program"):
        problem.with_costs([10**9 - 2, 2]).minimum(any_order=True)


def slowly(self: MinimumWithDiagram, seconds: float = inf) -> bool:
    """As `run`, but the first run ends at once, so that others have a turn."""
    if self.__dict__.setdefault("waits", True):
        self.__dict__["waits"] = False
        return False
    return plain_run(self, seconds)


plain_run = MinimumWithDiagram.run


def only_the_program(self: MinimumWithProgram, seconds: float) -> bool:
    """As `run`, without branch and bound, which would finish first."""
    if self._program is None:
        self._program = self._open_program()
    self._done = self._program.run(seconds)
    return self._done


@pytest.mark.lengthy
@pytest.mark.parametrize("engine", ["highs", "cp-sat"])
def test_in_a_process_of_its_own(engine: str) -> None:
    code = (
        "import test_minimum_programs as tests\n"
        f"tests.check_many({engine!r}, range(60))\n"
        f"tests.check_limits({engine!r})\n"
        "print('the same')\n"
    )
    ran = subprocess.run(
        [sys.executable, "-P", "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])},
        check=False,
    )
    if "is not installed" in ran.stderr:
        pytest.skip(f"{engine} is not installed")
    assert ran.stdout == "the same\n", ran.stderr


def check_limits(engine: str) -> None:
    """A timeout brings the best so far; the search can be resumed; progress is reported."""
    rng = random.Random(4)
    pairs = [(one, other) for one in range(40) for other in range(one) if rng.random() < 0.45]
    options = [
        [("x", one), *[(pair, slot) for pair in pairs if one in pair]]
        for one in range(40)
        for slot in range(12)
    ]
    problem = dlx.Problem.from_options(
        options,
        primary=[("x", one) for one in range(40)],
        secondary=[(pair, slot) for pair in pairs for slot in range(12)],
        costs=[rng.randint(0, 20) for _ in options],
    )
    seen: list[dlx.Progress] = []
    with pytest.raises(dlx.MinimumInterrupted) as caught:
        problem.minimum(engine=engine, timeout=0.3, progress=seen.append)
    stopped = caught.value
    assert seen
    for cost, solution in stopped.best:
        problem.verify(solution)
        assert problem.cost_of(solution) == cost
        assert stopped.bound is None or stopped.bound <= cost
    with pytest.raises(dlx.MinimumInterrupted) as caught:
        stopped.resume(timeout=0.1)
    assert caught.value.stats.seconds >= stopped.stats.seconds


def test_costs_beyond_floating_point_are_refused() -> None:
    pytest.importorskip("highspy")
    problem = dlx.Problem.from_options([["a"], ["a"]], costs=[2**60 + 1, 2**60])
    with pytest.raises(dlx.InvalidCost, match="HiGHS computes in floating point"):
        problem.minimum(engine="highs")
    problem = dlx.Problem.from_options([["a"], ["a"]], costs=[2**60, 2**59])
    assert problem.minimum(engine="highs") == [(2**59, (1,))]


@pytest.mark.parametrize(("engine", "package"), [("highs", "highspy"), ("cp-sat", "ortools")])
def test_a_missing_package_is_named(
    engine: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    if engine == "cp-sat":
        monkeypatch.setitem(sys.modules, "ortools.sat.python", None)
    with pytest.raises(dlx.InvalidArgument, match=f"pip install {package}"):
        models.queens(4).minimum(engine=engine)


def test_an_error_of_the_solver_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def __init__(self, program: integer_program.Program) -> None:
            self.program = program

        def solve(self) -> integer_program.Outcome:
            raise MemoryError("of the solver")

        def stop(self) -> None:
            pass

    load: Callable[[], type[Broken]] = lambda: Broken  # noqa: E731
    monkeypatch.setitem(integer_program.PROGRAMS, "highs", load)
    with pytest.raises(MemoryError, match="of the solver"):
        models.queens(4).minimum(engine="highs")


class Patient:
    """A solver that a caller's thread must not make, and that continues after it is stopped."""

    made = 0
    known = None
    ended = threading.Event()

    def __init__(self, program: integer_program.Program) -> None:
        type(self).made += 1
        assert threading.current_thread().name == "dlx solver"
        assert len([*program.checked_rows()]) == len(program.rows)

    def solve(self) -> integer_program.Outcome:
        self.ended.wait()
        return integer_program.Outcome("stopped", frozenset([1]), None)

    def stop(self) -> None:
        pass


@pytest.mark.lengthy
def test_a_timeout_ends_the_making_of_the_program_and_the_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Patient, "made", 0)
    monkeypatch.setattr(Patient, "ended", threading.Event())
    monkeypatch.setitem(integer_program.PROGRAMS, "highs", lambda: Patient)
    ticks = itertools.count()
    clock = SimpleNamespace(monotonic=lambda: next(ticks) / 100)
    monkeypatch.setattr(integer_program, "time", clock)
    problem = dlx.Problem.from_options([[item, -item - 1] for item in range(20_000)])
    with pytest.raises(dlx.MinimumInterrupted) as caught:
        problem.minimum(engine="highs", timeout=0.03)
    assert (Patient.made, caught.value.best) == (0, ())
    for _ in range(2):  # the second time, the solver has not yet ended
        resume = caught.value.resume
        with pytest.raises(dlx.MinimumInterrupted) as caught:
            resume(timeout=0.6)
        assert (Patient.made, caught.value.best) == (1, ())
    Patient.ended.set()
    resume = caught.value.resume
    with pytest.raises(dlx.MinimumInterrupted) as caught:
        resume(timeout=0.3)
    assert Patient.made > 1
    assert caught.value.best == ((0, (0,)),)


def test_a_solver_that_is_stopped_before_it_has_begun_does_not_begin() -> None:
    stopped = threading.Event()
    rows = [integer_program.Row([1], None, 1, None)]
    program = integer_program.Program(1, [0], rows, 1, stopped)
    assert [*program.checked_rows()] == rows
    stopped.set()
    with pytest.raises(integer_program._Stopped):
        next(program.checked_rows())


def test_what_stopped_solvers_have_found_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cheapest solution and the highest bound of several runs, which are in no order."""
    found = [(1, 2.0), (3, 4.0), (2, 3.0)]

    class Stopped:
        def __init__(self, program: integer_program.Program) -> None:
            self.program = program

        def solve(self) -> integer_program.Outcome:
            chosen, bound = found.pop(0)  # at last IndexError
            return integer_program.Outcome("stopped", frozenset([chosen]), bound)

        def stop(self) -> None:
            pass

    monkeypatch.setitem(integer_program.PROGRAMS, "highs", lambda: Stopped)
    problem = dlx.Problem.from_options([["a"], ["a"], ["a"]], costs=[90, 70, 50])
    search = integer_program.ProgramMinimum("highs", table_of(problem), [], problem.costs, 1)
    with pytest.raises(IndexError):
        search.run()
    assert search.best() == [(50, [2])]
    assert search.bounds == (50, 40)


def test_a_known_solution_is_no_bound() -> None:
    """HiGHS completes a part of a solution by another program, and would report its bound."""
    highs = pytest.importorskip("highspy") and integer_program.PROGRAMS["highs"]()
    problem = models.langford(7)
    costs = [option * 7919 % 101 for option in range(len(problem))]
    dear, solution = problem.maximum(costs=costs)[0]
    least = problem.minimum(costs=costs)[0][0]
    bounds = []

    class Watched(highs):  # type: ignore[misc, valid-type]
        """Keeps all bounds that are reported."""

        def __setattr__(self, name: str, value: object) -> None:
            if name == "known" and value is not None:
                bounds.append(value.bound)  # type: ignore[attr-defined]
            super().__setattr__(name, value)

    program = ProgramMinimum("highs", table_of(problem), [], costs, 1)
    program._make = Watched
    program.offer(dear, [problem.index_of(name) for name in solution])
    assert program.run()
    assert program.bounds == (least, least)
    assert bounds
    assert max(bounds) <= least < dear


@pytest.mark.parametrize(("bound", "opened"), [(None, 1.0), (50, 1.0), (99, 30.0)])
def test_highs_waits_longer_where_branch_and_bound_may_end_soon(
    bound: int | None, opened: float
) -> None:
    """Seconds are made up: only when the solver is opened matters."""

    class Search:
        bounds = (100, bound)
        stats = dlx.Stats(1, 1, 0, (1,), 0.0)

        def run(self, seconds: float) -> bool:
            self.stats = self.stats._replace(seconds=self.stats.seconds + seconds)
            return False

        def best(self) -> list[object]:
            return []

    search, moments = Search(), []

    def fail() -> ProgramMinimum:
        moments.append(search.stats.seconds)
        raise dlx.InvalidArgument("no solver")

    both = MinimumWithProgram(search, fail, 1.0, 30.0)  # type: ignore[arg-type]
    assert not both.run(40.0)
    assert moments == [pytest.approx(opened, abs=integer_program.LOOK)]
    assert both.bounds == (100, bound)


def test_a_proof_of_the_solver_counts_only_for_the_best_solution_known() -> None:
    """The solver computes in floating point: its best solution may be another's second best."""

    class Search:
        def __init__(self, least: int) -> None:
            self.bounds = (least, 7)
            self.stats = dlx.Stats(1, 1, 0, (1,), 0.0)

        def run(self, seconds: float) -> bool:
            self.stats = self.stats._replace(seconds=self.stats.seconds + seconds)
            return False

        def best(self) -> list[object]:
            return [(self.bounds[0], [1])]

    class Finished:
        bounds = (10, 10)
        stats = dlx.Stats(1, 1, 0, (1,), 0.0)

        def offer(self, cost: int, options: list[int]) -> None:
            pass

        def run(self, seconds: float) -> bool:
            return True

        def pause(self) -> None:
            pass

        def best(self) -> list[object]:
            return [(10, [2])]

    for least, finished, bounds in ((10, True, (10, 10)), (12, True, (10, 10)), (9, False, (9, 7))):
        both = MinimumWithProgram(Search(least), Finished, 0.0, 0.0)  # type: ignore[arg-type]
        assert both.run(1.0) == finished
        assert both.bounds == bounds
