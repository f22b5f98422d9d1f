"""A search by many workers, with the interface of a single engine."""

from __future__ import annotations

import _thread
import time
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, Final, TypeVar

from dlx.core.arguments import UNLIMITED
from dlx.core.logs import log
from dlx.core.part import Part
from dlx.engines.protocols import ManagedEngine, Start
from dlx.errors import PartFailed, WorkersLost
from dlx.parallel.results import Recorder
from dlx.parallel.schedule import LARGEST_BUFFER, Schedule

if TYPE_CHECKING:
    from dlx.engines.protocols import RawStats, TreeEngine
    from dlx.parallel.pool import WorkerPool

__all__ = ["Driver", "Hire"]

Hire = Callable[[Schedule], "WorkerPool"]
"""Makes the crew that is to work on a schedule."""

ALONE: Final = 0.005  # seconds of search before anybody else is asked
POLL: Final = 0.05  # seconds between looks at the time
SETTLING: Final = 0.1  # seconds for threads to bring in what they have
GOODBYE: Final = 1.0  # seconds for threads to go home

T = TypeVar("T")


class Driver(ManagedEngine):
    """A search that a crew works on: an engine as `dlx.search.search.Search` expects it.

    The search begins in the calling thread; one of a few milliseconds ends there. What is left then
    goes to the crew. What may be waiting for the caller is bounded (see `dlx.parallel.schedule`).
    """

    def __init__(
        self,
        first: TreeEngine | None,
        hire: Hire,
        *,
        names: list[Hashable] | None,
        ordered: bool = True,
        start: Start | None = None,
        recorder: Recorder | None = None,
        buffer: int = LARGEST_BUFFER,
        alone: float = ALONE,
    ) -> None:
        """`first` searches the whole; it is None if the crew begins at `start`."""
        assert (first is None) != (start is None)
        """Is called with the driver now and then, while somebody waits."""
        self._first = first
        self._alone = alone
        self._hire = hire
        self._names = names
        self._ordered = ordered
        self._recorder = recorder
        self._buffer = buffer
        self._start = Start(()) if start is None else start
        self._crew: WorkerPool | None = None
        self._closed = False
        self._waited = self._start.stats[4]  # seconds that somebody waited for solutions
        self._turn = _thread.allocate_lock()  # held by whoever draws
        if first is None:
            self._gather_crew()

    # -- as an engine ------------------------------------------------------------------------------

    @property
    def finished(self) -> bool:
        """Has everything been searched and handed over (or the search been given up)?"""
        if self._closed:
            return True
        alone, crew = self._now()
        if crew is None:
            assert alone is not None
            return alone.finished
        schedule = crew.schedule
        return (
            schedule.over
            and not schedule.failed
            and crew.error is None
            and not len(schedule.output)
        )

    @property
    def stats(self) -> RawStats:
        """Nodes, updates, solutions handed over, nodes by depth, and seconds that passed.

        The work is that of all workers together, as far as they have told. The seconds are those
        that somebody waited for solutions.
        """
        alone, crew = self._now()
        if crew is None:
            assert alone is not None
            return alone.stats
        schedule = crew.schedule
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
        is done but for parts that failed. Any number of threads may draw at the same time.
        """
        until = time.monotonic() + seconds if seconds >= 0 else float("inf")
        self._attentively(lambda: self._draw(count, until, into, nodes))

    def skip(self, count: int, seconds: float, nodes: int = UNLIMITED) -> int:
        """Passes over up to `count` further solutions and returns how many there were."""
        until = time.monotonic() + seconds if seconds >= 0 else float("inf")
        return self._attentively(lambda: self._skip(count, until, nodes))

    def rewind(self) -> None:
        """Gives the search up."""
        self._closed = True
        alone, crew = self._now()
        if alone is not None:
            alone.rewind()
        if crew is not None:
            crew.close()
            if crew.is_here():
                crew.join(GOODBYE)

    # -- more than an engine -----------------------------------------------------------------------

    def labour(self, seconds: float, *, keep: bool, hurry: bool, nodes: int = UNLIMITED) -> None:
        """Has the crew work for some time, for the recorder alone: what is found is dropped here.

        Comes back earlier when there is nothing left to do, or so many nodes were searched, and
        raises what `draw` does. `keep`: does the recorder want the solutions, or only their number?
        `hurry`: are slices cut short when they have any?
        """
        until = time.monotonic() + seconds
        self._attentively(lambda: self._labour(until, keep, hurry, nodes))

    def settle(self) -> None:
        """Sends the workers home and waits a moment for what they have found so far."""
        if self._crew is not None:
            self._crew.pause()
            self._crew.join(SETTLING)

    def tally(self, seconds: float, nodes: int, solutions: int) -> None:
        """Passes over further solutions until `stats` has about so many nodes, or solutions.

        For a search that has a crew from its beginning. The crew goes on.
        """
        until = time.monotonic() + seconds
        self._attentively(lambda: self._tally(until, nodes, solutions))

    def go_on(self) -> None:
        """Lets the crew go on for a while, although nobody waits for it."""
        if self._crew is not None:
            self._crew.schedule.node_limit = UNLIMITED
            self._crew.attend()

    def pause(self) -> None:
        """Sends the workers home until somebody draws again; later they would go by themselves."""
        if self._crew is not None:
            self._crew.pause()

    def resume_point(self) -> Start:
        """All that is left to be done and to be handed over: to go on from, elsewhere or later.

        What workers have in hand counts as not done.
        """
        alone, crew = self._now()
        if crew is None:
            assert alone is not None
            position = alone.position()
            if position is None:
                return Start((), alone.stats)
            return Start((Part(tuple(position[0]), position[1]),), alone.stats)
        self._check_process()
        with crew.lock:
            return Start(crew.schedule.standing(), self.stats)

    def parts_left(self) -> list[Part] | None:
        """What is left to be searched, that which workers have in hand included.

        In visiting order. None while solutions wait that were found in the calling thread.
        """
        first, crew = self._first, self._crew
        if first is not None:
            try:
                position = first.position()
            except RuntimeError:
                return None
            return [] if position is None else [Part(tuple(position[0]), position[1])]
        assert crew is not None
        self._check_process()
        with crew.lock:
            return crew.schedule.parts

    def __del__(self) -> None:
        crew = getattr(self, "_crew", None)
        if crew is not None:
            crew.close()

    def _now(self) -> tuple[TreeEngine | None, WorkerPool | None]:
        """Who searches. Any thread may ask while another one gathers the crew, so in this order:
        the first engine is dropped when there is a crew.
        """
        alone = self._first
        return alone, self._crew

    # -- how it goes on ----------------------------------------------------------------------------

    def _draw(self, count: int, until: float, into: list[tuple[Any, ...]], nodes: int) -> None:
        if self._crew is None and self._draw_alone(count, until, into, nodes):
            return
        crew = self._gather_crew()
        crew.schedule.keep, crew.schedule.node_limit = True, nodes
        while not self._closed:
            if crew.schedule.output.take(count, self._names, into):
                crew.wake()  # there is room again
                return
            if not self._wait(crew, until):
                return

    def _skip(self, count: int, until: float, nodes: int) -> int:
        passed = 0
        if self._crew is None:
            passed = self._skip_alone(count, until, nodes)
            stopped = time.monotonic() >= until or self.stats[0] >= nodes
            if passed == count or self.finished or stopped:
                return passed
        crew = self._gather_crew()
        schedule = crew.schedule
        schedule.node_limit = nodes
        if count >= UNLIMITED:
            return passed + self._count(crew, until)
        schedule.keep = True
        while not self._closed:
            passed += schedule.output.drop(count - passed)
            if passed == count or not self._wait(crew, until):
                break
            crew.wake()
        return passed

    def _labour(self, until: float, keep: bool, hurry: bool, nodes: int) -> None:
        crew = self._gather_crew()
        crew.schedule.keep, crew.schedule.node_limit = keep, nodes
        while not self._closed and self._wait(crew, until, hurry=hurry):
            crew.schedule.output.drop(UNLIMITED)
            crew.wake()  # there is room again

    def _tally(self, until: float, nodes: int, solutions: int) -> None:
        crew = self._gather_crew()
        schedule = crew.schedule
        schedule.keep, schedule.node_limit = False, nodes
        while schedule.counted < solutions and self._wait(crew, until):
            pass

    def _count(self, crew: WorkerPool, until: float) -> int:
        """Passes over all that are left, of which none needs to be kept."""
        schedule = crew.schedule
        counted = schedule.counted
        passed = 0
        schedule.keep = False
        while not self._closed:
            passed += schedule.output.drop(UNLIMITED)
            if not self._wait(crew, until):
                break
        if not schedule.over:
            crew.pause()
            crew.join(SETTLING)  # what they have found so far is part of the answer
        return passed + schedule.output.drop(UNLIMITED) + schedule.counted - counted

    def _draw_alone(
        self, count: int, until: float, into: list[tuple[Any, ...]], nodes: int
    ) -> bool:
        """Draws without a crew. False if it should be asked now."""
        first, before = self._first, len(into)
        assert first is not None
        while not first.finished:
            left = self._alone - first.stats[4]
            if left <= 0:
                return False
            seconds = until - time.monotonic()
            first.draw(count, max(0.0, min(left, seconds)), into, nodes)
            if len(into) > before or seconds <= 0 or first.stats[0] >= nodes:
                break
        return True

    def _skip_alone(self, count: int, until: float, nodes: int) -> int:
        """Passes over solutions without a crew."""
        first, passed = self._first, 0
        assert first is not None
        while passed < count and not first.finished:
            left = self._alone - first.stats[4]
            if left <= 0:
                break
            seconds = until - time.monotonic()
            passed += first.skip(count - passed, max(0.0, min(left, seconds)), nodes)
            if seconds <= 0 or first.stats[0] >= nodes:
                break
        return passed

    def _gather_crew(self) -> WorkerPool:
        """The crew, which begins where the first engine stands. A signal may come at any point."""
        if self._crew is None:
            start = self._start
            if self._first is not None:
                start = self.resume_point()
            self._start = start
            schedule = Schedule(
                start, ordered=self._ordered, recorder=self._recorder, buffer=self._buffer
            )
            self._crew = self._hire(schedule)
            self._first = None
            log.info("a search goes on with %s, after %d nodes", self._crew, start.stats[0])
        return self._crew

    def _wait(self, crew: WorkerPool, until: float, *, hurry: bool = True) -> bool:
        """Waits a while for the crew. False if there is no more to wait for, or no time."""
        schedule = crew.schedule
        if crew.error is not None:
            raise crew.error
        if schedule.over:  # and what came last is in the output, or was before it was looked at
            if len(schedule.output):
                return True
            if schedule.failed:
                raise PartFailed(schedule.failed)
            return False
        seconds = until - time.monotonic()
        if seconds <= 0 or schedule.stats[0] >= schedule.node_limit:
            return False
        crew.attend()
        crew.wait(min(POLL, seconds), hurry=hurry)
        if self.on_tick is not None:
            self.on_tick(self)
        return True

    def _check_process(self) -> None:
        if self._crew is not None and not self._crew.is_here():
            raise WorkersLost(
                "the workers of this search are in the process that began it, and this is one "
                "forked from it; begin a search of its own here"
            )

    def _attentively(self, work: Callable[[], T]) -> T:
        """Does what somebody waits for, one at a time. Ctrl-C in it sends the crew home."""
        self._check_process()
        with self._turn:
            began = time.monotonic()
            try:
                return work()
            except BaseException:
                self.pause()
                raise
            finally:
                self._waited += time.monotonic() - began
