"""The engine "propagation": the solutions of the others, by deleting what has no support."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest
from bruteforce import Case, all_subsets
from hypothesis import given
from hypothesis import strategies as st
from internals import input_of
from strategies import cases, large_cases, parts_of_solutions
from timeouts import simulated_clock

import dlx
from dlx import models
from dlx.core.budget import Budget
from dlx.core.kernel import Search as KernelSearch
from dlx.plan import Thresholds
from dlx.search.options import SearchOptions

Solutions = list[tuple[int, ...]]


def open_on(problem: dlx.Problem[Any], given: Sequence[int] = ()) -> KernelSearch:
    """The engine on a whole problem."""
    search_input = input_of(problem, SearchOptions())
    return KernelSearch(search_input.numbered.problem, [*given], None, "propagation", "mrv")


def all_solutions(engine: KernelSearch, nodes: int = 10**6) -> Solutions:
    """Its solutions, by runs of `nodes` nodes each."""
    found: Solutions = []
    while not engine.finished:
        before = engine.stats.nodes, len(found)
        reason = engine.run(Budget(2, nodes=before[0] + nodes), found)
        assert reason in ("finished", "solutions", "nodes")
        assert engine.stats.nodes <= before[0] + nodes
        assert (engine.stats.nodes, len(found)) > before or engine.finished
    assert engine.stats.solutions == len(found)
    return found


@given(cases(), st.sampled_from([1, 3, 1000]))
def test_it_finds_each_solution_once(case: Case, nodes: int) -> None:
    found = all_solutions(open_on(case.problem()), nodes)
    assert len({frozenset(one) for one in found}) == len(found)
    assert {frozenset(one) for one in found} == all_subsets(case)


@given(large_cases(), st.data())
def test_it_finds_what_links_finds(case: Case, data: st.DataObject) -> None:
    problem = case.problem()
    expected = list(problem.solutions(engine="links", limit=2000))
    if len(expected) == 2000:
        return
    given: Sequence[Any] = ()
    if expected:
        given = data.draw(st.just(()) | parts_of_solutions(expected))
        expected = [one for one in expected if set(given) <= set(one)]
    found = all_solutions(open_on(problem, given))
    assert all(one[: len(given)] == tuple(given) for one in found)
    assert sorted(map(sorted, found)) == sorted(map(sorted, expected))


def word_grid(words: Sequence[str], size: int) -> dlx.Problem[Any]:
    """A square of words across and down, no word twice."""
    fitting = [word for word in words if len(word) == size]
    problem = dlx.Problem[Any](
        primary=[(way, i) for i in range(size) for way in "ad"],
        secondary=[*product(range(size), repeat=2), *fitting],
    )
    for way, i, word in product("ad", range(size), fitting):
        cells = [(i, k) if way == "a" else (k, i) for k in range(size)]
        problem.add_option([(way, i), *map(dlx.colored, cells, word), word], name=(way, i, word))
    return problem


def drawn_words(count: int, size: int, seed: int) -> list[str]:
    rng = random.Random(f"words {seed}")
    letters = "aabcdeefghiilmnoorrsttu"
    drawn = ("".join(rng.choice(letters) for _ in range(size)) for _ in range(count))
    return [*dict.fromkeys(drawn)]


def test_what_has_no_support_is_deleted_before_any_choice() -> None:
    """A chain of cells with equal colors, of which the first is red and the last is not."""
    problem = dlx.Problem[Any](range(50), [f"cell {k}" for k in range(51)])
    for k, color in product(range(50), ("red", "green", "blue")):
        if (k, color) not in ((0, "green"), (0, "blue"), (49, "red")):
            ends = [dlx.colored(f"cell {j}", color) for j in (k, k + 1)]
            problem.add_option([k, *ends])
    engine = open_on(problem)
    assert all_solutions(engine) == []
    assert engine.stats.nodes == 1


def test_a_forced_option_deletes_those_that_share_an_item() -> None:
    problem = dlx.Problem[Any].from_options([(k, k + 1) for k in range(49)])
    engine = open_on(problem)
    assert [sorted(one) for one in all_solutions(engine)] == [[*range(0, 49, 2)]]
    assert engine.stats.nodes == 1


def test_it_decides_what_the_search_in_order_does_not() -> None:
    problem = word_grid(drawn_words(3000, 5, seed=1), 5)
    search = problem.solutions(limit=1)
    (solution,) = search
    problem.verify(solution)
    assert search.stats.helpers == ("propagation",)
    again = problem.solutions(limit=1)
    assert list(again) == [solution]
    assert again.stats.nodes == search.stats.nodes
    assert "propagation" in problem.plan("solve").methods
    assert "propagation" not in models.queens(8).plan("solve").methods


def test_it_stops_at_a_deadline_and_continues() -> None:
    """The clock advances only when it is read, so a timeout is a number of readings."""
    problem = word_grid(drawn_words(1500, 5, seed=3), 5)
    whole = open_on(problem)
    expected: Solutions = []
    whole.run(Budget(1), expected)
    engine = open_on(problem)
    found: Solutions = []
    reasons = []
    while not found:
        with simulated_clock(1_000_000):
            reasons.append(engine.run(Budget(1).within(0.003), found))
    assert reasons.count("deadline") == len(reasons) - 1 > 5
    assert found == expected
    assert engine.stats[:3] == whole.stats[:3]


def test_it_takes_no_multiplicities() -> None:
    problem = dlx.Problem[Any].from_options([["a"], ["a"]], multiplicities={"a": 2})
    with pytest.raises(ValueError, match="no multiplicities"):
        open_on(problem)
    assert "propagation" not in problem.plan("solve").methods


def test_it_takes_no_part_if_its_tables_are_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    size = 60_000
    problem = dlx.Problem[Any]([0], [f"s{k}" for k in range(size)])
    for color in range(size):
        problem.add_option([0, dlx.colored(f"s{color}", color)])
    with pytest.raises(MemoryError):
        open_on(problem)
    monkeypatch.setattr(Thresholds, "propagation", 1)
    search = problem.solutions(limit=1)
    assert len(next(search)) == 1
    assert "propagation" not in search.stats.helpers
