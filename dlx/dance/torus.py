"""The links: a sparse matrix whose rows and columns are rings.

Only ones are stored. Each is a *node*, linked to its neighbours in four directions: `left` and
`right` in a circular list through its option, `up` and `down` in a circular list through its item.
Every item has a *header* in its vertical list, and the headers form a horizontal circular list of
their own, beginning and ending at the root. Rows and columns that close on themselves make the
matrix a torus. Here is the part of the one in `dlx.links` that items a, c and e make up::

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
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence

from dlx.color import Colored
from dlx.dance.nodes import NO_COLOR, Header, Node

__all__ = ["Torus"]


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
