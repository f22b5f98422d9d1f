"""What the torus links: a node for each entry of an option, and a header for each item.

The links: a sparse matrix whose rows and columns are rings.

Only ones are stored. Each is a *node*, linked to its neighbours in four directions: `left` and
`right` in a circular list through its option, `up` and `down` in a circular list through its item.
Every item has a *header* in its vertical list, and the headers form a horizontal circular list of
their own, beginning and ending at the root. Rows and columns that close on themselves make the
matrix a torus. Here is the part of the one in `dlx.links.matrix` that items a, c and e make up::

                  |           |           |
    -- root --- [a:2] ----- [c:2] ----- [e:2] ---- (back to the root)
                  |           |           |
                  |    -- (0,c) ------- (0,e) --
                  |           |           |
           ---- (1,a) ----    |           |        each option is a ring of its own:
                  |    -- (2,c) --        |        (1,a) links to (1,d) and (1,g)
                  |           |           |
           ---- (3,a) ----    |           |
                  |           |    ---- (5,e) ---
                  |           |           |
              (up to a)   (up to c)   (up to e)

`Torus.check` says in full what must hold of these links at any time.

The dance: taking items and options out of the torus, and putting them back.

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

Taking an option: its items are covered, or given the color that it wants (Algorithm C).

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

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Final

from dlx.core.color import Colored

__all__ = ["Coloring", "Covering", "Header", "NO_COLOR", "Node", "PURIFIED", "Torus"]


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
    see `dlx.links.heuristics`.
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

    `options` are sequences of items, `dlx.colored` ones among them; they are known by their places,
    or by `labels`. Nothing is checked here: that is what `dlx.Problem` is for.

    >>> torus = Torus("abc", options=["ac", "b", "bc"])
    >>> torus.columns()["c"]  # options 0 and 2, which want no color
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
        self.starved = 0  # options that open items need and have not: one for each empty list
        self._colors: dict[Hashable, int] = {}
        for name in primary:
            self._append_header(self.make_header(name))
        for name in secondary:
            self.headers[name] = Header(name, primary=False)
        for place, items in enumerate(options):
            self._append_option(place if labels is None else labels[place], items)
        for number, header in enumerate(self.headers.values()):
            header.number = number

    def make_header(self, name: Hashable) -> Header:
        """The header of a primary item."""
        return Header(name, primary=True)

    def _append_header(self, header: Header) -> None:
        header.left, header.right = self.root.left, self.root
        header.left.right = header.right.left = header
        self.headers[header.name] = header
        self.starved += header.need

    def _append_option(self, label: int, items: Iterable[Hashable]) -> None:
        first: Node | None = None
        for entry in items:
            if isinstance(entry, Colored):
                color = self._colors.setdefault(entry.color, len(self._colors) + 1)
                node, header = Node(label, color), self.headers[entry.item]
            else:
                node, header = Node(label, NO_COLOR), self.headers[entry]
            node.head = header
            node.up, node.down = header.up, header
            node.up.down = node.down.up = node
            self.starved -= header.length < header.need
            header.length += 1
            if first is None:
                first = node
                self.options.append(first)
            else:
                node.left, node.right = first.left, first
                node.left.right = node.right.left = node

    def open_headers(self) -> Iterator[Header]:
        """The headers of the primary items that are not covered, in declaration order."""
        header = self.root.right.head
        while header is not self.root:
            yield header
            header = header.right.head

    def columns(self) -> dict[Hashable, tuple[tuple[int, int], ...]]:
        """The options in each item's list, from top to bottom, with the colors they want."""
        return {
            name: tuple((node.option, node.color) for node in _ring(header, "down"))
            for name, header in self.headers.items()
        }

    def check(self) -> None:
        """Raises AssertionError if any invariant of the links does not hold. O(entries)."""
        open_items = [node.head for node in _ring(self.root, "right")]
        assert all(header.primary for header in open_items), "a secondary item among the primary"
        starved = sum(max(0, header.need - header.length) for header in open_items)
        assert self.starved == starved, "starved"
        for node in (self.root, *open_items):
            assert node.left.right is node.right.left is node, "headers"
        for header in self.headers.values():
            column = _ring(header, "down")
            assert column == _ring(header, "up")[::-1], f"up is not down reversed: {header.name!r}"
            assert header.length == len(column), f"length of {header.name!r}"
            assert all(node.head is header for node in column), f"a stranger under {header.name!r}"
        for first in self.options:
            row = [first, *_ring(first, "right")]
            assert row == [first, *_ring(first, "left")[::-1]], f"row of option {first.option}"
            assert all(node.option == first.option for node in row), f"mixed row {first.option}"


def _ring(start: Node, direction: str) -> list[Node]:
    """The other nodes of a circular list, in order."""
    nodes: list[Node] = []
    seen: set[int] = set()
    node: Node = getattr(start, direction)
    while node is not start:
        assert id(node) not in seen, f"{direction} never comes back to where it began"
        seen.add(id(node))
        nodes.append(node)
        node = getattr(node, direction)
    return nodes


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
