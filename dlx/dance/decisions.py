"""The stack of decisions: at each level an item, and the option of it that is being tried.

The stack is the search's own, so that its depth is bounded by memory alone. A level is one node: an
entry of the option that is taken, whose head is the item chosen; or that header itself, as long as
no option has been tried. These are the four steps of a search by hand, and what they do to a level
with item c, whose options are w, x and y::

    _push(c)             c     c is entered: covered, that is
    _advance()     c  -> w     w is taken
    _advance()     w  -> x     w is released, x is taken
    _advance()     x  -> y     x is released, y is taken
    _advance()     y  -> c     y is released; that was the last
    _pop()               c     c is left: uncovered

What an item is entered and left by, and what its next branch is, are methods of their own, since
multiplicities change no more than these.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from dlx.dance.choosing import Choosing
from dlx.dance.nodes import Header, Node

__all__ = ["Decisions"]


class Decisions(Choosing):
    """A torus with the decisions of the search that is under way."""

    def __init__(
        self,
        primary: Iterable[Hashable],
        secondary: Iterable[Hashable] = (),
        options: Iterable[Iterable[Hashable]] = (),
        *,
        labels: Sequence[int] | None = None,
    ) -> None:
        super().__init__(primary, secondary, options, labels=labels)
        self._given: list[Node] = []  # an entry of each given option of the search under way
        self._stack: list[Node] = []  # the option being tried at each level; a header: none yet
        self.profile: list[int] = []  # nodes of the search tree by level
        self._places = {node.option: node for node in self.options}

    # -- what a branch is ------------------------------------------------------------------------

    # What is done to an item when it is chosen, and undone when all its branches were tried.
    enter = Choosing.cover
    leave = Choosing.uncover

    def next_branch(self, node: Node) -> Node:
        """The option to try after another, or after the header; the header if there is none."""
        return node.down

    def has_more(self, level: int) -> bool:
        """Has the item at a level a branch after the one at hand?"""
        node = self._stack[level]
        return node.down is not node.head

    def branches_at(self, level: int) -> int:
        """How many branches the item chosen at a level has: its length is still what it was."""
        return self._stack[level].head.length

    # -- up and down -----------------------------------------------------------------------------

    def _push(self, header: Header) -> None:
        """Enters an item, to try its options."""
        self._stack.append(header)
        self.enter(header)

    def _advance(self) -> bool:
        """Replaces the option on top of the stack by the next; by the header if there is none."""
        node = self._stack[-1]
        if node is not node.head:
            self.release(node)
        node = self._stack[-1] = self.next_branch(node)
        if node is node.head:
            return False
        self.take(node)
        return True

    def _pop(self) -> Header:
        """Leaves the item on top of the stack, which has been advanced to its end."""
        header = self._stack.pop().head
        self.leave(header)
        return header

    def _put_back(self, node: Node) -> None:
        """Releases an option that was taken; a header means that there was none."""
        if node is not node.head:
            self.release(node)

    # -- what the decisions amount to ------------------------------------------------------------

    def partial_solution(self) -> tuple[int, ...]:
        """The options taken at this moment of a search, givens first."""
        return tuple(node.option for node in self._given + self._stack if node.option >= 0)

    def _count_node(self, level: int) -> None:
        if level == len(self.profile):
            self.profile.append(0)
        self.profile[level] += 1

    def _put_down_failure(self) -> None:
        """Counts a dead end against all items back to the last that had a choice."""
        for level in range(len(self._stack) - 1, -1, -1):
            self._stack[level].head.failures += 1
            if self.branches_at(level) > 1:
                break

    def _primary_node(self, option: int) -> Node:
        node = self._places[option]
        while not node.head.primary:
            node = node.right
        return node
