"""`auto` where any solution will do: searching, and learning as well when that takes long.

For one solution, or whether there is just one, the kernel searches up to a number of nodes. If it
has no answer by then, the SAT engine (`dlx.sat_engine`) begins anew, and from then on they take
turns, each going as far again as it has gone: whichever is the first to know ends it. So a question
that only learning can answer is answered soon, and one that only searching can answer takes little
more than twice as long as it would::

    kernel   |----- budget ----|                |---- as much again ----|              |--- ...
    SAT                        |----- turn -----|                       |--- again ----|

All this goes by nodes and propagations, not by the clock: the same question is answered in the same
way every time. Where the extra `sat` is not installed, the kernel simply goes on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dlx.engines import Engine, RawStats
    from dlx.kernel import Search as KernelSearch
    from dlx.prepared import Prepared
    from dlx.sat_engine import SatEngine
    from dlx.table import Table

__all__ = ["Budget", "Learner", "Turning", "open_learner"]

Learner = Callable[[Sequence[tuple[Any, ...]]], "SatEngine"]
"""Opens the SAT engine on the same question, except for these solutions."""

NO_LIMIT = 2**63


class Budget:
    """When `auto` turns; docs/searching-or-learning.md has the measurements.

    nodes, entries
        The kernel searches so many nodes alone, or so many for each entry of the problem if that is
        more: clauses for a large problem take their time.
    share
        Propagations of the SAT solver for each node of the kernel.
    """

    nodes = 500_000
    entries = 5
    share = 0.25


def open_learner(table: Table, prepared: Prepared, given: list[int]) -> Learner:
    """A learner for the problem as it is now."""
    options, names = len(table), table.names

    def learner(without: Sequence[tuple[Any, ...]]) -> SatEngine:
        from dlx.sat_engine import SatEngine

        known = [[table.index_of(name) for name in solution] for solution in without]
        return SatEngine(table, prepared, options, given, names, known)

    return learner


class Turning:
    """The kernel's search up to a number of nodes, and from then on the SAT engine beside it.

    Solutions come in no order. One that the kernel found beyond its turn, because it had no choice
    on the way, has to wait for the next: whether it finds it depends on how its engine lays out its
    states, and the answer must not.
    """

    __slots__ = ("_known", "_learner", "_limit", "_mine", "_own", "_sat", "_sats")

    def __init__(self, own: KernelSearch, learner: Learner, entries: int) -> None:
        self._own = own
        self._learner: Learner | None = learner  # None once it is opened, or cannot be
        self._sat: SatEngine | None = None
        self._limit = max(Budget.nodes, Budget.entries * entries)  # of the kernel's nodes
        self._mine: list[tuple[Any, ...]] = []  # solutions found by either, not yet handed over
        self._sats: list[tuple[Any, ...]] = []
        self._known: dict[frozenset[Any], tuple[Any, ...]] = {}  # those that were

    @property
    def finished(self) -> bool:
        """Has everything been searched (or the search been given up)?"""
        if self._own.finished:
            return not self._mine
        return self._sat is not None and self._sat.finished and not self._sats

    @property
    def conflicts(self) -> int | None:
        """Those of the SAT solver; None if it took no part."""
        return None if self._sat is None else self._sat.conflicts

    @property
    def stats(self) -> RawStats:
        """Nodes, updates, solutions, nodes by depth, seconds of work, of both together."""
        nodes, updates, _, profile, seconds = self._own.stats
        found = len(self._known)
        if self._sat is None:
            return nodes, updates, found, profile, seconds
        more = self._sat.stats
        return nodes + more[0], updates + more[1], found, profile, seconds + more[4]

    def draw(self, count: int, seconds: float, into: list[tuple[Any, ...]]) -> None:
        """Appends up to `count` further solutions to a list."""
        until = time.monotonic() + seconds if seconds >= 0 else 0.0
        before = len(into)
        while True:
            self._advance(count - (len(into) - before), seconds, into)
            if len(into) - before == count or self.finished:
                return
            if until:
                seconds = until - time.monotonic()
                if seconds <= 0:
                    return

    def skip(self, count: int, seconds: float) -> int:
        """Passes over up to `count` further solutions and returns how many there were."""
        found: list[tuple[Any, ...]] = []
        self.draw(count, seconds, found)
        return len(found)

    def rewind(self) -> None:
        """Gives the search up and undoes all it has done."""
        self._own.rewind()
        if self._sat is not None:
            self._sat.rewind()
        self._mine.clear()
        self._sats.clear()

    def _advance(self, count: int, seconds: float, into: list[tuple[Any, ...]]) -> None:
        """Goes on with whose turn it is, until something is found, the turn or the time is over."""
        sat = self._sat
        if sat is not None and sat.allowance is not None and sat.stats[1] < sat.allowance:
            sat.draw(count, seconds, self._sats)
            self._hand_over(self._sats, into)
            return
        own = self._own
        if not self._mine:
            own.draw(count, seconds, self._mine, self._limit)
        nodes = own.stats[0]
        if self._mine and (nodes <= self._limit or own.finished):
            self._hand_over(self._mine, into)
        elif nodes >= self._limit and not own.finished:
            self._take_turns()

    def _hand_over(self, found: list[tuple[Any, ...]], into: list[tuple[Any, ...]]) -> None:
        """Moves what is new to the caller's list."""
        known = self._known
        new = [one for one in found if frozenset(one) not in known] if known else found
        # They must be known and handed over, or neither, wherever a signal strikes: one call of C.
        into.extend(map(known.setdefault, map(frozenset, new), new))
        found.clear()

    def _take_turns(self) -> None:
        """The kernel's turn is over: the next goes twice as far, after one of the SAT engine."""
        learner, self._learner = self._learner, None
        if learner is not None:
            from dlx.sat_engine import solver_is_installed

            if solver_is_installed():
                self._sat = learner(list(self._known.values()))
        if self._sat is None:
            self._limit = NO_LIMIT
        else:
            self._sat.allowance = int(Budget.share * self._limit)
            self._limit *= 2
