"""`Problem.explain` and `Problem.estimate` with multiplicities, against brute force."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from itertools import combinations
from math import inf
from typing import Any

import pytest
from bruteforce import colors_by_item
from hypothesis import example, given, settings
from hypothesis import strategies as st
from internals import kernel_problem, table_of
from multiplicities import (
    MultiCase,
    large_multi_cases,
    multi_cases,
    search_slowly,
    weights_by_item,
)

import dlx
from dlx.analysis import explain as explaining
from dlx.engines.python.probes import PythonProbes


def is_possible(case: MultiCase, items: Iterable[Hashable], givens: Iterable[int]) -> bool:
    """Is there a solution once all other items and givens are dropped? O(2^options)."""
    kept, forced = set(items), set(givens)
    options = [(colors_by_item(option), weights_by_item(option)) for option in case.options]
    rest = [index for index in range(len(options)) if index not in forced]
    return any(
        fits(case, kept, [options[index] for index in (*forced, *others)])
        for size in range(len(rest) + 1)
        for others in combinations(rest, size)
    )


def fits(case: MultiCase, kept: set[Hashable], chosen: list[tuple[Any, Any]]) -> bool:
    for item, (low, high) in zip(case.primary, case.bounds, strict=True):
        total = sum(weights.get(item, 0) for _, weights in chosen)
        if item in kept and not low <= total <= (math.inf if high is None else high):
            return False
    for item in kept.difference(case.primary):
        colors = [option[item] for option, _ in chosen if item in option]
        if len(colors) > 1 and (None in colors or len(set(colors)) > 1):
            return False
    return True


@st.composite
def cases_with_givens(draw: st.DrawFn) -> tuple[MultiCase, list[int]]:
    case = draw(multi_cases(max_options=8, weights=True))
    if not case.options:
        return case, []
    numbers = st.integers(0, len(case.options) - 1)
    return case, draw(st.lists(numbers, max_size=4, unique=True))


@pytest.mark.lengthy
@pytest.mark.parametrize("short", [False, True])
@given(cases_with_givens(), st.booleans())
@settings(max_examples=120)
def test_explanations_are_true_and_irreducible(
    short: bool, drawn: tuple[MultiCase, list[int]], givens_only: bool
) -> None:
    """With next to no nodes for refutations (`short`), all is left to certificates and engines."""
    case, givens = drawn
    everything = case.primary + case.secondary
    with pytest.MonkeyPatch.context() as patch:
        if short:
            patch.setattr(explaining, "FIRST_NODES", 256)
            patch.setattr(explaining, "TEST_NODES", 1)
        found = case.problem().explain(given=givens, givens_only=givens_only)
    assert (found is None) == is_possible(case, everything, givens)
    if found is None:
        return
    assert found.irreducible
    items = everything if givens_only else found.items
    used: list[int] = list(found.givens)  # type: ignore[arg-type]
    assert not is_possible(case, items, used)
    for index in used:
        assert is_possible(case, items, [other for other in used if other != index])
    for item in found.items:
        assert is_possible(case, [other for other in items if other != item], used)


@given(multi_cases(max_options=8, weights=True), st.sets(st.integers(0, 9)))
@example(MultiCase(("a", "b"), (), (("a", "b"),) * 2, ((1, 2), (2, 2))), {0, 1})  # takes both
def test_engines_on_a_part(case: MultiCase, kept: set[int]) -> None:
    items = case.primary + case.secondary
    left = [item for number, item in enumerate(items) if number in kept]
    possible, _ = explaining.is_possible(table_of(case.problem()), kept, [], 10**6, inf)
    assert possible == is_possible(case, left, [])


EVEN = MultiCase(("a",), (), ((dlx.times("a", 2),),), ((2, 2),))
"""The item must be covered twice, and has an even weight."""
TWICE = MultiCase((*"abc",), (), ((dlx.times("a", 2), "b"), ("b", "c")), ((2, 2), (1, 1), (1, 1)))
"""Where a weighs 1/2 and b -1, no option weighs anything."""
FULL = MultiCase(
    (*"pqhx",), (), (("p", "h"), ("q", "h"), ("x", "h")), ((1, 1), (1, 1), (0, 2), (0, 1))
)
"""There is room in h for two of three."""


@given(cases_with_givens(), st.sampled_from([0, 2, 3, 2**31 - 1]))
@example((EVEN, []), 2)
@example((TWICE, []), 2**31 - 1)
@example((FULL, [2]), 0)
def test_weighings_are_true(drawn: tuple[MultiCase, list[int]], prime: int) -> None:
    case, givens = drawn
    items = case.primary + case.secondary
    refuter = kernel_problem(case.problem()).refuter()
    verdict, found, places, _ = refuter.weigh(bytes([1]) * len(items), givens, prime, inf)
    if verdict == "refuted":
        needed = [givens[place] for place in places]
        assert not is_possible(case, [items[number] for number in found], needed)


@given(large_multi_cases(weights=True))
@settings(max_examples=80)
def test_explanations_of_larger_problems(case: MultiCase) -> None:
    problem = case.problem()
    found = problem.explain()
    assert (found is None) == (problem.solve() is not None)


@pytest.mark.lengthy
@given(multi_cases(weights=True), st.data())
@settings(max_examples=80)
def test_the_expectation_is_the_size_of_the_tree(case: MultiCase, data: st.DataObject) -> None:
    """The mean over all probes, each with its probability."""
    tree = search_slowly(case)
    problem = case.problem()
    path: list[list[int]] = []
    depth = 0

    def draw(children: int) -> int:
        nonlocal depth
        if depth == len(path):
            path.append([0, children])
        depth += 1
        assert path[depth - 1][1] == children
        return path[depth - 1][0]

    probes = PythonProbes(problem.matrix(), [], seed=0, draw=draw)
    nodes = solutions = 0.0
    while True:
        depth = 0
        probes.run(len(probes.nodes) + 1)
        chance = 1.0
        for _, count in path:
            chance /= count
        nodes += chance * probes.nodes[-1]
        solutions += chance * probes.solutions[-1]
        while path and path[-1][0] + 1 == path[-1][1]:
            path.pop()
        if not path:
            break
        path[-1][0] += 1
    assert nodes == pytest.approx(sum(tree.profile))
    assert solutions == pytest.approx(len(tree.solutions))


@pytest.mark.lengthy
@given(large_multi_cases(weights=True), st.integers(0, 2**32), st.integers(2, 12))
@settings(max_examples=25)
def test_the_kernel_makes_the_same_probes(case: MultiCase, seed: int, probes: int) -> None:
    problem = case.problem()
    solution = problem.solve()
    givens = solution[: seed % (len(solution) + 1)] if solution else ()
    one = problem.estimate(probes, seed, given=givens)
    other = problem.estimate(probes, seed, given=givens, engine="python")
    assert one.profile == pytest.approx(other.profile, rel=1e-11)
    assert one.nodes == pytest.approx(other.nodes, rel=1e-11)
    assert one.solutions == pytest.approx(other.solutions, rel=1e-11)


@pytest.mark.lengthy
def test_many_items_with_multiplicities() -> None:
    """The next item comes from a tournament as long as there are hundreds."""
    size = 700
    options = [[item, (item * 7 + step) % size] for item in range(size) for step in (1, 5, 11)]
    options += [[item] for item in range(size)]
    options = [sorted({*option}) for option in options]
    bounds = {item: (item % 3, 2 + item % 2) for item in range(size)}
    problem = dlx.Problem.from_options(options, primary=range(size), multiplicities=bounds)
    one, other = problem.estimate(4, 3), problem.estimate(4, 3, engine="python")
    assert list(map(math.log, one.profile)) == pytest.approx(list(map(math.log, other.profile)))


def test_a_roster_with_too_few_shifts() -> None:
    """Seven days need four people each; six people work four days at most: 28 against 24.

    Five of the people are enough for an explanation: the sixth cannot work more than seven days.
    """
    days, people = range(7), "abcdef"
    problem = dlx.Problem.from_options(
        {(day, who): [f"day {day}", who] for day in days for who in people},
        multiplicities={**{f"day {day}": 4 for day in days}, **dict.fromkeys(people, (0, 4))},
    )
    found = problem.explain()
    assert found is not None
    assert found.irreducible
    assert set(found.items) == {*"abcde", *(f"day {day}" for day in days)}
    assert found.reason == (
        "'day 0', 'day 1', 'day 2', ... (7 items) need 28 in all; through 'a', 'b', 'c', ... "
        "(5 items) the options left can give 20, and 7 otherwise"
    )


@pytest.mark.parametrize(
    ("options", "bounds", "said"),
    [
        (
            [["a", "b"], ["a"], ["b"]],
            {"a": 3},
            "item 'a' cannot be covered often enough: 'a' needs 3; the options left can give 2",
        ),
        ([["a"]], {"b": 2}, "no option contains item 'b'"),
        (
            [["a", "x"], ["b", "x"], ["c", "x"], ["c"]],
            {"x": (0, 1)},
            "items 'a', 'b' and 'x' cannot be satisfied together (all are needed): 'a' and 'b' "
            "need 2 in all; every option for that uses 'x', which allows 1",
        ),
    ],
)
def test_what_is_said(options: list[list[str]], bounds: dict[str, Any], said: str) -> None:
    items = sorted({item for option in options for item in option} | bounds.keys())
    problem = dlx.Problem.from_options(options, primary=items, multiplicities=bounds)
    assert str(problem.explain()) == said
