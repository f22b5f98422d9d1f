"""`auto` where any solution will do: searching, and learning as well when that takes long.

For one solution, or whether there is just one, the kernel searches up to a number of nodes. If it
has no answer by then, the SAT engine (`dlx.engines.sat`) begins anew, and from then on they take
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

from dlx.core.arguments import UNLIMITED
from dlx.engines.protocols import LearningEngine

if TYPE_CHECKING:
    from dlx.core.kernel import Search as KernelSearch
    from dlx.core.numbering import SearchInput
    from dlx.core.part import Decision
    from dlx.engines.protocols import RawStats
    from dlx.engines.sat import SatEngine

__all__ = ["Learner", "NodeBudget", "Portfolio", "open_sat_engine"]

Learner = Callable[[Sequence[tuple[Any, ...]]], "SatEngine"]
"""Opens the SAT engine on the same question, except for these solutions."""


class NodeBudget:
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


def open_sat_engine(
    asked: SearchInput, options: int, without: Sequence[tuple[Any, ...]]
) -> SatEngine:
    """The SAT engine on the first `options` options of a problem, except for these solutions."""
    from dlx.engines.sat import SatEngine

    known = [[asked.table.index_of(name) for name in solution] for solution in without]
    return SatEngine(asked, options, known)


class Portfolio(LearningEngine):
    """The kernel's search up to a number of nodes, and from then on the SAT engine beside it.

    Solutions come in no order. One that the kernel finds beyond its turn, because it has no choice
    on the way, has to wait for the next: whether it finds it depends on how its engine lays out its
    states, and the answer must not.
    """

    __slots__ = ("_drawn", "_found", "_known", "_learner", "_limit", "_own", "_sat")

    def __init__(self, own: KernelSearch, learner: Learner, entries: int) -> None:
        self._own = own
        self._learner: Learner | None = learner  # None if it is of no use
        self._limit = max(NodeBudget.nodes, NodeBudget.entries * entries)  # of the kernel's nodes
        self._sat: SatEngine | None = None
        # While the kernel is alone, each list it appends to, and where it began. Later, all that
        # was handed over, and what each engine has found.
        self._drawn: list[tuple[list[tuple[Any, ...]], int]] = []
        self._known: dict[frozenset[Any], tuple[Any, ...]] = {}
        self._found: tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]] = ([], [])

    @property
    def finished(self) -> bool:
        """Has everything been searched (or the search been given up)?"""
        mine, sats = self._found
        if self._own.finished:
            return not mine
        return self._sat is not None and self._sat.finished and not sats

    @property
    def conflicts(self) -> int | None:
        """Those of the SAT solver; None if it took no part."""
        return None if self._sat is None else self._sat.conflicts

    @property
    def stats(self) -> RawStats:
        """Nodes, updates, solutions, nodes by depth, seconds of work, of both together."""
        nodes, updates, _, profile, seconds = self._own.stats
        if self._sat is None:
            found = sum(len(into) - before for into, before in self._drawn)
            return nodes, updates, found, profile, seconds
        more = self._sat.stats
        found = len(self._known)
        return nodes + more[0], updates + more[1], found, profile, seconds + more[4]

    def draw(
        self, count: int, seconds: float, into: list[tuple[Any, ...]], nodes: int = UNLIMITED
    ) -> None:
        """Appends up to `count` further solutions to a list. Both engines' `nodes` count."""
        if count == 0:  # what waits, of the kernel alone: the SAT engine lets nothing wait
            if self._sat is None:
                self._note(into)
                self._own.draw(0, 0.0, into)
            return
        if self._sat is None:
            left = self._draw_alone(seconds, into, nodes)
            if left is None:
                return
            seconds = left
        until = time.monotonic() + seconds if seconds >= 0 else 0.0
        before = len(into)
        while not self.finished and len(into) - before < count and self.stats[0] < nodes:
            self._draw_together(count - (len(into) - before), seconds, into, nodes)
            if until:
                seconds = until - time.monotonic()
                if seconds <= 0:
                    return

    def skip(self, count: int, seconds: float, nodes: int = UNLIMITED) -> int:
        """Passes over up to `count` further solutions and returns how many there were."""
        until = time.monotonic() + seconds
        found: list[tuple[Any, ...]] = []
        while not self.finished and len(found) < count and self.stats[0] < nodes:
            self.draw(count - len(found), seconds, found, nodes)
            if seconds >= 0:
                seconds = max(0.0, until - time.monotonic())
                if seconds == 0:
                    break
        return len(found)

    def position(self) -> tuple[list[Decision], int] | None:
        """Where the kernel stands, as long as it is alone: see
        `dlx.engines.registry.TreeEngine`.
        """
        assert self._sat is None
        return self._own.position()

    def rewind(self) -> None:
        """Gives the search up and undoes all it has done."""
        self._own.rewind()
        if self._sat is not None:
            self._sat.rewind()
        self._found = ([], [])

    def _draw_alone(self, seconds: float, into: list[tuple[Any, ...]], nodes: int) -> float | None:
        """Appends one more, by the kernel alone. If that comes to its limit and is joined by SAT,
        returns the seconds that are left, else None.
        """
        before, began, own = len(into), time.monotonic(), self._own
        self._note(into)
        own.draw(1, seconds, into, min(self._limit, nodes))  # it can keep but one for later
        if len(into) > before or own.finished or own.stats[0] < self._limit:
            return None  # found, over, or out of time
        self._take_turns()
        left = seconds if seconds < 0 else max(0.0, began + seconds - time.monotonic())
        if self._sat is not None:
            return left
        own.draw(1, left, into, min(self._limit, nodes))
        return None

    def _note(self, into: list[tuple[Any, ...]]) -> None:
        """Remembers where the kernel appends, before it does."""
        if not self._drawn or self._drawn[-1][0] is not into:
            self._drawn.append((into, len(into)))

    def _draw_together(
        self, count: int, seconds: float, into: list[tuple[Any, ...]], nodes: int
    ) -> None:
        """Goes on with whose turn it is, until something is found, the turn or the time is over."""
        sat, own, (mine, sats) = self._sat, self._own, self._found
        assert sat is not None
        if sat.allowance is not None and sat.stats[1] < sat.allowance:
            sat.draw(count, seconds, sats, nodes - own.stats[0])
            self._hand_over(sats, into)
            return
        own.draw(1, seconds, mine, min(self._limit, nodes - sat.stats[0]))
        if mine:
            self._hand_over(mine, into)
        elif not own.finished and own.stats[0] >= self._limit:
            self._take_turns()

    def _hand_over(self, found: list[tuple[Any, ...]], into: list[tuple[Any, ...]]) -> None:
        """Moves what is new to the caller's list."""
        known = self._known
        new = [one for one in found if frozenset(one) not in known]
        # They must be known and handed over, or neither, wherever a signal strikes: one call of C.
        into.extend(map(known.setdefault, map(frozenset, new), new))
        found.clear()

    def _take_turns(self) -> None:
        """The kernel's turn is over: the next goes twice as far, after one of the SAT engine."""
        from dlx.engines.sat import solver_is_installed

        if self._sat is None and self._learner is not None and solver_is_installed():
            for drawn, first in self._drawn:
                self._known.update((frozenset(one), one) for one in drawn[first:])
            self._sat = self._learner(list(self._known.values()))
        self._learner = None
        if self._sat is None:
            self._limit = UNLIMITED
        else:
            self._sat.allowance = int(NodeBudget.share * self._limit)
            self._limit *= 2
