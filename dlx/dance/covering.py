"""The dance: taking items and options out of the torus, and putting them back.

To take a node x out of its vertical list, let its neighbours pass it by::

    x.up.down = x.down;  x.down.up = x.up

The point of the whole method is what is *not* done: x keeps its own links. It still knows where it
belongs, and so::

    x.up.down = x;  x.down.up = x

puts it back, without a search and without a copy - provided that everything removed after x has
been put back before it, because x's neighbours must be again what they were when x left.
Backtracking undoes steps in exactly that order. So a node leaves, others leave, and all return in
mirrored order; hence "dancing" links.

=============  ==================================================================================
`cover(i)`     removes item i: its header leaves the list of headers, and each of its options is
               hidden. The vertical list of i itself stays, for it is what uncovering walks along.
`hide(x)`      removes the option of node x from the vertical lists of all items but x's own.
=============  ==================================================================================

`uncover` and `unhide` are these steps backwards.

All the while the torus keeps count of the open primary items that have no option left (`starved`),
so that a dead end is recognised as soon as an option has been taken.
"""

from __future__ import annotations

from dlx.dance.nodes import PURIFIED, Header, Node
from dlx.dance.torus import Torus

__all__ = ["Covering"]


class Covering(Torus):
    """A torus whose items can be covered.

    >>> torus = Covering("abc", options=["ac", "b", "bc"])
    >>> torus.cover(torus.headers["c"])
    >>> torus.columns()  # only option 1 is without c; the list of c itself stays
    {'a': (), 'b': ((1, 0),), 'c': ((0, 0), (2, 0))}
    >>> torus.starved, torus.updates  # item a has no option left, two nodes were unlinked
    (1, 2)
    """

    updates: int = 0
    """How many nodes were unlinked so far."""

    def cover(self, header: Header) -> None:
        """Removes an item and hides all of its options. O(entries of these options)."""
        self.starved -= header.length < header.need
        header.left.right, header.right.left = header.right, header.left
        node = header.down
        while node is not header:
            self.hide(node)
            node = node.down

    def uncover(self, header: Header) -> None:
        """Undoes `cover`, from the bottom up."""
        node = header.up
        while node is not header:
            self.unhide(node)
            node = node.up
        header.left.right = header.right.left = header
        self.starved += header.length < header.need

    def hide(self, node: Node) -> None:
        """Takes the option of `node` out of the lists of its other items. O(length of the option).

        An entry marked PURIFIED stays where it is: the list of its item is settled.
        """
        other = node.right
        while other is not node:
            if other.color != PURIFIED:
                other.up.down, other.down.up = other.down, other.up
                header = other.head
                header.length -= 1
                self.starved += header.length < header.need
                self.updates += 1
            other = other.right

    def unhide(self, node: Node) -> None:
        """Undoes `hide`, in mirrored order: from right to left."""
        other = node.left
        while other is not node:
            if other.color != PURIFIED:
                header = other.head
                self.starved -= header.length < header.need
                header.length += 1
                other.up.down = other.down.up = other
            other = other.left
