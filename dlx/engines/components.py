"""A search in order that goes over to the independent parts of a problem.

A problem may fall into parts that have no item in common. A search backtracks through all solutions
of one part before it finds out that another has none: 40 items with two options each, beside a part
without a solution, take 2^40 nodes. So where one or two solutions are enough (`solve`, `is_unique`,
a count up to 2), each part is searched by itself after some nodes, in turns with doubled
allowances. The first solution in order consists of the first solutions of the parts.
"""

from __future__ import annotations

import time
from math import inf, prod
from typing import TYPE_CHECKING, Any

from dlx.core.arguments import UNLIMITED
from dlx.core.kernel import Search as KernelSearch
from dlx.engines.protocols import LearningEngine

if TYPE_CHECKING:
    from dlx.core.numbering import SearchInput
    from dlx.core.part import Decision
    from dlx.engines.protocols import RawStats

__all__ = ["ComponentSearch"]

MOST_PARTS = 1000
"""The most parts that are searched by turns; a problem with more is not divided."""


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
        "_components",
        "_ended",
        "_first",
        "_given",
        "_known",
        "_name",
        "_names",
        "_own",
        "_problem",
        "_told",
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
        self._told = 0  # solutions that the parts have found, and `_own` has not
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
    def helpers(self) -> tuple[str, ...]:
        """What took part besides the search in order."""
        return ("parts",) if self._components else ()

    @property
    def conflicts(self) -> None:
        """None: no SAT solver takes part."""
        return None

    @property
    def stats(self) -> RawStats:
        """Nodes, updates, solutions, nodes by depth, seconds of work, of all searches together."""
        nodes, updates, found, profile, seconds = self._own.stats
        for component in self._components or ():
            more = component.search.stats
            nodes, updates, seconds = nodes + more[0], updates + more[1], seconds + more[4]
        return nodes, updates, found + self._told, profile, seconds

    def draw(
        self, count: int, seconds: float, into: list[tuple[Any, ...]], nodes: int = UNLIMITED
    ) -> None:
        """Appends the next solution to a list; with `count` 0, only one that waits."""
        if self._components is None or count == 0:
            before, began = len(into), time.monotonic()
            self._own.draw(min(count, 1), seconds, into, min(nodes, self._first))
            if count == 0 or len(into) > before or self.finished or self.stats[0] < self._first:
                return
            self._own.draw(0, 0.0, into)  # a solution beyond the last node
            if len(into) > before:
                return
            self._split()
            seconds = seconds if seconds < 0 else max(0.0, began + seconds - time.monotonic())
        if not self._components:
            self._own.draw(min(count, 1), seconds, into, nodes)
        elif self._known is not None:
            self._draw_others(seconds, into, nodes)
        elif self._search_parts(1, seconds, nodes) and not self._ended:
            self._known = self._first_solution(self._components)
            self._told = 1
            into.append(self._known)

    def skip(self, count: int, seconds: float, nodes: int = UNLIMITED) -> int:
        """Skips up to `count` further solutions and returns how many it has skipped."""
        found, began = 0, time.monotonic()
        if self._components is None:
            found = self._own.skip(count, seconds, min(nodes, self._first))
            if found == count or self.finished or self.stats[0] < self._first:
                return found
            waiting: list[tuple[Any, ...]] = []
            self._own.draw(0, 0.0, waiting)
            found += len(waiting)
            if found >= count:
                return found
            self._split()
            seconds = seconds if seconds < 0 else max(0.0, began + seconds - time.monotonic())
        if not self._components:
            return found + self._own.skip(count - found, seconds, nodes)
        wanted = self._own.stats[2] + count - found
        if not self._search_parts(wanted, seconds, nodes) or self._ended:
            return found
        total = prod(len(component.found) for component in self._components)
        more = min(wanted, total) - self._own.stats[2]
        self._told += more
        self._ended = total < wanted
        return found + more

    def position(self) -> tuple[list[Decision], int] | None:
        """The position of the undivided search: see `dlx.engines.protocols.TreeEngine`."""
        return self._own.position()

    def rewind(self) -> None:
        """Closes the search and undoes all changes to the matrix."""
        self._own.rewind()
        for component in self._components or ():
            component.search.rewind()

    def _draw_others(self, seconds: float, into: list[tuple[Any, ...]], nodes: int) -> None:
        """Appends the next solution of the undivided search, unless it is the known one."""
        before = len(into)
        self._own.draw(1, seconds, into, nodes - self.stats[0] + self._own.stats[0])
        if self._known in into[before:]:
            into.remove(self._known)
            self._told = 0  # the undivided search counts it

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

    def _search_parts(self, wanted: int, seconds: float, nodes: int) -> bool:
        """Searches the parts until it is known how many solutions there are, up to `wanted`.

        Returns False if a limit is reached before. `_ended`: there is none.
        """
        components = self._components or []
        until = inf if seconds < 0 else time.monotonic() + seconds
        allowance = self._first // 16 + 1
        while not self._ended and not self._is_known(wanted):
            allowance *= 2
            for component in components:
                search = component.search
                if component.is_done(wanted):
                    continue
                left = until - time.monotonic()
                spare = nodes - self.stats[0]
                if left <= 0 or spare <= 0:
                    return False
                search.draw(
                    wanted - len(component.found),
                    -1.0 if left == inf else left,
                    component.found,
                    min(allowance, search.stats[0] + spare),
                )
                if search.finished and not component.found:
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
