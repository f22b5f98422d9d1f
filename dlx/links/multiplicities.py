"""The resumable search with multiplicities: Algorithm M as an extension of `dlx.links.matrix`.

The rules
---------
An item must be covered n times, or at least low and at most high times. Its *bound* is the number
of options that it may still take: high minus the options taken. Its *need* is the number that it
must still take: low minus the options taken, at least 0. For a plain item both are 1. The rules of
Algorithm X become these, which for plain items are the same:

* An item is open while its bound is above 0. An open item with fewer options than its need is a
  dead end. An open item without options and without need is *done*: it has nothing to choose.
* Each branch of an item takes one option as the *next* from its list, top to bottom, as long as
  enough options are left below; the options above it are removed. If the item needs no more, the
  last branch takes no further option. That makes ::

      length + 1 - need

  branches, and no two of them lead to the same set of options.
* **The item chosen is the open item with the fewest branches, the first declared on a tie**; items
  that are done are skipped. This is the order in which all engines search.
* When all open items are done, that is a solution.

An option that was taken is removed from all lists. So no option is taken twice, but two options
with the same items may both be taken.

The links
---------
Additions to the torus:

=============  ==================================================================================
`bound`        of a header: how many more of its options may be taken. An option that is taken
               lowers the bounds of all its items, and an item whose bound becomes 0 is covered:
               all options that are left in its list are hidden. For a plain item that is what
               always happens at once.
`exclude(x)`   removes the option of x from the lists of all its items, also from that of x. It is
               applied to the option at the top of a list, before it is taken; later branches do
               without it. Knuth calls this *tweaking*.
=============  ==================================================================================

Here is item c, which takes 2 or 3 options (bound 3, need 2), and its list in its three branches. An
option in parentheses is excluded and taken; one in brackets is excluded and not taken::

    c:   w  x  y  z          (w) x  y  z       [w] (x) y  z      [w] [x] (y) z
    bound 3, need 2          bound 2, need 1, in each

After that, c is an open item with fewer options and a smaller bound. There is no fourth branch,
since z alone is not enough. If c had no need, there would be two more branches: one for z, and one
for none of w, x, y and z. So every set of options is visited once, in the order of the list: the
branch of a set is that of its first member.

When the bound is 1, every branch removes the whole list but the option taken. Then covering the
item once serves all of its branches, as in Algorithm X.

Source: D. E. Knuth, TAOCP 4B, section 7.2.2.1, Algorithm M, and his program DLX3. DLX3 never
branches on an item without constraints, so one of its solutions may represent many; here all
solutions are visited.

`build_matrix` makes the matrix of a table, with multiplicities or without.
"""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple, cast

from dlx.core.part import NO_MORE
from dlx.links.matrix import Header, Matrix, Node

__all__ = ["MultipleHeader", "MultipleMatrix"]


class MultipleHeader(Header):
    """The head of an item that may be covered several times.

    Knuth's names: `bound` is BOUND, `slack` is SLACK, high minus low. A header is open while its
    bound is above 0, and `need` is max(0, bound - slack). `nothing` is the node of the branch that
    takes no further option; it is in no list.
    """

    __slots__ = ("bound", "nothing", "slack")

    bound: int
    slack: int
    nothing: Node

    def __init__(self, name: Hashable, low: int, high: int) -> None:
        super().__init__(name, primary=True)
        self.bound = high
        self.slack = high - low
        self.need = low
        self.nothing = Node(NO_MORE, color=0)
        self.nothing.head = self

    @property
    def branches(self) -> int:
        """The number of branches of the item; 0 or less means a dead end."""
        return self.length + 1 - self.need

    score = branches
    """What the item chosen has the least of."""

    @property
    def lacking(self) -> bool:
        """Whether the item has fewer options than it needs."""
        return self.length < self.need


class Level(NamedTuple):
    """The data of the item chosen at a level of the stack."""

    branches: int
    covered: bool  # was the bound 1, so that the item was covered once for all branches?
    excluded: list[Node]  # the options excluded so far, from the top of the list
    more: list[bool]  # for each branch so far: does another follow?


class MultipleMatrix(Matrix):
    """The toroidal matrix of a problem with multiplicities, and Algorithm M on it.

    `multiplicities` maps primary items to pairs (low, high); all others are covered exactly once.
    Everything else is as in `dlx.links.matrix.Matrix`.

    >>> matrix = MultipleMatrix("ab", options=["a", "ab", "a"], multiplicities={"a": (1, 2)})
    >>> list(matrix.solutions())
    [(1, 0), (1, 2), (1,)]
    >>> for step in matrix.search():
    ...     print(step)
    level 0: item b (1 option)
      try option 1
      level 1: item a (2 options)
        try option 0
        solution!
        try option 2
        solution!
        try no more of them
        solution!
      level 1: item a is done
    level 0: item b is done
    """

    branches_of = attrgetter("score")

    def __init__(
        self,
        primary: Iterable[Hashable],
        secondary: Iterable[Hashable] = (),
        options: Iterable[Iterable[Hashable]] = (),
        *,
        labels: Sequence[int] | None = None,
        multiplicities: Mapping[Hashable, tuple[int, int]],
    ) -> None:
        self._multiplicities = multiplicities
        self._levels: list[Level] = []
        self._misfits: list[list[Node]] = []  # with weights: what each commit has excluded
        super().__init__(primary, secondary, options, labels=labels)

    def make_header(self, name: Hashable) -> Header:
        """The header of a primary item."""
        return MultipleHeader(name, *self._multiplicities.get(name, (1, 1)))

    # -- links -----------------------------------------------------------------------------------

    def use(self, header: MultipleHeader) -> None:
        """Lowers the bound of an item by one; covers the item when its bound becomes 0."""
        self.uncoverable -= header.length < header.need
        header.bound -= 1
        header.need = max(0, header.bound - header.slack)
        if header.bound == 0:
            self.cover(header)

    def unuse(self, header: MultipleHeader) -> None:
        """Undoes `use`."""
        if header.bound == 0:
            self.uncover(header)
        header.bound += 1
        header.need = max(0, header.bound - header.slack)
        self.uncoverable += header.length < header.need

    def exclude(self, node: Node) -> None:
        """Removes an option from the lists of all of its items. O(length of the option)."""
        self.hide(node)
        node.up.down, node.down.up = node.down, node.up
        self.shrink(node)
        self.updates += 1

    def restore(self, node: Node) -> None:
        """Undoes `exclude`."""
        self.grow(node)
        node.up.down = node.down.up = node
        self.unhide(node)

    def commit(self, node: Node) -> None:
        """As in `Matrix`, but uses a primary item instead of covering it."""
        if node.head.primary:
            self.use(cast("MultipleHeader", node.head))
        else:
            super().commit(node)

    def uncommit(self, node: Node) -> None:
        """Undoes `commit`."""
        if node.head.primary:
            self.unuse(cast("MultipleHeader", node.head))
        else:
            super().uncommit(node)

    def take(self, node: Node) -> None:
        """Commits all entries of an option, except `node` itself if its item is covered."""
        if self._is_open(node):
            self.commit(node)
        super().take(node)

    def release(self, node: Node) -> None:
        """Undoes `take`."""
        super().release(node)
        if self._is_open(node):
            self.uncommit(node)

    def _is_open(self, node: Node) -> bool:
        """Whether `node` is an option's entry, whose item was not covered when it was chosen.

        Its level must be the last one.
        """
        header = cast("MultipleHeader", node.head)
        return not self._levels[-1].covered and node is not header.nothing

    def force(self, node: Node) -> None:
        """Takes a given option, by its entry of a primary item, at any place in the lists."""
        self.exclude(node)
        self.commit(node)
        super().take(node)

    def unforce(self, node: Node) -> None:
        """Undoes `force`."""
        super().release(node)
        self.uncommit(node)
        self.restore(node)

    # -- Algorithm M -----------------------------------------------------------------------------

    def enter(self, header: Header) -> None:
        """Opens a level for an item; covers the item if its bound is 1."""
        assert isinstance(header, MultipleHeader)
        covered = header.bound == 1
        self._levels.append(Level(header.branches, covered, [], []))
        if covered:
            self.use(header)
        self._levels[-1].more.append(self._has_next(header))

    def leave(self, header: Header) -> None:
        """Undoes `enter`, and restores all options excluded at this level."""
        assert isinstance(header, MultipleHeader)
        if header.bound == 0:
            self.unuse(header)
        for node in reversed(self._levels.pop().excluded):
            self.restore(node)

    def next_branch(self, node: Node) -> Node:
        """The option to try next, the item's `nothing`, or its header after the last branch."""
        node = self._next_branch(node)
        self._levels[-1].more.append(node is not node.head and self._has_next(node))
        return node

    def _has_next(self, node: Node) -> bool:
        """Whether another branch follows the one of `node`, which is not taken yet."""
        header = cast("MultipleHeader", node.head)
        if node is header.nothing:
            return False
        if header.bound == 0:
            return node.down is not header or header.slack > 0
        return not header.lacking

    def has_more(self, level: int) -> bool:
        """Whether the item at a level has another branch after the current one."""
        return self._levels[level].more[-1]

    def _untried(self, node: Node) -> list[int]:
        level = self._levels[-1]
        if not level.more[-1]:
            return []
        header = cast("MultipleHeader", node.head)
        left = level.branches if level.covered else header.branches
        options = super()._untried(node if level.covered else header)[:left]
        if header.slack if level.covered else len(options) < left:
            options.append(NO_MORE)
        return options

    def _next_branch(self, node: Node) -> Node:
        header = cast("MultipleHeader", node.head)
        if node is header.nothing:
            return header
        if header.bound == 0:  # the item is covered, so its list does not change
            return header.nothing if node.down is header and header.slack else node.down
        if header.lacking:
            return header
        if header.length == 0:
            return header.nothing
        first = header.down
        self.exclude(first)
        self._levels[-1].excluded.append(first)
        return first

    def branches_at(self, level: int) -> int:
        """The number of branches of the item chosen at a level."""
        return self._levels[level].branches

    def open_headers(self) -> Iterator[Header]:
        """The headers of the open items that are not done, in declaration order."""
        return (header for header in super().open_headers() if header.length)

    def complete(self) -> bool:
        """Are all open items done? Valid only if no item is uncoverable."""
        return next(self.open_headers(), None) is None

    def choose(self) -> Header:
        """The open item with the least score, the first declared on a tie. O(open items)."""
        best: Header | None = None
        least = sys.maxsize
        for header in self.open_headers():
            score = self.branches_of(header)
            if score < least:
                best, least = header, score
                if least == 1:
                    break
        assert best is not None
        return best
