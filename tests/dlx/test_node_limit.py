"""The kernel's searches in slices of a number of nodes: where they stop does not depend on time."""

from __future__ import annotations

from typing import Any

import pytest
from bruteforce import Case
from hypothesis import example, given
from hypothesis import strategies as st
from internals import kernel_problem
from kernel_searches import engine_choice
from strategies import large_cases

from dlx import models
from dlx.core import kernel
from dlx.core.budget import Budget

NAMES = [
    *("links", "links/1", "links/3", "links/1/50", "auto", "auto/5"),
    *("bits", "bits/scattered", "bits/renumbered"),
]


def open_search(case: Case, name: str, heuristic: str = "mrv") -> Any:
    problem = kernel_problem(case.problem())
    return kernel.Search(problem, [], None, engine_choice(name), heuristic)


def nodes_of_solutions(case: Case, heuristic: str) -> list[tuple[tuple[int, ...], int]]:
    """The first 50 solutions, and how many nodes it takes to each."""
    search, told = open_search(case, "links", heuristic), []
    while not search.finished and len(told) < 50:
        found: list[tuple[int, ...]] = []
        search.run(Budget(1), found)
        told += [(solution, search.stats.nodes) for solution in found]
    return told


@pytest.mark.parametrize("name", NAMES)
@example(  # the last option completes a solution below another's node
    case=Case((0, 1, 2, 3), (), ((2, 1), (3, 0), (3, 1))), limits=[2], heuristic="mrv"
)
@given(
    case=large_cases(),
    limits=st.lists(st.integers(0, 300), max_size=6),
    heuristic=st.sampled_from(["mrv", "weighted"]),
)
def test_within_a_limit_just_what_is_found_within_it(
    name: str, case: Case, limits: list[int], heuristic: str
) -> None:
    expected = nodes_of_solutions(case, heuristic)
    search = open_search(case, name, heuristic)
    found: list[tuple[int, ...]] = []
    for limit in sorted(limits):
        while True:
            before = len(found)
            search.run(Budget(1, nodes=limit), found)
            if len(found) == before or len(found) == 50:
                break
        if len(found) == 50:
            return
        assert search.finished or search.stats.nodes >= limit
        if name == "links" and search.stats.nodes > 1:
            assert search.stats.nodes <= limit
        within = [solution for solution, nodes in expected if nodes <= limit]
        if not search.finished:
            assert found == within
        else:
            assert found == [solution for solution, _ in expected]
    while not search.finished and len(found) < 50:
        search.run(Budget(1), found)
    assert found == [solution for solution, _ in expected]


@pytest.mark.parametrize("name", ["links", "bits", "auto"])
def test_a_limit_is_kept_in_a_long_search(name: str) -> None:
    problem = kernel_problem(models.queens(20))
    search = kernel.Search(problem, [], None, name, "mrv")
    found: list[tuple[int, ...]] = []
    for limit in (1, 10_000, 300_000):
        while len(found) < 10**6:
            before = len(found)
            search.run(Budget(4096, nodes=limit), found)
            if len(found) == before:
                break
        assert limit <= search.stats.nodes <= limit + 20
