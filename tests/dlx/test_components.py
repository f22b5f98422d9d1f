"""Problems with independent parts: decisions search each part by itself, and answer the same."""

from __future__ import annotations

from typing import Any

import pytest
from bruteforce import Case, side_by_side
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import cases, multi_cases, parts_of_solutions

import dlx
from dlx.plan import Thresholds

ENGINES = ("links", "bits")


def beside_coins(problem: dlx.Problem, coins: int = 40) -> dlx.Problem:
    """The problem after as many items that have two options each."""
    return dlx.Problem.from_options(
        [*([("coin", i)] for i in range(coins) for _ in range(2)), *problem.options],
        primary=[*(("coin", i) for i in range(coins)), *problem.primary],
        secondary=problem.secondary,
    )


def pigeons(holes: int) -> dlx.Problem:
    """One more pigeon than holes: no solution, and more options for each than a coin has."""
    return dlx.Problem.from_options(
        [[("pigeon", i), ("hole", j)] for i in range(holes + 1) for j in range(holes)],
        primary=[("pigeon", i) for i in range(holes + 1)],
        secondary=[("hole", j) for j in range(holes)],
    )


@pytest.mark.parametrize("engine", ENGINES)
def test_a_part_without_a_solution(engine: str) -> None:
    """A search of the whole goes through 2^40 nodes."""
    problem = beside_coins(pigeons(5))
    assert problem.solve(engine=engine) is None
    assert not problem.is_unique(engine=engine)
    assert problem.count(engine=engine, limit=2) == 0
    assert not any(problem.solve(engine=engine, given=[coin]) for coin in range(3))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_part_with_a_late_solution(engine: str) -> None:
    """The first solution in order, and two of them: seven pigeons, the last two in one hole."""
    hard = pigeons(6)
    options = [*hard.options, [("pigeon", 6)]]
    problem = beside_coins(
        dlx.Problem.from_options(options, primary=hard.primary, secondary=hard.secondary), 10
    )
    expected = next(iter(problem.solutions(engine="links")))
    assert problem.solve(engine=engine) == expected
    assert problem.count(engine=engine, limit=2) == 2


@settings(max_examples=60)
@given(
    parts=st.lists(cases(max_primary=4, max_options=6), min_size=2, max_size=4)
    | st.lists(multi_cases(max_options=5, weights=True), min_size=2, max_size=3),
    first=st.sampled_from([0, 1, 2, 5, 20]),
    seed=st.none() | st.integers(0, 5),
    data=st.data(),
)
def test_parts_answer_as_the_whole(
    parts: list[Case], first: int, seed: int | None, data: st.DataObject
) -> None:
    """Wherever the search of the whole stops: the same first solution, the same counts."""
    case = side_by_side(parts)
    problem = case.problem()
    found = list(problem.solutions(engine="links", limit=20))
    chosen: tuple[Any, ...] = data.draw(parts_of_solutions(found)) if found else ()
    expected = list(problem.solutions(engine="links", seed=seed, given=chosen, limit=2))
    before = Thresholds.parts, Thresholds.options
    Thresholds.parts, Thresholds.options = first, 0
    try:
        weighted = any(isinstance(entry, dlx.Times) for option in case.options for entry in option)
        for engine in ENGINES[: 1 if weighted else 2]:
            first_one = problem.solve(engine=engine, seed=seed, given=chosen)
            assert first_one == (expected[0] if expected else None)
            unique = problem.is_unique(engine=engine, seed=seed, given=chosen)
            assert unique == (len(expected) == 1)
            for limit in (1, 2):
                count = problem.count(engine=engine, seed=seed, given=chosen, limit=limit)
                assert count == min(limit, len(expected))
            search = problem.solutions(engine=engine, seed=seed, given=chosen, limit=1)
            assert list(search) == expected[:1]
            assert not expected or not search.exhausted or len(expected) == 1
    finally:
        Thresholds.parts, Thresholds.options = before


def test_limits_and_helpers() -> None:
    problem = beside_coins(pigeons(9))
    with pytest.raises(dlx.SearchInterrupted) as caught:
        problem.solve(engine="links", node_limit=30_000)
    assert caught.value.stats.helpers == ("parts",)
    assert 30_000 <= caught.value.stats.nodes < 31_000
    assert caught.value.resume(timeout=300) is None
    search = problem.solutions(engine="links", limit=1)
    assert list(search) == []
    assert search.stats.helpers == ("parts",)
    assert search.exhausted
