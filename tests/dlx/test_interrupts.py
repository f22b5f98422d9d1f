"""Ctrl-C and threads. Nothing sleeps and nothing is timed: searches that would never end are
ended from outside, or the test fails when their emergency timeout does it.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from types import FrameType

import pytest
from alarms import Alarm
from example_problems import pigeons, pigeons_at_will
from internals import batch_of
from timeouts import EMERGENCY

import dlx
from dlx.engines.registry import IN_ORDER


def test_ctrl_c_in_a_search_without_solutions(engine: str, alarm: Alarm) -> None:
    problem = pigeons(30)
    search = problem.solutions(timeout=EMERGENCY, engine=engine)
    with alarm.expected():
        next(search)
    assert not search.exhausted
    assert search.stopped_by is None
    nodes = search.stats.nodes
    assert nodes > 0
    with alarm.expected():  # it continues, and can be interrupted again
        next(search)
    assert search.stats.nodes > nodes
    search.close()
    assert search.stopped_by == "close"
    assert not search.exhausted
    problem.add_item("more")
    assert problem.count(engine=engine) == 0


@pytest.mark.parametrize("question", ["count", "solve", "is_unique"])
def test_ctrl_c_in_a_question(engine: str, alarm: Alarm, question: str) -> None:
    problem = pigeons(30)
    with alarm.expected():
        getattr(problem, question)(timeout=EMERGENCY, engine=engine)
    assert pigeons(3).count(engine=engine) == 0
    with pytest.raises(dlx.SearchInterrupted):
        problem.count(timeout=0, engine=engine)


@pytest.mark.lengthy
def test_ctrl_c_loses_no_solutions(engine: str, alarm: Alarm) -> None:
    """A solution, then a long stretch without any, then another: interrupted in the stretch, a
    search yields what it would have yielded anyway.
    """
    holes = 8 if engine == "python" else 11
    problem = pigeons_at_will(holes)
    search = problem.solutions(engine=engine)
    assert next(search) == (0,)
    alarm.set(0.02)  # a small part of the stretch
    second = None
    interrupted = 0
    while second is None:
        try:
            second = next(search)
        except KeyboardInterrupt:
            interrupted += 1
    alarm.cancel()
    assert interrupted == 1
    assert second == (2,)
    assert next(search, None) is None
    assert search.exhausted
    reference = problem.solutions(engine="links")
    assert len(list(reference)) == 2
    assert search.stats.profile == reference.stats.profile


def test_another_thread_runs_while_a_search_does(engine: str) -> None:
    """The other thread watches the search, works, and only then interrupts it."""
    search = pigeons(30).solutions(timeout=EMERGENCY, engine=engine)
    searcher = threading.get_ident()
    ticks = 0

    def work() -> None:
        nonlocal ticks
        while search.stats.nodes < 2:
            if search.stopped_by:
                return
        seen = search.stats.nodes
        while search.stats.nodes <= seen:
            ticks += 1
        ticks += 1
        signal.pthread_kill(searcher, signal.SIGINT)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            next(search)
    finally:
        search.close()
        thread.join()
    assert ticks > 0


@contextmanager
def interrupted_by_a_busy_thread(is_begun: Callable[[], bool]) -> Iterator[None]:
    """Another thread works in Python once this has begun, and then interrupts it."""
    interrupted = threading.get_ident()
    ended = threading.Event()
    ticks = 0

    def work() -> None:
        nonlocal ticks
        while not ended.is_set() and not is_begun():
            pass
        while not ended.is_set() and ticks < 100_000:
            ticks += 1
        if not ended.is_set():
            signal.pthread_kill(interrupted, signal.SIGINT)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            yield
    finally:
        ended.set()
        thread.join()
    assert ticks == 100_000


def test_another_thread_runs_while_a_count_does(engine: str) -> None:
    """With the GIL held, nothing could stop the count before its emergency timeout."""
    problem = pigeons(30)
    counter = threading.get_ident()

    def is_counting() -> bool:
        frame: FrameType | None = sys._current_frames()[counter]
        while frame and frame.f_code is not dlx.Problem.count.__code__:
            frame = frame.f_back
        return frame is not None

    with interrupted_by_a_busy_thread(is_counting):
        problem.count(timeout=EMERGENCY, engine=engine)


def test_many_threads_on_one_problem(engine: str) -> None:
    problem = pigeons(6).freeze()
    expected = problem.solutions(engine=engine)
    list(expected)

    def run(seed: int | None) -> tuple[int, int]:
        search = problem.solutions(seed=seed, engine=engine)
        return len(list(search)), search.stats.nodes if seed is None else 0

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(run, [None, 1, None, 2, None, 3, None, 4] * 3))
    assert set(results) == {(0, expected.stats.nodes), (0, 0)}


def closed_meanwhile(
    search: dlx.Search | dlx.Answers[object], is_under_way: Callable[[], bool]
) -> None:
    """Asserts that a search that has no end has one when another thread closes it."""

    def close() -> None:
        while not is_under_way():
            pass
        search.close()

    thread = threading.Thread(target=close)
    thread.start()
    assert next(search, "no more") == "no more"  # None would be an answer
    thread.join()
    assert search.stats.seconds < EMERGENCY / 2
    assert not search.exhausted


@pytest.mark.parametrize("kind", [*IN_ORDER, "sat"])
def test_a_search_may_be_closed_from_another_thread(kind: str) -> None:
    """The engine comes to the end of its slice; the iterator then finds nothing more."""
    search = pigeons(30).solutions(timeout=EMERGENCY, engine=kind)
    closed_meanwhile(search, lambda: search.stats.nodes > 1 or search.stopped_by is not None)
    assert search.stopped_by == "close"


# -- many sets of givens -------------------------------------------------------------------------

engines_and_workers = pytest.mark.parametrize(
    ("engine", "workers"), [("links", 1), ("links", 3), ("python", 1)]
)


@engines_and_workers
def test_ctrl_c_in_a_hard_set_among_many(engine: str, workers: int, alarm: Alarm) -> None:
    problem = pigeons_at_will(30)
    answers = problem.solve_many([[0], [2], [1], [0]], engine=engine, workers=workers)
    assert [next(answers), next(answers)] == [(0,), (2,)]
    for _ in range(2):  # it continues, and can be interrupted again
        with alarm.expected():
            next(answers)
    assert not answers.exhausted
    answers.close()
    assert next(answers, None) is None
    assert problem.solve(given=[2], engine=engine) == (2,)


@engines_and_workers
@pytest.mark.lengthy
def test_ctrl_c_loses_no_answers(engine: str, workers: int, alarm: Alarm) -> None:
    problem = pigeons_at_will(8 if engine == "python" else 10)
    sets = [[0], [1], [2], [9], [2], [0, 1], [0]] * 3
    answers = problem.solve_many(
        (given for given in sets), engine=engine, workers=workers, errors="return"
    )
    found: list[object] = []
    interrupted = 0
    alarm.set(0.02)  # a small part of the work
    while len(found) < len(sets):
        try:
            found.append(next(answers))
        except KeyboardInterrupt:
            interrupted += 1
            gave_up_at = len(found)
    assert interrupted == 1
    assert gave_up_at < len(sets)
    assert next(answers, None) is None
    expected = [(0,), None, (2,), None, (2,), dlx.GivenClash, (0,)] * 3
    assert [type(a) if isinstance(a, dlx.DLXError) else a for a in found] == expected


def test_ctrl_c_while_sets_are_read(alarm: Alarm) -> None:
    """What was read before is not lost, and the iterator can go on if the caller's can."""

    class Sets:
        numbers = iter(range(100))
        stop = True

        def __iter__(self) -> Sets:
            return self

        def __next__(self) -> list[int]:
            number = next(self.numbers)
            if number == 50 and self.stop:
                alarm.set()
                while True:  # until the alarm raises here
                    pass
            return [number]

    sets = Sets()
    options = [["a", n] for n in range(100)]
    problem = dlx.Problem.from_options(options, primary=["a"], secondary=range(100))
    answers = problem.solve_many(sets)
    found = []
    try:
        for answer in answers:
            found.append(answer)
    except KeyboardInterrupt:
        sets.stop = False
    assert found == [(n,) for n in range(len(found))]
    found += answers
    assert found == [(n,) for n in range(100) if n != 50]  # which the caller's iterator dropped


def test_another_thread_runs_while_many_sets_are_answered() -> None:
    """With the GIL held, nothing could stop the search before its emergency timeout."""
    problem = pigeons_at_will(30)
    answers = problem.count_many([[1], [0]], engine="bits", timeout=EMERGENCY)
    with interrupted_by_a_busy_thread(lambda: batch_of(answers).pending > 0):
        next(answers)
    answers.close()


def test_many_threads_with_many_sets_on_one_problem() -> None:
    problem = pigeons_at_will(5).freeze()

    def run(workers: int) -> list[object]:
        return list(problem.solve_many([[0], [1], [2]] * 100, workers=workers))

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(run, [1, 2, 3, 4] * 4))
    assert all(result == [(0,), None, (2,)] * 100 for result in results)


@engines_and_workers
def test_answers_may_be_closed_from_another_thread(engine: str, workers: int) -> None:
    problem = pigeons_at_will(30)
    answers = problem.solve_many([[1]], timeout=EMERGENCY, engine=engine, workers=workers)
    closed_meanwhile(answers, lambda: batch_of(answers).pending > 0)
