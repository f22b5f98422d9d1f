"""A portfolio of searches: "auto" where any solution will do.

`solve` and `is_unique` begin with the kernel's search in the promised order
(`dlx.analysis.solutions`). If it has no answer after some nodes, others take part, each
from a number of nodes on:

* *certificates*: proofs without a search that there is no solution (`dlx.engines.certificates`);
* *propagation*, if there are colors: a search that deletes, after each choice, the colors that no
  option of some item supports, and options with them (dlx/cpp/propagation/propagation.hpp);
* *restarts*: searches in random orders, each given up after some nodes (`dlx.engines.restarts`);
* a second search of the kernel, whose heuristic "weighted" learns which items fail;
* a search that leaves out subtrees symmetric to earlier ones, if there are enough symmetries
  (`dlx.analysis.symmetry.distinct_engine`), until the first solution is known;
* the SAT engine (`dlx.engines.sat`), if the extra `sat` is installed.

From then on they alternate, and each allowance doubles the work done so far. The first with an
answer ends the search. So a problem that only one of them can solve is solved soon, and one that
only the first can solve takes little more than four times as long as with it alone, and once more
each if it has symmetries and if it has colors::

    in order   |--- allowance ---|                                   |---- as much again ----|
    restarts                     |--- allowance ---|                                         |---
    weighted                                       |--- allowance ---|

Allowances are nodes, propagations and words of bits, not seconds, so a run can be repeated exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import TYPE_CHECKING, Any

from dlx.core.arguments import UNLIMITED
from dlx.core.budget import Budget, make_budget
from dlx.engines.protocols import LearningEngine, hand_over_new, skip_by_running, why_stopped

if TYPE_CHECKING:
    from dlx.core.budget import Reason
    from dlx.core.kernel import Search as KernelSearch
    from dlx.core.part import Decision
    from dlx.core.stats import Stats
    from dlx.engines.certificates import Certificates
    from dlx.engines.protocols import Engine
    from dlx.engines.sat import SatEngine

__all__ = ["Helper", "Portfolio", "PropagationHelper", "SatHelper"]


class Helper:
    """A search that takes part beside the search in order, once that has searched some nodes.

    name
        Its method in a plan.
    after
        The nodes of the search in order after which it starts.
    opener
        Opens it, or returns None if it cannot help. Takes the solutions known so far, which it need
        not find again.
    allowance
        From the nodes that the search in order has done, the work that it may have done by then:
        nodes, for the SAT engine propagations, for propagation words of bits.
    after_first
        Once a solution is known, it may do that many times what it might have done until then.
    """

    __slots__ = ("after", "after_first", "allowance", "engine", "found", "name", "opener")

    def __init__(
        self,
        name: str,
        after: float,
        opener: Callable[[Sequence[tuple[Any, ...]]], Engine | None],
        *,
        allowance: Callable[[int], int] = int,
        after_first: float = inf,
    ) -> None:
        self.name = name
        self.after = after
        self.opener = opener
        self.allowance = allowance
        self.after_first = after_first
        self.engine: Engine | None = None  # until it starts
        self.found: list[tuple[Any, ...]] = []  # not handed over yet

    @property
    def finished(self) -> bool:
        """Whether it has found all solutions, and they were handed over."""
        engine = self.engine
        if engine is None or not engine.finished or self.found:
            return False
        return self.after_first > 0 or engine.stats.solutions == 0

    @property
    def work(self) -> int:
        """What it has done, in the unit of its allowance."""
        return 0 if self.engine is None else self.engine.stats.nodes

    def run(self, budget: Budget, left: int, allowed: int) -> None:
        """Searches for one more solution, up to `left` more nodes and `allowed` work in all."""
        assert self.engine is not None
        nodes = min(allowed, self.engine.stats.nodes + left)
        self.engine.run(make_budget((1, budget.deadline, nodes)), self.found)


class PropagationHelper(Helper):
    """The engine "propagation" as a helper: its work is in words, since nodes differ widely."""

    __slots__ = ()

    @property
    def work(self) -> int:
        """The words that it has visited; of the SAT engine, its propagations."""
        return 0 if self.engine is None else self.engine.stats.updates

    def run(self, budget: Budget, left: int, allowed: int) -> None:
        """Searches for one more solution, up to `left` more nodes, and about `allowed` work."""
        assert self.engine is not None
        nodes, updates, *_ = self.engine.stats
        fitting = (allowed - updates) * nodes // max(1, updates)
        more = max(1, min(left, nodes, fitting))  # at first, little is known of its nodes
        self.engine.run(make_budget((1, budget.deadline, nodes + more)), self.found)


class SatHelper(PropagationHelper):
    """The SAT engine as a helper: it may take as many decisions as its propagations allow."""

    __slots__ = ()

    engine: SatEngine | None

    def run(self, budget: Budget, left: int, allowed: int) -> None:
        """Searches for solutions, up to `left` more decisions and `allowed` propagations in all."""
        assert self.engine is not None
        self.engine.allowance = allowed
        self.engine.run(budget._replace(nodes=self.engine.stats.nodes + left), self.found)


class Portfolio(LearningEngine):
    """The kernel's search up to a number of nodes, then alternating with other engines.

    Solutions come in no particular order. The kernel may find a solution beyond its allowance,
    where its path has no choice. That solution waits for the kernel's next allowance: whether the
    kernel finds it depends on which of its engines runs, and the answer must not.
    """

    __slots__ = (
        "_allowed",
        "_allowed_for_first",
        "_certificates",
        "_drawn",
        "_found",
        "_helpers",
        "_known",
        "_limit",
        "_open_certificates",
        "_open_helpers",
        "_own",
        "_refuted",
        "_started",
        "_waiting",
    )

    def __init__(
        self,
        own: KernelSearch,
        open_helpers: Callable[[], list[Helper]],
        open_certificates: Callable[[], Certificates],
        alone: int,
        found: list[tuple[Any, ...]] | None = None,
    ) -> None:
        """`own` may have begun; `found` has its solutions so far, which were handed over.

        It searches the first `alone` nodes alone. The helpers stand in the order in which they run.
        """
        self._own = own
        self._open_helpers = open_helpers
        self._open_certificates = open_certificates
        self._waiting: list[Helper] | None = None  # until the first allowance is used up
        self._helpers: list[Helper] = []  # those that have started
        self._certificates: Certificates | None = None
        self._limit = alone  # of the nodes of the search in order
        self._allowed = 0  # the nodes from which the allowances of helpers follow
        self._allowed_for_first = 0  # the same when the first solution was found
        self._started: tuple[str, ...] = ()  # what takes part: see `Stats.helpers`
        self._refuted = False  # is there a certificate?
        # Before another engine starts: each list that the kernel appended to, and its length
        # before. After that: all solutions handed over, and those that the kernel has found.
        self._drawn: list[tuple[list[tuple[Any, ...]], int]] = [(found, 0)] if found else []
        self._known: dict[frozenset[Any], tuple[Any, ...]] = {}
        self._found: list[tuple[Any, ...]] = []

    @property
    def finished(self) -> bool:
        """Whether the search is exhausted or closed."""
        if self._refuted or (self._own.finished and not self._found):
            return True
        return any(helper.finished for helper in self._helpers)

    @property
    def out_of_order(self) -> bool:
        """Whether another engine has started."""
        return bool(self._helpers)

    @property
    def stats(self) -> Stats:
        """The work of all engines together; the profile is that of the search in order."""
        if not self._helpers:
            found = sum(len(into) - before for into, before in self._drawn)
            return self._own.stats._replace(solutions=found, helpers=self._started)
        engines = (helper.engine for helper in self._helpers)
        total = self._own.stats.joined_by(one.stats for one in engines if one is not None)
        return total._replace(solutions=len(self._known), helpers=self._started)

    def seconds_by_method(self) -> dict[str, float]:
        """The seconds of work of each method that has run, by its name in a plan."""
        methods = {"in order": self._own.stats.seconds}
        for helper in self._helpers:
            if helper.engine is not None:
                methods[helper.name] = helper.engine.stats.seconds
        return methods

    def run(self, budget: Budget, into: list[tuple[Any, ...]]) -> Reason:
        """Appends further solutions to a list. The budget's nodes are those of all engines."""
        before = len(into)
        if self._waiting is None:
            reason = self._run_alone(budget, into)
            if reason is not None:
                return reason  # most searches end here
        while not self.finished and self.stats.nodes < budget.nodes:
            wanted = budget.solutions - (len(into) - before)
            if wanted <= 0:
                break
            if self._helpers:
                self._run_together(budget.with_solutions(wanted), into)
            elif self._run_alone(budget, into) is not None:
                break
            if budget.expired:
                break
        return why_stopped(self, budget, len(into) - before)

    def take_waiting(self, into: list[tuple[Any, ...]]) -> None:
        """Appends solutions that wait in the kernel; the other engines keep none back."""
        if not self._helpers:
            self._note(into)
            self._own.take_waiting(into)

    def skip(self, budget: Budget) -> int:
        """Skips further solutions up to the limits and returns how many it has skipped."""
        return skip_by_running(self, budget)

    def position(self) -> tuple[list[Decision], int] | None:
        """The kernel's position, before another engine starts: see
        `dlx.engines.protocols.TreeEngine`.
        """
        assert not self._helpers
        return None if self._refuted else self._own.position()

    def close(self) -> None:
        """Closes the search and undoes all changes to the matrix."""
        self._own.close()
        self._found.clear()
        for helper in self._helpers:
            if helper.engine is not None:
                helper.engine.close()
            helper.found.clear()

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
        own, left = self._own, budget.nodes - self.stats.nodes
        for helper in self._helpers:
            allowed = self._allowed_to(helper)
            if helper.work < allowed:
                helper.run(budget, left, allowed)
                hand_over_new(helper.found, self._known, into)
                return
        nodes = min(self._limit, own.stats.nodes + left)
        reason = own.run(make_budget((1, budget.deadline, nodes)), self._found)
        if self._found:
            hand_over_new(self._found, self._known, into)
        elif reason == "nodes" and own.stats.nodes >= self._limit:
            self._extend_allowances(budget)

    def _allowed_to(self, helper: Helper) -> int:
        """The work that a helper may have done by now."""
        allowed = helper.allowance(self._allowed)
        if not self._known or helper.after_first == inf:
            return allowed
        return min(allowed, int(helper.after_first * helper.allowance(self._allowed_for_first)))

    def _extend_allowances(self, budget: Budget) -> None:
        """Doubles the kernel's allowance; what is due starts, and runs first."""
        limit = self._limit
        if self._waiting is None:
            self._certificates = self._open_certificates()
            self._waiting = self._open_helpers()
        if self._refute(limit, budget):
            return
        for helper in [one for one in self._waiting if one.after <= limit]:
            self._start(helper)
        if not (self._allowed and self._known):
            self._allowed_for_first = limit
        self._allowed = limit
        self._limit = self._next_limit(limit)

    def _next_limit(self, limit: int) -> int:
        """The next allowance after this one: the first at which anything is due, or the double."""
        due = [int(helper.after) for helper in self._waiting or ()]
        if self._certificates is not None and self._certificates.pending:
            due.append(self._certificates.due)
        if self._started:
            due.append(2 * limit)
        return max(limit + 1, min(due, default=UNLIMITED))

    def _is_answered(self) -> bool:
        """Whether a solution is known."""
        return bool(self._known) or any(len(into) > before for into, before in self._drawn)

    def _refute(self, limit: int, budget: Budget) -> bool:
        """Looks for the certificates that are due; True if there is one."""
        certificates = self._certificates
        if certificates is None:
            return False
        if self._is_answered():
            self._certificates = None
            return False
        while certificates.pending and certificates.due <= limit:
            name = certificates.find(budget.seconds_left())
            if name is not None:
                self._started += (name,)
                self._refuted = True
                return True
            if budget.expired:
                break
        return False

    def _start(self, helper: Helper) -> None:
        """Starts a helper that waits, unless it cannot help."""
        assert self._waiting is not None
        self._waiting.remove(helper)
        if not helper.after_first and self._is_answered():
            return
        found = [one for into, before in self._drawn for one in into[before:]]
        helper.engine = helper.opener([*self._known.values(), *found])
        if helper.engine is not None:
            self._known.update((frozenset(one), one) for one in found)
            self._drawn.clear()
            self._started += (helper.name,)
            self._helpers.append(helper)
