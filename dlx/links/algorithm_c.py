"""Algorithm C: Algorithm X with colors. Read `dlx.links.algorithm_x` first.

An option may require a *color* for a secondary item. Options that require different colors for an
item exclude each other; options that require the same color do not. So when an option with a
colored entry is taken, its item is not covered but *purified*: all options with another color for
the item are hidden, and those with the same color need not be looked at again::

    purify(x)      for each entry y in the vertical list of x's item:
                       same color as x:   mark y: its list does not change any more, and hiding
                                          the option of y leaves y in it
                       another color:     hide the option of y

A word square, in which two words cross at a cell, is the standard example: the cell is a secondary
item, its letter the color. Everything else is Algorithm X.

Source: D. E. Knuth, TAOCP 4B, section 7.2.2.1, Algorithm C.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Final

from dlx.core.entries import Colored
from dlx.links.algorithm_x import AlgorithmX, Node

__all__ = ["AlgorithmC"]

PURIFIED: Final = -1
"""The color of a node whose item has that color already."""


class AlgorithmC(AlgorithmX):
    """A matrix of links whose secondary items may have colors, and the search on it.

    >>> from dlx import colored
    >>> options = [
    ...     ["p", "q", "x", colored("y", "A")],
    ...     ["p", "r", colored("x", "A"), "y"],
    ...     ["p", colored("x", "B")],
    ...     ["q", colored("x", "A")],
    ...     ["r", colored("y", "B")],
    ... ]
    >>> list(AlgorithmC("pqr", "xy", options).solutions())
    [(3, 1)]
    """

    def __init__(
        self,
        primary: Iterable[Hashable],
        secondary: Iterable[Hashable] = (),
        options: Iterable[Iterable[Hashable]] = (),
    ) -> None:
        self.colors: dict[Hashable, int] = {}  # colors as numbers from 1 on
        super().__init__(primary, secondary, options)

    def make_node(self, option: int, entry: Hashable) -> Node:
        """A node for one entry of an option; color 0 means no color."""
        if not isinstance(entry, Colored):
            return super().make_node(option, entry)
        node = super().make_node(option, entry.item)
        node.color = self.colors.setdefault(entry.color, len(self.colors) + 1)
        return node

    def commit(self, node: Node) -> None:
        """Covers the item of `node`, or purifies it; does nothing if it has the color already."""
        if node.color == 0:
            self.cover(node.item)
        elif node.color != PURIFIED:
            self.purify(node)

    def uncommit(self, node: Node) -> None:
        """Undoes `commit`."""
        if node.color == 0:
            self.uncover(node.item)
        elif node.color != PURIFIED:
            self.unpurify(node)

    def purify(self, node: Node) -> None:
        """Gives the item of `node` its color: hides all options with another color for it.

        `node` itself is not in the list: covering the item that was branched on has hidden its
        option. So `node` keeps its color, for `unpurify`.
        """
        other = node.item.down
        while other is not node.item:
            if other.color == node.color:
                other.color = PURIFIED
            else:
                self.hide(other)
            other = other.down

    def unpurify(self, node: Node) -> None:
        """Undoes `purify`, from the bottom of the list up."""
        other = node.item.up
        while other is not node.item:
            if other.color == PURIFIED:
                other.color = node.color
            else:
                self.unhide(other)
            other = other.up

    def hide(self, node: Node) -> None:
        """As in Algorithm X, but a purified entry stays in its list."""
        other = node.right
        while other is not node:
            if other.color != PURIFIED:
                other.up.down, other.down.up = other.down, other.up
                other.item.length -= 1
            other = other.right

    def unhide(self, node: Node) -> None:
        """Undoes `hide`, from right to left."""
        other = node.left
        while other is not node:
            if other.color != PURIFIED:
                other.item.length += 1
                other.up.down = other.down.up = other
            other = other.left
