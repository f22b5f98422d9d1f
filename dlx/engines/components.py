"""A search in order that goes over to the independent parts of a problem.

A problem may fall into parts that have no item in common. A search backtracks through all solutions
of one part before it finds out that another has none: 40 items with two options each, beside a part
without a solution, take 2^40 nodes. So where one or two solutions are enough (`solve`, `is_unique`,
a count up to 2), each part is searched by itself after some nodes, alternating, with doubled
allowances. The first solution in order consists of the first solutions of the parts.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from dlx.core.arguments import UNLIMITED
from dlx.core.budget import Budget, make_budget
from dlx.core.kernel import Search as KernelSearch
from dlx.engines.protocols import LearningEngine, why_stopped

if TYPE_CHECKING:
    from dlx.core.budget import Reason
    from dlx.core.numbering import SearchInput
    from dlx.core.part import Decision
    from dlx.core.stats import Stats

__all__ = ["ComponentSearch"]

MOST_PARTS = 1000
"""The most parts that are searched alternately; a problem with more is not divided."""


class _Component:
    """A part of the problem, its search, and the solutions found."""

    __slots__ = ("found", "options", "search")

    def __init__(self, search: KernelSearch, options: list[int]) -> None:
        self.search = search
        self.options = options
        """The index in the whole problem of each option."""
        self.found: list[tuple[int, ...]] = []

    def is_done(self, wanted: int) -> bool:
        return len(self.found) >= wanted or self.search.finished


class ComponentSearch(LearningEngine):
    """The engine "links" or "bits" where at most two solutions will be drawn."""

    __slots__ = (
        "_ahead",
        "_components",
        "_ended",
        "_first",
        "_given",
        "_known",
        "_name",
        "_names",
        "_own",
        "_problem",
    )

    def __init__(self, own: KernelSearch, search_input: SearchInput, name: str, alone: int) -> None:
        """`own` is the search of the whole problem by the engine of this name.

        It searches the first `alone` nodes alone.
        """
        self._own = own
        self._name = name
        self._problem = search_input.numbered.problem
        self._given = search_input.given
        self._first = alone
        self._names = search_input.table.names
        self._components: list[_Component] | None = None  # empty: the problem is one part
        self._known: tuple[Any, ...] | None = None  # the solution found by the parts
        self._ahead = 0  # solutions that the parts have found, and `_own` has not
        self._ended = False  # have the parts shown that there are no more?

    @property
    def finished(self) -> bool:
        """Whether the search is exhausted or closed."""
        return self._ended or self._own.finished

    @property
    def out_of_order(self) -> bool:
        """Whether the parts are searched one by one."""
        return bool(self._components)

    @property
    def stats(self) -> Stats:
        """The work of all searches together; the profile is that of the undivided search."""
        own = self._own.stats
        if not self._components:
            return own
        total = own.joined_by(component.search.stats for component in self._components)
        return total._replace(solutions=own.solutions + self._ahead, helpers=("parts",))

    def seconds_by_method(self) -> dict[str, float]:
        """The seconds of work of each method that has run, by its name in a plan."""
        parts = sum(one.search.stats.seconds for one in self._components or ())
        return {"in order": self._own.stats.seconds, "parts": parts}

    def run(self, budget: Budget, into: list[tuple[Any, ...]]) -> Reason:
        """Appends the next solution to a list."""
        before, own = len(into), self._own
        _, deadline, nodes = budget
        if self._components is None:
            reason = own.run(make_budget((1, deadline, min(nodes, self._first))), into)
            if reason != "nodes" or own.stats.nodes < self._first:
                return reason
            own.take_waiting(into)  # a solution beyond the last node
            if len(into) > before:
                return "solutions"
            self._split()
        budget = budget.with_solutions(1)
        if not self._components:
            return own.run(budget, into)
        if self._known is not None:
            self._run_own(budget, into)
        elif self._search_parts(budget) and not self._ended:
            self._known = self._first_solution(self._components)
            self._ahead = 1
            into.append(self._known)
        return why_stopped(self, budget, len(into) - before)

    def take_waiting(self, into: list[tuple[Any, ...]]) -> None:
        """Appends a solution of the undivided search that waits."""
        self._own.take_waiting(into)

    def skip(self, budget: Budget) -> int:
        """Skips further solutions up to the limits and returns how many it has skipped."""
        found, own = 0, self._own
        if self._components is None:
            found = own.skip(budget.for_nodes(self._first))
            if found == budget.solutions or self.finished or own.stats.nodes < self._first:
                return found
            waiting: list[tuple[Any, ...]] = []
            own.take_waiting(waiting)
            found += len(waiting)
            if found >= budget.solutions:
                return found
            self._split()
        budget = budget.with_solutions(budget.solutions - found)
        if not self._components:
            return found + own.skip(budget)
        before = own.stats.solutions
        wanted = before + budget.solutions
        if not self._search_parts(budget.with_solutions(wanted)) or self._ended:
            return found
        total = prod(len(component.found) for component in self._components)
        more = min(wanted, total) - before
        self._ahead += more
        self._ended = total < wanted
        return found + more

    def position(self) -> tuple[list[Decision], int] | None:
        """The position of the undivided search: see `dlx.engines.protocols.TreeEngine`."""
        return self._own.position()

    def close(self) -> None:
        """Closes the search and undoes all changes to the matrix."""
        self._own.close()
        for component in self._components or ():
            component.search.close()

    def _run_own(self, budget: Budget, into: list[tuple[Any, ...]]) -> None:
        """Appends the next solution of the undivided search, unless it is the known one."""
        before, own = len(into), self._own
        elsewhere = self.stats.nodes - own.stats.nodes
        own.run(budget._replace(nodes=budget.nodes - elsewhere), into)
        if self._known in into[before:]:
            into.remove(self._known)
            self._ahead = 0  # the undivided search counts it

    def _split(self) -> None:
        """Opens the searches of the parts, if there are several."""
        parts = self._problem.parts(self._given)
        if not 2 <= len(parts) <= MOST_PARTS:
            self._components = []
            return
        self._components = [
            _Component(KernelSearch(part, [], None, self._name, "mrv"), options)
            for part, options in parts
        ]

    def _search_parts(self, budget: Budget) -> bool:
        """Searches the parts until it is known how many solutions there are, up to the budget's.

        Returns False if a limit is reached before. `_ended`: there is none.
        """
        wanted, components = budget.solutions, self._components or []
        allowance = self._first // 16 + 1
        while not self._ended and not self._is_known(wanted):
            allowance *= 2
            for component in components:
                search, found = component.search, component.found
                if component.is_done(wanted):
                    continue
                nodes = allowance
                if budget.nodes < UNLIMITED:
                    spare = budget.nodes - self.stats.nodes
                    if spare <= 0:
                        return False
                    nodes = min(nodes, search.stats.nodes + spare)
                if budget.expired:
                    return False
                search.run(Budget(wanted - len(found), budget.deadline, nodes), found)
                if search.finished and not found:
                    self._ended = True
                    break
        return True

    def _is_known(self, wanted: int) -> bool:
        components = self._components or []
        if not all(component.found for component in components):
            return False
        return prod(len(component.found) for component in components) >= wanted or all(
            component.is_done(wanted) for component in components
        )

    def _first_solution(self, components: list[_Component]) -> tuple[Any, ...]:
        """The first solution in order, from the first solutions of the parts."""
        together = [
            *self._given,
            *(
                component.options[option]
                for component in components
                for option in component.found[0]
            ),
        ]
        ordered = self._problem.in_search_order(self._given, together)
        return tuple(ordered if self._names is None else map(self._names.__getitem__, ordered))
