"""The resumable search with weights: options that cover an item several times.

Read `dlx.links.multiplicities` first. An option may cover an item 3 times (`dlx.times(item, 3)`):
its *weight* at the item is 3. Plain entries have weight 1. The weights of the options taken, not
their number, must be within the bounds of the item. That changes these rules:

* Taking an option lowers the bound of each of its items by its weight there. Then every option is
  removed that covers an item more often than the item's bound: it does not fit any more.
* The *need* of an item is low minus the weights taken, at least 0. Its *total* is the sum of the
  weights of the options in its list. An open item whose total is less than its need is a dead end.
* The branches are those of Algorithm M: each takes one option as the next of the list, as long as
  the weights from there down suffice for the need; the last branch takes no further option, if
  there is no need.
* The item chosen is the one with the least *score*, ::

      min(length + (1 if need == 0 else 0), total - need + 1)

  Without weights that is the number of branches. With weights it is an upper bound of that number
  which costs nothing to maintain: each branch has an option of its own, or none; and each branch
  but the first does without options of a weight of 1 at least, of which the total can spare
  ``total - need``. A score of 1 means exactly one branch.

Here is item c of need 5 with options of weights 3, 2, 2 and 1; its score is min(4, 8 - 5 + 1) = 4,
and it has two branches. In parentheses is the option taken, in brackets those that are removed::

    c:   w*3 x*2 y*2 z       (w*3) x*2 y*2 z      [w*3] (x*2) y*2 z      (y*2 and z are too little)
    bound 5, need 5          bound 2, need 2      bound 3, need 3

An option that is removed because it does not fit can stand anywhere in the list of the item.
`exclude` takes it out, as it does for the option on top, and a stack notes which they were.

No other program for exact cover has weights that we know of; a linear equation over 0/1 variables
is what an integer program would say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from dlx.links.matrix import Header, Node
from dlx.links.multiplicities import MultipleHeader, MultipleMatrix
from dlx.links.torus import PURIFIED

if TYPE_CHECKING:
    from collections.abc import Hashable

__all__ = ["WeightedHeader", "WeightedMatrix"]


class WeightedHeader(MultipleHeader):
    """The head of an item whose options have weights; `total` is their sum over its list."""

    __slots__ = ("total",)

    total: int

    def __init__(self, name: Hashable, low: int, high: int) -> None:
        super().__init__(name, low, high)
        self.total = 0

    @property
    def branches(self) -> int:
        """The number of branches of the item; 0 means a dead end. O(length)."""
        if self.need == 0:
            return self.length + 1
        branches, left = 0, self.total
        node = self.down
        while left >= self.need:
            branches += 1
            left -= node.weight
            node = node.down
        return branches

    @property
    def score(self) -> int:
        """What the item chosen has the least of. O(1)."""
        return min(self.length + (self.need == 0), self.total - self.need + 1)

    @property
    def lacking(self) -> bool:
        """Whether the total of the weights is less than the need."""
        return self.total < self.need


class WeightedMatrix(MultipleMatrix):
    """The toroidal matrix of a problem with weights, and Algorithm M on it.

    Everything else is as in `dlx.links.multiplicities.MultipleMatrix`.

    >>> import dlx
    >>> options = [[dlx.times("c", n)] for n in (3, 2, 2, 1)]
    >>> matrix = WeightedMatrix("c", options=options, multiplicities={"c": (5, 5)})
    >>> list(matrix.solutions())
    [(0, 1), (0, 2), (1, 2, 3)]
    >>> for step in matrix.search():
    ...     print(step)
    level 0: item c (4 options)
      try option 0
      level 1: item c (3 options)
        try option 1
        solution!
        try option 2
        solution!
      level 1: item c is done
      try option 1
      level 1: item c (2 options)
        try option 2
        level 2: item c (1 option)
          try option 3
          solution!
        level 2: item c is done
      level 1: item c is done
    level 0: item c is done
    """

    def make_header(self, name: Hashable) -> Header:
        """The header of a primary item."""
        return WeightedHeader(name, *self._multiplicities.get(name, (1, 1)))

    # -- lengths and totals ----------------------------------------------------------------------

    def lack_of(self, header: Header) -> int:
        """By how much the weights that an item has fall short of its need."""
        return max(0, header.need - cast("WeightedHeader", header).total)

    def grow(self, node: Node) -> None:
        """Counts a node that was linked into the list of its item."""
        header = node.head
        header.length += 1
        if header.primary:
            self.uncoverable -= self.lack_of(header)
            cast("WeightedHeader", header).total += node.weight
            self.uncoverable += self.lack_of(header)

    def shrink(self, node: Node) -> None:
        """Undoes `grow`: counts a node that was unlinked."""
        header = node.head
        header.length -= 1
        if header.primary:
            self.uncoverable -= self.lack_of(header)
            cast("WeightedHeader", header).total -= node.weight
            self.uncoverable += self.lack_of(header)

    def hide(self, node: Node) -> None:
        """As in `Torus`, but counts weights."""
        other = node.right
        while other is not node:
            if other.color != PURIFIED:
                other.up.down, other.down.up = other.down, other.up
                self.shrink(other)
                self.updates += 1
            other = other.right

    def unhide(self, node: Node) -> None:
        """Undoes `hide`."""
        other = node.left
        while other is not node:
            if other.color != PURIFIED:
                self.grow(other)
                other.up.down = other.down.up = other
            other = other.left

    # -- taking an option ------------------------------------------------------------------------

    def _lower(self, header: WeightedHeader, weight: int) -> None:
        """Lowers the bound of an item by a weight, or raises it by a negative one."""
        self.uncoverable -= self.lack_of(header)
        header.bound -= weight
        header.need = max(0, header.bound - header.slack)
        self.uncoverable += self.lack_of(header)

    def commit(self, node: Node) -> None:
        """As in `MultipleMatrix`, by the weight of `node`; excludes the options that do not fit."""
        header = node.head
        if not header.primary:
            super().commit(node)
            return
        assert isinstance(header, WeightedHeader)
        self._lower(header, node.weight)
        if header.bound == 0:
            self.cover(header)
            return
        misfits = []
        other = header.down
        while other is not header:
            if other.weight > header.bound:
                self.exclude(other)
                misfits.append(other)
            other = other.down
        self._misfits.append(misfits)

    def uncommit(self, node: Node) -> None:
        """Undoes `commit`."""
        header = node.head
        if not header.primary:
            super().uncommit(node)
            return
        assert isinstance(header, WeightedHeader)
        if header.bound == 0:
            self.uncover(header)
        else:
            for other in reversed(self._misfits.pop()):
                self.restore(other)
        self._lower(header, -node.weight)

    def check(self) -> None:
        """As in `Torus`, and an assertion for the totals."""
        super().check()
        for header in self.headers.values():
            if isinstance(header, WeightedHeader):
                total, node = 0, header.down
                while node is not header:
                    total, node = total + node.weight, node.down
                assert header.total == total, f"total of {header.name!r}"

    def first_uncoverable(self) -> Header:
        """The first open item whose total is less than its need. O(open items)."""
        header = self.root.right.head
        while not cast("WeightedHeader", header).lacking:
            header = header.right.head
        return header
