"""A portfolio of searches: "auto" where any solution will do.

`solve` and `is_unique` begin with the kernel's search in the promised order
(`dlx.analysis.solutions`). If it has no answer after some nodes, others take part, each
from a number of nodes on:

* *certificates*: proofs without a search that there is no solution (`dlx.engines.certificates`);
* a second search of the kernel, whose heuristic "weighted" learns which items fail;
* a search that leaves out subtrees symmetric to earlier ones, if there are enough symmetries
  (`dlx.analysis.symmetry.distinct_engine`), until the first solution is known;
* the SAT engine (`dlx.engines.sat`), if the extra `sat` is installed.

From then on they take turns, and each allowance doubles the work done so far. The first with an
answer ends the search. So a problem that only one of them can solve is solved soon, and one that
only the first can solve takes little more than three times as long as with it alone, or four times
if it has symmetries::

    in order   |--- allowance ---|                                   |---- as much again ----|
    weighted                     |--- allowance ---|                                         |---
    symmetric                                      |--- al. --|
    SAT                                                       |-- al. |

Allowances are nodes and propagations, not seconds, so a run can be repeated exactly.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dlx.core.arguments import UNLIMITED
from dlx.engines.protocols import LearningEngine

if TYPE_CHECKING:
    from dlx.core.kernel import Search as KernelSearch
    from dlx.core.numbering import SearchInput
    from dlx.core.part import Decision
    from dlx.engines.certificates import Certificates
    from dlx.engines.protocols import Engine, RawStats
    from dlx.engines.sat import SatEngine

__all__ = ["Members", "Portfolio", "open_sat_engine"]


def open_sat_engine(
    search_input: SearchInput, options: int, without: Sequence[tuple[Any, ...]]
) -> SatEngine:
    """The SAT engine on the first `options` options of a problem, excluding these solutions."""
    from dlx.engines.sat import SatEngine

    index_of = search_input.table.index_of
    known = [[index_of(name) for name in solution] for solution in without]
    return SatEngine(search_input, options, known)


class Members:
    """What may take part besides the search in order; each is opened when its turn comes.

    after
        For each method, the nodes of the search in order after which it starts.
    open_weighted, open_sat
        Open the search by the heuristic "weighted", and the SAT engine on the same problem without
        the solutions in a list. None if they are not to take part.
    open_symmetric
        Opens a search for one solution that uses symmetries; returns None if they are too few.
    certificates
        The search for a proof that there is no solution; None if there is none.
    share
        Propagations of the SAT solver for each node of the search in order.
    """

    __slots__ = (
        "after",
        "certificates",
        "open_sat",
        "open_symmetric",
        "open_weighted",
        "share",
        "started",
    )

    def __init__(
        self,
        after: Mapping[str, float],
        open_weighted: Callable[[], KernelSearch] | None,
        open_sat: Callable[[Sequence[tuple[Any, ...]]], SatEngine] | None,
        certificates: Certificates | None,
        open_symmetric: Callable[[], Engine | None] | None = None,
        share: float = 0.25,
    ) -> None:
        self.after = after
        self.open_weighted = open_weighted
        self.open_symmetric = open_symmetric
        self.open_sat = open_sat
        self.certificates = certificates
        self.share = share
        self.started: tuple[str, ...] = ()
        """What has taken part, in the order in which it started: see `Stats.helpers`."""


class Portfolio(LearningEngine):
    """The kernel's search up to a number of nodes, then in turns with other engines.

    Solutions come in no particular order. The kernel may find a solution beyond its allowance,
    where its path has no choice. That solution waits for the kernel's next allowance: whether the
    kernel finds it depends on which of its engines runs, and the answer must not.
    """

    __slots__ = (
        "_allowed",
        "_drawn",
        "_found",
        "_known",
        "_limit",
        "_members",
        "_open_members",
        "_own",
        "_refuted",
        "_sat",
        "_symmetric",
        "_weighted",
    )

    def __init__(
        self,
        own: KernelSearch,
        open_members: Callable[[], Members],
        alone: int,
        found: list[tuple[Any, ...]] | None = None,
    ) -> None:
        """`own` may have begun; `found` has its solutions so far, which were handed over.

        It searches the first `alone` nodes alone.
        """
        self._own = own
        self._open_members = open_members
        self._members: Members | None = None  # until the first allowance is used up
        self._limit = alone  # of the nodes of the search in order
        self._allowed = 0  # of the nodes of the weighted search
        self._weighted: KernelSearch | None = None
        self._sat: SatEngine | None = None
        self._symmetric: Engine | None = None
        self._refuted = False  # is there a certificate?
        # Before another engine starts: each list that the kernel appended to, and its length
        # before. After that: all solutions handed over, and those that each engine has found.
        self._drawn: list[tuple[list[tuple[Any, ...]], int]] = [(found, 0)] if found else []
        self._known: dict[frozenset[Any], tuple[Any, ...]] = {}
        self._found: tuple[list[tuple[Any, ...]], ...] = ([], [], [])

    @property
    def finished(self) -> bool:
        """Whether the search is exhausted or closed."""
        if self._refuted or not self.out_of_order:
            return self._refuted or self._own.finished
        engines = (self._own, self._weighted, self._sat)
        return any(
            engine is not None and engine.finished and not found
            for engine, found in zip(engines, self._found, strict=True)
        )

    @property
    def out_of_order(self) -> bool:
        """Whether another engine has started."""
        return not (self._weighted is None and self._symmetric is None and self._sat is None)

    @property
    def helpers(self) -> tuple[str, ...]:
        """What took part besides the search in order."""
        return () if self._members is None else self._members.started

    @property
    def conflicts(self) -> int | None:
        """The number of conflicts of the SAT solver; None if it did not start."""
        return None if self._sat is None else self._sat.conflicts

    @property
    def stats(self) -> RawStats:
        """Nodes, updates, solutions, nodes by depth, seconds of work, of all engines together."""
        nodes, updates, _, profile, seconds = self._own.stats
        if not self.out_of_order:
            found = sum(len(into) - before for into, before in self._drawn)
            return nodes, updates, found, profile, seconds
        for engine in (self._weighted, self._symmetric, self._sat):
            if engine is not None:
                more = engine.stats
                nodes, updates, seconds = nodes + more[0], updates + more[1], seconds + more[4]
        return nodes, updates, len(self._known), profile, seconds

    def draw(
        self, count: int, seconds: float, into: list[tuple[Any, ...]], nodes: int = UNLIMITED
    ) -> None:
        """Appends up to `count` further solutions to a list. `nodes` limits all engines' sum."""
        if count == 0:  # solutions that wait in the kernel; the other engines keep none back
            if not self.out_of_order:
                self._note(into)
                self._own.draw(0, 0.0, into)
            return
        until = time.monotonic() + seconds if seconds >= 0 else 0.0
        before = len(into)
        if self._members is None and self._draw_alone(seconds, into, nodes):
            return  # most searches end here
        if until:
            seconds = max(0.0, until - time.monotonic())
        while not self.finished and len(into) - before < count and self.stats[0] < nodes:
            if self.out_of_order:
                self._draw_together(count - (len(into) - before), seconds, into, nodes)
            elif self._draw_alone(seconds, into, nodes):
                return
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
        """The kernel's position, before another engine starts: see
        `dlx.engines.protocols.TreeEngine`.
        """
        assert not self.out_of_order
        return None if self._refuted else self._own.position()

    def rewind(self) -> None:
        """Closes the search and undoes all changes to the matrix."""
        for engine in (self._own, self._weighted, self._symmetric, self._sat):
            if engine is not None:
                engine.rewind()
        self._found = ([], [], [])

    def _draw_alone(self, seconds: float, into: list[tuple[Any, ...]], nodes: int) -> bool:
        """Appends one more solution of the kernel; False if it uses up its allowance before."""
        before, began, own = len(into), time.monotonic(), self._own
        self._note(into)
        own.draw(1, seconds, into, min(self._limit, nodes))  # at most one may wait
        if len(into) > before or own.finished or own.stats[0] < self._limit:
            return True  # found one, finished, or out of time
        left = seconds if seconds < 0 else max(0.0, began + seconds - time.monotonic())
        self._extend_allowances(left)
        return False

    def _note(self, into: list[tuple[Any, ...]]) -> None:
        """Remembers the list that the kernel is about to append to, and its length."""
        if not self._drawn or self._drawn[-1][0] is not into:
            self._drawn.append((into, len(into)))

    def _draw_together(
        self, count: int, seconds: float, into: list[tuple[Any, ...]], nodes: int
    ) -> None:
        """Runs the engine that has allowance left, until it finds solutions or must stop."""
        weighted, symmetric = self._weighted, self._symmetric
        sat, own = self._sat, self._own
        in_order, from_weighted, from_sat = self._found
        left = nodes - self.stats[0]
        if weighted is not None and weighted.stats[0] < self._allowed:
            most = min(self._allowed, weighted.stats[0] + left)
            weighted.draw(1, seconds, from_weighted, most)
            self._hand_over(from_weighted, into)
        elif symmetric is not None and not self._known and symmetric.stats[0] < self._allowed:
            found: list[tuple[Any, ...]] = []
            symmetric.draw(1, seconds, found, min(self._allowed, symmetric.stats[0] + left))
            self._refuted = symmetric.finished and not found
            self._hand_over(found, into)  # the others go on to further solutions
        elif sat is not None and sat.allowance is not None and sat.stats[1] < sat.allowance:
            sat.draw(count, seconds, from_sat, sat.stats[0] + left)
            self._hand_over(from_sat, into)
        else:
            own.draw(1, seconds, in_order, min(self._limit, own.stats[0] + left))
            if in_order:
                self._hand_over(in_order, into)
            elif not own.finished and own.stats[0] >= self._limit:
                self._extend_allowances(seconds)

    def _hand_over(self, found: list[tuple[Any, ...]], into: list[tuple[Any, ...]]) -> None:
        """Moves the solutions that are not known yet to the caller's list."""
        known = self._known
        new = [one for one in found if frozenset(one) not in known]
        # A signal must not come between remembering a solution and appending it: one call of C.
        into.extend(map(known.setdefault, map(frozenset, new), new))
        found.clear()

    def _extend_allowances(self, seconds: float) -> None:
        """Doubles the kernel's allowance; what is due starts, and runs first."""
        limit = self._limit
        if self._members is None:
            self._members = self._open_members()
        members = self._members
        if self._refute(members, limit, seconds):
            return
        if members.open_weighted is not None and limit >= members.after["weighted"]:
            self._weighted, members.open_weighted = members.open_weighted(), None
            self._remember_solutions(members, "weighted")
        if members.open_symmetric is not None and limit >= members.after["symmetric"]:
            self._start_symmetric(members)
        if members.open_sat is not None and limit >= members.after["sat"]:
            self._start_sat(members)
        if self._sat is not None:
            self._sat.allowance = int(members.share * limit)
        self._allowed = limit
        self._limit = self._next_limit(members, limit)

    def _next_limit(self, members: Members, limit: int) -> int:
        """The next allowance after this one: the first at which anything is due, or the double."""
        due: list[int] = []
        if members.certificates is not None and members.certificates.pending:
            due.append(members.certificates.due)
        waiting = {
            "weighted": members.open_weighted,
            "symmetric": members.open_symmetric,
            "sat": members.open_sat,
        }
        due += [int(members.after[name]) for name, opener in waiting.items() if opener is not None]
        if members.started:
            due.append(2 * limit)
        return max(limit + 1, min(due, default=UNLIMITED))

    def _refute(self, members: Members, limit: int, seconds: float) -> bool:
        """Looks for the certificates that are due; True if there is one."""
        certificates = members.certificates
        if certificates is None:
            return False
        if any(len(into) > before for into, before in self._drawn) or self._known:
            members.certificates = None  # there is a solution
            return False
        while certificates.pending and certificates.due <= limit:
            name = certificates.find(seconds)
            if name is not None:
                members.started += (name,)
                self._refuted = True
                return True
            if seconds >= 0 and certificates.due <= limit:
                break  # the time is up
        return False

    def _start_symmetric(self, members: Members) -> None:
        """Starts the search that uses symmetries, if no solution is known."""
        open_symmetric, members.open_symmetric = members.open_symmetric, None
        assert open_symmetric is not None
        if self._known or any(len(into) > before for into, before in self._drawn):
            return
        symmetric = open_symmetric()
        if symmetric is not None:
            self._remember_solutions(members, "symmetric")
            self._symmetric = symmetric

    def _start_sat(self, members: Members) -> None:
        from dlx.engines.sat import solver_is_installed

        assert members.open_sat is not None
        if solver_is_installed():
            self._remember_solutions(members, "sat")
            self._sat = members.open_sat(list(self._known.values()))
        members.open_sat = None

    def _remember_solutions(self, members: Members, name: str) -> None:
        """Notes what starts now, and the solutions that the kernel has found alone."""
        members.started += (name,)
        for drawn, first in self._drawn:
            self._known.update((frozenset(one), one) for one in drawn[first:])
        self._drawn.clear()
