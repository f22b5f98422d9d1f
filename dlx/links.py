"""Dancing links: Algorithm X, and Algorithm C for colors, over a toroidal linked matrix.

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
Choose an item. One of its options must be in the solution, so try each in turn: put it into the
partial solution, strike out all of its items together with every other option that contains one of
them, and go on with the smaller matrix. An item without options is a dead end; no items left is a
solution. Then take the option back and try the next. It pays to choose the item with the fewest
options: the fewer the branches, the smaller the tree, and an item with one option is no choice at
all.

The links
---------
Only ones are stored. Each is a *node*, linked to its neighbours in four directions: `left` and
`right` in a circular list through its option, `up` and `down` in a circular list through its item.
Every item has a *header* in its vertical list, and the headers form a horizontal circular list of
their own, beginning and ending at the root. Rows and columns that close on themselves make the
matrix a torus. Here is the part of the one above that items a, c and e make up::

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
`purify(x)`    settles the color of a secondary item: options that want another color for it are
               hidden; those that want the same are marked (color `PURIFIED`), as nothing is left to
               be done or undone about that item when they are taken.
`commit(x)`    does for an entry of a chosen option what is due: covers its item or purifies it.
=============  ==================================================================================

`uncover`, `unhide`, `unpurify` and `uncommit` are these steps backwards.

Two refinements, both about when to give up. The matrix keeps count of the open primary items that
have no option left (`starved`), so that a dead end is recognised as soon as an option has been
taken. And since, without a starved item, one option is the least an item can have, the choice of an
item stops at the first that has just one.

The search keeps its own stack, so that its depth is bounded by memory alone, and leaves the matrix
exactly as it found it, also if it is abandoned half-way.

Multiplicities
--------------
An item may ask to be covered n times, or at least low and at most high times. Call *bound* what it
may still take, high minus the options taken, and *need* what it must, low minus these or 0; for a
plain item both are 1. Then the rules above become these (and are the same for plain items):

* An item is open while its bound is above 0. An open item with fewer options than its need is a
  dead end; one without options and without need is *done*: there is nothing to choose.
* The branches of an item are the option to be taken *next* from its list, top to bottom, as long as
  enough of them are left below; those above are out from then on. And, last, if it needs none: no
  option any more. That makes ::

      length + 1 - need

  branches, and no two of them can lead to the same set of options.
* **The item chosen is the open item with the fewest branches, the first declared on a tie**; items
  that are done are passed over. This is the order in which all engines search.
* When all open items are done, that is a solution.

An option that was taken is out of all lists; so an option is never taken twice, but of two options
with the same items both may be taken. `dlx.multiple` is the search by these rules (Algorithm M).

Source: D. E. Knuth, TAOCP 4B, section 7.2.2.1 (`arXiv:cs/0011047` is the first telling); the idea
of unlinking and relinking is Hitotumatu and Noshita's (1979).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from dlx.color import Colored
from dlx.errors import InvalidPart, quote
from dlx.heuristics import check_heuristic, choose_by, choose_weighted

if TYPE_CHECKING:
    from dlx.heuristics import Heuristic

__all__ = ["Header", "Matrix", "Node", "Step"]

NO_COLOR: Final = 0
PURIFIED: Final = -1


Decision = tuple[int, int]
"""An item, by its number, and an option of it: see `dlx.parallel.part`."""

NONE_YET: Final = -1
"""In the place of an option: none has been tried yet."""


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


class Step(NamedTuple):
    """One step of the search, as a teacher would write it on the board.

    `kind` is one of "choose" (an item is covered, to be branched on), "try" (one of its options is
    taken, or, if `option` is None, no further one), "dead end" (some open item has no option left,
    or fewer than it needs), "solution", "give up" (all options of the item have been tried; it
    is uncovered), and, of a search that begins with a path, "pause" at the end of it. `level`
    counts from 0; `options` is how many options the item chosen, or at a dead end the one that
    starves, has; `updates` the nodes unlinked so far.
    """

    kind: str
    level: int
    item: Hashable
    option: int | None
    options: int
    updates: int

    def __str__(self) -> str:
        indent = "  " * self.level
        if self.kind == "choose":
            plural = "" if self.options == 1 else "s"
            return f"{indent}level {self.level}: item {self.item} ({self.options} option{plural})"
        if self.kind == "try":
            what = "no more of them" if self.option is None else f"option {self.option}"
            return f"{indent}  try {what}"
        if self.kind == "pause":
            return f"{indent}here the path ends"
        if self.kind == "give up":
            return f"{indent}level {self.level}: item {self.item} is done"
        left = f"only {self.options}" if self.options else "no"
        plural = "s" if self.options > 1 else ""
        return f"{indent}{self.kind}" + (
            f": item {self.item} has {left} option{plural} left" if self.kind == "dead end" else "!"
        )


class Matrix:
    """The toroidal matrix of a problem, and Algorithm X on it.

    `options` are sequences of items, `dlx.colored` ones among them; they are known by their places,
    or by `labels`. Nothing is checked here: that is what `dlx.Problem` is for. Building takes
    O(entries) time and space.

    >>> matrix = Matrix("abcdefg", options=["ce", "adg", "bcf", "adf", "bg", "deg"])
    >>> list(matrix.solutions())
    [(3, 4, 0)]
    >>> for step in matrix.search():
    ...     print(step)
    level 0: item a (2 options)
      try option 1
      level 1: item b (1 option)
        try option 2
        dead end: item e has no option left
      level 1: item b is done
      try option 3
      level 1: item b (1 option)
        try option 4
        level 2: item c (1 option)
          try option 0
          solution!
        level 2: item c is done
      level 1: item b is done
    level 0: item a is done
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
        self.updates = 0
        self.solutions_found = 0
        self.profile: list[int] = []  # nodes of the search tree by level
        self._colors: dict[Hashable, int] = {}
        self._given: list[Node] = []  # an entry of each given option of the search under way
        self._stack: list[Node] = []  # the option being tried at each level; a header: none yet
        self._path: Sequence[Decision] = ()  # where this part of the search begins
        self._floor = 0  # the levels below this one are not its business
        self._begun = False
        for name in primary:
            self._append_header(self.make_header(name))
        for name in secondary:
            self.headers[name] = Header(name, primary=False)
        for place, items in enumerate(options):
            self._append_option(place if labels is None else labels[place], items)
        for number, header in enumerate(self.headers.values()):
            header.number = number
        self._places = {node.option: node for node in self.options}

    # -- building --------------------------------------------------------------------------------

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

    # -- the dance -------------------------------------------------------------------------------

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

    # -- Algorithm X -----------------------------------------------------------------------------

    # What is done to an item when it is chosen, and undone when all its branches were tried.
    enter = cover
    leave = uncover

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

    def search(
        self,
        given: Iterable[int] = (),
        heuristic: str | Heuristic = "mrv",
        path: Sequence[Decision] = (),
        floor: int = 0,
    ) -> Generator[Step, None, None]:
        """Runs Algorithm X, yielding every step.

        `given` options are part of every solution; they must not clash. With a `path`, that part of
        the search is made which comes after it, or below it: see `position`. `heuristic` is "mrv",
        "weighted", or a function that is given the headers of all open items, in declaration order,
        and returns the one to branch on: see `dlx.heuristics`. The matrix must not be searched
        twice at the same time. When the iterator ends, or is closed early, the matrix is as it was
        before.

        Raises `InvalidArgument` for an unknown heuristic, and, when its turn comes, for one that
        returns anything but a header it was given; and `InvalidPart`, at the first step, for a path
        that no search comes along.

        >>> def fewest_failures(headers):
        ...     return min(headers, key=lambda header: (header.failures, header.length))
        >>> matrix = Matrix("abc", options=["a", "b", "ab", "c"])
        >>> next(matrix.search(heuristic=fewest_failures)).item
        'c'
        """
        self._begun, self._path, self._floor = False, path, floor
        self.updates = self.solutions_found = 0
        self.profile = []
        return self._search(given, self.chooser(heuristic))

    def chooser(self, heuristic: str | Heuristic) -> Callable[[], Header]:
        """The rule of that name, or of one's own, as a function that returns an open item."""
        check_heuristic(heuristic)
        if callable(heuristic):
            return lambda: choose_by(heuristic, tuple(self.open_headers()))
        if heuristic == "weighted":
            return lambda: choose_weighted(self.open_headers())
        return self.choose

    def _search(
        self,
        given: Iterable[int],
        choose: Callable[[], Header],
    ) -> Generator[Step, None, None]:
        path, floor = self._path, self._floor
        self._given = forced = [self._primary_node(option) for option in given]
        stack: list[Node] = []
        self._stack = stack
        for node in forced:
            self.force(node)
        try:
            self._replay(path)
            for header in self.headers.values():
                header.tries = header.failures = 0
            self.updates = 0
            self.profile = [0] * len(stack) if stack else [1]
            arrived = len(path) == floor  # at a node that is still to be visited?
            self._begun = not (arrived and path)
            if path:
                yield Step("pause", len(path), None, None, 0, self.updates)
            self._begun = True
            if arrived and path:
                yield self._try(stack[-1])
            while True:
                level = len(stack)
                if not arrived:
                    pass
                elif self.starved:
                    self._put_down_failure()
                    header = self._first_starved()
                    yield Step("dead end", level, header.name, None, header.length, self.updates)
                elif self.complete():
                    self.solutions_found += 1
                    yield Step("solution", level, None, None, 0, self.updates)
                else:
                    header = choose()
                    stack.append(header)
                    self.enter(header)
                    yield Step("choose", level, header.name, None, header.length, self.updates)
                arrived = True
                while len(stack) > floor:  # on to the next option, of the innermost item with one
                    node = self._advance(stack)
                    if node is not node.head:
                        yield self._try(node)
                        break
                    stack.pop()
                    self.leave(node.head)
                    yield Step("give up", len(stack), node.head.name, None, 0, self.updates)
                else:
                    return
        finally:
            for node in reversed(stack):
                self._put_back(node)
                self.leave(node.head)
            for node in reversed(forced):
                self.unforce(node)
            stack.clear()
            forced.clear()

    def _try(self, node: Node) -> Step:
        """Counts the option on top of the stack, which has just been taken."""
        level = len(self._stack) - 1
        self._count_node(level + 1)
        node.head.tries += 1
        option = node.option if node.option >= 0 else None
        return Step("try", level, node.head.name, option, 0, self.updates)

    def _advance(self, stack: list[Node]) -> Node:
        """Replaces the option on top of the stack by the next one; at the end, by the header."""
        self._put_back(stack[-1])
        node = stack[-1] = self.next_branch(stack[-1])
        if node is not node.head:
            self.take(node)
        return node

    def next_branch(self, node: Node) -> Node:
        """The option to try after another, or after the header; the header if there is none."""
        return node.down

    def _put_back(self, node: Node) -> None:
        """Releases an option that was taken; a header means that there was none."""
        if node is not node.head:
            self.release(node)

    def _put_down_failure(self) -> None:
        """Counts a dead end against all items back to the last that had a choice."""
        for level in range(len(self._stack) - 1, -1, -1):
            self._stack[level].head.failures += 1
            if self.branches_at(level) > 1:
                break

    def branches_at(self, level: int) -> int:
        """How many branches the item chosen at a level has: its length is still what it was."""
        return self._stack[level].head.length

    # -- where a search stands -------------------------------------------------------------------

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

    def has_more(self, level: int) -> bool:
        """Has the item at a level a branch after the one at hand?"""
        node = self._stack[level]
        return node.down is not node.head

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
            node: Node = header
            self._stack.append(header)
            self.enter(header)
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

    def solutions(
        self, given: Iterable[int] = (), heuristic: str | Heuristic = "mrv"
    ) -> Iterator[tuple[int, ...]]:
        """The solutions, each as the labels of its options in the order chosen, givens first."""
        for step in self.search(given, heuristic):
            if step.kind == "solution":
                yield self.partial_solution()

    def partial_solution(self) -> tuple[int, ...]:
        """The options taken at this moment of a search, givens first."""
        return tuple(node.option for node in self._given + self._stack if node.option >= 0)

    def _primary_node(self, option: int) -> Node:
        node = self._places[option]
        while not node.head.primary:
            node = node.right
        return node

    def _count_node(self, level: int) -> None:
        if level == len(self.profile):
            self.profile.append(0)
        self.profile[level] += 1

    def _first_starved(self) -> Header:
        header = self.root.right.head
        while header.length >= header.need:
            header = header.right.head
        return header

    # -- inspection ------------------------------------------------------------------------------

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


def _dead_path(path: Sequence[Decision]) -> InvalidPart:
    return InvalidPart(f"no search of this problem comes along the path {quote(tuple(path))}")


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
