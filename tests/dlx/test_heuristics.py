"""The choice of the item: another tree, the same solutions, and the same tree on every engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import known_counts
import pytest
from bruteforce import Case, all_subsets
from example_problems import result_of
from hypothesis import given
from hypothesis import strategies as st
from internals import engine_of, kernel_problem
from known_counts import LITTLE, Known
from search_strategies import SEEDS
from strategies import cases, large_cases

import dlx
from dlx import models
from dlx.core.budget import Budget
from dlx.core.kernel import Search as KernelSearch
from dlx.engines.registry import HEURISTICS
from dlx.engines.registry import IN_ORDER as ENGINES
from dlx.links import heuristics
from dlx.links.matrix import Header, Matrix

COMPILED = [name for name in ENGINES if name != "python"]

# What "weighted" has to learn: after each of c's three options, those of b are all dead ends.
TRAP = [["a"]] * 2 + [["c"]] * 3 + [["b", "x"]] * 3 + [["z", "x"]] * 4


# -- weighted: against the obvious search, and engine against engine -----------------------------


def test_the_trees_differ() -> None:
    """Otherwise the tests above would show nothing about the weights."""
    problem = dlx.Problem.from_options(TRAP, secondary=["x"])
    profiles = {}
    for heuristic in HEURISTICS:
        search = problem.solutions(heuristic=heuristic)
        assert list(search) == []
        profiles[heuristic] = search.stats.profile
    assert profiles["mrv"] == (1, 2, 6, 18)
    assert profiles["weighted"] == (1, 2, 6, 9)


@pytest.mark.parametrize("known", LITTLE, ids=lambda known: known.name)
def test_known_counts_on_each_engine(known: Known, engine: str) -> None:
    assert known.build().count(engine=engine, heuristic="weighted") == known.solutions, known.source


@pytest.mark.slow
@pytest.mark.parametrize(
    "known", [known for known in known_counts.ALL if known.work != "little"], ids=lambda k: k.name
)
def test_known_counts(known: Known) -> None:
    assert known.build().count(heuristic="weighted") == known.solutions, known.source


# -- weighted: what it is for --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "holes", "seed", "limit", "fewer"),
    [(25, 262, 24, 1, 50), (22, 203, 8, 1, 10), (22, 203, 23, 1000, 5)],
)
@pytest.mark.lengthy
def test_latin_squares_take_a_fraction_of_the_nodes(
    order: int, holes: int, seed: int, limit: int, fewer: int
) -> None:
    problem = models.quasigroup(order, holes, seed=seed)
    nodes = {}
    for heuristic in HEURISTICS:
        # An engine of its own: for one solution, "auto" takes other methods as well.
        search = problem.solutions(limit=limit, heuristic=heuristic, engine="bits")
        for solution in search:
            problem.verify(solution)
        nodes[heuristic] = search.stats.nodes
    assert nodes["mrv"] > fewer * nodes["weighted"]


def test_engines_agree_on_a_latin_square() -> None:
    """Hundreds of dead ends, down chains of forced items."""
    problem = models.quasigroup(25, 262, seed=24)
    answers = [
        result_of(problem.solutions(limit=1, engine=engine, heuristic="weighted"))
        for engine in ENGINES
    ]
    assert all(answer == answers[0] for answer in answers)


def test_engines_round_alike(engine: str) -> None:
    """Multiplying before dividing would make 698 nodes of these: two scores that are equal in
    theory would change places.
    """
    search = models.langford(7).solutions(engine=engine, heuristic="weighted")
    assert len(list(search)) == 52
    assert search.stats.nodes == 690


# -- weighted: pausing and going on --------------------------------------------------------------


@given(case=large_cases(), sizes=st.lists(st.integers(1, 30), min_size=1), seed=SEEDS)
def test_a_search_in_pieces_is_the_same_search(
    engine: str, case: Case, sizes: list[int], seed: int | None
) -> None:
    """Drawn, skipped over, interleaved with another search: the counts are each search's own."""
    problem = case.problem()
    keywords: dict[str, Any] = {"seed": seed, "engine": engine, "heuristic": "weighted"}
    whole = list(problem.solutions(limit=sum(sizes), **keywords))
    search, other = (engine_of(problem.solutions(**keywords)) for _ in range(2))
    position = 0
    for turn, size in enumerate(sizes):
        drawn: list[tuple[Any, ...]] = []
        if turn % 2:
            assert search.skip(Budget(size)) == len(whole[position : position + size])
        else:
            search.run(Budget(size), drawn)
            assert drawn == whole[position : position + size]
        other.skip(Budget(1))
        position += size
    assert search.stats.solutions == len(whole)


@pytest.mark.lengthy
def test_a_search_in_time_slices_is_the_same_search(engine: str) -> None:
    """Stopped in the middle of nowhere again and again, wherever the clock has it."""
    problem = models.quasigroup(22, 203, seed=8)
    whole = problem.solutions(limit=1, engine=engine, heuristic="weighted")
    expected = result_of(whole)
    sliced = engine_of(problem.solutions(engine=engine, heuristic="weighted"))
    found: list[tuple[Any, ...]] = []
    slices = 0
    while not found:
        sliced.run(Budget.of(1, 0.0002), found)
        slices += 1
    assert slices > 1
    nodes, _, _, profile, *_ = sliced.stats
    assert (found, nodes, tuple(profile)) == (expected[0], expected[3], expected[4])


def test_each_search_begins_knowing_nothing(engine: str) -> None:
    problem = dlx.Problem.from_options(TRAP, secondary=["x"])
    profiles = set()
    for _ in range(3):
        search = problem.solutions(engine=engine, heuristic="weighted")
        list(search)
        profiles.add(search.stats.profile)
    assert profiles == {(1, 2, 6, 9)}
    matrix = problem.matrix()
    for _ in range(3):
        assert list(matrix.solutions(heuristic="weighted")) == []
        assert matrix.profile == [1, 2, 6, 9]


# -- what items learn ----------------------------------------------------------------------------


def learned(matrix: Matrix) -> dict[Any, tuple[int, int]]:
    return {header.name: (header.tries, header.failures) for header in matrix.headers.values()}


def test_a_dead_end_counts_against_the_item_branched_on() -> None:
    matrix = Matrix("acbz", "x", TRAP)
    list(matrix.search(heuristic="weighted"))
    assert learned(matrix) == {"a": (2, 0), "c": (3, 0), "b": (12, 12), "z": (0, 0), "x": (0, 0)}


def test_forced_items_share_a_dead_end_with_the_last_choice() -> None:
    """Each of a's options leaves b one of its own, which leaves z none; r only comes before."""
    options = ["r", "r", "ap", "aq", "bpx", "bqx", "zx", "zx", "zx"]
    matrix = Matrix("rabz", "pqx", options)
    list(matrix.search())
    assert learned(matrix) == {
        "r": (2, 0), "a": (4, 4), "b": (4, 4), "z": (0, 0),
        "p": (0, 0), "q": (0, 0), "x": (0, 0),
    }  # fmt: skip


def test_where_nothing_was_chosen_freely_all_share_the_dead_end() -> None:
    matrix = Matrix("abz", "px", ["ap", "bp", "bx", "zx", "zx"])
    list(matrix.search())
    assert {name: learned(matrix)[name] for name in "abz"} == {
        "a": (1, 1), "b": (1, 1), "z": (0, 0)
    }  # fmt: skip


# -- heuristics of one's own ---------------------------------------------------------------------


def fewest(headers: Sequence[Header]) -> Header:
    return min(headers, key=lambda header: header.length)


def least_weight(headers: Sequence[Header]) -> Header:
    def score(header: Header) -> float:
        if header.length == 1:
            return 0
        return header.length * ((header.tries + 1) / (header.failures + 0.5))

    return min(headers, key=score)


@given(case=large_cases(), seed=SEEDS)
def test_the_named_ones_can_be_written_as_functions(case: Case, seed: int | None) -> None:
    problem = case.problem()
    for name, function in (("mrv", fewest), ("weighted", least_weight)):
        own = problem.solutions(seed=seed, limit=50, engine="python", heuristic=function)
        assert result_of(own) == result_of(problem.solutions(seed=seed, limit=50, heuristic=name))


@given(case=cases(max_options=12), chance=st.randoms())
def test_whatever_is_chosen_the_solutions_are_the_same(case: Case, chance: Any) -> None:
    problem = case.problem()
    found = list(problem.solutions(engine="python", heuristic=chance.choice))
    assert set(map(frozenset, found)) == all_subsets(case)
    assert len(found) == problem.count()
    assert problem.count(engine="python", heuristic=chance.choice) == len(found)
    assert problem.is_unique(engine="python", heuristic=chance.choice) == (len(found) == 1)
    solution = problem.solve(engine="python", heuristic=chance.choice)
    assert (solution is None) == (not found)


def test_a_function_sees_the_open_items() -> None:
    seen = []

    def last(headers: Sequence[Header]) -> Header:
        seen.append([(header.name, header.length) for header in headers])
        return headers[-1]

    matrix = Matrix("abc", "s", ["a", "ab", "b", "cs", "as"])
    assert list(matrix.solutions(heuristic=last)) == [(3, 1), (3, 2, 0)]
    assert seen == [
        [("a", 3), ("b", 2), ("c", 1)],
        [("a", 2), ("b", 2)],  # c is covered, and option 4 wants s as well
        [("a", 1)],
    ]
    assert str(matrix.headers["a"]) == "<Header of 'a', length 3>"


@pytest.mark.parametrize("wrong", [None, "a", 0, Header("a", primary=True)])
def test_a_function_that_returns_something_else(wrong: Any) -> None:
    problem = dlx.Problem.from_options([["a"], ["b"]])
    search = problem.solutions(engine="python", heuristic=lambda headers: wrong)
    for _ in range(2):
        with pytest.raises(dlx.InvalidArgument, match="one of the 2 headers") as caught:
            next(search)
        assert repr(wrong) in str(caught.value)
        assert not search.exhausted
    assert search.stopped_by is None


def test_a_function_that_returns_a_covered_item() -> None:
    problem = dlx.Problem.from_options([["a"], ["b"]])
    first: list[Header] = []

    def always_the_first(headers: Sequence[Header]) -> Header:
        first.append(headers[0])
        return first[0]

    with pytest.raises(dlx.InvalidArgument, match="returned <Header of 'a', length 1>; it must"):
        problem.solve(engine="python", heuristic=always_the_first)


def test_a_function_that_raises() -> None:
    """The matrix is put right, and the search never passes for a finished one."""
    problem = dlx.Problem.from_options([[item] for item in "aabbcc"])

    def fail_at_the_last(headers: Sequence[Header]) -> Header:
        if len(headers) == 1:
            raise LookupError("no idea")
        return headers[0]

    search: Any = problem.solutions(engine="python", heuristic=fail_at_the_last)
    for _ in range(2):
        with pytest.raises(LookupError, match="no idea"):
            next(search)
        assert not search.exhausted
    engine_of(search).matrix.check()
    search.close()
    assert search.stopped_by == "close"
    with pytest.raises(LookupError, match="no idea"):
        problem.count(engine="python", heuristic=fail_at_the_last)


@pytest.mark.parametrize("engine", COMPILED)
def test_a_function_is_for_the_python_engine_only(engine: str) -> None:
    """A search that silently took a hundred times as long would be no favour."""
    with pytest.raises(dlx.InvalidArgument, match="needs engine='python'") as caught:
        dlx.Problem.from_options([["a"]]).solve(engine=engine, heuristic=fewest)
    assert repr(engine) in str(caught.value)


# -- names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", ["", "MRV", "weight", None, 0, ["mrv"], b"mrv"])
def test_unknown_heuristic(engine: str, wrong: Any) -> None:
    problem = dlx.Problem.from_options([["a"]])
    questions: list[Any] = [problem.solutions, problem.solve, problem.count, problem.is_unique]
    for question in questions:
        with pytest.raises(dlx.InvalidArgument, match="no heuristic") as caught:
            question(engine=engine, heuristic=wrong)
        assert repr(wrong) in str(caught.value)
        assert all(repr(name) in str(caught.value) for name in HEURISTICS)
    with pytest.raises(dlx.InvalidArgument, match="no heuristic"):
        problem.matrix().search(heuristic=wrong)


@pytest.mark.parametrize("heuristic", HEURISTICS)
def test_every_question_takes_it(engine: str, heuristic: str) -> None:
    options = {"x": ["a"], "y": ["b"], "xy": ["a", "b"]}
    search = {"engine": engine, "heuristic": heuristic}
    assert dlx.count(options, **search) == 2
    assert dlx.solve(options, **search) == ("x", "y")
    assert list(dlx.solutions(options, **search)) == [("x", "y"), ("xy",)]
    assert not dlx.Problem.from_options(options).is_unique(engine=engine, heuristic=heuristic)


def test_the_kernel_knows_the_names() -> None:
    problem = kernel_problem(dlx.Problem.from_options([["a"]]))
    for name in HEURISTICS:
        assert KernelSearch(problem, [], None, "links", name).skip(Budget(9)) == 1
    with pytest.raises(ValueError, match="heuristic"):
        KernelSearch(problem, [], None, "links", "luck")


def test_there_is_one_list_of_names() -> None:
    assert HEURISTICS is heuristics.HEURISTICS
