"""What the torus links: a node for each entry of an option, and a header for each item."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

__all__ = ["Header", "NO_COLOR", "Node", "PURIFIED"]

NO_COLOR: Final = 0
PURIFIED: Final = -1


class Node:
    """One entry of one option.

    Knuth's names: `left`, `right`, `up`, `down` are LLINK, RLINK, ULINK, DLINK; `head` is TOP.
    `color` is NO_COLOR, a positive number, or PURIFIED while the item is known to have the color
    that this entry wants.
    """

    __slots__ = ("color", "down", "head", "left", "option", "right", "up")

    left: Node
    right: Node
    up: Node
    down: Node
    head: Header
    option: int
    color: int

    def __init__(self, option: int, color: int) -> None:
        self.left = self.right = self.up = self.down = self
        self.option = option
        self.color = color


class Header(Node):
    """The head of an item's vertical list; `left` and `right` link it to the other open items.

    `length` is the number of options in the list (LEN), `need` how many of them must be taken: one,
    or none of a secondary item. `number` counts the headers in declaration order, primary ones
    first. Secondary items are in no list of headers: their `left` and `right` are themselves.
    `tries` and `failures` are what the search under way has learned of the item:
    see `dlx.heuristics`.
    """

    __slots__ = ("failures", "length", "name", "need", "number", "primary", "tries")

    name: Hashable
    number: int
    primary: bool
    length: int
    need: int
    tries: int
    failures: int

    def __init__(self, name: Hashable, primary: bool) -> None:
        super().__init__(option=-1, color=NO_COLOR)
        self.head = self
        self.name = name
        self.primary = primary
        self.need = int(primary)
        self.number = -1
        self.length = self.tries = self.failures = 0

    def __repr__(self) -> str:
        return f"<Header of {self.name!r}, length {self.length}>"
