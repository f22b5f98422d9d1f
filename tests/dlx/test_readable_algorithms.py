"""`dlx.links.algorithm_x`, `_c` and `_m`, written to be read, find the solutions of the engines."""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator
from itertools import islice

import known_counts
import pytest
from bruteforce import Case, all_subsets
from hypothesis import given
from hypothesis import strategies as st
from internals import table_of
from known_counts import Known
from strategies import any_cases, any_large_cases, cases, small_multi_case

import dlx
from dlx.core.numbering import kernel_bounds
from dlx.links.algorithm_c import AlgorithmC
from dlx.links.algorithm_m import AlgorithmM
from dlx.links.algorithm_m_weights import AlgorithmMWithWeights
from dlx.links.algorithm_x import AlgorithmX, Node

ENGINES = ("bits", "links", "python")
ENOUGH = 200  # solutions of a large problem


def lesson(problem: dlx.Problem) -> AlgorithmX:
    """The problem in the matrix of the simplest algorithm that knows all it has."""
    parts = (problem.primary, problem.secondary, problem.options)
    table = table_of(problem)
    if problem.multiplicities:
        bounds = {table.items[number]: pair for number, pair in kernel_bounds(table).items()}
        kind = AlgorithmMWithWeights if table.has_weights else AlgorithmM
        return kind(*parts, multiplicities=bounds)
    colored = any(isinstance(entry, dlx.Colored) for option in problem.options for entry in option)
    return AlgorithmC(*parts) if colored else AlgorithmX(*parts)


def links(matrix: AlgorithmX) -> list[tuple[Hashable, ...]]:
    """All that the search changes: the lists, in both directions, with lengths and colors."""

    def ring(start: Node, way: str) -> Iterator[tuple[int, int]]:
        node = getattr(start, way)
        while node is not start:
            yield id(node), node.color
            node = getattr(node, way)

    return [
        (item.name, item.length, item.bound, *(tuple(ring(item, way)) for way in ("up", "down")))
        for item in matrix.items.values()
    ] + [tuple(ring(matrix.root, way)) for way in ("left", "right")]


@given(case=cases())
def test_all_exact_covers(case: Case) -> None:
    found = list(lesson(case.problem()).solutions())
    assert set(map(frozenset, found)) == all_subsets(case)
    assert len(set(map(frozenset, found))) == len(found)


@given(case=any_cases() | any_large_cases())
def test_the_sequence_of_every_engine(case: Case) -> None:
    problem = case.problem()
    expected = list(islice(lesson(problem).solutions(), ENOUGH))
    for engine in ENGINES:
        if engine != "bits" or not problem.multiplicities:
            assert list(problem.solutions(engine=engine, limit=ENOUGH)) == expected


def test_the_sequence_with_weights() -> None:
    """On many small problems, since the score decides little in most of them."""
    rng = random.Random(0)
    for _ in range(1000):
        problem = small_multi_case(rng).problem()
        assert list(lesson(problem).solutions()) == list(problem.solutions())


@given(case=any_cases(), count=st.integers(0, 3))
def test_links_are_restored(case: Case, count: int) -> None:
    matrix = lesson(case.problem())
    before = links(matrix)
    search = matrix.solutions()
    found = list(islice(search, count))
    search.close()  # type: ignore[attr-defined]
    assert links(matrix) == before
    everything = list(matrix.solutions())
    assert everything[:count] == found
    assert links(matrix) == before


@given(case=cases(colors=False))
def test_the_trace_names_every_option_tried(case: Case) -> None:
    """As many lines as the engines count nodes, less what they cut off at an item without
    options.
    """
    problem = case.problem()
    lines: list[str] = []
    list(lesson(problem).solutions(trace=lines.append))
    search = problem.solutions(engine="python")
    list(search)
    tried = [line for line in lines if line.lstrip().startswith("option ")]
    assert len(tried) == search.stats.nodes - 1


SMALL = [known for known in known_counts.LITTLE if known.solutions < 1000]


@pytest.mark.parametrize("known", SMALL, ids=lambda known: known.name)
def test_known_counts(known: Known) -> None:
    assert sum(1 for _ in lesson(known.build()).solutions()) == known.solutions
