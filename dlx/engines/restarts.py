"""Restarts: searches in random orders, each given up after some nodes.

A search by backtracking may take a wrong turn near its root, and then visits a huge subtree without
a solution, while most other orders lead to one at once: the times of such searches have a heavy
tail (C. P. Gomes, B. Selman, N. Crato, H. Kautz, Journal of Automated Reasoning 24, 2000). In the
order of declaration, 140 million nodes are too few for 100 queens; in most others, 110 are enough.

Each try shuffles items and options, so that ties and branches fall differently, and is given up
after `unit` times the next term of Luby's sequence 1, 1, 2, 1, 1, 2, 4, ... in nodes. Without
knowledge of how those times are distributed, no other sequence is better by more than a constant
factor (M. Luby, A. Sinclair, D. Zuckerman, Information Processing Letters 47, 1993; "reluctant
doubling" in TAOCP 7.2.2.2). Its terms have no bound, so some try is a complete search.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from dlx.core.kernel import Search as KernelSearch
from dlx.core.stats import NO_STATS, Stats
from dlx.engines.protocols import skip_by_running, why_stopped

if TYPE_CHECKING:
    from collections.abc import Hashable

    from dlx.core.budget import Budget, Reason
    from dlx.core.kernel import Problem as KernelProblem

__all__ = ["Restarts"]


class Restarts:
    """An engine that finds solutions in no order, by tries in random orders.

    A try that is not given up has visited all solutions, and ends the search. Solutions may come
    again in later tries.
    """

    __slots__ = (
        *("_before", "_given", "_heuristic", "_limit", "_luby", "_names", "_problem", "_seed"),
        *("_try", "_unit", "finished"),
    )

    def __init__(
        self,
        problem: KernelProblem,
        given: list[int],
        names: list[Hashable] | None,
        heuristic: str,
        seed: int,
        unit: int,
    ) -> None:
        """The tries have seeds from this one on; `unit` is the nodes of the shortest."""
        self._problem = problem
        self._given = given
        self._names = names
        self._heuristic = heuristic
        self._seed = seed
        self._unit = unit
        self._luby = 1, 1  # a counter, and the term: "reluctant doubling"
        self._before = NO_STATS  # of the tries that were given up
        self._try: KernelSearch | None = None
        self._limit = 0  # nodes of that try
        self.finished = False

    @property
    def stats(self) -> Stats:
        """The work of all tries; no profile."""
        if self._try is None:
            return self._before
        nodes, updates, found, _, seconds, *_ = self._try.stats
        before = self._before
        return Stats(
            before.nodes + nodes,
            before.updates + updates,
            before.solutions + found,
            (),
            before.seconds + seconds,
        )

    def run(self, budget: Budget, into: list[tuple[Any, ...]]) -> Reason:
        """Appends further solutions to a list."""
        before = len(into)
        while not self.finished and len(into) == before:
            left = budget.nodes - self.stats.nodes
            if left <= 0:
                break
            search = self._try or self._next_try()
            done = search.stats.nodes
            search.run(budget._replace(nodes=min(self._limit, done + left)), into)
            if search.finished:
                self.finished = True
            elif search.stats.nodes >= self._limit:
                search.take_waiting(into)
                self._give_up(search)
            if budget.expired:
                break
        return why_stopped(self, budget, len(into) - before)

    def take_waiting(self, into: list[tuple[Any, ...]]) -> None:
        """Appends a solution found beyond the limits of a run."""
        if self._try is not None:
            self._try.take_waiting(into)

    def skip(self, budget: Budget) -> int:
        """Skips further solutions up to the limits and returns how many it has skipped."""
        return skip_by_running(self, budget)

    def close(self) -> None:
        """Ends the search."""
        self.finished = True
        if self._try is not None:
            self._give_up(self._try)

    def next_limit(self) -> int:
        """The nodes of the next try; each call advances the sequence."""
        counter, term = self._luby
        self._luby = (counter + 1, 1) if counter & -counter == term else (counter, 2 * term)
        return self._unit * term

    def _next_try(self) -> KernelSearch:
        self._limit = self.next_limit()
        self._seed += 1
        began = time.monotonic()
        problem = self._problem.shuffled(self._seed % 2**64)
        self._try = KernelSearch(problem, self._given, self._names, "auto", self._heuristic)
        spent = self._before.seconds + time.monotonic() - began  # is work like any other
        self._before = self._before._replace(seconds=spent)
        return self._try

    def _give_up(self, search: KernelSearch) -> None:
        self._before, self._try = self.stats, None
        search.close()
