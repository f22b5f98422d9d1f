"""`Problem.estimate`: unbiased exactly, the same in C++ and in Python, and near what is known."""

from __future__ import annotations

import math
import random
import re
import statistics
import time
from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction

import pytest
from alarms import Alarm
from bruteforce import Case, search_slowly
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_searches import open_engine
from strategies import any_cases, any_large_cases, parts_of_solutions
from timeouts import TIMEOUTS

import dlx
from dlx import Estimate, models
from dlx.analysis.estimate import estimate_from
from dlx.engines.protocols import Moments
from dlx.engines.python.probes import PythonProbes, RandomNumbers


def expectation(case: Case, givens: Sequence[int]) -> tuple[Fraction, Fraction, list[Fraction]]:
    """The mean of what all possible probes say, each with its probability, in Python."""
    matrix = case.problem().matrix()
    path: list[tuple[int, int]] = []  # number and count of the children gone to
    depth = 0

    def draw(children: int) -> int:
        nonlocal depth
        if depth == len(path):
            path.append((0, children))
        number, count = path[depth]
        assert count == children
        depth += 1
        return number

    probes = PythonProbes(matrix, givens, seed=0, draw=draw)
    nodes, solutions, profile = Fraction(0), Fraction(0), [Fraction(0)] * 20
    while True:
        depth = 0
        probes.run(len(probes.nodes) + 1)
        chance = Fraction(1, math.prod(count for _, count in path))
        nodes += chance * probes.nodes[-1]
        solutions += chance * probes.solutions[-1]
        for level, weight in enumerate(probes.profiles[-1]):
            profile[level] += chance * weight
        while path and path[-1][0] + 1 == path[-1][1]:
            path.pop()
        if not path:
            return nodes, solutions, profile
        path[-1] = (path[-1][0] + 1, path[-1][1])


@pytest.mark.lengthy
@settings(max_examples=150)
@given(any_cases(), st.data())
def test_the_expectation_is_the_size_of_the_tree(case: Case, data: st.DataObject) -> None:
    solutions = search_slowly(case).solutions
    givens = data.draw(parts_of_solutions(solutions)) if solutions else ()
    tree = search_slowly(case, givens)
    nodes, found, profile = expectation(case, givens)
    assert nodes == sum(tree.profile)
    assert found == len(tree.solutions)
    assert profile[: len(tree.profile)] == list(tree.profile)
    assert not any(profile[len(tree.profile) :])


def untimed(estimate: Estimate) -> Estimate:
    return estimate._replace(seconds=0.0, rate=0.0)


def assert_same(one: Estimate, other: Estimate) -> None:
    """Whether both say the same, but for rounding."""
    assert one.probes == other.probes
    assert len(one.profile) == len(other.profile)
    for name in ("nodes", "solutions"):
        assert getattr(one, name) == pytest.approx(getattr(other, name), rel=1e-11)
        scale = getattr(other, name)
        error = getattr(other, f"{name}_error")
        assert getattr(one, f"{name}_error") == pytest.approx(error, rel=1e-9, abs=1e-7 * scale)
    assert one.profile == pytest.approx(other.profile, rel=1e-11)
    assert one.profile_errors == pytest.approx(other.profile_errors, rel=1e-6, abs=1e-6)


@given(any_large_cases(), st.integers(), st.integers(2, 12), st.data())
@settings(max_examples=75)
@pytest.mark.lengthy
def test_the_kernel_makes_the_same_probes(
    case: Case, seed: int, probes: int, data: st.DataObject
) -> None:
    problem = case.problem()
    solution = problem.solve()
    givens = data.draw(parts_of_solutions([solution])) if solution else ()
    one = problem.estimate(probes, seed, given=givens)
    other = problem.estimate(probes, seed, given=givens, engine="python")
    assert_same(one, other)
    assert one.seed == other.seed == seed % 2**64


@pytest.mark.parametrize(("size", "multiple"), [(450, False), (1100, False), (700, True)])
@pytest.mark.lengthy
def test_many_items(size: int, multiple: bool) -> None:
    """The next item comes from a tournament as long as there are hundreds."""
    rng = random.Random(size)
    options = [rng.sample(range(size), rng.randint(1, 4)) for _ in range(4 * size)]
    options += [[item] for item in range(0, size, 2)]
    bounds = {item: (item % 3, 2 + item % 2) for item in range(size if multiple else 0)}
    problem = dlx.Problem.from_options(options, primary=range(size), multiplicities=bounds)
    one, other = problem.estimate(5, 3), problem.estimate(5, 3, engine="python")
    if multiple:  # beyond all floats
        assert list(map(math.log, one.profile)) == pytest.approx(list(map(math.log, other.profile)))
    else:
        assert_same(one, other)


@pytest.mark.parametrize(
    "problem",
    [
        models.langford(9),
        models.queens(8),
        models.dominoes(6, 6),
        models.latin_square(4),
        models.soma(),
    ],
    ids=["langford", "queens", "dominoes", "latin-square", "soma"],
)
def test_known_trees(problem: dlx.Problem) -> None:
    """Within four standard errors at every depth: a chance of one in 16 000 to be wrong, were
    these normal; the seed is fixed.
    """
    search = problem.solutions()
    solutions = sum(1 for _ in search)
    found = problem.estimate(4000, seed=1)
    assert abs(found.nodes - search.stats.nodes) <= 4 * found.nodes_error
    assert abs(found.solutions - solutions) <= 4 * found.solutions_error
    assert 0 < found.nodes_error < 0.2 * found.nodes
    profiles = (search.stats.profile, found.profile, found.profile_errors)
    for nodes, likely, error in zip(*profiles, strict=False):  # the deepest may have been missed
        assert abs(nodes - likely) <= 4 * error + 1e-9 * nodes
    assert sum(found.profile) == pytest.approx(found.nodes)


def test_standard_errors_are_what_they_claim() -> None:
    """Of a hundred estimates, about two thirds are within one standard error."""
    problem = models.langford(8)
    nodes = 2789
    found = [problem.estimate(200, seed) for seed in range(100)]
    within = sum(abs(one.nodes - nodes) <= one.nodes_error for one in found)
    assert 50 <= within <= 85


def test_only_the_time_varies() -> None:
    problem = models.queens(7)
    assert untimed(problem.estimate(50)) == untimed(problem.estimate(50, 0))
    assert untimed(problem.estimate(50, 2**64)) == untimed(problem.estimate(50, 0))
    assert problem.estimate(50, 1).nodes != problem.estimate(50, 2).nodes
    chosen = problem.estimate(50, None)
    assert untimed(chosen) == untimed(problem.estimate(50, chosen.seed))
    assert problem.estimate(50, None).seed != chosen.seed


@pytest.mark.lengthy
def test_numbers_of_any_size() -> None:
    """Every probe of a tree with the same choices everywhere says the same: 2^(n + 1) - 1 nodes."""
    size = 3000
    problem = dlx.Problem.from_options([[n] for n in range(size) for _ in "ab"])
    found = problem.estimate(2)
    assert isinstance(found.nodes, int)
    assert Fraction(found.nodes, 2 ** (size + 1)) == pytest.approx(1)
    assert Fraction(found.solutions) == 2**size
    assert found.nodes_error == found.solutions_error == 0
    assert found.profile[10] == 1024
    assert found.seconds > 1e300
    sentence, time = str(found).splitlines()
    assert sentence == "about 2.46e903 +- 0 nodes; 1.23e903 +- 0 solutions (2 probes, seed 0)"
    assert re.fullmatch(r"about \d\.\d\de8\d\d years, at [\d,]+ nodes a second", time)
    python = problem.estimate(2, engine="python")
    assert python.nodes == pytest.approx(found.nodes)


class TestTrees:
    """Trees that leave nothing to chance."""

    def test_a_problem_without_items(self) -> None:
        found = dlx.Problem().estimate()
        assert (found.nodes, found.solutions, found.profile) == (1, 1, (1,))
        assert found.nodes_error == found.solutions_error == 0

    def test_nothing_but_a_root(self) -> None:
        found = dlx.Problem(["a"]).estimate()
        assert (found.nodes, found.solutions) == (1, 0)
        assert "no probe met a solution: between 0 and about" in str(found)

    def test_nothing_but_forced_options(self) -> None:
        found = dlx.Problem.from_options([["a"], ["b"], ["c"]]).estimate(3)
        assert (found.nodes, found.solutions, found.profile) == (4, 1, (1, 1, 1, 1))

    def test_forced_options_before_a_choice(self) -> None:
        found = dlx.Problem.from_options([["a"], ["b"], ["c"], ["c"]]).estimate(9)
        assert (found.nodes, found.solutions, found.profile) == (5, 2, (1, 1, 1, 2))


class TestHeuristics:
    def test_one_of_ones_own(self) -> None:
        problem = models.langford(5)

        def last(headers: Sequence[dlx.links.matrix.Header]) -> dlx.links.matrix.Header:  # type: ignore[name-defined]
            return headers[-1]

        search = problem.solutions(engine="python", heuristic=last)
        assert list(search) == []
        found = problem.estimate(300, engine="python", heuristic=last)
        assert abs(found.nodes - search.stats.nodes) <= 4 * found.nodes_error
        assert found.nodes > 1.3 * problem.estimate().nodes

    def test_weighted_is_refused(self) -> None:
        with pytest.raises(dlx.InvalidArgument, match="cannot follow heuristic='weighted'"):
            models.langford(5).estimate(heuristic="weighted")

    def test_one_of_ones_own_needs_python(self) -> None:
        with pytest.raises(dlx.InvalidArgument, match="needs engine='python'"):
            models.langford(5).estimate(heuristic=lambda headers: headers[0])


def test_a_timeout_leaves_fewer_probes() -> None:
    problem = models.langford(12)
    for timeout in TIMEOUTS:
        with suppress(dlx.SearchInterrupted):  # not even two
            found = problem.estimate(10**12, timeout=timeout)
            break
    assert found.stopped_by == "timeout"
    assert 2 <= found.probes < 10**12
    assert "stopped by the timeout" in str(found)
    again = problem.estimate(found.probes)
    assert untimed(again) == untimed(found)._replace(stopped_by=None)


def test_a_timeout_that_leaves_none() -> None:
    with pytest.raises(dlx.SearchInterrupted, match="timeout"):
        models.langford(5).estimate(timeout=0)


@pytest.mark.parametrize("engine", ["auto", "python"])
def test_ctrl_c(alarm: Alarm, engine: str) -> None:
    problem = models.langford(12)
    with alarm.expected():
        problem.estimate(10**12, timeout=60, engine=engine)
    assert problem.estimate(10, engine=engine).probes == 10


@pytest.mark.parametrize(
    ("wrong", "kind", "message"),
    [
        ({"probes": 1}, dlx.InvalidArgument, "probes is 1; it must be an integer from 2 up"),
        ({"probes": 2.0}, dlx.InvalidArgument, "probes is 2.0"),
        ({"probes": True}, dlx.InvalidArgument, "probes is True"),
        ({"seed": "x"}, dlx.InvalidArgument, "seed is 'x'"),
        ({"timeout": -1}, dlx.InvalidArgument, "timeout is -1"),
        ({"engine": "x"}, dlx.InvalidArgument, "there is no engine 'x'"),
        ({"heuristic": "x"}, dlx.InvalidArgument, "there is no heuristic 'x'"),
        ({"given": [7]}, dlx.UnknownOption, "there is no option named 7"),
        ({"given": "7"}, dlx.UnknownOption, "given is the text '7'"),
        ({"given": 7}, dlx.UnknownOption, "given is 7"),
        ({"given": [0, 1]}, dlx.GivenClash, "both contain item 'a'"),
    ],
)
def test_bad_input(wrong: dict[str, object], kind: type[Exception], message: str) -> None:
    problem = dlx.Problem.from_options([["a"], ["a", "b"], ["b"]])
    with pytest.raises(kind, match=message):
        problem.estimate(**wrong)  # type: ignore[arg-type]


def test_givens_may_come_from_an_iterator() -> None:
    problem = models.langford(7)
    solution = problem.solve()
    assert solution is not None
    found = problem.estimate(given=iter(solution[:2]))
    assert untimed(found) == untimed(problem.estimate(given=solution[:2]))


class TestRandomNumbers:
    def test_those_of_the_paper(self) -> None:
        """The first numbers of SplitMix64 with seed 1234567, as in its reference implementation."""
        random = RandomNumbers(1234567)
        assert [random.next() for _ in range(3)] == [
            6457827717110365317,
            3203168211198807973,
            9817491932198370423,
        ]

    @pytest.mark.parametrize("bound", [1, 2, 3, 7, 2**63 + 1, 2**64 - 1])
    def test_below_a_bound(self, bound: int) -> None:
        random = RandomNumbers(5)
        assert all(0 <= random.below(bound) < bound for _ in range(200))

    def test_all_are_equally_likely(self) -> None:
        """Chi-square with 6 degrees of freedom: above 22.5 once in a thousand times."""
        random = RandomNumbers(9)
        counts = [0] * 7
        for _ in range(7000):
            counts[random.below(7)] += 1
        assert sum((count - 1000) ** 2 / 1000 for count in counts) < 22.5


@pytest.mark.parametrize("seed", [0, 5, 10, 20, 25])
def test_solutions_that_no_probe_met_may_be_many(seed: int) -> None:
    problem, solutions = models.queens(12), 14200
    found = problem.estimate(2, seed)
    assert found.solutions == 0
    bound = re.search(
        r"no probe met a solution: between 0 and about ([\d,]+) solutions", str(found)
    )
    assert bound is not None
    assert int(bound[1].replace(",", "")) > solutions
    assert "few" not in str(found)


def test_a_bound_beyond_all_floats() -> None:
    found = Estimate(10**900, 10**890, 0, 0, (1,), (0,), 1e9, 1.0, 9, 0, None)
    assert "between 0 and about 1.00e900 solutions" in str(found)
    mixed = Estimate(10**900, 1e290, 0, 0, (1,), (0,), 1e9, 1.0, 9, 0, None)
    assert "between 0 and about 1.00e900 solutions" in str(mixed)


class TallyOf:
    """Probes that were made elsewhere: their numbers of nodes, solutions, and nodes by depth."""

    def __init__(self, nodes: list[int], solutions: list[int], profiles: list[list[int]]) -> None:
        self.probes = PythonProbes(dlx.Problem.from_options([["a"]]).matrix(), [], 1)
        self.probes.nodes, self.probes.solutions = nodes, solutions
        self.probes.profiles = profiles

    def run(self, total: int, seconds: float) -> int:
        return len(self.probes.nodes)

    def moments(self) -> tuple[Moments, Moments, list[Moments]]:
        return self.probes.moments()


def estimate_of(probes: TallyOf, wanted: int) -> Estimate:
    problem = dlx.Problem.from_options([["a"]])
    engine = open_engine(problem, "links")
    return estimate_from(probes, engine, wanted, 7, started=time.monotonic(), timeout=None)


def test_statistics_by_hand() -> None:
    """Means 5 and 3; squared distances 9 + 1 + 16 and 9 + 9 + 0, over three probes times two."""
    found = estimate_of(TallyOf([2, 4, 9], [0, 6, 3], [[1, 1], [1, 3], [1, 4, 4]]), 3)
    assert (found.nodes, found.solutions) == (5.0, 3.0)
    assert found.nodes_error == pytest.approx(math.sqrt(26 / 6))
    assert found.solutions_error == pytest.approx(math.sqrt(18 / 6))
    assert found.profile == pytest.approx((1, 8 / 3, 4 / 3))
    assert found.profile_errors == pytest.approx(
        (0, math.sqrt((14 / 3) / 6), math.sqrt((32 / 3) / 6))
    )
    assert (found.probes, found.seed, found.stopped_by) == (3, 7, None)
    assert found.seconds == pytest.approx(found.nodes / found.rate)


@given(st.lists(st.integers(0, 10**30), min_size=2, max_size=20), st.integers(0, 2))
def test_statistics_of_any_numbers(numbers: list[int], missing: int) -> None:
    """The mean and its standard error, as the standard library's statistics have them."""
    found = estimate_of(
        TallyOf(numbers, numbers[::-1], [[number] for number in numbers]), len(numbers) + missing
    )
    exact = statistics.fmean(numbers)
    error = math.sqrt(statistics.variance(map(Fraction, numbers)) / len(numbers))
    for mean, spread in (
        (found.nodes, found.nodes_error),
        (found.solutions, found.solutions_error),
        (found.profile[0], found.profile_errors[0]),
    ):
        assert mean == pytest.approx(exact, rel=1e-12)
        assert spread == pytest.approx(error, rel=1e-9)
    assert found.stopped_by == ("timeout" if missing else None)
