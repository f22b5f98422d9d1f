"""Algorithm M: Algorithm C with multiplicities. Read the modules of Algorithms X and C first.

A primary item may have to be covered at least `low` and at most `high` times. Each item has a
*bound*, the number of its options that may still be taken, and a *slack*, high minus low. The
number of options that it still needs is ``need = max(0, bound - slack)``. A plain item has bound 1
and slack 0. The rules of Algorithm X become:

* Taking an option lowers the bounds of its items by one. An item is covered when its bound is 0.
* Each branch of an item takes one option as the *next* from its list, top to bottom; the options
  above it are removed. If the item needs no more, the last branch takes no further option. So it
  has ``length + 1 - need`` branches. No two of them lead to the same set of options; if there are
  none, that is a dead end.
* The item with the fewest branches is chosen, the first declared on a tie. An item without options
  and without need is skipped; when all items are skipped, that is a solution.

To take the next option from a list, the option at its top is removed from the lists of all its
items, this one included; Knuth calls this *tweaking*. Here is item c, which takes 2 or 3 options,
in its three branches; (w) is taken, [w] is removed and not taken::

    c:   w  x  y  z          (w) x  y  z       [w] (x) y  z      [w] [x] (y) z
    bound 3, need 2          bound 2, need 1, in each

There is no fourth branch, since z alone is not enough. When the bound is 1, every branch removes
the whole list; then covering the item once serves all of its branches, as in Algorithm X.

Read next: `dlx.links.algorithm_m_weights`, for options that cover an item several times.

Source: D. E. Knuth, TAOCP 4B, section 7.2.2.1, Algorithm M.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping

from dlx.links.algorithm_c import AlgorithmC
from dlx.links.algorithm_x import Item, Node

__all__ = ["AlgorithmM"]


class AlgorithmM(AlgorithmC):
    """A matrix of links whose primary items may be covered several times, and the search on it.

    `multiplicities` maps primary items to pairs (low, high); all others are covered exactly once.
    For no upper bound, high is the number of options, or more.

    >>> matrix = AlgorithmM("ab", options=["a", "ab", "a"], multiplicities={"a": (1, 2)})
    >>> list(matrix.solutions())
    [(1, 0), (1, 2), (1,)]
    """

    def __init__(
        self,
        primary: Iterable[Hashable],
        secondary: Iterable[Hashable] = (),
        options: Iterable[Iterable[Hashable]] = (),
        *,
        multiplicities: Mapping[Hashable, tuple[int, int]],
    ) -> None:
        self.primary: set[Item] = set()
        super().__init__(primary, secondary)
        item = self.root.right.item
        while item is not self.root:
            self.primary.add(item)
            low, high = multiplicities.get(item.name, (1, 1))
            item.bound, item.slack = high, high - low
            item = item.right.item
        for number, entries in enumerate(options):
            self.append(number, entries)

    def need(self, item: Item) -> int:
        """The number of options of the item that must still be taken."""
        return max(0, item.bound - item.slack)

    def commit(self, node: Node) -> None:
        """As in Algorithm C, but a primary item is covered only when its bound becomes 0."""
        if node.item not in self.primary:
            super().commit(node)
            return
        node.item.bound -= 1
        if node.item.bound == 0:
            self.cover(node.item)

    def uncommit(self, node: Node) -> None:
        """Undoes `commit`."""
        if node.item not in self.primary:
            super().uncommit(node)
            return
        if node.item.bound == 0:
            self.uncover(node.item)
        node.item.bound += 1

    def remove(self, node: Node) -> None:
        """Removes the option of `node` from the lists of all of its items."""
        self.hide(node)
        node.up.down, node.down.up = node.down, node.up
        node.item.length -= 1

    def restore(self, node: Node) -> None:
        """Undoes `remove`."""
        node.item.length += 1
        node.up.down = node.down.up = node
        self.unhide(node)

    def branches(self, item: Item) -> int:
        """The number of branches of an item; 0 or less at a dead end."""
        return item.length + 1 - self.need(item)

    def choose(self) -> Item | None:
        """The item with the fewest branches, the first on a tie, or None. O(items)."""
        best: Item | None = None
        fewest = 0
        item = self.root.right.item
        while item is not self.root:
            branches = self.branches(item)
            done = item.length == 0 and branches == 1
            if not done and (best is None or branches < fewest):
                best, fewest = item, branches
            item = item.right.item
        return best

    def solutions(
        self, trace: Callable[[str], object] = lambda line: None, chosen: tuple[int, ...] = ()
    ) -> Iterator[tuple[int, ...]]:
        """The solutions, as in Algorithm X."""
        item = self.choose()
        if item is None:
            yield chosen
        elif item.bound == 1:
            yield from self.cover_once(item, trace, chosen)
        else:
            yield from self.take_next(item, trace, chosen)

    def cover_once(
        self, item: Item, trace: Callable[[str], object], chosen: tuple[int, ...]
    ) -> Iterator[tuple[int, ...]]:
        """The solutions that take one more option of an item, or none if it needs no more."""
        needed = self.need(item)
        item.bound = 0
        self.cover(item)
        try:
            node = item.down
            while node is not item:
                trace(f"{'    ' * len(chosen)}item {item.name}: option {node.option}")
                self.take(node)
                try:
                    yield from self.solutions(trace, (*chosen, node.option))
                finally:
                    self.release(node)
                node = node.down
            if not needed:
                yield from self.solutions(trace, chosen)
        finally:
            self.uncover(item)
            item.bound = 1

    def take_next(
        self, item: Item, trace: Callable[[str], object], chosen: tuple[int, ...]
    ) -> Iterator[tuple[int, ...]]:
        """The solutions that take further options of an item, in the order of the next option."""
        removed: list[Node] = []
        try:
            while item.length and self.branches(item) > 0:
                node = item.down
                trace(f"{'    ' * len(chosen)}item {item.name}: option {node.option}")
                self.remove(node)
                removed.append(node)
                self.commit(node)
                self.take(node)
                try:
                    yield from self.solutions(trace, (*chosen, node.option))
                finally:
                    self.release(node)
                    self.uncommit(node)
            if not self.need(item):
                yield from self.solutions(trace, chosen)
        finally:
            for node in reversed(removed):
                self.restore(node)
