"""The linear relaxation: values and prices prove each other optimal, in exact numbers."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from math import ceil, inf
from typing import Any

import pytest
from bruteforce import Case, all_subsets, colors_by_item, weights_by_item
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import any_cases, large_multi_cases, parts_of_solutions

import dlx
from dlx.analysis import linear_program
from dlx.core.kernel import Cancellation, TimeUp

ENGINES = ("highs", "kernel")
CLOSE = Fraction(1, 10**4)
COSTS = st.lists(st.integers(-9, 20), min_size=1, max_size=10)


def cover_of(case: Case, values: Mapping[int, float]) -> dict[Any, float]:
    """How often each item is covered; a color of a secondary item counts as its largest part."""
    cover = dict.fromkeys((*case.primary, *case.secondary), 0.0)
    colored: dict[tuple[Any, Any], float] = {}
    for option, value in values.items():
        weights = weights_by_item(case.options[option])
        for item, color in colors_by_item(case.options[option]).items():
            if color is None:
                cover[item] += weights[item] * value
            else:
                colored[item, color] = max(colored.get((item, color), 0), value)
    for (item, _), value in colored.items():
        cover[item] += value
    return cover


def check_values(case: Case, values: Mapping[int, float]) -> None:
    """The parts are a solution of the relaxation."""
    assert all(0 < value <= 1 for value in values.values())
    cover = cover_of(case, values)
    bounds = {**dict.fromkeys(case.secondary, (0, 1)), **dict(case.bounds_by_item())}
    for item, (low, high) in bounds.items():
        assert low - 1e-6 <= cover[item] <= (inf if high is None else high) + 1e-6


def proved_bound(
    case: Case, costs: Sequence[Any], prices: Mapping[Any, Any], chosen: Sequence[int] = ()
) -> Fraction:
    """What prices prove, for a problem without colors: weak duality, by the textbook."""
    bounds = {**dict.fromkeys(case.secondary, (0, 1)), **dict(case.bounds_by_item())}
    total = Fraction(0)
    for item, (low, high) in bounds.items():
        assert high is not None or prices[item] >= 0
        total += prices[item] * (low if prices[item] > 0 else high or 0)
    for option, items in enumerate(case.options):
        weights = weights_by_item(items)
        reduced = Fraction(costs[option]) - sum(prices[i] * w for i, w in weights.items())
        total += reduced if option in chosen else min(reduced, 0)
    return total


def has_colors(case: Case) -> bool:
    return any(color is not None for o in case.options for color in colors_by_item(o).values())


@pytest.mark.parametrize("engine", ENGINES)
@given(any_cases(), COSTS, st.data())
def test_values_and_prices_prove_each_other(
    engine: Any, case: Case, costs: list[int], data: st.DataObject
) -> None:
    problem = case.problem(costs)
    subsets = all_subsets(case)
    known = sorted(tuple(sorted(one)) for one in subsets)
    chosen = data.draw(parts_of_solutions(known)) if known else ()
    left = [option for option in range(len(case.options)) if option not in chosen]
    forbidden = data.draw(st.lists(st.sampled_from(left), unique=True)) if left else []
    found = problem.relaxation(given=chosen, forbid=forbidden, engine=engine, exact=True)
    allowed = [one for one in subsets if one >= {*chosen} and not one & {*forbidden}]
    totals = {one: sum(problem.costs[option] for option in one) for one in allowed}
    assert list(found.prices) == list(problem.items)
    assert list(found.reduced_costs) == list(problem.names)
    if not found.feasible:
        assert not allowed
        assert (found.bound, found.values) == (inf, {})
        if not has_colors(case):
            narrow = case._replace(
                options=tuple(o for i, o in enumerate(case.options) if i not in forbidden)
            )
            kept = [i for i in range(len(case.options)) if i not in forbidden]
            given_there = [kept.index(option) for option in chosen]
            assert proved_bound(narrow, [0] * len(kept), found.prices, given_there) > 0
        return
    check_values(case, found.values)
    assert all(found.values.get(option) == 1 for option in chosen)
    assert not any(option in found.values for option in forbidden)
    cost = sum(Fraction(value) * problem.costs[option] for option, value in found.values.items())
    assert found.bound - CLOSE <= cost <= found.bound + CLOSE
    for one, total in totals.items():
        extra = sum(max(found.reduced_costs[option], 0) for option in one - {*chosen})
        assert found.bound + extra <= total
    if found.integral:
        assert min(totals.values()) == ceil(found.bound)
    if not has_colors(case) and not forbidden:
        assert found.bound == proved_bound(case, problem.costs, found.prices, chosen)


@pytest.mark.parametrize("engine", ENGINES)
@given(any_cases(), COSTS)
@example(  # c, which need not be covered, has no price
    Case(
        ("a", "c", "d"),
        ("u",),
        (
            (dlx.times("c", 2), "u"),
            ("d", dlx.colored("u", "A")),
            ("c",),
            ("a", dlx.colored("u", "A")),
        ),
        ((0, None), (0, 2), (0, None)),
    ),
    [-1, -2, 1, 0],
)
def test_floats_are_near_the_proof(engine: Any, case: Case, costs: list[int]) -> None:
    problem = case.problem(costs)
    exact, near = (problem.relaxation(engine=engine, exact=exact) for exact in (True, False))
    assert exact.feasible == near.feasible
    if exact.feasible:
        assert near.bound == pytest.approx(float(exact.bound), abs=1e-4)
        check_values(case, near.values)
        for numbers, others in (
            (near.prices, exact.prices),
            (near.reduced_costs, exact.reduced_costs),
        ):
            assert [*numbers.values()] == pytest.approx([*map(float, others.values())], abs=1e-4)


@given(large_multi_cases(weights=True), COSTS)
def test_the_engines_agree(case: Case, costs: list[int]) -> None:
    problem = case.problem(costs)
    one, other = (problem.__copy__().relaxation(engine=engine) for engine in ("highs", "kernel"))
    assert one.feasible == other.feasible
    if one.feasible:
        assert one.bound == pytest.approx(other.bound, abs=1e-5)
        check_values(case, one.values)
        check_values(case, other.values)


@pytest.mark.parametrize("engine", ENGINES)
@given(any_cases(), COSTS, st.integers(1, 4))
def test_options_added_later(engine: Any, case: Case, costs: list[int], step: int) -> None:
    whole = case.problem(costs)
    grown = dlx.Problem(case.primary, case.secondary, multiplicities=dict(case.bounds_by_item()))
    for number, option in enumerate(case.options):
        grown.add_option(option, cost=whole.costs[number])
        if number % step == 0:
            grown.relaxation(engine=engine, forbid=[number] if number % 2 else [])
    found, right = grown.relaxation(engine=engine), whole.relaxation(engine=engine)
    assert found.feasible == right.feasible
    assert found.bound == pytest.approx(right.bound, abs=1e-5)
    if found.feasible:
        check_values(case, found.values)


@pytest.mark.parametrize("engine", ENGINES)
@given(any_cases(), COSTS)
def test_maximize(engine: Any, case: Case, costs: list[int]) -> None:
    problem = case.problem(costs)
    negative = problem.with_costs([-cost for cost in problem.costs])
    most = problem.relaxation(maximize=True, engine=engine, exact=True)
    least = negative.relaxation(engine=engine, exact=True)
    assert most.bound == -least.bound
    best = problem.maximum()
    assert not best or best[0][0] <= most.bound


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("kind", [Fraction, Decimal, float, int])
@given(any_cases(), st.lists(st.integers(-(10**6), 10**9), min_size=1, max_size=10))
def test_costs_of_other_types(engine: Any, kind: Any, case: Case, costs: list[int]) -> None:
    problem = case.problem([0])
    numbers = [costs[option % len(costs)] for option in range(len(problem))]
    own = [number if kind is int else kind(number) / kind(1000) for number in numbers]
    found = problem.relaxation(costs=own, engine=engine, exact=True)
    near = problem.relaxation(costs=own, engine=engine)
    assert problem.relaxation(engine=engine).bound in (0, inf)  # its own costs are as before
    best = problem.minimum(costs=own, engine="python")
    if found.feasible:
        assert isinstance(found.bound, Decimal if kind is Decimal and own else Fraction)
        assert near.bound == pytest.approx(float(found.bound), rel=1e-6, abs=1e-2)
        assert not best or Fraction(found.bound) - CLOSE <= best[0][0]  # a float is rounded
        if kind is not float:
            assert Fraction(found.bound) * 1000 == pytest.approx(
                problem.relaxation(costs=numbers, engine=engine, exact=True).bound
                * (1000 if kind is int else 1)
            )
    else:
        assert not best


@pytest.mark.parametrize("engine", ENGINES)
def test_very_large_costs_and_bounds(engine: Any) -> None:
    options = [["a"], [dlx.times("a", 3), "b"], ["b"]]
    problem = dlx.Problem.from_options(options, multiplicities={"a": (2, 10**900)})
    costs = [10**400, 3 * 10**400, 10**399]
    found = problem.relaxation(costs=costs, engine=engine, exact=True)
    assert abs(found.bound / 10**400 - Fraction(20, 10)) < CLOSE or found.bound < 3 * 10**400
    assert found.bound <= problem.minimum(costs=costs, engine="python")[0][0]
    unreachable = dlx.Problem.from_options([["a"]], multiplicities={"a": 10**900})
    assert not unreachable.relaxation(engine=engine).feasible


@pytest.mark.parametrize("engine", ENGINES)
def test_nothing_to_choose(engine: Any) -> None:
    empty = dlx.Problem([]).relaxation(engine=engine)
    assert (empty.bound, empty.values, empty.feasible, empty.integral) == (0, {}, True, True)
    assert not dlx.Problem(["a"]).relaxation(engine=engine).feasible
    free = dlx.Problem(["a"], multiplicities={"a": (0, 2)}).relaxation(engine=engine)
    assert (free.bound, free.feasible) == (0, True)


def test_bad_arguments() -> None:
    problem = dlx.Problem.from_options({"x": ["a"], "y": ["a"]})
    for keywords in (
        {"engine": "links"},
        {"exact": 1},
        {"maximize": None},
        {"timeout": -1},
    ):
        with pytest.raises(dlx.InvalidArgument, match=next(iter(keywords))):
            problem.relaxation(**keywords)  # type: ignore[arg-type]
    with pytest.raises(dlx.GivenClash):
        problem.relaxation(given=["x", "y"])
    with pytest.raises(dlx.GivenClash):
        problem.relaxation(given=["x"], forbid=["x"])
    with pytest.raises(dlx.UnknownOption):
        problem.relaxation(forbid=["z"])
    with pytest.raises(dlx.InvalidCost):
        problem.relaxation(costs=[1, "b"])


def hard_problem() -> dlx.Problem:
    """With a linear program of some seconds."""
    rng = random.Random(1)
    options = [rng.sample(range(1500), 12) for _ in range(12_000)]
    return dlx.Problem.covering(options, costs=[rng.randint(50, 99) for _ in options])


@pytest.mark.parametrize("engine", ENGINES)
def test_timeout(engine: Any) -> None:
    problem = hard_problem()
    began = time.monotonic()
    with pytest.raises(dlx.SearchInterrupted, match="timeout"):
        problem.relaxation(timeout=0.05, engine=engine)
    assert time.monotonic() - began < 20  # it stops at all
    with pytest.raises(dlx.SearchInterrupted):
        problem.relaxation(timeout=0, engine=engine)


@pytest.mark.parametrize("engine", ENGINES)
def test_cancelled(engine: Any) -> None:
    """As by Ctrl-C or the end of an asyncio task; the next call begins anew."""
    problem = hard_problem()
    with pytest.raises(TimeUp), Cancellation(0.05):
        problem.relaxation(engine=engine)
    with pytest.raises(dlx.SearchInterrupted):
        problem.relaxation(engine=engine, timeout=0.05)


def test_a_failed_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = dlx.Problem.from_options([["a"]])
    highs = linear_program._HighsProgram
    monkeypatch.setattr(highs, "solve", lambda self, seconds: "failed")
    with pytest.raises(dlx.DLXError, match="'highs' has failed"):
        problem.relaxation(engine="highs")
    monkeypatch.undo()
    solve = highs.solve
    answer = lambda self, seconds: solve(self, seconds) and "infeasible"  # noqa: E731
    monkeypatch.setattr(highs, "solve", answer)
    with pytest.raises(dlx.DLXError, match=r"no solution, .* do not prove it"):
        problem.relaxation(engine="highs")


def test_a_solver_that_fails_at_the_last_basis_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(2)
    options = [rng.sample(range(40), 4) for _ in range(300)]
    whole = dlx.Problem.covering(options, costs=[rng.randint(5, 9) for _ in options])
    grown = dlx.Problem(whole.primary, multiplicities=whole.multiplicities)
    opened = []
    solver = linear_program.LinearProgram

    class Cold:
        """Fails at its second call."""

        def __init__(self, *bounds: Any) -> None:
            self.solver, self.calls = solver(*bounds), 0
            opened.append(self)

        def solve(self, seconds: float) -> str:
            self.calls += 1
            return self.solver.solve(seconds) if self.calls == 1 else "failed"

        def __getattr__(self, name: str) -> Any:
            return getattr(self.solver, name)

    monkeypatch.setattr(linear_program, "LinearProgram", Cold)
    for number, option in enumerate(whole.options):
        grown.add_option(option, cost=whole.costs[number])
        if number % 100 == 99:
            found = grown.relaxation(engine="kernel")
    assert len(opened) == 3
    assert found.iterations == opened[-1].iterations > 0
    assert found.bound == pytest.approx(whole.relaxation(engine="highs").bound)


def test_another_solver_after_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing:
        """A solver that always fails."""

        iterations = 0

        def __init__(self, *bounds: Any) -> None:
            pass

        def add_columns(self, *columns: Any) -> None:
            """Does nothing."""

        def solve(self, seconds: float) -> str:
            return "failed"

    monkeypatch.setattr(linear_program, "LinearProgram", Failing)
    problem = dlx.Problem.from_options([["a"], ["a"]], costs=[2, 3])
    assert problem.relaxation().bound == 2
    with pytest.raises(dlx.DLXError, match="'kernel' has failed"):
        problem.relaxation(engine="kernel")


def test_without_highs(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = dlx.Problem.from_options([["a"], ["a"]], costs=[2, 3])
    monkeypatch.setitem(__import__("sys").modules, "highspy", None)
    with pytest.raises(dlx.InvalidArgument, match="pip install highspy"):
        problem.relaxation(engine="highs")
