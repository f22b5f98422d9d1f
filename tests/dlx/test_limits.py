"""Limits of every question, at any size: beyond what 31, 32, 63 and 64 bits hold."""

from __future__ import annotations

import asyncio
import inspect
import json
import pickle
from collections.abc import Callable
from math import prod
from pathlib import Path
from typing import Any

import pytest
from bruteforce import Case, all_subsets
from commands import Run
from hypothesis import given
from hypothesis import strategies as st
from strategies import cases
from timeouts import simulated_clock

import dlx
from dlx import models
from dlx.cli.main import main

DOMINOES_16 = 2444888770250892795802079170816  # tilings of a 16x16 board

BORDERS = (0, 1, 2, 3, 2**31, 2**32, 2**63, 2**64, 10**40)
HUGE = (2**31, 2**32, 2**63 - 1, 2**63, 2**63 + 1, 2**64 - 1, 2**64, 2**64 + 1, 10**40, 10**5000)

limits = st.one_of(
    st.builds(
        lambda border, step: max(0, border + step), st.sampled_from(BORDERS), st.integers(-2, 2)
    ),
    st.integers(0, 12),
    st.integers(0, 2**200),
)
"""Any limit, most of them near a border."""


@given(
    choices=st.lists(st.integers(1, 6), min_size=1, max_size=120),
    limit=limits,
    connected=st.booleans(),
)
def test_a_count_of_any_size_up_to_any_limit(
    choices: list[int], limit: int, connected: bool
) -> None:
    """Numbers of options of each item; in parts, or held together by one option of all."""
    options = [[item] for item, number in enumerate(choices) for _ in range(number)]
    if connected:
        options.append([*range(len(choices))])
    problem = dlx.Problem.from_options(options)
    expected = prod(choices) + connected
    for exact in (limit, expected - 1, expected, expected + 1):
        assert problem.count(limit=exact) == min(exact, expected)
    assert problem.count() == expected


@pytest.mark.parametrize(
    "limit", [10**40, 2**64, 2**63 + 1, DOMINOES_16 - 1, DOMINOES_16, DOMINOES_16 + 1]
)
@pytest.mark.parametrize("workers", [1, 2])
def test_a_count_beyond_64_bits(limit: int, workers: int) -> None:
    problem = models.dominoes(16, 16)
    assert problem.count(limit=limit, workers=workers) == min(limit, DOMINOES_16)


def test_the_command_counts_beyond_64_bits(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "dominoes.txt"
    models.dominoes(16, 16).dump(file)
    for limit, status in ((10**20, 3), (10**40, 0)):
        assert main(["count", str(file), "--limit", str(limit), "--json"]) == status
        expected = min(limit, DOMINOES_16)
        answer = json.loads(capsys.readouterr().out)
        stopped_by = "limit" if status else None
        assert answer == {
            "solutions": expected,
            "exhausted": status == 0,
            "stopped_by": stopped_by,
        }


@pytest.mark.parametrize("engine", ["auto", "bits", "links", "python"])
@given(case=cases(), limit=limits, node_limit=limits)
def test_every_question_with_any_limit(
    engine: str, case: Case, limit: int, node_limit: int
) -> None:
    problem = case.problem()
    number = len(all_subsets(case))
    few = min(limit, number)
    search = problem.solutions(limit=limit, engine=engine)
    assert len(list(search)) == few
    assert (search.stopped_by == "limit") == (few == limit and not search.exhausted)
    assert len(list(pickle.loads(pickle.dumps(problem.solutions(limit=limit))))) == few
    assert problem.count(limit=limit, engine=engine) == few
    assert problem.count(limit=limit, engine=engine, part=dlx.Part()) == few
    many = problem.count_many([[], []], limit=limit, engine=engine)
    assert list(many) == [few, few]
    search = problem.solutions(node_limit=node_limit, engine=engine)
    found = len(list(search))
    assert found == number if search.exhausted else search.stats.nodes >= node_limit
    list(search.resume(limit=2**64, node_limit=10**40, timeout=1e300))
    assert search.exhausted
    assert search.stats.solutions == number


@pytest.mark.parametrize("huge", HUGE, ids=lambda huge: f"{huge.bit_length()} bits, {huge % 5}")
def test_limits_that_nothing_reaches(huge: int, tmp_path: Path) -> None:
    """Each of the other questions, with a number too large for any machine word."""
    problem = models.queens(6)
    every = sorted(map(sorted, problem.solutions()))
    diagram = problem.diagram(memory_limit=huge)
    everything: list[list[Any]] = [
        [solution for _, solution in problem.minimum(huge)],
        [solution for _, solution in problem.minimum(huge, engine="python")],
        [solution for _, solution in problem.maximum(huge)],
        [solution for _, solution in diagram.minimum([0] * len(problem), huge)],
        list(problem.solutions(limit=huge, checkpoint=tmp_path / "solutions.dlx")),
        list(problem.solutions(limit=huge, workers=2)),
        list(problem.solutions(node_limit=huge, workers=2)),
    ]
    for found in everything:
        assert sorted(map(sorted, found)) == every
    for keywords in ({"memory_limit": huge}, {"node_limit": huge}, {"workers": 2}):
        assert problem.count(limit=huge, **keywords) == len(every)
    assert problem.count(limit=huge, checkpoint=tmp_path / "count.dlx") == len(every)
    assert problem.is_unique(node_limit=huge) is False
    assert problem.solve(node_limit=huge) is not None
    assert problem.explain(node_limit=huge) is None
    assert next(problem.solve_many([[]], limit=huge)) == list(problem.solutions())
    with pytest.raises(dlx.SearchInterrupted) as caught:
        problem.count(node_limit=1)
    assert caught.value.resume(node_limit=huge) == len(every)
    with simulated_clock(1_000_000):
        estimate_stopped = problem.estimate(huge, timeout=0.05, seed=huge % 10**4000)
    assert estimate_stopped.stopped_by == "timeout"


@pytest.mark.parametrize(
    "huge", [-1, -(2**63) - 1, -(2**64), -(10**40), -(10**5000)], ids=int.bit_length
)
def test_negative_limits_are_refused_at_any_size(huge: int) -> None:
    problem = models.queens(6)
    for ask in (
        lambda: problem.solutions(limit=huge),
        lambda: problem.count(limit=huge),
        lambda: problem.count(node_limit=huge),
        lambda: problem.count_many([[]], limit=huge),
        lambda: problem.minimum(huge),
        lambda: problem.estimate(huge),
        lambda: problem.diagram(memory_limit=huge),
    ):
        with pytest.raises(dlx.InvalidArgument, match="must be"):
            ask()


@pytest.mark.parametrize("number", [2**28, 2**31, 2**40, 2**63, 2**64, 10**40])
def test_more_items_than_the_kernel_has_indices_for(number: int) -> None:
    """Refused before anything is allocated for them."""
    most = r"too many items; a problem has at most 268,435,455"
    with pytest.raises(dlx.InvalidEntry, match=most):
        dlx.Problem.from_arrays([0], [], items=number)
    with pytest.raises(dlx.InvalidEntry, match=most):
        dlx.Problem.from_arrays([0], [], items=range(number))
    with pytest.raises(dlx.InvalidEntry, match=most):
        dlx.Problem(range(number))
    with pytest.raises(dlx.InvalidEntry, match=most):
        dlx.Problem([], range(number))


# -- One limit, one name: what stopped a question is called as the keyword that set the limit ----


LIMITS = ("limit", "timeout", "node_limit", "memory_limit")
HARD = models.pentominoes(6, 10)
WITHOUT = models.langford(14)  # no solution, which takes a while to see

SMALLEST: dict[str, Any] = {
    "limit": 1,
    "timeout": 0,
    "node_limit": 1,
    "memory_limit": 10_000,
}


def questions() -> list[tuple[str, str]]:
    """The methods of a problem that take limits, with each of these."""
    found = []
    for name, method in inspect.getmembers(dlx.Problem, callable):
        if name.startswith("_"):
            continue
        keywords = inspect.signature(method).parameters
        found += [(name, limit) for limit in LIMITS if limit in keywords]
    return found


def test_no_other_names() -> None:
    asked = questions()
    assert {limit for _, limit in asked} == set(LIMITS)
    for name in {name for name, _ in asked}:
        keywords = inspect.signature(getattr(dlx.Problem, name)).parameters
        assert not {"nodes", "max_nodes", "memory", "seconds", "max_solutions"} & set(keywords)


def ask(name: str, **limits: Any) -> Any:
    problem = WITHOUT if name == "explain" else HARD
    others = [problem] if name == "is_isomorphic" else []
    asked = getattr(problem, name)(*others, **limits)
    if name == "solutions":
        list(asked)
    return asked


def stopped_by(asking: Callable[[], Any]) -> str | None:
    """What the question says has stopped it: raised, or in its answer."""
    try:
        answer = asking()
    except dlx.SearchInterrupted as error:
        return error.reason if error.reason.replace("_", " ") in str(error) else str(error)
    except dlx.DiagramTooLarge as error:
        return "memory_limit" if "memory_limit=" in str(error) else str(error)
    reported: str | None = getattr(answer, "stopped_by", None)
    return reported


NOTHING_STOPS = {
    ("count", "limit"),  # the answer is that up to the limit
    ("count", "memory_limit"),  # less is remembered
    ("reduced", "timeout"),  # what was reduced by then is an answer
    ("symmetries", "node_limit"),  # and so is the group found by then
    *((name, limit) for name in ("count_many", "solve_many") for limit in LIMITS),  # set by set
}


@pytest.mark.parametrize(("name", "limit"), sorted({*questions()} - NOTHING_STOPS))
def test_the_name_of_the_keyword(name: str, limit: str) -> None:
    assert stopped_by(lambda: ask(name, **{limit: SMALLEST[limit]})) == limit


@pytest.mark.parametrize("limit", ["timeout", "node_limit"])
@pytest.mark.lengthy
def test_with_journals_and_the_loop(limit: str, tmp_path: Path) -> None:
    limits = {limit: SMALLEST[limit]}
    for number, keep in enumerate(({}, {"checkpoint": tmp_path / "run.db"})):
        assert stopped_by(lambda keep=keep: HARD.count(**limits, **keep)) == limit
        if keep:
            keep = {"checkpoint": tmp_path / f"{number}.db"}
        assert stopped_by(lambda keep=keep: asyncio.run(HARD.acount(**limits, **keep))) == limit


def test_on_the_command_line(tmp_path: Path, run: Run) -> None:
    file = str(tmp_path / "hard.dlx")
    WITHOUT.dump(file)
    for name in ("--node-limit", "--nodes"):
        assert "its node limit after" in run("explain", file, name, "1", status=3).err
    run("explain", file, "--timeout", "0", status=3)
