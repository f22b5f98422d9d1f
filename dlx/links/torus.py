"""The toroidal matrix of dancing links: nodes, headers and the operations on their links.

`dlx.links.algorithm_x` draws the torus and explains its links, and `dlx.links.algorithm_c` explains
colors; read these first. This is the same matrix, with additions for `dlx.links.matrix`:

=================  ================================================================================
`Header.need`      the number of options of the item that must still be taken: 1, or 0 for a
                   secondary item, or any number with multiplicities
`uncoverable`      the number of options that the open items need and do not have. If it is above 0
                   after an option was taken, that is a dead end
`updates`          the number of times that a node was unlinked
`Torus.check`      an assertion for every invariant of the links
=================  ================================================================================

Operations come in pairs, and each undoes the other if everything done in between was undone before:

=====================  ============================================================================
`cover`, `uncover`     an item: its header leaves the list of headers, and its options are hidden.
                       The vertical list of the item itself stays: `uncover` walks along it
`hide`, `unhide`       an option, by one of its nodes: its other nodes leave their vertical lists
`purify`, `unpurify`   a secondary item gets its color: options with another color are hidden
`commit`, `uncommit`   one entry of an option that is chosen: cover, purify, or nothing
`take`, `release`      an option, by a node whose item is covered: its other entries are committed
`force`, `unforce`     an option, by a node whose item is not covered yet
=====================  ============================================================================
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Final

from dlx.core.entries import Colored, Times

__all__ = ["Header", "NO_COLOR", "Node", "PURIFIED", "Torus"]


NO_COLOR: Final = 0
PURIFIED: Final = -1


class Node:
    """One entry of one option.

    Knuth's names: `left`, `right`, `up`, `down` are LLINK, RLINK, ULINK, DLINK; `head` is TOP.
    `color` is NO_COLOR, a positive number, or PURIFIED while the item has the color that this entry
    requires. `weight` is how often the option covers the item (see `dlx.links.weights`).
    """

    __slots__ = ("color", "down", "head", "left", "option", "right", "up", "weight")

    left: Node
    right: Node
    up: Node
    down: Node
    head: Header
    option: int
    color: int
    weight: int

    def __init__(self, option: int, color: int) -> None:
        self.left = self.right = self.up = self.down = self
        self.option = option
        self.color = color
        self.weight = 1


class Header(Node):
    """The head of an item's vertical list; `left` and `right` link it to the other open items.

    `length` is the number of options in the list (LEN); `need` is the number of them that must be
    taken: 1, or 0 for a secondary item. `number` counts the headers in declaration order, primary
    items first. Secondary items are in no list of headers: their `left` and `right` are themselves.
    `tries` and `failures` are counts of the current search: see `dlx.links.heuristics`.
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


class Torus:
    """The headers and nodes of a problem, linked. Building takes O(entries) time and space.

    `options` are sequences of items, and of `dlx.colored` and `dlx.times` entries. Each is labelled
    by its index, or by its element of `labels`. Arguments are not checked; `dlx.Problem` does that.

    >>> torus = Torus("abc", options=["ac", "b", "bc"])
    >>> torus.columns()["c"]  # options 0 and 2, without colors
    ((0, 0), (2, 0))
    """

    def __init__(
        self,
        primary: Iterable[Hashable],
        secondary: Iterable[Hashable] = (),
        options: Iterable[Iterable[Hashable]] = (),
        *,
        labels: Sequence[int] | None = None,
    ) -> None:
        self.root = Header("root", primary=False)
        self.headers: dict[Hashable, Header] = {}
        self.options: list[Node] = []  # the first entry of each
        self.uncoverable = 0  # the number of options that open items need and do not have
        self.updates = 0  # the number of nodes unlinked so far
        self._colors: dict[Hashable, int] = {}
        for name in primary:
            self.append_item(name, primary=True)
        for name in secondary:
            self.append_item(name, primary=False)
        for place, items in enumerate(options):
            self.append_option(place if labels is None else labels[place], items)

    def make_header(self, name: Hashable) -> Header:
        """The header of a primary item."""
        return Header(name, primary=True)

    def append_item(self, name: Hashable, primary: bool) -> None:
        """Adds the header of an item; all primary items come first."""
        header = self.make_header(name) if primary else Header(name, primary=False)
        header.number = len(self.headers)
        self.headers[name] = header
        if primary:
            header.left, header.right = self.root.left, self.root
            header.left.right = header.right.left = header
            self.uncoverable += header.need

    def append_option(self, label: int, items: Iterable[Hashable]) -> None:
        """Links an option at the end of the lists of its items. All headers must be there."""
        first: Node | None = None
        for entry in items:
            if isinstance(entry, Colored):
                color = self._colors.setdefault(entry.color, len(self._colors) + 1)
                node, header = Node(label, color), self.headers[entry.item]
            elif isinstance(entry, Times):
                node, header = Node(label, NO_COLOR), self.headers[entry.item]
                node.weight = entry.weight
            else:
                node, header = Node(label, NO_COLOR), self.headers[entry]
            node.head = header
            node.up, node.down = header.up, header
            node.up.down = node.down.up = node
            self.grow(node)
            if first is None:
                first = node
                self.options.append(first)
            else:
                node.left, node.right = first.left, first
                node.left.right = node.right.left = node

    def grow(self, node: Node) -> None:
        """Counts a node that was linked into the list of its item."""
        header = node.head
        self.uncoverable -= header.length < header.need
        header.length += 1

    def shrink(self, node: Node) -> None:
        """Undoes `grow`: counts a node that was unlinked."""
        header = node.head
        header.length -= 1
        self.uncoverable += header.length < header.need

    def lack_of(self, header: Header) -> int:
        """The number of options that an item needs and does not have."""
        return max(0, header.need - header.length)

    def open_headers(self) -> Iterator[Header]:
        """The headers of the primary items that are not covered, in declaration order."""
        header = self.root.right.head
        while header is not self.root:
            yield header
            header = header.right.head

    def columns(self) -> dict[Hashable, tuple[tuple[int, int], ...]]:
        """The options in each item's list, from top to bottom, with their colors."""
        return {
            name: tuple((node.option, node.color) for node in _ring(header, "down"))
            for name, header in self.headers.items()
        }

    def check(self) -> None:
        """Raises AssertionError if any invariant of the links does not hold. O(entries)."""
        open_items = [node.head for node in _ring(self.root, "right")]
        assert all(header.primary for header in open_items), "a secondary item among the primary"
        uncoverable = sum(map(self.lack_of, open_items))
        assert self.uncoverable == uncoverable, "uncoverable"
        for node in (self.root, *open_items):
            assert node.left.right is node.right.left is node, "headers"
        for header in self.headers.values():
            column = _ring(header, "down")
            assert column == _ring(header, "up")[::-1], f"up is not down reversed: {header.name!r}"
            assert header.length == len(column), f"length of {header.name!r}"
            assert all(node.head is header for node in column), (
                f"a foreign node under {header.name!r}"
            )
        for first in self.options:
            row = [first, *_ring(first, "right")]
            assert row == [first, *_ring(first, "left")[::-1]], f"row of option {first.option}"
            assert all(node.option == first.option for node in row), f"mixed row {first.option}"

    def cover(self, header: Header) -> None:
        """Removes an item and hides all of its options. O(entries of these options)."""
        self.uncoverable -= header.length < header.need
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
        self.uncoverable += header.length < header.need

    def hide(self, node: Node) -> None:
        """Removes the option of `node` from the lists of its other items. O(length of the option).

        An entry marked PURIFIED stays in its list, as all options there have the item's color.
        """
        other = node.right
        while other is not node:
            if other.color != PURIFIED:
                other.up.down, other.down.up = other.down, other.up
                header = other.head
                header.length -= 1
                self.uncoverable += header.length < header.need
                self.updates += 1
            other = other.right

    def unhide(self, node: Node) -> None:
        """Undoes `hide`, in mirrored order: from right to left."""
        other = node.left
        while other is not node:
            if other.color != PURIFIED:
                header = other.head
                self.uncoverable -= header.length < header.need
                header.length += 1
                other.up.down = other.down.up = other
            other = other.left

    def purify(self, chosen: Node) -> None:
        """Gives the secondary item of `chosen` its color: hides options with other colors."""
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
        """Covers or purifies the item of a chosen option's entry; does nothing if PURIFIED."""
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


def _ring(start: Node, direction: str) -> list[Node]:
    """The other nodes of a circular list, in order."""
    nodes: list[Node] = []
    seen: set[int] = set()
    node: Node = getattr(start, direction)
    while node is not start:
        assert id(node) not in seen, f"{direction} does not return to its start"
        seen.add(id(node))
        nodes.append(node)
        node = getattr(node, direction)
    return nodes
