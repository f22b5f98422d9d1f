"""A `resume` that is refused loses nothing: afterwards a right one goes on exactly."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from alarms import Alarm
from bruteforce import Case
from hypothesis import assume, given
from hypothesis import strategies as st
from internals import visits_of
from strategies import cases, large_cases

import dlx
from dlx import models

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
