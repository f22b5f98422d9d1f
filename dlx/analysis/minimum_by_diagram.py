"""The cheapest solutions by branch and bound and, alternating, by a decision diagram.

Branch and bound takes time exponential in the length of a long and narrow problem; a diagram does
not. So if branch and bound has not finished soon, a diagram is built in a quarter of its time and
up to `MEMORY` bytes. The first of the two to finish gives the answer, which is the same:

* In any order, the answer is the list of the k cheapest sets of the diagram.
* For k = 1, the cheapest sets are a diagram of their own. A descent in the order of the search
  takes, at each item, the first option that one of these sets has.
* For larger k, the sets that cost as much as the k-th are compared by the branches of the search
  that lead to them. If there are too many, the diagram is dropped.

Once the diagram is complete, all of the time is for the answer, which is found in steps.
"""

from __future__ import annotations

import sys
import time
from array import array
from collections.abc import Collection, Generator, Sequence
from itertools import islice
from math import inf
from typing import TYPE_CHECKING

from dlx.analysis.diagram.cheapest import best_costs, by_cost
from dlx.analysis.diagram.nodes import EMPTY, TOP, Columns, columns_from
from dlx.core import kernel
from dlx.core.part import NO_MORE
from dlx.links.build import matrix_of
from dlx.links.multiplicities import MultipleHeader

if TYPE_CHECKING:
    from dlx._kernel import DiagramWork
    from dlx.analysis.minimum_by_relaxation import MinimumWithRelaxation
    from dlx.core.stats import Stats
    from dlx.links.matrix import Header, Matrix, Node

__all__ = ["MinimumWithDiagram"]


MEMORY = 1 << 28  # bytes that the diagram may take
MOST_NODES = 1_000_000  # of a diagram that is searched: Python takes about a second for as many
MOST_STEPS = 500_000_000  # in the worst case of a descent; a small part of them is usual
SHARE = 0.25  # of the time of branch and bound, for the diagram,
BESIDE = 1.0  # and of the first seconds of that over the relaxation
SLICE = 0.02  # seconds of a turn,
LEAST = 0.0001  # and at least, so that the diagram grows in each
MOST_TIES = 200  # sets of equal cost that are compared by visiting order

Found = list[tuple[int, list[int]]]


class MinimumWithDiagram:
    """Branch and bound for the cheapest solutions, alternating with a decision diagram."""

    def __init__(
        self,
        search: MinimumWithRelaxation,
        problem: kernel.Problem,
        given: list[int],
        costs: Sequence[int],
        k: int,
        *,
        any_order: bool,
        after: float,
    ) -> None:
        """The diagram is begun after this number of seconds of branch and bound."""
        self._search = search
        self._problem = problem
        self._given = given
        self._costs = costs  # options beyond the last cost 0
        self._k = k
        self._any_order = any_order
        self._after = after
        self._work: DiagramWork | None = None
        self._dropped = False
        self._seconds = 0.0  # spent on the diagram
        self._answer: Found | None = None
        self._answering: Generator[None, None, Found | None] | None = None

    def run(self, seconds: float = inf) -> bool:
        """Searches for `seconds`. True when it has finished."""
        until = self._spent() + seconds
        while self._answer is None:
            left = until - self._spent()
            if left <= 0:
                return False
            if self._answering is not None:
                self._continue_answer(left)
                continue
            searched = self._search.stats.seconds
            wait = self._after - searched
            turn = left if self._dropped else min(left, max(wait, SLICE))
            if self._search.run(turn):
                return True
            if not self._dropped and wait <= 0 and self._seconds < self._allowance():
                self._build(min(left, SLICE))
        return True

    def best(self) -> Found:
        """Costs and options of the cheapest solutions so far, in order."""
        return self._search.best() if self._answer is None else list(self._answer)

    def offer(self, cost: int, options: Sequence[int]) -> None:
        """Tells a solution that was found elsewhere."""
        self._search.offer(cost, options)

    def save(self) -> bytes:
        """The state of the branch and bound; a resumed search begins a new diagram."""
        return self._search.save()

    def restore(self, state: bytes) -> None:
        """Goes on from what `save` returned; before the first `run`."""
        self._search.restore(state)

    @property
    def bounds(self) -> tuple[int | None, int | None]:
        """The least cost so far, and the bound of all solutions not yet found."""
        if self._answer is None:
            return self._search.bounds
        return (self._answer[0][0], self._answer[-1][0]) if self._answer else (None, None)

    @property
    def stats(self) -> Stats:
        """The work so far, the diagram's included."""
        stats, more = self._search.stats, self._seconds
        return stats._replace(seconds=stats.seconds + more) if more else stats

    def seconds_by_method(self) -> dict[str, float]:
        """The seconds of work of each method, by its name in a plan."""
        return {**self._search.seconds_by_method(), "diagram": self._seconds}

    def _allowance(self) -> float:
        """The seconds for the diagram that go with those of the other methods.

        Where the relaxation gets most of the time, it is the better method, and a diagram that is
        not complete soon is unlikely to be.
        """
        seconds = self._search.seconds_by_method()
        beside = min(seconds.get("relaxation", 0.0), BESIDE)
        return SHARE * (seconds["branch and bound"] + beside)

    def _spent(self) -> float:
        return self._search.stats.seconds + self._seconds

    def _build(self, seconds: float) -> None:
        """Continues the diagram, and finds the answer once it is complete."""
        began = time.monotonic()
        if self._work is None:
            order = array("i", self._problem.narrow_order())
            self._work = self._problem.diagram(self._given, order, MEMORY, True)
        outcome = self._work.run(max(seconds, LEAST))
        if outcome == "memory":
            self._dropped, self._work = True, None
        elif outcome == "finished":
            columns = columns_from(*self._work.take())
            if len(columns.option) <= MOST_NODES:
                self._answering = self._cheapest(columns)
            self._dropped, self._work = True, None
        self._seconds += time.monotonic() - began

    def _continue_answer(self, seconds: float) -> None:
        answering, self._answering = self._answering, None  # after an exception it cannot continue
        assert answering is not None
        began = time.monotonic()
        try:
            next(answering)
            while time.monotonic() < began + seconds:
                next(answering)
            self._answering = answering
        except StopIteration as end:
            self._answer = end.value
        finally:
            self._seconds += time.monotonic() - began

    def _cheapest(self, columns: Columns) -> Generator[None, None, Found | None]:
        """The answer, or None if the order of the sets of equal cost would take too long."""
        if columns.root == EMPTY:
            return []
        costs = [*self._costs, *[0] * (max(columns.option) + 1 - len(self._costs))]
        if self._k == 1 and not self._any_order:
            columns, cost = cheapest_only(columns, costs)
            if len(columns.option) * len(costs) > MOST_STEPS:
                return None
            yield
            matrix = matrix_of(self._problem)
            return [(cost, (yield from first_visited(matrix, self._given, columns)))]
        more = 0 if self._any_order else MOST_TIES
        found = []
        for pair in islice(by_cost(columns, costs), min(self._k + more, sys.maxsize)):
            found.append(pair)
            yield
        last = found[min(self._k, len(found)) - 1][0]
        if len(found) == self._k + more and found[-1][0] == last and not self._any_order:
            return None
        matrix = matrix_of(self._problem)
        visits = []
        for cost, path in found:
            if cost <= last:
                visits.append((cost, *visit_of(matrix, self._given, frozenset(path))))
                yield
        visits.sort(key=lambda visit: visit[:2])
        return [(cost, options) for cost, _, options in visits[: self._k]]


def cheapest_only(columns: Columns, costs: Sequence[int]) -> tuple[Columns, int]:
    """The diagram of the cheapest sets of a diagram that is not empty, and their cost. O(nodes)."""
    best = best_costs(columns, costs)
    option, low, high = array("i", [-1, -1]), array("I", [0, 1]), array("I", [0, 1])
    number = [EMPTY, TOP]  # of each node in the new diagram
    for node, (one, without, after) in enumerate(
        islice(zip(*columns[:3], strict=True), 2, None), start=2
    ):
        keeps_low = without != EMPTY and best[without] == best[node]
        if costs[one] + best[after] != best[node]:
            number.append(number[without])
            continue
        number.append(len(option))
        option.append(one)
        low.append(number[without] if keeps_low else EMPTY)
        high.append(number[after])
    only = Columns(option, low, high, number[columns.root])
    return only, best[columns.root]


def first_visited(
    matrix: Matrix, given: Sequence[int], columns: Columns
) -> Generator[None, None, list[int]]:
    """Finds in steps the set of a diagram that the search visits first; options as chosen.

    The diagram must not be empty. O(nodes x options of the set), less as sets are left out.
    """
    path: list[int] = []
    _take_given(matrix, given, path)
    for option in given:
        columns = _keep_with(columns, option)
    possible = _options_of(columns)
    while not matrix.complete():
        header = matrix.choose()
        choices = _count_of(header, possible)
        matrix.enter(header)
        node = matrix.next_branch(header)
        while node.option not in possible and node.option != NO_MORE:
            node = matrix.next_branch(node)
        matrix.take(node)
        yield
        if node.option == NO_MORE:
            continue
        path.append(node.option)
        if choices > 1 or isinstance(header, MultipleHeader):
            columns = _keep_with(columns, node.option)
            possible = _options_of(columns)
    return path


def visit_of(
    matrix: Matrix, given: Sequence[int], solution: Collection[int]
) -> tuple[list[int], list[int]]:
    """The branches that lead to a solution: their places; and its options in the order chosen."""
    places: list[int] = []
    path: list[int] = []
    taken = _take_given(matrix, given, path)
    stack = []
    while not matrix.complete():
        header = matrix.choose()
        matrix.enter(header)
        place, node = 0, matrix.next_branch(header)
        while node.option not in solution and node.option != NO_MORE:
            place, node = place + 1, matrix.next_branch(node)
        matrix.take(node)
        stack.append(node)
        places.append(place)
        if node.option != NO_MORE:
            path.append(node.option)
    for node in reversed(stack):
        matrix.release(node)
        matrix.leave(node.head)
    for node in reversed(taken):
        matrix.unforce(node)
    return places, path


def _take_given(matrix: Matrix, given: Sequence[int], path: list[int]) -> list[Node]:
    taken = list(map(matrix.primary_entry, given))
    for node in taken:
        matrix.force(node)
    path.extend(given)
    return taken


def _options_of(columns: Columns) -> set[int]:
    """The options of the sets of a diagram. O(nodes)."""
    option, low, high, root = columns
    reached = bytearray(len(option))
    reached[root] = 1
    found = set()
    for node in range(root, TOP, -1):
        if reached[node]:
            reached[low[node]] = reached[high[node]] = 1
            found.add(option[node])
    return found


def _count_of(header: Header, possible: Collection[int]) -> int:
    """The number of options of an item that are possible."""
    count, node = 0, header.down
    while node is not header:
        count += node.option in possible
        node = node.down
    return count


def _keep_with(columns: Columns, option: int) -> Columns:
    return columns_from(*kernel.keep_sets_with(*columns, option))
