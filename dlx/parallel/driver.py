"""A search by a pool of workers, with the interface of a single engine."""

from __future__ import annotations

import _thread
import time
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, Final, TypeVar

from dlx.core.arguments import UNLIMITED
from dlx.core.budget import Budget, Reason
from dlx.core.kernel import check_cancelled
from dlx.core.logs import log
from dlx.core.part import parts_at
from dlx.engines.protocols import ManagedEngine, Start, parts_of, why_stopped
from dlx.errors import PartFailed, WorkersLost
from dlx.parallel.results import Recorder
from dlx.parallel.schedule import LARGEST_BUFFER, Schedule

if TYPE_CHECKING:
    from dlx.core.part import Part
    from dlx.core.stats import Stats
    from dlx.engines.protocols import TreeEngine
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
        self._waited = self._start.stats.seconds  # seconds that callers waited for solutions
        self._lock = _thread.allocate_lock()  # held by the thread that runs the search
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
    def stats(self) -> Stats:
        """The work so far; its solutions are those handed over.

        Nodes and updates are those of all results that the workers have given back. The seconds are
        those that callers waited for solutions.
        """
        first, pool = self._searchers()
        if pool is None:
            assert first is not None
            return first.stats
        schedule = pool.schedule
        handed = self._start.stats.solutions + schedule.output.taken + schedule.counted
        return schedule.stats._replace(solutions=handed, seconds=self._waited)

    def run(self, budget: Budget, into: list[tuple[Any, ...]]) -> Reason:
        """Appends further solutions to a list; goes about as far as the budget's nodes.

        Raises what a recorder raised, `WorkersLost` if no worker is left, and `PartFailed` when all
        is done except for parts that failed. Any number of threads may call it at the same time.
        """
        return self._exclusively(lambda: self._run(budget, into))

    def take_waiting(self, into: list[tuple[Any, ...]]) -> None:
        """Appends those of the calling thread; what workers have found waits for the next run."""
        first, pool = self._searchers()
        if pool is None:
            assert first is not None
            first.take_waiting(into)

    def skip(self, budget: Budget) -> int:
        """Skips further solutions up to the limits and returns how many it has skipped."""
        return self._exclusively(lambda: self._skip(budget))

    def close(self) -> None:
        """Ends the search."""
        self._closed = True
        first, pool = self._searchers()
        if first is not None:
            first.close()
        if pool is not None:
            pool.close()
            if pool.in_own_process():
                pool.join(SHUTDOWN_TIMEOUT)

    # -- more than an engine -----------------------------------------------------------------------

    def record(self, budget: Budget, *, keep: bool, prompt: bool) -> None:
        """Runs the pool for the recorder only: solutions are dropped here.

        Returns earlier when nothing is left to do. Raises what `run` does. `keep`: the recorder
        wants the solutions, not only their number. `prompt`: a worker returns as soon as it has
        found solutions.
        """
        self._exclusively(lambda: self._record(budget, keep, prompt))

    def settle(self) -> None:
        """Stops the workers and waits a moment for their last results."""
        if self._pool is not None:
            self._pool.pause()
            self._pool.join(SETTLE_TIMEOUT)

    def tally(self, budget: Budget) -> None:
        """Counts until `stats` has about as many nodes or solutions as the budget.

        For a search that has a pool from its beginning. The pool continues afterwards.
        """
        self._exclusively(lambda: self._tally(budget))

    def keep_running(self) -> None:
        """Lets the pool work for a while although no caller waits."""
        if self._pool is not None:
            self._pool.schedule.node_limit = UNLIMITED
            self._pool.ensure_running()

    def pause(self) -> None:
        """Stops the workers until the next run; otherwise they would stop after a while."""
        if self._pool is not None:
            self._pool.pause()

    def resume_point(self) -> Start:
        """All that is left to search and to hand over: where another engine can continue.

        Parts that workers have taken count as not done.
        """
        first, pool = self._searchers()
        if pool is None:
            assert first is not None
            return Start(parts_at(first.position()), first.stats)
        self._check_process()
        with pool.lock:
            return Start(pool.schedule.snapshot(), self.stats)

    def parts_left(self) -> list[Part] | None:
        """What is left to be searched, in visiting order; parts that workers have taken included.

        None while solutions wait that were found in the calling thread.
        """
        first, pool = self._first, self._pool
        if first is not None:
            return parts_of(first)
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

    # -- running -----------------------------------------------------------------------------------

    def _run(self, budget: Budget, into: list[tuple[Any, ...]]) -> Reason:
        before = len(into)
        if self._pool is None and self._run_in_caller(budget, into):
            return why_stopped(self, budget, len(into) - before)
        pool = self._start_pool()
        pool.schedule.keep, pool.schedule.node_limit = True, budget.nodes
        while not self._closed:
            if pool.schedule.output.take(budget.solutions, self._names, into):
                pool.wake()  # there is room again
                break
            if not self._wait(pool, budget):
                break
        return why_stopped(self, budget, len(into) - before)

    def _skip(self, budget: Budget) -> int:
        wanted, passed = budget.solutions, 0
        if self._pool is None:
            passed = self._skip_in_caller(budget)
            stopped = budget.expired or self.stats.nodes >= budget.nodes
            if passed == wanted or self.finished or stopped:
                return passed
        pool = self._start_pool()
        schedule = pool.schedule
        schedule.node_limit = budget.nodes
        if wanted >= UNLIMITED:
            return passed + self._count(pool, budget)
        schedule.keep = True
        while not self._closed:
            passed += schedule.output.drop(wanted - passed)
            if passed == wanted or not self._wait(pool, budget):
                break
            pool.wake()
        return passed

    def _record(self, budget: Budget, keep: bool, prompt: bool) -> None:
        pool = self._start_pool()
        pool.schedule.keep, pool.schedule.node_limit = keep, budget.nodes
        while not self._closed and self._wait(pool, budget, prompt=prompt):
            pool.schedule.output.drop(UNLIMITED)
            pool.wake()  # there is room again

    def _tally(self, budget: Budget) -> None:
        pool = self._start_pool()
        schedule = pool.schedule
        schedule.keep, schedule.node_limit = False, budget.nodes
        while schedule.counted < budget.solutions and self._wait(pool, budget):
            pass

    def _count(self, pool: WorkerPool, budget: Budget) -> int:
        """Passes over all solutions that are left, without keeping any."""
        schedule = pool.schedule
        counted = schedule.counted
        passed = 0
        schedule.keep = False
        while not self._closed:
            passed += schedule.output.drop(UNLIMITED)
            if not self._wait(pool, budget):
                break
        if not schedule.over:
            pool.pause()
            pool.join(SETTLE_TIMEOUT)  # the workers' last results are part of the answer
        return passed + schedule.output.drop(UNLIMITED) + schedule.counted - counted

    def _run_in_caller(self, budget: Budget, into: list[tuple[Any, ...]]) -> bool:
        """Searches in the calling thread. False if it is time for the pool."""
        first, before = self._first, len(into)
        assert first is not None
        while not first.finished:
            left = CALLER_ONLY - first.stats.seconds
            if left <= 0:
                first.take_waiting(into)  # what it found and has not handed over
                return len(into) > before
            if first.run(budget.within(left), into) != "deadline" or budget.expired:
                break
        return True

    def _skip_in_caller(self, budget: Budget) -> int:
        """Skips solutions in the calling thread."""
        first, passed = self._first, 0
        assert first is not None
        while passed < budget.solutions and not first.finished:
            left = CALLER_ONLY - first.stats.seconds
            if left <= 0:
                waiting: list[Any] = []
                first.take_waiting(waiting)
                passed += len(waiting)
                break
            own = budget.within(left).with_solutions(budget.solutions - passed)
            passed += first.skip(own)
            if budget.expired or first.stats.nodes >= budget.nodes:
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
            log.info("a search continues with %s, after %d nodes", self._pool, start.stats.nodes)
        return self._pool

    def _wait(self, pool: WorkerPool, budget: Budget, *, prompt: bool = True) -> bool:
        """Waits a while for results. False if none can come any more, or the time is up."""
        schedule = pool.schedule
        if pool.error is not None:
            raise pool.error
        if schedule.over:  # the last solutions may have come after the caller read the output
            if len(schedule.output):
                return True
            if schedule.failed:
                raise PartFailed(schedule.failed)
            return False
        seconds = budget.seconds_left()
        if seconds <= 0 or schedule.stats.nodes >= schedule.node_limit:
            return False
        pool.ensure_running()
        pool.wait(min(POLL, seconds), prompt=prompt)
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
        """Calls `work` for one calling thread at a time. An exception in it stops the workers."""
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
