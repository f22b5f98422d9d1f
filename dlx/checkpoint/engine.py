"""The engine of a search with a journal: what `checkpoint=` makes.

Every solution that the search finds goes into the journal first. The caller gets it from there, in
visiting order::

    draw  <-  journal:  slice slice | part  slice  part          what is before the first part that
                 ^                    |                          is left can be handed over; if that
                 `--- done() --- driver (its workers)            is nothing, the driver goes on

So it makes no difference which run found a solution. Solutions that wait for parts before them wait
on the disk, not in memory.
"""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from dlx.core.arguments import UNLIMITED
from dlx.core.kernel import Pack
from dlx.engines.protocols import NO_STATS, ManagedEngine
from dlx.errors import JournalError
from dlx.parallel.results import WorkResult

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from dlx.checkpoint.writer import Writer
    from dlx.core.part import Part
    from dlx.engines.protocols import RawStats

__all__ = ["BackgroundSearch", "JournalEngine"]

LARGEST_BATCH = 4096
PROMPT = 0.1  # seconds of work at the beginning, in which every solution comes at once
CHECK_INTERVAL = 0.25  # seconds of work, after that, between two checks for new solutions


class BackgroundSearch(Protocol):
    """A search that works for as long as its caller says: `dlx.parallel.driver.Driver`."""

    def work(self, seconds: float, *, keep: bool, hurry: bool, nodes: int) -> None:
        """Works for some seconds, or until all runs have searched `nodes` nodes.

        All results go to the recorder. `keep`: with their solutions, not only their number.
        `hurry`: a worker comes back as soon as it has found solutions.
        """

    def settle(self) -> None:
        """Stops working, and records what was found so far."""

    def rewind(self) -> None:
        """Gives the search up."""


class JournalEngine(ManagedEngine):
    """The engine (see `dlx.engines.protocols.Engine`) that goes on with a journal.

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
    def stats(self) -> RawStats:
        """The work of all runs; the solutions drawn from this engine; the seconds of this run."""
        nodes, updates, _, profile, _ = self._writer.state.stats
        # Not a counter: a signal may come between taking solutions and counting them.
        drawn = self._loaded - len(self._slice) + self._counted
        return nodes, updates, drawn, profile, self._seconds

    def draw(
        self,
        count: int,
        seconds: float,
        into: list[tuple[Any, ...]],
        nodes: int = UNLIMITED,
    ) -> None:
        """Appends up to `count` further solutions to a list, in visiting order."""
        until = _deadline(seconds)
        while not self._over:
            if len(self._slice):
                self._slice.take(count, self._names, into)
                break
            finished = self._writer.finished  # read before the last slices are
            if self._load():
                continue
            if finished:
                self._end()
            elif not self._go_on(until, nodes) and not self._load():  # solutions of the last moment
                break

    def skip(self, count: int, seconds: float, nodes: int = UNLIMITED) -> int:
        """Passes over up to `count` further solutions and returns how many there were."""
        if self._keep:
            return self._skip_kept(count, seconds, nodes)
        until = _deadline(seconds)
        before = self._counted
        while not self._over:
            finished = self._writer.finished  # read before the number of solutions is
            left = count - (self._counted - before)
            known = self._writer.state.stats[2] - self._counted
            self._counted += min(left, known)
            if known >= left:
                break
            if finished:
                self._end()
            elif not self._go_on(until, nodes):
                until = time.monotonic()  # once more, for solutions of the last moment
                if self._writer.state.stats[2] == self._counted:
                    break
        return self._counted - before

    def parts_left(self) -> list[Part]:
        """What is left to be searched, in visiting order, as the journal says."""
        return self._writer.parts_left()

    def rewind(self) -> None:
        """Stops the search, and closes the journal with all that was recorded."""
        self._end()

    def end_refuted(self) -> None:
        """Stops the search, and records that nothing is left: there is no solution."""
        if self._driver is not None:
            self._driver.rewind()
        for part in self._writer.parts_left():
            self._writer.done(part, WorkResult(0, None, NO_STATS, ()))
        self._end()

    def __del__(self) -> None:
        if not getattr(self, "_over", True):
            with suppress(JournalError):
                self._end()

    # -- within ------------------------------------------------------------------------------------

    def _skip_kept(self, count: int, seconds: float, nodes: int) -> int:
        until = _deadline(seconds)
        passed = 0
        while passed < count and not self._over:
            batch: list[tuple[Any, ...]] = []
            left = -1.0 if until is None else max(0.0, until - time.monotonic())
            self.draw(min(count - passed, LARGEST_BATCH), left, batch, nodes)
            passed += len(batch)
            if not batch:
                break
        return passed

    def _load(self) -> bool:
        """Reads the next slice from the journal; False if none can be handed over yet."""
        row = self._writer.next_slice(self._sort_key)
        if row is None:
            return False
        sort_key, pack = row
        loaded = self._loaded + len(pack)
        self._slice, self._sort_key, self._loaded = pack, sort_key, loaded
        return True

    def _go_on(self, until: float | None, nodes: int) -> bool:
        """Lets the search work for a while. False if it has reached a limit."""
        began = time.monotonic()
        hurry = self._seconds < PROMPT
        seconds = CHECK_INTERVAL * (0.1 if hurry else 1 if self.on_tick is None else 0.4)
        if until is not None:
            seconds = max(0.0, min(seconds, until - began))
        if self._driver is None:
            self._driver = self._open_driver()
        try:
            self._driver.work(seconds, keep=self._keep, hurry=hurry, nodes=nodes)
            if self.on_tick is not None:
                self.on_tick(self)
            on_time = until is None or time.monotonic() < until
            if on_time and (self._writer.finished or self._writer.state.stats[0] < nodes):
                return True
            self._driver.settle()
            return False
        finally:
            self._seconds += time.monotonic() - began

    def _end(self) -> None:
        self._over = True
        try:
            if self._driver is not None:
                self._driver.rewind()
        finally:
            self._driver = None
            self._slice = Pack()
            self._writer.close()


def _deadline(seconds: float) -> float | None:
    return None if seconds < 0 else time.monotonic() + seconds
