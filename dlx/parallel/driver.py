"""A search by a pool of workers, with the interface of a single engine."""

from __future__ import annotations

import _thread
import time
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, Final, TypeVar

from dlx.core.arguments import UNLIMITED
from dlx.core.kernel import check_cancelled
from dlx.core.logs import log
from dlx.core.part import Part
from dlx.engines.protocols import ManagedEngine, Start
from dlx.errors import PartFailed, WorkersLost
from dlx.parallel.results import Recorder
from dlx.parallel.schedule import LARGEST_BUFFER, Schedule

if TYPE_CHECKING:
    from dlx.engines.protocols import RawStats, TreeEngine
    from dlx.parallel.pool import WorkerPool

__all__ = ["Driver", "PoolFactory"]

PoolFactory = Callable[[Schedule], "WorkerPool"]
"""Makes the pool that is to work on a schedule."""

CALLER_ONLY: Final = 0.005  # seconds of search in the calling thread before a pool is started
POLL: Final = 0.05  # seconds between two checks of the time
SETTLE_TIMEOUT: Final = 0.1  # seconds to wait for the workers' last results
SHUTDOWN_TIMEOUT: Final = 1.0  # seconds to wait for threads to end

T = TypeVar("T")


class Driver(ManagedEngine):
    """A search by a pool of workers: an engine as `dlx.search.search.Search` expects it.

    The search begins in the calling thread, where one of a few milliseconds also ends. What is left
    then goes to the pool. The solutions that wait for the caller take bounded memory (see
    `dlx.parallel.schedule`). `on_tick` is called with the driver at every check of the time while a
    caller waits.
    """

    def __init__(
        self,
        begin: TreeEngine | Start,
        make_pool: PoolFactory,
        *,
        names: list[Hashable] | None,
        ordered: bool = True,
        recorder: Recorder | None = None,
        buffer: int = LARGEST_BUFFER,
    ) -> None:
        """`begin` is the engine that searches first, or where the pool begins without one."""
        self._first: TreeEngine | None = None
        self._start = Start(())
        if isinstance(begin, Start):
            self._start = begin
        else:
            self._first = begin
        self._make_pool = make_pool
        self._names = names
        self._ordered = ordered
        self._recorder = recorder
        self._buffer = buffer
        self._pool: WorkerPool | None = None
        self._closed = False
        self._waited = self._start.stats[4]  # seconds that callers waited for solutions
        self._lock = _thread.allocate_lock()  # held by the thread that draws
        if self._first is None:
            self._start_pool()

    # -- as an engine ------------------------------------------------------------------------------

    @property
    def finished(self) -> bool:
        """Whether everything has been searched and returned, or the search is closed."""
        if self._closed:
            return True
        first, pool = self._searchers()
        if pool is None:
            assert first is not None
            return first.finished
        schedule = pool.schedule
        return (
            schedule.over
            and not schedule.failed
            and pool.error is None
            and not len(schedule.output)
        )

    @property
    def stats(self) -> RawStats:
        """Nodes, updates, solutions handed over, nodes by depth, and seconds that passed.

        Nodes and updates are those of all results that the workers have given back. The seconds are
        those that callers waited for solutions.
        """
        first, pool = self._searchers()
        if pool is None:
            assert first is not None
            return first.stats
        schedule = pool.schedule
        nodes, updates, _, profile, _ = schedule.stats
        handed = self._start.stats[2] + schedule.output.taken + schedule.counted
        return nodes, updates, handed, profile, self._waited

    def draw(
        self,
        count: int,
        seconds: float,
        into: list[tuple[Any, ...]],
        nodes: int = UNLIMITED,
    ) -> None:
        """Appends up to `count` further solutions to a list; goes about as far as `nodes`.

        Raises what a recorder raised, `WorkersLost` if no worker is left, and `PartFailed` when all
        is done except for parts that failed. Any number of threads may draw at the same time.
        """
        until = time.monotonic() + seconds if seconds >= 0 else float("inf")
        self._exclusively(lambda: self._draw(count, until, into, nodes))

    def skip(self, count: int, seconds: float, nodes: int = UNLIMITED) -> int:
        """Passes over up to `count` further solutions and returns how many there were."""
        until = time.monotonic() + seconds if seconds >= 0 else float("inf")
        return self._exclusively(lambda: self._skip(count, until, nodes))

    def rewind(self) -> None:
        """Gives the search up."""
        self._closed = True
        first, pool = self._searchers()
        if first is not None:
            first.rewind()
        if pool is not None:
            pool.close()
            if pool.in_own_process():
                pool.join(SHUTDOWN_TIMEOUT)

    # -- more than an engine -----------------------------------------------------------------------

    def work(self, seconds: float, *, keep: bool, hurry: bool, nodes: int = UNLIMITED) -> None:
        """Has the pool work for some time, for the recorder only: solutions are dropped here.

        Returns earlier when nothing is left to do or `nodes` nodes have been searched. Raises what
        `draw` does. `keep`: the recorder wants the solutions, not only their number. `hurry`: a
        worker comes back as soon as it has found solutions.
        """
        until = time.monotonic() + seconds
        self._exclusively(lambda: self._work(until, keep, hurry, nodes))

    def settle(self) -> None:
        """Stops the workers and waits a moment for their last results."""
        if self._pool is not None:
            self._pool.pause()
            self._pool.join(SETTLE_TIMEOUT)

    def tally(self, seconds: float, nodes: int, solutions: int) -> None:
        """Counts further solutions until `stats` has about `nodes` nodes or `solutions` solutions.

        For a search that has a pool from its beginning. The pool goes on afterwards.
        """
        until = time.monotonic() + seconds
        self._exclusively(lambda: self._tally(until, nodes, solutions))

    def go_on(self) -> None:
        """Lets the pool work for a while although no caller waits."""
        if self._pool is not None:
            self._pool.schedule.node_limit = UNLIMITED
            self._pool.ensure_running()

    def pause(self) -> None:
        """Stops the workers until the next draw; otherwise they would stop after a while."""
        if self._pool is not None:
            self._pool.pause()

    def resume_point(self) -> Start:
        """All that is left to search and to hand over: where another engine can go on.

        Parts that workers have taken count as not done.
        """
        first, pool = self._searchers()
        if pool is None:
            assert first is not None
            position = first.position()
            if position is None:
                return Start((), first.stats)
            return Start((Part(tuple(position[0]), position[1]),), first.stats)
        self._check_process()
        with pool.lock:
            return Start(pool.schedule.snapshot(), self.stats)

    def parts_left(self) -> list[Part] | None:
        """What is left to be searched, in visiting order; parts that workers have taken included.

        None while solutions wait that were found in the calling thread.
        """
        first, pool = self._first, self._pool
        if first is not None:
            try:
                position = first.position()
            except RuntimeError:
                return None
            return [] if position is None else [Part(tuple(position[0]), position[1])]
        assert pool is not None
        self._check_process()
        with pool.lock:
            return pool.schedule.parts

    def __del__(self) -> None:
        pool = getattr(self, "_pool", None)
        if pool is not None:
            pool.close()

    def _searchers(self) -> tuple[TreeEngine | None, WorkerPool | None]:
        """The first engine and the pool; at least one of them is there.

        They are read in this order because another thread may be starting the pool: the first
        engine is dropped after the pool is there.
        """
        first = self._first
        return first, self._pool

    # -- drawing -----------------------------------------------------------------------------------

    def _draw(self, count: int, until: float, into: list[tuple[Any, ...]], nodes: int) -> None:
        if self._pool is None and self._draw_in_caller(count, until, into, nodes):
            return
        pool = self._start_pool()
        pool.schedule.keep, pool.schedule.node_limit = True, nodes
        while not self._closed:
            if pool.schedule.output.take(count, self._names, into):
                pool.wake()  # there is room again
                return
            if not self._wait(pool, until):
                return

    def _skip(self, count: int, until: float, nodes: int) -> int:
        passed = 0
        if self._pool is None:
            passed = self._skip_in_caller(count, until, nodes)
            stopped = time.monotonic() >= until or self.stats[0] >= nodes
            if passed == count or self.finished or stopped:
                return passed
        pool = self._start_pool()
        schedule = pool.schedule
        schedule.node_limit = nodes
        if count >= UNLIMITED:
            return passed + self._count(pool, until)
        schedule.keep = True
        while not self._closed:
            passed += schedule.output.drop(count - passed)
            if passed == count or not self._wait(pool, until):
                break
            pool.wake()
        return passed

    def _work(self, until: float, keep: bool, hurry: bool, nodes: int) -> None:
        pool = self._start_pool()
        pool.schedule.keep, pool.schedule.node_limit = keep, nodes
        while not self._closed and self._wait(pool, until, hurry=hurry):
            pool.schedule.output.drop(UNLIMITED)
            pool.wake()  # there is room again

    def _tally(self, until: float, nodes: int, solutions: int) -> None:
        pool = self._start_pool()
        schedule = pool.schedule
        schedule.keep, schedule.node_limit = False, nodes
        while schedule.counted < solutions and self._wait(pool, until):
            pass

    def _count(self, pool: WorkerPool, until: float) -> int:
        """Passes over all solutions that are left, without keeping any."""
        schedule = pool.schedule
        counted = schedule.counted
        passed = 0
        schedule.keep = False
        while not self._closed:
            passed += schedule.output.drop(UNLIMITED)
            if not self._wait(pool, until):
                break
        if not schedule.over:
            pool.pause()
            pool.join(SETTLE_TIMEOUT)  # the workers' last results are part of the answer
        return passed + schedule.output.drop(UNLIMITED) + schedule.counted - counted

    def _draw_in_caller(
        self, count: int, until: float, into: list[tuple[Any, ...]], nodes: int
    ) -> bool:
        """Draws in the calling thread. False if it is time for the pool."""
        first, before = self._first, len(into)
        assert first is not None
        while not first.finished:
            left = CALLER_ONLY - first.stats[4]
            if left <= 0:
                first.draw(0, 0.0, into)  # what it found and has not handed over
                return len(into) > before
            seconds = until - time.monotonic()
            first.draw(count, max(0.0, min(left, seconds)), into, nodes)
            if len(into) > before or seconds <= 0 or first.stats[0] >= nodes:
                break
        return True

    def _skip_in_caller(self, count: int, until: float, nodes: int) -> int:
        """Passes over solutions in the calling thread."""
        first, passed = self._first, 0
        assert first is not None
        while passed < count and not first.finished:
            left = CALLER_ONLY - first.stats[4]
            if left <= 0:
                waiting: list[Any] = []
                first.draw(0, 0.0, waiting)
                passed += len(waiting)
                break
            seconds = until - time.monotonic()
            passed += first.skip(count - passed, max(0.0, min(left, seconds)), nodes)
            if seconds <= 0 or first.stats[0] >= nodes:
                break
        return passed

    def _start_pool(self) -> WorkerPool:
        """The pool, made if need be; it begins at the position of the first engine.

        A signal handler may raise between any two lines of it.
        """
        if self._pool is None:
            start = self._start
            if self._first is not None:
                start = self.resume_point()
            self._start = start
            schedule = Schedule(
                start, ordered=self._ordered, recorder=self._recorder, buffer=self._buffer
            )
            self._pool = self._make_pool(schedule)
            self._first = None
            log.info("a search goes on with %s, after %d nodes", self._pool, start.stats[0])
        return self._pool

    def _wait(self, pool: WorkerPool, until: float, *, hurry: bool = True) -> bool:
        """Waits a while for results. False if none can come any more, or the time is up."""
        schedule = pool.schedule
        if pool.error is not None:
            raise pool.error
        if schedule.over:  # the last solutions may have come after the caller looked at the output
            if len(schedule.output):
                return True
            if schedule.failed:
                raise PartFailed(schedule.failed)
            return False
        seconds = until - time.monotonic()
        if seconds <= 0 or schedule.stats[0] >= schedule.node_limit:
            return False
        pool.ensure_running()
        pool.wait(min(POLL, seconds), hurry=hurry)
        check_cancelled()
        if self.on_tick is not None:
            self.on_tick(self)
        return True

    def _check_process(self) -> None:
        if self._pool is not None and not self._pool.in_own_process():
            raise WorkersLost(
                "the workers of this search are in the process that began it, and this process is "
                "a fork of that one; begin a new search here"
            )

    def _exclusively(self, work: Callable[[], T]) -> T:
        """Runs `work` for one calling thread at a time. An exception in it stops the workers."""
        self._check_process()
        with self._lock:
            began = time.monotonic()
            try:
                return work()
            except BaseException:
                self.pause()
                raise
            finally:
                self._waited += time.monotonic() - began
