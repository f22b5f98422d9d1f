"""A crew of threads, each with an engine of its own. The kernel lets all of them run at once."""

from __future__ import annotations

import _thread
from typing import Final

from dlx.core.part import Part
from dlx.errors import counted
from dlx.parallel.pool import WorkerPool
from dlx.parallel.schedule import QueueNode, Schedule
from dlx.parallel.worker import Open, PartWorker

__all__ = ["ThreadPool"]

LENGTH: Final = 0.25  # seconds, of a slice when nobody waits for anything


class ThreadPool(WorkerPool):
    """Threads that go on with what they have until another one is idle, or somebody waits."""

    def __init__(self, schedule: Schedule, open_engine: Open, workers: int) -> None:
        super().__init__(schedule, workers)
        self._open = open_engine
        self._workers = workers
        self._hungry = 0  # threads that find no part

    def __repr__(self) -> str:
        return f"{counted(self._workers, 'thread')}"

    def _work(self) -> None:
        schedule, runner = self.schedule, PartWorker(self._open)
        bed = _thread.allocate_lock()
        bed.acquire()
        mine: Part | None = None
        while not self.leaving():
            with self.lock:
                place = schedule.take(crew=self._workers, prefer=mine)
                if place is None:
                    if schedule.over:
                        break
                    hungry = not schedule.waiting
                    self._hungry += hungry
                    self.lie_down(bed)
            if place is None:
                self.park(bed)
                with self.lock:
                    self._hungry -= hungry
                continue
            mine = self._do(runner, place)
        self.wake()

    def _do(self, runner: PartWorker, place: QueueNode) -> Part | None:
        """Does a slice of a part; returns what the runner could go on with."""
        schedule = self.schedule
        assert place.part is not None
        budget = schedule.budget(place, LENGTH)

        def come_back(have: int) -> bool:
            return (
                self._hungry > 0
                or (have > 0 and self.wanted and schedule.is_first(place))
                or self.leaving()
            )

        piece = None
        try:
            piece = runner.run(place.part, budget, come_back)
        finally:
            with self.lock:
                if piece is None:
                    schedule.put_back(place)
                else:
                    schedule.done(place, piece, wanted=self._hungry)
                if schedule.waiting or schedule.over:
                    self.wake()
        if piece.found or schedule.over:
            self.ring()
        return runner.standing
