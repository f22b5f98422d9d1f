"""Where a search stands, and so all that is left of it.

A search that tries options in order needs no more than its path from the root to say what is left:
the decisions on its stack, each the number of an item and the option of it that is being tried. All
that comes after the path in the order of visiting is left, but for the *floor*: of a search that is
only a part of another, the first `floor` decisions are not its business. `dlx.parallel.part` draws
it. So a search can be interrupted, and its parts be made by others.

Coming down a path does what the search did: it enters the same items and takes the same options.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dlx.dance.decisions import Decisions
from dlx.dance.nodes import Header, Node
from dlx.errors import InvalidPart, quote

__all__ = ["Decision", "NONE_YET", "Positions"]

Decision = tuple[int, int]
"""An item, by its number, and an option of it: see `dlx.parallel.part`."""

NONE_YET: Final = -1
"""In the place of an option: none has been tried yet."""


class Positions(Decisions):
    """A torus that tells where the search on it stands, and can be brought there."""

    _path: Sequence[Decision] = ()  # where this part of the search begins
    _floor = 0  # the levels below this one are not its business
    _begun = False

    def position(self) -> list[Decision]:
        """Where the search under way stands: the decisions from the root to what it has done last.

        Each is the number of an item and its option that is being tried or, at the end, that has
        been tried; `NONE_YET` there if the item was only chosen. All that comes after that is left.
        To be asked at any step but a "try", after which the node is still to be visited.
        """
        if not self._begun:
            return list(self._path)
        return [
            (node.head.number, NONE_YET if node is node.head else node.option)
            for node in self._stack
        ]

    def floor(self) -> int:
        """How many decisions of `position` all that is left has in common."""
        for level in range(self._floor, len(self._stack)):
            if self.has_more(level):
                return level
        return self._floor

    def is_exhausted(self) -> bool:
        """Will the next step of the search be to give up an item, or to end?"""
        if not self._begun:
            return False
        return len(self._stack) <= self._floor or not self.has_more(len(self._stack) - 1)

    def untried(self) -> list[int]:
        """The options left to be tried of the item at the end of `position`, top to bottom.

        With multiplicities, -2 stands for no further option.
        """
        if not self._stack:
            return []
        node, updates = self._stack[-1], self.updates
        self._put_back(node)
        options = self._untried(node)
        if node is not node.head:
            self.take(node)
        self.updates = updates
        return options

    def _untried(self, node: Node) -> list[int]:
        options = []
        while node.down is not node.head:
            node = node.down
            options.append(node.option)
        return options

    def _replay(self, path: Sequence[Decision]) -> None:
        """Comes down a path as the search does, to a position. Raises `InvalidPart`."""
        headers = [header for header in self.headers.values() if header.primary]
        for place, (number, option) in enumerate(path):
            header = headers[number] if 0 <= number < len(headers) else self.root
            may_be_open = place + 1 == len(path) > self._floor
            if self.starved or not self._is_branchable(header):
                raise _dead_path(path)
            if option == NONE_YET and not may_be_open:
                raise _dead_path(path)
            self._push(header)
            node: Node = header
            while node.option != option:
                node = self.next_branch(node)
                if node is header:
                    raise _dead_path(path)
            self._stack[-1] = node
            if node is not header:
                self.take(node)

    def _is_branchable(self, header: Header) -> bool:
        """Is it an open primary item with options?"""
        return header.length > 0 and header.left.right is header


def _dead_path(path: Sequence[Decision]) -> InvalidPart:
    return InvalidPart(f"no search of this problem comes along the path {quote(tuple(path))}")
