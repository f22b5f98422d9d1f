"""Algorithm X by dancing links: a self-contained implementation to read and to learn from.

The problem
-----------
Some *items* must be covered. Each *option* covers a few of them. Choose options so that every item
is covered exactly once. Written as a matrix with an item per column and an option per row, the
question is which rows add up to a row of ones::

              a  b  c  d  e  f  g
    option 0  .  .  1  .  1  .  .
    option 1  1  .  .  1  .  .  1
    option 2  .  1  1  .  .  1  .          options 0, 3 and 4 cover every item once
    option 3  1  .  .  1  .  1  .
    option 4  .  1  .  .  .  .  1
    option 5  .  .  .  1  1  .  1

Algorithm X
-----------
1. If no item is left, the chosen options are a solution.
2. Otherwise choose an item. Exactly one of its options must be in the solution, so try each one:
3. put the option into the partial solution, strike out all of its items, and with them every other
   option that contains one of these items; solve the smaller matrix in the same way;
4. undo step 3, and go on with the next option.

An item without options is a dead end: step 2 has nothing to try. The choice of the item does not
change which solutions there are, only how large the search tree gets; the item with the fewest
options left makes it small.

The torus
---------
Only the ones of the matrix are stored. Each is a *node*, linked to its neighbors in four
directions: `left` and `right` in a circular list through its option, `up` and `down` in a circular
list through its item. Every item heads its vertical list, and the items that are still to be
covered form a horizontal circular list of their own, which begins and ends at the root. Rows and
columns that close on themselves make the matrix a torus. This is the part of the example that
items a, c and e make up; the number after an item is the length of its list::

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

The dance
---------
To take a node x out of its vertical list, link its neighbors past it::

    x.up.down = x.down;  x.down.up = x.up

The point of the whole method is what is *not* done: x keeps its own links. It still knows where it
belongs, and so ::

    x.up.down = x;  x.down.up = x

puts it back, without a search and without a copy - provided that every node removed after x has
been put back before x, because the neighbors of x must be again what they were when x left.
Backtracking undoes its steps in exactly that order: every "undo" below is its "do" read backwards.
So a node leaves, others leave, and all return in mirrored order; hence "dancing" links.

Read next: `dlx.links.algorithm_c` adds colors, `dlx.links.algorithm_m` adds multiplicities, and
`dlx.links.algorithm_m_weights` options that cover an item several times. The engine "python"
(`dlx.links.matrix`) is the same search with givens, statistics, heuristics, and positions from
which a search can be resumed.

Source: D. E. Knuth, TAOCP 4B, section 7.2.2.1, Algorithm X (first described in arXiv:cs/0011047);
unlinking and relinking is due to Hitotumatu and Noshita (1979).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator

__all__ = ["AlgorithmX", "Item", "Node"]


class Node:
    """A one of the matrix: the entry of one option for one item.

    Knuth's names: `left`, `right`, `up`, `down` are LLINK, RLINK, ULINK, DLINK; `item` is TOP.
    """

    __slots__ = ("color", "down", "item", "left", "option", "right", "up", "weight")

    item: Item

    def __init__(self, option: int) -> None:
        self.left: Node = self
        self.right: Node = self
        self.up: Node = self
        self.down: Node = self
        self.option = option
        self.color = 0  # for Algorithm C
        self.weight = 1  # for Algorithm M with weights


class Item(Node):
    """The head of an item's vertical list. `length` (LEN) is the number of options in it."""

    __slots__ = ("bound", "length", "name", "slack")

    def __init__(self, name: Hashable) -> None:
        super().__init__(option=-1)
        self.item = self
        self.name = name
        self.length = 0
        self.bound, self.slack = 1, 0  # for Algorithm M


class AlgorithmX:
    """A matrix of links, and the search for its exact covers. Building takes O(ones) time.

    `primary` items must be covered exactly once, `secondary` items at most once. `options` are
    sequences of items; a solution is the tuple of the indices of its options.

    >>> matrix = AlgorithmX("abcdefg", options=["ce", "adg", "bcf", "adf", "bg", "deg"])
    >>> list(matrix.solutions())
    [(3, 4, 0)]
    >>> for solution in matrix.solutions(trace=print):
    ...     print("solution:", *solution)
    item a (2 options)
      option 1
        item b (1 option)
          option 2
            item e (0 options)
      option 3
        item b (1 option)
          option 4
            item c (1 option)
              option 0
    solution: 3 4 0
    """

    def __init__(
        self,
        primary: Iterable[Hashable],
        secondary: Iterable[Hashable] = (),
        options: Iterable[Iterable[Hashable]] = (),
    ) -> None:
        self.root = Item("root")
        self.items: dict[Hashable, Item] = {}
        for name in primary:
            item = self.items[name] = Item(name)
            item.left, item.right = self.root.left, self.root
            item.left.right = item.right.left = item
        for name in secondary:  # never chosen in step 2, so in no list of items
            self.items[name] = Item(name)
        for number, entries in enumerate(options):
            self.append(number, entries)

    def append(self, number: int, entries: Iterable[Hashable]) -> None:
        """Adds an option at the bottom of the lists of its items."""
        first: Node | None = None
        for entry in entries:
            node = self.make_node(number, entry)
            item = node.item
            node.up, node.down = item.up, item
            node.up.down = node.down.up = node
            item.length += 1
            first = first or node
            node.left, node.right = first.left, first
            node.left.right = node.right.left = node

    def make_node(self, option: int, entry: Hashable) -> Node:
        """A node for one entry of an option, not yet linked."""
        node = Node(option)
        node.item = self.items[entry]
        return node

    # -- the dance -------------------------------------------------------------------------------

    def cover(self, item: Item) -> None:
        """Removes an item from the list of items, and hides each of its options."""
        item.left.right, item.right.left = item.right, item.left
        node = item.down
        while node is not item:
            self.hide(node)
            node = node.down

    def uncover(self, item: Item) -> None:
        """Undoes `cover`, from the bottom of the list up."""
        node = item.up
        while node is not item:
            self.unhide(node)
            node = node.up
        item.left.right = item.right.left = item

    def hide(self, node: Node) -> None:
        """Removes the option of `node` from the lists of its other items."""
        other = node.right
        while other is not node:
            other.up.down, other.down.up = other.down, other.up
            other.item.length -= 1
            other = other.right

    def unhide(self, node: Node) -> None:
        """Undoes `hide`, from right to left."""
        other = node.left
        while other is not node:
            other.item.length += 1
            other.up.down = other.down.up = other
            other = other.left

    def commit(self, node: Node) -> None:
        """Does to the item of `node` what taking the option demands: covers it."""
        self.cover(node.item)

    def uncommit(self, node: Node) -> None:
        """Undoes `commit`."""
        self.uncover(node.item)

    def take(self, node: Node) -> None:
        """Commits the other entries of an option; the item of `node` is covered already."""
        other = node.right
        while other is not node:
            self.commit(other)
            other = other.right

    def release(self, node: Node) -> None:
        """Undoes `take`."""
        other = node.left
        while other is not node:
            self.uncommit(other)
            other = other.left

    # -- Algorithm X -----------------------------------------------------------------------------

    def choose(self) -> Item | None:
        """The item with the fewest options, the first such; None if no item is left. O(items)."""
        best: Item | None = None
        item = self.root.right.item
        while item is not self.root:
            if best is None or item.length < best.length:
                best = item
            item = item.right.item
        return best

    def solutions(
        self, trace: Callable[[str], object] = lambda line: None, chosen: tuple[int, ...] = ()
    ) -> Iterator[tuple[int, ...]]:
        """The solutions, each as the indices of its options in the order chosen.

        `trace` is called with a line for each item and option tried. `chosen` is the partial
        solution. The recursion is as deep as a solution is long. When the iterator ends, or is
        closed early, all links are as they were before.
        """
        item = self.choose()
        if item is None:
            yield chosen
            return
        indent = "    " * len(chosen)
        trace(f"{indent}item {item.name} ({item.length} option{'s' * (item.length != 1)})")
        self.cover(item)
        try:
            node = item.down
            while node is not item:
                trace(f"{indent}  option {node.option}")
                self.take(node)
                try:
                    yield from self.solutions(trace, (*chosen, node.option))
                finally:
                    self.release(node)
                node = node.down
        finally:
            self.uncover(item)
