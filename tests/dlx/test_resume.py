"""Limits, and going on after them: here, in pickles, and by way of `SearchInterrupted`."""

from __future__ import annotations

import gc
import pickle
import subprocess
import sys
import weakref
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from alarms import Alarm
from bruteforce import Case
from hypothesis import assume, given
from hypothesis import strategies as st
from internals import kernel_problem, monitor_of, visits_of
from strategies import cases, large_cases, multi_cases

import dlx
from dlx import models
from dlx.analysis import count as counting
from dlx.models import pentominoes, queens
from dlx.search.progress import TimeLeft, TreeShares

SEARCHES = ["auto", "bits", "links", "python"]


def all_solutions(problem: dlx.Problem, **search: Any) -> list[Any]:
    """These, if they are few: tests draw them again and again."""
    whole = list(problem.solutions(limit=500, **search))
    assume(len(whole) < 500)
    return whole


def engine_for(problem: dlx.Problem, name: str) -> str:
    """`name`, or "links" in place of "bits" if there are weights."""
    return "links" if name == "bits" and kernel_problem(problem).weighted else name


@given(
    case=cases() | large_cases() | multi_cases(weights=True),
    limits=st.lists(st.integers(0, 4), max_size=4),
    nodes=st.lists(st.integers(0, 12), max_size=4),
    name=st.sampled_from(SEARCHES),
)
def test_going_on_after_limits_gives_the_sequence(
    case: Case, limits: list[int], nodes: list[int], name: str
) -> None:
    problem = case.problem()
    name = engine_for(problem, name)
    whole = all_solutions(problem, engine=name)
    search = problem.solutions(engine=name, limit=0)
    found: list[Any] = list(search)
    for limit in limits:
        before = len(found)
        found += search.resume(limit=limit)
        assert len(found) - before == min(limit, len(whole) - before)
        assert search.stopped_by == ("limit" if len(found) - before == limit else None) or (
            search.exhausted
        )
    for number in nodes:
        found += search.resume(node_limit=number)
        assert search.stopped_by in ("node_limit", None)
    found += search.resume()
    assert search.exhausted
    assert found == whole


@given(
    case=cases() | large_cases() | multi_cases(weights=True),
    drawn=st.integers(0, 6),
    name=st.sampled_from(SEARCHES),
    seed=st.none() | st.integers(0, 2),
)
def test_a_pickled_search_goes_on(case: Case, drawn: int, name: str, seed: int | None) -> None:
    problem = case.problem()
    name = engine_for(problem, name)
    whole = all_solutions(problem, engine=name, seed=seed)
    search = problem.solutions(engine=name, seed=seed)
    first = search.take(drawn)
    twin = pickle.loads(pickle.dumps(search))
    again = pickle.loads(pickle.dumps(twin))
    assert first + list(twin) == whole
    assert first + list(again) == whole
    assert first + list(search) == whole
    assert twin.exhausted
    assert twin.stats.nodes == search.stats.nodes
    assert twin.stats.profile == search.stats.profile


def test_names_and_givens_survive_pickling() -> None:
    problem = dlx.Problem.from_options({"x": ["a"], "y": ["b"], "xy": ["a", "b"], "z": ["b"]})
    search = problem.solutions(given=["x"])
    problem.add_option(["a"], name="later")
    twin = pickle.loads(pickle.dumps(search))
    assert list(twin) == list(search) == [("x", "y"), ("x", "z")]


def test_a_pickled_search_goes_on_in_another_process() -> None:
    problem = queens(8)
    search = problem.solutions()
    first = search.take(40)
    code = (
        "import pickle, sys\n"
        "search = pickle.load(sys.stdin.buffer)\n"
        "sys.stdout.buffer.write(pickle.dumps((list(search), search.exhausted)))\n"
    )
    run = subprocess.run(
        [sys.executable, "-P", "-c", code],
        input=pickle.dumps(search),
        capture_output=True,
        check=True,
    )
    rest, exhausted = pickle.loads(run.stdout)
    assert exhausted
    assert first + rest == list(problem.solutions())


def test_what_was_taken_before_an_exception_comes_again() -> None:
    problem = queens(7)
    refused = False

    def refuse(progress: dlx.SearchProgress) -> None:
        nonlocal refused
        if progress.solutions > 5 and not refused:
            refused = True
            raise LookupError

    search = problem.solutions(progress=refuse)
    monitor_of(search).interval = 1e-5  # seconds: it reports after every batch or sooner
    with pytest.raises(LookupError):
        search.take(40)
    assert list(search) == list(problem.solutions())


def test_limits_travel_too() -> None:
    search = queens(6).solutions(limit=3)
    assert len(search.take(2)) == 2
    twin = pickle.loads(pickle.dumps(search))
    assert len(list(twin)) == 1
    assert twin.stopped_by == "limit"
    closed = queens(6).solutions()
    closed.close()
    assert list(pickle.loads(pickle.dumps(closed))) == []


def test_what_cannot_be_pickled_says_so() -> None:
    pytest.importorskip("pysat")
    search = queens(6).solutions(engine="sat")
    next(search)
    with pytest.raises(dlx.InvalidArgument, match="cannot be pickled: a SAT solver"):
        pickle.dumps(search)


def test_a_closed_search_cannot_go_on() -> None:
    search = queens(6).solutions(limit=1)
    list(search)
    search.close()
    with pytest.raises(dlx.InvalidArgument, match="the search was closed"):
        search.resume()


@pytest.mark.parametrize("engine", SEARCHES)
def test_a_node_limit_is_kept(engine: str) -> None:
    problem = pentominoes(3, 20)
    search = problem.solutions(engine=engine, node_limit=700)
    list(search)
    assert search.stopped_by == "node_limit"
    assert 700 <= search.stats.nodes <= 707  # bits may go on where it has no choice
    assert not search.exhausted
    assert "node_limit" in repr(search)


ASKED: list[tuple[Callable[..., Any], Any]] = [
    (lambda **k: queens(7).count(**k), 40),
    (lambda **k: queens(7).count(limit=30, **k), 30),
    (lambda **k: queens(7).is_unique(**k), False),
    (lambda **k: queens(3).is_unique(**k), False),
    (lambda **k: queens(3).solve(**k), None),
    (lambda **k: queens(7).solve(**k), queens(7).solve()),
]


@pytest.mark.parametrize(("ask", "expected"), ASKED)
@pytest.mark.parametrize("pickled", [False, True])
def test_interrupted_questions_resume(
    ask: Callable[..., Any], expected: Any, pickled: bool
) -> None:
    with pytest.raises(dlx.SearchInterrupted) as caught:
        ask(node_limit=1)
    error: dlx.SearchInterrupted | None = caught.value
    answer, nodes = None, 0
    while error is not None:
        assert error.reason == "node_limit"
        assert error.stats.nodes > nodes
        nodes = error.stats.nodes
        if pickled:
            error = pickle.loads(pickle.dumps(error))
        answer, error = step(error)
    assert answer == expected


def step(error: dlx.SearchInterrupted | None) -> tuple[Any, dlx.SearchInterrupted | None]:
    """Goes on a little: the answer, or the next error."""
    assert error is not None
    try:
        return error.resume(node_limit=9), None
    except dlx.SearchInterrupted as further:
        return None, further


def test_one_slice_does_not_keep_those_before() -> None:
    """Else a long search that is done slice by slice fills the memory."""
    with pytest.raises(dlx.SearchInterrupted) as caught:
        pentominoes(6, 10).count(engine="links", node_limit=9)
    error: dlx.SearchInterrupted | None = caught.value
    first = weakref.ref(caught.value)
    del caught
    for _ in range(3):
        _, error = step(error)
    gc.collect()
    assert first() is None


def test_a_count_that_remembers_resumes() -> None:
    problem = dlx.models.dominoes(12, 12)
    try:
        number = problem.count(timeout=0)
    except dlx.SearchInterrupted as error:
        gone = pickle.loads(pickle.dumps(error))
        with pytest.raises(dlx.InvalidArgument, match="cannot be resumed"):
            gone.resume()
        number = error.resume()
        with pytest.raises(dlx.InvalidArgument, match="resumed already"):
            error.resume()
    assert number == 53060477521960000


def test_bad_limits() -> None:
    for bad in (-1, 1.5, "x", True):
        with pytest.raises(dlx.InvalidArgument, match="node_limit is"):
            queens(4).count(node_limit=bad)  # type: ignore[arg-type]
    with pytest.raises(dlx.InvalidArgument, match="progress is 3"):
        queens(4).count(progress=3, engine="links")  # type: ignore[arg-type]


def test_taking_some() -> None:
    search = queens(6).solutions()
    assert [len(search.take(3)), len(search.take(3)), search.exhausted] == [3, 1, True]
    assert search.take(0) == search.take(5) == []
    slow = pentominoes(6, 10).solutions(engine="python")
    assert slow.take(100, seconds=0) == []
    assert slow.stopped_by is None


class Seen:
    def __init__(self) -> None:
        self.all: list[dlx.SearchProgress] = []

    def __call__(self, progress: dlx.SearchProgress) -> None:
        self.all.append(progress)


@given(case=cases() | large_cases() | multi_cases(weights=True), name=st.sampled_from(SEARCHES))
def test_progress_ends_at_one(case: Case, name: str) -> None:
    problem = case.problem()
    name = engine_for(problem, name)
    whole = all_solutions(problem, engine=name)
    seen = Seen()
    found = list(problem.solutions(engine=name, progress=seen))
    assert found == whole
    assert seen.all[-1].fraction == 1.0
    assert seen.all[-1].solutions == len(found)
    nodes = [progress.nodes for progress in seen.all]
    assert nodes == sorted(nodes)


@given(case=cases() | large_cases() | multi_cases(weights=True), seed=st.integers(0, 5))
def test_shares_of_parts_add_up(case: Case, seed: int) -> None:
    """What lies behind, and what is ahead, is all there is, wherever a search stands."""
    problem = case.problem()
    all_solutions(problem)
    search = problem.solutions(seed=seed, engine="links")
    shares = TreeShares(kernel_problem(problem, seed), [])
    done = [0.0]
    for _ in search:
        parts = search.parts_left()
        if parts is not None:
            done.append(shares.done(parts))
    assert done == sorted(done)
    assert all(0 <= share <= 1 for share in done)


@pytest.mark.lengthy
def test_progress_of_a_part_is_of_that_part() -> None:
    problem = pentominoes(6, 10)
    for part in problem.split(4):
        seen = Seen()
        found = problem.count(engine="bits", part=part, progress=seen)
        whole = [problem.count(engine="bits", part=part, limit=n) for n in (1, found)]
        assert whole == [min(1, found), found]
        first = seen.all[0].fraction
        assert first is not None
        assert first > 0 or len(seen.all) > 1
        assert seen.all[-1].fraction == 1.0
    search = problem.solutions(engine="links", part=part, progress=(seen := Seen()))
    search.take(1)
    search.resume(node_limit=0)
    assert list(search) == []
    ahead = TreeShares(kernel_problem(problem), [], part)
    left = search.parts_left()
    assert left is not None
    assert seen.all[-1].fraction == ahead.done(left)
    assert ahead.of(part) == 1.0


def test_time_left_is_reckoned_from_the_first_look() -> None:
    """What another run has done before was not done in the seconds of this one."""
    time_left = TimeLeft()
    assert time_left.seconds_left(0.0, 0.5) is None  # half was done before
    assert time_left.seconds_left(10.0, 0.6) == pytest.approx(40.0)
    assert time_left.seconds_left(20.0, None) is None
    assert time_left.seconds_left(20.0, 0.75) == pytest.approx(20.0)
    assert time_left.seconds_left(30.0, 0.1) is None  # something else has begun
    assert time_left.seconds_left(40.0, 0.2) == pytest.approx(80.0)
    assert time_left.seconds_left(50.0, 1.0) == 0.0


def test_what_progress_raises_leaves_a_search_or_a_journal_to_go_on_with(tmp_path: Path) -> None:
    """And nothing else: a count has no handle then."""

    def refuse(_: dlx.SearchProgress) -> None:
        raise LookupError

    problem, journal = queens(8), tmp_path / "run.db"
    search = problem.solutions(progress=refuse)
    found = []
    for _ in range(100):
        try:
            found += search
            break
        except LookupError:
            pass
    assert found == list(problem.solutions())
    for keep in ({}, {"checkpoint": journal}):
        with pytest.raises(LookupError) as caught:
            problem.count(progress=refuse, **keep)
        assert not hasattr(caught.value, "resume")
    assert dlx.Journal(journal).status().stats.nodes > 0
    assert problem.count(checkpoint=journal) == 92


@pytest.mark.lengthy
def test_a_journal_goes_on_where_it_was(tmp_path: Path) -> None:
    problem, journal = pentominoes(6, 10), tmp_path / "run.db"
    with pytest.raises(dlx.SearchInterrupted):
        problem.count(checkpoint=journal, node_limit=1_500_000)
    before = dlx.Journal(journal).status().fraction
    assert before is not None
    assert 0 < before < 1
    seen = Seen()
    with pytest.raises(dlx.SearchInterrupted):
        problem.count(checkpoint=journal, node_limit=0, progress=seen)
    assert seen.all[-1].fraction == pytest.approx(before)
    assert seen.all[-1].seconds_left is None
    assert problem.count(checkpoint=journal, progress=seen) == 9356
    fractions = [progress.fraction or 0 for progress in seen.all]
    assert fractions == sorted(fractions)
    assert fractions[-1] == dlx.Journal(journal).status().fraction == 1.0


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("limit", [None, 6000])
@pytest.mark.lengthy
def test_progress_of_a_count_that_might_remember(
    workers: int, limit: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "REPORT_INTERVAL", 0.001)
    seen = Seen()
    found = pentominoes(6, 10).count(workers=workers, limit=limit, progress=seen)
    assert found == seen.all[-1].solutions == (limit or 9356)
    # It may begin anew with fewer options; from then on the fraction grows.
    fractions = [progress.fraction for progress in seen.all if progress.fraction is not None]
    assert sum(after < before for before, after in pairwise(fractions)) <= 1
    assert len({fraction for fraction in fractions if 0 < fraction < 1}) > 1
    assert limit is not None or seen.all[-1].fraction == 1.0


def test_progress_of_a_count_that_remembers_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """While layers are at work, the place that enumeration has come to stays the same."""
    clock = iter([0.0, 1.0, 3.0, 3.1])
    monkeypatch.setattr(counting, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    problem = kernel_problem(pentominoes(6, 10))
    seen = Seen()
    count = problem.count([], 2**63, 2**30, "mrv", "auto", shared=False)
    monitor = counting.CountMonitor(count, seen)
    monitor.begin()
    for _ in range(3):
        monitor.report(0)
    assert [progress.fraction for progress in seen.all] == [0.0, None, None]
    assert [progress.seconds for progress in seen.all] == [1.0, 3.0, 3.1]


def test_an_exception_in_progress_leaves_the_search_as_it_was() -> None:
    calls = iter([KeyError("no")])

    def refuse(progress: object) -> None:
        for error in calls:
            raise error

    search = queens(6).solutions(progress=refuse)
    with pytest.raises(KeyError, match="no"):
        next(search)
    assert len(search.take(10)) == 4


# -- A `resume` that is refused loses nothing: afterwards a right one continues exactly ------------


Ask = Callable[..., Any]

WRONG: list[tuple[tuple[Any, ...], dict[str, Any], type[Exception]]] = [
    ((5,), {}, TypeError),
    ((None, None), {}, TypeError),
    ((), {"node_limits": 5}, TypeError),
    ((), {"timeout": "5"}, dlx.InvalidArgument),
    ((), {"timeout": -1}, dlx.InvalidArgument),
    ((), {"timeout": float("nan")}, dlx.InvalidArgument),
    ((), {"timeout": True}, dlx.InvalidArgument),
    ((), {"timeout": [1]}, dlx.InvalidArgument),
    ((), {"node_limit": -1}, dlx.InvalidArgument),
    ((), {"node_limit": 1.5}, dlx.InvalidArgument),
    ((), {"node_limit": "x"}, dlx.InvalidArgument),
    ((), {"node_limit": False}, dlx.InvalidArgument),
]
wrong_arguments = st.lists(st.sampled_from(WRONG), min_size=1, max_size=4)

# Questions that a limit stops before they have begun, with what is right for some of them only.
QUESTIONS: dict[str, tuple[Callable[[dlx.Problem], Ask], dict[str, Any], list[Any]]] = {
    "solve": (lambda p: p.solve, {"node_limit": 0}, []),
    "solve, 2 workers": (lambda p: p.solve, {"node_limit": 0, "workers": 2}, []),
    "count": (lambda p: p.count, {"node_limit": 0}, []),
    "count up to 3": (lambda p: p.count, {"node_limit": 0, "limit": 3}, []),
    "count that remembers": (
        lambda p: p.count,
        {"timeout": 0},
        [((), {"node_limit": 3}, dlx.InvalidArgument)],
    ),
    "is_unique": (lambda p: p.is_unique, {"node_limit": 0}, []),
    "minimum": (
        lambda p: p.minimum,
        {"timeout": 0},
        [((), {"node_limit": 3}, dlx.InvalidArgument)],
    ),
    "maximum, python": (
        lambda p: p.maximum,
        {"timeout": 0, "k": 3, "engine": "python"},
        [((), {"timeout": 1, "node_limit": 3}, dlx.InvalidArgument)],
    ),
}


def refuse(
    resume: Ask, wrong: list[tuple[tuple[Any, ...], dict[str, Any], type[Exception]]]
) -> None:
    """Has each of these refused."""
    for arguments, keywords, expected in wrong:
        with pytest.raises(expected) as caught:
            resume(*arguments, **keywords)
        assert not isinstance(caught.value, dlx.SearchInterrupted)


@pytest.mark.parametrize("name", QUESTIONS)
@given(case=cases() | large_cases(), wrong=wrong_arguments)
def test_a_refused_resume_loses_nothing(name: str, case: Case, wrong: list[Any]) -> None:
    problem = case.problem()
    bound, limits, also_wrong = QUESTIONS[name]
    ask = bound(problem)
    rest = {key: limits[key] for key in limits.keys() - {"timeout", "node_limit"}}
    assume(problem.count(limit=2000) < 2000)
    expected = ask(**rest)
    try:
        assert ask(**limits) == expected  # some know the answer before they search
        return
    except dlx.SearchInterrupted as interrupted:
        error = interrupted
    before = (error.reason, error.count, error.stats, str(error))
    refuse(error.resume, [*wrong, *also_wrong])
    assert (error.reason, error.count, error.stats, str(error)) == before
    assert error.resume() == expected
    with pytest.raises(dlx.InvalidArgument, match="resumed already"):
        error.resume()


@given(case=cases() | large_cases(), wrong=wrong_arguments, first=st.integers(0, 5))
def test_a_search_refuses_and_goes_on(case: Case, wrong: list[Any], first: int) -> None:
    problem = case.problem()
    whole = list(problem.solutions(limit=200))
    search = problem.solutions(limit=first)
    found = list(search)
    refuse(search.resume, [*wrong, ((), {"limit": -1}, dlx.InvalidArgument)])
    assert found + list(search.resume(limit=200 - first)) == whole


# -- minimum -------------------------------------------------------------------------------------


def costly(n: int) -> dlx.Problem:
    queens = models.queens(n)
    costs = [(o * o) % 11 for o in range(len(queens))]
    return dlx.Problem.from_options(
        queens.options, primary=queens.primary, secondary=queens.secondary, costs=costs
    )


def attempt(ask: Ask, timeout: float | None) -> tuple[Any, dlx.MinimumInterrupted | None]:
    """The answer, or what is raised at the timeout."""
    try:
        return ask(timeout=timeout), None
    except dlx.MinimumInterrupted as error:
        return None, error


@pytest.mark.parametrize("engine", ["links", "python"])
@pytest.mark.parametrize("question", ["minimum", "maximum"])
def test_the_best_in_slices_are_the_best(engine: str, question: str) -> None:
    problem = costly(7)
    ask = getattr(problem, question)
    whole = ask(30, engine=engine)
    seen: list[dlx.Progress] = []
    ranking, error = attempt(partial(ask, 30, engine=engine, progress=seen.append), 1e-6)
    slices, nodes = 0, 0
    while error is not None:
        assert error.stats.nodes >= nodes
        slices, nodes = slices + 1, error.stats.nodes
        ranking, error = attempt(error.resume, 1e-6 if slices < 50 else None)
    assert slices > 1
    assert ranking == whole
    assert ranking.stats[:4] == whole.stats[:4]
    assert seen[-1].nodes == whole.stats.nodes


def test_several_workers_go_on_as_well() -> None:
    problem = costly(8)
    with pytest.raises(dlx.MinimumInterrupted) as caught:
        problem.minimum(5, timeout=0, workers=2)
    assert caught.value.resume() == problem.minimum(5)


def test_a_pickled_minimum_says_why_it_cannot_go_on() -> None:
    with pytest.raises(dlx.MinimumInterrupted) as caught:
        costly(6).minimum(timeout=0)
    gone = pickle.loads(pickle.dumps(caught.value))
    with pytest.raises(dlx.InvalidArgument, match="cannot be resumed: its state was lost"):
        gone.resume()
    again = pickle.loads(pickle.dumps(gone))
    with pytest.raises(dlx.InvalidArgument, match="cannot be resumed: its state was lost"):
        again.resume()
    assert caught.value.resume() == costly(6).minimum()


def test_a_progress_function_that_fails_loses_nothing() -> None:
    failing = [False]

    def progress(_: dlx.Progress) -> None:
        if failing[0]:
            raise RuntimeError("no room on the screen")

    with pytest.raises(dlx.MinimumInterrupted) as caught:
        costly(6).minimum(timeout=0, progress=progress)
    failing[0] = True
    with pytest.raises(RuntimeError, match="no room"):
        caught.value.resume()
    failing[0] = False
    assert caught.value.resume() == costly(6).minimum()


@pytest.mark.parametrize("engine", ["auto", "links"])
def test_ctrl_c_leaves_a_minimum_to_be_resumed(alarm: Alarm, engine: str) -> None:
    """There are solutions, so that no certificate ends the search."""
    with pytest.raises(dlx.MinimumInterrupted) as caught:
        costly(60).minimum(timeout=0, engine=engine)
    with alarm.expected():
        caught.value.resume()
    with pytest.raises(dlx.MinimumInterrupted) as further:
        caught.value.resume(timeout=0)
    assert further.value.stats.nodes >= caught.value.stats.nodes


def test_a_broken_step_never_passes_for_the_end() -> None:
    """The reference's steps are Python's: an interrupt may come in the middle of one."""
    with pytest.raises(dlx.MinimumInterrupted) as caught:
        costly(6).minimum(timeout=0, engine="python")
    visits_of(caught.value).close()
    with pytest.raises(dlx.InvalidArgument, match="in the middle of a step"):
        caught.value.resume()


def test_what_keeps_nothing_says_so() -> None:
    for ask in (models.queens(9).diagram, models.queens(9).estimate):
        with pytest.raises(dlx.SearchInterrupted) as caught:
            ask(timeout=0)
        with pytest.raises(dlx.InvalidArgument, match="only count, solve, is_unique, minimum and"):
            caught.value.resume()
