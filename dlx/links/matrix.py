"""The resumable search by dancing links in Python: what `engine="python"` and traces run.

It is the search of `dlx.links.algorithm_x` (read that first) with additions: it reports every step,
counts the work, takes given options, branches by any heuristic, and can start at any *position* of
another search. Tests compare the compiled engines with it, step by step.

The stack
---------
The search is a loop with an explicit stack instead of a recursion, so only memory limits its depth.
A level of the stack is one node: an entry of the option that is taken, whose head is the item
chosen; or that header itself, while no option has been tried. These are the steps, applied to a
level with item c, whose options are w, x and y::

    _push(c)             c     c is entered: covered
    _advance()     c  -> w     w is taken
    _advance()     w  -> x     w is released, x is taken
    _advance()     x  -> y     x is released, y is taken
    _advance()     y  -> c     y is released; that was the last option
    _pop()               c     c is left: uncovered

`enter`, `leave`, `next_branch` and a few others are separate methods, because
`dlx.links.multiplicities` overrides them and nothing else.

Positions
---------
A search tries options in order, so its path from the root determines what is left: the decisions on
its stack, each the number of an item and the option of it that is being tried. Everything after the
path in visiting order is left, with one exception: the first `floor` decisions are fixed for this
part of the search, and their later branches belong to other parts (`dlx.core.part` has a drawing).
So a search can be interrupted and resumed, and worker threads can search its parts. Replaying a
path enters the same items and takes the same options as the search did.

Source: D. E. Knuth, TAOCP 4B, section 7.2.2.1, Algorithms X and C.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from dlx.errors import InvalidPart, counted, quote
from dlx.escapes import visible
from dlx.links.heuristics import CHOOSERS, check_heuristic, choose_by
from dlx.links.torus import NO_COLOR, PURIFIED, Header, Node, Torus

if TYPE_CHECKING:
    from dlx.links.heuristics import Heuristic
    from dlx.links.torus import Header

__all__ = [
    "Decision",
    "Header",
    "Matrix",
    "NONE_YET",
    "NO_COLOR",
    "Node",
    "PURIFIED",
    "TraceStep",
]


Decision = tuple[int, int]
"""An item, by its number, and an option of it: see `dlx.core.part`."""

NONE_YET: Final = -1
"""The number in place of an option in a decision: no option has been tried yet."""


class TraceStep(NamedTuple):
    """One step of the search; `str` is its line in a trace.

    kind
        "choose": the search has covered `item`, to branch on it. "try": it has taken `option` of
        it, or, if `option` is None, no further one. "dead end": open `item` has no option left, or
        fewer than it needs. "solution". "give up": all options of `item` have been tried, and it is
        uncovered. "pause": the search is at the end of the path that it started with.
    level
        The level in the tree, from 0.
    options
        The number of options of `item`, at "choose" and "dead end".
    updates
        The number of nodes unlinked so far.

    >>> print(TraceStep("choose", level=1, item="b", option=None, options=2, updates=5))
      level 1: item b (2 options)
    """

    kind: str
    level: int
    item: Hashable
    option: int | None
    options: int
    updates: int

    def __str__(self) -> str:
        indent = "  " * self.level
        item = visible(self.item)
        if self.kind == "choose":
            options = counted(self.options, "option")
            return f"{indent}level {self.level}: item {item} ({options})"
        if self.kind == "try":
            what = "no more of them" if self.option is None else f"option {self.option}"
            return f"{indent}  try {what}"
        if self.kind == "pause":
            return f"{indent}here the path ends"
        if self.kind == "give up":
            return f"{indent}level {self.level}: item {item} is done"
        if self.kind == "solution":
            return f"{indent}solution!"
        left = f"only {counted(self.options, 'option')}" if self.options else "no option"
        return f"{indent}dead end: item {item} has {left} left"


class Matrix(Torus):
    """The toroidal matrix of a problem, and Algorithm X on it.

    `options` are sequences of items and of `dlx.colored` items. Each is labelled by its index, or
    by its element of `labels`. Arguments are not checked; `dlx.Problem` does that. Building takes
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

    branches_of: Callable[[Header], int] = attrgetter("length")
    """The number of branches of an open item, as far as the choice of one needs it."""

    solutions_found = 0
    _path: Sequence[Decision] = ()  # where this part of the search starts
    _floor = 0  # the number of levels whose decisions are fixed
    _begun = False

    def __init__(
        self,
        primary: Iterable[Hashable],
        secondary: Iterable[Hashable] = (),
        options: Iterable[Iterable[Hashable]] = (),
        *,
        labels: Sequence[int] | None = None,
    ) -> None:
        self._places: dict[int, Node] = {}  # the first entry of each option, by label
        super().__init__(primary, secondary, options, labels=labels)
        self._given: list[Node] = []  # an entry of each given option of the search under way
        self._stack: list[Node] = []  # the option being tried at each level; a header: none yet
        self.profile: list[int] = []  # nodes of the search tree by level

    def append_option(self, label: int, items: Iterable[Hashable]) -> None:
        """Links an option at the end of the lists of its items. All headers must be there."""
        super().append_option(label, items)
        self._places[label] = self.options[-1]

    # -- the search ------------------------------------------------------------------------------

    def _search(
        self, given: Iterable[int], choose: Callable[[], Header]
    ) -> Generator[TraceStep, None, None]:
        """Algorithm X. Each pass of its loop is one step of the search.

        At a new node, the step finds a dead end or a solution, or chooses an item to branch on.
        Otherwise it takes the next option of the last item; after the last option it gives the item
        up, and the next step continues with the item before.
        """
        with self._at_start(given) as at_new_node:
            yield from self._first_steps(at_new_node)
            stack, floor = self._stack, self._floor
            while True:
                if at_new_node:
                    at_new_node = False
                    if self.uncoverable:
                        yield self._dead_end()
                    elif self.complete():
                        yield self._solution()
                    else:
                        yield self._branch_on(choose())
                elif len(stack) <= floor:
                    return
                elif self._advance():
                    at_new_node = True
                    yield self._try()
                else:
                    yield self._give_up()

    def _dead_end(self) -> TraceStep:
        self._record_failure()
        header = self.first_uncoverable()
        level = len(self._stack)
        return TraceStep("dead end", level, header.name, None, header.length, self.updates)

    def _solution(self) -> TraceStep:
        self.solutions_found += 1
        return TraceStep("solution", len(self._stack), None, None, 0, self.updates)

    def _branch_on(self, header: Header) -> TraceStep:
        level = len(self._stack)
        self._push(header)
        return TraceStep("choose", level, header.name, None, header.length, self.updates)

    def _try(self) -> TraceStep:
        """Counts the node of the option on top of the stack, which was just taken."""
        node, level = self._stack[-1], len(self._stack) - 1
        self._count_node(level + 1)
        node.head.tries += 1
        option = node.option if node.option >= 0 else None
        return TraceStep("try", level, node.head.name, option, 0, self.updates)

    def _give_up(self) -> TraceStep:
        header = self._pop()
        return TraceStep("give up", len(self._stack), header.name, None, 0, self.updates)

    # -- the interface ---------------------------------------------------------------------------

    def search(
        self,
        given: Iterable[int] = (),
        heuristic: str | Heuristic = "mrv",
        path: Sequence[Decision] = (),
        floor: int = 0,
    ) -> Generator[TraceStep, None, None]:
        """Runs Algorithm X; yields every step.

        `given` options are part of every solution; they must not clash. `path` and `floor` restrict
        the search to a part of it: see `position`. `heuristic` is "mrv", "weighted", or a function
        from the headers of all open items to the one to branch on: see `dlx.links.heuristics`. Only
        one search of a matrix may run at a time. When the iterator ends or is closed, the matrix is
        as it was before.

        Raises `InvalidArgument` for an unknown heuristic, and, at the step in question, for a
        function that returns anything but one of its headers; `InvalidPart`, at the first step, for
        a path that no search reaches.

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

    def solutions(
        self, given: Iterable[int] = (), heuristic: str | Heuristic = "mrv"
    ) -> Iterator[tuple[int, ...]]:
        """The solutions, each as the labels of its options in the order chosen, givens first."""
        for step in self.search(given, heuristic):
            if step.kind == "solution":
                yield self.partial_solution()

    @contextmanager
    def _at_start(self, given: Iterable[int]) -> Iterator[bool]:
        """Takes the givens and replays the path; undoes everything at the end of the search.

        Yields whether the node at the end of the path is still to be visited.
        """
        self._given = forced = [self.primary_entry(option) for option in given]
        stack: list[Node] = []
        self._stack = stack
        for node in forced:
            self.force(node)
        try:
            self._replay(self._path)
            self._reset_counts()
            yield len(self._path) == self._floor
        finally:
            for node in reversed(stack):
                self._put_back(node)
                self.leave(node.head)
            for node in reversed(forced):
                self.unforce(node)
            stack.clear()
            forced.clear()

    def _reset_counts(self) -> None:
        """Sets all counts to 0: the work on givens and path is not part of this search."""
        for header in self.headers.values():
            header.tries = header.failures = 0
        self.updates = 0
        self.profile = [0] * len(self._stack) if self._stack else [1]

    def _first_steps(self, at_new_node: bool) -> Generator[TraceStep, None, None]:
        """The first steps of a search with a path: a pause, and the try at the end of the path."""
        self._begun = not (at_new_node and self._path)
        if self._path:
            yield TraceStep("pause", len(self._path), None, None, 0, self.updates)
        if not self._begun:
            self._begun = True
            yield self._try()

    # -- choosing an item ------------------------------------------------------------------------

    def complete(self) -> bool:
        """Is every item covered? Valid only if no item is uncoverable."""
        return self.root.right is self.root

    def choose(self) -> Header:
        """The open item with the fewest options, the first declared on a tie. O(open items).

        There must be an open item, and none may be uncoverable.
        """
        best = header = self.root.right.head
        while header is not self.root and best.length > 1:
            if header.length < best.length:
                best = header
            header = header.right.head
        return best

    def chooser(self, heuristic: str | Heuristic) -> Callable[[], Header]:
        """A function that returns the open item which the heuristic chooses."""
        check_heuristic(heuristic)
        if callable(heuristic):
            return lambda: choose_by(heuristic, tuple(self.open_headers()))
        if heuristic == "mrv":
            return self.choose
        choose, branches_of = CHOOSERS[heuristic], self.branches_of
        return lambda: choose(self.open_headers(), branches_of)

    def first_uncoverable(self) -> Header:
        """The first open item with fewer options than it needs. O(open items).

        There must be such an item.
        """
        header = self.root.right.head
        while header.length >= header.need:
            header = header.right.head
        return header

    # -- branches --------------------------------------------------------------------------------

    # `enter` changes the links when an item is chosen, `leave` after its last branch.
    enter = Torus.cover
    leave = Torus.uncover

    def next_branch(self, node: Node) -> Node:
        """The option after `node` in its list; the header after the last one."""
        return node.down

    def has_more(self, level: int) -> bool:
        """Whether the item at a level has another branch after the current one."""
        node = self._stack[level]
        return node.down is not node.head

    def branches_at(self, level: int) -> int:
        """The number of branches of the item at a level: its length, which covering keeps."""
        return self._stack[level].head.length

    # -- the stack -------------------------------------------------------------------------------

    def _push(self, header: Header) -> None:
        """Enters an item, to try its options."""
        self._stack.append(header)
        self.enter(header)

    def _advance(self) -> bool:
        """Replaces the option on top of the stack by the next; False if that was the last one."""
        node = self._stack[-1]
        if node is not node.head:
            self.release(node)
        node = self._stack[-1] = self.next_branch(node)
        if node is node.head:
            return False
        self.take(node)
        return True

    def _pop(self) -> Header:
        """Leaves the item on top of the stack, after its last branch."""
        header = self._stack.pop().head
        self.leave(header)
        return header

    def _put_back(self, node: Node) -> None:
        """Releases an option that was taken; does nothing for a header, which is not an option."""
        if node is not node.head:
            self.release(node)

    # -- solutions and counts --------------------------------------------------------------------

    def partial_solution(self) -> tuple[int, ...]:
        """The labels of the options taken at this step of a search, givens first."""
        return tuple(node.option for node in self._given + self._stack if node.option >= 0)

    def _count_node(self, level: int) -> None:
        if level == len(self.profile):
            self.profile.append(0)
        self.profile[level] += 1

    def _record_failure(self) -> None:
        """Adds a failure to the items of the stack, from the top to the first with a choice."""
        for level in range(len(self._stack) - 1, -1, -1):
            self._stack[level].head.failures += 1
            if self.branches_at(level) > 1:
                break

    def primary_entry(self, option: int) -> Node:
        """The first entry of an option, by label, whose item is primary."""
        node = self._places[option]
        while not node.head.primary:
            node = node.right
        return node

    # -- positions -------------------------------------------------------------------------------

    def position(self) -> list[Decision]:
        """The position of the search: its decisions from the root to the last one.

        Each is the number of an item and the option of it that is being tried. The option of the
        last decision has been tried completely, or is `NONE_YET` if the item was only chosen.
        Everything after it in visiting order is left. Valid at every step but a "try", after which
        the node is still to be visited.
        """
        if not self._begun:
            return list(self._path)
        return [
            (node.head.number, NONE_YET if node is node.head else node.option)
            for node in self._stack
        ]

    def floor(self) -> int:
        """The number of decisions of `position` that everything left has in common."""
        for level in range(self._floor, len(self._stack)):
            if self.has_more(level):
                return level
        return self._floor

    def is_exhausted(self) -> bool:
        """Whether the next step will give an item up, or end the search."""
        if not self._begun:
            return False
        return len(self._stack) <= self._floor or not self.has_more(len(self._stack) - 1)

    def untried(self) -> list[int]:
        """The options not tried yet of the item at the end of `position`, top to bottom.

        With multiplicities, -2 means "no further option".
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
        """Takes the decisions of a path, as the search did. Raises `InvalidPart`."""
        headers = [header for header in self.headers.values() if header.primary]
        for place, (number, option) in enumerate(path):
            header = headers[number] if 0 <= number < len(headers) else self.root
            may_be_open = place + 1 == len(path) > self._floor
            if self.uncoverable or not self._is_branchable(header):
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
        """Whether it is an open primary item with options."""
        return header.length > 0 and header.left.right is header


def _dead_path(path: Sequence[Decision]) -> InvalidPart:
    return InvalidPart(f"no search of this problem reaches the path {quote(tuple(path))}")
