"""A portfolio of searches: "auto" where any solution will do.

`solve` and `is_unique` begin with the kernel's search in the promised order
(`dlx.analysis.solutions`). If it has no answer after some nodes, others take part, each
from a number of nodes on:

* *certificates*: proofs without a search that there is no solution (`dlx.engines.certificates`);
* a second search of the kernel, whose heuristic "weighted" learns which items fail;
* a search that leaves out subtrees symmetric to earlier ones, if there are enough symmetries
  (`dlx.analysis.symmetry.distinct_engine`), until the first solution is known;
* the SAT engine (`dlx.engines.sat`), if the extra `sat` is installed.

From then on they alternate, and each allowance doubles the work done so far. The first with an
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

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dlx.core.arguments import UNLIMITED
from dlx.core.budget import Budget, make_budget
from dlx.engines.protocols import LearningEngine, hand_over_new, skip_by_running, why_stopped

if TYPE_CHECKING:
    from dlx.core.budget import Reason
    from dlx.core.kernel import Search as KernelSearch
    from dlx.core.numbering import SearchInput
    from dlx.core.part import Decision
    from dlx.core.stats import Stats
    from dlx.engines.certificates import Certificates
    from dlx.engines.protocols import Engine
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
        open_symmetric: Callable[[], Engine | None] | None,
        share: float,
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
    """The kernel's search up to a number of nodes, then alternating with other engines.

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
    def stats(self) -> Stats:
        """The work of all engines together; the profile is that of the search in order."""
        helpers = () if self._members is None else self._members.started
        if not self.out_of_order:
            found = sum(len(into) - before for into, before in self._drawn)
            return self._own.stats._replace(solutions=found, helpers=helpers)
        others = (self._weighted, self._symmetric, self._sat)
        total = self._own.stats.joined_by(one.stats for one in others if one is not None)
        return total._replace(solutions=len(self._known), helpers=helpers)

    def seconds_by_method(self) -> dict[str, float]:
        """The seconds of work of each method that has run, by its name in a plan."""
        engines = {"weighted": self._weighted, "symmetric": self._symmetric, "sat": self._sat}
        others = {name: one.stats.seconds for name, one in engines.items() if one is not None}
        return {"in order": self._own.stats.seconds, **others}

    def run(self, budget: Budget, into: list[tuple[Any, ...]]) -> Reason:
        """Appends further solutions to a list. The budget's nodes are those of all engines."""
        before = len(into)
        if self._members is None:
            reason = self._run_alone(budget, into)
            if reason is not None:
                return reason  # most searches end here
        while not self.finished and self.stats.nodes < budget.nodes:
            wanted = budget.solutions - (len(into) - before)
            if wanted <= 0:
                break
            if self.out_of_order:
                self._run_together(budget.with_solutions(wanted), into)
            elif self._run_alone(budget, into) is not None:
                break
            if budget.expired:
                break
        return why_stopped(self, budget, len(into) - before)

    def take_waiting(self, into: list[tuple[Any, ...]]) -> None:
        """Appends solutions that wait in the kernel; the other engines keep none back."""
        if not self.out_of_order:
            self._note(into)
            self._own.take_waiting(into)

    def skip(self, budget: Budget) -> int:
        """Skips further solutions up to the limits and returns how many it has skipped."""
        return skip_by_running(self, budget)

    def position(self) -> tuple[list[Decision], int] | None:
        """The kernel's position, before another engine starts: see
        `dlx.engines.protocols.TreeEngine`.
        """
        assert not self.out_of_order
        return None if self._refuted else self._own.position()

    def close(self) -> None:
        """Closes the search and undoes all changes to the matrix."""
        for engine in (self._own, self._weighted, self._symmetric, self._sat):
            if engine is not None:
                engine.close()
        self._found = ([], [], [])

    def _run_alone(self, budget: Budget, into: list[tuple[Any, ...]]) -> Reason | None:
        """Appends one more solution of the kernel; None if it uses up its allowance before."""
        own, limit = self._own, self._limit
        self._note(into)
        reason = own.run(make_budget((1, budget.deadline, min(limit, budget.nodes))), into)
        if reason != "nodes" or own.stats.nodes < limit:
            return reason
        self._extend_allowances(budget)
        return None

    def _note(self, into: list[tuple[Any, ...]]) -> None:
        """Remembers the list that the kernel is about to append to, and its length."""
        if not self._drawn or self._drawn[-1][0] is not into:
            self._drawn.append((into, len(into)))

    def _run_together(self, budget: Budget, into: list[tuple[Any, ...]]) -> None:
        """Runs the engine that has allowance left, until it finds solutions or must stop."""
        weighted, symmetric = self._weighted, self._symmetric
        sat, own = self._sat, self._own
        in_order, from_weighted, from_sat = self._found
        left, one = budget.nodes - self.stats.nodes, budget.with_solutions(1)
        allowed = self._allowed
        if weighted is not None and (done := weighted.stats.nodes) < allowed:
            weighted.run(one._replace(nodes=min(allowed, done + left)), from_weighted)
            hand_over_new(from_weighted, self._known, into)
        elif (
            symmetric is not None and not self._known and (done := symmetric.stats.nodes) < allowed
        ):
            found: list[tuple[Any, ...]] = []
            symmetric.run(one._replace(nodes=min(allowed, done + left)), found)
            self._refuted = symmetric.finished and not found
            hand_over_new(found, self._known, into)  # the others continue with further solutions
        elif sat is not None and sat.allowance is not None and sat.stats.updates < sat.allowance:
            sat.run(budget._replace(nodes=sat.stats.nodes + left), from_sat)
            hand_over_new(from_sat, self._known, into)
        else:
            reason = own.run(one._replace(nodes=min(self._limit, own.stats.nodes + left)), in_order)
            if in_order:
                hand_over_new(in_order, self._known, into)
            elif reason == "nodes" and own.stats.nodes >= self._limit:
                self._extend_allowances(budget)

    def _extend_allowances(self, budget: Budget) -> None:
        """Doubles the kernel's allowance; what is due starts, and runs first."""
        limit = self._limit
        if self._members is None:
            self._members = self._open_members()
        members = self._members
        if self._refute(members, limit, budget):
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

    def _refute(self, members: Members, limit: int, budget: Budget) -> bool:
        """Looks for the certificates that are due; True if there is one."""
        certificates = members.certificates
        if certificates is None:
            return False
        if any(len(into) > before for into, before in self._drawn) or self._known:
            members.certificates = None  # there is a solution
            return False
        while certificates.pending and certificates.due <= limit:
            name = certificates.find(budget.seconds_left())
            if name is not None:
                members.started += (name,)
                self._refuted = True
                return True
            if budget.expired:
                break
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
