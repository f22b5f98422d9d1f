"""A pool of threads, each with an engine of its own. The kernel lets all of them run at once."""

from __future__ import annotations

import _thread
from typing import Final

from dlx.core.part import Part
from dlx.errors import counted
from dlx.parallel.pool import WorkerPool
from dlx.parallel.schedule import QueueNode, Schedule
from dlx.parallel.worker import Open, PartWorker

__all__ = ["ThreadPool"]

LENGTH: Final = 0.25  # seconds of work on a part when no thread and no caller waits


class ThreadPool(WorkerPool):
    """Threads that work on a part until another one is idle, or the caller waits for solutions."""

    def __init__(self, schedule: Schedule, open_engine: Open, workers: int) -> None:
        super().__init__(schedule, workers)
        self._open = open_engine
        self._workers = workers
        self._without_part = 0  # idle threads for which there is no part

    def __repr__(self) -> str:
        return f"{counted(self._workers, 'thread')}"

    def _work(self) -> None:
        schedule, worker = self.schedule, PartWorker(self._open)
        idle_lock = _thread.allocate_lock()
        idle_lock.acquire()
        mine: Part | None = None
        while not self.should_stop():
            with self.lock:
                node = schedule.take(workers=self._workers, prefer=mine)
                if node is None:
                    if schedule.over:
                        break
                    without_part = not schedule.waiting
                    self._without_part += without_part
                    self.mark_idle(idle_lock)
            if node is None:
                self.wait_idle(idle_lock)
                with self.lock:
                    self._without_part -= without_part
                continue
            mine = self._do(worker, node)
        self.wake()

    def _do(self, worker: PartWorker, node: QueueNode) -> Part | None:
        """Works on a part for a while; returns what the worker's engine could continue with."""
        schedule = self.schedule
        assert node.part is not None
        limits = schedule.limits(node, LENGTH)

        def come_back(found: int) -> bool:
            return (
                self._without_part > 0
                or (found > 0 and self.caller_waits and schedule.is_first(node))
                or self.should_stop()
            )

        result = None
        try:
            result = worker.run(node.part, limits, come_back)
        finally:
            with self.lock:
                if result is None:
                    schedule.put_back(node)
                else:
                    schedule.done(node, result, wanted=self._without_part)
                if schedule.waiting or schedule.over:
                    self.wake()
        if result.found or schedule.over:
            self.notify_caller()
        return worker.remaining
