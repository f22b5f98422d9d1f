"""The cheapest solutions of problems with multiplicities, against sorting all solutions."""

from __future__ import annotations

import itertools

import pytest
from bruteforce import ranked
from hypothesis import given
from hypothesis import strategies as st
from multiplicities import MultiCase, all_subsets, large_multi_cases, multi_cases, search_slowly
from strategies import parts_of_solutions

import dlx
from dlx.analysis import minimum
from dlx.analysis.minimum import ENGINES

COMPILED_AND_PYTHON = ("links", "python")
few_costs = st.integers(-2, 2)
any_costs = st.one_of(few_costs, st.integers(-1000, 1000), st.integers(-(2**55), 2**55))


@st.composite
def costed(draw: st.DrawFn, source: st.SearchStrategy[MultiCase]) -> tuple[MultiCase, list[int]]:
    """A problem and the costs of its options, from many ties to none."""
    case = draw(source)
    each = draw(st.sampled_from([few_costs, st.integers(0, 1000), any_costs]))
    return case, [draw(each) for _ in case.options]


@pytest.mark.parametrize("engine", COMPILED_AND_PYTHON)
@given(problem=costed(multi_cases() | multi_cases(weights=True)), k=st.integers(1, 12))
def test_minimum_and_maximum_are_the_sorted_solutions(
    engine: str, problem: tuple[MultiCase, list[int]], k: int
) -> None:
    case, costs = problem
    visited = search_slowly(case).solutions
    assert {frozenset(solution) for solution in visited} == all_subsets(case)
    costly = case.problem(costs)
    assert costly.minimum(k, engine=engine) == ranked(visited, costs)[:k]
    assert costly.maximum(k, engine=engine) == ranked(visited, costs, -1)[:k]


@pytest.mark.parametrize("engine", COMPILED_AND_PYTHON)
@given(
    problem=costed(large_multi_cases() | large_multi_cases(weights=True)),
    k=st.sampled_from([1, 2, 7, 50]),
    seed=st.none() | st.integers(0, 3),
    data=st.data(),
)
def test_larger_problems_with_seeds_and_givens(
    engine: str,
    problem: tuple[MultiCase, list[int]],
    k: int,
    seed: int | None,
    data: st.DataObject,
) -> None:
    case, costs = problem
    costly = case.problem(costs)
    visited = list(itertools.islice(costly.solutions(seed=seed), 2000))
    if len(visited) == 2000:
        return
    chosen = data.draw(parts_of_solutions(visited)) if visited else ()
    visited = list(costly.solutions(seed=seed, given=chosen))
    found = costly.minimum(k, seed=seed, given=chosen, engine=engine)
    assert found == ranked(visited, costs)[:k]
    found = costly.maximum(k, seed=seed, given=chosen, engine=engine)
    assert found == ranked(visited, costs, -1)[:k]


@given(
    problem=costed(large_multi_cases() | large_multi_cases(weights=True)),
    k=st.sampled_from([1, 5, 60]),
    workers=st.integers(2, 4),
)
def test_several_workers(problem: tuple[MultiCase, list[int]], k: int, workers: int) -> None:
    case, costs = problem
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(minimum, "SINGLE_THREAD_WORK", 0)
        costly = case.problem(costs)
        if costly.count(limit=3000) == 3000:
            return
        assert costly.minimum(k, workers=workers) == costly.minimum(k, engine="python")


@pytest.mark.lengthy
def test_thousands_of_ties() -> None:
    """More than are looked for in another order than that of the visit."""
    case = MultiCase(
        ("a", "b"), (), tuple(("a",) if o % 2 else ("b",) for o in range(24)), ((2, 5), (3, 4))
    )
    problem = case.problem([o // 20 for o in range(24)])
    visited = list(problem.solutions())
    costs = [o // 20 for o in range(24)]
    for k in (1, 30, 2500):
        assert problem.minimum(k) == ranked(visited, costs)[:k]


def test_a_set_covering() -> None:
    """Each point at least once; the sets are the triples of a line in the Fano plane."""
    lines = ["abc", "ade", "afg", "bdf", "beg", "cdg", "cef"]
    problem = dlx.Problem.from_options(
        map(list, lines),
        multiplicities=dict.fromkeys("abcdefg", (1, 7)),
        costs=[3, 1, 4, 1, 5, 9, 2],
    )
    covers = [
        subset
        for size in range(8)
        for subset in itertools.combinations(range(7), size)
        if set("abcdefg") == set("".join(lines[line] for line in subset))
    ]
    least = min(sum([3, 1, 4, 1, 5, 9, 2][line] for line in cover) for cover in covers)
    for engine in ENGINES:
        assert problem.minimum(engine=engine)[0][0] == least
