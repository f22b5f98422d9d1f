"""The cheapest solutions where subtrees are searched with fixed prices, however small they are."""

from __future__ import annotations

import itertools
import os
from array import array
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from bruteforce import Case, ranked
from commands import run_python
from example_problems import spread
from hypothesis import given, settings
from hypothesis import strategies as st
from internals import numbered, table_of
from strategies import cases, large_cases, parts_of_solutions

import dlx
from dlx import models
from dlx.analysis import minimum

Pairs = list[tuple[int, tuple[Any, ...]]]


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without work done alone, the kernel fixes prices from the root of each tree on."""
    monkeypatch.setattr(minimum, "SINGLE_THREAD_WORK", 0)


costs_of_all_sizes = st.sampled_from([0, 1, 3, 1000, 2**54]).flatmap(
    lambda most: st.lists(st.integers(-most, most), min_size=1, max_size=9)
)


@settings(max_examples=2 * settings().max_examples)
@given(
    case=cases() | large_cases(),
    costs=costs_of_all_sizes,
    k=st.sampled_from([1, 2, 7, 60]),
    workers=st.integers(1, 3),
    data=st.data(),
)
def test_against_all_solutions(
    case: Case, costs: list[int], k: int, workers: int, data: st.DataObject
) -> None:
    problem = case.problem(costs)
    visited = list(itertools.islice(problem.solutions(), 2000))
    if len(visited) == 2000:
        return
    chosen = data.draw(parts_of_solutions(visited)) if visited else ()
    right = ranked(problem.solutions(given=chosen), problem.costs)[:k]
    assert problem.minimum(k, given=chosen, workers=workers, engine="links") == right
    found = problem.minimum(k, given=chosen, workers=workers, engine="links", any_order=True)
    assert [cost for cost, _ in found] == [cost for cost, _ in right]


LONGER: list[Callable[[], dlx.Problem]] = [
    lambda: spread(models.queens(9), 1000),
    lambda: spread(models.queens(9), 2),
    lambda: spread(models.langford(8), 50),
    lambda: spread(models.latin_square(4), 9),
    lambda: spread(models.pentominoes(3, 20), 1000),
    lambda: spread(models.dominoes(6, 6), 100),
    lambda: spread(models.word_rectangle(words(), 3, 3), 1000),
]


def words() -> list[str]:
    """Words of three letters: those of an alphabet of five, without some."""
    letters = itertools.product("abcde", repeat=3)
    return ["".join(word) for at, word in enumerate(letters) if at % 3]


@pytest.mark.parametrize("make", LONGER)
@pytest.mark.parametrize("early", [True, False])
@pytest.mark.parametrize("k", [1, 40])
def test_longer_searches(
    make: Callable[[], dlx.Problem], early: bool, k: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Long enough to be handed back to prices that change, or, later, to be worth it at all."""
    if not early:
        monkeypatch.undo()
    problem = make()
    cheapest = ranked(itertools.islice(problem.solutions(), 400_000), problem.costs)[:k]
    found = problem.minimum(k, engine="links")
    assert found == cheapest
    assert found.stats.nodes == sum(found.stats.profile)


PAUSED: list[Callable[[], dlx.Problem]] = [
    lambda: spread(models.queens(11), 1000),
    lambda: spread(models.queens(11), 3),
    lambda: spread(models.langford(11), 50),
]


def pauses(problem: dlx.Problem, k: int) -> Iterator[tuple[Any, list[tuple[int, list[int]]]]]:
    """A search, paused as often as possible, and what it knows."""
    prepared = numbered(problem)
    costs = array("q", table_of(problem).costs)
    search = prepared.problem.minimum(costs, [], k, False, 1, 0)
    while not search.run(0.0):
        yield search, search.best()


@pytest.mark.parametrize("make", PAUSED)
def test_a_saved_search_goes_on(make: Callable[[], dlx.Problem]) -> None:
    """Wherever it is paused: what is left of a search with fixed prices is saved, too."""
    problem = make()
    k = 100
    costs = array("q", table_of(problem).costs)
    right = [cost for cost, _ in ranked(problem.solutions(), problem.costs)[:k]]
    stops = 0
    for search, _ in pauses(problem, k):
        stops += 1
        other = numbered(problem).problem.minimum(costs, [], k, False, 1, 0)
        other.restore(search.save())
        assert other.run()
        assert [cost for cost, _ in other.best()] == right
        if stops == 12:
            break
    assert stops > 3


@pytest.mark.parametrize("make", PAUSED)
def test_the_bound_holds_for_all_that_is_not_found(make: Callable[[], dlx.Problem]) -> None:
    problem = make()
    costs = [cost for cost, _ in ranked(problem.solutions(), problem.costs)]
    stops = 0
    for search, best in pauses(problem, 100):
        stops += 1
        bound = search.bounds[1]
        known = [cost for cost, _ in best]
        assert bound is None or all(cost in known or cost >= bound for cost in costs)
    assert stops > 3


ANSWERS = """
import dlx
from dlx import models
from dlx.analysis import minimum
minimum.SINGLE_THREAD_WORK = 0
for plain in (models.queens(10), models.pentominoes(3, 20), models.langford(8)):
    costs = [1103515245 * o % 2**31 % 1000 for o in range(len(plain))]
    found = plain.minimum(3, costs=costs, engine="links")
    print(found)
"""


@pytest.mark.skipif("DLX_SIMD" in os.environ, reason="the level is chosen")
def test_every_instruction_set_counts_the_same() -> None:
    """The answers of processes with different levels."""
    answers = set()
    for level in dlx.kernel_info().simd_levels:
        done = run_python(ANSWERS, env={**os.environ, "DLX_SIMD": level}, check=True)
        answers.add(done.stdout)
    assert len(answers) == 1
    assert answers.pop().count("\n") == 3
