"""Depth, nodes and sizes beyond what packages of this kind usually survive."""

from __future__ import annotations

from array import array

import pytest
from internals import engine_of

import dlx
from dlx.core.budget import Budget

pytestmark = pytest.mark.slow

ANY_SIZE = ("auto", "links", "python")  # `bits` is for problems whose tables fit


@pytest.fixture(scope="session", params=ANY_SIZE)
def engine(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.mark.parametrize("depth", [2_000, 200_000])
def test_deep_search(engine: str, depth: int) -> None:
    """Every option is forced, so that the search is one branch of `depth` levels."""
    problem = dlx.Problem.from_options([i] for i in range(depth))
    search = problem.solutions(engine=engine)
    assert next(search) == tuple(range(depth))
    assert next(search, None) is None
    assert search.exhausted
    assert search.stats.profile == (1,) * (depth + 1)


def test_a_chain_of_200_000_items(engine: str) -> None:
    """Links of two items each, linked again by the other items: one of the two ways to take every
    second link covers all.
    """
    count = 200_000
    start, indices = array("i", [0]), array("i")
    for item in range(count - 1):
        indices.extend((item, item + 1))
        start.append(len(indices))
    problem = dlx.Problem.from_arrays(start, indices, items=count)
    assert problem.solve(engine=engine) == tuple(range(0, count - 1, 2))


def test_a_deep_search_can_be_closed_half_way(engine: str) -> None:
    depth = 2_000
    problem = dlx.Problem.from_options([i] for i in range(depth) for _ in range(2))
    search = problem.solutions(engine=engine)
    assert next(search) == tuple(range(0, 2 * depth, 2))
    search.close()
    assert problem.solve(engine=engine) == tuple(range(0, 2 * depth, 2))


def test_more_than_32767_nodes(engine: str) -> None:
    problem = dlx.Problem.from_options([i] for i in range(15) for _ in range(2))
    search = problem.solutions(engine=engine)
    assert sum(1 for _ in search) == 2**15
    assert search.stats.nodes == 2**16 - 1
    assert search.stats.solutions == 2**15


def test_more_than_2_24_nodes() -> None:
    problem = dlx.Problem.from_options([i] for i in range(24) for _ in range(2))
    assert problem.count() == 2**24
    engine = engine_of(problem.solutions())
    assert engine.skip(Budget(2**24 + 1)) == 2**24
    nodes, _, solutions, profile, *_ = engine.stats
    assert nodes == 2**25 - 1
    assert solutions == 2**24
    assert profile == tuple(2**level for level in range(25))


def test_more_than_32767_items_in_an_option(engine: str) -> None:
    width = 40_000
    problem = dlx.Problem.from_options([range(width), range(width - 1), [width - 1]])
    assert list(problem.solutions(engine=engine)) == [(0,), (1, 2)]


def test_more_than_32767_options_for_an_item(engine: str) -> None:
    problem = dlx.Problem.from_options([["a"]] * 40_000)
    assert problem.count(engine=engine) == 40_000
    assert problem.solve(given=[39_999], engine=engine) == (39_999,)


def test_more_than_32767_colors(engine: str) -> None:
    options = [[item, dlx.colored("x", i)] for i in range(40_000) for item in ("a", "b")]
    search = dlx.Problem.from_options(options, secondary=["x"]).solutions(limit=3, engine=engine)
    assert list(search) == [(0, 1), (2, 3), (4, 5)]


def test_a_million_options() -> None:
    count = 1_000_000
    problem = dlx.Problem.from_arrays(
        array("i", range(count + 1)), array("i", range(count)), items=count
    )
    assert len(problem) == problem.entry_count == count
    assert problem.is_unique()
