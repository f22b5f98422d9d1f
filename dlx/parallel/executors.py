"""A pool of workers behind anything with the interface of `concurrent.futures.Executor`.

One thread, the dispatcher, sends tasks and takes their results. All it knows of the workers is what
futures say, and it relies on little:

* A task is short (about a second; less at the beginning, and when there are too few parts for all
  workers). So a worker that dies loses little, and what is left can be shared out again.
* The executor has as many tasks as there are workers, and a few more. All other parts wait in the
  schedule here.
* A task that fails is sent again. After three failures its part is given up.
* The engine spec is sent to a process that says it does not have it, and to each process only once
  at a time.
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
from dlx.parallel.remote import Missing, TaskResult, pack_spec, run_task

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from dlx.engines.spec import EngineSpec
    from dlx.parallel.remote import Payload
    from dlx.parallel.schedule import QueueNode, Schedule

__all__ = ["ExecutorPool", "most_under_way", "parts_wanted", "seconds_for", "workers_of"]

POLL: Final = 0.05  # seconds between two checks of whether to stop
RECOUNT: Final = 5.0  # seconds between two counts of the executor's workers
LONGEST: Final = 1.0  # seconds for a task
SHORTEST: Final = 0.05  # seconds for a task
MOST_PIECES: Final = 1  # additional parts that are made of a result
TASKS_A_SECOND: Final = 250  # by all workers together, because all pass through one scheduler
SHARE: Final = 0.1  # length of a task, as a share of the time that the search has taken so far


def seconds_for(elapsed: float, *, waiting: int, workers: int) -> float:
    """How many seconds the next task is to take, while `waiting` other parts have no worker."""
    longest = max(LONGEST, workers / TASKS_A_SECOND)
    if waiting < workers:
        longest /= 4
    return min(longest, max(SHORTEST, SHARE * elapsed))


def most_under_way(workers: int) -> int:
    """How many tasks the executor has at once: some more than workers, so that none is idle."""
    return workers + 1 + workers // 4


def parts_wanted(waiting: int, workers: int) -> int:
    """Into how many more parts to split a result, while `waiting` parts have no worker."""
    return max(0, min(MOST_PIECES, workers - waiting))


class _RemoteTask(NamedTuple):
    """A task that was sent, and whose result has not come."""

    node: QueueNode
    meant_for: str | None  # the process for which the engine spec was sent with it


class ExecutorPool(WorkerPool):
    """Workers behind an executor. One thread of this process, the dispatcher, serves them."""

    def __init__(
        self, schedule: Schedule, spec: EngineSpec, executor: Executor, workers: int
    ) -> None:
        super().__init__(schedule, threads=1)
        self.sent = 0
        """How often the engine spec was sent."""
        self.repeats = 0
        """How many tasks failed and were sent again."""
        self.most_under_way = 0
        """The largest number of tasks that were under way at once."""
        self._executor = executor
        self._name = os.urandom(8).hex()  # no other pool anywhere has it
        self._tasks = 0
        self._requested = workers
        self._workers = self._count_workers()
        self._counted = self._began = time.monotonic()
        self._payload = _pack(spec)
        self._under_way: dict[Future[Any], _RemoteTask] = {}
        self._done: SimpleQueue[Future[Any]] = SimpleQueue()
        self._equipped: set[str] = set()  # processes that have the spec
        self._receiving: set[str] = set()  # processes to which the spec is on its way
        self._to_equip: list[str] = []  # processes that lack it, and it has not been sent

    def __repr__(self) -> str:
        return f"{counted(self._workers, 'worker')} of {quote(self._executor)}"

    def _work(self) -> None:
        try:
            while True:
                stopping = self.should_stop()
                if self._closed or self.error is not None:
                    return
                if not stopping:
                    self._send_tasks()
                if self._under_way:
                    self._collect()
                elif stopping or self.schedule.over:
                    return
                else:
                    time.sleep(POLL)  # the buffer is full until the caller takes solutions
        except WorkersLost:
            self._under_way = {}  # an executor that is lost cannot cancel
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
            if self._receiving and not self._equipped and not self._to_equip:
                return  # no process can work before the first one has the spec
            with self.lock:
                node = self.schedule.take(workers=most)
            if node is None:
                return
            self._send(node, now - self._began)

    def _send(self, node: QueueNode, elapsed: float) -> None:
        schedule = self.schedule
        assert node.part is not None
        self._tasks += 1
        seconds = seconds_for(elapsed, waiting=schedule.waiting, workers=self._workers)
        limits = schedule.limits(node, seconds)
        meant_for = self._to_equip.pop() if self._to_equip else None
        payload = None if meant_for is None else self._payload
        try:
            future = self._executor.submit(
                run_task,
                self._payload.fingerprint,
                payload,
                node.part,
                limits,
                f"{self._name}-{self._tasks}",
            )
        except Exception as error:
            with self.lock:
                schedule.put_back(node)
            raise self._lost(f"it takes no more tasks ({type(error).__name__}: {error})") from error
        if meant_for is not None:
            self._receiving.add(meant_for)
            self.sent += 1
        self._under_way[future] = _RemoteTask(node, meant_for)
        self.most_under_way = max(self.most_under_way, len(self._under_way))
        future.add_done_callback(self._done.put)

    def _count_workers(self) -> int:
        if self._requested > 1:
            return self._requested
        try:
            return workers_of(self._executor)
        except Exception as error:
            raise self._lost(
                f"it does not say how many workers it has ({type(error).__name__}: {error})"
            ) from error

    # -- collecting --------------------------------------------------------------------------------

    def _collect(self) -> None:
        """Waits up to `POLL` seconds for a result, and takes all that have come."""
        try:
            self._handle_future(self._done.get(timeout=POLL))
            while True:
                self._handle_future(self._done.get_nowait())
        except Empty:
            return

    def _handle_future(self, future: Future[Any]) -> None:
        task = self._under_way.pop(future)
        if task.meant_for is not None:
            self._receiving.discard(task.meant_for)
        try:
            answer = future.result()
        except CancelledError as error:
            self._put_back(task.node)
            raise self._lost("tasks were cancelled; its scheduler may be gone") from error
        except BaseException as error:
            self._handle_failure(task.node, error)
            return
        if isinstance(answer, TaskResult):
            self._handle_result(task.node, answer)
        else:
            self._handle_missing_spec(task.node, answer)

    def _handle_result(self, node: QueueNode, answer: TaskResult) -> None:
        schedule, result = self.schedule, answer.result
        self._equipped.add(answer.worker)
        log.debug(
            "%s has done a task: %d nodes, %d solutions, %d parts left of it, %.3f s",
            answer.worker,
            result.stats.nodes,
            result.found,
            len(result.left),
            result.stats.seconds,
        )
        with self.lock:
            schedule.done(node, result, wanted=parts_wanted(schedule.waiting, self._workers))
        if result.found or schedule.over:
            self.notify_caller()

    def _handle_missing_spec(self, node: QueueNode, answer: Missing) -> None:
        self._put_back(node)
        if answer.worker not in self._receiving and answer.worker not in self._to_equip:
            self._equipped.discard(answer.worker)
            self._to_equip.append(answer.worker)

    def _handle_failure(self, node: QueueNode, error: BaseException) -> None:
        """Puts the part back, so that it is submitted again, unless it has failed too often."""
        self.repeats += 1
        part = node.part
        with self.lock:
            again = self.schedule.fail(node, error)
        log.info(
            "part %s of a search failed with %s: %s; %s",
            quote(part),
            type(error).__name__,
            error,
            "it is done again" if again else "it is given up",
        )
        self.notify_caller()

    def _put_back(self, node: QueueNode) -> None:
        with self.lock:
            self.schedule.put_back(node)

    def _lost(self, why: str) -> WorkersLost:
        left = len(self.schedule.parts)
        log.info("a search has lost its workers: %s", why)
        return WorkersLost(
            f"the executor {quote(self._executor)} is lost: {why}; "
            f"{counted(left, 'part')} of the search {'is' if left == 1 else 'are'} left"
        )


def _pack(spec: EngineSpec) -> Payload:
    try:
        return pack_spec(spec)
    except Exception as error:
        raise InvalidArgument(
            f"the search cannot be sent to other processes ({type(error).__name__}: {error}); use "
            "items, names and a heuristic that pickle supports"
        ) from error


def workers_of(executor: Executor) -> int:
    """How many workers an executor has; the number of processors if it does not say."""
    client = getattr(executor, "_client", None)  # of Dask's ClientExecutor
    if client is not None:
        return max(1, int(sum(client.nthreads().values())))
    for name in ("_max_workers", "num_workers"):  # the standard library's and loky's; mpi4py's
        count = getattr(executor, name, None)
        if isinstance(count, int) and count > 0:
            return count
    return os.cpu_count() or 1
