"""What takes part in "auto" where any solution will do, besides the search in order."""

from __future__ import annotations

import json
import pickle
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from bruteforce import Case
from commands import Run
from example_problems import mutilated_board
from hypothesis import given
from hypothesis import strategies as st
from internals import input_of
from strategies import any_cases, large_cases, large_multi_cases
from symmetry_oracle import symmetric_problem
from timeouts import simulated_clock

import dlx
from dlx import models
from dlx.analysis import count, solutions
from dlx.analysis.symmetry import distinct, distinct_engine
from dlx.core.budget import Budget
from dlx.core.kernel import Search as KernelSearch
from dlx.core.stats import NO_STATS
from dlx.engines import certificates, portfolio
from dlx.engines.assisted import RefutableSearch
from dlx.engines.certificates import CERTIFICATES, Certificates
from dlx.engines.protocols import ManagedEngine
from dlx.engines.restarts import Restarts
from dlx.plan import Thresholds, restarts_allowance
from dlx.search.options import SearchOptions


def pigeons(number: int, holes: int) -> dlx.Problem:
    return dlx.Problem.from_options(
        {(i, j): [f"p{i}", f"h{j}"] for i in range(number) for j in range(holes)},
        primary=[f"p{i}" for i in range(number)],
        secondary=[f"h{j}" for j in range(holes)],
    )


def roster(demand: int, shifts: int, people: str) -> dlx.Problem:
    days = [f"day {number}" for number in range(7)]
    return dlx.Problem.from_options(
        {(day, who): [day, who] for day in days for who in people},
        multiplicities={**dict.fromkeys(days, demand), **dict.fromkeys(people, (0, shifts))},
    )


@pytest.mark.parametrize(
    ("problem", "helper"),
    [
        (pigeons(17, 16), "counting"),
        (roster(8, 4, "abcdefghijklm"), "counting"),  # 56 against 52
        (models.langford(17), "parity"),
        (mutilated_board(12), "counting"),
    ],
    ids=["pigeons", "roster", "langford", "dominoes"],
)
def test_problems_that_a_search_cannot_refute(problem: dlx.Problem, helper: str) -> None:
    search = problem.solutions(limit=1)
    assert next(search, None) is None
    assert search.exhausted
    assert search.stopped_by is None
    assert search.stats.helpers[-1] == helper
    assert search.stats.nodes < 500_000
    assert problem.solve() is None
    assert not problem.is_unique()
    assert problem.count(limit=1) == 0


def test_workers_and_journals_look_for_certificates_too(tmp_path: Path) -> None:
    problem, path = models.langford(17), str(tmp_path / "langford.journal")
    with ThreadPoolExecutor(2) as executor:
        for search in (
            problem.solutions(limit=1, workers=2, timeout=30),
            problem.solutions(limit=1, executor=executor, timeout=30),
            problem.solutions(limit=1, checkpoint=path, heuristic="weighted", timeout=30),
        ):
            assert list(search) == []
            assert search.exhausted
            assert search.stats.helpers[-1] == "parity"
            assert search.stats.nodes < 2_000_000
    assert problem.solve(workers=2, timeout=30) is None
    assert not problem.is_unique(workers=2, timeout=30)
    assert problem.count(limit=1, workers=2, timeout=30) == 0
    assert problem.count(checkpoint=tmp_path / "count.journal", workers=2, timeout=30) == 0


def test_a_journal_of_a_refuted_search_is_finished(tmp_path: Path) -> None:
    path = tmp_path / "langford.journal"
    assert list(models.langford(17).solutions(limit=1, checkpoint=path)) == []
    status = dlx.Journal(path).status()
    assert status.finished
    assert status.parts_left == 0
    again = models.langford(17).solutions(limit=1, checkpoint=path)
    assert list(again) == []
    assert again.exhausted
    assert again.stats[:4] == status.stats[:4]


@pytest.mark.parametrize("workers", [1, 2])
def test_the_problem_may_grow_during_the_search(workers: int) -> None:
    problem = dlx.Problem.from_options(models.langford(17).options)
    search = problem.solutions(limit=1, workers=workers, timeout=30)
    problem.add_option(["a new item", "and another"])
    assert list(search) == []
    assert search.stats.helpers == ("restarts", "parity")


def test_a_search_by_workers_stops_before_its_certificate() -> None:
    problem = models.langford(17)
    search = problem.solutions(limit=1, workers=2, node_limit=1000)
    assert list(search) == []
    assert search.stopped_by == "node_limit"
    again = pickle.loads(pickle.dumps(search))
    assert search.stats.nodes == again.stats.nodes < 20_000
    assert list(search.resume(timeout=0)) == []
    assert search.stopped_by == "timeout"
    assert list(search.resume()) == []
    assert search.stats.helpers == ("restarts", "parity")
    assert search.parts_left() == []


def test_workers_that_find_solutions_need_no_certificate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificates, "MIN_NODES", 5)
    problem = models.queens(8)
    for engine in ("auto", "bits"):
        search = problem.solutions(limit=1, workers=2, engine=engine)
        problem.verify(*search)
        assert search.stats.helpers == ()
        assert len(list(search.resume())) == 91
    assert problem.count(limit=2, workers=2) == 2


def test_a_solution_beyond_the_nodes_of_a_certificate() -> None:
    """What workers find just when a certificate is due is handed over, without looking for it."""
    looking = Certificates(input_of(models.queens(4), SearchOptions()))

    class Found:
        """A search that finds a solution at its limit of nodes."""

        journaled = finished = False
        stats = NO_STATS

        def run(self, budget: Budget, into: list[str]) -> str:
            self.stats = NO_STATS._replace(nodes=budget.nodes, solutions=1)
            into.append("found")
            return "solutions"

    found: list[Any] = []
    RefutableSearch(cast(ManagedEngine, Found()), looking).run(Budget(1), found)
    assert found == ["found"]


def test_a_given_makes_it_impossible() -> None:
    problem = pigeons(16, 16)
    problem.add_option(["p0", *(f"h{j}" for j in range(16))], name="alone")
    assert problem.solve(given=[(0, 3)]) is not None
    search = problem.solutions(given=["alone"], limit=1)
    assert list(search) == []


@given(large_cases() | large_multi_cases(), st.sampled_from(sorted(CERTIFICATES)))
def test_certificates_are_true(case: Case, name: str) -> None:
    problem = case.problem()
    looking = Certificates(input_of(problem, SearchOptions()))
    while looking.pending:
        found = looking.find()
        if found is not None:
            assert problem.solve(engine="links") is None


def mycielski(vertices: int) -> list[tuple[int, int]]:
    """The Mycielski graph of 2, 5, 11, 23, ... vertices: no triangles, but many colors."""
    edges, size = [(0, 1)], 2
    while size < vertices:
        doubled = [pair for u, v in edges for pair in ((u, v + size), (u + size, v))]
        edges = [*edges, *doubled, *((vertex + size, 2 * size) for vertex in range(size))]
        size = 2 * size + 1
    return edges


def test_a_search_by_symmetries_takes_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Thresholds, "weighted", 1000)
    monkeypatch.setattr(Thresholds, "entries", 0)
    problem = models.graph_coloring(mycielski(23), 4)
    for _ in range(2):
        search = problem.solutions(limit=1)
        assert list(search) == []
        assert search.exhausted
        assert search.stats.helpers == ("weighted", "symmetric")
        assert search.stats.nodes < 15_000  # 30 977 without symmetries
    assert problem.solve() is None
    assert not problem.is_unique()


def test_the_problem_may_grow_before_others_take_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """They search the problem as it was; its symmetries are those of a smaller table."""
    monkeypatch.setattr(Thresholds, "weighted", 1000)
    monkeypatch.setattr(Thresholds, "sat", 3000)
    monkeypatch.setattr(Thresholds, "entries", 0)
    model = models.graph_coloring(mycielski(23), 4)
    problem = dlx.Problem.from_options(model.options, secondary=model.secondary)
    search = problem.solutions(limit=1)
    problem.add_option(["a new item", "and another"])
    problem.add_option([model.primary[0]], name="a free vertex")
    assert list(search) == []
    assert "weighted" in search.stats.helpers
    assert "symmetric" not in search.stats.helpers


@pytest.mark.slow
def test_a_coloring_that_only_symmetries_refute() -> None:
    problem = models.graph_coloring(mycielski(47), 5)
    search = problem.solutions(limit=1)
    assert list(search) == []
    assert "symmetric" in search.stats.helpers


def test_symmetries_change_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Thresholds, "certificate", 2)
    monkeypatch.setattr(Thresholds, "weighted", 2)
    monkeypatch.setattr(Thresholds, "entries", 0)
    monkeypatch.setattr(distinct, "ENOUGH", 2)
    monkeypatch.setattr(distinct_engine, "MIN_NODES", 1)
    used = 0
    for seed in range(100):
        problem = symmetric_problem(random.Random(f"portfolio {seed}"))
        number = problem.count(engine="links", limit=5)
        search = problem.solutions(limit=1)
        found = list(search)
        for solution in found:
            problem.verify(solution)
        assert len(found) == min(1, number)
        assert problem.is_unique() == (number == 1)
        used += "symmetric" in search.stats.helpers
        if found and number < 5:
            found += search.resume()
            assert len({frozenset(solution) for solution in found}) == len(found) == number
    assert used


def test_small_problems_need_neither_search_nor_portfolio(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their answers take a few microseconds; opening a `Search` would take as long again."""
    one = models.queens(6).solve(engine="links")

    def refuse(*arguments: object, **keywords: object) -> None:
        raise AssertionError("opened for a small problem")

    for module, name in (
        (solutions, "Search"),
        (portfolio, "Portfolio"),
        (count, "ResumableCount"),
    ):
        monkeypatch.setattr(module, name, refuse)
    assert models.queens(6).solve() == one
    assert pigeons(4, 3).solve() is None
    assert [models.queens(size).is_unique() for size in (1, 2, 6)] == [True, False, False]
    assert [models.queens(6).count(limit=limit) for limit in (0, 1, 2, 3, None)] == [0, 1, 2, 3, 4]
    assert [models.queens(1).count(limit=limit) for limit in (0, 1, 2)] == [0, 1, 1]


@pytest.mark.parametrize("least", [1, 2, 5, 20])
def test_a_portfolio_goes_on_with_the_solution_found_before(
    least: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Thresholds, "certificate", least)
    monkeypatch.setattr(Thresholds, "weighted", 2 * least)
    monkeypatch.setattr(Thresholds, "entries", 0)
    for seed in range(30):
        problem = symmetric_problem(random.Random(f"begun {seed}"))
        number = problem.count(engine="links", limit=2)
        assert [problem.count(limit=limit) for limit in (1, 2)] == [min(1, number), number]
        assert problem.is_unique() == (number == 1)
        found = problem.solve()
        assert (found is None) == (number == 0)
        if found is not None:
            problem.verify(found)


@pytest.mark.parametrize("n", [70, 77, 100, 128])
def test_restarts_take_part(n: int) -> None:
    """In the order of declaration, these boards take millions of nodes."""
    problem = models.queens(n)
    search = problem.solutions(limit=1)
    (found,) = search
    problem.verify(found)
    assert search.stats.helpers == ("restarts",)
    assert search.stats.nodes < 30_000
    assert problem.solve() == found
    assert not problem.is_unique()
    other = problem.solve(seed=5)
    assert other is not None
    problem.verify(other)


def test_the_second_solution_takes_little_longer_by_restarts() -> None:
    search = models.queens(100).solutions(limit=1)
    first = next(search)
    again = search.resume()
    assert next(again) != first
    assert again.stats.helpers == ("restarts",)
    assert again.stats.nodes < 40_000


@pytest.mark.parametrize("helper", ["restarts", "propagation", "weighted"])
@given(case=large_cases() | large_multi_cases(), unit=st.sampled_from([1, 3, 20]))
def test_a_helper_changes_no_answer(helper: str, case: Case, unit: int) -> None:
    problem = case.problem()
    number = problem.count(engine="links", limit=10)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("certificate", "restarts", "propagation", "weighted", "sat"):
            patch.setattr(Thresholds, name, unit if name == helper else 10**15)
        for name, value in (("patience", 10), ("try_nodes", unit), ("entries", 0)):
            patch.setattr(Thresholds, name, value)
        assert problem.is_unique() == (number == 1)
        found = problem.solve()
        assert (found is None) == (number == 0)
        search = problem.solutions(limit=1)
        drawn = list(search)
        if number < 10:
            drawn += search.resume()
            assert len({frozenset(one) for one in drawn}) == len(drawn) == number
        for solution in drawn:
            problem.verify(solution)
        assert set(search.stats.helpers) <= {helper, "symmetric"}


def test_restarts_have_a_share_of_the_nodes() -> None:
    """A quarter, or an eighth for two solutions, and twice as much after two million."""
    shares = [restarts_allowance(wanted, 10**6) / 10**6 for wanted in (1, 2)]
    later = [restarts_allowance(wanted, 2 * 10**6) / (2 * 10**6) for wanted in (1, 2)]
    assert (shares, later) == ([1 / 4, 1 / 8], [1 / 2, 1 / 4])
    alone = models.langford(10).solutions(engine="links")
    assert list(alone) == []
    search = models.langford(10).solutions(limit=1)
    assert list(search) == []
    assert search.stats.helpers == ("restarts",)
    assert 1 < search.stats.nodes / alone.stats.nodes < 5 / 4


@given(any_cases(), st.integers(0, 2**64 - 1), st.integers(1, 5))
def test_restarts_find_all_solutions(case: Case, seed: int, unit: int) -> None:
    problem = case.problem()
    search_input = input_of(problem, SearchOptions())
    kernel_problem = search_input.numbered.problem
    engine = Restarts(kernel_problem, [], None, "weighted", seed, unit)
    found: list[tuple[int, ...]] = []
    while not engine.finished:
        before = engine.stats.nodes
        reason = engine.run(Budget(1, nodes=before + 7), found)
        assert reason in ("finished", "solutions", "nodes")
    assert engine.stats.solutions == len(found)
    expected: list[tuple[int, ...]] = []
    KernelSearch(kernel_problem, [], None, "links", "mrv").run(Budget(), expected)
    assert {frozenset(one) for one in found} == {frozenset(one) for one in expected}


def test_the_limits_of_restarts_are_lubys_sequence() -> None:
    problem = input_of(models.langford(15), SearchOptions()).numbered.problem
    engine = Restarts(problem, [], None, "mrv", 0, 5000)
    limits: list[int] = []
    while len(limits) < 15:
        limits.append(engine.next_limit() // 5000)
    assert limits == [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]


def test_the_weighted_search_takes_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Thresholds, "restarts", 10**15)
    monkeypatch.setattr(Thresholds, "weighted", 1000)
    monkeypatch.setattr(Thresholds, "sat", 10**15)
    monkeypatch.setattr(Thresholds, "entries", 0)
    problem = models.quasigroup(30, 380, seed=1)
    first = next(problem.solutions())
    search = problem.solutions(limit=1)
    found = next(search)
    problem.verify(found)
    again = problem.solutions(limit=1)
    assert next(again) == found
    assert again.stats[:4] == search.stats[:4]
    assert search.stats.helpers == ("weighted",)
    assert problem.solve(heuristic="weighted") is not None
    alone = problem.solutions(limit=1, heuristic="weighted")
    next(alone)
    assert alone.stats.helpers == ()
    ordered = problem.solutions(limit=3)
    assert next(ordered) == first
    assert ordered.stats.helpers == ()
    with pytest.raises(dlx.InvalidArgument, match="cannot be pickled"):
        pickle.dumps(search)


def test_many_options_of_one_item_are_many_steps() -> None:
    """The simplex method takes each of these options in a step of its own."""
    due = []
    for most in (1, 20_000):
        bounds = {"a": (most, 30_000)}
        problem = dlx.Problem.from_options([["a"]] * 30_000, multiplicities=bounds)
        looking = Certificates(input_of(problem, SearchOptions()))
        due.append(looking.due if looking.pending else None)
    assert due == [20_000, None]


def test_a_timeout_within_a_certificate() -> None:
    """The kind that was interrupted is tried again, and the answer is the same."""
    problem = pigeons(17, 16)
    looking = Certificates(input_of(problem, SearchOptions()))
    due = looking.due
    assert looking.find(0.0) is None
    assert looking.due == due
    assert looking.find() == "counting"
    assert not looking.pending


@pytest.mark.parametrize("ask", ["count", "minimum"])
def test_certificates_take_part_of_the_time(ask: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not more time than the limit: the search takes the rest."""
    now, looked = 0.0, list[float]()

    def find(self: Certificates, seconds: float) -> None:
        nonlocal now
        now += seconds
        looked.append(seconds)

    monkeypatch.setattr(certificates, "time", SimpleNamespace(monotonic=lambda: now))
    monkeypatch.setattr(Certificates, "find", find)
    problem = pigeons(24, 23)
    with simulated_clock(1_000_000), pytest.raises(dlx.SearchInterrupted) as caught:
        getattr(problem, ask)(timeout=1)
    assert min(looked) > 0
    assert sum(looked) < 1 / 3
    assert caught.value.stats.seconds == pytest.approx(1, abs=0.1)


def test_the_command_says_what_took_part(tmp_path: Path, run: Run) -> None:
    path = str(tmp_path / "pigeons.dlx")
    pigeons(17, 16).dump(path)
    out, err = run("solve", path, status=1)
    assert not out
    assert "no solution: proved by counting, see dlx explain" in err
    assert json.loads(run("solve", "--json", path, status=1).out)["helpers"] == ["counting"]


def test_a_count_ends_with_a_certificate() -> None:
    assert models.langford(17).count() == 0
    assert mutilated_board(14).count() == 0
    assert pigeons(17, 16).count(workers=2) == 0
    assert models.langford(16).count(timeout=300, limit=1000) == 1000


def test_the_search_for_the_cheapest_ends_with_a_certificate() -> None:
    for problem in (models.langford(17), mutilated_board(14), pigeons(17, 16)):
        seen: list[dlx.Progress] = []
        assert problem.minimum(progress=seen.append) == problem.maximum(3) == []
        assert seen[-1].bound is None  # all solutions cost at least that, and there is none
