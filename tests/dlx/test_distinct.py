"""`solutions(distinct=...)` and `count(distinct=...)`, against classes of all solutions."""

from __future__ import annotations

import os
import pickle
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import combinations, count
from math import factorial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from bruteforce import Case
from commands import Run
from example_problems import board_with_hole
from hypothesis import given
from hypothesis import strategies as st
from strategies import cases, multi_cases, parts_of_solutions, small_multi_case
from symmetry_oracle import classes_of_solutions, symmetric_problem
from timeouts import simulated_clock

import dlx
from dlx import models
from dlx.analysis.symmetry import distinct_engine
from dlx.analysis.symmetry import group as group_module
from dlx.analysis.symmetry.distinct_engine import ClassFilter
from dlx.core.kernel import Cancellation, TimeUp
from dlx.engines.sat import solver_is_installed

MOST_SOLUTIONS = 200
A002562 = (1, 2, 1, 6, 12, 46, 92, 341, 1787)  # queens, from 4 on
A014552 = ((3, 1), (4, 1), (5, 0), (6, 0), (7, 26), (8, 150))  # Langford pairs, up to reversal
SEEDS = int(os.environ.get("DLX_FUZZ", "300")) // 2  # 10 000 with `make fuzz`

seeds = st.integers(0, 2**32).map(random.Random)


@pytest.fixture(params=[1, None], ids=["look at every node", "as always"])
def looks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """How often the engine looks for subtrees to leave out: else small problems have none."""
    if request.param is not None:
        monkeypatch.setattr(distinct_engine, "MIN_NODES", request.param)
        monkeypatch.setattr(distinct_engine, "MAX_NODES", request.param)


Found = list[tuple[tuple[Any, ...], int]]


def found_by(search: dlx.Search) -> Found:
    """The solutions of a distinct search, with the sizes of their classes."""
    return [(solution, search.orbit_size) for solution in search]  # type: ignore[attr-defined]


def expected_classes(problem: dlx.Problem, group: dlx.Symmetries, **keywords: Any) -> Found:
    """What a distinct search finds, from all solutions and the generators of the group."""
    solutions = list(problem.solutions(engine="links", **keywords))
    return classes_of_solutions(solutions, [one.options for one in group.generators])


def check_engines(problem: dlx.Problem, rng: random.Random) -> None:
    """Compares the engines, and parts of a search, with classes of all solutions."""
    found = list(problem.solutions(engine="links", limit=MOST_SOLUTIONS))
    if len(found) == MOST_SOLUTIONS:
        return
    givens: tuple[Any, ...] = ()
    if found and rng.random() < 0.5:
        solution = rng.choice(found)
        givens = tuple(rng.sample(solution, rng.randint(0, min(2, len(solution)))))
    seed = rng.choice([None, rng.randrange(10)])
    whole = problem.symmetries(given=givens)
    part = [one for one in whole.generators if rng.random() < 0.7]
    for group in (whole, problem.symmetries(given=givens, generators=part)):
        keywords: dict[str, Any] = {"given": givens, "seed": seed}
        expected = expected_classes(problem, group, **keywords)
        assert sum(size for _, size in expected) == problem.count(given=givens)
        keywords["distinct"] = True if group is whole else group
        for engine in ("auto", "links", "python"):
            search = problem.solutions(engine=engine, **keywords)
            assert found_by(search) == expected
            assert search.exhausted
            assert problem.count(engine=engine, **keywords) == len(expected)
        weighted = found_by(problem.solutions(heuristic="weighted", **keywords))
        assert {frozenset(one): size for one, size in weighted} == {
            frozenset(one): size for one, size in expected
        }
        pieces = problem.split(rng.randint(2, 5), given=givens, seed=seed)
        parts = [found_by(problem.solutions(part=one, **keywords)) for one in pieces]
        assert [one for piece in parts for one in piece] == expected


@pytest.mark.usefixtures("looks")
def test_against_classes_of_all_solutions() -> None:
    for seed in range(20):
        check_engines(symmetric_problem(random.Random(seed)), random.Random(seed))


@pytest.mark.usefixtures("looks")
def test_multiplicities_and_a_heuristic() -> None:
    """The subtrees of another heuristic have other solutions, so none may be left out."""
    problem = dlx.Problem([*"abcd"], multiplicities=dict.fromkeys("abcd", (0, 2)))
    for option in ("cd", "da", "a", "b", "bc"):
        problem.add_option([*option])
    check_engines(problem, random.Random(0))


@pytest.mark.fuzz
@pytest.mark.usefixtures("looks")
@pytest.mark.parametrize("block", range(10))
def test_many_problems_against_classes_of_all_solutions(block: int) -> None:
    for seed in range(block, SEEDS, 10):
        rng = random.Random(f"distinct {seed}")
        problem = symmetric_problem(rng)
        if seed % 4 == 0:
            problem = small_multi_case(rng).problem()
        check_engines(problem, rng)


@given(cases(max_options=8) | multi_cases(weights=True, max_options=8), st.data())
def test_random_problems_and_workers(case: Case, data: st.DataObject) -> None:
    problem = case.problem()
    found = list(problem.solutions(engine="links", limit=50))
    givens = data.draw(parts_of_solutions(found)) if found else ()
    expected = expected_classes(problem, problem.symmetries(given=givens), given=givens)
    keywords: dict[str, Any] = {"given": givens, "distinct": True}
    assert found_by(problem.solutions(**keywords)) == expected
    assert problem.count(limit=2, **keywords) == min(2, len(expected))
    assert problem.count(workers=2, **keywords) == len(expected)


@pytest.mark.parametrize(
    ("problem", "number"),
    [
        *((models.queens(size), number) for size, number in enumerate(A002562, start=4)),
        pytest.param(models.queens(13), 9233, marks=pytest.mark.slow),
        pytest.param(models.queens(14), 45_752, marks=pytest.mark.slow),
        (models.pentominoes(3, 20), 2),  # Haselgrove and Haselgrove (1960)
        (models.pentominoes(4, 15), 368),
        (models.soma(), 240),  # Conway and Guy (1961)
        pytest.param(models.pentominoes(5, 12), 1010, marks=pytest.mark.slow),
        pytest.param(models.pentominoes(6, 10), 2339, marks=pytest.mark.slow),
        pytest.param(board_with_hole(), 65, marks=pytest.mark.slow),  # Scott (1958)
        *((models.langford(size), number) for size, number in A014552),
        pytest.param(models.langford(11), 17_792, marks=pytest.mark.slow),
    ],
    ids=lambda value: repr(value)[14:-1] if isinstance(value, dlx.Problem) else str(value),
)
def test_known_numbers(problem: dlx.Problem, number: int) -> None:
    assert problem.count(distinct=True) == number
    assert problem.count(distinct=True, engine="links") == number
    search = problem.solutions(distinct=True)
    sizes = [size for _, size in found_by(search)]
    assert len(sizes) == number
    assert sum(sizes) == problem.count()


# -- large groups --------------------------------------------------------------------------------

TAKES_A_MINUTE = [
    pytest.mark.fuzz,
    pytest.mark.skipif("DLX_FUZZ" not in os.environ, reason="takes a minute"),
]


def steiner_triples(points: int) -> dlx.Problem:
    """Triples of points such that each pair of points is in one of them."""
    triples = combinations(range(points), 3)
    return dlx.Problem.from_options({triple: [*combinations(triple, 2)] for triple in triples})


def one_factorizations(points: int) -> dlx.Problem:
    """Partitions of all pairs of points into perfect matchings, which are numbered."""
    pairs = list(combinations(range(points), 2))
    return dlx.Problem.from_options(
        {
            (pair, matching): [pair, ("in", pair[0], matching), ("in", pair[1], matching)]
            for pair in pairs
            for matching in range(1, points)
        }
    )


def isotopies(problem: dlx.Problem, size: int) -> dlx.Symmetries:
    """Permutations of rows, of columns, and of symbols of a Latin square, without conjugations."""
    generators = []
    for place in range(3):
        for number in range(size - 1):
            one = number + (place == 2)  # symbols are numbered from 1
            swap = {one: one + 1, one + 1: one}
            mapping = {}
            for name in problem.names:
                image = list(name)  # type: ignore[call-overload]
                image[place] = swap.get(image[place], image[place])
                mapping[name] = tuple(image)
            generators.append(mapping)
    return problem.symmetries(generators=generators)


@pytest.mark.parametrize(
    ("problem", "number", "total"),
    [
        # A003090, A002860: main classes of Latin squares, and all
        (models.latin_square(4), 2, 576),
        (models.latin_square(5), 2, 161_280),
        (models.latin_square(6), 12, 812_851_200),
        # A030129, A030128: Steiner triple systems
        (steiner_triples(7), 1, 30),
        (steiner_triples(9), 1, 840),
        (steiner_triples(13), 2, 1_197_504_000),
        # A000438, A000474: 1-factorizations of complete graphs, with numbered factors
        (one_factorizations(6), 1, 6 * factorial(5)),
        (one_factorizations(8), 6, 6240 * factorial(7)),
        pytest.param(models.latin_square(7), 147, 61_479_419_904_000, marks=TAKES_A_MINUTE),
        pytest.param(
            one_factorizations(10), 396, 1_225_566_720 * factorial(9), marks=TAKES_A_MINUTE
        ),
        (models.matchings(4), 1, 105),
        (models.matchings(8), 1, 2_027_025),
    ],
    ids=[
        *("latin4", "latin5", "latin6", "sts7", "sts9", "sts13", "f6", "f8", "latin7", "f10"),
        *("m4", "m8"),
    ],
)
def test_known_numbers_of_large_groups(problem: dlx.Problem, number: int, total: int) -> None:
    found = found_by(problem.solutions(distinct=True))
    assert (len(found), sum(size for _, size in found)) == (number, total)
    assert problem.count(distinct=True) == number


@pytest.mark.parametrize(
    ("size", "number", "total"),
    [
        (3, 1, 12),
        (4, 2, 576),
        (5, 2, 161_280),
        (6, 22, 812_851_200),
        pytest.param(7, 564, 61_479_419_904_000, marks=TAKES_A_MINUTE),
    ],
)
def test_isotopy_classes(size: int, number: int, total: int) -> None:
    """A040082, A002860."""
    problem = models.latin_square(size)
    group = isotopies(problem, size)
    assert group.order == factorial(size) ** 3
    found = found_by(problem.solutions(distinct=group))
    assert len(found) == number == problem.count(distinct=group)
    assert sum(size for _, size in found) == total


def test_large_groups_against_classes_of_all_solutions() -> None:
    for problem in (models.latin_square(4), steiner_triples(7), models.matchings(4)):
        group = problem.symmetries()
        expected = expected_classes(problem, group)
        assert found_by(problem.solutions(distinct=True)) == expected
        given = expected[0][0][:2]
        group = problem.symmetries(given=given)
        expected = expected_classes(problem, group, given=given)
        assert found_by(problem.solutions(distinct=True, given=given)) == expected


def test_equal_options() -> None:
    """Each can be exchanged for any other."""
    problem = dlx.Problem.from_options([["a"]] * 30 + [["b", "c"]] * 20 + [["b"], ["c"]])
    found = found_by(problem.solutions(distinct=True))
    assert sorted(size for _, size in found) == [30, 600]
    assert sum(size for _, size in found) == problem.count()


def test_a_group_that_takes_too_much_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group_module, "MOST_IMAGES", 100)
    problem = models.latin_square(4)
    with pytest.raises(dlx.InvalidArgument, match=r"generators of symmetries of 64 options would"):
        problem.count(distinct=True)
    assert problem.count(distinct=problem.symmetries(generators=[])) == 576


# -- groups given by the caller ------------------------------------------------------------------


def rotation(size: int) -> dict[Any, Any]:
    return {(r, c): (c, size - 1 - r) for r in range(size) for c in range(size)}


def test_only_rotations() -> None:
    problem = models.queens(8)
    group = problem.symmetries(generators=[rotation(8)])
    assert group.order == 4
    expected = expected_classes(problem, group)
    assert len(expected) == 24  # no solution and its reflection are rotations of each other
    assert found_by(problem.solutions(distinct=group)) == expected
    assert problem.count(distinct=group) == len(expected)
    assert problem.count(distinct=group, engine="links") == len(expected)
    nothing = problem.symmetries(generators=[])
    assert nothing.order == 1
    assert problem.count(distinct=nothing) == 92


def test_a_group_of_another_problem_is_refused() -> None:
    problem = models.queens(6)
    with pytest.raises(dlx.InvalidArgument, match="these symmetries are of another problem, or it"):
        problem.solutions(distinct=models.queens(5).symmetries())
    group = problem.symmetries()
    problem.solutions(distinct=group)
    problem.add_option(["r0"], name="changed")
    with pytest.raises(dlx.InvalidArgument, match=r"36 options, and the problem has .* 37 options"):
        problem.count(distinct=group)


def test_a_group_that_moves_the_givens_is_refused() -> None:
    problem = models.queens(6)
    with pytest.raises(dlx.InvalidArgument, match=r"do not keep the givens.*given option"):
        problem.solutions(distinct=problem.symmetries(), given=[(0, 1)])
    group = problem.symmetries(given=[(0, 1)])
    assert problem.count(distinct=group, given=[(0, 1)]) == problem.count(
        distinct=True, given=[(0, 1)]
    )


@pytest.mark.parametrize("distinct", [1, 0, None, "", "all", [{}]])
def test_other_arguments_are_refused(distinct: Any) -> None:
    with pytest.raises(
        dlx.InvalidArgument, match=r"it must be True, False, .rotations. or a dlx\.Symmetries"
    ):
        models.queens(4).count(distinct=distinct)
    with pytest.raises(
        dlx.InvalidArgument, match=r"it must be True, False, .rotations. or a dlx\.Symmetries"
    ):
        models.queens(4).solutions(distinct=distinct)


def test_a_group_that_is_not_complete() -> None:
    """What was found is a group, and can be used; all of them would take too long."""
    problem = models.latin_square(4)
    group = problem.symmetries(node_limit=4)
    assert not group.complete
    found = found_by(problem.solutions(distinct=group))
    assert found == expected_classes(problem, group)


# -- limits, snapshots, workers and journals -----------------------------------------------------


def test_limits_and_resuming() -> None:
    problem = models.queens(8)
    everything = list(problem.solutions(distinct=True))
    assert everything == [one for one in problem.solutions() if one in everything]
    search = problem.solutions(distinct=True, limit=5)
    assert list(search) == everything[:5]
    assert search.stopped_by == "limit"
    assert list(search.resume()) == everything[5:]
    assert search.exhausted
    search = problem.solutions(distinct=True, node_limit=100)
    some = list(search)
    assert search.stopped_by == "node_limit"
    assert some + list(search.resume()) == everything
    search = problem.solutions(distinct=True)
    assert search.orbit_size == 0  # type: ignore[attr-defined]
    assert search.take(3) == everything[:3]
    assert search.orbit_size in (4, 8)  # type: ignore[attr-defined]
    assert search.stats.solutions == 3 + len(search._left_over())
    parts = problem.split(5)
    assert [
        one for part in parts for one in problem.solutions(part=part, distinct=True)
    ] == everything


@pytest.mark.usefixtures("looks")
@given(seeds)
def test_pickling(rng: random.Random) -> None:
    """A search that is pickled anywhere continues with the remaining solutions."""
    problem = rng.choice([models.queens(6), models.latin_square(4), symmetric_problem(rng)])
    distinct: Any = rng.choice([True, problem.symmetries(generators=[])])
    engine = rng.choice(["auto", "links", "python"])
    expected = found_by(problem.solutions(distinct=distinct, limit=60))
    search: Any = problem.solutions(distinct=distinct, engine=engine)
    found: Found = []
    while len(found) < len(expected):
        solution = search.take(1)[0]
        found.append((solution, search.orbit_size))
        if rng.random() < 0.5:
            search = pickle.loads(pickle.dumps(search))
            assert search.orbit_size == found[-1][1]
    assert found == expected


@pytest.mark.usefixtures("looks")
@pytest.mark.parametrize("engine", ["auto", "links", "python"])
def test_workers(engine: str) -> None:
    problem = models.queens(8)
    expected = found_by(problem.solutions(distinct=True))
    search = problem.solutions(distinct=True, workers=2, engine=engine)
    assert found_by(search) == expected
    assert search.stats.solutions == 12
    unordered = problem.solutions(distinct=True, workers=2, ordered=False, engine=engine)
    assert sorted(found_by(unordered)) == sorted(expected)
    assert problem.count(distinct=True, workers=2, engine=engine) == 12
    with ThreadPoolExecutor(2) as executor:
        assert found_by(problem.solutions(distinct=True, executor=executor)) == expected
        group = problem.symmetries(generators=[rotation(8)])
        assert problem.count(distinct=group, executor=executor, workers=2) == 24


@pytest.mark.skipif(not solver_is_installed(), reason="needs python-sat")
def test_the_engine_sat() -> None:
    problem = models.queens(6)
    search = problem.solutions(distinct=True, engine="sat")
    expected = found_by(problem.solutions(distinct=True))
    assert {(frozenset(one), size) for one, size in found_by(search)} == {
        (frozenset(one), size) for one, size in expected
    }
    assert search.stats.helpers == ("sat",)


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "queens.journal"


@pytest.mark.usefixtures("looks")
def test_a_journal(journal: Path) -> None:
    problem = models.queens(8)
    everything = found_by(problem.solutions(distinct=True))
    search = problem.solutions(distinct=True, checkpoint=journal)
    first = search.take(4)
    search.close()
    assert set(dlx.Journal(journal).solutions()) >= {*first}
    assert found_by(problem.solutions(distinct=True, checkpoint=journal)) == everything
    read = dlx.Journal(journal)
    assert list(read.solutions()) == [one for one, _ in everything]
    assert "distinct=True" in read.question.as_call()
    assert read.status().stats.solutions == 12


def test_a_journal_of_a_count(journal: Path) -> None:
    problem = models.queens(8)
    assert problem.count(distinct=True, checkpoint=journal) == 12
    assert problem.count(distinct=True, checkpoint=journal) == 12
    with pytest.raises(dlx.JournalError, match=r"count\(distinct=True\), not of count\("):
        problem.count(checkpoint=journal)


def test_a_journal_of_other_symmetries(journal: Path, run: Run) -> None:
    problem = models.queens(8)
    group = problem.symmetries(generators=[rotation(8)])
    found = list(problem.solutions(distinct=group, checkpoint=journal))
    assert list(problem.solutions(distinct=group, checkpoint=journal)) == found
    with pytest.raises(dlx.JournalError, match=r"distinct=<symmetries [0-9a-f]{8}>\), not of"):
        problem.solutions(distinct=True, checkpoint=journal)
    assert "symmetries that the caller gave" in run("resume", str(journal), status=2).err


def test_resuming_by_the_command(journal: Path, run: Run) -> None:
    search = models.queens(6).solutions(distinct=True, checkpoint=journal)
    search.close()
    assert len(run("resume", "--json", str(journal)).out.splitlines()) == 2


def test_the_time_of_tests_is_time_of_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a clock on which nothing but the tests of solutions and positions takes time."""
    clock = SimpleNamespace(monotonic=map(float, count()).__next__)
    monkeypatch.setattr(distinct_engine, "time", clock)
    search = models.queens(9).solutions(distinct=True, timeout=5)
    assert len(list(search)) < 46
    assert search.stopped_by == "timeout"
    monkeypatch.undo()
    assert len(list(search.resume())) > 0


def test_a_timeout() -> None:
    with pytest.raises(dlx.SearchInterrupted, match="timeout"):
        models.queens(16).count(distinct=True, timeout=0)


LOOK = 1_000_000  # nanoseconds that a reading of the simulated clock takes


def test_a_count_of_classes_can_be_resumed() -> None:
    problem = models.dominoes(8, 8)
    stopped: list[tuple[str, int]] = []
    with simulated_clock(LOOK):
        ask: Callable[..., int] = partial(problem.count, distinct=True)
        while True:
            try:
                number = ask(timeout=0.02)
                break
            except dlx.SearchInterrupted as error:
                stopped.append((error.reason, error.count))
                ask = error.resume
    assert len(stopped) > 3
    assert set(stopped) == {("timeout", 0)}
    assert number == 1629189  # A257952
    with pytest.raises(dlx.InvalidArgument, match="node_limit"):
        interrupted(partial(problem.count, distinct=True, timeout=0)).resume(node_limit=1)


def interrupted(ask: Callable[[], object]) -> dlx.SearchInterrupted:
    with pytest.raises(dlx.SearchInterrupted) as caught:
        ask()
    return caught.value


@pytest.mark.parametrize("looks", [2, 5, 13, 34])
def test_a_deadline_may_interrupt_the_test_of_a_solution(looks: int) -> None:
    """It begins anew then, on what it knows of the group."""
    problem = models.latin_square(7)
    solutions = problem.solutions(engine="links", limit=3)
    indices = [[problem.index_of(name) for name in solution] for solution in solutions]
    numbered = problem._prepare(None)
    group = problem.symmetries().on_options()
    expected = ClassFilter(numbered.problem, group, []).open().stabilizers(indices)
    test = ClassFilter(numbered.problem, group, []).open()
    found: list[Any] = []
    with simulated_clock(LOOK):
        for wait in count(looks, looks):
            with suppress(TimeUp), Cancellation(wait * LOOK / 1e9):
                found += test.stabilizers(indices[len(found) :])
            if len(found) == len(indices):
                break
    assert wait > looks  # so it was interrupted
    assert found == expected


@pytest.mark.parametrize("workers", [1, 2])
def test_a_search_goes_on_after_timeouts_anywhere(workers: int) -> None:
    problem = models.latin_square(6)
    everything = list(problem.solutions(distinct=True))
    found: list[Any] = []
    with simulated_clock(LOOK):
        search = problem.solutions(distinct=True, timeout=10, workers=workers)
        for looks in count(1):
            found += search.resume(timeout=looks * LOOK / 1e9)
            if search.exhausted:
                break
            assert search.stopped_by == "timeout"
    assert found == everything


def test_a_timeout_before_the_symmetries_are_known(tmp_path: Path, run: Run) -> None:
    problem = models.latin_square(9)
    with simulated_clock(LOOK):
        for ask in (problem.solutions, problem.count):
            error = interrupted(partial(ask, distinct=True, timeout=0))
            assert error.reason == "timeout"
            with pytest.raises(dlx.InvalidArgument, match="cannot be resumed"):
                error.resume()
    path = str(tmp_path / "latin.dlx")
    problem.dump(path)
    assert (
        "cut short by its timeout"
        in run("solve", "--distinct", "--timeout", "0", path, status=3).err
    )


def test_the_commands(tmp_path: Path, run: Run) -> None:
    path = str(tmp_path / "queens.dlx")
    models.queens(8).dump(path)
    assert run("count", "--distinct", path).out.split() == ["12"]
    assert len(run("solve", "--all", "--distinct", "--json", path).out.splitlines()) == 13
