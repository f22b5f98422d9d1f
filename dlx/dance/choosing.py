"""Which item comes next.

Any open item would do. It pays to choose the one with the fewest options: the fewer the branches,
the smaller the tree, and an item with one option is no choice at all. So, where none is starved,
one option is the least an item can have, and looking for the fewest stops at the first that has
just one. `dlx.heuristics` has another rule, and takes rules of the caller's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from dlx.dance.coloring import Coloring
from dlx.heuristics import check_heuristic, choose_by, choose_weighted

if TYPE_CHECKING:
    from dlx.dance.nodes import Header
    from dlx.heuristics import Heuristic

__all__ = ["Choosing"]


class Choosing(Coloring):
    """A torus that knows which item is to be branched on.

    >>> Choosing("abc", options=["a", "ab", "b", "ac"]).choose()
    <Header of 'c', length 1>
    """

    def complete(self) -> bool:
        """Is nothing left to choose? Only to be asked if nothing is starved."""
        return self.root.right is self.root

    def choose(self) -> Header:
        """The open item with the fewest options, the first such. O(open items).

        There must be an open item, and none may be starved.
        """
        best = header = self.root.right.head
        while header is not self.root and best.length > 1:
            if header.length < best.length:
                best = header
            header = header.right.head
        return best

    def chooser(self, heuristic: str | Heuristic) -> Callable[[], Header]:
        """The rule of that name, or of one's own, as a function that returns an open item."""
        check_heuristic(heuristic)
        if callable(heuristic):
            return lambda: choose_by(heuristic, tuple(self.open_headers()))
        if heuristic == "weighted":
            return lambda: choose_weighted(self.open_headers())
        return self.choose

    def first_starved(self) -> Header:
        """The first open item with fewer options than it needs; there is one. O(open items)."""
        header = self.root.right.head
        while header.length >= header.need:
            header = header.right.head
        return header
