"""Counting by isomorphism classes of subproblems: the same numbers as by enumeration, and those
that others have published.
"""

from __future__ import annotations

import random
from functools import partial
from itertools import combinations
from math import factorial, inf, prod
from pathlib import Path
from typing import Any

import pytest
from alarms import Alarm
from bruteforce import Case
from commands import Run
from hypothesis import given, settings
from hypothesis import strategies as st
from internals import kernel_problem
from kernel_searches import PLENTY, by_layers
from strategies import parts_of_solutions
from timeouts import cut_short

import dlx
from dlx import models

by_subproblems = partial(by_layers, way="subproblems")
"""The count with a canonical form for each subproblem, and no enumeration at all."""


# -- known numbers -------------------------------------------------------------------------------


def one_factorizations(points: int) -> dlx.Problem:
    """Partitions of the edges of a complete graph into perfect matchings, each of them with the
    number of the edge from point 0 that it has.
    """
    edges = list(combinations(range(points), 2))
    colors = range(1, points)
    return dlx.Problem.from_options(
        [
            [("edge", edge), ("end", edge[0], color), ("end", edge[1], color)]
            for edge in edges
            for color in colors
            if edge[0] != 0 or edge[1] == color
        ]
    )


def steiner_triple_systems(points: int) -> dlx.Problem:
    """Sets of triples that cover each pair once."""
    return dlx.Problem.from_options(
        [list(combinations(triple, 2)) for triple in combinations(range(points), 3)]
    )


KNOWN = {
    "Latin squares of order 5": (models.latin_square(5), 161280),  # OEIS A002860
    "Latin squares of order 6": (models.latin_square(6), 812851200),  # OEIS A002860
    "1-factorizations of K_6": (one_factorizations(6), 6),  # OEIS A000438, in all A000474
    "1-factorizations of K_8": (one_factorizations(8), 6240),  # OEIS A000474
    "Steiner triple systems, 7": (steiner_triple_systems(7), 30),  # OEIS A030128
    "Steiner triple systems, 9": (steiner_triple_systems(9), 840),  # OEIS A030128
    "matchings": (models.matchings(16), prod(range(1, 32, 2))),  # OEIS A001147
    "Petersen graph": (models.graph_coloring(models.petersen_graph(), 6), 3868080),
    "queens": (models.queens(8), 92),  # OEIS A000170
    "Langford": (models.langford(8), 300),  # twice OEIS A014552
    "Soma": (models.soma(), 11520),  # 48 times 240; TAOCP 7.2.2.1
}


@pytest.mark.parametrize("name", KNOWN)
def test_known_counts(name: str) -> None:
    problem, expected = KNOWN[name]
    assert problem.count() == expected
    if name != "Soma":  # which takes long without enumeration
        assert by_subproblems(problem) == expected


@pytest.mark.lengthy
def test_latin_squares_of_order_7() -> None:
    assert models.latin_square(7).count() == 61479419904000  # OEIS A002860


@pytest.mark.lengthy
def test_designs() -> None:
    assert one_factorizations(10).count() == 1225566720  # OEIS A000474
    # OEIS A030128: 13! / 39 + 13! / 6, by the groups of the two classes (A030129)
    assert steiner_triple_systems(13).count() == factorial(13) // 39 + factorial(13) // 6


# -- against others ------------------------------------------------------------------------------


@st.composite
def symmetric_cases(draw: st.DrawFn) -> Case:
    """Shifts of a few options around a circle of items, some of them several times."""
    size = draw(st.integers(3, 10))
    secondary = draw(st.integers(0, 2))
    options: list[tuple[Any, ...]] = []
    for _ in range(draw(st.integers(1, 3))):
        shape = draw(st.sets(st.integers(0, size - 1), min_size=1, max_size=3))
        others = [
            [draw(st.sampled_from([None, "plain", "A", "B"])) for _ in range(size)]
            if draw(st.booleans())
            else [draw(st.sampled_from([None, "plain", "A", "B"]))] * size
            for _ in range(secondary)
        ]
        copies = draw(st.integers(1, 3))
        for shift in range(size):
            option: list[Any] = [(place + shift) % size for place in sorted(shape)]
            for number, colors in enumerate(others):
                name, color = ("extra", number), colors[shift]
                if color is not None:
                    option.append(name if color == "plain" else dlx.colored(name, color))
            options += [tuple(option)] * copies
    names = tuple(("extra", number) for number in range(secondary))
    return Case(tuple(range(size)), names, tuple(options))


@given(
    case=symmetric_cases(),
    limit=st.none() | st.integers(0, 50),
    memory=st.sampled_from([2**12, PLENTY]),
    data=st.data(),
)
def test_symmetric_problems(
    case: Case, limit: int | None, memory: int, data: st.DataObject
) -> None:
    problem = case.problem()
    expected = problem.count(engine="links", limit=limit)
    assert by_subproblems(problem, limit=limit, memory=memory) == expected
    assert problem.count(limit=limit) == problem.count(limit=limit, symmetry=False) == expected
    some = tuple(problem.solutions(limit=20))
    given: tuple[Any, ...] = data.draw(parts_of_solutions(some)) if some else ()
    assert by_subproblems(problem, given) == problem.count(given=given, engine="links")


@given(case=symmetric_cases(), low=st.integers(0, 1), high=st.integers(1, 3))
@settings(max_examples=20)
def test_multiplicities_are_counted_as_before(case: Case, low: int, high: int) -> None:
    problem = dlx.Problem.from_options(
        case.options,
        primary=case.primary,
        secondary=case.secondary,
        multiplicities={0: (low, high)},
    )
    expected = problem.count(engine="links", limit=5000)
    assert problem.count(limit=5000) == expected


def test_independent_parts_multiply() -> None:
    square = models.latin_square(4)
    both = dlx.Problem.from_options(
        [[(name, item) for item in option] for name in "ab" for option in square.options]
    )
    assert by_subproblems(both) == 576**2


def test_copies_multiply() -> None:
    options = [option for option in models.dominoes(4, 4).options for _ in range(1000)]
    assert by_subproblems(dlx.Problem.from_options(options)) == 36 * 1000**8


# -- work ----------------------------------------------------------------------------------------


def counted(problem: dlx.Problem, way: str, seconds: float = inf) -> Any:
    counting = kernel_problem(problem).count([], 2**63, PLENTY, "mrv", way)
    while not counting.finished:
        counting.run(seconds)
    return counting


@pytest.mark.parametrize("seconds", [0.0, 0.001, inf])
def test_a_number_of_several_limbs_in_slices_of_time(seconds: float) -> None:
    """What has been counted so far exceeds 64 bits when the time is up: that is no limit."""
    options = [option for option in models.dominoes(4, 4).options for _ in range(1000)]
    counting = counted(dlx.Problem.from_options(options), "subproblems", seconds)
    assert prod(int.from_bytes(factor, "little") for factor in counting.factors) == 36 * 1000**8


def test_each_class_is_counted_once() -> None:
    lookups, hits, skipped = counted(models.latin_square(6), "subproblems").tally
    assert lookups < 500 < 812851200
    assert hits > lookups / 10
    assert skipped > 0


def test_without_symmetry_there_are_no_forms() -> None:
    assert counted(models.latin_square(5), "without symmetry").tally == (0, 0, 0)


@pytest.mark.parametrize("way", ["auto", "subproblems"])
def test_runs_repeat(way: str) -> None:
    """Also if they are stopped again and again: the clock decides nothing."""
    facts = {
        (counting.tally, counting.stats[:2], tuple(counting.factors))
        for counting in (
            counted(models.latin_square(6), way, seconds) for seconds in (inf, 0.0005, inf)
        )
    }
    assert len(facts) == 1


@pytest.mark.parametrize(
    ("problem", "lookups"),
    [(models.queens(12), 1), (models.dominoes(18, 18), 10)],  # 3 and 22 cost a fifth of the time
    ids=["queens", "dominoes"],
)
def test_symmetries_that_do_not_help_take_few_forms(problem: dlx.Problem, lookups: int) -> None:
    """Half of the tree is left to 12 queens when its symmetries are known; layers finish first."""
    counting, whole = counted(problem, "auto"), counted(problem, "without symmetry")
    assert counting.factors == whole.factors
    assert 0 < counting.tally[0] <= lookups


def test_subproblems_that_help_begin_soon() -> None:
    counting = counted(models.latin_square(6), "auto")
    assert counting.stats.nodes < 200_000  # 277 718 where enumeration and layers had a second turn


def test_a_problem_without_symmetry_is_enumerated() -> None:
    """With few canonical forms, which find nothing."""
    rng = random.Random(1)
    rows = [rng.sample(range(24), rng.choice([3, 4])) for _ in range(220)]
    problem = dlx.Problem.from_options(rows, primary=range(24))
    counting, whole = counted(problem, "auto"), counted(problem, "without symmetry")
    assert counting.tally[0] > 0
    assert counting.tally[1:] == (0, 0)
    assert counting.stats.nodes <= 1.1 * whole.stats.nodes


# -- limits and interruptions --------------------------------------------------------------------


@pytest.mark.parametrize("memory", [2**10, 2**14, 2**20])
def test_a_full_table_slows_the_count_only(memory: int) -> None:
    assert by_subproblems(models.latin_square(5), memory=memory) == 161280


def test_a_timeout_tells_the_count_so_far() -> None:
    problem = models.latin_square(9)
    error = cut_short(
        lambda timeout: problem.count(timeout=timeout), lambda error: error.count > 10**9
    )
    assert error.count == error.stats.solutions < 5524751496156892842531225600
    assert "subproblems" in error.stats.helpers


def test_a_count_is_resumed() -> None:
    error = cut_short(lambda timeout: models.latin_square(7).count(timeout=timeout))
    while True:
        try:
            found = error.resume(timeout=0.02)
        except dlx.SearchInterrupted as another:
            error = another
        else:
            break
    assert found == 61479419904000


def test_ctrl_c(alarm: Alarm) -> None:
    with alarm.expected(0.1):
        by_subproblems(models.latin_square(9))


def test_with_workers() -> None:
    assert models.latin_square(6).count(workers=2) == 812851200
    assert models.pentominoes(4, 15).count(workers=2) == 1472


def test_the_command(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "squares.dlx"
    models.latin_square(5).dump(path)
    for options in [], ["--no-symmetry"]:
        assert run("count", str(path), *options).out == "161280\n"


@pytest.mark.parametrize("symmetry", [0, None, "yes"])
def test_a_wrong_flag(symmetry: Any) -> None:
    with pytest.raises(dlx.InvalidArgument, match=r"symmetry is .*; it must be True or False"):
        models.queens(4).count(symmetry=symmetry)
