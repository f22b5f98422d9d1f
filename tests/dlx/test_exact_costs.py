"""Costs of other types than int, given to `minimum` and `maximum`: scaled exactly."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from bruteforce import Case
from hypothesis import given
from hypothesis import strategies as st
from strategies import cases

import dlx

decimals = st.decimals(-100, 100, places=3)
fractions = st.fractions(-100, 100, max_denominator=30)
floats = st.integers(-800, 800).map(lambda number: number / 8)
TYPES = {Decimal: decimals, Fraction: fractions, float: floats, int: st.integers(-99, 99)}


@given(
    case=cases(),
    kind=st.sampled_from(list(TYPES)),
    k=st.integers(1, 9),
    engine=st.sampled_from(["auto", "links", "python"]),
    data=st.data(),
)
def test_totals_are_exact_and_have_the_type_of_the_costs(
    case: Case, kind: type, k: int, engine: str, data: st.DataObject
) -> None:
    problem = case.problem()
    costs = [data.draw(TYPES[kind] | st.integers(-9, 9)) for _ in case.options]
    exact = [Fraction(cost) for cost in costs]
    solutions = list(problem.solutions())
    for sign, ask in ((1, problem.minimum), (-1, problem.maximum)):
        totals = [(sum((exact[o] for o in one), Fraction(0)), one) for one in solutions]
        totals.sort(key=lambda pair: sign * pair[0])
        found = ask(k, costs=costs, engine=engine)
        assert [(Fraction(total), one) for total, one in found] == totals[:k]
        if any(type(cost) is kind for cost in costs):
            assert all(type(total) is kind for total, _ in found)


def test_a_float_is_its_exact_rational() -> None:
    """0.1 + 0.2 is more than 0.3: as rationals as well."""
    problem = dlx.Problem.from_options([["a"], ["b"], ["a", "b"]])
    assert problem.minimum(costs=[0.1, 0.2, 0.3]) == [(0.3, (2,))]
    assert Fraction(0.1) + Fraction(0.2) > Fraction(0.3)
    decimals = [Decimal("0.1"), Decimal("0.2"), Decimal("0.3")]
    assert problem.minimum(costs=decimals) == [(Decimal("0.3"), (0, 1))]


def test_costs_by_name_and_of_numpy_and_pandas() -> None:
    problem = dlx.Problem.from_options({"x": ["a"], "y": ["a"], "z": ["b"]}, costs=[1, 2, 3])
    assert problem.minimum(costs={"z": Fraction(1, 3), "y": 0, "x": 1}) == [
        (Fraction(1, 3), ("z", "y"))
    ]
    assert problem.minimum() == [(4, ("z", "x"))]
    np = pytest.importorskip("numpy")
    for kind in (np.float64, np.float32, np.int16):
        assert problem.minimum(costs=np.array([3, 2, 1], kind)) == [(3, ("z", "y"))]


@pytest.mark.parametrize("engine", ["auto", "python"])
def test_bounds_and_progress_have_the_type_as_well(engine: str) -> None:
    problem = dlx.models.queens(8)
    costs = [Decimal(o % 7) / 4 for o in range(len(problem))]
    seen: list[dlx.Progress] = []
    best = problem.minimum(costs=costs, progress=seen.append, engine=engine)[0][0]
    assert seen[-1].best == best
    assert type(seen[-1].best) is type(seen[-1].bound) is Decimal


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ([1, float("nan"), 2], "option 1 has the cost nan; a cost is a finite number"),
        ([1, 2, float("-inf")], "option 2 has the cost -inf; a cost is a finite number"),
        ([1, 2, Decimal("sNaN")], r"option 2 has the cost Decimal\('sNaN'\); a cost is a finite"),
        ([None, 2, 3], "option 0 has the cost None; a cost is a number"),
        ([True, 2, 3], "option 0 has the cost True; a cost is a number"),
        (["1", 2, 3], "option 0 has the cost '1'; a cost is a number"),
        ([1j, 2, 3], "option 0 has the cost 1j; a cost is a number"),
        ([0.5, 1, Decimal(1)], "option 2 .* type float; use one of the two types"),
        ([1, 2], "2 costs for 3 options"),
        ({0: 1, 1: 1}, "costs has no value for option 2"),
        ({1, 2, 3}, "costs is the set"),
        ([1e300, 1, 1], "too many digits"),
        ([1e-300, 1, 1], "too many digits"),
    ],
)
def test_costs_that_are_refused(costs: Any, message: str) -> None:
    problem = dlx.Problem.from_options([["a"], ["a"], ["a"]])
    with pytest.raises(dlx.InvalidCost, match=message):
        problem.minimum(costs=costs)


def test_the_engine_in_python_has_no_limit_of_digits() -> None:
    problem = dlx.Problem.from_options([["a"], ["a"], ["b"]])
    costs: Sequence[float] = [1e300, 2e-300, 1.0]
    assert problem.minimum(costs=costs, engine="python") == [(1.0, (2, 1))]
    assert problem.maximum(costs=costs, engine="python") == [(1e300, (2, 0))]
    assert problem.minimum(costs=[10**400, 10**401, 1], engine="python")[0][0] == 10**400 + 1


def test_other_types_in_a_problem_are_refused_with_advice() -> None:
    with pytest.raises(dlx.InvalidCost, match=r"0\.5; a cost is an integer; minimum\(costs="):
        dlx.Problem.from_options([["a"]], costs=[0.5])
