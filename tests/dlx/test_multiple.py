"""Multiplicities: every engine that knows them visits the same solutions in the same order."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from multiplicities import (
    MultiCase,
    all_subsets,
    large_multi_cases,
    multi_cases,
    search_slowly,
)
from strategies import parts_of_solutions

import dlx
from dlx.heuristics import HEURISTICS

ENGINES = ("links", "python")
SEEDS = st.none() | st.integers(-5, 2**70)
heuristics = st.sampled_from(HEURISTICS)


@pytest.fixture(scope="session", params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


# -- the same solutions, each once, in the same order ---------------------------------------------


@given(case=multi_cases())
def test_solutions_are_those_of_all_subsets(engine: str, case: MultiCase) -> None:
    found = list(case.problem().solutions(engine=engine))
    assert set(map(frozenset, found)) == all_subsets(case)
    assert len(set(map(frozenset, found))) == len(found)  # whatever the order of the options
    assert all(len(set(solution)) == len(solution) for solution in found)


@given(case=multi_cases(), heuristic=heuristics)
def test_order_and_tree_are_those_of_the_obvious_search(
    engine: str, case: MultiCase, heuristic: str
) -> None:
    search = case.problem().solutions(engine=engine, heuristic=heuristic)
    expected = search_slowly(case, heuristic=heuristic)
    assert expected == (list(search), search.stats.profile)
    assert search.stats.nodes == sum(search.stats.profile)


@given(case=multi_cases(), data=st.data())
def test_any_given_filters_or_clashes(engine: str, case: MultiCase, data: st.DataObject) -> None:
    assume(case.options)
    indices = st.integers(0, len(case.options) - 1)
    chosen = data.draw(st.lists(indices, max_size=4))
    problem = case.problem()
    expected = {solution for solution in all_subsets(case) if set(chosen) <= solution}
    try:
        search = problem.solutions(given=chosen, engine=engine)
        found = list(search)
    except dlx.GivenClash:
        assert not expected or len(set(chosen)) < len(chosen)
    else:
        assert set(map(frozenset, found)) == expected
        assert search_slowly(case, chosen) == (found, search.stats.profile)
        assert [problem.count(given=chosen, engine=engine)] == list(
            problem.count_many([chosen], engine=engine)
        )
        assert list(problem.solve_many([chosen], limit=None, engine=engine)) == [found]


@given(case=large_multi_cases(), seed=SEEDS, heuristic=heuristics, data=st.data())
def test_engines_agree_step_by_step(
    case: MultiCase, seed: int | None, heuristic: str, data: st.DataObject
) -> None:
    problem = case.problem()
    chosen: tuple[int, ...] = ()
    first = next(iter(problem.solutions(seed=seed)), None)
    if first:
        chosen = data.draw(st.just(()) | parts_of_solutions([first]))
    expected = None
    for engine in (*ENGINES, "auto"):
        search = problem.solutions(
            given=chosen, seed=seed, limit=200, engine=engine, heuristic=heuristic, timeout=60
        )
        found = list(islice(search, 200))
        for solution in found[:10]:
            problem.verify(solution)
        assert len(set(map(frozenset, found))) == len(found)
        stats = search.stats
        told = (found, search.exhausted, stats.nodes, stats.profile)
        expected = expected or told
        assert told == expected
