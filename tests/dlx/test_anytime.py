"""`minimum` that stops before its proof: gap, target, on_timeout; bounds, pictures, journals."""

from __future__ import annotations

import itertools
import json
import pickle
import random
from array import array
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from math import inf
from pathlib import Path
from typing import Any
from xml.dom import minidom

import pytest
from bruteforce import Case
from hypothesis import given, settings
from hypothesis import strategies as st
from internals import kernel_problem, table_of
from journal_runs import folder_in_memory
from schemas import Schema
from strategies import multi_cases

import dlx
from dlx import models
from dlx.analysis import minimum
from dlx.analysis.gap import StoppingRule, relative_gap
from dlx.analysis.integer_program import Outcome, ProgramMinimum
from dlx.analysis.minimum_by_diagram import MinimumWithDiagram
from dlx.cli.main import main
from dlx.plan import Thresholds

SCHEMA = Path(__file__).parents[2] / "docs" / "dlx.schema.json"
gaps = st.sampled_from([0.0, 0, 0.01, Fraction(1, 3), Decimal("0.2"), 0.5, 1])
small_costs = st.integers(-9, 9)
costs_of_types = st.one_of(
    st.lists(small_costs, min_size=9, max_size=9),
    st.lists(st.integers(1, 40), min_size=9, max_size=9),
    st.lists(st.fractions(-5, 5, max_denominator=12), min_size=9, max_size=9),
    st.lists(st.decimals(-9, 9, places=2), min_size=9, max_size=9),
    st.lists(st.integers(-600, 600).map(lambda number: number / 64), min_size=9, max_size=9),
)


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches look at their limits as often as possible; all methods begin at once."""
    make_eager(monkeypatch)


def make_eager(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(minimum, "FIRST_CHECK", 1e-9)
    patch.setattr(minimum, "PROGRESS_INTERVAL", 1e-9)
    patch.setattr(minimum, "LOOK_SHARE", 0)
    patch.setattr(minimum, "SINGLE_THREAD_WORK", 1000)
    patch.setattr(Thresholds, "relaxation", 0)
    patch.setattr(Thresholds, "diagram", 0)
    patch.setattr(Thresholds, "highs", 0)
    patch.setattr(Thresholds, "highs_far", 0)


def check(
    answer: dlx.Ranking[Any, Any],
    exact: Sequence[Fraction],
    k: int,
    sign: int,
    stop: dict[str, Any],
) -> None:
    """What an answer says of itself is true; `exact` has the k best costs, from the best."""
    costs = [Fraction(cost) for cost, _ in answer]
    assert costs == sorted(costs, reverse=sign < 0)
    near = 1e-9 if any(isinstance(cost, float) for cost, _ in answer) else 0  # of rounded totals
    assert answer.proved == (answer.gap == 0)
    if answer.proved:
        assert len(costs) == len(exact)
        assert all(abs(cost - best) <= near for cost, best in zip(costs, exact, strict=True))
        assert answer.bound == (answer[-1][0] if answer else None)
    if answer.bound is not None:
        bound = Fraction(answer.bound)
        for place, best in enumerate(exact):
            others = bound if place >= len(costs) else sign * min(sign * bound, sign * costs[place])
            assert sign * others <= sign * best + near
    if answer.gap < inf and not answer.proved:
        assert len(costs) == k
        assert answer.bound is not None
        wide = sign * (costs[-1] - Fraction(answer.bound))
        assert answer.gap == pytest.approx(float(wide / abs(costs[-1])))
        assert sign * (costs[-1] - exact[-1]) <= wide + near
    if answer.stopped_by is None:
        assert answer.proved
        assert repr(answer) == repr(list(answer))
        return
    assert answer.proved or repr(answer).startswith("<dlx.Ranking [")
    if answer.stopped_by == "gap":
        assert len(costs) == k
        assert answer.gap <= Fraction(stop["gap"]) + Fraction(1, 10**15)
        assert sign * (costs[-1] - exact[-1]) <= Fraction(stop["gap"]) * abs(costs[-1]) + near
    elif answer.stopped_by == "target":
        assert len(costs) == k
        assert sign * costs[-1] <= sign * Fraction(stop["target"]) + near
    else:
        assert answer.stopped_by == "timeout"
        assert stop["timeout"] is not None


# -- against all solutions -----------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["auto", "links", "python"])
@settings(max_examples=200)
@given(
    case=multi_cases(weights=True),
    costs=costs_of_types,
    k=st.sampled_from([1, 1, 2, 5]),
    sign=st.sampled_from([1, -1]),
    gap=gaps,
    target=st.none() | st.integers(-30, 60),
    timeout=st.sampled_from([None, None, 1e-9, 1e-5]),
    any_order=st.booleans(),
)
def test_all_that_is_said_is_true(
    engine: Any,
    case: Case,
    costs: list[Any],
    k: int,
    sign: int,
    gap: Any,
    target: int | None,
    timeout: float | None,
    any_order: bool,
) -> None:
    """The reference stops after any node; the compiled engines do on the problems below."""
    problem = case.problem()
    costs = costs[: len(problem)]
    rank = problem.minimum if sign > 0 else problem.maximum
    totals = [
        sum((Fraction(costs[one]) for one in found), Fraction()) for found in problem.solutions()
    ]
    exact = sorted(totals, reverse=sign < 0)[:k]
    stop: dict[str, Any] = {"gap": gap, "target": target, "timeout": timeout}
    reports: list[dlx.Progress] = []
    with pytest.MonkeyPatch.context() as patch:
        make_eager(patch)
        answer = rank(
            k,
            costs=costs,
            engine=engine,
            any_order=any_order,
            on_timeout="best",
            progress=reports.append,
            **stop,
        )
    check(answer, exact, k, sign, stop)
    if timeout is None:
        assert reports[-1].relative_gap == answer.gap
    for (_, solution), (cost, _) in zip(answer, answer, strict=True):
        assert isinstance(cost, type(answer[0][0]))
        problem.verify(solution)
    again = pickle.loads(pickle.dumps(answer))
    assert again == answer == list(answer)
    assert (again.bound, again.gap, again.stopped_by) == (
        *(answer.bound, answer.gap, answer.stopped_by),
    )
    assert repr(again) == repr(answer)


def crew(seed: int, items: int = 30, options: int = 400) -> dlx.Problem:
    """Set partitioning with costs near 50 an item, for which the kernel takes some milliseconds."""
    rng = random.Random(seed)
    rows = [[item] for item in range(items)]
    rows += [rng.sample(range(items), rng.randint(2, 5)) for _ in range(options)]
    return dlx.Problem.from_options(rows, costs=[rng.randint(40, 60) * len(row) for row in rows])


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("method", ["minimum", "maximum"])
@pytest.mark.parametrize("engine", ["auto", "links"])
@pytest.mark.parametrize("workers", [1, 2])
def test_compiled_searches_in_all_phases(method: str, engine: str, workers: int) -> None:
    sign = 1 if method == "minimum" else -1
    stopped = set()
    for seed, k, any_order in itertools.product(range(2), (1, 3), (False, True)):
        problem = crew(seed, items=30 if method == "minimum" else 24)
        if seed % 2:
            problem = problem.with_costs([cost - 150 for cost in problem.costs])
        rank = getattr(problem, method)
        exact = [Fraction(cost) for cost, _ in rank(k, engine="links")]
        for stop in (
            *({"gap": gap} for gap in (0.5, 0.1, 0.05, 0.02, 0.005)),
            *({"target": exact[-1] + sign * more} for more in (0, 10, 100)),
            *({"gap": 0.01, "timeout": seconds} for seconds in (1e-4, 1e-3, 3e-3)),
        ):
            answer = rank(
                k,
                engine=engine,
                workers=workers,
                any_order=any_order,
                on_timeout="best",
                **stop,
            )
            stopped.add(answer.stopped_by)
            check(answer, exact, k, sign, {"timeout": None} | stop)
            for cost, solution in answer:
                problem.verify(solution)
                assert problem.cost_of(solution) == cost
    assert "gap" in stopped


class Idle:
    """A search that finds nothing, in no time."""

    stats = dlx.Stats(1, 1, 0, (1,), 0.0)

    def run(self, seconds: float) -> bool:
        return False


def method_of_minimum(name: str, patch: pytest.MonkeyPatch) -> Any:
    """One of the methods of `minimum`, alone, for a problem that takes it some milliseconds."""
    if name == "diagram":
        problem = models.dominoes(6, 6)
        patch.setattr(MinimumWithDiagram, "_allowance", lambda self: inf)
        idle: Any = Idle()
        return MinimumWithDiagram(
            idle, kernel_problem(problem), [], range(60), 3, any_order=False, after=0.0
        )
    problem = crew(0) if name in ("relaxation", "program") else crew(0, items=60, options=1000)
    costs = array("q", problem.costs)
    if name == "program":  # its solver works in a thread of its own
        program = ProgramMinimum("highs", table_of(problem), [], costs, 1)
        found = Outcome("optimal", frozenset(), None)
        patch.setattr(program, "_continue_solving", lambda seconds: program._use(found))
        return program
    workers = 2 if name == "two threads" else 1
    return kernel_problem(problem).minimum(
        costs, [], 1, True, workers, 1000, relaxation=name == "relaxation"
    )


@pytest.mark.parametrize("name", ["one thread", "two threads", "relaxation", "diagram", "program"])
def test_each_slice_does_some_work(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A call of `run` with no time at all gets on, so that some calls are enough."""
    if name == "program":
        pytest.importorskip("highspy")
    search = method_of_minimum(name, monkeypatch)
    assert any(search.run(1e-9) for _ in range(1000))


def test_a_solver_of_integer_programs_has_the_same_limits() -> None:
    pytest.importorskip("highspy")
    problem = crew(1, items=12, options=40)
    exact = [Fraction(cost) for cost, _ in problem.minimum(3)]
    for stop in ({"gap": 0.1}, {"target": exact[-1] + 20}, {"timeout": 1e-3}, {"timeout": 0}):
        answer = problem.minimum(3, engine="highs", on_timeout="best", **stop)
        check(answer, exact, 3, 1, {"timeout": None} | stop)


# -- the definitions -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cost", "bound", "gap"),
    [
        (100, 99, 0.01),
        (100, 100, 0.0),
        (100, 101, 0.0),
        (-100, -101, 0.01),
        (5, -5, 2.0),
        (0, 0, 0.0),
        (0, -1, inf),
        (None, 3, inf),
        (3, None, inf),
        (10**400, 10**400 - 1, 5e-324),
        (1, -(10**400), inf),
    ],
)
def test_the_relative_gap(cost: int | None, bound: int | None, gap: float) -> None:
    assert relative_gap(cost, bound) == gap


def test_gaps_and_targets_are_compared_exactly() -> None:
    third = StoppingRule.checked(Fraction(1, 3), None)
    assert third is not None
    assert third.reason(3 * 10**30, 2 * 10**30) == "gap"
    assert third.reason(3 * 10**30, 2 * 10**30 - 1) is None
    assert third.reason(3, None) is None
    assert third.reason(0, 0) == "gap"
    assert third.reason(0, -1) is None
    whole = StoppingRule.checked(1, None)
    assert whole is not None
    assert (whole.reason(1, 0), whole.reason(1, -1)) == ("gap", None)
    target = StoppingRule.checked(0, Decimal("0.1"))
    assert target is not None
    scaled = target.scaled(-10)
    assert (scaled.reason(-1, None), scaled.reason(0, -1)) == ("target", None)
    assert target.reason(1, 1) is None


BAD = [
    *(
        ("gap", gap)
        for gap in (-0.1, 1.01, inf, float("nan"), "1 %", None, True, Decimal("NaN"), [])
    ),
    *(("target", target) for target in (inf, float("nan"), "7", False, Decimal("-inf"), [7])),
    *(("on_timeout", what) for what in ("keep", None, True, ["best"])),
]


@pytest.mark.parametrize(("name", "value"), BAD)
@pytest.mark.parametrize("method", ["minimum", "maximum"])
def test_bad_values_are_named(method: str, name: str, value: object) -> None:
    with pytest.raises(dlx.InvalidArgument, match=rf"^{name} is .*; it must be "):
        getattr(models.queens(4), method)(**{name: value})


def test_a_gap_of_any_type_of_numbers() -> None:
    """Any type of rational numbers, as NumPy's: what has `as_integer_ratio` or `__index__`."""
    np = pytest.importorskip("numpy")
    problem = models.queens(4).with_costs(range(16))
    for gap in (np.float32(0.5), np.float64(0), np.int64(1)):
        assert problem.minimum(gap=gap)[0][0] == problem.minimum()[0][0]


# -- timeouts ------------------------------------------------------------------------------------


def test_the_best_so_far_instead_of_an_exception() -> None:
    problem = crew(1, items=150, options=4000)
    nothing = problem.minimum(timeout=0, on_timeout="best")
    assert (list(nothing), nothing.bound, nothing.gap) == ([], None, inf)
    assert (nothing.proved, nothing.stopped_by) == (False, "timeout")
    assert repr(nothing) == "<dlx.Ranking [], stopped by the timeout: nothing is proved>"
    stop = problem.maximum(target=0, timeout=60)
    assert stop.stopped_by == "target"
    assert not stop.proved
    with pytest.raises(dlx.MinimumInterrupted) as caught:
        problem.minimum(timeout=0, gap=0.2)
    answer = caught.value.resume(timeout=60)  # the gap still holds
    assert answer.stopped_by == "gap"
    assert 0 < answer.gap <= 0.2


# -- progress, and pictures ----------------------------------------------------------------------


@pytest.mark.usefixtures("eager")
def test_a_trajectory_has_what_was_reported() -> None:
    trajectory = dlx.Trajectory()
    assert "no solution" in trajectory.picture()
    problem = crew(2)
    answer = problem.minimum(progress=trajectory)
    points = trajectory.points
    assert (points[-1].best, points[-1].bound) == (answer[0][0], answer.bound)
    assert points[-1].relative_gap == 0
    known = [point.best for point in points if point.best is not None]
    assert known == sorted(known, reverse=True)
    seconds = [point.seconds for point in points]
    assert seconds == sorted(seconds)
    assert all(
        len({point[:2] for point in points[at : at + 3]}) > 1 for at in range(len(points) - 2)
    )
    assert f"best {answer[0][0]}, bound {answer.bound}" in repr(trajectory)
    assert trajectory._repr_html_() == trajectory.picture()._repr_html_()
    trajectory(dlx.Progress(7, 3, 1, -1.0))  # a new search
    assert len(trajectory.points) == 1
    for step in range(20_000):
        trajectory(dlx.Progress(7, step, 1, float(step)))
    assert len(trajectory.points) <= 4001
    assert trajectory.points[-1].bound == 19_999


@pytest.mark.parametrize(
    "costs",
    [
        [(None, None)],
        [(1, None), (1, 1)],
        [(Fraction(1, 3), Fraction(1, 4)), (0, 0)],
        [(10**18 + 1, 10**18)],
        [(10**400, 5), (7, 5)],
        [(5e-324, 0.0)],
        [(Decimal("1e400"), -1e299)],
        [(-5, -7), (-6, -6)],
    ],
)
def test_pictures_of_any_costs(costs: list[tuple[Any, Any]]) -> None:
    trajectory = dlx.Trajectory()
    for step, (best, bound) in enumerate(costs):
        trajectory(dlx.Progress(best, bound, 1, step / 2))
    drawn = trajectory.picture()
    minidom.parseString(drawn)
    for paths in minidom.parseString(drawn).getElementsByTagName("path"):
        assert not {"nan", "inf"} & set(paths.getAttribute("d").replace("L", " ").split())


def test_a_curve_keeps_its_cost_until_the_next() -> None:
    trajectory = dlx.Trajectory()
    for second, best, bound in ((0.0, 30, 10), (5.0, 20, 10), (10.0, 20, 20)):
        trajectory(dlx.Progress(best, bound, 1, second))
    plot = trajectory.picture()
    (bound,) = [line for line in plot.splitlines() if 'stroke="#d55e00"' in line]
    corners = [
        tuple(map(float, corner.split()))
        for corner in bound.split('d="M')[1].split('"')[0].split("L")
    ]
    (left, low), (middle, _), (_, same), (right, level), (last, high) = corners
    assert low == same == level > high
    assert (middle - left, right) == (right - middle, last)


# -- journals ------------------------------------------------------------------------------------


@pytest.fixture
def path() -> Iterator[Path]:
    with folder_in_memory() as folder:
        yield folder / "min.db"


@pytest.mark.parametrize("engine", ["auto", "links", "highs"])
def test_a_journal_goes_on_with_a_smaller_gap(
    path: Path, engine: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    if engine == "highs":
        pytest.importorskip("highspy")
    else:
        make_eager(monkeypatch)
        monkeypatch.setattr(Thresholds, "relaxation", inf)  # its bound is not kept
    problem = crew(3, items=14 if engine == "highs" else 30)
    expected = problem.minimum(2, engine="links")
    exact = [Fraction(cost) for cost, _ in expected]
    nodes, last = 0, inf
    for stop in (
        {"timeout": 0},
        {"target": exact[1] + 300},
        *({"gap": gap} for gap in (0.5, 0.5, 0.1, 0.02, 0.001)),
    ):
        answer = problem.minimum(2, engine=engine, checkpoint=path, on_timeout="best", **stop)
        check(answer, exact, 2, 1, {"timeout": None} | stop)
        assert answer.gap <= last
        assert answer.stats.nodes >= nodes
        nodes, last = answer.stats.nodes, answer.gap
        assert dlx.Journal(path).status().gap == (None if last == inf else last)
    whole = problem.minimum(2, engine=engine, checkpoint=path)
    assert [cost for cost, _ in whole] == exact
    if engine != "highs":
        assert whole == expected
    for gap in (0, 0.5):  # the journal has the proof now
        again = problem.minimum(2, engine=engine, checkpoint=path, gap=gap)
        assert (list(again), again.bound, again.gap) == (list(whole), whole.bound, 0.0)
        assert (again.stopped_by, again.proved) == (None, True)


# -- the command line ----------------------------------------------------------------------------

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def dlx_min(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Run:
    make_eager(monkeypatch)
    monkeypatch.chdir(tmp_path)
    crew(5, items=50, options=900).dump("crew.dlx")

    def run(*words: str) -> tuple[int, str, str]:
        status = main(words)
        return (status, *capfd.readouterr())

    return run


def test_dlx_min_with_a_gap(dlx_min: Run) -> None:
    status, out, err = dlx_min("min", "crew.dlx", "--gap", "20%", "--json")
    *solutions, last = map(json.loads, out.splitlines())
    assert Schema(SCHEMA).fits(last, "ranking")
    assert (status, err, len(solutions)) == (0, "", 1)
    assert (last["complete"], last["stopped_by"], last["proved"]) == (False, "gap", False)
    cost = solutions[0]["cost"]
    assert 0 < last["gap"] == (cost - last["bound"]) / cost <= 0.2
    status, _, err = dlx_min("min", "crew.dlx", "--gap", "0.2")
    assert (status, "not proved; the bound for all others is " in err) == (0, True)
    assert err.rstrip().endswith("%")
    status, _, err = dlx_min("min", "crew.dlx", "--target", "1e9", "--svg", "crew.svg")
    assert (status, "stopped by the target: not" in err) == (0, True)
    minidom.parse("crew.svg")
    for wrong in (("--gap", "2"), ("--gap", "x"), ("--gap", "1/0"), ("--target", "inf")):
        status, out, err = dlx_min("min", "crew.dlx", *wrong)
        assert (status, out, err.count("\n")) == (2, "", 1)


def test_dlx_resume_with_a_gap(dlx_min: Run) -> None:
    assert dlx_min("min", "crew.dlx", "--gap", "30%", "--checkpoint", "crew.db")[0] == 0
    assert "\ngap: " in dlx_min("status", "crew.db")[1]
    status, _, err = dlx_min("resume", "crew.db", "--gap", "10%")
    assert (status, "stopped by the gap" in err) == (0, True)
    gap = json.loads(dlx_min("status", "crew.db", "--json")[1])["gap"]
    assert 0 < gap <= 0.1
    status, out, _ = dlx_min("resume", "crew.db")
    assert (status, out) == (0, dlx_min("min", "crew.dlx")[1])
    assert json.loads(dlx_min("status", "crew.db", "--json")[1])["gap"] == 0
    assert dlx_min("count", "crew.dlx", "--limit", "9", "--checkpoint", "count.db")[0] == 3
    status, _, err = dlx_min("resume", "count.db", "--gap", "1%")
    assert (status, "the journal is of count" in err) == (2, True)
