"""A crew of somebody else's workers: anything with the interface of `concurrent.futures.Executor`.

One thread, the dispatcher, sends tasks and takes their results. What it knows of the other side is
only what futures tell, and it relies on little:

* A task is short (about a second; less at the beginning, and when there is too little to do for
  all), so that a worker that dies takes little with it and what is left can be shared anew.
* As many tasks are under way as there are workers, and a few more. All other parts wait here: the
  other side never has more than a handful, however many there are.
* A task that fails is done again, by whoever comes next; after three times its part is given up.
* The question is sent to a process that says it has none, and to each only once at a time.
"""

from __future__ import annotations

import os
import time
from concurrent.futures import CancelledError
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from dlx.core.logs import log
from dlx.errors import InvalidArgument, WorkersLost, counted, quote
from dlx.parallel.pool import WorkerPool
from dlx.parallel.remote import Missing, TaskResult, do_slice, pack_question

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from dlx.parallel.payload import EngineSpec
    from dlx.parallel.remote import Payload
    from dlx.parallel.schedule import QueueNode, Schedule

__all__ = ["ExecutorPool", "most_under_way", "parts_wanted", "seconds_for", "workers_of"]

POLL: Final = 0.05  # seconds between looks at whether to go home
RECOUNT: Final = 5.0  # seconds between looks at how many workers there are
LONGEST: Final = 1.0  # seconds for a task
SHORTEST: Final = 0.05
MOST_PIECES: Final = 1  # more that come of one
TASKS_A_SECOND: Final = 250  # that there may be all in all: they all pass through one scheduler
SHARE: Final = 0.1  # of the time that the search has taken so far


def seconds_for(elapsed: float, *, waiting: int, workers: int) -> float:
    """How long the next task is to take, while so many other parts wait to be taken."""
    longest = max(LONGEST, workers / TASKS_A_SECOND)
    if waiting < workers:
        longest /= 4
    return min(longest, max(SHORTEST, SHARE * elapsed))


def most_under_way(workers: int) -> int:
    """How many tasks to send before the first comes back: some are to lie ready."""
    return workers + 1 + workers // 4


def parts_wanted(waiting: int, workers: int) -> int:
    """Into how many more parts to split what comes back, while so many wait to be taken."""
    return max(0, min(MOST_PIECES, workers - waiting))


class _RemoteTask(NamedTuple):
    """A task under way."""

    place: QueueNode
    meant_for: str | None  # the process that the question with it is meant for


class ExecutorPool(WorkerPool):
    """Workers behind an executor. What is done here is done by one thread, the dispatcher."""

    def __init__(
        self, schedule: Schedule, question: EngineSpec, executor: Executor, workers: int
    ) -> None:
        super().__init__(schedule, threads=1)
        self.sent = 0
        """How often the question was sent."""
        self.repeats = 0
        """How many tasks had to be done again."""
        self.most_under_way = 0
        """The most tasks that were under way at once."""
        self._executor = executor
        self._name = os.urandom(8).hex()  # unlike that of any other crew
        self._tasks = 0
        self._told = workers
        self._workers = self._count_workers()
        self._counted = self._began = time.monotonic()
        self._parcel = _parcel_of(question)
        self._under_way: dict[Future[Any], _RemoteTask] = {}
        self._done: SimpleQueue[Future[Any]] = SimpleQueue()
        self._equipped: set[str] = set()  # processes that have the question
        self._lacking: set[str] = set()  # that do not, and it is on its way
        self._to_equip: list[str] = []  # it is not yet

    def __repr__(self) -> str:
        return f"{counted(self._workers, 'worker')} of {quote(self._executor)}"

    def _work(self) -> None:
        try:
            while True:
                home = self.leaving()
                if self._closed or self.error is not None:
                    return
                if not home:
                    self._send_tasks()
                if self._under_way:
                    self._collect()
                elif home or self.schedule.over:
                    return
                else:
                    time.sleep(POLL)  # whoever draws must take something first
        except WorkersLost:
            self._under_way = {}  # there is nobody to tell
            raise
        finally:
            for future in self._under_way:
                with suppress(Exception):  # of an executor that is lost, too
                    future.cancel()
            self._under_way = {}

    # -- sending -----------------------------------------------------------------------------------

    def _send_tasks(self) -> None:
        now = time.monotonic()
        if now - self._counted > RECOUNT:
            self._workers, self._counted = self._count_workers(), now
        most = most_under_way(self._workers)
        while len(self._under_way) < most:
            if self._lacking and not self._equipped and not self._to_equip:
                return  # until somebody has the question, nobody can do anything
            with self.lock:
                place = self.schedule.take(crew=most)
            if place is None:
                return
            self._send(place, now - self._began)

    def _send(self, place: QueueNode, elapsed: float) -> None:
        schedule = self.schedule
        assert place.part is not None
        self._tasks += 1
        seconds = seconds_for(elapsed, waiting=schedule.waiting, workers=self._workers)
        budget = schedule.budget(place, seconds)
        meant_for = self._to_equip.pop() if self._to_equip else None
        parcel = None if meant_for is None else self._parcel
        try:
            future = self._executor.submit(
                do_slice,
                self._parcel.fingerprint,
                parcel,
                place.part,
                budget,
                f"{self._name}-{self._tasks}",
            )
        except Exception as error:
            with self.lock:
                schedule.put_back(place)
            raise self._lost(f"it takes no more tasks ({type(error).__name__}: {error})") from error
        if meant_for is not None:
            self._lacking.add(meant_for)
            self.sent += 1
        self._under_way[future] = _RemoteTask(place, meant_for)
        self.most_under_way = max(self.most_under_way, len(self._under_way))
        future.add_done_callback(self._done.put)

    def _count_workers(self) -> int:
        if self._told > 1:
            return self._told
        try:
            return workers_of(self._executor)
        except Exception as error:
            raise self._lost(
                f"it does not say how many workers it has ({type(error).__name__}: {error})"
            ) from error

    # -- collecting --------------------------------------------------------------------------------

    def _collect(self) -> None:
        """Waits a while for results, and takes all that are there."""
        try:
            self._take(self._done.get(timeout=POLL))
            while True:
                self._take(self._done.get_nowait())
        except Empty:
            return

    def _take(self, future: Future[Any]) -> None:
        task = self._under_way.pop(future)
        if task.meant_for is not None:
            self._lacking.discard(task.meant_for)
        try:
            answer = future.result()
        except CancelledError as error:
            self._put_back(task.place)
            raise self._lost("tasks were cancelled; its scheduler may be gone") from error
        except BaseException as error:
            self._failed(task.place, error)
            return
        if isinstance(answer, TaskResult):
            self._worked(task.place, answer)
        else:
            self._missing(task.place, answer)

    def _worked(self, place: QueueNode, answer: TaskResult) -> None:
        schedule, piece = self.schedule, answer.piece
        self._equipped.add(answer.worker)
        log.debug(
            "%s has done a slice: %d nodes, %d solutions, %d parts left of it, %.3f s",
            answer.worker,
            piece.stats[0],
            piece.found,
            len(piece.left),
            piece.stats[4],
        )
        with self.lock:
            schedule.done(place, piece, wanted=parts_wanted(schedule.waiting, self._workers))
        if piece.found or schedule.over:
            self.ring()

    def _missing(self, place: QueueNode, answer: Missing) -> None:
        self._put_back(place)
        if answer.worker not in self._lacking and answer.worker not in self._to_equip:
            self._equipped.discard(answer.worker)
            self._to_equip.append(answer.worker)

    def _failed(self, place: QueueNode, error: BaseException) -> None:
        self.repeats += 1
        part = place.part
        with self.lock:
            again = self.schedule.fail(place, error)
        log.info(
            "part %s of a search failed with %s: %s; %s",
            quote(part),
            type(error).__name__,
            error,
            "it is done again" if again else "it is given up",
        )
        self.ring()

    def _put_back(self, place: QueueNode) -> None:
        with self.lock:
            self.schedule.put_back(place)

    def _lost(self, why: str) -> WorkersLost:
        left = len(self.schedule.parts)
        log.info("a search has lost its workers: %s", why)
        return WorkersLost(
            f"the executor {quote(self._executor)} is lost: {why}; {left} "
            f"part{'s' * (left != 1)} of the search {'are' if left != 1 else 'is'} left"
        )


def _parcel_of(question: EngineSpec) -> Payload:
    try:
        return pack_question(question)
    except Exception as error:
        raise InvalidArgument(
            f"the search cannot be sent to other processes ({type(error).__name__}: {error}); "
            "items, names and a heuristic of your own must be such as pickle can take"
        ) from error


def workers_of(executor: Executor) -> int:
    """How many workers an executor has, as far as it tells; or else how many processors."""
    client = getattr(executor, "_client", None)  # of Dask's ClientExecutor
    if client is not None:
        return max(1, int(sum(client.nthreads().values())))
    for name in ("_max_workers", "num_workers"):  # those of the standard library and loky; mpi4py
        count = getattr(executor, name, None)
        if isinstance(count, int) and count > 0:
            return count
    return os.cpu_count() or 1
