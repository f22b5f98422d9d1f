"""Column generation over all options of a small problem is the relaxation of the whole problem."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from fractions import Fraction
from math import ceil, inf
from types import SimpleNamespace
from typing import Any

import pytest
from bruteforce import Case, weights_by_item
from hypothesis import given
from hypothesis import strategies as st
from strategies import any_cases

import dlx
from dlx import functions
from dlx.analysis import column_generation, linear_program, relaxation

ENGINES = ("highs", "kernel")
COSTS = st.lists(st.integers(-9, 20), min_size=1, max_size=10)
Columns = list[tuple[list[Any], int]]


@st.composite
def plain_cases(draw: st.DrawFn) -> Case:
    """Problems without colors."""
    case = draw(any_cases())
    options = [[e for e in o if not isinstance(e, dlx.Colored)] for o in case.options]
    return case._replace(options=tuple(map(tuple, options)))


def empty(case: Case, first: int = 0) -> dlx.Problem:
    """The items of a problem, and its first options, without costs."""
    bounds = dict(case.bounds_by_item())
    problem = dlx.Problem(case.primary, case.secondary, multiplicities=bounds)
    for option in case.options[:first]:
        problem.add_option(option)
    return problem


def reduced_cost(items: Any, cost: int, prices: dict[Any, float]) -> Fraction:
    weights = weights_by_item(items)
    return cost - sum(Fraction(prices[item]) * weight for item, weight in weights.items())


def from_list(columns: Columns, count: int) -> Callable[[dict[Any, float]], Columns]:
    """Prices these columns: the `count` of least reduced cost that were not returned before."""
    left = list(columns)

    def price(prices: dict[Any, float]) -> Columns:
        left.sort(key=lambda column: reduced_cost(*column, prices))
        chosen = [one for one in left[:count] if reduced_cost(*one, prices) < 0]
        del left[: len(chosen)]
        return chosen

    return price


@pytest.mark.parametrize("engine", ENGINES)
@given(plain_cases(), COSTS, st.integers(1, 3))
def test_all_columns(engine: Any, case: Case, costs: list[int], count: int) -> None:
    whole = case.problem(costs)
    columns = [([*o], cost) for o, cost in zip(case.options, whole.costs, strict=True)]
    base = empty(case)
    found = dlx.column_generation(base, from_list(columns, count), engine=engine)
    assert len(base) == 0
    assert (found.complete, found.stopped_by) == (True, None)
    assert found.columns == len(found.problem) <= len(columns)
    right, cheapest = whole.relaxation(engine="kernel"), whole.minimum()
    assert (found.relaxation is None) == (not right.feasible)
    assert found.bound is not None
    assert not cheapest or found.bound <= cheapest[0][0]
    if found.relaxation is not None:
        assert found.relaxation.bound == pytest.approx(right.bound, abs=1e-4)
        assert ceil(right.bound - 1e-3) - 1e-3 <= found.bound <= ceil(right.bound + 1e-3)
    if found.best is not None:
        cost, solution = found.best
        found.problem.verify(solution)
        assert found.problem.cost_of(solution) == cost >= cheapest[0][0]
        assert found.proved == (cost == found.bound)
    assert [found.best] == (found.problem.minimum() or [None]) or found.best is not None


@pytest.mark.parametrize("engine", ENGINES)
@given(plain_cases(), COSTS, st.integers(0, 3), st.integers(0, 4))
def test_bounds_after_some_iterations(
    engine: Any, case: Case, costs: list[int], first: int, iterations: int
) -> None:
    whole = case.problem(costs)
    columns = [([*o], cost) for o, cost in zip(case.options, whole.costs, strict=True)]
    given_first = empty(case).without()
    for items, cost in columns[:first]:
        given_first.add_option(items, cost=cost)
    cheapest = whole.minimum()
    found = dlx.column_generation(
        given_first,
        from_list(columns[first:], 1),
        most=len(columns),
        iterations=iterations,
        engine=engine,
    )
    assert found.iterations <= iterations
    assert found.complete == (found.stopped_by is None)
    assert found.bound is not None or iterations == 0
    assert not cheapest or found.bound is None or found.bound <= cheapest[0][0]
    stopped = dlx.column_generation(
        given_first, from_list(columns[first:], 1), iterations=iterations, engine=engine
    )
    assert stopped.bound is not None or stopped.stopped_by == "iterations"
    assert not cheapest or stopped.bound is None or stopped.bound <= cheapest[0][0]


@pytest.mark.parametrize("engine", ENGINES)
@given(plain_cases(), st.lists(st.integers(0, 20), min_size=1, max_size=10))
def test_copies(engine: Any, case: Case, costs: list[int]) -> None:
    each = case.problem(costs).costs
    columns = [([*o], cost) for o, cost in zip(case.options, each, strict=True)]

    def price(prices: dict[Any, float]) -> Columns:
        return [one for one in columns if reduced_cost(*one, prices) < 0]

    found = dlx.column_generation(empty(case), price, copies=True, engine=engine)
    whole = empty(case)
    for items, cost in columns:
        most = copies_of(case, items)
        for _ in range(most + 1):  # one more is of no use, but in parts it may be
            whole.add_option(items, cost=cost)
    right, cheapest = whole.relaxation(engine="kernel"), whole.minimum(any_order=True)
    assert (found.relaxation is None) == (not right.feasible)
    if found.relaxation is not None:
        assert found.relaxation.bound == pytest.approx(right.bound, abs=1e-4)
    if cheapest:
        assert found.bound is not None
        assert found.bound <= cheapest[0][0]
    if found.best is not None:
        assert found.best[0] >= cheapest[0][0]
        found.problem.verify(found.best[1])
    if found.columns == len({(frozenset(o), cost) for o, cost in columns}):
        assert found.best is None or found.best[0] == cheapest[0][0]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("noise", [0.01, 3.0])
@pytest.mark.parametrize("seed", range(4))
def test_no_known_column_has_a_negative_reduced_cost(
    engine: Any, seed: int, noise: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In exact numbers, whatever the errors of the solver: so no column is returned twice."""
    rng = random.Random(seed)
    columns: Columns = [(rng.sample(range(15), 4), rng.randint(1, 30)) for _ in range(120)]
    columns += [([item], 40) for item in range(15)]
    whole = dlx.Problem.from_options([o for o, _ in columns], costs=[c for _, c in columns])
    right = whole.relaxation(exact=True).bound
    monkeypatch.setattr(relaxation, "NOISE", noise)
    known: Columns = []

    def price(prices: dict[Any, float]) -> Columns:
        assert all(reduced_cost(*one, prices) >= 0 for one in known)
        best = sorted(columns, key=lambda one: reduced_cost(*one, prices))[:3]
        known.extend(one for one in best if reduced_cost(*one, prices) < 0)
        return best

    found = dlx.column_generation(dlx.Problem(list(range(15))), price, engine=engine)
    assert found.complete
    assert found.relaxation is not None
    assert found.columns == len(known)
    assert found.bound == ceil(right)
    assert found.relaxation.bound == pytest.approx(float(right), abs=1e-3)


def copies_of(case: Case, items: Any) -> int:
    """How many copies of an option are of use."""
    bounds = {**dict.fromkeys(case.secondary, (0, 1)), **dict(case.bounds_by_item())}
    weights = weights_by_item(items)
    most = [bounds[i][1] // w for i, w in weights.items() if bounds[i][1] is not None]
    need = max(1, *(-(-bounds[i][0] // w) for i, w in weights.items()))
    return min([*most, need])


def test_heuristic_pricing_proves_nothing() -> None:
    base = dlx.Problem(["a", "b"])
    found = dlx.column_generation(base, lambda prices: None, exact=False)
    assert (found.bound, found.complete, found.best, found.relaxation) == (None, False, None, None)
    columns: Columns = [(["a"], 3), (["b"], 4)]
    found = dlx.column_generation(base, from_list(columns, 2), exact=False, minimum=False)
    assert (found.bound, found.complete, found.best, found.columns) == (None, False, None, 2)
    assert found.relaxation is not None
    assert found.relaxation.bound == 7


def test_names_and_costs_of_columns() -> None:
    once = iter([[(["a"], 3, "x"), (("b",), 4, "y"), (["a"], 2, "z"), (["a"], 10**6, "w")], None])
    found = dlx.column_generation(dlx.Problem(["a", "b"]), lambda prices: next(once))
    assert found.best == (6, ("y", "z"))
    assert found.problem.names == ("x", "y", "z")
    assert repr(found) == (
        "<dlx column generation: 3 columns, 2 iterations, bound 6, best 6 (proved)>"
    )


@pytest.mark.parametrize(
    ("columns", "error", "message"),
    [
        (5, dlx.InvalidArgument, "price returned 5"),
        ({"a": 1}, dlx.InvalidArgument, "price returned"),
        ("ab", dlx.InvalidArgument, "price returned 'ab'"),
        (["ab"], dlx.InvalidArgument, "the column 'ab'"),
        ([["a"]], dlx.InvalidArgument, r"the column \['a'\]"),
        ([("a", 1)], dlx.InvalidArgument, r"the column \('a', 1\)"),
        ([(["a"], 1.5)], dlx.InvalidCost, r"the column \['a'\] has the cost 1.5"),
        ([(["z"], 1)], dlx.UnknownItem, "item 'z'"),
        ([([[]], 1)], dlx.UnknownItem, "was not declared"),
        ([(["a", "a"], 1)], dlx.DuplicateItem, "twice"),
        ([([], -1)], dlx.EmptyOption, "no items"),
        ([([dlx.times("a", -1)], 1)], dlx.InvalidMultiplicity, "-1"),
        ([([dlx.times("a", 2)], 1)], dlx.InvalidMultiplicity, "2 times"),
        ([(["a", dlx.colored("s", 1)], 1)], dlx.InvalidArgument, "takes no colors"),
        ([(["a"], 1, []), (["b"], 1, [])], dlx.InvalidEntry, "not hashable"),
    ],
)
def test_wrong_columns(columns: Any, error: type[Exception], message: str) -> None:
    base = dlx.Problem(["a", "b"], ["s"])
    with pytest.raises(error, match=message):
        dlx.column_generation(base, lambda prices: columns)
    assert len(base) == 0


def test_a_column_again() -> None:
    base = dlx.Problem(["a"], multiplicities={"a": (3, None)})
    found = dlx.column_generation(base, lambda prices: [(["a"], 2)])
    assert (found.best, found.bound) == ((6, (0, 1, 2)), 6)
    assert 3 <= found.columns <= 4
    found = dlx.column_generation(base, lambda prices: [(["a"], 2)], copies=True)
    assert (found.best, found.bound) == ((6, (0, dlx.times(0, 2))), 6)
    assert found.relaxation is not None
    assert found.relaxation.values == {0: 3.0}
    # Where it is of no use to take it twice, it is no column of negative reduced cost.
    found = dlx.column_generation(dlx.Problem(["a"]), lambda prices: [(["a"], 2)])
    assert (found.best, found.bound, found.iterations) == ((2, (0,)), 2, 2)


def test_bad_arguments() -> None:
    base = dlx.Problem(["a"])
    for keywords in (
        {"exact": 1},
        {"copies": None},
        {"minimum": "x"},
        {"most": -1},
        {"iterations": 1.5},
        {"timeout": "x"},
        {"engine": "links"},
    ):
        with pytest.raises(dlx.InvalidArgument, match=next(iter(keywords))):
            dlx.column_generation(base, lambda prices: None, **keywords)  # type: ignore[arg-type]
    with pytest.raises(dlx.InvalidArgument, match="price is 5"):
        dlx.column_generation(base, 5)  # type: ignore[arg-type]
    with pytest.raises(dlx.InvalidArgument, match=r"5 is not a dlx\.Problem"):
        dlx.column_generation(5, lambda prices: None)  # type: ignore[arg-type]
    colored = dlx.Problem.from_options([["a", dlx.colored("s", 1)]], secondary=["s"])
    with pytest.raises(dlx.InvalidArgument, match="no problem with colors"):
        dlx.column_generation(colored, lambda prices: None)
    endless = dlx.Problem(["a"], multiplicities={"a": (1, None)})
    with pytest.raises(dlx.InvalidCost, match="without end"):
        dlx.column_generation(endless, lambda prices: [(["a"], -1)], copies=True)


def test_an_error_of_the_caller() -> None:
    def price(prices: dict[Any, float]) -> None:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        dlx.column_generation(dlx.Problem(["a"]), price)


def test_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A loop that never ends by itself: each call returns a column that is cheaper by 1."""
    costs = iter(range(10**6, 0, -1))

    def price(prices: dict[Any, float]) -> Columns:
        return [(["a"], next(costs))]

    base = dlx.Problem.from_options([["a"]], costs=[10**6 + 1])
    found = dlx.column_generation(base, price, iterations=5, most=1)
    assert (found.stopped_by, found.iterations, found.columns) == ("iterations", 5, 5)
    assert found.relaxation is not None
    assert found.best is not None
    assert not found.complete
    found = dlx.column_generation(base, price, timeout=0.2)
    assert (found.stopped_by, found.complete, found.bound) == ("timeout", False, None)
    found = dlx.column_generation(base, price, timeout=0)
    assert (found.stopped_by, found.iterations, found.relaxation) == ("timeout", 0, None)
    assert "stopped by timeout" in repr(found)
    clock = iter([time.monotonic(), inf])  # `minimum` begins when no time is left
    monkeypatch.setattr(functions, "time", SimpleNamespace(monotonic=clock.__next__))
    found = dlx.column_generation(base, lambda prices: None, timeout=1000)
    assert (found.stopped_by, found.complete, found.best) == ("timeout", True, None)
    assert found.bound == 10**6 + 1


def test_the_penalty_rises(monkeypatch: pytest.MonkeyPatch) -> None:
    """Artificial columns never stay where there is a solution, however expensive it is."""
    columns: Columns = [(["a", "b"], 10**9), (["b", "c"], 10**9), (["a", "c"], 10**9)]
    base = dlx.Problem(["a", "b", "c"])
    calls = []

    def price(prices: dict[Any, float]) -> Columns:
        calls.append(prices)
        return [one for one in columns if reduced_cost(*one, prices) < 0]

    found = dlx.column_generation(base, price)
    assert found.relaxation is not None
    assert found.relaxation.bound == 1.5 * 10**9
    assert found.best is None  # no two of them fit together
    assert found.bound == 15 * 10**8
    monkeypatch.setattr(column_generation, "LARGEST_PENALTY", 1.0)
    found = dlx.column_generation(base, price)
    assert (found.relaxation, found.best, found.bound) == (None, None, 3)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_limit_when_the_penalty_has_risen(engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is known of the program with the new penalty."""
    now = 0.0
    monkeypatch.setattr(column_generation.time, "monotonic", lambda: now)

    def price(prices: dict[Any, float]) -> None:
        nonlocal now
        now = 2.0

    found = dlx.column_generation(dlx.Problem(["a"]), price, timeout=1, engine=engine)
    assert (found.stopped_by, found.relaxation, found.best) == ("timeout", None, None)


def test_a_solver_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linear_program._HighsProgram, "solve", lambda self, seconds: "failed")
    with pytest.raises(dlx.DLXError, match="'highs' has failed"):
        dlx.column_generation(dlx.Problem(["a"]), lambda prices: None, engine="highs")
