"""One search by several workers: what a second one brings, and what it costs to be ready for it.

The table's `cpu` is the processor time of this process for each second that one worker needs: on a
machine that others use as well, it says what sharing costs, where the clock does not. `ideal` is
the speed-up that two processors of one's own would bring by that and by how evenly the threads
share the work.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from typing import Any

import pytest
from cost_instances import COST_INSTANCES
from pytest_benchmark.fixture import BenchmarkFixture

from dlx import Part, Problem, Search, models
from dlx.core.budget import Budget
from dlx.core.numbering import SearchInput
from dlx.engines.protocols import Start
from dlx.engines.spec import engine_spec
from dlx.keywords import EngineName
from dlx.parallel.driver import Driver
from dlx.parallel.executors import ExecutorPool
from dlx.parallel.schedule import Schedule
from dlx.parallel.threads import ThreadPool

LONG: dict[str, tuple[EngineName, Callable[[], Problem]]] = {
    "pentominoes-6x10": ("bits", lambda: models.pentominoes(6, 10)),
    "langford-13": ("bits", lambda: models.langford(13)),
    "langford-14": ("bits", lambda: models.langford(14)),
    "pentominoes-8x8-hole": (
        "links",
        lambda: models.pentominoes(8, 8, without=models.box(2, 2, at=(3, 3))),
    ),
}


EXECUTORS = [
    "pool",
    pytest.param("client", marks=pytest.mark.filterwarnings("ignore")),  # Dask's are its own
]


class Timed(ThreadPool):
    """Threads that say how much they worked."""

    spent: list[float] = []

    def _work(self) -> None:
        try:
            super()._work()
        finally:
            self.spent.append(time.thread_time())


MINIMUM = [
    "tiles-pentominoes-6x10",
    "tiles-mixed-14x14",
    "queens-random-24",
    "words-4x5",
    "latin-9",
]


@pytest.mark.benchmark(group="minimum", min_rounds=3, max_time=0.5)
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("name", MINIMUM)
def test_minimum(name: str, workers: int, benchmark: BenchmarkFixture) -> None:
    """The cheapest solution."""
    problem = COST_INSTANCES[name]()
    found = benchmark(problem.minimum, workers=workers)
    assert len(found) == 1
    benchmark.extra_info["nodes"] = found.stats.nodes


@pytest.mark.benchmark(group="threads", min_rounds=3, max_time=0.5)
@pytest.mark.parametrize("how", ["count", "in order", "as they come"])
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("name", LONG)
def test_threads(
    name: str,
    workers: int,
    how: str,
    benchmark: BenchmarkFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All solutions; one worker is a search without a driver."""
    engine, build = LONG[name]
    problem = build()
    monkeypatch.setattr("dlx.parallel.threads.ThreadPool", Timed)

    def search() -> int:
        if how == "count":
            return problem.count(engine=engine, workers=workers)
        ordered = how == "in order"
        return sum(1 for _ in problem.solutions(engine=engine, workers=workers, ordered=ordered))

    began = time.process_time()
    assert (problem.count(engine=engine) > 0) == (not name.startswith("langford"))
    alone = time.process_time() - began
    Timed.spent = []
    began, mine = time.process_time(), time.thread_time()
    search()
    benchmark.extra_info["cpu"] = (time.process_time() - began) / alone
    mine = time.thread_time() - mine
    benchmark.extra_info["ideal"] = alone / (mine + max(Timed.spent, default=0.0))
    benchmark(search)


@pytest.mark.benchmark(group="one worker", min_rounds=3, max_time=0.5)
@pytest.mark.parametrize("how", ["engine", "driver", "driver, in slices of 5 ms"])
def test_what_a_driver_costs(
    how: str, benchmark: BenchmarkFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same search by an engine alone, and by a driver with one worker thread."""
    problem = models.pentominoes(6, 10)
    if how.endswith("ms"):
        monkeypatch.setattr("dlx.parallel.threads.LENGTH", 0.0)
    question = engine_spec(SearchInput(problem._table, problem._prepare(None), []), "bits", "mrv")

    def make_pool(schedule: Schedule) -> ThreadPool:
        return ThreadPool(schedule, question.open, 1)

    def search() -> int:
        if how == "engine":
            return sum(1 for _ in problem.solutions(engine="bits"))
        names = problem._table.names
        driver = Driver(Start((Part(),)), make_pool, names=names)
        return sum(1 for _ in Search(driver, None, None))

    assert benchmark(search) == 9356


@pytest.fixture(scope="module")
def pool() -> Iterator[Executor]:
    """Two processes that have started."""
    with ProcessPoolExecutor(2, multiprocessing.get_context("forkserver")) as executor:
        models.langford(11).count(engine="links", executor=executor)
        yield executor


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """A Dask cluster of two processes."""
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        models.langford(11).count(engine="links", executor=client)
        yield client


@pytest.mark.benchmark(group="executors", min_rounds=3, max_time=0.5)
@pytest.mark.parametrize("workers", EXECUTORS)
def test_two_processes(
    workers: str, benchmark: BenchmarkFixture, request: pytest.FixtureRequest
) -> None:
    """All solutions in order, by two processes; compare with the threads."""
    problem = models.pentominoes(6, 10)
    executor = request.getfixturevalue(workers)

    def search() -> int:
        return sum(1 for _ in problem.solutions(engine="bits", executor=executor))

    assert benchmark(search) == 9356


@pytest.mark.benchmark(group="executors")
@pytest.mark.parametrize("least", [30, 140])
@pytest.mark.parametrize("workers", EXECUTORS)
def test_many_small_parts(
    workers: str, least: int, benchmark: BenchmarkFixture, request: pytest.FixtureRequest
) -> None:
    """177 parts, or 1057, each of them a task of its own: how many pass through in a second."""
    problem: Problem = models.pentominoes(8, 8, without=models.box(2, 2, at=(3, 3)))
    parts = tuple(problem.split(least))
    executor = request.getfixturevalue(workers)
    if workers == "client":
        executor = executor.get_executor(pure=False)
    question = engine_spec(SearchInput(problem._table, problem._prepare(None), []), "bits", "mrv")
    tasks = [0]

    class Counted(ExecutorPool):
        def _send(self, *place: Any) -> None:
            tasks[0] += 1
            super()._send(*place)

    def make_pool(schedule: Schedule) -> ExecutorPool:
        tasks[0] = 0
        return Counted(schedule, question, executor, 1)

    def search() -> int:
        return Driver(Start(parts), make_pool, names=None).skip(Budget())

    found = benchmark.pedantic(search, rounds=2)  # type: ignore[no-untyped-call]
    assert found == 520
    stats: Any = benchmark.stats
    if stats is not None:  # --benchmark-disable
        benchmark.extra_info["tasks_a_second"] = tasks[0] / stats.stats.median
