"""The `bits` engine on problems with multiplicities: the same tree as "links" and "python".

With weights and without: at and around every size, and continued from any position.
test_same_tree.py has each layout on problems of every kind.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from itertools import combinations
from typing import Any

import pytest
from bruteforce import Case
from hypothesis import given
from hypothesis import strategies as st
from internals import kernel_problem
from kernel_searches import (
    Told,
    engine_choice,
    kernel_search,
    tell,
)
from known_counts import contingency_tables, payments
from strategies import random_option, wider_multi_cases

import dlx
from dlx import models
from dlx.core.budget import Budget
from dlx.engines.registry import HEURISTICS

LAYOUTS = ("lanes8", "lanes16", "lanes32", "lanes64", "counters", "scattered")
BITS = ["bits", *(f"bits/{layout}" for layout in LAYOUTS)]
HANDED_OVER = [
    *("links/1", "links/2", "links/4", "links/1/20", "links/2/100"),
    *("auto", "auto/0", "auto/7", "auto/50"),
]
LENGTHS = [1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 128, 252, 253, 254, 255, 256, 600]
TOTALS = [252, 253, 254, 255, 256, 510, 65_532, 65_533, 65_534, 65_535, 65_536, 2**29]
"""About the largest numbers of one and two bytes, and what weights may add up to."""
ITEMS = [1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257]


@pytest.fixture(scope="module", params=BITS)
def bits(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


def assert_like_links(problem: dlx.Problem, engine: str, limit: int, **search: Any) -> Told:
    expected = tell(kernel_search(problem, "links", **search), limit)
    assert tell(kernel_search(problem, engine, **search), limit) == expected
    return expected


def test_subtrees_are_handed_over() -> None:
    """A step of `bits` is another than one of `links`."""
    problem = models.queen_domination(6, 3)
    links = kernel_search(problem, "links")
    told = tell(links, 10**6)
    for engine in ("links/1", "links/3", "auto", "auto/100"):
        search = kernel_search(problem, engine)
        assert tell(search, 10**6) == told
        assert search.stats.updates < links.stats.updates


# -- from any position ---------------------------------------------------------------------------


@given(case=wider_multi_cases(), rng=st.integers(0, 2**32).map(random.Random))
@pytest.mark.parametrize("engines", [BITS, ["links", "python"], HANDED_OVER])
def test_continued_anywhere(engines: Sequence[str], case: Case, rng: random.Random) -> None:
    """By any layout and by other engines, after any number of solutions or nodes."""
    problem = case.problem()
    whole = tell(kernel_search(problem, "links"), 40)
    part: dlx.Part | None = dlx.Part()
    found: list[tuple[Hashable, ...]] = []
    nodes = 0
    while part is not None and len(found) < len(whole.solutions):
        engine = rng.choice([*engines, *BITS])
        limit = rng.randint(0, 3)
        search = open_part(problem, engine, part)
        search.run(Budget(limit, nodes=rng.choice([2**40, rng.randint(1, 30)])), found)
        search.take_waiting(found)  # what waits
        nodes += search.stats.nodes
        position = search.position()
        part = None if position is None else dlx.Part(tuple(position[0]), position[1])
    assert found[: len(whole.solutions)] == whole.solutions
    if whole.finished and part is None:
        assert (len(found), nodes) == (len(whole.solutions), whole.nodes)


def open_part(problem: dlx.Problem, engine: str, part: dlx.Part) -> Any:
    from dlx.core.kernel import Search as KernelSearch
    from dlx.engines.python.search import PythonEngine

    path, floor = part
    if engine == "python":
        return PythonEngine(problem.matrix(), (), None, "mrv", path, floor)
    choice = engine_choice(engine)
    return KernelSearch(kernel_problem(problem), [], None, choice, "mrv", path, floor)


@pytest.mark.parametrize(
    "path",
    [
        [(0, 1), (0, 0)],  # the order of its options
        [(0, 0), (0, 0)],  # taken twice
        [(0, 0), (1, 1)],  # the other item is covered
        [(0, 2), (0, 3)],  # not enough are left below
        [(0, -2)],  # one is needed
        [(1, 2)],  # not its option
        [(0, 0), (0, 1), (0, 2), (0, 3)],
        [(0, 0)] * 50,
        [(0, 3), (1, -1)],
    ],
)
def test_no_search_comes_there(bits: str, path: list[tuple[int, int]]) -> None:
    problem = dlx.Problem.from_options(
        [["a", "b"], ["a", "b"], ["a"], ["a"]], multiplicities={"a": (2, 3), "b": 1}
    )
    part = dlx.Part(tuple(path), 0 if path[-1][1] == -1 else len(path))
    for engine in ("links", bits):
        with pytest.raises(ValueError, match=r"path|decision|option|item"):
            open_part(problem, engine, part)


# -- at every size -------------------------------------------------------------------------------


@pytest.mark.parametrize("length", LENGTHS)
def test_items_with_so_many_options(length: int) -> None:
    """Bounds below, at and above the number of options; beside items that take a few of them."""
    for low, high in bounds_about(length):
        rows: list[list[Hashable]] = [["a", *(["b"] if n < 3 else [])] for n in range(length)]
        rows += [["b"], ["c"], ["c", "b"]]
        problem = dlx.Problem.from_options(
            rows, primary=[*"abc"], multiplicities={"a": (low, high), "b": (0, 2), "c": (1, 2)}
        )
        for engine in (*BITS, "links/1"):
            for heuristic in HEURISTICS:
                assert_like_links(problem, engine, 20, heuristic=heuristic)
            assert_like_links(problem, engine, 5, given=[0])
            assert_like_links(problem, engine, 5, given=[length // 2])


def bounds_about(length: int) -> list[tuple[int, int]]:
    numbers = {0, 1, 2, length // 2, length - 1, length, length + 1, 2**31 - 1}
    pairs = [(low, max(1, high)) for low in sorted(numbers) for high in sorted(numbers)]
    return sorted({(low, high) for low, high in pairs if 0 <= low <= high})


@pytest.mark.parametrize("items", ITEMS)
def test_so_many_items(bits: str, items: int) -> None:
    """Wherever the smallest score stands, it is found, and so is the first of several."""
    rows = [[item] for item in range(items) for _ in range(4)]
    places = {0, 1, 14, 15, 16, 17, 31, 32, 33, 63, 64, 127, 128, 254, 255, 256, items - 1}
    for special in sorted(places & set(range(items))):
        for bounds in ((5, 5), (4, 4), (3, 3), (0, 1), (0, 9)):
            multiplicities = dict.fromkeys(range(items), (2, 2)) | {special: bounds}
            problem = dlx.Problem.from_options(rows, multiplicities=multiplicities)
            assert_like_links(problem, bits, 8)


@pytest.mark.parametrize("options", [63, 64, 65, 255, 256, 257, 511, 512, 513, 4097, 8193])
@pytest.mark.parametrize("items", [3, 40, 300])
def test_so_many_options(options: int, items: int) -> None:
    rng = random.Random(options)
    rows = [random_option(rng, range(items), "xyz", 4) for _ in range(options)]
    bounds = {
        item: (rng.choice([0, 1, 1, 2]), rng.choice([2, 2, 3, 10**6])) for item in range(items)
    }
    problem = dlx.Problem.from_options(
        rows, primary=range(items), secondary=[*"xyz"], multiplicities=bounds
    )
    for engine in ("bits", "bits/counters", "bits/scattered", "links/1", "auto/100"):
        assert_like_links(problem, engine, 50)
        assert_like_links(problem, engine, 5, given=[options - 1])


@pytest.mark.parametrize("total", TOTALS)
def test_items_of_this_total_weight(total: int) -> None:
    """Bounds below, at and above it; the numbers of a state are as wide as it needs."""
    heavy = total // 2
    rows: list[list[Hashable]] = [
        [dlx.times("a", heavy), "b"],
        [dlx.times("a", heavy - 3), dlx.times("b", 2)],
        ["a", "c"],
        ["a"],
        [dlx.times("a", total - 2 * heavy + 1), "c"],
        ["b", "c"],
    ]
    for low, high in [
        (0, heavy),
        (heavy, heavy),
        (heavy - 1, heavy + 1),
        (total - 2, total - 1),
        (total, total),
        (total, total + 1),
        (total + 1, total + 1),
        (1, None),
        (0, 10**30),
    ]:
        problem = dlx.Problem.from_options(
            rows, primary=[*"abc"], multiplicities={"a": (low, high), "b": (0, 3), "c": (1, 2)}
        )
        for engine in ("bits", "links/1", "auto/0"):
            for heuristic in HEURISTICS:
                assert_like_links(problem, engine, 100, heuristic=heuristic)
            assert_like_links(problem, engine, 100, given=[4])


@pytest.mark.parametrize("items", ITEMS)
@pytest.mark.parametrize("heavy", [20, 9_000, 80_000])
def test_so_many_items_of_weights(items: int, heavy: int) -> None:
    """Whichever item has the least score, and whatever is the width of its numbers."""
    weights = (heavy, 1, 2, heavy - 3)
    rows = [[dlx.times(item, weight)] for item in range(items) for weight in weights]
    twice = 2 * heavy
    for special in sorted({0, items // 2, items - 1}):
        for bounds in ((heavy, heavy + 2), (twice + 1, None), (twice, twice), (0, heavy)):
            multiplicities = dict.fromkeys(range(items), (heavy, heavy)) | {special: bounds}
            problem = dlx.Problem.from_options(rows, multiplicities=multiplicities)
            assert_like_links(problem, "bits", 8)


@pytest.mark.parametrize("different", [1, 2, 3, 7, 64, 65, 300])
def test_so_many_different_weights(different: int) -> None:
    rng = random.Random(different)
    rows = [
        [dlx.times("sum", weight), rng.choice("xyz")]
        for weight in range(1, different + 1)
        for _ in range(2)
    ]
    rng.shuffle(rows)
    for bounds in ((different, different), (2 * different, 3 * different), (0, 2 * different)):
        problem = dlx.Problem.from_options(
            rows, primary=["sum", *"xyz"], multiplicities={"sum": bounds, "x": (0, 2), "y": (0, 9)}
        )
        for engine in ("bits", "auto/50"):
            assert_like_links(problem, engine, 200)
            assert_like_links(problem, engine, 20, given=[0])


def test_long_solutions_with_no_further_options(bits: str) -> None:
    """Solutions cross in batches of about 8192 numbers."""
    problem = dlx.Problem.from_options(
        [[item] for item in range(700) for _ in range(2)],
        multiplicities=dict.fromkeys(range(0, 700, 2), (0, 2)),
    )
    assert_like_links(problem, bits, 20)


def test_without_options_or_items(bits: str) -> None:
    for multiplicity in (2, (0, 2), (1, 2)):
        problem = dlx.Problem(["a", "b"], multiplicities={"a": multiplicity, "b": (0, 3)})
        assert_like_links(problem, bits, 5)
    assert_like_links(dlx.Problem(["a"], multiplicities={"a": (0, 1)}), bits, 5)


# -- whole searches ------------------------------------------------------------------------------


def two_factors(vertices: int) -> dlx.Problem:
    edges = combinations(range(vertices), 2)
    return dlx.Problem.from_options(edges, multiplicities=dict.fromkeys(range(vertices), 2))


WHOLE = [
    (lambda: two_factors(7), 465),  # OEIS A001205
    (lambda: models.queen_domination(6, 4), None),
    (lambda: models.bricks({(1, 2, 2): 6, (1, 1, 1): 3}, 3, 3, 3), None),
    (lambda: models.partridge(4), 0),
    (lambda: contingency_tables(3, 5), 231),
    (lambda: payments(100, [1, 5, 10, 25, 50]), 292),
]


@pytest.mark.parametrize(("build", "solutions"), WHOLE)
def test_whole_searches(bits: str, build: Any, solutions: int | None) -> None:
    problem = build()
    told = assert_like_links(problem, bits, 10**6)
    assert told.finished
    assert solutions in (None, len(told.solutions))


@pytest.mark.parametrize("engine", ["bits", "auto"])
def test_many_sets_of_givens(engine: str) -> None:
    problem = two_factors(6)
    sets = [[], [0], [0, 1], [5, 0, 9], [3, 7], [14, 0]]
    answers = list(problem.solve_many(sets, engine=engine, workers=2))
    assert answers == list(problem.solve_many(sets, engine="links"))


def test_tables_that_are_too_large() -> None:
    problem = dlx.Problem.from_options([["a"]] * 30_000, multiplicities={"a": (29_999, 30_000)})
    fits, size, limit = kernel_problem(problem).bits_plan()
    assert not fits
    with pytest.raises(dlx.InvalidArgument, match="engine='bits' would need tables") as caught:
        problem.solve(engine="bits")
    assert f"{size / 1e6:,.0f} MB" in str(caught.value)
    assert f"limit is {limit / 1e6:,.0f} MB" in str(caught.value)
    assert problem.solve(engine="auto") == problem.solve(engine="links")
