"""The engine of a search with a journal: what `checkpoint=` makes.

Every solution that the search finds goes into the journal first. The caller gets it from there, in
visiting order::

    run   <-  journal:  slice slice | part  slice  part          what is before the first part that
                 ^                    |                          is left can be handed over; if that
                 `--- done() --- driver (its workers)            is nothing, the driver continues

So it makes no difference which run found a solution. Solutions that wait for parts before them wait
on the disk, not in memory.
"""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from dlx.core.arguments import UNLIMITED
from dlx.core.budget import Budget, Reason
from dlx.core.kernel import Pack
from dlx.core.stats import NO_STATS
from dlx.engines.protocols import ManagedEngine, skip_by_running, why_stopped
from dlx.errors import JournalError
from dlx.parallel.results import WorkResult

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from dlx.checkpoint.writer import Writer
    from dlx.core.part import Part
    from dlx.core.stats import Stats

__all__ = ["BackgroundSearch", "JournalEngine"]

LARGEST_BATCH = 4096
PROMPT = 0.1  # seconds of work at the beginning, in which every solution comes at once
CHECK_INTERVAL = 0.25  # seconds of work, after that, between two checks for new solutions


class BackgroundSearch(Protocol):
    """A search that works for as long as its caller says: `dlx.parallel.driver.Driver`."""

    def record(self, budget: Budget, *, keep: bool, prompt: bool) -> None:
        """Works until a limit is reached; the nodes are those of all runs.

        All results go to the recorder. `keep`: with their solutions, not only their number.
        `prompt`: a worker returns as soon as it has found solutions.
        """

    def settle(self) -> None:
        """Stops working, and records what was found so far."""

    def close(self) -> None:
        """Ends the search."""


class JournalEngine(ManagedEngine):
    """The engine (see `dlx.engines.protocols.Engine`) that continues with a journal.

    `open_driver` starts the search when it is first needed: from `writer.start()`, with the writer
    as its recorder, and unordered. `keep` says whether the journal keeps solutions or only their
    number. `on_tick` is called with the engine between two periods of work.
    """

    journaled = True

    def __init__(
        self,
        writer: Writer,
        open_driver: Callable[[], BackgroundSearch],
        names: list[Hashable] | None,
        *,
        keep: bool,
    ) -> None:
        self._writer = writer
        self._open_driver = open_driver
        self._driver: BackgroundSearch | None = None
        self._names = names
        self._keep = keep
        self._slice = Pack()  # the solutions that are being handed over
        self._sort_key = b""  # their sort key in the journal
        self._loaded = 0  # number of solutions in slices up to that one
        self._counted = 0  # number of solutions passed over that are not kept
        self._seconds = 0.0  # of this run
        self._over = False

    @property
    def finished(self) -> bool:
        """Whether nothing is left to search or to return."""
        return self._over

    @property
    def stats(self) -> Stats:
        """The work of all runs; the solutions drawn from this engine; the seconds of this run."""
        # Not a counter: a signal may come between taking solutions and counting them.
        drawn = self._loaded - len(self._slice) + self._counted
        return self._writer.state.stats._replace(solutions=drawn, seconds=self._seconds)

    def run(self, budget: Budget, into: list[tuple[Any, ...]]) -> Reason:
        """Appends further solutions to a list, in visiting order."""
        found = 0
        while not self._over:
            if len(self._slice):
                found = self._slice.take(budget.solutions, self._names, into)
                break
            finished = self._writer.finished  # read before the last slices are
            if self._load():
                continue
            if finished:
                self._end()
            elif not self._continue(budget) and not self._load():  # solutions of the last moment
                break
        return why_stopped(self, budget, found)

    def take_waiting(self, into: list[tuple[Any, ...]]) -> None:
        """Appends nothing: what is in the journal waits for the next run."""

    def skip(self, budget: Budget) -> int:
        """Skips further solutions up to the limits and returns how many it has skipped."""
        if self._keep:
            return skip_by_running(self, budget, LARGEST_BATCH)
        before, on_time = self._counted, True
        while not self._over:
            finished = self._writer.finished  # read before the number of solutions is
            left = budget.solutions - (self._counted - before)
            known = self._writer.state.stats.solutions - self._counted
            self._counted += min(left, known)
            if known >= left:
                break
            if finished:
                self._end()
            elif on_time:  # after a limit once more, for solutions of the last moment
                on_time = self._continue(budget)
            else:
                break
        return self._counted - before

    def parts_left(self) -> list[Part]:
        """What is left to be searched, in visiting order, as the journal says."""
        return self._writer.parts_left()

    def close(self) -> None:
        """Stops the search, and closes the journal with all that was recorded."""
        self._end()

    def end_refuted(self) -> None:
        """Stops the search, and records that nothing is left: there is no solution."""
        if self._driver is not None:
            self._driver.close()
        for part in self._writer.parts_left():
            self._writer.done(part, WorkResult(0, None, NO_STATS, ()))
        self._end()

    def __del__(self) -> None:
        if not getattr(self, "_over", True):
            with suppress(JournalError):
                self._end()

    # -- within ------------------------------------------------------------------------------------

    def _load(self) -> bool:
        """Reads the next slice from the journal; False if none can be handed over yet."""
        row = self._writer.next_slice(self._sort_key)
        if row is None:
            return False
        sort_key, pack = row
        loaded = self._loaded + len(pack)
        self._slice, self._sort_key, self._loaded = pack, sort_key, loaded
        return True

    def _continue(self, budget: Budget) -> bool:
        """Lets the search work for a while. False if it has reached a limit."""
        began = time.monotonic()
        prompt = self._seconds < PROMPT
        seconds = CHECK_INTERVAL * (0.1 if prompt else 1 if self.on_tick is None else 0.4)
        if self._driver is None:
            self._driver = self._open_driver()
        try:
            slice_budget = budget.within(seconds).with_solutions(UNLIMITED)
            self._driver.record(slice_budget, keep=self._keep, prompt=prompt)
            if self.on_tick is not None:
                self.on_tick(self)
            searched = self._writer.state.stats.nodes
            if not budget.expired and (self._writer.finished or searched < budget.nodes):
                return True
            self._driver.settle()
            return False
        finally:
            self._seconds += time.monotonic() - began

    def _end(self) -> None:
        self._over = True
        try:
            if self._driver is not None:
                self._driver.close()
        finally:
            self._driver = None
            self._slice = Pack()
            self._writer.close()
