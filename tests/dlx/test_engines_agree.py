"""The one promise: every engine visits the same solutions in the same order.

Small problems are compared with brute force, larger ones engine with engine; half of them have
multiplicities.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice
from typing import Any

import pytest
from bruteforce import Case, all_subsets, search_slowly
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from search_strategies import SEEDS
from strategies import any_cases, any_large_cases, parts_of_solutions

import dlx
from dlx.engines.registry import IN_ORDER as ENGINES
from dlx.links.heuristics import HEURISTICS

SEED_ONE = [(5, 1, 6), (5, 7, 0), (3, 2, 7), (3, 8, 1), (4, 2, 6), (4, 8, 0)]


@given(case=any_cases())
def test_solutions_are_those_of_all_subsets(engine: str, case: Case) -> None:
    found = list(case.problem().solutions(engine=engine))
    assert set(map(frozenset, found)) == all_subsets(case)
    assert len(set(map(frozenset, found))) == len(found)
    assert all(len(set(solution)) == len(solution) for solution in found)


@settings(max_examples=150)
@given(case=any_cases(), heuristic=st.sampled_from(HEURISTICS))
def test_order_and_tree_are_those_of_the_obvious_search(
    engine: str, case: Case, heuristic: str
) -> None:
    search = case.problem().solutions(engine=engine, heuristic=heuristic)
    assert search_slowly(case, heuristic=heuristic) == (list(search), search.stats.profile)
    assert search.stats.nodes == sum(search.stats.profile)


@given(case=any_cases(), heuristic=st.sampled_from(HEURISTICS), data=st.data())
def test_given_is_the_obvious_search_after_taking_them(
    engine: str, case: Case, heuristic: str, data: st.DataObject
) -> None:
    problem = case.problem()
    solutions = list(problem.solutions(engine=engine))
    assume(solutions)
    chosen = data.draw(parts_of_solutions(solutions))
    search = problem.solutions(given=chosen, engine=engine, heuristic=heuristic)
    expected = search_slowly(case, chosen, heuristic=heuristic)
    assert expected == (list(search), search.stats.profile)


@given(case=any_cases(), data=st.data())
def test_given_filters_all_solutions(engine: str, case: Case, data: st.DataObject) -> None:
    problem = case.problem()
    solutions = list(problem.solutions(engine=engine))
    assume(solutions)
    chosen = data.draw(parts_of_solutions(solutions))
    found = list(problem.solutions(given=chosen, engine=engine))
    assert all(solution[: len(chosen)] == chosen for solution in found)
    assert set(map(frozenset, found)) == {
        frozenset(solution) for solution in solutions if set(chosen) <= set(solution)
    }
    assert problem.count(given=chosen, engine=engine) == len(found)


@given(case=any_cases(), data=st.data())
def test_any_given_filters_or_clashes(engine: str, case: Case, data: st.DataObject) -> None:
    """Unlike parts of solutions, these may lead nowhere, or be impossible together."""
    assume(case.options)
    indices = st.integers(0, len(case.options) - 1)
    chosen = data.draw(st.lists(indices, max_size=3))
    problem = case.problem()
    expected = {solution for solution in all_subsets(case) if set(chosen) <= solution}
    try:
        found = list(problem.solutions(given=chosen, engine=engine))
    except dlx.GivenClash:
        assert not expected or len(set(chosen)) < len(chosen)
    else:
        assert set(map(frozenset, found)) == expected
        assert search_slowly(case, chosen).solutions == found
        assert list(problem.count_many([chosen], engine=engine)) == [len(found)]
        assert list(problem.solve_many([chosen], limit=None, engine=engine)) == [found]


@settings(max_examples=200)
@given(case=any_large_cases(), seed=SEEDS, heuristic=st.sampled_from(HEURISTICS), data=st.data())
def test_engines_agree_step_by_step(
    case: Case, seed: int | None, heuristic: str, data: st.DataObject
) -> None:
    problem = case.problem()
    chosen: tuple[int, ...] = ()
    first = next(iter(problem.solutions(seed=seed, engine="links", node_limit=20_000)), None)
    if first:
        chosen = data.draw(st.just(()) | parts_of_solutions([first]))
    expected = None
    for engine in ENGINES:
        search = problem.solutions(
            given=chosen, seed=seed, limit=300, engine=engine, heuristic=heuristic
        )
        found = list(search)
        for solution in found[:10]:
            problem.verify(solution)
        stats = search.stats
        state = (found, search.exhausted, search.stopped_by, stats.nodes, stats.profile)
        assert stats.solutions == len(found)
        expected = expected or state
        assert len(set(map(frozenset, found))) == len(found)
        assert state == expected


@given(
    case=any_large_cases(),
    limit=st.integers(0, 40),
    seed=SEEDS,
    heuristic=st.sampled_from(HEURISTICS),
)
def test_a_limited_search_is_a_prefix(
    engine: str, case: Case, limit: int, seed: int | None, heuristic: Any
) -> None:
    problem = case.problem()
    keywords: dict[str, Any] = {"seed": seed, "engine": engine, "heuristic": heuristic}
    whole = list(islice(problem.solutions(**keywords), 50))
    search = problem.solutions(limit=limit, **keywords)
    assert list(search) == whole[:limit]
    assert search.exhausted == (len(whole) < limit) or len(whole) == limit
    assert problem.count(limit=limit, **keywords) == min(limit, len(whole))


@given(case=any_cases(), seed=st.integers())
def test_a_seed_changes_nothing_but_the_order(engine: str, case: Case, seed: int) -> None:
    problem = case.problem()
    seeded = list(problem.solutions(seed=seed, engine=engine))
    assert seeded == list(problem.solutions(seed=seed, engine=engine))
    plain = set(map(frozenset, problem.solutions(engine=engine)))
    assert set(map(frozenset, seeded)) == plain
    assert len(seeded) == len(plain)


def _latin(size: int) -> dlx.Problem:
    """Permutations of `size` things: every position and every thing once."""
    return dlx.Problem.from_options(
        {(i, j): [("position", i), ("thing", j)] for i in range(size) for j in range(size)}
    )


def test_seeds_lead_to_different_orders(engine: str) -> None:
    firsts = {frozenset(_latin(4).solve(seed=seed, engine=engine) or ()) for seed in range(20)}
    assert len(firsts) > 5


def test_a_seed_means_the_same_everywhere(engine: str) -> None:
    """Pinned: the order must not depend on the version of Python, the machine or the engine."""
    problem = dlx.Problem.from_options([[i, 10 + j] for i in range(3) for j in range(3)])
    assert list(problem.solutions(seed=1, engine=engine)) == SEED_ONE
    assert list(problem.solutions(seed=-1, engine=engine)) != SEED_ONE


def test_names_come_back_on_every_engine(engine: str) -> None:
    problem = _latin(3)
    solution: Any
    for solution in problem.solutions(engine=engine):
        assert sorted(i for i, _ in solution) == sorted(j for _, j in solution) == [0, 1, 2]
    given = [(2, 0), (0, 1)]
    assert list(problem.solutions(given=given, engine=engine)) == [((2, 0), (0, 1), (1, 2))]
    assert list(problem.solutions(given=given, engine=engine, seed=7)) == [((2, 0), (0, 1), (1, 2))]


def test_without_primary_items_there_is_one_solution(engine: str) -> None:
    for problem in (dlx.Problem(), dlx.Problem([], ["x", "y"])):
        assert list(problem.solutions(engine=engine)) == [()]
        assert problem.count(engine=engine) == 1
        assert problem.solve(engine=engine) == ()
        assert problem.is_unique(engine=engine)


def test_an_item_without_options_has_no_solution(engine: str) -> None:
    problem = dlx.Problem(["a", "b"])
    problem.add_option(["a"])
    search = problem.solutions(engine=engine)
    assert list(search) == []
    assert search.exhausted
    assert search.stats.nodes == 1
    assert problem.solve(engine=engine) is None
    assert problem.count(engine=engine) == 0
    assert not problem.is_unique(engine=engine)


def test_a_solution_may_use_every_option(engine: str) -> None:
    problem = dlx.Problem.from_options([[i, -i] for i in range(1, 50)])
    assert list(problem.solutions(engine=engine)) == [tuple(range(49))]


def test_options_may_come_from_a_generator(engine: str) -> None:
    def options() -> Iterator[Iterator[str]]:
        for word in ("ac", "b", "ab"):
            yield iter(word)

    assert list(dlx.solutions(options(), engine=engine)) == [(0, 1)]


def test_a_secondary_item_may_be_an_integer(engine: str) -> None:
    """Some packages tell the kinds apart by type, or by position."""
    options: list[list[Any]] = [["a", 0], ["b", 0], ["b"], ["a", 1], ["b", dlx.colored(1, 0)]]
    found = list(dlx.solutions(options, secondary=[0, 1], engine=engine))
    assert found == [(0, 2), (0, 4), (3, 1), (3, 2)]


def test_falsy_colors_and_items_are_like_any_others(engine: str) -> None:
    """Color 0 is a color, although the kernel's number 0 means no color."""
    options: list[list[Any]] = [
        [None, dlx.colored("", 0)],
        [(), dlx.colored("", 0)],
        [(), dlx.colored("", None)],
    ]
    assert list(dlx.solutions(options, secondary=[""], engine=engine)) == [(0, 1)]


@pytest.mark.parametrize("copies", [1, 2, 5])
def test_equal_options_are_different_options(engine: str, copies: int) -> None:
    problem = dlx.Problem.from_options([["a", "b"]] * copies)
    assert list(problem.solutions(engine=engine)) == [(i,) for i in range(copies)]
    problem = dlx.Problem.from_options([["a", "b"]] * 4, multiplicities={"a": 2, "b": (1, 3)})
    assert list(problem.solutions(engine=engine)) == list(combinations(range(4), 2))
