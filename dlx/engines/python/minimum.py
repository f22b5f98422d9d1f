"""The k cheapest solutions by branch and bound over dancing links: the reference implementation.

It is Algorithm X with two additions:

* It keeps the k cheapest solutions so far. A new one goes behind those of the same cost, so that
  ties stay in visiting order, and the last one is dropped.
* Once k solutions are known, it prunes a subtree if no solution in it can be cheaper than the k-th.
  The bound: the primary items of an option share its cost in equal parts. Each open item will be
  covered by one of the options it has left, so it pays at least the least of their shares. The cost
  of the options taken plus the least shares of all open items is a lower bound for every solution
  of the subtree. (A dead end costs infinitely much.)

With multiplicities, an open item that needs n more of its options pays at least its n least shares;
those beyond are paid if they are negative, up to the number of options that it may still take. With
weights, n is the least number of options whose weights suffice.

All costs are multiplied by a common multiple of the options' numbers of primary items, so that
shares are integers.

The kernel's search (dlx/cpp/minimum/minimum.hpp) has better bounds and another tree, and finds
the same solutions. Source: TAOCP 7.2.2.1, Algorithms X$ and C$.
"""

from __future__ import annotations

import time
from bisect import insort
from collections import defaultdict
from collections.abc import Generator, Iterable, Sequence
from inspect import GEN_CLOSED, getgeneratorstate
from math import inf, lcm
from operator import itemgetter
from typing import TYPE_CHECKING

from dlx.core.kernel import check_cancelled
from dlx.core.stats import Stats
from dlx.errors import InvalidArgument
from dlx.links.multiplicities import MultipleHeader

if TYPE_CHECKING:
    from dlx.links.matrix import Header, Matrix, Node

__all__ = ["PythonMinimum"]

PAUSE = 1000  # options or items between two checks of the time


class PythonMinimum:
    """The k cheapest solutions of a `dlx.links.matrix.Matrix`, which `filling` completes in steps.

    `costs` are by index; options beyond the last cost 0.

    >>> from dlx.links.matrix import Matrix
    >>> search = PythonMinimum(Matrix("ab", options=["a", "b", "ab"]), [1, 2, 2], [], k=1)
    >>> search.run()
    True
    >>> search.best()
    [(2, [2])]
    """

    _scale: int
    _share: dict[int, int]

    def __init__(
        self,
        matrix: Matrix,
        costs: Sequence[int],
        given: Sequence[int],
        k: int,
        filling: Iterable[None] = (),
    ) -> None:
        self.matrix = matrix
        self._filling = filling
        self.kept: list[tuple[int, list[int]]] = []
        self.profile = [0]
        self.seconds = 0.0
        self.finished = False
        self._k = k
        self._cost: defaultdict[int, int] = defaultdict(int, enumerate(costs))
        self._forced = given
        self._given: list[Node] = []
        self._stack: list[Node] = []  # the option being tried at each level; a header: none yet
        self._root_bound: int | None = None
        self._visits = self._visit()

    def run(self, seconds: float = inf) -> bool:
        """Searches for `seconds` seconds; returns `finished`."""
        if not self.finished and getgeneratorstate(self._visits) == GEN_CLOSED:
            # An exception closed the generator: the search must not look finished.
            raise InvalidArgument(
                "engine 'python' was interrupted in the middle of a step and cannot continue; "
                "start again"
            )
        started = time.monotonic()
        until = started + seconds
        while not self.finished:
            self.finished = next(self._visits, None) is None
            check_cancelled()
            if time.monotonic() >= until:
                break
        self.seconds += time.monotonic() - started
        return self.finished

    def best(self) -> list[tuple[int, list[int]]]:
        """Costs and options of the cheapest solutions so far, in order."""
        return list(self.kept)

    @property
    def bounds(self) -> tuple[int | None, int | None]:
        """The least cost so far, and the lower bound of all costs."""
        return self.kept[0][0] if self.kept else None, self._root_bound

    @property
    def stats(self) -> Stats:
        """The work so far."""
        profile, found = tuple(self.profile), len(self.kept)
        return Stats(sum(profile), self.matrix.updates, found, profile, self.seconds)

    def _visit(self) -> Generator[bool, None, None]:
        """Algorithm X with the two additions, one node at a time; first completes the matrix."""
        yield from self._prepare()
        matrix, stack = self.matrix, self._stack
        for node in self._given:
            matrix.force(node)
        self.profile[0] = 1
        if not matrix.uncoverable:
            bound = yield from self._bound()
            self._root_bound = -(-bound // self._scale)
        while True:
            if matrix.uncoverable:
                pass
            elif matrix.complete():
                self._keep()
            elif not (yield from self._is_pruned()):
                header = matrix.choose()
                stack.append(header)
                matrix.enter(header)
            yield True
            while stack and not self._advance():
                pass
            if not stack:
                return

    def _prepare(self) -> Generator[bool, None, None]:
        """Completes the matrix, and computes the shares of its options, in steps."""
        for _ in self._filling:
            yield True
        counts: dict[int, int] = {}
        for number, node in enumerate(self.matrix.options, start=1):
            counts[node.option] = _primary_items(node)
            if number % PAUSE == 0:
                yield True
        self._scale = scale = lcm(*set(counts.values()))
        yield True
        cost = self._cost
        self._share = {option: cost[option] * scale // count for option, count in counts.items()}
        self._given = list(map(self.matrix.primary_entry, self._forced))

    def _advance(self) -> bool:
        """Takes the next option of the last item; after the last option leaves it: False."""
        matrix, stack = self.matrix, self._stack
        if stack[-1] is not stack[-1].head:
            matrix.release(stack[-1])
        node = stack[-1] = matrix.next_branch(stack[-1])
        if node is node.head:
            stack.pop()
            matrix.leave(node.head)
            return False
        matrix.take(node)
        if len(stack) == len(self.profile):
            self.profile.append(0)
        self.profile[len(stack)] += 1
        return True

    def _keep(self) -> None:
        """Inserts the solution into the list by cost, behind those of the same cost."""
        taken = self._taken()
        insort(self.kept, (sum(map(self._cost.__getitem__, taken)), taken), key=itemgetter(0))
        del self.kept[self._k :]

    def _is_pruned(self) -> Generator[bool, None, bool]:
        """Whether no solution from here can be cheaper than the k-th so far."""
        if len(self.kept) < self._k:
            return False
        bound = yield from self._bound()
        return bound >= self.kept[-1][0] * self._scale

    def _bound(self) -> Generator[bool, None, int]:
        """A lower bound for the scaled cost of every solution from here.

        No item may be uncoverable.
        """
        bound = sum(map(self._cost.__getitem__, self._taken())) * self._scale
        for number, header in enumerate(self.matrix.open_headers(), start=1):
            bound += self._least_share(header)
            if number % PAUSE == 0:
                yield True
        return bound

    def _least_share(self, header: Header) -> int:
        """The least that an open item pays: the sum of the shares of the options it will take."""
        shares, weights = [], []
        node = header.down
        while node is not header:
            shares.append(self._share[node.option])
            weights.append(node.weight)
            node = node.down
        if not isinstance(header, MultipleHeader):
            return min(shares)
        shares.sort()
        weights.sort(reverse=True)
        fewest, covered = 0, 0  # the number of options that the item needs at least
        while covered < header.need:
            covered += weights[fewest]
            fewest += 1
        optional = shares[fewest : header.bound]
        return sum(shares[:fewest]) + sum(share for share in optional if share < 0)

    def _taken(self) -> list[int]:
        return [node.option for node in self._given + self._stack if node.option >= 0]


def _primary_items(first: Node) -> int:
    count, node = int(first.head.primary), first.right
    while node is not first:
        count += node.head.primary
        node = node.right
    return count
