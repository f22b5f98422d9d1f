"""`async for` and `await`: the loop continues while the kernel works, and cancelling stops it."""

from __future__ import annotations

import asyncio
import functools
import inspect
import re
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import dlx
from dlx.keywords import EngineName
from dlx.models import langford, pentominoes, queens


def in_a_loop(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Runs the test in an event loop of its own."""

    @functools.wraps(test)
    def run(*arguments: Any, **named: Any) -> None:
        asyncio.run(test(*arguments, **named))

    return run


def _refuse(_: object) -> None:
    raise LookupError("no more")


VALUES: dict[str, list[Any]] = {
    "given": [[(0, 3)], [(0, 0), (1, 1)], [(9, 9)], 3],
    "forbid": [[(0, 3)], [(0, 3), (0, 3)], 3],
    "limit": [0, 1, 3, -1],
    "timeout": [60, 0, "x"],
    "node_limit": [10**6, 1, -1],
    "seed": [3, "x"],
    "engine": ["links", "bits", "python", "sat", "highs", "none"],
    "heuristic": ["weighted", "none", lambda headers: headers[0]],
    "part": [queens(6).split(3)[0], dlx.Part(), 3],
    "workers": [2, 0],
    "executor": [ThreadPoolExecutor(2), 3],
    "ordered": [False, 3],
    "checkpoint": ["journal", 3],
    "distinct": [True, queens(6).symmetries(generators=[]), queens(5).symmetries(), 3],
    "symmetry": [False, 3],
    "memory_limit": ["1 MiB", 0],
    "progress": [lambda _: None, 3, _refuse],
    "any_order": [True, 3],
    "gap": [0.5, 2],
    "target": [1, "x"],
    "on_timeout": ["best", "none"],
    "penalties": [{"r0": 1}, {"r0": -1}, 3],
    "bottleneck": [True, 3],
    "min_difference": [2, 0],
    "costs": [[0.5] * 36, [(n % 5, n) for n in range(36)], [1]],
    "order": ["narrow", "none"],
    "givens_only": [True],
    "among": [["r0"], [], 3],
    "proof": ["x.drat", "x.pbp", "x.count", "x", 3],
}
QUESTIONS = ["solutions", "solve", "count", "is_unique", "minimum", "maximum", "diagram"]
QUESTIONS += ["sample", "explain"]
CALLS = [
    (question, name, value)
    for question in QUESTIONS
    for name, one in inspect.signature(getattr(dlx.Problem, question)).parameters.items()
    if one.kind == one.KEYWORD_ONLY
    for value in VALUES[name]
]


def outcome(ask: Callable[[], Any]) -> Any:
    """The answer, or the error and what it says but for its numbers, which may be times."""
    try:
        answer = ask()
        return list(answer) if isinstance(answer, dlx.Search | dlx.Diagram) else answer
    except Exception as error:
        return type(error), re.sub(r"\d+", "", str(error)), getattr(error, "reason", None)


@pytest.mark.parametrize(
    ("question", "name", "value"),
    CALLS,
    ids=[f"{question}-{name}-{number}" for number, (question, name, _) in enumerate(CALLS)],
)
def test_both_forms_give_the_same_answer_or_error(
    question: str, name: str, value: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = queens(6 if name != "progress" else 8)
    keywords = {name: value}
    if question == "sample":
        keywords["seed"] = 1
    if callable(value) and name == "heuristic":
        keywords["engine"] = "python"

    async def collected() -> Any:
        return [solution async for solution in problem.asolutions(**keywords)]

    def ask() -> Any:
        asked = getattr(problem, f"a{question}")
        return asyncio.run(collected() if question == "solutions" else asked(**keywords))

    answers = []
    for number, call in enumerate((lambda: getattr(problem, question)(**keywords), ask)):
        (tmp_path / str(number)).mkdir()
        monkeypatch.chdir(tmp_path / str(number))  # a journal each
        answers.append(outcome(call))
    assert answers[0] == answers[1]


def test_a_proof_ends_a_call_as_it_ends_the_form_that_waits() -> None:
    """The search alone would take hours; a call in slices of 40 ms had no time for the proof."""
    assert asyncio.run(langford(21).acount()) == 0
    assert asyncio.run(langford(21).asolve()) is None
    assert asyncio.run(langford(21).aminimum()) == []


@in_a_loop
async def test_the_loop_has_its_turns_meanwhile() -> None:
    """If it had none, the count would be over before they come, by its emergency timeout."""
    count = asyncio.create_task(langford(21).acount(engine="links", timeout=60))
    for _ in range(1000):
        await asyncio.sleep(0)
    assert not count.done()
    count.cancel()
    with pytest.raises(asyncio.CancelledError):
        await count


@pytest.mark.parametrize("engine", ["auto", "links", "python"])
@in_a_loop
async def test_cancelling_stops_the_search(engine: str) -> None:
    search = pentominoes(6, 10).asolutions(engine=engine)

    async def collect() -> None:
        async for _ in search:
            begun.set()

    begun = asyncio.Event()
    task = asyncio.create_task(collect())
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    nodes = search.search.stats.nodes
    for _ in range(100):
        await asyncio.sleep(0)
    assert search.search.stats.nodes == nodes  # no thread works on it
    await search.aclose()
    assert search.search.stopped_by == "close"


@in_a_loop
async def test_leaving_the_loop_and_closing() -> None:
    async with pentominoes(6, 10).asolutions() as solutions:
        async for _ in solutions:
            break
    assert solutions.search.stopped_by == "close"
    assert [one async for one in solutions] == []


@in_a_loop
async def test_limits_hold() -> None:
    with pytest.raises(dlx.SearchInterrupted) as caught:
        await pentominoes(6, 10).acount(engine="links", node_limit=5000)
    assert caught.value.reason == "node_limit"
    with pytest.raises(dlx.SearchInterrupted) as caught:
        await pentominoes(6, 10).acount(engine="python", timeout=0.01)
    assert caught.value.reason == "timeout"


def test_two_at_a_time() -> None:
    async def ask() -> list[int]:
        return list(await asyncio.gather(queens(8).acount(), queens(9).acount(engine="links")))

    assert asyncio.run(ask()) == [92, 352]


@pytest.mark.parametrize(
    ("engine", "problem"), [("links", pentominoes(5, 12)), ("python", queens(9))]
)
@in_a_loop
async def test_what_was_found_for_who_was_cancelled_comes_next(
    engine: EngineName, problem: dlx.Problem
) -> None:
    solutions = problem.asolutions(engine=engine)
    found = []
    cancelled = 0
    while True:
        task = asyncio.ensure_future(anext(solutions, None))
        await asyncio.sleep(0)  # it begins
        if len(found) % 10 == cancelled % 10:
            cancelled += 1
            task.cancel()
        try:
            solution = await task
        except asyncio.CancelledError:
            continue
        if solution is None:
            break
        found.append(solution)
        if len(found) == 50:
            break
    assert cancelled > 4
    assert found == problem.solutions(engine=engine, limit=50).take(50)


@in_a_loop
async def test_with_a_journal(tmp_path: Path) -> None:
    problem = queens(9)
    assert await problem.acount(checkpoint=tmp_path / "count") == 352
    with pytest.raises(dlx.SearchInterrupted) as caught:
        await pentominoes(6, 10).acount(checkpoint=tmp_path / "long", node_limit=10_000)
    assert caught.value.reason == "node_limit"


@in_a_loop
async def test_cancelling_keeps_the_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is stopped by its progress, the user's own is called, and the journal continues."""
    monkeypatch.setattr("dlx.checkpoint.engine.CHECK_INTERVAL", 0.01)  # progress is reported early
    problem = queens(15)  # five times as long as it takes until progress is reported
    begun = asyncio.Event()
    cancelled = threading.Event()
    loop = asyncio.get_running_loop()
    keywords = {"checkpoint": tmp_path / "journal", "engine": "links"}

    def tell(seen: dlx.SearchProgress) -> None:
        if seen.nodes > 0:  # they are in the journal
            loop.call_soon_threadsafe(begun.set)
            cancelled.wait()  # so that no further work is begun meanwhile

    task = asyncio.create_task(problem.acount(progress=tell, **keywords))
    await begun.wait()
    task.cancel()
    loop.call_soon(cancelled.set)  # after the task was notified
    with pytest.raises(asyncio.CancelledError):
        await task
    status = dlx.Journal(tmp_path / "journal").status()
    assert status.stats.nodes > 0
    assert not status.finished
    assert await problem.acount(**keywords) == 2279184


@in_a_loop
async def test_what_progress_raises_comes_through(tmp_path: Path) -> None:
    def refuse(_: dlx.SearchProgress) -> None:
        raise LookupError("no more")

    for keywords in ({}, {"checkpoint": tmp_path / "journal"}):
        with pytest.raises(LookupError, match="no more"):
            await pentominoes(6, 10).acount(engine="links", progress=refuse, **keywords)
    with pytest.raises(dlx.InvalidArgument, match="progress"):
        await queens(4).acount(progress=3, checkpoint=tmp_path / "other")


@pytest.mark.parametrize(
    "call",
    [
        lambda problem: problem.adiagram(memory_limit="8 GB"),
        lambda problem: problem.asample(memory_limit="8 GB"),
        lambda problem: problem.aexplain(),
        lambda problem: problem.aminimum(k=100_000),
        lambda problem: problem.aminimum(k=10, engine="python"),
        lambda problem: problem.acount(engine="links"),
        lambda problem: problem.acount(engine="links", workers=2),
        lambda problem: problem.asolve(engine="python"),
        lambda problem: problem.ais_unique(engine="python", heuristic="weighted"),
    ],
)
@in_a_loop
async def test_cancelling_ends_a_call_in_the_kernel(call: Callable[[dlx.Problem], Any]) -> None:
    """If it did not, the test would wait for the call, which takes minutes, at its end."""
    problem = langford(21)  # has no solution, and a search of hours
    task = asyncio.create_task(call(problem))
    threads = {thread for thread in threading.enumerate() if thread.name.startswith("asyncio")}
    while not threads:
        await asyncio.sleep(0)
        threads = {one for one in threading.enumerate() if one.name.startswith("asyncio")}
    for _ in range(200):
        await asyncio.sleep(0)
    assert not task.done()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@in_a_loop
async def test_cancelled_calls_leave_their_threads_usable() -> None:
    for _ in range(3):
        task = asyncio.create_task(langford(21).adiagram(memory_limit="8 GB"))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert len(await queens(6).adiagram()) == 4
