"""Searches with multiplicities: all engines visit the same solutions in the same order."""

from __future__ import annotations

import os
import random
from array import array
from collections.abc import Hashable, Sequence
from typing import Any

import known_counts
import pytest
from bruteforce import Case, all_subsets, search_slowly
from example_problems import options_of
from hypothesis import given
from hypothesis import strategies as st
from internals import table_of
from strategies import cases, multi_cases, small_multi_case
from timeouts import cut_short

import dlx
from dlx.core.budget import Budget
from dlx.core.kernel import Problem as KernelProblem
from dlx.core.kernel import Search as KernelSearch
from dlx.links.heuristics import HEURISTICS
from dlx.links.matrix import Header
from dlx.links.multiplicities import MultipleHeader, MultipleMatrix

ENGINES = ("links", "python")
heuristics = st.sampled_from(HEURISTICS)

BLOCKS = 100 if "DLX_FUZZ" in os.environ else 1  # of 1000 problems; `make fuzz` runs all


@pytest.fixture(scope="session", params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


# -- the same solutions, each once, in the same order ---------------------------------------------


@given(case=multi_cases(weights=True))
def test_the_obvious_search_finds_all_subsets(case: Case) -> None:
    found = search_slowly(case).solutions
    assert set(map(frozenset, found)) == all_subsets(case)
    assert len(set(map(frozenset, found))) == len(found)


@pytest.mark.slow
@pytest.mark.fuzz
@pytest.mark.parametrize("block", range(BLOCKS))
def test_100_000_small_problems(block: int) -> None:
    """Every engine, sequence by sequence, each by another heuristic in turn, with givens or not."""
    rng = random.Random(block)
    for number in range(1000):
        case = small_multi_case(rng)
        problem = case.problem()
        heuristic = HEURISTICS[number % len(HEURISTICS)]
        tree = search_slowly(case, heuristic=heuristic)
        assert set(map(frozenset, tree.solutions)) == all_subsets(case), case
        chosen: tuple[int, ...] = ()
        if tree.solutions and number % 3 == 0:
            solution = rng.choice(tree.solutions)
            chosen = tuple(rng.sample(solution, rng.randint(0, len(solution))))
            tree = search_slowly(case, chosen, heuristic=heuristic)
        for engine in ENGINES:
            search = problem.solutions(engine=engine, heuristic=heuristic, given=chosen)
            assert tree == (list(search), search.stats.profile), (case, chosen)


@given(case=cases())
def test_all_items_once_is_the_plain_search(case: Case) -> None:
    """The tree, too: Algorithm M is Algorithm X where it may be."""
    once = [(1, 1)] * len(case.primary)
    plain = search_slowly(case)
    assert search_slowly(case._replace(bounds=tuple(once))) == plain
    table = table_of(case.problem())
    rank = array("i", range(len(table.items)))
    ones = array("i", [1]) * len(case.primary)
    colors = table.entry_color or None
    kernel = KernelProblem(
        table.start, table.entry_item, colors, rank, None, len(ones), low=ones, high=ones
    )
    search = KernelSearch(kernel, [], None, "links", "mrv")
    found: list[tuple[Any, ...]] = []
    while not search.finished:
        search.run(Budget(100), found)
    assert kernel.multiple == bool(case.primary)
    assert (found, tuple(search.stats.profile)) == plain
    matrix = MultipleMatrix(case.primary, case.secondary, case.options, multiplicities={})
    assert (list(matrix.solutions()), tuple(matrix.profile)) == plain


@pytest.mark.slow
@pytest.mark.parametrize(
    ("problem", "count"),
    [
        (dlx.models.queen_domination(8, 5), 4860),  # A002564, TAOCP 7.2.2.1
        (dlx.models.partridge(6), 0),
    ],
)
def test_larger_known_counts(problem: dlx.Problem, count: int) -> None:
    assert problem.count() == count


# Centers of squares, side by side, of a solution drawn at cr31.co.uk/logoarts/prog/puzzle.
PARTRIDGE = """
30.5 31.5|22 14,29 17|14.5 9.5,31.5 29.5,34.5 29.5|15 13,19 13,25 34,29 34|18.5 8.5,25.5 15.5,
8.5 17.5,13.5 17.5,33.5 33.5|19 3,25 3,3 11,3 17,33 19,33 25|24.5 9.5,9.5 11.5,19.5 18.5,26.5 21.5,
19.5 25.5,26.5 28.5,19.5 32.5|4 4,12 4,32 4,32 12,4 24,12 24,4 32,12 32
"""


def test_a_partridge_in_a_pear_tree() -> None:
    """A published solution of the smallest size that has one, found from its large squares."""
    squares: list[Hashable] = []
    for k, line in enumerate(PARTRIDGE.replace("\n", "").split("|"), start=1):
        for center in line.split(","):
            row, column = (int(float(number) - k / 2) for number in center.split())
            squares.append((k, row, column))
    problem = dlx.models.partridge(8)
    problem.verify(squares)
    large = squares[10:]  # of sides 5 to 8
    assert set(squares) in map(set, problem.solutions(given=large))


def test_a_timeout_stops_it() -> None:
    problem = dlx.models.partridge(8)
    cut_short(lambda timeout: problem.solve(timeout=timeout), lambda error: error.stats.nodes > 1)


@given(case=multi_cases(weights=True))
def test_a_heuristic_of_ones_own_sees_open_items_with_options(case: Case) -> None:
    def last(headers: Sequence[Header]) -> Header:
        for header in headers:
            assert header.length > 0
            if isinstance(header, MultipleHeader):
                assert 1 <= header.branches <= header.length + 1
        return headers[-1]

    found = list(case.problem().solutions(engine="python", heuristic=last))
    assert set(map(frozenset, found)) == all_subsets(case)
    assert len(set(map(frozenset, found))) == len(found)


def test_trace() -> None:
    problem = dlx.Problem.from_options(
        options_of("ab b b c bc"),
        primary=["a", "b", "c"],
        multiplicities={"a": (0, 2), "b": (2, 3)},
    )
    steps = [str(step) for step in problem.matrix().search()]
    assert steps[:20] == [
        "level 0: item a (1 option)",
        "  try option 0",
        "  level 1: item c (2 options)",
        "    try option 3",
        "    level 2: item b (2 options)",
        "      try option 1",
        "      level 3: item b (1 option)",
        "        try option 2",
        "        solution!",
        "        try no more of them",
        "        solution!",
        "      level 3: item b is done",
        "      try option 2",
        "      solution!",
        "    level 2: item b is done",
        "    try option 4",
        "    level 2: item b (2 options)",
        "      try option 1",
        "      solution!",
        "      try option 2",
    ]
    assert [str(step) for step in known_counts.taocp_multiplicities().matrix().search()][1:3] == [
        "  try option 0",
        "  dead end: item C has only 1 option left",
    ]


# -- answers at once ------------------------------------------------------------------------------


@pytest.mark.parametrize("bounds", [2, (2, 5), 10**30, (10**30, 10**40)])
def test_bounds_that_no_options_can_meet(engine: str, bounds: Any) -> None:
    """Not an error, but no solution, and that at the root."""
    problem = dlx.Problem.from_options(
        options_of("ab b b"), multiplicities={"a": bounds, "b": (0, 9)}
    )
    search = problem.solutions(engine=engine)
    assert list(search) == []
    assert search.exhausted
    assert search.stats.nodes == 1
    assert problem.count(engine=engine) == 0
    assert problem.solve(engine=engine, given=[0]) is None


def test_bounds_beyond_all_options_bound_nothing(engine: str) -> None:
    options = [["a"], ["a"], ["a", "b"], ["b"]]
    for high in (3, 4, 10**30):
        problem = dlx.Problem.from_options(options, multiplicities={"a": (0, high), "b": (0, high)})
        assert problem.count(engine=engine) == 16


def test_items_without_options(engine: str) -> None:
    problem = dlx.Problem(["a", "b"], multiplicities={"a": (0, 1), "b": (0, 7)})
    assert list(problem.solutions(engine=engine)) == [()]
    assert problem.count(engine=engine) == 1
    problem.add_item("c")
    assert problem.count(engine=engine) == 0
