"""Taking an option: its items are covered, or given the color that it wants (Algorithm C).

Options with different colors for a secondary item exclude each other; those with the same go
together. So where an option is taken that colors an item, the others of its list need not all go:

=============  ==================================================================================
`purify(x)`    settles the color of a secondary item: options that want another color for it are
               hidden; those that want the same are marked (color `PURIFIED`), as nothing is left to
               be done or undone about that item when they are taken.
`commit(x)`    does for an entry of a chosen option what is due: covers its item or purifies it.
`take(x)`      commits all entries of an option but x, whose item the search has covered in order to
               choose among its options.
`force(x)`     takes an option that nobody chose: a given one.
=============  ==================================================================================

`unpurify`, `uncommit`, `release` and `unforce` are these steps backwards.
"""

from __future__ import annotations

from dlx.dance.covering import Covering
from dlx.dance.nodes import NO_COLOR, PURIFIED, Node

__all__ = ["Coloring"]


class Coloring(Covering):
    """A torus whose options can be taken.

    >>> import dlx
    >>> red, blue = dlx.colored("x", "red"), dlx.colored("x", "blue")
    >>> torus = Coloring("abc", "x", [["a", red], ["b", red], ["b", blue], ["c"]])
    >>> torus.force(torus.options[0])
    >>> torus.columns()["b"]  # what makes x blue is gone
    ((1, 0),)
    """

    def purify(self, chosen: Node) -> None:
        """Gives the secondary item of `chosen` its color: hides the options that want another."""
        node = chosen.head.down
        while node is not chosen.head:
            if node.color == chosen.color:
                node.color = PURIFIED
            else:
                self.hide(node)
            node = node.down

    def unpurify(self, chosen: Node) -> None:
        """Undoes `purify`, from the bottom up."""
        node = chosen.head.up
        while node is not chosen.head:
            if node.color == PURIFIED:
                node.color = chosen.color
            else:
                self.unhide(node)
            node = node.up

    def commit(self, node: Node) -> None:
        """Does what an entry of a chosen option asks for: cover, purify, or nothing any more."""
        if node.color == NO_COLOR:
            self.cover(node.head)
        elif node.color != PURIFIED:
            self.purify(node)

    def uncommit(self, node: Node) -> None:
        """Undoes `commit`."""
        if node.color == NO_COLOR:
            self.uncover(node.head)
        elif node.color != PURIFIED:
            self.unpurify(node)

    def take(self, node: Node) -> None:
        """Commits all entries of an option but `node`, whose item is covered already."""
        other = node.right
        while other is not node:
            self.commit(other)
            other = other.right

    def release(self, node: Node) -> None:
        """Undoes `take`, from right to left."""
        other = node.left
        while other is not node:
            self.uncommit(other)
            other = other.left

    def force(self, node: Node) -> None:
        """Takes a given option, by an entry of a primary item."""
        self.cover(node.head)
        self.take(node)

    def unforce(self, node: Node) -> None:
        """Undoes `force`."""
        self.release(node)
        self.uncover(node.head)
