"""Counting with multiplicities: the same numbers as brute force, enumeration and other methods."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import comb, factorial, prod
from typing import Any

import known_counts
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from internals import input_of
from known_counts import Known
from multiplicities import MultiCase, all_subsets, large_multi_cases, multi_cases
from strategies import parts_of_solutions
from timeouts import cut_short

import dlx
from dlx import models
from dlx.analysis.count import count_with_cache
from dlx.search.options import SearchOptions


def by_layers(
    problem: dlx.Problem,
    given: Sequence[int] = (),
    *,
    seed: int | None = None,
    memory: int = 2**30,
    way: str = "layers",
) -> int:
    """The count by layers from the beginning, or as `count` chooses with the way "auto"."""
    options = SearchOptions(seed=seed, memory=memory)
    return count_with_cache(input_of(problem, options)._replace(given=list(given)), options, way)


# -- against others --------------------------------------------------------------------------------


@pytest.mark.lengthy
@settings(max_examples=200)
@given(case=multi_cases(max_options=12, weights=True), data=st.data())
def test_against_brute_force(case: MultiCase, data: st.DataObject) -> None:
    found = sorted(map(sorted, all_subsets(case)))
    problem = case.problem()
    chosen: tuple[Any, ...] = data.draw(parts_of_solutions(found)) if found else ()
    expected = sum(set(chosen) <= set(solution) for solution in found)
    seed = data.draw(st.none() | st.integers(0, 5))
    assert by_layers(problem, chosen, seed=seed) == expected
    assert by_layers(problem, chosen, seed=seed, way="auto") == expected
    assert problem.count(given=chosen) == expected


@settings(max_examples=100)
@given(
    case=large_multi_cases(weights=True),
    seed=st.none() | st.integers(0, 5),
    limit=st.integers(3, 2000),
)
def test_against_enumeration(case: MultiCase, seed: int | None, limit: int) -> None:
    problem = case.problem()
    expected = problem.count(limit=limit, engine="links")
    assert problem.count(limit=limit, seed=seed) == expected
    if expected < limit:
        assert by_layers(problem, seed=seed) == expected


@settings(max_examples=50)
@given(case=large_multi_cases(weights=True), memory=st.integers(0, 2**17))
def test_little_memory_slows_the_count_only(case: MultiCase, memory: int) -> None:
    problem = case.problem()
    expected = problem.count(limit=2000, engine="links")
    if expected < 2000:
        assert by_layers(problem, memory=memory) == expected


@pytest.mark.lengthy
@settings(max_examples=50)
@given(
    one=multi_cases(weights=True),
    other=multi_cases(weights=True),
    third=multi_cases(weights=True),
    limit=st.integers(0, 100),
)
def test_parts_multiply(one: MultiCase, other: MultiCase, third: MultiCase, limit: int) -> None:
    parts = [one, other, third]
    union = MultiCase(
        tuple((n, item) for n, part in enumerate(parts) for item in part.primary),
        tuple((n, item) for n, part in enumerate(parts) for item in part.secondary),
        tuple(
            tuple(_renamed(n, entry) for entry in option)
            for n, part in enumerate(parts)
            for option in part.options
        ),
        tuple(bounds for part in parts for bounds in part.bounds),
    ).problem()
    expected = prod(len(all_subsets(part)) for part in parts)
    assert by_layers(union) == expected
    assert by_layers(union, way="auto") == expected
    assert union.count(limit=limit) == min(limit, expected)


def _renamed(number: int, entry: Any) -> Any:
    if isinstance(entry, dlx.Colored):
        return dlx.colored((number, entry.item), entry.color)
    if isinstance(entry, dlx.Times):
        return dlx.times((number, entry.item), entry.weight)
    return (number, entry)


@settings(max_examples=30)
@given(case=large_multi_cases(weights=True), parts=st.integers(2, 6))
def test_parts_of_a_search(case: MultiCase, parts: int) -> None:
    """Their paths exclude options, so that no solution is counted twice."""
    problem = case.problem()
    if problem.count(limit=2000) < 2000:
        split = problem.split(parts)
        assert sum(problem.count(part=part) for part in split) == problem.count(engine="links")


def test_workers() -> None:
    """They enumerate, while the calling thread counts by layers."""
    for problem in (known_counts.biregular(6, 3), models.queen_domination(6, 3)):
        assert problem.count(workers=2) == problem.count(engine="links")


def test_a_timeout_tells_the_count_so_far() -> None:
    problem = known_counts.biregular(24, 12)
    error = cut_short(lambda timeout: problem.count(timeout=timeout), lambda error: error.count > 9)
    assert error.count <= error.stats.nodes


# -- known numbers ---------------------------------------------------------------------------------


@pytest.mark.parametrize("known", known_counts.MULTIPLE, ids=lambda known: known.name)
def test_known_counts(known: Known) -> None:
    problem = known.build()
    assert problem.count() == known.solutions
    if known.work == "little":
        assert by_layers(problem) == known.solutions


def test_large_binary_matrices() -> None:
    """Too many to enumerate: OEIS A001499 and A001501."""
    assert known_counts.biregular(8, 2).count() == 187530840
    assert known_counts.biregular(7, 3).count() == 68938800


def contingency_tables(rows: Sequence[int], columns: Sequence[int]) -> int:
    """0/1 matrices with these sums, row by row: the columns' sums that are left, and how often."""
    ways = {tuple(columns): 1}
    for row in rows:
        after: dict[tuple[int, ...], int] = {}
        for left, number in ways.items():
            for chosen in product((0, 1), repeat=len(left)):
                rest = tuple(map(int.__sub__, left, chosen))
                if sum(chosen) == row and min(rest) >= 0:
                    after[rest] = after.get(rest, 0) + number
        ways = after
    return ways.get((0,) * len(columns), 0)


@given(data=st.data())
def test_contingency_tables(data: st.DataObject) -> None:
    width = data.draw(st.integers(1, 5))
    rows = data.draw(st.lists(st.integers(1, width), min_size=1, max_size=6))
    columns = [data.draw(st.integers(1, len(rows))) for _ in range(width)]
    problem = dlx.Problem.from_options(
        [[("row", r), ("column", c)] for r in range(len(rows)) for c in range(width)],
        multiplicities={("row", r): number for r, number in enumerate(rows)}
        | {("column", c): number for c, number in enumerate(columns)},
    )
    expected = contingency_tables(rows, columns)
    assert problem.count() == by_layers(problem) == expected


@pytest.mark.parametrize(("low", "high"), [(0, 3), (2, 2), (5, 60), (30, 60), (0, 60), (60, 60)])
def test_subsets_of_a_size(low: int, high: int) -> None:
    problem = dlx.Problem.from_options([["a"]] * 60, multiplicities={"a": (low, high)})
    expected = sum(comb(60, k) for k in range(low, high + 1))
    assert problem.count() == by_layers(problem) == expected


def test_free_options() -> None:
    """They may be in a solution or not: alone, beside each other, and beside a secondary item."""
    free = [["a"]] * 40 + [["b"]] * 60
    many = dlx.Problem.from_options(free, multiplicities={"a": (0, 40), "b": (0, 100)})
    assert many.count() == by_layers(many) == 2**100
    shared = dlx.Problem.from_options(
        [["a", "s"]] * 40, secondary=["s"], multiplicities={"a": (0, 40)}
    )
    assert shared.count() == by_layers(shared) == 41


@pytest.mark.parametrize("names", [("a", "b"), ("b", "a")])
def test_large_numbers(names: tuple[str, str]) -> None:
    """Surjections, as at-least-once items; and matchings with a remainder."""
    options = [[("person", p), names[0], names[1]] for p in range(12)]
    problem = dlx.Problem.from_options(
        options,
        multiplicities={("person", p): (0, 1) for p in range(12)} | {"a": (3, 7)} | {"b": (0, 9)},
    )
    assert problem.count() == sum(comb(12, k) for k in range(3, 8))
    people, jobs = range(9), range(4)
    onto = dlx.Problem.from_options(
        [[("person", p), ("job", j)] for p in people for j in jobs],
        multiplicities={("job", j): (1, 9) for j in jobs},
    )
    expected = sum((-1) ** k * comb(4, k) * (4 - k) ** 9 for k in range(5))
    assert onto.count() == by_layers(onto) == expected
    assert expected == factorial(4) * 7770  # Stirling's number S(9, 4)


# -- counts that other items imply -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ({"I2": 50}, 258584046368),
        ({"I2": (40, 60)}, 258584046368),
        ({"I2": (0, 50)}, 258584046368),
        ({"I2": 49}, 0),
        ({"I2": (51, 100)}, 0),
    ],
)
def test_dominoes_with_counts(counts: Any, expected: int) -> None:
    """On a board of 100 cells there are 50: OEIS A004003."""
    problem = models.polyominoes(["I2"], models.box(10, 10), counts=counts)
    assert problem.count() == expected


@settings(max_examples=30)
@given(data=st.data())
def test_counts_of_pieces(data: st.DataObject) -> None:
    """Any bounds of pieces that share the cells of a board: those that follow change nothing."""
    pieces = data.draw(st.sampled_from([("I1", "I2"), ("I2", "I3"), ("I1", "I2", "V3"), ("I2",)]))
    counts = {}
    for piece in pieces:
        low = data.draw(st.integers(0, 6))
        counts[piece] = (low, data.draw(st.integers(max(low, 1), 12)))
    problem = models.polyominoes(list(pieces), models.box(3, 4), counts=counts)
    expected = problem.count(engine="links")
    assert by_layers(problem) == expected
    assert by_layers(problem, way="auto") == expected


@pytest.mark.lengthy
def test_counted_dominoes_are_counted_by_layers() -> None:
    """Too many to enumerate, and the bounds are not implied: 8x8 with 30 to 32 dominoes."""
    board = models.box(8, 8)
    few = models.polyominoes(["I2", "I1"], board, counts={"I2": 31, "I1": (0, 64)})
    all_sizes = models.polyominoes(["I2", "I1"], board, counts={"I2": (0, 32), "I1": (0, 64)})
    total = sum(
        models.polyominoes(
            ["I2", "I1"], board, counts={"I2": (k, k) if k else (0, 1), "I1": (0, 64)}
        ).count()
        for k in range(2, 33)
    )
    none_or_one = models.polyominoes(
        ["I2", "I1"], board, counts={"I2": (0, 1), "I1": (0, 64)}
    ).count()
    assert none_or_one == 1 + 112
    assert all_sizes.count() == total + none_or_one
    assert few.count() == by_layers(few)
