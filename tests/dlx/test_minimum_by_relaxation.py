"""Branch and bound over the linear relaxation, alone and beside the other, by brute force."""

from __future__ import annotations

import itertools
import random
from array import array
from collections.abc import Sequence
from typing import Any

import pytest
from bruteforce import Case, ranked
from hypothesis import given, settings
from hypothesis import strategies as st
from internals import kernel_problem
from strategies import any_cases, any_large_cases, parts_of_solutions
from timeouts import simulated_clock

import dlx
from dlx import models
from dlx.analysis import minimum, minimum_by_relaxation
from dlx.plan import Thresholds

few_costs = st.integers(-2, 2)
costs_of_options = st.lists(
    st.one_of(few_costs, st.integers(0, 1000), st.sampled_from([0, 10, 30])), min_size=1, max_size=9
)


def without_colors(case: Case, costs: Sequence[int]) -> dlx.Problem | None:
    problem = case.problem([costs[one % len(costs)] for one in range(len(case.options))])
    colored = any(isinstance(entry, dlx.Colored) for option in problem.options for entry in option)
    return None if colored else problem


def over_relaxation(problem: dlx.Problem, given: Sequence[int], k: int, *, any_order: bool) -> Any:
    costs = array("q", problem.costs)
    return kernel_problem(problem).minimum(costs, given, k, any_order, relaxation=True)


@settings(max_examples=400)
@given(
    case=any_cases() | any_large_cases(),
    costs=costs_of_options,
    k=st.sampled_from([1, 1, 2, 7, 300]),
    any_order=st.booleans(),
    steps=st.sampled_from([0, 0, 20_000]),
    data=st.data(),
)
def test_the_same_as_all_solutions_in_order(
    case: Case, costs: list[int], k: int, any_order: bool, steps: int, data: st.DataObject
) -> None:
    problem = without_colors(case, costs)
    visited = list(itertools.islice(problem.solutions(), 2000)) if problem else []
    if problem is None or len(visited) == 2000:
        return
    chosen = data.draw(parts_of_solutions(visited)) if visited else ()
    visited = list(problem.solutions(given=chosen))
    expected = ranked(visited, problem.costs)[:k]
    search = over_relaxation(problem, chosen, k, any_order=any_order)
    with simulated_clock(steps):  # a step of the clock at each look, or the real one
        while not search.run(0.001 if steps else float("inf")):
            if search.given_up:  # no costs, or more than 30 ties
                assert not any(problem.costs) or (len(visited) > 30 and not any_order)
                return
            least, bound = search.bounds
            assert least is None or least in {cost for cost, _ in ranked(visited, problem.costs)}
            if len(expected) == k and bound is not None:
                assert bound <= expected[-1][0]
    found = [(cost, tuple(options)) for cost, options in search.best()]
    if not any_order:
        assert found == expected
        return
    assert [cost for cost, _ in found] == [cost for cost, _ in expected]
    assert len({frozenset(options) for _, options in found}) == len(found)
    possible = {(cost, frozenset(options)) for cost, options in ranked(visited, problem.costs)}
    assert all((cost, frozenset(options)) in possible for cost, options in found)


def pairing(flights: int, pairings: int, seed: int) -> dlx.Problem:
    """Few enough flights for the other search, but with cuts, dives and some nodes."""
    rng = random.Random(seed)
    options = [rng.sample(range(flights), rng.randint(2, 6)) for _ in range(pairings)]
    costs = [100 * len(option) + rng.randint(-60, 60) for option in options]
    return dlx.Problem.from_options(
        [*options, *([flight] for flight in range(flights))], costs=[*costs, *[300] * flights]
    )


@pytest.mark.parametrize("seed", range(12))
def test_cuts_and_dives_lose_nothing(seed: int) -> None:
    problem = pairing(24, 150, seed)
    expected = problem.minimum(3, engine="links")
    search = over_relaxation(problem, (), 3, any_order=False)
    assert search.run()
    assert [(cost, tuple(options)) for cost, options in search.best()] == expected


@pytest.mark.parametrize("seed", range(6))
def test_a_solution_from_outside_is_not_searched_again(seed: int) -> None:
    problem = pairing(24, 150, seed)
    (cost, options), second = problem.minimum(2, engine="links")
    alone = over_relaxation(problem, (), 1, any_order=True)
    assert alone.run()
    search = over_relaxation(problem, (), 1, any_order=True)
    search.offer(*second)
    assert search.bounds[0] == second[0]
    search.offer(cost, options)
    assert search.run()
    assert [(cost, tuple(sorted(options)))] == [
        (one, tuple(sorted(found))) for one, found in search.best()
    ]
    assert search.stats.nodes <= alone.stats.nodes


def test_what_is_offered_must_be_options() -> None:
    search = over_relaxation(models.queens(4), (), 1, any_order=False)
    with pytest.raises(ValueError, match="options: unknown"):
        search.offer(3, [99])


@pytest.mark.parametrize("cost", [0, 7])
def test_too_many_ties_are_left_to_the_other_search(cost: int) -> None:
    queens = priced(models.queens(6), 7)  # 4 solutions; of 7 queens there are 40
    assert over_relaxation(queens, (), 1, any_order=False).run()
    queens = priced(models.queens(7), cost)
    search = over_relaxation(queens, (), 1, any_order=False)
    assert not search.run()
    assert search.given_up
    assert queens.minimum()[0] == (7 * cost, queens.solve())


def test_costs_without_room_for_prices_are_left_to_the_other_search() -> None:
    problem = dlx.Problem.from_options([["a"], ["a"], ["b"]], costs=[2**59, 2**59 - 1, 5])
    search = over_relaxation(problem, (), 1, any_order=False)
    assert not search.run()
    assert search.given_up
    assert problem.minimum() == [(2**59 + 4, (2, 1))]


def priced(problem: dlx.Problem, cost: int) -> dlx.Problem:
    return dlx.Problem.from_options(
        problem.options,
        primary=problem.primary,
        secondary=problem.secondary,
        costs=[cost] * len(problem),
    )


# -- beside the other search ---------------------------------------------------------------------


@settings(max_examples=150)
@given(
    case=any_cases() | any_large_cases(),
    costs=costs_of_options,
    k=st.sampled_from([1, 1, 2, 7]),
    any_order=st.booleans(),
    pause=st.booleans(),
)
def test_whichever_finishes_first(
    case: Case, costs: list[int], k: int, any_order: bool, pause: bool
) -> None:
    problem = case.problem([costs[one % len(costs)] for one in range(len(case.options))])
    visited = list(itertools.islice(problem.solutions(), 2000))
    if len(visited) == 2000:
        return
    expected = ranked(visited, problem.costs)[:k]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Thresholds, "relaxation", 0.0)
        patch.setattr(minimum_by_relaxation, "SLICE", 1e-6)
        found = None
        try:
            found = problem.minimum(k, any_order=any_order, timeout=0 if pause else None)
        except dlx.MinimumInterrupted as interrupted:
            found = interrupted.resume()
    assert [cost for cost, _ in found] == [cost for cost, _ in expected]
    assert any_order or found == expected


def test_the_better_bound_gets_most_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seconds of both are made up: only whose turn it is matters."""

    class Member:
        given_up = False

        def __init__(self, bound: int | None) -> None:
            self.bounds = (None, bound)
            self.stats = dlx.Stats(1, 1, 0, (1,), 0.0)
            self.turns = 0

        def run(self, seconds: float) -> bool:
            self.turns += 1
            self.stats = self.stats._replace(seconds=self.stats.seconds + seconds)
            return False

    def turns(bound: int | None, other: int | None, first: float = 0.0) -> tuple[int, int]:
        search, relaxation = Member(bound), Member(other)
        both = minimum_by_relaxation.MinimumWithRelaxation(
            search,  # type: ignore[arg-type]
            lambda: relaxation,  # type: ignore[arg-type, return-value]
            0.0,
        )
        monkeypatch.setattr(minimum_by_relaxation, "EQUAL", 0.0)
        monkeypatch.setattr(minimum_by_relaxation, "FIRST", first)
        assert not both.run(7.0)
        return search.turns, relaxation.turns

    equal = turns(5, 5)
    assert abs(equal[0] - equal[1]) <= 2
    equal = turns(5, None, 99.0)  # the first bound of the relaxation takes longer
    assert abs(equal[0] - equal[1]) <= 2
    for worse, better in ((4, 5), (None, 5)):
        few, many = turns(worse, better)
        assert 5 * few < many < 7 * few
        many, few = turns(better, worse)
        assert 5 * few < many < 7 * few


def test_colors_have_no_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "relaxation" not in models.word_rectangle(["ab", "cd"], 2, 2).plan("minimum").methods
    assert "relaxation" in models.queens(4).plan("minimum").methods
    monkeypatch.setattr(Thresholds, "relaxation_entries", 10)
    assert "relaxation" not in models.queens(4).plan("minimum").methods


def test_options_may_be_added_before_the_relaxation_is_begun(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    queens = models.queens(12)
    expected, added = (
        dlx.Problem.from_options(
            queens.options,
            primary=queens.primary,
            secondary=queens.secondary,
            costs=[number * number % 17 + 1 for number in range(144)],
        )
        for _ in range(2)
    )

    def add(progress: object) -> None:
        if len(added) < 200:
            added.add_option(added.option(0), cost=3)

    monkeypatch.setattr(Thresholds, "relaxation", 0.0001)
    monkeypatch.setattr(minimum, "PROGRESS_INTERVAL", 0.00005)
    assert added.minimum(progress=add) == expected.minimum(engine="links")
    assert len(added) > 144
