"""Algorithm M with weights: options that cover an item several times. Read Algorithm M first.

A shift of twelve hours covers three units of four hours: its *weight* at that item is 3, written
`dlx.times(item, 3)`. The weights of the options taken must add up to a number within the bounds of
the item. Three rules of Algorithm M change:

* Taking an option lowers the bound of an item by its weight there. The options that cover the item
  more often than is left of the bound do not fit any more, wherever they are in its list. Those are
  removed, too::

      hours:   w*3  x*2  y*1            x*2 is taken: bound 1. Now w*3 does not fit
      bound 3, need 3                   and is removed; what is left is y*1

* A branch needs weights that suffice, not options. So the next option is taken as long as the
  weights from there down add up to the need.
* The item chosen is the one with the least *score*: ``length``, and 1 more if it has no need, or
  ``total + 1 - need``, where total is the sum of the weights in its list; whichever is less. That
  is as many branches as there can be: each has an option of its own, and each but the first does
  without an option of weight 1 or more, which the total can spare.

Without weights this is Algorithm M. Here the total is added up whenever it is needed;
`dlx.links.weights` keeps it up to date.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping

from dlx.core.entries import Times
from dlx.links.algorithm_m import AlgorithmM
from dlx.links.algorithm_x import Item, Node

__all__ = ["AlgorithmMWithWeights"]


class AlgorithmMWithWeights(AlgorithmM):
    """A matrix of links whose options may cover items several times, and the search on it.

    Pay 5 with two coins of 2 and three of 1:

    >>> from dlx import times
    >>> options = [[times("sum", 2)], [times("sum", 2)], ["sum"], ["sum"], ["sum"]]
    >>> matrix = AlgorithmMWithWeights(["sum"], options=options, multiplicities={"sum": (5, 5)})
    >>> list(matrix.solutions())
    [(0, 1, 2), (0, 1, 3), (0, 1, 4), (0, 2, 3, 4), (1, 2, 3, 4)]
    """

    def __init__(
        self,
        primary: Iterable[Hashable],
        secondary: Iterable[Hashable] = (),
        options: Iterable[Iterable[Hashable]] = (),
        *,
        multiplicities: Mapping[Hashable, tuple[int, int]],
    ) -> None:
        self.misfits: list[list[Node]] = []  # what each commit has removed
        super().__init__(primary, secondary, options, multiplicities=multiplicities)

    def make_node(self, option: int, entry: Hashable) -> Node:
        """A node for one entry of an option, with its weight."""
        if not isinstance(entry, Times):
            return super().make_node(option, entry)
        node = super().make_node(option, entry.item)
        node.weight = entry.weight
        return node

    def entries(self, item: Item) -> Iterator[Node]:
        """The nodes in the list of an item, from top to bottom."""
        node = item.down
        while node is not item:
            yield node
            node = node.down

    def branches(self, item: Item) -> int:
        """The score of an item: as many branches as it can have. O(length)."""
        need = self.need(item)
        total = sum(node.weight for node in self.entries(item))
        return min(item.length + (need == 0), total + 1 - need)

    def commit(self, node: Node) -> None:
        """As in Algorithm M, by the weight of `node`; removes the options that do not fit."""
        item = node.item
        if item not in self.primary:
            super().commit(node)
            return
        item.bound -= node.weight
        if item.bound == 0:
            self.cover(item)
            return
        misfits = [other for other in self.entries(item) if other.weight > item.bound]
        for other in misfits:
            self.remove(other)
        self.misfits.append(misfits)

    def uncommit(self, node: Node) -> None:
        """Undoes `commit`."""
        item = node.item
        if item not in self.primary:
            super().uncommit(node)
            return
        if item.bound == 0:
            self.uncover(item)
        else:
            for other in reversed(self.misfits.pop()):
                self.restore(other)
        item.bound += node.weight
