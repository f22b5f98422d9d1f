"""`auto` where any solution will do: a search that turns to the SAT solver when it takes long.

For one solution, or whether there is just one, the kernel searches up to a number of nodes; if it
has no answer by then, `dlx.sat_engine` begins anew. It goes by nodes, not by the clock: the same
question is answered the same way every time. Where the extra `sat` is not installed, the kernel
simply goes on.
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

__all__ = ["BUDGET", "Learner", "Turning", "open_learner"]

BUDGET = 200_000
"""Nodes of its own that `auto` searches before it turns (docs/searching-or-learning.md says why)."""

NO_BUDGET = 2**63

Learner = Callable[[Sequence[tuple[Any, ...]]], "SatEngine"]
"""Opens the SAT engine on the same question, except for these solutions."""


def open_learner(table: Table, prepared: Prepared, given: list[int]) -> Learner:
    """A learner for the problem as it is now."""
    options, names = len(table), table.names

    def learner(without: Sequence[tuple[Any, ...]]) -> SatEngine:
        from dlx.sat_engine import SatEngine

        known = [[table.index_of(name) for name in solution] for solution in without]
        return SatEngine(table, prepared, options, given, names, known)

    return learner


class Turning:
    """The kernel's search up to a number of nodes, and the SAT engine from then on.

    Once a solution has been drawn from it, it keeps to the kernel: those that follow have an order.
    A solution that the kernel found beyond the budget, because it had no choice on the way, is
    dropped, for whether that happens depends on how its engine lays its states out.
    """

    __slots__ = ("_before", "_budget", "_current", "_known", "_learner", "_own", "_sat")

    def __init__(self, own: KernelSearch, learner: Learner, budget: int = BUDGET) -> None:
        self._own = own
        self._current: Engine = own
        self._learner = learner
        self._budget = budget
        self._known: list[tuple[Any, ...]] = []  # what `skip` has passed over
        self._sat: SatEngine | None = None
        self._before: RawStats = (0, 0, 0, [], 0.0)  # of the kernel's search, once it is over

    @property
    def finished(self) -> bool:
        """Has everything been searched (or the search been given up)?"""
        return self._current.finished

    @property
    def conflicts(self) -> int | None:
        """Those of the SAT solver; None if it took no part."""
        return None if self._sat is None else self._sat.conflicts

    @property
    def stats(self) -> RawStats:
        """Nodes, updates, solutions, nodes by depth, seconds of work, of both together."""
        if self._sat is None:
            return self._own.stats
        nodes, updates, solutions, profile, seconds = self._before
        more = self._sat.stats
        return nodes + more[0], updates + more[1], solutions + more[2], profile, seconds + more[4]

    def draw(self, count: int, seconds: float, into: list[tuple[Any, ...]]) -> None:
        """Appends up to `count` further solutions to a list."""
        before = len(into)
        left = self._search_alone(count, seconds, into)
        if self._sat is not None:
            self._sat.draw(count, left, into)
        elif len(into) > before:
            self._budget = NO_BUDGET

    def skip(self, count: int, seconds: float) -> int:
        """Passes over up to `count` further solutions and returns how many there were."""
        before = len(self._known)
        while self._sat is None and not self._own.finished:
            wanted = count - (len(self._known) - before)
            if wanted == 0 or seconds == 0:
                break
            seconds = self._search_alone(wanted, seconds, self._known)
        passed = len(self._known) - before
        if self._sat is not None and passed < count:
            passed += self._sat.skip(count - passed, seconds)
        return passed

    def rewind(self) -> None:
        """Gives the search up and undoes all it has done."""
        self._current.rewind()

    def _search_alone(self, count: int, seconds: float, into: list[tuple[Any, ...]]) -> float:
        """Searches on with the kernel, unless it is over; turns; returns the seconds then left."""
        if self._sat is not None:
            return seconds
        own, before, began = self._own, len(into), time.monotonic()
        own.draw(count, seconds, into, self._budget)
        left = seconds if seconds < 0 else max(0.0, seconds - (time.monotonic() - began))
        done = own.finished or len(into) > before
        nodes = own.stats[0]
        if nodes > self._budget or (nodes == self._budget and not done):
            if self._turn(into, before):
                return left
            self._budget = NO_BUDGET
            if not done:
                return self._search_alone(count, left, into)
        return left

    def _turn(self, into: list[tuple[Any, ...]], before: int) -> bool:
        """Goes over to the SAT engine, if it is there."""
        from dlx.sat_engine import solver_is_installed

        if not solver_is_installed():
            return False
        del into[before:]
        nodes, updates, _, profile, seconds = self._own.stats
        self._before = (nodes, updates, len(self._known), profile, seconds)
        sat = self._learner(self._known)
        self._own.rewind()
        self._current = self._sat = sat
        return True
