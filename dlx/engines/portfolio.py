"""A portfolio of the kernel and the SAT engine: "auto" where any solution will do.

For `solve` and `is_unique` the kernel searches up to a number of nodes. If it has no answer by
then, the SAT engine (`dlx.engines.sat`) starts on the same problem. From then on the two alternate,
and each allowance doubles the work done so far. The first engine with an answer ends the search. So
a problem that only clause learning can solve is solved soon, and one that only backtracking can
solve takes little more than twice as long as with the kernel alone::

    kernel   |--- allowance ---|                |---- as much again ----|              |--- ...
    SAT                        |-- allowance ---|                       |--- again ----|

Allowances are nodes and propagations, not seconds, so a run can be repeated exactly. Without the
extra `sat`, the kernel continues alone.
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

__all__ = ["NodeBudget", "OpenSat", "Portfolio", "open_sat_engine"]

OpenSat = Callable[[Sequence[tuple[Any, ...]]], "SatEngine"]
"""Opens the SAT engine on the same problem, with these solutions excluded."""


class NodeBudget:
    """The allowances of the two engines; docs/searching-or-learning.md has the measurements.

    nodes, entries
        The kernel first searches `nodes` nodes alone, or `entries` nodes for each entry of the
        problem if that is more: building the clauses of a large problem takes long.
    share
        Propagations of the SAT solver for each node of the kernel.
    """

    nodes = 500_000
    entries = 5
    share = 0.25


def open_sat_engine(
    search_input: SearchInput, options: int, without: Sequence[tuple[Any, ...]]
) -> SatEngine:
    """The SAT engine on the first `options` options of a problem, excluding these solutions."""
    from dlx.engines.sat import SatEngine

    index_of = search_input.table.index_of
    known = [[index_of(name) for name in solution] for solution in without]
    return SatEngine(search_input, options, known)


class Portfolio(LearningEngine):
    """The kernel's search up to a number of nodes, then alternating with the SAT engine.

    Solutions come in no particular order. The kernel may find a solution beyond its allowance,
    where its path has no choice. That solution waits for the kernel's next allowance: whether the
    kernel finds it depends on which of its engines runs, and the answer must not.
    """

    __slots__ = ("_drawn", "_found", "_known", "_limit", "_open_sat", "_own", "_sat")

    def __init__(self, own: KernelSearch, open_sat: OpenSat, entries: int) -> None:
        self._own = own
        self._open_sat: OpenSat | None = open_sat  # None once it was called, or cannot be
        self._limit = max(NodeBudget.nodes, NodeBudget.entries * entries)  # of the kernel's nodes
        self._sat: SatEngine | None = None
        # Before the SAT engine starts: each list that the kernel appended to, and its length
        # before. After that: all solutions handed over, and those that each engine has found.
        self._drawn: list[tuple[list[tuple[Any, ...]], int]] = []
        self._known: dict[frozenset[Any], tuple[Any, ...]] = {}
        self._found: tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]] = ([], [])

    @property
    def finished(self) -> bool:
        """Is the search exhausted or closed?"""
        from_kernel, from_sat = self._found
        if self._own.finished:
            return not from_kernel
        return self._sat is not None and self._sat.finished and not from_sat

    @property
    def conflicts(self) -> int | None:
        """The number of conflicts of the SAT solver; None if it did not start."""
        return None if self._sat is None else self._sat.conflicts

    @property
    def stats(self) -> RawStats:
        """Nodes, updates, solutions, nodes by depth, seconds of work, of both engines together."""
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
        """Appends up to `count` further solutions to a list. `nodes` limits both engines' sum."""
        if count == 0:  # solutions that wait in the kernel; the SAT engine keeps none back
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
        """Skips up to `count` further solutions and returns how many it has skipped."""
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
        """The kernel's position, before the SAT engine starts: see
        `dlx.engines.protocols.TreeEngine`.
        """
        assert self._sat is None
        return self._own.position()

    def rewind(self) -> None:
        """Closes the search and undoes all changes to the matrix."""
        self._own.rewind()
        if self._sat is not None:
            self._sat.rewind()
        self._found = ([], [])

    def _draw_alone(self, seconds: float, into: list[tuple[Any, ...]], nodes: int) -> float | None:
        """Appends one more solution of the kernel. None, or, if the kernel has used up its
        allowance and the SAT engine has started, the seconds that are left.
        """
        before, began, own = len(into), time.monotonic(), self._own
        self._note(into)
        own.draw(1, seconds, into, min(self._limit, nodes))  # at most one may wait
        if len(into) > before or own.finished or own.stats[0] < self._limit:
            return None  # found one, finished, or out of time
        self._extend_allowances()
        left = seconds if seconds < 0 else max(0.0, began + seconds - time.monotonic())
        if self._sat is not None:
            return left
        own.draw(1, left, into, min(self._limit, nodes))
        return None

    def _note(self, into: list[tuple[Any, ...]]) -> None:
        """Remembers the list that the kernel is about to append to, and its length."""
        if not self._drawn or self._drawn[-1][0] is not into:
            self._drawn.append((into, len(into)))

    def _draw_together(
        self, count: int, seconds: float, into: list[tuple[Any, ...]], nodes: int
    ) -> None:
        """Runs the engine that has allowance left, until it finds solutions or must stop."""
        sat, own, (from_kernel, from_sat) = self._sat, self._own, self._found
        assert sat is not None
        if sat.allowance is not None and sat.stats[1] < sat.allowance:
            sat.draw(count, seconds, from_sat, nodes - own.stats[0])
            self._hand_over(from_sat, into)
            return
        own.draw(1, seconds, from_kernel, min(self._limit, nodes - sat.stats[0]))
        if from_kernel:
            self._hand_over(from_kernel, into)
        elif not own.finished and own.stats[0] >= self._limit:
            self._extend_allowances()

    def _hand_over(self, found: list[tuple[Any, ...]], into: list[tuple[Any, ...]]) -> None:
        """Moves the solutions that are not known yet to the caller's list."""
        known = self._known
        new = [one for one in found if frozenset(one) not in known]
        # A signal must not come between remembering a solution and appending it: one call of C.
        into.extend(map(known.setdefault, map(frozenset, new), new))
        found.clear()

    def _extend_allowances(self) -> None:
        """Doubles the kernel's allowance; the SAT engine, started if needed, runs first."""
        from dlx.engines.sat import solver_is_installed

        if self._sat is None and self._open_sat is not None and solver_is_installed():
            for drawn, first in self._drawn:
                self._known.update((frozenset(one), one) for one in drawn[first:])
            self._sat = self._open_sat(list(self._known.values()))
        self._open_sat = None
        if self._sat is None:
            self._limit = UNLIMITED
        else:
            self._sat.allowance = int(NodeBudget.share * self._limit)
            self._limit *= 2
