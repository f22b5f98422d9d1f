"""The SAT engine: the same solutions as everyone else's, in an order of its own."""

from __future__ import annotations

import signal
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from alarms import Alarm
from bruteforce import Case, all_subsets
from example_problems import pigeons
from hypothesis import given, settings
from hypothesis import strategies as st
from instances import mycielski_graph
from kernel_searches import open_engine
from known_counts import LITTLE, Known
from strategies import any_cases, cases, large_cases
from timeouts import cut_short

import dlx
from dlx import models
from dlx.core.budget import Budget
from dlx.engines.sat import load_solver, solver_is_installed

seeds = st.one_of(st.none(), st.integers())


def found_by_sat(problem: dlx.Problem, **search: Any) -> set[frozenset[Any]]:
    """All solutions as sets; no two of them may be the same."""
    solutions = list(map(frozenset, problem.solutions(engine="sat", **search)))
    assert len(set(solutions)) == len(solutions)
    return set(solutions)


@settings(max_examples=150)
@given(any_cases(), seeds)
def test_solutions_are_those_of_all_subsets(case: Case, seed: int | None) -> None:
    assert found_by_sat(case.problem(), seed=seed) == all_subsets(case)


@given(large_cases(), seeds)
def test_and_those_of_the_kernel(case: Case, seed: int | None) -> None:
    problem = case.problem()
    expected = list(problem.solutions(limit=300))
    if len(expected) < 300:
        assert found_by_sat(problem, seed=seed) == set(map(frozenset, expected))
    for solution in problem.solutions(engine="sat", limit=20):
        problem.verify(solution)


@given(cases(), st.integers(0, 5), seeds)
def test_every_question(case: Case, limit: int, seed: int | None) -> None:
    problem, expected = case.problem(), all_subsets(case)
    how: dict[str, Any] = {"engine": "sat", "seed": seed}
    assert problem.count(**how) == len(expected)
    assert problem.count(limit=limit, **how) == min(limit, len(expected))
    assert problem.is_unique(**how) == (len(expected) == 1)
    solution = problem.solve(**how)
    assert (solution is None) == (not expected)
    assert solution is None or frozenset(solution) in expected
    search = problem.solutions(limit=limit, **how)
    assert len(list(search)) == min(limit, len(expected))
    assert search.exhausted == (limit > len(expected))


@given(cases(), st.data())
def test_given_comes_first_and_filters(case: Case, data: st.DataObject) -> None:
    if not case.options:
        return
    numbers = st.lists(st.integers(0, len(case.options) - 1), max_size=3, unique=True)
    chosen = tuple(data.draw(numbers))
    problem = case.problem()
    try:
        found = list(problem.solutions(given=chosen, engine="sat"))
    except dlx.GivenClash:
        with pytest.raises(dlx.GivenClash):
            problem.solve(given=chosen)
        return
    assert all(solution[: len(chosen)] == chosen for solution in found)
    expected = {solution for solution in all_subsets(case) if solution.issuperset(chosen)}
    assert set(map(frozenset, found)) == expected


FEW = [known for known in LITTLE if known.solutions <= 400]


@pytest.mark.parametrize("known", FEW, ids=lambda known: known.name)
def test_known_counts(known: Known) -> None:
    assert known.build().count(engine="sat") == known.solutions, known.source


def test_runs_repeat() -> None:
    problem = models.queens(8)
    first = list(problem.solutions(engine="sat"))
    assert first == list(problem.solutions(engine="sat"))
    seeded = [list(problem.solutions(engine="sat", seed=seed)) for seed in (1, 2, 1)]
    assert seeded[0] == seeded[2]
    assert seeded[0] != seeded[1]
    assert set(map(frozenset, seeded[0])) == set(map(frozenset, first))


def test_names_come_back() -> None:
    options = {"x": ["a"], "y": ["b"], ("x", "y"): ["a", "b"], None: ["b"]}
    problem = dlx.Problem.from_options({k: v for k, v in options.items() if k is not None})
    assert set(problem.solutions(engine="sat")) == {("x", "y"), (("x", "y"),)}
    assert problem.solve(engine="sat", given=["y"]) == ("y", "x")


def test_trifles() -> None:
    assert list(dlx.Problem().solutions(engine="sat")) == [()]
    assert list(dlx.Problem(secondary=["x"]).solutions(engine="sat")) == [()]
    search = dlx.Problem(["a"]).solutions(engine="sat")
    assert list(search) == []
    assert search.exhausted
    assert dlx.Problem(["a"]).solve(engine="sat") is None


def test_an_item_of_many_options() -> None:
    problem = dlx.Problem.from_options([["a"]] * 300)
    assert sorted(problem.solutions(engine="sat")) == [(index,) for index in range(300)]


def test_a_search_works_on_a_snapshot() -> None:
    problem = dlx.Problem.from_options([["a"], ["a"]])
    search = problem.solutions(engine="sat")
    problem.add_option(["a", "b"], name="late")
    assert sorted(search) == [(0,), (1,)]
    assert list(problem.solutions(engine="sat")) == [("late",)]


def test_stats_tell_of_the_solver() -> None:
    search = pigeons(6).solutions(engine="sat")
    assert tuple(search.stats) == (1, 0, 0, (), 0.0, 0, ("sat",), "sat")
    assert list(search) == []
    stats = search.stats
    assert stats.conflicts is not None
    assert stats.conflicts > 10
    assert stats.nodes > stats.conflicts
    assert stats.updates > stats.nodes
    assert stats.profile == ()
    assert search.exhausted


def test_heuristics_are_its_own() -> None:
    problem = models.queens(4)
    for heuristic in ("weighted", lambda headers: headers[0]):
        with pytest.raises(dlx.InvalidArgument, match="engine='sat' branches by its own rules"):
            problem.solve(engine="sat", heuristic=heuristic)
    with pytest.raises(dlx.InvalidArgument, match="no heuristic"):
        problem.solve(engine="sat", heuristic="fewest")


def test_many_sets_are_not_its_business() -> None:
    problem = models.queens(4)
    for question in (problem.solve_many, problem.count_many):
        with pytest.raises(dlx.InvalidArgument, match="cannot solve many sets of givens at once"):
            question([[]], engine="sat")


# -- limits, signals, threads --------------------------------------------------------------------


def test_ctrl_c_and_on(alarm: Alarm) -> None:
    search = pigeons(20).solutions(timeout=60, engine="sat")
    nodes = 0
    for _ in range(2):
        with alarm.expected():
            next(search)
        assert not search.exhausted
        assert search.stats.nodes > nodes
        nodes = search.stats.nodes
    search.close()
    assert search.stopped_by == "close"
    problem = pigeons(20)
    with alarm.expected():
        problem.count(timeout=60, engine="sat")


def test_ctrl_c_changes_nothing(alarm: Alarm) -> None:
    """Interrupted again and again, a search finds what it would have found."""
    problem = models.queens(9)
    expected = list(problem.solutions(engine="sat"))
    search = problem.solutions(engine="sat")
    found = []
    while True:
        try:
            alarm.set()
            found.extend(search)  # which keeps those before the exception
            alarm.cancel()
            break
        except KeyboardInterrupt:
            pass
    assert len(found) == len(expected) == 352
    assert set(found) == set(expected)


@pytest.mark.parametrize("timeout", [0, 0.05])
def test_timeout(timeout: float) -> None:
    problem = pigeons(20)
    with pytest.raises(dlx.SearchInterrupted, match="timeout") as caught:
        problem.solve(timeout=timeout, engine="sat")
    assert caught.value.stats.conflicts is not None
    assert caught.value.reason == "timeout"
    search = problem.solutions(timeout=timeout, engine="sat")
    assert list(search) == []
    assert search.stopped_by == "timeout"
    assert not search.exhausted


def test_other_threads_have_their_turn() -> None:
    search = pigeons(20).solutions(timeout=60, engine="sat")
    main = threading.get_ident()

    def work() -> None:
        while search.stats.nodes < 1000 and not search.stopped_by:
            pass
        signal.pthread_kill(main, signal.SIGINT)

    thread = threading.Thread(target=work)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        next(search)
    thread.join()
    search.close()


def test_in_another_thread() -> None:
    results: list[int] = []
    thread = threading.Thread(target=lambda: results.append(models.queens(6).count(engine="sat")))
    thread.start()
    thread.join()
    assert results == [4]


# -- without the extra ---------------------------------------------------------------------------


@pytest.fixture
def no_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if python-sat were not installed."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "pysat"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pysat", None)


@pytest.mark.usefixtures("no_extra")
def test_a_missing_extra_says_what_to_install() -> None:
    problem = dlx.Problem.from_options([["a"]])
    for question in (problem.solve, problem.count, problem.is_unique, problem.solutions):
        with pytest.raises(dlx.InvalidArgument, match="pip install") as caught:
            question(engine="sat")
        assert "'python-sat>=1.8.dev25'" in str(caught.value)


@pytest.mark.usefixtures("no_extra")
def test_and_so_does_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from dlx.cli.main import main

    path = tmp_path / "one.dlx"
    path.write_text("a\na\n")
    assert main(["solve", "--engine", "sat", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "pip install 'python-sat>=1.8.dev25'" in err
    assert err.count("\n") == 1


# -- auto ----------------------------------------------------------------------------------------


def budget(
    monkeypatch: pytest.MonkeyPatch, nodes: int, share: float = 0.5, weighted: int = 10**15
) -> None:
    """Has `auto` start the SAT solver after `nodes` nodes."""
    from dlx.plan import Thresholds

    monkeypatch.setattr(Thresholds, "weighted", weighted)
    monkeypatch.setattr(Thresholds, "sat", nodes)
    monkeypatch.setattr(Thresholds, "entries", 0)
    monkeypatch.setattr(Thresholds, "share", share)


@pytest.mark.parametrize("nodes", [1, 2, 10, 100])
@given(case=large_cases(), seed=seeds, share=st.sampled_from([0.01, 0.5, 100]))
def test_auto_gives_the_first_within_its_budget(
    case: Case, seed: int | None, nodes: int, share: float
) -> None:
    problem = case.problem()
    reference = problem.solutions(engine="links", seed=seed)
    first = next(reference, None)
    needed = reference.stats.nodes
    few = problem.count(limit=2, engine="links")
    reported = set()
    with pytest.MonkeyPatch.context() as patch:
        budget(patch, nodes, share)
        for _ in range(2):  # the second time, tables may have been made
            search = problem.solutions(limit=1, seed=seed)
            found = next(search, None)
            reported.add((found, search.stats.conflicts))
            assert problem.solve(seed=seed) == found
            assert (found is None) == (first is None)
            if found is not None:
                problem.verify(found)
            if needed <= nodes and first is not None:
                assert found == first
                assert search.stats.conflicts is None
            elif needed > nodes:
                assert search.stats.conflicts is not None
            assert problem.count(limit=2, seed=seed) == few
            assert problem.count(limit=1, seed=seed) == min(few, 1)
            assert problem.is_unique(seed=seed) == (few == 1)
    assert len(reported) == 1


@given(
    case=large_cases(),
    nodes=st.sampled_from([1, 3, 10, 100]),
    weighted=st.sampled_from([1, 5, 30, 10**15]),
)
def test_all_together_find_each_solution_once(case: Case, nodes: int, weighted: int) -> None:
    """More than a caller can ask of it: all solutions, the engines taking turns."""
    problem = case.problem()
    expected = list(problem.solutions(limit=200))
    with pytest.MonkeyPatch.context() as patch:
        budget(patch, nodes, 0.1, weighted)
        engine = open_engine(problem, "auto", any_order=True)
        found: list[tuple[Any, ...]] = []
        while not engine.finished and len(found) < 200:
            engine.run(Budget(3), found)
            assert len(found) == engine.stats.solutions
    if len(expected) < 200:
        assert sorted(map(sorted, found)) == sorted(map(sorted, expected))
    assert len(set(map(frozenset, found))) == len(found)


def test_counts_stay_within_their_limit_however_it_turns() -> None:
    """Forced choices below others lead the kernel beyond its nodes to more than one solution."""
    chain = [[("link", i), ("next", i)] for i in range(5)]
    options = [["a", *(("next", i) for i in range(5))], ["a"], ["a"], ["b"], ["b"], *chain]
    options += [[("next", i)] for i in range(5)]
    links = [("link", i) for i in range(5)]
    problem = dlx.Problem.from_options(options, secondary=links)
    number = problem.count(engine="links")
    for nodes in range(1, 30):
        with pytest.MonkeyPatch.context() as patch:
            budget(patch, nodes, 100)
            for _ in range(2):
                assert problem.count(limit=1) == 1
                assert problem.count(limit=2) == 2 < number


def test_auto_turns_only_where_order_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    budget(monkeypatch, 3)
    problem = models.queens(6)
    for limit in (None, 2, 4):
        search = problem.solutions(limit=limit)
        assert list(search) == list(problem.solutions(engine="links", limit=limit))
        assert search.stats.conflicts is None
    for engine in ("links", "bits", "python"):
        search = problem.solutions(limit=1, engine=engine)
        assert next(search) == next(problem.solutions())
        assert search.stats.conflicts is None


@pytest.mark.usefixtures("no_extra")
def test_auto_without_the_extra_just_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    budget(monkeypatch, 3)
    problem = models.queens(6)
    search = problem.solutions(limit=1)
    assert list(search) == [problem.solve(engine="links")]
    assert search.stats.conflicts is None
    assert problem.solve() == problem.solve(engine="links")
    assert not problem.is_unique()
    assert pigeons(5).solve() is None


def test_auto_counts_what_waits_at_its_last_node_once() -> None:
    search = models.pentominoes(3, 20).solutions(limit=1, node_limit=199)
    assert len(list(search)) == search.stats.solutions == 1


def test_auto_within_its_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    budget(monkeypatch, 1000)
    problem = models.graph_coloring(mycielski_graph(7), 6)
    for question in (problem.solve, problem.is_unique):
        error = cut_short(
            lambda timeout, ask=question: ask(timeout=timeout),
            lambda error: error.stats.conflicts,
        )
        assert error.stats.nodes > 1000
        assert sum(error.stats.profile) >= 1000
    with pytest.raises(dlx.SearchInterrupted):
        problem.solve(timeout=0)


@pytest.mark.lengthy
def test_auto_decides_what_a_search_does_not() -> None:
    """A quasigroup with holes that takes a search without memory 18 million nodes."""
    problem = models.quasigroup(33, 420, seed=1)
    search = problem.solutions(limit=1)
    solution = next(search)
    problem.verify(solution)
    assert search.stats.conflicts is not None
    assert sum(search.stats.profile) < 10_000_000
    again = problem.solutions(limit=1)
    assert next(again) == solution
    assert again.stats[2:4] == search.stats[2:4]
    assert again.stats.nodes == search.stats.nodes
    assert again.stats.conflicts == search.stats.conflicts


def test_auto_on_a_problem_that_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A snapshot, too, where the solver comes in late."""
    budget(monkeypatch, 2)
    problem = models.queens(6)
    search = problem.solutions(limit=1)
    problem.add_option(list(problem.primary), name="all at once")
    (solution,) = search
    assert search.stats.conflicts is not None
    assert "all at once" not in solution


@pytest.mark.parametrize("auto", [True, False])
@pytest.mark.parametrize(
    ("failure", "expected"),
    [
        (
            ImportError("libcadical.so: failed to map segment: Cannot allocate memory"),
            r"is installed but cannot be imported: .*Cannot allocate memory",
        ),
        (ModuleNotFoundError("No module named 'pysolvers'", name="pysolvers"), "pysolvers"),
        (MemoryError("injected"), "injected"),
    ],
)
def test_an_extra_that_cannot_be_loaded_is_not_called_missing(
    failure: Exception, expected: str, auto: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken:
        def __getattr__(self, name: str) -> Any:
            raise failure

    monkeypatch.setitem(sys.modules, "pysat.solvers", Broken())
    wanted = MemoryError if isinstance(failure, MemoryError) else dlx.InvalidArgument
    if auto and wanted is dlx.InvalidArgument:
        assert not solver_is_installed()  # the kernel continues without
        return
    with pytest.raises(wanted, match=expected) as caught:
        solver_is_installed() if auto else load_solver()
    assert "not installed" not in str(caught.value)
