"""Diagrams with multiplicities: the same set as an enumeration, in the same order."""

from __future__ import annotations

import pickle
from array import array
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import known_counts
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from internals import columns_of, kernel_problem
from known_counts import Known
from multiplicities import MultiCase, all_subsets, large_multi_cases, multi_cases
from strategies import parts_of_solutions
from timeouts import cut_short

import dlx
from dlx import Diagram, models
from dlx.analysis.diagram.build import ORDERS
from dlx.analysis.diagram.nodes import columns_from, walk

orders = st.sampled_from(ORDERS)


def in_item_order(problem: dlx.Problem, **search: Any) -> list[tuple[Any, ...]]:
    """The solutions as a search has them that takes the items in the order of "narrow"."""
    numbers = kernel_problem(problem).narrow_order()
    place = {problem.primary[number]: at for at, number in enumerate(numbers)}

    def first(headers: Sequence[Any]) -> Any:
        return min(headers, key=lambda header: place[header.name])

    return list(problem.solutions(engine="python", heuristic=first, **search))


@settings(max_examples=200)
@given(multi_cases(max_options=12, weights=True), orders)
def test_the_set_is_that_of_brute_force(case: MultiCase, order: str) -> None:
    diagram = case.problem().diagram(order=order)
    listed = list(map(frozenset, diagram))
    assert len(set(listed)) == len(listed) == diagram.count()
    assert set(listed) == all_subsets(case)
    assert bool(diagram) == bool(listed)


@settings(max_examples=100)
@given(large_multi_cases(weights=True), st.none() | st.integers(0, 9))
def test_the_order_of_search_is_that_of_solutions(case: MultiCase, seed: int | None) -> None:
    problem = case.problem()
    diagram = problem.diagram(seed=seed)
    assert list(islice(diagram, 2000)) == list(problem.solutions(seed=seed, limit=2000))
    assert diagram.count() == problem.count(seed=seed)


@settings(max_examples=50)
@given(large_multi_cases(weights=True))
def test_the_order_of_narrow_is_that_of_a_search_by_that_order(case: MultiCase) -> None:
    problem = case.problem()
    diagram = problem.diagram(order="narrow")
    if problem.count(limit=1000) < 1000:
        assert list(diagram) == in_item_order(problem)
    assert diagram.count() == problem.count()


@given(multi_cases(weights=True), orders, st.data())
def test_givens(case: MultiCase, order: str, data: st.DataObject) -> None:
    """They come first, and leave what a search with them finds."""
    problem = case.problem()
    solutions = list(problem.solutions())
    if not solutions:
        return
    part = data.draw(parts_of_solutions(solutions))
    expected = (
        list(problem.solutions(given=part))
        if order == "search"
        else in_item_order(problem, given=part)
    )
    whole, diagram = problem.diagram(order=order), problem.diagram(order=order, given=part)
    assert list(diagram) == expected
    restricted = whole.restrict(part)
    assert set(map(frozenset, restricted)) == set(map(frozenset, expected))
    assert list(restricted) == [s for s in whole if set(part) <= set(s)]


@given(large_multi_cases(weights=True), orders)
def test_nodes_are_in_order_and_no_two_are_equal(case: MultiCase, order: str) -> None:
    diagram = case.problem().diagram(order=order)
    option, low, high, root = columns_of(diagram)
    assert len(set(zip(option[2:], low[2:], high[2:], strict=True))) == diagram.nodes
    place = {name: at for at, name in enumerate(diagram.variables or ())}
    for node in range(2, len(option)):
        assert 0 < high[node] < node
        assert low[node] < node
        for child in (low[node], high[node]):
            if order == "narrow" and child > 1:
                assert place[option[node]] < place[option[child]]
    assert root == len(option) - 1 or root < 2


@settings(max_examples=100)
@given(large_multi_cases(weights=True), orders, st.none() | st.integers(0, 9))
def test_cells_build_the_same_diagram_as_bits(
    case: MultiCase, order: str, seed: int | None
) -> None:
    prepared = kernel_problem(case.problem(), seed)
    items = array("i", prepared.narrow_order() if order == "narrow" else ())
    built = []
    for bits in (True, False):
        work = prepared.diagram([], items, 2**30, bits)
        assert work.run() == "finished"
        tried, _, subproblems, nodes, _ = work.stats
        built.append((work.take(), work.variables(), tried, subproblems, nodes))
    assert built[0] == built[1]


@given(multi_cases(max_options=12, weights=True), orders, st.data())
def test_questions(case: MultiCase, order: str, data: st.DataObject) -> None:
    """Counts of options, cheapest solutions, members, samples; in files and pickles, too."""
    diagram = case.problem().diagram(order=order)
    solutions = all_subsets(case)
    options = range(len(case.options))
    assert diagram.option_counts() == {
        option: sum(option in solution for solution in solutions) for option in options
    }
    costs = [data.draw(st.integers(-9, 9)) for _ in options]
    totals = sorted(sum(costs[option] for option in solution) for solution in solutions)
    assert [cost for cost, _ in diagram.minimum(costs, k=5)] == totals[:5]
    assert [cost for cost, _ in diagram.maximum(costs, k=5)] == totals[::-1][:5]
    tried = data.draw(st.sets(st.sampled_from(options))) if options else set()
    assert diagram.contains(tried) == (frozenset(tried) in solutions)
    if solutions:
        assert all(frozenset(solution) in solutions for solution in diagram.sample(5, seed=1))
    assert list(pickle.loads(pickle.dumps(diagram))) == list(diagram)


@given(multi_cases(weights=True), orders)
def test_files(tmp_path_factory: pytest.TempPathFactory, case: MultiCase, order: str) -> None:
    path: Path = tmp_path_factory.mktemp("diagrams") / "solutions"
    diagram = case.problem().diagram(order=order)
    diagram.save(path)
    loaded = Diagram.load(path)
    assert list(loaded) == list(diagram)
    assert loaded.variables == diagram.variables
    assert loaded.option_counts() == diagram.option_counts()


@pytest.mark.parametrize("order", ORDERS)
def test_samples_are_uniform(order: str) -> None:
    """12 subsets of a size between 2 and 3 of five options, two of which exclude each other."""
    problem = dlx.Problem.from_options(
        [["a"], ["a"], ["a"], ["a", "x"], ["a", "x"]],
        secondary=["x"],
        multiplicities={"a": (2, 3)},
    )
    total = problem.count()
    drawn = Counter(map(frozenset, problem.sample(500 * total, seed=7, order=order)))
    assert len(drawn) == total == 9 + 7
    assert max(drawn.values()) < 600
    assert min(drawn.values()) > 400


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("known", known_counts.MULTIPLE, ids=lambda known: known.name)
def test_known_counts(known: Known, order: str) -> None:
    if known.work == "little":
        assert known.build().diagram(order=order).count() == known.solutions


@pytest.mark.parametrize("bits", [True, False])
def test_large_counts(bits: bool) -> None:
    board = models.polyominoes(["I2"], models.box(8, 8), counts={"I2": 32})
    prepared = kernel_problem(board)
    work = prepared.diagram([], array("i", prepared.narrow_order()), 2**30, bits)
    assert work.run() == "finished"
    assert Diagram(columns_from(*work.take()), 112, None, None).count() == 12988816
    assert next(walk(columns_from(*work.take())))


def test_nothing_is_needed() -> None:
    """The empty solution is the one without an option."""
    problem = dlx.Problem.from_options([["a"], ["b"]], multiplicities={"a": (0, 1), "b": (0, 2)})
    for order in ORDERS:
        diagram = problem.diagram(order=order)
        assert diagram.contains([])
        assert set(map(frozenset, diagram)) == {frozenset(s) for s in ((), (0,), (1,), (0, 1))}
    nothing = dlx.Problem.from_options([], primary=["a"], multiplicities={"a": (0, 3)})
    assert list(nothing.diagram()) == [()]
    assert nothing.sample() == [()]


def test_limits() -> None:
    problem = known_counts.biregular(12, 5)
    with pytest.raises(dlx.DiagramTooLarge) as caught:
        problem.diagram(memory_limit=2**20)
    assert caught.value.memory_limit == 2**20
    cut_short(lambda timeout: problem.diagram(timeout=timeout), lambda error: True)
