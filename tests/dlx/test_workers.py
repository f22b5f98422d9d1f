"""Searches by several threads: the same answers, and no thread left behind."""

from __future__ import annotations

import _thread
import gc
import os
import subprocess
import sys
import threading
from itertools import pairwise
from types import FrameType
from typing import Any

import pytest
from alarms import Alarm
from internals import engine_of, idle_workers, is_paused, numbered, pool_of, start_pool, table_of
from timeouts import EMERGENCY, TIMEOUTS, cut_short, wait_for

import dlx
from dlx import Part, models
from dlx.core.budget import Budget
from dlx.core.numbering import SearchInput
from dlx.core.stats import NO_STATS
from dlx.engines.protocols import Start
from dlx.engines.spec import engine_spec
from dlx.errors import InvalidArgument, InvalidPart
from dlx.parallel import driver as driver_module
from dlx.parallel.driver import Driver
from dlx.parallel.results import Recorder, WorkResult
from dlx.parallel.schedule import Schedule
from dlx.parallel.start import open_driver
from dlx.parallel.threads import ThreadPool
from dlx.search.options import WorkerConfig, worker_config
from dlx.search.progress import TreeShares

WHOLE = Start((Part(),))
ALL = 2**63


def driver_of(
    problem: dlx.Problem,
    engine: str = "bits",
    *,
    start: Start | None = WHOLE,
    workers: int = 2,
    ordered: bool = True,
    recorder: Recorder | None = None,
    buffer: int = 2**20,
    seed: int | None = None,
    heuristic: Any = "mrv",
) -> Driver:
    """A driver whose workers begin at once, unless start is None."""
    prepared = numbered(problem, seed)
    question = engine_spec(SearchInput(table_of(problem), prepared, []), engine, heuristic)

    def hire(schedule: Schedule) -> ThreadPool:
        return ThreadPool(schedule, question.open, workers)

    names = table_of(problem).names
    begin = question.open(names=names) if start is None else start
    return Driver(begin, hire, names=names, ordered=ordered, recorder=recorder, buffer=buffer)


def thread_pool(search: Driver | dlx.Search) -> ThreadPool:
    pool = pool_of(search)
    assert isinstance(pool, ThreadPool)
    return pool


@pytest.fixture(scope="module")
def endless() -> dlx.Problem:
    """No solution, and no search lives to find that out."""
    return models.langford(21)


@pytest.fixture(scope="module")
def dense() -> dlx.Problem:
    """Far more solutions than memory."""
    return models.dominoes(10, 10)


# -- answers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["auto", "bits"])
def test_solutions_come_in_the_order_of_one_worker(hole: dlx.Problem, name: str) -> None:
    alone = hole.solutions(engine="bits")
    expected = list(alone)
    search = hole.solutions(engine=name, workers=3)
    assert list(search) == expected
    assert search.exhausted
    assert search.stats.nodes == alone.stats.nodes
    assert search.stats.profile == alone.stats.profile
    assert search.stats.solutions == len(expected)
    assert not thread_pool(search).running or thread_pool(search).join(EMERGENCY)


def test_an_order_of_their_own(hole: dlx.Problem) -> None:
    expected = list(hole.solutions(engine="bits"))
    found = list(hole.solutions(engine="bits", workers=2, ordered=False))
    assert sorted(found) == sorted(expected)


@pytest.mark.parametrize("heuristic", ["mrv", "weighted"])
def test_sparse_problems_and_weights(heuristic: str) -> None:
    problem = models.quasigroup(14, 90, seed=1)
    alone = problem.solutions(engine="links", heuristic=heuristic)
    expected = list(alone)
    search = problem.solutions(engine="links", heuristic=heuristic, workers=2)
    found = list(search)
    assert sorted(map(sorted, found)) == sorted(map(sorted, expected))
    if heuristic == "mrv":
        assert found == expected
        assert search.stats.nodes == alone.stats.nodes


def test_names_seeds_givens_and_parts(hole: dlx.Problem) -> None:
    problem = dlx.Problem.from_options({f"o{n}": option for n, option in enumerate(hole.options)})
    assert list(problem.solutions(seed=5, workers=2)) == list(problem.solutions(seed=5))
    given = next(problem.solutions())[:1]
    expected = list(problem.solutions(given=given))
    assert list(problem.solutions(given=given, workers=2)) == expected
    parts = problem.split(5, given=given)
    found = [one for part in parts for one in problem.solutions(given=given, part=part, workers=2)]
    assert found == expected
    total = sum(problem.count(given=given, part=part, workers=2) for part in parts)
    assert total == len(expected)
    with pytest.raises(InvalidPart):
        problem.solutions(part=Part(((0, 1), (0, 2)), 1), workers=2)


def test_the_engine_in_python_and_multiplicities() -> None:
    langford = models.langford(7)
    expected = list(langford.solutions(engine="python"))
    assert list(langford.solutions(engine="python", workers=2)) == expected
    problem = dlx.Problem.from_options(
        [[f"i{n}"] for n in range(14)] + [["x", f"i{n}"] for n in range(14)],
        multiplicities={"x": (4, 8)},
    )
    assert list(problem.solutions(workers=2)) == list(problem.solutions())
    assert problem.count(workers=2) == problem.count()


def test_a_crew_from_the_beginning(engine: str) -> None:
    """Even the root is a thread's."""
    problem = models.langford(7)
    expected = list(problem.solutions(engine=engine))
    assert list(dlx.Search(driver_of(problem, engine), None, None)) == expected


def test_no_solution_and_no_item() -> None:
    nothing = dlx.Problem(["a"])
    assert list(dlx.Search(driver_of(nothing), None, None)) == []
    empty = dlx.Problem()
    search = dlx.Search(driver_of(empty), None, None)
    assert list(search) == [()]
    assert search.exhausted


def test_the_table_may_grow_meanwhile() -> None:
    problem = models.langford(7)
    expected = list(problem.solutions())
    search = dlx.Search(driver_of(problem, "python"), None, None)
    first = next(search)
    problem.add_option(problem.options[0])
    assert [first, *search] == expected


# -- counting --------------------------------------------------------------------------------------


def test_counts_are_equal(hole: dlx.Problem, engine: str) -> None:
    problem = hole if engine != "python" else models.langford(7)
    expected = problem.count()
    assert problem.count(engine=engine, workers=2) == expected
    assert problem.count(engine=engine, workers=2, limit=expected - 1) == expected - 1
    assert problem.count(engine=engine, workers=2, limit=expected + 1) == expected


@pytest.mark.parametrize("heuristic", ["mrv", "weighted"])
def test_what_auto_enumerates_is_shared(heuristic: str) -> None:
    problem = models.langford(11)
    assert problem.count(workers=2, heuristic=heuristic) == 2 * 17792
    assert problem.count(workers=2, heuristic=heuristic, limit=20000) == 20000


def test_a_count_that_ends_as_it_is_to_be_shared() -> None:
    """As many nodes as are visited before others are asked to help: nothing is left for them."""
    options = [["a", *(f"s{(o * 51 + k) % 20_000}" for k in range(51))] for o in range(3999)]
    secondary = [f"s{number}" for number in range(20_000)]
    problem = dlx.Problem.from_options(options, primary=["a"], secondary=secondary)
    assert problem.count(workers=2) == 3999


def test_what_auto_remembers_is_not_slower() -> None:
    """An enumeration would take years."""
    assert models.dominoes(12, 12).count(workers=2) == 53060477521960000


def test_progress_of_a_count_by_workers() -> None:
    told: list[dlx.SearchProgress] = []
    assert models.langford(11).count(workers=2, progress=told.append) == 2 * 17792
    assert told[-1].fraction == 1
    assert told[-1].solutions == 2 * 17792
    assert all(one.solutions <= two.solutions for one, two in pairwise(told))


def test_parts_that_are_enumerated_one_after_another() -> None:
    """A problem that falls apart: the numbers of its parts multiply."""
    one = models.langford(8)
    options = [[(side, item) for item in option] for side in "LR" for option in one.options]
    problem = dlx.Problem.from_options(options)
    assert problem.count(workers=2) == 300**2


def test_unique_or_not(hole: dlx.Problem) -> None:
    assert not hole.is_unique(workers=2)
    assert hole.solve(workers=2) == next(hole.solutions())
    assert hole.solve(workers=2, ordered=False) in set(hole.solutions())
    given = next(hole.solutions())[:6]
    assert hole.is_unique(given=given, workers=2) == (hole.count(given=given) == 1)
    assert dlx.Problem(["a"]).solve(workers=2) is None


# -- limits ----------------------------------------------------------------------------------------


def test_a_limit_sends_the_workers_home(hole: dlx.Problem) -> None:
    expected = list(hole.solutions(engine="bits", limit=25))
    search = dlx.Search(driver_of(hole), 25, None)
    assert list(search) == expected
    assert search.stopped_by == "limit"
    assert search.stats.solutions == 25
    wait_for(lambda: not thread_pool(search).running)


def test_a_timeout_of_solutions(endless: dlx.Problem) -> None:
    for timeout in TIMEOUTS:
        search = endless.solutions(timeout=timeout, workers=2)
        assert list(search) == []
        assert search.stopped_by == "timeout"
        if pool_of(search) is not None:
            break
    assert search.stats.nodes > 0
    wait_for(lambda: not thread_pool(search).running)


@pytest.mark.parametrize("engine_name", ["auto", "bits"])
def test_a_timeout_of_a_count(endless: dlx.Problem, engine_name: str) -> None:
    cut_short(lambda timeout: endless.count(timeout=timeout, workers=2, engine=engine_name))


@pytest.mark.parametrize("timeout", [0.0, 1e-9, 1e-6, 1e-4])
def test_a_timeout_too_short_for_anything(endless: dlx.Problem, timeout: float) -> None:
    """It ends all the same: what is left of a longer one may be as short."""
    for question in (endless.count, endless.solve):
        with pytest.raises(dlx.SearchInterrupted, match="timeout"):
            question(timeout=timeout, workers=2, engine="bits")


def test_a_limit_of_nodes(hole: dlx.Problem) -> None:
    driver = driver_of(hole)
    found: list[Any] = []
    while driver.stats.nodes < 200_000:
        driver.run(Budget(1000, nodes=200_000), found)
    assert driver.stats.nodes < 210_000
    while not driver.finished:
        driver.run(Budget(1000), found)
    assert found == list(hole.solutions())


def test_passing_over_some(hole: dlx.Problem) -> None:
    driver = driver_of(hole)
    expected = list(hole.solutions())
    found: list[Any] = []
    assert driver.skip(Budget(100)) == 100
    driver.run(Budget(1), found)
    assert found == expected[100:101]
    assert driver.skip(Budget()) == len(expected) - 101
    assert driver.finished
    assert driver.stats.solutions == len(expected)


def test_what_is_refused(hole: dlx.Problem) -> None:
    for wrong in ({"workers": 0}, {"workers": True}, {"workers": "2"}, {"ordered": 1}):
        with pytest.raises(InvalidArgument):
            hole.solutions(**wrong)
    with pytest.raises(InvalidArgument, match="in one piece"):
        hole.solutions(engine="sat", workers=2)
    with pytest.raises(InvalidArgument, match="executor is 5"):
        hole.count(executor=5)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="no engine 'best'"):
        hole.count(engine="best", workers=2)
    assert worker_config(1, None) is None
    assert worker_config(2, None) == WorkerConfig(2, None, ordered=True)
    assert hole.count(workers=None) == 520


# -- interruptions ---------------------------------------------------------------------------------


def test_ctrl_c(endless: dlx.Problem, alarm: Alarm) -> None:
    search = endless.solutions(workers=2)
    for _ in range(2):  # it can go on, and be interrupted again
        with alarm.expected():
            next(search)
        wait_for(lambda: not thread_pool(search).running)
    with alarm.expected():
        endless.count(engine="bits", workers=2)


def test_after_ctrl_c_nothing_is_lost(alarm: Alarm) -> None:
    problem = models.pentominoes(5, 12)
    search = dlx.Search(driver_of(problem, "links"), None, None)
    found: list[Any] = []
    for _ in range(3):  # long before the end
        with alarm.expected(0.02):
            found.extend(search)  # which keeps those before the exception
    found += search
    assert found == list(problem.solutions())


class Deaf:
    """A recorder that breaks at the third slice."""

    def __init__(self) -> None:
        self.slices = 0

    def done(self, part: Part, piece: WorkResult) -> None:
        self.slices += 1
        if self.slices == 3:
            raise OSError("disk full")


def test_an_error_of_the_recorder_stops_all(hole: dlx.Problem) -> None:
    search = dlx.Search(driver_of(hole, recorder=Deaf()), None, None)
    for _ in range(2):
        with pytest.raises(OSError, match="disk full"):
            list(search)
    assert not search.exhausted
    wait_for(lambda: not thread_pool(search).running)


def test_an_error_of_the_callers_heuristic() -> None:
    def heuristic(headers: Any) -> Any:
        if len(headers) < 8:
            raise RuntimeError("moody")
        return headers[0]

    search = models.langford(7).solutions(engine="python", heuristic=heuristic, workers=2)
    with pytest.raises(RuntimeError, match="moody"):
        list(search)


# -- consumers -------------------------------------------------------------------------------------


@pytest.mark.parametrize("ordered", [True, False])
def test_who_is_slow_stops_the_workers(dense: dlx.Problem, ordered: bool) -> None:
    driver = driver_of(dense, ordered=ordered, buffer=50_000)
    search = dlx.Search(driver, None, None)
    expected = list(dense.solutions(engine="bits", limit=3))
    found = [next(search) for _ in range(3)]
    assert found == expected if ordered else len(set(found)) == 3
    crew = thread_pool(driver)
    wait_for(lambda: idle_workers(crew) == 2)
    held = sum(len(one.options) for one in crew.schedule.snapshot() if not isinstance(one, Part))
    assert 0 < held < 200_000
    more = [next(search) for _ in range(2000)]
    assert len({*found, *more}) == 2003
    search.close()
    wait_for(lambda: not crew.running)


@pytest.mark.lengthy
def test_who_stops_drawing_sends_the_workers_home(
    dense: dlx.Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dlx.parallel.pool.CALLER_TIMEOUT", 0.01)
    search = dlx.Search(driver_of(dense), None, None)
    next(search)
    wait_for(lambda: not thread_pool(search).running)
    assert len(set(engine_of(search).stats.profile)) > 1
    assert len({next(search) for _ in range(5000)}) == 5000


@pytest.mark.slow  # it weighs the process, and a sanitizer keeps what is freed
def test_a_thousand_searches_are_dropped() -> None:
    problem = models.dominoes(8, 8)

    def pages() -> int:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1])

    def drop(times: int) -> None:
        for _ in range(times):
            driver = driver_of(problem, "links", buffer=10_000)
            driver.run(Budget(1), [])
            crews.append(thread_pool(driver))
        del driver
        wait_for(lambda: not any(crew.running for crew in crews))
        crews.clear()

    crews: list[ThreadPool] = []
    gc.collect()
    threads = _thread._count()
    drop(200)
    before = pages()
    drop(800)
    # Those of other tests may have gone home; and who has left the crew has a little way to go yet.
    wait_for(lambda: _thread._count() <= threads)
    assert (pages() - before) * os.sysconf("SC_PAGE_SIZE") < 20_000_000


@pytest.mark.parametrize("workers", [1, 2])
def test_two_threads_draw_from_one_search(hole: dlx.Problem, workers: int) -> None:
    search = hole.solutions(workers=workers)
    found: list[list[Any]] = [[], []]
    threads = [threading.Thread(target=into.extend, args=(search,)) for into in found]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found[0] + found[1]) == 520
    assert sorted(found[0] + found[1]) == sorted(hole.solutions())
    assert search.exhausted


def test_stats_and_parts_left_meanwhile(hole: dlx.Problem) -> None:
    prepared = numbered(hole)
    question = engine_spec(SearchInput(table_of(hole), prepared, []), "bits", "mrv")
    driver = open_driver(question, WorkerConfig(2, None, ordered=True), names=None, start=WHOLE)
    shares = TreeShares(prepared.problem, [])
    seen = []
    while not driver.finished:
        driver.run(Budget(40), [])
        left = driver.parts_left()
        assert left is not None
        seen.append(
            (shares.done(left), driver.stats.nodes, driver.stats.solutions, driver.stats.seconds)
        )
    for before, after in pairwise(seen):
        assert before[0] <= after[0] + 1e-9
        assert before[1:] <= after[1:]
    assert seen[-1][0] == 1
    assert seen[-1][2] == 520


@pytest.mark.lengthy
def test_who_looks_does_not_send_the_workers_home(hole: dlx.Problem) -> None:
    """Nor stops them for it: looking is not a timeout."""
    seen: list[dlx.SearchProgress] = []
    at_work: list[int] = []

    def look(progress: dlx.SearchProgress) -> None:
        seen.append(progress)
        crew = pool_of(search)
        assert crew is not None
        at_work.append(len(crew.running) if not is_paused(crew) else -1)

    search = hole.solutions(engine="python", workers=2, progress=look)
    search.take(12)
    assert min(at_work) > 0
    fractions = [progress.fraction for progress in seen]
    assert all(fraction is not None and 0 <= fraction < 1 for fraction in fractions)
    search.close()


@pytest.mark.parametrize("look", ["finished", "stats", "resume_point", "close"])
def test_a_look_while_another_thread_gathers_the_crew(hole: dlx.Problem, look: str) -> None:
    """At each line of the look."""
    for number in range(100):
        driver = driver_of(hole, start=None)
        left = [number]

        def gather(
            frame: FrameType, event: str, _: object, driver: Driver = driver, left: list[int] = left
        ) -> Any:
            if frame.f_code.co_filename == driver_module.__file__ and event == "line":
                left[0] -= 1
                if left[0] < 0:
                    sys.settrace(None)
                    start_pool(driver)
            return gather

        sys.settrace(gather)
        try:
            seen = getattr(driver, look)
            if callable(seen):
                seen = seen()
        finally:
            sys.settrace(None)
        assert (
            seen
            in {
                "finished": (False,),
                "stats": (NO_STATS,),
                "resume_point": (WHOLE,),
                "close": (None,),
            }[look]
        )
        assert driver.finished == (look == "close")
        if left[0] >= 0:
            break  # it has fewer lines than that
    assert 3 < number < 99


def test_a_search_goes_on_elsewhere(hole: dlx.Problem) -> None:
    found: list[Any] = []
    driver = driver_of(hole, start=None)
    for _ in range(5):
        driver.run(Budget(40), found)
        start = driver.resume_point()
        driver.close()
        assert start.stats.solutions == len(found)
        driver = driver_of(hole, start=start)
    while not driver.finished:
        driver.run(Budget(1000), found)
    alone = hole.solutions()
    assert found == list(alone)
    assert driver.stats.solutions == 520
    assert driver.stats.nodes >= alone.stats.nodes  # slices that were given up are done again


# -- processes -------------------------------------------------------------------------------------

FORKED = """
import os, warnings
import dlx
from dlx import models
warnings.simplefilter("ignore")  # Python 3.12 warns of forking with threads
search = models.dominoes(10, 10).solutions(workers=2)
while search._engine._pool is None:  # the calling thread begins alone
    next(search)
child = os.fork()
try:
    for _ in range(10**6):  # what the workers had found by then is as good as ever
        next(search)
        if child:
            break
except dlx.WorkersLost as error:
    print("child:", error, flush=True)
    assert len(list(models.langford(7).solutions(workers=2))) == 52
    search.close()
if child:
    assert os.waitpid(child, 0)[1] == 0
    print("parent:", len(next(search)))
"""

LEFT_OPEN = """
from dlx import models
searches = [models.langford(21).solutions(workers=2, timeout=0.05) for _ in range(3)]
dense = models.dominoes(10, 10).solutions(workers=2)
for search in searches:
    list(search)
for _ in range(20000):
    next(dense)
print("end")
"""


def run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, timeout=100
    )
    assert (done.stderr, done.returncode) == ("", 0)
    return done.stdout


def test_a_forked_child_is_told() -> None:
    lines = run(FORKED).splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("child: the workers of this search are in the process that began it")
    assert lines[1] == "parent: 50"


@pytest.mark.lengthy
def test_searches_left_open_do_not_keep_the_interpreter() -> None:
    assert run(LEFT_OPEN) == "end\n"
