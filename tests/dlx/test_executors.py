"""Searches by the workers of an executor, what travels to them, and what may go wrong there."""

from __future__ import annotations

import logging
import multiprocessing
import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from types import FrameType
from typing import Any, ClassVar

import pytest
from alarms import Alarm
from internals import number_of_cached_specs, search_input, table_of

import dlx
from dlx import Part, models
from dlx.engines.protocols import Start
from dlx.engines.spec import engine_spec
from dlx.errors import InvalidArgument, PartFailed, WorkersLost
from dlx.parallel import executors, remote
from dlx.parallel.driver import Driver
from dlx.parallel.executors import ExecutorPool, most_under_way, seconds_for, workers_of
from dlx.parallel.results import TaskLimits
from dlx.parallel.schedule import Schedule


@pytest.fixture(scope="module", params=["forkserver", "spawn"])
def pool(request: pytest.FixtureRequest) -> Iterator[ProcessPoolExecutor]:
    context = multiprocessing.get_context(request.param)
    with ProcessPoolExecutor(2, mp_context=context) as executor:
        yield executor


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tasks of so little work that there are many of them."""
    monkeypatch.setattr(executors, "SHORTEST", 0.0)
    monkeypatch.setattr(executors, "LONGEST", 0.0)


def search_by(
    problem: dlx.Problem,
    executor: Executor,
    *,
    engine: str = "bits",
    ordered: bool = True,
    parts: tuple[Part, ...] = (Part(),),
    workers: int = 1,
) -> tuple[dlx.Search, ExecutorPool]:
    """A search that the executor does from the beginning, and who has it done."""
    crews: list[ExecutorPool] = []
    question = engine_spec(search_input(problem), engine, "mrv")

    def make_pool(schedule: Schedule) -> ExecutorPool:
        crews.append(ExecutorPool(schedule, question, executor, workers))
        return crews[0]

    names = table_of(problem).names
    driver = Driver(Start(parts), make_pool, names=names, ordered=ordered)
    return dlx.Search(driver, None, None), crews[0]


class Around(Executor):
    """An executor around another one, which sees what goes through."""

    def __init__(self, inner: Executor) -> None:
        self.inner = inner
        self._max_workers = workers_of(inner)
        self.bytes: list[int] = []
        self.under_way = 0
        self.most = 0

    def submit(self, task: Any, /, *args: Any, **named: Any) -> Future[Any]:
        self.bytes.append(len(pickle.dumps((task, args, named))))
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        future = self.inner.submit(task, *args, **named)
        future.add_done_callback(self._came_back)
        return future

    def _came_back(self, future: Future[Any]) -> None:
        self.under_way -= 1


@pytest.mark.lengthy
def test_processes_find_what_one_thread_finds(hole: dlx.Problem, pool: ProcessPoolExecutor) -> None:
    alone = hole.solutions(engine="bits")
    expected = list(alone)
    search = hole.solutions(engine="bits", executor=pool)
    assert list(search) == expected
    assert search.stats.nodes == alone.stats.nodes
    assert search.stats.profile == alone.stats.profile
    assert sorted(hole.solutions(executor=pool, ordered=False)) == sorted(expected)
    assert list(hole.solutions(executor=pool, limit=70)) == expected[:70]
    assert hole.solve(executor=pool) == expected[0]
    assert hole.count(executor=pool) == 520
    assert hole.count(executor=pool, engine="links") == 520
    assert not hole.is_unique(executor=pool)


def test_all_engines_in_processes(engine: str, pool: ProcessPoolExecutor) -> None:
    problem = models.langford(7)
    named = dlx.Problem.from_options({f"o{n}": one for n, one in enumerate(problem.options)})
    search, _ = search_by(named, pool, engine=engine)
    assert list(search) == list(named.solutions(engine=engine))
    seeded = named.solutions(engine=engine, seed=3, executor=pool)
    assert list(seeded) == list(named.solutions(engine=engine, seed=3))


def test_a_part_that_auto_counts_travels(pool: ProcessPoolExecutor) -> None:
    """The problem that is enumerated there was not made in this process."""
    problem = models.langford(11)
    assert problem.count(executor=pool) == 2 * 17792


@pytest.mark.usefixtures("short")
def test_the_problem_travels_once_to_a_process(hole: dlx.Problem) -> None:
    """One process, because of several any may snatch the task that was to equip another."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as single:
        around = Around(single)
        problem = dlx.Problem.from_options(hole.options)  # no worker has it yet
        search, crew = search_by(problem, around)
        assert len(list(search)) == 520
        large = [size for size in around.bytes if size > 20_000]
        assert len(large) == crew.sent == 1
        small = [size for size in around.bytes if size <= 20_000]
        assert len(small) > 5
        assert max(small) < 2_000
        again, second = search_by(dlx.Problem.from_options(hole.options), around)
        assert len(list(again)) == 520
        assert second.sent == 0


@pytest.mark.usefixtures("short")
def test_the_problem_travels_with_no_other_task(
    hole: dlx.Problem, pool: ProcessPoolExecutor
) -> None:
    """Who of several processes is equipped how often is a race; that nothing else is large is not.

    A process is equipped when it has said that it lacks the problem, after the first task.
    """
    around = Around(pool)
    search, crew = search_by(dlx.Problem.from_options(hole.options), around)
    assert len(list(search)) == 520
    large = [size for size in around.bytes if size > 20_000]
    assert len(large) == crew.sent <= len(around.bytes) // 2
    assert max(size for size in around.bytes if size <= 20_000) < 2_000


@pytest.mark.usefixtures("short")
def test_few_tasks_are_under_way(hole: dlx.Problem) -> None:
    with ThreadPoolExecutor(2) as threads:
        around = Around(threads)
        parts = tuple(hole.split(300))
        assert len(parts) >= 300
        search, crew = search_by(hole, around, parts=parts)
        assert list(search) == list(hole.solutions())
        assert around.most <= most_under_way(2) == crew.most_under_way == 3


def test_tasks_are_short_when_there_is_little_to_do() -> None:
    assert seconds_for(0.0, waiting=0, workers=4) < seconds_for(5.0, waiting=0, workers=4)
    assert seconds_for(5.0, waiting=0, workers=4) < seconds_for(100.0, waiting=9, workers=4)
    assert seconds_for(1e6, waiting=9, workers=4) == 1.0


# -- what may befall -------------------------------------------------------------------------------


class Unlucky(Around):
    """Some tasks fail."""

    def __init__(self, inner: Executor, fails: Callable[[Part, int], bool]) -> None:
        super().__init__(inner)
        self.fails = fails
        self.tries: dict[Part, int] = {}

    def submit(self, task: Any, /, *args: Any, **named: Any) -> Future[Any]:
        part = args[2]
        assert isinstance(part, Part)
        self.tries[part] = self.tries.get(part, 0) + 1
        if self.fails(part, self.tries[part]):
            future: Future[Any] = Future()
            future.set_exception(MemoryError("not enough"))
            return future
        return super().submit(task, *args, **named)


@pytest.mark.usefixtures("short")
def test_what_fails_is_done_again(hole: dlx.Problem, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="dlx")
    parts = tuple(hole.split(12))
    with ThreadPoolExecutor(2) as threads:
        unlucky = Unlucky(threads, lambda part, time: time < 3 and part in parts[::3])
        search, crew = search_by(hole, unlucky, parts=parts)
        assert list(search) == list(hole.solutions())
        assert crew.repeats >= 2 * len(parts[::3])
    assert "MemoryError: not enough; it is done again" in caplog.text
    assert "is done: " in caplog.text


class Recalling(Unlucky):
    """Calls with equal arguments are one, whose result is kept: as with Dask's `pure=True`."""

    def __init__(self, inner: Executor, fails: Callable[[Part, int], bool]) -> None:
        super().__init__(inner, fails)
        self.results: dict[bytes, Future[Any]] = {}

    def submit(self, task: Any, /, *args: Any, **named: Any) -> Future[Any]:
        call = pickle.dumps(args)
        if call not in self.results:
            self.results[call] = super().submit(task, *args, **named)
        return self.results[call]


@pytest.mark.usefixtures("short")
def test_no_task_has_the_result_of_another(hole: dlx.Problem) -> None:
    """Although the same slice is asked for twice: after a failure, and by a second search."""
    with ThreadPoolExecutor(2) as threads:
        recalling = Recalling(threads, lambda part, time: time == 1)
        for _ in range(2):
            search, _ = search_by(hole, recalling, parts=tuple(hole.split(12)))
            assert list(search) == list(hole.solutions())


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("ordered", [True, False])
def test_what_fails_three_times_is_named_and_the_others_finish(
    hole: dlx.Problem, ordered: bool
) -> None:
    parts = tuple(hole.split(12))
    bad = max(parts, key=lambda part: hole.count(part=part))
    lost = set(hole.solutions(part=bad))
    expected = [one for one in hole.solutions() if one not in lost]
    assert 0 < len(lost) < 520
    with ThreadPoolExecutor(2) as threads:
        unlucky = Unlucky(threads, lambda part, _: part == bad)
        search, _ = search_by(hole, unlucky, parts=parts, ordered=ordered)
        found: list[Any] = []
        with pytest.raises(PartFailed, match=r"three times.*MemoryError: not enough") as caught:
            found.extend(search)  # which keeps those before the exception
        assert found == expected if ordered else sorted(found) == sorted(expected)
        assert not search.exhausted
        (failure,) = caught.value.failures
        assert failure[0] == bad
        again = pickle.loads(pickle.dumps(caught.value))
        assert (str(again), again.failures[0][0]) == (str(caught.value), bad)
        with pytest.raises(PartFailed):
            next(search)


def test_a_broken_pool_is_one_clear_error(hole: dlx.Problem) -> None:
    executor = ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("forkserver"))
    with executor:
        search, _ = search_by(models.langford(21), executor)
        pids = {executor.submit(os.getpid).result() for _ in range(20)}
        os.kill(pids.pop(), signal.SIGKILL)
        for _ in range(2):
            with pytest.raises(WorkersLost, match=r"is lost: .*BrokenProcessPool.* left$"):
                next(search)
        assert not search.exhausted


def test_an_executor_that_was_shut_down(hole: dlx.Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    with pytest.raises(WorkersLost, match="takes no more tasks"):
        next(search_by(hole, executor)[0])
    monkeypatch.setitem(Driver.__init__.__kwdefaults__, "alone", float("inf"))
    assert hole.solve(executor=executor) is not None  # so soon that no worker is needed


def test_an_executor_that_cannot_count_its_workers(
    hole: dlx.Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Dask client whose scheduler is gone: at the beginning, or when it is asked again."""

    class Client:
        answers: ClassVar[list[dict[str, int]]] = []

        def nthreads(self) -> dict[str, int]:
            if not self.answers:
                raise OSError("Timed out trying to connect")
            return self.answers.pop()

    class Far(Around):
        _client = Client()

    lost = r"is lost: .*workers it has \(OSError: Timed out"
    monkeypatch.setattr(executors, "RECOUNT", -1.0)
    with ThreadPoolExecutor(2) as threads:
        far = Far(threads)
        with pytest.raises(WorkersLost, match=lost):
            search_by(models.langford(21), far)
        Client.answers = [{"tcp://a": 2}]
        search, _ = search_by(models.langford(21), far)
        for _ in range(2):
            with pytest.raises(WorkersLost, match=lost):
                next(search)


def test_a_cancelled_task_is_one_clear_error() -> None:
    class Cancelling(Around):
        def submit(self, task: Any, /, *args: Any, **named: Any) -> Future[Any]:
            future: Future[Any] = Future()
            future.cancel()
            return future

    with ThreadPoolExecutor(2) as threads:
        search, _ = search_by(models.langford(21), Cancelling(threads))
        with pytest.raises(WorkersLost, match="cancelled"):
            next(search)


def test_a_worker_with_another_version_is_named(
    hole: dlx.Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = engine_spec(search_input(hole), "bits", "mrv")
    payload = remote.pack_spec(question)._replace(version="0.0.1", fingerprint="other")
    with pytest.raises(WorkersLost, match=r"has dlxkit .*, and the search comes from 0\.0\.1"):
        remote.run_task("other", payload, Part(), TaskLimits(0.1, 1, keep=True))


def test_what_cannot_travel_is_refused() -> None:
    with ThreadPoolExecutor(1) as threads, pytest.raises(InvalidArgument, match="cannot be sent"):
        next(search_by_heuristic(models.langford(7), threads, lambda headers: headers[0]))


def search_by_heuristic(problem: dlx.Problem, executor: Executor, heuristic: Any) -> dlx.Search:
    question = engine_spec(search_input(problem), "python", heuristic)
    driver = Driver(
        Start((Part(),)),
        lambda schedule: ExecutorPool(schedule, question, executor, 1),
        names=table_of(problem).names,
    )
    return dlx.Search(driver, None, None)


def last(headers: Any) -> Any:
    return headers[-1]


def test_a_heuristic_that_can_travel_does() -> None:
    problem = models.langford(7)
    with ThreadPoolExecutor(2) as threads:
        found = list(search_by_heuristic(problem, threads, last))
    assert sorted(map(sorted, found)) == sorted(map(sorted, problem.solutions()))


def test_a_process_keeps_few_questions() -> None:
    budget = TaskLimits(0.1, 1, keep=True)
    for size in range(3, 12):
        problem = models.langford(size)
        payload = remote.pack_spec(engine_spec(search_input(problem), "bits", "mrv"))
        assert isinstance(
            remote.run_task(payload.fingerprint, None, Part(), budget), remote.Missing
        )
        for _ in range(2):
            done = remote.run_task(payload.fingerprint, payload, Part(), budget)
            assert isinstance(done, remote.TaskResult)
            assert done.worker == remote.name_of_worker()
    assert number_of_cached_specs() == remote.MOST_SPECS


def test_threads_of_a_process_do_not_hide_a_question_from_each_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One of them is stopped at each of its steps, and another asks for the same."""
    problem = models.langford(3)
    payload = remote.pack_spec(engine_spec(search_input(problem), "bits", "mrv"))
    arguments = (payload.fingerprint, None, Part(), TaskLimits(0.1, 1, keep=True))
    remote.run_task(payload.fingerprint, payload, *arguments[2:])
    answers: list[object] = []

    def ask_too(frame: FrameType, event: str, argument: object) -> Any:
        if frame.f_code.co_filename == remote.__file__:
            sys.settrace(None)
            answers.append(remote.run_task(*arguments))
            sys.settrace(ask_too)
            return ask_too
        return None

    sys.settrace(ask_too)
    try:
        remote.run_task(*arguments)
    finally:
        sys.settrace(None)
    assert len(answers) > 10
    assert all(isinstance(answer, remote.TaskResult) for answer in answers)


def test_ctrl_c_and_closing(alarm: Alarm, pool: ProcessPoolExecutor) -> None:
    search, crew = search_by(models.langford(21), pool)
    with alarm.expected(waiting=True):
        next(search)
    search.close()
    assert crew.join(60)
    assert pool.submit(abs, -1).result() == 1  # it is as it was


def test_loky(hole: dlx.Problem) -> None:
    loky = pytest.importorskip("loky")
    executor = loky.ProcessPoolExecutor(2)
    try:
        assert list(hole.solutions(executor=executor)) == list(hole.solutions())
    finally:
        executor.shutdown(kill_workers=True)
