"""Every engine leaves the matrix as it found it, whenever and however its search ends."""

from __future__ import annotations

from typing import Any

import pytest
from bruteforce import Case
from hypothesis import given
from hypothesis import strategies as st
from internals import engine_of
from search_strategies import SEEDS
from strategies import any_cases, any_large_cases, parts_of_solutions, possible_givens
from timeouts import TIMEOUTS

import dlx
from dlx.core.budget import Budget
from dlx.engines.registry import HEURISTICS

UNDOING = ("links", "python")  # `bits` copies states and undoes nothing


@pytest.fixture(scope="session", params=UNDOING)
def engine(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


def picture(engine: Any) -> object:
    """All an engine's data about the matrix, as something to compare."""
    if hasattr(engine, "image"):
        return engine.image()
    matrix = engine.matrix
    engine.complete_matrix()
    matrix.check()
    shown, header = [], matrix.root.right
    while header is not matrix.root:
        shown.append([getattr(header, of, None) for of in ("name", "need", "bound")])
        header = header.right
    return shown, matrix.columns(), matrix.uncoverable


def untouched(problem: dlx.Problem, seed: int | None, engine: str) -> object:
    return picture(engine_of(problem.solutions(seed=seed, engine=engine)))


@given(case=any_cases(max_options=14) | any_large_cases(), seed=SEEDS, data=st.data())
def test_after_a_whole_search(
    engine: str, case: Case, seed: int | None, data: st.DataObject
) -> None:
    problem = case.problem()
    first = problem.solve(engine=engine)
    chosen = data.draw(parts_of_solutions([first])) if first else ()
    heuristic = data.draw(st.sampled_from(HEURISTICS))
    search = problem.solutions(given=chosen, seed=seed, engine=engine, heuristic=heuristic)
    engine_of(search).skip(Budget(1000))
    if not engine_of(search).finished:
        engine_of(search).close()
    assert picture(engine_of(search)) == untouched(problem, seed, engine)


@given(
    case=any_cases(max_options=14) | any_large_cases(),
    seed=SEEDS,
    stop=st.integers(0, 10),
    heuristic=st.sampled_from(HEURISTICS),
    data=st.data(),
)
def test_after_a_search_stopped_in_the_middle(
    engine: str, case: Case, seed: int | None, stop: int, heuristic: Any, data: st.DataObject
) -> None:
    problem = case.problem()
    chosen = possible_givens(data, problem, seed)
    options: dict[str, Any] = {"given": chosen, "engine": engine, "heuristic": heuristic}
    with problem.solutions(seed=seed, **options) as search:
        for _, _solution in zip(range(stop), search, strict=False):
            pass
    assert picture(engine_of(search)) == untouched(problem, seed, engine)
    assert next(search, None) is None


@pytest.mark.parametrize("color", [False, True])
def test_the_picture_of_a_search_under_way_differs(engine: str, color: bool) -> None:
    """Otherwise the tests above would compare nothing."""
    x = dlx.colored("x", 1) if color else "x"
    problem = dlx.Problem.from_options([["a", x], ["b"], ["b", x], ["a"]], secondary=["x"])
    search = problem.solutions(engine=engine)
    fresh = picture(engine_of(search))
    next(search)
    assert picture(engine_of(search)) != fresh
    search.close()
    assert picture(engine_of(search)) == fresh


def test_after_a_timeout(engine: str) -> None:
    problem = dlx.Problem.from_options([[i] for i in range(60) for _ in range(2)])
    fresh = untouched(problem, None, engine)
    for timeout in TIMEOUTS:
        with problem.solutions(timeout=timeout, engine=engine) as search:
            for _solution in search:
                pass
            assert search.stopped_by == "timeout"
            stopped = picture(engine_of(search))
        assert picture(engine_of(search)) == fresh
        if stopped != fresh:
            break
    assert stopped != fresh


@pytest.mark.parametrize("color", [False, True])
@pytest.mark.parametrize("stop", [False, True])
def test_the_first_searches_of_a_large_problem(color: bool, stop: bool) -> None:
    """The first one has a matrix of its own, the others copy one; options are of any length."""
    options: list[list[Any]] = []
    for first in range(0, 24_000, 12):
        size = 2 + first % 11
        options += [[*range(first, first + n)] for n in (size, 1, size - 1)]
        options += [[*range(first + size, first + 12)]] * (size < 12)
        options += [[first + n, "x"] for n in range(size - 1)] * 2
    options[3].append(dlx.colored("x", 1) if color else "x")
    problem = dlx.Problem.from_options(options, secondary=["x"])
    assert problem.entry_count > 2**16
    images, found = [], []
    for _ in range(3):
        search = problem.solutions(engine="links")
        images.append(picture(engine_of(search)))
        found += [next(search)] if stop else list(search)
        search.close()
        images.append(picture(engine_of(search)))
    assert images.count(images[0]) == 6
    assert len(found) == found.count(found[0]) == 3
    problem.verify(found[0])
