"""The cheapest solutions by branch and bound over dancing links: the reference to read.

Algorithm X goes through the tree as always. What is added:

* The k cheapest solutions so far are kept. A new one goes behind those of the same cost, so that
  ties stay in visiting order, and the last one falls off.
* Where k solutions are known, a subtree is left out if nothing in it can be cheaper than the k-th.
  To see that, let the primary items of an option share its cost alike. Each item that is open will
  be covered by one of the options it has left, so it has to pay the least of its shares at least;
  and what all open items have to pay, together with the options taken, is no more than the cost of
  any solution from here. (A dead end is one of infinite cost.)

TreeShares are kept whole by multiplying all costs with a number that every count of items divides.

The kernel's search (dlx/_kernel/minimum/minimum.hpp) has better bounds and another tree, and gives
the same answer. Source: TAOCP 7.2.2.1, Algorithms X$ and C$.
"""

from __future__ import annotations

import time
from bisect import insort
from collections.abc import Generator, Sequence
from inspect import GEN_CLOSED, getgeneratorstate
from math import lcm
from operator import itemgetter
from typing import TYPE_CHECKING

from dlx.errors import InvalidArgument

if TYPE_CHECKING:
    from dlx.engines.protocols import RawStats
    from dlx.links.matrix import Header, Matrix, Node

__all__ = ["PythonMinimum"]


class PythonMinimum:
    """The k cheapest solutions of `dlx.links.matrix.Matrix`; `costs` may be shorter than its
    options.

    >>> from dlx.links.matrix import Matrix
    >>> search = PythonMinimum(Matrix("ab", options=["a", "b", "ab"]), [1, 2, 2], [], k=1)
    >>> search.run(-1.0)
    True
    >>> search.best()
    [(2, [2])]
    """

    def __init__(self, matrix: Matrix, costs: Sequence[int], given: Sequence[int], k: int) -> None:
        self.matrix = matrix
        self.kept: list[tuple[int, list[int]]] = []
        self.profile = [0]
        self.seconds = 0.0
        self.finished = False
        self._k = k
        self._cost = {node.option: 0 for node in matrix.options}
        self._cost.update(enumerate(costs))
        counts = {node.option: _primary_items(node) for node in matrix.options}
        self._scale = lcm(*counts.values())
        self._share = {
            option: self._cost[option] * self._scale // count for option, count in counts.items()
        }
        self._given = [self._entry_of(option) for option in given]
        self._stack: list[Node] = []  # the option being tried at each level; a header: none yet
        self._root_bound: int | None = None
        self._visits = self._visit()

    def run(self, seconds: float) -> bool:
        """Searches for so many seconds (negative: to the end). Has it finished?"""
        if not self.finished and getgeneratorstate(self._visits) == GEN_CLOSED:
            # It must not pass for finished.
            raise InvalidArgument(
                "the engine 'python' was interrupted in the middle of a step, and cannot go on; "
                "begin anew"
            )
        started = time.monotonic()
        until = started + seconds if seconds >= 0 else float("inf")
        while not self.finished:
            self.finished = next(self._visits, None) is None
            if time.monotonic() >= until:
                break
        self.seconds += time.monotonic() - started
        return self.finished

    def best(self) -> list[tuple[int, list[int]]]:
        """Costs and options of the cheapest so far, in order."""
        return list(self.kept)

    @property
    def state(self) -> tuple[int | None, int | None, RawStats]:
        """The least cost so far, what solutions cost at least, and the work."""
        least = self.kept[0][0] if self.kept else None
        nodes, found = sum(self.profile), len(self.kept)
        work = (nodes, self.matrix.updates, found, list(self.profile), self.seconds)
        return least, self._root_bound, work

    def _visit(self) -> Generator[bool, None, None]:
        """Algorithm X with the two additions, one node at a time."""
        matrix, stack = self.matrix, self._stack
        for node in self._given:
            matrix.cover(node.head)
            matrix.take(node)
        self.profile[0] = 1
        if not matrix.uncoverable:
            self._root_bound = -(-self._bound() // self._scale)
        while True:
            if matrix.root.right is matrix.root:
                self._keep()
            elif not matrix.uncoverable and not self._too_dear():
                header = matrix.choose()
                stack.append(header)
                matrix.cover(header)
            yield True
            while stack and not self._advance():
                pass
            if not stack:
                return

    def _advance(self) -> bool:
        """Takes the next option of the innermost item, or, after the last one, leaves the item."""
        matrix, stack = self.matrix, self._stack
        if stack[-1] is not stack[-1].head:
            matrix.release(stack[-1])
        node = stack[-1] = stack[-1].down
        if node is node.head:
            stack.pop()
            matrix.uncover(node.head)
            return False
        matrix.take(node)
        if len(stack) == len(self.profile):
            self.profile.append(0)
        self.profile[len(stack)] += 1
        return True

    def _keep(self) -> None:
        """Puts the solution that was reached in its place; it goes last among its equals."""
        taken = self._taken()
        insort(self.kept, (sum(map(self._cost.__getitem__, taken)), taken), key=itemgetter(0))
        del self.kept[self._k :]

    def _too_dear(self) -> bool:
        """Can nothing from here be cheaper than the dearest solution that is wanted?"""
        return len(self.kept) == self._k and self._bound() >= self.kept[-1][0] * self._scale

    def _bound(self) -> int:
        """What every solution from here costs at least, scaled. No open item may be starved."""
        cost = sum(map(self._cost.__getitem__, self._taken())) * self._scale
        return cost + sum(map(self._least_share, self.matrix.open_headers()))

    def _least_share(self, header: Header) -> int:
        node = header.down
        least = self._share[node.option]
        while node is not header:
            least = min(least, self._share[node.option])
            node = node.down
        return least

    def _taken(self) -> list[int]:
        return [node.option for node in self._given + self._stack if node is not node.head]

    def _entry_of(self, option: int) -> Node:
        node = next(node for node in self.matrix.options if node.option == option)
        while not node.head.primary:
            node = node.right
        return node


def _primary_items(first: Node) -> int:
    count, node = int(first.head.primary), first.right
    while node is not first:
        count += node.head.primary
        node = node.right
    return count
